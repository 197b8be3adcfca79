//! Where a string ends whose quotes were not escaped, or one of whose quotes is missing.
//!
//! A quote that belongs to the text is one of a pair, so an end lies behind an even number of them;
//! and behind the end the text goes on as members or elements do. Both together leave one reading, or none is taken.

use super::Peek;
use super::trial::Fit;
use crate::fault::Container;
use crate::recognise::State;

/// Where a string ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StringEnd {
    /// The end of its content.
    pub(crate) pos: usize,
    /// Whether a quote stands there.
    pub(crate) is_quoted: bool,
}

/// The string whose end is in question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// Where its content starts.
    pub(crate) start: usize,
    /// The state in which it began.
    pub(crate) before: State,
    /// Whether its member begins a line of its own, so that others may be expected to.
    pub(crate) begins_line: bool,
    /// What the contract says of the key it is the value of.
    pub(crate) is_declared: Option<bool>,
    /// Whether a blank stands between the colon before it and its quote, if it is the value of a member.
    pub(crate) is_spaced: Option<bool>,
}

/// How far behind an end that fits another one is looked for, in bytes.
const FURTHER: usize = 512;

/// How many closers, commas and blanks may end a line, and how much of that line is read for openers.
const CLOSERS: usize = 32;
const LINE: usize = 512;

/// How many commas, brackets and blanks in a row are read backwards.
const STRUCTURE: usize = 256;

/// How many closers at the end of a content are taken for closers of containers.
const MAX_CLOSERS: usize = 4;

/// How many ends with a quote too many before them are weighed.
const MAX_ODD: usize = 4;

/// A place where the string may end.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    end: StringEnd,
    /// How many quotes that nothing hides stand in the content before it.
    inner: usize,
    fit: Fit,
    /// What the contract says of the key behind it.
    is_declared: Option<bool>,
    /// Whether a comma follows it.
    before_comma: bool,
    /// Whether what follows it begins a line.
    before_line: bool,
    /// Whether the colon of the member behind it is followed by a blank, or not, as the one before the string is.
    is_in_style: bool,
}

impl Candidate {
    /// How good it is: the fit first, then what the contract says.
    fn merit(&self) -> (Fit, u8) {
        let declared = match self.is_declared {
            Some(true) => 2,
            None => 1,
            Some(false) => 0,
        };
        (self.fit, declared)
    }
}

impl Peek<'_> {
    /// Where the string of `question` ends, if one reading stands out. Answers are remembered for the string asked about last.
    pub(crate) fn string_end(&self, question: &Question) -> Option<StringEnd> {
        let known = self.ends.get();
        if let Some((start, end)) = known
            && start == question.start
        {
            self.charge(1);
            return end;
        }
        let end = self.decide_end(question);
        self.ends.set(Some((question.start, end)));
        end
    }

    /// The end of the string whose content starts at `start`, if that was asked for last and decided.
    pub(crate) fn known_end(&self, start: usize) -> Option<usize> {
        let (known, end) = self.ends.get()?;
        end.filter(|_| known == start).map(|end| end.pos)
    }

    fn decide_end(&self, question: &Question) -> Option<StringEnd> {
        // Three quotes in a row are another way to open a string.
        if self.starts_with(question.start, "\"\"") {
            return None;
        }
        self.search(|| {
            let mut search = Search {
                peek: self,
                question,
                even: None,
                missing: None,
                odd: Vec::new(),
                is_doubtful: false,
                undeclared: None,
            };
            let read = search.run();
            self.charge(read);
            search.verdict()
        })
    }
}

/// What all searches for the ends of strings may read together: so many times the text, and so many bytes.
const SHARE: u64 = 4;
const FLOOR: u64 = 16 << 10;

impl Peek<'_> {
    /// Runs a search for the end of a string. All of them together read a bounded multiple of the text; one that runs beyond that finds nothing.
    pub(super) fn search<T>(&self, search: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.search_began.get().is_some() || self.has_searched_enough() {
            return None;
        }
        let began = self.examined();
        self.search_began.set(Some(began));
        let found = search();
        let is_over = self.has_searched_enough();
        self.search_began.set(None);
        self.searched.set(self.searched.get() + self.examined() - began);
        found.filter(|_| !is_over)
    }

    /// Whether the searches have read what they may.
    pub(super) fn has_searched_enough(&self) -> bool {
        let now = self.search_began.get().map_or(0, |began| self.examined() - began);
        self.searched.get() + now > SHARE * self.source.len() as u64 + FLOOR
    }
}

struct Search<'s, 'e> {
    peek: &'s Peek<'e>,
    question: &'s Question,
    /// The first end at a quote with pairs of quotes before it.
    even: Option<Candidate>,
    /// The best end without a quote.
    missing: Option<Candidate>,
    /// Ends at a quote with one quote too many before them.
    odd: Vec<Candidate>,
    /// Whether an end was passed over that could be one.
    is_doubtful: bool,
    /// The first end behind which a member stands that the contract forbids: taken where no other is left, so that the contract refuses it.
    undeclared: Option<Candidate>,
}

impl<'e> Search<'_, 'e> {
    /// Looks at every quote and every place that looks like an end, and tells how much it read.
    fn run(&mut self) -> usize {
        let start = self.question.start;
        let bytes = self.peek.ahead(start).as_bytes();
        let mut inner = 0;
        let mut hidden = 0;
        let mut offset = 0;
        let mut until = bytes.len();
        while let Some(&byte) = bytes.get(offset).filter(|_| offset < until) {
            let pos = start + offset;
            let found = match byte {
                b'\\' => {
                    hidden += usize::from(bytes.get(offset + 1) == Some(&b'"'));
                    offset += 2;
                    continue;
                }
                b'"' => {
                    inner += 1;
                    let without = self.missing_before_key(pos, inner - 1);
                    self.quote(pos, inner - 1, hidden) || without
                }
                b'\n' => {
                    let blanks = self.peek.run_len(pos, char::is_whitespace);
                    offset += blanks - 1;
                    self.missing_before_closer(pos, pos + blanks, inner)
                }
                b'}' | b']' => self.missing_at_closer(pos, inner),
                _ => false,
            };
            if found {
                until = until.min(offset + FURTHER);
            }
            if self.even.is_some() || self.peek.has_searched_enough() {
                break;
            }
            offset += 1;
        }
        offset
    }

    fn container(&self) -> Option<Container> {
        let before = &self.question.before;
        match (before.depth, before.is_in_object()) {
            (0, _) => None,
            (_, true) => Some(Container::Object),
            (_, false) => Some(Container::Array),
        }
    }

    /// Weighs the quote at `pos` as the end. Whether it fits.
    fn quote(&mut self, pos: usize, inner: usize, hidden: usize) -> bool {
        // One of a pair may have been escaped, and the other not.
        let is_even = inner.is_multiple_of(2) || (inner + hidden).is_multiple_of(2);
        // `"b": "c"` as a value is rather a member that lost its braces.
        self.is_doubtful |= inner + hidden == 0 && self.peek.colon_follows(pos + 1);
        if !is_even && self.odd.len() >= MAX_ODD || !self.is_followed_well(pos + 1) {
            return false;
        }
        let candidate = self.weigh(StringEnd { pos, is_quoted: true }, pos + 1, inner);
        if candidate.fit == Fit::Breaks {
            return false;
        }
        if !is_even {
            self.odd.push(candidate);
            return candidate.fit >= Fit::Flawed;
        }
        // In an array on one line `", "` is no more than what a text about words holds too.
        let is_doubtful = self.container() == Some(Container::Array)
            && candidate.before_comma
            && !candidate.before_line
            && candidate.fit < Fit::Fits;
        if candidate.is_declared == Some(false) {
            self.undeclared = self.undeclared.or(Some(candidate));
        } else if is_doubtful || !candidate.is_in_style {
            self.is_doubtful = true;
        } else if candidate.fit >= Fit::Begins {
            self.even = Some(candidate);
        }
        false
    }

    /// Whether what stands at `pos` can follow a value: what the container allows, or a key or a string before which a comma was lost.
    fn is_followed_well(&self, pos: usize) -> bool {
        // Comments keep a distance from the quote; what touches it is text. Where nothing follows, the text was cut, anywhere in the value.
        let is_cut = self.peek.char_at(self.peek.skip_blanks(pos)).is_none();
        if is_cut || matches!(self.peek.char_at(pos), Some('#' | '/')) {
            return false;
        }
        if self.peek.value_could_end(pos, self.container()) {
            return true;
        }
        let next = self.peek.skip_blanks(pos);
        next > pos
            && match self.container() {
                Some(Container::Object) => self.peek.key_is_at(next),
                Some(Container::Array) => self.peek.starts_with(next, "\""),
                None => false,
            }
    }

    fn weigh(&self, end: StringEnd, after: usize, inner: usize) -> Candidate {
        let peek = self.peek;
        let fit = peek.fit_after_string(self.question.before, after);
        let gap_end = peek.skip_blanks(after);
        let before_comma = peek.starts_with(gap_end, ",");
        let next = if before_comma { peek.skip_blanks(gap_end + 1) } else { gap_end };
        let before_line = peek.slice(after..next).contains('\n');
        let is_declared = match self.container() {
            Some(Container::Object) if peek.guide().is_some() => {
                peek.key_at(next).and_then(|key| peek.declares_key(0, key))
            }
            _ => None,
        };
        let is_in_style = !before_comma || self.is_in_style(next, before_line);
        Candidate { end, inner, fit, is_declared, before_comma, before_line, is_in_style }
    }

    /// Whether the member whose key stands at `next` is laid out as that of the string: on a line of its own, and with a blank behind its colon.
    fn is_in_style(&self, next: usize, before_line: bool) -> bool {
        let is_spaced = || {
            let quote = self.peek.char_at(next).filter(|&char| char == '"')?;
            let colon = self.peek.skip_blanks(self.peek.quoted_end(next, quote)?);
            let after = self.peek.char_at(colon + 1)?;
            Some(after.is_whitespace())
        };
        let spaced = self.question.is_spaced.is_none_or(|own| is_spaced().is_none_or(|spaced| spaced == own));
        spaced && (before_line || !self.question.begins_line)
    }

    /// Weighs the end that lies before the comma or the line break in front of a key, or of an element, whose opening quote stands at `pos`.
    fn missing_before_key(&mut self, pos: usize, inner: usize) -> bool {
        let peek = self.peek;
        if !self.may_lack_quote(inner) || pos == self.question.start {
            return false;
        }
        let content = peek.source.get(self.question.start..pos).unwrap_or_default();
        let text = trim_structure(content);
        let structure = content.get(text.len()..).unwrap_or_default();
        peek.charge(structure.len() + 1);
        let is_direct = !structure.contains(['{', '}', '[', ']']);
        let is_parted = structure.contains([',', '\n', '\r', '}', ']']);
        if !is_parted || is_direct && self.container() == Some(Container::Object) && !peek.key_is_at(pos) {
            return false;
        }
        let longer = self.with_own_closers(text, structure);
        let mut found = self.missing_at(longer, inner);
        let mut splits = structure.char_indices().filter(|(_, char)| matches!(char, '}' | ']')).take(MAX_CLOSERS);
        found |= self.missing_at(text, inner);
        found | splits.any(|(at, _)| self.missing_at(&content[..=text.len() + at], inner))
    }

    /// `text` with those closers of the `structure` behind it that its own openers are waiting for.
    fn with_own_closers(&self, text: &str, structure: &str) -> &'e str {
        let latest = || text.chars().rev().take(LINE).take_while(|&char| char != '\n');
        let mut owed = latest().filter(|char| matches!(char, '{' | '[')).count();
        owed = owed.saturating_sub(latest().filter(|char| matches!(char, '}' | ']')).count());
        self.peek.charge(LINE.min(text.len()));
        let own = structure.bytes().take_while(|byte| matches!(byte, b'}' | b']')).take(owed).count();
        let end = self.question.start + text.len() + own;
        self.peek.source.get(self.question.start..end).unwrap_or_default()
    }

    /// Whether an end without a quote may still be found: the quotes before it are paired, no quote before it could be the end, and no better one is known.
    fn may_lack_quote(&self, inner: usize) -> bool {
        inner.is_multiple_of(2) && self.odd.is_empty() && self.missing.is_none_or(|known| known.fit < Fit::Fits)
    }

    /// Weighs the end of `content`, which begins where the string does, as one without a quote.
    fn missing_at(&mut self, content: &str, inner: usize) -> bool {
        if content.is_empty() || !self.may_lack_quote(inner) {
            return false;
        }
        // A quote there would be the end itself, unless it is hidden; a backslash would hide the one that is put there.
        let before = content.trim_end_matches('\\').len();
        let is_hidden = |content: &str| content.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
        if content.strip_suffix('"').is_some_and(|before| !is_hidden(before)) || before < content.len() {
            return false;
        }
        let pos = self.question.start + content.len();
        let candidate = self.weigh(StringEnd { pos, is_quoted: false }, pos, inner);
        if candidate.fit >= Fit::Flawed && (self.ends_in_element(content) || self.quotes_around(content)) {
            self.is_doubtful = true;
        } else if candidate.fit >= Fit::Begins && self.missing.is_none_or(|known| candidate.merit() > known.merit()) {
            self.missing = Some(candidate);
        }
        candidate.fit >= Fit::Flawed
    }

    /// Whether `content`, of an element, or the element that would follow it on the same line holds an escaped quote:
    /// then the quote between them may be one of that text which nobody escaped.
    fn quotes_around(&self, content: &str) -> bool {
        if self.container() != Some(Container::Array) {
            return false;
        }
        let end = self.question.start + content.len();
        let ahead = self.peek.ahead(end);
        let gap = ahead.bytes().take(STRUCTURE).take_while(|&byte| byte != b'"').count();
        let next = self.peek.quoted_end(end + gap, '"').map_or("", |next| self.peek.slice(end + gap..next));
        self.peek.charge(gap + content.len());
        !self.peek.slice(end..end + gap).contains('\n') && (content.contains("\\\"") || next.contains("\\\""))
    }

    /// Whether `content`, of an element, ends in what could be another element by itself: `beta, 1`.
    fn ends_in_element(&self, content: &str) -> bool {
        let latest = content.rsplit_once(',').filter(|_| self.container() == Some(Container::Array));
        latest.is_some_and(|(_, latest)| {
            let pos = self.question.start + content.len() - latest.trim_start().len();
            self.peek.charge(latest.len());
            self.peek.word_at(pos).len() == latest.trim().len()
                && (self.peek.foreign_scalar_is_at(pos)
                    || latest.trim_start().starts_with(|char: char| char.is_ascii_digit()))
        })
    }

    /// Weighs the end of the line that ends at `pos`, before a line that begins with a closer at `next`, or in an array before the comma that ends it.
    fn missing_before_closer(&mut self, pos: usize, next: usize, inner: usize) -> bool {
        let closes = matches!(
            (self.container(), self.peek.char_at(next)),
            (Some(Container::Object), Some('}')) | (Some(Container::Array), Some(']'))
        );
        if !self.may_lack_quote(inner) {
            return false;
        }
        let content = self.peek.source.get(self.question.start..pos).unwrap_or_default().trim_end();
        match content.strip_suffix(',').filter(|_| self.container() == Some(Container::Array)) {
            _ if closes => self.missing_at(content, inner),
            // Another element may begin the next line.
            Some(element) => self.missing_at(element.trim_end(), inner),
            None => false,
        }
    }

    /// Weighs the end before the closer at `pos`, if that ends its line or the region, and the content holds no opener for it.
    fn missing_at_closer(&mut self, pos: usize, inner: usize) -> bool {
        let closer = self.peek.char_at(pos);
        let (opener, byte) = match self.container() {
            Some(Container::Object) => ('{', '}'),
            Some(Container::Array) => ('[', ']'),
            None => return false,
        };
        if closer != Some(byte) || !self.may_lack_quote(inner) {
            return false;
        }
        let ahead = self.peek.ahead(pos);
        let run =
            ahead.bytes().take(CLOSERS).take_while(|byte| matches!(byte, b'}' | b']' | b',' | b' ' | b'\t' | b'\r'));
        let after = run.count();
        self.peek.charge(after + 1);
        if !matches!(ahead.as_bytes().get(after), None | Some(b'\n')) {
            return false;
        }
        let content = self.peek.source.get(self.question.start..pos).unwrap_or_default();
        let line = content.chars().rev().take(LINE).take_while(|&char| char != '\n');
        let owed = line.fold(0, |owed, char| owed + i32::from(char == opener) - i32::from(char == byte));
        self.peek.charge(LINE.min(content.len()));
        owed <= 0 && self.missing_at(content.trim_end(), inner)
    }

    /// The end that stands out, if one does.
    fn verdict(&self) -> Option<StringEnd> {
        if self.is_doubtful {
            return None;
        }
        let line = self.odd.iter().find(|odd| self.question.begins_line && odd.before_line && odd.fit >= Fit::Flawed);
        match (self.even, self.missing) {
            (Some(even), Some(missing)) => {
                let is_parted = even.inner.is_multiple_of(2);
                let fits_better = missing.fit == Fit::Fits && (even.fit < Fit::Fits || !is_parted);
                let is_missing = fits_better || missing.before_line;
                let is_array = self.container() == Some(Container::Array);
                let is_even =
                    even.fit == Fit::Fits && (missing.fit == Fit::Begins || is_array && missing.fit < Fit::Fits);
                match (is_missing, is_even) {
                    (true, false) => return Some(missing.end),
                    (false, true) => return Some(even.end),
                    _ => return None,
                }
            }
            (Some(even), None) => {
                let inch = self.odd.first().filter(|odd| odd.fit >= Fit::Flawed && self.is_inch_before(odd.end.pos));
                let end = line.or(inch).map_or(even.end, |odd| odd.end);
                return (!self.is_wrapped(even)).then_some(end);
            }
            (None, Some(missing)) => return Some(missing.end),
            (None, None) => {}
        }
        self.odd_verdict()
    }

    /// Whether one pair of quotes wraps the whole content: then the text is quoted, or its quotes are doubled.
    fn is_wrapped(&self, end: Candidate) -> bool {
        let content = self.peek.source.get(self.question.start..end.end.pos).unwrap_or_default();
        end.inner == 2 && content.starts_with('"') && content.ends_with('"') && !content.ends_with("\\\"")
    }

    /// One quote too many stands before each end: a mark of inches, or a quote in a text about quotes.
    ///
    /// Where members follow it could as well be that the text holds `", "key":`, and must not become one (SPEC B1):
    /// only a line of its own, a key that the contract declares, or a mark of inches decides.
    fn odd_verdict(&self) -> Option<StringEnd> {
        if self.question.is_declared == Some(false) {
            return None;
        }
        let fitting = || self.odd.iter().filter(|candidate| candidate.fit >= Fit::Flawed);
        let Some(first) = fitting().find(|candidate| candidate.is_declared != Some(false)) else {
            return self.undeclared.filter(|_| self.odd.is_empty()).map(|end| end.end);
        };
        if first.is_declared == Some(true) {
            return Some(first.end);
        }
        let is_decided = match self.container() {
            Some(Container::Object) => {
                self.question.begins_line && first.before_line
                    || self.question.is_declared == Some(true) && fitting().count() == 1
                    || self.is_inch_before(first.end.pos)
            }
            Some(Container::Array) => first.inner == 1 && self.is_lone_before(first.end.pos),
            None => false,
        };
        is_decided.then_some(first.end)
    }

    /// Whether the only quote in the content before `end` stands right behind a digit.
    fn is_inch_before(&self, end: usize) -> bool {
        self.only_quote_before(end).is_some_and(|(before, _)| before.ends_with(|char: char| char.is_ascii_digit()))
    }

    /// Whether the only quote in the content before `end` stands behind a word and before a blank.
    fn is_lone_before(&self, end: usize) -> bool {
        self.only_quote_before(end)
            .is_some_and(|(before, after)| before.ends_with(char::is_alphanumeric) && after.starts_with(' '))
    }

    /// What stands before and behind the only quote in the content before `end` that nothing hides.
    fn only_quote_before(&self, end: usize) -> Option<(&'e str, &'e str)> {
        let content = self.peek.slice(self.question.start..end);
        let mut quotes = content.match_indices('"').filter(|(at, _)| !content[..*at].ends_with('\\'));
        let (at, _) = quotes.next()?;
        quotes.next().is_none().then(|| (&content[..at], &content[at + 1..]))
    }
}

/// `content` without the commas, brackets and blanks at its end, at most so many.
fn trim_structure(content: &str) -> &str {
    let is_structure = |byte: &u8| matches!(byte, b',' | b'{' | b'}' | b'[' | b']' | b' ' | b'\t' | b'\r' | b'\n');
    let len = content.bytes().rev().take(STRUCTURE).take_while(is_structure).count();
    content.get(..content.len() - len).unwrap_or_default()
}
