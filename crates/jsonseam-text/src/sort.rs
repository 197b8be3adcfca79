//! Sorting where speed does not matter: each type that the library's own sort is used with costs 5 KB of code, and this 300 bytes.

use std::cmp::Ordering;

/// Sorts by a key, and keeps the order of equal ones.
///
/// Orders indices with one copy of the library's sort for all types, and moves each item to its place once.
/// It takes 8 bytes for each item, and is slower than [`slice::sort_by_key`] by a constant factor: for what runs once in a call.
///
/// ```
/// let mut spans = vec![7..9, 0..2, 4..5];
/// jsonseam_text::sort_by_key(&mut spans, |span| span.start);
/// assert_eq!(spans, [0..2, 4..5, 7..9]);
/// ```
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |left, right| key(left).cmp(&key(right)));
}

/// Sorts with a comparison, as [`sort_by_key`] does with a key: for keys that are borrowed from the items.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = ordered(items.len(), &|left, right| compare(&items[left], &items[right]));
    // Each cycle of the permutation is closed by swaps: an index that was followed becomes its own.
    for start in 0..order.len() {
        let mut pos = start;
        loop {
            let from = std::mem::replace(&mut order[pos], pos);
            if from == start {
                break;
            }
            items.swap(pos, from);
            pos = from;
        }
    }
}

/// Which item comes to each place.
#[inline(never)]
fn ordered(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&left, &right| compare(left, right));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sorted_is_what_the_library_sorts() {
        // A small generator of numbers: the same ones on every run.
        let mut seed = 0x2545_f491_u32;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed
        };
        for len in (0..70).chain([1000]) {
            // Few keys, so that many are equal, and an index that shows whether their order was kept.
            let items: Vec<(u32, usize)> = (0..len).map(|index| (next() % 8, index)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs, "{len} items");
        }
    }
}
