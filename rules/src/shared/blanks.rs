//! White space and comments.

use jsonseam_core::{Ahead, Fault, TokenKind};

/// A cursor after the white space of Unicode, the characters that show nothing and the comments that come next.
///
/// Comments are `/* … */`, and `//` or `#` to the end of the line. A block comment that is not closed is not one.
pub fn skip(mut ahead: Ahead<'_>) -> Ahead<'_> {
    loop {
        ahead = ahead.skip_blanks();
        let after = match ahead.peek() {
            Some('/') if ahead.starts_with("/*") => ahead.after(2).find("*/").map(|end| ahead.at(end + 2)),
            Some('/') if ahead.starts_with("//") => Some(after_line(ahead)),
            Some('#') => Some(after_line(ahead)),
            Some(char) if is_blank(char) => Some(ahead.after(char.len_utf8())),
            _ => None,
        };
        match after {
            Some(after) => ahead = after,
            None => return ahead,
        }
    }
}

/// Whether `char` is white space of Unicode, or shows nothing.
pub fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether `comment`, which comes next, is rather the text that a string right before it was meant to hold: `"see "#1" there"`.
/// It touches the closing quote, and a quote is left open in it.
pub fn is_within_text(fault: &Fault<'_>, comment: &str) -> bool {
    touches_string(fault) && comment.matches('"').count() % 2 == 1
}

/// Whether `comment`, which comes next and ends its line, is rather the rest of the text that the string before it was cut from by a quote of its own:
/// a quote is left open in it, or it ends as a string does. Where a blank parts the two, a comment may end in a word in quotes.
pub fn ends_text(fault: &Fault<'_>, comment: &str) -> bool {
    let after_string = fault.previous_is(TokenKind::String) || fault.previous_is(TokenKind::Key);
    let end = comment.trim_end().trim_end_matches(',');
    let is_open = comment.matches('"').count() % 2 == 1;
    after_string && (is_open || end.ends_with("\"\"") || fault.gap_len() == 0 && end.ends_with('"'))
}

/// Whether a string ends right at the fault, without a blank between.
pub fn touches_string(fault: &Fault<'_>) -> bool {
    fault.gap_len() == 0 && (fault.previous_is(TokenKind::String) || fault.previous_is(TokenKind::Key))
}

/// Where the line ends, before its newline. The search is remembered, so a run of comments is read once.
fn after_line(ahead: Ahead<'_>) -> Ahead<'_> {
    ahead.find("\n").map_or_else(|| ahead.to_end(), |end| ahead.at(end))
}
