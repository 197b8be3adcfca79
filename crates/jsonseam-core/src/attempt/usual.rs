//! Usual completions: one whole object, bare or in one fenced block, and words around it. Locators say that they find nothing else there,
//! so none is asked (SPEC P2); four of five completions that need anything need no more than this.

use super::Attempt;
use crate::locate::{Candidate, Ending, Usual, trim};
use crate::repaired::Repaired;
use crate::wanted::Root;

/// How many marks make a fence, and how far its line is not indented.
const FENCE: usize = 3;

/// The tag of a fence, in any case.
const TAG: &str = "json";

impl<'a> Attempt<'_, 'a> {
    /// The payload of a usual completion. What was read of any other is not read again, and counts where it is used.
    pub(super) fn usual(&self) -> Option<Repaired<'a>> {
        let start = memchr::memchr(b'{', self.completion.as_bytes()).filter(|_| self.settings.root != Root::Array)?;
        let (before, object) = self.completion.split_at(start);
        // Without a member it may be a pair of brackets in prose.
        if !object[1..].trim_start().starts_with('"') {
            return None;
        }
        let frame = Frame::by(before)?;
        let kind = if matches!(frame, Frame::Bare) { Usual::Bare } else { Usual::Fenced };
        if !self.rules.takes_usual(kind) {
            return None;
        }
        let (work, examined) = (self.work.get(), self.examined.get());
        let end =
            self.read(&Candidate::plain(trim(self.completion, start..self.completion.len()), Ending::RootClose)).ok();
        let payload = end.filter(|&end| frame.is_ended_by(&self.completion[end..]));
        if payload.is_none() {
            self.work.set(work);
            self.examined.set(examined);
        }
        payload.map(|end| self.untouched(start..end))
    }
}

/// The line of a fence before an object, or that the object is bare.
enum Frame<'t> {
    Bare,
    /// The marks of the line.
    Fenced(&'t str),
}

impl<'t> Frame<'t> {
    /// What may frame an object, by the text up to it.
    fn by(before: &'t str) -> Option<Self> {
        let line = before.trim_end();
        let tag = line.len().saturating_sub(TAG.len());
        let untagged = line.get(..tag).filter(|_| line[tag..].eq_ignore_ascii_case(TAG)).unwrap_or(line);
        let words = untagged.trim_end_matches(['`', '~']);
        let marks = &untagged[words.len()..];
        if marks.is_empty() {
            return (are_words(before) && !before.trim_end().ends_with('(')).then_some(Self::Bare);
        }
        let words = words.trim_end_matches(' ');
        let indent = untagged.len() - marks.len() - words.len();
        // The object begins on the next line.
        let is_line = (words.is_empty() || words.ends_with('\n')) && before[line.len()..].contains('\n');
        (is_line && indent < FENCE && is_fence(marks) && are_words(words)).then_some(Self::Fenced(marks))
    }

    /// Whether this text after the object ends it.
    fn is_ended_by(&self, after: &str) -> bool {
        let Self::Fenced(opening) = self else { return are_words(after) && !after.trim_start().starts_with(')') };
        let line = after.trim_start();
        if line.is_empty() {
            return true;
        }
        let words = line.trim_start_matches(['`', '~']);
        let marks = &line[..line.len() - words.len()];
        let gap = &after[..after.len() - line.len()];
        let is_line = gap.rsplit_once('\n').is_some_and(|(_, indent)| indent.len() < FENCE)
            && (words.is_empty() || words.starts_with(['\n', '\r']));
        is_line && is_fence(marks) && marks.starts_with(opening) && are_words(words)
    }
}

/// Whether these marks open or close a block.
fn is_fence(marks: &str) -> bool {
    marks.len() >= FENCE && (marks.trim_matches('`').is_empty() || marks.trim_matches('~').is_empty())
}

/// Whether a text is nothing but words and plain punctuation: no mark of a fence, a tag, a quotation, a formula, an expression or an escape, and no
/// bracket.
fn are_words(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" \n\r.,!?:;*_-()#%@/'".contains(&byte);
    let is_letter = |char: char| {
        char.is_alphanumeric() || matches!(char, '\u{2013}' | '\u{2014}' | '\u{2026}' | '\u{1F300}'..='\u{1FAFF}')
    };
    let is_of_words = |char: char| u8::try_from(char).map_or_else(|_| is_letter(char), is_plain);
    // An apostrophe is within a word.
    text.chars().all(is_of_words)
        && text.match_indices('\'').all(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + 1..]);
            before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic)
        })
}
