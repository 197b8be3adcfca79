//! Where a string may end: one enumerator, which lists places and what speaks against each, and decides nothing.

use std::rc::Rc;

use jsonseam_core::{Clue, Container, Edit, Edits, Expected, Fault, Offer, Proposals, TokenKind};

use super::ahead_text::{double_quoted_len, has_solid_newline, key_len, skip_blank_bytes};

/// How far the end of a string is looked for, in bytes: at first, and at most. Most strings end soon.
const WINDOW: usize = 512;
const MAX_WINDOW: usize = 8192;

/// How far further ends are looked for after the first one.
const FURTHER: usize = 512;

/// How much of what follows a string is looked at.
const NEAR: usize = 256;

/// How many brackets, commas and blanks before a quote are looked at.
const STRUCTURE: usize = 64;

/// How many blanks may stand between a key, its colon and its value.
const GAP: usize = 16;

/// How many ends of one string are listed.
const MOST: usize = 7;

/// A string whose end is in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Doubtful {
    /// Where its content starts.
    pub start: usize,
    /// The mark that opens it.
    pub mark: char,
    /// Whether it is a key.
    pub is_key: bool,
    /// The container it is in.
    pub container: Container,
    /// How its member is laid out, if it is the value of one.
    pub member: Option<Member>,
}

/// How a member is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Member {
    /// Whether its key begins a line.
    pub begins_line: bool,
    /// Whether one space follows its colon, or nothing; `None` for any other blanks.
    pub is_spaced: Option<bool>,
}

impl Member {
    /// That of the value that starts at `start`, whose colon is the token `back` places before the fault.
    fn of(fault: &Fault<'_>, back: usize, start: usize) -> Option<Self> {
        let (colon, key) = (fault.token(back)?, fault.token(back + 1)?);
        if (colon.kind, key.kind) != (TokenKind::Colon, TokenKind::Key) {
            return None;
        }
        Some(Self {
            begins_line: fault.at(key.span.start).indent().is_some(),
            is_spaced: spaced(fault.at(colon.span.end).slice_to(start - 1)),
        })
    }
}

/// Whether what follows a colon is one space, or nothing.
fn spaced(gap: &str) -> Option<bool> {
    match gap {
        "" => Some(false),
        " " => Some(true),
        _ => None,
    }
}

/// What is where a string may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its closing mark.
    Mark,
    /// No mark: one is missing.
    Missing,
    /// A mark of another kind, of so many bytes, that is the last of the content.
    OtherMark(usize),
    /// A mark with a backslash before it.
    Escaped,
}

/// A place where a string may end.
#[derive(Debug, Clone)]
pub struct End {
    /// Where its content starts.
    pub start: usize,
    /// Where its content ends.
    pub pos: usize,
    /// Where the text goes on after it.
    pub after: usize,
    /// Whether the string is a key.
    pub is_key: bool,
    /// What is there.
    pub ending: Ending,
    /// How many marks of its own kind the content holds that nothing hides.
    pub inner: usize,
    /// Whether these marks are all doubled, an even number of times.
    pub has_doubled_marks: bool,
    /// What speaks against this end.
    clues: Vec<(Clue, usize)>,
    /// Where the colons of members are that the content would swallow.
    swallowed: Vec<usize>,
    /// A reading that no rule can put up, and that is as likely.
    doubt: Option<&'static str>,
    cost: u32,
}

/// Nothing but a contract tells a text that quotes `"key": …` from the next member.
const MEMBER_IN_TEXT: &str = "the text may hold what looks like the next member";

impl End {
    fn charge(&mut self, clue: Clue, times: usize) {
        if times > 0 {
            self.cost += clue.cost() * u32::try_from(times).unwrap_or(u32::MAX);
            self.clues.push((clue, times));
        }
    }

    /// The clues that count at this fault. Keys that the contract forbids here are no members, so the content may hold them.
    fn clues_for(&self, fault: &Fault<'_>) -> impl Iterator<Item = &(Clue, usize)> {
        let holds_no_member = !self.swallowed.is_empty()
            && fault.declares_key("").is_some()
            && self.swallowed.iter().all(|&colon| {
                let before = fault.at(colon).before_while(|char| char != '\n').trim_end();
                let key = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
                key.is_some_and(|(_, key)| fault.declares_key(key) == Some(false))
            });
        let is_excused = move |clue| holds_no_member && matches!(clue, Clue::SwallowedMember | Clue::MarksAroundComma);
        self.clues.iter().filter(move |(clue, _)| !is_excused(*clue))
    }

    /// What speaks against this end at this fault, in hundredths.
    fn cost_at(&self, fault: &Fault<'_>) -> u32 {
        self.clues_for(fault).map(|&(clue, times)| clue.cost() * u32::try_from(times).unwrap_or(u32::MAX)).sum()
    }

    /// Charges an offer that ends the string here with all that speaks against it.
    /// Where a contract lists the keys, it decides what is a member, and that is no doubt any more.
    pub fn charge_to(&self, offer: &mut Offer, fault: &Fault<'_>) {
        for &(clue, times) in self.clues_for(fault) {
            offer.clues(clue, times);
        }
        let is_decided = |doubt| doubt == MEMBER_IN_TEXT && fault.declares_key("").is_some();
        if let Some(doubt) = self.doubt.filter(|doubt| !is_decided(*doubt)) {
            offer.doubt(doubt);
        }
    }
}

/// The strings near the fault whose end the fault makes doubtful: the open one, or those among the last four tokens.
pub fn doubtful(fault: &Fault<'_>) -> Vec<(Doubtful, Option<usize>)> {
    if let Some(open) = fault.string() {
        let container = fault.container();
        let is_plain = open.start.checked_sub(1).is_some_and(|quote| fault.at(quote).starts_with("\""));
        return container
            .filter(|_| is_plain)
            .map(|container| {
                let member = if open.is_key { None } else { Member::of(fault, 0, open.start) };
                (Doubtful { start: open.start, mark: '"', is_key: open.is_key, container, member }, None)
            })
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    let mut container = fault.container();
    for back in 0..4 {
        let Some(token) = fault.token(back) else { break };
        match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart if back > 0 => break,
            TokenKind::ObjectEnd => container = Some(Container::Object),
            TokenKind::ArrayEnd => container = Some(Container::Array),
            TokenKind::Key if back > 0 => {}
            TokenKind::Key | TokenKind::String => {
                let is_whole = token.span.len() > 1
                    && fault.at(token.span.start).starts_with("\"")
                    && fault.at(token.span.end - 1).starts_with("\"");
                let is_key = token.kind == TokenKind::Key;
                if let Some(container) = container.filter(|_| is_whole) {
                    let start = token.span.start + 1;
                    let member = if is_key { None } else { Member::of(fault, back + 1, start) };
                    let string = Doubtful { start, mark: '"', is_key, container, member };
                    found.push((string, Some(token.span.end)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The string that opens at the fault with this mark.
pub fn at_fault(fault: &Fault<'_>, mark: char) -> Option<Doubtful> {
    let start = fault.pos() + mark.len_utf8();
    Some(Doubtful {
        start,
        mark,
        is_key: fault.expected() == Expected::Key,
        container: fault.container()?,
        member: None,
    })
}

/// The string without an opening mark whose content starts at `start`, which is at the fault or with the token before it.
pub fn unopened(fault: &Fault<'_>, start: usize) -> Option<Doubtful> {
    Some(Doubtful {
        start,
        mark: '"',
        is_key: fault.expected() == Expected::Key,
        container: fault.container()?,
        member: None,
    })
}

/// Whether the string could end before `pos`: whether what follows can follow it, at a glance.
pub fn fits_after(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let search = Search::new(fault, Doubtful { start: pos, ..string }, NEAR);
    search.follows(0)
}

/// The ends that the string may have, the cheapest first. Each string is read once for what it may be: a key, a value, an element.
pub fn of(fault: &Fault<'_>, string: Doubtful) -> Rc<Vec<End>> {
    match (string.container, string.is_key) {
        (Container::Object, true) => remembered::<0>(fault, string),
        (Container::Object, false) => remembered::<1>(fault, string),
        (Container::Array, _) => remembered::<2>(fault, string),
    }
}

/// The ends of a string, remembered by its place and by what it is: `KIND` makes a type, and so an answer, of each.
#[derive(Clone)]
struct Known<const KIND: usize> {
    string: Doubtful,
    ends: Rc<Vec<End>>,
}

fn remembered<const KIND: usize>(fault: &Fault<'_>, string: Doubtful) -> Rc<Vec<End>> {
    let known = fault.memo(string.start, || Known::<KIND> { string, ends: Rc::new(search(fault, string)) });
    if known.string == string { known.ends } else { Rc::new(search(fault, string)) }
}

/// Looks in ever larger windows, until one holds an end and all that may be others.
fn search(fault: &Fault<'_>, string: Doubtful) -> Vec<End> {
    let mut window = WINDOW;
    // Three quotes in a row are another way to open a string.
    if string.mark == '"' && fault.at(string.start).starts_with("\"\"") {
        return Vec::new();
    }
    loop {
        let search = Search::new(fault, string, window);
        let (is_whole, len) = (search.is_whole, search.text.len());
        let (ends, is_enough) = search.run();
        if is_enough || is_whole || window >= MAX_WINDOW || len < window / 2 {
            return ends;
        }
        window = MAX_WINDOW;
    }
}

struct Search<'e> {
    string: Doubtful,
    /// The text from the start of the content on.
    text: &'e str,
    /// Whether the text ends where the region does.
    is_whole: bool,
    /// Offsets of the marks in the content that nothing hides.
    inner: Vec<usize>,
    hidden: usize,
    raw: bool,
    found: Vec<End>,
}

impl<'e> Search<'e> {
    fn new(fault: &Fault<'e>, string: Doubtful, window: usize) -> Self {
        let ahead = fault.at(string.start);
        let region = fault.region_end();
        let len = fault.allowance(window.min(region.saturating_sub(string.start)));
        let mut end = string.start + len;
        let mut text = ahead.slice_to(end);
        while text.is_empty() && end > string.start {
            end -= 1;
            text = ahead.slice_to(end);
        }
        let is_whole = end == region;
        Self { string, text, is_whole, inner: Vec::new(), hidden: 0, raw: false, found: Vec::new() }
    }

    fn run(mut self) -> (Vec<End>, bool) {
        let bytes = self.text.as_bytes();
        let swallowed = swallowed(bytes);
        let mut at = 0;
        let mut until = bytes.len();
        let is_double = self.string.mark == '"';
        while at < until && self.found.len() < MOST {
            if let Some(first) = self.found.first() {
                until = until.min(first.pos - self.string.start + FURTHER);
            }
            match bytes[at] {
                b'\\' => {
                    if bytes.get(at + 1) == Some(&b'"') && is_double {
                        self.hidden += 1;
                        if self.hidden % 2 == 1 && self.inner.is_empty() && self.follows(at + 2) {
                            self.push(at, at + 2, Ending::Escaped);
                        }
                    }
                    at += 2;
                    continue;
                }
                byte if char::from(byte) == self.string.mark => {
                    self.mark_at(at, is_double);
                }
                b'"' if !is_double => self.missing_before_quote(at),
                b'\n' => {
                    self.raw = true;
                    if is_double {
                        self.missing_at_line(at);
                    }
                }
                0..=0x1f => self.raw = true,
                b'}' | b']' if is_double && !self.string.is_key => self.missing_at_closer(at),
                b':' if is_double && self.string.is_key && self.inner.is_empty() => self.missing_after_key(at),
                _ => {}
            }
            at += 1;
        }
        let is_enough = self.found.len() == MOST || until < bytes.len();
        let mut ends = self.found;
        for end in &mut ends {
            // A text that is a document itself swallows nothing.
            if is_document(&self.text[..end.pos - self.string.start]) {
                continue;
            }
            let limit = end.after + 1 - self.string.start;
            end.swallowed = swallowed.iter().take_while(|&&at| at < limit).map(|at| self.string.start + at).collect();
            end.charge(Clue::SwallowedMember, end.swallowed.len().min(4));
        }
        ends.sort_by_key(|end| end.cost);
        let mut seen: Vec<(usize, Ending)> = Vec::new();
        ends.retain(|end| {
            let is_new = !seen.contains(&(end.pos, end.ending));
            seen.push((end.pos, end.ending));
            is_new
        });
        (ends, is_enough)
    }

    /// The mark at `at` may end the string, or open what follows it.
    fn mark_at(&mut self, at: usize, is_double: bool) {
        let bytes = self.text.as_bytes();
        if is_double {
            self.missing_before_quote(at);
        }
        let is_apostrophe = self.string.mark == '\''
            && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric())
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        if self.follows(at + 1) {
            self.push(at, at + 1, Ending::Mark);
        }
        if !is_apostrophe {
            self.inner.push(at);
        }
    }

    /// Whether what stands at `at` can follow the string, at a glance.
    fn follows(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let next = skip_blank_bytes(bytes, at);
        let Some(&byte) = bytes.get(next) else { return self.is_whole && !self.string.is_key };
        let rest = &bytes[next..];
        if self.string.is_key {
            return byte == b':' || rest.starts_with("：".as_bytes());
        }
        let is_object = self.string.container == Container::Object;
        match byte {
            b'}' | b']' => true,
            b',' => {
                let after = skip_blank_bytes(bytes, next + 1);
                let Some(&byte) = bytes.get(after) else { return true };
                let rest = &bytes[after..];
                let is_dots = rest.starts_with(b"...") || rest.starts_with("…".as_bytes());
                if matches!(byte, b'}' | b']') || is_dots {
                    return true;
                }
                if is_object {
                    return matches!(byte, b'"' | b'\'' | b'{')
                        || rest.starts_with("“".as_bytes())
                        || key_len(rest).is_some();
                }
                matches!(byte, b'"' | b'\'' | b'[' | b'{' | b'-' | b'0'..=b'9' | b'(')
                    || rest.starts_with("“".as_bytes())
                    || starts_literal(rest)
            }
            _ if next > at || byte == b'"' => {
                let is_new_line = has_solid_newline(&bytes[at..next]);
                if is_object {
                    key_len(rest).is_some() || is_new_line && byte == b'"'
                } else {
                    is_new_line && matches!(byte, b'"' | b'[' | b'{')
                }
            }
            _ => false,
        }
    }

    /// The end before the quote at `at`, if that opens a key or an element.
    fn missing_before_quote(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n');
        // An opener may stand before the quote: then what is before that is structure too.
        let is_opener = |byte: &u8| matches!(byte, b'{' | b'[') || is_gap(byte);
        let opened = at - bytes[..at].iter().rev().take(STRUCTURE).take_while(|&byte| is_opener(byte)).count();
        let end = opened;
        let gap = &bytes[end..at];
        let is_direct = gap.iter().all(is_gap);
        let is_parted = gap.contains(&b',') || gap.contains(&b'\n');
        if self.string.is_key || end == 0 || !is_parted || bytes[end - 1] == b':' {
            return;
        }
        let is_object = self.string.container == Container::Object;
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
        let bytes = self.text.as_bytes();
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r');
        let end = at - bytes[..at].iter().rev().take_while(|&byte| is_gap(byte)).count();
        if self.string.is_key || end == 0 {
            return;
        }
        let next = skip_blank_bytes(bytes, at);
        let goes_on = match (self.string.container, bytes.get(next)) {
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
        let bytes = self.text.as_bytes();
        let closer = if self.string.container == Container::Object { b'}' } else { b']' };
        let is_structure = |byte: &u8| matches!(byte, b'}' | b']' | b',' | b' ' | b'\t' | b'\r');
        let after = at + bytes[at..].iter().take_while(|&byte| is_structure(byte)).count();
        let ends_line = match bytes.get(after) {
            None => self.is_whole,
            Some(byte) => *byte == b'\n',
        };
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let opener = if self.string.container == Container::Object { b'{' } else { b'[' };
        let line = bytes[..at].iter().rev().take_while(|&&byte| byte != b'\n');
        let owed = line.fold(0_i32, |owed, &byte| owed + i32::from(byte == opener) - i32::from(byte == closer));
        if bytes[at] == closer && ends_line && end > 0 && owed <= 0 && bytes[end - 1] != b'"' {
            self.missing(end, end);
            if let Some(found) = self.found.last_mut().filter(|found| found.pos == self.string.start + end) {
                found.charge(Clue::CloserInText, 1);
            }
        }
    }

    /// The end of a key before the colon at `at`.
    fn missing_after_key(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let name = self.text[..end].trim_end_matches(['\'', '`', '\u{2019}', '\u{201D}']);
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | '.' | '$');
        let is_whole = end - name.len() <= 3 && (1..=64).contains(&end);
        if is_whole && name.chars().all(is_name) && !bytes[at..].starts_with(b"://") {
            self.missing(end, end);
        }
    }

    fn missing(&mut self, end: usize, after: usize) {
        let text = &self.text[..end];
        let Some(last) = text.chars().next_back() else { return };
        let count = |mark: char| text.matches(mark).count();
        let ending = match last {
            '"' if !text.ends_with("\\\"") || self.hidden % 2 == 1 => return,
            '\u{201D}' if count('\u{201D}') > count('\u{201C}') => Ending::OtherMark(last.len_utf8()),
            '\'' if count('\'') == 1 && (self.string.is_key || !is_plural_owner(text)) => Ending::OtherMark(1),
            '`' if count('`') % 2 == 1 => Ending::OtherMark(1),
            '\\' => return,
            _ => Ending::Missing,
        };
        self.push(end, after, ending);
    }

    fn push(&mut self, end: usize, after: usize, ending: Ending) {
        let bytes = self.text.as_bytes();
        let inner: Vec<usize> = self.inner.iter().copied().filter(|&at| at < end).collect();
        let start = self.string.start;
        let mut found = End {
            start,
            pos: start + end,
            is_key: self.string.is_key,
            after: start + after,
            ending,
            inner: inner.len(),
            has_doubled_marks: ending == Ending::Mark && are_doubled(&inner),
            clues: Vec::new(),
            swallowed: Vec::new(),
            doubt: None,
            cost: 0,
        };
        let is_key = self.string.is_key;
        let body = &bytes[..end];
        if ending != Ending::Mark {
            found.charge(Clue::NoEndMark, 1);
            let next = skip_blank_bytes(bytes, after);
            let is_on_line = !has_solid_newline(&bytes[after..skip_blank_bytes(bytes, (after + 1).min(bytes.len()))]);
            if is_on_line && bytes.get(next) == Some(&b',') {
                found.charge(Clue::NoEndMarkOnLine, 1);
            }
            let opens = body.iter().filter(|byte| matches!(byte, b'{' | b'[')).count();
            let closes = body.iter().filter(|byte| matches!(byte, b'}' | b']')).count();
            let last_line = body.rsplit(|&byte| byte == b'\n').next().filter(|line| line.len() < body.len());
            let is_closers = |line: &[u8]| matches!(line.trim_ascii(), [b'}' | b']', ..]);
            let is_structure = opens > closes || last_line.is_some_and(is_closers);
            found.charge(Clue::OpenBracketsInText, usize::from(is_structure));
        }
        if is_key {
            found.charge(Clue::StructureInKey, usize::from(body.contains(&b'\n') || body.contains(&b',')));
            found.charge(Clue::QuotesInKey, usize::from(!inner.is_empty()));
        }
        if !inner.is_empty() {
            self.charge_inner(&mut found, &inner);
        }
        found.charge(Clue::RawLines, usize::from(self.raw && body.iter().any(|&byte| byte < b' ')));
        if !inner.is_empty() && !is_key {
            if ending == Ending::Mark && self.string.container == Container::Object {
                self.doubt_member(&mut found, &inner, after);
            }
            self.doubt_parts(&mut found, &inner);
        }
        if ending != Ending::Mark && self.string.container == Container::Array && !is_key {
            self.doubt_element(&mut found, end, after);
        }
        self.found.push(found);
    }

    /// What the marks inside say: pairs that face words are quotations.
    fn charge_inner(&self, found: &mut End, inner: &[usize]) {
        let bytes = self.text.as_bytes();
        let byte_at = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
        if found.ending != Ending::Mark {
            found.charge(Clue::SecondDefect, 1);
        }
        if inner.len().is_multiple_of(2) || (inner.len() + self.hidden).is_multiple_of(2) && self.string.mark == '"' {
            found.charge(Clue::EvenMarks, 1);
            found.charge(Clue::MarksAroundComma, inner.chunks(2).filter(|pair| self.separate(pair)).count().min(2));
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
        } else if inner.len() == 1 && self.is_lone(byte_at(inner[0].checked_sub(1))) {
            found.charge(Clue::InchMark, 1);
        } else {
            found.charge(Clue::OddMarks, 1);
            let parted = inner.windows(2).filter(|pair| self.separate(pair)).count();
            found.charge(Clue::MarksAroundComma, parted.min(2));
        }
        found.charge(Clue::InnerMark, inner.len().min(10));
        // Doubled marks, or one pair around the whole content, are another defect.
        let wraps = inner.len() == 2 && inner[0] == 0 && inner[1] + 1 == found.pos - self.string.start;
        found.charge(Clue::DoubledMarks, usize::from(found.has_doubled_marks || wraps));
    }

    /// Whether a mark after this byte may stand alone: inches after a digit, an apostrophe after a letter.
    fn is_lone(&self, before: u8) -> bool {
        before.is_ascii_digit() || self.string.mark == '\'' && before.is_ascii_alphanumeric()
    }

    /// Whether what is between two marks begins and ends with a comma: then they rather end one text and begin the next.
    fn separate(&self, pair: &[usize]) -> bool {
        let [first, second] = pair else { return false };
        let between = self.text.get(first + 1..*second).unwrap_or_default().trim();
        between.starts_with(',') && between.ends_with(',')
    }

    /// A text that holds `", "key":` must not become a member, nor the reverse: only layout decides.
    fn doubt_member(&self, found: &mut End, inner: &[usize], after: usize) {
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
        let is_even = inner.len().is_multiple_of(2) || (inner.len() + self.hidden).is_multiple_of(2);
        let is_lone = inner.len() == 1 && inner[0].checked_sub(1).is_some_and(|before| self.is_lone(bytes[before]));
        if is_out_of_style || !is_new_line && !is_even && !is_lone {
            found.doubt = Some(MEMBER_IN_TEXT);
        }
    }

    /// `"b": "c"` as a value has rather lost its braces, and `"a" "b"` a comma.
    fn doubt_parts(&self, found: &mut End, inner: &[usize]) {
        let is_array = self.string.container == Container::Array;
        if is_array && inner[0] == 0 && inner.len() > 1 {
            found.doubt = Some("the quotes may surround the whole text");
        }
        let pairs = inner.chunks_exact(2).map(|pair| (pair, self.text.get(pair[0] + 1..pair[1]).unwrap_or_default()));
        for (pair, between) in pairs {
            match between.trim() {
                "" if pair[1] > pair[0] + 1 => found.doubt = Some("two strings may have lost the comma between them"),
                ":" if inner.len() == 2 => found.doubt = Some("a member may have lost its braces"),
                _ => {}
            }
        }
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

/// Whether a text of several words ends as in "the dogs'": the mark may belong to it.
fn is_plural_owner(text: &str) -> bool {
    text.ends_with("s'") && text.contains(' ')
}

/// Whether a text is JSON by itself, at a glance.
fn is_document(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{') && text.ends_with('}') || text.starts_with('[') && text.ends_with(']')
}

/// Whether the marks at these places come in pairs without anything between, an even number of them.
fn are_doubled(inner: &[usize]) -> bool {
    inner.len().is_multiple_of(4) && !inner.is_empty() && inner.chunks(2).all(|pair| pair[1] == pair[0] + 1)
}

fn starts_literal(rest: &[u8]) -> bool {
    ["true", "false", "null", "True", "False", "None"].iter().any(|word| rest.starts_with(word.as_bytes()))
}

/// Where members begin that the content would swallow: a key in quotes, a colon and the start of a value.
fn swallowed(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let starts_value = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        let first = rest.first().copied().unwrap_or(b' ');
        matches!(first, b'"' | b'\'' | b'0'..=b'9' | b'[' | b'{' | b'T' | b'F' | b'N' | b't' | b'f' | b'n' | b'-')
            || rest.starts_with("“".as_bytes())
    };
    let blank_end = |at: usize| at + bytes[at..].iter().take(GAP).take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\\' => {
                at += 2;
                continue;
            }
            b'"' => double_quoted_len(&bytes[at + 1..], 61).filter(|&len| len > 0).map(|len| at + len + 2),
            b'\n' => {
                let start = blank_end(at + 1);
                match bytes.get(start) {
                    Some(b'\'') => bytes[start + 1..]
                        .iter()
                        .take(61)
                        .position(|byte| matches!(byte, b'\'' | b'\n'))
                        .and_then(|len| (len > 0 && bytes[start + 1 + len] == b'\'').then_some(start + len + 2)),
                    Some(b'a'..=b'z' | b'_') => {
                        let len = bytes[start..]
                            .iter()
                            .take(41)
                            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
                            .count();
                        Some(start + len)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(end) = end {
            let colon = blank_end(end);
            if bytes.get(colon) == Some(&b':') && starts_value(blank_end(colon + 1)) {
                found.push(colon);
            }
        }
        at += 1;
    }
    found
}

/// The edits that end the string at `end`: its inner marks from `from` on are escaped, and what must be mended between them is mended with them.
pub fn edits(fault: &Fault<'_>, end: &End, from: usize) -> Option<Edits> {
    let text = fault.at(from).slice_to(end.pos);
    let last = if end.ending == Ending::Mark { text.rfind('"')? + 1 } else { text.len() };
    let mut edits = super::content::mended(text.get(..last)?, from)?;
    // Escapes that came about by chance are the matter of another rule.
    if end.inner > 0 && super::escapes::holds_accidental(fault.at(end.start).slice_to(end.pos)) {
        return None;
    }
    if end.ending != Ending::Mark && end.inner == 0 {
        edits.clear();
    }
    match end.ending {
        Ending::Mark => {}
        Ending::Missing => edits.push(Edit::insert(end.pos, "\"")),
        Ending::OtherMark(len) => edits.push(Edit::replace(end.pos - len..end.pos, "\"")),
        Ending::Escaped => edits.push(Edit::remove(end.pos..end.pos + 1)),
    }
    let mut edits = edits.into_iter();
    let first = Edits::from(edits.next()?);
    Some(edits.fold(first, Edits::and))
}

/// How many ends of the strings near a fault are put up, and how much dearer than the cheapest they may be, in hundredths.
const MOST_OFFERS: usize = 4;
const CREDIBLE: u32 = 180;

/// Offers the most credible of those ends of the strings near the fault for which `from` says where the marks to be escaped begin.
/// It is given the end, and where the string was read to end if it was.
pub fn offer_credible(fault: &Fault<'_>, to: &mut Proposals, from: impl Fn(&End, Option<usize>) -> Option<usize>) {
    let mut found: Vec<(u32, End, usize)> = Vec::new();
    for (string, closed) in doubtful(fault) {
        let all = of(fault, string);
        found.extend(all.iter().filter_map(|end| Some((end.cost_at(fault), end.clone(), from(end, closed)?))));
    }
    found.sort_by_key(|(cost, ..)| *cost);
    let limit = found.first().map_or(0, |(cost, ..)| cost + CREDIBLE);
    for (_, end, from) in found.iter().take(MOST_OFFERS).filter(|(cost, ..)| *cost <= limit) {
        if let Some(edits) = edits(fault, end, *from) {
            end.charge_to(to.offer(edits), fault);
        }
    }
}

/// Offers to end a string near the fault at a place without a closing mark of its own, where what is there instead is wanted.
pub fn offer_early(fault: &Fault<'_>, to: &mut Proposals, wants: impl Fn(Ending) -> bool) {
    let is_structure = |char: char| matches!(char, '}' | ']' | ',') || char.is_whitespace();
    offer_credible(fault, to, |end, closed| {
        // A text that breaks off has no end further up but one that nothing follows.
        let is_cut = || {
            fault.is_at_end()
                && !end.is_key
                && !fault.at(end.after).slice_to(fault.region_end()).chars().all(is_structure)
        };
        if !wants(end.ending) || is_cut() {
            return None;
        }
        match closed {
            Some(closed) if end.pos >= closed => Some(closed - 1),
            Some(_) => Some(end.pos),
            None => (end.pos <= fault.pos()).then_some(end.pos),
        }
    });
}
