//! Quoted texts ahead, in any style, and escapes that were not meant as such.

use std::ops::Range;

use super::Peek;

impl Peek<'_> {
    /// The position after a quoted text on one line that opens at `pos` with `quote`.
    pub(crate) fn quoted_end(&self, pos: usize, quote: char) -> Option<usize> {
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

    /// The content from `start` to the first quote, escaped or not, if no control character stands in it.
    pub(crate) fn escaped_content(&self, start: usize) -> Option<Range<usize>> {
        let bytes = self.ahead(start).as_bytes();
        let mut len = 0;
        let is_closed = loop {
            match (bytes.get(len), bytes.get(len + 1)) {
                (Some(b'"'), _) | (Some(b'\\'), Some(b'"')) => break true,
                (Some(b'\\'), Some(b'\\')) => len += 2,
                (None | Some(0..b' '), _) => break false,
                _ => len += 1,
            }
        };
        self.charge(len + 2);
        is_closed.then(|| start..start + len)
    }

    /// The content of a quoted text from `start` to the first of `closers` that no backslash hides,
    /// if every backslash in it begins an escape of JSON or hides such a mark, and no control character stands in it, line breaks and tabs excepted where `spans_lines`.
    pub(crate) fn quoted_content(&self, start: usize, closers: &[char], spans_lines: bool) -> Option<Range<usize>> {
        let ahead = self.ahead(start);
        let mut chars = ahead.char_indices();
        let mut end = None;
        let mut read = ahead.len();
        while let Some((offset, char)) = chars.next() {
            let is_content = match char {
                char if closers.contains(&char) => {
                    end = Some(offset);
                    false
                }
                '\\' => match chars.next() {
                    Some((_, 'u')) => {
                        ahead.get(offset + 2..offset + 6).is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
                    }
                    Some((_, escaped)) => closers.contains(&escaped) || is_short_escape(escaped),
                    None => false,
                },
                '\n' | '\r' | '\t' => spans_lines,
                char => char >= ' ',
            };
            if !is_content {
                read = offset + 1;
                break;
            }
        }
        self.charge(read);
        end.map(|end| start..start + end)
    }
}

/// Every mark that some writer uses to open a string.
pub(crate) fn is_quote(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}')
}

const fn is_short_escape(char: char) -> bool {
    matches!(char, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')
}

/// The marks that may close a string which `quote` opens.
pub(super) fn closers_of(quote: char) -> &'static [char] {
    match quote {
        '\'' => &['\''],
        '`' => &['`'],
        '\u{2018}' | '\u{2019}' => &['\u{2018}', '\u{2019}'],
        '\u{201C}' | '\u{201D}' => &['\u{201C}', '\u{201D}'],
        _ => &['"'],
    }
}
