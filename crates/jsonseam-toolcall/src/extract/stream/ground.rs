//! What is said around calls, as it comes: up to the next head that is a call whatever follows (SPEC L0a).
//!
//! Invariant: where later text could quote a head, or hide it otherwise than by a mark that ends thoughts, it is not reported.
//! Then the rest of the text waits for its end.

use std::ops::Range;

use jsonseam_text::floor_char_boundary;

use super::anchors::{Anchors, Mark};
use super::content::Content;
use super::ends::first_end;
use crate::cursor::{BYTE_ORDER_MARK, Stop};
use crate::extract::quotations::{Quotation, is_enclosed};
use crate::extract::quoted::{begins_block, begins_line};
use crate::extract::regions::REGIONS;
use crate::extract::{Bare, Extractor};
use crate::template::{Match, is_name_char};

/// The longest run of backticks that can open a code span.
const LONGEST_SPAN_MARK: usize = 8;
/// How far a name is looked at.
const MAX_NAME: usize = 256;
/// How far blanks after a quotation mark, a name or a backtick are looked at, and how many backticks.
const MAX_BLANK: usize = 64;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// More of the text is needed.
    Wait,
    /// The head of a call.
    Head,
    /// All that was said so far was thought.
    Thought,
    /// What follows depends on the whole text.
    Lost,
}

/// Which thoughts are open, and up to where their end was looked for.
#[derive(Debug, Clone, Copy)]
struct Thinking {
    index: usize,
    scanned: usize,
    is_first: bool,
}

/// A run of backticks or tildes that may quote, and up to where its end was looked for.
#[derive(Debug, Clone)]
struct Ticks {
    run: Range<usize>,
    scanned: usize,
    /// Up to where the end of the line was looked for that begins at `scanned`.
    seen: usize,
    is_fence: bool,
}

/// What precedes a place, read once.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that may be open, or not")]
pub(super) struct Ground {
    pub(super) pos: usize,
    /// Whether nothing but white space was read since the visible text began.
    is_blank: bool,
    /// Whether nothing but white space and marks was: it may be all bare calls.
    may_be_bare: bool,
    /// Whether the prompt has begun thoughts that have not ended.
    is_muted: bool,
    /// Whether later text may tell that a quotation is open.
    is_doubtful: bool,
    thinking: Option<Thinking>,
    ticks: Option<Ticks>,
    open: Option<Quotation>,
    is_block_quote: bool,
    begins_line: bool,
    /// Where what was quoted, or a call, ended last.
    passed_to: usize,
    /// How many bytes were looked at.
    pub(super) looked: u64,
}

/// What one thing at a place is.
enum Found {
    Nothing,
    Taken,
    Step(Step),
}

impl Ground {
    /// From `pos` on, where the visible text begins.
    pub(super) fn new(pos: usize, is_muted: bool) -> Self {
        Self {
            pos,
            is_blank: true,
            may_be_bare: true,
            is_muted,
            is_doubtful: false,
            thinking: None,
            ticks: None,
            open: None,
            is_block_quote: false,
            begins_line: true,
            passed_to: pos,
            looked: 0,
        }
    }

    fn look(&mut self, bytes: usize) {
        self.looked += bytes as u64;
    }

    /// Passes over a call that ends at `pos`.
    pub(super) fn pass_to(&mut self, pos: usize) {
        (self.pos, self.passed_to, self.begins_line) = (pos, pos, false);
        (self.is_blank, self.may_be_bare) = (false, false);
    }

    /// Reads up to the next head, or as far as the text goes.
    pub(super) fn step(&mut self, own: &Extractor, anchors: &Anchors, text: &str, content: &mut Content) -> Step {
        loop {
            let found = if self.thinking.is_some() {
                self.think(own, text)
            } else if self.ticks.is_some() {
                self.quote(anchors, text, content)
            } else {
                self.say(own, anchors, text, content)
            };
            match found {
                Found::Step(step) => return step,
                Found::Nothing | Found::Taken => {}
            }
        }
    }

    fn say(&mut self, own: &Extractor, anchors: &Anchors, text: &str, content: &mut Content) -> Found {
        let rest = text.get(self.pos..).unwrap_or_default();
        let Some(char) = rest.chars().next() else { return Found::Step(Step::Wait) };
        self.look(char.len_utf8());
        if self.pos == 0 && rest.starts_with(BYTE_ORDER_MARK) {
            (self.pos, self.passed_to) = (BYTE_ORDER_MARK.len(), BYTE_ORDER_MARK.len());
            return Found::Taken;
        }
        let hits = anchors.at(text, self.pos);
        if hits.is_partial {
            return Found::Step(Step::Wait);
        }
        for mark in hits.marks {
            let found = match mark {
                Mark::Thought => self.begin_thought(own, text),
                Mark::ThoughtEnd => self.end_thought(own, text),
                Mark::TurnLine if !begins_line(text, self.pos) => Found::Nothing,
                Mark::Turn | Mark::TurnLine => Found::Step(Step::Lost),
                Mark::Head => Found::Step(if self.is_clean(text) { Step::Head } else { Step::Lost }),
                Mark::Region(index) => self.region(index, text),
                Mark::Noise => return self.noise(text, hits.noise),
            };
            if !matches!(found, Found::Nothing) {
                return found;
            }
        }
        if self.may_be_bare && !char.is_whitespace() {
            match self.begins_plain(own, text) {
                None => return Found::Step(Step::Wait),
                Some(false) => return Found::Step(Step::Lost),
                Some(true) => self.may_be_bare = false,
            }
        }
        if matches!(char, '`' | '~')
            && let Some(found) = self.begin_ticks(text, char, content)
        {
            return found;
        }
        if self.prose(text, char) {
            content.push(rest.get(..char.len_utf8()).unwrap_or_default());
            Found::Taken
        } else {
            Found::Step(Step::Wait)
        }
    }

    /// Whether nothing that may quote is open.
    fn is_clean(&self, text: &str) -> bool {
        let follows_tick = self.passed_to != self.pos && text.get(..self.pos).is_some_and(|text| text.ends_with('`'));
        !(self.is_muted || self.is_doubtful || self.is_block_quote || self.open.is_some() || follows_tick)
    }

    fn region(&self, index: usize, text: &str) -> Found {
        let Some(region) = REGIONS.get(index) else { return Found::Nothing };
        if text.len() == self.pos + region.open.len() {
            return Found::Step(Step::Wait);
        }
        match region.opens(text, self.pos) {
            None => Found::Step(Step::Wait),
            Some(true) => Found::Step(Step::Lost),
            Some(false) => Found::Nothing,
        }
    }

    /// Passes over a mark that is no content.
    fn noise(&mut self, text: &str, len: usize) -> Found {
        let end = self.pos + len;
        let may_be_bare = self.may_be_bare;
        while self.pos < end {
            let Some(char) = text.get(self.pos..).and_then(|rest| rest.chars().next()) else { break };
            if !self.prose(text, char) {
                return Found::Step(Step::Wait);
            }
        }
        (self.is_blank, self.may_be_bare) = (false, may_be_bare);
        Found::Taken
    }

    /// Whether the visible text, which begins here, is neither JSON nor a bare call nor a fenced block of calls; `None` if that is not known yet.
    fn begins_plain(&mut self, own: &Extractor, text: &str) -> Option<bool> {
        let rest = text.get(self.pos..)?;
        self.look(rest.len().min(MAX_NAME + MAX_BLANK));
        if rest.starts_with(['{', '[', '"']) {
            return Some(false);
        }
        if rest.starts_with(['`', '~']) {
            let mark = rest.chars().next()?;
            let marks = rest.chars().take(3).take_while(|&char| char == mark).count();
            return if rest.len() == marks && marks < 3 { None } else { Some(marks < 3) };
        }
        let is_part = |char: char| is_name_char(char) || matches!(char, '\\' | '`' | '*');
        let near = rest.get(..floor_char_boundary(rest, MAX_NAME))?;
        let name = near.find(|char: char| !is_part(char)).unwrap_or(near.len());
        if name == near.len() {
            // So long a name is one to the whole text.
            return if name < MAX_NAME { None } else { Some(false) };
        }
        let after = rest.get(name..)?;
        let opens = match after.chars().next()? {
            '(' => true,
            '\n' | '\r' if !own.tools.is_empty() => {
                let near = after.get(..floor_char_boundary(after, MAX_BLANK))?.trim_start();
                match near.chars().next() {
                    None if after.len() < MAX_BLANK => return None,
                    // So far away, the whole text says.
                    first => first.is_none_or(|first| matches!(first, '{' | '`')),
                }
            }
            _ => false,
        };
        let begun = own.packs.formats.iter().filter(|format| format.row.begun_by_prompt && !own.tools.is_empty());
        for head in begun.flat_map(|format| &format.heads) {
            match head.match_after_anchor(text, self.pos) {
                Ok(found) if Self::is_named(own, &found, text) => return Some(false),
                Err(Stop::Cut) => return None,
                Ok(_) | Err(_) => {}
            }
        }
        Some(!opens)
    }

    fn is_named(own: &Extractor, found: &Match, text: &str) -> bool {
        let name = found.hole("name").and_then(|name| text.get(name)).unwrap_or_default();
        let is_text = own.packs.formats.iter().any(|format| format.row.text_name.as_deref() == Some(name));
        is_text || own.tools.offers(name)
    }

    fn begin_thought(&mut self, own: &Extractor, text: &str) -> Found {
        let mut begun = None;
        for (index, marks) in own.packs.reasoning.iter().enumerate() {
            match marks.open.match_at(text, self.pos) {
                Ok(open) => {
                    begun = Some((index, marks, open.end));
                    break;
                }
                Err(Stop::Cut) if text.len() - self.pos >= marks.open.anchor().len() => return Found::Step(Step::Wait),
                Err(_) => {}
            }
        }
        let Some((index, marks, end)) = begun else { return Found::Nothing };
        if !self.is_blank {
            if marks.at_start {
                return Found::Nothing;
            }
            if text.len() == end {
                return Found::Step(Step::Wait);
            }
            if is_enclosed(text, self.pos..end) || !marks.opened && self.is_block_quote {
                return Found::Nothing;
            }
            if !marks.opened && !self.is_muted && !self.is_clean(text) {
                return Found::Step(Step::Lost);
            }
        }
        self.thinking = Some(Thinking { index, scanned: end, is_first: self.is_blank });
        Found::Taken
    }

    /// Looks for the end of the thoughts that are open.
    fn think(&mut self, own: &Extractor, text: &str) -> Found {
        let Some(Thinking { index, scanned, is_first }) = self.thinking else { return Found::Nothing };
        let Some(marks) = own.packs.reasoning.get(index) else { return Found::Step(Step::Lost) };
        self.look(text.len() - scanned);
        let ends = marks.close.iter().map(|close| (close, false));
        let ends = ends.chain(marks.bounded_by.iter().map(|bound| (bound, true)));
        let first = ends.filter_map(|(end, is_bound)| {
            let (at, found) = first_end(std::iter::once(end), text, scanned)?;
            Some((at, is_bound, found))
        });
        let longest = marks.close.iter().chain(&marks.bounded_by).map(|end| end.anchor().len()).max().unwrap_or(1);
        let end = match first.min_by_key(|(at, ..)| *at) {
            Some((at, true, Some(_))) => at,
            Some((at, false, Some(end))) if end < text.len() => {
                if is_enclosed(text, at..end) {
                    self.thinking = Some(Thinking { index, scanned: end, is_first });
                    return Found::Taken;
                }
                end
            }
            // What is there may become an end, or be quoted.
            Some((at, ..)) => {
                self.thinking = Some(Thinking { index, scanned: at, is_first });
                return Found::Step(Step::Wait);
            }
            None => {
                let scanned = floor_char_boundary(text, text.len().saturating_sub(longest).max(scanned));
                self.thinking = Some(Thinking { index, scanned, is_first });
                return Found::Step(Step::Wait);
            }
        };
        self.thinking = None;
        if is_first {
            (self.pos, self.may_be_bare) = (end, true);
        } else {
            let may_be_bare = self.may_be_bare;
            self.pass_to(end);
            self.may_be_bare = may_be_bare;
        }
        Found::Taken
    }

    /// The thoughts began in the prompt: all that was said belongs to them.
    fn end_thought(&mut self, own: &Extractor, text: &str) -> Found {
        let closes = own.packs.reasoning.iter().filter(|marks| !marks.opened).flat_map(|marks| &marks.close);
        for close in closes {
            match close.match_at(text, self.pos) {
                Ok(found) if found.end == text.len() => return Found::Step(Step::Wait),
                Ok(found) if is_enclosed(text, self.pos..found.end) => return Found::Nothing,
                Ok(found) => {
                    *self = Self::new(found.end, false);
                    return Found::Step(Step::Thought);
                }
                Err(Stop::Cut) if text.len() - self.pos >= close.anchor().len() => return Found::Step(Step::Wait),
                Err(_) => {}
            }
        }
        Found::Nothing
    }

    /// A run of backticks or tildes; `None` if it is prose.
    fn begin_ticks(&mut self, text: &str, mark: char, content: &mut Content) -> Option<Found> {
        let rest = text.get(self.pos..)?;
        let len = rest.len() - rest.trim_start_matches(mark).len();
        self.look(len);
        if len == rest.len() {
            // No one quotes with so many.
            return Some(Found::Step(if len > MAX_BLANK { Step::Lost } else { Step::Wait }));
        }
        let run = self.pos..self.pos + len;
        let is_fence = len >= 3 && begins_block(text, self.pos);
        if !is_fence && mark == '~' {
            return None;
        }
        if !is_fence && len > LONGEST_SPAN_MARK {
            self.pass_run(text, run, content);
            return Some(Found::Taken);
        }
        let scanned = run.end;
        self.ticks = Some(Ticks { run, scanned, seen: scanned, is_fence });
        Some(Found::Taken)
    }

    /// A run that quotes nothing.
    fn pass_run(&mut self, text: &str, run: Range<usize>, content: &mut Content) {
        content.push(text.get(run.clone()).unwrap_or_default());
        (self.pos, self.begins_line, self.is_blank) = (run.end, false, false);
    }

    /// Looks for the end of what a run quotes.
    fn quote(&mut self, anchors: &Anchors, text: &str, content: &mut Content) -> Found {
        let Some(ticks) = self.ticks.clone() else { return Found::Nothing };
        if ticks.is_fence {
            self.in_fence(anchors, text, ticks, content)
        } else {
            self.in_span(anchors, text, ticks, content)
        }
    }

    /// A fenced block quotes up to its end, or that of the text.
    fn in_fence(&mut self, anchors: &Anchors, text: &str, ticks: Ticks, content: &mut Content) -> Found {
        let Ticks { run, scanned, seen, .. } = ticks.clone();
        let rest = text.get(scanned..).unwrap_or_default();
        let new = text.as_bytes().get(seen..).unwrap_or_default();
        self.look(new.len());
        let Some(len) = memchr::memchr(b'\n', new).map(|len| seen - scanned + len) else {
            self.ticks = Some(Ticks { seen: text.len(), ..ticks });
            return Found::Step(Step::Wait);
        };
        self.look(len);
        let line = rest.get(..=len).unwrap_or_default();
        if anchors.have_head_in(line) {
            return Found::Step(Step::Lost);
        }
        let inner = line.trim_matches([' ', '\t', '\r', '\n']);
        let mark = if text.as_bytes().get(run.start) == Some(&b'`') { '`' } else { '~' };
        let is_end = scanned > run.end && inner.len() >= run.len() && inner.chars().all(|char| char == mark);
        let from = if scanned == run.end { run.start } else { scanned };
        let end =
            if is_end { scanned + line.trim_end_matches([' ', '\t', '\r', '\n']).len() } else { scanned + len + 1 };
        content.push(text.get(from..end).unwrap_or_default());
        if is_end {
            self.ticks = None;
            self.pass_to(end);
        } else {
            self.ticks = Some(Ticks { run, scanned: end, seen: end, is_fence: true });
        }
        Found::Taken
    }

    /// A code span quotes if a run of its length ends it in its paragraph.
    fn in_span(&mut self, anchors: &Anchors, text: &str, ticks: Ticks, content: &mut Content) -> Found {
        let Ticks { run, scanned, .. } = ticks;
        let rest = text.get(scanned..).unwrap_or_default();
        let at = memchr::memchr(b'`', rest.as_bytes());
        let upto = at.map_or(text.len(), |at| scanned + at);
        let inner = text.get(run.end..upto).unwrap_or_default();
        let near = inner.get(..floor_char_boundary(inner, MAX_BLANK)).unwrap_or_default().trim_start();
        self.look(MAX_BLANK + upto - scanned);
        if near.is_empty() && inner.len() > MAX_BLANK {
            return Found::Step(Step::Lost);
        }
        let is_markup = near.starts_with(['<', '[', '{', ']']);
        // A blank line ends the paragraph, whatever follows.
        let new = text.as_bytes().get(scanned.saturating_sub(1).max(run.end)..upto).unwrap_or_default();
        if !is_markup && !near.is_empty() && memchr::memmem::find(new, b"\n\n").is_some() {
            self.ticks = None;
            self.pass_run(text, run, content);
            return Found::Taken;
        }
        let Some(at) = at else {
            self.ticks = Some(Ticks { run, scanned: text.len(), seen: text.len(), is_fence: false });
            return Found::Step(Step::Wait);
        };
        let close = rest.get(at..).unwrap_or_default();
        let len = close.len() - close.trim_start_matches('`').len();
        if len == close.len() {
            self.ticks = Some(Ticks { run, scanned: upto, seen: upto, is_fence: false });
            return Found::Step(Step::Wait);
        }
        if len != run.len() {
            self.ticks = Some(Ticks { run, scanned: upto + len, seen: upto + len, is_fence: false });
            return Found::Taken;
        }
        let is_spaced = inner.starts_with(char::is_whitespace) || inner.ends_with(char::is_whitespace);
        let is_paragraph = !is_spaced && inner.lines().all(|line| !line.trim().is_empty());
        self.ticks = None;
        if !(is_markup || !inner.contains('\n') || is_paragraph) {
            self.pass_run(text, run, content);
            return Found::Taken;
        }
        if inner.contains('\n') && anchors.have_head_in(inner) {
            return Found::Step(Step::Lost);
        }
        content.push(text.get(run.start..upto + len).unwrap_or_default());
        self.pass_to(upto + len);
        Found::Taken
    }

    /// Reads one character of prose; false if what it is depends on what follows.
    fn prose(&mut self, text: &str, char: char) -> bool {
        let (at, end) = (self.pos, self.pos + char.len_utf8());
        let rest = text.get(at..).unwrap_or_default();
        let after_text = text.get(end..).unwrap_or_default();
        let after = after_text.chars().next();
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        if char == '\n' {
            // A quotation may end in a later paragraph, or not at all.
            self.is_doubtful |= self.begins_line && self.open.take_if(|_| true).is_some();
            (self.is_block_quote, self.begins_line, self.pos) = (false, true, end);
            return true;
        }
        if char == '>' && self.begins_line {
            let marks = rest.len() - rest.trim_start_matches('>').len();
            if marks == rest.len() && marks < 4 {
                return false;
            }
            self.is_block_quote = marks != 3;
        }
        if char == '/' && self.begins_line {
            if after.is_none() {
                return false;
            }
            self.is_block_quote |= after == Some('/');
        }
        if let Some(open) = &mut self.open {
            if after.is_none() {
                return false;
            }
            if open.is_ended(text, at, char, after) {
                self.open = None;
            }
        } else if Quotation::may_open(char) {
            let blank = after_text.len() - after_text.trim_start().len();
            self.look(blank);
            if blank == after_text.len() && blank < MAX_BLANK {
                return false;
            }
            self.is_doubtful |= blank == after_text.len();
            self.open = Quotation::opened_by(char, end, before, after_text);
        }
        self.begins_line &= char.is_whitespace();
        self.is_blank &= char.is_whitespace();
        self.pos = end;
        true
    }
}

/// Whether text around calls may be told before the end.
pub(super) fn tells_content(own: &Extractor) -> bool {
    own.bare != Bare::Last || own.tools.is_empty()
}
