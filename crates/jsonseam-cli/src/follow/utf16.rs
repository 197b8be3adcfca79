//! A text that comes in pieces and is UTF-16 where its mark says so, read as UTF-8.

use std::io::{ErrorKind, Read, Result};

use super::PIECE;
use crate::input::utf16_unit;

/// What stands for a unit that is half of a character alone: no UTF-8, so that the text is refused there.
const NO_TEXT: u8 = 0xFF;

/// Gives the bytes of a reader as they are, or the text that they are in UTF-16 as UTF-8, without its mark.
pub(super) struct Decoding<R> {
    reader: R,
    /// Reads a unit, once the mark was seen; `None` if there is no mark.
    unit: Option<fn([u8; 2]) -> u16>,
    has_begun: bool,
    is_at_end: bool,
    /// Bytes that were read and are not decoded yet.
    raw: Vec<u8>,
    /// What waits to be given, from `given` on.
    text: Vec<u8>,
    given: usize,
}

impl<R: Read> Decoding<R> {
    pub(super) fn of(reader: R) -> Self {
        Self { reader, unit: None, has_begun: false, is_at_end: false, raw: Vec::new(), text: Vec::new(), given: 0 }
    }

    /// Reads what is there, but no less than `least` bytes in all, unless the end comes first.
    fn fetch(&mut self, least: usize) -> Result<()> {
        while !self.is_at_end {
            let start = self.raw.len();
            self.raw.resize(start + PIECE, 0);
            let read = self.reader.read(&mut self.raw[start..]);
            self.raw.truncate(start + *read.as_ref().unwrap_or(&0));
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                len => self.is_at_end = len? == 0,
            }
            if self.raw.len() >= least {
                break;
            }
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        self.fetch(2)?;
        self.has_begun = true;
        self.unit = utf16_unit(&self.raw);
        if self.unit.is_some() {
            self.raw.drain(..2);
        }
        Ok(())
    }

    /// Decodes what was read, up to half a character at the end of it.
    fn decode(&mut self, unit: fn([u8; 2]) -> u16) {
        let (pairs, odd) = self.raw.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        let is_half = |unit: &u16| (0xD800..0xDC00).contains(unit);
        let mut kept = odd.len();
        if !self.is_at_end && units.last().is_some_and(is_half) {
            units.pop();
            kept += 2;
        }
        for char in char::decode_utf16(units) {
            match char {
                Ok(char) => self.text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(_) => self.text.push(NO_TEXT),
            }
        }
        if self.is_at_end && kept > 0 {
            self.text.push(NO_TEXT);
            kept = 0;
        }
        let done = self.raw.len() - kept;
        self.raw.drain(..done);
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, room: &mut [u8]) -> Result<usize> {
        if !self.has_begun {
            self.begin()?;
        }
        while self.given == self.text.len() {
            self.text.clear();
            self.given = 0;
            match self.unit {
                None if self.raw.is_empty() => return self.reader.read(room),
                None => std::mem::swap(&mut self.raw, &mut self.text),
                Some(unit) => {
                    if self.raw.len() < 2 && !self.is_at_end {
                        self.fetch(self.raw.len() + 1)?;
                    }
                    self.decode(unit);
                    if self.text.is_empty() {
                        if self.is_at_end {
                            return Ok(0);
                        }
                        self.fetch(self.raw.len() + 1)?;
                    }
                }
            }
        }
        let len = (&self.text[self.given..]).read(room)?;
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Slow<'t>(&'t [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, room: &mut [u8]) -> Result<usize> {
            let len = self.0.len().min(1).min(room.len());
            (&mut self.0).read(&mut room[..len])
        }
    }

    fn read(bytes: &[u8]) -> Vec<u8> {
        let all = |mut reader: Box<dyn Read + '_>| {
            let mut text = Vec::new();
            reader.read_to_end(&mut text).expect("nothing fails");
            text
        };
        let (fast, slow) = (all(Box::new(Decoding::of(bytes))), all(Box::new(Decoding::of(Slow(bytes)))));
        assert_eq!(fast, slow);
        fast
    }

    #[test]
    fn utf16_is_read_in_pieces_as_utf8_and_everything_else_as_it_is() {
        let text = "{\"a\": \"é漢🙂\"}";
        let of = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            [mark].into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        assert_eq!(read(&of(0xFEFF, u16::to_le_bytes)), text.as_bytes());
        assert_eq!(read(&of(0xFEFF, u16::to_be_bytes)), text.as_bytes());
        for other in [text.as_bytes(), b"", b"{", b"\xFF", b"{\xFF\xFE}"] {
            assert_eq!(read(other), other);
        }
        assert_eq!(read(b"\xFF\xFE"), b"");
    }

    #[test]
    fn half_a_character_is_no_text_where_it_is() {
        let alone = [0xFEFF_u16, 0x7B, 0xD83D, 0x7D];
        assert_eq!(read(&alone.map(u16::to_le_bytes).concat()), b"{\xFF}");
        assert_eq!(read(&alone[..3].iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>()), b"{\xFF");
        assert_eq!(read(b"\xFF\xFE{\0}"), b"{\xFF");
        assert!(str::from_utf8(&[NO_TEXT]).is_err());
    }
}
