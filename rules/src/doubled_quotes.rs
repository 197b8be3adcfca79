//! `doubled-quotes`: quotes inside a string that are doubled, as in CSV.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Reads two quotes in a row inside a value as one escaped quote.
    ///
    /// # What
    /// All quotes inside a value are doubled. Each pair becomes `\"`.
    ///
    /// # Why
    /// CSV and SQL escape a quote so.
    ///
    /// # Example
    /// `{"a": "say ""x"" now"}` becomes `{"a": "say \"x\" now"}`.
    ///
    /// # Limits
    /// An even number of pairs on one line, and the text behind the value reads on as data: one pair alone is an empty string in the text.
    pub struct DoubledQuotes {
        name: "doubled-quotes",
        risk: Guess,
        answers: [Comma],
        cases: "doubled_quotes.toml",
    }
}

impl RepairRule for DoubledQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        fault.halve_quotes()
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(DoubledQuotes);
