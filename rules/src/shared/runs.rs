//! How far a run of characters goes, and which bytes end one.

/// `belongs`, for so many characters at most.
///
/// ```
/// use jsonseam_core::CountedText;
/// use jsonseam_rules::shared::runs::at_most;
///
/// assert_eq!(CountedText::new("12345").at(0).take_while(at_most(3, |char| char.is_ascii_digit())), "123");
/// ```
#[inline]
pub fn at_most(most: usize, belongs: impl Fn(char) -> bool) -> impl FnMut(char) -> bool {
    let mut left = 0..most;
    move |char| left.next().is_some() && belongs(char)
}

/// A table of the bytes that tell something: these, and the control characters.
pub(super) const fn tells_at(marks: &[u8]) -> [bool; 256] {
    let (mut tells, mut byte, mut at) = ([false; 256], 0, 0);
    while byte < 0x20 {
        tells[byte] = true;
        byte += 1;
    }
    while at < marks.len() {
        tells[marks[at] as usize] = true;
        at += 1;
    }
    tells
}
