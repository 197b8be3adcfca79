//! Requests and answers on the wire: what a server is sent, and what is made of odd answers.
#![cfg(feature = "http")]

#[path = "support/model_server/mod.rs"]
mod model_server;
mod support;

use jsonseam_reask::{
    Answer, Conversation, Failure, HttpModel, HttpModelBuilder, Mode, RejectionCause, Stop, StrictSchemas, TokioTimer,
    TransportKind,
};
use model_server::{Endless, ModelServer, Reply, Script};
use serde_json::{Value, json};

/// The outcome of a run, and the bodies of its requests.
fn run(
    replies: Vec<Reply>,
    mode: Mode,
    client: impl Fn(HttpModelBuilder) -> HttpModelBuilder,
) -> (Result<Answer, Failure>, Vec<Value>) {
    let server = ModelServer::start(Script::new(replies)).expect("a port is free");
    let model = client(HttpModel::builder(server.base_url(), "small-1")).build().expect("it is right");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let reask = support::reask().mode(mode);
    let timer = TokioTimer::default();
    let result = runtime.block_on(reask.run_with(&model, Conversation::from("What is it?"), &timer));
    let bodies = server.asked().iter().map(model_server::Asked::json).collect();
    (result, bodies)
}

#[test]
fn requests_hold_what_the_caller_adds_below_what_the_loop_needs() {
    let (result, bodies) = run(vec![Reply::content(support::GOOD)], Mode::JsonSchema, |builder| {
        let extra = json!({"top_k": 1, "model": "other"});
        let extra = extra.as_object().cloned().unwrap_or_default();
        builder.max_tokens(256).seed(-7).strict_schemas(StrictSchemas::Always).extra_body(extra).header("X-Team", "a")
    });
    assert!(result.is_ok());
    let members = ["max_tokens", "seed", "top_k", "model"].map(|name| bodies[0][name].clone());
    assert_eq!(members, [json!(256), json!(-7), json!(1), json!("small-1")]);
    assert_eq!(bodies[0]["response_format"]["json_schema"]["strict"], json!(true));
    // `note` is optional, which servers refuse in a strict schema, so by itself none is sent.
    let (_, bodies) = run(vec![Reply::content(support::GOOD)], Mode::JsonSchema, |builder| builder);
    assert_eq!(bodies[0]["response_format"]["json_schema"].get("strict"), None);
    for name in ["Authorization", "host", "a b"] {
        assert!(HttpModel::builder("https://models.example/v1", "m").header(name, "x").build().is_err(), "{name}");
    }
}

#[test]
fn l6_a_request_by_tool_forces_the_one_tool() {
    let calls = json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"content": null,
        "tool_calls": [{"function": {"name": "answer", "arguments": support::GOOD}}]}}]});
    let (result, bodies) = run(vec![Reply::body_text(calls.to_string())], Mode::Tool, |builder| builder);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(bodies[0]["tool_choice"]["function"]["name"], "answer");
    assert_eq!(bodies[0]["tools"][0]["function"]["parameters"]["type"], "object");
    assert_eq!(bodies[0].get("response_format"), None);
}

#[test]
fn an_empty_answer_is_asked_for_again_streamed_or_not() {
    let nothing = json!({"choices": [{"message": {"content": null}, "finish_reason": "stop"}]}).to_string();
    let events = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let streamed = Reply { stream: Some(true), ..Reply::body_text(events) };
    for empty in [Reply::body_text(nothing), streamed] {
        let (result, bodies) = run(vec![empty, Reply::content(support::GOOD)], Mode::JsonSchema, |builder| builder);
        assert!(result.is_ok(), "{result:?}");
        assert_eq!(bodies.len(), 2);
    }
    // A refusal is the model's last word.
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "no"}}]}).to_string();
    let (result, bodies) = run(vec![Reply::body_text(refusal)], Mode::JsonSchema, |builder| builder);
    assert_eq!((result.map_err(|failure| failure.stop).err(), bodies.len()), (Some(Stop::ModelRefused), 1));
}

#[test]
fn l7_errors_are_told_by_the_servers_own_names() {
    let error = |status: u16, code: &str, message: &str| Reply {
        status,
        ..Reply::body_text(json!({"error": {"message": message, "type": "x", "code": code}}).to_string())
    };
    for (reply, kind, cause) in [
        (error(429, "insufficient_quota", "pay"), TransportKind::Quota, RejectionCause::Quota),
        (error(400, "context_length_exceeded", ""), TransportKind::Rejected, RejectionCause::ContextLength),
        (error(400, "", "Unsupported value: 'temperature'"), TransportKind::Rejected, RejectionCause::Temperature),
        (error(400, "content_filter", "policy"), TransportKind::ContentFilter, RejectionCause::ContentFilter),
        (error(404, "model_not_found", ""), TransportKind::NotFound, RejectionCause::Model),
        (error(400, "", "Invalid schema for response_format"), TransportKind::Rejected, RejectionCause::ResponseFormat),
        (error(400, "odd", "odd"), TransportKind::Rejected, RejectionCause::Unknown),
    ] {
        let (result, bodies) = run(vec![reply], Mode::JsonSchema, |builder| builder);
        let failure = result.expect_err("there is no answer");
        let error = failure.error.transport().expect("it is the transport's");
        assert_eq!((error.reason(), error.cause(), bodies.len()), (kind, cause, 1));
    }
}

#[test]
fn l9a_a_server_that_takes_no_temperature_is_understood_in_every_spelling() {
    let rejects = [
        json!({"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model.", "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value"}}),
        json!({"error": {"message": "Unsupported parameter", "param": "temperature", "code": null}}),
        json!({"object": "error", "message": "temperature is not supported", "type": "BadRequestError", "param": null, "code": 400}),
        json!({"detail": [{"loc": ["body", "temperature"], "msg": "extra fields not permitted"}]}),
        json!([{"error": {"code": 400, "message": "Temperature must be left out"}}]),
    ];
    for rejection in rejects {
        let bad = Reply::content(r#"{"answer": "yes", "score": -1}"#);
        let rejected = Reply { status: 400, ..Reply::body_text(rejection.to_string()) };
        let (result, bodies) =
            run(vec![bad, rejected, Reply::content(support::GOOD)], Mode::JsonSchema, |builder| builder);
        assert!(result.is_ok(), "{rejection}");
        let mut before = bodies[1].clone();
        assert_eq!(before.as_object_mut().and_then(|body| body.remove("temperature")), Some(json!(0.0)), "{rejection}");
        assert_eq!(bodies[2], before, "{rejection}");
    }
}

#[test]
fn of_several_choices_the_one_numbered_0_counts() {
    let choice =
        |index: u32, text: &str| json!({"index": index, "message": {"content": text}, "finish_reason": "stop"});
    let body = json!({"choices": [choice(1, "{}"), choice(0, support::GOOD)]}).to_string();
    let (result, bodies) = run(vec![Reply::body_text(body)], Mode::JsonSchema, |builder| builder);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(bodies.len(), 1);
}

#[test]
fn an_answer_that_is_hopeless_while_it_is_written_is_read_no_further() {
    let begun = r#"{"choices":[{"delta":{"content":"{\"more\": \"so it goes, "}}]}"#;
    // Without an end: only a loop that gives it up gets to the second answer.
    let hopeless = Reply {
        body: Some(format!("data: {begun}\n\n")),
        stream: Some(true),
        endless: Some(Endless::Text),
        ..Reply::default()
    };
    let server = ModelServer::start(Script::new([hopeless, Reply::content(support::GOOD)])).expect("a port is free");
    let model = HttpModel::builder(server.base_url(), "small-1").build().expect("it is right");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let reask = support::reask().mode(Mode::Text).gives_up(true);
    let timer = TokioTimer::default();
    let result = runtime.block_on(reask.run_with(&model, Conversation::from("What is it?"), &timer));
    let attempts = result.expect("the second answer is right").attempts;
    let [first, second] = attempts.as_slice() else { panic!("{attempts:?}") };
    assert_eq!((first.stopped_early, second.stopped_early), (true, false));
    assert_eq!(first.errors, ["invalid_outputs/extra_output_keys"]);
    assert!(first.completion_length.is_some_and(|length| length < 4_096), "{first:?}");
}
