//! `tripled-quotes`: strings in three quotes on each side.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Turns the three quotes on each side of a string into one.
    ///
    /// # What
    /// A key or value stands in `"""` or `'''`. Quotes and line breaks inside it are escaped.
    ///
    /// # Why
    /// Python writes long texts so.
    ///
    /// # Example
    /// `{"a": """say "x"⏎now"""}` becomes `{"a": "say \"x\"\nnow"}` (⏎ is a newline).
    ///
    /// # Limits
    /// Quotes inside only where it has several lines: on one line, a text that begins and ends with a quoted word looks the same.
    /// Its escapes must be those of JSON or hide a quote, and what follows must fit the grammar.
    pub struct TripledQuotes {
        name: "tripled-quotes",
        risk: Certain,
        answers: [Value, Key, Comma, Colon],
        cases: "tripled_quotes.toml",
    }
}

impl RepairRule for TripledQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (start, content) = fault.tripled_string()?;
        let closing = content.end..content.end + 3;
        Some(fault.respell(start..content.start, content, closing))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(TripledQuotes);
