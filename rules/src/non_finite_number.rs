//! `non-finite-number`: `NaN` and the infinities.

use jsonseam_core::{Edits, Fault, Notation, RepairRule, rule};

rule! {
    /// Writes `NaN`, `Infinity` and their variants as `null`.
    ///
    /// # What
    /// A value is expected, and the whole word there is `NaN` or `Infinity` (JSON5, JavaScript), or `nan` or `inf` as
    /// Python prints them, with or without a sign.
    ///
    /// # Why
    /// JSON has no such numbers, but programs print them.
    ///
    /// # Example
    /// `{"a": NaN, "b": -Infinity}` becomes `{"a": null, "b": null}`.
    ///
    /// # Limits
    /// What kind of number it was is lost, so it is lossy; `JSON.stringify` does the same. A word in another spelling (`INF`, `infinity`) is left alone.
    pub struct NonFiniteNumber {
        name: "non-finite-number",
        risk: Lossy,
        answers: [Value],
        next: ["+-NnIi"],
    }
}

impl RepairRule for NonFiniteNumber {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (len, literal) = fault.ahead().literal_in(Notation::NotFinite)?;
        let could_end = fault.ahead().after(len).could_end_scalar(fault.container());
        could_end.then(|| fault.replace_ahead(len, literal))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(NonFiniteNumber);
