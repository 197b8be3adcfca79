//! Strings as Python spells them (Python Language Reference, section 2.4.1).

use crate::cursor::{Cursor, Stop};

/// Passes over the prefix of a string that starts here, and says whether it makes the string raw; `None` where no string starts.
/// Bytes, templates and formatted strings are no text as they are, so they are refused.
pub(super) fn python_string_at(at: &mut Cursor<'_>) -> Result<Option<bool>, Stop> {
    let mut ahead = *at;
    let prefix = ahead.take_while(|char| char.is_ascii_alphabetic());
    if !matches!(ahead.peek(), Some('"' | '\'')) {
        return Ok(None);
    }
    let start = at.pos;
    *at = ahead;
    match at.text.get(prefix).unwrap_or_default() {
        "" | "u" | "U" => Ok(Some(false)),
        "r" | "R" => Ok(Some(true)),
        _ => Err(Stop::Malformed(start)),
    }
}

/// Where the string that is open ends.
pub(super) fn closing(at: &Cursor<'_>, mark: &str, may_span: bool) -> Result<usize, Stop> {
    let mut rest = at.rest();
    let mut pos = at.pos;
    while !rest.starts_with(mark) {
        let len = match rest.chars().next() {
            None => return Err(Stop::Cut),
            Some('\n') if mark.len() == 1 && !may_span => return Err(Stop::Malformed(pos)),
            Some('\\') => 1 + rest.get(1..).and_then(|after| after.chars().next()).ok_or(Stop::Cut)?.len_utf8(),
            Some(char) => char.len_utf8(),
        };
        pos += len;
        rest = rest.get(len..).ok_or(Stop::Cut)?;
    }
    Ok(pos)
}

/// What the escapes of Python in `content` say; `None` for one that names no character, or names it in words: those need a table of Unicode's names.
/// An unknown escape is not an escape there.
pub(super) fn unescaped(content: &str) -> Option<String> {
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let escape = after.chars().next()?;
        rest = after.get(escape.len_utf8()..)?;
        match escape {
            '\n' => {}
            '\r' if rest.starts_with('\n') => rest = rest.get(1..)?,
            '\\' | '\'' | '"' => text.push(escape),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'a' => text.push('\u{7}'),
            'b' => text.push('\u{8}'),
            'v' => text.push('\u{B}'),
            'f' => text.push('\u{C}'),
            'N' => return None,
            '0'..='7' => {
                let more = rest.bytes().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let digits = after.get(..1 + more)?;
                rest = rest.get(more..)?;
                text.push(u32::from_str_radix(digits, 8).ok().and_then(char::from_u32)?);
            }
            'x' | 'u' | 'U' => {
                let digits = rest.get(
                    ..match escape {
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    },
                )?;
                rest = rest.get(digits.len()..)?;
                let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
                text.push(surrogate_pair(code, &mut rest).or(char::from_u32(code))?);
            }
            other => text.extend(['\\', other]),
        }
    }
    text.push_str(rest);
    Some(text)
}

/// The character that a high surrogate and the escape after it stand for: JSON in Python quotes spells it so.
fn surrogate_pair(high: u32, rest: &mut &str) -> Option<char> {
    let digits = rest.strip_prefix("\\u").and_then(|after| after.get(..4))?;
    let low = u32::from_str_radix(digits, 16).ok()?;
    if !(0xD800..0xDC00).contains(&high) || !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    *rest = rest.get(6..)?;
    char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}
