//! When a call that is not there yet may be read again.

/// How often a call is read anew at a mark that did not end it, before it must have grown by a quarter.
const FREE_READINGS: usize = 8;

/// Readings of a call that is not there yet: a few are free, then it must have grown.
#[derive(Debug, Default)]
pub(super) struct Earned {
    readings: usize,
    next: usize,
}

impl Earned {
    /// Whether a call of this length may be read now.
    pub(super) fn allows(&mut self, len: usize) -> bool {
        if self.readings >= FREE_READINGS && len < self.next {
            return false;
        }
        (self.readings, self.next) = (self.readings + 1, len * 5 / 4);
        true
    }
}
