//! What a rule may ask about members and the gaps between tokens.

use std::ops::Range;

use super::{Container, Expected, Fault, Token};
use crate::recognise::TokenKind;
use crate::trace::Held;

impl Fault<'_> {
    /// Whether the text between the nearest token and the fault holds a line feed or a carriage return that no edit removed.
    pub fn gap_has_newline(&self) -> bool {
        let from = self.setting.recorder.behind(0).map_or(self.setting.start, Held::end);
        let (memo_from, memo_to, memo_found) = self.setting.gap.get();
        let (mut pos, mut found) =
            if memo_from == from && memo_to <= self.pos { (memo_to, memo_found) } else { (from, false) };
        let entries = self.setting.journal.entries();
        let first = self.setting.journal.place_for(pos, self.setting.sealed);
        for entry in entries.get(first..).unwrap_or_default() {
            let span = entry.span();
            if span.start >= self.pos {
                break;
            }
            found |= self.has_newline(pos..span.start);
            pos = span.end;
        }
        found |= self.has_newline(pos..self.pos);
        self.setting.gap.set((from, self.pos, found));
        found
    }

    fn has_newline(&self, span: Range<usize>) -> bool {
        self.setting.peek.slice(span).bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Whether a key stands at the fault: a string of any quote style, or an identifier, and a colon behind it.
    pub fn key_is_next(&self) -> bool {
        *self.key_is_next.get_or_init(|| self.setting.peek.key_is_at(self.pos))
    }

    /// Whether two members of an object meet here without a comma: a key stands at the fault, on a later line than the nearest token (SPEC M1, M2).
    pub fn members_meet(&self) -> bool {
        self.container() == Some(Container::Object) && self.key_is_next() && self.gap_has_newline()
    }

    /// Whether a colon comes at or after `pos`, behind nothing but white space and comments.
    pub fn colon_follows(&self, pos: usize) -> bool {
        self.setting.peek.colon_follows(pos)
    }

    /// Whether a whole member stands at the fault: a key, its colon, and a value behind which an object goes on or ends.
    pub fn member_is_next(&self) -> bool {
        self.setting.peek.member_is_at(self.pos)
    }

    /// Whether a whole element stands at the fault: a value behind which an array goes on or ends.
    pub fn element_is_next(&self) -> bool {
        self.setting.peek.element_is_at(self.pos)
    }

    /// Whether the innermost container could go on `skip` bytes after the fault, if a comma stood there:
    /// behind white space stands a whole member for an object, a whole element for an array.
    pub fn goes_on_after(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        let next = peek.skip_blanks(self.pos + skip);
        match self.container() {
            Some(Container::Object) => peek.member_is_at(next),
            Some(Container::Array) => peek.element_is_at(next),
            None => false,
        }
    }

    /// Whether a comma that was written, not put there by an edit, stands beside one of the two elements of an array around the fault:
    /// before the one behind it, if that is a scalar, or after the scalar `skip` bytes ahead.
    pub fn has_comma_beside(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        let is_scalar = self.previous().is_some_and(|token| token.kind.is_scalar());
        let is_before = is_scalar
            && self
                .token(1)
                .is_some_and(|token| token.kind == TokenKind::Comma && peek.starts_with(token.span.start, ","));
        is_before
            || peek
                .scalar_end(peek.skip_blanks(self.pos + skip))
                .is_some_and(|end| peek.starts_with(peek.skip_blanks(end), ","))
    }

    /// Whether the closer of the innermost container stands `skip` bytes after the fault, behind white space.
    pub fn closes_after(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        let next = peek.char_at(peek.skip_blanks(self.pos + skip));
        match self.container() {
            Some(Container::Object) => next == Some('}'),
            Some(Container::Array) => next == Some(']'),
            None => false,
        }
    }

    /// Whether the value of a member stands `skip` bytes after the fault, behind white space, and the object goes on or ends behind it.
    pub fn value_follows(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        peek.value_fits_at(peek.skip_blanks(self.pos + skip), Container::Object)
    }

    /// Whether a value stands at the fault behind which a member ends for certain: the closing brace follows, or a comma and a whole member,
    /// or, if the value is no string, a comma and a key that lacks its colon too.
    pub fn value_ends_member(&self) -> bool {
        self.setting.peek.value_ends_member_at(self.pos)
    }

    /// How many bytes lie between the nearest token and the fault.
    pub fn gap_len(&self) -> usize {
        self.pos - self.setting.recorder.behind(0).map_or(self.setting.start, Held::end).min(self.pos)
    }

    /// Whether the token behind the fault and the value at it are two elements rather than one that has come apart:
    /// two strings are parted and neither has a blank where they meet; two numbers on one line are not the groups of one.
    pub fn are_two_elements(&self) -> bool {
        let Some(previous) = self.previous() else {
            return false;
        };
        let next = self.next_char();
        if previous.kind.is_closer() || matches!(next, Some('{' | '[')) {
            return true;
        }
        let is_text = next.is_some_and(|char| !continues_word(char));
        match previous.kind {
            TokenKind::String if is_text => {
                let peek = self.setting.peek;
                let last = previous.span.end.checked_sub(2).map_or("", |last| peek.slice(last..last + 1));
                let first = peek.char_at(self.pos + 1);
                self.gap_len() > 0 && !is_blank_text(last) && !first.is_some_and(char::is_whitespace)
            }
            TokenKind::Number if !is_text && !self.gap_has_newline() => {
                let is_group = |len: usize| (1..=3).contains(&len);
                !(is_group(previous.span.len())
                    && self.word().len() == 3
                    && self.word().bytes().all(|byte| byte.is_ascii_digit()))
            }
            _ => self.gap_len() > 0,
        }
    }

    /// Whether a quoted text stands `skip` bytes after the fault, behind white space.
    fn element_is_text_after(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        peek.char_at(peek.skip_blanks(self.pos + skip)).is_some_and(|char| matches!(char, '"' | '\''))
    }

    /// Whether a Python tuple stands at the fault: values in parentheses, with a comma among them or behind the only one, or none at all.
    pub fn tuple_is_next(&self) -> bool {
        let row =
            || self.setting.peek.row_len(self.pos + 1, ')').or_else(|| self.setting.peek.row_len(self.pos + 1, ']'));
        self.ahead_is("(") && row().is_some_and(|(len, has_comma)| len != 1 || has_comma)
    }

    /// The brace behind the fault that opens a set: at least two values and no colon up to its closer.
    /// A string and one value of another kind are none: there a comma may stand for the colon.
    pub fn set_start(&self) -> Option<Token> {
        // A comment is taken out of the way first, so that a run of them is not read again and again.
        if self.next_char().is_none_or(|char| char.is_whitespace() || matches!(char, '/' | '#')) {
            return None;
        }
        let brace = match self.expected() {
            Expected::Key => self.token(0),
            Expected::Colon => self.token(1),
            _ => None,
        };
        let brace = brace.filter(|brace| brace.kind == TokenKind::ObjectStart)?;
        let (len, _) = self.setting.peek.row_len(brace.span.end, '}')?;
        let is_pair = len == 2 && self.expected() == Expected::Colon && !self.element_is_text_after(1);
        (len >= 2 && !is_pair).then_some(brace)
    }

    /// The length of a placeholder at the fault: `...` or `…`, alone or as a comment that starts so. A name right behind it makes it a spread.
    pub fn placeholder_len(&self) -> Option<usize> {
        let peek = self.setting.peek;
        let is_dots = |pos| peek.starts_with(pos, "...") || peek.starts_with(pos, "…");
        if is_dots(self.pos) {
            let len = self.run_len(|char| matches!(char, '.' | '…'));
            let next = peek.char_at(self.pos + len);
            return (!next.is_some_and(|char| char.is_alphanumeric() || char == '_')).then_some(len);
        }
        let mark = ["//", "/*", "#"].into_iter().find(|mark| self.ahead_is(mark))?;
        let content = self.pos + mark.len();
        if !is_dots(content + peek.run_len(content, |char| matches!(char, ' ' | '\t'))) {
            return None;
        }
        match mark {
            "/*" => Some(self.find_ahead("*/", 2)? + 2 - self.pos),
            _ => Some(self.run_len(|char| !matches!(char, '\n' | '\r'))),
        }
    }

    /// How many bytes from the fault on a comma ends that follows `skip` bytes after it, behind white space.
    pub fn comma_after(&self, skip: usize) -> Option<usize> {
        let next = self.setting.peek.skip_blanks(self.pos + skip);
        self.setting.peek.starts_with(next, ",").then_some(next + 1 - self.pos)
    }

    /// Where the region ends: nothing beyond belongs to the payload.
    pub fn region_end(&self) -> usize {
        self.setting.end
    }

    /// What the end of the completion cuts, from the comma before the member or element on: a key, with or without its colon, or a word or number
    /// that is not whole. `None` if what stands there is complete, or a string value.
    pub fn cut_tail(&self) -> Option<Range<usize>> {
        if !self.is_cut() || self.container().is_none() {
            return None;
        }
        let has_rest = self.next_char().is_some();
        let back = match self.expected() {
            Expected::Value if self.previous_is(TokenKind::Colon) => 2,
            Expected::Value | Expected::Key if has_rest => 0,
            Expected::Colon => 1,
            Expected::String if self.string()?.is_key => 0,
            _ => return None,
        };
        let before = self.token(back)?;
        let start = match before.kind {
            TokenKind::Comma => before.span.start,
            TokenKind::ObjectStart | TokenKind::ArrayStart => before.span.end,
            _ => return None,
        };
        Some(start..self.setting.end)
    }

    /// The length of the escape right before the fault if it is the first half of a surrogate pair, else zero.
    pub fn half_pair_len(&self) -> usize {
        const LEN: usize = 6;
        let content = self.content_before(2 * LEN);
        let Some((before, escape)) = content.len().checked_sub(LEN).and_then(|start| content.split_at_checked(start))
        else {
            return 0;
        };
        let backslashes = before.bytes().rev().take_while(|&byte| byte == b'\\').count();
        let unit = escape.strip_prefix("\\u").and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let is_half = backslashes % 2 == 0 && unit.is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
        if is_half { LEN } else { 0 }
    }

    /// Whether a value stands `skip` bytes after the fault behind which a member ends for certain, as [`Fault::value_ends_member`] says.
    pub fn value_ends_member_after(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        peek.value_ends_member_at(peek.skip_blanks(self.pos + skip))
    }

    /// Whether the object has a member before the key behind the fault, or one after the scalar that stands `skip` bytes after the fault.
    pub fn has_other_member(&self, skip: usize) -> bool {
        let peek = self.setting.peek;
        let follows = || {
            let end = peek.scalar_end(peek.skip_blanks(self.pos + skip))?;
            let comma = peek.skip_blanks(end);
            Some(peek.starts_with(comma, ",") && peek.member_is_at(peek.skip_blanks(comma + 1)))
        };
        self.token(1).is_some_and(|token| token.kind == TokenKind::Comma) || follows() == Some(true)
    }

    /// The length of words at the fault that can be no data: behind a closer, in parentheses behind a number or literal, or before a quoted key
    /// and its whole member. They hold no quote, bracket, colon, comma or newline.
    pub fn stray_len(&self) -> Option<usize> {
        let previous = self.previous()?.kind;
        let is_noted = self.ahead_is("(") && matches!(previous, TokenKind::Number | TokenKind::Literal);
        let belongs = |char: char| {
            !matches!(char, '"' | '\'' | '`' | '{' | '}' | '[' | ']' | ':' | ',' | '\n' | '\r' | '\\' | '“' | '”')
        };
        let is_word = |char: char| char.is_alphabetic() || matches!(char, '(' | '*' | '-' | '–' | '—');
        if !self.next_char().is_some_and(is_word) {
            return None;
        }
        let run = self.text_ahead(self.run_len(belongs)).trim_end();
        match self.expected() {
            Expected::Comma if previous.is_closer() || (is_noted && run.ends_with(')')) => {
                let after =
                    self.comma_after(run.len()).filter(|after| self.goes_on_after(*after) || self.closes_after(*after));
                (after.is_some() || self.closes_after(run.len())).then_some(run.len())
            }
            Expected::Key if previous == TokenKind::Comma || previous == TokenKind::ObjectStart => {
                let is_words = run.chars().all(|char| char.is_alphabetic() || char == ' ');
                let key = self.pos + self.run_len(belongs);
                let peek = self.setting.peek;
                (is_words && peek.starts_with(key, "\"") && peek.member_is_at(key)).then_some(run.len())
            }
            _ => None,
        }
    }
}

fn continues_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '-' | '+' | '.' | '_')
}

fn is_blank_text(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
