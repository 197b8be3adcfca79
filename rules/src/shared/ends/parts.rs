//! Data in other marks than double quotes, within a string.

/// Marks other than double quotes, each with the one that opens what it closes.
const MARKS: [[char; 2]; 3] = [['\''; 2], ['`'; 2], ['\u{201C}', '\u{201D}']];

/// Whether a text goes on as data in other marks: one of them closes it, and after a comma one opens the next key or element (`it ends', 'b': 1`).
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// How far the text was read, and which marks are open there.
    at: usize,
    is_inside: [bool; MARKS.len()],
    /// Where the mark ends that opens the next one.
    next: Option<usize>,
}

impl Parts {
    /// Whether the first `end` bytes do.
    pub(super) fn go_on_before(&mut self, end: usize, text: &str) -> bool {
        while self.next.is_none() && self.at < end {
            // The marks begin with these bytes.
            let rest = &text.as_bytes()[self.at..end];
            self.at += rest.iter().position(|byte| matches!(byte, b'\'' | b'`' | 0xE2)).unwrap_or(rest.len());
            let Some(char) = text[self.at..].chars().next().filter(|_| self.at < end) else { break };
            let (before, after) = (&text[..self.at], &text[self.at + char.len_utf8()..]);
            self.at += char.len_utf8();
            let Some(kind) = MARKS.iter().position(|marks| marks.contains(&char)) else { continue };
            let [open, close] = MARKS[kind];
            let next = || after.strip_prefix(',')?.trim_start().strip_prefix(open);
            if char == close && !self.is_inside[kind] {
                self.next = next().map(|rest| text.len() - rest.len());
            }
            let is_apostrophe = before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
            self.is_inside[kind] ^= !is_apostrophe;
        }
        self.next.is_some_and(|next| next <= end)
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn parts_go_on_once_the_next_mark_is_there() {
        for (text, from) in
            [("it ends', 'b': 1", 11), ("a`,`b", 4), ("it's 'so', 'b'", 99), ("x”,  “y", 10), ("é', x 'y'", 99)]
        {
            let told = |end: usize| Parts::default().go_on_before(end, text);
            let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
            let mut kept = Parts::default();
            for end in ends {
                assert_eq!([told(end), kept.go_on_before(end, text)], [end >= from; 2], "{text} {end}");
            }
        }
    }
}
