//! Underscores as Markdown escapes them: models that write Markdown spell `get_weather` as `get\\_weather`.

use std::ops::Range;

use jsonseam_core::Risk;

use crate::call::Call;
use crate::weave::{Edit, Piece};

/// The rule whose edits take the backslash away. Only punctuation changes.
const RULE: &str = "escaped-underscore";

/// A part of a text with plain underscores, and where they were escaped.
pub(super) struct Underscores {
    pub(super) text: String,
    /// Where the part starts.
    start: usize,
    /// Where the escaped ones are in `text`, in order.
    escaped: Vec<usize>,
}

impl Underscores {
    /// The part, which starts at `start`, with plain underscores; `None` if none of them is escaped.
    pub(super) fn of(part: &str, start: usize) -> Option<Self> {
        let mut parts = part.split("\\_");
        let mut plain = parts.next().unwrap_or_default().to_owned();
        let mut escaped = Vec::new();
        for part in parts {
            escaped.push(plain.len());
            plain.push('_');
            plain.push_str(part);
        }
        (!escaped.is_empty()).then_some(Self { text: plain, start, escaped })
    }

    /// Where a place of `text` was in the text before.
    pub(super) fn original(&self, pos: usize) -> usize {
        self.start + pos + self.escaped.partition_point(|&at| at < pos)
    }

    /// The edits that give the part of `text` its underscores.
    pub(super) fn edits(&self, part: &Range<usize>) -> impl Iterator<Item = Edit> {
        let first = self.escaped.partition_point(|&at| at < part.start);
        let within = self.escaped.iter().skip(first).copied().take_while(|&at| at < part.end);
        within.map(|at| self.edit(at))
    }

    fn edit(&self, at: usize) -> Edit {
        let start = self.original(at);
        Edit::new(RULE, Risk::Likely, start..start + 2, "_".to_owned())
    }

    /// A call of `text` as one of the text before, with an edit for each underscore that was escaped.
    pub(super) fn escaped(&self, call: Call) -> Call {
        call.mapped(|piece| match piece {
            Piece::Keep(span) => {
                let first = self.escaped.partition_point(|&at| at < span.start);
                let within = self.escaped.iter().skip(first).take_while(|&&at| at < span.end);
                let mut pieces = Vec::new();
                let mut pos = span.start;
                for &at in within {
                    pieces.push(Piece::Keep(self.original(pos)..self.original(at)));
                    pieces.push(Piece::Edit(self.edit(at)));
                    pos = at + 1;
                }
                pieces.push(Piece::Keep(self.original(pos)..self.original(span.end)));
                pieces
            }
            Piece::Edit(edit) => {
                let span = self.original(edit.span.start)..self.original(edit.span.end);
                vec![Piece::Edit(Edit { span, ..edit })]
            }
            inserted @ Piece::Insert(_) => vec![inserted],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_text_before() {
        let text = r"x a\_b(c\_d=1) e";
        let plain = Underscores::of(&text[2..], 2).expect("two are escaped");
        assert_eq!(plain.text, "a_b(c_d=1) e");
        let at = |found: &str, text: &str| text.find(found).expect("it is there");
        assert_eq!(plain.original(at("(", &plain.text)), at("(", text));
        assert_eq!(plain.original(at("d=", &plain.text)), at("d=", text));
        assert_eq!(plain.original(plain.text.len()), text.len());
        assert!(Underscores::of("a_b", 0).is_none());
    }
}
