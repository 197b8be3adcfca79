//! `tripled-quotes`: strings in three quotes on each side.

use std::ops::Range;

use jsonseam_core::{Ahead, Edits, Expected, Fault, RepairRule, TokenKind, rule};

use crate::shared::quoted;

rule! {
    /// Turns the three quotes on each side of a string into one.
    ///
    /// # What
    /// A key or value is in `"""` or `'''`. Quotes and line breaks inside it are escaped.
    ///
    /// # Why
    /// Python writes long texts this way.
    ///
    /// # Example
    /// `{"a": """say "x"⏎now"""}` becomes `{"a": "say \"x\"\nnow"}` (⏎ is a newline).
    ///
    /// # Limits
    /// Quotes may be inside only if it has several lines: on one line, a text that begins and ends with a quoted word looks the same.
    /// Its escapes must be those of JSON or hide a quote, and what follows must fit the grammar.
    pub struct TripledQuotes {
        name: "tripled-quotes",
        risk: Certain,
        answers: [Value, Key, Comma, Colon],
        next: ["'\""],
        reaches: [LastQuote],
    }
}

impl RepairRule for TripledQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (start, mark, is_key) = opening(fault)?;
        let content = content(fault.at(start + 3), mark)?;
        let after = fault.at(content.end + 3);
        let could_end = if is_key { after.has_colon() } else { after.could_end_value(fault.container()) };
        let closing = content.end..content.end + 3;
        could_end.then(|| quoted::respell(fault, start..content.start, content, closing))
    }
}

/// Where a string in tripled quotes starts, at the fault or where its first two quotes were read as an empty string before it;
/// the mark, and whether it is a key.
fn opening(fault: &Fault<'_>) -> Option<(usize, char, bool)> {
    if fault.ahead().starts_with("'''") {
        return Some((fault.pos(), '\'', fault.expected() == Expected::Key));
    }
    let token = fault.token(0).filter(|token| matches!(token.kind, TokenKind::Key | TokenKind::String))?;
    let is_tripled = token.span.end == fault.pos() && token.span.len() == 2 && fault.next_char() == Some('"');
    is_tripled.then_some((token.span.start, '"', token.kind == TokenKind::Key))
}

/// The content from the cursor to the first three `mark`s, if its escapes are those of JSON or of a mark.
fn content(ahead: Ahead<'_>, mark: char) -> Option<Range<usize>> {
    let needle = if mark == '"' { "\"\"\"" } else { "'''" };
    let end = ahead.find(needle)?;
    // A fourth one would be a mark in the text or too many: Python reads neither.
    if ahead.at(end + needle.len()).peek() == Some(mark) {
        return None;
    }
    let content = ahead.slice_to(end);
    // On one line, quotes inside could as well be those of a text that begins and ends with a quoted word.
    let hides_all = content.match_indices(mark).all(|(at, _)| content[..at].ends_with('\\'));
    // Pairs that face their words are quotations.
    let is_quotation = |(nth, text): (usize, &str)| nth % 2 == 0 || !text.is_empty() && text.trim() == text;
    let are_pairs = || {
        content.matches(mark).count().is_multiple_of(2)
            && !content.contains('\\')
            && content.split(mark).enumerate().all(is_quotation)
    };
    let is_plain = hides_all || content.contains('\n') || are_pairs();
    (is_plain && quoted::has_known_escapes(content, mark)).then_some(ahead.pos()..end)
}

#[cfg(test)]
jsonseam_testkit::laws!(TripledQuotes);
