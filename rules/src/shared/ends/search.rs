//! Finding the places where a string may end: the text is read once, and no further than somebody asked.

use std::rc::Rc;

use jsonseam_core::{Clue, Container, Fault};

use super::end::{Doubtful, End, Ending, MEMBER_IN_TEXT, Swallows};
use super::runs::Runs;
use super::swallowed::Swallowed;
use super::view::{Structure, View, is_document, starts_literal};
use super::weigh::Marks;
use crate::shared::ahead_text::key_len;
use crate::shared::content;

/// How far the end of a string is looked for, in bytes: at first, and at most. Most strings end soon.
const WINDOW: usize = 512;
const MAX_WINDOW: usize = 8192;

/// How far further ends are looked for after the first one.
const FURTHER: usize = 512;

/// How much of what follows a string is looked at.
pub(super) const NEAR: usize = 256;

/// How much of it is where the look is not rationed.
pub(super) const GLANCE: usize = 64;

/// How many brackets, commas and blanks before a quote are looked at.
const STRUCTURE: usize = 64;

/// How many ends of one string are listed.
const MOST: usize = 7;

/// How many of one that spans lines and escapes no mark: in raw code many a quote could be its end.
const MOST_OF_CODE: usize = 10;

/// Up to `len` bytes from `start` on, reduced to whole characters, and whether they reach the region's end. It is a far look-ahead, and so rationed.
pub(in crate::shared) fn window<'e>(fault: &Fault<'e>, start: usize, len: usize) -> (&'e str, bool) {
    near(fault, start, fault.allowance(len.min(fault.region_end().saturating_sub(start))))
}

/// The same where `len` is small.
pub(in crate::shared) fn near<'e>(fault: &Fault<'e>, start: usize, len: usize) -> (&'e str, bool) {
    let ahead = fault.at(start);
    let region = fault.region_end();
    let mut end = (start + len).min(region);
    let mut text = ahead.slice_to(end);
    while text.is_empty() && end > start {
        end -= 1;
        text = ahead.slice_to(end);
    }
    (text, end == region)
}

/// What is known of the ends of one string.
pub(super) struct Known {
    pub(super) string: Doubtful,
    /// The text from the start of the content on, as far as it is looked at.
    text: Box<str>,
    /// How far that was to be, in bytes.
    window: usize,
    /// Whether the text ends where the region does.
    is_whole: bool,
    is_ascii: bool,
    progress: Progress,
    /// All ends, once they are known.
    all: Option<Rc<Vec<End>>>,
    /// Those up to the place that was asked for last.
    latest: Option<(usize, Rc<Vec<End>>)>,
}

/// How far the text was read, and what was found.
#[derive(Default)]
struct Progress {
    at: usize,
    /// Offsets of the marks in the content that nothing hides.
    inner: Vec<usize>,
    hidden: usize,
    first_backslash: Option<usize>,
    has_raw_controls: bool,
    structure: Structure,
    found: Vec<End>,
    swallowed: Swallowed,
    runs: Runs,
}

impl Progress {
    /// How many ends are listed.
    fn most(&self) -> usize {
        if self.has_raw_controls && self.hidden == 0 { MOST_OF_CODE } else { MOST }
    }
}

impl Known {
    pub(super) fn new(fault: &Fault<'_>, string: Doubtful) -> Self {
        // Three quotes in a row are another way to open a string.
        let is_tripled = string.mark == '"' && fault.at(string.start).starts_with("\"\"");
        let all = is_tripled.then(Rc::default);
        let text = if is_tripled { ("", false) } else { window(fault, string.start, WINDOW) };
        Self {
            string,
            text: text.0.into(),
            window: WINDOW,
            is_whole: text.1,
            is_ascii: text.0.is_ascii(),
            progress: Progress::default(),
            all,
            latest: None,
        }
    }

    /// Looks in ever larger windows, until one holds an end and all that may be others.
    pub(super) fn all(&mut self, fault: &Fault<'_>) -> Rc<Vec<End>> {
        while self.all.is_none() {
            let is_enough = self.search().run(usize::MAX);
            if is_enough || self.is_whole || self.window >= MAX_WINDOW || self.text.len() < self.window / 2 {
                let found = std::mem::take(&mut self.progress.found);
                self.all = Some(Rc::new(self.weighed(found)));
            } else {
                let (text, is_whole) = window(fault, self.string.start, MAX_WINDOW);
                (self.text, self.is_whole, self.window) = (text.into(), is_whole, MAX_WINDOW);
                self.is_ascii = text.is_ascii();
                self.progress = Progress::default();
            }
        }
        self.all.clone().unwrap_or_default()
    }

    /// The ends up to `pos`.
    pub(super) fn up_to(&mut self, pos: usize, fault: &Fault<'_>) -> Rc<Vec<End>> {
        if let Some((_, ends)) = self.latest.as_ref().filter(|(latest, _)| *latest == pos) {
            return Rc::clone(ends);
        }
        let ends = Rc::new(self.find_up_to(pos, fault));
        self.latest = Some((pos, Rc::clone(&ends)));
        ends
    }

    fn find_up_to(&mut self, pos: usize, fault: &Fault<'_>) -> Vec<End> {
        let len = pos.saturating_sub(self.string.start);
        // A quote after nothing but structure tells of an end before it.
        let until = self.progress.runs.gap_end(len, self.text.as_bytes()) + 1;
        let is_near = self.is_whole || until + NEAR <= self.text.len();
        if self.all.is_some() || !is_near {
            return self.all(fault).iter().filter(|end| end.pos <= pos).cloned().collect();
        }
        self.search().run(until);
        let found = self.progress.found.iter().filter(|end| end.pos <= pos).cloned().collect();
        self.weighed(found)
    }

    fn search(&mut self) -> Search<'_> {
        let view = View { string: self.string, text: &self.text, is_whole: self.is_whole, is_ascii: self.is_ascii };
        Search { view, known: &mut self.progress }
    }

    /// Whether the end at `pos` is that of the last member that it swallows, whose colon is at `colon`, and no brace in the text holds that.
    fn ends_in_member(&self, colon: usize, pos: usize) -> bool {
        let start = self.string.start;
        let Some((before, value)) = self.text[..pos - start].split_at_checked(colon - start) else { return false };
        let is_braced = before.matches('{').count() > before.matches('}').count();
        let value = value.trim_start_matches(':').trim_start().strip_prefix('"');
        !is_braced && value.is_some_and(|value| !value.contains('"'))
    }

    /// Whether what looks like members, whose colons are at `colons`, belongs to a text that is whole with it: code and configuration in a value.
    /// Each is in braces that the text opens and closes, or is a line `key: value` of a text whose own key is in quotes.
    fn holds_its_members(&self, colons: &[usize], end: &End) -> bool {
        let start = self.string.start;
        // An odd mark is rather the one that opens the value of a member. Where some are escaped, those that are not have another reason.
        let are_pairs = end.inner > 0 && end.inner.is_multiple_of(2) && end.hidden == 0;
        let is_text = end.ending == Ending::Mark && are_pairs;
        if colons.is_empty() || !is_text || self.string.container != Container::Object {
            return false;
        }
        let is_quoted = self.string.member.is_some_and(|member| member.is_quoted);
        let content = &self.text.as_bytes()[..end.pos - start];
        let mut colons = colons.iter().map(|colon| colon - start).peekable();
        let mut depth = 0_usize;
        for (at, byte) in content.iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return false,
                b'}' => depth -= 1,
                b':' if colons.next_if_eq(&at).is_some() => {
                    let is_bare = || content[..at].trim_ascii_end().last().is_some_and(u8::is_ascii_alphanumeric);
                    if depth == 0 && !(is_quoted && is_bare()) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        depth == 0 && colons.peek().is_none()
    }

    /// These ends with the members that they would swallow, the cheapest first, each once.
    fn weighed(&mut self, mut ends: Vec<End>) -> Vec<End> {
        let start = self.string.start;
        // A text that is a document itself swallows nothing.
        let swallows = |end: &End| !is_document(&self.text[..end.pos - start]);
        let last = ends.iter().filter(|end| swallows(end)).map(|end| end.after + 1 - start).max().unwrap_or(0);
        let colons = self.progress.swallowed.before(last, self.text.as_bytes());
        let all: Vec<usize> = colons.map(|at| start + at).collect();
        if !all.is_empty() {
            let all: Rc<[usize]> = all.into();
            for end in ends.iter_mut().filter(|end| swallows(end)) {
                let len = all.partition_point(|&colon| colon <= end.after);
                end.swallowed = Swallows { all: Some(Rc::clone(&all)), len };
                let charged = if self.holds_its_members(&all[..len], end) { 0 } else { len };
                end.charge(Clue::SwallowedMember, charged.min(4));
                if len > 0 && end.ending == Ending::Mark && self.ends_in_member(all[len - 1], end.pos) {
                    end.doubt = end.doubt.or(Some(MEMBER_IN_TEXT));
                }
            }
        }
        // They are few. The sort of the library would be 5 KB of WebAssembly for this type alone.
        let mut sorted: Vec<End> = Vec::with_capacity(ends.len());
        for end in ends {
            sorted.insert(sorted.partition_point(|known| known.cost <= end.cost), end);
        }
        let mut seen: Vec<(usize, Ending)> = Vec::new();
        sorted.retain(|end| {
            let is_new = !seen.contains(&(end.pos, end.ending));
            seen.push((end.pos, end.ending));
            is_new
        });
        sorted
    }
}

/// The bytes at which something may end: marks, backslashes, structure, and control characters.
const TELLS: [bool; 256] = {
    let mut tells = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        tells[byte] = true;
        byte += 1;
    }
    let marks = b"\"'`\\}]:";
    let mut index = 0;
    while index < marks.len() {
        tells[marks[index] as usize] = true;
        index += 1;
    }
    tells
};

struct Search<'k> {
    view: View<'k>,
    known: &'k mut Progress,
}

impl Search<'_> {
    /// Reads on up to `limit`. Whether what was read holds an end, and all that may be others.
    fn run(&mut self, limit: usize) -> bool {
        let bytes = self.view.text.as_bytes();
        let is_double = self.view.string.mark == '"';
        let mut until = bytes.len();
        while self.known.found.len() < self.known.most() {
            if let Some(first) = self.known.found.first() {
                until = until.min(first.pos - self.view.string.start + FURTHER);
            }
            let end = until.min(limit);
            // Most bytes tell nothing.
            let rest = bytes.get(self.known.at..end).unwrap_or_default();
            let Some(plain) = rest.iter().position(|&byte| TELLS[usize::from(byte)]) else {
                self.known.at = self.known.at.max(end);
                break;
            };
            self.known.at += plain;
            self.known.at += self.step(bytes, self.known.at, is_double);
        }
        self.known.found.len() >= self.known.most() || until < bytes.len()
    }

    /// Looks at the byte at `at`. How many bytes this passes.
    fn step(&mut self, bytes: &[u8], at: usize, is_double: bool) -> usize {
        let string = self.view.string;
        match bytes[at] {
            b'\\' => {
                self.known.first_backslash.get_or_insert(at);
                if bytes.get(at + 1) == Some(&b'"') && is_double {
                    self.known.hidden += 1;
                    let is_odd = self.known.hidden % 2 == 1;
                    if is_odd && self.known.inner.is_empty() && self.view.follows(at + 2) {
                        self.push(at, at + 2, Ending::Escaped);
                    }
                }
                return 2;
            }
            byte if char::from(byte) == string.mark => self.mark_at(at, is_double),
            b'"' if !is_double => self.missing_before_quote(at),
            b'\n' => {
                self.known.has_raw_controls = true;
                if is_double {
                    self.missing_at_line(at);
                }
            }
            0..=0x1f => self.known.has_raw_controls = true,
            b'}' | b']' if is_double && !string.is_key => self.missing_at_closer(at),
            b':' if is_double && string.is_key && self.known.inner.is_empty() => self.missing_after_key(at),
            _ => {}
        }
        1
    }

    /// The mark at `at` may end the string, or open what follows it.
    fn mark_at(&mut self, at: usize, is_double: bool) {
        let bytes = self.view.text.as_bytes();
        if is_double {
            self.missing_before_quote(at);
        }
        let is_apostrophe = self.view.string.mark == '\''
            && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric())
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        if self.view.follows(at + 1) {
            self.push(at, at + 1, Ending::Mark);
        }
        if !is_apostrophe {
            self.known.inner.push(at);
        }
    }

    /// The end before the quote at `at`, if that opens a key or an element.
    fn missing_before_quote(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n');
        // An opener may stand before the quote: then what is before that is structure too.
        let is_opener = |byte: &u8| matches!(byte, b'{' | b'[') || is_gap(byte);
        let opened = at - bytes[..at].iter().rev().take(STRUCTURE).take_while(|&byte| is_opener(byte)).count();
        let end = opened;
        let gap = &bytes[end..at];
        let is_direct = gap.iter().all(is_gap);
        let is_parted = gap.contains(&b',') || gap.contains(&b'\n');
        if self.view.string.is_key || end == 0 || !is_parted || bytes[end - 1] == b':' {
            return;
        }
        let is_object = self.view.string.container == Container::Object;
        let is_key = bytes[at] == b'"' && key_len(&bytes[at..]).is_some();
        if is_object && !is_key || !is_direct && !is_key && !matches!(bytes[end - 1], b'}' | b']') {
            return;
        }
        self.missing(end, end);
        // Closers before it are structure too.
        if matches!(bytes[end - 1], b'}' | b']') {
            let is_structure = |byte: &u8| matches!(byte, b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' | b',');
            let end = end - bytes[..end].iter().rev().take_while(|&byte| is_structure(byte)).count();
            if end > 0 {
                self.missing(end, end);
            }
        }
    }

    /// The end of the line that ends at `at`, if the next one goes on as the container does.
    fn missing_at_line(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r');
        let end = at - bytes[..at].iter().rev().take_while(|&byte| is_gap(byte)).count();
        if self.view.string.is_key || end == 0 {
            return;
        }
        let next = self.known.runs.blank_end(at, bytes);
        let goes_on = match (self.view.string.container, bytes.get(next)) {
            (_, None) => false,
            (Container::Object, Some(b'}')) | (Container::Array, Some(b']')) => true,
            (Container::Object, _) => key_len(&bytes[next..]).is_some(),
            // Another element begins the next line.
            (Container::Array, Some(byte)) => {
                let is_value =
                    matches!(byte, b'"' | b'[' | b'{' | b'-' | b'0'..=b'9') || starts_literal(&bytes[next..]);
                is_value && bytes[end..at].contains(&b',')
            }
        };
        if goes_on {
            self.missing(end, end);
        }
    }

    /// The end before the closer at `at`, if closers end the line.
    fn missing_at_closer(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let closer = if self.view.string.container == Container::Object { b'}' } else { b']' };
        if bytes[at] != closer {
            return;
        }
        let after = self.known.runs.structure_end(at, bytes);
        let ends_line = match bytes.get(after) {
            None => self.view.is_whole,
            Some(byte) => *byte == b'\n',
        };
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        if !ends_line || end == 0 || bytes[end - 1] == b'"' {
            return;
        }
        if self.known.runs.owed_before(at, closer, bytes) <= 0 {
            self.missing(end, end);
            if let Some(found) = self.known.found.last_mut().filter(|found| found.pos == self.view.string.start + end) {
                found.charge(Clue::CloserInText, 1);
            }
        }
    }

    /// The end of a key before the colon at `at`.
    fn missing_after_key(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let name = self.view.text[..end].trim_end_matches(['\'', '`', '\u{2019}', '\u{201D}']);
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | '.' | '$');
        let is_whole = end - name.len() <= 3 && (1..=64).contains(&end);
        if is_whole && name.chars().all(is_name) && !bytes[at..].starts_with(b"://") {
            self.missing(end, end);
        }
    }

    fn missing(&mut self, end: usize, after: usize) {
        let text = &self.view.text[..end];
        let Some(last) = text.chars().next_back() else { return };
        let count = |mark: char| text.matches(mark).count();
        let ending = match last {
            '"' if !text.ends_with("\\\"") || self.known.hidden % 2 == 1 => return,
            '\u{201D}' if count('\u{201D}') > count('\u{201C}') => Ending::OtherMark(last.len_utf8()),
            '\'' if count('\'') == 1 && (self.view.string.is_key || !is_plural_owner(text)) => Ending::OtherMark(1),
            '`' if count('`') % 2 == 1 => Ending::OtherMark(1),
            '\\' => return,
            _ => Ending::Missing,
        };
        self.push(end, after, ending);
        if ending == Ending::Missing
            && content::may_end_before_comment(text)
            && let Some(found) = self.known.found.last_mut()
        {
            found.doubt = Some("a comment may follow the text");
        }
    }

    fn push(&mut self, end: usize, after: usize, ending: Ending) {
        let Progress { inner, hidden, first_backslash, has_raw_controls, structure, .. } = &mut *self.known;
        structure.move_to(end, self.view.text.as_bytes());
        let inner = inner.get(..inner.partition_point(|&at| at < end)).unwrap_or_default();
        let has_controls = *has_raw_controls && structure.controls > 0;
        let has_backslash = first_backslash.is_some_and(|first| first < end);
        let marks = Marks { inner, hidden: *hidden, has_backslash, has_controls, structure: *structure };
        let found = self.view.end(end..after, ending, marks);
        if self.known.found.capacity() == 0 {
            self.known.found.reserve(MOST);
        }
        self.known.found.push(found);
    }
}

/// Whether a text of several words ends as in "the dogs'": the mark may belong to it.
fn is_plural_owner(text: &str) -> bool {
    text.ends_with("s'") && text.contains(' ')
}
