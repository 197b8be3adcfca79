//! The place where a payload stops being JSON, and everything a rule may ask about it.
//!
//! Boundary: this is the whole interface between the engine and a rule. A rule never sees the source, only answers;
//! every byte an answer reads is counted ([`Work::examined`](crate::Work::examined)), so a rule cannot hide a slow search.

mod brackets;
mod ends;
mod evidence;
mod literals;
mod quotes;
mod strings;
mod structure;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::Serialize;

pub use self::brackets::BracketDefect;
pub use self::literals::{BareText, Decimal};
pub use self::strings::{OpenString, StringProblem};
use crate::edit::{Edit, Edits};
use crate::journal::Journal;
use crate::peek::Peek;
use crate::recognise::{Next, Partial, State, TokenKind};
use crate::scan::continues_scalar;
use crate::trace::{REACH, Recorder};

/// What the grammar expected where the payload stopped being JSON.
///
/// A declaration lists the ones its rule answers; the rule is asked about no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Expected {
    /// A value (after `[`, also `]`).
    Value,
    /// A key (after `{`, also `}`).
    Key,
    /// A colon.
    Colon,
    /// A comma or the closer of the container.
    Comma,
    /// More of a string: it holds a control character or a false escape, or is not closed.
    String,
    /// Nothing more: the root is complete.
    End,
}

impl Expected {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Value, Self::Key, Self::Colon, Self::Comma, Self::String, Self::End];

    /// The name used in configuration (`at = "colon"`).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Key => "key",
            Self::Colon => "colon",
            Self::Comma => "comma",
            Self::String => "string",
            Self::End => "end",
        }
    }

    /// The phrase used in messages and in the `expected` member of the record.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Key => "a key in double quotes",
            Self::Colon => "a colon",
            Self::Comma => "a comma or a closing bracket",
            Self::String => "valid string content and a closing quote",
            Self::End => "the end of the text",
        }
    }

    pub(crate) const fn of(state: &State) -> Self {
        if matches!(state.partial, Partial::Text { .. }) {
            return Self::String;
        }
        match state.next {
            Next::Value | Next::ValueOrClose => Self::Value,
            Next::Key | Next::KeyOrClose => Self::Key,
            Next::Colon => Self::Colon,
            Next::CommaOrClose => Self::Comma,
            Next::End => Self::End,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Expected {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|expected| expected.as_str() == name).ok_or(())
    }
}

/// A container that is open at a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// `{`
    Object,
    /// `[`
    Array,
}

/// A token behind a fault. Offsets are bytes of the completion; a token that was inserted has the place of that edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Range<usize>,
}

/// What the engine lends to a fault.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'e> {
    pub(crate) source: &'e str,
    /// Where the payload may reach to: nothing beyond belongs to it.
    pub(crate) end: usize,
    pub(crate) start: usize,
    /// Whether nothing but white space follows `end` in the completion.
    pub(crate) is_last: bool,
    pub(crate) frontier: usize,
    /// How many journal entries lie before the frontier.
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
pub struct Fault<'e> {
    setting: Setting<'e>,
    state: State,
    pos: usize,
    problem: Option<StringProblem>,
    is_at_end: bool,
    next: OnceCell<Option<char>>,
    word: OnceCell<&'e str>,
    bare_text: OnceCell<Option<BareText<'e>>>,
    key_is_next: OnceCell<bool>,
    bracket_defect: OnceCell<Option<BracketDefect>>,
}

impl fmt::Debug for Fault<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Fault")
            .field("expected", &self.expected())
            .field("pos", &self.pos)
            .field("is_at_end", &self.is_at_end)
            .finish_non_exhaustive()
    }
}

impl<'e> Fault<'e> {
    pub(crate) fn new(setting: Setting<'e>, state: State, site: &Site) -> Self {
        Self {
            setting,
            state,
            pos: site.pos,
            problem: site.problem,
            is_at_end: site.is_at_end,
            next: OnceCell::new(),
            word: OnceCell::new(),
            bare_text: OnceCell::new(),
            key_is_next: OnceCell::new(),
            bracket_defect: OnceCell::new(),
        }
    }

    /// What the grammar expected here.
    pub fn expected(&self) -> Expected {
        Expected::of(&self.state)
    }

    /// The byte at which the payload stops being JSON: the first one of a bad scalar, the backslash of a bad escape.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Whether the region ends here, or inside the word or escape that starts here. Only then may a rule close what is open.
    pub fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Whether the completion ends here too, so that it was cut off: nothing but white space follows the region.
    pub fn is_cut(&self) -> bool {
        self.is_at_end && self.setting.is_last
    }

    /// The innermost open container; `None` at the root.
    pub fn container(&self) -> Option<Container> {
        match (self.state.depth, self.state.is_in_object()) {
            (0, _) => None,
            (_, true) => Some(Container::Object),
            (_, false) => Some(Container::Array),
        }
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        usize::from(self.state.depth)
    }

    /// The closers of all open containers, the innermost first: `]}`. At most 127 bytes.
    pub fn closers(&self) -> String {
        (0..self.state.depth).map(|level| if self.state.containers >> level & 1 == 1 { '}' } else { ']' }).collect()
    }

    /// The token `back` places behind the fault: 0 is the nearest. At most the last four are known; the open string is none of them.
    pub fn token(&self, back: usize) -> Option<Token> {
        if back >= REACH {
            return None;
        }
        self.setting.recorder.behind(back).map(|held| Token { kind: held.kind, span: held.start()..held.end() })
    }

    /// The token right behind the fault.
    pub fn previous(&self) -> Option<Token> {
        self.token(0)
    }

    /// Whether the nearest token behind the fault is of this kind.
    pub fn previous_is(&self, kind: TokenKind) -> bool {
        self.setting.recorder.behind(0).is_some_and(|token| token.kind == kind)
    }

    /// The character at the fault; `None` at the region's end.
    pub fn next_char(&self) -> Option<char> {
        *self.next.get_or_init(|| self.setting.peek.char_at(self.pos))
    }

    /// Whether the text at the fault starts with `text`.
    pub fn ahead_is(&self, text: &str) -> bool {
        let mut chars = text.chars();
        let first = chars.next();
        let rest = chars.as_str();
        (first.is_none() || first == self.next_char())
            && (rest.is_empty() || self.setting.peek.starts_with(self.pos + text.len() - rest.len(), rest))
    }

    /// Where `needle` next occurs, from `skip` bytes after the fault on. Reads up to there, or to the region's end.
    ///
    /// The answer is remembered for later faults too, so asking for a terminator that never comes costs one pass in all.
    pub fn find_ahead(&self, needle: &'static str, skip: usize) -> Option<usize> {
        self.setting.peek.find(needle, self.pos + skip)
    }

    /// The length, in bytes, of the run of characters at the fault for which `belongs` holds.
    pub fn run_len(&self, belongs: impl Fn(char) -> bool) -> usize {
        if self.next_char().is_some_and(&belongs) { self.setting.peek.run_len(self.pos, belongs) } else { 0 }
    }

    /// The next `len` bytes, cut to what the region holds. Empty if that splits a character.
    pub fn text_ahead(&self, len: usize) -> &'e str {
        self.setting.peek.slice(self.pos..(self.pos + len).min(self.setting.end))
    }

    /// The bare word at the fault: letters, digits and `_ $ . + -`. Empty when there is none.
    pub fn word(&self) -> &'e str {
        self.word.get_or_init(|| self.setting.peek.word_at(self.pos))
    }

    /// The JavaScript identifier at the fault, if the whole word there is one (ECMA-262 section 12.7, letters and digits of any script).
    pub fn identifier(&self) -> Option<&'e str> {
        self.setting.peek.identifier_at(self.pos)
    }

    /// Inserts `text` at the fault.
    pub fn insert(&self, text: impl Into<Cow<'static, str>>) -> Edits {
        Edit::insert(self.pos, text).into()
    }

    /// Inserts `text` right after the nearest token, or after the last edit if that lies behind it.
    pub fn insert_after_previous(&self, text: impl Into<Cow<'static, str>>) -> Option<Edits> {
        let token = self.setting.recorder.behind(0)?;
        Some(Edit::insert(token.end().max(self.setting.frontier), text).into())
    }

    /// Replaces the next `len` bytes by `text`.
    pub fn replace_ahead(&self, len: usize, text: impl Into<Cow<'static, str>>) -> Edits {
        Edit::replace(self.pos..self.pos + len, text).into()
    }

    /// Removes the nearest token.
    pub fn remove_previous(&self) -> Option<Edits> {
        self.previous().map(|token| Edit::remove(token.span).into())
    }

    /// Takes the next `len` bytes out of the way: they become nothing, or one space where two scalars would otherwise join.
    pub fn blank_ahead(&self, len: usize) -> Edits {
        let bytes = self.setting.source.as_bytes();
        let joins = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|&byte| continues_scalar(byte));
        let would_join = joins(self.pos.checked_sub(1)) && joins(Some(self.pos + len));
        self.replace_ahead(len, if would_join { " " } else { "" })
    }

    /// The JSON Pointer of the value or member the fault lies in, as far as its keys are read. Reads those keys.
    pub fn path(&self) -> String {
        let mut path = String::new();
        let open = self.state.depth;
        for (level, frame) in self.setting.recorder.frames().iter().enumerate() {
            let bit = usize::from(open).saturating_sub(level + 1);
            path.push('/');
            if self.state.containers >> bit & 1 == 0 {
                path.push_str(&frame.index.to_string());
            } else if let Some((start, end)) = frame.key() {
                let raw = self.setting.peek.slice(start + 1..end.saturating_sub(1).max(start + 1));
                crate::path::push_key(&mut path, raw);
            } else {
                path.pop();
            }
        }
        path
    }

    /// Up to `len` bytes from the fault on, as a range of the text that ends at the region's end. Counts what it hands out.
    pub(crate) fn window(&self, len: usize) -> (&'e str, Range<usize>) {
        let mut end = (self.pos + len).min(self.setting.end);
        while !self.setting.source.is_char_boundary(end) {
            end -= 1;
        }
        self.setting.peek.charge(end - self.pos);
        (self.setting.source.get(..self.setting.end).unwrap_or_default(), self.pos..end)
    }
}

/// Where a fault lies, as the engine found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) pos: usize,
    pub(crate) problem: Option<StringProblem>,
    pub(crate) is_at_end: bool,
}
