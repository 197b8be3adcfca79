//! Which of 64 bytes of a JSON text end a string, and which are no white space: a bit for each.
//!
//! Boundary: the only crate of the workspace with `unsafe`. It calls functions that need vector instructions, and loads vectors from references.
//! With them valid text is recognised up to 1.5 times as fast as word by word (`docs/performance.md`).
#![doc = include_str!("../README.md")]

#[allow(dead_code, reason = "where the processor has vectors, only tests ask it")]
mod bytewise;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
)))]
use self::bytewise as found;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use self::neon as found;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use self::x86 as found;

/// How many bytes are read at a time.
pub const BLOCK: usize = 64;

/// A bit for each byte of a block, the first byte lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Masks {
    /// Which bytes end plain content of a string: a quote, a backslash or a control character (RFC 8259 section 7).
    pub specials: u64,
    /// Which bytes are no white space (RFC 8259 section 2).
    pub marks: u64,
}

/// The masks of a block.
///
/// On `x86_64` (SSE2) this is about 110 instructions, on `aarch64` (NEON) as many; elsewhere it goes byte by byte.
///
/// ```
/// let mut block = [b'a'; jsonseam_simd::BLOCK];
/// block[3] = b'"';
/// block[9] = b' ';
/// let masks = jsonseam_simd::masks(&block);
///
/// assert_eq!(masks.specials, 1 << 3);
/// assert_eq!(masks.marks, !(1 << 9));
/// ```
#[inline]
#[must_use]
pub fn masks(block: &[u8; BLOCK]) -> Masks {
    found::masks(block)
}

/// Which bytes of a block are quotes, backslashes and white space: what strings and the gaps between tokens are found with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Borders {
    /// Which bytes are quotes.
    pub quotes: u64,
    /// Which bytes are backslashes.
    pub backslashes: u64,
    /// Which bytes are a space or less, which between the tokens of a JSON text is white space.
    pub blanks: u64,
}

/// Which bytes of a block end plain content of a string: [`Masks::specials`] alone.
///
/// ```
/// let mut block = [b'a'; jsonseam_simd::BLOCK];
/// block[3] = b'\\';
/// assert_eq!(jsonseam_simd::specials(&block), 1 << 3);
/// ```
#[inline]
#[must_use]
pub fn specials(block: &[u8; BLOCK]) -> u64 {
    found::specials(block)
}

/// The borders of a block.
///
/// ```
/// let mut block = [b'a'; jsonseam_simd::BLOCK];
/// block[3] = b'"';
/// block[9] = b'\n';
/// let borders = jsonseam_simd::borders(&block);
/// assert_eq!((borders.quotes, borders.backslashes, borders.blanks), (1 << 3, 0, 1 << 9));
/// ```
#[inline]
#[must_use]
pub fn borders(block: &[u8; BLOCK]) -> Borders {
    found::borders(block)
}

/// How many bytes at the start of `text` are in whole blocks without a special byte.
///
/// ```
/// let text = [&[b'a'; 200][..], b"\" and more text, long enough for a block that holds the quote"].concat();
/// assert_eq!(jsonseam_simd::plain(&text), 192);
/// ```
#[inline]
#[must_use]
pub fn plain(text: &[u8]) -> usize {
    let mut read = 0;
    while let Some(block) = text.get(read..).and_then(|rest| rest.first_chunk()) {
        if !found::is_plain(block) {
            break;
        }
        read += BLOCK;
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_that_of_its_byte() {
        for place in 0..BLOCK {
            let mut block = [b'a'; BLOCK];
            block[place] = b'"';
            assert_eq!(bytewise::specials(&block), 1 << place);
            assert_eq!(bytewise::borders(&block), Borders { quotes: 1 << place, backslashes: 0, blanks: 0 });
        }
    }

    fn agree(block: &[u8; BLOCK]) {
        let expected = bytewise::masks(block);
        assert_eq!(masks(block), expected, "{block:?}");
        assert_eq!(specials(block), expected.specials, "{block:?}");
        assert_eq!(found::is_plain(block), expected.specials == 0, "{block:?}");
        assert_eq!(borders(block), bytewise::borders(block), "{block:?}");
    }

    #[test]
    fn every_byte_at_every_place_has_the_bits_that_it_has_byte_by_byte() {
        // Under Miri a block takes a twentieth of a second.
        for byte in (0..=u8::MAX).step_by(if cfg!(miri) { 0x33 } else { 1 }) {
            for filler in [b'a', b' ', b'"', 0xff] {
                for place in (0..BLOCK).step_by(if cfg!(miri) { 13 } else { 1 }) {
                    let mut block = [filler; BLOCK];
                    block[place] = byte;
                    agree(&block);
                }
            }
        }
    }

    #[test]
    fn blocks_of_all_bytes_have_the_bits_that_they_have_byte_by_byte() {
        for step in (1..=255).step_by(if cfg!(miri) { 64 } else { 2 }) {
            for start in [0, 64, 128, 192] {
                let mut block = [0; BLOCK];
                for (place, byte) in (0..).zip(&mut block) {
                    *byte = u8::wrapping_mul(place, step).wrapping_add(start);
                }
                agree(&block);
            }
        }
    }
}
