//! `extra-closer`: closers after a complete root.

use jsonseam_core::{Clue, Fault, Proposals, RepairRule, rule};

use crate::shared::closers;

rule! {
    /// Removes closers after a complete payload.
    ///
    /// # What
    /// The root is complete, and only `}` and `]` follow up to the end of the payload. They are removed in one edit.
    ///
    /// # Why
    /// Models that lose count close once too often; constrained decoders go on closing until they run out of tokens.
    ///
    /// # Example
    /// `{"a": {"b": 1}} }` becomes `{"a": {"b": 1}} `.
    ///
    /// # Limits
    /// A single closer too many may also mean that one before it came too early, which changes the nesting.
    /// So the indentation must agree: the root's own closer is on a line indented like the one where the root opens.
    /// In text on one line, a single closer right after the root is left alone if a member follows closers earlier in the text.
    pub struct ExtraCloser {
        name: "extra-closer",
        risk: Likely,
        answers: [End],
        cases: "extra_closer.toml",
    }
}

impl RepairRule for ExtraCloser {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some(len) = closers::surplus(fault) {
            to.offer(fault.blank_ahead(len)).clue(Clue::Surplus);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(ExtraCloser);
