//! `literal-case`: `TRUE`, `FALSE`, `NULL` and `Null`.

use jsonseam_core::{Edits, Fault, Notation, RepairRule, rule};

rule! {
    /// Writes `TRUE`, `FALSE`, `NULL` and `Null` in lower case.
    ///
    /// # What
    /// A value is expected, and the whole word there is one of the four. It becomes the literal of JSON.
    ///
    /// # Why
    /// SQL, PHP and YAML write literals in upper case, and models copy them.
    ///
    /// # Example
    /// `{"a": TRUE, "b": NULL}` becomes `{"a": true, "b": null}`.
    ///
    /// # Limits
    /// No superset of JSON reads these spellings, and the letters change, so it is lossy.
    /// `True`, `False` and `None` are `python-literal`. Words in any other mixture, `NONE`, `YES` and `NIL` are left alone, and so is a truncated word.
    pub struct LiteralCase {
        name: "literal-case",
        risk: Lossy,
        answers: [Value],
        next: ["TFN"],
        cases: "literal_case.toml",
    }
}

impl RepairRule for LiteralCase {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (len, literal) = fault.ahead().literal_in(Notation::OtherCase)?;
        let could_end = fault.ahead().after(len).could_end_scalar(fault.container());
        could_end.then(|| fault.replace_ahead(len, literal))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(LiteralCase);
