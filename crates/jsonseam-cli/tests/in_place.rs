//! In place means in place: what is written is what was asked for, what is shown is what was written, and what would hide a loss is not written.

mod common;

#[cfg(unix)]
use std::process::Command;

use common::place;
use serde_json::{Value, json};

const MIXED: &str = "{\"a\":1}\n[1,2,3]\n";
const CUT: &str = "{\"note\": \"half a sent";

/// B4: plain `repair` reports an array beside the object, and `--write` leaves the file as it is.
#[test]
fn b4_a_value_of_the_other_root_is_told_and_not_written_over() {
    let here = place().with("w.json", MIXED);
    let plain = here.run(&["repair", "w.json"]).exits(0).prints("{\"a\":1}");
    plain.says("warning: w.json: left out: 1 array at bytes 8..15").says("--root any");
    for arguments in [["--write"].as_slice(), &["--write", "--all"], &["--write", "--all=array"], &["-o", "w.json"]] {
        let ran = here.run(&[["repair"].as_slice(), arguments, &["w.json"]].concat()).exits(1);
        ran.says("w.json: not written: 1 array at bytes 8..15 would be lost").prints("");
        assert_eq!(here.read("w.json"), MIXED, "{arguments:?}");
    }
    for arguments in [["--allow-further"].as_slice(), &["--candidates", "first"], &["--all", "--allow-further"]] {
        let here = place().with("w.json", MIXED);
        let ran = here.run(&[["repair", "--write"].as_slice(), arguments, &["w.json"]].concat()).exits(0);
        assert_eq!((ran.stderr.as_str(), here.read("w.json").trim_end()), ("", "{\"a\":1}"), "{arguments:?}");
    }
    here.run(&["repair", "--write", "--all", "--root", "any", "w.json"]).exits(0);
    assert_eq!(here.read("w.json"), MIXED);
    let here = place().with("o.json", "[1,2,3]\n{\"a\":1}\n");
    here.run(&["repair", "--root", "array", "--write", "o.json"])
        .exits(1)
        .says("1 object at bytes 8..15 would be lost");
}

#[test]
fn b4_all_with_a_value_of_the_other_root_ends_with_1_and_the_reason() {
    let all =
        |arguments: &[&str], text: &str| place().run_on(&[["repair", "--all"].as_slice(), arguments].concat(), text);
    all(&[], MIXED).exits(1).prints("{\"a\":1}\n").says("left out: 1 array at bytes 8..15").says("--root any");
    all(&["--root", "any"], MIXED).exits(0).prints("{\"a\":1}\n[1,2,3]\n");
    let blocks = "A:\n```json\n{\"a\":1}\n```\nB:\n```json\n[{\"b\":2}]\n```\n";
    all(&["--preset", "standard"], blocks).exits(1).prints("{\"a\":1}\n").says("1 array at bytes 34..43");
    all(&["--preset", "standard", "--root", "any"], blocks).exits(0).prints("{\"a\":1}\n[{\"b\":2}]\n");
    // Beside further payloads of the root, both are named.
    let three = all(&[], "{\"a\":1}\n[1,2]\n{\"b\":2}\n").exits(1).prints("{\"a\":1}\n{\"b\":2}\n");
    three.says("left out: 1 array at bytes 8..13");
    place()
        .run_on(&["repair", "--preset", "standard"], "{\"a\":1}\n[1,2]\n{\"b\":2}\n")
        .exits(0)
        .says("1 further payload at bytes 14..21, and 1 array at bytes 8..13");
}

#[test]
fn b4_every_hidden_payload_can_be_taken() {
    let text = "Draft {\"a\": [1, {\"b\": 2]}\nFinal {\"a\": [3]}";
    let lenient = ["repair", "--preset", "lenient"];
    let here = place().with("x.txt", text);
    here.run(&[lenient.as_slice(), &["--all", "x.txt"]].concat())
        .exits(0)
        .prints("{\"a\":[1,{\"b\":2}]}\n{\"a\":[3]}\n");
    here.run(&[lenient.as_slice(), &["--write", "x.txt"]].concat()).exits(1).says("1 further payload at bytes 32..42");
    assert_eq!(here.read("x.txt"), text);
}

#[test]
fn b4_a_cut_value_of_the_other_root_is_beyond_repair() {
    let here = place().with("x.txt", "{\"a\":1}\n[1, 2\n");
    here.run(&["repair", "--preset", "standard", "--write", "x.txt"]).exits(1).says("beyond repair from byte 8 on");
    // A line that begins with an array and goes on is prose.
    let here = place().with("x.txt", "{\"a\":1}\n[\"b\"] is the key.\n[1]\n");
    here.run(&["repair", "--write", "x.txt"]).exits(0).stays_silent();
}

#[test]
fn check_advises_what_takes_every_value() {
    let here = place().with("w.json", MIXED);
    let ran = here.run(&["check", "w.json"]).exits(1);
    ran.says("it holds 2 payloads; `jsonseam repair --root any --all` takes every one out");
}

/// B3: a cut answer is never closed in silence, wherever standard error goes.
#[test]
fn b3_a_truncated_result_is_told_and_not_written_unless_that_is_allowed() {
    let here = place().with("a.json", CUT);
    let closed = "{\"note\": \"half a sent\"}";
    let plain = here.run(&["repair", "--preset", "standard", "a.json"]).exits(0).prints(closed);
    plain.says("warning: a.json: truncated: the text ends before its JSON does");
    for arguments in [["--write"].as_slice(), &["--write", "--all"], &["--write", "--diff"], &["-o", "a.json"]] {
        let arguments = [["repair", "--preset", "standard"].as_slice(), arguments, &["a.json"]].concat();
        here.run(&arguments).exits(1).prints("").says("a.json: not written: truncated").says("--allow-truncated");
        assert_eq!(here.read("a.json"), CUT, "{arguments:?}");
    }
    here.run(&["repair", "--preset", "standard", "--write", "--allow-truncated", "a.json"]).exits(0).stays_silent();
    assert_eq!(here.read("a.json"), closed);
    assert_eq!(here.run(&["repair", "-q", "--preset", "standard", "a.json"]).exits(0).stderr, "");
}

#[test]
fn b3_the_finish_reason_counts_and_a_file_that_would_not_change_is_no_refusal() {
    let here = place().with("a.json", "{\"a\": 1}\n").with("b.txt", "So: {\"a\": 1}");
    let length = ["repair", "--write", "--finish-reason", "length"];
    here.run(&[length.as_slice(), &["a.json"]].concat()).exits(0);
    here.run(&[length.as_slice(), &["b.txt"]].concat())
        .exits(1)
        .says("not written: truncated: the finish reason says so");
    assert_eq!(here.read("b.txt"), "So: {\"a\": 1}");
    here.run(&["repair", "--finish-reason", "length", "a.json"]).exits(0).says("warning: a.json: truncated");
}

#[test]
fn b3_a_truncated_line_stays_as_it_is() {
    let lines = "{\"a\": 1,}\n{\"note\": \"half a sent";
    let standard = ["repair", "--preset", "standard"];
    let here = place().with("x.jsonl", lines);
    here.run(&[standard.as_slice(), &["x.jsonl"]].concat())
        .exits(0)
        .prints("{\"a\": 1}\n{\"note\": \"half a sent\"}")
        .says("truncated: the text ends before its JSON does, in 1 line");
    here.run(&[standard.as_slice(), &["--write", "x.jsonl"]].concat()).exits(1).says("x.jsonl:2: the line was cut off");
    assert_eq!(here.read("x.jsonl"), "{\"a\": 1}\n{\"note\": \"half a sent");
    here.run(&[standard.as_slice(), &["--write", "--allow-truncated", "x.jsonl"]].concat()).exits(0);
    assert_eq!(here.read("x.jsonl"), "{\"a\": 1}\n{\"note\": \"half a sent\"}");
}

#[test]
fn b3_summaries_count_what_was_cut_off() {
    let here =
        place().with("a.json", CUT).with("b.json", "{\"a\": 1,}").with("c.json", "{\"a\": [1").with("d.json", "{}");
    let strict = here.run(&["repair", "--check", "--statistics", "."]).exits(1);
    strict.says("4 files: 1 unchanged, 1 would change, 2 refused; 2 truncated");
    let written = here.run(&["repair", "--preset", "standard", "--write", "--statistics", "."]).exits(1);
    written.says("4 files: 1 unchanged, 1 repaired, 2 refused; 2 truncated\n  trailing-comma: 1 edit\n");
    let record = |text: &str| json!({ "completion": text }).to_string() + "\n";
    let batch = place().run_on(&["batch", "--preset", "standard"], record(CUT) + &record("{}")).exits(0);
    batch.says("2 records: 1 valid, 1 repaired, 0 refused; 1 truncated");
    let refused = place().run_on(&["batch"], record(CUT)).exits(0);
    refused.says("1 record: 0 valid, 0 repaired, 1 refused; 1 truncated");
    let contract = place().run_on(&["batch", "--preset", "standard", "--keys", "note"], record(CUT)).exits(0);
    contract.says("; 1 truncated");
}

/// A file with one payload is left as `--write` alone leaves it: valid ones byte for byte.
#[test]
fn writing_all_payloads_leaves_a_file_with_one_as_it_is() {
    let pretty = "{\n  \"a\": 1\n}\n";
    for form in ["--all", "--all=array"] {
        let here =
            place().with("v.json", pretty).with("r.json", "{\n  \"a\": 1,\n}\n").with("p.txt", "So:\n{ \"a\" : 1 }\n");
        let two = "{ \"a\": 1 } and {\"b\": 2}";
        let here = here.with("two.txt", two).with("l.jsonl", "{ \"a\": 1 }\n{\"b\" : [1, 2] }\n");
        here.run(&["repair", "--write", form, "-g", "*.json", "-g", "*.txt", "."]).exits(0);
        assert_eq!((here.read("v.json").as_str(), here.read("r.json").as_str()), (pretty, "{\n  \"a\": 1\n}\n"));
        assert_eq!(here.read("p.txt"), "{ \"a\" : 1 }");
        let both = if form == "--all" { "{\"a\":1}\n{\"b\":2}\n" } else { "[{\"a\":1},{\"b\":2}]\n" };
        assert_eq!(here.read("two.txt"), both);
    }
    let here = place().with("l.jsonl", "{ \"a\": 1 }\n{\"b\" : [1, 2] }\n");
    here.run(&["repair", "--write", "--all", "l.jsonl"]).exits(0);
    assert_eq!(here.read("l.jsonl"), "{ \"a\": 1 }\n{\"b\" : [1, 2] }\n");
    // What style is asked for is written, and standard output keeps one value a line.
    here.run(&["repair", "--write", "--all", "--compact", "l.jsonl"]).exits(0);
    assert_eq!(here.read("l.jsonl"), "{\"a\":1}\n{\"b\":[1,2]}\n");
    place().run_on(&["repair", "--all"], pretty).exits(0).prints("{\"a\":1}\n");
}

#[test]
fn a_diff_of_what_is_written_shows_nothing_else() {
    let two = "```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```\n";
    let here = place().with("t.json", two).with("u.json", "{\"a\":1,}").with("c.json", CUT);
    let diff = here.run(&["repair", "--preset", "standard", "--write", "--diff", "."]).exits(1);
    assert!(diff.text().contains("+++ u.json") && !diff.text().contains("t.json") && !diff.text().contains("c.json"));
    assert_eq!((here.read("t.json").as_str(), here.read("u.json").as_str()), (two, "{\"a\":1}"));
    // Without writing it shows what would be.
    assert!(here.run(&["repair", "--diff", "t.json"]).exits(0).text().contains("+++ t.json"));
}

#[cfg(unix)]
const NAMES: [&str; 6] = [
    "plain.json",
    "with blank.json",
    "tab\there.json",
    "line\nend.json",
    "quote\"back\\.json",
    "e\u{301}\u{202e}.json",
];

#[cfg(unix)]
#[test]
fn names_of_files_in_json_are_the_names() {
    for name in NAMES {
        let here = place().with(name, "{\"a\":1,}");
        for arguments in [["check"].as_slice(), &["repair"]] {
            let ran = here.run(&[arguments, &["--output-format", "json", "."]].concat());
            let record: Value = serde_json::from_slice(&ran.stdout).expect("one record");
            assert_eq!(record["file"], *name);
        }
        // For people they are shown safely.
        let told = here.run(&["check", "."]).exits(1).stderr;
        assert!(!told.contains(['\t', '\u{202e}']), "{told:?}");
    }
}

/// A name that would end a header too early is quoted as git quotes it.
#[cfg(unix)]
#[test]
fn a_diff_names_the_file_whatever_its_name_is() {
    let header = |name: &str| {
        let diff = place().with(name, "{\"a\":1,}").run(&["repair", "--diff", "."]).exits(0);
        diff.text().lines().next().unwrap_or_default().to_owned()
    };
    let expected = [
        "--- plain.json",
        "--- with blank.json\t",
        "--- \"tab\\there.json\"",
        "--- \"line\\nend.json\"",
        "--- \"quote\\\"back\\\\.json\"",
        "--- e\u{301}\u{202e}.json",
    ];
    assert_eq!(NAMES.map(header), expected);
}

#[cfg(unix)]
#[test]
fn a_diff_of_what_was_written_takes_it_back() {
    if Command::new("patch").arg("--version").output().is_err() {
        return common::not_run("there is no patch");
    }
    // GNU patch takes no name with a line end.
    for name in NAMES.into_iter().filter(|name| !name.contains('\n')) {
        let here = place().with(name, "{\"a\":1,}");
        let diff = here.run(&["repair", "--write", "--diff", "."]).exits(0).stdout;
        assert_eq!(here.read(name), "{\"a\":1}");
        let here = here.with("undo.patch", diff);
        let patch = Command::new("patch").args(["-R", "-p0", "-i", "undo.patch"]).current_dir(here.0.path()).output();
        assert!(patch.is_ok_and(|output| output.status.success()), "{name:?}");
        assert_eq!(here.read(name), "{\"a\":1,}", "{name:?}");
    }
}
