//! `radix-prefix`: hexadecimal, octal and binary numbers.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::numbers;

rule! {
    /// Writes hexadecimal, octal and binary numbers in decimal.
    ///
    /// # What
    /// A value is expected, and the whole word there is an integer with the prefix `0x`, `0o` or `0b` (in either case), of at most 64 bits.
    ///
    /// # Why
    /// JavaScript and Python read all three, JSON5 the first, and all read the same number.
    ///
    /// # Example
    /// `{"a": 0x1F, "b": -0o17, "c": 0b101}` becomes `{"a": 31, "b": -15, "c": 5}`.
    ///
    /// # Limits
    /// A number of more than 64 bits is an address or a digest rather than a number, and is left alone. So is a truncated word.
    pub struct RadixPrefix {
        name: "radix-prefix",
        risk: Certain,
        answers: [Value],
        next: ["-0"],
        reaches: [Fault],
    }
}

impl RepairRule for RadixPrefix {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.ahead().word();
        let magnitude = word.strip_prefix('-').unwrap_or(word);
        let value = value_of(magnitude).filter(|_| !fault.is_at_end())?;
        let ends = fault.ahead().after(word.len()).could_end_scalar(fault.container());
        let spelled = || if magnitude.len() < word.len() { format!("-{value}") } else { value.to_string() };
        ends.then(|| fault.replace_ahead(word.len(), spelled()))
    }
}

/// The number that a word such as `0x1F` stands for. Single underscores may separate its digits.
fn value_of(word: &str) -> Option<u64> {
    let (prefix, digits) = word.split_at_checked(2)?;
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    if digits.bytes().all(|byte| char::from(byte).is_digit(radix)) {
        return u64::from_str_radix(digits, radix).ok();
    }
    let is_parted_well =
        digits.split('_').all(|group| !group.is_empty() && group.chars().all(|char| char.is_digit(radix)));
    if !is_parted_well {
        return None;
    }
    u64::from_str_radix(&numbers::without_separators(digits), radix).ok()
}

#[cfg(test)]
jsonseam_testkit::laws!(RadixPrefix);
