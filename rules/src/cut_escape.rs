//! `cut-escape`: half an escape at the end of a truncated text.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, StringProblem, rule};

use crate::shared::escapes;

rule! {
    /// Drops the half of an escape at which a string was truncated.
    ///
    /// # What
    /// The completion ends inside an escape of a string value, or after the first half of a surrogate pair. That half is removed.
    /// The report says `truncated`.
    ///
    /// # Why
    /// A model that runs out of tokens may stop between a backslash and its letter.
    ///
    /// # Example
    /// `["x\u26` becomes `["x"]`, together with `unclosed-string` and `unclosed-container`.
    ///
    /// # Limits
    /// The character is lost; which one it was is not guessed.
    /// Only where the completion ends, and never in a key.
    pub struct CutEscape {
        name: "cut-escape",
        risk: Lossy,
        answers: [String],
        next: ["\\", End],
    }
}

/// The longest content that tells whether half a pair ends it: the escape, and the backslashes before it.
const SURROGATE_LEN: usize = 12;

impl RepairRule for CutEscape {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let string = fault.string()?;
        let is_half = fault.is_cut() && !string.is_key;
        let pair = escapes::high_surrogate_len(escapes::content_before(fault, SURROGATE_LEN));
        match string.problem {
            StringProblem::Escape if is_half => Some(Edit::remove(fault.pos() - pair..fault.region_end()).into()),
            StringProblem::Unclosed if is_half && pair > 0 => {
                Some(Edit::remove(fault.pos() - pair..fault.pos()).into())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(CutEscape);
