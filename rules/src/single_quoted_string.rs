//! `single-quoted-string`: simple strings in apostrophes.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

use crate::shared::{program, strings};

rule! {
    /// Turns the apostrophes around a simple string into double quotes.
    ///
    /// # What
    /// A key or value starts with `'`. Both apostrophes become `"`; the content is not touched.
    ///
    /// # Why
    /// Python prints dictionaries this way, and JSON5 and JavaScript read them this way.
    ///
    /// # Example
    /// `{'a': 'it is'}` becomes `{"a": "it is"}`.
    ///
    /// # Limits
    /// Only simple strings: the content holds no apostrophe, no `"`, no backslash and no control character,
    /// and what follows the closing apostrophe fits the grammar. `{'a': 'it's'}` is refused rather than guessed.
    pub struct SingleQuotedString {
        name: "single-quoted-string",
        risk: Certain,
        answers: [Value, Key],
        next: ["'"],
        reaches: [Fault],
    }
}

impl RepairRule for SingleQuotedString {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if program::pieces_together(fault, '\'') {
            return None;
        }
        let content = strings::simple(fault, &['\''])?;
        let opening = Edit::replace(fault.pos()..content.start, "\"");
        let closing = Edit::replace(content.end..content.end + 1, "\"");
        Some(Edits::from(opening).and(closing))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SingleQuotedString);
