//! What a rule may ask about strings: the open one, and one in foreign quotes at the fault.

use std::ops::Range;

use super::Fault;
use crate::edit::{Edit, Edits};

/// What is wrong inside a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StringProblem {
    /// The fault is at a control character (below U+0020), which must be escaped.
    ControlCharacter,
    /// The fault is at the backslash of an escape that JSON does not know, or that the end cuts.
    Escape,
    /// The region ends inside the string.
    Unclosed,
}

/// The string that is open at a fault with [`Expected::String`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenString {
    /// Its content so far: from after the opening quote, or from the last edit inside it, to the fault.
    pub content: Range<usize>,
    /// Whether it is a key.
    pub is_key: bool,
    /// What is wrong at the fault.
    pub problem: StringProblem,
}

impl<'e> Fault<'e> {
    /// The open string, with [`Expected::String`].
    pub fn string(&self) -> Option<OpenString> {
        let problem = self.problem?;
        let content_start = self.state.content_start.max(self.setting.frontier);
        Some(OpenString { content: content_start.min(self.pos)..self.pos, is_key: self.state.expects_key(), problem })
    }

    /// Up to `len` bytes of the open string right before the fault, cut to a character boundary. Empty outside strings.
    pub fn content_before(&self, len: usize) -> &'e str {
        let Some(OpenString { content, .. }) = self.string() else {
            return "";
        };
        let mut start = content.start.max(content.end.saturating_sub(len));
        while !self.setting.source.is_char_boundary(start) {
            start += 1;
        }
        self.setting.peek.slice(start..content.end)
    }

    /// Whether the open string holds, between the last edit and the next false escape, a valid escape that looks like the start of a word:
    /// `\b` or `\f` before a letter (nobody writes a backspace or a form feed), or `\n`, `\r`, `\t` where a LaTeX command stands.
    ///
    /// Then the backslashes of the string were not meant as escapes. Each stretch of a string is read once, however many faults it has.
    pub fn has_doubtful_escape(&self) -> bool {
        self.string().is_some_and(|string| self.setting.peek.has_doubtful_escape(string.content.start, self.pos))
    }

    /// A string in foreign quotes at the fault that is *simple* (SPEC P5), and its content's span:
    /// it ends at the first of `closers`, its content holds no `"`, backslash or control character, and what follows fits the grammar.
    pub fn simple_string(&self, closers: &[char]) -> Option<Range<usize>> {
        let opener = self.next_char()?;
        let content = self.setting.peek.simple_content(self.pos + opener.len_utf8(), closers)?;
        let closer = self.setting.peek.char_at(content.end)?;
        self.could_end_at(content.end + closer.len_utf8()).then_some(content)
    }

    /// Whether a string that starts at this fault, or is open here, could end before `pos`: whether what follows parses as what the container allows next.
    pub fn could_end_at(&self, pos: usize) -> bool {
        if self.state.expects_key() {
            self.colon_follows(pos)
        } else {
            self.setting.peek.value_could_end(pos, self.container())
        }
    }

    /// Surrounds the next `len` bytes with double quotes: two insertions.
    pub fn quote_ahead(&self, len: usize) -> Edits {
        Edits::from(Edit::insert(self.pos, "\"")).and(Edit::insert(self.pos + len, "\""))
    }
}
