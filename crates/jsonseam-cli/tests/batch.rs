//! `jsonseam batch`: lines in, the same lines with their records out.

mod common;

use std::fmt::Write as _;
use std::fs;

use common::place;
use serde_json::Value;

fn record(completion: &str) -> String {
    serde_json::json!({ "completion": completion }).to_string()
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// Lines of every kind, about a megabyte and a half of them.
fn mixed() -> String {
    let mut input = String::new();
    for number in 0..12_000 {
        let filler = "x".repeat(number % 97);
        let _ = match number % 100 {
            7 => writeln!(input),
            13 => writeln!(input, "poison {filler}"),
            29 => writeln!(input, "{{\"id\":{number}}}"),
            31 => writeln!(input, "{{\"id\":{number},\"completion\":{number}}}\r"),
            37 => writeln!(input, "{{\"completion\":\"\\udc00\"}}"),
            41 => writeln!(input, "{}{}", "[".repeat(3_000), "]".repeat(3_000)),
            other if other % 3 == 0 => {
                writeln!(input, "{{\"id\":{number}.50,\"completion\":\"{{\\\"a\\\":\\\"{filler}\\\",}}\"}}")
            }
            other if other % 3 == 1 => {
                writeln!(input, "{{\"completion\":\"{{\\\"a\\\":\\\"{filler}\\\"}}\",\"id\":{number}}}")
            }
            _ => writeln!(input, "{{\"completion\":\"{{\\\"a\\\" {filler}\"}}"),
        };
    }
    input
}

#[test]
fn every_line_keeps_its_bytes_and_gets_its_record() {
    let input = concat!(
        r#" { "id" : 1.10, "completion":"{\"a\":1,}", "t":"\u00e9" } "#,
        "\n",
        r#"{"completion":"{}","big":123456789012345678901234567890}"#,
        "\r\n",
        r#"{"completion":"{\"a\" 1}"}"#
    );
    let ran = place().run_on(&["batch"], input).exits(0);
    let lines: Vec<&str> = ran.text().split_inclusive('\n').collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].starts_with(r#"{ "id" : 1.10, "completion":"{\"a\":1,}", "t":"\u00e9" ,"jsonseam":{"version":1,"#)
    );
    assert!(lines[1].starts_with(r#"{"completion":"{}","big":123456789012345678901234567890,"jsonseam":{"#));
    assert!(lines.iter().all(|line| line.ends_with("}}\n")));
    let records = parsed(ran.text());
    let status: Vec<&Value> = records.iter().map(|record| &record["jsonseam"]["status"]).collect();
    assert_eq!(status, ["repaired", "valid", "refused"]);
    assert_eq!(records[0]["jsonseam"]["text"], "{\"a\":1}");
    assert_eq!(records[0]["jsonseam"]["edits"][0]["rule"], "trailing-comma");
    assert_eq!(records[2]["jsonseam"]["error"]["code"], "output_decode_failed");
    assert!(records[2]["jsonseam"]["error"].get("mended_by").is_none(), "that is left out in batches");
    ran.says("3 records: 1 valid, 1 repaired, 1 refused").says("trailing-comma: 1");
}

#[test]
fn the_record_is_the_one_of_repair() {
    for completion in ["{\"a\":1,}", "{}", "Here: {\"a\":[1,2,]} !"] {
        let batch = place().run_on(&["batch"], record(completion) + "\n").exits(0).json();
        let repair = place().run_on(&["repair", "--report", "-"], completion).exits(0).json();
        assert_eq!(batch["jsonseam"], repair);
    }
}

#[test]
fn however_a_completion_is_spelled_its_record_is_byte_for_byte_that_of_repair() {
    let spellings = [
        r#""{\"a\" : \"\u00e9\"}""#,
        r#""{\"a\":\"é\\n\"}""#,
        r#""\u007b\u0022a\u0022: 1\/1}""#,
        r#""{\"a\":\"\\\/\"}""#,
        r#""{\"a\":\"\u001F\"}""#,
        r#""\n{\"a\": [1 , 2]}\t""#,
        r#""Here: {\"a\": [1 , 2]} !""#,
        r#""{\"a\": [1 , 2,]}""#,
        r#""{\"a\": 1""#,
    ];
    for spelling in spellings {
        let text: String = serde_json::from_str(spelling).expect("it is a string");
        let report = place().run_on(&["repair", "--report", "-", "--preset", "standard"], &text);
        let mut report = report.text().trim_end().to_owned();
        // Which rules would have helped is left out in batches.
        if let Some(start) = report.find(",\"mended_by\"") {
            report.replace_range(start.., "}}");
        }
        let batch =
            place().run_on(&["batch", "--preset", "standard"], format!("{{\"completion\":{spelling}}}\n")).exits(0);
        assert_eq!(batch.text(), format!("{{\"completion\":{spelling},\"jsonseam\":{report}}}\n"));
        if !text.contains('\n') {
            let raw = serde_json::to_string(&text).expect("it is a string");
            let batch = place().run_on(&["batch", "--preset", "standard", "--raw"], text + "\n").exits(0);
            assert_eq!(batch.text(), format!("{{\"raw\":{raw},\"jsonseam\":{report}}}\n"));
        }
    }
}

#[test]
fn blank_lines_are_passed_over_and_counted() {
    let input = format!("\n{}\n  \t \r\n\n{}", record("{}"), record("{}"));
    let ran = place().run_on(&["batch"], input).exits(0);
    assert_eq!(ran.text().lines().count(), 2);
    ran.says("2 records: 2 valid").says("3 blank lines");
    place().run_on(&["batch"], "").exits(0).prints("").says("0 records");
}

#[test]
fn unusable_lines_become_refusals_with_their_number() {
    let bad = |reason: &str, line: u64| {
        format!(
            r#""jsonseam":{{"status":"refused","error":{{"code":"bad_record","reason":"{reason}","line":{line}}}}}}}"#
        )
    };
    let mut input =
        b"\nnot JSON\n\"\xFF\"\n[1]\n{\"a\":1}\n{\"completion\":1}\n{\"completion\":\"\\ud800x\"}\n".to_vec();
    input.extend_from_slice(b"{\"completion\":\"{}\"} x\n{'completion':1}\n");
    let ran = place().run_on(&["batch"], &input).exits(1);
    let expected = [
        format!("{{\"raw\":\"not JSON\",{}", bad("not_json", 2)),
        format!("{{\"raw_base64\":\"Iv8i\",{}", bad("not_json", 3)),
        format!("{{\"raw\":\"[1]\",{}", bad("missing_field", 4)),
        format!("{{\"a\":1,{}", bad("missing_field", 5)),
        format!("{{\"completion\":1,{}", bad("not_a_string", 6)),
        format!("{{\"completion\":\"\\ud800x\",{}", bad("not_unicode", 7)),
        format!("{{\"raw\":\"{{\\\"completion\\\":\\\"{{}}\\\"}} x\",{}", bad("not_json", 8)),
        format!("{{\"raw\":\"{{'completion':1}}\",{}", bad("not_json", 9)),
    ];
    assert_eq!(ran.text().lines().collect::<Vec<_>>(), expected);
    ran.says("8 bad (not_json 4, missing_field 2, not_a_string 1, not_unicode 1)").says("1 blank");
}

#[test]
fn an_existing_member_is_replaced_however_it_is_spelled() {
    let input = "{\"jsonseam\":{\"x\":[1,\"}\"]},\"completion\":\"{}\",\"json\\u0073eam\":1,\"z\":{\"jsonseam\":2}}\n{\"jsonseam\":1}\n";
    let ran = place().run_on(&["batch"], input).exits(0);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert!(
        lines[0].starts_with("{\"completion\":\"{}\",\"z\":{\"jsonseam\":2},\"jsonseam\":{\"version\":1,"),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("{\"jsonseam\":{\"status\":\"refused\""), "{}", lines[1]);
}

#[test]
fn another_field_can_be_named() {
    let input = "{\"answer\":\"{\\\"a\\\":1,}\",\"completion\":1}\n{\"ans\\u0077er\":\"{}\"}\n";
    let records = parsed(place().run_on(&["batch", "--field", "answer"], input).exits(0).text());
    assert_eq!(records[0]["jsonseam"]["status"], "repaired");
    assert_eq!(records[1]["jsonseam"]["status"], "valid");
}

#[test]
fn the_number_of_jobs_changes_no_byte_and_no_order() {
    let input = mixed();
    let one = place().run_on(&["batch", "--jobs", "1"], &input).exits(0);
    let lines = input.lines().filter(|line| !line.trim().is_empty()).count();
    assert_eq!(one.text().lines().count(), lines);
    for jobs in ["2", "3", "8"] {
        let many = place().run_on(&["batch", "--jobs", jobs], &input).exits(0);
        assert!(one.stdout == many.stdout, "{jobs} jobs");
        assert_eq!(one.stderr, many.stderr);
    }
    let id = |line: &str| serde_json::from_str::<Value>(line).ok()?["id"].as_f64();
    let ids: Vec<f64> = one.text().lines().filter_map(id).collect();
    assert!(ids.is_sorted() && ids.len() > 1_000);
    place().run_on(&["batch", "--jobs", "0"], "").exits(2).says("at least 1");
}

#[test]
fn poison_lines_leave_all_others_as_they_were() {
    let mut clean = String::new();
    for id in 0..3_000 {
        let _ = writeln!(clean, "{{\"id\":{id},\"completion\":\"{{\\\"a\\\":1,}}\"}}");
    }
    let mut poisoned = String::new();
    let deep = format!("{{\"completion\":{:?}}}\n", "[".repeat(1_000_000));
    for (number, line) in clean.split_inclusive('\n').enumerate() {
        match number % 100 {
            50 => poisoned.push_str("]]] \u{1b}[31m\n"),
            60 if number < 100 => poisoned.push_str(&deep),
            _ => {}
        }
        poisoned.push_str(line);
    }
    let clean = place().run_on(&["batch"], clean).exits(0);
    let ran = place().run_on(&["batch"], poisoned).exits(0);
    let kept: Vec<&str> = ran.text().lines().filter(|line| line.starts_with("{\"id\"")).collect();
    assert_eq!(kept, clean.text().lines().collect::<Vec<_>>());
    assert_eq!(ran.text().lines().count(), 3_000 + 30 + 1);
}

#[test]
fn refusals_are_data_unless_asked_otherwise() {
    let refused = record("{\"a\" 1}") + "\n";
    place().run_on(&["batch"], &refused).exits(0);
    place().run_on(&["batch", "--fail-on-refused"], &refused).exits(1);
    place().run_on(&["batch", "--fail-on-refused"], "nonsense\n").exits(1);
    place().run_on(&["batch", "--fail-on-refused"], record("{\"a\":1,}")).exits(0);
}

#[test]
fn engine_flags_reach_every_record() {
    let input = record("{\"a\": True}") + "\n" + &record("[1]");
    let ran = place().run_on(&["batch", "--preset", "standard", "--root", "any", "--finish-reason", "length"], input);
    let records = parsed(ran.exits(0).text());
    assert_eq!(records[0]["jsonseam"]["text"], "{\"a\": true}");
    assert_eq!(records[1]["jsonseam"]["status"], "valid");
    assert_eq!(records[1]["jsonseam"]["truncated"], true);
}

#[test]
fn the_output_file_appears_whole() {
    let here = place().with("in.jsonl", mixed());
    let expected = here.run(&["batch", "in.jsonl"]).exits(0);
    here.run(&["batch", "in.jsonl", "-o", "out.jsonl"]).exits(0).prints("").says("records");
    assert_eq!(here.read("out.jsonl"), expected.text());
    assert_eq!(here.names(), ["in.jsonl", "out.jsonl"]);
    here.run(&["batch", "in.jsonl", "-o", "-"]).exits(0).prints(expected.text());
}

#[test]
fn the_input_can_be_the_output() {
    let here = place().with("in.jsonl", mixed());
    let expected = here.run(&["batch", "in.jsonl"]).exits(0);
    here.run(&["batch", "in.jsonl", "-o", "in.jsonl"]).exits(0);
    assert_eq!(here.read("in.jsonl"), expected.text());
}

#[test]
fn a_failure_leaves_the_old_output_and_no_rest() {
    let here = place().with("out.jsonl", "old");
    fs::create_dir(here.path("directory")).expect("a directory can be made");
    here.run(&["batch", "directory", "-o", "out.jsonl"]).exits(2);
    here.run(&["batch", "gone.jsonl", "-o", "out.jsonl"]).exits(2);
    here.run_on(&["batch", "-o", "gone/out.jsonl"], record("{}")).exits(2).says("cannot write");
    here.run_on(&["batch", "-o", "directory"], record("{}")).exits(2).says("directory");
    assert_eq!(here.read("out.jsonl"), "old");
    assert_eq!(here.names(), ["directory", "out.jsonl"]);
}

#[cfg(target_os = "linux")]
mod linux {
    //! Signals, devices, memory.

    use std::io::{Read, Write};
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::time::Duration;

    use super::*;

    fn start(here: &common::Place, arguments: &[&str]) -> (Child, ChildStdin) {
        let mut command = here.command(arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let stdin = child.stdin.take().expect("it is piped");
        (child, stdin)
    }

    fn signal(child: &Child, name: &str) {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().expect("kill exists").success());
    }

    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        let input = record("{}") + "\n";
        place().run_on(&["batch", "-o", "/dev/null"], &input).exits(0);
        assert!(!fs::metadata("/dev/null").expect("it exists").is_file());
        place().run_on(&["batch", "-o", "/dev/full"], &input).exits(2).says("cannot write");
    }

    #[test]
    fn an_interrupted_output_ends_on_a_line() {
        let input = mixed().repeat(4);
        let whole = place().run_on(&["batch"], &input).exits(0);
        for (name, code, delay) in [("INT", 130, 5), ("TERM", 143, 15), ("INT", 130, 30), ("TERM", 143, 60)] {
            let here = place();
            let (mut child, mut stdin) = start(&here, &["batch"]);
            let input = input.clone();
            // Standard input stays open: without the signal the command would wait for more.
            let feeder = std::thread::spawn(move || {
                let _ = stdin.write_all(input.as_bytes());
                stdin
            });
            let mut stdout = child.stdout.take().expect("it is piped");
            let mut first = [0; 1000];
            stdout.read_exact(&mut first).expect("some lines come");
            std::thread::sleep(Duration::from_millis(delay));
            signal(&child, name);
            let mut rest = Vec::new();
            stdout.read_to_end(&mut rest).expect("it can be read");
            assert_eq!(child.wait().expect("it ends").code(), Some(code));
            drop(feeder.join());
            let written = [first.as_slice(), &rest].concat();
            assert!(whole.stdout.starts_with(&written) && written.ends_with(b"\n"), "{} bytes", written.len());
        }
    }

    #[test]
    fn an_interrupted_output_file_does_not_appear() {
        let here = place().with("out.jsonl", "old");
        let (mut child, mut stdin) = start(&here, &["batch", "-o", "out.jsonl"]);
        stdin.write_all(mixed().as_bytes()).expect("it is read");
        signal(&child, "TERM");
        assert_eq!(child.wait().expect("it ends").code(), Some(143));
        assert_eq!(here.read("out.jsonl"), "old");
        assert!(here.names().iter().all(|name| name.starts_with("out.jsonl")), "{:?}", here.names());
    }

    #[test]
    fn a_reader_that_goes_ends_the_batch_though_input_goes_on() {
        let here = place();
        let (mut child, mut stdin) = start(&here, &["batch"]);
        drop(child.stdout.take());
        let feeder = std::thread::spawn(move || while stdin.write_all(mixed().as_bytes()).is_ok() {});
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        feeder.join().expect("the feeder ends");
        let mut stderr = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("it is text");
        assert_eq!(stderr, "");
    }

    #[test]
    fn memory_does_not_grow_with_the_file() {
        let peak = |repeats: usize| {
            let here = place();
            let mut command = here.command(&["batch", "--jobs", "2"]);
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
            let mut stdin = child.stdin.take().expect("it is piped");
            let completion = format!("{{\"a\":\"{}\",}}", "x".repeat(2_000));
            let lines = (record(&completion) + "\n").repeat(500);
            for _ in 0..repeats {
                stdin.write_all(lines.as_bytes()).expect("it is read");
            }
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
            drop(stdin);
            assert!(child.wait().expect("it ends").success());
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel tells it");
            line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
        };
        let (short, long) = (peak(5), peak(50));
        assert!(long < 64 << 10, "{long} KiB");
        assert!(long < short + (16 << 10), "{short} KiB, then {long} KiB");
    }
}
