//! `raw-latex`: formulas whose backslashes were not escaped.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::escapes;

rule! {
    /// Doubles the backslashes of LaTeX that was written raw, those of commands that begin like an escape included.
    ///
    /// # What
    /// A string holds a backslash that begins no escape of JSON but a command or a formula (`\alpha`, `\(`), and beside it well-known commands that begin an escape by chance:
    /// `\frac`, `\beta`, `\theta`, `\neq`, `\right`. All of these backslashes are doubled.
    ///
    /// # Why
    /// Models that solve problems write formulas as they should look. Who writes `\alpha` raw writes `\frac` raw too: read as JSON it would be a form feed and `rac`.
    ///
    /// # Example
    /// `{"a": "\alpha = \frac{1}{2}"}` becomes `{"a": "\\alpha = \\frac{1}{2}"}`.
    ///
    /// # Limits
    /// Only commands of a list that no text could mean otherwise, and only where nothing in the string is in doubt: no path, no short command.
    /// Where another string of the completion holds such a command too, it may be valid by chance and would be lost, so this rule declines.
    /// The rest is `accidental-escape`. Other `\n` and `\t` stay line breaks and tabs. A string that is valid as it stands is never touched.
    pub struct RawLatex {
        name: "raw-latex",
        risk: Likely,
        answers: [String],
        next: ["\\", Control],
        cases: "raw_latex.toml",
    }
}

impl RepairRule for RawLatex {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !escapes::ever_doubtful(fault) {
            return None;
        }
        let found = escapes::of_open_string(fault)?;
        if escapes::are_commands(fault, &found) { escapes::doubled(fault, &found) } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RawLatex);
