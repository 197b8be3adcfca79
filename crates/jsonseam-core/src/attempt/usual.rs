//! Usual completions: one whole object, bare or in one fenced block, and words around it. Locators say that they find nothing else there,
//! so none is asked (SPEC P2); three of four completions that need anything need no more than this.

use super::Attempt;
use crate::locate::{Candidate, Ending, Fence, Line, Usual, trim};
use crate::reading::wanted::Root;
use crate::results::repaired::Repaired;

/// The tag of a fence, in any case.
const TAG: &str = "json";

/// How long the words on either side may be, in bytes.
const MOST_WORDS: usize = 4 << 10;

impl<'a> Attempt<'_, 'a> {
    /// The payload of a usual completion. A bare object that was read in vain is not read again, and counts where it is used.
    pub(super) fn usual(&self) -> Option<Repaired<'a>> {
        let start = memchr::memchr(b'{', self.completion.as_bytes()).filter(|_| self.settings.root != Root::Array)?;
        let (before, object) = self.completion.split_at(start);
        // Without a member it may be a pair of brackets in prose.
        if !object[1..].trim_start().starts_with('"') {
            return None;
        }
        let around = Around::by(before)?;
        let kind = if matches!(around, Around::Words) { Usual::Bare } else { Usual::Fenced };
        if !self.rules.takes_usual(kind) {
            return None;
        }
        let work = self.work.get();
        let span = trim(self.completion, start..self.completion.len());
        let end = self.read(&Candidate::plain(span, Ending::RootClose)).ok();
        let Some(end) = end.filter(|&end| around.is_ended_by(&self.completion[end..])) else {
            self.work.set(work);
            return None;
        };
        self.spend(self.completion.len() - (end - start));
        Some(self.untouched(start..end))
    }
}

/// What is around an object.
enum Around {
    Words,
    /// A block that this fence opens.
    Block(Fence),
}

impl Around {
    /// What may be around an object, by the text up to it.
    fn by(before: &str) -> Option<Self> {
        let text = before.trim_end();
        let start = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |line_feed| line_feed + 1);
        let Some(fence) = Fence::at_start_of(&Line { start, text: &text[start..] }) else {
            return (!text.ends_with('(') && are_words(before)).then_some(Self::Words);
        };
        let tag = &text[fence.end..];
        // The object begins on the next line.
        let has_line = before[text.len()..].contains('\n');
        let is_json = tag.is_empty() || tag.eq_ignore_ascii_case(TAG);
        (is_json && has_line && are_words(&text[..start])).then_some(Self::Block(fence))
    }

    /// Whether this text after the object ends it.
    fn is_ended_by(&self, after: &str) -> bool {
        let text = after.trim_start();
        let Self::Block(opening) = self else { return !text.starts_with(')') && are_words(after) };
        let gap = &after.as_bytes()[..after.len() - text.len()];
        let Some(line_feed) = memchr::memrchr(b'\n', gap) else { return text.is_empty() };
        let line = Line { start: 0, text: &after[line_feed + 1..] };
        text.is_empty()
            || Fence::at_start_of(&line).filter(|fence| fence.closes(opening)).is_some_and(|fence| {
                let words = &line.text[fence.end..];
                (words.is_empty() || words.starts_with(['\n', '\r'])) && are_words(words)
            })
    }
}

/// Whether a text is nothing but words and punctuation: no bracket, and no mark of a fence, a tag, a quotation, a formula or an escape.
/// Whether the root has ended before it, in a comment or an expression, is not asked here.
fn are_words(text: &str) -> bool {
    text.len() <= MOST_WORDS
        && (text.bytes().all(is_plain) || text.chars().all(is_of_words) && has_apostrophes_in_words_only(text))
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b' ' | b'\n' | b'\r' | b'!' | b'#' | b'%' | b'('..=b'*' | b','..=b'/' | b':' | b';' | b'?' | b'@' | b'_')
}

fn is_of_words(char: char) -> bool {
    match u8::try_from(char) {
        Ok(byte) if byte.is_ascii() => is_plain(byte) || byte == b'\'',
        _ => char.is_alphanumeric() || matches!(char, '\u{2013}' | '\u{2014}' | '\u{2026}' | '\u{1F300}'..='\u{1FAFF}'),
    }
}

fn has_apostrophes_in_words_only(text: &str) -> bool {
    text.match_indices('\'')
        .all(|(at, _)| text[..at].ends_with(char::is_alphabetic) && text[at + 1..].starts_with(char::is_alphabetic))
}
