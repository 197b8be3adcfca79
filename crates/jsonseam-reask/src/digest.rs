//! A keyed digest of prompts, so that equal prompts are recognised and none is given away (SPEC M5).

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The key of digests. Without it a digest cannot be searched for by guessing texts.
///
/// `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DigestKey([u64; 2]);

impl DigestKey {
    /// This key, so that digests of several runs can be compared.
    pub fn new(bytes: [u8; 16]) -> Self {
        let value = u128::from_le_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
        Self([value as u64, (value >> 64) as u64])
    }

    /// A key that nobody knows, from the operating system by way of the standard library.
    pub fn random() -> Self {
        Self([RandomState::new().build_hasher().finish(), RandomState::new().build_hasher().finish()])
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DigestKey")
    }
}

/// SipHash-2-4 (Aumasson and Bernstein, 2012) of the parts, one after the other, as 16 hexadecimal digits.
pub(crate) fn digest<'t>(key: DigestKey, parts: impl IntoIterator<Item = &'t [u8]>) -> String {
    let mut sip = Sip::new(key);
    for part in parts {
        for &byte in part {
            sip.write(byte);
        }
    }
    format!("{:016x}", sip.finish())
}

struct Sip {
    state: [u64; 4],
    tail: u64,
    length: u64,
}

impl Sip {
    fn new(DigestKey([low, high]): DigestKey) -> Self {
        let state = [
            low ^ 0x736f_6d65_7073_6575,
            high ^ 0x646f_7261_6e64_6f6d,
            low ^ 0x6c79_6765_6e65_7261,
            high ^ 0x7465_6462_7974_6573,
        ];
        Self { state, tail: 0, length: 0 }
    }

    fn write(&mut self, byte: u8) {
        self.tail |= u64::from(byte) << (8 * (self.length % 8));
        self.length = self.length.wrapping_add(1);
        if self.length.is_multiple_of(8) {
            let word = std::mem::take(&mut self.tail);
            self.absorb(word);
        }
    }

    fn absorb(&mut self, word: u64) {
        self.state[3] ^= word;
        self.round();
        self.round();
        self.state[0] ^= word;
    }

    fn finish(mut self) -> u64 {
        let last = self.tail | (self.length << 56);
        self.absorb(last);
        self.state[2] ^= 0xff;
        (0..4).for_each(|_| self.round());
        self.state.iter().fold(0, |sum, word| sum ^ word)
    }

    fn round(&mut self) {
        let [mut a, mut b, mut c, mut d] = self.state;
        a = a.wrapping_add(b);
        b = b.rotate_left(13) ^ a;
        a = a.rotate_left(32);
        c = c.wrapping_add(d);
        d = d.rotate_left(16) ^ c;
        a = a.wrapping_add(d);
        d = d.rotate_left(21) ^ a;
        c = c.wrapping_add(b);
        b = b.rotate_left(17) ^ c;
        c = c.rotate_left(32);
        self.state = [a, b, c, d];
    }
}

#[cfg(test)]
mod tests {
    use super::{DigestKey, digest};

    #[test]
    fn it_is_siphash_as_its_authors_published_it() {
        let key = DigestKey::new(std::array::from_fn(|at| u8::try_from(at).unwrap_or(0)));
        let text: Vec<u8> = (0..15).collect();
        assert_eq!(digest(key, [text.as_slice()]), "a129ca6149be45e5");
        assert_eq!(digest(key, [&text[..4], &text[4..]]), "a129ca6149be45e5");
    }

    #[test]
    fn m5_another_key_gives_another_digest() {
        let parts = [b"the prompt".as_slice()];
        assert_ne!(digest(DigestKey::new([1; 16]), parts), digest(DigestKey::new([2; 16]), parts));
        assert_eq!(format!("{:?}", DigestKey::new([7; 16])), "DigestKey");
    }
}
