//! `literal-case`: `TRUE`, `FALSE`, `NULL` and `Null`.

use jsonseam_core::{Edits, Fault, LITERALS, Notation, RepairRule, rule};

rule! {
    /// Writes `TRUE`, `FALSE`, `NULL` and `Null` in lower case.
    ///
    /// # What
    /// A value is expected, and the whole word there is one of the four, or a literal whose capitals are not where a language has them (`tRue`, `noNe`).
    /// It becomes the literal of JSON.
    ///
    /// # Why
    /// SQL, PHP and YAML write literals in upper case, and models copy them.
    ///
    /// # Example
    /// `{"a": TRUE, "b": NULL}` becomes `{"a": true, "b": null}`.
    ///
    /// # Limits
    /// No superset of JSON reads these spellings, and the letters change, so it is lossy.
    /// `True`, `False` and `None` are `python-literal`. `NONE`, `YES` and `NIL` are left alone, and so is a truncated word.
    pub struct LiteralCase {
        name: "literal-case",
        risk: Lossy,
        answers: [Value],
        next: ["TFNtfn"],
    }
}

impl RepairRule for LiteralCase {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (len, literal) = fault.ahead().literal_in(Notation::OtherCase).or_else(|| mixed(fault.ahead().word()))?;
        let could_end = fault.ahead().after(len).could_end_scalar(fault.container());
        could_end.then(|| fault.replace_ahead(len, literal))
    }
}

/// The literal that a word begins with a small letter and goes on with capitals among others, and its length.
fn mixed(word: &str) -> Option<(usize, &'static str)> {
    let is_mixed = word.starts_with(|char: char| char.is_ascii_lowercase()) && word.contains(char::is_uppercase);
    let found = LITERALS.iter().find(|literal| {
        matches!(literal.notation, Notation::Json | Notation::Python) && literal.spelling.eq_ignore_ascii_case(word)
    })?;
    is_mixed.then_some((word.len(), found.json))
}

#[cfg(test)]
jsonseam_testkit::laws!(LiteralCase);
