//! `missing-open-quote`: a key or value without its opening quote.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Opens a string whose closing quote is there.
    ///
    /// # What
    /// Where a key or value is due stand words on one line, then `"`, and behind it the text goes on as data. A `"` is inserted before the words,
    /// or before the number or literal that they begin with.
    ///
    /// # Why
    /// Models drop a quote where they change from structure to text.
    ///
    /// # Example
    /// `{"a": x y", "b": 1}` becomes `{"a": "x y", "b": 1}`.
    ///
    /// # Limits
    /// The words hold no quote, no backslash and no line break, and the text behind the quote must read on to the end.
    pub struct MissingOpenQuote {
        name: "missing-open-quote",
        risk: Guess,
        answers: [Value, Key, Comma],
        cases: "missing_open_quote.toml",
    }
}

impl RepairRule for MissingOpenQuote {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        Some(Edit::insert(fault.missing_open_quote()?, "\"").into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingOpenQuote);
