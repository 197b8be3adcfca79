//! `jsonseam repair`: outputs, flags, exit codes.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::place;

const BROKEN: &str = "{\"a\": [1, 2,],}";
const REPAIRED: &str = "{\"a\": [1, 2]}";

#[test]
fn the_output_is_the_text_and_nothing_else() {
    place().run_on(&["repair"], BROKEN).exits(0).prints(REPAIRED);
    place().run_on(&["repair", "-"], BROKEN).exits(0).prints(REPAIRED);
    place().with("a.json", BROKEN).run(&["repair", "a.json"]).exits(0).prints(REPAIRED);
}

#[test]
fn valid_text_keeps_every_byte() {
    for text in ["{}", " \r\n{\"a\": 1.10, \"a\":\"\\ud800\\/\u{feff}\"}\n\n", "{\"n\":1e400}\t"] {
        place().run_on(&["repair"], text).exits(0).prints(text);
    }
}

#[test]
fn text_located_in_prose_is_the_payload_alone() {
    place().run_on(&["repair"], "Here you are:\n{\"a\": 1}\nBye!\n").exits(0).prints("{\"a\": 1}");
}

#[test]
fn standard_error_stays_silent_unless_asked() {
    assert_eq!(place().run_on(&["repair"], BROKEN).stderr, "");
    place().run_on(&["repair", "-v"], BROKEN).says("<stdin>: repaired, 2 edits (trailing-comma 2), risk certain");
    place().run_on(&["repair", "-v"], "{}").says("<stdin>: valid, no edits");
}

#[test]
fn a_refusal_says_where_and_what_would_have_repaired_it() {
    let ran = place().with("a.json", "{\n \"a\": True}").run(&["repair", "a.json"]).exits(1).prints("");
    assert!(ran.stderr.starts_with("jsonseam: a.json:2:7: not valid JSON (syntax), expected "), "{}", ran.stderr);
    ran.says("help:").says("`python-literal`").says("--preset standard");
}

/// What the help lines name between these two texts.
fn named<'h>(help: &'h str, before: &str, after: &str) -> Vec<&'h str> {
    help.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn r2_what_is_said_to_decide_between_two_readings_does() {
    let (mut keys, mut presets, mut neither) = (0, 0, 0);
    for text in [
        "{\"a\": \"x \"y\", \"b\": \"z\", \"c\": 1}",
        "{\"say\": \"he \"so\", \"is\": 1, \"it\": \"z\"}",
        "{\"t\": [\"a\" \"b\" \"c\"], x: 1,}",
        "{\"calls\": [\"sum\" \"(a=1, b=2)\", \"f()\"]}",
        "[\"say \"hi\" now\"; \"b\"]",
        "[\"one\"\"two\"]",
        "[[\"`\", 1] [\"`\", 2]]",
    ] {
        let ran = place().run_on(&["repair", "--root", "any", "--preset", "lenient", "-v"], text).exits(1);
        let ran = ran.says("can be read in two ways").says("reading 1, cost ").says("reading 2, cost ");
        assert!(!ran.stderr.contains("no known rule"), "{}", ran.stderr);
        let decided = named(&ran.stderr, "--keys ", "`");
        for list in &decided {
            place().run_on(&["parse", "--preset", "lenient", "--keys", list], text).exits(0);
        }
        let repaired = named(&ran.stderr, "help: --preset ", " ");
        for preset in &repaired {
            place().run_on(&["repair", "--root", "any", "--preset", preset], text).exits(0);
        }
        if repaired.is_empty() {
            place().run_on(&["repair", "--root", "any", "--preset", "standard"], text).exits(1);
        }
        keys += usize::from(!decided.is_empty());
        presets += usize::from(!repaired.is_empty());
        neither += usize::from(ran.stderr.contains("help: compare the two readings"));
    }
    assert!(keys >= 2 && presets >= 2 && neither >= 1, "{keys} {presets} {neither}");
}

#[test]
fn m5_keys_of_the_text_are_named_to_a_person_who_watches_only() {
    let text = "{\"canary\": \"x \"y\", \"b\": \"z\", \"c\": 1}";
    let ran = place().run_on(&["repair", "--preset", "lenient"], text).exits(1).says("--keys …");
    assert!(!ran.stderr.contains("canary"), "{}", ran.stderr);
}

#[test]
fn the_check_flag_only_answers() {
    let here = place().with("bad.json", BROKEN).with("good.json", "{}\n").with("lost.json", "{\"a\" 1}");
    let would_change = "bad.json: would change: repaired, 2 edits (trailing-comma 2), risk certain";
    here.run(&["repair", "--check", "bad.json"]).exits(1).prints("").says(would_change);
    here.run(&["repair", "--check", "good.json"]).exits(0).prints("").says("good.json: unchanged");
    let both = here.run(&["repair", "--check", "good.json", "bad.json"]).exits(1).prints("");
    both.says("good.json: unchanged").says(would_change).says("2 files: 1 unchanged, 1 would change, 0 refused");
    let quiet = here.run(&["repair", "-q", "--check", "good.json", "bad.json"]).exits(1).prints("");
    assert_eq!(quiet.stderr.lines().count(), 1, "{}", quiet.stderr);
    here.run(&["repair", "--check", "lost.json"]).exits(1).prints("").says("lost.json:1:");
    here.run_on(&["repair", "--check"], "\u{feff}{}").exits(1);
    here.run(&["repair", "--check", "bad.json", "gone.json"]).exits(2);
    assert_eq!(here.read("bad.json"), BROKEN);
}

#[test]
fn the_diff_is_one_that_patch_takes() {
    let source = "{\n  \"a\": [\n    1,\n    2,\n  ],\n  \"b\": 3\n}";
    let here = place().with("a.json", source);
    let ran = here.run(&["repair", "--diff", "a.json"]).exits(0);
    assert_eq!(
        ran.text().lines().filter(|line| line.starts_with(['-', '+'])).collect::<Vec<_>>(),
        ["--- a.json", "+++ a.json", "-    2,", "+    2"],
    );
    let mut patch = Command::new("patch");
    patch.args(["-s", "-o", "b.json", "a.json"]).current_dir(here.0.path()).stdin(Stdio::piped());
    let Ok(mut child) = patch.spawn() else {
        common::not_run("patch is missing");
        return;
    };
    child.stdin.take().expect("it is piped").write_all(&ran.stdout).expect("it is read");
    assert!(child.wait().expect("it ends").success());
    here.run(&["repair", "a.json"]).prints(&here.read("b.json"));
}

#[test]
fn without_edits_there_is_no_diff() {
    place().run_on(&["repair", "--diff"], "{}\n").exits(0).prints("");
}

#[test]
fn the_explanation_shows_each_edit_under_its_text() {
    let ran = place().run_on(&["repair", "--explain"], "{\n  \"a\": 1,\n}").exits(0);
    assert_eq!(
        ran.text(),
        "<stdin>: repaired, 1 edit (trailing-comma 1), risk certain\n\n     2 |   \"a\": 1,\n       |         ^ trailing-comma (certain): removed\n"
    );
}

#[test]
fn the_report_replaces_the_text() {
    let here = place().with("a.json", BROKEN);
    let record = here.run(&["repair", "--report", "-", "a.json"]).exits(0).json();
    assert_eq!(record["version"], 1);
    assert_eq!(record["status"], "repaired");
    assert_eq!(record["text"], REPAIRED);
    assert_eq!(record["edits"][0]["rule"], "trailing-comma");
    assert_eq!(record["edits"][0]["start"], 11);
    assert!(record["error"].is_null());
    here.run(&["repair", "--report", "record.json", "a.json"]).exits(0).stays_silent();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&here.read("record.json")).expect("a record"), record);
}

#[test]
fn a_refusal_has_a_record_too() {
    let record = place().run_on(&["repair", "--report", "-"], "{\"a\": True}").exits(1).json();
    assert_eq!(record["status"], "refused");
    assert!(record["text"].is_null() && record["payload"].is_null() && record["value"].is_null());
    assert_eq!(record["error"]["code"], "output_decode_failed");
    assert_eq!(record["error"]["reason"], "syntax");
    assert_eq!(record["error"]["offset"], 6);
    assert_eq!(record["error"]["mended_by"][0], "python-literal");
}

#[test]
fn the_report_never_replaces_the_input() {
    let here = place().with("a.json", BROKEN);
    here.run(&["repair", "--report", "./a.json", "a.json"]).exits(2).says("would replace the file that is read");
    assert_eq!(here.read("a.json"), BROKEN);
}

#[test]
fn several_files_need_a_flag_that_keeps_them_apart() {
    let here = place().with("a.json", "{}").with("b.json", "{}");
    here.run(&["repair", "a.json", "b.json"])
        .exits(2)
        .prints("")
        .says("--write, --check, --diff, --output DIR/ or --output-format json");
    here.run(&["repair", "--explain", "a.json", "b.json"]).exits(2);
    here.run(&["repair", "--report", "-", "a.json", "b.json"]).exits(2);
    here.run(&["repair", "--diff", "a.json", "b.json"]).exits(0);
}

#[test]
fn contradictory_flags_are_usage_errors() {
    let here = place().with("a.json", BROKEN);
    for flags in [
        ["--check", "--write"].as_slice(),
        &["--check", "--diff"],
        &["--diff", "--explain"],
        &["--explain", "--report", "-"],
        &["--preset", "nonsense"],
        &["--max-risk", "nonsense"],
        &["--root", "nonsense"],
        &["--candidates", "nonsense"],
        &["--enable", "nonsense"],
        &["--disable", "nonsense"],
        &["--config", "gone.toml"],
        &["--nonsense"],
    ] {
        let ran = here.run(&[["repair"].as_slice(), flags, &["a.json"]].concat()).exits(2).prints("");
        assert!(!ran.stderr.is_empty(), "{flags:?}");
    }
    here.run_on(&["repair", "--write"], "{}").exits(2);
    here.run_on(&["repair", "--write", "-"], "{}").exits(2);
    here.run(&[]).exits(2);
}

#[test]
fn engine_flags_reach_the_engine() {
    place().run_on(&["repair", "--preset", "standard"], "{\"a\": True}").exits(0).prints("{\"a\": true}");
    place().run_on(&["repair", "--enable", "python-literal"], "{\"a\": True}").exits(0).prints("{\"a\": true}");
    place().run_on(&["repair", "--disable", "trailing-comma"], BROKEN).exits(1);
    place().run_on(&["repair", "--root", "any"], "[1]\n").exits(0).prints("[1]\n");
    place().run_on(&["repair"], "[1]\n").exits(1).says("--root array");
    place().run_on(&["repair", "--max-risk", "certain"], BROKEN).exits(0);
    place().run_on(&["repair", "--max-risk", "certain", "--enable", "unclosed-string"], BROKEN).exits(2);
    // For one run, the cap of a flag turns off what the file names above it.
    let file =
        place().with("jsonseam.toml", "[rules]\nenable = [\"unclosed-string\"]\n[limits]\nmax-input-bytes = \"1M\"\n");
    file.run_on(&["repair", "--max-risk", "certain"], BROKEN).exits(0);
    file.run_on(&["repair", "--max-risk", "certain", "--enable", "unclosed-string"], BROKEN).exits(2);
    place().run_on(&["repair", "--candidates", "last"], "{\"a\":1} {\"b\":2}").exits(0).prints("{\"b\":2}");
    let cut = place().run_on(&["repair", "--finish-reason", "length", "--report", "-"], "{}").exits(0).json();
    assert_eq!(cut["truncated"], true);
}

#[test]
fn the_configuration_in_the_directory_is_read_and_flags_override_it() {
    let here = place().with("jsonseam.toml", "preset = \"standard\"\n");
    here.run_on(&["repair"], "{\"a\": True}").exits(0).prints("{\"a\": true}");
    here.run_on(&["repair", "--preset", "strict"], "{\"a\": True}").exits(1);
    let other = here.with("other.toml", "preset = \"strict\"\n");
    other.run_on(&["repair", "--config", "other.toml"], "{\"a\": True}").exits(1);
}

#[test]
fn the_nearest_configuration_upwards_is_read_no_further_than_a_repository() {
    let here = place().with("jsonseam.toml", "preset = \"standard\"\n");
    std::fs::create_dir_all(here.path("below/deeper")).expect("a directory can be made");
    let here = here.with("below/deeper/a.json", "{\"a\": True}");
    let run = |arguments: &[&str]| {
        let output = here.command(arguments).current_dir(here.path("below/deeper")).output().expect("it runs");
        common::Ran::from(output)
    };
    run(&["repair", "-v", "a.json"]).exits(0).prints("{\"a\": true}").says("configuration: ").says("jsonseam.toml");
    std::fs::create_dir(here.path("below/.git")).expect("a directory can be made");
    run(&["repair", "a.json"]).exits(1);
}

#[test]
fn help_and_version_go_to_standard_output() {
    for arguments in [["--help"].as_slice(), &["--version"], &["repair", "--help"], &["batch", "--help"]] {
        let ran = place().run(arguments).exits(0);
        assert!(ran.stdout.len() > 5 && ran.stderr.is_empty());
    }
}
