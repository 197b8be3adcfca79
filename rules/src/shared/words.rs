//! Bare words: names, what begins as a number does, and the words that one language or another writes for a value.

use jsonseam_core::Ahead;

/// The word at the cursor: letters, digits and `_ $ . + -`. Empty when there is not one.
pub fn word(mut ahead: Ahead<'_>) -> &str {
    ahead.take_while(|char| match u8::try_from(char) {
        Ok(byte) if byte.is_ascii() => IN_WORD[usize::from(byte)],
        _ => char.is_alphanumeric(),
    })
}

/// Which characters of ASCII belong to a word.
const IN_WORD: [bool; 128] = {
    let mut belongs = [false; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        belongs[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'+' | b'-');
        byte += 1;
    }
    belongs
};

/// Whether a character is of a script that sets a space between words: a letter with case, or a digit.
///
/// Between two such words a quotation mark faces one of them. In other scripts a quotation touches the words around it, so nothing shows
/// which way its marks face: `他说"好"然后`.
///
/// ```
/// use jsonseam_rules::shared::words::is_spaced;
///
/// assert!(['a', 'é', 'Ж', '7'].into_iter().all(is_spaced));
/// assert!(!['漢', '말', 'ไ', '_', '"'].into_iter().any(is_spaced));
/// ```
pub fn is_spaced(char: char) -> bool {
    char.is_ascii_digit() || char.is_lowercase() || char.is_uppercase()
}

/// The JavaScript identifier at the cursor (ECMA-262 section 12.7, letters and digits of any script).
pub fn identifier(mut ahead: Ahead<'_>) -> Option<&str> {
    let mut is_first = true;
    let name = ahead.take_while(|char| {
        let belongs = matches!(char, '_' | '$') || char.is_alphabetic() || !is_first && char.is_alphanumeric();
        is_first = false;
        belongs
    });
    (!name.is_empty()).then_some(name)
}

/// Who writes a word for a value so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
pub struct Literal {
    /// As it is written.
    pub spelling: &'static str,
    /// As JSON spells it.
    pub json: &'static str,
    /// Who writes it so.
    pub notation: Notation,
}

/// Every word that some rule reads as a value that is not a string: the one list, for these rules and for all that look ahead.
pub const LITERALS: [Literal; 16] = [
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

/// The literal that `word` is, with a sign if its notation has one.
///
/// ```
/// use jsonseam_rules::shared::words::{Notation, literal};
///
/// assert_eq!(literal("None").map(|literal| literal.json), Some("null"));
/// assert_eq!(literal("-inf").map(|literal| literal.notation), Some(Notation::NotFinite));
/// assert_eq!(literal("-None"), None);
/// ```
pub fn literal(word: &str) -> Option<&'static Literal> {
    let bare = word.strip_prefix(['+', '-']).unwrap_or(word);
    let found = LITERALS.iter().find(|literal| literal.spelling == bare)?;
    (bare.len() == word.len() || found.notation == Notation::NotFinite).then_some(found)
}

/// The literal at the cursor, if it is of this notation: its length in bytes, and how JSON spells it.
pub fn literal_in(notation: Notation, ahead: Ahead<'_>) -> Option<(usize, &'static str)> {
    let word = word(ahead);
    let found = literal(word).filter(|literal| literal.notation == notation)?;
    Some((word.len(), found.json))
}

/// Whether `word` begins as a number does, in any spelling that is read as one, and goes on like one.
pub fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+']);
    digits.starts_with(|char: char| char.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b'x' | b'+' | b'-' | b'_'))
}

/// Whether a number of another notation comes next: with a leading plus sign or point.
pub fn is_foreign(word: &str) -> bool {
    word.strip_prefix(['+', '.'])
        .is_some_and(|rest| rest.trim_start_matches('.').starts_with(|char: char| char.is_ascii_digit()))
}
