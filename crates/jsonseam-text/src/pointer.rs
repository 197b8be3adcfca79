//! JSON Pointers (RFC 6901): their reference tokens, escaped and unescaped, and the fragments of addresses that hold them.

use std::borrow::Cow;

/// Longest pointer that is written out, in bytes: a longer one is cut to the innermost container that fits.
/// Without it, a report on many places under long keys would grow with their product.
pub const MAX_POINTER: usize = 512;

/// A name as a reference token: `~` is `~0`, and `/` is `~1`.
///
/// ```
/// use jsonseam_text::pointer;
///
/// assert_eq!(pointer::escaped("a/b~"), "a~1b~0");
/// assert_eq!(pointer::unescaped("a~1b~0"), "a/b~");
/// ```
pub fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(['~', '/']) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
}

/// The name that a reference token stands for.
pub fn unescaped(token: &str) -> Cow<'_, str> {
    if !token.contains('~') {
        return Cow::Borrowed(token);
    }
    Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
}

/// The names on the way from the root to the place of a pointer; none for the root, whose pointer is empty.
///
/// ```
/// use jsonseam_text::pointer;
///
/// assert_eq!(pointer::names("/a~1b/0").collect::<Vec<_>>(), ["a/b", "0"]);
/// assert_eq!(pointer::names("").count(), 0);
/// ```
pub fn names(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescaped)
}

/// Appends the reference token of `name`, unless that makes the pointer longer than [`MAX_POINTER`]. Whether it did.
///
/// ```
/// let mut pointer = String::from("/a");
/// assert!(jsonseam_text::pointer::push(&mut pointer, "b/c"));
/// assert_eq!(pointer, "/a/b~1c");
/// ```
pub fn push(pointer: &mut String, name: &str) -> bool {
    // A name that is too long as it is need not be read.
    let token = if pointer.len() + name.len() < MAX_POINTER { escaped(name) } else { return false };
    let fits = pointer.len() + 1 + token.len() <= MAX_POINTER;
    if fits {
        pointer.push('/');
        pointer.push_str(&token);
    }
    fits
}

/// A fragment of an address without its percent escapes (RFC 3986); `None` if an escape is broken or the result is not UTF-8.
///
/// ```
/// use jsonseam_text::pointer;
///
/// assert_eq!(pointer::of_fragment("/a%20b").as_deref(), Some("/a b"));
/// assert_eq!(pointer::of_fragment("/100%"), None);
/// ```
pub fn of_fragment(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let mut digit =
            || rest.next().and_then(|digit| char::from(digit).to_digit(16)).and_then(|digit| u8::try_from(digit).ok());
        bytes.push(if byte == b'%' { digit()? * 16 + digit()? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_into_tokens_and_come_out_again() {
        for name in ["", "a", "/", "~", "~1", "~0", "a/b~c", "~~//", "é\u{1F600}"] {
            assert_eq!(unescaped(&escaped(name)), name);
            assert!(!escaped(name).contains('/'));
        }
    }

    #[test]
    fn what_is_too_long_is_left_out() {
        let mut pointer = String::new();
        assert!(push(&mut pointer, &"a".repeat(MAX_POINTER - 1)));
        assert!(!push(&mut pointer, ""));
        assert_eq!(pointer.len(), MAX_POINTER);
    }

    #[test]
    fn broken_escapes_of_fragments_are_no_pointer() {
        for fragment in ["%", "%2", "%zz", "a%é", "%ff"] {
            assert_eq!(of_fragment(fragment), None, "{fragment}");
        }
        assert_eq!(of_fragment("%C3%A9~1").as_deref(), Some("é~1"));
    }
}
