//! What the threads of a batch send to each other.

use super::tally::Tally;

/// What the reader and the workers tell the writer.
#[derive(Debug)]
pub(super) enum Message {
    /// A chunk is done.
    Finished(Box<Finished>),
    /// All chunks have been read; there are so many.
    End(u64),
    /// Reading failed.
    Failed(anyhow::Error),
}

/// A chunk after the work.
#[derive(Debug)]
pub(super) struct Finished {
    /// Which chunk.
    pub(super) index: u64,
    /// Whole lines.
    pub(super) bytes: Vec<u8>,
    /// What happened to them.
    pub(super) tally: Tally,
    /// What the chunk gives back to the budget.
    pub(super) cost: usize,
}
