//! What an end of a string leaves open: other readings that no rule can offer. Asked of the ends that are offered alone.

use jsonseam_core::{Container, Literal};

use super::end::{Doubts, End, EndMark, Ending, MEMBER_IN_TEXT, SHARED_MARK, spaced};
use super::view::{View, char_at, char_before, has_newline, key_end, skip_space_and_comments};
use crate::shared::content;
use crate::shared::words::is_spaced;

/// How many marks may show what a string would swallow.
const FEW_MARKS: usize = 10;

impl View<'_> {
    /// What is doubtful about `found`. The marks in its content are at `inner`, the colons of the members that it would swallow at `colons`.
    pub(super) fn doubts(&self, found: &End, inner: &[usize], colons: &[usize]) -> Doubts {
        let end = found.pos - found.start;
        let after = found.after - found.start;
        let text = &self.text[..end];
        let mut doubts = Doubts { mark: EndMark::Single, reading: None };
        let is_array = self.string.container == Container::Array;
        if !inner.is_empty() && !found.is_key {
            if found.ending == Ending::Mark && !is_array {
                if found.hidden == 0 && self.introduces(inner) && text.ends_with(['.', '?', '!']) {
                    doubts.mark = EndMark::Shared;
                }
                self.doubt_member(&mut doubts, inner, found.hidden, after);
            }
            self.doubt_parts(&mut doubts, found, inner);
            self.doubt_last_mark(&mut doubts, found, inner);
        }
        let is_escaped = found.ending == Ending::Escaped;
        doubts.read_if(is_escaped && is_path_with_bare_separators(text), "the backslash may end a path");
        if found.ending != Ending::Mark && is_array && !found.is_key {
            self.doubt_element(&mut doubts, found.ending, end, after);
        }
        let is_missing = found.ending == Ending::Missing;
        doubts.read_if(is_missing && content::may_end_before_comment(text), "a comment may follow the text");
        doubts.read_if(is_missing && !is_array && !found.is_key && ends_in_bare_member(text), MEMBER_IN_TEXT);
        if let Some(&last) = colons.last()
            && found.ending == Ending::Mark
            && self.ends_in_member(last, end)
        {
            doubts.reading = doubts.reading.or(Some(MEMBER_IN_TEXT));
        }
        doubts
    }

    /// A text that holds `", "key":` must not become a member, nor the reverse: only layout decides.
    fn doubt_member(&self, doubts: &mut Doubts, inner: &[usize], hidden: usize, after: usize) {
        let bytes = self.text.as_bytes();
        let comma = skip_space_and_comments(self.text, after);
        if bytes.get(comma) != Some(&b',') {
            return;
        }
        let next = skip_space_and_comments(self.text, comma + 1);
        let Some(colon) = key_end(self.text, next).filter(|_| bytes[next] == b'"') else { return };
        let is_new_line = has_newline(&self.text[after..next]);
        let gap = skip_space_and_comments(self.text, colon);
        let is_spaced = self.text.get(colon..gap).and_then(spaced);
        let is_out_of_style = self.layout.is_some_and(|layout| {
            let differs = layout.is_spaced.zip(is_spaced).is_some_and(|(own, other)| own != other);
            layout.begins_line && !is_new_line || differs
        });
        let is_even = inner.len().is_multiple_of(2) || (inner.len() + hidden).is_multiple_of(2);
        let is_lone = inner.len() == 1 && self.is_lone(inner[0]);
        let are_quoted = || inner.iter().all(|&at| self.is_quoted(at));
        let is_odd = !is_new_line && !is_even && !is_lone && doubts.mark == EndMark::Single;
        doubts.read_if(is_out_of_style || is_odd && !are_quoted(), MEMBER_IN_TEXT);
    }

    /// `"b": "c"` as a value has rather lost its braces, and `"a" "b"` a comma.
    fn doubt_parts(&self, doubts: &mut Doubts, found: &End, inner: &[usize]) {
        let is_array = self.string.container == Container::Array;
        let is_marked = found.ending == Ending::Mark;
        let (pairs, single) = inner.as_chunks::<2>();
        let has_outer = || found.hidden > 0 || self.may_be_doubled(inner, found.pos - found.start);
        let is_surrounded = is_array && inner[0] == 0 && inner.len() > 1 && has_outer();
        doubts.read_if(is_surrounded, "the quotes may surround the whole text");
        let face_outwards = || single.is_empty() && pairs.iter().all(|&pair| self.faces_outwards(pair));
        doubts.read_if(is_marked && face_outwards(), "there may be several strings with words between them");
        let has_sign = || {
            let is_odd = inner.len() < FEW_MARKS && !single.is_empty();
            let follows_sign = |marks: &[usize]| self.holds_sign([marks[0], marks[1]]);
            pairs.iter().any(|&pair| self.holds_sign(pair)) || is_odd && inner.windows(2).any(follows_sign)
        };
        let lacks_sign = || pairs.iter().take(FEW_MARKS).any(|&pair| self.precedes_container(pair));
        doubts.read_if(is_marked && has_sign() || found.ending == Ending::Missing && lacks_sign(), MEMBER_IN_TEXT);
        doubts.read_if(is_marked && is_array && self.may_be_elements(inner), "the text may be several elements");
        let part_words = || pairs.iter().any(|&pair| self.parts_words(pair));
        doubts.read_if(is_marked && part_words(), "two strings may have lost what is between them");
        for &[first, second] in pairs {
            let between = self.text.get(first + 1..second).unwrap_or_default();
            let is_before_key = || key_end(self.text, second).is_some();
            // The first byte tells most quotations.
            let begins = between.bytes().find(|byte| !byte.is_ascii_whitespace());
            if begins.is_some_and(|byte| byte.is_ascii_graphic() && !b":,[]{}".contains(&byte)) {
                continue;
            }
            match between.trim() {
                "" => doubts.read_if(second > first + 1, "two strings may have lost the comma between them"),
                ":" => doubts.read_if(inner.len() == 2, "a member may have lost its braces"),
                // A quotation has words between its marks.
                between if is_all_structure(between) => {
                    doubts.reading = Some("a container may end or begin between two strings");
                }
                between => {
                    let is_loose = is_marked && between.starts_with(',') && is_before_key();
                    doubts.read_if(is_loose, "a text that belongs to nothing may be before a member");
                }
            }
        }
    }

    /// `"ERROR""` has a mark too many, in `"x", ""y": 1` the text has swallowed a comma, and in `"He asked, "Why?"` one mark ends two things.
    fn doubt_last_mark(&self, doubts: &mut Doubts, found: &End, inner: &[usize]) {
        let end = found.pos - found.start;
        let bytes = self.text.as_bytes();
        let &[.., last] = inner else { return };
        let before = last.checked_sub(1).map_or(b' ', |before| bytes[before]);
        if found.ending != Ending::Mark || inner.len().is_multiple_of(2) || self.is_lone(last) || self.is_quoted(last) {
            return;
        }
        if self.text[last + 1..end].trim() == "," {
            doubts.reading = Some("the text may end before the comma");
        } else if last + 1 == end && inner.len() == 1 {
            // After an escaped quote it is the second one of a pair.
            if found.hidden.is_multiple_of(2) {
                doubts.mark = EndMark::Doubled;
            }
            doubts.reading = None;
        } else if doubts.mark == EndMark::Single
            && matches!(before, b' ' | b'(' | b'\n')
            && char_at(self.text, last + 1).is_some_and(char::is_alphanumeric)
        {
            doubts.reading = doubts.reading.or(Some(SHARED_MARK));
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
        let is_pair = |&[first, second]: &[usize; 2]| {
            let opens = !matches!(bytes[first + 1], b' ' | b',' | b'"');
            opens && !matches!(bytes[second - 1], b' ' | b'"') && !char_at(self.text, second + 1).is_some_and(is_spaced)
        };
        let is_gap = |&[first, second]: &[usize; 2]| {
            let between = self.text.get(first + 1..second).unwrap_or_default();
            between.chars().all(|char| char == ',' || char.is_whitespace())
        };
        let are_pairs = inner.len().is_multiple_of(2) && inner.as_chunks().0.iter().all(is_pair);
        !are_pairs || inner.last().is_some_and(|last| last + 1 == end) && inner[1..].as_chunks().0.iter().all(is_gap)
    }

    /// Whether a mark rather ends one element or opens another: `"one" (so), "two"`, `"7/36", 5/36"`, or one that begins a line.
    fn may_be_elements(&self, inner: &[usize]) -> bool {
        let bytes = self.text.as_bytes();
        let begins_line = |&at: &usize| bytes[bytes[..at].trim_ascii_end().len()..at].contains(&b'\n');
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
    fn parts_words(&self, [first, second]: [usize; 2]) -> bool {
        let bytes = self.text.as_bytes();
        let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
        let between = &self.text[first + 1..second];
        let ends_text = || matches!(bytes.get(first.wrapping_sub(1)), Some(b'.' | b'?' | b'!'));
        let is_gap = matches!(between, ", " | "; ");
        let ends = is_word(char_before(self.text, first)) || is_gap && ends_text();
        (between.is_empty() || is_gap) && ends && is_word(char_at(self.text, second + 1))
    }

    /// Whether two marks end one text and open another: `x" or "y`, `x", 2. "y`, `x"/"y`.
    fn faces_outwards(&self, [first, second]: [usize; 2]) -> bool {
        let bytes = self.text.as_bytes();
        let is_blank = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
        let ends = first > 0 && !is_blank(first - 1);
        let is_parted = is_blank(first + 1) && is_blank(second - 1) && !is_blank(second + 1);
        let touches_words = || {
            let opens = char_at(self.text, second + 1).is_some_and(char::is_alphanumeric);
            opens && !matches!(bytes[first - 1], b'(' | b'[' | b'{')
        };
        // A quotation begins or ends with a word, most often: what is between two of them does not.
        let is_sign = |at: usize| bytes[at].is_ascii_punctuation();
        let parts = || {
            let touches_blank = is_blank(first + 1) || is_blank(second - 1);
            touches_blank || matches!(bytes[first + 1], b',' | b';') || is_sign(first + 1) && is_sign(second - 1)
        };
        ends && (is_parted || second > first + 1 && touches_words() && parts())
    }

    /// Whether what is between two marks ends in the sign before a value, and both marks touch other words: `x"b:"y`, `x" (so),"y`.
    fn holds_sign(&self, [first, second]: [usize; 2]) -> bool {
        let bytes = self.text.as_bytes();
        let is_sign = match &bytes[first + 1..second] {
            [.., b':'] | [.., b':', b' '] => true,
            [begin, .., b','] | [begin, .., b',', b' '] => begin.is_ascii_whitespace(),
            _ => false,
        };
        let is_text = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let touches = first > 0 && !bytes[first - 1].is_ascii_whitespace() && bytes[first - 1] != b'(';
        // No quotation ends in a colon and a blank: `Weekly, "body: "Fine`.
        let is_key = || self.follows_comma(first) && bytes[first + 1..second].ends_with(b": ");
        is_sign && (touches || is_key()) && bytes.get(second + 1).is_some_and(is_text)
    }

    /// Whether a comma and blanks are before a mark.
    fn follows_comma(&self, at: usize) -> bool {
        let before = &self.text[..at];
        before.trim_end() != before && before.trim_end().ends_with(',')
    }

    /// Whether two marks are around what may be a key that lost its colon before a bracket: `one, "flags" ["i"`.
    fn precedes_container(&self, [first, second]: [usize; 2]) -> bool {
        let next = char_at(self.text, skip_space_and_comments(self.text, second + 1));
        self.follows_comma(first) && matches!(next, Some('[' | '{'))
    }

    /// `beta, 1` without a closing mark may be two elements; and a mark with a backslash before it may be text of the element.
    fn doubt_element(&self, doubts: &mut Doubts, ending: Ending, end: usize, after: usize) {
        let bytes = self.text.as_bytes();
        let last = self.text[..end].rsplit_once(',').map_or("", |(_, last)| last.trim());
        let is_scalar = !last.is_empty()
            && (Literal::of(last).is_some()
                || last.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')));
        let next = skip_space_and_comments(self.text, after);
        let is_on_line = bytes.get(next) == Some(&b',')
            && !has_newline(&self.text[after..skip_space_and_comments(self.text, next + 1)]);
        let hides_marks = is_on_line && self.text[..end].contains("\\\"");
        let may_part = is_scalar || hides_marks || ending == Ending::Escaped && is_on_line;
        doubts.read_if(may_part, "the text may be two elements");
    }

    /// Whether the end at `end` is that of the last member that it swallows, whose colon is at `colon`, and no brace in the text holds that.
    fn ends_in_member(&self, colon: usize, end: usize) -> bool {
        let Some((before, value)) = self.text[..end].split_at_checked(colon) else { return false };
        let is_braced = before.matches('{').count() > before.matches('}').count();
        let value = value.trim_start_matches(':').trim_start().strip_prefix('"');
        !is_braced && value.is_some_and(|value| !value.contains('"'))
    }
}

/// Whether a text ends in a comma and what would be a member without quotes, of one word each: `first, b: 1`.
fn ends_in_bare_member(text: &str) -> bool {
    let Some(comma) = text.rfind(',') else { return false };
    let key = skip_space_and_comments(text, comma + 1);
    let is_name = text[key..].starts_with(|char: char| char.is_alphabetic() || char == '_');
    let value = if is_name { key_end(text, key) } else { None }.map(|colon| text[colon..].trim());
    value.is_some_and(|value| !value.is_empty() && !value.contains(char::is_whitespace))
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
