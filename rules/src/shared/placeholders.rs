//! Dots for what was left out.

use jsonseam_core::{Ahead, Fault};

use super::layout;

/// The length of a placeholder at the fault: `...` or `…`, alone, with a remark in parentheses after a blank, or as a comment that starts so. A name right after it makes it a spread.
pub fn len(fault: &Fault<'_>) -> Option<usize> {
    let ahead = fault.ahead();
    let mark = match ahead.peek()? {
        '.' | '…' if is_dots(ahead) => return dots_len(ahead),
        '/' if ahead.starts_with("//") => "//",
        '/' if ahead.starts_with("/*") => "/*",
        '#' => "#",
        _ => return None,
    };
    let mut content = ahead.after(mark.len());
    content.take_while(|char| matches!(char, ' ' | '\t'));
    match mark {
        _ if !is_dots(content) => None,
        "/*" => Some(ahead.after(2).find("*/")? + 2 - ahead.pos()),
        _ => Some(ahead.line().len()),
    }
}

fn is_dots(ahead: Ahead<'_>) -> bool {
    ahead.starts_with("...") || ahead.starts_with("…")
}

fn dots_len(mut ahead: Ahead<'_>) -> Option<usize> {
    let dots = ahead.take_while(|char| matches!(char, '.' | '…'));
    if ahead.starts_with(" (") {
        let remark = layout::line_to(ahead.after(2), ')')?;
        let is_plain = remark.chars().all(|char| char.is_alphanumeric() || matches!(char, ' ' | ')'));
        return is_plain.then_some(dots.len() + 2 + remark.len());
    }
    (!ahead.peek().is_some_and(|char| char.is_alphanumeric() || char == '_')).then_some(dots.len())
}
