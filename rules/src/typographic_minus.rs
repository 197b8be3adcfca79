//! `typographic-minus`: a number with a minus sign of typography.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Writes the minus sign of typography (U+2212) before a number as JSON does.
    ///
    /// # What
    /// A value is expected, and U+2212 is there with a digit directly after it. It becomes `-`.
    ///
    /// # Why
    /// Texts that were set with care have it, and models copy it from them.
    ///
    /// # Example
    /// `{"t": −5}` becomes `{"t": -5}`.
    ///
    /// # Limits
    /// No grammar reads it, and a character of a value is changed, so it is lossy. Dashes (U+2013, U+2014) may join a range and are left alone.
    pub struct TypographicMinus {
        name: "typographic-minus",
        risk: Lossy,
        answers: [Value],
        next: [NonAscii],
        cases: "typographic_minus.toml",
    }
}

impl RepairRule for TypographicMinus {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mut ahead = fault.ahead();
        let is_minus = ahead.eat("\u{2212}") && ahead.peek().is_some_and(|char| char.is_ascii_digit());
        is_minus.then(|| fault.replace_ahead(MINUS_LEN, "-"))
    }
}

const MINUS_LEN: usize = '\u{2212}'.len_utf8();

#[cfg(test)]
jsonseam_testkit::laws!(TypographicMinus);
