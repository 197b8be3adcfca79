//! What a rule may ask about strings: the open one, and one in foreign quotes at the fault.

use std::fmt::Write;
use std::ops::Range;

use super::{Fault, Token};
use crate::edit::{Edit, Edits};
use crate::peek::{Oddity, OddityKind};
use crate::recognise::TokenKind;

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

/// The string that is open at a fault with [`Expected::String`](crate::Expected::String).
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
    /// The open string, with [`Expected::String`](crate::Expected::String).
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

    /// Up to `len` bytes of the open string before the blanks at the fault, cut to a character boundary: as it was written, edits or not.
    /// Empty outside strings.
    pub fn written_tail(&self, len: usize) -> &'e str {
        if self.problem.is_none() {
            return "";
        }
        let from = self.state.content_start.min(self.pos);
        let written = self.setting.source.get(from..self.pos).unwrap_or_default();
        let end = from + written.trim_end().len();
        self.setting.peek.charge(self.pos - end);
        let mut start = from.max(end.saturating_sub(len));
        while !self.setting.source.is_char_boundary(start) {
            start += 1;
        }
        self.setting.peek.slice(start..end)
    }

    /// Whether backslashes of the open string begin escapes that were not meant as such, or may not have been:
    /// commands of LaTeX (`\frac`, `\times`), and paths (`C:\new`). Then doubling the false ones alone would leave control characters for the others.
    pub fn has_doubtful_escape(&self) -> bool {
        let is_doubtful = |kind| matches!(kind, OddityKind::Accidental | OddityKind::Doubtful | OddityKind::InPath);
        self.problem.is_some()
            && self
                .setting
                .peek
                .with_oddities(self.state.content_start, |found| found.iter().any(|oddity| is_doubtful(oddity.kind)))
    }

    /// Doubles the backslashes of the open string that begin an escape only by chance, as far as the next fault, and mends this one:
    /// a false escape is doubled too, control characters are escaped. `None` where no such escape stands, and where a path or a word makes it doubtful.
    pub fn double_accidental_escapes(&self) -> Option<Edits> {
        if self.problem? == StringProblem::Unclosed || self.is_at_end() {
            return None;
        }
        self.setting.peek.with_oddities(self.state.content_start, |found| {
            let is = |kind| found.iter().any(|oddity| oddity.kind == kind);
            if !is(OddityKind::Accidental) || is(OddityKind::InPath) || is(OddityKind::Doubtful) {
                return None;
            }
            let first = found.partition_point(|oddity| oddity.pos < self.setting.frontier);
            let ends = |oddity: &&Oddity| oddity.pos <= self.pos || oddity.kind == OddityKind::Accidental;
            let near = found.get(first..).unwrap_or_default().iter().take_while(ends);
            let near = near.filter(|oddity| oddity.pos >= self.pos || oddity.kind == OddityKind::Accidental);
            let doubles = self.problem == Some(StringProblem::Escape)
                || near.clone().any(|oddity| oddity.kind == OddityKind::Accidental);
            Edits::of(near.map(|oddity| self.mended(*oddity))).filter(|_| doubles)
        })
    }

    /// The edit that mends this oddity of a string.
    fn mended(&self, oddity: Oddity) -> Edit {
        let pos = oddity.pos;
        match oddity.kind {
            OddityKind::Quote => Edit::replace(pos..pos + 1, "\\\""),
            OddityKind::Control => {
                let len = self.setting.peek.run_len(pos, |char| char < ' ');
                Edit::replace(pos..pos + len, escaped(self.setting.peek.slice(pos..pos + len)))
            }
            OddityKind::FalseEscape | OddityKind::Accidental | OddityKind::Doubtful | OddityKind::InPath => {
                Edit::replace(pos..pos + 1, "\\\\")
            }
        }
    }

    /// Escapes the quotes of a string from `first` to its end, which is decided, and all that must be mended between them.
    pub(super) fn escape_quotes(&self, start: usize, first: usize) -> Option<Edits> {
        self.setting.peek.with_oddities(start, |found| {
            let from = found.partition_point(|oddity| oddity.pos < first);
            let last = found.iter().rposition(|oddity| oddity.kind == OddityKind::Quote)?;
            if found.iter().any(|oddity| oddity.kind == OddityKind::InPath) {
                return None;
            }
            Edits::of(found.get(from..=last)?.iter().map(|oddity| self.mended(*oddity)))
        })
    }

    /// A string in foreign quotes at the fault that is *simple* (SPEC P5), and its content's span:
    /// it ends at the first of `closers`, its content holds no `"`, backslash or control character, and what follows fits the grammar.
    pub fn simple_string(&self, closers: &[char]) -> Option<Range<usize>> {
        let opener = self.next_char()?;
        let content = self.setting.peek.simple_content(self.pos + opener.len_utf8(), closers)?;
        let closer = self.setting.peek.char_at(content.end)?;
        self.could_end_at(content.end + closer.len_utf8()).then_some(content)
    }

    /// A string in foreign quotes at the fault, and its content's span: it ends at the first of `closers` that no backslash hides,
    /// its escapes are those of JSON or hide one of `closers`, and what follows fits the grammar.
    /// With `spans_lines` its content may hold line breaks and tabs, as template literals do.
    pub fn quoted_string(&self, closers: &[char], spans_lines: bool) -> Option<Range<usize>> {
        let opener = self.next_char()?;
        let content = self.setting.peek.quoted_content(self.pos + opener.len_utf8(), closers, spans_lines)?;
        let closer = self.setting.peek.char_at(content.end)?;
        self.could_end_at(content.end + closer.len_utf8()).then_some(content)
    }

    /// Spells the string in foreign quotes at the fault, whose content is `content` and whose closing mark takes `closer_len` bytes, as one of JSON:
    /// its marks become `"`, each `"` inside and each control character becomes an escape, and a backslash that hides something else than JSON knows goes.
    pub fn requote(&self, content: Range<usize>, closer_len: usize) -> Edits {
        let closing = content.end..content.end + closer_len;
        self.respell(self.pos..content.start, content, closing)
    }

    /// The edits that spell `content` as JSON does: each `"` and each control character becomes an escape,
    /// and a backslash that hides something else than JSON knows goes.
    pub(super) fn spellings(&self, content: Range<usize>) -> impl Iterator<Item = Edit> {
        let mut edits = Vec::new();
        let mut chars = self.setting.peek.slice(content.clone()).char_indices();
        while let Some((offset, char)) = chars.next() {
            let pos = content.start + offset;
            match char {
                '"' => edits.push(Edit::replace(pos..pos + 1, "\\\"")),
                '\\' => {
                    let hidden = chars.next().map_or(' ', |(_, hidden)| hidden);
                    if !matches!(hidden, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u') {
                        edits.push(Edit::remove(pos..pos + 1));
                    }
                }
                control if control < ' ' => {
                    edits.push(Edit::replace(pos..pos + 1, escaped(control.encode_utf8(&mut [0; 4]))));
                }
                _ => {}
            }
        }
        edits.into_iter()
    }

    /// Escapes the run of control characters at the fault.
    pub fn escape_ahead(&self) -> Edits {
        let len = self.run_len(|char| char < ' ');
        self.replace_ahead(len, escaped(self.text_ahead(len)))
    }

    /// Whether a string that starts at this fault, or is open here, could end before `pos`: whether what follows parses as what the container allows next.
    pub fn could_end_at(&self, pos: usize) -> bool {
        if self.state.expects_key() {
            self.colon_follows(pos)
        } else {
            self.setting.peek.value_could_end(pos, self.container()) || self.row_ends_at(pos)
        }
    }

    /// The content, up to the first closing mark, of a quoted text of one line that opens `skip` bytes after the fault with `"` or `'`.
    pub fn content_ahead(&self, skip: usize) -> Option<&'e str> {
        let start = self.pos + skip;
        let quote = self.setting.peek.char_at(start).filter(|char| matches!(char, '"' | '\''))?;
        let end = self.setting.peek.quoted_end(start, quote)?;
        Some(self.setting.peek.slice(start + 1..end - 1))
    }

    /// Where the closing quote of the nearest token stands, if that is a string and its quote is one of the completion.
    pub fn closing_quote(&self) -> Option<usize> {
        let token = self.setting.recorder.behind(0)?;
        let is_string = matches!(token.kind, TokenKind::Key | TokenKind::String) && token.end() > self.setting.frontier;
        let closing = token.end().checked_sub(1).filter(|&closing| is_string && closing >= token.content_start())?;
        self.setting.peek.starts_with(closing, "\"").then_some(closing)
    }

    /// Whether the nearest token is a string that ends right at the fault, without a blank between.
    pub fn touches_string(&self) -> bool {
        self.setting
            .recorder
            .behind(0)
            .is_some_and(|token| matches!(token.kind, TokenKind::Key | TokenKind::String) && token.end() == self.pos)
    }

    /// The first position, from `skip` bytes after the fault on, that holds neither blank nor comment.
    pub fn skip_blanks(&self, skip: usize) -> usize {
        self.setting.peek.skip_blanks(self.pos + skip)
    }

    /// Whether a string in double quotes starts at `pos`.
    pub fn string_starts_at(&self, pos: usize) -> bool {
        self.setting.peek.starts_with(pos, "\"")
    }

    /// Removes the backslashes before the quotes of a string at the fault whose opening quote, at least, is escaped: `\\"x\\"`,
    /// if no other quote stands in it and what follows fits the grammar.
    ///
    /// It holds no control character, and no backslash either unless it is the value of a key in plain quotes: else the payload may be escaped as a whole.
    pub fn unescape_delimiters(&self) -> Option<Edits> {
        let peek = self.setting.peek;
        let start = self.pos + 2;
        let content = peek.starts_with(self.pos, "\\\"").then(|| peek.escaped_content(start)).flatten()?;
        let has_plain_key = self.token(1).is_some_and(|key| key.kind == TokenKind::Key && self.is_plain(&key.span));
        let is_simple = has_plain_key || !peek.slice(content.clone()).contains('\\');
        let is_closed_plainly = peek.starts_with(content.end, "\"");
        let after = content.end + if is_closed_plainly { 1 } else { 2 };
        if !is_simple || self.follows_escaped_quote() || !self.could_end_at(after) {
            return None;
        }
        let opening = Edits::from(Edit::remove(self.pos..self.pos + 1));
        Some(if is_closed_plainly { opening } else { opening.and(Edit::remove(content.end..content.end + 1)) })
    }

    /// Whether a string among the nearest tokens holds an escaped quote: then one at the fault may belong to that text, which goes on.
    fn follows_escaped_quote(&self) -> bool {
        let is_string = |token: &Token| matches!(token.kind, TokenKind::Key | TokenKind::String);
        let strings = (0..3).filter_map(|back| self.token(back)).filter(is_string);
        strings
            .filter(|token| self.is_plain(&token.span))
            .any(|token| self.setting.peek.slice(token.span).contains("\\\""))
    }

    /// Whether a token is delimited by two plain quotes of the completion.
    fn is_plain(&self, span: &Range<usize>) -> bool {
        let peek = self.setting.peek;
        span.len() > 1 && peek.starts_with(span.start, "\"") && !peek.slice(span.end - 2..span.end).starts_with('\\')
    }

    /// Surrounds the next `len` bytes with double quotes: two insertions.
    pub fn quote_ahead(&self, len: usize) -> Edits {
        Edits::from(Edit::insert(self.pos, "\"")).and(Edit::insert(self.pos + len, "\""))
    }
}

/// The escapes of these control characters, the short ones where there are (RFC 8259 section 7).
fn escaped(controls: &str) -> String {
    controls.chars().fold(String::new(), |mut text, control| {
        match control {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{C}' => text.push_str("\\f"),
            _ => {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "\\u{:04x}", control as u32);
            }
        }
        text
    })
}
