//! Reading on, on trial: how far a reading of the text fits the grammar, where other rules would mend what is small.
//!
//! Invariant: all trials of one payload together read a bounded multiple of it; beyond that, every reading counts as one that breaks.

use super::Peek;
use super::strings::is_quote;
use crate::limits::MAX_DEPTH;
use crate::recognise::{Ending, Next, Partial, State, Stop, TokenKind, Trace, finish, run};

/// How far one trial reads at first, and at most, in bytes.
const NEAR: usize = 512;
const FAR: usize = 4096;

/// How many tokens are enough where the text goes on behind what a trial reads at first.
const ENOUGH: u32 = 24;

/// How many unescaped quotes a trial passes over.
const MAX_FLAWS: u32 = 40;

/// How many tokens make a reading credible that breaks off afterwards: those of a member before its value.
const CREDIBLE: u32 = 3;

/// How well a reading fits what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It breaks at once.
    Breaks,
    /// It reads on for a while, and breaks.
    Begins,
    /// It reads to the end, or as far as a trial looks, with quotes to be escaped on the way.
    Flawed,
    /// It reads to the end, or as far as a trial looks.
    Fits,
}

/// What a trial remembers of the tokens it passes.
#[derive(Default)]
struct Passed {
    tokens: u32,
    /// The latest token: the state before it, and whether it is a string value.
    latest: Option<(State, bool)>,
}

impl Trace for Passed {
    fn token(&mut self, before: &State, kind: TokenKind, _: std::ops::Range<usize>, _: usize) {
        self.tokens += 1;
        self.latest = Some((*before, kind == TokenKind::String));
    }
}

struct Trial<'p, 'e> {
    peek: &'p Peek<'e>,
    state: State,
    pos: usize,
    limit: usize,
    passed: Passed,
    flaws: u32,
}

impl Peek<'_> {
    /// How well the text from `pos` on reads behind a string that began in the state `before`.
    pub(super) fn fit_after_string(&self, before: State, pos: usize) -> Fit {
        let mut state = before;
        run(&mut state, b"\"\"", 0, MAX_DEPTH, &mut ());
        let limit = self.boundary_before(pos.saturating_add(NEAR));
        if self.has_searched_enough() {
            return Fit::Breaks;
        }
        let mut trial = Trial { peek: self, state, pos, limit, passed: Passed::default(), flaws: 0 };
        let is_whole = trial.read();
        self.charge(trial.pos.saturating_sub(pos) + 1);
        match (is_whole, trial.flaws) {
            (true, 0) => Fit::Fits,
            (true, _) => Fit::Flawed,
            (false, _) if trial.passed.tokens < CREDIBLE => Fit::Breaks,
            (false, _) => Fit::Begins,
        }
    }

    /// The last boundary of a character at or before `pos`, within the region.
    pub(super) fn boundary_before(&self, pos: usize) -> usize {
        let mut pos = pos.min(self.end);
        while !self.source.is_char_boundary(pos) {
            pos -= 1;
        }
        pos
    }

    /// Whether what stands behind a root that closed before `pos` can be prose: nothing, a fence, or lines of their own that end in no closer.
    fn is_prose_behind_root(&self, pos: usize) -> bool {
        let rest = self.ahead(pos);
        let prose = rest.trim_start();
        self.charge(rest.len() - prose.len() + 1);
        let is_on_its_own_line = rest.get(..rest.len() - prose.len()).is_some_and(|gap| gap.contains(['\n', '\r']));
        prose.is_empty()
            || prose.starts_with("```")
            || is_on_its_own_line && !prose.trim_end().ends_with(['}', ']', '"']) && self.root_has_ended(pos)
    }
}

impl Trial<'_, '_> {
    /// Reads to the end, to the limit or to what breaks. Whether it came to an end.
    fn read(&mut self) -> bool {
        let bytes = self.peek.source.as_bytes();
        let start = self.pos;
        let mut text = bytes.get(..self.limit).unwrap_or_default();
        // Each turn passes over some of the text or counts a flaw, but blanks cost no token: hence the bound.
        for _ in 0..FAR {
            let stop = run(&mut self.state, text, self.pos, MAX_DEPTH, &mut self.passed);
            let goes_on = match stop {
                Stop::Exhausted
                    if self.limit < self.peek.end && self.passed.tokens < ENOUGH && self.limit - start < FAR =>
                {
                    self.pos = self.limit;
                    self.limit = self.peek.boundary_before(start + 2 * (self.limit - start));
                    text = bytes.get(..self.limit).unwrap_or_default();
                    true
                }
                Stop::Exhausted => return self.ended(),
                Stop::TooDeep(_) => false,
                Stop::Control(pos) => self.go_on(pos + 1),
                Stop::BadEscape => self.go_on(self.state.escape_start + 1),
                Stop::BadScalar => self.bad_scalar(),
                Stop::Unexpected(pos) if self.state.next == Next::End => {
                    self.pos = pos;
                    let start = self.peek.source.get(..pos).map_or(pos, |text| text.trim_end().len());
                    return self.peek.is_prose_behind_root(start);
                }
                Stop::Unexpected(pos) => self.unexpected(pos),
            };
            if !goes_on {
                return false;
            }
        }
        false
    }

    fn ended(&mut self) -> bool {
        self.pos = self.limit;
        if self.limit < self.peek.end {
            return self.passed.tokens >= 3;
        }
        let ending = finish(&mut self.state, self.limit, &mut ());
        self.flaws += u32::from(ending != Ending::Complete);
        !matches!(ending, Ending::OpenString | Ending::OpenEscape)
    }

    fn go_on(&mut self, pos: usize) -> bool {
        self.pos = pos;
        true
    }

    /// Reads `text` instead of the source up to `pos`.
    fn stand_in(&mut self, text: &[u8], pos: usize) -> bool {
        self.state.partial = Partial::None;
        let is_read = run(&mut self.state, text, 0, MAX_DEPTH, &mut self.passed) == Stop::Exhausted;
        is_read && self.go_on(pos)
    }

    fn bad_scalar(&mut self) -> bool {
        let pos = self.state.token_start;
        let end = pos + self.peek.word_at(pos).len();
        let is_value =
            self.peek.foreign_scalar_is_at(pos) || self.peek.char_at(pos).is_some_and(|char| char.is_ascii_digit());
        is_value && end > pos && self.stand_in(b"\"\"", end)
    }

    fn unexpected(&mut self, pos: usize) -> bool {
        self.pos = pos;
        let next = self.peek.skip_blanks(pos);
        if next > pos {
            return self.go_on(next);
        }
        let Some(char) = self.peek.char_at(pos) else {
            return false;
        };
        match (self.state.next, char) {
            (Next::Key, '}') | (Next::Value, ']') => self.drop_comma(),
            (Next::Value | Next::ValueOrClose | Next::Key | Next::KeyOrClose, quote) if is_quote(quote) => {
                self.foreign_string(pos, quote)
            }
            (Next::Key | Next::KeyOrClose, _) => {
                let end = self.peek.bare_key_end(pos).filter(|&end| self.peek.colon_follows(end));
                end.is_some_and(|end| self.stand_in(b"\"\"", end))
            }
            (Next::CommaOrClose, _) => self.comma_due(pos),
            _ => self.peek.foreign_scalar_is_at(pos) && self.bare_value(pos),
        }
    }

    fn bare_value(&mut self, pos: usize) -> bool {
        let end = pos + self.peek.word_at(pos).len();
        end > pos && self.stand_in(b"\"\"", end)
    }

    /// A comma before a closer is as good as none.
    fn drop_comma(&mut self) -> bool {
        let is_behind_value = self.passed.latest.is_some_and(|(before, _)| before.next == Next::CommaOrClose);
        self.state.next = Next::CommaOrClose;
        is_behind_value
    }

    fn foreign_string(&mut self, pos: usize, quote: char) -> bool {
        let end = self.peek.fitting_end(&self.state, pos, quote).or_else(|| self.peek.quoted_end(pos, quote));
        end.is_some_and(|end| self.stand_in(b"\"\"", end))
    }

    /// Something else stands where a comma or a closer is due: members or elements that meet, or a quote that should be escaped.
    fn comma_due(&mut self, pos: usize) -> bool {
        let before = self.peek.source.get(..pos).unwrap_or_default();
        let gap = before.len() - before.trim_end().len();
        let is_new_line = before.get(pos - gap..).is_some_and(|gap| gap.contains('\n'));
        let next = self.peek.char_at(pos);
        let meets = if self.state.is_in_object() {
            gap > 0 && self.peek.key_is_at(pos)
        } else {
            is_new_line && matches!(next, Some('{' | '[')) || gap > 0 && next == Some('"')
        };
        if meets {
            self.flaws += u32::from(!is_new_line && !self.state.is_in_object());
            return self.stand_in(b",", pos);
        }
        let Some((before, true)) = self.passed.latest else {
            return false;
        };
        self.flaws += 1;
        self.state = before.inside_string();
        self.flaws <= MAX_FLAWS
    }
}
