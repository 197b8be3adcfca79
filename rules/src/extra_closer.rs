//! `extra-closer`: closers after a complete root.

use jsonseam_core::{Expected, Fault, Proposals, RepairRule, Strings, TokenKind, rule};

use crate::shared::{closers, clues};

rule! {
    /// Removes closers after a complete payload, or a quote.
    ///
    /// # What
    /// The root is complete, and only `}` and `]` follow up to the end of the payload. They are removed in one edit.
    /// So is a single `"` that ends the text, if the quotes before it are pairs, and one with which the end of the payload is repeated: `"x"}."⏎}`;
    /// and `"""` where they also precede the payload.
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
        reaches: [Fault],
    }
}

impl RepairRule for ExtraCloser {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let len = closers::surplus(fault).or_else(|| last_quote_len(fault));
        if let Some(len) = len {
            to.offer(fault.blank_ahead(len)).clue(clues::SURPLUS);
        }
    }
}

/// How much may follow the root where its end is repeated, in bytes.
const TAIL: usize = 64;

/// The length of what follows the complete root, if that is a quote that opens nothing, alone or where the end of the payload is repeated: `}"}`, `}."⏎}`.
fn last_quote_len(fault: &Fault<'_>) -> Option<usize> {
    let is_after_root = fault.expected() == Expected::End && fault.token(0).is_some_and(|token| token.kind.is_closer());
    if !is_after_root || !fault.ahead().starts_with("\"") && !fault.ahead().starts_with(".") {
        return None;
    }
    let before = fault.at(0).slice_to(fault.region_start());
    if fault.ahead().starts_with("\"\"\"") {
        let is_last = fault.ahead().after(3).skip_json_space().peek().is_none();
        return (is_last && before.trim_end().trim_end_matches("json").ends_with("\"\"\"")).then_some(3);
    }
    let (mut left, mut ahead) = (TAIL, fault.ahead());
    let tail = ahead.take_while(|char| {
        left = left.saturating_sub(1);
        left > 0 && (matches!(char, '"' | '.' | '}' | ']') || char.is_ascii_whitespace())
    });
    let tail = tail.trim_end();
    let is_tail =
        ahead.peek().is_none() && tail.matches('"').count() == 1 && (tail == "\"" || tail.ends_with(['}', ']']));
    // A value that is a container may be a text that lost its opening quote.
    let is_repeated = tail != "\"";
    if !is_tail || is_repeated && !fault.token(1).is_some_and(|token| token.kind == TokenKind::String) {
        return None;
    }
    let mut strings = Strings::default();
    let payload = fault.at(fault.region_start()).slice_to(fault.pos());
    payload.bytes().for_each(|byte| {
        strings.hides(byte);
    });
    // An odd quote before the payload may be the one that this pairs with.
    let are_pairs = || before.matches('"').count().is_multiple_of(2);
    let is_text = strings.is_inside() || is_repeated && payload.contains("\"{");
    (!is_text && are_pairs()).then_some(tail.len())
}

#[cfg(test)]
jsonseam_testkit::laws!(ExtraCloser);
