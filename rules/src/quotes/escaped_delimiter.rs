//! `escaped-delimiter`: a backslash before the quotes of a string.

use std::ops::Range;

use jsonseam_core::{Ahead, Edit, Edits, Fault, Token, TokenKind, rule};

use crate::shared::{program, strings};

rule! {
    /// Removes the backslash before the quotes that delimit a string.
    ///
    /// # What
    /// A key or value starts with `\"`, and ends with `\"` too, or with a plain quote. The backslashes are removed.
    /// So are two or three backslashes before each of its quotes, where there is no other in the text.
    ///
    /// # Why
    /// Models that often write JSON inside JSON escape one quote too many.
    ///
    /// # Example
    /// `{"a": \"x\"}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// The content holds no escaped quote and no line break, plain ones only in pairs, which are escaped, and what follows must fit the grammar.
    /// Other backslashes in it count as one level of escapes only in a value whose own key is in plain quotes; elsewhere the whole payload may be escaped.
    pub struct EscapedDelimiter {
        name: "escaped-delimiter",
        risk: Likely,
        answers: [Value, Key],
        next: ["\\"],
        only_ahead: escaped_delimiter,
    }
}

fn escaped_delimiter(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let depth = ahead.take_while(|char| char == '\\').len();
    if !ahead.eat("\"") || program::pieces_together(fault, '"') {
        return None;
    }
    if depth > 1 {
        return if depth <= DEEPEST { delimited(fault, ahead, depth) } else { None };
    }
    let content = escaped_content(ahead)?;
    let mut closing = fault.at(content.end);
    let has_plain_key = fault.token(1).is_some_and(|key| key.kind == TokenKind::Key && is_plain(fault, &key.span));
    let is_simple = has_plain_key || !fault.at(content.start).slice_to(content.end).contains('\\');
    let is_closed_plainly = closing.eat("\"");
    let after = if is_closed_plainly { closing } else { closing.after(2) };
    // An element that begins with a blank is rather the rest of a text.
    let is_rest = is_closed_plainly && !has_plain_key && fault.at(content.start).starts_with(" ");
    let is_end = strings::could_end(fault, after);
    if !is_simple || is_rest || follows_escaped_quote(fault) || !is_end && !is_closed_plainly {
        return None;
    }
    if !is_end {
        return delimited(fault, ahead, depth);
    }
    let opening = Edits::from(Edit::remove(fault.pos()..fault.pos() + 1));
    Some(if is_closed_plainly { opening } else { opening.and(Edit::remove(content.end..content.end + 1)) })
}

/// How many backslashes before each quote are taken for one notation.
const DEEPEST: usize = 3;

/// The edits of a string with `depth` backslashes before each of its quotes: those go. Plain quotes within `\"` are escaped, if they come in pairs.
fn delimited(fault: &Fault<'_>, mut ahead: Ahead<'_>, depth: usize) -> Option<Edits> {
    let mut edits = vec![Edit::remove(fault.pos()..fault.pos() + depth)];
    loop {
        ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
        let (here, own) = (ahead.pos(), ahead.take_while(|char| char == '\\').len());
        if !ahead.eat("\"") {
            return None;
        }
        if own == 0 && depth == 1 {
            edits.push(Edit::insert(here, "\\"));
        } else {
            edits.push(Edit::remove(here..here + own));
            let is_closed = own == depth && edits.len() % 2 == 0 && ends_at(fault, ahead, depth);
            return if is_closed { Edits::group(edits) } else { None };
        }
    }
}

/// Whether the string could end before the cursor. After many backslashes, which are no text, what follows is in the same notation.
fn ends_at(fault: &Fault<'_>, ahead: Ahead<'_>, depth: usize) -> bool {
    if depth == 1 || strings::is_key_due(fault) {
        return strings::could_end(fault, ahead);
    }
    matches!(ahead.skip_json_space().peek(), None | Some(',' | '}' | ']'))
}

/// The content from the cursor to the first quote, escaped or not, if no control character is in it.
fn escaped_content(mut ahead: Ahead<'_>) -> Option<Range<usize>> {
    let start = ahead.pos();
    loop {
        ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
        if matches!(ahead.peek(), Some('"')) || ahead.starts_with("\\\"") {
            return Some(start..ahead.pos());
        }
        if !ahead.eat("\\\\") && !ahead.eat("\\") {
            return None;
        }
    }
}

/// Whether a string among the nearest tokens holds an escaped quote: then one at the fault may belong to that text, which goes on.
fn follows_escaped_quote(fault: &Fault<'_>) -> bool {
    let is_string = |token: &Token| matches!(token.kind, TokenKind::Key | TokenKind::String);
    let mut strings = (0..3).filter_map(|back| fault.token(back)).filter(is_string);
    strings.any(|token| {
        is_plain(fault, &token.span) && fault.at(token.span.start).slice_to(token.span.end).contains("\\\"")
    })
}

/// Whether a token is delimited by two plain quotes, as written.
fn is_plain(fault: &Fault<'_>, span: &Range<usize>) -> bool {
    span.len() > 1 && fault.at(span.start).starts_with("\"") && !fault.at(span.end - 2).starts_with("\\")
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedDelimiter);
