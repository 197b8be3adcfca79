//! Blocks of 64 bytes, of which a bit for each says what it is.
//!
//! What a processor cannot foresee is how long the next run is. So runs are found as bits, and copied with all that may follow them in a block:
//! a few bytes too many cost less than a wrong guess.

pub(super) use jsonseam_simd::BLOCK;
use jsonseam_simd::Borders;

/// Bytes that are copied at once: most runs are shorter.
const HALF: usize = BLOCK / 2;

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

/// The block at the start of a window.
#[inline]
pub(super) fn block_of(window: &Window) -> &[u8; BLOCK] {
    let (blocks, _) = window.as_chunks();
    &blocks[0]
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

/// Room for what one block becomes, and for what is copied after it: no byte of a block becomes more than six.
pub(super) type Space = [u8; LONGEST + BLOCK];

/// More than one block can become.
const LONGEST: usize = 8 * BLOCK;

/// The space at `len`, which is made if it is not there; `left` more bytes are expected.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: it is a comparison for each block")]
pub(super) fn space_at(out: &mut Vec<u8>, len: usize, left: usize) -> Option<&mut Space> {
    if out.len() < len + LONGEST + BLOCK {
        out.resize(len + left + LONGEST + BLOCK, 0);
    }
    out.get_mut(len..)?.first_chunk_mut()
}

/// Copies the first `run` bytes of the window from `from` on, which is in its block, and bytes after them that are overwritten by the next run.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: it is two moves, seldom four")]
pub(super) fn copy_run(window: &Window, from: usize, run: usize, space: &mut Space, len: usize) {
    debug_assert!(from < BLOCK && run <= BLOCK && len < LONGEST, "a run is of one block");
    // The remainders say nothing new, but that no index has to be checked.
    let (from, len) = (from % BLOCK, len % LONGEST);
    copy_half(&window[from..], &mut space[len..]);
    if run > HALF {
        copy_half(&window[from + HALF..], &mut space[len + HALF..]);
    }
}

/// Writes bytes at `len`, and gives how many there are.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: they stay in a register")]
pub(super) fn set<const N: usize>(space: &mut Space, len: usize, bytes: [u8; N]) -> usize {
    debug_assert!(len < LONGEST, "a block does not become so long");
    if let Some(space) = space[len % LONGEST..].first_chunk_mut() {
        *space = bytes;
    }
    N
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: as arrays the bytes are moved in registers")]
fn copy_half(from: &[u8], to: &mut [u8]) {
    if let (Some(bytes), Some(space)) = (from.first_chunk::<HALF>(), to.first_chunk_mut()) {
        *space = *bytes;
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
    pub(super) fn of_next(&mut self, Borders { quotes, backslashes, .. }: Borders) -> u64 {
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
    use jsonseam_simd::borders;

    use super::*;

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
                    let found = inside.of_next(borders(block_of(window(text.as_bytes(), pos, b' ', &mut room))));
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
