//! The masks with SSE2, which every `x86_64` with an operating system has.

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
};

use crate::{BLOCK, Borders, Masks};

#[inline]
pub(crate) fn masks(block: &[u8; BLOCK]) -> Masks {
    // SAFETY: this module is compiled only where SSE2 is enabled for the whole program, and it is all that the function needs.
    unsafe { masks_with_sse2(block) }
}

#[inline]
pub(crate) fn specials(block: &[u8; BLOCK]) -> u64 {
    // SAFETY: as above.
    unsafe { specials_with_sse2(block) }
}

#[inline]
pub(crate) fn borders(block: &[u8; BLOCK]) -> Borders {
    // SAFETY: as above.
    unsafe { borders_with_sse2(block) }
}

#[inline]
pub(crate) fn is_plain(block: &[u8; BLOCK]) -> bool {
    // SAFETY: as above.
    unsafe { is_plain_with_sse2(block) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn masks_with_sse2(block: &[u8; BLOCK]) -> Masks {
    let [a, b, c, d] = parts(block);
    Masks {
        specials: joined([special(a), special(b), special(c), special(d)]),
        marks: !joined([blank(a), blank(b), blank(c), blank(d)]),
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn specials_with_sse2(block: &[u8; BLOCK]) -> u64 {
    let [a, b, c, d] = parts(block);
    joined([special(a), special(b), special(c), special(d)])
}

#[target_feature(enable = "sse2")]
#[inline]
fn borders_with_sse2(block: &[u8; BLOCK]) -> Borders {
    let [a, b, c, d] = parts(block);
    Borders {
        quotes: joined([is(a, b'"'), is(b, b'"'), is(c, b'"'), is(d, b'"')]),
        backslashes: joined([is(a, b'\\'), is(b, b'\\'), is(c, b'\\'), is(d, b'\\')]),
        blanks: joined([at_most(a, b' '), at_most(b, b' '), at_most(c, b' '), at_most(d, b' ')]),
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn is_plain_with_sse2(block: &[u8; BLOCK]) -> bool {
    let [a, b, c, d] = parts(block);
    bits(or(or(special(a), special(b)), or(special(c), special(d)))) == 0
}

/// The bytes of `part` that end plain content of a string.
#[target_feature(enable = "sse2")]
#[inline]
fn special(part: __m128i) -> __m128i {
    or(or(is(part, b'"'), is(part, b'\\')), at_most(part, 0x1f))
}

#[target_feature(enable = "sse2")]
#[inline]
fn at_most(part: __m128i, byte: u8) -> __m128i {
    _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(byte.cast_signed())), part)
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

/// The bytes of `part` that are white space.
#[target_feature(enable = "sse2")]
#[inline]
fn blank(part: __m128i) -> __m128i {
    or(or(is(part, b' '), is(part, b'\n')), or(is(part, b'\r'), is(part, b'\t')))
}

/// A bit for each byte.
#[target_feature(enable = "sse2")]
#[inline]
fn bits(part: __m128i) -> u64 {
    u64::from(_mm_movemask_epi8(part).cast_unsigned())
}

/// A bit for each byte of a block.
#[target_feature(enable = "sse2")]
#[inline]
fn joined([a, b, c, d]: [__m128i; 4]) -> u64 {
    bits(a) | bits(b) << 16 | bits(c) << 32 | bits(d) << 48
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
