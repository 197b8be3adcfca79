//! Content of strings that is plain enough to stand without its quotes, or with other ones, and still be read one way only.

/// Words, spaces and the punctuation of sentences: nothing of JSON, no quote but an apostrophe between letters; begins with a letter and ends
/// with a letter, digit or full stop.
pub(super) fn is_sentence(content: &str) -> bool {
    let is_fine = |character: char| character.is_alphanumeric() || " ,.'!?-".contains(character);
    content.starts_with(char::is_alphabetic)
        && content.ends_with(|last: char| last.is_alphanumeric() || last == '.')
        && content.chars().all(is_fine)
        && !content.contains("  ")
        && content.matches(',').count() == content.matches(", ").count()
        && !content.contains("..")
        && has_plain_apostrophes(content)
        && !is_literal(content)
}

/// A sentence without any comma or apostrophe.
pub(super) fn is_phrase(content: &str) -> bool {
    is_sentence(content) && !content.contains([',', '\'', '.', '!', '?'])
}

/// Every apostrophe is between two letters.
fn has_plain_apostrophes(content: &str) -> bool {
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\'') {
        if !before.ends_with(char::is_alphabetic) || !after.starts_with(char::is_alphabetic) {
            return false;
        }
        rest = after;
    }
    true
}

/// A word that some language reads as a literal.
pub(super) fn is_literal(content: &str) -> bool {
    ["true", "false", "null", "none", "nil", "nan", "infinity", "inf", "undefined", "yes", "no", "on", "off"]
        .contains(&content.to_ascii_lowercase().as_str())
}

/// An ASCII identifier of JavaScript that is not a literal of any language models mix up with it.
pub(super) fn is_identifier(content: &str) -> bool {
    let starts = content.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$');
    let is_word =
        content.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$');
    starts && is_word && !is_literal(content)
}

/// Neither quotes of any kind, backslashes nor control characters.
pub(super) fn is_unquoted(content: &str) -> bool {
    !content.contains(|character: char| is_quote(character) || character == '\\' || character.is_control())
}

/// Every character that a reader could take for a quote.
pub(super) fn is_quote(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '`' | '\u{b4}' | '\u{2018}'..='\u{201f}' | '\u{2032}' | '\u{2033}' | '\u{ab}' | '\u{bb}'
    )
}
