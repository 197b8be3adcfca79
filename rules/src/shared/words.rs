//! Words, and their letters.

use jsonseam_core::is_sign;

/// Words that begin code, a literal or the description of a value that was never filled in: without quotes they are no text.
///
/// ```
/// assert!(jsonseam_rules::shared::words::RESERVED.contains(&"value"));
/// ```
pub const RESERVED: [&str; 37] = words(
    "\
    true false null none nil undefined nan inf infinity new function return lambda await async typeof string \
    number integer int float double boolean bool array list object dict any str enum value if for const let \
    void",
);

/// The words of a list that has a blank between them.
pub(crate) const fn words<const COUNT: usize>(list: &'static str) -> [&'static str; COUNT] {
    let (mut words, mut count, mut rest, mut at) = ([""; COUNT], 0, list, 0);
    while at < rest.len() {
        if rest.as_bytes()[at] == b' ' {
            let (word, after) = rest.split_at(at);
            (words[count], count, rest, at) = (word, count + 1, after.split_at(1).1, 0);
        }
        at += 1;
    }
    words[count] = rest;
    assert!(count + 1 == COUNT, "the list has another number of words");
    words
}

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

/// A letter of any script, but none of the full-width forms.
pub(crate) fn is_letter(char: char) -> bool {
    let is_other = char.is_ascii() || is_sign(char) || ('\u{FF00}'..='\u{FFEF}').contains(&char);
    char.is_ascii_alphabetic() || !is_other && char.is_alphabetic()
}
