//! `bare-decimal-point`: a number that begins or ends with its decimal point.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::numbers;

rule! {
    /// Puts a zero before or after a decimal point that has no digit there.
    ///
    /// # What
    /// A value is expected, and the next word is a decimal number such as `.5`, `-.5`, `5.` or `5.e3`.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read these forms, and all read the same number.
    ///
    /// # Example
    /// `{"a": .5, "b": -5.}` becomes `{"a": 0.5, "b": -5.0}`.
    ///
    /// # Limits
    /// A point alone is not a number. A number that is truncated is left alone: digits are never completed.
    pub struct BareDecimalPoint {
        name: "bare-decimal-point",
        risk: Certain,
        answers: [Value],
        next: ["-.", Digit],
        reaches: [Fault],
    }
}

impl RepairRule for BareDecimalPoint {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let decimal = numbers::decimal_with(fault, b'.')?;
        let is_bare = decimal.integer.is_empty() || decimal.fraction == Some("");
        if !is_bare || decimal.sign == Some('+') {
            return None;
        }
        let mut spelled = String::with_capacity(decimal.text.len() + 2);
        spelled.push_str(if decimal.sign.is_some() { "-" } else { "" });
        spelled.push_str(or_zero(decimal.integer));
        spelled.push('.');
        spelled.push_str(or_zero(decimal.fraction?));
        if let Some(exponent) = decimal.exponent {
            spelled.push('e');
            spelled.push_str(exponent);
        }
        Some(fault.replace_ahead(decimal.text.len(), spelled))
    }
}

fn or_zero(digits: &str) -> &str {
    if digits.is_empty() { "0" } else { digits }
}

#[cfg(test)]
jsonseam_testkit::laws!(BareDecimalPoint);
