//! What the repairs of a preset took: how often a text had several readings, and how often each byte was passed over.

use std::ops::AddAssign;

use jsonseam::Repaired;

use crate::score::share;

/// The effort of some repairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effort {
    repairs: u64,
    with_rival: u64,
    bytes: u64,
    steps: u64,
    /// The most steps of one text for each hundred of its bytes.
    most: u64,
}

impl Effort {
    /// That of one repair of a text of `len` bytes.
    pub(super) fn of(repaired: &Repaired<'_>, len: usize) -> Self {
        let (bytes, steps) = (len as u64, repaired.work().steps);
        let with_rival = u64::from(repaired.gap().is_some());
        Self { repairs: 1, with_rival, bytes, steps, most: steps * 100 / bytes.max(1) }
    }

    /// The line of a table; [`header`] names its columns.
    pub(super) fn line(self, name: &str) -> String {
        let rivals = share(self.with_rival, self.repairs);
        let mean = self.steps * 100 / self.bytes.max(1);
        let reads = |hundredths: u64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        format!("{name:<24} {:>8} {rivals:>12} {:>12} {:>12}", self.repairs, reads(mean), reads(self.most))
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
        self.bytes += other.bytes;
        self.steps += other.steps;
        self.most = self.most.max(other.most);
    }
}

#[cfg(test)]
mod tests {
    use super::Effort;

    #[test]
    fn the_mean_counts_bytes_and_the_most_counts_texts() {
        let mut all = Effort { repairs: 1, with_rival: 1, bytes: 100, steps: 300, most: 300 };
        all += Effort { repairs: 1, with_rival: 0, bytes: 300, steps: 1500, most: 500 };
        let line = all.line("lenient");
        let cells: Vec<_> = line.split_whitespace().collect();
        assert_eq!(cells, ["lenient", "2", "50.00", "4.50", "5.00"]);
    }
}
