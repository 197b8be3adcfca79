//! A keyed digest of prompts, so that equal prompts are recognised and none is given away (SPEC M5).

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip::SipHasher24;

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

    /// A key that no one knows, from the operating system by way of the standard library.
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
pub(crate) fn digest<'t>(DigestKey(key): DigestKey, parts: impl IntoIterator<Item = &'t [u8]>) -> String {
    let mut sip = SipHasher24::new_with_keys(key[0], key[1]);
    for part in parts {
        sip.write(part);
    }
    format!("{:016x}", sip.finish())
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
