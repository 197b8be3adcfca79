//! `unusual-space`: white space that is not white space in JSON.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
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
        reaches: [Fault],
    }
}

impl RepairRule for UnusualSpace {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mut ahead = fault.ahead();
        let len = ahead.take_while(is_unusual_space).len();
        // Between a number and a word it is part of a quantity: `5\u{A0}kg`.
        let is_unit = fault.previous_is(TokenKind::Number) && ahead.peek().is_some_and(char::is_alphabetic);
        (len > 0 && !is_unit).then(|| fault.blank_ahead(len))
    }
}

/// The white space of JSON5 (section 8) that JSON does not have and that shows.
fn is_unusual_space(char: char) -> bool {
    matches!(
        char,
        '\u{B}' | '\u{C}' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

#[cfg(test)]
jsonseam_testkit::laws!(UnusualSpace);
