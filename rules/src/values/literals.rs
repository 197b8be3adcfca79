//! Words for a value in the notations of other languages: each row a notation of the one list in the lexer, and its risk.

use jsonseam_core::{Edits, Fault, LITERALS, Notation, rule};

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
        only_ahead: |fault| fault.ahead().literal_in(Notation::Python).map(|(len, json)| fault.replace_ahead(len, json)),
    }

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
        only: |fault| spelled(fault, fault.ahead().literal_in(Notation::OtherCase).or_else(|| mixed(fault.ahead().word()))),
    }

    /// Writes `undefined` and `nil` as `null`.
    ///
    /// # What
    /// A value is expected, and the whole word there is `undefined` (JavaScript) or `nil` (Ruby, Lua, Go).
    ///
    /// # Why
    /// Models that print a value of these languages use the language's own word.
    ///
    /// # Example
    /// `{"a": undefined, "b": nil}` becomes `{"a": null, "b": null}`.
    ///
    /// # Limits
    /// JavaScript itself leaves such a member out when it writes JSON, so `null` is invented: lossy.
    /// Only in lower case, and only where what follows fits the grammar: `nil by mouth` is left alone.
    pub struct UndefinedValue {
        name: "undefined-value",
        risk: Lossy,
        answers: [Value],
        next: ["un"],
        only: |fault| spelled(fault, fault.ahead().literal_in(Notation::Undefined)),
    }

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
        only: |fault| spelled(fault, fault.ahead().literal_in(Notation::NotFinite)),
    }
}

/// The word that was found, as JSON spells it, if what follows may follow a value.
fn spelled(fault: &Fault<'_>, found: Option<(usize, &'static str)>) -> Option<Edits> {
    let (len, json) = found?;
    fault.ahead().after(len).could_end_scalar(fault.container()).then(|| fault.replace_ahead(len, json))
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
jsonseam_testkit::laws! {
    python_literal: PythonLiteral,
    literal_case: LiteralCase,
    undefined_value: UndefinedValue,
    non_finite_number: NonFiniteNumber,
}
