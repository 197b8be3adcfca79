//! Answers as servers write them, whole and in pieces.

use super::answer::response;
use super::stream::Stream;
use crate::message::Response;
use crate::transport::{TransportError, TransportKind};

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
    assert_eq!(streamed(begun, 7).map_err(|error| error.kind()), Err(TransportKind::Connection));
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
        ("data: {nonsense\n\n", TransportKind::BadResponse),
    ] {
        assert_eq!(streamed(&format!("{begun}{event}"), 5).map_err(|error| error.kind()), Err(kind), "{event}");
    }
}

#[test]
fn calls_in_a_stream_are_put_together() {
    let text = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    let response = streamed(text, 3).expect("the stream is right");
    assert_eq!(response.tool_calls.len(), 1);
    assert_eq!((response.tool_calls[0].name.as_str(), response.tool_calls[0].arguments.as_str()), ("f", "{\"a\":1}"));
    let far = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":4000000000}]}}]}\n\n";
    assert_eq!(streamed(far, 9).map_err(|error| error.kind()), Err(TransportKind::BadResponse));
}

#[test]
fn whole_answers_are_read_in_every_shape() {
    let text = |body: &str| response(body.as_bytes()).map(|response| response.text).map_err(|error| error.kind());
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
        r#"{"choices":[{"message":{"content":7}}]}"#,
        r#"{"choices":[{"message":{"content":null,"refusal":"I cannot"}}]}"#,
        &format!("{{\"choices\":{}", "[".repeat(100_000)),
    ] {
        assert_eq!(text(broken), Err(TransportKind::BadResponse), "{}", broken.get(..40).unwrap_or(broken));
    }
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
