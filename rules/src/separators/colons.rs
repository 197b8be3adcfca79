//! Colons between a key and its value: missing, too many, or another sign in their place.

use jsonseam_core::{Ahead, Edit, Edits, Expected, Fault, Proposals, TokenKind, is_quote, rule};

use crate::shared::members;

rule! {
    /// Inserts the colon between a key and its value.
    ///
    /// # What
    /// A value follows a key, and then a comma and a whole member, or the end of the object.
    /// A colon is inserted right at the key's end.
    ///
    /// # Why
    /// Models drop colons as they drop commas.
    ///
    /// # Example
    /// `{"a" 1, "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Two strings must be separated by a blank: `"a""b"` may be one string with a doubled quote.
    /// What follows the value must be unambiguous: in a row of strings, keys cannot be told from values.
    pub struct MissingColon {
        name: "missing-colon",
        risk: Likely,
        answers: [Colon],
        next: ["{[\"'`+-", Letter, Digit, NonAscii],
        only_ahead: missing_colon,
    }

    /// Removes a colon directly after another one.
    ///
    /// # What
    /// A value is expected after a colon, and there is another colon, and then a well-formed value.
    /// The second colon is removed.
    ///
    /// # Why
    /// Models write `::` as in Rust or C++, or type the colon twice.
    ///
    /// # Example
    /// `{"a":: 1}` becomes `{"a": 1}`.
    ///
    /// # Limits
    /// A value must follow, and the object must continue after it. More than three colons in a row are left alone.
    pub struct RepeatedColon {
        name: "repeated-colon",
        risk: Likely,
        answers: [Value],
        next: [":"],
        previous: [Colon],
        only_ahead: repeated_colon,
    }

    /// Reads `=`, `=>`, `:=` and `->` after a key as a colon.
    ///
    /// # What
    /// A key is followed by the sign that another language uses there, and then by a well-formed value.
    /// The sign becomes a colon; of `:=`, the equals sign is removed.
    ///
    /// # Why
    /// Models trained on Python calls, Ruby, PHP, Go and Lua write the signs of those languages.
    ///
    /// # Example
    /// `{"a" => 1, "b" = 2}` becomes `{"a" : 1, "b" : 2}`.
    ///
    /// # Limits
    /// The key must be quoted, and a value must follow, after which the object continues: `==` is a comparison and left alone.
    pub struct OtherLanguageColon {
        name: "other-language-colon",
        risk: Likely,
        answers: [Colon, Value],
        next: ["=-"],
        only_ahead: other_language_colon,
    }

    /// Reads a comma between a key and its value as a colon.
    ///
    /// # What
    /// A comma follows a key, then a value with which the member ends, and the object has another member with a colon.
    /// So does a colon right before the quote that ends the key: it changes places with that.
    ///
    /// # Why
    /// Models that list names and values in pairs slip from one form into the other.
    ///
    /// # Example
    /// `{"a": 1, "b", 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Without a colon anywhere, braces are a set.
    /// If a member follows the comma, the key has lost its value: that is `dangling-key`.
    pub struct CommaForColon {
        name: "comma-for-colon",
        risk: Guess,
        answers: [Colon],
        next: [",\"-{[", Digit, Letter],
        answer: comma_for_colon,
    }
}

fn missing_colon(fault: &Fault<'_>) -> Option<Edits> {
    let is_parted = fault.gap_len() > 0 || fault.next_char() != Some('"');
    // `"name:" "x"`: the colon may be inside the quotes.
    let end = fault.token(0).map_or("", |key| fault.at(key.span.end).before(8));
    let name = end.trim_end_matches(['"', ' ']).strip_suffix(':');
    let has_colon = name.is_some_and(|name| name.ends_with(char::is_alphanumeric));
    let is_value = is_parted && !has_colon && fault.ahead().has_last_value_of_member();
    if is_value { fault.insert_after_previous(":") } else { None }
}

fn repeated_colon(fault: &Fault<'_>) -> Option<Edits> {
    let len = fault.ahead().take_while(|char| char == ':').len();
    (len <= 2 && members::value_follows(fault, len)).then(|| fault.blank_ahead(len))
}

fn other_language_colon(fault: &Fault<'_>) -> Option<Edits> {
    let is_after_colon = fault.previous_is(TokenKind::Colon);
    let sign = ["=>", "->", "="].into_iter().find(|sign| fault.ahead().starts_with(sign))?;
    let is_other = is_after_colon && sign != "=" || fault.ahead().starts_with("==");
    match fault.expected() {
        _ if is_other || !members::value_follows(fault, sign.len()) => None,
        Expected::Colon => Some(fault.replace_ahead(sign.len(), ":")),
        _ => is_after_colon.then(|| fault.blank_ahead(sign.len())),
    }
}

fn comma_for_colon(fault: &Fault<'_>, to: &mut Proposals) {
    if fault.next_char() != Some(',') {
        to.only(colon_in_key(fault));
        return;
    }
    let value = fault.ahead().after(1).skip_space_and_comments();
    let is_pair = !members::continues_after(fault, 1) && value.has_last_value_of_member();
    if is_pair && has_other_member(fault, value) {
        let are_texts = value.peek().is_some_and(is_quote) && members::follows_text_on_line(fault);
        let offer = to.offer(fault.replace_ahead(1, ":"));
        offer.doubt_if(are_texts, "both may be elements of an array without brackets");
    }
}

/// `"name:" "Ann"`: the colon is inside the quotes of the key, which is otherwise a word or several.
fn colon_in_key(fault: &Fault<'_>) -> Option<Edits> {
    let key = fault.token(0).filter(|key| key.span.len() > 3 && fault.gap_len() > 0)?;
    let colon = key.span.end - 2;
    if !fault.at(colon).starts_with(":\"") {
        return None;
    }
    let name = fault.at(key.span.start).slice_to(colon);
    let is_name = name.ends_with(char::is_alphanumeric) && !name.contains(':');
    let is_value = || fault.ahead().has_last_value_of_member() || precedes_alike(fault.ahead());
    (is_name && is_value()).then(|| Edit::replace(colon..key.span.end, "\":").into())
}

/// Whether a scalar comes next, a comma, and another key with its colon inside.
fn precedes_alike(value: Ahead<'_>) -> bool {
    let next = value.scalar_end().and_then(|after| after.past(","));
    next.and_then(Ahead::quoted_content).is_some_and(|key| key.ends_with(':'))
}

/// Whether the object has a member before the key, or one after the value.
fn has_other_member(fault: &Fault<'_>, value: Ahead<'_>) -> bool {
    let next = || value.scalar_end().and_then(|after| after.past(","));
    fault.token_kind(1) == Some(TokenKind::Comma) || next().is_some_and(Ahead::has_member)
}

#[cfg(test)]
jsonseam_testkit::laws! {
    missing_colon: MissingColon,
    repeated_colon: RepeatedColon,
    other_language_colon: OtherLanguageColon,
    comma_for_colon: CommaForColon,
}
