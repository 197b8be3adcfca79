//! White space and comments.

use jsonseam_core::{Fault, TokenKind};

/// Whether `comment`, which comes next, is rather the text that a string right before it was meant to hold: `"see "#1" there"`.
/// It touches the closing quote, and a quote is left open in it.
pub fn is_within_text(fault: &Fault<'_>, comment: &str) -> bool {
    touches_string(fault) && comment.matches('"').count() % 2 == 1
}

/// Whether `comment`, which comes next and ends its line, is rather the rest of the text that the string before it was cut from by a quote of its own:
/// a quote is left open in it, or it ends as a string does. Where a blank parts the two, a comment may end in a word in quotes.
pub fn ends_text(fault: &Fault<'_>, comment: &str) -> bool {
    let end = || comment.trim_end().trim_end_matches(',');
    let is_open = || comment.matches('"').count() % 2 == 1;
    follows_string(fault) && (is_open() || end().ends_with("\"\"") || fault.gap_len() == 0 && end().ends_with('"'))
}

/// Whether a string ends right at the fault, without a blank between.
pub fn touches_string(fault: &Fault<'_>) -> bool {
    fault.gap_len() == 0 && follows_string(fault)
}

fn follows_string(fault: &Fault<'_>) -> bool {
    fault.previous_is(TokenKind::String) || fault.previous_is(TokenKind::Key)
}
