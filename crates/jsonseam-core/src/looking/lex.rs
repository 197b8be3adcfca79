//! The tolerant lexer: what text that is not JSON yet may hold, and how its parts are spelled.
//!
//! Rules, locators and the engine read text that other rules have not repaired yet. All of them ask here, so that a blank, a comment, a quoted text,
//! a word, a key or a literal is the same for all. A new spelling is added here, once, and every asker knows it.
//!
//! Boundary: it reads through the cursor alone, so what it reads is counted and the end is noted. It knows spellings; what they mean is decided by rules.

mod literals;
mod members;

pub use self::literals::{LITERALS, Literal, Notation};
use super::ahead::Ahead;
use crate::reading::scan::{continues_scalar, continues_word};
use jsonseam_text::{closers_of, is_quote};

/// Whether `char` is white space of Unicode, or shows nothing: joiners, the word joiner and the byte order mark.
///
/// ```
/// use jsonseam_core::is_blank;
///
/// assert!([' ', '\n', '\u{A0}', '\u{205F}', '\u{200B}', '\u{FEFF}'].into_iter().all(is_blank));
/// // A soft hyphen shows itself where a line breaks: it is text.
/// assert!(!is_blank('\u{AD}'));
/// ```
pub const fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// White space between tokens as it is spelled in a payload that is inside a string.
pub const ESCAPED_BLANKS: [&str; 3] = ["\\n", "\\r", "\\t"];

/// White space and comments.
impl Ahead<'_> {
    /// Passes over white space that is spelled as an escape ([`ESCAPED_BLANKS`]), if it comes next.
    pub fn eat_escaped_blank(&mut self) -> bool {
        ESCAPED_BLANKS.iter().any(|blank| self.eat(blank))
    }

    /// A cursor after the white space of Unicode that comes next, as it is or spelled as an escape.
    #[must_use]
    pub fn skip_escaped_blanks(mut self) -> Self {
        self.take_while(char::is_whitespace);
        while self.eat_escaped_blank() {
            self.take_while(char::is_whitespace);
        }
        self
    }

    /// A cursor after the white space of Unicode, the characters that show nothing and the comments that come next.
    #[must_use]
    pub fn skip_space_and_comments(self) -> Self {
        // Most often a token is here already.
        let is_token = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'#');
        if self.rest().as_bytes().first().is_some_and(is_token) {
            self.charge(1);
            return self;
        }
        self.skip_some_space_and_comments()
    }

    #[inline(never)]
    fn skip_some_space_and_comments(mut self) -> Self {
        loop {
            self = self.skip_json_space();
            // What comes next was looked at by that.
            match self.rest().chars().next() {
                Some('/' | '#') => match self.comment_end() {
                    Some(after) => self = after,
                    None => return self,
                },
                Some(char) if is_blank(char) => self = self.after(char.len_utf8()),
                _ => return self,
            }
        }
    }

    /// A cursor at what follows `sign`, if that comes next. Blanks and comments before it and after it are passed over.
    ///
    /// ```
    /// use jsonseam_core::CountedText;
    ///
    /// let text = CountedText::new("\"a\" /* one */ : 1");
    /// assert_eq!(text.at(3).past(":").map(|value| value.pos()), Some(16));
    /// ```
    pub fn past(self, sign: &str) -> Option<Self> {
        let mut next = self.skip_space_and_comments();
        next.eat(sign).then(|| next.skip_space_and_comments())
    }

    /// A cursor after the comment that comes next: `/* … */`, or `//` or `#` to the end of the line, before its line feed.
    /// A block comment that is not closed is not one.
    ///
    /// The searches for its end are remembered, so a run of comments is read once.
    pub fn comment_end(self) -> Option<Self> {
        if self.starts_with("/*") {
            return self.after(2).find("*/").map(|end| self.at(end + 2));
        }
        let is_line = self.starts_with("//") || self.starts_with("#");
        is_line.then(|| self.find("\n").map_or_else(|| self.to_end(), |end| self.at(end)))
    }
}

/// Quoted texts.
impl<'e> Ahead<'e> {
    /// A cursor after the quoted text, in any style, that comes next; it stays on one line.
    pub fn quoted_end(mut self) -> Option<Self> {
        let quote = self.bump().filter(|&quote| is_quote(quote))?;
        self.content_end(closers_of(quote), false)
    }

    /// A cursor after the text in double quotes that comes next; it may span lines.
    pub fn double_quoted_end(mut self) -> Option<Self> {
        if self.eat("\"") { self.content_end(&['"'], true) } else { None }
    }

    /// After the first of `closers` that no backslash hides.
    fn content_end(self, closers: &[char], spans_lines: bool) -> Option<Self> {
        let mut is_escaped = false;
        let last = self.rest().char_indices().find(|&(_, char)| {
            let ends = char < ' ' && !spans_lines || !is_escaped && closers.contains(&char);
            is_escaped = char == '\\' && !is_escaped;
            ends
        });
        let Some((len, last)) = last else {
            self.charge(self.rest().len());
            self.touch();
            return None;
        };
        let after = self.after(len + last.len_utf8());
        self.charge(after.pos() - self.pos());
        closers.contains(&last).then_some(after)
    }

    /// The content, up to the first closing mark, of the quoted text of one line that opens with `"` or `'` at the cursor.
    pub fn quoted_content(self) -> Option<&'e str> {
        self.peek().filter(|char| matches!(char, '"' | '\''))?;
        let after = self.quoted_end()?;
        Some(self.after(1).slice_to(after.pos() - 1))
    }
}

/// Words and keys.
impl<'e> Ahead<'e> {
    /// The word at the cursor: letters, digits and `_ $ . + -`. Empty when there is not one.
    pub fn word(mut self) -> &'e str {
        let ascii = self.rest().bytes().take_while(|&byte| continues_scalar(byte)).count();
        self.take_on(ascii, &mut continues_word)
    }

    /// The JavaScript identifier at the cursor (ECMA-262 section 12.7, letters and digits of any script).
    pub fn identifier(mut self) -> Option<&'e str> {
        let mut is_first = true;
        let name = self.take_while(|char| {
            let belongs = if is_first { begins_identifier(char) } else { is_in_identifier(char) };
            is_first = false;
            belongs
        });
        (!name.is_empty()).then_some(name)
    }

    /// A cursor after the key that comes next, without its colon: a quoted text of one line, or a bare key.
    pub fn key_end(self) -> Option<Self> {
        if self.peek().is_some_and(is_quote) { self.quoted_end() } else { self.bare_key_end() }
    }

    /// Where a bare key ends: an identifier, a word with hyphens or points inside, or a whole number whose colon is not that of a time.
    pub fn bare_key_end(self) -> Option<Self> {
        let word = self.word();
        let after = self.after(word.len());
        let first = word.chars().next()?;
        if begins_identifier(first) && word.chars().all(is_in_identifier) {
            return Some(after);
        }
        let is_inner = |char: char| is_in_identifier(char) || matches!(char, '-' | '.');
        let is_name = || {
            word.starts_with(char::is_alphanumeric)
                && word.ends_with(char::is_alphanumeric)
                && word.chars().all(is_inner)
        };
        let is_key = if word.contains(char::is_alphabetic) {
            is_name()
        } else {
            word.bytes().all(|byte| byte.is_ascii_digit())
                && !after.char_after().is_some_and(|char| char.is_ascii_digit())
        };
        is_key.then_some(after)
    }

    /// Whether a colon comes next, of whatever width, after nothing but blanks and comments.
    pub fn has_colon(self) -> bool {
        matches!(self.skip_space_and_comments().peek(), Some(':' | '：'))
    }

    /// Whether a key and its colon come next.
    pub fn has_key(self) -> bool {
        self.key_end().is_some_and(Self::has_colon)
    }
}

/// Whether an identifier of JavaScript may begin with this character, escapes aside (ECMA-262 section 12.7).
fn begins_identifier(char: char) -> bool {
    matches!(char, '_' | '$') || char.is_alphabetic()
}

/// Whether one may go on with it.
fn is_in_identifier(char: char) -> bool {
    matches!(char, '_' | '$') || char.is_alphanumeric()
}
