//! Brackets in a completion: which open a payload, and which are part of the prose.

use std::ops::Range;

use super::Region;
use crate::config::Root;
use crate::limits::MAX_DEPTH;
use crate::peek::Peek;
use crate::recognise::{Next, State, Stop, is_all_blank, run};

impl Region<'_> {
    /// Where the payload of the wanted root starts: the first `{` or `[` that is more than a mention in prose (SPEC P2, P3).
    pub fn payload_start(&self) -> Option<usize> {
        let text = self.text();
        let opener = first_opener(text, self.root);
        self.charge(opener.unwrap_or(text.len()));
        Some(self.span.start + opener?)
    }

    /// Where the payload starts if brackets of the prose come before it, like those of a formula (`\frac{1}{2}`), a placeholder or a block of code:
    /// the first opener that is none of them. `None` if there are no such brackets, or nothing but them.
    ///
    /// An object that stands in an array is no payload where an object is wanted (SPEC P3): then there is none either.
    pub fn payload_start_behind_prose(&self) -> Option<usize> {
        let text = self.text();
        let first = memchr::memchr(b'{', text.as_bytes());
        self.charge(first.unwrap_or(text.len()));
        let first = first.filter(|&first| prose_end(text, first, &mut 0).is_some())?;
        let object = first_object(text, first);
        // What lies before it was read twice, to tell prose from objects and to find an array around it.
        self.charge(2 * object.unwrap_or(text.len()));
        let object = object?;
        let start = match self.root {
            Root::Object if is_element(&text.as_bytes()[..object], b'[', self.root) => return None,
            Root::Object => object,
            Root::Any => unclosed(&text.as_bytes()[..object], b"[").unwrap_or(object),
            Root::Array => return None,
        };
        Some(self.span.start + start)
    }

    /// Whether a `{` or `[` before `pos` is still open there.
    pub fn is_bracket_open_at(&self, pos: usize) -> bool {
        unclosed(self.slice(self.span.start..pos).as_bytes(), b"{[").is_some()
    }

    /// Whether the text of `span`, white space aside, starts with `{` or `[`.
    pub fn is_bracketed(&self, span: Range<usize>) -> bool {
        let text = self.completion.get(span).unwrap_or_default();
        let rest = text.trim_start();
        self.charge(text.len() - rest.len() + 1);
        rest.starts_with(['{', '['])
    }

    /// Whether a double-quoted string that opened inside a bracket is still open at `pos`.
    pub fn is_string_open_at(&self, pos: usize) -> bool {
        let text = self.slice(self.span.start..pos);
        let Some(first) = first_opener(text, Root::Any) else { return false };
        let mut strings = Strings::default();
        text.bytes().skip(first).for_each(|byte| {
            strings.hides(byte);
        });
        strings.is_inside()
    }

    /// The spans of all bracketed texts of the wanted root, disjoint, in one pass that knows double-quoted strings.
    /// The last one reaches to the region's end if it is not closed, closed wrongly, or not ended by its closer (SPEC P2).
    pub fn bracketed(&self) -> Vec<Range<usize>> {
        let Some(first) = self.payload_start_behind_prose().or_else(|| self.payload_start()) else {
            return Vec::new();
        };
        let text = self.slice(first..self.span.end);
        let mut spans = Vec::new();
        let mut start = None;
        let mut open = Vec::new();
        let mut strings = Strings::default();
        let (mut prose, mut formula_end) = (0, 0);
        let mut skips_prose = |offset, prose: &mut usize| {
            let end = prose_end(text, offset, &mut formula_end);
            *prose = end.unwrap_or(*prose);
            end.is_some()
        };
        for (offset, byte) in text.bytes().enumerate() {
            match byte {
                _ if offset < prose => {}
                b'{' if start.is_none() && offset > 0 && skips_prose(offset, &mut prose) => {}
                _ if start.is_some() && strings.hides(byte) => {}
                b'{' | b'[' if start.is_some() || opens(byte, self.root) => {
                    start = start.or(Some(first + offset));
                    open.push(byte);
                }
                // A closer of the wrong kind: what follows belongs to this payload too, and is no candidate of its own.
                b'}' | b']' if open.last().is_some_and(|opener| opener + 2 != byte) => break,
                b'}' | b']' if open.pop().is_some() && open.is_empty() => {
                    let rest = text.get(offset + 1..).unwrap_or_default();
                    if rest.trim_start().starts_with([',', ':', '}', ']']) {
                        break;
                    }
                    spans.extend(start.take().map(|start| start..first + offset + 1));
                }
                _ => {}
            }
        }
        spans.extend(start.map(|start| start..self.span.end));
        let is_object = |span: &Range<usize>| self.slice(span.start..span.start + 1) == "{";
        if self.root == Root::Any && spans.iter().any(is_object) {
            // Beside an object, a bracket pair of words and numbers is a citation or a remark (SPEC P3).
            spans.retain(|span| is_object(span) || self.slice(span.clone()).contains(['{', '"', '\'']));
        }
        spans
    }
}

/// Whether `byte` opens a payload of this root.
pub(crate) fn opens(byte: u8, root: Root) -> bool {
    match root {
        Root::Object => byte == b'{',
        Root::Array => byte == b'[',
        Root::Any => matches!(byte, b'{' | b'['),
    }
}

fn first_opener(text: &str, root: Root) -> Option<usize> {
    let first_object = memchr::memchr(b'{', text.as_bytes());
    match root {
        Root::Object => first_object,
        Root::Array => memchr::memchr(b'[', text.as_bytes()),
        // A bracket pair in prose before an object is a citation; an unclosed one holds the object,
        // and one that the text starts with, and that no word follows, is a payload of its own.
        Root::Any => match first_object {
            Some(object) => {
                let before = &text.as_bytes()[..object];
                let is_payload = text.starts_with('[')
                    && before
                        .iter()
                        .rposition(|&byte| byte == b']')
                        .is_none_or(|end| !before[end..].iter().any(u8::is_ascii_alphanumeric));
                if is_payload { Some(0) } else { unclosed(before, b"[").or(Some(object)) }
            }
            None => memchr::memchr(b'[', text.as_bytes()),
        },
    }
}

/// The first `{` of `text` from `pos` on that is not part of the prose. Each byte is read at most twice: a search goes on where the last one ended.
fn first_object(text: &str, mut pos: usize) -> Option<usize> {
    let mut formula_end = 0;
    loop {
        pos += memchr::memchr(b'{', text.as_bytes().get(pos..)?)?;
        match prose_end(text, pos, &mut formula_end) {
            Some(end) => pos = end,
            None => return Some(pos),
        }
    }
}

/// Where the brace pair that opens at `pos` ends, if it is part of the prose: it holds nothing like a member.
///
/// That is so if it holds no quote, no colon and no equals sign, or stands behind a command of a formula and holds no quote.
/// An empty pair is an object, unless it belongs to a formula. `formula_end` is where the last group of a formula ended: another may follow it at once.
fn prose_end(text: &str, pos: usize, formula_end: &mut usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_formula = *formula_end == pos && pos > 0 || is_formula_before(&bytes[..pos]);
    let mut depth = 0_usize;
    for (offset, &byte) in bytes.get(pos..)?.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 1 => depth -= 1,
            b'}' => {
                let end = pos + offset + 1;
                if is_formula {
                    *formula_end = end;
                }
                let is_prose = is_formula || !is_all_blank(&text[pos + 1..end - 1]) && !is_before_member(text, end);
                return is_prose.then_some(end);
            }
            b'"' => return None,
            b':' | b'=' | b'\'' | b'[' | b'#' if !is_formula => return None,
            // A comment is no prose: the pair may be the start of a payload.
            b'<' | b'-' if !is_formula && matches!(bytes.get(pos + offset + 1), Some(b'!' | b'-')) => return None,
            b'/' if !is_formula && matches!(bytes.get(pos + offset + 1), Some(b'/' | b'*')) => return None,
            _ => {}
        }
    }
    None
}

/// Whether a key in quotes and its colon come at or behind `pos`: then the closer before it was part of a comment or of a string.
fn is_before_member(text: &str, pos: usize) -> bool {
    let peek = Peek::new(text, text.len());
    let next = peek.skip_blanks(pos);
    peek.starts_with(next, "\"") && peek.key_is_at(next)
}

/// Whether `before` ends in what a formula puts before a brace: a command (`\text`), another group, an index or a dollar sign.
fn is_formula_before(before: &[u8]) -> bool {
    let letters = before.iter().rev().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
    match before.get(..before.len() - letters).and_then(<[u8]>::last) {
        Some(b'\\') => true,
        Some(b'^' | b'_' | b'$') => letters == 0,
        _ => false,
    }
}

/// Whether `before` ends where an element of the other kind of container is due (SPEC P3).
pub(crate) fn is_element(before: &[u8], other: u8, root: Root) -> bool {
    let is_inside_other = match unclosed(before, &[other]) {
        // An object in a remark in brackets is no element of an array; what reads as one, up to the object, is.
        Some(opener) if root == Root::Object && opener > 0 => reads_as_array(&before[opener..]),
        opener => opener.is_some(),
    };
    is_inside_other || before.trim_ascii_end().last() == Some(&other)
}

/// Whether `text` starts an array whose next element is due at its end.
fn reads_as_array(text: &[u8]) -> bool {
    let mut state = State::START;
    let is_read = run(&mut state, text, 0, MAX_DEPTH, &mut ()) == Stop::Exhausted;
    is_read && matches!(state.next, Next::Value | Next::ValueOrClose) && !state.is_in_string()
}

/// The outermost opener of `text`, among `openers`, that no closer closes. Inside brackets, double quotes hide other brackets.
pub(crate) fn unclosed(text: &[u8], openers: &[u8]) -> Option<usize> {
    let mut outermost = 0;
    let mut depth = 0_usize;
    let mut strings = Strings::default();
    for (pos, &byte) in text.iter().enumerate() {
        if depth > 0 && strings.hides(byte) {
            continue;
        }
        if openers.contains(&byte) {
            if depth == 0 {
                outermost = pos;
            }
            depth += 1;
        } else if openers.iter().any(|opener| opener + 2 == byte) {
            // In ASCII a closing bracket stands two behind its opener.
            depth = depth.saturating_sub(1);
            if depth == 0 {
                strings = Strings::default();
            }
        }
    }
    (depth > 0).then_some(outermost)
}

/// Tells bytes inside double-quoted strings from those outside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Strings {
    is_inside: bool,
    is_escaped: bool,
}

impl Strings {
    /// Whether a string is open.
    pub(super) fn is_inside(self) -> bool {
        self.is_inside
    }

    /// Whether the next byte is part of a string, its quotes included.
    pub(super) fn hides(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_inside => self.is_escaped = true,
            b'"' => {
                self.is_inside = !self.is_inside;
                return true;
            }
            _ => {}
        }
        self.is_inside
    }
}
