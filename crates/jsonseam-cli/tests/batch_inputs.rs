//! D39 to D42, D49, D50: where the text of a record is, broken lines, reports of a wrong field, and going on after an interruption.

mod common;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use common::{Place, place};
use serde_json::{Value, json};

fn record(completion: &str) -> String {
    json!({ "completion": completion }).to_string()
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

fn openai(content: &str) -> String {
    let body = json!({"choices": [{"message": {"role": "assistant", "content": content}}]});
    json!({"custom_id": "1", "response": {"status_code": 200, "body": body}}).to_string() + "\n"
}

#[test]
fn the_text_is_found_by_pointer_path_and_shape() {
    let input = openai("{\"a\":1,}");
    let field = "/response/body/choices/0/message/content";
    for flags in [
        ["--field", field],
        ["--field", "response.body.choices[0].message.content"],
        ["--shape", "openai"],
        ["--shape", "vllm"],
    ] {
        let ran = place().run_on(&[["batch"].as_slice(), &flags].concat(), &input).exits(0);
        assert_eq!(parsed(ran.text())[0]["jsonseam"]["text"], "{\"a\":1}", "{flags:?}");
    }
    let anthropic = json!({"result": {"message": {"content": [{"type": "text", "text": "{\"a\""}, {"type": "text", "text": ":1}"}]}}});
    let ran = place().run_on(&["batch", "--shape", "anthropic"], anthropic.to_string()).exits(0);
    assert_eq!(parsed(ran.text())[0]["jsonseam"]["value"], json!({"a": 1}));
    place().run_on(&["batch", "--field", "a..b"], "{}").exits(2).says("JSON Pointer");
}

#[test]
fn a_field_that_most_records_lack_is_a_failure_that_names_what_is_there() {
    let ran = place().run_on(&["batch"], openai("{}").repeat(3)).exits(1);
    assert_eq!(ran.text().lines().count(), 3, "all lines are written");
    ran.says("there is no `completion` in most records; the first such record has: custom_id, response")
        .says("--shape openai");
    let half = [record("{}"), "{\"x\":1}".to_owned()].join("\n");
    place().run_on(&["batch"], half).exits(0);
    let array = format!("[\n{},\n{}\n]\n", record("{}"), record("{}"));
    place().run_on(&["batch"], array).exits(1).says("jq -c");
    let utf16: Vec<u8> = [0xFF, 0xFE].into_iter().chain(record("{}").bytes().flat_map(|byte| [byte, 0])).collect();
    place().run_on(&["batch"], utf16).exits(1).says("UTF-16");
}

#[test]
fn lines_that_are_broken_themselves_are_repaired_with_raw() {
    let ran = place().run_on(&["batch", "--raw"], b"{\"a\":1,}\nSure: {\"b\":2}\n\nnonsense\n\xFF\n").exits(0);
    let lines = parsed(ran.text());
    assert_eq!(lines[0], json!({"raw": "{\"a\":1,}", "jsonseam": lines[0]["jsonseam"]}));
    let values: Vec<&Value> = lines.iter().map(|line| &line["jsonseam"]["value"]).collect();
    assert_eq!(values, [&json!({"a": 1}), &json!({"b": 2}), &Value::Null, &Value::Null]);
    assert_eq!(
        (&lines[3]["raw_base64"], &lines[3]["jsonseam"]["error"]["reason"]),
        (&json!("/w=="), &json!("not_unicode"))
    );
    place().run_on(&["batch", "--raw", "--field", "x"], "").exits(2);
    place().run_on(&["batch"], "{\"completion\":\"{}\"\n").exits(1).says("--raw");
}

#[test]
fn only_the_wanted_members_of_the_records_are_written() {
    let ran = place().run_on(&["batch", "--fields", "value,edits"], record("{\"a\":1,}")).exits(0);
    let line = &parsed(ran.text())[0];
    let members: Vec<&String> = line["jsonseam"].as_object().expect("it is an object").keys().collect();
    assert_eq!(members, ["edits", "value"]);
    place().run_on(&["batch", "--fields", "valu"], "").exits(2).says("value");
}

#[test]
fn the_summary_says_which_preset_and_rules_would_have_helped_whatever_the_number_of_jobs() {
    let line = |completion: &str| record(completion) + "\n";
    let input = [line("{\"a\": True}").repeat(30), line("{\"a\":1}"), line("{\"a\" \"b\" \"c\" \"d\"}")].concat();
    let one = place().run_on(&["batch", "--jobs", "1"], &input).exits(0);
    let eight = place().run_on(&["batch", "--jobs", "8"], &input).exits(0);
    assert_eq!(one.stderr, eight.stderr);
    one.says("--preset standard repairs 20 of the first 20 refused").says("python-literal 20");
    let quiet = place().run_on(&["batch", "-q"], &input).exits(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn a_run_goes_on_where_another_ended_and_gives_the_same_bytes() {
    let input: String = (0..500)
        .map(|number| record(&format!("{{\"a\":{number},}}")) + "\n" + if number % 7 == 0 { "\n" } else { "" })
        .collect();
    let here = place().with("in.jsonl", &input);
    here.run(&["batch", "-o", "whole.jsonl", "in.jsonl"]).exits(0);
    let whole = here.read("whole.jsonl");
    let resume = ["batch", "-v", "--resume", "-o", "out.jsonl", "in.jsonl"];
    for kept in [0, 1, 200, 499, 500] {
        leave(&here, &[], kept);
        // A run that was killed may have left half a line.
        let mut part = fs::OpenOptions::new().append(true).open(here.path("out.jsonl.part")).expect("it is there");
        part.write_all(if kept < 500 { b"{\"comple" } else { b"" }).expect("it can be written");
        let left = 500 - kept;
        let records = if left == 1 { "record" } else { "records" };
        here.run(&resume).exits(0).says(&format!("{left} {records}: 0 valid, {left} repaired, 0 refused"));
        assert!(here.read("out.jsonl") == whole, "{kept} lines kept");
        assert_eq!(here.names(), ["in.jsonl", "out.jsonl", "whole.jsonl"]);
    }
}

/// Leaves beside `out.jsonl` what a run over `in.jsonl` with these flags leaves that is killed after so many lines.
fn leave(here: &Place, flags: &[&str], lines: usize) {
    let batch = [["batch", "-q"].as_slice(), flags].concat();
    let whole = here.run(&[batch.as_slice(), &["in.jsonl"]].concat()).exits(0);
    let part: String = whole.text().split_inclusive('\n').take(lines).collect();
    // This run waits for its input until it is killed.
    let mut waiting = here.command(&[batch.as_slice(), &["--resume", "-o", "out.jsonl"]].concat());
    let mut waiting = waiting.stdin(Stdio::piped()).spawn().expect("the command starts");
    let has_begun = (0..2_000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        fs::read(here.path("out.jsonl.part.digest")).is_ok_and(|digest| digest.ends_with(b"\n"))
    });
    assert!(has_begun, "the run says which one it is before it reads");
    waiting.kill().expect("it runs");
    waiting.wait().expect("it ends");
    fs::write(here.path("out.jsonl.part"), part).expect("it can be written");
}

#[test]
fn a_run_does_not_go_on_after_other_input_or_other_flags() {
    let input: String = (0..50).map(|number| record(&format!("{{\"a\":{number},}}")) + "\n").collect();
    let here = place().with("in.jsonl", &input).with("short.jsonl", record("{}")).with("schema.json", "{}");
    // A record in the middle, or a member beside the text, is another input too.
    let other = input.replacen(":3,", ":4,", 1);
    let here = here.with("other.jsonl", other).with("more.jsonl", input.replacen('{', "{\"id\":1,", 1));
    let kept = ["--keys", "a", "--schema", "schema.json"];
    leave(&here, &kept, 5);
    let part = here.read("out.jsonl.part");
    let refuses = |input: &str, flags: &[&str], why: &str| {
        let ran = here.run(&[["batch", "--resume", "-o", "out.jsonl", input].as_slice(), flags].concat()).exits(2);
        ran.says("remove it to begin anew").says(why);
        assert_eq!((here.read("out.jsonl.part").as_str(), here.path("out.jsonl").exists()), (part.as_str(), false));
    };
    for input in ["other.jsonl", "more.jsonl", "short.jsonl"] {
        refuses(input, &kept, "not made from this input");
    }
    for flags in [
        ["--keys", "a"].as_slice(),
        &["--keys", "a", "--schema", "schema.json", "--preset", "standard"],
        &["--keys", "a", "--schema", "schema.json", "--fields", "status"],
        &["--keys", "a", "--schema", "schema.json", "--finish-reason", "stop"],
        &["--raw"],
    ] {
        refuses("in.jsonl", flags, "left by a run with other flags");
    }
    fs::write(here.path("schema.json"), "{\"type\": \"object\"}").expect("it can be written");
    refuses("in.jsonl", &kept, "left by a run with other flags");
    fs::write(here.path("schema.json"), "{}").expect("it can be written");
    fs::write(here.path("jsonseam.toml"), "preset = \"standard\"\n").expect("it can be written");
    refuses("in.jsonl", &kept, "another configuration");
    fs::remove_file(here.path("jsonseam.toml")).expect("it is there");
    here.run(&["batch", "-o", "out.jsonl", "in.jsonl"]).exits(0).says("out.jsonl.part is left from an interrupted run");
    // How it works and what it tells is no part of what it writes.
    let same =
        [["batch", "--resume", "-o", "out.jsonl", "--jobs", "1", "--statistics"].as_slice(), &kept, &["in.jsonl"]];
    here.run(&same.concat()).exits(0).says("going on after 5 lines").says("45 records: 0 valid, 45 repaired");
    // What no run has vouched for is no run's.
    let here = here.with("out.jsonl.part", part);
    here.run(&same.concat()).exits(2).says("remove it to begin anew");
}

#[cfg(target_os = "linux")]
mod linux {
    //! Signals and live pipes.

    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn start(here: &common::Place, arguments: &[&str]) -> Child {
        let mut command = here.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    }

    fn send(child: &Child, signal: &str) {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().expect("kill exists").success());
    }

    fn end(mut child: Child, signal: Option<&str>) -> common::Ran {
        if let Some(signal) = signal {
            send(&child, signal);
        }
        drop(child.stdin.take());
        child.wait_with_output().expect("it ends").into()
    }

    #[test]
    fn a_record_of_a_live_pipe_is_written_before_the_next_one_comes() {
        let here = place();
        let mut child = start(&here, &["batch"]);
        let mut stdin = child.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        for number in 0..3 {
            writeln!(stdin, "{}", record(&format!("{{\"a\":{number}}}"))).expect("it is read");
            let mut line = String::new();
            stdout.read_line(&mut line).expect("a line comes");
            assert_eq!(parsed(&line)[0]["jsonseam"]["value"], json!({"a": number}));
        }
        drop(stdin);
        assert!(child.wait().expect("it ends").success());
    }

    #[test]
    fn an_interrupted_run_says_so_and_keeps_whole_lines_to_go_on_with() {
        let lines: String = (0..2_000).map(|number| record(&format!("{{\"a\":{number},}}")) + "\n").collect();
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let here = place().with("in.jsonl", &lines);
            let mut child = start(&here, &["batch", "-o", "out.jsonl"]);
            let mut stdin = child.stdin.take().expect("it is piped");
            // What comes after the signal keeps the run from ending by itself.
            let (before, after) = lines.split_at(lines.len() / 2);
            stdin.write_all(before.as_bytes()).expect("it is read");
            // Once the temporary file holds something, the run is under way.
            let is_under_way = || {
                here.names().iter().any(|name| {
                    std::path::Path::new(name).extension().is_some_and(|end| end == "tmp")
                        && fs::metadata(here.path(name)).is_ok_and(|file| file.len() > 0)
                })
            };
            while !is_under_way() {
                std::thread::yield_now();
            }
            send(&child, signal);
            // A run that has ended already takes no more.
            let _ = stdin.write_all(after.as_bytes());
            drop(stdin);
            let ran = end(child, None).exits(code);
            ran.says("interrupted after ").says("out.jsonl.part keeps them, and --resume continues there");
            assert_eq!(here.names(), ["in.jsonl", "out.jsonl.part", "out.jsonl.part.digest"]);
            here.run(&["batch", "-o", "whole.jsonl", "in.jsonl"]).exits(0);
            let part = here.read("out.jsonl.part");
            assert!(here.read("whole.jsonl").starts_with(&part) && part.ends_with('\n'));
            here.run(&["batch", "--resume", "-o", "out.jsonl", "in.jsonl"]).exits(0).says("going on after ");
            assert!(here.read("out.jsonl") == here.read("whole.jsonl"));
        }
    }

    #[test]
    fn a_resumable_run_that_is_killed_leaves_what_it_wrote() {
        let lines: String = (0..2_000).map(|number| record(&format!("{{\"a\":{number},}}")) + "\n").collect();
        let here = place().with("in.jsonl", &lines);
        let mut child = start(&here, &["batch", "--resume", "-o", "out.jsonl"]);
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(lines.as_bytes()).expect("it is read");
        while fs::metadata(here.path("out.jsonl.part")).map_or(0, |file| file.len()) == 0 {
            std::thread::yield_now();
        }
        child.stdin = Some(stdin);
        assert_eq!(end(child, Some("KILL")).code, None);
        assert_eq!(here.names(), ["in.jsonl", "out.jsonl.part", "out.jsonl.part.digest"]);
        here.run(&["batch", "--resume", "-o", "out.jsonl", "in.jsonl"]).exits(0);
        here.run(&["batch", "-o", "whole.jsonl", "in.jsonl"]).exits(0);
        assert!(here.read("out.jsonl") == here.read("whole.jsonl"));
    }

    #[test]
    fn a_full_disk_ends_a_resumable_run_with_an_error() {
        place().run_on(&["batch", "--resume", "-o", "/dev/full"], record("{}")).exits(2).says("--resume needs a file");
    }
}
