//! `python-literal`: `True`, `False` and `None`.

use jsonseam_core::{Edits, Fault, Notation, RepairRule, rule};

rule! {
    /// Writes `True`, `False` and `None` as JSON does.
    ///
    /// # What
    /// A value is expected, and the whole word there is `True`, `False` or `None`.
    ///
    /// # Why
    /// Python's literals mean exactly what JSON's do, and a printed dictionary holds them.
    ///
    /// # Example
    /// `{"a": True, "b": None}` becomes `{"a": true, "b": null}`.
    ///
    /// # Limits
    /// Whole words in this spelling only: `TRUE`, `Nonesuch` and a truncated word are left alone.
    pub struct PythonLiteral {
        name: "python-literal",
        risk: Certain,
        answers: [Value],
        next: ["TFN"],
        reaches: [Fault],
    }
}

impl RepairRule for PythonLiteral {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (len, literal) = fault.ahead().literal_in(Notation::Python)?;
        Some(fault.replace_ahead(len, literal))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(PythonLiteral);
