//! `typographic-minus`: a number with a typographic minus sign.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Replaces a typographic minus sign (U+2212) before a number by a hyphen-minus.
    ///
    /// # What
    /// A value is expected, and there is U+2212, directly followed by a digit. It becomes `-`.
    ///
    /// # Why
    /// Typeset text uses it, and models copy it.
    ///
    /// # Example
    /// `{"t": −5}` becomes `{"t": -5}`.
    ///
    /// # Limits
    /// No programming language reads it, and a character of a value changes, so it is lossy. Dashes (U+2013, U+2014) may denote a range and are left alone.
    pub struct TypographicMinus {
        name: "typographic-minus",
        risk: Lossy,
        answers: [Value],
        next: [NonAscii],
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
