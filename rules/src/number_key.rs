//! `number-key`: keys that are numbers.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::{layout, numbers};

rule! {
    /// Puts quotes around a key that is a number.
    ///
    /// # What
    /// A key is expected, and there are a number in JSON's own notation and a colon.
    ///
    /// # Why
    /// Python's dictionaries and JavaScript's objects have such keys; in JSON every key is a string.
    ///
    /// # Example
    /// `{"x": 0, 3: 1}` becomes `{"x": 0, "3": 1}`.
    ///
    /// # Limits
    /// The key keeps its spelling: JavaScript would make `"1"` of `1.0`, Python `"1.0"`.
    /// The first key of a payload within a line of prose is left alone, because `{10:30}` there is not data.
    /// `True`, `None` and tuples are not taken for keys: languages do not agree on what they become in JSON.
    pub struct NumberKey {
        name: "number-key",
        risk: Likely,
        answers: [Key],
        next: ["-", Digit],
        reaches: [Fault],
    }
}

impl RepairRule for NumberKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.ahead().word();
        let digits = word.strip_prefix('-').unwrap_or(word);
        let (integer, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = numbers::are_digits(integer)
            && numbers::are_digits(fraction)
            && (integer.len() == 1 || !integer.starts_with('0'));
        let is_key = is_number && fault.ahead().after(word.len()).has_colon() && layout::is_not_prose(fault);
        is_key.then(|| fault.quote_ahead(word.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(NumberKey);
