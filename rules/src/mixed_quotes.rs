//! `mixed-quotes`: a string that opens with one kind of quote and closes with another.

use jsonseam_core::{Edit, Edits, Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

rule! {
    /// Replaces the mark of another kind at one end of a string by a plain quote.
    ///
    /// # What
    /// A key or value starts with a typographic quote and ends with `"`;
    /// or it starts with `"`, and ends with U+201D, an apostrophe or a backtick that closes nothing inside the string.
    /// That mark becomes `"`. So does one in a string without an end if the next member is in the same marks and the text closes: `"a": "x', 'b': 1}`.
    ///
    /// # Why
    /// Models slip from one kind to the other within a long text.
    ///
    /// # Example
    /// `{"a": "x”, "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The text after that end must continue as data. Marks inside a string are data and stay, and so does an apostrophe after `s`.
    pub struct MixedQuotes {
        name: "mixed-quotes",
        risk: Guess,
        answers: [Value, Key, String, Comma, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for MixedQuotes {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        match mixed(fault) {
            Some(edits) => {
                to.offer(edits);
            }
            None => ends::offer_early(fault, to, &|ending| matches!(ending, Ending::OtherMark(_))),
        }
    }
}

/// How long a text in mixed marks may be, in bytes.
const LONGEST: usize = 256;

/// A string that opens at the fault with one mark and closes with another: both become quotes.
fn mixed(fault: &Fault<'_>) -> Option<Edits> {
    let opener = fault.next_char().filter(|char| is_mark(*char) && *char != '"')?;
    let string = ends::at_fault(fault, opener)?;
    let mut ahead = fault.at(string.start);
    let text = ahead.take_while(|char| char >= ' ' && char != '\\' && !is_mark(char));
    let closer = ahead.peek()?;
    let after = ahead.pos() + closer.len_utf8();
    let is_mixed = is_mark(closer) && !pairs(opener, closer) && !text.is_empty() && text.len() <= LONGEST;
    if !is_mixed || !ends::fits_after(fault, string, after) {
        return None;
    }
    let opening = Edits::from(Edit::replace(fault.pos()..string.start, "\""));
    Some(if closer == '"' { opening } else { opening.and(Edit::replace(ahead.pos()..after, "\"")) })
}

fn is_mark(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}')
}

/// Whether one of these marks closes what the other opens.
fn pairs(opener: char, closer: char) -> bool {
    let kind = |mark| match mark {
        '\u{2018}' | '\u{2019}' => '\u{2019}',
        '\u{201C}' | '\u{201D}' => '\u{201D}',
        mark => mark,
    };
    kind(opener) == kind(closer)
}

#[cfg(test)]
jsonseam_testkit::laws!(MixedQuotes);
