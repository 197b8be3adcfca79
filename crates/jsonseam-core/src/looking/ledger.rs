//! What a reading's tokens say about it: keys that repeat, keys that the contract does not list, lines that are not laid out as their siblings.
//!
//! Kept only once a text has two readings. Every token can be taken back in reverse order, as in the record of tokens.

use std::ops::Range;
use std::sync::Arc;

use super::frames::{Frames, Guide, KEYS};
use super::layout::Suspect;
use crate::derived::copied;
use crate::edits::costs;
use crate::reading::recognise::TokenKind;
use crate::reading::scan::{hash_of, is_json_space};
use crate::reading::token::{Container, REMEMBERED};

/// How many suspects are kept: the first ones, since one bracket puts all later lines out of place.
const SUSPECTS: usize = 3;

/// How far the line of the first token is looked back over, in bytes.
const INDENT: usize = 64;

/// What the tokens of one reading cost it.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    latest: Place,
    sums: Sums,
    suspects: Vec<Arc<Suspect>>,
    /// The bytes read beside the recogniser since the work was last counted.
    pub(crate) examined: u64,
    /// Whether it is kept before it counts: no rule and no cost sees it before it is wanted.
    pub(crate) is_early: bool,
    /// What it takes to take each of the latest tokens back, where the record has the token.
    undos: [Undo; REMEMBERED],
}

copied! { Ledger: latest, sums, suspects, examined, is_early, undos }

/// What a token adds to, and what goes back as a whole when it is taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    cost: u32,
    /// What values cost that do not fit the contract.
    misfits: u32,
    /// What lines out of place cost, were the text laid out by a program.
    layout: u32,
    /// Lines, and those among them that no program would begin so.
    lines: u32,
    odd_lines: u32,
    /// Closers of containers over several lines: those that begin a line, and those that do not.
    own_line_closers: u32,
    attached_closers: u32,
}

impl Sums {
    fn with(self, other: Self, of: fn(u32, u32) -> u32) -> Self {
        Self {
            cost: of(self.cost, other.cost),
            misfits: of(self.misfits, other.misfits),
            layout: of(self.layout, other.layout),
            lines: of(self.lines, other.lines),
            odd_lines: of(self.odd_lines, other.odd_lines),
            own_line_closers: of(self.own_line_closers, other.own_line_closers),
            attached_closers: of(self.attached_closers, other.attached_closers),
        }
    }
}

/// Where the latest token ends, and the indentation of the line it is on; no token has come as long as there is no end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    end: Option<usize>,
    line: Option<u32>,
}

/// What was known before a token.
#[derive(Debug, Clone, Copy, Default)]
struct Undo {
    latest: Place,
    /// Nothing where the token told nothing: then the place alone goes back.
    sums: Option<Sums>,
    suspects: usize,
    /// Whether the innermost container before the token learned from it how far its lines are indented.
    sets_member: bool,
    /// Of a key: whether its object did not have it yet, and whether one of its keys had come twice.
    is_new_key: bool,
    repeats: bool,
}

impl Ledger {
    /// One that does not count yet.
    pub(crate) fn early() -> Self {
        Self { is_early: true, ..Self::default() }
    }

    /// Whether the tokens to come tell both ledgers the same: they know the same, whatever their sums are.
    pub(crate) fn goes_on_as(&self, other: &Self) -> bool {
        self.latest == other.latest && self.suspects == other.suspects
    }

    /// By how much its sums differ from those of `other`, each modulo 2³².
    pub(crate) fn lead_of(&self, other: &Self) -> Sums {
        self.sums.with(other.sums, u32::wrapping_sub)
    }

    /// Adds to the sums, and to those before each of the latest tokens.
    pub(crate) fn shift(&mut self, by: Sums) {
        let before = self.undos.iter_mut().filter_map(|undo| undo.sums.as_mut());
        before.chain([&mut self.sums]).for_each(|sums| *sums = sums.with(by, u32::wrapping_add));
    }

    /// What the tokens cost so far, in hundredths.
    pub(crate) fn cost(&self) -> u32 {
        let lines = self.sums.layout + self.attached();
        self.sums.cost + if lines > 0 && self.is_laid_out() { lines } else { 0 }
    }

    /// The same without what the lines cost: a bracket further back may put all of them right.
    pub(crate) fn cost_without_lines(&self) -> u32 {
        self.sums.cost
    }

    /// What values cost that do not fit the contract, and objects that lack a key.
    pub(crate) fn misfits(&self) -> u32 {
        self.sums.misfits
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

    /// Where the earliest edit may start that a suspect allows.
    pub(crate) fn first_suspect(&self) -> Option<usize> {
        self.suspects.iter().map(|suspect| suspect.start()).min()
    }

    /// The first places where a line is not laid out as its siblings.
    pub(crate) fn suspects(&self) -> &[Arc<Suspect>] {
        if self.is_laid_out() { &self.suspects } else { &[] }
    }

    /// Keeps a suspect, if there are few so far.
    pub(crate) fn suspect(&mut self, suspect: impl FnOnce() -> Suspect) {
        self.sums.layout += costs::LAYOUT;
        if self.suspects.len() < SUSPECTS {
            self.suspects.push(Arc::new(suspect()));
        }
    }

    /// How far the line of the latest token is indented.
    pub(crate) fn line(&self) -> Option<u32> {
        self.latest.line
    }

    /// Enters a token that tells nothing: one that is neither a key nor a closer, and begins no line. `false` for any other.
    #[inline]
    pub(crate) fn passes(&mut self, kind: TokenKind, span: &Range<usize>, guide: Guide<'_>, place: usize) -> bool {
        // Values may fit a contract or not.
        let tells = kind == TokenKind::Key || kind.is_closer() || guide.types().is_some() && !kind.separates();
        let Some(latest) = self.latest.end.filter(|_| !tells) else { return false };
        let from = latest.min(span.start);
        // Most tokens follow the one before them at once, or after a space.
        if span.start - from > 1 || guide.source.as_bytes().get(from) == Some(&b'\n') {
            return false;
        }
        self.examined += (span.start - from) as u64;
        (self.undos[place].latest, self.undos[place].sums) = (self.latest, None);
        self.latest.end = Some(span.end);
        true
    }

    /// Enters a token that the record has at `place`, before it opens or closes a frame. Returns how far its line is indented if it is a suspect.
    pub(crate) fn token(
        &mut self,
        kind: TokenKind,
        (start, end): (usize, usize),
        frames: &mut Frames,
        guide: Guide<'_>,
        place: usize,
    ) -> Option<u32> {
        let mut undo =
            Undo { latest: self.latest, sums: Some(self.sums), suspects: self.suspects.len(), ..Undo::default() };
        let indent = self.indent(start, end, guide);
        if indent.is_some() {
            // A value in an object follows its colon.
            let in_object = || frames.stack.last().is_some_and(|frame| frame.kind == Container::Object);
            let is_odd = kind.separates() || kind != TokenKind::Key && !kind.is_closer() && in_object();
            self.sums.lines += 1;
            self.sums.odd_lines += u32::from(is_odd);
        }
        let wanted = match (kind, frames.stack.last_mut()) {
            (_, None) | (TokenKind::Colon | TokenKind::Comma, _) => None,
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd, Some(frame)) => {
                let is_over_lines = end > start && frame.member.is_some();
                self.sums.own_line_closers += u32::from(is_over_lines && indent.is_some());
                self.sums.attached_closers += u32::from(is_over_lines && indent.is_none());
                frame.line
            }
            // Members and elements that begin a line are indented alike.
            (_, Some(frame)) if kind == TokenKind::Key || frame.kind == Container::Array => {
                undo.sets_member = indent.is_some() && frame.member.is_none();
                frame.member = frame.member.or(indent);
                frame.member
            }
            (_, Some(_)) => None,
        };
        if kind == TokenKind::Key {
            self.key(start, end, frames, guide, &mut undo);
        } else if guide.types().is_some() {
            self.misfit(kind, start..end, frames, guide);
        }
        self.undos[place] = undo;
        indent.filter(|&indent| wanted.is_some_and(|wanted| wanted != indent))
    }

    /// Takes back the latest token, once its frame is open or closed as it was before.
    pub(crate) fn take_back(&mut self, place: usize, kind: TokenKind, frames: &mut Frames) {
        let undo = self.undos[place];
        self.latest = undo.latest;
        let Some(sums) = undo.sums else { return };
        if let Some(frame) = frames.stack.last_mut() {
            if undo.sets_member {
                frame.member = None;
            }
            if kind == TokenKind::Key {
                frame.repeats = undo.repeats;
            }
        }
        if undo.is_new_key {
            frames.pop_key();
        }
        self.sums = sums;
        self.suspects.truncate(undo.suspects);
    }

    /// How far the line is indented that the token begins; `None` if it does not begin one, or was inserted.
    fn indent(&mut self, start: usize, end: usize, guide: Guide<'_>) -> Option<u32> {
        let latest = self.latest.end.replace(end);
        let from = latest.map_or(start.saturating_sub(INDENT), |latest| latest.min(start));
        let bytes = guide.source.as_bytes();
        let gap = bytes.get(from..start).unwrap_or_default();
        self.examined += gap.len() as u64;
        if gap.len() <= 1 && latest.is_some() && bytes.get(from) != Some(&b'\n') {
            return None;
        }
        let (line, indent) = match gap.split_first() {
            // Most lines begin with nothing but spaces.
            Some((b'\n', blanks)) if are_spaces(blanks) => (Some(1), Some(blanks.len())),
            _ => {
                let newline = memchr::memrchr(b'\n', gap).map(|at| at + 1);
                // Blanks before the whole text are how a model starts its answer, and indent nothing.
                let line = newline.or_else(|| (latest.is_none() && from == 0).then_some(gap.len()));
                // A comment that ends on the line is not white space.
                let rest = line.and_then(|line| gap.get(line..));
                let is_blank = |rest: &&[u8]| rest.iter().all(|&byte| is_json_space(byte));
                let indented = |rest: &[u8]| rest.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
                (line, rest.filter(is_blank).map(indented))
            }
        };
        let indent = indent.and_then(|indent| u32::try_from(indent).ok());
        if line.is_some() || latest.is_none() {
            self.latest.line = indent;
        }
        indent.filter(|_| end > start)
    }

    /// A value costs that cannot fit the contract, and an object that ends without a key that it must have.
    fn misfit(&mut self, kind: TokenKind, span: Range<usize>, frames: &Frames, guide: Guide<'_>) {
        if kind == TokenKind::ObjectEnd {
            self.sums.misfits += costs::of_missing_keys(frames.missing_keys(guide));
        }
        // What was put in an empty place was chosen by its rule.
        if kind.separates() || kind.is_closer() || span.is_empty() {
            return;
        }
        let (shape, examined) = frames.shape_of_value(guide);
        self.examined += examined;
        let Some(shape) = shape else { return };
        let text = Frames::unquoted_at(span, guide);
        self.examined += shape.examines(text) as u64;
        if !shape.fits(kind, text) {
            self.sums.misfits += costs::MISFIT;
        }
    }

    /// A key costs if its object has it already, or if the contract does not list it.
    fn key(&mut self, start: usize, end: usize, frames: &mut Frames, guide: Guide<'_>, undo: &mut Undo) {
        let text = Frames::unquoted_at(start..end, guide);
        self.examined += text.len() as u64;
        if frames.allows(text, guide.evidence) == Some(false) {
            self.sums.cost += costs::UNDECLARED_KEY;
        }
        let hash = hash_of(text.as_bytes());
        let (is_known, has_room) = (frames.keys().contains(&hash), frames.keys().len() < KEYS);
        let Some(frame) = frames.stack.last_mut() else { return };
        undo.repeats = frame.repeats;
        if is_known {
            self.sums.cost += if frame.repeats { costs::REPEATED_AGAIN } else { costs::REPEATED_KEY };
            frame.repeats = true;
        } else if has_room {
            undo.is_new_key = true;
            frames.push_key(hash);
        }
    }
}

fn are_spaces(text: &[u8]) -> bool {
    const SPACES: [u8; 8] = [b' '; 8];
    let (words, rest) = text.as_chunks();
    words.iter().all(|word| *word == SPACES) && rest.iter().all(|&byte| byte == b' ')
}

#[cfg(test)]
mod tests {
    use crate::looking::frames::Guide;
    use crate::looking::ledger::Sums;
    use crate::looking::trace::Recorder;
    use crate::reading::recognise::{State, run};

    /// The sums of `text` after what was read beyond `kept` is taken back.
    fn sums(text: &str, kept: usize) -> Sums {
        let mut recorder = Recorder::default();
        recorder.ledger = Some(Box::default());
        let guide = Guide { source: text, evidence: None };
        run(&mut State::START.clone(), text.as_bytes(), 0, 127, &mut recorder.of(guide));
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
