//! The masks byte by byte: what the vector instructions must agree with.

use crate::{BLOCK, Masks};

pub(crate) fn masks(block: &[u8; BLOCK]) -> Masks {
    let bits = |is: fn(u8) -> bool| block.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(is(byte)));
    Masks { specials: bits(is_special), marks: bits(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) }
}

pub(crate) fn is_plain(block: &[u8; BLOCK]) -> bool {
    !block.iter().copied().any(is_special)
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\')
}
