//! What a rule may ask about where a string ends: one with quotes inside, or one without its closing quote.

use super::{Container, Fault};
use crate::edit::Edits;
use crate::peek::{Question, StringEnd};
use crate::recognise::{State, TokenKind};
use crate::trace::Held;

/// How far back the start of a line is looked for, in bytes.
const INDENT: usize = 64;

impl Fault<'_> {
    /// Escapes the quotes behind and after the fault that belong to the text of a value, which goes on behind them.
    ///
    /// The answer weighs every end that the value could have: whether the quotes before it are paired, and how far the text behind it reads as
    /// members or elements do. `None` where no end stands out. What must be mended between the quotes is mended with them.
    pub fn escape_inner_quotes(&self) -> Option<Edits> {
        let back = self.text_behind().filter(|_| !self.is_at_end)?;
        let token = self.setting.recorder.behind(back)?;
        let closing = self.closing_quote_of(token)?;
        let end = self.setting.peek.string_end(&self.question(token, back))?;
        if closing >= end.pos {
            return None;
        }
        self.escape_quotes(token.content_start(), closing)
    }

    /// Where the closing quote of a key or value is missing: of the open string, or of one that ends behind the fault at the opening quote of what follows it.
    pub fn missing_end_quote(&self) -> Option<usize> {
        self.missing_end().map(|(_, end)| end)
    }

    /// The same, with the start of its content.
    pub(super) fn missing_end(&self) -> Option<(usize, usize)> {
        let (start, end) = if self.problem.is_some() { self.open_end()? } else { self.end_behind()? };
        let is_near = end.pos >= self.setting.frontier && end.pos <= self.pos;
        (is_near && !end.is_quoted).then_some((start, end.pos))
    }

    /// Where the nearest token, a string, ends if not at its quote.
    fn end_behind(&self) -> Option<(usize, StringEnd)> {
        let token = self.setting.recorder.behind(0)?;
        let closing = self.closing_quote_of(token)?;
        let start = token.content_start();
        let end = match token.kind {
            TokenKind::String => self.setting.peek.string_end(&self.question(token, 0))?,
            TokenKind::Key if !self.is_at_end => {
                let pos = self.setting.peek.missing_key_end(&token.before(), start)?;
                StringEnd { pos, is_quoted: false }
            }
            _ => return None,
        };
        (end.pos < closing).then_some((start, end))
    }

    /// Where the open string, which stands in double quotes, ends.
    fn open_end(&self) -> Option<(usize, StringEnd)> {
        let start = self.state.content_start;
        if self.container().is_none() || !self.setting.peek.starts_with(start.checked_sub(1)?, "\"") {
            return None;
        }
        let before = self.state.between_tokens();
        if self.state.expects_key() {
            let pos = self.setting.peek.missing_key_end(&before, start)?;
            return Some((start, StringEnd { pos, is_quoted: false }));
        }
        let end = self.setting.peek.string_end(&self.question_of(start, before, 0))?;
        Some((start, end))
    }

    /// How many tokens back the value stands whose end the fault makes doubtful: right behind it, or before what looks like members or elements.
    fn text_behind(&self) -> Option<usize> {
        let kind = |back| self.setting.recorder.behind(back).map(|token| token.kind);
        let pattern = [TokenKind::String, TokenKind::Comma, TokenKind::Key, TokenKind::Colon];
        let back = (0..4).find(|&back| kind(back) == Some(TokenKind::String))?;
        // Behind a comma only words can be text that goes on: a quote or a bracket is an element or a member with a defect of its own.
        // So is a doubled quote: `""key""`.
        let is_doubled = back > 1 && self.token(back - 2).is_some_and(|key| key.span.len() == 2);
        let is_text = back == 0 || !is_doubled && self.next_char().is_some_and(char::is_alphabetic);
        let is_followed = is_text && (0..back).all(|nearer| kind(nearer) == Some(pattern[back - nearer]));
        is_followed.then_some(back)
    }

    fn closing_quote_of(&self, token: &Held) -> Option<usize> {
        let peek = self.setting.peek;
        let closing = token.end().checked_sub(1).filter(|&closing| closing >= token.content_start())?;
        let is_plain = closing >= self.setting.frontier
            && peek.starts_with(closing, "\"")
            && peek.starts_with(token.content_start().checked_sub(1)?, "\"");
        is_plain.then_some(closing)
    }

    fn question(&self, token: &Held, back: usize) -> Question {
        self.question_of(token.content_start(), token.before(), back + 1)
    }

    /// What is known of the string whose content starts at `start`, and whose colon, if it is the value of a member, is the token `back` places behind.
    fn question_of(&self, start: usize, before: State, back: usize) -> Question {
        let mut question = Question { start, before, begins_line: false, is_declared: None, is_spaced: None };
        let [Some(colon), Some(key)] = [back, back + 1].map(|back| self.setting.recorder.behind(back)) else {
            return question;
        };
        if (colon.kind, key.kind) != (TokenKind::Colon, TokenKind::Key) {
            return question;
        }
        let source = self.setting.source.as_bytes().get(..key.start()).unwrap_or_default();
        let blanks = source.iter().rev().take(INDENT).take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        self.setting.peek.charge(blanks + 1);
        question.begins_line = source.len().checked_sub(blanks + 1).is_none_or(|at| source[at] == b'\n');
        question.is_spaced = Some(colon.end() + 1 < start);
        if self.container() == Some(Container::Object) {
            let name = key.content_start()..key.end().saturating_sub(1).max(key.content_start());
            question.is_declared = self.setting.peek.declares_key(0, self.setting.peek.slice(name));
        }
        question
    }
}
