//! `color-sequence`: colours of a terminal between tokens.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::blanks;

rule! {
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
        reaches: [Fault],
    }
}

impl RepairRule for ColorSequence {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let touches_string = blanks::touches_string(fault);
        let mut ahead = fault.ahead();
        let (mut part, mut pos, mut len, mut is_run) = (Part::Outside, 0, 0, true);
        ahead.take_while(|char| {
            pos += 1;
            part = match (part, char) {
                (Part::Outside, '\u{1B}') => Part::Escape,
                (Part::Escape, '[') => Part::Start,
                (Part::Start | Part::Parameters, '0'..='9' | ';' | ':') => Part::Parameters,
                (Part::Start | Part::Parameters, 'm') | (Part::Start, 'K') => Part::Outside,
                (Part::Outside, ' ' | '\t' | '\r' | '\n') if touches_string => {
                    is_run = false;
                    Part::Outside
                }
                _ => return false,
            };
            if is_run && part == Part::Outside {
                len = pos;
            }
            true
        });
        // What is no part of the string is followed by what may follow a string.
        let ends_string = || matches!(ahead.peek(), None | Some(',' | ':' | '}' | ']'));
        (len > 0 && (!touches_string || ends_string())).then(|| fault.blank_ahead(len))
    }
}

/// Where in a sequence the next character is; ECMA-48 calls the last one of a sequence SGR, or EL.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Outside,
    Escape,
    Start,
    Parameters,
}

#[cfg(test)]
jsonseam_testkit::laws!(ColorSequence);
