//! Cutting a stream into chunks of whole lines, without ever holding a line that is too long.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use super::Buffers;
use super::earlier::Earlier;

/// Bytes of whole lines that make a chunk.
pub(super) const CHUNK: usize = 256 << 10;

/// Bytes asked for at a time.
const STEP: usize = 64 << 10;

/// Bytes of the buffer of a chunk, unless a line is longer.
pub(super) const USUAL: usize = CHUNK + STEP;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Some lines of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Which chunk, from 0.
    pub(super) index: u64,
    /// The bytes of the lines.
    pub(super) bytes: Vec<u8>,
    /// The lines, without blank ones.
    pub(super) lines: Vec<Line>,
    /// How many lines were blank.
    pub(super) blank: u64,
}

impl Chunk {
    /// What the chunk takes from the budget.
    pub(super) fn cost(&self) -> usize {
        self.bytes.len()
    }
}

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number, from 1, blank lines included.
    pub(super) number: u64,
    /// Its bytes in the chunk, without line ends; `None` when it was too long to be held.
    pub(super) span: Option<Range<usize>>,
    /// Whether an earlier run has written and counted it: it is repaired again to see that it comes out the same.
    pub(super) is_known: bool,
}

/// Reads chunks.
#[derive(Debug)]
pub(super) struct ChunkReader<R> {
    input: R,
    longest_line: usize,
    /// Bytes read but not yet returned; before [`searched`](Self::searched) there is no line end among them.
    pending: Vec<u8>,
    searched: usize,
    chunks: u64,
    /// How many lines the last chunk had.
    usual: usize,
    line: u64,
    /// Lines that are not blank and that an earlier run has written.
    skipped: u64,
    earlier: Option<Earlier>,
    /// Whether one of them is not what that run wrote.
    differs: bool,
    is_at_end: bool,
    /// Whether the last read gave all that there is for now.
    is_drained: bool,
    spares: Arc<Buffers>,
}

impl<R: Read> ChunkReader<R> {
    /// Reads `input` into buffers of `spares`; longer lines than `longest_line` bytes are passed over.
    pub(super) fn new(input: R, longest_line: usize, spares: Arc<Buffers>) -> Self {
        Self {
            input,
            longest_line,
            pending: Vec::new(),
            searched: 0,
            chunks: 0,
            usual: 0,
            line: 0,
            skipped: 0,
            earlier: None,
            differs: false,
            is_at_end: false,
            is_drained: false,
            spares,
        }
    }

    /// Passes over the first `lines` lines that are not blank, but for the last of them. They must be what `earlier` was made of.
    pub(super) fn skip(&mut self, lines: u64, earlier: Earlier) {
        self.skipped = lines;
        self.earlier = Some(earlier);
    }

    /// Whether a line that was passed over is not what the earlier run wrote.
    pub(super) fn differs(&self) -> bool {
        self.differs
    }

    /// Whether a line that is not blank is to be repaired, and whether it is known.
    fn takes(&mut self, line: Option<&[u8]>) -> io::Result<(bool, bool)> {
        if self.skipped == 0 {
            return Ok((true, false));
        }
        if let Some(earlier) = &mut self.earlier {
            self.differs |= !earlier.is_of(line)?;
        }
        self.skipped -= 1;
        Ok((self.skipped == 0, true))
    }

    /// How many lines that were to be passed over there were not.
    pub(super) fn unskipped(&self) -> u64 {
        self.skipped
    }

    /// How many chunks have been read.
    pub(super) fn chunks(&self) -> u64 {
        self.chunks
    }

    /// The next chunk; `None` at the end.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            if let Some(end) = self.last_line_end() {
                // Of a pipe that is filled slowly no line waits for the next.
                if self.pending.len() >= CHUNK || self.is_at_end || self.is_drained {
                    return self.cut(end).map(Some);
                }
            } else if self.pending.len() > self.longest_line {
                return self.pass_over_line().map(Some);
            }
            if self.is_at_end {
                let rest = self.pending.len();
                return (rest > 0).then(|| self.cut(rest)).transpose();
            }
            self.fill()?;
        }
    }

    /// The end of the last whole line in `pending`.
    fn last_line_end(&mut self) -> Option<usize> {
        let unsearched = self.pending.get(self.searched..).unwrap_or_default();
        let end = memchr::memrchr(b'\n', unsearched).map(|newline| self.searched + newline + 1);
        if end.is_none() {
            self.searched = self.pending.len();
        }
        end
    }

    fn fill(&mut self) -> io::Result<()> {
        let len = read_once(&mut self.input, &mut self.pending)?;
        self.is_at_end = len == 0;
        self.is_drained = len < STEP;
        Ok(())
    }

    /// Hands out the first `end` bytes.
    fn cut(&mut self, end: usize) -> io::Result<Chunk> {
        let mut rest = self.spares.input.take(USUAL);
        rest.extend_from_slice(self.pending.get(end..).unwrap_or_default());
        let mut bytes = std::mem::replace(&mut self.pending, rest);
        bytes.truncate(end);
        self.searched = 0;
        let mut lines = Vec::with_capacity(self.usual);
        let mut blank = 0;
        let mut start = 0;
        while start < bytes.len() {
            let rest = bytes.get(start..).unwrap_or_default();
            let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.line += 1;
            let text = rest.get(..len).unwrap_or_default();
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            // A byte order mark belongs to the file, not to its first record.
            let mark = if self.line == 1 && text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            let text = text.get(mark..).unwrap_or_default();
            if text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                blank += u64::from(self.skipped == 0);
            } else {
                let text = Some(text).filter(|text| text.len() <= self.longest_line);
                if let (true, is_known) = self.takes(text)? {
                    let span = text.map(|text| start + mark..start + mark + text.len());
                    lines.push(Line { number: self.line, span, is_known });
                }
            }
            start += len + 1;
        }
        self.usual = lines.len();
        Ok(self.chunk(bytes, lines, blank))
    }

    /// Reads on to the end of a line that is too long, forgetting it.
    fn pass_over_line(&mut self) -> io::Result<Chunk> {
        self.pending = Vec::new();
        self.searched = 0;
        self.line += 1;
        loop {
            if let Some(newline) = memchr::memchr(b'\n', &self.pending) {
                self.pending.drain(..=newline);
                break;
            }
            self.pending.clear();
            if self.is_at_end {
                break;
            }
            self.fill()?;
        }
        let (is_taken, is_known) = self.takes(None)?;
        let line = is_taken.then_some(Line { number: self.line, span: None, is_known });
        Ok(self.chunk(Vec::new(), line.into_iter().collect(), 0))
    }

    fn chunk(&mut self, bytes: Vec<u8>, lines: Vec<Line>, blank: u64) -> Chunk {
        let index = self.chunks;
        self.chunks += 1;
        Chunk { index, bytes, lines, blank }
    }
}

/// Appends what one read gives; 0 at the end.
fn read_once(input: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let before = bytes.len();
    bytes.resize(before + STEP, 0);
    let result = loop {
        match input.read(bytes.get_mut(before..).unwrap_or_default()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other,
        }
    };
    bytes.truncate(before + *result.as_ref().unwrap_or(&0));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::spares::Spares;

    fn spares() -> Arc<Buffers> {
        Arc::new(Buffers { input: Spares::new(2, 2 * CHUNK), output: Spares::new(2, 0) })
    }

    type NumberedLine = (u64, Option<Vec<u8>>);

    /// Gives a few bytes at a time, as a slow pipe does.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(space.len()).min(self.0.len());
            space[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }

    fn lines(input: &[u8], step: usize, longest: usize) -> (Vec<NumberedLine>, u64) {
        let mut reader = ChunkReader::new(Slow(input, step), longest, spares());
        let (mut lines, mut blank) = (Vec::new(), 0);
        while let Some(chunk) = reader.next_chunk().expect("a slice can be read") {
            blank += chunk.blank;
            for line in &chunk.lines {
                lines.push((line.number, line.span.clone().map(|span| chunk.bytes[span].to_vec())));
            }
        }
        (lines, blank)
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let input = b"{\"a\":1}\r\n\n  \t\r\n{}\nlast";
        for step in 1..=input.len() {
            let (lines, blank) = lines(input, step, 100);
            let expected = [(1, Some(b"{\"a\":1}".to_vec())), (4, Some(b"{}".to_vec())), (5, Some(b"last".to_vec()))];
            assert_eq!(lines, expected);
            assert_eq!(blank, 2);
        }
    }

    #[test]
    fn a_line_too_long_is_passed_over_and_the_next_is_found() {
        let input = [b"a\n".as_slice(), &[b'x'; 50], b"\nb\n", &[b'y'; 50]].concat();
        for step in [1, 7, 1000] {
            let (lines, _) = lines(&input, step, 10);
            assert_eq!(
                lines,
                [(1, Some(b"a".to_vec())), (2, None), (3, Some(b"b".to_vec())), (4, None)],
                "step {step}"
            );
        }
    }

    #[test]
    fn a_byte_order_mark_belongs_to_the_file() {
        for step in [1, 1000] {
            let (lines, _) = lines(b"\xEF\xBB\xBF{}\n", step, 10);
            assert_eq!(lines, [(1, Some(b"{}".to_vec()))]);
        }
    }
}
