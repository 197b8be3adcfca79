//! What a rule may ask about brackets: which single one is wrong, missing or too many, and what lines and closers say about it.

use super::{Container, Expected, Fault};
use crate::peek::Nesting;
use crate::recognise::{Next, TokenKind};
use crate::trace::{Frame, Held, REACH};

/// The one bracket that, mended, makes the rest of the payload close where it should.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BracketDefect {
    /// The closer at the fault is of the wrong kind.
    WrongCloser,
    /// The closer at the fault and the one at this offset have changed places.
    SwappedClosers(usize),
    /// The closer at the fault is one too many.
    ExtraCloser,
    /// The closer with this span came too early.
    PrematureCloser(std::ops::Range<usize>),
    /// This many closers are missing at this offset.
    MissingClosers {
        /// How many.
        count: usize,
        /// Where they belong.
        at: usize,
        /// Whether the comma behind them is missing too.
        comma: bool,
    },
    /// An opener of this kind is missing at this offset.
    MissingOpener(Container, usize),
}

/// A way to mend the fault: what would be wrong, and where the reading would go on, and in what.
struct Supposition {
    defect: BracketDefect,
    nesting: Nesting,
    pos: usize,
    /// Whether it takes more than the nearest container that fits, so that it needs evidence of its own.
    is_far: bool,
    /// Whether the same bracket could be wrong in more than one place, so that no evidence helps.
    is_vague: bool,
}

impl Supposition {
    const fn new(defect: BracketDefect, nesting: Nesting, pos: usize) -> Self {
        Self { defect, nesting, pos, is_far: false, is_vague: false }
    }
}

/// How many missing closers in a row are considered.
const MAX_MISSING: u8 = 4;

impl Fault<'_> {
    /// The bracket that is wrong, missing or too many at this fault: the only one that, mended, lets the rest of the payload close where it should.
    ///
    /// `None` when no single bracket does it, when two readings do and neither the contract nor the lines decide, and when the fault is no matter of brackets.
    /// Each reading is followed to the end of the payload; the cost is bounded for the payload as a whole.
    pub fn bracket_defect(&self) -> Option<&BracketDefect> {
        self.bracket_defect.get_or_init(|| self.only(self.suppositions())).as_ref()
    }

    /// The character that opens the innermost container in the source: `(` or `{` where an edit has made an array of it.
    pub fn opener(&self) -> Option<char> {
        let frame = self.setting.recorder.frames().last()?;
        self.setting.peek.char_at(frame.opened())
    }

    /// Whether the array around the fault ends at `pos` with the closer that belongs to its opener in the source: `)` or `}`.
    pub(super) fn row_ends_at(&self, pos: usize) -> bool {
        let closer = match self.opener() {
            _ if self.container() != Some(Container::Array) => return false,
            Some('(') => ")",
            Some('{') => "}",
            _ => return false,
        };
        let peek = self.setting.peek;
        peek.starts_with(peek.skip_blanks(pos), closer)
    }

    fn suppositions(&self) -> Vec<Supposition> {
        let here = Nesting::of(&self.state);
        let mut found = Vec::new();
        match (self.next_char(), self.expected()) {
            (Some(closer @ ('}' | ']' | ')')), _) if here.depth() > 0 => self.at_closer(closer, here, &mut found),
            (Some(':'), Expected::Comma) if self.previous_is(TokenKind::String) => self.at_colon(here, &mut found),
            (Some('{'), Expected::Key) if self.previous_is(TokenKind::Comma) => self.at_element(here, &mut found),
            (Some('{'), Expected::Comma) if here.is_in_object() => self.before_comma(here, &mut found),
            (Some(_), Expected::Comma) if !here.is_in_object() && self.key_is_next() => {
                self.before_comma(here, &mut found);
            }
            (Some(','), Expected::End) => self.after_root(here, &mut found),
            _ => {}
        }
        if matches!(self.expected(), Expected::Key | Expected::Colon) {
            self.at_lost_array(here, &mut found);
        }
        found
    }

    /// A closer stands where it does not fit.
    fn at_closer(&self, closer: char, here: Nesting, found: &mut Vec<Supposition>) {
        let peek = self.setting.peek;
        let after = self.pos + 1;
        let is_after_value = matches!(self.state.next, Next::CommaOrClose | Next::KeyOrClose | Next::ValueOrClose);
        if !is_after_value {
            return;
        }
        found.extend(here.popped().map(|popped| Supposition::new(BracketDefect::WrongCloser, popped, after)));
        let mut extra = Supposition::new(BracketDefect::ExtraCloser, here.expecting(Next::CommaOrClose), after);
        extra.is_vague = (closer != '}' && self.opener_may_be_lost()) || self.closer_fits_lines() == Some(false);
        found.push(extra);
        let second = peek.skip_blanks(after);
        let is_swapped = match peek.char_at(second) {
            Some('}') => closer == ']' && here.is_in_object(),
            Some(']') => closer == '}' && !here.is_in_object(),
            _ => false,
        };
        if is_swapped && let Some(popped) = here.popped_by(2) {
            found.push(Supposition::new(BracketDefect::SwappedClosers(second), popped, second + 1));
        }
        let fits = |nesting: Nesting| nesting.depth() > 0 && closer == if nesting.is_in_object() { '}' } else { ']' };
        self.close(here, self.end_of_previous(), false, fits, |popped| (popped, self.pos), found);
    }

    /// One supposition for each container, of those that are open, which fits what follows once all within it are closed at `at`.
    fn close(
        &self,
        here: Nesting,
        at: usize,
        comma: bool,
        fits: impl Fn(Nesting) -> bool,
        goes_on: impl Fn(Nesting) -> (Nesting, usize),
        found: &mut Vec<Supposition>,
    ) {
        let (mut is_far, is_vague) = (false, self.may_have_closed_earlier(at));
        for count in 1..=MAX_MISSING.min(here.depth()) {
            let Some(popped) = here.popped_by(count).filter(|popped| fits(*popped)) else { continue };
            let defect = BracketDefect::MissingClosers { count: usize::from(count), at, comma };
            let (nesting, pos) = goes_on(popped);
            let kinds = here.kinds(count + 1);
            let alternates = (kinds ^ kinds >> 1) & !(u128::MAX << count) == !(u128::MAX << count);
            found.push(Supposition { defect, nesting, pos, is_far, is_vague: is_vague || !alternates });
            is_far = true;
        }
    }

    /// Whether a bracket that closes nothing may rather have lost its opener: unless an array of nothing but scalars and objects closes right before it.
    fn opener_may_be_lost(&self) -> bool {
        let Some(array) = self.setting.recorder.behind(0).filter(|token| token.kind == TokenKind::ArrayEnd) else {
            return true;
        };
        let inside = array.closed().opened() + 1..array.start();
        self.setting.peek.slice(inside).contains('[')
    }

    /// Whether a container that closes in the run of closers before `at` may have closed earlier: it lies in one of its own kind,
    /// holds more than one member or element, and the lines do not say that this is where it ends.
    fn may_have_closed_earlier(&self, at: usize) -> bool {
        let recorder = self.setting.recorder;
        let is_before = |back: &usize| recorder.behind(*back).is_some_and(|token| token.end() <= at);
        let Some(first) = (0..REACH).find(is_before) else { return false };
        let mut around_it = self.setting.recorder.frames().last().copied();
        for back in first.. {
            let Some(closer) = recorder.behind(back) else { return true };
            if !closer.kind.is_closer() {
                return false;
            }
            // Before the closer, it was the innermost; around it lies what the next bit tells.
            let around = closer.before().containers;
            let is_of_kind = closer.before().depth > 1 && (around & 1) == (around >> 1 & 1);
            if is_of_kind && closer.closed().index > 0 && self.fits_lines(closer, around_it) != Some(true) {
                return true;
            }
            around_it = Some(closer.closed());
        }
        false
    }

    fn end_of_previous(&self) -> usize {
        self.setting.recorder.behind(0).map_or(self.pos, Held::end).max(self.setting.frontier)
    }

    /// A colon follows a string that is no key.
    fn at_colon(&self, here: Nesting, found: &mut Vec<Supposition>) {
        let (Some(key), Some(before)) = (self.token(0), self.token(1)) else { return };
        let inside = here.pushed(true).expecting(Next::Colon);
        let opener = BracketDefect::MissingOpener(Container::Object, key.span.start);
        found.push(Supposition::new(opener, inside, self.pos));
        if before.kind != TokenKind::Comma || here.is_in_object() {
            return;
        }
        let goes_on = |popped: Nesting| (popped.expecting(Next::Colon), self.pos);
        self.close(here, before.span.start, false, Nesting::is_in_object, goes_on, found);
        if let Some(closer) = self.token(2).filter(|closer| closer.kind == TokenKind::ObjectEnd) {
            found.push(Supposition::new(BracketDefect::PrematureCloser(closer.span), inside, self.pos));
        }
    }

    /// An object follows a comma, where a key is due.
    fn at_element(&self, here: Nesting, found: &mut Vec<Supposition>) {
        let Some(comma) = self.previous() else { return };
        let goes_on = |popped: Nesting| (popped.expecting(Next::Value), self.pos);
        let is_array = |popped: Nesting| popped.depth() > 0 && !popped.is_in_object();
        self.close(here, comma.span.start, false, is_array, goes_on, found);
    }

    /// Closers and a comma are missing between the nearest token and the fault.
    fn before_comma(&self, here: Nesting, found: &mut Vec<Supposition>) {
        let fits = |popped: Nesting| popped.depth() > 0 && popped.is_in_object() != here.is_in_object();
        let next = if here.is_in_object() { Next::Value } else { Next::Key };
        self.close(here, self.end_of_previous(), true, fits, |popped| (popped.expecting(next), self.pos), found);
    }

    /// A comma follows the root: its closer came too early.
    fn after_root(&self, here: Nesting, found: &mut Vec<Supposition>) {
        let Some(closer) = self.setting.recorder.behind(0).filter(|token| token.kind.is_closer()) else { return };
        let is_object = closer.kind == TokenKind::ObjectEnd;
        let peek = self.setting.peek;
        let next = peek.skip_blanks(self.pos + 1);
        let goes_on = if is_object { peek.key_is_at(next) } else { peek.value_is_at(next) };
        if goes_on && self.closes_too_early(closer) {
            let reopened = here.pushed(is_object).expecting(Next::CommaOrClose);
            let defect = BracketDefect::PrematureCloser(closer.start()..closer.end());
            found.push(Supposition::new(defect, reopened, self.pos));
        }
    }

    /// A value, a comma or `]` stands in an object behind `"key": scalar, …`: the array around these values was not opened.
    fn at_lost_array(&self, here: Nesting, found: &mut Vec<Supposition>) {
        let (comma_at, next) = match self.expected() {
            Expected::Key => (0, Next::Value),
            _ => (1, Next::CommaOrClose),
        };
        let kind = |back| self.token(back).map(|token| token.kind);
        let is_row = kind(comma_at) == Some(TokenKind::Comma)
            && kind(comma_at + 1).is_some_and(TokenKind::is_scalar)
            && kind(comma_at + 2) == Some(TokenKind::Colon);
        if is_row && let Some(first) = self.token(comma_at + 1) {
            let inside = here.expecting(Next::CommaOrClose).pushed(false).expecting(next);
            let defect = BracketDefect::MissingOpener(Container::Array, first.span.start);
            found.push(Supposition::new(defect, inside, self.pos));
        }
    }

    /// The only supposition under which the payload is whole; if there are several, the one that the contract, the lines or the keys single out.
    fn only(&self, suppositions: Vec<Supposition>) -> Option<BracketDefect> {
        let peek = self.setting.peek;
        let mut whole: Vec<_> =
            suppositions.into_iter().filter(|supposed| peek.is_whole_from(supposed.nesting, supposed.pos)).collect();
        let mut is_proved = false;
        for evidence in [Self::by_contract, Self::by_keys, Self::by_lines] {
            let says = |wanted| move |supposed: &Supposition| evidence(self, &supposed.defect) == Some(wanted);
            let is_proof = |supposed: &&Supposition| {
                !matches!(supposed.defect, BracketDefect::PrematureCloser(_)) && says(true)(supposed)
            };
            if whole.iter().filter(is_proof).count() == 1 {
                whole.retain(says(true));
                is_proved = true;
            } else {
                whole.retain(|supposed| !says(false)(supposed));
            }
        }
        let supposed = whole.pop()?;
        (whole.is_empty() && !supposed.is_vague && (is_proved || !supposed.is_far)).then_some(supposed.defect)
    }

    /// Whether the contract allows the key at the fault where the defect, mended, puts it.
    fn by_contract(&self, defect: &BracketDefect) -> Option<bool> {
        let BracketDefect::MissingClosers { count, .. } = defect else { return None };
        let closed = self.state.containers & !(u128::MAX.checked_shl(u32::try_from(*count).ok()?).unwrap_or(0));
        let key = match self.previous() {
            Some(key) if self.ahead_is(":") => self.key_at(key.span.start)?,
            _ => self.key_at(self.pos)?,
        };
        self.declares_key_outward(closed.count_ones() as usize, key)
    }

    /// Whether the indentation of the key at the fault is that of the keys it joins when the defect is mended, or of those in the object before it.
    fn by_lines(&self, defect: &BracketDefect) -> Option<bool> {
        let peek = self.setting.peek;
        let key = if self.ahead_is(":") {
            self.previous()?.span.start
        } else {
            peek.skip_blanks(self.pos + usize::from(self.ahead_is(",")))
        };
        let frames = self.setting.recorder.frames();
        let joined = match defect {
            BracketDefect::MissingClosers { count, .. } => frames.get(frames.len().checked_sub(count + 1)?)?.key()?,
            BracketDefect::MissingOpener(Container::Object, _) => {
                let sibling = self.setting.recorder.behind(2).filter(|token| token.kind == TokenKind::ObjectEnd)?;
                sibling.closed().key()?
            }
            BracketDefect::PrematureCloser(span) => (0..3)
                .filter_map(|back| self.setting.recorder.behind(back))
                .find(|token| token.start() == span.start)?
                .closed()
                .key()?,
            _ => return None,
        };
        Some(peek.indent_at(joined.0)? == peek.indent_at(key)?)
    }

    /// An object whose closer came too early does not go on with a key that it has already.
    fn by_keys(&self, defect: &BracketDefect) -> Option<bool> {
        let BracketDefect::PrematureCloser(span) = defect else { return None };
        let key = self.previous().filter(|_| self.ahead_is(":"))?;
        let closer =
            (0..3).filter_map(|back| self.setting.recorder.behind(back)).find(|token| token.start() == span.start)?;
        let peek = self.setting.peek;
        let is_repeated = peek.object_has_key(closer.closed().opened(), span.start, peek.slice(key.span));
        is_repeated.then_some(false)
    }

    /// Whether a run of closers speaks for one that is too many.
    fn ends_run(&self, defect: &BracketDefect) -> Option<bool> {
        let BracketDefect::PrematureCloser(span) = defect else { return None };
        let back = (0..3).find(|&back| self.token(back).is_some_and(|token| token.span == *span))?;
        self.token(back + 1).is_some_and(|token| token.kind.is_closer()).then_some(true)
    }

    /// Whether the closer of the root, right behind the fault, is the only one that can have come too early:
    /// the lines say so, or no other closer is as likely to be the one.
    fn closes_too_early(&self, closer: &Held) -> bool {
        let defect = BracketDefect::PrematureCloser(closer.start()..closer.end());
        self.by_lines(&defect).unwrap_or_else(|| {
            let early = self.setting.peek.early_closers(self.setting.start, closer.start());
            if self.ends_run(&defect) == Some(true) { !early.in_run } else { !early.any }
        })
    }

    /// Whether the closer behind the fault stands on its own line, and that line is indented as the one on which its container opens.
    /// `None` if one of them does not start its line.
    pub fn closer_fits_lines(&self) -> Option<bool> {
        let closer = self.setting.recorder.behind(0).filter(|token| token.kind.is_closer())?;
        self.fits_lines(closer, self.setting.recorder.frames().last().copied())
    }

    /// The same for any closer; `around` is the frame of the container around the one it closes, whose latest key may start the line.
    fn fits_lines(&self, closer: &Held, around: Option<Frame>) -> Option<bool> {
        let peek = self.setting.peek;
        let key = || around.as_ref().and_then(Frame::key);
        let opens = peek.indent_at(closer.closed().opened()).or_else(|| peek.indent_at(key()?.0));
        Some(peek.indent_at(closer.start())? == opens?)
    }

    /// The length of what stands behind the complete root, if that is nothing but closers up to where the payload ends, and they cannot mean
    /// that a closer came too early before them. The lines decide; without them, several closers or one set apart are more than one slip.
    pub fn surplus_closers(&self) -> Option<usize> {
        let peek = self.setting.peek;
        let root = self.setting.recorder.behind(0).filter(|token| token.kind.is_closer())?;
        let run = self.text_ahead(self.run_len(|char| char.is_whitespace() || matches!(char, '}' | ']')));
        let len = run.trim_end().len();
        let behind = self.pos + run.len();
        let run = run.get(..len).unwrap_or_default();
        if self.expected() != Expected::End || len == 0 || !peek.root_has_ended(behind) {
            return None;
        }
        let outdents = || Some(peek.indent_at(self.pos)? < peek.indent_at(root.start())?);
        let is_surplus = match self.closer_fits_lines() {
            Some(fits) => fits,
            None if outdents() == Some(true) => false,
            None => {
                // On a line of its own it stands where the closer of the root should, unless that is on one too.
                let is_apart = run.len() > 1 || (self.gap_len() > 0 && peek.indent_at(self.pos).is_none());
                is_apart || !peek.early_closers(self.setting.start, root.start()).any
            }
        };
        is_surplus.then_some(len)
    }
}
