//! The one tolerant look-ahead: it skips blanks and comments and knows every quote style.
//!
//! Rules read text ahead that other rules have not mended yet.
//! They all ask here, so that one answer to "is a member next?" serves them all.
//! Every byte that an answer reads is counted.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use crate::fault::Container;
use crate::scan::continues_scalar;

/// The text ahead, up to the region's end, and the count of what was read of it.
#[derive(Debug)]
pub(crate) struct Peek<'e> {
    source: &'e str,
    end: usize,
    examined: Cell<u64>,
    /// Latest answers of `find`: needle, where the search started, what it found.
    finds: RefCell<Vec<(&'static str, usize, Option<usize>)>>,
}

impl<'e> Peek<'e> {
    pub(crate) fn new(source: &'e str, end: usize) -> Self {
        Self { source, end, examined: Cell::new(0), finds: RefCell::new(Vec::new()) }
    }

    pub(crate) fn examined(&self) -> u64 {
        self.examined.get()
    }

    pub(crate) fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// The text of `span`, all of which counts as read.
    pub(crate) fn slice(&self, span: Range<usize>) -> &'e str {
        self.charge(span.len());
        self.source.get(span).unwrap_or_default()
    }

    /// What lies ahead of `pos`; reading it must be charged by the caller.
    fn ahead(&self, pos: usize) -> &'e str {
        self.source.get(pos..self.end).unwrap_or_default()
    }

    pub(crate) fn char_at(&self, pos: usize) -> Option<char> {
        self.charge(1);
        self.ahead(pos).chars().next()
    }

    pub(crate) fn starts_with(&self, pos: usize, text: &str) -> bool {
        self.charge(text.len());
        self.ahead(pos).starts_with(text)
    }

    pub(crate) fn run_len(&self, pos: usize, belongs: impl Fn(char) -> bool) -> usize {
        let ahead = self.ahead(pos);
        let len = ahead.find(|char| !belongs(char)).unwrap_or(ahead.len());
        self.charge(len + 1);
        len
    }

    /// Where `needle` next starts, from `pos` on. A search that a former one covers is free.
    pub(crate) fn find(&self, needle: &'static str, pos: usize) -> Option<usize> {
        let mut finds = self.finds.borrow_mut();
        let known = finds.iter().position(|&(known, ..)| known == needle);
        if let Some(&(_, from, found)) = known.and_then(|index| finds.get(index))
            && from <= pos
            && found.is_none_or(|found| found >= pos)
        {
            self.charge(1);
            return found;
        }
        let found = memchr::memmem::find(self.ahead(pos).as_bytes(), needle.as_bytes()).map(|offset| pos + offset);
        self.charge(found.unwrap_or(self.end).saturating_sub(pos) + needle.len());
        let entry = (needle, pos, found);
        match known.and_then(|index| finds.get_mut(index)) {
            Some(slot) => *slot = entry,
            None => finds.push(entry),
        }
        found
    }

    pub(crate) fn word_at(&self, pos: usize) -> &'e str {
        let len = self
            .run_len(pos, |char| if char.is_ascii() { continues_scalar(char as u8) } else { char.is_alphanumeric() });
        self.ahead(pos).get(..len).unwrap_or_default()
    }

    pub(crate) fn identifier_at(&self, pos: usize) -> Option<&'e str> {
        let starts = self.char_at(pos).is_some_and(|char| char.is_alphabetic() || matches!(char, '_' | '$'));
        if !starts {
            return None;
        }
        let len = self.run_len(pos, |char| char.is_alphanumeric() || matches!(char, '_' | '$'));
        self.ahead(pos).get(..len)
    }

    /// The first position from `pos` on that holds neither blank nor comment.
    pub(crate) fn skip_blanks(&self, mut pos: usize) -> usize {
        loop {
            pos += self.run_len(pos, is_tolerated_blank);
            let ahead = self.ahead(pos);
            let after = if ahead.starts_with("/*") {
                self.find("*/", pos + 2).map(|end| end + 2)
            } else if ahead.starts_with("//") || ahead.starts_with('#') {
                Some(self.find("\n", pos).unwrap_or(self.end))
            } else {
                None
            };
            match after {
                Some(after) => pos = after,
                None => return pos,
            }
        }
    }

    pub(crate) fn colon_follows(&self, pos: usize) -> bool {
        self.starts_with(self.skip_blanks(pos), ":")
    }

    /// Whether a key and its colon stand at `pos`.
    pub(crate) fn key_is_at(&self, pos: usize) -> bool {
        let after = match self.char_at(pos) {
            Some(quote) if is_quote(quote) => self.quoted_end(pos, quote),
            _ => self.identifier_at(pos).map(|name| pos + name.len()),
        };
        after.is_some_and(|after| self.colon_follows(after))
    }

    /// The position after a quoted text on one line that opens at `pos` with `quote`.
    fn quoted_end(&self, pos: usize, quote: char) -> Option<usize> {
        let start = pos + quote.len_utf8();
        let closers = closers_of(quote);
        let mut is_escaped = false;
        for (offset, char) in self.ahead(start).char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if char == '\\' {
                is_escaped = true;
            } else if closers.contains(&char) {
                self.charge(offset + char.len_utf8());
                return Some(start + offset + char.len_utf8());
            }
            if char < ' ' {
                self.charge(offset + 1);
                return None;
            }
        }
        self.charge(self.end.saturating_sub(start));
        None
    }

    /// The content of a quoted text from `start` to the first of `closers`, if it holds nothing that needs thought (SPEC P5).
    pub(crate) fn simple_content(&self, start: usize, closers: &[char]) -> Option<Range<usize>> {
        let stops = |char: char| char < ' ' || matches!(char, '"' | '\\') || closers.contains(&char);
        let len = self.run_len(start, |char| !stops(char));
        let closer = self.char_at(start + len)?;
        closers.contains(&closer).then_some(start..start + len)
    }

    /// Whether the string content from `start` to the false escape at `pos`, or from there to the next one or the end, holds a doubtful escape.
    pub(crate) fn has_doubtful_escape(&self, start: usize, pos: usize) -> bool {
        let before = self.slice(start..pos);
        let ahead = self.ahead(pos + 1).as_bytes();
        let is_hex =
            |from: usize| ahead.get(from..from + 4).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let mut end = 0;
        while let Some(&byte) = ahead.get(end) {
            end += match (byte, ahead.get(end + 1)) {
                (b'\\', Some(b'u')) if is_hex(end + 2) => 6,
                (b'\\', Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => 2,
                (b'\\' | b'"', _) => break,
                _ => 1,
            };
        }
        self.charge(end);
        holds_doubtful_escape(before) || holds_doubtful_escape(self.ahead(pos + 1).get(..end).unwrap_or_default())
    }

    /// Whether the root, which closed before `pos`, has ended there (SPEC P2).
    /// A comma, a colon or another closer says that it has not, behind a comment too; so does a member, whose key would be lost without a word.
    pub(crate) fn root_has_ended(&self, pos: usize) -> bool {
        let next = self.skip_blanks(pos);
        match self.char_at(next) {
            Some(',' | ':' | '}' | ']') => false,
            Some(';') => !self.key_is_at(self.skip_blanks(next + 1)),
            Some(quote) if is_quote(quote) => !self.key_is_at(next),
            _ => true,
        }
    }

    /// The same for a span that ends at the last closer of its region, where prose may go on in any way:
    /// only a colon, a member, or a comma with something like a value or nothing behind it says that more was meant.
    pub(crate) fn span_has_ended(&self, end: usize) -> bool {
        let next = self.skip_blanks(end);
        match self.char_at(next) {
            Some(',') => {
                let after = self.skip_blanks(next + 1);
                self.char_at(after).is_some_and(|char| !is_quote(char) && !matches!(char, '{' | '[' | '-' | '0'..='9'))
            }
            Some('}' | ']') => true,
            _ => self.root_has_ended(next),
        }
    }

    /// Whether a value that ends before `pos` is followed by what `container` allows next.
    pub(crate) fn value_could_end(&self, pos: usize, container: Option<Container>) -> bool {
        let next = self.skip_blanks(pos);
        let Some(char) = self.char_at(next) else {
            return true;
        };
        let Some(container) = container else {
            return false;
        };
        match (container, char) {
            (Container::Object, '}') | (Container::Array, ']') => true,
            (_, ',') => self.fits_after_comma(next + 1, container),
            (Container::Object, _) => self.slice(pos..next).contains(['\n', '\r']) && self.key_is_at(next),
            (Container::Array, _) => false,
        }
    }

    fn fits_after_comma(&self, pos: usize, container: Container) -> bool {
        let next = self.skip_blanks(pos);
        let Some(char) = self.char_at(next) else {
            return true;
        };
        match container {
            Container::Object => char == '}' || self.key_is_at(next),
            Container::Array => match char {
                ']' | '[' | '{' | '-' | '0'..='9' => true,
                char if is_quote(char) => true,
                _ => matches!(self.word_at(next), "true" | "false" | "null" | "True" | "False" | "None"),
            },
        }
    }
}

/// White space of Unicode and the characters that show nothing.
fn is_tolerated_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// Every mark that some writer uses to open a string.
fn is_quote(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}')
}

/// The marks that may close a string which `quote` opens.
fn closers_of(quote: char) -> &'static [char] {
    match quote {
        '\'' => &['\''],
        '`' => &['`'],
        '\u{2018}' | '\u{2019}' => &['\u{2018}', '\u{2019}'],
        '\u{201C}' | '\u{201D}' => &['\u{201C}', '\u{201D}'],
        _ => &['"'],
    }
}

/// LaTeX commands that begin with the letter of a valid escape.
const COMMANDS: [&str; 22] = [
    "nu", "neq", "ne ", "nabla", "not", "newline", "rho", "right", "rangle", "rceil", "rfloor", "times", "theta",
    "tau", "text", "tan", "to ", "tfrac", "tilde", "top", "triangle", "rm",
];

/// Whether an escape in `content` looks like the start of a word rather than a control character.
fn holds_doubtful_escape(content: &str) -> bool {
    let mut rest = content;
    while let Some((_, after)) = rest.split_once('\\') {
        let mut chars = after.chars();
        let escape = chars.next();
        rest = chars.as_str();
        let is_doubtful = match escape {
            Some('b' | 'f') => rest.starts_with(|char: char| char.is_ascii_alphabetic()),
            Some('n' | 'r' | 't') => COMMANDS.iter().any(|command| after.starts_with(command)),
            _ => false,
        };
        if is_doubtful {
            return true;
        }
    }
    false
}
