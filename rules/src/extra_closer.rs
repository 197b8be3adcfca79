//! `extra-closer`: closers after a complete root.

use jsonseam_core::{Expected, Fault, Proposals, RepairRule, Strings, rule};

use crate::shared::clues;

use crate::shared::closers;

rule! {
    /// Removes closers after a complete payload, or a quote.
    ///
    /// # What
    /// The root is complete, and only `}` and `]` follow up to the end of the payload. They are removed in one edit.
    /// So is a single `"` that ends the text, if the quotes before it are pairs.
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
        let len = closers::surplus(fault).or_else(|| is_last_quote(fault).then_some(1));
        if let Some(len) = len {
            to.offer(fault.blank_ahead(len)).clue(clues::SURPLUS);
        }
    }
}

/// Whether a single quote follows the root, after which the text ends, and the quotes of the payload are pairs: then it ends nothing.
fn is_last_quote(fault: &Fault<'_>) -> bool {
    let is_after_root = fault.expected() == Expected::End && fault.token(0).is_some_and(|token| token.kind.is_closer());
    // A quote before the payload may be the one that this pairs with.
    let no_quote_precedes =
        || fault.at(fault.region_start()).before_while(|char| char != '"').len() == fault.region_start();
    if !is_after_root || !fault.ahead().starts_with("\"") || fault.ahead().after(1).skip_json_space().peek().is_some() {
        return false;
    }
    let mut strings = Strings::default();
    let payload = fault.at(fault.region_start()).slice_to(fault.pos());
    payload.bytes().for_each(|byte| {
        strings.hides(byte);
    });
    !strings.is_inside() && no_quote_precedes()
}

#[cfg(test)]
jsonseam_testkit::laws!(ExtraCloser);
