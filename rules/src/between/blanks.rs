//! What shows nothing between tokens and is no white space of JSON: each row a kind of it.

use jsonseam_core::{Ahead, Edits, Fault, TokenKind, rule};

use crate::shared::{blanks, code_spans};

rule! {
    /// Removes zero-width characters between tokens.
    ///
    /// # What
    /// Between tokens there is U+200B, U+200C, U+200D, U+2060 or U+FEFF. A run of them is one edit.
    ///
    /// # Why
    /// Web pages and chat clients insert them into text; none of them is white space in JSON.
    ///
    /// # Example
    /// `{"a":\u{200B} 1}` becomes `{"a": 1}` (the escape is the character).
    ///
    /// # Limits
    /// Inside a string these characters are valid JSON and stay. A byte order mark at the very start is outside the payload and needs no edit.
    pub struct InvisibleCharacter {
        name: "invisible-character",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: [NonAscii],
        only_ahead: invisible_character,
    }

    /// Removes Unicode white space between tokens that JSON does not allow.
    ///
    /// # What
    /// Between tokens there is a no-break space, an ideographic space or another space of Unicode, a line or paragraph separator,
    /// a form feed or a vertical tab. A run of them is one edit.
    ///
    /// # Why
    /// JSON5 and JavaScript read all of these as white space, and text from web pages and word processors is full of them.
    ///
    /// # Example
    /// `{"a":\u{A0}1}` becomes `{"a":1}` (the escape is the character).
    ///
    /// # Limits
    /// Inside a string they are data and stay. Zero-width characters are `invisible-character`. U+0085 is not white space in JSON5 and is left alone.
    pub struct UnusualSpace {
        name: "unusual-space",
        risk: Certain,
        answers: [Value, Key, Colon, Comma, End],
        next: ["\u{B}\u{C}", NonAscii],
        only_ahead: unusual_space,
    }

    /// Removes the sequences that colour a terminal between tokens.
    ///
    /// # What
    /// Between tokens there is an escape character (U+001B), `[`, and digits and `m` (a colour) or `K` (the rest of the line in that colour).
    /// A run of them is one edit.
    ///
    /// # Why
    /// `jq -C`, `grep --color=always` and copies of a coloured log write them around the tokens of JSON.
    ///
    /// # Example
    /// `{"a":\u{1B}[32m 1}` becomes `{"a": 1}` (the escape is the character).
    ///
    /// # Limits
    /// Inside a string a sequence is text, and stays on record as `raw-control-character`. What is left of a sequence without its escape character
    /// (`[32m`) is refused, and so are sequences that move the cursor. After a string that touches it, a sequence before more text may belong to that
    /// string, and is left alone.
    pub struct ColorSequence {
        name: "color-sequence",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: ["\u{1B}"],
        only_ahead: color_sequence,
    }

    /// Removes escapes for white space between tokens.
    ///
    /// # What
    /// The fault is `\n`, `\r` or `\t`, spelled with a backslash, where a value, a key, a colon, a comma or a closer is expected.
    ///
    /// # Why
    /// A completion that went through `repr` or was written as a string once too often keeps its layout as escapes.
    ///
    /// # Example
    /// `{\n  "a": 1\n}` becomes `{  "a": 1}`.
    ///
    /// # Limits
    /// Inside strings these escapes are valid and stay. Other escapes between tokens are left alone, and so is one after a quote in a code span, where
    /// it is text of `quotes-in-code`.
    pub struct EscapedWhiteSpace {
        name: "escaped-white-space",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        next: ["\\"],
        only_ahead: escaped_white_space,
    }
}

fn invisible_character(fault: &Fault<'_>) -> Option<Edits> {
    // They take no room, and no reader of JSON knows them (SPEC P5).
    let is_invisible = |char| matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}');
    let len = fault.ahead().take_while(is_invisible).len();
    (len > 0).then(|| fault.blank_ahead(len))
}

fn unusual_space(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let len = ahead.take_while(is_unusual_space).len();
    // Between a number and a word it is part of a quantity: `5\u{A0}kg`.
    let is_unit = fault.previous_is(TokenKind::Number) && ahead.peek().is_some_and(char::is_alphabetic);
    (len > 0 && !is_unit).then(|| fault.blank_ahead(len))
}

/// The white space of JSON5 (section 8) that JSON does not have and that shows.
fn is_unusual_space(char: char) -> bool {
    matches!(
        char,
        '\u{B}' | '\u{C}' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

fn color_sequence(fault: &Fault<'_>) -> Option<Edits> {
    let after = after_sequences(fault.ahead(), false);
    let next = || after_sequences(after, true).skip_json_space().peek();
    // What is no part of the string is followed by what may follow a string.
    let ends_string = || matches!(next(), None | Some(',' | ':' | '}' | ']'));
    let len = after.pos() - fault.pos();
    (len > 0 && (!blanks::touches_string(fault) || ends_string())).then(|| fault.blank_ahead(len))
}

/// What follows the sequences at the cursor that ECMA-48 calls SGR and EL, perhaps with blanks before each.
fn after_sequences(mut ahead: Ahead<'_>, are_spaced: bool) -> Ahead<'_> {
    loop {
        let mut next = if are_spaced { ahead.skip_json_space() } else { ahead };
        let begins = next.eat("\u{1B}[");
        let parameters = next.take_while(|char| matches!(char, '0'..='9' | ';' | ':'));
        if !begins || !(next.eat("m") || parameters.is_empty() && next.eat("K")) {
            return ahead;
        }
        ahead = next;
    }
}

fn escaped_white_space(fault: &Fault<'_>) -> Option<Edits> {
    (fault.ahead().eat_escaped_blank() && !code_spans::may_split_string(fault)).then(|| fault.blank_ahead(2))
}

#[cfg(test)]
jsonseam_testkit::laws! {
    invisible_character: InvisibleCharacter,
    unusual_space: UnusualSpace,
    color_sequence: ColorSequence,
    escaped_white_space: EscapedWhiteSpace,
}
