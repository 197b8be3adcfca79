//! `mixed-quotes`: a string that a typographic quote opens and a plain one closes, or the other way round.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Makes a plain quote of the typographic one at one end of a string.
    ///
    /// # What
    /// A key or value starts with a typographic quote and ends with `"`; or it starts with `"`, and at its end stands U+201D, which no opening one inside awaits.
    /// The typographic quote becomes `"`.
    ///
    /// # Why
    /// Models slip from one kind to the other within a long text.
    ///
    /// # Example
    /// `{"a": "x”, "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The text behind that end must read on as data. Typographic quotes in the midst of a string are data and stay.
    pub struct MixedQuotes {
        name: "mixed-quotes",
        risk: Guess,
        answers: [Value, Key, String, Comma],
        cases: "mixed_quotes.toml",
    }
}

impl RepairRule for MixedQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mark = match fault.mixed_string() {
            Some(content) => fault.pos()..content.start,
            None => fault.mixed_end()?,
        };
        Some(Edit::replace(mark, "\"").into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MixedQuotes);
