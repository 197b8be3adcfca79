//! D34 and D35: no payload and no line goes silently, wherever the output goes.

mod common;

use common::place;
use serde_json::{Value, json};

const TWO: &str = "One:\n```json\n{\"a\": 1}\n```\nTwo:\n```json\n{\"b\": 2,}\n```\n";
const LINES: &str = "{\"a\":1}\n{\"b\":2,}\r\n\n{\"c\":3}\n";

#[test]
fn b4_a_further_payload_is_told_on_standard_error_and_listed_in_the_record() {
    let here = place().with("two.md", TWO);
    let ran = here.run(&["repair", "two.md"]).exits(0).prints("{\"a\": 1}");
    ran.says("two.md: left out: 1 further payload at bytes 39..48").says("--all");
    let record = here.run(&["repair", "--report", "-", "two.md"]).exits(0).json();
    assert_eq!(record["further"], json!([{"start": 39, "end": 48, "root": "object"}]));
    here.run(&["repair", "-v", "two.md"])
        .says("extracted: bytes 13..21 of 53 kept, no edits; 1 further payload left out");
    assert_eq!(here.run(&["repair", "-q", "two.md"]).exits(0).stderr, "");
}

#[test]
fn b4_writing_over_further_payloads_needs_a_choice() {
    let here = place().with("two.md", TWO);
    here.run(&["repair", "--write", "two.md"]).exits(1).says("not written: 1 further payload").says("--all");
    assert_eq!(here.read("two.md"), TWO);
    here.run(&["repair", "--write", "--all", "two.md"]).exits(0);
    assert_eq!(here.read("two.md"), "{\"a\":1}\n{\"b\":2}\n");
    let here = here.with("two.md", TWO);
    here.run(&["repair", "--write", "--candidates", "last", "two.md"]).exits(0);
    assert_eq!(here.read("two.md"), "{\"b\": 2}");
}

#[test]
fn every_payload_can_be_taken_in_every_preset() {
    for preset in ["strict", "standard", "lenient"] {
        let repair = |arguments: &[&str], text: &str| {
            place().run_on(&[["repair", "--preset", preset].as_slice(), arguments].concat(), text)
        };
        repair(&["--all"], TWO).exits(0).prints("{\"a\":1}\n{\"b\":2}\n");
        repair(&["--all=array"], TWO).exits(0).prints("[{\"a\":1},{\"b\":2}]\n");
        repair(&["--all"], "{\"a\" : 1} and {\"b\":\n2}").exits(0).prints("{\"a\":1}\n{\"b\":2}\n");
        repair(&["--all"], "{\"a\" : 1}\n").exits(0).prints("{\"a\":1}\n");
        repair(&["--all"], "no JSON").exits(1).prints("");
    }
    place().run_on(&["repair", "--all", "--candidates", "last"], TWO).exits(2);
}

/// B4: `further` lists what decodes or repairs; a block that does neither must not go silently either.
#[test]
fn a_broken_payload_beside_whole_ones_is_never_written_over() {
    let text = "One:\n```json\n{\"a\": 1}\n```\nTwo:\n```json\n{\"b\" 2 3}\n```\nThree:\n```json\n{\"c\": 3}\n```\n";
    let here = place().with("x.md", text);
    for arguments in [["--write"].as_slice(), &["--write", "--all"], &["--write", "--all=array"], &["-o", "x.md"]] {
        let ran = here.run(&[["repair"].as_slice(), arguments, &["x.md"]].concat()).exits(1);
        ran.prints("").says("x.md: not written: ").says("1 payload beyond repair from byte 39 on would be lost");
        assert_eq!(here.read("x.md"), text);
    }
    let one = here.run(&["repair", "x.md"]).exits(0).prints("{\"a\": 1}");
    one.says("left out: 1 further payload at bytes 68..76, and 1 payload beyond repair");
    let all = here.run(&["repair", "--all", "x.md"]).exits(1).prints("{\"a\":1}\n{\"c\":3}\n");
    all.says("left out: 1 payload beyond repair");
    here.run(&["check", "x.md"]).exits(1).says("takes 2 payloads out and leaves a broken one, from byte 39 on");
    here.run(&["repair", "--write", "--candidates", "last", "x.md"]).exits(0);
    assert_eq!(here.read("x.md"), "{\"c\": 3}");
}

/// What a preset can only close is no further payload, and is data all the same.
#[test]
fn b3_a_truncated_payload_after_a_whole_one_is_never_written_over() {
    let text = "{\"a\": 1}\nand then\n{\"b\": [2, 3\n";
    let here = place().with("x.txt", text);
    here.run(&["repair", "--preset", "standard", "--write", "x.txt"]).exits(1).says("beyond repair from byte 18 on");
    assert_eq!(here.read("x.txt"), text);
}

#[test]
fn prose_with_braces_is_no_payload() {
    for text in ["Put {name} here:\n```json\n{\"a\": 1}\n```\nand [1].\n", "{\"a\": 1}\nas \\frac{2}{3} is, [i]."] {
        let here = place().with("x.txt", text);
        here.run(&["repair", "--preset", "standard", "--write", "x.txt"]).exits(0);
        assert_eq!(here.read("x.txt"), "{\"a\": 1}");
    }
}

#[test]
fn a_line_with_several_payloads_stays_unless_a_flag_chooses() {
    let line = "{\"c\":3} and {\"d\":4}\n{\"e\": 5} and {\"f\" 6 7}\n";
    let here = place().with("x.jsonl", line);
    let held = here.run(&["repair", "--preset", "standard", "--write", "--all", "x.jsonl"]).exits(1);
    held.says("x.jsonl:2: one payload of the line cannot be repaired");
    assert_eq!(here.read("x.jsonl"), "{\"c\":3}\n{\"d\":4}\n{\"e\": 5} and {\"f\" 6 7}\n");
    let here = here.with("x.jsonl", line);
    here.run(&["repair", "--preset", "standard", "--write", "--candidates", "last", "x.jsonl"]).exits(0);
    assert_eq!(here.read("x.jsonl"), "{\"d\":4}\n{\"e\": 5}\n");
}

#[test]
fn json_lines_are_repaired_line_by_line_and_keep_their_line_ends() {
    let repaired = "{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}\n";
    for name in ["x.jsonl", "x.NDJSON", "x.txt"] {
        let here = place().with(name, LINES);
        here.run(&["repair", name]).exits(0).prints(repaired);
        here.run(&["repair", "--check", name]).exits(1).says("would change: 3 lines: 2 valid, 1 repaired, 0 refused");
        here.run(&["repair", "--write", name]).exits(0);
        assert_eq!(here.read(name), repaired);
        here.run(&["check", name]).exits(0);
    }
    place().run_on(&["repair"], LINES).exits(0).prints(repaired);
    place().run_on(&["repair", "--lines=never", "--preset", "standard"], LINES).exits(0).says("2 further payloads");
}

#[test]
fn a_refused_line_stays_as_it_is_and_the_exit_says_so() {
    let text = b"{\"a\":1,}\n{\"b\" 2}\n\"\xFF\"\n{\"c\":3}{\"d\":4}\n{\"e\":5,}".as_slice();
    let here = place().with("x.jsonl", text);
    let ran = here.run(&["repair", "--preset", "strict", "--write", "x.jsonl"]).exits(1);
    ran.says("x.jsonl:2:6: not valid JSON").says("x.jsonl:3:");
    let written = std::fs::read(here.path("x.jsonl")).expect("it is there");
    assert_eq!(written, b"{\"a\":1}\n{\"b\" 2}\n\"\xFF\"\n{\"c\":3}{\"d\":4}\n{\"e\":5}");
    let here = place().with("x.jsonl", "{\"c\":3}{\"d\":4}\n");
    here.run(&["repair", "--preset", "standard", "--write", "x.jsonl"]).exits(1).says("x.jsonl:1:").says("--all");
    assert_eq!(here.read("x.jsonl"), "{\"c\":3}{\"d\":4}\n");
    here.run(&["repair", "--preset", "standard", "--write", "--all", "x.jsonl"]).exits(0);
    assert_eq!(here.read("x.jsonl"), "{\"c\":3}\n{\"d\":4}\n");
    let array = place().with("x.jsonl", "{\"c\":3}\n{\"d\" 4}\n");
    array.run(&["repair", "--all=array", "x.jsonl"]).exits(1).prints("").says("nothing is written");
}

#[test]
fn json_lines_have_a_record_a_line() {
    let here = place().with("x.jsonl", "{\"a\":1,}\n\n{\"b\" 2}\n");
    let records = here.run(&["repair", "--report", "-", "x.jsonl"]).exits(1);
    let records: Vec<Value> =
        records.text().lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.iter().map(|record| &record["status"]).collect::<Vec<_>>(), ["repaired", "refused"]);
    assert_eq!((&records[0]["edits"][0]["start"], &records[1]["error"]["offset"]), (&json!(6), &json!(5)));
}

#[test]
fn what_is_one_text_is_not_read_by_line() {
    let pretty = "{\n  \"a\": [\n    {\"b\": 1},\n    {\"c\": 2},\n  ]\n}\n";
    place().run_on(&["repair"], pretty).exits(0).prints(&pretty.replace("},\n  ]", "}\n  ]"));
    place().run_on(&["repair"], "{\"a\":\n1,}\n").exits(0).prints("{\"a\":\n1}\n");
    // One line alone may be anything.
    place().run_on(&["repair", "--preset", "standard"], "{\"a\":1} {\"b\":2}\n").exits(0).says("further");
}

#[test]
fn the_check_command_never_advises_what_would_lose_a_payload() {
    let here = place().with("two.md", TWO).with("x.jsonl", LINES).with("prose.txt", "Sure: {\"a\": 1} and {\"b\": 2}.");
    here.run(&["check", "two.md"]).exits(1).says("it holds 2 payloads; `jsonseam repair --all` takes every one out");
    let prose = here.run(&["check", "prose.txt"]).exits(1);
    assert!(prose.stderr.contains("--all"), "{}", prose.stderr);
    here.run(&["check", "x.jsonl"])
        .exits(1)
        .says("x.jsonl:2:8: ")
        .says("of the first such line: `jsonseam repair` repairs it");
}

#[test]
fn a_batch_keeps_the_text_of_every_line_it_cannot_use() {
    let input = b"not json\n[1,\"\xC3\xA9\"]\n{\"completion\":\"{}\"}\n\xFF\x00\n{\"completion\":\"{}\"}\n{\"completion\":\"{}\"}\n{\"completion\":\"{}\"}\n".as_slice();
    let here = place().with("in.jsonl", input);
    here.run(&["batch", "-o", "in.jsonl", "in.jsonl"]).exits(0);
    let lines: Vec<Value> =
        here.read("in.jsonl").lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(
        (&lines[0]["raw"], &lines[1]["raw"], &lines[3]["raw_base64"]),
        (&json!("not json"), &json!("[1,\"é\"]"), &json!("/wA="))
    );
    assert!(lines[2].get("raw").is_none());
    assert_eq!(lines[0]["jsonseam"]["error"]["reason"], "not_json");
}

/// Escapes make a string six times as long as the text, and a record may hold a mebibyte besides.
#[test]
fn a_batch_never_writes_over_its_own_input_what_it_could_not_hold() {
    let here = place().with("jsonseam.toml", "[limits]\nmax-input-bytes = 10\n");
    let input = format!("{{\"completion\":\"{{}}\"}}\n\"{}\"\n", "x".repeat((1 << 20) + 100));
    let here = here.with("in.jsonl", &input);
    here.run(&["batch", "-o", "in.jsonl", "in.jsonl"]).exits(2).says("line 2 is too long");
    assert_eq!(here.read("in.jsonl"), input);
    assert_eq!(here.names(), ["in.jsonl", "jsonseam.toml"]);
    here.run(&["batch", "-o", "out.jsonl", "in.jsonl"]).exits(0).says("too_long 1");
}

#[test]
fn a_batch_counts_texts_with_further_payloads() {
    let line = json!({ "completion": TWO }).to_string() + "\n";
    let ran = place().run_on(&["batch"], line.repeat(2)).exits(0);
    ran.says("2 with further payloads left out");
}
