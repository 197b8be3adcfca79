//! What a contract says of the values at one place.

use super::unescaped;
use crate::reading::recognise::TokenKind;
use crate::reading::scan::hash_of;

/// A kind of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are what RFC 8259 calls them")]
pub enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// What a contract says of the values at one place, see [`Evidence::shaped`](crate::Evidence::shaped). What is not said is not known.
///
/// ```
/// use jsonseam_core::{Evidence, Kind, Shape, Step};
///
/// // {"level": "low" or "high", "count": 3}
/// let evidence = Evidence::new()
///     .shaped(&[], Shape::new().with_kinds([Kind::Object]).with_required(["level"]))
///     .shaped(&[Step::Key("level")], Shape::new().with_kinds([Kind::String]).with_words(["low", "high"]))
///     .shaped(&[Step::Key("count")], Shape::new().with_kinds([Kind::Number]).with_default("0"));
/// assert!(!evidence.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// A bit for each kind that fits.
    kinds: Option<u8>,
    /// The only strings that fit.
    words: Option<Box<[Box<str>]>>,
    /// The hashes of the keys that an object must have.
    required: Box<[u64]>,
    pub(crate) default: Option<Box<str>>,
}

impl Shape {
    /// A shape of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only values of these kinds fit.
    #[must_use]
    pub fn with_kinds(self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self { kinds: Some(kinds.into_iter().fold(0, |kinds, kind| kinds | bit(kind))), ..self }
    }

    /// Of strings, only these fit.
    #[must_use]
    pub fn with_words<'w>(self, words: impl IntoIterator<Item = &'w str>) -> Self {
        Self { words: Some(words.into_iter().map(Box::from).collect()), ..self }
    }

    /// An object has these keys. Of more than 64 none is looked for.
    #[must_use]
    pub fn with_required<'k>(self, keys: impl IntoIterator<Item = &'k str>) -> Self {
        Self { required: keys.into_iter().map(|key| hash_of(key.as_bytes())).collect(), ..self }
    }

    /// A value that is absent is this one, spelled as JSON spells it.
    #[must_use]
    pub fn with_default(self, json: impl Into<Box<str>>) -> Self {
        Self { default: Some(json.into()), ..self }
    }

    fn longest_word(&self) -> usize {
        self.words.iter().flatten().map(|word| word.len()).max().unwrap_or(0)
    }

    /// Whether `text` is one of the strings that are listed.
    pub(crate) fn lists(&self, text: &str) -> bool {
        self.words.iter().flatten().any(|word| **word == *text)
    }

    /// How many bytes of `text` are read to find out whether it fits.
    pub(crate) fn examines(&self, text: &str) -> usize {
        if self.could_list(text) { text.len() } else { 1 }
    }

    /// Whether strings are listed of which `text` could be one: an escape takes at most six bytes for one.
    fn could_list(&self, text: &str) -> bool {
        self.words.is_some() && text.len() <= 6 * self.longest_word()
    }

    /// Whether a token of this kind may begin a value here; `text` is what the source has in its place, without quotes.
    pub(crate) fn fits(&self, kind: TokenKind, text: &str) -> bool {
        let kind = match kind {
            TokenKind::ObjectStart => Kind::Object,
            TokenKind::ArrayStart => Kind::Array,
            TokenKind::String => Kind::String,
            TokenKind::Number => Kind::Number,
            // The spellings of other languages are told apart by their first letter.
            TokenKind::Literal if text.starts_with(['t', 'T', 'f', 'F']) => Kind::Boolean,
            TokenKind::Literal if text.starts_with(['n', 'N', 'u', 'U']) => Kind::Null,
            _ => return true,
        };
        let is_read = || self.could_list(text) && unescaped(text).is_none_or(|text| self.lists(&text));
        let is_listed = || self.words.is_none() || is_read();
        self.kinds.is_none_or(|kinds| kinds & bit(kind) != 0) && (kind != Kind::String || is_listed())
    }

    /// How many of the required keys are not among these.
    pub(crate) fn missing(&self, keys: &[u64]) -> usize {
        let looked_for = if self.required.len() <= MOST { &*self.required } else { &[] };
        looked_for.iter().filter(|key| !keys.contains(key)).count()
    }
}

/// How many required keys are looked for.
const MOST: usize = 64;

const fn bit(kind: Kind) -> u8 {
    1 << kind as u8
}
