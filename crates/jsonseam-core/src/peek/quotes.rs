//! Strings in other quotes that take more thought: quotes of their own kind inside, quotes in rows, or another mark at the end.

use std::ops::Range;

use super::Peek;
use super::strings::closers_of;
use super::trial::Fit;
use crate::fault::Container;
use crate::recognise::State;

/// How many marks that could end a string are weighed.
const MAX_MARKS: usize = 64;

/// How far an end is looked for, in bytes.
const WINDOW: usize = 4096;

/// How long a key may be that lacks a quote, in bytes.
const KEY: usize = 64;

impl Peek<'_> {
    /// Whether a string that began in the state `before` could end before `pos`, at a glance.
    pub(crate) fn could_end(&self, before: &State, pos: usize) -> bool {
        if before.expects_key() {
            return self.colon_follows(pos);
        }
        let container = match (before.depth, before.is_in_object()) {
            (0, _) => None,
            (_, true) => Some(Container::Object),
            (_, false) => Some(Container::Array),
        };
        self.value_could_end(pos, container)
    }

    /// The text ahead, as far as an end is looked for.
    fn near(&self, pos: usize) -> &str {
        self.source.get(pos..self.boundary_before(pos + WINDOW)).unwrap_or_default()
    }

    /// The position after a quoted text on one line that opens at `pos` with `quote`: behind its first closing mark where it could end.
    pub(super) fn fitting_end(&self, before: &State, pos: usize, quote: char) -> Option<usize> {
        let start = pos + quote.len_utf8();
        let ahead = self.near(start);
        let closers = closers_of(quote);
        let mut marks = ahead.match_indices(|char: char| closers.contains(&char) || char == '\n').take(MAX_MARKS);
        let end = marks.find_map(|(at, mark)| {
            let end = start + at + mark.len();
            (mark == "\n" || self.could_end(before, end)).then_some((end, mark != "\n"))
        });
        self.charge(end.map_or(ahead.len(), |(end, _)| end - start));
        end.filter(|&(_, is_closed)| is_closed).map(|(end, _)| end)
    }

    /// The content of a string from `start` on that ends at a mark of its own kind, with other such marks inside: the first behind pairs of them
    /// where the text reads on to the end, or in an object behind one too many if it reads on well. A mark between two letters is an apostrophe.
    pub(crate) fn tricky_content(&self, before: &State, start: usize, mark: char) -> Option<Range<usize>> {
        self.search(|| self.tricky_content_near(before, start, mark))
    }

    fn tricky_content_near(&self, before: &State, start: usize, mark: char) -> Option<Range<usize>> {
        let ahead = self.near(start);
        let line = ahead.find('\n').unwrap_or(ahead.len());
        let content = ahead.get(..line).unwrap_or_default();
        self.charge(content.len());
        let mut inner = 0;
        let mut is_odd = false;
        for (at, _) in content.match_indices(mark).take(MAX_MARKS) {
            let (text, rest) = (&content[..at], &content[at + mark.len_utf8()..]);
            let is_apostrophe = text.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric)
                || text.ends_with('\\');
            if is_apostrophe {
                continue;
            }
            let after = start + at + mark.len_utf8();
            let fit = if self.could_end(before, after) { self.fit_after_string(*before, after) } else { Fit::Breaks };
            let is_even = inner % 2 == 0;
            if fit >= Fit::Flawed && (is_even || before.is_in_object() && fit == Fit::Fits) {
                return (!is_odd && !has_meeting_marks(text, mark)).then_some(start..start + at);
            }
            is_odd |= fit >= Fit::Flawed;
            inner += 1;
        }
        None
    }

    /// The content of a text on one line from `start` to the first double quote, if that could end it and the text behind it reads on to the end.
    pub(crate) fn content_to_quote(&self, before: &State, start: usize) -> Option<Range<usize>> {
        let end = self.find("\"", start)?;
        let limit = if before.expects_key() { KEY } else { WINDOW };
        if end == start || end - start > limit {
            return None;
        }
        self.search(|| {
            let is_text = |char: char| char >= ' ' && !matches!(char, '\\' | '\u{201C}' | '\u{201D}');
            let fits = self.slice(start..end).chars().all(is_text)
                && self.could_end(before, end + 1)
                && self.fit_after_string(*before, end + 1) >= Fit::Begins;
            fits.then_some(start..end)
        })
    }

    /// Where a key whose content starts at `start` ends without a quote: at the end of the name before the first colon, if the text reads on from there.
    pub(crate) fn missing_key_end(&self, before: &State, start: usize) -> Option<usize> {
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '$' | ' ');
        let len = self.near(start).bytes().take(KEY + 1).count();
        let name = self.slice(start..self.boundary_before(start + len));
        let name = name.split(|char| !is_name(char)).next().unwrap_or_default().trim_end();
        let end = start + name.len();
        let is_key = !name.is_empty()
            && name.len() <= KEY
            && !name.starts_with(' ')
            && self.colon_follows(end)
            && !self.starts_with(end, "://");
        self.search(|| (is_key && self.fit_after_string(*before, end) >= Fit::Begins).then_some(end))
    }

    /// The content from `start` to the first run of three or more `mark`, without its last three, if its escapes are those of JSON or of a mark.
    pub(crate) fn tripled_content(&self, start: usize, mark: char) -> Option<Range<usize>> {
        let needle = if mark == '"' { "\"\"\"" } else { "'''" };
        let first = self.find(needle, start)?;
        let end = first + self.run_len(first, |char| char == mark) - needle.len();
        let content = self.slice(start..end);
        // On one line, quotes inside could as well be those of a text that begins and ends with a quoted word.
        let hides_all = content.match_indices(mark).all(|(at, _)| content[..at].ends_with('\\'));
        let is_plain = hides_all || content.contains('\n');
        (is_plain && has_known_escapes(content, mark)).then_some(start..end)
    }

    /// The content of a string from `start` to the first quote that is not doubled, if the quotes inside are all doubled,
    /// and an even number of times, and the text behind it reads on to the end.
    pub(crate) fn doubled_content(&self, before: &State, start: usize) -> Option<Range<usize>> {
        self.search(|| self.doubled_content_near(before, start))
    }

    fn doubled_content_near(&self, before: &State, start: usize) -> Option<Range<usize>> {
        let bytes = self.near(start).as_bytes();
        let (mut len, mut pairs) = (0, 0);
        while let Some(&byte) = bytes.get(len) {
            len += match (byte, bytes.get(len + 1)) {
                (b'\\', _) => 2,
                (b'"', Some(b'"')) => {
                    pairs += 1;
                    2
                }
                (b'"', _) => break,
                (0..b' ', _) => {
                    pairs = 0;
                    break;
                }
                _ => 1,
            };
        }
        self.charge(len + 1);
        let end = start + len;
        let is_doubled = pairs > 0 && pairs % 2 == 0 && self.starts_with(end, "\"") && self.could_end(before, end + 1);
        (is_doubled && self.fit_after_string(*before, end + 1) >= Fit::Flawed).then_some(start..end)
    }
}

/// Whether two marks in `content` stand side by side with blanks between: two strings, or two quoted words.
fn has_meeting_marks(content: &str, mark: char) -> bool {
    let inner = content.split_once(mark).and_then(|(_, rest)| rest.rsplit_once(mark)).map_or("", |(inner, _)| inner);
    let between =
        content.split_once(mark).filter(|_| content.matches(mark).count() == 2).map_or(inner, |(_, rest)| rest);
    between.split(mark).any(|piece| !piece.is_empty() && piece.trim().is_empty())
}

impl Peek<'_> {
    /// Whether every backslash in the content begins an escape of JSON, or hides `mark`.
    pub(crate) fn has_known_escapes(&self, content: Range<usize>, mark: char) -> bool {
        has_known_escapes(self.slice(content), mark)
    }
}

/// Whether every backslash in `content` begins an escape of JSON, or hides `mark`.
fn has_known_escapes(content: &str, mark: char) -> bool {
    let mut rest = content;
    while let Some((_, after)) = rest.split_once('\\') {
        let mut chars = after.chars();
        let is_known = match chars.next() {
            Some('u') => after.get(1..5).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())),
            Some(char) => char == mark || matches!(char, '\'' | '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't'),
            None => false,
        };
        if !is_known {
            return false;
        }
        rest = chars.as_str();
    }
    true
}
