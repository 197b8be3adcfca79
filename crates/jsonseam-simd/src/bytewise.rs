//! The masks byte by byte: what the vector instructions must agree with.

use crate::{BLOCK, Borders, Masks};

pub(crate) fn masks(block: &[u8; BLOCK]) -> Masks {
    Masks { specials: specials(block), marks: bits(block, |byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) }
}

pub(crate) fn specials(block: &[u8; BLOCK]) -> u64 {
    bits(block, is_special)
}

pub(crate) fn borders(block: &[u8; BLOCK]) -> Borders {
    Borders {
        quotes: bits(block, |byte| byte == b'"'),
        backslashes: bits(block, |byte| byte == b'\\'),
        blanks: bits(block, |byte| byte <= b' '),
    }
}

pub(crate) fn is_plain(block: &[u8; BLOCK]) -> bool {
    !block.iter().copied().any(is_special)
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\')
}

/// The bytes for which `is` holds: the lowest bit is the first byte.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "measured: the compiler makes words or vectors of it where it knows what is asked"
)]
fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let mut flags = [0; BLOCK];
    for (flag, &byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(is(byte));
    }
    let mut bits = 0;
    let (words, _) = flags.as_chunks::<8>();
    for (&word, shift) in words.iter().zip((0..).step_by(8)) {
        // The product has bit 8i of the word at bit 56 + i, and no other two bits in one place.
        bits |= (u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56) << shift;
    }
    bits
}
