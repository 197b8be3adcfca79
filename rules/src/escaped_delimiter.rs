//! `escaped-delimiter`: a backslash before the quotes of a string.

use std::ops::Range;

use jsonseam_core::{Ahead, Edit, Edits, Fault, RepairRule, Token, TokenKind, rule};

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
        reaches: [Fault],
        cases: "escaped_delimiter.toml",
    }
}

impl RepairRule for EscapedDelimiter {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mut ahead = fault.ahead();
        let depth = ahead.take_while(|char| char == '\\').len();
        if !ahead.eat("\"") || program::pieces_together(fault, '"') {
            return None;
        }
        if depth > 1 {
            return deeply_escaped(fault, ahead, depth);
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
            return with_quotes(fault, ahead);
        }
        let opening = Edits::from(Edit::remove(fault.pos()..fault.pos() + 1));
        Some(if is_closed_plainly { opening } else { opening.and(Edit::remove(content.end..content.end + 1)) })
    }
}

/// How many backslashes before each quote are taken for one notation.
const DEEPEST: usize = 3;

/// The edits that leave the quotes of a string alone, before each of which are `depth` backslashes.
fn deeply_escaped(fault: &Fault<'_>, mut ahead: Ahead<'_>, depth: usize) -> Option<Edits> {
    ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
    let end = ahead.pos();
    let is_alike = ahead.take_while(|char| char == '\\').len() == depth && ahead.eat("\"");
    let edits = || Edits::from(Edit::remove(fault.pos()..fault.pos() + depth)).and(Edit::remove(end..end + depth));
    // So many backslashes are no text, and what follows is in the same notation.
    let is_end = if strings::is_key_due(fault) {
        ahead.has_colon()
    } else {
        matches!(ahead.skip_json_space().peek(), None | Some(',' | '}' | ']'))
    };
    (is_alike && is_end && depth <= DEEPEST).then(edits)
}

/// The edits of a string that is delimited by `\"` and holds plain quotes, which come in pairs: those are escaped.
fn with_quotes(fault: &Fault<'_>, mut ahead: Ahead<'_>) -> Option<Edits> {
    let mut edits = vec![Edit::remove(fault.pos()..fault.pos() + 1)];
    loop {
        ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
        let here = ahead.pos();
        if ahead.eat("\"") {
            edits.push(Edit::insert(here, "\\"));
        } else if ahead.eat("\\\"") && edits.len() % 2 == 1 && strings::could_end(fault, ahead) {
            edits.push(Edit::remove(here..here + 1));
            return Edits::group(edits);
        } else {
            return None;
        }
    }
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
