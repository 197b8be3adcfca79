//! A JSON text with a closer too few or too many, up to a mark that ends it: every reading that differs in closers alone.
//!
//! A text that ends with its own mark is not cut (SPEC B3), so what lacks is a closer and no value.
//! Only closers are inserted or removed, so every character of keys and values survives: the risk is `likely` (SPEC B1) where one reading is left,
//! and where more are, the text is refused.

use jsonseam_core::Risk;
use jsonseam_text::string_end;

use crate::weave::{Edit, Piece};

/// The rule that the edits carry.
pub(crate) const RULE: &str = "unbalanced-call";
/// How many closers may be missing, or be too many.
const MAX_CLOSERS: usize = 4;
/// How many readings are compared.
const MAX_READINGS: usize = 64;
/// How often each token is read, over all readings.
const MAX_PASSES: usize = 64;
/// Deepest nesting that is read.
const MAX_DEPTH: usize = 127;

/// A closer that is inserted before a place, or removed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Closer {
    pos: usize,
    byte: u8,
    is_extra: bool,
}

/// One way to balance a text: its edits, by position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Balanced(Vec<Closer>);

impl Balanced {
    /// Whether closers are removed.
    pub(crate) fn removes(&self) -> bool {
        self.0.iter().all(|closer| closer.is_extra)
    }

    /// The pieces of the text from `start` to `end` with the edits in place.
    pub(crate) fn pieces(&self, start: usize, end: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut pos = start;
        for closer in &self.0 {
            let (until, replacement) =
                if closer.is_extra { (closer.pos + 1, "") } else { (closer.pos, closer_of(closer.byte)) };
            if pos < closer.pos {
                pieces.push(Piece::Keep(pos..closer.pos));
            }
            let edit = Edit::new(RULE, Risk::Likely, closer.pos..until, replacement.to_owned());
            pieces.push(Piece::Edit(edit));
            pos = until;
        }
        if pos < end {
            pieces.push(Piece::Keep(pos..end));
        }
        pieces
    }
}

fn closer_of(byte: u8) -> &'static str {
    if byte == b'}' { "}" } else { "]" }
}

/// The tokens of a text from an opener up to its end mark.
#[derive(Debug)]
pub(crate) struct Tokens {
    /// What each token is: a bracket, a comma or a colon by itself, `"` for a string, `0` for any other scalar; and where it starts.
    list: Vec<(u8, usize)>,
    /// Where the last token ends.
    pub(crate) end: usize,
    /// Whether a mark ends the text, rather than its own end.
    pub(crate) is_marked: bool,
}

impl Tokens {
    /// The tokens from `start` on. `None` if anything but JSON tokens is before the mark.
    pub(crate) fn read(text: &str, start: usize, is_mark: impl Fn(usize) -> bool) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut list: Vec<(u8, usize)> = Vec::new();
        let (mut pos, mut end) = (start, start);
        loop {
            pos = jsonseam_text::skip_blanks(bytes, pos);
            let Some(&byte) = bytes.get(pos) else { return Some(Self { list, end, is_marked: false }) };
            // An opening bracket may begin a mark too, but nothing that JSON has there does.
            if !matches!(byte, b'{' | b'}' | b']' | b',' | b':' | b'"') && is_mark(pos) {
                return Some(Self { list, end, is_marked: true });
            }
            let (kind, next) = match byte {
                b'{' | b'}' | b'[' | b']' | b',' | b':' => (byte, pos + 1),
                b'"' => (byte, string_end(bytes, pos)),
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => (b'0', scalar_end(bytes, pos)),
                _ => return None,
            };
            if byte == b'"' && (next < pos + 2 || bytes.get(next - 1) != Some(&b'"')) {
                return None;
            }
            // Whatever closers are missing or too many, nothing begins right after a value: another text does.
            let begins = matches!(kind, b'{' | b'[' | b'"' | b'0');
            if begins && matches!(list.last(), Some((b'}' | b']' | b'"' | b'0', _))) {
                return None;
            }
            list.push((kind, pos));
            (pos, end) = (next, next);
        }
    }

    /// How many closers of each kind are missing; negative if they are too many.
    fn missing(&self) -> (isize, isize) {
        self.list.iter().fold((0, 0), |(braces, brackets), (kind, _)| match kind {
            b'{' => (braces + 1, brackets),
            b'}' => (braces - 1, brackets),
            b'[' => (braces, brackets + 1),
            b']' => (braces, brackets - 1),
            _ => (braces, brackets),
        })
    }

    /// Every way to balance the text by closers of the kinds that are missing, or too many; none if there are too many ways to tell.
    pub(crate) fn readings(&self) -> Vec<Balanced> {
        let (braces, brackets) = self.missing();
        let count = braces.unsigned_abs() + brackets.unsigned_abs();
        let is_mixed = braces.signum() * brackets.signum() < 0;
        if count == 0 || count > MAX_CLOSERS || is_mixed {
            return Vec::new();
        }
        let is_extra = braces < 0 || brackets < 0;
        let left = (braces.unsigned_abs(), brackets.unsigned_abs());
        let mut steps = self.list.len().saturating_mul(MAX_PASSES);
        let mut open = vec![State { next: 0, stack: Vec::new(), place: Place::Value, left, closers: Vec::new() }];
        let mut found = Vec::new();
        while let Some(mut state) = open.pop() {
            loop {
                let Some(left) = steps.checked_sub(1) else { return Vec::new() };
                steps = left;
                if state.is_done(self) {
                    found.push(Balanced(state.closers));
                    break;
                }
                open.extend(if is_extra { state.without_closer(self) } else { None });
                open.extend(
                    [b'}', b']'].into_iter().filter(|_| !is_extra).filter_map(|byte| state.with_closer(self, byte)),
                );
                if !state.step(self) {
                    break;
                }
            }
            if found.len() > MAX_READINGS {
                return Vec::new();
            }
        }
        found
    }
}

fn scalar_end(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    start + bytes.get(start..).unwrap_or_default().iter().take_while(is_part).count()
}

/// What may be next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Value,
    /// Right after the opener of an array, or of an object.
    First,
    Key,
    Colon,
    /// After a value.
    Comma,
}

/// One reading, up to a token.
#[derive(Debug, Clone)]
struct State {
    next: usize,
    stack: Vec<u8>,
    place: Place,
    /// How many braces and brackets are still to be inserted, or removed.
    left: (usize, usize),
    closers: Vec<Closer>,
}

impl State {
    fn token(&self, tokens: &Tokens) -> Option<(u8, usize)> {
        tokens.list.get(self.next).copied()
    }

    fn is_done(&self, tokens: &Tokens) -> bool {
        self.next == tokens.list.len() && self.stack.is_empty() && self.place == Place::Comma && self.left == (0, 0)
    }

    fn left_of(&mut self, byte: u8) -> &mut usize {
        if byte == b'}' { &mut self.left.0 } else { &mut self.left.1 }
    }

    fn may_close(&self) -> bool {
        matches!(self.place, Place::Comma | Place::First)
    }

    /// The same reading with the closer that is next left out. Of a run of one kind the last is left out.
    fn without_closer(&self, tokens: &Tokens) -> Option<Self> {
        let (byte, pos) = self.token(tokens).filter(|(byte, _)| matches!(byte, b'}' | b']'))?;
        let mut other = self.clone();
        let left = other.left_of(byte);
        *left = left.checked_sub(1)?;
        other.closers.push(Closer { pos, byte, is_extra: true });
        other.next += 1;
        Some(other)
    }

    /// The same reading with one more closer here. Before a closer of its kind it would be the same as after it.
    fn with_closer(&self, tokens: &Tokens, byte: u8) -> Option<Self> {
        let next = self.token(tokens);
        let fits = matches!(next, None | Some((b',' | b'}' | b']', _))) && next.is_none_or(|(kind, _)| kind != byte);
        if !fits || !self.may_close() || self.stack.last() != Some(&byte) {
            return None;
        }
        let mut other = self.clone();
        let left = other.left_of(byte);
        *left = left.checked_sub(1)?;
        // Right after what was read, so that white space before a mark stays where it is.
        let pos = next.map_or(tokens.end, |(_, pos)| pos);
        other.closers.push(Closer { pos, byte, is_extra: false });
        other.stack.pop();
        other.place = Place::Comma;
        Some(other)
    }

    /// Reads the next token; false if it does not fit.
    fn step(&mut self, tokens: &Tokens) -> bool {
        let Some((kind, _)) = self.token(tokens) else { return false };
        let is_root_over = self.stack.is_empty() && self.place == Place::Comma;
        let in_object = self.stack.last() == Some(&b'}');
        let takes_value = self.place == Place::Value || self.place == Place::First && !in_object;
        let takes_key = self.place == Place::Key || self.place == Place::First && in_object;
        let fits = match kind {
            b'{' | b'[' => takes_value && self.stack.len() < MAX_DEPTH,
            b'"' => takes_value || takes_key,
            b'0' => takes_value,
            b':' => self.place == Place::Colon,
            b',' => self.place == Place::Comma && !is_root_over,
            closer => self.may_close() && self.stack.last() == Some(&closer),
        };
        self.next += 1;
        self.place = match kind {
            b'{' => {
                self.stack.push(b'}');
                Place::First
            }
            b'[' => {
                self.stack.push(b']');
                Place::First
            }
            b'"' if takes_key => Place::Colon,
            b',' if in_object => Place::Key,
            b':' | b',' => Place::Value,
            b'"' | b'0' => Place::Comma,
            _ => {
                self.stack.pop();
                Place::Comma
            }
        };
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weave::Woven;

    /// The texts that a text up to `#` may be.
    fn readings(text: &str) -> Vec<String> {
        let Some(tokens) = Tokens::read(text, 0, |pos| text[pos..].starts_with('#')) else { return Vec::new() };
        let readings = tokens.readings();
        let mut texts: Vec<_> =
            readings.iter().map(|reading| Woven::new(text, reading.pieces(0, tokens.end)).text).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn b3_a_closer_that_lacks_before_the_mark_is_found() {
        for (text, expected) in [
            (r#"{"a":{"b":1}#"#, vec![r#"{"a":{"b":1}}"#]),
            (r#"{"a":[1,2#"#, vec![r#"{"a":[1,2]}"#]),
            (r#"[{"a":1,{"b":2}]#"#, vec![r#"[{"a":1},{"b":2}]"#]),
            (r#"{"a":[1,2,"b":3}#"#, vec![r#"{"a":[1,2],"b":3}"#]),
            (r#"{"a":{,"b":1}#"#, vec![r#"{"a":{},"b":1}"#]),
            (r#"{"a":"}#{","b":[#"#, vec![r#"{"a":"}#{","b":[]}"#]),
            (r#"{"a":1}}#"#, vec![r#"{"a":1}"#]),
            (r#"{"a":[1]],"b":2}#"#, vec![r#"{"a":[1],"b":2}"#]),
            (r#"{"a":[{"b":1}}],"c":2}#"#, vec![r#"{"a":[{"b":1}],"c":2}"#]),
        ] {
            assert_eq!(readings(text), expected, "{text}");
        }
    }

    #[test]
    fn every_reading_is_told_and_none_where_more_than_closers_is_wrong() {
        assert_eq!(readings(r#"{"a":{"b":1,"c":2}#"#), [r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":1},"c":2}"#]);
        for text in
            [r#"{"a":1}#"#, r#"{"a":1]#"#, r#"{"a" 1#"#, r#"{"a":"x#"#, r"{a:1#", r#"{"a":1 x#"#, r#"{"a":#"#, "}#"]
        {
            assert!(readings(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn b5_a_text_that_can_be_read_in_too_many_ways_costs_a_bounded_number_of_steps() {
        let text = format!("{{\"a\":{{{}\"z\":1}}#", "\"k\":1,".repeat(20_000));
        assert!(readings(&text).is_empty());
        let text = format!("{}#", "[".repeat(100_000));
        assert!(readings(&text).is_empty());
    }
}
