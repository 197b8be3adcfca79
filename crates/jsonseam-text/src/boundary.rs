//! Places between the characters of a text.

/// The last place at or before `at` that splits no character; the end of a shorter text.
///
/// ```
/// use jsonseam_text::floor_char_boundary;
///
/// assert_eq!([0, 1, 2, 3, 9].map(|at| floor_char_boundary("aé", at)), [0, 1, 1, 3, 3]);
/// ```
#[must_use]
pub const fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = if at < text.len() { at } else { text.len() };
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
