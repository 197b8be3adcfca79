//! What a run tells of an answer while it is written is true of the outputs, in whichever pieces it comes (SPEC T1, T2).
#![cfg(feature = "stream")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jsonseam_adapter::{Adapter, FieldEvent, When};
use jsonseam_core::{Catalogue, Policy};
use jsonseam_reask::{
    AnswerEvent, Envelope, Failure, Mode, Piece, Reask, Response, Scope, Step, ToolCall, TransportError, Watch,
};

fn adapter(policy: Option<Policy>) -> Adapter {
    let builder = Adapter::builder().catalogue(|| Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS));
    let builder = builder.preset("standard").schema("city", r#"{"type": "string"}"#);
    let builder = builder.schema("days", r#"{"type": "array", "items": {"type": "integer"}}"#);
    let builder = builder.streamed("city", When::State).streamed("days", When::State);
    policy.into_iter().fold(builder, jsonseam_adapter::AdapterBuilder::candidates).build().expect("the contract holds")
}

/// An event, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
    Attempt(u32),
    Text(String, String),
    Element(String, usize, String),
    Field(String, String),
    Hopeless,
    GivenUp(u32, Vec<String>, bool),
    Withdrawn(u32),
}

impl Told {
    fn of(event: &AnswerEvent<'_>) -> Option<Self> {
        Some(match event {
            AnswerEvent::Attempt { number, .. } => Self::Attempt(*number),
            AnswerEvent::Field(FieldEvent::Text { name, text, .. }) => Self::Text(name.clone(), text.clone()),
            AnswerEvent::Field(FieldEvent::Element { name, index, json }) => {
                Self::Element(name.clone(), *index, json.clone())
            }
            AnswerEvent::Field(FieldEvent::Field { name, json }) => Self::Field(name.clone(), json.clone()),
            AnswerEvent::Field(FieldEvent::Hopeless(_)) => Self::Hopeless,
            AnswerEvent::GivenUp { number, errors, stopped_early } => {
                Self::GivenUp(*number, errors.to_vec(), *stopped_early)
            }
            AnswerEvent::Withdrawn { number } => Self::Withdrawn(*number),
            _ => return None,
        })
    }
}

/// The text in pieces of so many bytes, or of some by chance if that is 0.
fn pieces(text: &str, len: usize) -> Vec<&str> {
    let (mut pieces, mut rest, mut state) = (Vec::new(), text, text.len() as u64 | 1);
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let len = if len == 0 { usize::try_from(state >> 33).unwrap_or(0) % 20 } else { len };
        let at = (len.max(1)..=rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// What a run told, and what it gave: the outputs by name, or the failure.
type Run = (Vec<Told>, Result<BTreeMap<String, String>, Failure>);

/// Runs over these answers, each shown in pieces of so many bytes; the last `held` bytes of a text are not shown before the end.
fn run(reask: &Reask, answers: &[Response], len: usize, held: usize) -> Run {
    let told = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&told);
    let reask = reask.clone().on_event(move |event| own.lock().expect("it is open").extend(Told::of(event)));
    let mut machine = reask.machine("Where is it?", Duration::ZERO);
    for answer in answers {
        let Step::Ask(_) = machine.step(Duration::ZERO) else { break };
        let (mut came, mut is_given_up) = (Response::new(""), false);
        let shown = (0..=answer.text.len().saturating_sub(held)).rev().find(|&at| answer.text.is_char_boundary(at));
        for piece in pieces(&answer.text[..shown.unwrap_or(0)], len) {
            came.text.push_str(piece);
            is_given_up = machine.observe(piece) == Watch::Hopeless;
            if is_given_up {
                break;
            }
        }
        for (call, known) in answer.tool_calls.iter().enumerate() {
            if is_given_up {
                break;
            }
            came.tool_calls.push(ToolCall::new(known.name.as_str(), ""));
            for json in pieces(&known.arguments, len) {
                came.tool_calls[call].arguments.push_str(json);
                is_given_up = machine.observe(Piece::arguments(call, &known.name, json)) == Watch::Hopeless;
                if is_given_up {
                    break;
                }
            }
        }
        machine.answer(Duration::ZERO, Ok(if is_given_up { came } else { answer.clone() }));
    }
    let end = machine.finish().map(|answer| {
        answer.outputs.iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect::<BTreeMap<_, _>>()
    });
    let told = told.lock().expect("it is open").clone();
    (told, end)
}

/// What is wrong with what was told, given the outputs.
fn fault(told: &[Told], outputs: &BTreeMap<String, String>) -> Option<String> {
    let last = told.iter().rposition(|told| matches!(told, Told::Attempt(_)))?;
    let own = &told[last + 1..];
    let before = told[..last].split(|told| matches!(told, Told::Attempt(_))).skip(1);
    for attempt in before {
        if !matches!(attempt.last(), Some(Told::GivenUp(..))) {
            return Some("an attempt is not told to be over".to_owned());
        }
    }
    if own.iter().any(|told| matches!(told, Told::Withdrawn(_))) {
        return None;
    }
    let mut texts = BTreeMap::<&str, String>::new();
    let mut elements = BTreeMap::<&str, Vec<serde_json::Value>>::new();
    for told in own {
        let is_true = match told {
            Told::Text(name, text) => {
                let text = texts.entry(name).or_default().clone() + text;
                texts.insert(name, text.clone());
                let whole: Option<String> = outputs.get(name).and_then(|json| serde_json::from_str(json).ok());
                whole.is_some_and(|whole| whole.starts_with(&text))
            }
            Told::Element(name, index, json) => {
                let known = elements.entry(name).or_default();
                known.push(serde_json::from_str(json).expect("it is JSON"));
                let whole: Option<Vec<serde_json::Value>> =
                    outputs.get(name).and_then(|json| serde_json::from_str(json).ok());
                known.len() == index + 1 && whole.is_some_and(|whole| whole.starts_with(known))
            }
            Told::Field(name, json) => outputs.get(name) == Some(json),
            Told::Hopeless | Told::GivenUp(..) => false,
            Told::Attempt(_) | Told::Withdrawn(_) => true,
        };
        if !is_true {
            return Some(format!("{told:?}"));
        }
    }
    None
}

const GOOD: &str = "{\"city\": \"Malm\u{f6}\", \"days\": [1, 2]}";

fn call(name: &str, arguments: &str) -> Response {
    Response::new("").with_tool_calls(vec![ToolCall::new(name, arguments)])
}

/// Reads the object after `CALL`.
struct AfterMark;

impl Envelope for AfterMark {
    fn envelopes(&self, completion: &str) -> Vec<String> {
        completion.split_once("CALL").map(|(_, after)| after.to_owned()).into_iter().collect()
    }
}

fn answers() -> Vec<Vec<Response>> {
    let said = Response::new;
    let broken = said("{'city': 'Malm\u{f6}', 'days': [1, 2,],}");
    let both = |first: &Response, call: &Response| first.clone().with_tool_calls(call.tool_calls.clone());
    vec![
        vec![said(GOOD)],
        vec![broken.clone()],
        vec![said(&format!("Here it is:\n```json\n{GOOD}\n```\nDone."))],
        vec![said(&format!("<think>A {{draft}}.</think> {GOOD}"))],
        vec![said("{\"city\": 7, \"days\": []}"), said("{\"town\": 1}"), said(GOOD)],
        vec![said("{\"city\": \"Os"), said(GOOD)],
        vec![said("{\"city\": \"Oslo\", \"days\": [\"one\"]}"), broken],
        vec![said(&format!("{{\"city\": \"Oslo\"}} or rather {GOOD}"))],
        vec![said(&format!("{{\"city\": \"Oslo\", \"days\": [1,], \"mood\": 1}} CALL{GOOD}"))],
        vec![call("answer", GOOD)],
        vec![call("answer", "{\"city\": \"Oslo\", \"days\": {}}"), call("answer", GOOD)],
        vec![call("rm", "{\"city\": \"Oslo\", \"days\": []}"), call("", GOOD)],
        vec![both(&said("Let me see."), &call("answer", GOOD))],
        vec![both(&said("{\"city\": \"Oslo\"}"), &call("answer", GOOD))],
        vec![call("answer", "{\"city\": 1}").with_tool_calls(vec![
            ToolCall::new("answer", "{\"city\": \"Oslo\", \"days\": [], \"more\": 1}"),
            ToolCall::new("answer", GOOD),
        ])],
        vec![said(""), said(GOOD)],
        vec![said("No."), said("Not today.")],
    ]
}

fn loops() -> Vec<Reask> {
    let mut loops = Vec::new();
    for policy in [None, Some(Policy::First), Some(Policy::Last)] {
        for mode in [Mode::JsonSchema, Mode::Tool, Mode::Text] {
            let own = Reask::new(adapter(policy)).mode(mode).max_attempts(3);
            loops.extend([own.clone().envelope(AfterMark), own.clone().gives_up(true), own]);
        }
    }
    loops.push(Reask::new(adapter(None)).scope(Scope::FailingFields));
    loops
}

#[test]
fn t1_what_is_told_of_an_attempt_is_what_the_run_gives() {
    let (mut early, mut withdrawn) = (0, 0);
    for reask in loops() {
        for answers in answers() {
            let whole = {
                let mut left = answers.clone().into_iter();
                let mut model = |_: jsonseam_reask::Request| -> Result<Response, TransportError> {
                    Ok(left.next().unwrap_or_default())
                };
                reask.clone().gives_up(false).run_blocking(&mut model, "Where is it?")
            };
            for (len, held) in [(1, 0), (7, 3), (64, 0), (0, 1)] {
                let (told, end) = run(&reask, &answers, len, held);
                let shown = format!("{answers:?} in pieces of {len}: {told:?}");
                let Ok(outputs) = end else {
                    assert!(whole.is_err() || reask.current_settings().gives_up == Some(true), "{shown}");
                    assert!(told.is_empty() || matches!(told.last(), Some(Told::GivenUp(..))), "{shown}");
                    continue;
                };
                let same = whole.as_ref().expect("it is an answer").outputs.iter();
                assert!(outputs.iter().map(|(name, text)| (name.as_str(), text.as_str())).eq(same), "{shown}");
                assert_eq!(fault(&told, &outputs), None, "{shown}");
                early += told.iter().filter(|told| matches!(told, Told::Field(..))).count();
                let is_withdrawn = told.iter().any(|told| matches!(told, Told::Withdrawn(_)));
                let holds_two = |answer: &Response| {
                    let texts = answer.tool_calls.len() + usize::from(answer.text.contains('{'));
                    texts > 1 || answer.text.contains("rather") || answer.text.contains("CALL")
                };
                assert!(!is_withdrawn || answers.iter().any(holds_two), "{shown}");
                withdrawn += usize::from(is_withdrawn);
            }
        }
    }
    assert!(early > 500 && (1..early / 5).contains(&withdrawn), "{early} fields, {withdrawn} withdrawn");
}

#[test]
fn t2_the_law_sees_what_is_not_true() {
    let reask = Reask::new(adapter(None));
    let answers = [Response::new("{\"city\": 7}"), Response::new(GOOD)];
    let (told, end) = run(&reask, &answers, 7, 0);
    let outputs = end.expect("it is an answer");
    assert_eq!(fault(&told, &outputs), None);
    for liar in [
        Told::Field("city".to_owned(), "\"Oslo\"".to_owned()),
        Told::Text("city".to_owned(), "Oslo".to_owned()),
        Told::Element("days".to_owned(), 2, "3".to_owned()),
        Told::Hopeless,
    ] {
        let lying: Vec<_> = told.iter().cloned().chain([liar.clone()]).collect();
        assert!(fault(&lying, &outputs).is_some(), "{liar:?}");
    }
    let silent: Vec<_> = told.into_iter().filter(|told| !matches!(told, Told::GivenUp(..))).collect();
    assert!(fault(&silent, &outputs).is_some());
}

#[test]
fn t2_arguments_settle_while_they_come_and_a_hopeless_call_is_given_up() {
    let reask = Reask::new(adapter(None)).mode(Mode::Tool).gives_up(true);
    let hopeless =
        call("answer", "{\"city\": \"Oslo\", \"days\": [1, \"two\"], \"more\": \"and so on, for a long time\"}");
    let (told, end) = run(&reask, &[hopeless, call("answer", GOOD)], 1, 0);
    assert!(end.is_ok());
    let given_up = Told::GivenUp(1, vec!["output_validation_failed/schema".to_owned()], true);
    let at = told.iter().position(|told| *told == given_up).expect("it is told");
    let field = Told::Field("city".to_owned(), "\"Oslo\"".to_owned());
    assert!(told[..at].contains(&field) && told[at - 1] == Told::Hopeless, "{told:?}");
    // Unless the caller says otherwise, a further call may be the answer.
    let patient = Reask::new(adapter(Some(Policy::First))).mode(Mode::Tool);
    let patient = patient.on_exhausted(jsonseam_reask::OnExhausted::Fail);
    let mut both = call("answer", "{\"more\": 1}");
    both.tool_calls.push(ToolCall::new("answer", GOOD));
    let (told, end) = run(&patient, &[both], 1, 0);
    assert!(end.is_ok() && !told.contains(&Told::Hopeless), "{told:?}");
    // Nor is a text given up that a call may follow.
    let mut spoken = Response::new("{\"more\": 1}");
    spoken.tool_calls.push(ToolCall::new("answer", GOOD));
    let tools = jsonseam_reask::Conversation::from("Where?").with_tools([serde_json::json!({"type": "function"})]);
    let own = Reask::new(adapter(Some(Policy::First))).on_exhausted(jsonseam_reask::OnExhausted::Fail);
    let mut machine = own.machine(tools, Duration::ZERO);
    let Step::Ask(_) = machine.step(Duration::ZERO) else { panic!("there is a request") };
    assert_eq!(machine.observe(spoken.text.as_str()), Watch::GoOn);
    machine.answer(Duration::ZERO, Ok(spoken));
    assert!(machine.finish().is_ok());
}
