//! `bigint-suffix`: integers of JavaScript that end in `n`.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes the `n` after an integer of JavaScript.
    ///
    /// # What
    /// A value is expected, and the whole word there is an integer and an `n`. The digits stay, however many they are.
    ///
    /// # Why
    /// JavaScript writes big integers this way. No other language reads the form.
    ///
    /// # Example
    /// `{"a": 9007199254740993n}` becomes `{"a": 9007199254740993}`.
    ///
    /// # Limits
    /// Integers only, without leading zeros, fraction or exponent. Other suffixes (`1.5f`, `10L`) may be units and are left alone.
    pub struct BigintSuffix {
        name: "bigint-suffix",
        risk: Certain,
        answers: [Value],
        next: ["-", Digit],
        reaches: [Fault],
    }
}

impl RepairRule for BigintSuffix {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.ahead().word();
        let number = word.strip_suffix('n')?;
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_integer = !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        let fits =
            is_integer && !fault.is_at_end() && fault.ahead().after(word.len()).could_end_scalar(fault.container());
        fits.then(|| fault.replace_ahead(word.len(), number.to_owned()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(BigintSuffix);
