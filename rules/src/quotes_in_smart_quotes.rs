//! `quotes-in-smart-quotes`: strings in typographic quotes that hold double quotes or escapes.

use std::ops::Range;

use jsonseam_core::{Edit, Edits, Fault, RepairRule, closers_of, rule};

use crate::shared::{quoted, strings};

rule! {
    /// Turns typographic quotes around a string that holds plain quotes or escapes into double quotes.
    ///
    /// # What
    /// A key or value starts with U+201C or U+2018 and ends at the next mark of the same pair that is not escaped. Both become `"`; each `"` inside is escaped.
    /// So do the quotes of a simple string in `„x“`, `«x»`, `「x」` or `＂x＂`.
    ///
    /// # Why
    /// Word processors replaced the quotes and left the escaped ones.
    ///
    /// # Example
    /// `{“a”: “say \"x\"”}` becomes `{"a": "say \"x\""}`, the key by `smart-quoted-string`.
    ///
    /// # Limits
    /// Its escapes must be those of JSON, it must hold no mark of the same pair, except apostrophes between letters (`‘it’s’`), and what follows must fit the grammar.
    pub struct QuotesInSmartQuotes {
        name: "quotes-in-smart-quotes",
        risk: Likely,
        answers: [Value, Key],
        next: [NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for QuotesInSmartQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let closers = match fault.next_char()? {
            '\u{201C}' => ['\u{201C}', '\u{201D}'],
            '\u{2018}' => ['\u{2018}', '\u{2019}'],
            quote @ ('„' | '«' | '「' | '＂') => return national(fault, quote),
            _ => return None,
        };
        let content = strings::with_escapes(fault, &closers).or_else(|| with_apostrophes(fault))?;
        if spans_members(fault.at(content.start).slice_to(content.end)) {
            return None;
        }
        Some(quoted::requote(fault, content, '\u{201D}'.len_utf8()))
    }
}

/// A simple string in the quotes of another language, without the blanks that French puts inside.
fn national(fault: &Fault<'_>, quote: char) -> Option<Edits> {
    let content = strings::simple(fault, closers_of(quote))?;
    let text = fault.at(content.start).slice_to(content.end);
    let (start, end) = (content.end - text.trim_start().len(), content.start + text.trim_end().len());
    let closing = end..content.end + fault.at(content.end).peek()?.len_utf8();
    let opening = Edits::from(Edit::replace(fault.pos()..start, "\""));
    // A straight mark may end what a low one opens.
    let is_straight = fault.at(closing.start).slice_to(closing.end) == "\"";
    let edits = if is_straight { opening } else { opening.and(Edit::replace(closing, "\"")) };
    (start < end).then_some(edits)
}

/// The content of a string in single typographic quotes that holds apostrophes, which are the same mark as its end: a letter is on both sides of each.
fn with_apostrophes(fault: &Fault<'_>) -> Option<Range<usize>> {
    let mut ahead = fault.ahead();
    if ahead.bump()? != '\u{2018}' {
        return None;
    }
    let start = ahead.pos();
    let mut before = ' ';
    loop {
        let end = ahead.pos();
        match ahead.bump()? {
            '\u{2019}' if before.is_alphabetic() && ahead.peek().is_some_and(char::is_alphabetic) => {}
            '\u{2019}' => return strings::could_end(fault, ahead).then_some(start..end),
            '\u{2018}' | '\\' | '\0'..='\u{1F}' => return None,
            char => before = char,
        }
    }
}

/// Whether a quote in the text ends a key or a value, after which another one begins: then the closing mark is that of another string.
fn spans_members(text: &str) -> bool {
    if text.trim_start().starts_with(['{', '[']) {
        return false;
    }
    let mut after = text.match_indices('"').map(|(at, _)| text[at + 1..].trim_start());
    after.any(|rest| {
        rest.starts_with(':') || rest.strip_prefix(',').is_some_and(|rest| rest.trim_start().starts_with('"'))
    })
}

#[cfg(test)]
jsonseam_testkit::laws!(QuotesInSmartQuotes);
