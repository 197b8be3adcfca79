//! `color-sequence`: colours of a terminal between tokens.

use jsonseam_core::{Ahead, Edits, Fault, RepairRule, rule};

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
        cases: "color_sequence.toml",
    }
}

impl RepairRule for ColorSequence {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let end = after_colors(fault.ahead());
        let len = end.pos() - fault.ahead().pos();
        let ends_string = || {
            let (mut pos, mut next) = (end.pos(), after_colors(end.skip_json_space()));
            while next.pos() > pos {
                (pos, next) = (next.pos(), after_colors(next.skip_json_space()));
            }
            matches!(next.peek(), None | Some(',' | ':' | '}' | ']'))
        };
        (len > 0 && (!blanks::touches_string(fault) || ends_string())).then(|| fault.blank_ahead(len))
    }
}

fn after_colors(mut ahead: Ahead<'_>) -> Ahead<'_> {
    while let Some(after) = color_end(ahead) {
        ahead = after;
    }
    ahead
}

/// After the sequence that comes next: ECMA-48 calls its last byte SGR, or EL.
fn color_end(mut ahead: Ahead<'_>) -> Option<Ahead<'_>> {
    let has_start = ahead.eat("\u{1B}[");
    let parameters = ahead.take_while(|char| char.is_ascii_digit() || matches!(char, ';' | ':'));
    (has_start && (ahead.eat("m") || parameters.is_empty() && ahead.eat("K"))).then_some(ahead)
}

#[cfg(test)]
jsonseam_testkit::laws!(ColorSequence);
