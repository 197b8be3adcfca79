//! Blocks of 64 bytes, of which a bit for each says what it is.
//!
//! What a processor cannot foresee is how long the next run is. So runs are found as bits, and copied with all that may follow them in a block:
//! a few bytes too many cost less than a wrong guess.

/// Bytes that are looked at, and copied, at once.
pub(super) const BLOCK: usize = 64;

/// A block, and as many bytes after it: what starts in the block can be copied as if it were as long.
pub(super) type Window = [u8; 2 * BLOCK];

/// The window of `text` at `pos`; beyond the end of the text there is `filler`.
#[inline]
pub(super) fn window<'w>(text: &'w [u8], pos: usize, filler: u8, room: &'w mut Window) -> &'w Window {
    let rest = text.get(pos..).unwrap_or_default();
    if let Some(window) = rest.first_chunk() {
        return window;
    }
    *room = [filler; 2 * BLOCK];
    if let Some(space) = room.get_mut(..rest.len()) {
        space.copy_from_slice(rest);
    }
    room
}

/// The bytes of the block for which `is` holds: the lowest bit is the first byte.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: the compiler makes vectors of it where it knows what is asked")]
pub(super) fn bits(window: &Window, is: impl Fn(u8) -> bool) -> u64 {
    let mut flags = [0; BLOCK];
    for (flag, &byte) in flags.iter_mut().zip(window) {
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

/// The bits from the one at `pos` on.
#[inline]
pub(super) fn bits_from(pos: usize) -> u64 {
    u32::try_from(pos).ok().and_then(|pos| u64::MAX.checked_shl(pos)).unwrap_or(0)
}

/// Where the lowest bit is; the length of a block if there is none.
#[inline]
pub(super) fn lowest(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

/// Copies a block's length of the window from `from` on, which is in its block.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: it is four moves")]
pub(super) fn copy_block(window: &Window, from: usize, to: &mut [u8], len: usize) {
    debug_assert!(from <= BLOCK && len + BLOCK <= to.len(), "there is room for a block");
    if let (Some(run), Some(space)) = (window.get(from..from + BLOCK), to.get_mut(len..len + BLOCK)) {
        space.copy_from_slice(run);
    }
}

/// What is known at the start of a block of JSON text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inside {
    /// All bits, if a string is open.
    string: u64,
    /// The lowest bit, if the first byte is escaped.
    escaped: u64,
}

impl Inside {
    /// The bytes of the block that are in strings, opening quotes included.
    #[inline]
    pub(super) fn of_next(&mut self, window: &Window) -> u64 {
        let backslashes = bits(window, |byte| byte == b'\\');
        let quotes = bits(window, |byte| byte == b'"');
        let escaped = if backslashes | self.escaped == 0 { 0 } else { self.escaped_by(backslashes) };
        // Every bit becomes the parity of the quotes up to it.
        let mut inside = quotes & !escaped;
        for shift in [1, 2, 4, 8, 16, 32] {
            inside ^= inside << shift;
        }
        inside ^= self.string;
        self.string = if inside >> 63 == 1 { u64::MAX } else { 0 };
        inside
    }

    /// The bytes after an odd number of backslashes.
    fn escaped_by(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let backslashes = backslashes & !self.escaped;
        let after = backslashes << 1 | self.escaped;
        // A run that starts at an odd place is carried over its end by the addition: of it the other bits are escaped.
        let (carried, is_open) = (backslashes & !EVEN & !after).overflowing_add(backslashes);
        self.escaped = u64::from(is_open);
        (EVEN ^ carried << 1) & after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_bit() {
        for place in 0..2 * BLOCK {
            let mut window = [b'a'; 2 * BLOCK];
            window[place] = b'"';
            assert_eq!(bits(&window, |byte| byte == b'"'), if place < BLOCK { 1 << place } else { 0 });
            assert_eq!(bits(&window, |byte| byte != b'"'), !bits(&window, |byte| byte == b'"'));
        }
    }

    #[test]
    fn strings_are_found_across_blocks_as_a_search_byte_by_byte_finds_them() {
        for backslashes in 0..8 {
            for before in 0..2 * BLOCK {
                let text = format!(
                    "{}\"{}\" , \"b{}\" ,[\"\",1]{}",
                    " ".repeat(before),
                    "\\".repeat(2 * backslashes),
                    "\\\"".repeat(backslashes),
                    "-".repeat(200)
                );
                let (mut inside, mut is_open, mut is_escaped) = (Inside::default(), false, false);
                for pos in (0..text.len()).step_by(BLOCK) {
                    let mut room = [0; 2 * BLOCK];
                    let found = inside.of_next(window(text.as_bytes(), pos, b' ', &mut room));
                    for (place, byte) in text.bytes().skip(pos).take(BLOCK).enumerate() {
                        let is_quote = byte == b'"' && !is_escaped;
                        is_open ^= is_quote;
                        is_escaped = byte == b'\\' && !is_escaped;
                        assert_eq!(found >> place & 1 == 1, is_open, "{text} at {}", pos + place);
                    }
                }
            }
        }
    }

    #[test]
    fn beyond_the_text_there_is_the_filler() {
        let mut room = [0; 2 * BLOCK];
        let end = window(b"abc", 1, b'-', &mut room);
        assert!(end.starts_with(b"bc-") && end[2..].iter().all(|&byte| byte == b'-'));
        assert!(window(b"abc", 9, b'-', &mut [0; 2 * BLOCK]).iter().all(|&byte| byte == b'-'));
    }

    #[test]
    fn bits_from_a_place_on_are_those_of_the_block() {
        assert_eq!((bits_from(0), bits_from(63), bits_from(64), bits_from(500)), (u64::MAX, 1 << 63, 0, 0));
    }
}
