//! The content of strings: what must be repaired in it.

use jsonseam_core::Edit;

use super::quoted::{escaped, is_escape};

/// The edits that make `content` valid between two quotes: each `"` and each control character becomes an escape, and a backslash that begins no
/// escape is doubled. `at` is where it starts.
pub fn mended(content: &str, at: usize) -> Vec<Edit> {
    let bytes = content.as_bytes();
    let mut edits = Vec::with_capacity(8);
    let mut offset = 0;
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    while let Some(plain) = bytes.get(offset..).and_then(|rest| rest.iter().position(is_special)) {
        offset += plain;
        let (len, spelled) = match bytes[offset] {
            b'"' => (1, "\\\"".into()),
            b'\\' if is_escape(&bytes[offset + 1..]) => {
                offset += 2;
                continue;
            }
            b'\\' => (1, "\\\\".into()),
            _ => {
                let len = bytes[offset..].iter().take_while(|&&byte| byte < b' ').count();
                (len, escaped(&content[offset..offset + len]))
            }
        };
        edits.push(Edit::replace(at + offset..at + offset + len, spelled));
        offset += len;
    }
    edits
}

/// Whether the text ends with a mark of another kind, which nothing in it opens: then that mark is rather the quote.
pub fn ends_with_mark(text: &str) -> bool {
    let count = |mark: char| text.matches(mark).count();
    match text.chars().next_back() {
        Some('\u{201D}') => count('\u{201D}') > count('\u{201C}'),
        Some('\u{2019}') => count('\u{2019}') > count('\u{2018}'),
        Some(mark @ ('\'' | '`')) => count(mark) % 2 == 1,
        _ => false,
    }
}

/// Whether the last line holds what may be a comment, and before it a comma or a mark that may have ended the text: `x', # note`.
pub fn may_end_before_comment(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most texts hold neither, and a search forwards is by far the faster one.
    if !bytes.contains(&b'#') && !bytes.contains(&b'/') {
        return false;
    }
    let line = bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
    let may_end = |at: usize| {
        let before = text[line..at].trim_end();
        before.ends_with(',') || ends_with_mark(before)
    };
    let first = |mark: u8, starts: &dyn Fn(usize) -> bool| {
        let mut found = (line..bytes.len()).filter(|&at| bytes[at] == mark);
        found.find(|&at| at > line && matches!(bytes[at - 1], b' ' | b'\t') && starts(at)).is_some_and(may_end)
    };
    // `#1` is a number in a list.
    let is_remark = |at: usize| text[at + 1..].chars().next().is_none_or(|char| char == ' ' || char.is_alphabetic());
    first(b'#', &is_remark) || first(b'/', &|at| bytes[at..].starts_with(b"//"))
}
