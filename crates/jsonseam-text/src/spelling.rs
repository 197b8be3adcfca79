//! How JSON spells a text: reading a string, writing one, and leaving out white space.

mod blocks;
mod written;

use jsonseam_simd::specials;

use self::blocks::{BLOCK, bits_from, block_of, copy_run, lowest, set, space_at, window};
pub use self::written::{push_compact, push_string, spelled_len};

const ONES: u64 = 0x0101_0101_0101_0101;
const SPACES: u64 = 0x2020_2020_2020_2020;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Bytes of a string that are looked at at once where it is only passed over: most are shorter.
const STEP: usize = 16;

/// The high bit of every byte of `word` that cannot be in a JSON string as it is: a quote, a backslash or a control character (RFC 8259 section 7).
///
/// Borrows can set bits above a true one, never below: the lowest set bit is exact.
///
/// ```
/// let word = u64::from_le_bytes(*b"ab\"cd\\ef");
/// assert_eq!(jsonseam_text::special_bytes(word).trailing_zeros() / 8, 2);
/// ```
#[inline]
pub const fn special_bytes(word: u64) -> u64 {
    // Where the high bit of `word` is clear, so it is in what is compared, and a borrow out of a zero byte is all that sets it.
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    let control = word.wrapping_sub(SPACES);
    (quote | backslash | control) & !word & HIGH
}

fn step_at(text: &[u8], pos: usize) -> Option<&[u8; STEP]> {
    text.get(pos..)?.first_chunk()
}

/// Where the first special byte of a block is; its length if there is none.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: it is the inner loop")]
fn first_special(block: &[u8; STEP]) -> usize {
    let (low, high) = block.split_at(STEP / 2);
    let word = |half: &[u8]| half.try_into().map_or(0, u64::from_le_bytes);
    // One step for both halves: which of them has it is what a processor cannot foresee.
    let found = u128::from(special_bytes(word(low))) | u128::from(special_bytes(word(high))) << 64;
    (found.trailing_zeros() / 8) as usize
}

/// The position after the string whose opening quote is at `start`, if it is a valid string of RFC 8259.
///
/// ```
/// assert_eq!(jsonseam_text::valid_string_end(br#"["a\"", 1]"#, 1), Some(6));
/// assert_eq!(jsonseam_text::valid_string_end(br#"["\x"]"#, 1), None);
/// ```
pub fn valid_string_end(json: &[u8], start: usize) -> Option<usize> {
    let mut pos = content_start(json, start)?;
    loop {
        while let Some(step) = step_at(json, pos) {
            let found = first_special(step);
            pos += found;
            if found < STEP {
                break;
            }
        }
        match *json.get(pos)? {
            b'"' => return Some(pos + 1),
            b'\\' => match *json.get(pos + 1)? {
                b'u' => {
                    code_unit(json.get(pos..)?)?;
                    pos += 6;
                }
                escape => {
                    meaning(escape)?;
                    pos += 2;
                }
            },
            byte if byte < 0x20 => return None,
            // Only the last bytes of a text are looked at one by one.
            _ => pos += 1,
        }
    }
}

/// What a string spells, in room that is used again for the next one.
///
/// `Debug` shows the length alone.
#[derive(Clone, Default)]
pub struct Decoded {
    /// Room; what is beyond `len` is of earlier strings.
    bytes: Vec<u8>,
    len: usize,
    is_canonical: bool,
}

impl std::fmt::Debug for Decoded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Decoded({} bytes)", self.len)
    }
}

impl Decoded {
    /// Reads the string whose opening quote is at `start`, in place of what was read before, and gives the position after it.
    ///
    /// `None` if it is no valid string of RFC 8259, and if no text is what it spells because half a surrogate pair is in it.
    ///
    /// ```
    /// let mut decoded = jsonseam_text::Decoded::default();
    /// assert_eq!(decoded.read(r#"["a\n\u00e9", 1]"#, 1), Some(12));
    /// assert_eq!(decoded.text(), "a\né");
    /// assert!(!decoded.is_canonical());
    /// ```
    pub fn read(&mut self, json: &str, start: usize) -> Option<usize> {
        let json = json.as_bytes();
        self.len = 0;
        let mut is_canonical = true;
        let mut pos = content_start(json, start)?;
        let mut end = 0;
        // What is beyond the text is no content of a string.
        let mut room = [0; 2 * BLOCK];
        loop {
            let space = space_at(&mut self.bytes, end, end)?;
            let window = window(json, pos, 0, &mut room);
            let mut specials = specials(block_of(window));
            let (mut from, mut len) = (0, 0);
            while specials != 0 {
                let special = lowest(specials);
                copy_run(window, from, special - from, space, len);
                len += special - from;
                match window[special] {
                    b'\\' => {}
                    b'"' => {
                        self.len = end + len;
                        self.is_canonical = is_canonical;
                        return Some(pos + special + 1);
                    }
                    _ => return None,
                }
                let meaning = MEANINGS[usize::from(window[special + 1])];
                if meaning != 0 {
                    is_canonical &= meaning != b'/';
                    len += set(space, len, [meaning]);
                    from = special + 2;
                    // What is escaped is done with, too.
                    specials &= !(3 << special);
                } else {
                    let (char, width) = code_point(json.get(pos + special..)?)?;
                    is_canonical &=
                        is_control_without_letter(char) && window[special..].get(2..6).is_some_and(is_lower_case);
                    len += char.encode_utf8(&mut space[len..]).len();
                    from = special + width;
                    specials &= bits_from(from);
                }
            }
            if from < BLOCK {
                copy_run(window, from, BLOCK - from, space, len);
                len += BLOCK - from;
            }
            end += len;
            pos += from.max(BLOCK);
        }
    }

    /// What the string spells; empty if no string was read. The bytes are checked once more.
    pub fn text(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Whether the string is spelled as [`push_string`] spells it.
    pub fn is_canonical(&self) -> bool {
        self.is_canonical
    }
}

/// What the byte after a backslash means; 0 if it is no letter of an escape.
const MEANINGS: [u8; 256] = {
    let mut meanings = [0; 256];
    let mut letter = 0;
    while letter < u8::MAX {
        if let Some(meaning) = meaning(letter) {
            meanings[letter as usize] = meaning;
        }
        letter += 1;
    }
    meanings
};

/// The position after the opening quote at `start`, if there is one.
#[inline]
fn content_start(json: &[u8], start: usize) -> Option<usize> {
    (json.get(start) == Some(&b'"')).then_some(start + 1)
}

/// The character that the escape at the start of `text` spells, and how many bytes that takes; a pair of surrogates is one escape.
///
/// ```
/// assert_eq!(jsonseam_text::escape(br"\u00e9x"), Some(('é', 6)));
/// assert_eq!(jsonseam_text::escape(br"\x"), None);
/// ```
pub fn escape(text: &[u8]) -> Option<(char, usize)> {
    match meaning(*text.get(1)?) {
        Some(byte) => Some((char::from(byte), 2)),
        None => code_point(text),
    }
}

/// What the byte after a backslash means.
#[inline]
const fn meaning(escape: u8) -> Option<u8> {
    Some(match escape {
        b'"' | b'\\' | b'/' => escape,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

/// Whether a character must be escaped and has no letter for that.
const fn is_control_without_letter(char: char) -> bool {
    char < ' ' && !matches!(char, '\u{8}' | '\u{C}' | '\n' | '\r' | '\t')
}

fn is_lower_case(digits: &[u8]) -> bool {
    !digits.iter().any(u8::is_ascii_uppercase)
}

/// The character that the escape `\uXXXX` at the start of `text`, or the pair of such, spells; and how many bytes that takes.
#[cold]
fn code_point(text: &[u8]) -> Option<(char, usize)> {
    let unit = code_unit(text)?;
    if let Some(char) = char::from_u32(unit) {
        return Some((char, 6));
    }
    let low = code_unit(text.get(6..)?)?;
    let is_pair = unit < 0xDC00 && (0xDC00..0xE000).contains(&low);
    let code = 0x1_0000 + ((unit.wrapping_sub(0xD800) & 0x3FF) << 10) + (low & 0x3FF);
    Some((char::from_u32(code).filter(|_| is_pair)?, 12))
}

/// The code unit of the escape `\uXXXX` at the start of `text`.
pub(crate) fn code_unit(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some((unit << 4) | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings() -> Vec<String> {
        let mut strings = Vec::new();
        for filler in ["a", "\u{e9}", "\\", "\"", "a\n", "\u{1}x", "\u{1F600}", "/\u{7f}\u{8}\u{c}\r\t\u{1f}"] {
            for length in 0..70 {
                strings.push(format!("{}{}", "-".repeat(length % 19), filler.repeat(length)));
                strings.push(format!("{}{}", filler.repeat(length % 5), "x".repeat(length)));
            }
        }
        strings
    }

    #[test]
    fn an_escape_is_read_as_the_standard_says() {
        let cases = [
            (r"\n", Some(('\n', 2))),
            (r"\\n", Some(('\\', 2))),
            (r"\u00e9x", Some(('é', 6))),
            (r"\ud83d\ude00", Some(('😀', 12))),
            (r"\ud83d", None),
            (r"\ud83d\u0041", None),
            (r"\u+123", None),
            (r"\x", None),
            (r"\", None),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_string_is_spelled_as_serde_json_spells_it() {
        for text in strings() {
            let mut out = b"before".to_vec();
            push_string(&text, &mut out);
            let expected = serde_json::to_string(&text).expect("it is a string");
            assert_eq!(out, format!("before{expected}").into_bytes());
            assert_eq!(spelled_len(&text) + 2, expected.len());
        }
    }

    #[test]
    fn a_string_is_read_as_serde_json_reads_it_and_is_canonical_if_it_is_spelled_alike() {
        let mut decoded = Decoded::default();
        let spelled = strings().into_iter().map(|text| serde_json::to_string(&text).expect("it is a string"));
        let others = [
            r#""\/""#,
            r#""\u0041""#,
            r#""\u001F""#,
            r#""\u001f""#,
            r#""\u000a""#,
            r#""\u0008""#,
            r#""\ud83d\ude00""#,
            r#""\u00e9\u20AC""#,
            r#""\u0000""#,
        ];
        for json in spelled.chain(others.map(str::to_owned)) {
            let text: String = serde_json::from_str(&json).expect("it is a string");
            let line = format!("[{json}, 1]");
            assert_eq!(decoded.read(&line, 1), Some(1 + json.len()), "{json}");
            assert_eq!(valid_string_end(line.as_bytes(), 1), Some(1 + json.len()), "{json}");
            assert_eq!(decoded.text(), text, "{json}");
            let is_alike = serde_json::to_string(&text).expect("it is a string") == json;
            assert_eq!(decoded.is_canonical(), is_alike, "{json}");
        }
    }

    #[test]
    fn what_is_no_string_and_what_spells_no_text_is_not_read() {
        let mut decoded = Decoded::default();
        let filler = "x".repeat(40);
        for content in [
            "\\",
            "\\x",
            "\\u12",
            "\\u12g4",
            "\\u+123",
            "\n",
            "\u{1f}",
            "\\ud800",
            "\\ud800x",
            "\\ud800\\n",
            "\\ud800\\u0041",
            "\\udc00",
            "\\udc00\\ud800",
            "\\ud800\\ud800",
        ] {
            for json in [format!("\"{content}\""), format!("\"{filler}{content}{filler}\"")] {
                assert_eq!(decoded.read(&json, 0), None, "{json}");
                let is_valid = serde_json::from_str::<&serde_json::value::RawValue>(&json).is_ok();
                assert_eq!(valid_string_end(json.as_bytes(), 0).is_some(), is_valid, "{json}");
            }
        }
        for json in ["1", "x\"", "\"", "\"a", "\"a\\", "\"a\\\"", "\"\\u00", ""] {
            assert_eq!((decoded.read(json, 0), valid_string_end(json.as_bytes(), 0)), (None, None), "{json}");
        }
    }

    #[test]
    fn strings_of_every_length_are_read_into_room_that_grows() {
        let mut used = Decoded::default();
        for padding in (0..300).rev() {
            for escape in ["", "\\n", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d\\ude00\\ud83d\\ude00"] {
                let json = format!("\"{}{escape}{}\"", "x".repeat(padding), "y".repeat(padding % 70));
                let expected: String = serde_json::from_str(&json).expect("it is a string");
                for decoded in [&mut Decoded::default(), &mut used] {
                    assert_eq!(decoded.read(&json, 0), Some(json.len()));
                    assert_eq!(decoded.text(), expected);
                }
            }
        }
    }

    #[test]
    fn what_was_read_before_leaves_nothing() {
        let mut decoded = Decoded::default();
        assert_eq!(decoded.read(r#""long enough to be seen\/""#, 0), Some(26));
        assert_eq!(decoded.read(r#""a""#, 0), Some(3));
        assert_eq!((decoded.text(), decoded.is_canonical()), ("a", true));
        assert_eq!(format!("{decoded:?}"), "Decoded(1 bytes)");
    }

    #[test]
    fn compact_text_keeps_every_token_as_it_is_spelled() {
        let compacted = |text: &str| {
            let mut out = b"before".to_vec();
            push_compact(text, &mut out);
            String::from_utf8(out).expect("it is text")
        };
        assert_eq!(compacted(" [ 1.0 , \"a b\" ,\n{ } , -0e1 ] "), "before[1.0,\"a b\",{},-0e1]");
        assert_eq!(compacted(" 12 "), "before12");
        for text in strings() {
            let string = serde_json::to_string(&text).expect("it is a string");
            assert_eq!(compacted(&format!("\t[\r\n {string} , {string}]")), format!("before[{string},{string}]"));
        }
    }

    #[test]
    fn text_that_is_no_json_does_not_panic() {
        for text in ["\"", "\"\\", "\"a\\", "[\"\n\"", "\u{e9}", "{\"a\":\"\\\""] {
            push_compact(text, &mut Vec::new());
        }
    }
}
