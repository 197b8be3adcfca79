//! What follows in a piece of text, at a glance: blanks, keys.

/// The first position from `at` on that holds no blank. A comment is passed over too.
pub fn skip_blank_bytes(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii_whitespace() {
                at += 1;
            } else if let Some(len) = invisible_len(&bytes[at..]) {
                at += len;
            } else {
                break;
            }
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let end = if rest.starts_with(b"//") {
            memchr(b'\n', rest)
        } else if rest.starts_with(b"/*") {
            rest.windows(2).position(|pair| pair == b"*/").map(|end| end + 2)
        } else {
            None
        };
        match end {
            Some(len) => at += len,
            None => return at,
        }
    }
}

fn memchr(byte: u8, text: &[u8]) -> Option<usize> {
    text.iter().position(|&found| found == byte)
}

/// The length of the white space of Unicode, or the character that shows nothing, that comes next.
fn invisible_len(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0xC2, 0xA0 | 0xAD, ..] => Some(2),
        [0xE2, 0x80, 0x80..=0x8D | 0xAF, ..]
        | [0xE2, 0x81, 0xA0 | 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        _ => None,
    }
}

/// The character at `at`; `None` at the end.
pub fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The character before `at`; `None` at the start.
pub fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// Up to `len` of these bytes, reduced to whole characters.
pub fn text_of(bytes: &[u8], len: usize) -> &str {
    let bytes = bytes.get(..len).unwrap_or(bytes);
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Whether a line break is among these bytes.
pub fn has_solid_newline(bytes: &[u8]) -> bool {
    bytes.contains(&b'\n')
}

/// The length of the text up to the double quote that closes it, within `most` bytes of one line; an escape hides what follows it.
pub fn double_quoted_len(bytes: &[u8], most: usize) -> Option<usize> {
    let mut is_escaped = false;
    let len = bytes.iter().take(most).position(|&byte| {
        let is_end = !is_escaped && matches!(byte, b'"' | b'\n');
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    (bytes[len] == b'"').then_some(len)
}

/// The length of the key at the start of `bytes`, its colon included: in quotes of any kind or as a name.
pub fn key_len(bytes: &[u8]) -> Option<usize> {
    let quoted = |open: usize, close: &[u8]| -> Option<usize> {
        let inner = bytes.get(open..)?;
        let len = inner.iter().take(81).position(|&byte| byte == close[0] || byte == b'\n')?;
        inner.get(len..)?.starts_with(close).then_some(open + len + close.len())
    };
    let end = match bytes.first()? {
        b'"' => 2 + double_quoted_len(&bytes[1..], 81)?,
        b'\'' => quoted(1, b"'")?,
        0xE2 if bytes.starts_with("“".as_bytes()) => {
            let inner = text_of(bytes, 400).get(3..)?;
            let at = inner.find(['”', '\n'])?;
            inner.get(at..)?.starts_with('”').then_some(3 + at + 3)?
        }
        _ => name_len(text_of(bytes, 61))?,
    };
    let blanks = bytes.get(end..)?.iter().take(16).take_while(|byte| byte.is_ascii_whitespace()).count();
    let colon = end + blanks;
    (bytes.get(colon) == Some(&b':') && !bytes[colon + 1..].starts_with(b"//")).then_some(colon + 1)
}

/// The length of the name at the start of `text`: letters of any script, digits, `_` and `-`.
fn name_len(text: &str) -> Option<usize> {
    let is_inner = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
    let len = text.find(|char| !is_inner(char)).unwrap_or(text.len());
    text.starts_with(|char: char| char.is_alphabetic() || char == '_').then_some(len)
}
