//! `invisible-character`: invisible characters between tokens.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

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
        reaches: [Fault],
    }
}

impl RepairRule for InvisibleCharacter {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let len = fault.ahead().take_while(is_invisible).len();
        (len > 0).then(|| fault.blank_ahead(len))
    }
}

/// U+200B to U+200D, U+2060 and U+FEFF: they take no room, and no reader of JSON knows them (SPEC P5).
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
jsonseam_testkit::laws!(InvisibleCharacter);
