//! `digit-separator`: underscores between digits.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::numbers;

rule! {
    /// Removes underscores between the digits of a number.
    ///
    /// # What
    /// A value is expected, and there is a decimal number with single underscores between its digits.
    ///
    /// # Why
    /// JavaScript (numeric separators) and Python (PEP 515) read `1_000` as `1000`.
    ///
    /// # Example
    /// `{"a": 1_000_000, "b": 0.000_1}` becomes `{"a": 1000000, "b": 0.0001}`.
    ///
    /// # Limits
    /// `1__0`, `_1`, `1_` and `1_.5` are read by neither language and left alone, and so is a truncated number. Other separators are ambiguous.
    pub struct DigitSeparator {
        name: "digit-separator",
        risk: Certain,
        answers: [Value],
        next: ["-.", Digit],
        reaches: [Fault],
    }
}

impl RepairRule for DigitSeparator {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let decimal = numbers::decimal_with(fault, b'_')?;
        let is_parted = decimal.sign != Some('+') && !decimal.has_leading_zero();
        is_parted.then(|| fault.replace_ahead(decimal.text.len(), numbers::without_separators(decimal.text)))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(DigitSeparator);
