//! Every text of up to so many symbols, over the few symbols on which a JSON parser decides anything.

/// The 14 symbols: structure, both quotes, the backslash, a letter that is an escape's, a digit, a literal's first letter and white space.
pub const SYMBOLS: [char; 14] = ['{', '}', '[', ']', ':', ',', '"', '\'', '\\', 'a', '1', 't', ' ', '\n'];

/// Walks through every text of 0 to `longest` symbols, shortest first, in one buffer that is used again and again.
///
/// All texts of up to 6 symbols are 8,108,731; [`Exhaustive::shard`] splits them among threads or machines.
///
/// ```
/// use jsonseam_testkit::exhaustive::Exhaustive;
///
/// let mut texts = Exhaustive::new(2);
/// assert_eq!(texts.remaining(), 1 + 14 + 14 * 14);
/// assert_eq!(texts.advance(), Some(""));
/// assert_eq!(texts.advance(), Some("{"));
/// ```
#[derive(Debug, Clone)]
pub struct Exhaustive {
    /// The symbols of the text that comes next, as places in [`SYMBOLS`].
    digits: Vec<usize>,
    buffer: String,
    remaining: u64,
}

impl Exhaustive {
    /// Every text of up to `longest` symbols.
    pub fn new(longest: u32) -> Self {
        Self::shard(longest, 0, 1)
    }

    /// The part `index` (from 0) of the same texts cut into `shards` contiguous parts of nearly the same size; empty if there is no such part.
    pub fn shard(longest: u32, index: u64, shards: u64) -> Self {
        let total = total(longest);
        if index >= shards {
            return Self { digits: Vec::new(), buffer: String::new(), remaining: 0 };
        }
        let start = share(total, index, shards);
        let end = share(total, index + 1, shards);
        Self { digits: digits_of(start), buffer: String::new(), remaining: end - start }
    }

    /// How many texts are still to come.
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// The next text, or `None` after the last. It is in the buffer until the next call.
    pub fn advance(&mut self) -> Option<&str> {
        self.remaining = self.remaining.checked_sub(1)?;
        self.buffer.clear();
        self.buffer.extend(self.digits.iter().filter_map(|&digit| SYMBOLS.get(digit)));
        self.count_up();
        Some(&self.buffer)
    }

    fn count_up(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            *digit += 1;
            if *digit < SYMBOLS.len() {
                return;
            }
            *digit = 0;
        }
        self.digits.push(0);
    }
}

/// How many texts of up to `longest` symbols there are.
fn total(longest: u32) -> u64 {
    (0..=longest).fold(0, |sum: u64, len| sum.saturating_add((SYMBOLS.len() as u64).saturating_pow(len)))
}

/// Where the part `index` of `shards` begins.
fn share(total: u64, index: u64, shards: u64) -> u64 {
    u64::try_from(u128::from(total) * u128::from(index) / u128::from(shards)).unwrap_or(total)
}

/// The symbols of the text with this place in the order.
fn digits_of(mut place: u64) -> Vec<usize> {
    let base = SYMBOLS.len() as u64;
    let mut len = 0_usize;
    let mut texts_of_len = 1_u64;
    while place >= texts_of_len {
        place -= texts_of_len;
        texts_of_len = texts_of_len.saturating_mul(base);
        len += 1;
    }
    let mut digits = vec![0; len];
    for digit in digits.iter_mut().rev() {
        *digit = usize::try_from(place % base).unwrap_or(0);
        place /= base;
    }
    digits
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Exhaustive;

    #[test]
    fn every_text_of_up_to_three_symbols_comes_once() {
        let mut texts = Exhaustive::new(3);
        let mut seen = HashSet::new();
        while let Some(text) = texts.advance() {
            assert!(text.chars().count() <= 3);
            assert!(seen.insert(text.to_owned()), "{text:?} came twice");
        }
        assert_eq!(seen.len(), 1 + 14 + 196 + 2_744);
        assert!(seen.contains("\n\n\n") && seen.contains("") && seen.contains("[1]"));
    }

    #[test]
    fn shards_together_are_the_whole_in_order() {
        let mut whole = Exhaustive::new(3);
        for index in 0..7 {
            let mut shard = Exhaustive::shard(3, index, 7);
            while let Some(text) = shard.advance() {
                assert_eq!(whole.advance(), Some(text));
            }
        }
        assert_eq!(whole.advance(), None);
        assert_eq!(Exhaustive::shard(3, 7, 7).remaining(), 0);
    }
}
