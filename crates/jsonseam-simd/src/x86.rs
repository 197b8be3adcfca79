//! The masks with SSE2, which every `x86_64` with an operating system has.

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_setzero_si128,
};

use crate::{BLOCK, Masks};

#[inline]
pub(crate) fn masks(block: &[u8; BLOCK]) -> Masks {
    // SAFETY: this module is compiled only where SSE2 is enabled for the whole program, and it is all that the function needs.
    unsafe { masks_with_sse2(block) }
}

#[inline]
pub(crate) fn is_plain(block: &[u8; BLOCK]) -> bool {
    // SAFETY: as above.
    unsafe { is_plain_with_sse2(block) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn masks_with_sse2(block: &[u8; BLOCK]) -> Masks {
    let (mut specials, mut blanks) = (0, 0);
    for (quarter, part) in parts(block).into_iter().enumerate() {
        let blank = or(or(is(part, b' '), is(part, b'\n')), or(is(part, b'\r'), is(part, b'\t')));
        specials |= bits(special(part)) << (16 * quarter);
        blanks |= bits(blank) << (16 * quarter);
    }
    Masks { specials, marks: !blanks }
}

#[target_feature(enable = "sse2")]
#[inline]
fn is_plain_with_sse2(block: &[u8; BLOCK]) -> bool {
    bits(parts(block).into_iter().fold(_mm_setzero_si128(), |found, part| or(found, special(part)))) == 0
}

/// The bytes of `part` that end plain content of a string.
#[target_feature(enable = "sse2")]
#[inline]
fn special(part: __m128i) -> __m128i {
    let is_control = _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1f)), part);
    or(or(is(part, b'"'), is(part, b'\\')), is_control)
}

#[target_feature(enable = "sse2")]
#[inline]
fn is(part: __m128i, byte: u8) -> __m128i {
    _mm_cmpeq_epi8(part, _mm_set1_epi8(byte.cast_signed()))
}

#[target_feature(enable = "sse2")]
#[inline]
fn or(left: __m128i, right: __m128i) -> __m128i {
    _mm_or_si128(left, right)
}

/// A bit for each byte.
#[target_feature(enable = "sse2")]
#[inline]
fn bits(part: __m128i) -> u64 {
    u64::from(_mm_movemask_epi8(part).cast_unsigned())
}

/// The block as four vectors.
#[target_feature(enable = "sse2")]
#[inline]
fn parts(block: &[u8; BLOCK]) -> [__m128i; 4] {
    let part = |index: usize| {
        let bytes: &[u8; 16] = &block.as_chunks().0[index];
        // SAFETY: the pointer comes from a reference to 16 bytes, which is what is read, and this load needs no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    };
    [part(0), part(1), part(2), part(3)]
}
