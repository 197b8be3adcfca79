//! Whether a text is whole although it ends within a string: it has lost a quote, and nothing was cut off (SPEC B3).

use jsonseam_text::Strings;

use crate::edits::journal::{Entry, Journal};
use crate::reading::openers::closers_due;

/// Whether the repair of `payload`, which an edit answered at its end, only gave one string its end quote: the text ends with the closers of its root,
/// and no bracket was inserted.
pub(super) fn lost_only_a_quote(payload: &str, start: usize, journal: &Journal) -> bool {
    let last = start + payload.trim_end().len();
    let closes = |entry: &Entry| {
        let span = entry.span();
        let (before, after) = (payload.get(..span.start - start), payload.get(span.end - start..));
        let (Some(before), Some(after)) = (before, after) else { return false };
        let is_last = after.trim_end_matches(is_structure).is_empty();
        match (journal.replacement(entry), payload.get(span.start - start..span.end - start)) {
            ("\"", Some("")) => (is_last || after.starts_with(':')) && ends_open_text(before),
            ("\"", Some("\u{201D}" | "\u{2019}")) => is_last && ends_open_text(before),
            ("", Some("\\")) => {
                after.strip_prefix('"').is_some_and(|rest| rest.trim_end_matches(is_structure).is_empty())
                    && ends_escaped(before)
            }
            _ => false,
        }
    };
    let mut cuts = journal.entries().iter().filter(|entry| entry.at_cut());
    payload.trim_end().ends_with(['}', ']'])
        && journal
            .entries()
            .iter()
            .all(|entry| entry.span().end < last && !journal.replacement(entry).contains(['{', '}', '[', ']']))
        && cuts.next().is_some_and(closes)
        && cuts.next().is_none()
}

/// The same of a text as it is, before any repair: it ends in closers, and an end quote is missing before them.
pub(super) fn lacks_only_a_quote(text: &str) -> bool {
    let before = text.trim_end_matches(is_structure);
    let closers = text[before.len()..].bytes().filter(|byte| !byte.is_ascii_whitespace());
    let text = before.strip_suffix(['\u{201D}', '\u{2019}']).unwrap_or(before);
    let closes_root = || closers_due(before.as_bytes()).is_some_and(|due| !due.is_empty() && closers.eq(due));
    closes_root() && (ends_open_text(text) || before.strip_suffix("\\\"").is_some_and(ends_escaped))
}

/// Whether a closer or white space is at the place: what may follow the last string.
fn is_structure(char: char) -> bool {
    matches!(char, '}' | ']') || char.is_ascii_whitespace()
}

/// Whether `before` ends in a letter or digit of a string that holds no bracket, backslash or line break: a cut would rather be elsewhere.
fn ends_open_text(before: &str) -> bool {
    let Some((rest, content)) = before.rsplit_once('"') else { return false };
    let is_opener = rest.trim_end().ends_with(['{', '[', ',', ':']);
    is_opener && content.ends_with(char::is_alphanumeric) && !content.contains(['{', '}', '[', ']', '\\', '\n', '\r'])
}

/// Whether `before` ends in a string, the end of which may be escaped by mistake: all brackets in it are closed, and a word or closer ends it.
fn ends_escaped(before: &str) -> bool {
    let mut strings = Strings::default();
    let mut start = 0;
    for (at, byte) in before.bytes().enumerate() {
        let was_inside = strings.is_inside();
        if strings.hides(byte) && !was_inside {
            start = at + 1;
        }
    }
    let content = &before[start..];
    let mut depth = 0_i32;
    let is_whole = content.bytes().all(|byte| {
        depth += i32::from(matches!(byte, b'{' | b'[' | b'(')) - i32::from(matches!(byte, b'}' | b']' | b')'));
        depth >= 0
    });
    is_whole
        && depth == 0
        && content.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '}' | ']' | ')' | '.' | '!' | '?'))
}
