//! Messages for people and for models.

use std::fmt;

use jsonseam_core::Reason;
use jsonseam_schema::Violation;

use super::{Error, Kind};

/// How many violations one line for a person names.
const SHOWN: usize = 3;
/// How many keys of one kind a model reads.
const MOST_KEYS: usize = 10;
/// Longest key that a model reads, in characters.
const LONGEST_KEY: usize = 64;

/// The first violations on one line, with declared names only.
pub(super) fn violations(formatter: &mut fmt::Formatter<'_>, violations: &[Violation]) -> fmt::Result {
    let count = violations.len();
    write!(formatter, "{count} {} not fit: ", if count == 1 { "value does" } else { "values do" })?;
    for (index, violation) in violations.iter().take(SHOWN).enumerate() {
        let gap = if index == 0 { "" } else { "; " };
        write!(formatter, "{gap}{}", violation.message())?;
    }
    if count > SHOWN {
        write!(formatter, "; and {} more", count - SHOWN)?;
    }
    Ok(())
}

impl Error {
    /// What to tell the model whose completion it was, a line for each mistake, so that it can repair them (SPEC L2).
    ///
    /// Undeclared keys are text of the completion: here they are quoted as JSON strings, cut to 64 characters, ten of each kind.
    /// No value of the completion is in it.
    ///
    /// ```
    /// use jsonseam_adapter::Adapter;
    ///
    /// let adapter = Adapter::builder().output("answer").schema("score", r#"{"type": "integer"}"#).build()?;
    /// let error = adapter.parse(r#"{"Answer": 42}"#).unwrap_err();
    /// assert_eq!(
    ///     error.llm_message(),
    ///     "Field \"answer\": Expected a value, got undefined\n\
    ///      Field \"score\": Expected integer, got undefined\n\
    ///      Object has unrecognized keys: \"Answer\"\n\
    ///      HINT: \"Answer\" must be spelled exactly \"answer\""
    /// );
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn llm_message(&self) -> String {
        let lines = match &self.0.kind {
            Kind::Decode(error) => vec![decoding(error)],
            Kind::Cut(_) => vec!["The answer was cut off before it was complete.".to_owned()],
            Kind::NotRepresentable { field } => vec![format!(
                "{}The value cannot be represented: a number is out of range, or an escape is half a character",
                field.as_ref().map_or_else(String::new, |field| format!("Field \"{field}\": "))
            )],
            Kind::Keys { kinds, .. } => self.key_lines(kinds),
            Kind::Fields { violations, .. } => violations.iter().map(Violation::llm_message).collect(),
            Kind::Budget { .. } => vec!["The answer is too complex to be checked.".to_owned()],
            Kind::Schema { .. } | Kind::Config(_) | Kind::Contract(_) => vec![self.to_string()],
        };
        lines.join("\n")
    }

    fn key_lines(&self, kinds: &[Option<String>]) -> Vec<String> {
        let missing = self.missing().iter().zip(kinds).map(|(name, kind)| {
            format!("Field \"{name}\": Expected {}, got undefined", kind.as_deref().unwrap_or("a value"))
        });
        let mut lines: Vec<String> = missing.collect();
        if !self.extra().is_empty() {
            let names = listed(self.extra().iter().map(|extra| extra.name.as_str()));
            lines.push(format!("Object has unrecognized keys: {names}"));
        }
        if !self.duplicates().is_empty() {
            let names = listed(self.duplicates().iter().map(|repeated| repeated.name.as_str()));
            lines.push(format!("Object has repeated keys: {names}"));
        }
        let hinted = self.extra().iter().filter_map(|extra| Some((&extra.name, extra.hint.as_ref()?)));
        lines.extend(
            hinted
                .take(MOST_KEYS)
                .map(|(name, hint)| format!("HINT: {} must be spelled exactly \"{}\"", quoted(name), hint.name)),
        );
        lines.extend(self.violations().iter().map(Violation::llm_message));
        lines
    }
}

fn decoding(error: &jsonseam_core::Error) -> String {
    let what = match error.reason() {
        Reason::NoJsonObjectFound => "The answer holds no JSON object",
        Reason::TopLevelArrayNotAllowed => "The answer must be a JSON object, not an array",
        Reason::TopLevelObjectNotAllowed => "The answer must be a JSON array, not an object",
        Reason::TopLevelScalarNotAllowed => "The answer must be a JSON object, not a string that holds one",
        Reason::AmbiguousPayload => "The answer must be one JSON text, not several",
        Reason::Truncated => "The answer was cut off before its JSON was complete",
        Reason::LimitExceeded => "The answer is too large or too deeply nested",
        _ => "The answer is not valid JSON",
    };
    let place =
        error.position().map_or_else(String::new, |place| format!(" at line {} column {}", place.line, place.column));
    let expected = error.expected().map_or_else(String::new, |expected| format!(": expected {}", expected.described()));
    format!("{what}{place}{expected}")
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<_> = names.map(quoted).collect();
    let more = names.len().saturating_sub(MOST_KEYS);
    names.truncate(MOST_KEYS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// A key as a JSON string of ASCII, so that nothing in it can pass for part of the message.
fn quoted(name: &str) -> String {
    let mut shown: String = name.chars().take(LONGEST_KEY).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    serde_json::to_string(&shown).unwrap_or_default()
}
