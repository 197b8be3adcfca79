//! `leading-zero`: a number with leading zeros.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::numbers;

rule! {
    /// Puts quotes around a number with leading zeros.
    ///
    /// # What
    /// A value is expected, and there is a decimal number such as `007` or `-01.50`. It becomes a string of the same characters.
    ///
    /// # Why
    /// Postal codes, identifiers and times are written with leading zeros, and the zeros matter.
    ///
    /// # Example
    /// `{"zip": 02134}` becomes `{"zip": "02134"}`.
    ///
    /// # Limits
    /// A guess: it may have been meant as a number, but which one is not even clear, since JavaScript reads `010` as eight. No digit is lost.
    /// In an array, three digits after a comma and a short number (`[1,000]`) may be a group of thousands and are left alone.
    pub struct LeadingZero {
        name: "leading-zero",
        risk: Guess,
        answers: [Value],
        next: ["-", Digit],
    }
}

impl RepairRule for LeadingZero {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let decimal = numbers::decimal(fault)?;
        let is_group = decimal.text.len() == 3 && numbers::may_be_digit_group(fault);
        let is_written_so =
            decimal.has_leading_zero() && !decimal.text.contains(['_', '+']) && decimal.exponent.is_none();
        (is_written_so && !is_group).then(|| fault.quote_ahead(decimal.text.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(LeadingZero);
