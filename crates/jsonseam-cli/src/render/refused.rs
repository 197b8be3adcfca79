//! A refusal: where, why, and what would have mended it.

use jsonseam::{Error, Limit, Policy, Position, Reason};

use crate::console;
use crate::engine::{self, Engine};

/// Tells the refusal of `name` on standard error, with help below it.
///
/// No byte of the text is shown, only places and names.
pub(crate) fn refusal(name: &str, error: &Error, bytes: &[u8], engine: &Engine) {
    console::note(refusal_line(name, error, bytes));
    for help in help(error, bytes, engine) {
        console::note_below(format_args!("help: {help}"));
    }
}

/// Where and why, in one line.
pub(crate) fn refusal_line(name: &str, error: &Error, bytes: &[u8]) -> String {
    let place = error.position().map_or_else(String::new, |Position { line, column, .. }| format!(":{line}:{column}"));
    let mut message = format!("{name}{place}: {}", described(error, bytes));
    if let Some(expected) = error.expected() {
        message.push_str(", expected ");
        message.push_str(expected.described());
    }
    message
}

/// How `jsonseam repair` would take the text.
pub(crate) fn repair_help(bytes: &[u8], engine: &Engine) -> Vec<String> {
    match engine.repair(bytes) {
        Ok(_) => vec!["`jsonseam repair` mends it".to_owned()],
        Err(error) => match error.reason() {
            Reason::InvalidUtf8 | Reason::LimitExceeded => help(&error, bytes, engine),
            _ => {
                let preset = mending_preset(bytes, engine);
                preset.map(|preset| format!("`jsonseam repair --preset {preset}` mends it")).into_iter().collect()
            }
        },
    }
}

fn described(error: &Error, bytes: &[u8]) -> String {
    let text = match error.reason() {
        Reason::NoJsonObjectFound if bytes.is_empty() => "the input is empty",
        Reason::NoJsonObjectFound if bytes.iter().all(u8::is_ascii_whitespace) => "the input is only white space",
        Reason::NoJsonObjectFound => "no JSON of the wanted kind found",
        Reason::TopLevelArrayNotAllowed => "the outermost value is an array",
        Reason::TopLevelScalarNotAllowed => "the outermost value is a string",
        Reason::TopLevelObjectNotAllowed => "the outermost value is an object",
        Reason::Syntax => "not valid JSON",
        Reason::Truncated => "the text ends before its JSON does",
        Reason::AmbiguousPayload => "more than one payload found",
        Reason::NotRepresentable => "valid JSON that cannot be represented",
        Reason::InvalidUtf8 => return format!("not UTF-8 from byte {} on", offset(error)),
        Reason::LimitExceeded => return limit_described(error),
        other => return other.to_string(),
    };
    format!("{text} ({})", error.reason())
}

fn limit_described(error: &Error) -> String {
    let limit = error.limit_met().map_or("", Limit::as_str);
    let rule = error.rule().map_or_else(String::new, |rule| format!(" in rule {rule}"));
    format!("the limit {limit} is exceeded{rule} (limit_exceeded)")
}

fn offset(error: &Error) -> usize {
    error.position().map_or(0, |position| position.offset)
}

fn help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    match error.reason() {
        Reason::InvalidUtf8 => vec![encoding_help(bytes).to_owned()],
        Reason::LimitExceeded => vec![limit_help(error).to_owned()],
        Reason::NoJsonObjectFound if !bytes.iter().all(u8::is_ascii_whitespace) => {
            vec!["other outermost values: --root array or --root any".to_owned()]
        }
        Reason::TopLevelArrayNotAllowed => {
            vec!["to take arrays: --root array or --root any".to_owned()]
        }
        Reason::TopLevelScalarNotAllowed => vec!["to take any value: --root any".to_owned()],
        Reason::TopLevelObjectNotAllowed => {
            vec!["to take objects: --root object or --root any".to_owned()]
        }
        Reason::AmbiguousPayload => ambiguity_help(error, bytes, engine),
        _ => mending_help(error, bytes, engine),
    }
}

fn encoding_help(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        "looks like UTF-16, convert it to UTF-8"
    } else {
        "convert the text to UTF-8"
    }
}

fn limit_help(error: &Error) -> &'static str {
    match error.limit_met() {
        Some(Limit::InputBytes) => "to allow more: max-input-bytes under [limits] in jsonseam.toml",
        Some(Limit::Depth) => "deeper nesting than max-depth under [limits] is not read; 127 is the most",
        Some(Limit::Edits) => "to allow more: max-edits under [limits] in jsonseam.toml",
        Some(Limit::Candidates) => "to allow more: max under [candidates] in jsonseam.toml",
        _ => "disable the rule that takes so long, or split the text",
    }
}

fn ambiguity_help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    /// More places than this tell a reader nothing.
    const SHOWN: usize = 8;
    let spans: Vec<String> =
        error.candidates().iter().take(SHOWN).map(|span| format!("{}..{}", span.start, span.end)).collect();
    let choosing = [Policy::First, Policy::Last, Policy::Best].into_iter();
    let others: Vec<_> = choosing.filter(|&policy| policy != engine.config.policy()).map(Policy::as_str).collect();
    let mut lines = Vec::new();
    if !spans.is_empty() {
        let more = if error.candidates().len() > SHOWN { ", …" } else { "" };
        lines.push(format!(
            "they lie at bytes {}{more}; choose one: --candidates {}",
            spans.join(", "),
            others.join(" or ")
        ));
    }
    let whole = mending_preset(bytes, engine);
    lines.extend(whole.map(|preset| format!("the smallest preset that takes it: --preset {preset}")));
    lines
}

fn mending_help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    let mut lines = Vec::new();
    let rules: Vec<String> = error.mended_by().iter().map(|rule| format!("`{rule}`")).collect();
    if let Some(first) = error.mended_by().first() {
        let mut enabling = engine.config.clone();
        enabling.enable(first);
        let advice = match jsonseam::pipeline(&enabling) {
            Ok(_) => format!("not enabled: {}; for example --enable {first}", rules.join(", ")),
            Err(_) => {
                format!("excluded by the configuration: {}; raise --max-risk, or drop its `order`", rules.join(", "))
            }
        };
        lines.push(format!("would mend this, but {advice}"));
    }
    let whole =
        mending_preset(bytes, engine).map(|preset| format!("the smallest preset that mends it: --preset {preset}"));
    lines.extend(whole.or_else(|| holding_preset(error, engine)));
    if lines.is_empty() {
        lines.push("no known rule mends this; ask the model again, or mend it by hand".to_owned());
    }
    lines
}

/// The smallest preset with which the whole text would have been repaired, found by trying.
fn mending_preset(bytes: &[u8], engine: &Engine) -> Option<String> {
    let mends = |preset: &str| {
        let mut config = engine.config.clone();
        config.set_preset(preset);
        let pipeline = jsonseam::pipeline(&config);
        pipeline.is_ok_and(|pipeline| engine::repair(&pipeline, bytes, engine.finish_reason.as_ref()).is_ok())
    };
    let catalogue = jsonseam::catalogue().ok()?;
    let preset = catalogue.presets().iter().find(|preset| mends(&preset.name))?;
    Some(preset.name.clone())
}

/// The smallest preset that answers this one fault, though others follow.
fn holding_preset(error: &Error, engine: &Engine) -> Option<String> {
    let answers = |rules: &[String]| error.mended_by().iter().any(|rule| rules.contains(rule));
    let catalogue = jsonseam::catalogue().ok()?;
    let preset = catalogue.presets().iter().find(|preset| answers(&preset.rules))?;
    // A rule of the preset in force is off for another reason.
    if preset.name == engine.config.preset() {
        return None;
    }
    Some(format!("the smallest preset with such a rule: --preset {}, but other faults would remain", preset.name))
}
