//! Values and keys that are written bare: numbers of other notations, literals of other languages, words.

use super::Peek;
use super::strings::is_quote;
use crate::fault::Container;

/// How much of a line is looked at for a bare value: enough for any that a rule would quote, so that no line is read twice at length.
const BARE_LEN: usize = 256;

impl<'e> Peek<'e> {
    /// The rest of the line from `pos` on, at most [`BARE_LEN`] bytes of it, cut to a character boundary.
    /// The flag says whether the line goes on behind it. Reading it must be charged by the caller.
    pub(crate) fn line_at(&self, pos: usize) -> (&'e str, bool) {
        let ahead = self.ahead(pos);
        let mut limit = ahead.len().min(BARE_LEN);
        while !ahead.is_char_boundary(limit) {
            limit -= 1;
        }
        let window = ahead.get(..limit).unwrap_or_default();
        let len = window.find(['\n', '\r']).unwrap_or(limit);
        (window.get(..len).unwrap_or_default(), len == limit && limit < ahead.len())
    }

    /// Whether a value of another notation begins at `pos`: a literal of Python or JavaScript, or a number with a sign or a point in front.
    pub(super) fn foreign_scalar_is_at(&self, pos: usize) -> bool {
        let word = self.word_at(pos);
        match word {
            "true" | "false" | "null" | "True" | "False" | "None" | "TRUE" | "FALSE" | "NULL" | "Null"
            | "undefined" | "nil" | "NaN" | "nan" | "Infinity" | "inf" => true,
            _ => word
                .strip_prefix(['+', '.'])
                .is_some_and(|rest| rest.trim_start_matches('.').starts_with(|char: char| char.is_ascii_digit())),
        }
    }

    /// Where a bare key at `pos` ends: an identifier, a word with hyphens or points inside, or a whole number whose colon is not that of a time.
    pub(super) fn bare_key_end(&self, pos: usize) -> Option<usize> {
        let identifier = self.identifier_at(pos).map_or(0, str::len);
        let word = self.word_at(pos);
        if identifier >= word.len() {
            return (identifier > 0).then_some(pos + identifier);
        }
        let end = pos + word.len();
        let is_inner = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.');
        let is_name = word.starts_with(char::is_alphanumeric)
            && word.ends_with(char::is_alphanumeric)
            && word.chars().all(is_inner);
        let is_key = if word.contains(char::is_alphabetic) {
            is_name
        } else {
            let is_time = self.char_at(end + 1).is_some_and(|char| char.is_ascii_digit());
            word.bytes().all(|byte| byte.is_ascii_digit()) && !is_time
        };
        is_key.then_some(end)
    }

    /// Where a bare text ends that begins at `start` and is read up to `pos`: before a closer, a comma that parts it from what comes next,
    /// a comment, or the end of its line. `None` if what follows does not fit, if it may go on, and if it holds what no bare text does.
    pub(crate) fn bare_text_end(&self, start: usize, pos: usize, container: Container) -> Option<usize> {
        let (line, goes_on) = self.line_at(pos);
        let mut end = start;
        let mut before = if start < pos { self.char_before(pos)? } else { ' ' };
        let mut is_ended = false;
        for (offset, char) in line.char_indices() {
            self.charge(char.len_utf8());
            let rest = line.get(offset..).unwrap_or_default();
            is_ended = match char {
                ',' => self.comma_ends(pos + offset, before, rest, container)?,
                _ => ends_bare_text(char, before, rest, container)?,
            };
            if is_ended {
                break;
            }
            if !char.is_whitespace() {
                end = pos + offset + char.len_utf8();
            }
            before = char;
        }
        let is_followed =
            || self.char_at(self.skip_blanks(end)).is_some() && self.scalar_could_end(end, Some(container));
        ((is_ended || !goes_on) && end > pos && is_followed()).then_some(end)
    }

    fn char_before(&self, pos: usize) -> Option<char> {
        self.charge(1);
        self.source.get(..pos)?.chars().next_back()
    }

    /// Whether the comma at `pos` ends a bare text: it does before whatever the container allows next.
    /// In an object it may also stand within the text; in an array it always ends it, and `None` is a group of thousands or two numbers.
    fn comma_ends(&self, pos: usize, before: char, rest: &str, container: Container) -> Option<bool> {
        let digits = rest.get(1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        let is_group = before.is_ascii_digit() && digits == 3;
        match container {
            Container::Array => (!is_group).then_some(true),
            Container::Object if self.fits_after_comma(pos + 1, container) => Some(true),
            Container::Object => (is_group || rest.starts_with(", ")).then_some(false),
        }
    }

    /// Whether what follows at `pos` may follow a scalar whose end is plain to see. In an array any comma will do: what follows it may be bare too.
    pub(crate) fn scalar_could_end(&self, pos: usize, container: Option<Container>) -> bool {
        match container {
            Some(Container::Array) => matches!(self.char_at(self.skip_blanks(pos)), None | Some(',' | ']')),
            _ => self.value_could_end(pos, container),
        }
    }
}

/// Whether `char`, which `rest` starts with and which is no comma, ends a bare text behind `before`; `None` if no bare text holds it.
fn ends_bare_text(char: char, before: char, rest: &str, container: Container) -> Option<bool> {
    match char {
        '}' => (container == Container::Object).then_some(true),
        ']' => (container == Container::Array).then_some(true),
        ':' => (rest.starts_with("://") || is_between_digits(before, rest)).then_some(false),
        '/' => Some(rest.starts_with("/*") || (rest.starts_with("//") && before.is_whitespace())),
        '#' => Some(before.is_whitespace()),
        '\'' | '\u{2019}' | '\t' => Some(false),
        '\\' | '{' | '[' | '(' | ')' => None,
        char => (!is_quote(char) && char >= ' ').then_some(false),
    }
}

/// Whether the colon that `rest` starts with stands between two digits, as in a time.
fn is_between_digits(before: char, rest: &str) -> bool {
    before.is_ascii_digit() && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}
