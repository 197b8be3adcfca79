//! What a rule may ask about quotes: one that is missing, of another kind, in a row, or escaped.

use std::ops::Range;

use super::{Expected, Fault};
use crate::edit::{Edit, Edits};
use crate::recognise::TokenKind;
use crate::trace::Held;

/// The closing mark of typographic double quotes.
const CLOSING: char = '\u{201D}';

impl Fault<'_> {
    /// Where the opening quote of a key or value is missing whose closing quote is there: at the fault, or at a number or word right before it.
    pub fn missing_open_quote(&self) -> Option<usize> {
        let peek = self.setting.peek;
        match self.expected() {
            Expected::Value | Expected::Key => {
                // Of several blanks some may belong to the text.
                let blanks = self.pos - self.setting.recorder.behind(0).map_or(self.pos, Held::end);
                if blanks > 1 && !self.gap_has_newline() {
                    return None;
                }
                let is_text = self.next_char()?.is_alphanumeric()
                    || matches!(self.next_char()?, '(' | '-' | '$' | '<' | '#' | '@' | '*' | '/' | '_');
                let content =
                    is_text.then(|| peek.content_to_quote(&self.state.between_tokens(), self.pos)).flatten()?;
                Some(content.start)
            }
            _ => {
                let token = self.setting.recorder.behind(0)?;
                let is_word = matches!(token.kind, TokenKind::Number | TokenKind::Literal);
                let is_near = is_word && token.start() >= self.setting.frontier && self.next_char()?.is_alphabetic();
                let before = token.before();
                let content = is_near.then(|| peek.content_to_quote(&before, token.start())).flatten()?;
                (content.end > self.pos).then_some(content.start)
            }
        }
    }

    /// A string at the fault in marks of one kind with others of that kind inside, and the span of its content.
    pub fn tricky_string(&self, mark: char) -> Option<Range<usize>> {
        let start = self.pos + mark.len_utf8();
        let is_tripled = self.setting.peek.char_at(start) == Some(mark)
            && self.setting.peek.char_at(start + mark.len_utf8()) == Some(mark);
        let is_one = self.next_char() == Some(mark) && !is_tripled;
        let content =
            is_one.then(|| self.setting.peek.tricky_content(&self.state.between_tokens(), start, mark)).flatten()?;
        self.setting.peek.has_known_escapes(content.clone(), mark).then_some(content)
    }

    /// A string that opens at the fault with a typographic quote and closes with a plain one: the span of its content.
    pub fn mixed_string(&self) -> Option<Range<usize>> {
        let opener = self.next_char().filter(|char| matches!(char, '\u{201C}' | '\u{201D}' | '\u{2018}'))?;
        self.setting.peek.content_to_quote(&self.state.between_tokens(), self.pos + opener.len_utf8())
    }

    /// The closing mark of another kind of the open string, or of one that runs on into what follows it: U+201D, an apostrophe or a backtick
    /// that no opening one inside awaits.
    pub fn mixed_end(&self) -> Option<Range<usize>> {
        let (start, end) = self.missing_end()?;
        let content = self.setting.peek.slice(start..end);
        let mark = content.chars().next_back()?;
        let count = |mark: char| content.matches(mark).count();
        let is_left_over = match mark {
            CLOSING => count(CLOSING) > count('\u{201C}'),
            '\'' => count(mark) == 1 && !content.ends_with("s'"),
            '`' => count(mark) % 2 == 1,
            _ => false,
        };
        is_left_over.then(|| end - mark.len_utf8()..end)
    }

    /// The backslash before the closing quote of the open string, or of one that runs on into what follows it.
    /// The escaped quotes inside are pairs, so that one is left over.
    pub fn escaped_end_quote(&self) -> Option<usize> {
        let (start, end) = self.missing_end()?;
        let content = self.setting.peek.slice(start..end);
        let is_left_over = content.ends_with("\\\"") && content.matches("\\\"").count() % 2 == 1;
        is_left_over.then(|| end - 2)
    }

    /// A string at the fault, or one whose first two quotes were read as an empty string before it, in tripled quotes:
    /// where it starts, the span of its content, and what stands for its closing quotes.
    pub fn tripled_string(&self) -> Option<(usize, Range<usize>)> {
        let peek = self.setting.peek;
        let (start, mark, before) = if self.ahead_is("'''") {
            (self.pos, '\'', self.state.between_tokens())
        } else {
            let token = self.setting.recorder.behind(0).filter(|token| token.end() == self.pos)?;
            let is_empty = matches!(token.kind, TokenKind::Key | TokenKind::String) && token.start() + 2 == self.pos;
            let is_tripled = is_empty && token.start() >= self.setting.frontier && self.ahead_is("\"");
            (is_tripled.then(|| token.start())?, '"', token.before())
        };
        let content = peek.tripled_content(start + 3, mark)?;
        peek.could_end(&before, content.end + 3).then_some((start, content))
    }

    /// Makes one escaped quote of each two in a row in the value behind the fault, if all quotes in it are doubled, as in CSV.
    pub fn halve_quotes(&self) -> Option<Edits> {
        let token = self.setting.recorder.behind(0).filter(|token| token.kind == TokenKind::String)?;
        let closing = self.closing_quote()?;
        let is_doubled = closing + 1 == self.pos && self.ahead_is("\"");
        let before = token.before();
        let peek = self.setting.peek;
        let content = is_doubled.then(|| peek.doubled_content(&before, token.content_start())).flatten()?;
        let pairs = peek.slice(content.clone()).match_indices("\"\"").map(|(at, _)| content.start + at);
        Edits::of(pairs.map(|at| Edit::replace(at..at + 2, "\\\"")))
    }

    /// Spells content of a string anew: each `"` and each control character becomes an escape, and a backslash before `mark` goes.
    pub fn respell(&self, opening: Range<usize>, content: Range<usize>, closing: Range<usize>) -> Edits {
        let inner = self.spellings(content);
        inner.fold(Edits::from(Edit::replace(opening, "\"")), Edits::and).and(Edit::replace(closing, "\""))
    }
}
