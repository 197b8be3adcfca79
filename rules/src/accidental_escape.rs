//! `accidental-escape`: backslashes that begin an escape only by chance.

use jsonseam_core::{Edits, Fault, ReadPayload, RepairRule, Review, StringProblem, rule};

use crate::shared::escapes::{self, EscapeIssue, EscapeIssueKind, signs};

rule! {
    /// Doubles the backslashes of commands that begin like an escape, in a string that was not escaped.
    ///
    /// # What
    /// A string holds a backslash that begins no escape of JSON, or a raw control character, and beside it commands of LaTeX or of regular expressions
    /// that begin an escape by chance: `\frac`, `\beta`, `\times`, `\neq`, `\rho`. All of these backslashes are doubled.
    ///
    /// # Why
    /// A model that writes `\alpha` and `\sqrt` raw writes `\frac` raw too. Read as JSON, `\frac` is a form feed and `rac`, and the formula is silently lost.
    ///
    /// # Example
    /// `{"a": "\alpha = \frac{1}{2}"}` becomes `{"a": "\\alpha = \\frac{1}{2}"}`.
    ///
    /// # Limits
    /// It replaces escapes that are valid, and chooses between two readings: a guess.
    /// `\b`, `\f` and `\r` before a letter (`\b` also after a repetition in a regular expression), `\n` and `\t` only
    /// where they begin a known command; `\nu`, `\ne` and `\ni` only within a formula.
    /// Where what is left of the command is a word, or the command is a short one (`\nmid`, `\to`, `\text`), it counts within a formula and before `{`;
    /// elsewhere the string is left alone.
    /// Other `\n` and `\t` stay line breaks and tabs. A string without a false escape or a raw control character is valid and never touched.
    /// One string speaks for all strings of the payload: after `\alpha` or `\sin` anywhere, `\to` and `\frac` are doubled in the other strings too, and after
    /// `src\main.py` so is the `\t` of `lib\test.py`. Where one of these may as well be a line break or a tab that is meant, the payload is refused.
    /// The two backslashes that begin the path of a share (`\\server\dir`) become four.
    /// A path of which every escape is valid (`C:\new\temp`) is left alone. In any other (`C:\new\dir`) all are doubled, but for a line break that a
    /// sentence ends before, or that no name follows.
    pub struct AccidentalEscape {
        name: "accidental-escape",
        risk: Guess,
        answers: [String],
        next: ["\\", Control],
        reaches: [OpenString, Escapes],
    }
}

impl RepairRule for AccidentalEscape {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !escapes::ever_doubtful(fault) {
            return None;
        }
        doubled(fault)
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        // All of them, or none (SPEC R7).
        let literal = signs::doubtful(payload).map(|escape| escape.is_literal.then_some(escape.pos));
        let places: Vec<_> = literal.collect::<Option<_>>()?;
        (!places.is_empty()).then_some(Review::Double(places))
    }
}

/// The edits that double the backslashes at the fault and up to the next issue of another kind, accidental and doubtful ones with the false ones.
/// `None` where none is due: at the end of the region, and at a control character that nothing accidental follows.
fn doubled(fault: &Fault<'_>) -> Option<Edits> {
    let string = fault.string()?;
    if string.problem == StringProblem::Unclosed || fault.is_at_end() {
        return None;
    }
    // One that is certain speaks for those of the same string that are not (SPEC R7).
    let is_accidental = |issue: &EscapeIssue| {
        use EscapeIssueKind::{Accidental, Doubtful, InPath, Pair, Share};
        matches!(issue.kind, Accidental | InPath | Doubtful | Pair | Share)
    };
    let goes_on = |issue: &EscapeIssue| issue.pos <= fault.pos() || is_accidental(issue);
    let near = escapes::of_open_string(fault, string.content.start, goes_on)?;
    let near = near.into_iter().filter(|issue| issue.pos >= fault.pos() || is_accidental(issue));
    // Where commands follow, a control character is repaired with them: all of them, or none.
    let doubles = string.problem == StringProblem::Escape || escapes::has_doubtful(fault);
    Edits::group(near.map(|issue| escapes::repaired(fault, issue))).filter(|_| doubles)
}

#[cfg(test)]
jsonseam_testkit::laws!(AccidentalEscape);
