//! What a run sends and prints, and which files it leaves.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{BAD, CONTRACT, GOOD, WORSE, ask, command, lines, place, says, serve, statuses};
use crate::model_server::{Drop, Reply};

#[test]
fn an_answer_that_meets_the_contract_is_printed_after_one_request() {
    let server = serve([says(GOOD)]);
    let ran = ask(&place(), &server, &[]).exits(0);
    assert_eq!(
        ran.stderr,
        "jsonseam: attempt 1 (json-schema): valid; 40 + 10 tokens\njsonseam: the contract is met after 1 attempt\n"
    );
    let answer = ran.json();
    let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["attempts", "outputs"]);
    assert_eq!(answer["outputs"], json!({"city": "Oslo", "population": 717_710}));
    assert_eq!((statuses(&answer), server.asked().len()), (vec!["valid"], 1));
    let request = server.asked()[0].json();
    assert_eq!(request["messages"], json!([{"role": "user", "content": "Which city?"}]));
    assert_eq!(request["response_format"]["type"], "json_schema");
    assert_eq!((request.get("stream"), request.get("temperature")), (None, None));
}

#[test]
fn l3_a_bad_answer_is_asked_for_again_with_what_was_wrong() {
    let server = serve([says(&format!("Sure! {BAD}")), says(GOOD)]);
    let ran = ask(&place(), &server, &[]).exits(0).says("asking again (1 of 2)");
    assert_eq!(statuses(&ran.json()), ["refused", "valid"]);
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    let again = asked[1].json();
    let text = again["messages"][0]["content"].as_str().expect("text");
    assert!(text.starts_with("Which city?\n\n") && text.contains("Field \"population\": Expected integer"), "{text}");
    assert_eq!(again["temperature"], 0.0);
}

#[test]
fn quiet_says_nothing_and_prints_the_same() {
    let server = serve([says(BAD), says(GOOD)]);
    let ran = ask(&place(), &server, &["--quiet"]).exits(0);
    assert_eq!((ran.stderr.as_str(), ran.json()["outputs"]["city"].as_str()), ("", Some("Oslo")));
}

#[test]
fn a_server_that_does_not_answer_is_named() {
    let address =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|gone| gone.local_addr()).expect("a port is free");
    let url = format!("http://{address}/v1");
    let ran =
        place().run(&["ask", "x", "--model", "m", "--keys", "a", "--deadline", "0.5", "--base-url", &url]).exits(1);
    ran.says(&format!("no server answered at {url}")).says(" after 1 attempt)");
}

#[test]
fn l5_exhausted_hands_out_the_best_partial_answer_unless_told_to_fail() {
    for (choice, partial) in [("partial", json!({"city": "Oslo"})), ("fail", Value::Null)] {
        let server = serve([says(BAD), says(WORSE)]);
        let ran = ask(&place(), &server, &["--max-attempts", "1", "--on-exhausted", choice]).exits(1);
        let answer = ran.json();
        let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!((members, &answer["stop"]), (vec!["attempts", "error", "partial", "stop"], &json!("exhausted")));
        assert_eq!(answer["partial"], partial);
        assert_eq!(answer["error"]["code"], "output_validation_failed");
        assert_eq!((statuses(&answer), server.asked().len()), (vec!["refused", "refused"], 2));
        assert!(ran.stderr.contains("(exhausted after 2 attempts)"), "{}", ran.stderr);
    }
}

#[test]
fn l3_the_same_answer_twice_stops_the_run() {
    let server = serve([says(BAD)]);
    ask(&place(), &server, &["--max-attempts", "9"]).exits(1).says("repeated");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn l6_the_modes_of_the_chain_follow_each_other() {
    let replies = [BAD, WORSE, BAD, WORSE, GOOD].map(says);
    let server = serve(replies.clone());
    let flags = ["--max-attempts", "1", "--fallback", "json-object,text"];
    let ran = ask(&place(), &server, &flags).exits(0).says("going on in the next mode or with the next model (2 of 2)");
    let modes: Vec<_> = ran.json()["attempts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|attempt| (attempt["mode"].to_string(), attempt["cause"].to_string()))
        .collect();
    let expected = [
        ("json-schema", "first"),
        ("json-schema", "schema_repair"),
        ("json-object", "fallback"),
        ("json-object", "schema_repair"),
        ("text", "fallback"),
    ];
    assert_eq!(modes, expected.map(|(mode, cause)| (format!("\"{mode}\""), format!("\"{cause}\""))));
    // No fallback unless it is asked for; `none` takes back what a file asks for.
    let here = place().with("jsonseam.toml", "[reask]\nmax-attempts = 1\nfallback = [\"text\"]\n");
    for (flags, requests) in [(&["--fallback", "none"][..], 2), (&[], 4)] {
        let server = serve(replies.clone());
        ask(&here, &server, flags).exits(1);
        assert_eq!(server.asked().len(), requests);
    }
}

#[test]
fn l9_flags_override_the_file_and_a_mistake_in_it_has_its_place() {
    let here = place().with("jsonseam.toml", "[reask]\nmax-attempts = 0\nmode = \"text\"\n");
    let server = serve([says(BAD), says(GOOD)]);
    ask(&here, &server, &[]).exits(1);
    assert_eq!(server.asked()[0].json().get("response_format"), None);
    ask(&here, &serve([says(BAD), says(GOOD)]), &["--max-attempts", "1"]).exits(0);
    let wrong = place().with("jsonseam.toml", "[reask]\nmax-atempts = 0\n");
    let server = serve([says(GOOD)]);
    ask(&wrong, &server, &[]).exits(2).prints("").says("jsonseam.toml:2:1: ").says("max-attempts");
    assert!(server.asked().is_empty());
    wrong.run(&["config", "check"]).exits(2).says("jsonseam.toml:2:1: ");
}

#[test]
fn l10_an_answer_that_was_cut_off_is_not_asked_for_again() {
    let cut = Reply { finish_reason: Some("length".to_owned()), ..says("{\"city\": \"Oslo\", \"popul") };
    for flags in [&["--preset", "standard"][..], &["--preset", "lenient"], &[]] {
        let server = serve([cut.clone(), says(GOOD)]);
        let ran = ask(&place(), &server, flags).exits(1).says("truncated");
        assert_eq!((ran.json()["error"]["reason"].clone(), server.asked().len()), (json!("truncated"), 1));
    }
    // Where the server does not say so, the caller may know.
    let silent = Reply { finish_reason: None, ..says(GOOD) };
    let server = serve([silent]);
    ask(&place(), &server, &["--finish-reason", "length"]).exits(1).says("truncated");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn l7_what_cannot_succeed_later_is_asked_once() {
    for status in [400, 401, 403, 404, 413, 302] {
        let server = serve([Reply::status(status), says(GOOD)]);
        let ran = ask(&place(), &server, &[]).exits(1);
        let answer = ran.json();
        assert_eq!((&answer["error"]["code"], &answer["partial"]), (&json!("transport"), &Value::Null), "{status}");
        assert_eq!((statuses(&answer), server.asked().len()), (vec!["failed"], 1), "{status}");
    }
    let server = serve([Reply::status(400)]);
    ask(&place(), &server, &["-v"]).exits(1).says("the server says: scripted").says("--fallback");
}

#[test]
fn l7_a_failure_of_the_transport_is_repeated_and_told() {
    let server = serve([Reply { drops: Some(Drop::Connection), ..says(GOOD) }, says(GOOD)]);
    let here = place().with("jsonseam.toml", "[reask]\nretry-base = 0\n");
    let ran = ask(&here, &server, &[]).exits(0).says("(1 of 3): transport/connection");
    assert_eq!(ran.json()["attempts"][0]["transport_retries"], 1);
}

#[test]
fn l7_the_deadline_ends_a_server_that_does_not_answer() {
    let server = serve([Reply { delay_ms: 60_000, ..says(GOOD) }]);
    let ran = ask(&place(), &server, &["--deadline", "0.3"]).exits(1).says("deadline");
    assert_eq!((ran.json()["error"]["reason"].clone(), server.asked().len()), (json!("timeout"), 1));
}

#[test]
fn a_stream_is_asked_for_only_by_name_and_read_whole() {
    for (flags, wants) in [(&["--stream"][..], Some(&json!(true))), (&[], None)] {
        let server = serve([Reply { piece: Some(1), ..says(BAD) }, says(GOOD)]);
        let ran = ask(&place(), &server, flags).exits(0);
        assert_eq!(server.asked()[0].json().get("stream"), wants);
        assert_eq!(ran.json()["attempts"][0]["usage"]["completion_tokens"], 10);
    }
}

#[test]
fn the_prompt_may_come_from_standard_input() {
    let server = serve([says(GOOD)]);
    let url = server.base_url();
    let here = place();
    let arguments = ["ask", "-", "--base-url", &url, "--model", "m", "--keys", "city,population"];
    here.run_on(&arguments, "Two\nlines: é").exits(0);
    assert_eq!(server.asked()[0].json()["messages"][0]["content"], "Two\nlines: é");
    here.run_on(&arguments, " \n").exits(2).prints("").says("the prompt is empty");
    here.run_on(&arguments, b"\xff").exits(2).prints("").says("not UTF-8");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn usage_errors_ask_nobody() {
    let server = serve([says(GOOD)]);
    let here = place().with("bad.json", "{\"$ref\": \"https://models.example/x\"}");
    for flags in [
        &["--mode", "xml"][..],
        &["--fallback", "text,text"],
        &["--deadline", "0"],
        &["--max-attempts", "101"],
        &["--on-exhausted", "retry"],
        &["--trace-texts"],
        &["--contract", "gone.toml"],
        &["--preset", "strikt"],
        &["--trace", "gone/t.jsonl"],
    ] {
        ask(&here, &server, flags).exits(2).prints("");
    }
    let ran = ask(&here, &server, &["--schema", "bad.json"]).exits(2);
    assert_eq!(ran.json()["error"]["code"], "schema_refused");
    let bare = |arguments: &[&str]| here.run(arguments).exits(2).prints("");
    bare(&["ask"]);
    bare(&["ask", "x", "--model", "m"]).says("--base-url");
    bare(&["ask", "x", "--base-url", &server.base_url()]).says("--model");
    for address in ["nonsense", "ftp://models.example"] {
        bare(&["ask", "x", "--model", "m", "--keys", "a", "--base-url", address]).says("the base URL must begin with");
    }
    assert!(server.asked().is_empty());
}

#[test]
fn a_trace_has_a_line_for_each_attempt_and_each_repetition_and_no_text() {
    let here = place();
    let server = serve([Reply { drops: Some(Drop::Body), ..says(BAD) }, says(BAD), says(GOOD)]);
    let here = here.with("jsonseam.toml", "[reask]\nretry-base = 0\n");
    ask(&here, &server, &["--trace", "t.jsonl"]).exits(0);
    let trace = here.read("t.jsonl");
    let events: Vec<_> = lines(&trace).iter().map(|line| (line["event"].clone(), line["phase"].clone())).collect();
    let expected = [
        (json!("progress"), json!("transport_retry")),
        (json!("attempt"), Value::Null),
        (json!("progress"), json!("schema_repair")),
        (json!("attempt"), Value::Null),
    ];
    assert_eq!(events, expected);
    assert!(lines(&trace).iter().all(|line| line["at_ms"].is_u64()));
    for text in ["Oslo", "Which", "many"] {
        assert!(!trace.contains(text), "{text} in {trace}");
    }
    // A second run appends to the first.
    ask(&here, &serve([says(GOOD)]), &["--trace", "t.jsonl"]).exits(0);
    assert!(here.read("t.jsonl").starts_with(&trace));
    assert_eq!(lines(&here.read("t.jsonl")).len(), 5);
}

#[test]
#[cfg(unix)]
fn a_trace_is_for_its_owner_and_holds_text_only_when_told_to() {
    use std::os::unix::fs::PermissionsExt;
    let here = place();
    ask(&here, &serve([says(BAD), says(GOOD)]), &["--trace", "t.jsonl", "--trace-texts"]).exits(0);
    let mode = std::fs::metadata(here.path("t.jsonl")).expect("it exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let trace = lines(&here.read("t.jsonl"));
    let events: Vec<_> = trace.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events, ["request", "answer", "attempt", "progress", "request", "answer", "attempt"]);
    assert_eq!((&trace[0]["messages"][0]["content"], &trace[5]["text"]), (&json!("Which city?"), &json!(GOOD)));
    std::fs::set_permissions(here.path("t.jsonl"), PermissionsExt::from_mode(0o644)).expect("it can be changed");
    let server = serve([says(GOOD)]);
    ask(&here, &server, &["--trace", "t.jsonl", "--trace-texts"]).exits(2).prints("").says("others");
    assert!(server.asked().is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn a_trace_that_cannot_be_written_is_told_and_the_answer_printed_all_the_same() {
    let ran = ask(&place(), &serve([says(GOOD)]), &["--trace", "/dev/full"]).exits(2).says("cannot write the trace");
    assert_eq!(ran.json()["outputs"]["city"], "Oslo");
}

#[test]
fn a_line_that_somebody_left_open_is_ended_first() {
    let here = place().with("t.jsonl", "{\"half\": ");
    ask(&here, &serve([says(GOOD)]), &["--trace", "t.jsonl"]).exits(0);
    let trace = here.read("t.jsonl");
    let (half, rest) = trace.split_once('\n').expect("a line");
    assert_eq!((half, lines(rest).len()), ("{\"half\": ", 1));
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let server = serve([Reply { delay_ms: 50, ..says(GOOD) }]);
    let here = place();
    let mut child =
        command(&here, &server, &["--quiet"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn what_a_server_wrote_reaches_a_terminal_escaped_and_cut() {
    let body = json!({"error": {"message": format!("\u{1b}]0;title\u{7}\u{202e}{}", "x".repeat(4_000))}}).to_string();
    let server = serve([Reply { body: Some(body), ..Reply::status(400) }]);
    let ran = ask(&place(), &server, &["-v"]).exits(1).says("\\u{1b}]0;title\\u{7}\\u{202e}xxx");
    assert!(ran.stderr.len() < 2_000 && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    assert!(!ran.text().contains("title"), "{}", ran.text());
}

#[test]
fn prompt_shows_the_first_repair_prompt_of_the_loop_and_asks_nobody() {
    let here = place();
    let server = serve([says(BAD), says(GOOD)]);
    ask(&here, &server, &[]).exits(0);
    let request = server.asked()[1].json();
    let sent = request["messages"][0]["content"].as_str().expect("text");
    let shown = here.run_on(&["prompt", "--contract", "c.toml"], BAD).exits(0);
    assert_eq!((format!("Which city?\n\n{}", shown.text()), shown.stderr.as_str()), (format!("{sent}\n"), ""));
    here.run_on(&["prompt", "--contract", "c.toml"], GOOD).exits(0).prints("").says("there is nothing to ask");
    here.run_on(&["prompt", "--contract", "c.toml"], b"{\"a\xff\": 1}").exits(1).prints("").says("not UTF-8");
    let last = here.run_on(&["prompt", "--contract", "c.toml", "--max-attempts", "7"], BAD).exits(0);
    assert!(last.text().ends_with("This is attempt 1 of 7.\n"), "{}", last.text());
    let none = here.with("jsonseam.toml", "[reask]\necho = \"none\"\n");
    assert!(!none.run_on(&["prompt", "--contract", "c.toml"], BAD).exits(0).text().contains("many"));
}

#[test]
fn the_contract_may_stand_in_flags() {
    assert!(CONTRACT.contains("population"));
    let server = serve([says("{\"a\": 1}"), says("{\"a\": 1, \"b\": 2}")]);
    let url = server.base_url();
    let ran = place().run(&["ask", "x", "--base-url", &url, "--model", "m", "--keys", "a,b"]).exits(0);
    assert_eq!(ran.json()["outputs"], json!({"a": 1, "b": 2}));
    assert_eq!(ran.json()["attempts"][0]["errors"], json!(["invalid_outputs/missing_output_keys"]));
}

/// A schema whose properties are in no order of their own, with digits and escapes that a decoder would change.
const SCHEMA: &str = r##"{"type": "object", "required": ["answer", "reasoning"], "additionalProperties": false,
    "properties": {"reasoning": {"type": "array", "items": {"$ref": "#/$defs/step"}}, "answer": {"title": "\u0041", "maximum": 1.10}},
    "$defs": {"step": {"type": "object", "properties": {"why": {"type": "string"}, "how": {"type": "string"}}}}}"##;

/// A text without blanks; the texts here have none inside strings.
fn unspaced(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn l3_a_schema_is_sent_and_shown_in_its_own_order_wherever_it_comes_from() {
    let table = "[outputs.z.schema]\ntype = 'object'\nproperties.why.type = 'string'\nproperties.how.maximum = 1.10\n\
        [outputs.a]\nschema-file = 'step.json'\n";
    let step = r#"{"properties": {"n": {"type": "null"}, "\u006d": {"type": "string"}}, "type": "object"}"#;
    let here = place().with("s.json", SCHEMA).with("step.json", step).with("t.toml", table);
    let fields = |names: [&str; 2], schemas: [&str; 2]| {
        format!(
            r#"{{"type":"object","properties":{{"{0}":{2},"{1}":{3}}},"required":["{0}","{1}"],"additionalProperties":false}}"#,
            names[0],
            names[1],
            unspaced(schemas[0]),
            unspaced(schemas[1])
        )
    };
    let why = r#"{"type": "object", "properties": {"why": {"type": "string"}, "how": {"maximum": 1.10}}}"#;
    for (flags, sent, shown) in [
        (&["--schema", "s.json"][..], unspaced(SCHEMA), &["reasoning", "why", "how", "answer"][..]),
        (&["--contract", "t.toml"], fields(["z", "a"], [why, step]), &["z", "why", "how", "a", "n", "m"]),
        (
            &["--schema-for", "z=step.json,a=s.json"],
            fields(["z", "a"], [step, SCHEMA]),
            &["z", "n", "m", "a", "reasoning", "why", "how", "answer"],
        ),
    ] {
        let flags: Vec<String> = match flags {
            ["--schema-for", both] => {
                both.split(',').flat_map(|one| ["--schema-for".to_owned(), one.to_owned()]).collect()
            }
            flags => flags.iter().map(|&flag| flag.to_owned()).collect(),
        };
        let server = serve([says("no")]);
        let url = server.base_url();
        let mut arguments =
            vec!["ask", "x", "--base-url", &url, "--model", "m", "--max-attempts", "0", "--fallback", "tool,text"];
        arguments.extend(["--strict-schema", "never", "--extra-body", r#"{"x": {"b": 1.10, "a": "\u0041"}}"#]);
        arguments.extend(flags.iter().map(String::as_str));
        here.run(&arguments).exits(1);
        let asked = server.asked();
        assert!(asked[0].body.contains(&format!("\"schema\":{sent}")), "{sent}\n{}", asked[0].body);
        assert!(asked[1].body.contains(&format!("\"parameters\":{sent}")), "{sent}\n{}", asked[1].body);
        assert!(asked[0].body.contains(r#""x":{"b": 1.10, "a": "\u0041"}"#), "{}", asked[0].body);
        let prompt = asked[2].json()["messages"][0]["content"].as_str().expect("text").to_owned();
        let names: Vec<_> =
            prompt.lines().filter_map(|line| Some(line.trim().strip_prefix('"')?.split_once("\": ")?.0)).collect();
        assert_eq!(names, shown, "{prompt}");
        // The prompt that is shown without a server is the same.
        let mut arguments = vec!["prompt"];
        arguments.extend(flags.iter().map(String::as_str));
        let prompt = here.run_on(&arguments, "no").exits(0).text().to_owned();
        let at: Vec<_> = shown
            .iter()
            .map(|name| prompt.find(&format!("\"{name}\": ")).unwrap_or_else(|| panic!("{name}: {prompt}")))
            .collect();
        assert!(at.is_sorted(), "{prompt}");
    }
}

/// A whole answer of a server, as text.
fn body(json: &str) -> Reply {
    Reply::body_text(json.to_owned())
}

#[test]
fn l9a_an_answer_is_not_lost_to_a_blemish_of_what_is_only_on_record() {
    let good = Value::from(GOOD);
    for answer in [
        format!(r#"{{"usage":{{"prompt_tokens":null}},"choices":[{{"message":{{"content":{good}}}}}]}}"#),
        format!(
            r#"{{"usage":{{"prompt_tokens":-1,"completion_tokens":"ten"}},"choices":[{{"index":"0","message":{{"content":{good}}}}}]}}"#
        ),
        format!(
            r#"{{"id":7,"choices":[{{"index":-1,"finish_reason":{{"type":"stop"}},"logprobs":NaN,"message":{{"content":{good}}}}}]}}"#
        ),
        format!("\u{FEFF}{{\"choices\":[{{\"message\":{{\"content\":[{good}]}}}}]}}\0"),
        format!(
            r#"{{"choices":[{{"message":{{"content":[{{"type":"text","text":{good}}}],"refusal":""}}}}],"error":{{}}}}"#
        ),
        format!(r#"{{"choices":[{{"message":{{"content":{GOOD}}}}}]}}"#),
        format!(
            r#"{{"choices":[{{"message":{{"content":null,"tool_calls":[{{"function":{{"name":"answer","arguments":{GOOD}}}}}]}}}}]}}"#
        ),
    ] {
        let server = serve([body(&answer)]);
        let ran = ask(&place(), &server, &[]).exits(0);
        assert_eq!(
            (ran.json()["outputs"]["population"].clone(), server.asked().len()),
            (json!(717_710), 1),
            "{answer}"
        );
    }
}

#[test]
fn l9a_a_refusal_a_filter_and_a_cut_are_told_apart() {
    let message = |message: &str, reason: &str| {
        body(&format!(r#"{{"choices":[{{"message":{{{message}}},"finish_reason":"{reason}"}}]}}"#))
    };
    let cut = r#""content":"{\"city\": \"Os""#;
    for (reply, code, reason, note) in [
        (
            message(r#""content":"","refusal":"I must not""#, "stop"),
            "transport",
            "model_refused",
            "the model refuses to answer",
        ),
        (
            message(r#""content":"Well.","refusal":"I must not""#, "stop"),
            "transport",
            "model_refused",
            "the model refuses to answer",
        ),
        (message(cut, "content_filter"), "transport", "content_filter", "help: the prompt or the answer met a filter"),
        (
            Reply { status: 400, ..body(r#"{"error":{"code":"content_filter","message":"no"}}"#) },
            "transport",
            "content_filter",
            "the server's own words (2 bytes) are shown with -v",
        ),
        (message(cut, "length"), "output_decode_failed", "truncated", "truncated after 1 attempt"),
    ] {
        let server = serve([reply, says(GOOD)]);
        let ran = ask(&place(), &server, &["--fallback", "text"]).exits(1).says(note);
        let error = ran.json()["error"].clone();
        assert_eq!(
            (&error["code"], &error["reason"], server.asked().len()),
            (&json!(code), &json!(reason), 1),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.json()["stop"], json!(reason));
        assert!(!ran.text().contains("must not") && !ran.stderr.contains("must not"), "{}", ran.text());
    }
}

#[test]
fn m5_what_a_server_or_a_model_wrote_is_shown_with_v_alone() {
    let quoting = r#"{"error":{"message":"bad input: Which city?"}}"#;
    let refusing = r#"{"choices":[{"message":{"refusal":"Not Which city?"}}]}"#;
    for reply in [Reply { status: 400, ..body(quoting) }, body(refusing)] {
        let server = serve([reply.clone(), reply]);
        let quiet = ask(&place(), &server, &[]).exits(1).says("are shown with -v");
        assert!(!quiet.stderr.contains("Which city"), "{}", quiet.stderr);
        ask(&place(), &server, &["-v"]).exits(1).says("Which city?");
    }
}

#[test]
fn l7_a_conflict_or_a_stream_that_broke_is_asked_again() {
    let here = place().with("jsonseam.toml", "[reask]\nretry-base = 0\n");
    let broken = Reply { stream: Some(true), ..Reply::body_text("data: {\"choices\": [\n\n") };
    for reply in [Reply::status(409), Reply::status(425), broken] {
        let server = serve([reply, says(GOOD)]);
        let ran = ask(&here, &server, &[]).exits(0);
        assert_eq!((ran.json()["attempts"][0]["transport_retries"].clone(), server.asked().len()), (json!(1), 2));
    }
    let server = serve([Reply::body_text("<!doctype html><title>Sign in</title>")]);
    ask(&here, &server, &[]).exits(1).says("a page of HTML or XML");
    let server = serve([Reply::status(413)]);
    let ran = ask(&here, &server, &[]).exits(1).says("larger than the server takes");
    assert!(!ran.stderr.contains("--fallback"), "{}", ran.stderr);
}

#[test]
fn l7_a_base_url_may_have_a_query() {
    let server = serve([says(GOOD)]);
    let url = format!("{}?api-version=2024-10-21", server.base_url());
    let all = ["ask", "Which city?", "--base-url", &url, "--model", "scripted", "--contract", "c.toml"];
    let ran: super::Ran = place().command(&all).output().expect("it ends").into();
    ran.exits(0);
    assert!(server.asked()[0].path.ends_with("/chat/completions?api-version=2024-10-21"), "{}", server.asked()[0].path);
}

#[test]
fn b4_of_several_answers_by_tool_the_contract_chooses_and_another_tool_answers_nothing() {
    let calls = |calls: &[(&str, &str)]| {
        let calls: Vec<Value> =
            calls.iter().map(|(name, arguments)| json!({"function": {"name": name, "arguments": arguments}})).collect();
        body(&json!({"choices": [{"message": {"content": null, "tool_calls": calls}}]}).to_string())
    };
    for (mode, reply, asked) in [
        ("tool", calls(&[("answer", BAD), ("answer", GOOD)]), 1),
        ("tool", calls(&[("answer", GOOD), ("answer", r#"{"city": "Oslo""#)]), 1),
        ("tool", calls(&[("answer", GOOD), ("answer", GOOD)]), 1),
        ("tool", calls(&[("answer", GOOD), ("answer", r#"{"city": "Rome", "population": 1}"#)]), 2),
        ("tool", calls(&[("delete_all", GOOD)]), 2),
        ("tool", calls(&[("delete_all", GOOD), ("answer", BAD)]), 2),
        ("tool", calls(&[("", GOOD)]), 1),
        ("json-schema", calls(&[("f", BAD), ("g", GOOD)]), 1),
        ("json-schema", calls(&[("f", BAD), ("g", WORSE)]), 2),
    ] {
        let server = serve([reply, calls(&[("answer", GOOD)])]);
        let ran = ask(&place(), &server, &["--mode", mode]).exits(0);
        assert_eq!((server.asked().len(), &ran.json()["outputs"]["city"]), (asked, &json!("Oslo")), "{}", ran.stderr);
        let told = server.asked().last().expect("it was asked").body.clone();
        assert!(!told.contains("toolCalls"), "{told}");
    }
}

#[test]
fn l9a_a_model_that_takes_no_temperature_is_asked_again_without_one() {
    let rejected = Reply {
        status: 400,
        ..body(r#"{"error":{"message":"Unsupported value: 'temperature'","param":"temperature"}}"#)
    };
    let server = serve([says(WORSE), rejected, says(BAD), says(GOOD)]);
    let ran = ask(&place(), &server, &["--trace", "t.jsonl"])
        .exits(0)
        .says("the model takes no temperature; asking again without one");
    let temperatures: Vec<_> = server.asked().iter().map(|asked| asked.json().get("temperature").cloned()).collect();
    assert_eq!(temperatures, [None, Some(json!(0.0)), None, None]);
    assert_eq!(statuses(&ran.json()), ["refused", "failed", "refused", "valid"]);
    assert_eq!(ran.json()["attempts"][2]["cause"], "without_temperature");
}

#[test]
fn l0a_a_place_of_bare_calls_that_needs_offered_tools_is_a_mistake_of_usage() {
    let (place, server) = (place(), serve([]));
    ask(&place, &server, &["--bare", "last"]).exits(2).prints("").says("alone, never");
}
