//! `doubled-quotes`: quotes inside a string that are doubled, as in CSV.

use jsonseam_core::{Container, Edit, Edits, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::{ends, members};

rule! {
    /// Reads two quotes in a row inside a value as one escaped quote.
    ///
    /// # What
    /// All quotes inside a value are doubled. Each pair becomes `\"`.
    /// Two quotes around all of a key or value, or where one begins in an object, become one.
    ///
    /// # Why
    /// CSV and SQL escape a quote by doubling it.
    ///
    /// # Example
    /// `{"a": "say ""x"" now"}` becomes `{"a": "say \"x\" now"}`.
    ///
    /// # Limits
    /// There must be an even number of pairs on one line, and the text after the value must continue as data: one pair alone is an empty string in the text.
    pub struct DoubledQuotes {
        name: "doubled-quotes",
        risk: Guess,
        answers: [Comma, Colon],
    }
}

impl RepairRule for DoubledQuotes {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(token) = fault.token(0).filter(|token| token.span.end == fault.pos()) else { return };
        let is_string = matches!(token.kind, TokenKind::Key | TokenKind::String);
        if is_string && let Some((string, _)) = ends::doubtful(fault).next() {
            let edits = delimiters(fault, string)
                .filter(|_| token.span.len() == 2)
                .or_else(|| pairs(fault, string))
                .or_else(|| opening(fault, string));
            if let Some(edits) = edits {
                to.offer(edits);
            }
        }
    }
}

/// `""x""` and `""""`: one of each two quotes around the text goes.
fn delimiters(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let mut ahead = fault.at(string.start + 1);
    let opening = Edit::remove(string.start..string.start + 1);
    let text = ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
    let closing = ahead.pos();
    // Three quotes in a row open a text that may span lines.
    let is_empty = text.is_empty();
    let is_closed = if is_empty { fault.at(string.start + 1).eat("\"\"") } else { ahead.eat("\"\"") };
    let after = if is_empty { string.start + 3 } else { closing + 2 };
    let fits = is_closed && !fault.at(after).starts_with("\"") && ends::fits_after(fault, string, after);
    let (first, second) = (opening, Edit::remove(closing..closing + 1));
    fits.then(|| {
        Edits::from(first).and(if is_empty { Edit::remove(string.start + 1..string.start + 2) } else { second })
    })
}

/// `{""a": 1}`, `{"a": ""x", "b": 1}`: one of the two quotes at the start goes, if a whole member or a closer follows the text.
fn opening(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let text = ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
    let is_opened = string.start == fault.pos() - 1 && !text.is_empty() && ahead.eat("\"");
    let len = ahead.pos() - fault.pos();
    let is_followed = || {
        members::closes_after(fault, len)
            || members::comma_after(fault, len).is_some_and(|after| members::continues_after(fault, after))
    };
    let fits =
        || if string.is_key { ahead.has_colon() } else { string.container == Container::Object && is_followed() };
    (is_opened && fits()).then(|| Edit::remove(string.start..fault.pos()).into())
}

/// `"say ""x"" now"`: each two quotes inside become one that is escaped.
fn pairs(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let end = ends::end_of_doubled_marks(fault, string)?;
    let text = fault.at(string.start).slice_to(end);
    Edits::group(text.match_indices("\"\"").map(|(at, _)| {
        let pos = string.start + at;
        Edit::replace(pos..pos + 2, "\\\"")
    }))
}

#[cfg(test)]
jsonseam_testkit::laws!(DoubledQuotes);
