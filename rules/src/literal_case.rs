//! `literal-case`: `TRUE`, `FALSE`, `NULL` and `Null`.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Writes `TRUE`, `FALSE`, `NULL` and `Null` in small letters.
    ///
    /// # What
    /// A value is expected, and the whole word there is one of the four. It becomes the literal of JSON.
    ///
    /// # Why
    /// SQL, PHP and YAML write literals in capitals, and models that quote them bring them along.
    ///
    /// # Example
    /// `{"a": TRUE, "b": NULL}` becomes `{"a": true, "b": null}`.
    ///
    /// # Limits
    /// No superset of JSON reads these spellings, and the letters change, so it is lossy.
    /// `True`, `False` and `None` are `python-literal`. Words in any other mixture, `NONE`, `YES` and `NIL` are left alone, and so is a word that is cut.
    pub struct LiteralCase {
        name: "literal-case",
        risk: Lossy,
        answers: [Value],
        cases: "literal_case.toml",
    }
}

impl RepairRule for LiteralCase {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let literal = match fault.word() {
            "TRUE" => "true",
            "FALSE" => "false",
            "NULL" | "Null" => "null",
            _ => return None,
        };
        let end = fault.pos() + fault.word().len();
        fault.scalar_could_end_at(end).then(|| fault.replace_ahead(fault.word().len(), literal))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(LiteralCase);
