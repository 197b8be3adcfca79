//! What a reading's tokens say about it: keys that repeat, keys that the contract does not list, lines that are not laid out as their siblings.
//!
//! Kept only once a text has two readings. Every token can be taken back in reverse order, as in the record of tokens.

use std::rc::Rc;

use super::costs;
use crate::evidence::Evidence;
use crate::layout::{Layout, Suspect};
use crate::recognise::TokenKind;
use crate::scan::is_json_space;
use crate::token::{Container, REMEMBERED, Token};

/// How many keys of one object are remembered.
const KEYS: usize = 64;

/// For how many there is room at first.
const KEYS_AT_FIRST: usize = 8;

/// How many suspects are kept: the first ones, since one bracket puts all later lines out of place.
const SUSPECTS: usize = 3;

/// How far the line of the first token is looked back over, in bytes.
const INDENT: usize = 64;

/// The tokens before the one that is entered: 0 is the nearest.
type Before<'t> = &'t dyn Fn(usize) -> Option<Token>;

/// The ledger of one reading.
#[derive(Debug, Clone)]
pub(crate) struct Ledger<'e> {
    source: &'e str,
    evidence: Option<&'e Evidence>,
    levels: Vec<Level>,
    /// What each of the latest tokens changed.
    undo: [Undo; REMEMBERED],
    count: usize,
    /// Where the latest token ends, and the indentation of the line it is on.
    latest: Place,
    sums: Sums,
    suspects: Vec<Rc<Suspect>>,
    examined: u64,
}

/// What a token adds to, and what goes back as a whole when it is taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sums {
    cost: u32,
    /// What lines out of place cost, were the text laid out by a program.
    layout: u32,
    /// Lines, and those among them that no program would begin so.
    lines: u32,
    odd_lines: u32,
    /// Closers of containers over several lines: those that begin a line, and those that do not.
    own_line_closers: u32,
    attached_closers: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    end: usize,
    line: Option<usize>,
}

/// An open container.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    pub(crate) kind: Container,
    /// Whether one of its keys has come twice.
    repeats: bool,
    /// How far the line is indented on which it opens.
    line: Option<usize>,
    /// How far its members or elements are indented that begin a line.
    member: Option<usize>,
    /// The hashes of its first keys, which copies of the reading share until one of them reads another key.
    keys: Option<Rc<Vec<u64>>>,
    /// Its place in the contract.
    place: Option<usize>,
    /// The place of the value of its latest key, or of its elements.
    below: Option<usize>,
}

/// What a token changed.
#[derive(Debug, Clone, Default)]
struct Undo {
    latest: Place,
    sums: Sums,
    suspects: u8,
    /// Whether the innermost container before the token learned from it how far its lines are indented.
    sets_member: bool,
    /// Of a key: whether its object did not have it yet, …
    is_new_key: bool,
    /// … and what the object knew before.
    repeats: bool,
    below: Option<usize>,
    /// Of a closer: the container that it closed.
    closed: Option<Level>,
}

impl<'e> Ledger<'e> {
    pub(crate) fn new(source: &'e str, evidence: Option<&'e Evidence>) -> Self {
        Self {
            source,
            evidence,
            levels: Vec::with_capacity(8),
            undo: Default::default(),
            count: 0,
            latest: Place::default(),
            sums: Sums::default(),
            suspects: Vec::new(),
            examined: 0,
        }
    }

    /// Makes `room` a copy of this ledger, in the memory that it has.
    pub(crate) fn copy_into(&self, room: &mut Self) {
        let Self { source, evidence, levels, undo, count, latest, sums, suspects, examined } = self;
        (room.source, room.evidence, room.count, room.latest) = (source, *evidence, *count, *latest);
        (room.sums, room.examined) = (*sums, *examined);
        room.levels.clone_from(levels);
        room.undo.clone_from(undo);
        room.suspects.clone_from(suspects);
    }

    /// What the tokens cost so far, in hundredths.
    pub(crate) fn cost(&self) -> u32 {
        self.sums.cost + if self.is_laid_out() { self.sums.layout + self.attached() } else { 0 }
    }

    /// The same without what the lines cost: a bracket further back may put all of them right.
    pub(crate) fn cost_without_lines(&self) -> u32 {
        self.sums.cost
    }

    /// What closers at the end of a line cost where nearly all others begin one.
    fn attached(&self) -> u32 {
        let is_odd = self.sums.attached_closers * 4 <= self.sums.own_line_closers;
        if is_odd { self.sums.attached_closers * costs::LAYOUT } else { 0 }
    }

    /// Whether the lines say anything: hardly any begins with a colon, a comma or the value of a member.
    fn is_laid_out(&self) -> bool {
        self.sums.odd_lines * 8 <= self.sums.lines
    }

    /// Charges a reading for what it leaves after its end.
    pub(crate) fn charge(&mut self, cost: u32) {
        self.sums.cost += cost;
    }

    /// The first places where a line is not laid out as its siblings.
    pub(crate) fn suspects(&self) -> &[Rc<Suspect>] {
        if self.is_laid_out() { &self.suspects } else { &[] }
    }

    /// The bytes read since the last time.
    pub(crate) fn take_examined(&mut self) -> u64 {
        std::mem::take(&mut self.examined)
    }

    /// Enters a token.
    pub(crate) fn token(&mut self, kind: TokenKind, start: usize, end: usize, before: Before<'_>) {
        let slot = self.count % REMEMBERED;
        let suspects = u8::try_from(self.suspects.len()).unwrap_or(0);
        let undo = &mut self.undo[slot];
        undo.latest = self.latest;
        undo.sums = self.sums;
        (undo.suspects, undo.sets_member) = (suspects, false);
        let indent = self.indent(start, end);
        if indent.is_some() {
            let follows_colon = before(0).is_some_and(|token| token.kind == TokenKind::Colon);
            let is_odd = matches!(kind, TokenKind::Colon | TokenKind::Comma) || follows_colon;
            self.sums.lines += 1;
            self.sums.odd_lines += u32::from(is_odd);
        }
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.element(kind, start, indent, before);
                self.open(kind == TokenKind::ObjectStart, end > start);
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                let opens_at = self.levels.last().and_then(|level| level.line);
                let is_over_lines = end > start && self.levels.last().is_some_and(|level| level.member.is_some());
                self.sums.own_line_closers += u32::from(is_over_lines && indent.is_some());
                self.sums.attached_closers += u32::from(is_over_lines && indent.is_none());
                if indent.zip(opens_at).is_some_and(|(indent, opens_at)| indent != opens_at) {
                    self.suspect(kind, start, indent, before);
                }
                self.undo[slot].closed = self.levels.pop();
            }
            TokenKind::Key => {
                if indent.is_some() {
                    self.laid_out(kind, start, indent, before);
                }
                self.key(start, end);
            }
            TokenKind::String | TokenKind::Number | TokenKind::Literal => {
                if indent.is_some() {
                    self.element(kind, start, indent, before);
                }
            }
            TokenKind::Colon | TokenKind::Comma => {}
        }
        self.count += 1;
    }

    fn open(&mut self, is_object: bool, is_in_source: bool) {
        let place = self.levels.last().map_or(self.evidence.map(|_| 0), |level| level.below);
        self.levels.push(Level {
            kind: if is_object { Container::Object } else { Container::Array },
            repeats: false,
            line: if is_in_source { self.latest.line } else { None },
            member: None,
            keys: None,
            place,
            below: place.filter(|_| !is_object).and_then(|place| self.evidence?.below(place, None)),
        });
    }

    /// Takes back the latest token.
    pub(crate) fn take_back(&mut self, kind: TokenKind) {
        let Some(latest) = self.count.checked_sub(1) else { return };
        let undo = &mut self.undo[latest % REMEMBERED];
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => drop(self.levels.pop()),
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => self.levels.extend(undo.closed.take()),
            _ => {}
        }
        if let Some(top) = self.levels.last_mut() {
            if undo.sets_member {
                top.member = None;
            }
            if kind == TokenKind::Key {
                (top.repeats, top.below) = (undo.repeats, undo.below);
                if let Some(keys) = top.keys.as_mut().filter(|_| undo.is_new_key) {
                    Rc::make_mut(keys).pop();
                }
            }
        }
        self.count = latest;
        self.latest = undo.latest;
        self.sums = undo.sums;
        self.suspects.truncate(usize::from(undo.suspects));
    }

    /// How far the line is indented that the token begins; `None` if it does not begin one, or was inserted.
    fn indent(&mut self, start: usize, end: usize) -> Option<usize> {
        let from = if self.count == 0 { start.saturating_sub(INDENT) } else { self.latest.end.min(start) };
        self.latest.end = end;
        // Most tokens follow the one before them at once, or after a space.
        if start - from <= 1 && self.count > 0 && self.source.as_bytes().get(from) != Some(&b'\n') {
            self.examined += (start - from) as u64;
            return None;
        }
        let gap = self.source.as_bytes().get(from..start).unwrap_or_default();
        self.examined += gap.len() as u64;
        let newline = memchr::memrchr(b'\n', gap).map(|at| at + 1);
        // Blanks before the whole text are how a model starts its answer, and indent nothing.
        let line = newline.or_else(|| (self.count == 0 && from == 0).then_some(gap.len()));
        // A comment that ends on the line is not white space.
        let indent = line.and_then(|line| {
            let rest = gap.get(line..).unwrap_or_default();
            let indent = rest.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
            (indent == rest.len() || rest.iter().all(|&byte| is_json_space(byte))).then_some(indent)
        });
        if line.is_some() || self.count == 0 {
            self.latest.line = indent;
        }
        indent.filter(|_| end > start)
    }

    fn element(&mut self, kind: TokenKind, start: usize, indent: Option<usize>, before: Before<'_>) {
        if self.levels.last().is_some_and(|level| level.kind == Container::Array) {
            self.laid_out(kind, start, indent, before);
        }
    }

    /// Members and elements that begin a line are indented alike.
    fn laid_out(&mut self, kind: TokenKind, start: usize, indent: Option<usize>, before: Before<'_>) {
        let (Some(indent), Some(level)) = (indent, self.levels.last_mut()) else { return };
        match level.member {
            None => {
                level.member = Some(indent);
                self.undo[self.count % REMEMBERED].sets_member = true;
            }
            Some(member) if member != indent => self.suspect(kind, start, Some(indent), before),
            Some(_) => {}
        }
    }

    fn suspect(&mut self, kind: TokenKind, start: usize, indent: Option<usize>, before: Before<'_>) {
        self.sums.layout += costs::LAYOUT;
        if self.suspects.len() < SUSPECTS {
            let open = self
                .levels
                .iter()
                .rev()
                .map(|level| Layout { kind: level.kind, line: level.line, member: level.member })
                .collect();
            self.suspects.push(Rc::new(Suspect {
                kind,
                pos: start,
                indent: indent.unwrap_or(0),
                previous: before(0),
                second: before(1),
                open,
            }));
        }
    }

    /// A key costs if its object has it already, or if the contract does not list it.
    fn key(&mut self, start: usize, end: usize) {
        let text = without_marks(self.source.get(start..end).unwrap_or_default());
        self.examined += text.len() as u64;
        let Some(level) = self.levels.last_mut() else { return };
        let hash = hash_of(text.as_bytes());
        let undo = &mut self.undo[self.count % REMEMBERED];
        (undo.repeats, undo.below, undo.is_new_key) = (level.repeats, level.below, false);
        let keys = level.keys.get_or_insert_with(|| Rc::new(Vec::with_capacity(KEYS_AT_FIRST)));
        if keys.contains(&hash) {
            self.sums.cost += if level.repeats { costs::REPEATED_AGAIN } else { costs::REPEATED_KEY };
            level.repeats = true;
        } else if keys.len() < KEYS {
            if Rc::get_mut(keys).is_none() {
                // A copy has room for more.
                let mut own = Vec::with_capacity(keys.len() + KEYS_AT_FIRST);
                own.extend_from_slice(keys);
                *keys = Rc::new(own);
            }
            Rc::make_mut(keys).push(hash);
            undo.is_new_key = true;
        }
        let Some((evidence, place)) = self.evidence.zip(level.place) else { return };
        level.below = evidence.below(place, Some(text));
        if evidence.allows_spelled(place, text) == Some(false) {
            self.sums.cost += costs::UNDECLARED_KEY;
        }
    }
}

/// A key without its quote marks, of whatever kind these are.
fn without_marks(text: &str) -> &str {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let may_be_mark = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | 0x80..);
    if !inside.as_bytes().first().is_some_and(may_be_mark) && !inside.as_bytes().last().is_some_and(may_be_mark) {
        return inside;
    }
    inside.trim_matches(|char: char| matches!(char, '"' | '\'' | '`' | '\u{2018}'..='\u{201F}'))
}

/// Mixes in eight bytes at a time by a rotation and a multiplication, as `rustc-hash` once did; it is too little for a dependency.
fn hash_of(text: &[u8]) -> u64 {
    const ODD: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(ODD);
    let (words, rest) = text.as_chunks::<8>();
    // Texts that differ in their length alone differ from the start.
    let start = (text.len() as u64 + 1).wrapping_mul(ODD);
    let hash = words.iter().fold(start, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(hash, rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use crate::engine::ledger::{Ledger, Sums};
    use crate::recognise::{State, run};
    use crate::trace::Recorder;

    /// The sums of `text` after what was read beyond `kept` is taken back.
    fn sums(text: &str, kept: usize) -> Sums {
        let mut recorder = Recorder::new();
        recorder.ledger = Some(Box::new(Ledger::new(text, None)));
        run(&mut State::START.clone(), text.as_bytes(), 0, 127, &mut recorder);
        recorder.take_back(kept);
        recorder.ledger.expect("it was just put there").sums
    }

    #[test]
    fn r2_tokens_that_are_taken_back_leave_the_sums_as_they_were() {
        let text = "{\n  \"a\": [\n    1\n  ],\n  \"b\"\n  : {\n    \"c\": 2}\n , \"a\": 3\n}";
        for kept in (0..text.len()).filter(|&at| text[at..].len() < 20) {
            let ends_token = kept.checked_sub(1).is_some_and(|at| b"{}[]:,".contains(&text.as_bytes()[at]));
            if ends_token {
                assert_eq!(sums(text, kept), sums(&text[..kept], kept), "{kept}");
            }
        }
        assert_ne!(sums(text, text.len()), sums(text, text.len() - 1));
    }
}
