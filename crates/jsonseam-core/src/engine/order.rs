//! Putting short lists in order.

/// Sorts a short list by a key; what is equal keeps its order.
///
/// It takes time quadratic in the length, so it is for lists that something else bounds: rules, offers, readings that are weighed.
/// Each type that the sort of the standard library is compiled for costs 4 KB of WebAssembly, and on lists of this length it inserts, too.
pub(crate) fn sort_short_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for sorted in 1..list.len() {
        let mut at = sorted;
        while let Some([before, next]) = list.get(at.wrapping_sub(1)..=at)
            && key(before) > key(next)
        {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_list_is_sorted_and_equals_keep_their_order() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        sort_short_by_key(&mut list, |(key, _)| *key);
        assert_eq!(list, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
        let mut none: [u8; 0] = [];
        sort_short_by_key(&mut none, |key| *key);
        sort_short_by_key(&mut [7_u8], |key| *key);
    }
}
