//! What the repairs of a preset took: how often a text had several readings, and how often each byte was passed over.

use std::ops::AddAssign;

use jsonseam::Repaired;

use crate::reads::{Reads, shown};
use crate::score::share;

/// The effort of some repairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effort {
    repairs: u64,
    with_rival: u64,
    reads: Reads,
    /// The most steps of one text for each hundred of its bytes.
    most: u64,
}

impl Effort {
    /// That of one repair of a text of `len` bytes.
    pub(super) fn of(repaired: &Repaired<'_>, len: usize) -> Self {
        let reads = Reads::of(repaired.work(), len, Some(repaired));
        let with_rival = u64::from(repaired.gap().is_some());
        Self { repairs: 1, with_rival, reads, most: reads.per_byte(reads.steps) }
    }

    /// The line of a table; [`header`] names its columns.
    pub(super) fn line(self, name: &str) -> String {
        let rivals = share(self.with_rival, self.repairs);
        let mean = self.reads.per_byte(self.reads.steps);
        format!("{name:<24} {:>8} {rivals:>12} {:>12} {:>12}", self.repairs, shown(mean), shown(self.most))
    }
}

/// The names of the columns. A byte is read by the recogniser, written, and read by the judge: a text with one defect takes three to five reads.
pub(super) fn header() -> String {
    format!("{:<24} {:>8} {:>12} {:>12} {:>12}", "preset", "repaired", "% with rival", "reads a byte", "at most")
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.repairs += other.repairs;
        self.with_rival += other.with_rival;
        self.reads += other.reads;
        self.most = self.most.max(other.most);
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, Reads};

    #[test]
    fn the_mean_counts_bytes_and_the_most_counts_texts() {
        let reads = |bytes, steps| Reads { bytes, steps, ..Reads::default() };
        let mut all = Effort { repairs: 1, with_rival: 1, reads: reads(100, 300), most: 300 };
        all += Effort { repairs: 1, with_rival: 0, reads: reads(300, 1500), most: 500 };
        let line = all.line("lenient");
        let cells: Vec<_> = line.split_whitespace().collect();
        assert_eq!(cells, ["lenient", "2", "50.00", "4.50", "5.00"]);
    }
}
