//! `not-a-number`: `NaN` and the infinities.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Writes `NaN`, `Infinity` and their kin as `null`.
    ///
    /// # What
    /// A value is expected, and the whole word there is `NaN` or `Infinity` (JSON5, JavaScript), or `nan` or `inf` as Python prints them, with or without a sign.
    ///
    /// # Why
    /// JSON has no such numbers, and programs that compute print them all the same.
    ///
    /// # Example
    /// `{"a": NaN, "b": -Infinity}` becomes `{"a": null, "b": null}`.
    ///
    /// # Limits
    /// What kind of number it was is lost, so it is lossy; `JSON.stringify` does the same. A word in another spelling (`INF`, `infinity`) is left alone.
    pub struct NotANumber {
        name: "not-a-number",
        risk: Lossy,
        answers: [Value],
        cases: "not_a_number.toml",
    }
}

impl RepairRule for NotANumber {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.word();
        let is_number = matches!(word.strip_prefix(['+', '-']).unwrap_or(word), "NaN" | "nan" | "Infinity" | "inf");
        (is_number && fault.scalar_could_end_at(fault.pos() + word.len()))
            .then(|| fault.replace_ahead(word.len(), "null"))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(NotANumber);
