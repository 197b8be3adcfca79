//! How often the bytes of texts were read: the counters of [`Work`], added up over repairs.

use std::ops::AddAssign;

use jsonseam::Repaired;
use jsonseam::record::Work;

/// What some repairs read, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// The bytes of the texts.
    pub(crate) bytes: u64,
    /// What the recogniser, the writer and the judge passed over.
    pub(crate) steps: u64,
    /// What rules and locators read.
    pub(crate) examined: u64,
    /// Entries of journals that moved.
    pub(crate) moves: u64,
    /// The part of the steps that wrote and judged outputs.
    pub(crate) judged: u64,
}

impl Reads {
    /// What one repair of a text of `len` bytes read; `repaired` is its result, if it is not refused.
    pub(crate) fn of(work: Work, len: usize, repaired: Option<&Repaired<'_>>) -> Self {
        let judged = repaired.map_or(0, judged);
        Self { bytes: len as u64, steps: work.steps, examined: work.examined, moves: work.moves, judged }
    }

    /// All that was read.
    pub(crate) const fn total(&self) -> u64 {
        self.steps + self.examined + self.moves
    }

    /// What the recogniser read.
    pub(crate) const fn recognised(&self) -> u64 {
        self.steps.saturating_sub(self.judged)
    }

    /// So many reads for each byte of the texts, in hundredths, rounded.
    pub(crate) const fn per_byte(&self, reads: u64) -> u64 {
        let bytes = if self.bytes == 0 { 1 } else { self.bytes };
        (reads * 100 + bytes / 2) / bytes
    }
}

/// An output that has edits is written once and judged once; any other is a part of the text that the recogniser has read.
fn judged(repaired: &Repaired<'_>) -> u64 {
    let inserted: usize = repaired.edits().map(|edit| edit.replacement.len()).sum();
    if repaired.edits().len() == 0 { 0 } else { 2 * (repaired.payload().len() + inserted) as u64 }
}

impl AddAssign for Reads {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.steps += other.steps;
        self.examined += other.examined;
        self.moves += other.moves;
        self.judged += other.judged;
    }
}

/// Hundredths as a number with two digits.
pub(crate) fn shown(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use jsonseam::Root;

    use super::{Reads, shown};
    use crate::subjects;

    #[test]
    fn reads_are_counted_by_the_byte_and_rounded() {
        let mut all = Reads { bytes: 100, steps: 300, examined: 50, moves: 1, judged: 200 };
        all += Reads { bytes: 100, steps: 100, examined: 50, moves: 0, judged: 0 };
        assert_eq!((all.total(), all.recognised()), (501, 200));
        assert_eq!((all.per_byte(all.total()), all.per_byte(all.recognised())), (251, 100));
        assert_eq!(Reads::default().per_byte(0), 0);
        assert_eq!(["2.51", "1.00", "0.07"], [251, 100, 7].map(shown));
    }

    #[test]
    fn the_judge_has_a_part_where_there_are_edits() {
        let strict = subjects::preset("strict", Root::Object).expect("there is one");
        let reads = |text: &str| {
            let repaired = strict.repair(text).expect("it can be repaired");
            Reads::of(repaired.work(), text.len(), Some(&repaired))
        };
        let valid = reads("{\"a\": 1}");
        assert_eq!((valid.total(), valid.judged), (8, 0));
        let edited = reads("{\"a\": 1,}");
        assert_eq!(edited.judged, 2 * 9);
        assert!(edited.recognised() > 9, "{edited:?}");
    }
}
