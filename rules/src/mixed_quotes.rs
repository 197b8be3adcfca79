//! `mixed-quotes`: a string that opens with one kind of quote and closes with another.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Makes a plain quote of the mark of another kind at one end of a string.
    ///
    /// # What
    /// A key or value starts with a typographic quote and ends with `"`; or it starts with `"`, and at its end stands U+201D, an apostrophe or a backtick, which no opening one inside awaits.
    /// That mark becomes `"`.
    ///
    /// # Why
    /// Models slip from one kind to the other within a long text.
    ///
    /// # Example
    /// `{"a": "x”, "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The text behind that end must read on as data. Marks in the midst of a string are data and stay, and so does an apostrophe behind `s`.
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
