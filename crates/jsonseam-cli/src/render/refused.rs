//! A refusal: where, why, and what would have repaired it.

use jsonseam::{Error, Further, Limit, Pipeline, Policy, Position, Reason, Repaired, Root};

use super::readings;
use crate::console;
use crate::counts::counted;
use crate::engine::{self, Engine};
use crate::identity;
use crate::input::{decoded, utf16_unit};
use crate::left_out;
use crate::presets::{self, ByPreset};

/// Longest text for which it is found out what would repair it: that takes a repair for each preset and each locator that is off,
/// and advice must not take longer than what was asked for.
pub(crate) const LONGEST_ADVISED: usize = 4 << 20;

/// Reports the refusal of `name` on standard error, with help below it.
///
/// No byte of the text is shown, only places and names.
pub(crate) fn refusal(name: &str, error: &Error, bytes: &[u8], engine: &Engine) {
    refusal_of_line(name, 1, error, bytes, engine);
}

/// Reports the refusal of a text for which a contract declares the keys: help does not say to declare some.
pub(crate) fn refusal_under_contract(name: &str, error: &Error, bytes: &[u8], engine: &Engine) {
    tell(name, 1, error, bytes, engine, true);
}

/// Reports the refusal of the line with this number, with help below it.
pub(crate) fn refusal_of_line(name: &str, line: usize, error: &Error, bytes: &[u8], engine: &Engine) {
    tell(name, line, error, bytes, engine, false);
}

fn tell(name: &str, line: usize, error: &Error, bytes: &[u8], engine: &Engine, is_declared: bool) {
    let before = line.saturating_sub(1);
    console::note(refusal_line(name, before, error, bytes));
    if console::is_quiet() {
        return;
    }
    readings::lines(error, bytes, before).iter().for_each(console::note_below);
    if error.reason() == Reason::AmbiguousRepair {
        readings_help(error, bytes, engine, is_declared).iter().for_each(console::help_below);
    } else {
        help(error, bytes, engine).iter().for_each(console::help_below);
        unanswered_help(error, before).iter().for_each(console::help_below);
    }
}

/// Where and why, in one line, in a text whose first line comes after `before` lines.
pub(crate) fn refusal_line(name: &str, before: usize, error: &Error, bytes: &[u8]) -> String {
    let place = match error.position() {
        Some(Position { line, column, .. }) => format!(":{}:{column}", before + line),
        None if before > 0 => format!(":{}", before + 1),
        None => String::new(),
    };
    format!("{name}{place}: {}", reason(error, bytes))
}

/// Why, and by which rules and where if there are two readings, as several lines.
pub(super) fn reason_and_readings(before: usize, error: &Error, bytes: &[u8]) -> String {
    let below = readings::lines(error, bytes, before);
    [reason(error, bytes)].into_iter().chain(below).collect::<Vec<_>>().join("\n")
}

/// Why, and what was expected.
fn reason(error: &Error, bytes: &[u8]) -> String {
    let mut message = described(error, bytes);
    if let Some(expected) = error.expected() {
        message.push_str(", expected ");
        message.push_str(expected.described());
    }
    message
}

/// How `jsonseam repair` would take a text that is not valid. It never advises what would delete a payload.
pub(crate) fn repair_help(bytes: &[u8], engine: &Engine) -> Vec<String> {
    if bytes.len() > engine.config.limits().max_input_bytes {
        return advised(bytes, engine, "");
    }
    if bytes.len() > LONGEST_ADVISED {
        return vec![too_long_help(bytes, &format!("`{} repair`", identity::name()), engine)];
    }
    if let Some(text) = decoded(bytes) {
        return match advised(text.as_bytes(), engine, "").first() {
            Some(advice) => vec![format!("it is UTF-16; {advice}, in UTF-8")],
            None => vec![encoding_help(bytes).to_owned()],
        };
    }
    let lines = advised(bytes, engine, "");
    if !lines.is_empty() || engine.config.root() == Root::Any {
        return lines;
    }
    // `check` takes any root, so the value may be one that `repair` is not asked for.
    let mut any = engine.clone();
    any.config = any.config.with_root(Root::Any);
    match jsonseam::pipeline(&any.config) {
        Ok(pipeline) => advised(bytes, &Engine { pipeline, ..any }, " --root any"),
        Err(_) => lines,
    }
}

fn advised(bytes: &[u8], engine: &Engine, root: &str) -> Vec<String> {
    let (name, flag) = (identity::name(), preset_flag(engine) + root);
    match engine.repair(bytes) {
        Ok(repaired) => vec![repair_advice(bytes, &repaired, &engine.pipeline, &flag)],
        Err(error) => match error.reason() {
            Reason::InvalidUtf8 | Reason::LimitExceeded => help(&error, bytes, engine),
            Reason::AmbiguousPayload => {
                vec![format!("it holds several payloads; `{name} repair --all` takes every one out")]
            }
            Reason::AmbiguousRepair => {
                vec![format!("`{name} repair{flag}` reads it in two ways and takes neither; --explain shows both")]
            }
            _ if looks_like_utf16(bytes) => vec![encoding_help(bytes).to_owned()],
            _ => {
                let found = presets::repairing(error.reason(), bytes, engine);
                let advice = |found: ByPreset<'_>| {
                    repair_advice(bytes, &found.repaired, &found.pipeline, &format!(" --preset {}{root}", found.preset))
                };
                found.map(advice).into_iter().collect()
            }
        },
    }
}

fn repair_advice(bytes: &[u8], repaired: &Repaired<'_>, pipeline: &Pipeline, flag: &str) -> String {
    let (name, further) = (identity::name(), repaired.further().len());
    let is_of_other = |further: &Further| pipeline.root() != Root::Any && pipeline.root() != further.root;
    let root = if repaired.further().iter().any(is_of_other) { " --root any" } else { "" };
    let flag = format!("{flag}{root}");
    if let [first, ..] = left_out::broken(bytes, repaired, pipeline).as_slice() {
        let payloads = counted(further + 1, "payload");
        return format!(
            "`{name} repair{flag} --all` takes {payloads} out and leaves a broken one, from byte {first} on"
        );
    }
    if further > 0 {
        let payloads = counted(further + 1, "payload");
        return format!("it holds {payloads}; `{name} repair{flag} --all` takes every one out");
    }
    let truncated = if repaired.is_truncated() { ", as truncated" } else { "" };
    format!("`{name} repair{flag}` repairs it{truncated}")
}

fn described(error: &Error, bytes: &[u8]) -> String {
    let reason = error.reason();
    let is_blank = || reason == Reason::NoJsonObjectFound && bytes.iter().all(u8::is_ascii_whitespace);
    // Each reason has its words in the one table of reasons; these say more.
    match (reason, error.position()) {
        (Reason::LimitExceeded, _) => limit_described(error),
        (Reason::InvalidUtf8, Some(Position { offset, .. })) => format!("not UTF-8 from byte {offset} on ({reason})"),
        _ if bytes.is_empty() && is_blank() => format!("the input is empty ({reason})"),
        _ if is_blank() => format!("the input is only white space ({reason})"),
        _ => format!("{} ({reason})", reason.meaning()),
    }
}

fn limit_described(error: &Error) -> String {
    let limit = error.limit_met().map_or("", Limit::as_str);
    let rule = error.rule().map_or_else(String::new, |rule| format!(" in rule {rule}"));
    format!("the limit {limit} is exceeded{rule} (limit_exceeded)")
}

fn help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    match error.reason() {
        Reason::InvalidUtf8 => vec![encoding_help(bytes).to_owned()],
        Reason::LimitExceeded => vec![limit_help(error, engine)],
        _ if looks_like_utf16(bytes) => vec![encoding_help(bytes).to_owned()],
        Reason::NoJsonObjectFound if bytes.len() <= LONGEST_ADVISED => other_root_help(bytes, engine),
        Reason::TopLevelArrayNotAllowed => {
            vec!["to take arrays: --root array or --root any".to_owned()]
        }
        Reason::TopLevelScalarNotAllowed => vec!["to take any value: --root any".to_owned()],
        Reason::TopLevelObjectNotAllowed => {
            vec!["to take objects: --root object or --root any".to_owned()]
        }
        Reason::AmbiguousPayload => ambiguity_help(error, bytes, engine),
        _ => repairing_help(error, bytes, engine),
    }
}

/// What can be tried with a text that is too long to look for advice: `first`, unless that was just done, and richer presets.
fn too_long_help(bytes: &[u8], first: &str, engine: &Engine) -> String {
    let size = bytes.len() >> 20;
    let catalogue = jsonseam::catalogue().ok();
    let presets = catalogue.iter().flat_map(jsonseam::Catalogue::presets).map(|preset| preset.name.as_str());
    let richer: Vec<&str> = presets.skip_while(|name| *name != engine.config.preset()).skip(1).collect();
    let richer = if richer.is_empty() { String::new() } else { format!("--preset {}", richer.join(" or ")) };
    let tries: Vec<&str> = [first, &richer].into_iter().filter(|part| !part.is_empty()).collect();
    let tries = if tries.is_empty() { String::new() } else { format!("; try {}", tries.join(", then ")) };
    format!("what repairs a text of {size} MiB is not looked for{tries}")
}

/// Advice about a text without any payload.
const NOTHING_THERE: &str = "nothing in it can be read as JSON; ask the model again";

/// Advice about a text in which nothing but an empty container can be read: prose has such ones too.
const ONLY_EMPTY: &str =
    "an empty {} or [] beside other text is not taken for the answer; if it is the answer, give it alone";

/// Advice about a list in parentheses and nothing else.
const IN_PARENTHESES: &str = "parentheses around a whole text are not read as a list, since prose and calls have them too; \
                              write brackets in their place, and take them with --root array";

/// Whether a text holds an object or array with nothing in it.
fn holds_empty(bytes: &[u8]) -> bool {
    let is_empty_after = |at: usize, closer: u8| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&closer)
    };
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'{' => is_empty_after(at, b'}'),
        b'[' => is_empty_after(at, b']'),
        _ => false,
    })
}

/// Another root is advice only where there is a value of such a root.
fn other_root_help(bytes: &[u8], engine: &Engine) -> Vec<String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Vec::new();
    }
    let nothing = match bytes.trim_ascii() {
        [b'(', .., b')'] => IN_PARENTHESES,
        _ if holds_empty(bytes) => ONLY_EMPTY,
        _ => NOTHING_THERE,
    };
    if engine.config.root() == Root::Any {
        return vec![nothing.to_owned()];
    }
    let config = engine.config.clone().with_root(Root::Any);
    let repaired = jsonseam::pipeline(&config).ok().map(|pipeline| engine::repair(&pipeline, bytes, None).map(drop));
    let advice = match repaired {
        Some(Ok(())) => "to take any value: --root any".to_owned(),
        // What begins as an array is one, and broken too.
        Some(Err(refusal)) if bytes.trim_ascii_start().starts_with(b"[") => {
            format!("--root any takes arrays, and refuses this one: {refusal}")
        }
        _ => nothing.to_owned(),
    };
    vec![advice]
}

fn encoding_help(bytes: &[u8]) -> &'static str {
    if looks_like_utf16(bytes) {
        "looks like UTF-16, convert it to UTF-8: iconv -f UTF-16 -t UTF-8"
    } else {
        "convert the text to UTF-8"
    }
}

/// Whether a text begins with a mark of UTF-16, or has a zero in every other byte, as Latin letters have there.
pub(crate) fn looks_like_utf16(bytes: &[u8]) -> bool {
    /// So many bytes are looked at.
    const HEAD: usize = 64;
    let (pairs, _) = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default().as_chunks::<2>();
    let all = |is_half: fn(&[u8; 2]) -> bool| pairs.len() > 1 && pairs.iter().all(is_half);
    utf16_unit(bytes).is_some()
        || all(|&[low, high]| low != 0 && high == 0)
        || all(|&[high, low]| high == 0 && low != 0)
}

fn limit_help(error: &Error, engine: &Engine) -> String {
    let limits = engine.config.limits();
    match error.limit_met() {
        Some(Limit::InputBytes) => format!(
            "a text may have {} bytes; to allow more: --max-input-bytes SIZE, or max-input-bytes under [limits] in jsonseam.toml; \
             many texts, one a line, have no such limit in `{} batch`",
            limits.max_input_bytes,
            identity::name()
        ),
        Some(Limit::Depth) => {
            format!("nesting deeper than {} (max-depth under [limits]) is not read; 127 is the most", limits.max_depth)
        }
        Some(Limit::Edits) => "to allow more: max-edits under [limits] in jsonseam.toml".to_owned(),
        Some(Limit::Candidates) => format!(
            "more than {} payloads are not compared; to allow more: max under [candidates] in jsonseam.toml",
            engine.config.max_candidates()
        ),
        _ => "disable the rule that takes so long, or split the text".to_owned(),
    }
}

fn ambiguity_help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    /// More places than this do not help a reader.
    const SHOWN: usize = 8;
    let spans: Vec<String> =
        error.candidates().iter().take(SHOWN).map(|span| format!("{}..{}", span.start, span.end)).collect();
    let choosing = [Policy::First, Policy::Last, Policy::Best].into_iter();
    let others: Vec<_> = choosing.filter(|&policy| policy != engine.config.policy()).map(Policy::as_str).collect();
    let mut lines = Vec::new();
    if !spans.is_empty() {
        let more = if error.candidates().len() > SHOWN { ", …" } else { "" };
        lines.push(format!(
            "the first are at bytes {}{more}; choose one: --candidates {}; or take every one: --all",
            spans.join(", "),
            others.join(" or ")
        ));
    }
    if bytes.len() > LONGEST_ADVISED {
        return lines;
    }
    let whole = presets::repairing(error.reason(), bytes, engine);
    let whole = whole.filter(|found| found.repaired.further().is_empty());
    lines.extend(whole.map(|found| format!("the smallest preset that takes it as one: --preset {}", found.preset)));
    lines
}

/// What decides between two readings, found by trying: the keys that a contract declares, or a preset that knows one of the readings alone.
fn readings_help(error: &Error, bytes: &[u8], engine: &Engine, is_declared: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if bytes.len() <= LONGEST_ADVISED {
        let flag = preset_flag(engine);
        let keys = if is_declared { None } else { readings::deciding_keys(error, bytes, engine, &flag) };
        lines.extend(keys);
        lines.extend(presets::smallest(error, bytes, engine).map(|preset| preset_of_one_reading(&preset, engine)));
    }
    if lines.is_empty() {
        lines.extend(error.help());
    }
    lines
}

/// What to know of a preset that repairs what the engine can read in two ways.
fn preset_of_one_reading(preset: &str, engine: &Engine) -> String {
    let place = |name: &str| jsonseam::catalogue().ok()?.presets().iter().position(|preset| preset.name == name);
    if place(preset) < place(engine.config.preset()) {
        return format!(
            "--preset {preset} knows one of the readings alone and takes it; --explain shows whether it is the one that is meant"
        );
    }
    format!("the smallest preset that repairs it: --preset {preset}")
}

/// The preset that the flags name, to be repeated in advice.
fn preset_flag(engine: &Engine) -> String {
    engine.named_preset.as_ref().map_or_else(String::new, |preset| format!(" --preset {preset}"))
}

fn repairing_help(error: &Error, bytes: &[u8], engine: &Engine) -> Vec<String> {
    if bytes.len() > LONGEST_ADVISED {
        return vec![too_long_help(bytes, "", engine)];
    }
    let mut lines: Vec<String> = rules_help(error, bytes, engine).into_iter().collect();
    let whole = presets::smallest(error, bytes, engine);
    let whole = whole.map(|preset| format!("the smallest preset that repairs it: --preset {preset}"));
    lines.extend(whole.or_else(|| holding_preset(error, engine)));
    if lines.is_empty() {
        lines.extend(other_payload_help(bytes, engine));
    }
    if lines.is_empty() && error.unanswered().is_none_or(|fault| fault.why.is_none()) {
        lines.push("no known rule repairs this; ask the model again, or edit it by hand".to_owned());
    }
    lines
}

/// The policy that takes another payload of the text, if the one that is taken is beyond repair.
fn other_payload_help(bytes: &[u8], engine: &Engine) -> Option<String> {
    let takes = |policy: &Policy| {
        let config = engine.config.clone().with_policy(*policy);
        let pipeline = jsonseam::pipeline(&config);
        *policy != engine.config.policy()
            && pipeline.is_ok_and(|pipeline| engine::repair(&pipeline, bytes, engine.finish_reason.as_ref()).is_ok())
    };
    let policy = [Policy::Last, Policy::Best].into_iter().find(takes)?;
    Some(format!(
        "this payload is beyond repair, and another can be read: `{} repair{} --candidates {policy}`",
        identity::name(),
        preset_flag(engine)
    ))
}

/// Where all rules together stop, in a text whose first line comes after `before` lines, unless the refusal says as much.
fn unanswered_help(error: &Error, before: usize) -> Option<String> {
    let mut unanswered = *error.unanswered()?;
    if unanswered.why.is_none() && error.position() == Some(unanswered.position) {
        return None;
    }
    unanswered.position.line += before;
    Some(unanswered.to_string())
}

/// The rules that are off and repair the text together; where there are none, those that answer its first fault.
///
/// What is advised was tried: the flag is named only if it repairs the text.
fn rules_help(error: &Error, bytes: &[u8], engine: &Engine) -> Option<String> {
    let together = |rules: &[String]| {
        let is_admitted = !rules.is_empty() && !rules.iter().any(|rule| engine.disabled.contains(rule));
        let enabling = rules.iter().fold(engine.config.clone(), |config, rule| config.with_enabled(rule));
        let pipeline = is_admitted.then(|| jsonseam::pipeline(&enabling).ok()).flatten()?;
        engine::repair(&pipeline, bytes, engine.finish_reason.as_ref()).ok()
    };
    let mended_by = error.mended_by();
    // Several rules may answer one fault; one of them is enough if nothing else is amiss.
    if let Some(first) = mended_by.first().filter(|first| together(std::slice::from_ref(first)).is_some()) {
        return Some(format!(
            "would repair this, but not enabled: {}; for example --enable {first}",
            quoted(mended_by)
        ));
    }
    let whole = error.repaired_with();
    if together(whole).is_some() {
        return Some(format!("would repair this together, but not enabled: --enable {}", whole.join(",")));
    }
    let first = mended_by.first()?;
    let advice = match jsonseam::pipeline(&engine.config.clone().with_enabled(first)) {
        Ok(_) if engine.disabled.contains(first) => "disabled by --disable",
        Ok(_) => "not enabled, and other faults would remain",
        Err(_) => excluded_by(first, engine),
    };
    Some(format!("would answer this fault, but {advice}: {}", quoted(mended_by)))
}

fn quoted(rules: &[String]) -> String {
    rules.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ")
}

/// Why a rule cannot be enabled.
fn excluded_by(rule: &str, engine: &Engine) -> &'static str {
    if engine.disabled.iter().any(|disabled| disabled == rule) {
        return "disabled by --disable";
    }
    let risk = jsonseam::catalogue().ok().and_then(|catalogue| catalogue.rule(rule)?.risk());
    match (risk, engine.config.max_risk()) {
        (Some(risk), Some(most)) if risk > most => "above the highest risk that is admitted (max-risk)",
        _ => "excluded by `disable` or `order` of the configuration file",
    }
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
