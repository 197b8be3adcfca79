//! What is the same for many bytes in a row, kept so that each byte is read once for all of them.

use std::ops::Range;

use super::view::skip_space_and_comments;

/// The latest runs of bytes of the text.
#[derive(Clone, Default)]
pub(super) struct Runs {
    /// Closers and commas, and blanks between them.
    structure: Range<usize>,
    /// Blanks and line breaks.
    blanks: Range<usize>,
    /// Brackets and commas, blanks and line breaks.
    gap: Range<usize>,
    /// How far the brackets of the latest line were counted, and how many more of them open than close.
    counted: usize,
    owed: i32,
}

impl Runs {
    /// Where the closers and commas end among which `at` is.
    pub(super) fn structure_end(&mut self, at: usize, bytes: &[u8]) -> usize {
        let is_structure = |byte: &u8| matches!(byte, b'}' | b']' | b',' | b' ' | b'\t' | b'\r');
        end_of(&mut self.structure, at, || at + run_len(bytes, at, is_structure))
    }

    /// Where the brackets, commas, blanks and line breaks end among which `at` is.
    pub(super) fn gap_end(&mut self, at: usize, bytes: &[u8]) -> usize {
        let is_gap = |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n');
        end_of(&mut self.gap, at, || at + run_len(bytes, at, is_gap))
    }

    /// Where the blanks and line breaks end among which `at` is.
    pub(super) fn blank_end(&mut self, at: usize, text: &str) -> usize {
        end_of(&mut self.blanks, at, || skip_space_and_comments(text, at))
    }

    /// How many more brackets open than close on the line before `at`, of the kind that `closer` closes. Each place is at or after the one before.
    pub(super) fn owed_before(&mut self, at: usize, closer: u8, bytes: &[u8]) -> i32 {
        for &byte in bytes.get(self.counted..at).unwrap_or_default() {
            // In ASCII a closing bracket comes two after its opener.
            self.owed =
                if byte == b'\n' { 0 } else { self.owed + i32::from(byte == closer - 2) - i32::from(byte == closer) };
        }
        self.counted = at;
        self.owed
    }
}

/// Where the run ends that `at` is in: the one that is known, or what `find` tells.
fn end_of(known: &mut Range<usize>, at: usize, find: impl FnOnce() -> usize) -> usize {
    if !known.contains(&at) {
        *known = at..find();
    }
    known.end
}

fn run_len(bytes: &[u8], at: usize, belongs: impl Fn(&u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|&byte| belongs(byte)).count()
}

/// Marks other than double quotes, each with the one that opens what it closes.
const MARKS: [[char; 2]; 3] = [['\''; 2], ['`'; 2], ['\u{201C}', '\u{201D}']];

/// Whether a text goes on as data in other marks: one of them closes it, and after a comma one opens the next key or element (`it ends', 'b': 1`).
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// How far the text was read, and which marks are open there.
    at: usize,
    is_inside: [bool; MARKS.len()],
    /// Where the mark ends that opens the next one.
    next: Option<usize>,
}

impl Parts {
    /// Whether the first `end` bytes do.
    pub(super) fn go_on_before(&mut self, end: usize, text: &str) -> bool {
        while self.next.is_none() && self.at < end {
            // The marks begin with these bytes.
            let rest = &text.as_bytes()[self.at..end];
            self.at += rest.iter().position(|byte| matches!(byte, b'\'' | b'`' | 0xE2)).unwrap_or(rest.len());
            let Some(char) = text[self.at..].chars().next().filter(|_| self.at < end) else { break };
            let (before, after) = (&text[..self.at], &text[self.at + char.len_utf8()..]);
            self.at += char.len_utf8();
            let Some(kind) = MARKS.iter().position(|marks| marks.contains(&char)) else { continue };
            let [open, close] = MARKS[kind];
            let next = || after.strip_prefix(',')?.trim_start().strip_prefix(open);
            if char == close && !self.is_inside[kind] {
                self.next = next().map(|rest| text.len() - rest.len());
            }
            let is_apostrophe = before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
            self.is_inside[kind] ^= !is_apostrophe;
        }
        self.next.is_some_and(|next| next <= end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Parts, Runs};

    #[test]
    fn parts_go_on_once_the_next_mark_is_there() {
        for (text, from) in
            [("it ends', 'b': 1", 11), ("a`,`b", 4), ("it's 'so', 'b'", 99), ("x”,  “y", 10), ("é', x 'y'", 99)]
        {
            let told = |end: usize| Parts::default().go_on_before(end, text);
            let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
            let mut kept = Parts::default();
            for end in ends {
                assert_eq!([told(end), kept.go_on_before(end, text)], [end >= from; 2], "{text} {end}");
            }
        }
    }

    #[test]
    fn a_run_is_known_for_the_places_in_it_alone() {
        let text = "a},\n }b]";
        let bytes = text.as_bytes();
        let mut runs = Runs::default();
        for at in [5, 1, 2, 0, 6, 7, 3, 4, 8, 20] {
            let fresh = |end: fn(&mut Runs, usize, &[u8]) -> usize| end(&mut Runs::default(), at, bytes);
            assert_eq!(runs.structure_end(at, bytes), fresh(Runs::structure_end), "{at}");
            assert_eq!(runs.gap_end(at, bytes), fresh(Runs::gap_end), "{at}");
            assert_eq!(runs.blank_end(at, text), Runs::default().blank_end(at, text), "{at}");
        }
    }

    #[test]
    fn brackets_are_counted_line_by_line() {
        let (bytes, mut runs) = (b"{{}\n}}{", Runs::default());
        assert_eq!([2, 3, 5, 7].map(|at| runs.owed_before(at, b'}', bytes)), [2, 1, -1, -1]);
    }
}
