//! Answers as servers write them, whole and in pieces.

use proptest::prelude::*;

use super::answer::response;
use super::stream::Stream;
use crate::message::Response;
use crate::transport::{RejectionCause, TransportError, TransportKind};

/// The stream that these bytes are, cut into pieces of a length.
fn streamed(text: &str, piece: usize) -> Result<Response, TransportError> {
    let mut stream = Stream::default();
    text.as_bytes().chunks(piece).try_for_each(|bytes| stream.push(bytes))?;
    stream.finish()
}

const STREAM: &str = "\u{FEFF}: hello\r\n\r\n\
    event: message\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\r\n\r\n\
    data:{\"choices\":[{\"delta\":{\"content\":\"{\\\"größe\\\": \"}}]}\n\n\
    : keep-alive\n\n\
    data: {\"choices\":[{\"delta\":{\"content\":\"\u{1F600}1}\"},\n\
    data: \"finish_reason\":\"stop\"}]}\n\n\
    data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n";

#[test]
fn a_stream_reads_the_same_wherever_it_is_cut() {
    let whole = streamed(STREAM, STREAM.len()).expect("the stream is right");
    assert_eq!(whole.text, "{\"größe\": \u{1F600}1}");
    assert_eq!(whole.finish_reason.as_deref(), Some("stop"));
    assert_eq!(whole.usage.map(crate::message::Usage::total), Some(7));
    for piece in 1..64 {
        assert!(streamed(STREAM, piece).is_ok_and(|response| response == whole), "in pieces of {piece}");
    }
}

#[test]
fn a_stream_that_just_stops_broke() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
    assert_eq!(streamed(begun, 7).map_err(|error| error.reason()), Err(TransportKind::Connection));
    let ended = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert!(streamed(ended, 7).is_ok_and(|response| response.text == "all"));
}

#[test]
fn an_error_within_a_stream_is_no_content() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
    for (event, kind) in [
        ("data: {\"error\":{\"message\":\"overloaded\"}}\n\n", TransportKind::Server),
        ("data: {\"error\":{\"code\":429}}\n\n", TransportKind::RateLimited),
        ("data: {\"error\":{\"code\":\"401\",\"message\":\"no\"}}\n\n", TransportKind::Unauthorized),
        ("event: error\ndata: no JSON\n\n", TransportKind::Server),
        ("data: {\"error\":\"gone\"}\n\n", TransportKind::Server),
        ("data: {nonsense\n\n", TransportKind::BrokenStream),
        ("data: [{}, 1]\n\ndata: {\"choices\":\n\n", TransportKind::BrokenStream),
        ("data: {\"choices\":[{\"delta\":{\"content\":\"\\ud800\"}}]}\n\n", TransportKind::BadResponse),
    ] {
        assert_eq!(streamed(&format!("{begun}{event}"), 5).map_err(|error| error.reason()), Err(kind), "{event}");
    }
}

#[test]
fn calls_in_a_stream_are_put_together() {
    let text = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    let response = streamed(text, 3).expect("the stream is right");
    assert_eq!(response.tool_calls.len(), 1);
    assert_eq!((response.tool_calls[0].name.as_str(), response.tool_calls[0].arguments.as_str()), ("f", "{\"a\":1}"));
    // Numbers are labels: they may begin anywhere, and be left out where a name begins each call.
    for [first, second] in [
        ["\"index\":4000000000,", "\"index\":7,"],
        ["\"index\":1,", "\"index\":\"2\","],
        ["", ""],
        ["\"index\":-1,", "\"index\":null,"],
    ] {
        let piece = |index: &str, function: &str| {
            format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{{index}\"function\":{function}}}]}}}}]}}\n\n")
        };
        let pieces = [
            piece(first, r#"{"name":"f","arguments":""}"#),
            piece(first, r#"{"arguments":"{\"a\""}"#),
            piece(first, r#"{"name":"","arguments":":1}"}"#),
            piece(second, r#"{"name":"g","arguments":{"b": 1.10}}"#),
        ];
        let response = streamed(&format!("{}data: [DONE]\n\n", pieces.concat()), 11).expect("the stream is right");
        let calls: Vec<_> =
            response.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
        assert_eq!(calls, [("f", "{\"a\":1}"), ("g", "{\"b\": 1.10}")], "{first} {second}");
    }
    let many = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]}}]}\n\n".repeat(129);
    assert_eq!(streamed(&many, 999).map_err(|error| error.reason()), Err(TransportKind::BadResponse));
}

#[test]
fn whole_answers_are_read_in_every_shape() {
    let text = |body: &str| response(body.as_bytes()).map(|response| response.text).map_err(|error| error.reason());
    assert_eq!(text(r#"{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}"#), Ok("a".to_owned()));
    assert_eq!(
        text(r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image"},{"text":"b"}]}}]}"#),
        Ok("ab".to_owned())
    );
    let calls = response(br#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#);
    assert!(calls.is_ok_and(|response| response.text.is_empty() && response.tool_calls.len() == 1));
    // Nothing at all is an empty answer, which the model is asked for again.
    assert_eq!(text(r#"{"choices":[{"message":{"content":null}}]}"#), Ok(String::new()));
    for broken in [
        "",
        "<html>busy</html>",
        "null",
        "{}",
        r#"{"choices":[]}"#,
        r#"{"choices":null}"#,
        r#"{"choices":[{}]}"#,
        r#"{"choices":[{"message":{"content":"\ud800"}}]}"#,
        r#"{"choices":[{"message":{"content":"a"}}]} {"more":1}"#,
        &format!("{{\"choices\":{}", "[".repeat(100_000)),
    ] {
        assert_eq!(text(broken), Err(TransportKind::BadResponse), "{}", broken.get(..40).unwrap_or(broken));
    }
    let cause = |body: &[u8]| response(body).map_err(|error| error.cause());
    assert_eq!(cause(b"\r\n<!doctype html><p>Sign in").err(), Some(RejectionCause::Page));
    assert_eq!(cause(b"\x1F\x8B\x08\x00").err(), Some(RejectionCause::Compressed));
    assert_eq!(cause(b"{\"choices\": <").err(), Some(RejectionCause::Unknown));
    assert_eq!(text(r#"{"error":{"message":"busy","code":503}}"#), Err(TransportKind::Server));
    assert_eq!(
        text(r#"{"error":{"message":"who?","code":"invalid_api_key","status":401}}"#),
        Err(TransportKind::Unauthorized)
    );
}

#[test]
fn m5_what_a_server_wrote_is_in_no_message() {
    let error = response(br#"{"error":{"message":"CANARY"}}"#).expect_err("it is an error");
    assert_eq!(error.detail(), Some("CANARY"));
    assert!(!format!("{error} {error:?}").contains("CANARY"));
}

/// The text of a whole answer with this content.
fn content(json: &str) -> Result<String, TransportKind> {
    let body = format!("{{\"choices\":[{{\"message\":{{\"content\":{json}}}}}]}}");
    response(body.as_bytes()).map(|response| response.text).map_err(|error| error.reason())
}

#[test]
fn l9a_content_in_any_shape_is_the_answer() {
    for (json, text) in [
        (r#""a""#, "a"),
        (r#"["a","b"]"#, "ab"),
        (r#"[{"type":"text","text":"a"},"b",null,{"type":"image_url","image_url":{}},{"text":"c"}]"#, "abc"),
        (r#"[{"type":"text","text":{"value":"a","annotations":[]}},{"type":"output_text","text":"b"}]"#, "ab"),
        // A thought is no part of an answer, nor is a citation of a type that is not known.
        (
            r#"[{"type":"thinking","thinking":"x"},{"type":"reasoning","text":"y"},{"type":"text","text":"a"},{"type":"cite","of":1}]"#,
            "a",
        ),
        (r#"[{"type":"thinking","thinking":"x"}]"#, ""),
        (r#"{"type":"text","text":"a"}"#, "a"),
        ("[]", ""),
        // A server that decodes the answer gives its value: its text is the answer, to the last digit.
        (r#"{"city": "Oslo", "area": 454.10}"#, r#"{"city": "Oslo", "area": 454.10}"#),
        (r#"{"text": "a"}"#, r#"{"text": "a"}"#),
        (r#"{"type": "image", "of": "Oslo"}"#, r#"{"type": "image", "of": "Oslo"}"#),
        (r#"[{"city": "Oslo"}]"#, r#"[{"city": "Oslo"}]"#),
        (r#"[{"type": "river", "name": "Alna"}]"#, r#"[{"type": "river", "name": "Alna"}]"#),
        ("[1, 2]", "[1, 2]"),
        ("7", "7"),
        ("true", "true"),
    ] {
        assert_eq!(content(json).as_deref(), Ok(text), "{json}");
    }
}

#[test]
fn l9a_arguments_in_any_shape_are_the_arguments() {
    for (call, arguments) in [
        (r#"{"function":{"name":"f","arguments":"{\"a\": 1.10}"}}"#, r#"{"a": 1.10}"#),
        (r#"{"function":{"name":"f","arguments":{"a": 1.10}}}"#, r#"{"a": 1.10}"#),
        (r#"{"function":{"name":"f","arguments":null}}"#, ""),
        (r#"{"function":{"name":"f"}}"#, ""),
        (r#"{"name":"f","arguments":[1]}"#, "[1]"),
        (r#"{"id":7,"index":"x","type":null,"function":{"name":"f","arguments":"{}","strict":{}}}"#, "{}"),
    ] {
        for list in [format!("[{call}]"), call.to_owned(), format!("[null,{call}]")] {
            let body = format!("{{\"choices\":[{{\"message\":{{\"content\":null,\"tool_calls\":{list}}}}}]}}");
            let calls = response(body.as_bytes()).expect("it is an answer").tool_calls;
            assert_eq!(calls.len(), 1, "{list}");
            assert_eq!((calls[0].name.as_str(), calls[0].arguments.as_str()), ("f", arguments), "{list}");
        }
    }
}

#[test]
fn l9a_tokens_are_read_however_they_are_spelled() {
    for (usage, tokens) in [
        (r#"{"prompt_tokens":10,"completion_tokens":2}"#, Some((10, 2))),
        (r#"{"prompt_tokens":10.0,"completion_tokens":"2"}"#, Some((10, 2))),
        (r#"{"prompt_tokens":null,"completion_tokens":2}"#, Some((0, 2))),
        (r#"{"prompt_tokens":-1,"completion_tokens":2.5}"#, None),
        (r#"{"prompt_tokens":1e400,"completion_tokens":[2]}"#, None),
        ("{}", None),
        ("null", None),
        ("\"many\"", None),
        ("[10, 2]", None),
    ] {
        let body = format!("{{\"choices\":[{{\"message\":{{\"content\":\"a\"}}}}],\"usage\":{usage}}}");
        let response = response(body.as_bytes()).expect("it is an answer");
        assert_eq!(response.usage.map(|usage| (usage.prompt_tokens, usage.completion_tokens)), tokens, "{usage}");
    }
}

#[test]
fn l9a_finish_reasons_are_read_however_they_are_spelled() {
    for (reason, name) in [
        ("\"length\"", Some("length")),
        (r#"{"type":"length"}"#, Some("length")),
        (r#"{"reason":"stop","at":7}"#, Some("stop")),
        ("{}", None),
        ("2", None),
        ("[\"stop\"]", None),
        ("null", None),
    ] {
        let body = format!("{{\"choices\":[{{\"message\":{{\"content\":\"a\"}},\"finish_reason\":{reason}}}]}}");
        let whole = response(body.as_bytes()).expect("it is an answer");
        assert_eq!(whole.finish_reason.as_deref(), name, "{reason}");
        // Whatever it is, it says that the model has stopped; `null` does not.
        let stream = format!("data: {}\n\n", body.replace("message", "delta"));
        let ended = streamed(&stream, 9).map(|response| response.finish_reason).map_err(|error| error.reason());
        let expected = if reason == "null" { Err(TransportKind::Connection) } else { Ok(name.map(str::to_owned)) };
        assert_eq!(ended, expected, "{reason}");
    }
}

#[test]
fn l9a_a_refusal_is_read_wherever_it_is() {
    for (message, refusal) in [
        (r#""content":null,"refusal":"I cannot""#, Some("I cannot")),
        (r#""content":"","refusal":"I cannot""#, Some("I cannot")),
        (r#""content":"{\"city\": \"Oslo\"}","refusal":"I cannot""#, Some("I cannot")),
        (r#""content":[{"type":"refusal","refusal":"I cannot"}]"#, Some("I cannot")),
        (r#""content":null,"refusal":{"why":1}"#, Some(r#"{"why":1}"#)),
        (r#""content":"a","refusal":null"#, None),
        (r#""content":"a","refusal":"""#, None),
        (r#""content":"a","refusal":" ""#, None),
        (r#""content":"a","refusal":false"#, None),
        (r#""content":"a","refusal":{}"#, None),
    ] {
        let body = format!("{{\"choices\":[{{\"message\":{{{message}}},\"finish_reason\":\"stop\"}}]}}");
        let whole = response(body.as_bytes()).expect("it is an answer");
        assert_eq!(whole.refusal.as_deref(), refusal, "{message}");
        let stream = format!("data: {}\n\ndata: [DONE]\n\n", body.replace("message", "delta"));
        assert!(streamed(&stream, 9).is_ok_and(|response| response == whole), "{message}");
    }
    let pieces = ["\"I\"", "\" \"", "\"cannot\""]
        .map(|piece| format!("data: {{\"choices\":[{{\"delta\":{{\"refusal\":{piece}}}}}]}}\n\n"));
    let response = streamed(&format!("{}data: [DONE]\n\n", pieces.concat()), 9).expect("it ends");
    assert_eq!(response.refusal.as_deref(), Some("I cannot"));
}

#[test]
fn an_error_that_says_nothing_is_none() {
    for (error, is_error) in [
        ("null", false),
        ("false", false),
        ("0", false),
        ("\"\"", false),
        ("{}", false),
        ("[]", false),
        (r#"{"message":"","code":0,"param":null}"#, false),
        ("true", true),
        ("-1", true),
        ("[\"busy\"]", true),
        (r#"{"message":"busy"}"#, true),
        (r#"{"code":503}"#, true),
    ] {
        let body = format!("{{\"error\":{error},\"choices\":[{{\"message\":{{\"content\":\"a\"}}}}]}}");
        let kind = response(body.as_bytes()).map(|response| response.text).map_err(|error| error.reason());
        assert_eq!(kind, if is_error { Err(TransportKind::Server) } else { Ok("a".to_owned()) }, "{error}");
    }
    let listed = response(br#"[{"error":{"code":401,"message":"who?"}}]"#).map_err(|error| error.reason());
    assert_eq!(listed, Err(TransportKind::Unauthorized));
}

#[test]
fn of_a_stream_with_several_choices_one_is_read() {
    let piece = |index: &str, text: &str| {
        format!("data: {{\"choices\":[{{{index}\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    for (pieces, text) in [
        (vec![("\"index\":0,", "a"), ("\"index\":1,", "X"), ("\"index\":0,", "b")], "ab"),
        (vec![("\"index\":1,", "X"), ("\"index\":0,", "a"), ("", "b"), ("\"index\":1,", "Y")], "ab"),
        (vec![("\"index\":1,", "a"), ("\"index\":1,", "b")], "ab"),
        (vec![("\"index\":\"0\",", "a"), ("\"index\":-1,", "b"), ("\"index\":null,", "c")], "abc"),
    ] {
        let stream: String = pieces.iter().map(|(index, text)| piece(index, text)).collect();
        let response = streamed(&format!("{stream}data: [DONE]\n\n"), 5).expect("it ends");
        assert_eq!(response.text, text, "{pieces:?}");
    }
}

#[test]
fn what_is_around_an_answer_is_no_part_of_it() {
    let body = r#"{"choices":[{"message":{"content":"a"}}]}"#;
    for (before, after) in [("\u{FEFF}", ""), ("", "\0"), ("\u{FEFF} \r\n", "\n\0\0 \n"), ("\0", "\u{FEFF}")] {
        let text = format!("{before}{body}{after}");
        assert!(response(text.as_bytes()).is_ok_and(|response| response.text == "a"), "{text:?}");
    }
    let piece = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}");
    for (before, between, after) in [
        ("\u{FEFF}", "\n\n", "\n\ndata: [DONE]\n\n"),
        ("\u{FEFF} \n ", "\r\n\r\n", "\n\ndata: [DONE] \n"),
        ("", "\n\n\0\n: x\n\n", "\n\ndata:[DONE]"),
        ("", "\n\ndata: null\n\ndata: 7\n\ndata: []\n\ndata: \"ping\"\n\n", "\0\n\ndata: [DONE]\n\n"),
    ] {
        let text = format!("{before}{}{between}{}{after}", piece("a"), piece("b"));
        for length in [1, 2, 3, 7, text.len()] {
            let read = streamed(&text, length).map(|response| response.text).map_err(|error| error.reason());
            assert_eq!(read.as_deref(), Ok("ab"), "{text:?} in pieces of {length}");
        }
    }
}

#[test]
fn l9a_bytes_that_are_no_text_cost_an_answer_only_where_they_are_in_it() {
    let body = |id: &str, text: &str| {
        format!("{{\"id\":\"{id}\",\"choices\":[{{\"message\":{{\"content\":\"{text}\"}}}}]}}").replace('?', "\u{1}")
    };
    let bytes = |text: String| text.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect::<Vec<_>>();
    assert!(response(&bytes(body("?", "ö"))).is_ok_and(|response| response.text == "ö"));
    assert!(response(&bytes(body("?", "\u{FFFD}"))).is_err());
    assert!(response(&bytes(body("x", "?"))).is_err());
    assert!(response(&bytes(body("x", "\u{FFFD}"))).is_ok());
}

/// Values of any kind but the right one, as servers write them where they only keep a record; some are no JSON.
const BLEMISHES: [&str; 22] = [
    "null",
    "true",
    "false",
    "-1",
    "1.5",
    "10.0",
    "1e400",
    "99999999999999999999999",
    "NaN",
    "-Infinity",
    "\"x\"",
    "\"0\"",
    "\"-3\"",
    "\"\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[[1],null]",
    "{\"a\":{\"b\":NaN}}",
    "{\"prompt_tokens\":null,\"completion_tokens\":\"7\"}",
    "{\"type\":\"stop\"}",
    "[{\"usage\":\"NaN\"}]",
];

fn blemish() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&BLEMISHES[..])
}

/// Members in any order, each with a value; some come twice.
fn members(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let member = (prop::sample::select(names), blemish());
    prop::collection::vec(member, 0..6)
        .prop_map(|members| members.into_iter().flat_map(|(name, value)| ["\"", name, "\": ", value, ","]).collect())
}

const OF_ANSWERS: &[&str] =
    &["id", "object", "created", "model", "usage", "system_fingerprint", "service_tier", "timings", "object"];
const OF_CHOICES: &[&str] =
    &["logprobs", "stop_reason", "matched_stop", "native_finish_reason", "content_filter_results"];
const OF_MESSAGES: &[&str] =
    &["role", "annotations", "audio", "reasoning_content", "reasoning", "name", "function_call_id"];
const OF_CALLS: &[&str] = &["id", "type", "extra_content"];

/// What a model says: texts with everything in them that JSON has to escape, and that could be taken for a part of the answer around it.
fn said() -> impl Strategy<Value = String> {
    "([a-z öÖ{}\\[\\]:,\"\\\\\n\u{1F600}]|NaN|\\[DONE\\]|data: ){0,12}"
}

/// The text as a JSON string, or in parts.
fn spelled(text: &str, is_in_parts: bool) -> String {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    if !is_in_parts {
        return string(text);
    }
    let middle = text.char_indices().nth(3).map_or(0, |(at, _)| at);
    format!("[{}, {{\"type\": \"text\", \"text\": {}}}]", string(&text[..middle]), string(&text[middle..]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn l9a_what_is_only_on_record_never_costs_a_whole_answer(
        text in said(), arguments in said(), is_in_parts: bool,
        [index, reason, number] in [blemish(), blemish(), blemish()],
        (answer, choice, message, call) in (members(OF_ANSWERS), members(OF_CHOICES), members(OF_MESSAGES), members(OF_CALLS)),
        (before, after) in (prop::sample::select(vec!["", "\u{FEFF}", " \n"]), prop::sample::select(vec!["", "\0", "\n\0\0", " "])),
    ) {
        let (content, spelled) = (spelled(&text, is_in_parts), spelled(&arguments, false));
        let body = format!(
            "{before}{{{answer} \"choices\": [{{{choice} \"index\": {index}, \"finish_reason\": {reason}, \"message\": {{{message} \"content\": {content},\
             \"tool_calls\": [{{{call} \"index\": {number}, \"function\": {{\"name\": \"f\", \"arguments\": {spelled}}}}}]}}}}]}}{after}"
        );
        let response = response(body.as_bytes());
        prop_assert!(response.is_ok(), "{body}");
        let response = response.expect("it is an answer");
        prop_assert_eq!(&response.text, &text);
        prop_assert_eq!(response.tool_calls.len(), 1);
        prop_assert_eq!(&response.tool_calls[0].arguments, &arguments);
        prop_assert_eq!(response.refusal, None);
    }

    #[test]
    fn l9a_what_is_only_on_record_never_costs_a_streamed_answer(
        pieces in prop::collection::vec((said(), said(), members(OF_ANSWERS), members(OF_CHOICES), members(OF_MESSAGES), members(OF_CALLS)), 1..5),
        (index, number, reason) in (prop::sample::select(vec!["null", "-1", "\"0\"", "0.0", "{}", "1.5"]), blemish(), blemish()),
        usage in blemish(),
        (mark, end) in (prop::sample::select(vec!["", "\u{FEFF}", "\n"]), prop::sample::select(vec!["\n\n", "\r\n\r\n", "\r\r"])),
        length in 1_usize..80,
    ) {
        let mut stream = vec![mark.to_owned()];
        for (at, (text, arguments, answer, choice, message, call)) in pieces.iter().enumerate() {
            let name = if at == 0 { "\"name\": \"f\"," } else { "" };
            let (content, spelled) = (spelled(text, at % 2 == 1), spelled(arguments, false));
            stream.push(format!(
                "data: {{{answer} \"choices\": [{{{choice} \"index\": {index}, \"finish_reason\": null, \"delta\": {{{message} \"content\": {content},\
                 \"tool_calls\": [{{{call} \"index\": {number}, \"function\": {{{name} \"arguments\": {spelled}}}}}]}}}}]}}{end}"
            ));
        }
        stream.push(format!("data: {{\"choices\": [{{\"index\": {index}, \"delta\": {{}}, \"finish_reason\": {reason}}}]}}{end}"));
        stream.push(format!("data: {{\"choices\": [], \"usage\": {usage}}}{end}data: [DONE]{end}"));
        let stream = stream.concat();
        let response = streamed(&stream, length);
        prop_assert!(response.is_ok(), "{stream}");
        let response = response.expect("it is an answer");
        prop_assert_eq!(response.text, pieces.iter().map(|piece| piece.0.as_str()).collect::<String>());
        prop_assert_eq!(response.tool_calls.len(), 1);
        prop_assert_eq!(&response.tool_calls[0].arguments, &pieces.iter().map(|piece| piece.1.as_str()).collect::<String>());
    }
}
