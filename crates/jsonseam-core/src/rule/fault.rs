//! The place where a payload stops being JSON, and everything a rule may ask about it.
//!
//! Boundary: this is the whole interface between the engine and a rule. A rule never sees the source, only answers;
//! every byte an answer reads is counted ([`Work::examined`](crate::Work::examined)), so a rule cannot hide a slow search.

mod evidence;
mod strings;
mod structure;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::hash::Hash;
use std::ops::Range;

use jsonseam_text::floor_char_boundary;

pub use self::strings::{OpenString, StringProblem};
use crate::derived::debug_facts;
use crate::edits::edit::{Edit, Edits};
use crate::edits::journal::Journal;
use crate::looking::ahead::Ahead;
use crate::looking::evidence::Evidence;
use crate::looking::layout::Suspect;
use crate::looking::ledger::Ledger;
use crate::looking::peek::Peek;
use crate::looking::trace::Recorder;
use crate::reading::expected::Expected;
use crate::reading::recognise::{State, TokenKind};
use crate::reading::scan::continues_scalar;
use crate::reading::token::{Container, REACH, Token, closers};

/// The context of a fault: what the engine knows around it.
#[derive(Clone, Copy)]
pub(crate) struct FaultContext<'e> {
    pub(crate) source: &'e str,
    pub(crate) evidence: Option<&'e Evidence>,
    /// Where the payload may reach to: nothing beyond belongs to it.
    pub(crate) end: usize,
    pub(crate) start: usize,
    /// Whether nothing but white space follows `end` in the completion.
    pub(crate) is_last: bool,
    pub(crate) frontier: usize,
    /// How many journal entries are before the frontier.
    pub(crate) sealed: usize,
    pub(crate) recorder: &'e Recorder,
    pub(crate) journal: &'e Journal,
    pub(crate) peek: &'e Peek<'e>,
    /// The newline search in the current gap: where it starts, how far it came, what it found.
    pub(crate) gap: &'e Cell<(usize, usize, bool)>,
}

/// The first place where a payload stops being JSON, as a rule sees it.
///
/// All offsets are bytes of the completion. Answers are computed on demand and remembered for as long as the fault lasts.
///
/// Most rules need few of its questions. Start with these:
///
/// | to know | ask |
/// |---|---|
/// | what was expected, and where | [`expected`](Self::expected), [`pos`](Self::pos) |
/// | what comes next | [`next_char`](Self::next_char), [`is_at_end`](Self::is_at_end), [`ahead`](Self::ahead) to read on |
/// | what came before | [`token`](Self::token), [`previous_is`](Self::previous_is) |
/// | where it is | [`container`](Self::container) |
///
/// and answer with [`replace_ahead`](Self::replace_ahead), [`insert`](Self::insert) or [`quote_ahead`](Self::quote_ahead), or with `None`:
///
/// ```
/// use jsonseam_core::{Edits, Fault};
///
/// fn repair(fault: &Fault<'_>) -> Option<Edits> {
///     fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":"))
/// }
/// ```
pub struct Fault<'e> {
    context: FaultContext<'e>,
    state: State,
    expected: Expected,
    site: Site,
    next: OnceCell<Option<char>>,
}

debug_facts!(Fault<'_>, |fault| expected: fault.expected(), pos: fault.site.pos, is_at_end: fault.site.is_at_end);

impl<'e> Fault<'e> {
    pub(crate) fn new(context: FaultContext<'e>, state: State, site: &Site) -> Self {
        Self { context, state, expected: Expected::of(&state), site: *site, next: OnceCell::new() }
    }

    /// What the grammar expected here.
    pub fn expected(&self) -> Expected {
        self.expected
    }

    /// The byte at which the payload stops being JSON: the first one of a bad scalar, the backslash of a bad escape.
    pub fn pos(&self) -> usize {
        self.site.pos
    }

    /// Whether the region ends here, or inside the word or escape that starts here. Only then may a rule close what is open.
    pub fn is_at_end(&self) -> bool {
        if self.site.is_at_end {
            self.context.peek.text.touch();
        }
        self.site.is_at_end
    }

    /// Whether the completion ends here too, so that it was cut off: nothing but white space follows the region.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault};
    ///
    /// /// Closes what is open, but only where the answer was cut off.
    /// fn close(fault: &Fault<'_>) -> Option<Edits> {
    ///     fault.is_cut().then(|| fault.insert(fault.closers()))
    /// }
    /// ```
    pub fn is_cut(&self) -> bool {
        self.is_at_end() && self.context.is_last
    }

    /// Whether the payload ends where the completion does, so that the completion may be cut there. At the end of a fenced block nothing was.
    /// What follows the payload decides that, so it counts as looking at the end of the text.
    pub fn may_be_cut(&self) -> bool {
        self.context.peek.text.touch();
        self.context.is_last
    }

    /// The innermost open container; `None` at the root.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault, Container};
    ///
    /// fn comma(fault: &Fault<'_>) -> Option<Edits> {
    ///     (fault.container() == Some(Container::Array)).then(|| fault.insert(","))
    /// }
    /// ```
    pub fn container(&self) -> Option<Container> {
        let kind = if self.state.is_in_object() { Container::Object } else { Container::Array };
        (self.state.depth > 0).then_some(kind)
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        usize::from(self.state.depth)
    }

    /// The closers of all open containers, the innermost first: `]}`. At most 127 bytes.
    pub fn closers(&self) -> String {
        closers(self.state.depth, self.state.containers)
    }

    /// The token `back` places before the fault: 0 is the nearest. At most the last four are known; an open string is not among them.
    ///
    /// ```
    /// use jsonseam_core::Fault;
    ///
    /// /// Whether the nearest token is empty: an edit put it there.
    /// fn follows_inserted(fault: &Fault<'_>) -> bool {
    ///     fault.token(0).is_some_and(|token| token.span.is_empty())
    /// }
    /// ```
    pub fn token(&self, back: usize) -> Option<Token> {
        if back < REACH { self.context.recorder.token_at(back) } else { None }
    }

    /// The kind of the token `back` places before the fault, of the last four: what [`token`](Self::token) tells, without its place.
    ///
    /// ```
    /// use jsonseam_core::{Fault, TokenKind};
    ///
    /// /// Whether a comma is the nearest token, and a value comes before it.
    /// fn follows_element(fault: &Fault<'_>) -> bool {
    ///     fault.previous_is(TokenKind::Comma) && fault.token_kind(1).is_some_and(TokenKind::is_scalar)
    /// }
    /// ```
    pub fn token_kind(&self, back: usize) -> Option<TokenKind> {
        let token = if back < REACH { self.context.recorder.nth_back(back) } else { None };
        token.map(|token| token.kind)
    }

    /// Whether the nearest token before the fault is of this kind.
    pub fn previous_is(&self, kind: TokenKind) -> bool {
        self.token_kind(0) == Some(kind)
    }

    /// The character at the fault; `None` at the region's end.
    pub fn next_char(&self) -> Option<char> {
        let next = *self.next.get_or_init(|| self.ahead().peek());
        if next.is_none() {
            self.context.peek.text.touch();
        }
        next
    }

    /// A cursor at the fault, to read on with.
    pub fn ahead(&self) -> Ahead<'e> {
        self.at(self.site.pos)
    }

    /// A cursor at any offset of the payload.
    pub fn at(&self, pos: usize) -> Ahead<'e> {
        self.context.peek.text.at(pos)
    }

    /// A cursor at the character that opens the innermost container in the source; see [`opener`](Self::opener).
    pub fn opened(&self) -> Option<Ahead<'e>> {
        Some(self.at(self.context.recorder.frames.stack.last()?.opened))
    }

    /// The answer that is remembered for `key` from an earlier question, or that of `find_out`, which is then remembered
    /// for as long as the payload is being repaired, at this fault and at all others.
    ///
    /// The answer must be a pure function of the key and the payload as it was written: edits, open containers, what is expected and the options
    /// of a rule must not change it, unless they are in the key. So give each question a key of its own type, with all that its answer depends on.
    /// If computing the answer depended on the region's end, so does reusing it.
    ///
    /// ```
    /// use jsonseam_core::Fault;
    ///
    /// #[derive(PartialEq, Eq, Hash)]
    /// struct QuotesOnLine {
    ///     start: usize,
    /// }
    ///
    /// fn quotes_on_line(fault: &Fault<'_>) -> usize {
    ///     fault.memo(QuotesOnLine { start: fault.pos() }, || fault.ahead().line().matches('"').count())
    /// }
    /// ```
    pub fn memo<K, T>(&self, key: K, find_out: impl FnOnce() -> T) -> T
    where
        K: Hash + Eq + Send + 'static,
        T: Clone + Send + Sync + 'static,
    {
        self.context.peek.memo(key, find_out)
    }

    /// What `ask` says of the value that is remembered for `key`, or of that of `begin`. The value is remembered as `ask` leaves it.
    ///
    /// For what is found out step by step, each step when it is asked for. The value may depend on the key and on the payload as it was written alone,
    /// as with [`memo`](Self::memo); a value that finds something out by itself, in a `RefCell`, cannot be remembered:
    ///
    /// ```compile_fail
    /// use std::cell::RefCell;
    /// use std::rc::Rc;
    ///
    /// fn ends(fault: &jsonseam_core::Fault<'_>) -> Rc<RefCell<Vec<usize>>> {
    ///     fault.memo(0_usize, Default::default)
    /// }
    /// ```
    ///
    /// ```
    /// use jsonseam_core::Fault;
    ///
    /// #[derive(Clone, PartialEq, Eq, Hash)]
    /// struct LineEnds;
    ///
    /// /// Whether the text ends on the line of the fault. Reads each line once, however often it is asked.
    /// fn is_on_last_line(fault: &Fault<'_>) -> bool {
    ///     fault.memo_with(LineEnds, Vec::new, |ends: &mut Vec<usize>| {
    ///         while ends.last().is_none_or(|&end| end <= fault.pos()) {
    ///             let mut line = fault.at(ends.last().copied().unwrap_or(fault.region_start()));
    ///             line.line();
    ///             if line.bump().is_none() {
    ///                 return true;
    ///             }
    ///             ends.push(line.pos());
    ///         }
    ///         false
    ///     })
    /// }
    /// ```
    pub fn memo_with<K, T, R>(&self, key: K, begin: impl FnOnce() -> T, ask: impl FnOnce(&mut T) -> R) -> R
    where
        K: Hash + Eq + Clone + Send + 'static,
        T: Clone + Send + Sync + 'static,
    {
        self.context.peek.memo_with(key, begin, ask)
    }

    /// Whether an answer, since the rule was asked, depended on where the region ends. For the engine and the testkit.
    #[doc(hidden)]
    pub fn touched_end(&self) -> bool {
        self.context.peek.text.has_touched_end()
    }

    /// Forgets that one did, before the next rule is asked. For the engine and the testkit.
    #[doc(hidden)]
    pub fn forget_touched_end(&self) {
        self.context.peek.text.note_touched(false);
    }

    /// Where the payload starts.
    pub fn region_start(&self) -> usize {
        self.context.start
    }

    /// Where the region ends: nothing at or after it belongs to the payload.
    pub fn region_end(&self) -> usize {
        self.context.peek.text.touch();
        self.context.end
    }

    /// The first places before the fault where a line is not laid out as its siblings or its opener; at most three.
    pub fn suspects(&self) -> impl Iterator<Item = &Suspect> {
        self.context.peek.wants_ledger.set(true);
        self.context.recorder.ledger().into_iter().flat_map(Ledger::suspects).map(|suspect| &**suspect)
    }

    /// How many of `len` bytes a far look-ahead may read: all of them together read a bounded multiple of the text.
    pub fn allowance(&self, len: usize) -> usize {
        self.context.peek.allowance(len)
    }

    /// Inserts `text` at the fault.
    pub fn insert(&self, text: impl Into<Cow<'static, str>>) -> Edits {
        Edit::insert(self.site.pos, text).into()
    }

    /// Inserts `text` right after the nearest token, or after the last edit if that comes later.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault};
    ///
    /// fn comma_between_lines(fault: &Fault<'_>) -> Option<Edits> {
    ///     if fault.gap_has_newline() { fault.insert_after_previous(",") } else { None }
    /// }
    /// ```
    pub fn insert_after_previous(&self, text: impl Into<Cow<'static, str>>) -> Option<Edits> {
        let token = self.context.recorder.nth_back(0)?;
        Some(Edit::insert(token.end().max(self.context.frontier), text).into())
    }

    /// Replaces the next `len` bytes by `text`.
    pub fn replace_ahead(&self, len: usize, text: impl Into<Cow<'static, str>>) -> Edits {
        Edit::replace(self.site.pos..self.site.pos + len, text).into()
    }

    /// Removes the nearest token.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault, TokenKind};
    ///
    /// fn trailing_comma(fault: &Fault<'_>) -> Option<Edits> {
    ///     let is_closed = fault.next_char() == Some(']');
    ///     if is_closed && fault.previous_is(TokenKind::Comma) { fault.remove_previous() } else { None }
    /// }
    /// ```
    pub fn remove_previous(&self) -> Option<Edits> {
        self.token(0).map(|token| Edit::remove(token.span).into())
    }

    /// Takes the next `len` bytes out of the way: they become nothing, or one space where two scalars would otherwise join.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault};
    ///
    /// /// Drops a comment to the end of its line.
    /// fn comment(fault: &Fault<'_>) -> Option<Edits> {
    ///     fault.ahead().starts_with("//").then(|| fault.blank_ahead(fault.ahead().line().len()))
    /// }
    /// ```
    pub fn blank_ahead(&self, len: usize) -> Edits {
        let bytes = self.context.source.as_bytes();
        if self.site.pos + len >= self.context.end {
            self.context.peek.text.touch();
        }
        let joins = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|&byte| continues_scalar(byte));
        let would_join = joins(self.site.pos.checked_sub(1)) && joins(Some(self.site.pos + len));
        self.replace_ahead(len, if would_join { " " } else { "" })
    }

    /// Up to `len` bytes from the fault on, as a range of the text that ends at the region's end. Counts what it returns.
    pub(crate) fn window(&self, len: usize) -> (&'e str, Range<usize>) {
        // What matches up to the end may match more.
        if self.site.pos + len >= self.context.end {
            self.context.peek.text.touch();
        }
        let end = floor_char_boundary(self.context.source, (self.site.pos + len).min(self.context.end));
        self.context.peek.text.charge(end - self.site.pos);
        (self.context.source.get(..self.context.end).unwrap_or_default(), self.site.pos..end)
    }
}

/// Where a fault is, as the engine found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) pos: usize,
    pub(crate) problem: Option<StringProblem>,
    pub(crate) is_at_end: bool,
}
