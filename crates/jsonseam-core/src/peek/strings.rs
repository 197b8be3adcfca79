//! Quoted texts ahead, in any style, and escapes that were not meant as such.

use std::ops::Range;

use super::Peek;

impl Peek<'_> {
    /// The position after a quoted text on one line that opens at `pos` with `quote`.
    pub(super) fn quoted_end(&self, pos: usize, quote: char) -> Option<usize> {
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
}

/// Every mark that some writer uses to open a string.
pub(super) fn is_quote(char: char) -> bool {
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
