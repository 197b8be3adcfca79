//! Letters of words.

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
