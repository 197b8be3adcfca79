//! Members that a string would swallow.

use jsonseam_core::{Ahead, Container, is_quote};

use super::view::View;

impl View<'_> {
    /// Whether what looks like members, whose colons are at `colons`, belongs to a text that is whole with it: code and configuration in a value.
    /// Each is in braces that the text opens and closes, or is a line `key: value` of a text whose own key is in quotes.
    /// The text ends at `end`, and holds so many marks.
    pub(super) fn holds_members(&self, colons: &[usize], marks: usize, end: usize) -> bool {
        // An odd mark is rather the one that opens the value of a member. Where some are escaped, those that are not have another reason.
        let are_paired = marks > 0 && marks.is_multiple_of(2);
        if colons.is_empty() || !are_paired || self.string.container != Container::Object {
            return false;
        }
        let is_quoted = self.layout.is_some_and(|layout| layout.is_quoted);
        let mut colons = colons.iter().copied().peekable();
        let mut depth = 0_usize;
        for (at, byte) in self.text.bytes().enumerate().take(end) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return false,
                b'}' => depth -= 1,
                b':' if colons.next_if_eq(&at).is_some() => {
                    let is_bare = || self.text[..at].trim_ascii_end().ends_with(char::is_alphanumeric);
                    if depth == 0 && !(is_quoted && is_bare()) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        depth == 0 && colons.peek().is_none()
    }
}

/// Where the key ends that begins the line at the cursor: in single quotes, or a name.
pub(super) fn line_key_end(line: Ahead<'_>) -> Option<Ahead<'_>> {
    let start = line.skip_json_space();
    let is_key = start.peek().is_some_and(|first| matches!(first, '\'' | '_') || first.is_lowercase());
    if is_key { start.key_end() } else { None }
}

/// The colon after the key that ends at the cursor, if the start of a value follows it.
pub(super) fn colon_of_member(key_end: Ahead<'_>) -> Option<usize> {
    let colon = key_end.skip_json_space();
    let value = colon.starts_with(":").then(|| colon.after(1).skip_json_space())?;
    let is_start = |first: char| {
        is_quote(first) || matches!(first, '0'..='9' | '[' | '{' | 'T' | 'F' | 'N' | 't' | 'f' | 'n' | '-')
    };
    value.peek().is_some_and(is_start).then_some(colon.pos())
}
