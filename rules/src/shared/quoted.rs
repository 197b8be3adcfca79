//! Quoted texts in any style: where they end, what they hold, and how JSON spells them.

use std::borrow::Cow;
use std::ops::Range;

use jsonseam_core::{Edit, Edits, Fault};

use super::words::words;

/// Whether `char` after a backslash is one of JSON's escapes of two characters (RFC 8259 section 7).
pub const fn is_short_escape(char: char) -> bool {
    matches!(char, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')
}

/// Whether every backslash in `content` begins an escape of JSON, or hides `mark` or an apostrophe.
pub fn has_known_escapes(content: &str, mark: char) -> bool {
    escapes(content).all(|escape| is_escape(escape.as_bytes()) || escape.starts_with([mark, '\'']))
}

/// What follows each backslash of a text that no other one hides.
pub fn escapes(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, escape) = rest.split_once('\\')?;
        let mut chars = escape.chars();
        chars.next();
        rest = chars.as_str();
        Some(escape)
    })
}

/// Whether what follows a backslash makes an escape of JSON with it (RFC 8259 section 7).
pub fn is_escape(rest: &[u8]) -> bool {
    match rest.first() {
        Some(b'u') => rest.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        Some(&byte) => is_short_escape(char::from(byte)),
        None => false,
    }
}

/// The edits that spell a quoted text as JSON does. `opening` and `closing` are the spans of what stands for its quotes, and become `"`;
/// inside, each `"` and each control character becomes an escape, and a backslash that hides something else than JSON knows goes.
pub fn respell(fault: &Fault<'_>, opening: Range<usize>, content: Range<usize>, closing: Range<usize>) -> Edits {
    let mut edits = Edits::from(Edit::replace(opening, "\""));
    let mut chars = fault.at(content.start).slice_to(content.end).char_indices();
    while let Some((offset, char)) = chars.next() {
        let pos = content.start + offset;
        match char {
            '"' => edits = edits.and(Edit::replace(pos..pos + 1, "\\\"")),
            '\\' => {
                let hidden = chars.next().map_or(' ', |(_, hidden)| hidden);
                if hidden != 'u' && !is_short_escape(hidden) {
                    edits = edits.and(Edit::remove(pos..pos + 1));
                }
            }
            control if control < ' ' => {
                edits = edits.and(Edit::replace(pos..pos + 1, escaped(control.encode_utf8(&mut [0; 4]))));
            }
            _ => {}
        }
    }
    edits.and(Edit::replace(closing, "\""))
}

/// [`respell`] for a text that starts at the fault and whose closing mark takes `closer_len` bytes.
pub fn requote(fault: &Fault<'_>, content: Range<usize>, closer_len: usize) -> Edits {
    let closing = content.end..content.end + closer_len;
    respell(fault, fault.pos()..content.start, content, closing)
}

/// The escapes of the control characters, the short ones where there are (RFC 8259 section 7).
const ESCAPES: [&str; 32] = words(
    "\
     \\u0000 \\u0001 \\u0002 \\u0003 \\u0004 \\u0005 \\u0006 \\u0007 \\b \\t \\n \\u000b \\f \\r \
     \\u000e \\u000f \\u0010 \\u0011 \\u0012 \\u0013 \\u0014 \\u0015 \\u0016 \\u0017 \\u0018 \\u0019 \\u001a \\u001b \
     \\u001c \\u001d \\u001e \\u001f",
);

/// These control characters as escapes. Any other character stays as it is.
///
/// ```
/// assert_eq!(jsonseam_rules::shared::quoted::escaped("\t\u{1}"), "\\t\\u0001");
/// assert_eq!(jsonseam_rules::shared::quoted::escaped("\u{e9}\n"), "\u{e9}\\n");
/// ```
pub fn escaped(controls: &str) -> Cow<'static, str> {
    if let &[control @ 0..b' '] = controls.as_bytes() {
        return ESCAPES[usize::from(control)].into();
    }
    let mut text = String::with_capacity(controls.len() * 6);
    for char in controls.chars() {
        match ESCAPES.get(char as usize) {
            Some(escape) => text.push_str(escape),
            None => text.push(char),
        }
    }
    text.into()
}
