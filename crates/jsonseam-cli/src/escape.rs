//! The one escape function for every text that people read.
//!
//! Control characters move cursors, set titles, fill clipboards; bidirectional controls show text in another order than it has.
//! **Invariant:** nothing that came from a file, its name or the command line reaches a terminal without passing here.

use std::fmt::{self, Display, Write};

/// A text whose unsafe characters are shown as `\u{…}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escaped<'a> {
    text: &'a str,
    keeps_lines: bool,
}

/// For a text within one line: line feeds and tabs are escaped too.
pub(crate) fn escaped(text: &str) -> Escaped<'_> {
    Escaped { text, keeps_lines: false }
}

/// For a text of several lines: line feeds and tabs stay.
pub(crate) fn escaped_lines(text: &str) -> Escaped<'_> {
    Escaped { text, keeps_lines: true }
}

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.text.chars() {
            if self.keeps_lines && matches!(character, '\n' | '\t') {
                formatter.write_char(character)?;
            } else if is_unsafe(character) {
                write!(formatter, "\\u{{{:x}}}", u32::from(character))?;
            } else {
                formatter.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Whether a character acts on the terminal or on its neighbours instead of showing itself.
pub(crate) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_sequences_and_bidirectional_controls_are_spelled_out() {
        assert_eq!(
            escaped("a\x1b]0;t\x07\u{9b}\u{202e}\u{feff}é").to_string(),
            "a\\u{1b}]0;t\\u{7}\\u{9b}\\u{202e}\\u{feff}é"
        );
    }

    #[test]
    fn only_texts_of_several_lines_keep_line_feeds() {
        assert_eq!(escaped("a\n\tb").to_string(), "a\\u{a}\\u{9}b");
        assert_eq!(escaped_lines("a\n\tb\r").to_string(), "a\n\tb\\u{d}");
    }
}
