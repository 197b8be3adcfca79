//! `backtick-quoted-string`: strings in backticks.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::{quoted, strings};

rule! {
    /// Turns the backticks around a string into double quotes.
    ///
    /// # What
    /// A key or value is in backticks. Both backticks become `"`; a `"` inside is escaped, and so are line breaks and tabs.
    ///
    /// # Why
    /// Models write a value as they write code in prose, or as a template literal of JavaScript.
    ///
    /// # Example
    /// `{"a": \u{60}x = "y"\u{60}}` becomes `{"a": "x = \"y\""}` (the marks are backticks).
    ///
    /// # Limits
    /// The string ends at the first backtick that is not escaped, and what follows must fit the grammar.
    /// Its escapes must be those of JSON; a template with `${` is refused, because its text is not known, and so is a run of backticks, which is a fence.
    pub struct BacktickQuotedString {
        name: "backtick-quoted-string",
        risk: Likely,
        answers: [Value, Key],
        next: ["`"],
        reaches: [Fault],
    }
}

impl RepairRule for BacktickQuotedString {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.ahead().starts_with("```") {
            return None;
        }
        let content = strings::with_escapes(fault, &['`'])?;
        let is_template = fault.ahead().slice_to(content.end).contains("${");
        (!is_template).then(|| quoted::requote(fault, content, 1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(BacktickQuotedString);
