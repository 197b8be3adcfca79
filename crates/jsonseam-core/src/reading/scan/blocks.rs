//! Where a string may end and where white space does, 64 bytes at a time: a bit for each answers all that the recogniser asks of the block.

use jsonseam_simd::{BLOCK, Masks, masks, plain};

/// Finds the ends of strings and of white space from left to right: a position that is asked for is never before the last answer.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    masks: Masks,
    /// Where the block ends.
    end: usize,
}

impl Cursor {
    /// Nothing is known yet of what is at `pos` and after it.
    #[inline]
    pub(crate) const fn at(pos: usize) -> Self {
        Self { end: pos, masks: Masks { specials: 0, marks: 0 } }
    }

    /// The first position from `pos` on that holds a quote, a backslash or a control character; the length if none does.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "measured: the masks stay in registers, which is a third of the time")]
    pub(crate) fn content_end(&mut self, text: &[u8], mut pos: usize) -> usize {
        let mut is_long = false;
        loop {
            if pos < self.end {
                let rest = self.masks.specials >> self.place(pos);
                if rest != 0 {
                    return pos + rest.trailing_zeros() as usize;
                }
                pos = self.end;
            }
            if is_long {
                pos = plain_end(text, pos);
            }
            is_long = true;
            *self = Self::read(text, pos);
        }
    }

    /// The first position from `pos` on that is not white space; the length if all is.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    pub(crate) fn skip_blanks(&mut self, text: &[u8], mut pos: usize) -> usize {
        loop {
            if pos < self.end {
                let rest = self.masks.marks >> self.place(pos);
                if rest != 0 {
                    return pos + rest.trailing_zeros() as usize;
                }
                pos = self.end;
            }
            *self = Self::read(text, pos);
        }
    }

    /// Which bit is for `pos`. A block has as many bytes as a mask has bits, so the distance to its end is enough.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as above")]
    const fn place(&self, pos: usize) -> usize {
        debug_assert!(pos + BLOCK >= self.end, "a position before the block");
        pos.wrapping_sub(self.end) & (BLOCK - 1)
    }

    /// Reads the block that starts at `pos`, or the last one of the text. What is beyond the text counts as special and as no white space.
    #[inline(never)]
    fn read(text: &[u8], pos: usize) -> Self {
        match text.get(pos..).and_then(|rest| rest.first_chunk()) {
            Some(block) => Self { end: pos + BLOCK, masks: masks(block) },
            None => Self::read_last(text, pos),
        }
    }

    #[inline]
    fn read_last(text: &[u8], pos: usize) -> Self {
        match text.last_chunk() {
            Some(block) if pos < text.len() => Self { end: text.len(), masks: masks(block) },
            _ => {
                let rest = text.get(pos..).unwrap_or_default();
                let mut block = [0; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                Self { end: pos + BLOCK, masks: masks(&block) }
            }
        }
    }
}

/// Where the blocks without a special byte end that start at `pos`.
#[inline(never)]
fn plain_end(text: &[u8], pos: usize) -> usize {
    pos + plain(text.get(pos..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::scan::{skip_blanks, string_content_end};

    /// Every position of `text` is answered as word by word, whether it is the first that is asked for or others were before it.
    fn agree(text: &[u8]) {
        for pos in 0..=text.len() {
            assert_eq!(Cursor::at(pos).content_end(text, pos), string_content_end(text, pos), "{text:?} {pos}");
            assert_eq!(Cursor::at(pos).skip_blanks(text, pos), skip_blanks(text, pos), "{text:?} {pos}");
        }
        for step in [0, 1, 2, 3, 17, 63, 64, 65] {
            let mut blocks = Cursor::at(0);
            let mut pos = 0;
            while pos < text.len() {
                let end = blocks.content_end(text, pos);
                assert_eq!(end, string_content_end(text, pos), "{text:?} {pos}");
                pos = (end + step).min(text.len());
                let mark = blocks.skip_blanks(text, pos);
                assert_eq!(mark, skip_blanks(text, pos), "{text:?} {pos}");
                pos = mark + 1;
            }
        }
    }

    #[test]
    fn texts_of_every_length_are_read_as_word_by_word() {
        for length in 0..200 {
            agree(&vec![b'a'; length]);
            agree(&vec![b' '; length]);
        }
    }

    #[test]
    fn one_byte_of_another_kind_is_found_wherever_it_is() {
        for length in [1, 63, 64, 65, 127, 128, 129, 150] {
            for place in 0..length {
                for (filler, other) in [(b'a', b'"'), (b'a', b'\n'), (b' ', b'x'), (b'\t', 0x0b), (0xc3, b'\\')] {
                    let mut text = vec![filler; length];
                    text[place] = other;
                    agree(&text);
                }
            }
        }
    }

    #[test]
    fn both_questions_are_answered_from_one_block() {
        agree(format!("{{\"a\":   \"{}\"   ,   \"b\": 1}}", "x".repeat(300)).as_bytes());
        agree("{\n  \"a\": [\n    1,\n    \"x\"\n  ]\n}\n".repeat(8).as_bytes());
    }
}
