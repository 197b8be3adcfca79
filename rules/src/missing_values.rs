//! Keys without a value: each row says what is there instead, and which value is invented.

use jsonseam_core::{Edits, Fault, Proposals, TokenKind, rule};

use crate::shared::{clues, members};

rule! {
    /// Reads `null` where a member has no value.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace. `null` is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": null, "b": 1}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Only in the middle: where the text ends, `cut-member` answers. Never in arrays.
    pub struct MissingValue {
        name: "missing-value",
        risk: Lossy,
        answers: [Value],
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
        propose: missing_value,
    }

    /// Gives a member without a value the one that the contract states.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace, and the schema at that place has a `default`. It is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about, and the author of the schema said what that means.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": 0, "b": 1}`, if the schema of `a` has `"default": 0`.
    ///
    /// # Limits
    /// Only with a contract, and only where its schema states a default at that very place; without one, `missing-value` answers.
    /// The value is invented, hence the risk.
    /// A member that is absent as a whole is left to the cast `default`.
    pub struct MissingValueDefault {
        name: "missing-value-default",
        risk: Lossy,
        answers: [Value],
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
        repair: missing_value_default,
    }

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
        propose: dangling_key,
    }
}

fn missing_value(fault: &Fault<'_>, to: &mut Proposals) {
    if members::lacks_value(fault) {
        to.offer(fault.insert("null")).clue(clues::INVENTED);
    }
}

fn missing_value_default(fault: &Fault<'_>) -> Option<Edits> {
    let default = fault.default_value()?;
    members::lacks_value(fault).then(|| fault.insert(default.to_owned()))
}

fn dangling_key(fault: &Fault<'_>, to: &mut Proposals) {
    let is_among = fault.token(1).is_some_and(|before| before.kind == TokenKind::Comma);
    let goes_on = fault.next_char() == Some(',') && members::continues_after(fault, 1);
    let is_key = goes_on || is_among && members::closes_after(fault, 0);
    if let Some(edits) = fault.insert_after_previous(": null").filter(|_| is_key) {
        let mut offer = to.offer(edits).clue(clues::INVENTED);
        if fault.token(0).is_some_and(|key| is_sentence(fault.at(key.span.start).slice_to(key.span.end))) {
            offer = offer.clue(clues::SENTENCE_AS_KEY);
        }
        if fault.token(0).is_some_and(|key| fault.at(key.span.start).slice_to(key.span.end).contains(": ")) {
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
jsonseam_testkit::laws! {
    missing_value: MissingValue,
    missing_value_default: MissingValueDefault,
    dangling_key: DanglingKey,
}
