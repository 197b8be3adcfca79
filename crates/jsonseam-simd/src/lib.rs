//! Which of 64 bytes of a JSON text end a string, and which are no white space: a bit for each.
//!
//! Boundary: the only crate of the workspace with `unsafe`. It calls functions that need vector instructions, and reads no pointer.
//! With them valid text is recognised up to 1.5 times as fast as word by word (`docs/performance.md`).
#![doc = include_str!("../README.md")]

#[cfg(any(test, not(target_arch = "x86_64")))]
mod bytewise;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(not(target_arch = "x86_64"))]
use self::bytewise as found;
#[cfg(target_arch = "x86_64")]
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
/// On `x86_64` this is about 110 instructions; elsewhere it goes byte by byte.
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
