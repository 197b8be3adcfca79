//! The masks with NEON, which every `aarch64` with vector registers has.

use std::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vcleq_u8, vcltq_u8, vdupq_n_u8, vgetq_lane_u64, vld1q_u8, vorrq_u8, vpaddq_u8,
    vreinterpretq_u64_u8,
};

use crate::{BLOCK, Borders, Masks};

#[inline]
pub(crate) fn masks(block: &[u8; BLOCK]) -> Masks {
    // SAFETY: this module is compiled only where NEON is enabled for the whole program, and it is all that the function needs.
    unsafe { masks_with_neon(block) }
}

#[inline]
pub(crate) fn specials(block: &[u8; BLOCK]) -> u64 {
    masks(block).specials
}

#[inline]
pub(crate) fn borders(block: &[u8; BLOCK]) -> Borders {
    // SAFETY: as above.
    unsafe { borders_with_neon(block) }
}

#[inline]
pub(crate) fn is_plain(block: &[u8; BLOCK]) -> bool {
    masks(block).specials == 0
}

#[target_feature(enable = "neon")]
#[inline]
fn masks_with_neon(block: &[u8; BLOCK]) -> Masks {
    let parts = parts(block);
    Masks { specials: bits(parts.map(|part| special(part))), marks: !bits(parts.map(|part| blank(part))) }
}

#[target_feature(enable = "neon")]
#[inline]
fn borders_with_neon(block: &[u8; BLOCK]) -> Borders {
    let parts = parts(block);
    Borders {
        quotes: bits(parts.map(|part| is(part, b'"'))),
        backslashes: bits(parts.map(|part| is(part, b'\\'))),
        blanks: bits(parts.map(|part| vcleq_u8(part, vdupq_n_u8(b' ')))),
    }
}

/// The bytes of `part` that end plain content of a string.
#[target_feature(enable = "neon")]
#[inline]
fn special(part: uint8x16_t) -> uint8x16_t {
    vorrq_u8(vorrq_u8(is(part, b'"'), is(part, b'\\')), vcltq_u8(part, vdupq_n_u8(0x20)))
}

/// The bytes of `part` that are white space.
#[target_feature(enable = "neon")]
#[inline]
fn blank(part: uint8x16_t) -> uint8x16_t {
    vorrq_u8(vorrq_u8(is(part, b' '), is(part, b'\n')), vorrq_u8(is(part, b'\r'), is(part, b'\t')))
}

#[target_feature(enable = "neon")]
#[inline]
fn is(part: uint8x16_t, byte: u8) -> uint8x16_t {
    vceqq_u8(part, vdupq_n_u8(byte))
}

/// A bit for each byte: each takes the bit of its place among eight, and sums of neighbours bring eight of them together.
#[target_feature(enable = "neon")]
#[inline]
fn bits(parts: [uint8x16_t; 4]) -> u64 {
    let places = part(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let [a, b, c, d] = parts.map(|part| vandq_u8(part, places));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
}

/// The block as four vectors.
#[target_feature(enable = "neon")]
#[inline]
fn parts(block: &[u8; BLOCK]) -> [uint8x16_t; 4] {
    let parts = block.as_chunks().0;
    [part(&parts[0]), part(&parts[1]), part(&parts[2]), part(&parts[3])]
}

#[target_feature(enable = "neon")]
#[inline]
fn part(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the pointer comes from a reference to 16 bytes, which is what is read, and this load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}
