//! The lines that an earlier run has written: each must begin as one of this input would.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use jsonseam_text::Decoded;

use super::members;
use super::pick::Pick;
use super::record;

/// The lines of a part, in order.
pub(super) struct Earlier {
    lines: BufReader<File>,
    pick: Pick,
    line: Vec<u8>,
    expected: Vec<u8>,
    room: members::Room,
    decoded: Decoded,
}

impl std::fmt::Debug for Earlier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Earlier").field("pick", &self.pick).finish_non_exhaustive()
    }
}

impl Earlier {
    /// The lines of a run whose texts are at `pick`.
    pub(super) fn new(lines: BufReader<File>, pick: Pick) -> Self {
        let (line, expected) = (Vec::new(), Vec::new());
        Self { lines, pick, line, expected, room: members::Room::default(), decoded: Decoded::default() }
    }

    /// Whether the next line is what becomes of `input`, as far as the record itself goes; `None` stands for a line that was too long to be held.
    pub(super) fn is_of(&mut self, input: Option<&[u8]>) -> io::Result<bool> {
        self.line.clear();
        self.lines.read_until(b'\n', &mut self.line)?;
        self.expected.clear();
        record::write_head(input, &self.pick, &mut self.room, &mut self.decoded, &mut self.expected);
        Ok(self.line.starts_with(&self.expected))
    }
}
