//! Quotes: the marks that open and close strings in some notation, and which bytes are inside double quotes.

/// Whether some notation opens a string with this mark: a quote, an apostrophe, a backtick or a typographic quote.
#[must_use]
pub const fn is_quote(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' | '„' | '«' | '「' | '＂')
}

/// The marks that may close a string which `quote` opens.
#[must_use]
pub const fn closers_of(quote: char) -> &'static [char] {
    match quote {
        '\'' => &['\''],
        '`' => &['`'],
        '\u{2018}' | '\u{2019}' => &['\u{2018}', '\u{2019}'],
        '\u{201C}' | '\u{201D}' => &['\u{201C}', '\u{201D}'],
        '„' => &['\u{201C}', '\u{201D}', '"'],
        '«' => &['»'],
        '「' => &['」'],
        '＂' => &['＂'],
        _ => &['"'],
    }
}

/// Tells the bytes inside double quotes from those outside, in a text that is read byte by byte.
///
/// ```
/// use jsonseam_text::Strings;
///
/// let mut strings = Strings::default();
/// let outside: Vec<u8> = br#"{"a}": 1}"#.iter().copied().filter(|&byte| !strings.hides(byte)).collect();
/// assert_eq!(outside, b"{: 1}");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Strings {
    is_inside: bool,
    is_escaped: bool,
}

impl Strings {
    /// Whether a string is open.
    #[must_use]
    #[inline]
    pub const fn is_inside(self) -> bool {
        self.is_inside
    }

    /// Whether the next byte is part of a string, its quotes included.
    #[inline]
    pub const fn hides(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_inside => self.is_escaped = true,
            b'"' => {
                self.is_inside = !self.is_inside;
                return true;
            }
            _ => {}
        }
        self.is_inside
    }
}
