//! `quotes-in-single-quotes`: strings in apostrophes that hold double quotes or escapes.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Turns the apostrophes around a string that holds double quotes or escapes into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and ends at the next `'` that no backslash hides. Both become `"`; each `"` inside is escaped, and `\'` becomes `'`.
    ///
    /// # Why
    /// Python prints a string that holds double quotes so, and models write JSON inside a string so, to spare the backslashes.
    /// JSON5, JavaScript and Python agree on how it reads.
    ///
    /// # Example
    /// `{"a": '["x", "y"]'}` becomes `{"a": "[\"x\", \"y\"]"}`.
    ///
    /// # Limits
    /// Its escapes must be those of JSON or `\'`, it lies on one line, and what follows must fit the grammar.
    /// An apostrophe inside that nothing hides is `tricky-single-quotes`.
    pub struct QuotesInSingleQuotes {
        name: "quotes-in-single-quotes",
        risk: Certain,
        answers: [Value, Key],
        cases: "quotes_in_single_quotes.toml",
    }
}

impl RepairRule for QuotesInSingleQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !fault.ahead_is("'") || fault.ahead_is("'''") {
            return None;
        }
        let content = fault.quoted_string(&['\''], false)?;
        Some(fault.requote(content, 1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(QuotesInSingleQuotes);
