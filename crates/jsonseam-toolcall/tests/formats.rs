//! Every format of the built-in packs against cases of our own, each also cut at every character (SPEC L1, B2, B3).
#![expect(clippy::print_stdout, reason = "the counts are shown")]

#[path = "common/threads.rs"]
mod threads;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use jsonseam_core::{Catalogue, Config, Pipeline, Root};
use jsonseam_toolcall::{Envelope, Error, Extractor, Packs, Tools};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Case {
    name: String,
    /// The format that must read it.
    format: String,
    input: String,
    /// JSON: by name of a tool, the schema of its parameters.
    tools: Option<String>,
    /// The envelope, compared as JSON.
    output: Option<String>,
    /// The envelope, compared as text without white space between tokens.
    text: Option<String>,
    #[serde(default)]
    none: bool,
    error: Option<String>,
    /// Whether the text holds a whole call, and what follows makes it doubtful.
    #[serde(default)]
    doubtful: bool,
    /// Rules that repaired an argument.
    #[serde(default)]
    rules: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

const FAMILIES: [(&str, &str, &str); 6] = [
    ("J", "json", include_str!("cases/json.toml")),
    ("N", "named", include_str!("cases/named.toml")),
    ("X", "tagged", include_str!("cases/tagged.toml")),
    ("K", "keyed", include_str!("cases/keyed.toml")),
    ("P", "python", include_str!("cases/python.toml")),
    ("G", "gemma", include_str!("cases/gemma.toml")),
];

fn cases(text: &str) -> Vec<Case> {
    toml::from_str::<File>(text).unwrap_or_else(|error| panic!("{error}")).case
}

fn packs() -> Packs {
    static PACKS: OnceLock<Packs> = OnceLock::new();
    let parse = || Packs::parse(&jsonseam_toolcall::WRAPPERS).unwrap_or_else(|error| panic!("{error}"));
    PACKS.get_or_init(parse).clone()
}

fn standard() -> Pipeline {
    static PIPELINE: OnceLock<Pipeline> = OnceLock::new();
    PIPELINE.get_or_init(built_standard).clone()
}

fn built_standard() -> Pipeline {
    let config = Config::default().with_preset("standard").with_root(Root::Any);
    let catalogue = Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS).expect("the catalogue is right");
    Pipeline::new(&config, &catalogue).expect("the preset is right")
}

fn extractor(case: &Case) -> Extractor {
    let extractor = Extractor::new(packs()).with_pipeline(standard());
    let Some(tools) = &case.tools else { return extractor };
    let declared: BTreeMap<String, Value> = serde_json::from_str(tools).expect("the tools are JSON");
    extractor.with_tools(declared.iter().fold(Tools::new(), |tools, (name, schema)| tools.tool(name, schema)))
}

/// What a text gives, in words; the laws of edits are checked on the way.
fn read(extractor: &Extractor, input: &str) -> Result<Option<Envelope>, Error> {
    let envelope = extractor.extract(input)?;
    if let Some(envelope) = &envelope {
        b2_the_edits_make_the_envelope(input, envelope);
    }
    Ok(envelope)
}

fn b2_the_edits_make_the_envelope(input: &str, envelope: &Envelope) {
    let mut made = String::new();
    let mut pos = 0;
    for seam in envelope.edits() {
        assert!(pos <= seam.span.start && seam.span.start <= seam.span.end, "edits go forward in {input}");
        made.push_str(&input[pos..seam.span.start]);
        made.push_str(seam.replacement);
        pos = seam.span.end;
    }
    made.push_str(&input[pos..]);
    assert_eq!(made, envelope.text(), "{input}");
    assert!(serde_json::from_str::<Value>(envelope.text()).is_ok(), "{input}: {}", envelope.text());
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The verdict on a case, or what is wrong with it.
fn check(case: &Case) -> Result<&'static str, String> {
    let result = read(&extractor(case), &case.input);
    let ensure = |holds: bool, seen: String| if holds { Ok(()) } else { Err(seen) };
    match result {
        Ok(Some(envelope)) => {
            ensure(envelope.formats().any(|name| name == case.format), format!("read as {envelope:?}"))?;
            let seen = || envelope.text().to_owned();
            match (&case.text, &case.output) {
                (Some(text), _) => ensure(envelope.text() == text, seen())?,
                (_, Some(output)) => ensure(value(envelope.text()) == value(output), seen())?,
                _ => return Err(seen()),
            }
            let made: Vec<_> = envelope.edits().map(|seam| seam.rule.to_owned()).collect();
            ensure(case.rules.iter().all(|rule| made.contains(rule)), format!("edits by {made:?}"))?;
            Ok("envelope")
        }
        Ok(None) => ensure(case.none, "no call was found".to_owned()).map(|()| "no call"),
        Err(error) => {
            ensure(case.error.as_deref() == Some(error.reason().as_str()), error.to_string())?;
            Ok(error.reason().as_str())
        }
    }
}

#[test]
fn l1_every_format_reads_its_cases() {
    let packs = packs();
    println!("| family | formats | cases | verdicts |");
    let (mut all, mut wrong) = (0, Vec::new());
    for (family, _, text) in FAMILIES {
        let cases = cases(text);
        let mut verdicts = BTreeMap::new();
        for case in &cases {
            match check(case) {
                Ok(verdict) => *verdicts.entry(verdict).or_insert(0) += 1,
                Err(seen) => wrong.push(format!("{} ({}): {seen}", case.name, case.format)),
            }
        }
        let formats: Vec<_> = packs.formats().filter(|(of, _)| *of == family).map(|(_, name)| name).collect();
        for format in &formats {
            assert!(cases.iter().any(|case| case.format == *format), "the format {format} has no case");
        }
        println!("| {family} | {} | {} | {verdicts:?} |", formats.len(), cases.len());
        assert!(cases.len() >= 5, "at least five cases for each family");
        all += cases.len();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all >= 40, "at least forty cases");
}

/// The calls of an envelope.
fn calls(envelope: &Envelope) -> Vec<Value> {
    value(envelope.text())["toolCalls"].as_array().cloned().unwrap_or_default()
}

/// A case and what it gives cut at every character, and whole: the envelopes, each with the length of its text.
struct Cut {
    case: Case,
    envelopes: Vec<(usize, Envelope)>,
}

/// Every case, cut: read once for all laws about beginnings.
fn cut_cases() -> &'static [Cut] {
    static CUT: OnceLock<Vec<Cut>> = OnceLock::new();
    let envelopes = |case: &Case| {
        let extractor = extractor(case);
        let ends = case.input.char_indices().map(|(end, _)| end).chain([case.input.len()]);
        let envelope = |end| read(&extractor, &case.input[..end]).ok().flatten().map(|envelope| (end, envelope));
        ends.filter_map(envelope).collect::<Vec<_>>()
    };
    CUT.get_or_init(|| {
        let cases: Vec<_> = FAMILIES.iter().flat_map(|(_, _, text)| cases(text)).collect();
        let envelopes = threads::in_threads(&cases, envelopes);
        cases.into_iter().zip(envelopes).map(|(case, envelopes)| Cut { case, envelopes }).collect()
    })
}

#[test]
fn b3_cut_anywhere_no_call_is_invented_and_no_value_completed() {
    let mut wrong = Vec::new();
    // What follows may make the whole doubtful, though not the calls before it wrong.
    for Cut { case, envelopes } in cut_cases().iter().filter(|cut| !cut.case.doubtful) {
        let is_whole = |(end, _): &&(usize, Envelope)| *end == case.input.len();
        let whole = envelopes.iter().find(is_whole).map(|(_, envelope)| calls(envelope)).unwrap_or_default();
        for (end, envelope) in envelopes {
            let calls = calls(envelope);
            if whole.get(..calls.len()) != Some(calls.as_slice()) {
                wrong.push(format!("{}: cut to {}", case.name, &case.input[..*end]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn l1_marks_never_leak_into_content() {
    let mut wrong = Vec::new();
    let marks = [
        "<tool_call",
        "</tool_call",
        "<|tool",
        "<｜",
        "<invoke",
        "</invoke",
        "<function",
        "<arg_",
        "[TOOL_CALLS",
        "<|channel",
    ];
    for Cut { case, envelopes } in cut_cases() {
        for (_, envelope) in envelopes {
            let content = value(envelope.text())["content"].as_str().unwrap_or_default().to_owned();
            // What a code span shows is meant to be shown.
            let content: String = content.split('`').step_by(2).collect();
            if marks.iter().any(|mark| content.contains(mark)) {
                wrong.push(format!("{}: {content}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn m5_no_message_quotes_the_completion() {
    let secret = "CANARY";
    for input in [
        "<tool_call>{\"name\": 7, \"CANARY\": 1}</tool_call>",
        "<invoke name=\"CANARY\"><CANARY></invoke>",
        "<tool_call>{\"name\":\"CANARY\",\"arguments\":{\"CANARY\":\"CANARY",
    ] {
        let error = Extractor::new(packs()).extract(input).expect_err("it is broken");
        assert!(!format!("{error} {error:?}").contains(secret), "{error:?}");
    }
    let envelope =
        Extractor::new(packs()).extract("<tool_call>{\"name\":\"CANARY\"}</tool_call>").expect("it is right");
    assert!(!format!("{envelope:?}").contains(secret));
}

#[test]
fn every_pack_of_the_folder_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrappers");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it is readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect();
    let mut embedded: Vec<_> = jsonseam_toolcall::WRAPPERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    found.sort();
    embedded.sort();
    assert_eq!(found, embedded);
}

#[test]
fn b2_every_edit_of_a_call_with_escaped_underscores_is_on_record() {
    let extractor = extractor(&cases(FAMILIES[0].2)[0]);
    let extractor = extractor.with_tools(Tools::new().tool("get_weather", &Value::Null));
    for (text, rules) in [
        (r#"{"name": "get\_weather", "arguments": {"city": "Oslo",}}"#, vec!["invalid-escape", "trailing-comma"]),
        (r#"get\_weather(city="a\tb\_c")"#, vec!["escaped-underscore", "escaped-underscore"]),
        (r#"[get\_weather(city="Oslo")]"#, vec!["escaped-underscore"]),
    ] {
        let envelope = extractor.extract(text).expect("it is read").expect("there is a call");
        let made: Vec<_> = envelope.repairs().map(|edit| edit.rule.to_owned()).collect();
        assert_eq!(made, rules, "{text}");
    }
}
