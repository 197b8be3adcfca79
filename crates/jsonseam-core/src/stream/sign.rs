//! The first sign of a payload in a text of which more may come, and how far that text may be looked at (SPEC P2).

use jsonseam_text::{floor_char_boundary, named};

use crate::locate::{is_fence_at, trim};
use crate::looking::ahead::Ahead;
use crate::looking::peek::text_to;
use crate::reading::scan::is_json_space;
use crate::reading::wanted::Root;

named! {
    /// What a stream took for the start of the payload.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Sign as "a sign" {
        /// The text begins with it, or with thoughts and then with it.
        Bracket = "bracket",
        /// It begins a fenced block.
        Fence = "fence",
        /// It follows prose.
        Prose = "prose",
        /// The caller said where it starts.
        Told = "told",
    }
}

/// What was looked at so far in search of the sign. Each byte is looked at a bounded number of times.
#[derive(Debug, Clone, Default)]
pub(super) struct Looking {
    /// Up to here there is no sign.
    pos: usize,
    /// The tag that ends the thoughts which the text begins with.
    thoughts: Option<&'static str>,
    /// Whether something else than blanks and thoughts came before `pos`.
    is_in_prose: bool,
    /// Whether `pos` is within a line that is no fence.
    is_in_line: bool,
    /// How long the text must be to be looked at again; the greatest length if nothing can be told before all of it is there.
    due: usize,
}

/// So much of a text that waits is looked at again with every piece, in bytes.
const NEAR: usize = 256;

/// What comes first in a text, as far as it can be told.
enum Found {
    At(usize, Sign),
    /// More of the text is needed.
    Wait,
    /// Nothing here: the search goes on at this place.
    Past(usize),
    Lost,
}

impl Found {
    /// What is where the payload would start that `sign` announces.
    fn payload(text: &str, start: usize, sign: Sign, root: Root) -> Self {
        let is_wanted = text.as_bytes().get(start).map(|&byte| root.opens(byte));
        match is_wanted.and_then(|is_wanted| if is_wanted { begins(text, start, true) } else { Some(false) }) {
            None => Self::Wait,
            Some(true) => Self::At(start, sign),
            Some(false) => Self::Lost,
        }
    }
}

/// The tags that end the elements in which models think.
const THOUGHTS: [&str; 4] = ["</think>", "</thinking>", "</thought>", "</reasoning>"];

/// The tags of blocks that hold JSON.
const TAGS: [&str; 4] = ["", "json", "jsonc", "json5"];

impl Looking {
    /// Where the payload starts in `text`, and by which sign; `None` if that cannot be told yet.
    pub(super) fn look(&mut self, text: &str, root: Root) -> Option<(usize, Sign)> {
        if text.len() < self.due {
            return None;
        }
        loop {
            match self.step(text, root) {
                Found::At(start, sign) => return Some((start, sign)),
                Found::Wait => {
                    // All from `pos` on is looked at again: of what is long only once a good deal more is there.
                    let waits = text.len().saturating_sub(self.pos);
                    self.due = text.len() + if waits > NEAR { waits / 4 } else { 0 };
                    return None;
                }
                Found::Past(pos) => (self.pos, self.is_in_line) = (pos, false),
                Found::Lost => {
                    self.due = usize::MAX;
                    return None;
                }
            }
        }
    }

    fn step(&mut self, text: &str, root: Root) -> Found {
        if let Some(end) = self.thoughts {
            let from = text.get(self.pos..).unwrap_or_default();
            let Some(at) = memchr::memmem::find(from.as_bytes(), end.as_bytes()) else {
                // The start of the tag may be there already.
                self.pos = floor_char_boundary(text, text.len().saturating_sub(end.len()).max(self.pos));
                return Found::Wait;
            };
            self.thoughts = None;
            return Found::Past(self.pos + at + end.len());
        }
        if self.is_in_prose { self.in_line(text, root) } else { self.at_start(text, root) }
    }

    /// At the start of the text, or after thoughts.
    fn at_start(&mut self, text: &str, root: Root) -> Found {
        let start = trim(text, self.pos..text.len()).start;
        let blank = &text[start..];
        let Some(&first) = blank.as_bytes().first() else { return Found::Wait };
        if root.opens(first) {
            return Found::payload(text, start, Sign::Bracket, root);
        }
        // A root that is not wanted: whether something in it is, only the whole text says.
        if matches!(first, b'{' | b'[' | b'"') {
            return Found::Lost;
        }
        if let Some(tag) = blank.strip_prefix('<') {
            for end in THOUGHTS {
                let name = &end["</".len()..];
                if tag.starts_with(name) {
                    self.thoughts = Some(end);
                    return Found::Past(text.len() - tag.len() + name.len());
                }
                if name.starts_with(tag) {
                    return Found::Wait;
                }
            }
        }
        self.is_in_prose = true;
        Found::Past(start)
    }

    /// In a line of prose.
    fn in_line(&mut self, text: &str, root: Root) -> Found {
        let bytes = text.as_bytes();
        let start = self.pos + bytes[self.pos..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        let line_end = memchr::memchr(b'\n', &bytes[start..]).map(|len| start + len);
        let may_be_fence = bytes.get(start).is_none_or(|byte| matches!(byte, b'`' | b'~'));
        if may_be_fence && !self.is_in_line && (is_fence_at(bytes, start) || bytes.len() - start < 3) {
            let Some(line_end) = line_end else { return Found::Wait };
            let tag = text[start..line_end].trim_start_matches(['`', '~']).trim();
            if is_fence_at(bytes, start) && TAGS.iter().any(|known| tag.eq_ignore_ascii_case(known)) {
                let payload = line_end + bytes[line_end..].iter().take_while(|&&byte| is_json_space(byte)).count();
                return Found::payload(text, payload, Sign::Fence, root);
            }
            if is_fence_at(bytes, start) {
                return Found::Lost;
            }
        }
        // The first bracket of the line after which something like a key or an element comes.
        let end = line_end.unwrap_or(bytes.len());
        let mut from = start;
        while let Some(at) = root.opener_in(&bytes[from.min(end)..end]).map(|at| from + at) {
            let is_payload = begins(text, at, false);
            let is_begun = if is_payload == Some(false) { begins_member(text, at) } else { is_payload };
            match is_begun {
                None => {
                    (self.pos, self.is_in_line) = (at, true);
                    return Found::Wait;
                }
                Some(true) if is_payload == Some(true) => return Found::At(at, Sign::Prose),
                // An object with another kind of key, or prose such as `{key: value}`: what is in it must not be taken for the payload.
                Some(true) if bytes[at] == b'{' => return Found::Lost,
                Some(_) => from = at + 1,
            }
        }
        match line_end {
            Some(line_end) => Found::Past(line_end + 1),
            // What was looked at of the line holds no bracket.
            None if end - self.pos > 8 => {
                (self.pos, self.is_in_line) = (floor_char_boundary(text, end - 3), true);
                Found::Wait
            }
            None => Found::Wait,
        }
    }
}

/// Whether the bracket at `at` begins a payload, by what follows it; `None` if that is not there yet. At the start of a text an array of any elements does.
fn begins(text: &str, at: usize, is_first: bool) -> Option<bool> {
    let bytes = text.as_bytes();
    let next = *bytes[at + 1..].iter().find(|byte| !is_json_space(**byte))?;
    Some(match bytes[at] {
        b'{' if is_first => !matches!(next, b'{' | b'\\' | b'%' | b'[' | b'<'),
        b'{' => next == b'"',
        _ if is_first => !matches!(next, b'\\' | b'%' | b'<'),
        _ => matches!(next, b'"' | b'{' | b'['),
    })
}

/// Whether a comment follows the bracket at `at`, or a key and what separates it from its value; `None` if that is not there yet.
/// What is not near is taken for one, since nothing in it must be taken for the payload.
fn begins_member(text: &str, at: usize) -> Option<bool> {
    let end = floor_char_boundary(text, at + NEAR);
    let near = text_to(text, end);
    let inside = near.at(at + 1).skip_json_space();
    let is_one = inside.comment_end().is_some() || inside.key_end().is_some_and(Ahead::has_colon_or_sign);
    match near.has_touched_end() {
        true if end == text.len() => None,
        is_far => Some(is_far || is_one),
    }
}

/// How far a text may be looked at while more may come: not the blanks that end it, and of a fenced block not beyond a line that could close it.
/// What the whole text says ends there or later.
#[derive(Debug, Clone, Default)]
pub(super) struct Horizon {
    /// Up to where the text was looked at, …
    pos: usize,
    /// … and may be.
    end: usize,
    is_fenced: bool,
    /// Where the current line of a fenced block starts, if it may be one that closes the block.
    line: Option<usize>,
    is_shut: bool,
}

impl Horizon {
    /// From the payload's start on: its first line begins before it, so it closes nothing.
    pub(super) fn new(start: usize, is_fenced: bool) -> Self {
        Self { pos: start, end: start, is_fenced, line: None, is_shut: false }
    }

    /// Up to where the text may be looked at, if whatever follows on the same line may be as well.
    pub(super) fn line_goes_on(&self) -> Option<usize> {
        (!self.is_shut && self.line.is_none()).then_some(self.end)
    }

    /// Notes that the line goes on to `pos`, with blanks from `end` on.
    pub(super) fn pass(&mut self, pos: usize, end: usize) {
        (self.pos, self.end) = (pos, end);
    }

    /// Up to where `text` may be looked at.
    pub(super) fn see(&mut self, text: &str) -> usize {
        while !self.is_shut {
            if let Some(line) = self.line {
                let rest = text[line..].trim_start_matches([' ', '\t']);
                let marks = rest.len() - rest.trim_start_matches(['`', '~']).len();
                self.is_shut = marks >= 3;
                // Else the line may still become a fence.
                if self.is_shut || marks == rest.len() {
                    break;
                }
            }
            let new = &text[self.pos..];
            let line_feed = if self.is_fenced { memchr::memchr(b'\n', new.as_bytes()) } else { None };
            let stop = self.pos + line_feed.map_or(new.len(), |len| len + 1);
            let seen = text[self.pos..stop].trim_end();
            if !seen.is_empty() {
                self.end = self.pos + seen.len();
            }
            (self.pos, self.line) = (stop, line_feed.map(|_| stop));
            if line_feed.is_none() {
                break;
            }
        }
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes are looked at of a text in pieces of four.
    fn looked_at(text: &str) -> usize {
        let (mut looking, mut bytes) = (Looking::default(), 0);
        for end in (4..text.len()).step_by(4) {
            if end >= looking.due {
                bytes += end - looking.pos;
            }
            if looking.look(&text[..end], Root::Object).is_some() {
                break;
            }
        }
        bytes
    }

    #[test]
    fn t4_each_byte_before_a_sign_is_looked_at_a_bounded_number_of_times() {
        let starts = ["", "{", "x {", "x {'", "x {a", "x { /* ", "```json\n", "```", "~~~~", "<think>", "x {}"];
        let rests = [" ", "\n", "a", "`", "~", "</thin", "x {", "{\n", "/"];
        for (start, rest) in starts.iter().flat_map(|start| rests.iter().map(move |rest| (start, rest))) {
            let text = |len: usize| format!("{start}{}", rest.repeat(len / rest.len()));
            for len in [4_000, 32_000] {
                let bytes = looked_at(&text(len));
                assert!(bytes < 80 * len, "{start:?} {rest:?}: {bytes} bytes looked at of {len}");
            }
        }
    }

    #[test]
    fn a_sign_after_many_blanks_is_seen_a_quarter_later_at_most() {
        let text = format!("x {{{}\"a\": 1}}{}", " ".repeat(4_000), " ".repeat(1_100));
        let mut looking = Looking::default();
        let seen = (1..text.len()).find_map(|end| looking.look(&text[..end], Root::Object));
        assert_eq!(seen, Some((2, Sign::Prose)));
    }
}
