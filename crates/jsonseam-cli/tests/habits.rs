//! D3, D36 to D38, D43 to D48, D54, D57, D58: what a user of jq, ruff or rg expects.

mod common;

use common::{Ran, place};
use serde_json::{Value, json};

const BROKEN: &str = "{\"a\": [1, 2,],}";

/// A folder with an ignored one in it.
fn folder() -> common::Place {
    let here = place();
    for name in ["data/deep", "data/cache"] {
        std::fs::create_dir_all(here.path(name)).expect("a directory can be made");
    }
    here.with("data/.gitignore", "cache/\nsecret.json\n")
        .with("data/secret.json", BROKEN)
        .with("data/b.json", "{}")
        .with("data/deep/a.json", BROKEN)
        .with("data/deep/c.txt", BROKEN)
        .with("data/cache/d.json", BROKEN)
}

#[test]
fn a_folder_is_searched_and_gitignore_is_honoured() {
    let here = folder();
    let ran = here.run(&["repair", "--check", "data"]).exits(1).prints("");
    ran.says("data/deep/a.json: would change").says("2 files: 1 unchanged, 1 would change, 0 refused");
    let globbed = here.run(&["check", "--statistics", "-g", "*.txt", "-g", "!b*", "data"]).exits(1);
    globbed.says("data/deep/c.txt:1:13").says("1 file: 0 valid, 1 refused").says("refused, syntax: 1");
    here.run(&["check", "data/**/*.json"]).exits(1).says("data/deep/a.json:1:13");
    here.run(&["repair", "--write", "data"]).exits(0);
    assert_eq!(
        (here.read("data/deep/a.json").as_str(), here.read("data/cache/d.json").as_str()),
        ("{\"a\": [1, 2]}", BROKEN)
    );
    here.run(&["check", "-g", "*.xml", "data"]).exits(2).says("no files match *.xml");
}

#[test]
fn the_number_of_jobs_changes_no_byte_and_no_order() {
    let here = place();
    std::fs::create_dir(here.path("many")).expect("a directory can be made");
    for number in 0..40 {
        let text = if number % 3 == 0 { "{\"a\" 1}".to_owned() } else { format!("{{\"a\":{number},}}") };
        std::fs::write(here.path(&format!("many/{number:02}.json")), text).expect("the file can be written");
    }
    let one = here.run(&["repair", "--diff", "-j", "1", "--statistics", "many"]).exits(1);
    let eight = here.run(&["repair", "--diff", "-j", "8", "--statistics", "many"]).exits(1);
    assert_eq!((&one.stdout, &one.stderr), (&eight.stdout, &eight.stderr));
    one.says("40 files").says("trailing-comma: 26 edits").says("refused, syntax: 14");
}

#[test]
fn records_of_many_files_are_json_lines() {
    let here = place().with("a.json", BROKEN).with("b.json", "{\"a\" 1}").with("c.jsonl", "{}\n{\"x\":1,}\n");
    let ran = here.run(&["repair", "--output-format", "json", "a.json", "b.json", "c.jsonl"]).exits(1);
    let lines: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let shown: Vec<_> = lines.iter().map(|line| (&line["file"], &line["line"], &line["repair"]["status"])).collect();
    let null = &Value::Null;
    assert_eq!(
        shown,
        [
            (&json!("a.json"), null, &json!("repaired")),
            (&json!("b.json"), null, &json!("refused")),
            (&json!("c.jsonl"), &json!(1), &json!("valid")),
            (&json!("c.jsonl"), &json!(2), &json!("repaired")),
        ]
    );
    let checked = here.run(&["check", "--output-format", "json", "b.json"]).exits(1).json();
    assert_eq!((&checked["valid"], &checked["error"]["line"]), (&json!(false), &json!(1)));
}

#[test]
fn github_gets_annotations() {
    let here = place().with("a.json", "{\n\"a\" 1}").with("b.json", BROKEN);
    let check = here.run(&["check", "--output-format", "github", "a.json"]).exits(1);
    assert!(
        check.text().starts_with("::error file=a.json,line=2,col=5,title=jsonseam::not valid JSON"),
        "{}",
        check.text()
    );
    let repair = here.run(&["repair", "--check", "--output-format", "github", "b.json"]).exits(1);
    assert!(repair.text().starts_with("::warning file=b.json,line=1,col=1,title=jsonseam::"), "{}", repair.text());
}

#[test]
fn the_value_can_be_compact_or_indented_and_written_to_a_file() {
    let text = "{\"b\" : 1.10, \"a\":[],}";
    place().run_on(&["repair", "-c"], text).exits(0).prints("{\"b\":1.10,\"a\":[]}\n");
    place().run_on(&["repair", "--pretty"], text).exits(0).prints("{\n  \"b\": 1.10,\n  \"a\": []\n}\n");
    place().run_on(&["repair", "--pretty=1"], "{\"a\":{\"b\":1}}").exits(0).prints("{\n \"a\": {\n  \"b\": 1\n }\n}\n");
    let here = place().with("a.txt", text);
    here.run(&["repair", "-o", "out.json", "a.txt"]).exits(0).prints("");
    assert_eq!(here.read("out.json"), "{\"b\" : 1.10, \"a\":[]}");
}

#[test]
fn what_is_taken_out_of_prose_is_not_called_valid() {
    let here = place().with("prose.txt", "Sure: {\"a\":1} bye!!");
    here.run(&["repair", "--check", "prose.txt"])
        .exits(1)
        .says("would change: extracted: bytes 6..13 of 19 kept, no edits");
    here.run(&["repair", "-v", "prose.txt"]).exits(0).says("extracted: bytes 6..13 of 19 kept");
    place().run_on(&["repair", "-v"], "\u{feff}{}").exits(0).says("extracted: bytes 3..5 of 5 kept");
    let both = place().run_on(&["repair", "-v"], "Sure: {\"a\":1,}").exits(0);
    both.says("repaired, 1 edit (trailing-comma 1), risk certain; bytes 6..14 of 14 kept");
}

#[test]
fn colours_come_when_they_are_asked_for_and_never_otherwise() {
    let colored = |arguments: &[&str]| place().run_on(&[["repair"].as_slice(), arguments].concat(), BROKEN).exits(0);
    for shown in [["--explain", "--color=always"], ["--diff", "--color=always"]] {
        assert!(colored(&shown).text().contains("\u{1b}["), "{shown:?}");
    }
    for plain in [["--explain", "--color=never"], ["--diff", "--color=auto"]] {
        assert!(!colored(&plain).text().contains('\u{1b}'), "{plain:?}");
    }
    let refused = place().run_on(&["repair", "--color=always"], "{\"a\" 1}").exits(1);
    assert!(refused.stderr.contains("\u{1b}["));
}

#[test]
fn advice_is_given_only_where_it_would_help() {
    let none = place().run_on(&["repair", "--root", "any"], "hello").exits(1);
    assert!(!none.stderr.contains("--root"), "{}", none.stderr);
    let number = place().run_on(&["repair"], "42").exits(1).says("--root any");
    assert!(!number.stderr.contains("--root array"), "{}", number.stderr);
    let off = place().run_on(&["repair", "--disable", "trailing-comma"], BROKEN).exits(1);
    off.says("disabled by --disable: `trailing-comma`");
    let capped = place().run_on(&["repair", "--max-risk", "certain"], "{\"a\": 1\n\"b\": 2}").exits(1);
    capped.says("above the highest risk that is admitted");
}

/// The flags of `--enable` that a refusal advises.
fn advised(stderr: &str) -> String {
    let flag = stderr.split("--enable ").nth(1).expect("rules are advised");
    flag.split_whitespace().next().expect("they are named").to_owned()
}

#[test]
fn the_rules_that_a_refusal_names_repair_the_text_together() {
    for text in [
        "{a: 1, \"b\": True, // c\n}",
        "{\"a\": \"x",
        "{\"a\" 1}",
        "{a: 'it's', b: [1 2}",
        "{\"a\": 1 /* c */, 'b': None}",
        "{a: 1}",
    ] {
        let refused = place().run_on(&["repair"], text).exits(1);
        if refused.stderr.contains("but not enabled") {
            let ran = place().run_on(&["repair", "--enable", &advised(&refused.stderr)], text);
            assert_eq!(ran.code, Some(0), "{text}: {}", refused.stderr);
        }
    }
    place().run_on(&["repair"], "{a: 1, \"b\": True, // c\n}").says("--enable unquoted-key,python-literal,comment");
    // A rule that is turned off is never advised, and what is left does not repair the text.
    let off = place().run_on(&["repair", "--disable", "python-literal"], "{a: 1, \"b\": True}").exits(1);
    off.says("would answer this fault, but not enabled, and other faults would remain: `unquoted-key`");
}

#[test]
fn of_a_text_too_long_for_advice_only_what_was_not_tried_is_advised() {
    let long = format!("{{\"a\": \"{}\", b @ @}}", "x".repeat(5 << 20));
    let tried = place().run_on(&["repair", "--preset", "standard"], &long).exits(1).says("try --preset lenient");
    assert!(!tried.stderr.contains("`jsonseam repair`"), "{}", tried.stderr);
    place().run_on(&["check"], &long).exits(1).says("try `jsonseam repair`, then --preset standard or lenient");
    let limited = place().run_on(&["check", "--max-input-bytes", "5M"], &long).exits(1).says("--max-input-bytes SIZE");
    assert!(!limited.stderr.contains("`jsonseam repair`"), "{}", limited.stderr);
}

#[test]
fn the_limit_says_its_number_and_has_a_flag() {
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(2000));
    place().run_on(&["repair", "--max-input-bytes", "1K"], &text).exits(1).says("1024 bytes").says("--max-input-bytes");
    place().run_on(&["repair", "--max-input-bytes", "4K"], &text).exits(0);
    place().run_on(&["repair", "--max-input-bytes", "4X"], &text).exits(2).says("K, M or G");
}

#[test]
fn an_unknown_finish_reason_is_told() {
    place().run_on(&["repair", "--finish-reason", "bogus"], "{}").exits(0).says("`bogus` is not known");
    assert_eq!(place().run_on(&["repair", "--finish-reason", "end_turn"], "{}").exits(0).stderr, "");
}

#[test]
fn the_outputs_can_be_printed_alone_and_lists_may_have_blanks() {
    let ran = place().run_on(&["parse", "--keys", "a, b", "--optional", "c,d", "--outputs-only"], "{\"a\":1,\"b\":2,}");
    ran.exits(0).prints("{\"a\":1,\"b\":2}\n");
    place().run_on(&["parse", "--schema-for", "=x.json"], "{}").exits(2).says("one of them is empty");
    let near = place().run_on(&["parse", "--keys", "Answer"], "{\"answer\":1}").exits(1);
    near.says("1 key missing: \"Answer\"").says("one was probably meant to be `Answer`");
    let seen = place().run_on(&["parse", "-v", "--keys", "Answer"], "{\"answer\":1}").exits(1);
    seen.says("not declared: `answer`; did you mean `Answer`?");
}

#[test]
fn what_is_in_force_can_be_seen() {
    let here = place().with("jsonseam.toml", "preset = \"standard\"\n[[pattern]]\nname = \"arrow\"\nat = \"colon\"\nfind = '~>'\nreplace = \":\"\nrisk = \"likely\"\n");
    let ran = here.run(&["config", "show", "--root", "any", "--disable", "comment"]).exits(0);
    for part in [
        "# configuration: jsonseam.toml",
        "preset = \"standard\"  # jsonseam.toml",
        "root = \"any\"  # flag",
        "candidates.policy = \"first\"  # default",
        "arrow  # pattern, jsonseam.toml:2:",
        "not enabled: comment",
    ] {
        assert!(ran.text().contains(part), "{part} is missing in {}", ran.text());
    }
    // What the file states is from the file, also where it is the default.
    let stated = place().with("jsonseam.toml", "preset = \"strict\"\n[limits]\nmax-depth = 127\n");
    let shown = stated.command(&["config", "show"]).output().expect("it starts");
    let shown = Ran::from(shown).exits(0);
    assert!(shown.text().contains("preset = \"strict\"  # jsonseam.toml\n"), "{}", shown.text());
    assert!(shown.text().contains("limits.max-depth = 127  # jsonseam.toml\n"), "{}", shown.text());
    assert!(shown.text().contains("limits.max-input-bytes = 67108864  # default\n"), "{}", shown.text());
    let by_variable = stated.command(&["config", "show"]).env("JSONSEAM_PRESET", "lenient").output();
    let by_variable = Ran::from(by_variable.expect("it starts")).exits(0);
    assert!(by_variable.text().contains("preset = \"lenient\"  # JSONSEAM_PRESET\n"), "{}", by_variable.text());
    place()
        .run_on(&["repair", "--enable", "missing-comma"], "{}")
        .exits(2)
        .says("one of `missing-comma-after-container`");
    assert!(here.run(&["rules"]).exits(0).text().contains("a pattern of jsonseam.toml:"));
    assert!(here.run(&["explain", "arrow"]).exits(0).text().contains("risk: likely"));
    here.run(&["config", "check"]).exits(0).says("no [[pattern.case]]");
    let order = place().with("jsonseam.toml", "preset = \"standard\"\n[rules]\norder = []\n");
    order.run(&["config", "check"]).exits(0).says("the preset adds none").says("no rule is enabled");
    let latin = place().with("jsonseam.toml", b"preset = \"strict\"\n# \xE9\n");
    latin.run(&["config", "check"]).exits(2).says("jsonseam.toml:2:3: not UTF-8");
}

#[test]
fn completions_know_presets_and_rules_and_pages_all_subcommands() {
    let here = place();
    let script = here.run(&["completions", "bash"]).exits(0);
    assert!(script.text().contains("strict standard lenient") && script.text().contains("trailing-comma"));
    assert!(here.run(&["man", "config check"]).exits(0).text().contains(".TH jsonseam-config-check 1  \"jsonseam "));
    assert!(here.run(&["man", "config", "show"]).exits(0).text().contains("jsonseam-config-show"));
    here.run(&["man", "repiar"]).exits(2).says("did you mean `repair`?");
    here.run(&["man", "--all", "pages"]).exits(0);
    let pages = std::fs::read_dir(here.path("pages")).expect("they are there");
    let names: Vec<_> =
        pages.map(|page| page.expect("it is listed").file_name().to_string_lossy().into_owned()).collect();
    for name in ["jsonseam.1", "jsonseam-repair.1", "jsonseam-config.1", "jsonseam-config-check.1"] {
        assert!(names.iter().any(|page| page == name), "{name} in {names:?}");
    }
    for name in ["repair", "check", "batch", "parse", "calls", "ask", "prompt"] {
        let page = here.run(&["man", name]).exits(0);
        let (_, end) =
            page.text().split_once(".SH EXAMPLES\n.nf\n  jsonseam ").unwrap_or_else(|| panic!("{}", page.text()));
        assert!(end.contains("\n.fi\n") && end.contains("\n.SH \"EXIT STATUS\"\n") && !end.contains("EXTRA"), "{end}");
    }
}

/// D55: UTF-16 without a mark has a zero in every other byte.
#[test]
fn utf_16_is_recognised_without_its_mark() {
    let (low, high): (Vec<u8>, Vec<u8>) = (
        "{\"a\":1}".bytes().flat_map(|byte| [byte, 0]).collect(),
        "{\"a\":1}".bytes().flat_map(|byte| [0, byte]).collect(),
    );
    for text in [low, high] {
        place().run_on(&["repair"], &text).exits(1).says("looks like UTF-16, convert it to UTF-8");
        place().run_on(&["check"], &text).exits(1).says("looks like UTF-16, convert it to UTF-8");
        place().run_on(&["batch"], &text).exits(1).says("the file looks like UTF-16");
    }
    let ended = place().run_on(&["repair"], "{\"a\" \0}").exits(1);
    assert!(!ended.stderr.contains("UTF-16"), "{}", ended.stderr);
}

/// D28, D33 and D61: a file with a mistake says what it is.
#[test]
fn mistakes_in_files_say_what_they_are() {
    let pattern = "[[pattern]]\nname = \"arrow\"\nat = \"value\"\nfind = '=>'\nreplace = \":\"\nrisk = \"likely\"\n[[pattern.case]]\ninput = '{\"a\" => 1}'\noutput = '{\"a\" : 1}'\n";
    let here = place()
        .with("p.toml", pattern)
        .with("j.toml", "{\"preset\": \"strict\"}")
        .with("c.toml", "[outputs.a\n")
        .with("e.toml", "");
    here.run(&["config", "check", "p.toml"])
        .exits(2)
        .says("p.toml:7:1: ")
        .says("it stops at byte 5, where a colon is expected");
    here.run(&["config", "check", "j.toml"]).exits(2).says("looks like JSON; a configuration is TOML");
    here.run_on(&["parse", "--contract", "c.toml"], "{}")
        .exits(2)
        .says("c.toml:1:11: not valid TOML: a bracket is not closed");
    here.run_on(&["parse", "--contract", "e.toml"], "{}").exits(0).says("e.toml: the contract declares nothing");
}

/// D58: who watches sees which key is not declared.
#[test]
fn v2_a_key_that_a_schema_does_not_know_is_named_with_verbose_alone() {
    let here = place().with("s.json", "{\"properties\":{\"answer\":{}},\"additionalProperties\":false}");
    here.run_on(&["parse", "-v", "--schema", "s.json"], "{\"anwser\":1}").exits(1).says("not declared: `anwser`");
    let silent = here.run_on(&["parse", "--schema", "s.json"], "{\"anwser\":1}").exits(1);
    assert!(!silent.stderr.contains("anwser"), "{}", silent.stderr);
}

/// Runs under a terminal made by `script`.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_summary_comes_once_and_on_a_line_of_its_own() {
    let here = place().with("a.json", "{\"a\":1,}");
    let on_terminal = |arguments: &str| -> Option<String> {
        let run = format!("{} {arguments}", common::JSONSEAM);
        let mut command = std::process::Command::new("script");
        command.args(["-q", "-e", "-c", &run, "/dev/null"]).env("NO_COLOR", "1").current_dir(here.0.path());
        let output = command.stdin(std::process::Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
    };
    let (Some(text), Some(explained)) = (on_terminal("repair a.json"), on_terminal("repair --explain a.json")) else {
        common::not_run("script is missing");
        return;
    };
    assert!(text.starts_with("{\"a\":1}\njsonseam: a.json: repaired, 1 edit"), "{text:?}");
    assert_eq!(explained.matches("repaired, 1 edit").count(), 1, "{explained:?}");
}

/// D51: a signal during `repair --write` leaves the old file or the new and no temporary one.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_while_writing_leaves_no_temporary_file() {
    use std::process::{Command, Stdio};
    let text = format!("{{\"a\":[{}1],}}", "1,".repeat(200_000));
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let here = place().with("a.json", &text);
        let mut command = here.command(&["repair", "--write", "a.json"]);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        while here.names().len() < 2
            && std::fs::metadata(here.path("a.json")).is_ok_and(|file| file.len() == text.len() as u64)
        {
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        assert!(ran.code == Some(code) || ran.code == Some(0), "{signal} {sent:?}: {:?} {}", ran.code, ran.stderr);
        assert_eq!(here.names(), ["a.json"]);
        let now = here.read("a.json");
        assert!(now == text || now == text.replace("],}", "]}"), "{} bytes", now.len());
    }
}

#[test]
fn an_empty_object_in_prose_is_refused_with_that_reason() {
    for text in ["/* foo */ {}", "callback({ })", "before {}"] {
        let ran = place().run_on(&["repair", "--preset", "lenient", "--root", "any"], text).exits(1);
        ran.says("an empty {} or [] beside other text is not taken for the answer");
    }
    place().run_on(&["repair"], "no answer").exits(1).says("nothing in it can be read as JSON");
}

#[test]
fn p6_parentheses_and_arrays_of_pairs_are_refused_with_what_to_do() {
    let place = place();
    for preset in ["strict", "standard", "lenient"] {
        let told = |text: &str, help: &str| place.run_on(&["repair", "--preset", preset], text).exits(1).says(help);
        told(r#"{"k": (1)}"#, "these parentheses hold no tuple: one value, words or arithmetic");
        told(r#"("a","b")"#, "parentheses around a whole text are not read as a list");
        told(r#"["k":"v"]"#, "--root any takes arrays, and refuses this one: ");
    }
    let told = place.run_on(&["repair", "--preset", "lenient"], r#"{"key": "x "y"}"#).exits(1);
    told.says("reading 2, cost 213: what no rule writes: one quote may end the quotation and the text");
}

#[test]
fn a_word_that_stands_for_a_value_is_refused_with_that_reason() {
    for (text, column) in
        [("{key: value}", 7), ("{\"a\": String, \"b\": 1}", 7), ("{a: 1, c: value}", 11), ("[{\"n\": Any}]", 8)]
    {
        for preset in ["strict", "standard", "lenient"] {
            let ran = place().run_on(&["repair", "--preset", preset, "--root", "any"], text).exits(1);
            ran.says(&format!("all rules together stop at line 1 column {column}: this word without quotes is code, or a value that was never filled in"));
        }
    }
    let lines = place().with("x.jsonl", "{\"a\":1}\n{key: value}\n");
    lines.run(&["repair", "--check", "x.jsonl"]).exits(1).says("all rules together stop at line 2 column 7: ");
    place().run_on(&["repair", "--preset", "lenient"], "{city: Oslo}").exits(0);
    place().run_on(&["repair", "--preset", "lenient"], "{\"a\" ~ valued}").exits(1).says("no known rule repairs this");
}
