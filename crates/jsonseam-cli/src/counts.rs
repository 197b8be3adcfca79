//! Counts as people read them.

use std::collections::BTreeMap;
use std::fmt::Display;

/// A number with its noun.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The entries with the largest counts first; equal ones by name.
pub(crate) fn descending<K: Ord>(counts: &BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut entries: Vec<_> = counts.iter().map(|(name, count)| (name, *count)).collect();
    entries.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    entries
}
