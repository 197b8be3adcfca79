//! Directories: what is read, what is passed over and why, where results go, and what is staged for a commit.

mod common;

use std::fs;
use std::process::Command;

use common::{Place, not_run, place};
use serde_json::{Value, json};

const BROKEN: &str = "{\"a\": [1, 2,],}";

fn directory(here: &Place, name: &str) {
    fs::create_dir_all(here.path(name)).expect("a directory can be made");
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn what_an_ignore_file_names_is_left_out_aloud_and_read_with_no_ignore() {
    let here = place().with(".gitignore", "*.jsonl\nbuild/\n");
    directory(&here, "out/build");
    let here = here.with("out/x.jsonl", "{,\n").with("out/y.json", "{}").with("out/build/z.json", "{}");
    here.run(&["check", "out"]).exits(0).says("left out: 1 file that an ignore file names (--no-ignore)");
    let counted = here.run(&["check", "--statistics", "out"]).exits(0);
    counted.says("left out: 1 file and 1 directory that an ignore file names (--no-ignore)");
    here.run(&["check", "-q", "out"]).exits(0).stays_silent();
    here.run(&["check", "--no-ignore", "out"]).exits(1).says("out/x.jsonl:1:2").says("3 files: 2 valid, 1 refused");
    fs::remove_file(here.path("out/y.json")).expect("it can be removed");
    let none = here.run(&["check", "out"]).exits(2).says("no files match *.json, *.jsonl, *.ndjson");
    none.says("left out: 1 file and 1 directory that an ignore file names (--no-ignore)");
}

#[test]
fn the_files_that_would_be_read_are_shown_and_none_is_read_or_written() {
    let here = place().with(".gitignore", "*.jsonl\n").with("jsonseam.toml", "exclude = [\"tsconfig.json\"]\n");
    directory(&here, "d");
    let here =
        here.with("d/b.json", BROKEN).with("d/a b.json", "{}").with("d/tsconfig.json", "{").with("d/x.jsonl", "{");
    let here = here.with("d/z.txt", "{}");
    let listed = "d/a b.json\nd/b.json\n";
    let left_out = "left out: 1 file that an ignore file names (--no-ignore)";
    here.run(&["check", "--show-files", "d"]).exits(0).prints(listed).says(left_out);
    here.run(&["repair", "--write", "--show-files", "d"]).exits(0).prints(listed);
    assert_eq!(here.read("d/b.json"), BROKEN);
    // Neither a contract nor a place for the results is needed to see what would be read.
    here.run(&["repair", "--show-files", "d"]).exits(0).prints(listed);
    here.run(&["parse", "--show-files", "d"]).exits(0).prints(listed);
    here.run(&["check", "--show-files", "-q", "d", "missing.json"]).exits(0).prints(&format!("{listed}missing.json\n"));
    here.run(&["check", "--show-files"]).exits(0).prints("-\n");
    let told = here.run(&["check", "--show-files", "-v", "d"]).exits(0).prints(listed);
    told.says("1 by `exclude` of the configuration").says("passed over by their endings: .txt 1 (--glob GLOB)");
    here.run(&["check", "--show-files", "--no-ignore", "-g", "*.jsonl", "d"]).exits(0).prints("d/x.jsonl\n");
    here.run(&["check", "--show-files", "-g", "*.md", "d"]).exits(2).prints("");
}

#[cfg(unix)]
#[test]
fn the_names_of_the_files_that_would_be_read_are_their_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let here = place();
    directory(&here, "d");
    let name = std::ffi::OsStr::from_bytes(b"d/tab\there-\xff.json");
    fs::write(here.path("").join(name), "{}").expect("it can be written");
    let output = here.command(&["check", "--show-files", "d"]).output().expect("it starts");
    assert_eq!(output.stdout, b"d/tab\there-\xff.json\n");
}

#[test]
fn hidden_files_are_counted_and_read_with_hidden_but_never_those_of_the_repository() {
    let here = place();
    directory(&here, "d/.git");
    directory(&here, "d/.cache");
    let here =
        here.with("d/.git/a.json", "{,").with("d/.cache/b.json", "{,").with("d/.c.json", "{}").with("d/e.json", "{}");
    here.run(&["check", "--statistics", "d"]).exits(0).says("left out: 2 hidden (--hidden)");
    let all = here.run(&["check", "--hidden", "d"]).exits(1).says("3 files: 2 valid, 1 refused");
    assert!(!all.stderr.contains(".git/"), "{}", all.stderr);
}

#[test]
fn endings_that_were_passed_over_are_named_unless_globs_chose() {
    let here = place();
    directory(&here, "d");
    let here = here.with("d/a.json", "{}").with("d/b.txt", "{}").with("d/c.txt", "{}").with("d/LICENSE", "x");
    let ran = here.run(&["check", "--statistics", "d"]).exits(0);
    ran.says("passed over by their endings: .txt 2, no ending 1 (--glob GLOB)");
    let chosen = here.run(&["check", "--statistics", "-g", "*.txt", "d"]).exits(0).says("2 files: 2 valid");
    assert!(!chosen.stderr.contains("passed over"), "{}", chosen.stderr);
    fs::remove_file(here.path("d/a.json")).expect("it can be removed");
    here.run(&["repair", "--write", "d"]).exits(2).says("passed over by their endings: .txt 2, no ending 1");
}

#[test]
fn a_check_that_refuses_ends_with_the_count_of_files() {
    let here = place();
    directory(&here, "d");
    let here = here.with("d/a.json", "{}").with("d/b.json", BROKEN);
    here.run(&["check", "d"]).exits(1).says("2 files: 1 valid, 1 refused");
    here.run(&["check", "--exit-zero", "d"]).exits(0).says("d/b.json:1:13");
    here.run(&["check", "--exit-zero", "missing.json"]).exits(2).says("cannot read missing.json");
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_stops_no_other() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    /// An ordinary user: the superuser reads every directory.
    const OTHER: u32 = 65_534;
    let here = place();
    directory(&here, "d/x");
    let here = here.with("d/a.json", BROKEN).with("d/z.json", BROKEN);
    let mode = |name: &str, mode| {
        fs::set_permissions(here.path(name), fs::Permissions::from_mode(mode)).expect("the mode can be set");
    };
    mode("", 0o755);
    mode("d/x", 0o000);
    let is_root = fs::metadata(here.path("d")).expect("it is there").uid() == 0;
    let mut command = here.command(&["check", "d"]);
    if is_root {
        command.uid(OTHER);
    }
    match command.output() {
        Ok(output) => {
            let ran = common::Ran::from(output)
                .exits(2)
                .says("cannot read d/x: Permission denied")
                .says("d/a.json:1:13")
                .says("d/z.json:1:13");
            ran.says("3 files: 0 valid, 2 refused, 1 could not be read or written");
        }
        Err(_) => not_run("an ordinary user cannot start the command where it was built"),
    }
    mode("d/x", 0o755);
}

#[test]
fn a_json_lines_file_of_a_directory_is_read_by_its_name_like_one_that_is_named() {
    let here = place();
    directory(&here, "d");
    let here = here.with("d/log.jsonl", "{\"id\": 1,}\n{\"id\" 2}\n");
    here.run(&["repair", "--write", "d"]).exits(1).says("d/log.jsonl:2:7");
    assert_eq!(here.read("d/log.jsonl"), "{\"id\": 1}\n{\"id\" 2}\n");
}

#[test]
fn what_the_configuration_excludes_is_left_out_of_directories_and_read_where_it_is_named() {
    let config = "exclude = [\"tsconfig.json\", \"data/fixtures/\"] # not ours\npreset = \"standard\"\n";
    let here = place().with("jsonseam.toml", config).with("tsconfig.json", "{/* c */}");
    directory(&here, "data/fixtures/deep");
    let here = here.with("data/fixtures/deep/a.json", BROKEN).with("data/b.json", "{}");
    here.run(&["check", "."]).exits(0);
    here.run(&["check", "--statistics", "."])
        .exits(0)
        .says("1 file: 1 valid")
        .says("left out: 2 by `exclude` of the configuration");
    here.run(&["check", "tsconfig.json"]).exits(1);
    here.run(&["config", "check"]).exits(0).text();
    let nested = here.command(&["check", "--statistics", "."]).current_dir(here.path("data")).output();
    common::Ran::from(nested.expect("it starts")).exits(0).says("left out: 1 by `exclude`");
}

#[test]
fn a_mistake_in_exclude_is_refused_with_its_place() {
    for (text, message) in [
        ("exclude = \"x\"\n", "jsonseam.toml:1:11: `exclude` must be a list"),
        ("\nexclude = [1]\n", "jsonseam.toml:2:12: an entry of `exclude` must be a glob in quotes"),
        ("exclude = [\"a[\"]\n", "jsonseam.toml:1:12: `exclude`: not a glob"),
        ("exclude = [\"a\"]\npreset = 1\n", "jsonseam.toml:2:10"),
    ] {
        place().with("jsonseam.toml", text).run(&["config", "check"]).exits(2).says(message);
    }
}

/// Whether git can be started, and is, in this directory.
fn git(here: &Place, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments).current_dir(here.0.path());
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn what_is_staged_is_checked_and_not_the_working_tree() {
    let here = place().with("jsonseam.toml", "exclude = [\"skip.json\"]\n");
    if !git(&here, &["init", "-q"]) {
        return not_run("git is not installed");
    }
    directory(&here, "sub");
    let here = here
        .with("b.json", "{\"a\":1,}")
        .with("-q.json", "{,}")
        .with("sub/c.ndjson", "{\"a\":1}\n{\"a\" 1}\n")
        .with("skip.json", "{,}")
        .with("notes.txt", "{,}");
    assert!(git(&here, &["add", "-A"]), "git adds");
    let here = here.with("b.json", "{\"a\":1}").with("new.json", "{,}");
    let hook = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.pre-commit-hooks.yaml"));
    let hook = hook.expect("the hook is part of the repository");
    let entry = hook.lines().find_map(|line| line.trim().strip_prefix("entry: jsonseam ")).expect("it has an entry");
    let entry: Vec<&str> = entry.split(' ').collect();
    // What the page says to write names this hook.
    let page = include_str!("../../../docs/command.md");
    let shown = page.lines().find_map(|line| line.trim().strip_prefix("- id: ")).expect("the page shows the hook");
    assert!(hook.lines().any(|line| line == format!("- id: {shown}")), "{shown}");
    let ran = here.run(&entry).exits(1).says("b.json:1:8").says("-q.json:1:2").says("sub/c.ndjson:2:6");
    assert!(!ran.stderr.contains("new.json") && !ran.stderr.contains("skip.json"), "{}", ran.stderr);
    let below = here.command(&["check", "--staged", "."]).current_dir(here.path("sub")).output();
    let below = common::Ran::from(below.expect("it starts")).exits(1).says("sub/c.ndjson:2:6");
    assert!(!below.stderr.contains("b.json"), "{}", below.stderr);
    assert!(git(&here, &["commit", "-qm", "x"]), "git commits");
    here.run(&["check", "--staged"]).exits(0).stays_silent();
    assert!(git(&here, &["mv", "b.json", "renamed.json"]), "git moves");
    here.run(&["check", "--staged"]).exits(1).says("renamed.json:1:8");
    place().run(&["check", "--staged"]).exits(2).says("--staged");
}

#[test]
fn results_go_to_a_directory_under_their_names_and_the_originals_stay() {
    let here = place();
    directory(&here, "in/deep");
    let here = here.with("in/a.json", BROKEN).with("in/deep/b.json", "{}\n").with("in/c.json", "{\"a\" 1}");
    here.run(&["repair", "in", "-o", "out/"]).exits(1).says("in/c.json:1:6").prints("");
    assert_eq!((here.read("out/a.json").as_str(), here.read("out/deep/b.json").as_str()), ("{\"a\": [1, 2]}", "{}\n"));
    assert!(!here.path("out/c.json").exists(), "what is refused has no result");
    assert_eq!(here.read("in/a.json"), BROKEN);
    here.run(&["repair", "in/a.json", "-o", "out/"]).exits(0);
    let collision = here.run(&["repair", "in/a.json", "in/deep/../a.json", "-o", "out/"]).exits(2);
    collision.says("would both be written to out/a.json");
    here.run_on(&["repair", "-o", "out/"], BROKEN).exits(2).says("standard input has no name");
    here.run(&["repair", "in", "-o", "one.json"]).exits(2).says("--output DIR/");
}

#[test]
fn the_texts_of_a_directory_and_their_records_come_from_one_run() {
    let here = place();
    directory(&here, "in");
    let here = here.with("in/a.json", BROKEN).with("in/c.json", "{\"a\" 1}");
    let ran = here.run(&["repair", "in", "-o", "out/", "--output-format", "json"]).exits(1);
    let records: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |at: usize| (records[at]["file"].as_str(), records[at]["repair"]["status"].as_str());
    assert_eq!((of(0), of(1)), ((Some("in/a.json"), Some("repaired")), (Some("in/c.json"), Some("refused"))));
    assert_eq!(here.read("out/a.json"), "{\"a\": [1, 2]}");
    assert!(!here.path("out/c.json").exists());
    here.run(&["repair", "in", "-o", "out/", "--report", "r"])
        .exits(2)
        .says("--output-format json gives a record for each");
    here.run(&["repair", "in", "-o", "out/", "--output-format", "sarif"]).exits(2).says("json does, beside --output");
    here.run(&["repair", "in/a.json", "-o", "-", "--output-format", "json"]).exits(2).says("a file or a directory");
}

#[test]
fn the_text_and_its_record_come_from_one_run() {
    let here = place().with("a.json", BROKEN);
    here.run(&["repair", "a.json", "-o", "b.json", "--report", "r.json"]).exits(0).prints("");
    let record: Value = serde_json::from_str(&here.read("r.json")).expect("the record is JSON");
    assert_eq!((here.read("b.json").as_str(), record["edits"].as_array().map(Vec::len)), ("{\"a\": [1, 2]}", Some(2)));
}

#[test]
fn a_contract_over_a_directory_gives_one_line_for_each_file() {
    let here = place();
    directory(&here, "in");
    let here =
        here.with("in/a.json", "{\"n\": 1,}").with("in/b.json", "{\"m\": 2}").with("in/c.txt", "Sure: {\"n\": 3}");
    let ran = here.run(&["parse", "--keys", "n", "-g", "*", "-j", "2", "in"]).exits(1);
    let lines = parsed(ran.text());
    assert_eq!(lines[0]["file"], "in/a.json");
    assert_eq!((&lines[0]["outputs"], &lines[0]["repair"]["status"]), (&json!({"n": 1}), &json!("repaired")));
    assert_eq!((&lines[1]["file"], &lines[1]["error"]["code"]), (&json!("in/b.json"), &json!("invalid_outputs")));
    let alone = here.run(&["parse", "--keys", "n", "--outputs-only", "in/a.json", "in/c.txt"]).exits(0);
    alone.prints("{\"file\":\"in/a.json\",\"outputs\":{\"n\":1}}\n{\"file\":\"in/c.txt\",\"outputs\":{\"n\":3}}\n");
    here.run(&["parse", "--keys", "n", "--outputs-only", "in/a.json"]).exits(0).prints("{\"n\":1}\n");
}

#[test]
fn the_findings_of_all_files_are_one_sarif_log() {
    let here = place();
    directory(&here, "d");
    let here = here.with("d/a b.json", BROKEN).with("d/c.json", "{}").with("d/e.jsonl", "{}\n{\"a\" 1}\n");
    let log = here.run(&["check", "--output-format", "sarif", "d"]).exits(1).json();
    let results = log["runs"][0]["results"].as_array().expect("there are results").clone();
    let place_of = |result: &Value| {
        let location = &result["locations"][0]["physicalLocation"];
        (location["artifactLocation"]["uri"].clone(), location["region"]["startLine"].clone(), result["ruleId"].clone())
    };
    let places: Vec<_> = results.iter().map(place_of).collect();
    assert_eq!(
        places,
        [(json!("d/a%20b.json"), json!(1), json!("syntax")), (json!("d/e.jsonl"), json!(2), json!("syntax"))]
    );
    assert_eq!((&log["version"], &log["runs"][0]["tool"]["driver"]["name"]), (&json!("2.1.0"), &json!("jsonseam")));
    let checked = here.run(&["repair", "--check", "--output-format", "sarif", "d"]).exits(1).json();
    let rules: Vec<_> =
        checked["runs"][0]["results"].as_array().expect("results").iter().map(|r| r["ruleId"].clone()).collect();
    assert_eq!(rules, [json!("would-change"), json!("syntax")]);
}
