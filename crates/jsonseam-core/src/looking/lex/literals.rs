//! The words that one language or another writes for a value, and numbers.

use crate::looking::ahead::Ahead;

/// Who writes a word for a value so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// JSON itself.
    Json,
    /// Python (`True`).
    Python,
    /// SQL, YAML and others, in another case (`TRUE`).
    OtherCase,
    /// JavaScript, Ruby or Lua, for no value (`undefined`).
    Undefined,
    /// JavaScript or Python, for a number that JSON does not have (`NaN`). It may have a sign.
    NotFinite,
}

/// A word that stands for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Literal {
    /// As it is written.
    pub spelling: &'static str,
    /// As JSON spells it.
    pub json: &'static str,
    /// Who writes it so.
    pub notation: Notation,
}

/// Every word that some rule reads as a value that is not a string: the one list, for rules and for all that look ahead.
pub const LITERALS: &[Literal] = &[
    literal_of("true", "true", Notation::Json),
    literal_of("false", "false", Notation::Json),
    literal_of("null", "null", Notation::Json),
    literal_of("True", "true", Notation::Python),
    literal_of("False", "false", Notation::Python),
    literal_of("None", "null", Notation::Python),
    literal_of("TRUE", "true", Notation::OtherCase),
    literal_of("FALSE", "false", Notation::OtherCase),
    literal_of("NULL", "null", Notation::OtherCase),
    literal_of("Null", "null", Notation::OtherCase),
    literal_of("undefined", "null", Notation::Undefined),
    literal_of("nil", "null", Notation::Undefined),
    literal_of("NaN", "null", Notation::NotFinite),
    literal_of("nan", "null", Notation::NotFinite),
    literal_of("Infinity", "null", Notation::NotFinite),
    literal_of("inf", "null", Notation::NotFinite),
];

const fn literal_of(spelling: &'static str, json: &'static str, notation: Notation) -> Literal {
    Literal { spelling, json, notation }
}

impl Literal {
    /// The literal that `word` is, with a sign if its notation has one.
    ///
    /// ```
    /// use jsonseam_core::{Literal, Notation};
    ///
    /// assert_eq!(Literal::of("None").map(|literal| literal.json), Some("null"));
    /// assert_eq!(Literal::of("-inf").map(|literal| literal.notation), Some(Notation::NotFinite));
    /// assert_eq!(Literal::of("-None"), None);
    /// ```
    #[must_use]
    pub fn of(word: &str) -> Option<&'static Self> {
        let bare = word.strip_prefix(['+', '-']).unwrap_or(word);
        let found = LITERALS.iter().find(|literal| literal.spelling == bare)?;
        (bare.len() == word.len() || found.notation == Notation::NotFinite).then_some(found)
    }
}

impl Ahead<'_> {
    /// The literal that the word at the cursor is: the length of the word in bytes, and the literal.
    pub fn literal(self) -> Option<(usize, &'static Literal)> {
        let word = self.word();
        Some((word.len(), Literal::of(word)?))
    }

    /// The length of the literal at the cursor in bytes, and how JSON spells it, if it is of this notation.
    pub fn literal_in(self, notation: Notation) -> Option<(usize, &'static str)> {
        let (len, literal) = self.literal()?;
        (literal.notation == notation).then_some((len, literal.json))
    }

    /// The length of the word at the cursor, if it begins as a number does, in any spelling that is read as one, and goes on like one.
    pub fn number(self) -> Option<usize> {
        let word = self.word();
        let digits = word.trim_start_matches(['-', '+']);
        let is_number = digits.starts_with(|char: char| char.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b'x' | b'+' | b'-' | b'_'));
        is_number.then_some(word.len())
    }

    /// Whether a number of another notation comes next: with a leading plus sign or point.
    pub fn has_foreign_number(self) -> bool {
        let begins = |char| matches!(char, '+' | '.');
        let is_digit = |char: char| char.is_ascii_digit();
        self.peek().is_some_and(begins) && self.word()[1..].trim_start_matches('.').starts_with(is_digit)
    }
}
