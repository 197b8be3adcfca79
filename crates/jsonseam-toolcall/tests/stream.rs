//! Calls of a text that comes in pieces: what is told before its end is true of the whole, and nothing that is not a call is announced (SPEC T1, T2, L0a).
#![expect(clippy::print_stdout, reason = "the counts are shown")]

mod common;
#[path = "common/threads.rs"]
mod threads;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use common::Sentence;
use jsonseam_core::{Catalogue, Config, Pipeline, Root};
use jsonseam_toolcall::{CallEvent, Envelope, Error, Extractor, Packs, Reading, Reason, Tools, WRAPPERS};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    input: String,
    tools: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Collected {
    text: String,
    tools: Option<BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
struct Made<'t> {
    #[serde(borrow, rename = "toolCalls")]
    calls: Vec<Call<'t>>,
    content: Option<String>,
}

#[derive(Deserialize)]
struct Call<'t> {
    name: String,
    #[serde(borrow)]
    arguments: &'t RawValue,
}

fn pipeline() -> Pipeline {
    static PIPELINE: OnceLock<Pipeline> = OnceLock::new();
    let build = || {
        let config = Config::default().with_preset("standard").with_root(Root::Any);
        let catalogue = Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS).expect("the catalogue is right");
        Pipeline::new(&config, &catalogue).expect("the preset is right")
    };
    PIPELINE.get_or_init(build).clone()
}

fn extractor() -> Extractor {
    static EXTRACTOR: OnceLock<Extractor> = OnceLock::new();
    let build = || {
        let packs = Packs::parse(&WRAPPERS).unwrap_or_else(|error| panic!("{error}"));
        Extractor::new(packs).with_pipeline(pipeline())
    };
    EXTRACTOR.get_or_init(build).clone()
}

fn offering(tools: &BTreeMap<String, Value>) -> Extractor {
    extractor().with_tools(tools.iter().fold(Tools::new(), |tools, (name, schema)| tools.tool(name, schema)))
}

/// The texts of all cases of the packs, with their tools.
fn cases() -> Vec<(Extractor, String)> {
    let files = [
        include_str!("cases/json.toml"),
        include_str!("cases/named.toml"),
        include_str!("cases/tagged.toml"),
        include_str!("cases/keyed.toml"),
        include_str!("cases/python.toml"),
        include_str!("cases/gemma.toml"),
    ];
    let cases = files.into_iter().flat_map(|file| toml::from_str::<Cases>(file).expect("the cases are TOML").case);
    let with_tools = cases.map(|Case { input, tools }| {
        let Some(tools) = tools else { return (extractor(), input) };
        (offering(&serde_json::from_str(&tools).expect("the tools are JSON")), input)
    });
    with_tools.collect()
}

/// The sentences in which something is called or shown, and whether a call is meant.
fn sentences() -> Vec<(Extractor, String, bool)> {
    let own = extractor().with_tools(common::tools());
    let read = |sentence: Sentence| (own.clone().with_bare(sentence.bare()), sentence.text, sentence.meant);
    common::sentences().into_iter().map(read).collect()
}

/// Texts of other projects' tests, where they are on this machine.
fn collected() -> Vec<(Extractor, String)> {
    let Some(folder) = std::env::var_os("JSONSEAM_DATA") else { return Vec::new() };
    let path = std::path::Path::new(&folder).join("toolcalls/cases.jsonl");
    let Ok(lines) = std::fs::read_to_string(path) else { return Vec::new() };
    let read = |line: &str| {
        let Collected { text, tools } = serde_json::from_str(line).expect("a line is a record");
        (tools.as_ref().map_or_else(extractor, offering), text)
    };
    lines.lines().map(read).collect()
}

/// The text in pieces of so many bytes, or of some at random if that is 0.
fn pieces(text: &str, len: usize, seed: u64) -> Vec<&str> {
    let (mut pieces, mut rest, mut state) = (Vec::new(), text, seed | 1);
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = usize::try_from(state >> 33).unwrap_or(0) % 40;
        let len = if len == 0 { random } else { len };
        let at = (len.max(1)..=rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// What a stream told before the end, all that it told, and what it gave.
struct Streamed {
    early: Vec<CallEvent>,
    all: Vec<CallEvent>,
    end: Result<Reading, Error>,
}

fn streamed(own: &Extractor, text: &str, len: usize) -> Streamed {
    let mut stream = own.stream();
    let mut early = Vec::new();
    for piece in pieces(text, len, text.len() as u64) {
        match stream.push(piece) {
            Ok(events) => early.extend(events),
            Err(_) => break,
        }
        assert!(!stream.may_run(0), "nothing may be run before the end");
    }
    let mut all = early.clone();
    let end = stream.finish_with(|event| all.push(event));
    assert_eq!(stream.may_run(0), end.as_ref().is_ok_and(|reading| reading.envelope().is_some()));
    Streamed { early, all, end }
}

/// What is wrong with events, given what the whole text gives; `is_all` if none is left to be told.
fn fault(events: &[CallEvent], whole: &Reading, is_all: bool) -> Option<String> {
    let empty = Made { calls: Vec::new(), content: None };
    let envelope = whole.envelope().map_or(Ok(empty), |envelope| serde_json::from_str(envelope.text()));
    let Made { calls, content } = envelope.expect("an envelope is JSON");
    let (mut told, mut said, mut done) = (Vec::<(String, String)>::new(), String::new(), 0);
    for event in events {
        match event {
            CallEvent::Content { text } => said.push_str(text),
            CallEvent::Thought => said.clear(),
            CallEvent::Begin { index, name, .. } if *index == told.len() => told.push((name.clone(), String::new())),
            CallEvent::Arguments { index, json } if *index < told.len() && *index >= done => told[*index].1 += json,
            CallEvent::Done { index } if *index == done && *index < told.len() => done += 1,
            other => return Some(format!("{other:?} is out of order")),
        }
    }
    for (index, (name, arguments)) in told.iter().enumerate() {
        let Some(call) = calls.get(index) else { return Some(format!("call {index} is announced and not made")) };
        if call.name != *name {
            return Some(format!("call {index} is announced under another name"));
        }
        let is_whole = index < done;
        let own = call.arguments.get();
        if is_whole && own != arguments || !own.starts_with(arguments.as_str()) {
            return Some(format!("call {index} has other arguments: {own} and not {arguments}"));
        }
    }
    if is_all && (told.len() < calls.len() || done < calls.len()) {
        return Some("a call is not told".to_owned());
    }
    if is_all && whole.envelope().is_some() && content.unwrap_or_default() != said {
        return Some(format!("other content: {said}"));
    }
    None
}

fn shown(end: &Result<Reading, Error>) -> String {
    match end {
        Ok(reading) => {
            format!("{:?} {:?}", reading.envelope().map(|envelope| envelope.text().to_owned()), reading.passed_over())
        }
        Err(error) => format!("{} at {:?}", error.reason().as_str(), error.position()),
    }
}

/// What ends thoughts that the prompt began, in the texts here.
const ENDS_OF_THOUGHTS: [&str; 2] = ["</think>", "<|think:end|>"];

/// How often what was told.
#[derive(Debug, Default)]
struct Counts {
    runs: usize,
    calls: usize,
    early: usize,
    withdrawn: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.calls += other.calls;
        self.early += other.early;
        self.withdrawn += other.withdrawn;
    }
}

/// What the law saw of a text, so that who asks more of it need not read it again.
struct Judged {
    whole: Result<Reading, Error>,
    /// The stream of single bytes.
    by_bytes: Streamed,
    counts: Counts,
}

/// The law for one text in all pieces.
fn law(own: &Extractor, text: &str) -> Judged {
    let whole = own.read(text);
    let by_bytes = streamed(own, text, 1);
    let mut counts = judge(&whole, text, 1, &by_bytes);
    for len in [7, 64, 0] {
        counts.add(&judge(&whole, text, len, &streamed(own, text, len)));
    }
    Judged { whole, by_bytes, counts }
}

/// The law for one text in pieces of one length.
fn judge(whole: &Result<Reading, Error>, text: &str, len: usize, streamed: &Streamed) -> Counts {
    let Streamed { early, all, end } = streamed;
    let is_withdrawn = end.as_ref().is_err_and(|error| error.reason() == Reason::Withdrawn);
    let counts = Counts {
        runs: 1,
        calls: whole.as_ref().ok().and_then(Reading::envelope).map_or(0, |envelope| envelope.names().len()),
        early: early.iter().filter(|event| matches!(event, CallEvent::Begin { .. })).count(),
        withdrawn: usize::from(is_withdrawn),
    };
    if is_withdrawn {
        // A mark that ends thoughts hides calls; and a closer that was missing may be put before what was told.
        let rules: Vec<_> = whole.iter().filter_map(Reading::envelope).flat_map(Envelope::repairs).collect();
        let is_balanced = rules.iter().any(|edit| edit.rule == "unbalanced-call");
        let is_hidden = ENDS_OF_THOUGHTS.iter().any(|end| text.contains(end));
        assert!(is_hidden || is_balanced, "pieces of {len}: {text} {}", shown(whole));
        return counts;
    }
    assert_eq!(shown(end), shown(whole), "pieces of {len}: {text}");
    let is_plain = |whole: &Reading| whole.envelope().is_some() && whole.thoughts().is_empty();
    let is_anew = whole.as_ref().is_ok_and(is_plain) && all.contains(&CallEvent::Thought);
    assert!(!is_anew, "pieces of {len}, other content: {text}\n{all:?}\n{}", shown(whole));
    if let Ok(whole) = whole {
        let fault = fault(early, whole, false).or_else(|| fault(all, whole, true));
        assert_eq!(fault, None, "pieces of {len}: {text}\n{}", shown(end));
    }
    counts
}

/// Puts texts to the law, each with its extractor; gives what was seen of each, in their order, and all counts as one.
fn laws(texts: &[(Extractor, String)]) -> (Vec<Judged>, Counts) {
    let judged = threads::in_threads(texts, |(own, text)| law(own, text));
    let mut counts = Counts::default();
    for judged in &judged {
        counts.add(&judged.counts);
    }
    (judged, counts)
}

#[test]
fn t1_the_calls_of_a_stream_are_those_of_the_whole_text() {
    for (name, texts) in [("cases", cases()), ("collected", collected())] {
        let (_, counts) = laws(&texts);
        println!("{name}: {counts:?}");
        assert!(counts.early * 2 >= counts.calls, "most calls are announced before the end: {counts:?}");
    }
}

/// What may be before a call, and after it: each opens or ends something that would quote or hide it.
const AROUND: [&str; 44] = [
    "",
    "Well.\n",
    " and ",
    "\n\n",
    "\"",
    "'",
    "`",
    "``",
    "```\n",
    "\n```\n",
    "\n```json\n",
    "~~~\n",
    "> ",
    "\n> ",
    "\u{201C}",
    "\u{201D}",
    "\u{AB}",
    "\u{BB}",
    "<pre>",
    "</pre>",
    "<!-- ",
    " -->",
    "<think>",
    "</think>",
    "<think>hm</think>",
    "<|im_end|>",
    "<|im_start|>user\n",
    "\nObservation: ",
    "Action:\n",
    "{",
    "[",
    "}",
    "{\"a\": \"",
    "\"}",
    "isn't ",
    " `a` ",
    " \"a\" ",
    "f(",
    "<tool_call>",
    "</tool_call>",
    "5\" ",
    "/* ",
    " */",
    "~~",
];

const CALLS: [&str; 7] = [
    r#"<tool_call>{"name": "f", "arguments": {"x": "1"}}</tool_call>"#,
    r#"<tool_call>{"arguments": {"x": "`"}, "name": "f"}</tool_call>"#,
    r#"<invoke name="f"><parameter name="x">a "b" `c`</parameter></invoke>"#,
    r#"[TOOL_CALLS][{"name": "f", "arguments": {"x": "'"}}]"#,
    "<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>1</arg_value></tool_call>",
    "<\u{FF5C}tool\u{2581}call\u{2581}begin\u{FF5C}>f<\u{FF5C}tool\u{2581}sep\u{FF5C}>{\"x\": \"1\"}<\u{FF5C}tool\u{2581}call\u{2581}end\u{FF5C}>",
    r#"<tool_call>{'name': 'f', 'arguments': {'x': 'it"s',}}</tool_call>"#,
];

#[test]
fn l0a_whatever_is_before_a_call_and_after_it_decides_before_it_is_announced() {
    let own = extractor().with_tools(Tools::new().tool("f", &json!({"properties": {"x": {"type": "string"}}})));
    let (mut texts, mut state) = (Vec::new(), 7_u64);
    let mut next = |len: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % len
    };
    for _ in 0..200 {
        let around: Vec<_> = (0..6).map(|_| AROUND[next(AROUND.len())]).collect();
        let (one, other) = (CALLS[next(CALLS.len())], CALLS[next(CALLS.len())]);
        let text =
            format!("{}{}Now {one}{}{}{other}{}{}", around[0], around[1], around[2], around[3], around[4], around[5]);
        texts.push((own.clone(), text));
        texts.push((own.clone(), format!("{}{one}{}", around[0], around[2])));
    }
    let (_, counts) = laws(&texts);
    println!("mixed: {counts:?}");
    assert!(counts.early > 80 && counts.withdrawn * 20 < counts.runs, "{counts:?}");
}

#[test]
fn t2_what_a_broken_body_means_is_told_as_the_whole_text_has_it() {
    let tool = json!({"properties": {"x": {}, "y": {}, "input": {}}, "additionalProperties": false});
    let own = extractor().with_tools(Tools::new().tool("f", &tool));
    let bodies = [
        r#"{"name": "f", "arguments": {"x": "a", "id": "c1"}"#,
        r#"{"name": "f", "arguments": {"x": {"b": 1}, "y": 2}"#,
        r#"{"name": "f", "arguments": {"x": [1, 2, "y": 3}}"#,
        r#"{"name": "f", "arguments": {"x": "a"}}}"#,
        r#"{"name": "f", "arguments": {"x": "a"}}, "y": 1}"#,
        r#"{{"name": "f", "arguments": {"x": "a"}}}"#,
        r#"{"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}"#,
        r#"{"name": "f", "arguments": "{\"x\": [1}"}"#,
        r#"{"name": "f", "arguments": {"arguments": {"x": 1}}}"#,
        r#"{"name": "f", "input": {"x": 1}}"#,
        r#"{"name": "f", "arguments": {}, "x": 1}"#,
        r#"{"name": "f", "arguments": {"x": 1}, "name": "g"}"#,
        r#"{"name": "f", "arguments": {"x": 1}, "arguments": {"x": 2}}"#,
        r#"{"name": "f", "arguments": {"x": 1, "x": 2}}"#,
        r#"{"tool_calls": [{"name": "f", "arguments": {"x": 1}}]}"#,
        r#"[{"name": "f", "arguments": {"x": 1}}, {"name": "f", "arguments": {"x": 2}}]"#,
        r#"{"name": "f", "arguments": {"x": 1}}; {"name": "f", "arguments": {"x": 2}}"#,
        r#"{"name": "f", "arguments": {"x": 1}} {"x": 2}"#,
        r#"{"name": "f", "arguments": {"x": 1}} and more"#,
        r#"{"name": "f"}"#,
        r#"{"name": "g", "arguments": {"x": 1}}"#,
        r#"{"Name": "g", "name": "f", "arguments": {"x": 1}}"#,
        r#"{"name": "f", "arguments": {"x": "say "hi" now", "y": 1}}"#,
        r"{'name': 'f', 'arguments': {'x': 'it is', 'y': True,}}",
        r#"{"name": "f", "arguments": {"x": "a</tool_call>b"}}"#,
        "{\"name\": \"f\", \"arguments\": {\"x\": \"a\nb\"\n\"y\": 1}}",
        "```json\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n```",
        r#"{"name": "f", "arguments": {"x": "never"#,
        r#"{"name": "f", "arguments": {"type": "object", "properties": {"x": {"type": "string"}}}}"#,
        r#"{"name": "f", "parameters": {"properties": {"x": {"type": "string"}}, "type": "object"}}"#,
        r#"{"name": "f", "arguments": {"x": 1}, "description": "Finds x."}"#,
        r#"{"name": "f", "description": "Finds x.", "parameters": {"x": 1}}"#,
        r#"{"name": "f", "arguments": {"x": 1}, "result": 2}"#,
        r#"{"name": "f", "arguments": {"x": 1}}<tool_response>2</tool_response>"#,
    ];
    let around = [
        ("<tool_call>", "</tool_call>"),
        ("On it. [TOOL_CALLS]", ""),
        ("<tool_call>\n", "\n</tool_call>\nDone."),
        ("<tool_call>", ""),
    ];
    let text = |body| around.map(|(head, end)| (own.clone(), format!("{head}{body}{end}")));
    let texts: Vec<_> = bodies.iter().flat_map(text).collect();
    let (_, counts) = laws(&texts);
    println!("broken: {counts:?}");
    assert!(counts.early * 2 > counts.calls, "{counts:?}");
}

#[test]
fn the_law_sees_a_stream_that_lies() {
    let own = extractor();
    let text = r#"Well. <tool_call>{"name": "f", "arguments": {"x": "a</tool_call>b", "y": [1]}}</tool_call>"#;
    let whole = own.read(text).expect("it is read");
    let Streamed { early, all, .. } = streamed(&own, text, 7);
    assert_eq!((fault(&early, &whole, false), fault(&all, &whole, true)), (None, None));
    let begin = |name: &str| CallEvent::Begin { index: 0, name: name.to_owned(), format: "hermes".to_owned() };
    let piece = |json: &str| CallEvent::Arguments { index: 0, json: json.to_owned() };
    for lie in [
        // A name that was not whole, and a call that the text does not make.
        vec![begin("")],
        vec![begin("f"), CallEvent::Begin { index: 1, name: "g".to_owned(), format: "hermes".to_owned() }],
        // What a mark seems to end, a value that is closed at a cut, and a call that is done before it is.
        vec![begin("f"), piece(r#"{"x": "a"}"#)],
        vec![begin("f"), piece(r#"{"x": "a</tool_call>b", "y": [1, "#)],
        vec![begin("f"), piece(r#"{"x": "a"#), CallEvent::Done { index: 0 }],
        vec![piece("{")],
    ] {
        assert!(fault(&lie, &whole, false).is_some(), "{lie:?}");
    }
    assert!(fault(&early[..early.len() - 1], &whole, true).is_some());
    // A call that a later mark hides.
    let hidden = own.read(&format!("{text} hm</think>No.")).expect("it is read");
    assert!(fault(&early, &hidden, false).is_some());
}

/// Texts as models write them, each with one string that is an argument. None holds a back-tick: after one, the rule for quotes in code may still edit
/// a string up to its end.
fn scripted() -> Vec<(String, String)> {
    let code = "def f(x):\n    \"\"\"Say it.\"\"\"\n    return {'a': [x, \"b\"]}  # <b>&amp;</b>\n";
    let prose = "It isn't \u{201C}done\u{201D}: C:\\temp\\new, 50\u{20AC}; see [a] and {b}.\n\n- one\n- two\n";
    let mut texts = Vec::new();
    for value in [code.repeat(12), prose.repeat(12), "plain words and no more of it ".repeat(40)] {
        let value = serde_json::to_string(&value).expect("a string is JSON");
        let arguments = format!("{{\"path\": \"a.py\", \"text\": {value}, \"mode\": 7}}");
        let call = format!("{{\"name\": \"write_file\", \"arguments\": {arguments}}}");
        for text in [
            format!("<tool_call>\n{call}\n</tool_call>"),
            format!("I write it now.\n\n<tool_call>{call}</tool_call>\n<tool_call>{call}</tool_call>"),
            format!("<think>A file, then.</think>\n[TOOL_CALLS][{call}]"),
            format!("[TOOL_CALLS]write_file{arguments}"),
            format!(
                "<\u{FF5C}tool\u{2581}call\u{2581}begin\u{FF5C}>write_file<\u{FF5C}tool\u{2581}sep\u{FF5C}>{arguments}<\u{FF5C}tool\u{2581}call\u{2581}end\u{FF5C}>"
            ),
            format!("<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{arguments}<|call|>"),
        ] {
            texts.push((text, arguments.clone()));
        }
    }
    texts
}

#[test]
fn t4_the_work_is_linear_however_small_the_pieces_are() {
    let call = |len: usize| {
        let value = "x isn't <b>here</b> </tool ".repeat(len);
        format!("Now.\n<tool_call>{{\"name\": \"f\", \"arguments\": {{\"x\": \"{value}\"}}}}</tool_call>")
    };
    let tagged = |len: usize| {
        let value = "a </parameter> b </invoke>\n".repeat(len);
        format!("<invoke name=\"f\"><parameter name=\"x\">{value}</parameter></invoke>")
    };
    let own = offering(&BTreeMap::from([("f".to_owned(), json!({"type": "object"}))]));
    for text in [
        &call as &dyn Fn(usize) -> String,
        &tagged,
        &|len| {
            let values: Vec<_> = (0..len).map(|nth| format!("<parameter name=\"x{nth}\">a</parameter>")).collect();
            format!("<invoke name=\"f\">{}</invoke>", values.concat())
        },
        &|len| format!("<tool_call>f<arg_key>x</arg_key><arg_value>{}", "a </arg \n \\n &am".repeat(len)),
        &|len| call(1).repeat(len),
        &|len| format!("{}{}", call(len), "x isn't <b>here</b> ".repeat(len)),
        &|len| "<tool_call> ".repeat(len),
        &|len| format!("<think>{}", "</thin ".repeat(len)),
        &|len| "it `x `` y \n".repeat(len),
        &|len| format!("```\n{}", " ``` \n``".repeat(len)),
        &|len| format!("<tool_call>{}", " ".repeat(len)),
        &|len| "`".repeat(len),
        &|len| format!("it `{}", " ".repeat(len)),
        &|len| format!("```\n{}", "a".repeat(len)),
        &|len| format!("f\n{}", " ".repeat(len)),
        &|len| "f".repeat(len),
        &|len| format!("so \"{}", " ".repeat(len)),
        &|len| format!(">{}", ">".repeat(len)),
    ] {
        let looked = |len: usize| {
            let text = text(len);
            let mut stream = own.stream();
            for piece in pieces(&text, 4, 0) {
                let _ = stream.push(piece).map(Iterator::count);
            }
            (stream.work(), text.len() as u64)
        };
        let ((small, short), (large, long)) = (looked(250), looked(4_000));
        // A byte of the longer text costs no more than one of the shorter, but for what short ends cost.
        assert!(large * short * 4 < small * long * 5, "{small} of {short} and {large} of {long}: {}", text(1));
        assert!(large < 60 * long, "{large} of {long}: {}", text(1));
    }
}

#[test]
fn t2_a_string_argument_is_told_at_most_64_bytes_after_it_was_written() {
    let tool =
        json!({"properties": {"path": {"type": "string"}, "text": {"type": "string"}, "mode": {"type": "integer"}}});
    let own = extractor().with_tools(Tools::new().tool("write_file", &tool));
    let mut lags = Vec::new();
    for (text, arguments) in scripted() {
        let start = text.find(&arguments).expect("they are there");
        let mut stream = own.stream();
        let (mut pushed, mut told) = (0, 0);
        for piece in pieces(&text, 4, 0) {
            pushed += piece.len();
            for event in stream.push(piece).expect("it is right") {
                if let CallEvent::Arguments { index: 0, json } = event {
                    lags.extend((0..json.len()).map(|at| pushed - (start + told + at)));
                    told += json.len();
                }
            }
        }
        assert!(told + 64 >= arguments.len(), "{text}");
    }
    lags.sort_unstable();
    let part = |percent: usize| lags[(lags.len() - 1) * percent / 100];
    println!("lag of {} bytes: median {}, 95 % {}, most {}", lags.len(), part(50), part(95), part(100));
    assert!(part(95) <= 64);
}

/// A call of each format whose arguments are marked, with its one value still to be written: what precedes it, what ends it, and what ends the call.
const MARKED: [(&str, &str, &str); 10] = [
    ("<tool_call>\n<function=f>\n<parameter=x>\n", "\n</parameter>\n", "</function>\n</tool_call>"),
    (r#"<invoke name="f"><parameter name="x">"#, "</parameter>", "</invoke>"),
    (r#"<rfl:invoke name="f"><rfl:parameter name="x">"#, "</rfl:parameter>", "</rfl:invoke>"),
    (
        r#"<｜DSML｜invoke name="f"><｜DSML｜parameter name="x" string="true">"#,
        "</｜DSML｜parameter>",
        "</｜DSML｜invoke>",
    ),
    (r#"<steptml:invoke name="f"><steptml:parameter name="x">"#, "</steptml:parameter>", "</steptml:invoke>"),
    (r#"<function name="f"><param name="x">"#, "</param>", "</function>"),
    ("<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>", "</arg_value>\n", "</tool_call>"),
    ("<tool_call>f<tool_sep>\n<arg_key>x</arg_key>\n<arg_value>", "</arg_value>\n", "</tool_call>"),
    (
        r#"<|open|>call tool="f" index="0"<|sep|><|open|>argument key="x" type="string"<|sep|>"#,
        "<|close|>argument<|sep|>",
        "<|close|>call<|sep|>",
    ),
    ("<ifm|tool_call>f\n<ifm|arg_key>x</ifm|arg_key><ifm|arg_value>", "</ifm|arg_value>", "</ifm|tool_call>"),
];

/// The extractor of a tool whose `x` and `y` are text and whose `n` is a number or text.
fn with_texts() -> Extractor {
    let text = json!({"type": "string"});
    let tool = json!({"properties": {"x": text, "y": text, "n": {"type": ["integer", "string"]}}});
    extractor().with_tools(Tools::new().tool("f", &tool))
}

#[test]
fn t2_a_marked_text_is_told_as_it_is_written() {
    let own = with_texts();
    let code = "def f(x):\n    \"\"\"Say it.\"\"\"\n    return {'a': [x, \"b\"]}  # <b>&amp;</b> if a < b\n\n";
    let (mut lags, mut kept) = (Vec::new(), 0);
    for (head, value_end, call_end) in MARKED {
        for value in [code.repeat(20), "C:\\temp\\new, 50\u{20AC}; it's <i>so</i>. ".repeat(40)] {
            let text = format!("Now. {head}{value}{value_end}{call_end}");
            let start = text.len() - call_end.len() - value_end.len() - value.len();
            let whole = own.extract(&text).expect("it is read").expect("there is a call");
            let (mut stream, mut told, mut pushed) = (own.stream(), String::new(), 0);
            for piece in pieces(text.get(..start + value.len()).expect("it is a boundary"), 4, 0) {
                pushed += piece.len();
                for event in stream.push(piece).expect("it is right") {
                    if let CallEvent::Arguments { json, .. } = event {
                        told += &json;
                    }
                }
                let written = text.get(start..pushed).unwrap_or_default();
                let spelled = serde_json::to_string(written).expect("a text is JSON");
                kept = told.len().saturating_sub("{\"x\":\"".len());
                lags.push((spelled.len() - 2).saturating_sub(kept));
            }
            assert!(whole.text().contains(&told) && kept > 500, "{head}: {told}");
        }
    }
    lags.sort_unstable();
    let part = |percent: usize| lags[(lags.len() - 1) * percent / 100];
    println!("lag at {} pieces: median {}, 95 % {}, most {}", lags.len(), part(50), part(95), part(100));
    assert!(part(95) <= 64 && kept > 500);
}

/// What a value may begin and end with, and what may be in it: blanks that belong to marks, and what is like a mark.
const IN_VALUES: [&str; 34] = [
    "",
    "a",
    "a b",
    "\n",
    "\n\n",
    "\r\n",
    "\\n",
    "\\",
    "\r",
    " ",
    "\t\n  ",
    "<",
    "</",
    "</par",
    "</parameter",
    "</parameter>",
    "</param>",
    "\n</parameter1>",
    "</x>",
    "<x>b</x>",
    "</arg_value>",
    "</function>",
    "</invoke>",
    "</tool_call>",
    "<parameter=y>\nc\n</parameter>",
    "<parameter name=\"y\">",
    "<arg_key>y</arg_key>",
    "<|close|>",
    "&lt;b&gt;",
    "&am",
    "<![CDATA[a]]>",
    "<![CD",
    "{\"a\": 1}",
    "7",
];

#[test]
fn t2_wherever_a_marked_value_ends_what_was_told_is_its_beginning() {
    let own = with_texts();
    let (mut texts, mut state) = (Vec::new(), 11_u64);
    let mut next = |len: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % len
    };
    for nth in 0..1_200 {
        let (head, value_end, call_end) = MARKED[nth % MARKED.len()];
        let value: String = (0..=next(4)).map(|_| IN_VALUES[next(IN_VALUES.len())]).collect();
        let key = ["x", "y", "n", "z"][next(4)];
        let head = head.replace("\"x\"", &format!("\"{key}\"")).replace("=x>", &format!("={key}>"));
        let more = if next(3) == 0 {
            format!("{}{value}{value_end}", head.rsplit('f').next().unwrap_or_default())
        } else {
            String::new()
        };
        texts.push((own.clone(), format!("{head}{value}{value_end}{more}{call_end}")));
    }
    let (judged, counts) = laws(&texts);
    let (mut early, mut all) = (0, 0);
    for Judged { by_bytes: Streamed { early: events, end, .. }, .. } in &judged {
        let is_piece = |event: &&CallEvent| matches!(event, CallEvent::Arguments { .. });
        if end.as_ref().is_ok_and(|reading| reading.envelope().is_some()) {
            (all, early) = (all + 1, early + usize::from(events.iter().filter(is_piece).count() > 1));
        }
    }
    println!("values: {counts:?}, {early} of {all} in several pieces");
    assert!(early * 4 > all, "{early} of {all}");
}

#[test]
fn l0a_a_stream_announces_no_call_that_is_not_meant() {
    let (texts, meant): (Vec<_>, Vec<_>) =
        sentences().into_iter().map(|(own, text, meant)| ((own, text), meant)).unzip();
    let (judged, counts) = laws(&texts);
    for ((judged, (_, text)), meant) in judged.iter().zip(&texts).zip(meant) {
        assert!(judged.counts.withdrawn == 0 || !meant, "{text}");
        if !meant && judged.whole.is_ok() {
            let Streamed { early, end, .. } = &judged.by_bytes;
            let is_silent = !early.iter().any(|event| matches!(event, CallEvent::Begin { .. }));
            assert!(is_silent || end.is_err(), "{text}");
        }
    }
    println!("sentences: {counts:?}");
}

#[test]
fn t2_text_after_a_call_is_told_before_the_end_unless_it_may_repeat_the_call() {
    let own = extractor();
    let call = r#"{"name": "f", "arguments": {"x": "Done with it all"}}"#;
    let said = |text: &str, len: usize| {
        let Streamed { early, all, end } = streamed(&own, text, len);
        let joined = |events: &[CallEvent]| {
            let texts = events
                .iter()
                .filter_map(|event| if let CallEvent::Content { text } = event { Some(text.as_str()) } else { None });
            texts.collect::<String>()
        };
        assert_eq!(fault(&all, &end.expect("it is read"), true), None, "{text}");
        (joined(&early), joined(&all))
    };
    for len in [1, 7, 64, 0] {
        let (early, all) = said(&format!("On it. <tool_call>{call}</tool_call>\nThat was it, and more."), len);
        assert_eq!(
            (early.as_str(), all.as_str()),
            ("On it.\nThat was it, and more.", "On it.\nThat was it, and more.")
        );
        let two =
            format!("<tool_call>{call}</tool_call> So far so good. <tool_call>{call}</tool_call> That was it all.");
        assert_eq!(said(&two, len).0, "So far so good.  That was it all.");
        // It may be the call again up to a mark, which is no content, or prose that the call holds too.
        let again = format!("<tool_call>{call}</tool_call>\n{call}</tool_call>");
        assert_eq!(said(&again, len), (String::new(), String::new()));
        let (early, all) = said(&format!("<tool_call>{call}</tool_call> Done with it all"), len);
        assert_eq!((early.as_str(), all.as_str()), ("", "Done with it all"));
        let tagged = r#"<invoke name="f"><parameter name="x">a</parameter></invoke> That was it, and more."#;
        assert_eq!(said(tagged, len).0, "That was it, and more.");
    }
}

/// What a stream told in all, the pieces joined: the text around calls, and the calls.
fn joined(events: &[CallEvent]) -> (String, Vec<CallEvent>) {
    let (mut said, mut joined) = (String::new(), Vec::<CallEvent>::new());
    for event in events {
        match (joined.last_mut(), event) {
            (_, CallEvent::Content { text }) => said.push_str(text),
            (_, CallEvent::Thought) => said.clear(),
            (Some(CallEvent::Arguments { index: own, json: known }), CallEvent::Arguments { index, json })
                if own == index =>
            {
                known.push_str(json);
            }
            (_, event) => joined.push(event.clone()),
        }
    }
    (said, joined)
}

#[test]
fn t1_what_is_told_before_a_refusal_is_the_same_in_any_pieces() {
    let ended = |(own, text)| [(own, format!("{text} hm</think>No."))];
    let texts = cases().into_iter().chain(cases().into_iter().step_by(2).flat_map(ended));
    let (mut refused, mut events) = (0, 0);
    for (own, text) in texts {
        let whole = streamed(&own, &text, text.len());
        if whole.end.is_ok() {
            continue;
        }
        (refused, events) = (refused + 1, events + whole.all.len());
        for len in [1, 7, 64] {
            let pieces = streamed(&own, &text, len);
            assert_eq!(joined(&pieces.all), joined(&whole.all), "pieces of {len}: {text}");
            assert_eq!(shown(&pieces.end), shown(&whole.end), "pieces of {len}: {text}");
        }
    }
    println!("{events} events of {refused} refused texts");
    assert!(refused > 100 && events > refused, "{events} of {refused}");
}

#[test]
fn what_was_told_before_a_refusal_is_given_first_and_the_next_push_returns_it() {
    let text = "Well. <tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call> That was it.</think>No.";
    let mut stream = extractor().stream();
    let told: Vec<_> = stream.push(text).expect("there is something to tell").collect();
    let (said, calls) = joined(&told);
    assert_eq!((said.as_str(), calls.len()), ("Well.\nThat was it.", 3));
    assert_eq!(stream.push("").map(drop).expect_err("it is refused").reason(), Reason::Withdrawn);
    assert_eq!(stream.finish().expect_err("it stays refused").reason(), Reason::Withdrawn);
    // Without another push the end gives both.
    let mut stream = extractor().stream();
    stream.push(text).map(drop).expect("there is something to tell");
    let mut rest = Vec::new();
    assert_eq!(stream.finish_with(|event| rest.push(event)).expect_err("it is refused").reason(), Reason::Withdrawn);
    assert_eq!(rest, told);
}

/// What may follow any call: a mark that ends thoughts, and calls that cannot be read.
const REFUSING: [&str; 5] = [
    "</think>",
    " hm</think>No.",
    "\n<tool_call>{\"name\": \"",
    "<|im_end|>\n</think>No.",
    "\n<tool_call>{?}</tool_call>",
];

/// Whether a text that goes on otherwise after `start` makes nothing of its calls.
fn can_be_refused(own: &Extractor, start: &str) -> bool {
    let first =
        |text: &str| own.extract(text).ok().flatten().and_then(|envelope| envelope.names().next().map(str::to_owned));
    REFUSING.iter().any(|more| first(&format!("{start}{more}")).is_none())
}

#[test]
fn t2_no_call_may_run_before_the_end_since_what_follows_can_always_refuse_it() {
    let (mut formats, mut refused) = (BTreeMap::<String, usize>::new(), 0);
    for (own, text) in cases().into_iter().chain(collected().into_iter().step_by(5)) {
        let mut stream = own.stream();
        let (mut pushed, mut format, mut ends) = (0, String::new(), Vec::new());
        for piece in pieces(&text, 1, 1) {
            pushed += piece.len();
            let Ok(events) = stream.push(piece) else { break };
            for event in events {
                match event {
                    CallEvent::Begin { format: own, .. } => format = own,
                    CallEvent::Done { .. } => ends.push(pushed),
                    _ => {}
                }
            }
            assert!(!stream.may_run(0), "{text}");
        }
        // After each call, and after the mark that ends all of them.
        let whole = own.extract(&text).ok().flatten().map(|_| text.len());
        for end in ends.into_iter().chain(whole).filter(|_| !format.is_empty()) {
            assert!(can_be_refused(&own, &text[..end]), "{format}: {}", &text[..end]);
            *formats.entry(format.clone()).or_default() += 1;
            refused += 1;
        }
    }
    println!("{refused} prefixes with a call in {} formats: each can be refused by what follows", formats.len());
    assert!(refused > 300 && formats.len() > 40, "{refused} in {}", formats.len());
    // Without marks of thoughts, a turn of another role ends all calls: the test sees such a text.
    let pack = "turns = [\"<|im_start|>user\"]\n[[format]]\nname = \"hermes\"\ncall = [\"<tool_call>\"]\nend = [\"</tool_call>\"]\nbody = \"calls\"\nthoughts = { none = \"a test\" }\n";
    let thoughtless = Extractor::new(Packs::parse(&[("own", pack)]).unwrap_or_else(|error| panic!("{error}")));
    let call = r#"<tool_call>{"name": "f", "arguments": {}}</tool_call>"#;
    assert!(can_be_refused(&thoughtless, call) && !can_be_refused(&thoughtless, &format!("{call}<|im_start|>user\n")));
}
