//! What is wrong, in lines for a model: built from typed errors, without a byte that the model wrote.

use jsonseam_adapter::Error;
use jsonseam_core::Reason;

use super::format::Format;

/// Most lines in a prompt; further ones are counted.
const MAX_LINES: usize = 10;
/// Longest line, in characters: a schema may hold anything.
const MAX_CHARS: usize = 240;

/// The errors of an answer.
#[derive(Debug)]
pub(crate) struct Problems<'e> {
    pub(crate) lines: Vec<String>,
    /// How many further ones there are.
    pub(crate) more: usize,
    /// The undeclared names among them: the model's text, for the fenced field only.
    pub(crate) names: Vec<&'e str>,
}

impl<'e> Problems<'e> {
    pub(crate) fn of(error: &'e Error, format: &Format) -> Self {
        let mut problems = Self { lines: Vec::new(), more: 0, names: Vec::new() };
        if let Some(refusal) = error.decode() {
            problems.add(refused(refusal));
        } else if error.reason() == jsonseam_adapter::Reason::Decode(Reason::Truncated) {
            problems.add("The answer ends before its JSON does");
        }
        for name in error.missing() {
            problems.add(format!("Field {}: Expected {}, got undefined", quoted(name), format.kind_of(name)));
        }
        problems.undeclared(error);
        for repeated in error.duplicates() {
            if repeated.is_declared {
                problems.add(format!("Field {}: The name is in the object more than once", quoted(&repeated.name)));
            }
        }
        let undeclared = error.duplicates().iter().filter(|repeated| !repeated.is_declared).count();
        if undeclared > 0 {
            problems.add(format!("Object has {undeclared} repeated names that are not declared"));
        }
        for violation in error.violations() {
            problems.add(if violation.keyword() == "validator" {
                violation.llm_message()
            } else {
                violation.message()
            });
            problems.names.extend(violation.unrecognized().chain(violation.undeclared()));
        }
        if problems.lines.is_empty() {
            problems.add("The answer does not meet the required format");
        }
        problems
    }

    /// Undeclared keys: how many, and which declared ones they may have been meant to be.
    fn undeclared(&mut self, error: &'e Error) {
        let extra = error.extra();
        if extra.is_empty() {
            return;
        }
        let plural = if extra.len() == 1 { "" } else { "s" };
        self.add(format!("Object has {} unrecognized key{plural}", extra.len()));
        self.names.extend(extra.iter().map(|key| key.name.as_str()));
        let mut told: Vec<&str> = Vec::new();
        for hint in extra.iter().filter_map(|key| key.hint.as_ref()) {
            if !told.contains(&hint.name.as_str()) {
                told.push(&hint.name);
                self.add(format!("One of them may have been meant as {}", quoted(&hint.name)));
            }
        }
    }

    fn add(&mut self, line: impl AsRef<str>) {
        if self.lines.len() >= MAX_LINES {
            self.more += 1;
            return;
        }
        // One line stays one line, whatever a schema's own text holds.
        let line: String = line.as_ref().chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        self.lines.push(match line.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
            None => line,
        });
    }
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// Why the answer is not JSON, in the words of a colleague.
fn refused(refusal: &jsonseam_core::Error) -> String {
    let what = match refusal.reason() {
        Reason::NoJsonObjectFound => "The answer holds no JSON of the required kind",
        Reason::TopLevelArrayNotAllowed => "The answer is an array; it must not be one",
        Reason::TopLevelObjectNotAllowed => "The answer is an object; it must not be one",
        Reason::TopLevelScalarNotAllowed => "The answer is a string that holds JSON; write the JSON itself",
        Reason::Truncated => "The answer ends before its JSON does",
        Reason::AmbiguousPayload => "The answer holds more than one JSON value; write exactly one",
        Reason::NotRepresentable => "The answer holds a number or an escape that cannot be represented",
        Reason::LimitExceeded => "The answer is too large or too deeply nested",
        _ => "The answer is not valid JSON",
    };
    // Of the other reasons the place says nothing that a model could act on.
    if !matches!(refusal.reason(), Reason::Syntax | Reason::Truncated) {
        return what.to_owned();
    }
    let place = refusal.position().map(|at| format!(" at line {}, column {}", at.line, at.column));
    let expected = refusal.expected().map(|expected| format!(": expected {}", expected.described()));
    format!("{what}{}{}", place.unwrap_or_default(), expected.unwrap_or_default())
}
