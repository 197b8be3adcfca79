//! Servers that misbehave, over real HTTP on the loopback interface (SPEC L3, L7; the key and the deadline hold whatever they do).
#![cfg(feature = "http")]
#![expect(clippy::print_stdout, reason = "the table is shown")]

#[path = "support/model_server/mod.rs"]
mod model_server;
mod support;

use std::cell::Cell;
use std::time::Duration;

use jsonseam_reask::{
    Answer, ApiKey, Failure, HttpModel, HttpModelBuilder, Mode, OnTruncation, Reask, Retries, Settings, Timer,
    TokioTimer,
};
use model_server::{Drop, Endless, ModelServer, Reply, Script};

/// Most bytes of an answer in these tests.
const MAX_BODY: usize = 256 << 10;
/// The time for everything where a server never comes to an end; they all wait together.
const DEADLINE: Duration = Duration::from_secs(4);
/// The time for everything else: enough on any machine, so that no verdict depends on how busy it is.
const ENOUGH: Duration = Duration::from_secs(120);

const BAD: &str = r#"{"answer": 1, "score": "high"}"#;
const WORSE: &str = r#"{"answer": 2}"#;

/// One run against one server.
struct Case {
    name: &'static str,
    replies: Vec<Reply>,
    /// How many requests an ideal loop sends.
    requests: usize,
    /// How it ends.
    stop: &'static str,
    settings: fn(&mut Settings),
    client: fn(HttpModelBuilder) -> HttpModelBuilder,
}

impl Case {
    fn new(name: &'static str, replies: Vec<Reply>, requests: usize, stop: &'static str) -> Self {
        Self { name, replies, requests, stop, settings: |_| {}, client: |client| client }
    }

    fn with(self, settings: fn(&mut Settings)) -> Self {
        Self { settings, ..self }
    }

    fn streamed(self) -> Self {
        Self { client: |client| client.streamed(true), ..self }
    }
}

fn good() -> Reply {
    Reply { usage: Some([40, 10]), ..Reply::content(support::GOOD) }
}

fn statuses(statuses: &[u16]) -> Vec<Reply> {
    statuses.iter().map(|&status| Reply::status(status)).chain([good()]).collect()
}

fn event(text: &str) -> String {
    format!("data: {text}\n\n")
}

/// A stream of this body, whatever was asked for.
fn stream(body: String) -> Reply {
    Reply { stream: Some(true), ..Reply::body_text(body) }
}

fn chain(settings: &mut Settings) {
    settings.mode = Mode::JsonSchema;
    settings.fallback = vec![Mode::JsonObject, Mode::Text];
}

fn cases() -> Vec<Case> {
    let late = |ms: u64| Reply { delay_ms: ms, ..good() };
    let endless = |endless| Reply { endless: Some(endless), stream: Some(true), ..Reply::body_text("") };
    let retry_after = |status: u16, value: &str| Reply::status(status).with_header("Retry-After", value);
    let opening = event(r#"{"choices":[{"delta":{"content":"{\"answer\""}}]}"#);
    let mut cases = status_cases();
    cases.extend([
        Case::new("Retry-After of 0", vec![retry_after(429, "0"), good()], 2, "success"),
        Case::new("Retry-After of 1 s", vec![retry_after(429, "1"), good()], 2, "success"),
        Case::new(
            "Retry-After in the past",
            vec![retry_after(429, "Sun, 06 Nov 1994 08:49:37 GMT"), good()],
            2,
            "success",
        ),
        Case::new("Retry-After that says nothing", vec![retry_after(503, "soon"), good()], 2, "success"),
        Case::new("Retry-After of 2^64 - 1", vec![retry_after(429, "18446744073709551615")], 1, "deadline"),
        Case::new(
            "503 until the year 9999, within our own cap",
            vec![retry_after(503, "Fri, 31 Dec 9999 23:59:59 GMT")],
            4,
            "transport",
        ),
        Case::new("an answer that comes too late", vec![late(60_000)], 1, "deadline"),
        Case::new("a drip of one byte", vec![Reply { piece: Some(1), pause_ms: 200, ..good() }], 1, "deadline"),
        Case::new("keep-alives for ever", vec![Reply { pause_ms: 20, ..endless(Endless::KeepAlive) }], 1, "deadline")
            .streamed(),
        Case::new(
            "a connection that hangs up",
            vec![Reply { drops: Some(Drop::Connection), ..good() }],
            4,
            "transport",
        ),
        Case::new("hangs up once", vec![Reply { drops: Some(Drop::Connection), ..good() }, good()], 2, "success"),
        Case::new("breaks in the body", vec![Reply { drops: Some(Drop::Body), ..good() }], 4, "transport"),
        Case::new("breaks in the body once", vec![Reply { drops: Some(Drop::Body), ..good() }, good()], 2, "success"),
        Case::new("no script at all", Vec::new(), 4, "transport"),
        Case::new("a stream in pieces of one byte", vec![Reply { piece: Some(1), ..good() }], 1, "success").streamed(),
        Case::new(
            "an object where a stream was asked for",
            vec![Reply { stream: Some(false), ..good() }],
            1,
            "success",
        )
        .streamed(),
        Case::new("a stream where an object was asked for", vec![Reply { stream: Some(true), ..good() }], 1, "success"),
        Case::new(
            "an error within a stream",
            vec![stream(format!("{opening}{}", event(r#"{"error":{"message":"x"}}"#)))],
            4,
            "transport",
        )
        .streamed(),
        Case::new(
            "an error within a stream, then good",
            vec![stream(event(r#"{"error":{"code":503}}"#)), good()],
            2,
            "success",
        )
        .streamed(),
        Case::new(
            "a refusal of the key within a stream",
            vec![stream(event(r#"{"error":{"code":401}}"#))],
            1,
            "transport",
        )
        .streamed(),
        Case::new("a stream that just stops", vec![stream(opening)], 4, "transport").streamed(),
        Case::new(
            "an error inside a 200",
            vec![Reply::body_text(r#"{"error":{"message":"busy"}}"#), good()],
            2,
            "success",
        ),
        Case::new("endless bytes", vec![endless(Endless::Bytes)], 1, "transport"),
        Case::new("endless bytes for a stream", vec![endless(Endless::Bytes)], 1, "transport").streamed(),
        Case::new("endless text", vec![endless(Endless::Text)], 1, "transport").streamed(),
        Case::new("endless calls", vec![endless(Endless::Calls)], 1, "transport").streamed(),
    ]);
    cases.extend(answer_cases());
    cases
}

fn status_cases() -> Vec<Case> {
    let elsewhere = |status| Reply::status(status).with_header("Location", "http://127.0.0.1:9/");
    vec![
        Case::new("400", vec![Reply::status(400)], 1, "transport"),
        Case::new("401", vec![Reply::status(401)], 1, "transport"),
        Case::new("403", vec![Reply::status(403)], 1, "transport"),
        Case::new("404", vec![Reply::status(404)], 1, "transport"),
        Case::new("413", vec![Reply::status(413)], 1, "transport"),
        Case::new("501", vec![Reply::status(501)], 1, "transport"),
        Case::new("301", vec![elsewhere(301)], 1, "transport"),
        Case::new("302", vec![elsewhere(302)], 1, "transport"),
        Case::new("307", vec![elsewhere(307)], 1, "transport"),
        Case::new("500 for ever", vec![Reply::status(500)], 4, "transport"),
        Case::new("429 for ever", vec![Reply::status(429)], 11, "transport"),
        Case::new("503, then good", statuses(&[503]), 2, "success"),
        Case::new("502, 500, then good", statuses(&[502, 500]), 3, "success"),
        Case::new("408, 503, 502, then good", statuses(&[408, 503, 502]), 4, "success"),
        Case::new("429 three times, then good", statuses(&[429, 429, 429]), 4, "success"),
    ]
}

/// What a model says, rather than what a server does.
fn answer_cases() -> Vec<Case> {
    let says = Reply::content;
    let cut = || Reply { finish_reason: Some("length".to_owned()), ..Reply::content(r#"{"answer": "ye"#) };
    let nothing = |body: &str| vec![Reply::body_text(body)];
    vec![
        Case::new("good", vec![good()], 1, "success"),
        Case::new("bad, then good", vec![says(BAD), good()], 2, "success"),
        Case::new("bad, other, then good", vec![says(BAD), says(WORSE), good()], 3, "success"),
        Case::new("never good", vec![says(BAD), says(WORSE), says("{}")], 3, "exhausted"),
        Case::new("the same twice", vec![says(BAD)], 2, "repeated"),
        Case::new("cut off", vec![cut()], 1, "truncated"),
        Case::new("cut off, and a shorter one is asked for", vec![cut(), good()], 2, "success")
            .with(|settings| settings.on_truncation = OnTruncation::AskShorter),
        Case::new("cut off twice", vec![cut()], 2, "truncated")
            .with(|settings| settings.on_truncation = OnTruncation::AskShorter),
        Case::new("switched off", vec![says(BAD)], 1, "exhausted").with(|settings| settings.enabled = false),
        Case::new("no tokens left", vec![Reply { usage: Some([90, 10]), ..says(BAD) }], 1, "token_budget")
            .with(|settings| settings.token_budget = Some(100)),
        Case::new("wrong in three modes", vec![says(BAD)], 6, "repeated").with(chain),
        Case::new("two modes rejected", statuses(&[400, 422]), 3, "success").with(chain),
        Case::new("HTML", nothing("<html>busy</html>"), 1, "transport"),
        Case::new("null", nothing("null"), 1, "transport"),
        Case::new("an empty body", nothing(""), 1, "transport"),
        Case::new("no choices", nothing(r#"{"choices":[]}"#), 1, "transport"),
        Case::new("no content", nothing(r#"{"choices":[{"message":{"content":null}}]}"#), 2, "repeated"),
        Case::new(
            "a refusal",
            nothing(r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#),
            1,
            "model_refused",
        ),
        Case::new("100,000 brackets", nothing(&format!("{{\"choices\":{}", "[".repeat(100_000))), 1, "transport"),
        Case::new("50,000 choices", vec![Reply::body_text(many_choices())], 1, "success"),
    ]
}

fn many_choices() -> String {
    let content = serde_json::to_string(support::GOOD).expect("a string is JSON");
    let first = format!(r#"{{"message":{{"content":{content}}}}}"#);
    format!("{{\"choices\":[{first}{}]}}", ",{}".repeat(50_000))
}

/// The settings of these tests: short pauses, plain text, and a short deadline where it is what ends the run.
fn reask(case: &Case) -> Reask {
    let mut settings = Settings::default();
    settings.mode = Mode::Text;
    settings.deadline = if case.stop == "deadline" { DEADLINE } else { ENOUGH };
    settings.retries = Retries::default()
        .with_base(Duration::from_millis(5))
        .with_cap(Duration::from_millis(20))
        .with_jitter_seed(Some(1));
    (case.settings)(&mut settings);
    support::reask().settings(settings)
}

fn run(reask: &Reask, model: &HttpModel) -> Result<Answer, Failure> {
    run_with(reask, model, &TokioTimer::default())
}

fn run_with(reask: &Reask, model: &HttpModel, timer: &impl Timer) -> Result<Answer, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(reask.run_with(model, "What is it?", timer))
}

/// The time of the system, and the latest moment that the loop asks to wait for. What it asks for depends on the times that it was told alone,
/// and so not on how busy the machine is.
#[derive(Default)]
struct Asked {
    timer: TokioTimer,
    first: Cell<Option<Duration>>,
    told: Cell<Duration>,
    latest: Cell<Duration>,
}

impl Asked {
    /// How long after the start of the run the longest wait would end.
    fn longest(&self) -> Duration {
        self.latest.get().saturating_sub(self.first.get().unwrap_or_default())
    }
}

impl Timer for Asked {
    fn now(&self) -> Duration {
        let now = self.timer.now();
        self.first.set(self.first.get().or(Some(now)));
        self.told.set(now);
        now
    }

    fn sleep(&self, pause: Duration) -> impl Future<Output = ()> + Send {
        self.latest.set(self.latest.get().max(self.told.get() + pause));
        tokio::time::sleep(pause)
    }
}

/// The peak of the memory of this process, in MiB; 0 where the system does not tell.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1_024
}

/// How many requests a run sends and how it ends; the bounds are checked on the way.
fn outcome(case: &Case) -> (usize, &'static str) {
    let server = ModelServer::start(Script::new(case.replies.clone())).expect("a port is free");
    let client = HttpModel::builder(server.base_url(), "scripted").max_body_bytes(MAX_BODY);
    let model = (case.client)(client).build().expect("loopback needs no key");
    let reask = reask(case);
    let timer = Asked::default();
    let result = run_with(&reask, &model, &timer);
    let requests = server.asked().len();
    let settings = reask.current_settings();
    let most = settings.max_requests() * (settings.retries.count + 1) + settings.retries.max_rate_limited;
    assert!(requests <= most as usize, "{}: {requests} of at most {most}", case.name);
    let longest = timer.longest();
    assert!(!longest.is_zero() && longest <= settings.deadline, "{}: waits for {longest:?}", case.name);
    (requests, result.map_or_else(|failure| failure.stop.as_str(), |_| "success"))
}

#[test]
fn l7_whatever_a_server_does_requests_time_and_memory_are_bounded() {
    let before = peak_mib();
    println!("| script | requests | stop |\n|---|---|---|");
    let mut wrong = Vec::new();
    let cases = cases();
    // Most of a run is waiting, so they wait together.
    let results: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = cases.iter().map(|case| scope.spawn(|| outcome(case))).collect();
        runs.into_iter().map(|run| run.join().expect("a run ends")).collect()
    });
    for (case, (requests, stop)) in cases.iter().zip(results) {
        println!("| {} | {requests} | {stop} |", case.name);
        if (requests, stop) != (case.requests, case.stop) {
            wrong.push(format!(
                "{}: {requests} requests, {stop}; wanted {} and {}",
                case.name, case.requests, case.stop
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.len() >= 30);
    let grown = peak_mib() - before;
    println!("{} scripts, memory grew by {grown} MiB at the most", cases.len());
    assert!(grown <= 64, "memory grew by {grown} MiB");
}

#[test]
fn l7_a_redirect_sends_nothing_to_the_other_host() {
    let other = ModelServer::start(Script::new([good()])).expect("a port is free");
    let elsewhere = Reply::status(307).with_header("Location", &format!("{}/chat/completions", other.base_url()));
    let server = ModelServer::start(Script::new([elsewhere])).expect("a port is free");
    let key = ApiKey::new("sk-CANARY-0123456789");
    let model = HttpModel::builder(server.base_url(), "scripted").key(key).build().expect("it is right");
    let failure = run(&support::reask(), &model).expect_err("it is not followed");
    assert_eq!(failure.stop.as_str(), "transport");
    assert_eq!((server.connections(), other.connections()), (1, 0));
}

#[test]
fn plain_http_and_credentials_in_the_address_are_refused() {
    for address in [
        "http://models.example/v1",
        "https://user:s3cret@models.example",
        "https://user@models.example",
        "ftp://x",
        "",
        "models",
    ] {
        let error = HttpModel::builder(address, "m").build().expect_err(address);
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }
    assert!(HttpModel::builder("http://models.example/v1", "m").allow_plain_http(true).build().is_ok());
    for address in ["http://127.0.0.1:1/v1", "http://[::1]:1/v1", "http://localhost:1/v1/", "https://models.example/v1"]
    {
        assert!(HttpModel::builder(address, "m").build().is_ok(), "{address}");
    }
}

#[test]
fn the_key_is_in_one_header_and_in_no_error() {
    // Its letters stand in no figure of the record, such as the time that passed.
    const KEY: &str = "sk-CANARY/QWXZ+jqv=kzy";
    // As it is, quoted, encoded for a URL, in base64 alone and within other text.
    let spellings = [
        KEY.to_owned(),
        format!("\\\"{KEY}\\\""),
        "sk-CANARY%2FQWXZ%2Bjqv%3Dkzy".to_owned(),
        "c2stQ0FOQVJZL1FXWForanF2PWt6eQ==".to_owned(),
        "QmVhcmVyIHNrLUNBTkFSWS9RV1haK2pxdj1renk=".to_owned(),
        format!("Bearer {KEY}"),
    ];
    for spelling in &spellings {
        let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {spelling}","code":"{spelling}"}}}}"#);
        let replies = [
            Reply { body: Some(body.clone()), ..Reply::status(401) },
            Reply { body: Some(body.clone()), ..Reply::status(400) },
            Reply { body: Some(body.clone()), ..Reply::status(500) },
            Reply { body: Some(body.clone()), ..Reply::status(429) }.with_header("Retry-After", spelling),
            Reply::body_text(body.clone()),
            stream(event(&body)),
            Reply { status: 302, ..Reply::body_text(body.clone()) }
                .with_header("Location", &format!("http://127.0.0.1:9/{spelling}")),
            Reply::body_text(spelling.clone()),
            Reply::content(serde_json::json!({ "answer": spelling, "score": 1 }).to_string()),
            Reply { finish_reason: Some(spelling.clone()), ..good() },
        ];
        for reply in replies {
            let server = ModelServer::start(Script::new([reply])).expect("a port is free");
            let model =
                HttpModel::builder(server.base_url(), "scripted").key(ApiKey::new(KEY)).build().expect("it is right");
            let case = Case::new("", Vec::new(), 0, "");
            let failure = run(&reask(&case), &model).expect_err("there is no answer");
            let record = serde_json::to_string(&failure).expect("a failure is data");
            let detail = failure.error.transport().and_then(|error| error.detail()).unwrap_or_default();
            let shown = format!("{failure} {failure:?} {record} {detail} {model:?}");
            for trace in ["CANARY", "Q0FOQVJZ", "NBTkFSW", "DQU5BUl", "QWXZ"] {
                assert!(!shown.contains(trace), "{trace} in {shown}");
            }
            let asked = server.asked();
            let header = asked[0].header("authorization").expect("the key was sent");
            assert_eq!(header, format!("Bearer {KEY}"));
            assert!(!asked[0].body.contains("CANARY") && !asked[0].path.contains("CANARY"));
        }
    }
}

#[test]
fn l3_requests_ask_for_the_format_of_their_mode_and_re_asks_for_temperature_0() {
    let replies = [Reply::content(BAD), Reply::content(BAD), Reply::content(WORSE), Reply::content(WORSE), good()];
    let server = ModelServer::start(Script::new(replies)).expect("a port is free");
    let model = HttpModel::builder(server.base_url(), "small-1").build().expect("it is right");
    let mut case = Case::new("", Vec::new(), 0, "");
    case.settings = chain;
    let conversation = jsonseam_reask::Conversation::from("What is it?").with_temperature(0.7);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let answer = runtime.block_on(reask(&case).run_with(&model, conversation, &TokioTimer::default()));
    assert!(answer.is_ok(), "{answer:?}");
    let asked = server.asked();
    let formats: Vec<_> = asked
        .iter()
        .map(|asked| asked.json()["response_format"]["type"].as_str().unwrap_or("text").to_owned())
        .collect();
    assert_eq!(formats, ["json_schema", "json_schema", "json_object", "json_object", "text"]);
    assert_eq!(asked[0].json()["model"], "small-1");
    assert_eq!(asked[0].json()["response_format"]["json_schema"]["schema"]["type"], "object");
    assert_eq!(
        (asked[0].json()["temperature"].as_f64(), asked[1].json()["temperature"].as_f64()),
        (Some(0.7), Some(0.0))
    );
    assert!(asked.iter().all(|asked| asked.path == "/v1/chat/completions"));
}

#[test]
fn a_run_that_is_dropped_leaves_no_connection() {
    let server = ModelServer::start(Script::new([Reply { delay_ms: 60_000, ..good() }])).expect("a port is free");
    let model = HttpModel::builder(server.base_url(), "scripted").build().expect("it is right");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let reask = support::reask();
    runtime.block_on(async {
        let timer = TokioTimer::default();
        let run = reask.run_with(&model, "What is it?", &timer);
        let dropped = tokio::time::timeout(Duration::from_millis(200), run).await;
        assert!(dropped.is_err(), "the server answers much later");
        // What the client library runs for a connection ends once the run is gone.
        let handle = tokio::runtime::Handle::current();
        for _ in 0..1_000 {
            if handle.metrics().num_alive_tasks() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(handle.metrics().num_alive_tasks(), 0);
    });
}
