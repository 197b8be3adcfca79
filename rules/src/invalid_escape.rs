//! `invalid-escape`: a backslash that begins no escape.

use jsonseam_core::{Edits, Fault, RepairRule, StringProblem, rule};

rule! {
    /// Doubles a backslash that begins no escape of JSON.
    ///
    /// # What
    /// In a string, a backslash is followed by something else than `" \ / b f n r t` or `u` and four hexadecimal digits. It is doubled, so the string keeps it.
    ///
    /// # Why
    /// LaTeX (`\alpha`), Markdown (`\_`), regular expressions (`\d`) and Windows paths reach strings unescaped. Keeping the backslash loses nothing.
    ///
    /// # Example
    /// `{"a": "\alpha"}` becomes `{"a": "\\alpha"}`.
    ///
    /// # Limits
    /// An escape that the end of the text cuts is left alone: it may have been a valid one.
    /// So is every one in a string where another backslash begins a valid escape by chance (`\frac`, `C:\dir\new`):
    /// there all of them stood for themselves, and doubling some would leave control characters for the others. Commands are `accidental-escape`.
    pub struct InvalidEscape {
        name: "invalid-escape",
        risk: Likely,
        answers: [String],
        cases: "invalid_escape.toml",
    }
}

impl RepairRule for InvalidEscape {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_false_escape = fault.string()?.problem == StringProblem::Escape && !fault.is_at_end();
        if is_false_escape && fault.has_doubtful_escape() {
            return None;
        }
        is_false_escape.then(|| fault.replace_ahead(1, "\\\\"))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(InvalidEscape);
