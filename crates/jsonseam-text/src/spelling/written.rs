//! Writing strings, and values without their white space.

use jsonseam_simd::{borders, specials};

use super::blocks::{BLOCK, Inside, Space, bits_from, block_of, copy_run, lowest, set, space_at, window};
use super::meaning;

/// Appends `text` as a JSON string with its quotes: escaped is what must be, by its letter where it has one, in lower case, as `serde_json` does it.
///
/// ```
/// let mut out = b"x".to_vec();
/// jsonseam_text::push_string("a/\"\u{1f}é\n", &mut out);
/// assert_eq!(out, "x\"a/\\\"\\u001fé\\n\"".as_bytes());
/// ```
pub fn push_string(text: &str, out: &mut Vec<u8>) {
    let text = text.as_bytes();
    if text.len() < SHORT {
        return push_short(text, out);
    }
    let mut end = out.len() + 1;
    out.reserve(text.len() + text.len() / 8 + size_of::<Space>());
    out.push(b'"');
    let mut room = [0; 2 * BLOCK];
    for pos in (0..text.len()).step_by(BLOCK) {
        let left = text.len() - pos;
        let Some(space) = space_at(out, end, left + left / 8) else { break };
        let window = window(text, pos, b' ', &mut room);
        let mut specials = specials(block_of(window));
        let (mut from, mut len) = (0, 0);
        while specials != 0 {
            let special = lowest(specials);
            copy_run(window, from, special - from, space, len);
            len += special - from;
            len += push_escape(window[special], space, len);
            from = special + 1;
            specials &= specials - 1;
        }
        if from < BLOCK {
            copy_run(window, from, BLOCK - from, space, len);
            len += left.min(BLOCK) - from;
        }
        end += len;
    }
    out.truncate(end);
    out.push(b'"');
}

/// Bytes of a text that is not worth room for blocks.
const SHORT: usize = 16;

fn push_short(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match LETTERS[usize::from(byte)] {
            0 if byte < b' ' => out.extend_from_slice(&long_escape(byte)),
            0 => out.push(byte),
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
    }
    out.push(b'"');
}

/// The escape of a control character that has no letter.
fn long_escape(byte: u8) -> [u8; 6] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    [b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xF)]
}

/// How long `text` is as [`push_string`] spells it, without quotes.
///
/// ```
/// assert_eq!(jsonseam_text::spelled_len("a/\"\u{1f}é\n"), r#"a/\"\u001fé\n"#.len());
/// ```
pub fn spelled_len(text: &str) -> usize {
    let len = |byte: u8| match LETTERS[usize::from(byte)] {
        0 if byte < b' ' => 6,
        0 => 1,
        _ => 2,
    };
    text.bytes().map(len).sum()
}

/// Writes the escape of a byte that cannot be in a string as it is, and gives how long it is.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: it is a look at a table")]
fn push_escape(byte: u8, space: &mut Space, len: usize) -> usize {
    let letter = LETTERS[usize::from(byte)];
    if letter != 0 {
        return set(space, len, [b'\\', letter]);
    }
    set(space, len, long_escape(byte))
}

/// The letters of the escapes that are needed, by what they mean; 0 where there is none.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut letter = 0;
    while letter < u8::MAX {
        if let (Some(meaning), false) = (meaning(letter), letter == b'/') {
            letters[meaning as usize] = letter;
        }
        letter += 1;
    }
    letters
};

/// Appends `text`, which is valid JSON, without its insignificant white space: digits, escapes and repeated keys stay as they are.
///
/// ```
/// let mut out = Vec::new();
/// jsonseam_text::push_compact("{ \"a b\" : [ 1.10, 2 ] }\n", &mut out);
/// assert_eq!(out, b"{\"a b\":[1.10,2]}");
/// ```
pub fn push_compact(text: &str, out: &mut Vec<u8>) {
    let text = text.as_bytes();
    let mut end = out.len();
    let mut inside = Inside::default();
    let mut room = [0; 2 * BLOCK];
    for pos in (0..text.len()).step_by(BLOCK) {
        let Some(space) = space_at(out, end, text.len() - pos) else { break };
        let window = window(text, pos, b' ', &mut room);
        let borders = borders(block_of(window));
        let kept = (!borders.blanks | inside.of_next(borders)) & !bits_from(text.len() - pos);
        let mut starts = kept & !(kept << 1);
        let mut ends = !kept & kept << 1;
        let mut len = 0;
        while starts != 0 {
            // A run that goes on in the next block has no end here.
            let from = lowest(starts);
            let run = lowest(ends) - from;
            copy_run(window, from, run, space, len);
            len += run;
            starts &= starts - 1;
            ends &= ends.wrapping_sub(1);
        }
        end += len;
    }
    out.truncate(end);
}
