//! `tricky-single-quotes`: strings in apostrophes with apostrophes inside.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Turns the apostrophes around a string that holds more of them into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and holds apostrophes that nothing hides. The string ends where what follows fits the grammar
    /// and the text reads on to the end. The two around it become `"`, those inside stay.
    ///
    /// # Why
    /// `it's` in a string in apostrophes is what a model writes that never ran its Python.
    ///
    /// # Example
    /// `{'a': 'it's ok'}` becomes `{"a": "it's ok"}`, the key by `single-quoted-string`.
    ///
    /// # Limits
    /// An apostrophe between two letters is never an end; of the others, pairs belong to the text, and one too many only in an object where nothing else is wrong.
    /// Its escapes must be those of JSON or `\'`, and it lies on one line.
    pub struct TrickySingleQuotes {
        name: "tricky-single-quotes",
        risk: Guess,
        answers: [Value, Key],
        cases: "tricky_single_quotes.toml",
    }
}

impl RepairRule for TrickySingleQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let content = fault.tricky_string('\'')?;
        Some(fault.requote(content, 1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(TrickySingleQuotes);
