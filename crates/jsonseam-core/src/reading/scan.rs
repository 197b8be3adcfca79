//! Finding bytes fast, in safe code: the inner loops of the recogniser. `blocks` and `words` answer the same questions about valid text;
//! which of them is used depends on the processor, by the conditions of `jsonseam-simd`.

#[cfg_attr(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
    ),
    path = "scan/blocks.rs"
)]
#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
    )),
    path = "scan/words.rs"
)]
mod cursor;

/// How the recogniser finds its way through valid text.
pub(crate) use self::cursor::Cursor;
use jsonseam_text::special_bytes as special;

#[inline]
fn word_at(text: &[u8], pos: usize) -> Option<u64> {
    let bytes: [u8; 8] = text.get(pos..pos + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Whether `byte` ends plain string content (RFC 8259 section 7).
#[inline]
pub(crate) const fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The first position from `pos` on that holds a quote, a backslash or a control character; the length if none does.
///
/// Most strings end within 16 bytes, so words come first; only then are blocks worth their start-up.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: a call for every string costs a tenth")]
pub(crate) fn string_content_end(text: &[u8], pos: usize) -> usize {
    let words = text.get(pos..pos + 16).and_then(|block| Some((word_at(block, 0)?, word_at(block, 8)?)));
    let Some((first, second)) = words else { return content_end_in_tail(text, pos) };
    let found = special(first);
    if found != 0 {
        return pos + (found.trailing_zeros() / 8) as usize;
    }
    let found = special(second);
    if found != 0 {
        return pos + 8 + (found.trailing_zeros() / 8) as usize;
    }
    content_end_in_blocks(text, pos + 16)
}

#[inline(never)]
fn content_end_in_blocks(text: &[u8], mut pos: usize) -> usize {
    // A fold without branches over 32 bytes is what the compiler turns into vector compares.
    while let Some(block) = text.get(pos..pos + 32) {
        if block.iter().fold(false, |found, &byte| found | is_special(byte)) {
            break;
        }
        pos += 32;
    }
    content_end_in_tail(text, pos)
}

#[inline]
fn content_end_in_tail(text: &[u8], mut pos: usize) -> usize {
    while let Some(word) = word_at(text, pos) {
        let found = special(word);
        if found != 0 {
            return pos + (found.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    text[pos.min(text.len())..].iter().position(|&byte| is_special(byte)).map_or(text.len(), |found| pos + found)
}

/// Whether `byte` is insignificant white space (RFC 8259 section 2).
#[inline]
pub(crate) const fn is_json_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The first position from `pos` on that is not white space; the length if all is.
///
/// Between tokens there is most often one blank, or a line feed and a run of spaces: both take few steps.
#[inline]
pub(crate) fn skip_blanks(text: &[u8], mut pos: usize) -> usize {
    while text.get(pos).is_some_and(|&byte| is_json_space(byte)) {
        pos += 1;
        if text.get(pos).is_none_or(|&byte| byte > b' ') {
            return pos;
        }
        pos = skip_spaces(text, pos);
    }
    pos
}

/// Skips spaces, two at a time where there are as many: a processor foresees how deep a line is indented better than it computes it.
#[inline]
fn skip_spaces(text: &[u8], mut pos: usize) -> usize {
    while text.get(pos..pos + 2) == Some(b"  ") {
        pos += 2;
    }
    if text.get(pos) == Some(&b' ') { pos + 1 } else { pos }
}

/// Whether `byte` would continue a number or a word that is before it.
///
/// Two such bytes side by side belong to one scalar, so `1_000` or `truely` is one fault at its first byte.
#[inline]
pub(crate) const fn continues_scalar(byte: u8) -> bool {
    IN_SCALAR[byte as usize]
}

const IN_SCALAR: [bool; 256] = {
    let mut belongs = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        belongs[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-' | b'$');
        byte += 1;
    }
    belongs
};

/// Whether `char` would continue a word of any script that is before it.
#[inline]
pub(crate) fn continues_word(char: char) -> bool {
    match char {
        '\0'..='\u{7F}' => continues_scalar(char as u8),
        _ => !is_sign(char) && char.is_alphanumeric(),
    }
}

/// Whether a character is general punctuation, as typographic quotes are, or a sign of mathematics or another symbol before U+2460: no letter and no
/// number is among them, so the tables of Unicode, which are slow for these, need not be asked.
///
/// ```
/// use jsonseam_core::is_sign;
///
/// assert!(is_sign('\u{201D}') && is_sign('\u{2212}') && !is_sign('-') && !is_sign('\u{212A}'));
/// ```
pub const fn is_sign(char: char) -> bool {
    matches!(char, '\u{2000}'..='\u{206F}' | '\u{2190}'..='\u{245F}')
}

/// Mixes in eight bytes at a time by a rotation and a multiplication, as `rustc-hash` once did; it is too little for a dependency.
pub(crate) fn hash_of(text: &[u8]) -> u64 {
    const ODD: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(ODD);
    let (words, rest) = text.as_chunks::<8>();
    // Texts that differ in their length alone differ from the start.
    let start = (text.len() as u64 + 1).wrapping_mul(ODD);
    let hash = words.iter().fold(start, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(hash, rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_goes_on_as_the_tables_of_letters_say() {
        let is_as_told = |char: &char| continues_word(*char) == char.is_alphanumeric();
        assert!(('\u{80}'..=char::MAX).all(|char| is_as_told(&char)));
    }

    #[test]
    fn string_content_ends_where_a_byte_by_byte_search_says() {
        let fillers = [b'a', 0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0x80, 0xff, 0x1f | 0x80];
        for length in 0..100 {
            for filler in fillers {
                let mut text = vec![filler; length];
                assert_eq!(string_content_end(&text, 0), length);
                for place in 0..length {
                    for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
                        text[place] = special;
                        assert_eq!(string_content_end(&text, 0), place, "length {length}");
                        text[place] = filler;
                    }
                }
            }
        }
    }

    #[test]
    fn blanks_end_where_a_byte_by_byte_search_says() {
        for length in 0..40 {
            for blank in [b' ', b'\n', b'\t', b'\r'] {
                let mut text = vec![b' '; length];
                for place in 0..length {
                    text[place] = blank;
                    assert_eq!(skip_blanks(&text, 0), length);
                    text[place] = b'x';
                    assert_eq!(skip_blanks(&text, 0), place);
                    text[place] = blank;
                }
            }
        }
    }
}
