//! Usual completions: one whole object, bare or in one fenced block, and words around it. Locators say that they find nothing else there,
//! so none is asked (SPEC P2); three of four completions that need anything need no more than this.

use super::Attempt;
use crate::locate::{Candidate, Ending, FENCE, Usual, trim};
use crate::reading::wanted::Root;
use crate::results::repaired::Repaired;

/// How far the line of a fence may be indented, in spaces (`CommonMark` section 4.5).
const MOST_INDENT: usize = 3;

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
        let (work, examined) = (self.work.get(), self.examined.get());
        let span = trim(self.completion, start..self.completion.len());
        let end = self.read(&Candidate::plain(span, Ending::RootClose)).ok();
        let Some(end) = end.filter(|&end| around.is_ended_by(&self.completion[end..])) else {
            self.work.set(work);
            self.examined.set(examined);
            return None;
        };
        self.spend(self.completion.len() - (end - start));
        Some(self.untouched(start..end))
    }
}

/// What is around an object.
enum Around<'t> {
    Words,
    /// A block whose first line has these marks.
    Fence(&'t str),
}

impl<'t> Around<'t> {
    /// What may be around an object, by the text up to it.
    fn by(before: &'t str) -> Option<Self> {
        let line = before.trim_end();
        let tag = line.len().saturating_sub(TAG.len());
        let untagged = line.get(..tag).filter(|_| line[tag..].eq_ignore_ascii_case(TAG)).unwrap_or(line);
        let words = untagged.trim_end_matches(['`', '~']);
        let marks = &untagged[words.len()..];
        if marks.is_empty() {
            return (!line.ends_with('(') && are_words(before)).then_some(Self::Words);
        }
        let unindented = words.trim_end_matches(' ');
        let is_line = unindented.is_empty() || unindented.ends_with('\n');
        let is_indented = words.len() - unindented.len() > MOST_INDENT;
        // The object begins on the next line.
        let has_line = before[line.len()..].contains('\n');
        (is_line && !is_indented && has_line && is_fence(marks) && are_words(unindented)).then_some(Self::Fence(marks))
    }

    /// Whether this text after the object ends it.
    fn is_ended_by(&self, after: &str) -> bool {
        let line = after.trim_start();
        let Self::Fence(opening) = self else { return !line.starts_with(')') && are_words(after) };
        if line.is_empty() {
            return true;
        }
        let words = line.trim_start_matches(['`', '~']);
        let marks = &line[..line.len() - words.len()];
        let is_indent = |gap: &str| gap.len() <= MOST_INDENT && gap.bytes().all(|byte| byte == b' ');
        let is_line = after[..after.len() - line.len()].rsplit_once('\n').is_some_and(|(_, gap)| is_indent(gap))
            && (words.is_empty() || words.starts_with(['\n', '\r']));
        is_line && is_fence(marks) && marks.starts_with(opening) && are_words(words)
    }
}

/// Whether these marks open or close a block.
fn is_fence(marks: &str) -> bool {
    marks.len() >= FENCE && (marks.trim_matches('`').is_empty() || marks.trim_matches('~').is_empty())
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
