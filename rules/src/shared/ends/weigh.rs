//! What speaks against an end of a string.

use std::ops::Range;

use jsonseam_core::{Clue, Container};

use super::end::{End, EndMark, Ending, MEMBER_IN_TEXT, SHARED_MARK, spaced};
use super::view::{Structure, View, is_document, starts_literal};
use crate::shared::ahead_text::{has_solid_newline, key_len, skip_blank_bytes};

/// How far the beginning of a quotation is looked for, in bytes.
const QUOTATION: usize = 96;

/// What the content up to an end holds.
#[derive(Clone, Copy)]
pub(super) struct Marks<'m> {
    /// Offsets of the marks of the string's own kind that nothing hides.
    pub(super) inner: &'m [usize],
    /// How many marks a backslash hides.
    pub(super) hidden: usize,
    pub(super) has_backslash: bool,
    /// Whether there are control characters.
    pub(super) has_controls: bool,
    pub(super) structure: Structure,
}

impl View<'_> {
    /// The end at `span.start`, after which the text goes on at `span.end`.
    pub(super) fn end(&self, span: Range<usize>, ending: Ending, marks: Marks<'_>) -> End {
        let Range { start: end, end: after } = span;
        let bytes = self.text.as_bytes();
        let inner = marks.inner;
        let start = self.string.start;
        let mut found = End::new(self.string, start + end, start + after, ending);
        found.inner = inner.len();
        found.hidden = marks.hidden;
        found.has_backslash = marks.has_backslash;
        found.has_doubled_marks = ending == Ending::Mark && are_doubled(inner);
        let is_key = self.string.is_key;
        let body = &bytes[..end];
        if ending != Ending::Mark {
            found.charge(Clue::NoEndMark, 1);
            let next = skip_blank_bytes(bytes, after);
            let is_on_line = !has_solid_newline(&bytes[after..skip_blank_bytes(bytes, (after + 1).min(bytes.len()))]);
            if is_on_line && bytes.get(next) == Some(&b',') {
                found.charge(Clue::NoEndMarkOnLine, 1);
            }
            let is_structure = marks.structure.opens > marks.structure.closes
                || marks.structure.controls > 0 && ends_in_line_of_closers(body);
            found.charge(Clue::OpenBracketsInText, usize::from(is_structure));
        }
        if is_key {
            found.charge(Clue::StructureInKey, usize::from(body.contains(&b'\n') || body.contains(&b',')));
            found.charge(Clue::QuotesInKey, usize::from(!inner.is_empty()));
        }
        if !inner.is_empty() {
            self.charge_inner(&mut found, marks);
        }
        found.charge(Clue::RawLines, usize::from(marks.has_controls));
        if !inner.is_empty() && !is_key {
            if ending == Ending::Mark && self.string.container == Container::Object {
                if marks.hidden == 0 && self.introduces(inner) && matches!(body, [.., b'.' | b'?' | b'!']) {
                    found.mark = EndMark::Shared;
                }
                self.doubt_member(&mut found, marks, after);
            }
            self.doubt_parts(&mut found, inner);
            self.doubt_last_mark(&mut found, inner, end);
        }
        if ending == Ending::Escaped && is_path_with_bare_separators(&self.text[..end]) {
            found.doubt = Some("the backslash may end a path");
        }
        if ending != Ending::Mark && self.string.container == Container::Array && !is_key {
            self.doubt_element(&mut found, end, after);
        }
        found
    }

    /// What the marks inside say: pairs that face words are quotations.
    fn charge_inner(&self, found: &mut End, marks: Marks<'_>) {
        let Marks { inner, hidden, .. } = marks;
        let bytes = self.text.as_bytes();
        let byte_at = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
        if found.ending != Ending::Mark {
            found.charge(Clue::SecondDefect, 1);
        }
        let quoted = inner.iter().filter(|&&at| self.is_quoted(at)).count();
        if quoted == inner.len() {
            found.charge(Clue::InnerMark, inner.len().min(10));
            return;
        }
        let paired: Vec<_>;
        let inner = if quoted == 0 {
            inner
        } else {
            paired = inner.iter().copied().filter(|&at| !self.is_quoted(at)).collect();
            &paired
        };
        if inner.len().is_multiple_of(2) || (inner.len() + hidden).is_multiple_of(2) && self.string.mark == '"' {
            found.charge(Clue::EvenMarks, 1);
            let mut parted = inner.chunks(2).filter(|pair| self.separate(pair)).peekable();
            let spans_lines = parted.peek().is_some_and(|pair| has_solid_newline(&bytes[pair[0]..pair[1]]));
            found.charge(Clue::MarksAroundLineBreak, usize::from(spans_lines));
            found.charge(Clue::MarksAroundComma, parted.count().min(2));
            let (mut faces_wrong, mut structural) = (0, 0);
            for (nth, &at) in inner.iter().enumerate().take(8) {
                let (before, after) = (byte_at(at.checked_sub(1)), byte_at(Some(at + 1)));
                let is_turned =
                    if nth % 2 == 0 { before.is_ascii_alphanumeric() } else { after.is_ascii_alphanumeric() };
                faces_wrong += usize::from(is_turned);
                structural += usize::from(matches!(after, b':' | b']' | b'}'));
            }
            found.charge(Clue::MarkFacesWord, faces_wrong.min(4));
            let is_document = is_document(&self.text[..found.pos - self.string.start]);
            found.charge(Clue::MarkBeforeStructure, if is_document { 0 } else { structural.min(3) });
        } else if inner.len() == 1
            && (self.is_lone(inner[0]) || !found.is_key && self.string.start + inner[0] + 1 == found.pos)
        {
            found.charge(Clue::InchMark, 1);
        } else {
            found.charge(Clue::OddMarks, 1);
            let parted = inner.windows(2).filter(|pair| self.separate(pair)).count();
            found.charge(Clue::MarksAroundComma, parted.min(2));
        }
        found.charge(Clue::InnerMark, inner.len().min(10));
    }

    /// Whether the mark at `at` is quoted or in brackets by itself, as in `'"'`: a text that names the mark; or ends what another kind opened: `„so"`.
    fn is_quoted(&self, at: usize) -> bool {
        if self.string.mark != '"' {
            return false;
        }
        let bytes = self.text.as_bytes();
        let around = at.checked_sub(1).and_then(|before| Some([*bytes.get(before)?, *bytes.get(at + 1)?]));
        match around {
            Some([b'\'', b'\''] | [b'`', b'`'] | [b'(', b')'] | [b'^', b']']) => true,
            Some([before, _]) if !self.is_ascii && !before.is_ascii_whitespace() && before != b',' => {
                self.ends_quotation(at)
            }
            _ => false,
        }
    }

    /// Whether a typographic mark shortly before the mark at `at` opens a quotation that nothing else ends.
    fn ends_quotation(&self, at: usize) -> bool {
        let mut start = at.saturating_sub(QUOTATION);
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        let mut marks = self.text[start..at].rmatches(['„', '“', '”', '«', '»', '"']);
        match marks.next() {
            Some("„" | "«") => true,
            // In German it ends one.
            Some("“") => marks.next() != Some("„"),
            _ => false,
        }
    }

    /// Whether the mark at `at` may be alone: inches after a short number, an apostrophe after a letter. A date or a time ends in no inches.
    fn is_lone(&self, at: usize) -> bool {
        let before = &self.text.as_bytes()[..at];
        if self.string.mark == '\'' {
            return before.last().is_some_and(u8::is_ascii_alphanumeric);
        }
        let digits = before.iter().rev().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let is_part = matches!(before[..at - digits], [.., b':' | b'='] | [.., b'0'..=b'9', b'-']);
        (1..4).contains(&digits) && !is_part
    }

    /// Whether what is between two marks begins and ends with a comma: then they rather end one text and begin the next.
    fn separate(&self, pair: &[usize]) -> bool {
        let [first, second] = pair else { return false };
        let between = self.text.as_bytes().get(first + 1..*second).unwrap_or_default().trim_ascii();
        between.starts_with(b",") && between.ends_with(b",")
    }

    /// A text that holds `", "key":` must not become a member, nor the reverse: only layout decides.
    fn doubt_member(&self, found: &mut End, marks: Marks<'_>, after: usize) {
        let Marks { inner, hidden, .. } = marks;
        let bytes = self.text.as_bytes();
        let comma = skip_blank_bytes(bytes, after);
        if bytes.get(comma) != Some(&b',') {
            return;
        }
        let next = skip_blank_bytes(bytes, comma + 1);
        let is_key = bytes.get(next) == Some(&b'"') && key_len(&bytes[next..]).is_some();
        if !is_key {
            return;
        }
        let is_new_line = has_solid_newline(&bytes[after..next]);
        let colon = key_len(&bytes[next..]).map_or(next, |len| next + len);
        let gap = skip_blank_bytes(bytes, colon);
        let is_spaced = self.text.get(colon..gap).and_then(spaced);
        let is_out_of_style = self.string.member.is_some_and(|member| {
            let differs = member.is_spaced.zip(is_spaced).is_some_and(|(own, other)| own != other);
            member.begins_line && !is_new_line || differs
        });
        let is_even = inner.len().is_multiple_of(2) || (inner.len() + hidden).is_multiple_of(2);
        let is_lone = inner.len() == 1 && self.is_lone(inner[0]);
        let are_quoted = || inner.iter().all(|&at| self.is_quoted(at));
        if is_out_of_style || !is_new_line && !is_even && !is_lone && found.mark == EndMark::Single && !are_quoted() {
            found.doubt = Some(MEMBER_IN_TEXT);
        }
    }

    /// `"b": "c"` as a value has rather lost its braces, and `"a" "b"` a comma.
    fn doubt_parts(&self, found: &mut End, inner: &[usize]) {
        let is_array = self.string.container == Container::Array;
        if is_array
            && inner[0] == 0
            && inner.len() > 1
            && (found.hidden > 0 || self.may_be_doubled(inner, found.pos - self.string.start))
        {
            found.doubt = Some("the quotes may surround the whole text");
        }
        let is_marked = found.ending == Ending::Mark;
        if is_marked && inner.len().is_multiple_of(2) && inner.chunks_exact(2).all(|pair| self.faces_outwards(pair)) {
            found.doubt = Some("there may be several strings with words between them");
        }
        if is_marked && inner.chunks_exact(2).any(|pair| self.holds_sign(pair)) {
            found.doubt = Some(MEMBER_IN_TEXT);
        }
        if is_marked && is_array && self.may_be_elements(inner) {
            found.doubt = Some("the text may be several elements");
        }
        if is_marked && inner.chunks_exact(2).any(|pair| self.parts_words(pair)) {
            found.doubt = Some("two strings may have lost what is between them");
        }
        let pairs = inner.chunks_exact(2).map(|pair| (pair, self.text.get(pair[0] + 1..pair[1]).unwrap_or_default()));
        for (pair, between) in pairs {
            let is_before_key = || self.text.as_bytes().get(pair[1]..).is_some_and(|rest| key_len(rest).is_some());
            // The first byte tells most quotations.
            let first = between.bytes().find(|byte| !byte.is_ascii_whitespace());
            if first.is_some_and(|byte| byte.is_ascii_graphic() && !b":,[]{}".contains(&byte)) {
                continue;
            }
            match between.trim() {
                "" if pair[1] > pair[0] + 1 => found.doubt = Some("two strings may have lost the comma between them"),
                ":" if inner.len() == 2 => found.doubt = Some("a member may have lost its braces"),
                // A quotation has words between its marks.
                between if is_all_structure(between) => {
                    found.doubt = Some("a container may end or begin between two strings");
                }
                between if found.ending == Ending::Mark && between.starts_with(',') && is_before_key() => {
                    found.doubt = Some("a text that belongs to nothing may be before a member");
                }
                _ => {}
            }
        }
    }

    /// `"ERROR""` has a mark too many, in `"x", ""y": 1` the text has swallowed a comma, and in `"He asked, "Why?"` one mark ends two things.
    fn doubt_last_mark(&self, found: &mut End, inner: &[usize], end: usize) {
        let bytes = self.text.as_bytes();
        let &[.., last] = inner else { return };
        let before = last.checked_sub(1).map_or(b' ', |before| bytes[before]);
        if found.ending != Ending::Mark || inner.len().is_multiple_of(2) || self.is_lone(last) || self.is_quoted(last) {
            return;
        }
        if self.text[last + 1..end].trim() == "," {
            found.doubt = Some("the text may end before the comma");
        } else if last + 1 == end && inner.len() == 1 {
            // After an escaped quote it is the second one of a pair.
            if found.hidden.is_multiple_of(2) {
                found.mark = EndMark::Doubled;
            }
            found.doubt = None;
        } else if found.mark == EndMark::Single
            && matches!(before, b' ' | b'(' | b'\n')
            && bytes.get(last + 1).is_some_and(u8::is_ascii_alphanumeric)
        {
            found.doubt = found.doubt.or(Some(SHARED_MARK));
        }
    }

    /// Whether the only mark opens what somebody says: `He asks, "Why`.
    fn introduces(&self, inner: &[usize]) -> bool {
        let &[at] = inner else { return false };
        let words = self.text[..at].strip_suffix([' ']).and_then(|text| text.strip_suffix([',', ':']));
        let begins = self.text[at + 1..].starts_with(char::is_alphabetic);
        begins && words.is_some_and(|words| words.ends_with(char::is_alphabetic) && words.contains(' '))
    }

    /// Whether a text that begins with a mark is rather one or several elements whose quotes were doubled: the marks in it are not pairs that face their
    /// words, or it ends with a mark too, and between the quotations there is nothing but commas.
    fn may_be_doubled(&self, inner: &[usize], end: usize) -> bool {
        let bytes = self.text.as_bytes();
        let is_pair = |pair: &[usize]| {
            let opens = !matches!(bytes[pair[0] + 1], b' ' | b',' | b'"');
            let closes = !matches!(bytes[pair[1] - 1], b' ' | b'"')
                && !bytes.get(pair[1] + 1).is_some_and(u8::is_ascii_alphanumeric);
            opens && closes
        };
        let is_gap = |pair: &[usize]| {
            let between = self.text.get(pair[0] + 1..pair[1]).unwrap_or_default();
            between.chars().all(|char| char == ',' || char.is_whitespace())
        };
        let are_pairs = inner.len().is_multiple_of(2) && inner.chunks_exact(2).all(is_pair);
        !are_pairs || inner.last().is_some_and(|last| last + 1 == end) && inner[1..].chunks_exact(2).all(is_gap)
    }

    /// Whether a mark rather ends one element or opens another: `"one" (so), "two"`, `"7/36", 5/36"`, or one that begins a line.
    fn may_be_elements(&self, inner: &[usize]) -> bool {
        let bytes = self.text.as_bytes();
        let begins_line = |&at: &usize| {
            bytes[..at].trim_ascii_end().len() < at && has_solid_newline(&bytes[bytes[..at].trim_ascii_end().len()..at])
        };
        let opens_last = |first: usize, last: usize| {
            let between = self.text.get(first + 1..last).unwrap_or_default();
            between.trim_end() != between && between.trim_end().ends_with(',')
        };
        match *inner {
            [only] => !self.is_quoted(only) && (bytes.get(only + 1) == Some(&b',') || begins_line(&only)),
            [.., first, last] => {
                inner.iter().any(begins_line) || inner.len().is_multiple_of(2) && opens_last(first, last)
            }
            [] => false,
        }
    }

    /// Whether two marks with nothing but a comma and a blank between them, or nothing at all, stand between two words: `Rome""Oslo`, `Rome', 'Oslo`.
    fn parts_words(&self, pair: &[usize]) -> bool {
        let &[first, second] = pair else { return false };
        let bytes = self.text.as_bytes();
        let is_word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        let between = &self.text[first + 1..second];
        let ends_text = || matches!(bytes.get(first.wrapping_sub(1)), Some(b'.' | b'?' | b'!'));
        let is_gap = matches!(between, ", " | "; ");
        let ends = is_word(first.checked_sub(1)) || is_gap && ends_text();
        (between.is_empty() || is_gap) && ends && is_word(Some(second + 1))
    }

    /// Whether two marks end one text and open another: `x" or "y`.
    fn faces_outwards(&self, pair: &[usize]) -> bool {
        let bytes = self.text.as_bytes();
        let is_blank = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
        let &[first, second] = pair else { return false };
        first > 0 && !is_blank(first - 1) && is_blank(first + 1) && is_blank(second - 1) && !is_blank(second + 1)
    }

    /// Whether what is between two marks ends in the sign before a value, and both marks touch other words: `x"b:"y`, `x" (so),"y`.
    fn holds_sign(&self, pair: &[usize]) -> bool {
        let &[first, second] = pair else { return false };
        let bytes = self.text.as_bytes();
        let is_sign = match &bytes[first + 1..second] {
            [.., b':'] | [.., b':', b' '] => true,
            [begin, .., b','] | [begin, .., b',', b' '] => begin.is_ascii_whitespace(),
            _ => false,
        };
        let is_text = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let touches = first > 0 && !bytes[first - 1].is_ascii_whitespace() && bytes[first - 1] != b'(';
        is_sign && touches && bytes.get(second + 1).is_some_and(is_text)
    }

    /// `beta, 1` without a closing mark may be two elements; and a mark with a backslash before it may be text of the element.
    fn doubt_element(&self, found: &mut End, end: usize, after: usize) {
        let bytes = self.text.as_bytes();
        let last = self.text[..end].rsplit_once(',').map_or("", |(_, last)| last.trim());
        let is_scalar = !last.is_empty()
            && (starts_literal(last.as_bytes())
                || last.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')));
        let next = skip_blank_bytes(bytes, after);
        let is_on_line =
            bytes.get(next) == Some(&b',') && !has_solid_newline(&bytes[after..skip_blank_bytes(bytes, next + 1)]);
        let hides_marks = is_on_line && self.text[..end].contains("\\\"");
        if is_scalar || hides_marks || found.ending == Ending::Escaped && is_on_line {
            found.doubt = Some("the text may be two elements");
        }
    }
}

/// Whether a text holds a path with a drive letter, or is that of a share, whose backslashes no one escaped.
fn is_path_with_bare_separators(text: &str) -> bool {
    // Nothing but the drive, whose separator is the backslash that ends the text.
    let ends_in_drive = text.strip_suffix(':').is_some_and(|text| {
        let mut last = text.chars().rev();
        last.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && last.next().is_none_or(|before| !before.is_alphanumeric())
    });
    ends_in_drive || text.starts_with("\\\\") || text.split_once(":\\").is_some_and(|(_, path)| !path.starts_with('\\'))
}

/// Whether this is a comma with brackets, and nothing else.
fn is_all_structure(text: &str) -> bool {
    let is_bracket = |char: char| matches!(char, '[' | ']' | '{' | '}');
    text.chars().all(|char| char == ',' || is_bracket(char) || char.is_whitespace())
        && text.contains(',')
        && text.contains(is_bracket)
}

/// Whether a closer begins the last of several lines: then it is rather one of the payload.
pub fn ends_in_line_of_closers(body: &[u8]) -> bool {
    let last_line = body.rsplit(|&byte| byte == b'\n').next().filter(|line| line.len() < body.len());
    last_line.is_some_and(|line| matches!(line.trim_ascii(), [b'}' | b']', ..]))
}

/// Whether the marks at these places come in pairs without anything between, an even number of them.
fn are_doubled(inner: &[usize]) -> bool {
    inner.len().is_multiple_of(4) && !inner.is_empty() && inner.chunks(2).all(|pair| pair[1] == pair[0] + 1)
}
