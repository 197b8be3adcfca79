//! `dangling-key`: a key has neither a colon nor a value.

use jsonseam_core::{Fault, Proposals, TokenKind, rule};

use crate::shared::{clues, members};

rule! {
    /// Reads `null` for a key that has neither colon nor value.
    ///
    /// # What
    /// After a member, a key is followed by a comma and a whole member, or by the closing brace. A colon and `null` are inserted.
    ///
    /// # Why
    /// Models list a field that they know nothing about, or lose the thread in the middle of a member.
    ///
    /// # Example
    /// `{"a": 1, "b", "c": 2}` becomes `{"a": 1, "b": null, "c": 2}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Braces without any colon are a set, or not data at all. Only in the middle: where the text ends, `cut-member` answers.
    /// A string with a colon and a blank in it may be a key and its value, the first string of an object may be no key, and one after a text on the same line may be an element beside it, if it goes on or that text is the first value: there the payload is refused.
    pub struct DanglingKey {
        name: "dangling-key",
        risk: Lossy,
        answers: [Colon],
        next: [",}/#\u{B}\u{C}", NonAscii],
        answer: dangling_key,
    }
}

fn dangling_key(fault: &Fault<'_>, to: &mut Proposals) {
    let is_among = fault.token_kind(1) == Some(TokenKind::Comma);
    let goes_on = fault.next_char() == Some(',') && members::continues_after(fault, 1);
    let is_key = goes_on || is_among && members::closes_after(fault, 0);
    if let Some(edits) = fault.insert_after_previous(": null").filter(|_| is_key) {
        let key = fault.token(0).map_or("", |key| fault.at(key.span.start).slice_to(key.span.end));
        let offer = to.offer(edits).clue(clues::INVENTED);
        offer.clues(clues::SENTENCE_AS_KEY, usize::from(is_sentence(key)));
        if key.contains(": ") {
            offer.doubt("it may be a key and its value in one string");
        } else if !is_among {
            offer.doubt("the first of all may be a name and no key");
        } else if (goes_on || is_second(fault)) && members::follows_text_on_line(fault) {
            offer.doubt("it may be an element of an array without brackets");
        }
    }
}

/// Whether a single member is before the key: `{"a": "x", "y"}`.
fn is_second(fault: &Fault<'_>) -> bool {
    let Some(colon) = fault.token(3).filter(|colon| colon.kind == TokenKind::Colon) else { return false };
    let first = fault.opened().and_then(|opener| opener.after(1).skip_space_and_comments().key_end());
    first.is_some_and(|end| end.skip_space_and_comments().pos() == colon.span.start)
}

/// Whether the text of a key reads like a piece of a sentence or of code.
fn is_sentence(key: &str) -> bool {
    key.starts_with("\" ")
        || key.matches(' ').count() > 3
        || key.contains(['(', ')', ';', '{', '}'])
        || key.contains(", ")
}

#[cfg(test)]
jsonseam_testkit::laws!(DanglingKey);
