//! `unclosed-inner-container`: closers that are missing before the next member or element.

use jsonseam_core::{Container, Edit, Expected, Fault, Layout, Proposals, RepairRule, Suspect, TokenKind, rule};

use crate::shared::{closers, clues, members};

rule! {
    /// Inserts closers that are missing in the middle.
    ///
    /// # What
    /// There is a key in an array, or an object where a key is expected, or the next closer belongs to a container further out.
    /// With the missing closers, at most four in a row, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply forget to close the inner list before they go on with the next member.
    ///
    /// # Example
    /// `{"a": [1, 2, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if one of them works.
    /// If two nestings read equally well, declared keys and then the indentation decide, or nothing is done.
    /// A missing closer that leaves no fault in the middle shows only at the end of the text, and cannot be placed.
    pub struct UnclosedInnerContainer {
        name: "unclosed-inner-container",
        risk: Guess,
        answers: [Comma, Key, Value],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for UnclosedInnerContainer {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some(gap) = Gap::at(fault) {
            gap.offer(fault, to);
        }
        if closers::is_bracket_fault(fault) {
            for (at, closers) in fault.suspects().filter_map(closed_before) {
                let offer = to.offer(Edit::insert(at, closers.clone()));
                offer.clues(clues::FURTHER_BRACKET, closers.len() - 1);
                if nests_rows(fault) {
                    offer.doubt(ROWS);
                }
            }
        }
    }
}

/// Where closers may be missing at a fault, before which container they end, and what is missing beside them.
struct Gap {
    at: usize,
    /// The closer of the container that goes on.
    outer: char,
    comma: bool,
}

impl Gap {
    fn at(fault: &Fault<'_>) -> Option<Self> {
        let end = fault.token(0).map_or(fault.pos(), |token| token.span.end);
        let gap = |at, outer, comma| Some(Self { at, outer, comma });
        if let Some(closer) = closers::closer_at(fault) {
            return gap(end, closer, false);
        }
        let is_in_object = fault.container() == Some(Container::Object);
        let before = |back: usize| fault.token(back).filter(|token| token.kind == TokenKind::Comma);
        match (fault.expected(), fault.next_char()?) {
            // `"key":` is among elements.
            (Expected::Comma, ':') if !is_in_object && fault.previous_is(TokenKind::String) => {
                gap(before(1)?.span.start, '}', false)
            }
            (Expected::Comma, _) if !is_in_object && members::key_is_next(fault) => gap(end, '}', true),
            // An element is among members.
            (Expected::Key, '{' | '[') if is_in_object => gap(before(0)?.span.start, ']', false),
            (Expected::Comma, '{' | '[') if is_in_object => gap(end, ']', true),
            _ => None,
        }
    }

    fn offer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let closers = fault.closers();
        let fits =
            closers.char_indices().skip(1).take(closers::MOST_MISSING).filter(|&(_, closer)| closer == self.outer);
        for (count, _) in fits {
            let mut text = closers.get(..count).unwrap_or_default().to_owned();
            text.push_str(if self.comma { "," } else { "" });
            let offer =
                to.offer(Edit::insert(self.at, text)).clue(clues::BRACKET).clues(clues::FURTHER_BRACKET, count - 1);
            if count > 1 {
                offer.clue(clues::FAR_BRACKET);
            }
            if nests_rows(fault) {
                offer.doubt(ROWS);
            }
            if self.comma {
                offer.clue(clues::COMMA_ON_LINE);
            }
        }
    }
}

const ROWS: &str = "a row may have lost its closer before the next one";

/// How much of an array is looked at.
const ROW: usize = 128;

/// Whether an array near the fault holds scalars and then an array: two rows, the first of which lost its closer, look the same.
fn nests_rows(fault: &Fault<'_>) -> bool {
    let arrays = (0..3).filter_map(|back| fault.token(back)).filter(|token| token.kind == TokenKind::ArrayEnd);
    arrays.filter_map(|end| Some((end.opens?, end.span.start))).any(|(opens, end)| {
        let row = fault.at(opens + 1).slice_to(end.min(opens + ROW));
        let (first, inner) = row.split_once('[').unwrap_or_default();
        !first.trim().is_empty() && first.trim_end().ends_with(',') && !first.contains('{') && !inner.is_empty()
    })
}

/// The closers that put the line of a suspect where its indentation says it belongs, and where they go.
fn closed_before(suspect: &Suspect) -> Option<(usize, String)> {
    let fits = |level: &Layout| match suspect.kind {
        TokenKind::Key => level.kind == Container::Object && level.member == Some(suspect.indent),
        TokenKind::ObjectEnd => level.kind == Container::Object && level.line == Some(suspect.indent),
        TokenKind::ArrayEnd => level.kind == Container::Array && level.line == Some(suspect.indent),
        _ => level.kind == Container::Array && level.member == Some(suspect.indent),
    };
    let count = suspect.open.iter().take(closers::MOST_MISSING + 1).position(fits).filter(|&count| count > 0)?;
    let closers = suspect.open.iter().take(count).map(|level| closers::closer_of(level.kind)).collect();
    let before = match &suspect.previous {
        Some(comma) if comma.kind == TokenKind::Comma => suspect.second.as_ref()?,
        previous => previous.as_ref()?,
    };
    Some((before.span.end, closers))
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedInnerContainer);
