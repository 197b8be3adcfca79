//! `missing-comma-in-array`: elements without a comma between them.

use jsonseam_core::{Container, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::{clues, members};

rule! {
    /// Inserts the comma between two elements of an array.
    ///
    /// # What
    /// In an array, a value is followed by another well-formed value, on the same line or on a later one.
    /// One comma is inserted right at the first value's end.
    ///
    /// # Why
    /// Models drop commas between the rows of a table and between the strings of a list.
    ///
    /// # Example
    /// `[[1, 2] [3, 4]]` becomes `[[1, 2], [3, 4]]`.
    ///
    /// # Limits
    /// Two strings must be separated by white space alone:
    /// where one ends or the next begins with a blank, they may be one string with quotes in it, or one that was split.
    /// On one line, a number of at most three digits and one of exactly three are left alone: `12 345` may be one number.
    /// A string followed by a colon is a key, not an element.
    pub struct MissingCommaInArray {
        name: "missing-comma-in-array",
        risk: Likely,
        answers: [Comma],
        next: ["{[\"'`+-", Letter, Digit, NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for MissingCommaInArray {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let meets = fault.container() == Some(Container::Array)
            && fault.ahead().has_value_of(Container::Array)
            && !members::key_is_next(fault);
        if meets && let Some(edits) = fault.insert_after_previous(",") {
            let are_two = members::are_two_elements(fault);
            let is_apart = fault.gap_has_newline();
            if are_two && is_apart && members::are_lines(fault) {
                to.sole(edits);
            } else if are_two || is_apart {
                let offer = to.offer(edits);
                // Quotes around a bare value are rather those of its neighbours.
                if !is_apart && !follows_bare_value(fault) {
                    offer.clue(clues::COMMA_ON_LINE);
                }
                if !are_two {
                    offer.doubt("the two may be one text");
                }
            }
        }
    }
}

fn follows_bare_value(fault: &Fault<'_>) -> bool {
    fault.token(0).is_some_and(|token| matches!(token.kind, TokenKind::Number | TokenKind::Literal))
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingCommaInArray);
