//! Places of a growing text in the units of other languages.

/// So many bytes lead from one noted count to the next.
const BLOCK: usize = 64;

/// Counts the places of a text that grows in other units than bytes, for those who give events to other languages. The text is read once.
///
/// ```
/// use jsonseam_core::Units;
///
/// let (text, mut units) = ("é😀!", Units::utf16());
/// assert_eq!([0, 2, 6, 7].map(|byte| units.at(text, byte)), [0, 1, 3, 4]);
/// ```
#[derive(Debug, Clone)]
pub struct Units {
    /// How many units begin with this byte.
    of: fn(u8) -> usize,
    /// How many units are before each block.
    before: Vec<usize>,
}

impl Units {
    /// Code points, as strings of Python count.
    pub fn chars() -> Self {
        Self { of: |byte| usize::from(byte & 0xC0 != 0x80), before: vec![0] }
    }

    /// Units of UTF-16, as strings of JavaScript count.
    pub fn utf16() -> Self {
        Self { of: |byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0), before: vec![0] }
    }

    /// How many units are before `byte` in `text`, which begins with every text that was given before.
    pub fn at(&mut self, text: &str, byte: usize) -> usize {
        let units = |from: usize, to| -> usize {
            text.as_bytes().get(from..to).unwrap_or_default().iter().map(|&byte| (self.of)(byte)).sum()
        };
        let block = byte.min(text.len()) / BLOCK;
        while self.before.len() <= block {
            let start = (self.before.len() - 1) * BLOCK;
            let known = self.before.last().copied().unwrap_or_default();
            self.before.push(known + units(start, start + BLOCK));
        }
        self.before.get(block).copied().unwrap_or_default() + units(block * BLOCK, byte.min(text.len()))
    }
}
