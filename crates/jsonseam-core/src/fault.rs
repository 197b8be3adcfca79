//! The place where a payload stops being JSON, and everything a rule may ask about it.
//!
//! Boundary: this is the whole interface between the engine and a rule. A rule never sees the source, only answers;
//! every byte an answer reads is counted ([`Work::examined`](crate::Work::examined)), so a rule cannot hide a slow search.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::Serialize;

use crate::edit::{Edit, Edits};
use crate::journal::Journal;
use crate::peek::Peek;
use crate::recognise::{Next, Partial, State, TokenKind};
use crate::scan::continues_scalar;
use crate::trace::{Held, REACH, Recorder};

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

/// What is wrong inside a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StringProblem {
    /// The fault is at a control character (below U+0020), which must be escaped.
    ControlCharacter,
    /// The fault is at the backslash of an escape that JSON does not know, or that the end cuts.
    Escape,
    /// The region ends inside the string.
    Unclosed,
}

/// The string that is open at a fault with [`Expected::String`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenString {
    /// Its content so far: from after the opening quote, or from the last edit inside it, to the fault.
    pub content: Range<usize>,
    /// Whether it is a key.
    pub is_key: bool,
    /// What is wrong at the fault.
    pub problem: StringProblem,
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
    word: OnceCell<&'e str>,
    key_is_next: OnceCell<bool>,
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
            word: OnceCell::new(),
            key_is_next: OnceCell::new(),
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

    /// Whether the text between the nearest token and the fault holds a line feed or a carriage return that no edit removed.
    pub fn gap_has_newline(&self) -> bool {
        let from = self.setting.recorder.behind(0).map_or(self.setting.start, Held::end);
        let (memo_from, memo_to, memo_found) = self.setting.gap.get();
        let (mut pos, mut found) =
            if memo_from == from && memo_to <= self.pos { (memo_to, memo_found) } else { (from, false) };
        let entries = self.setting.journal.entries();
        let first = self.setting.journal.place_for(pos, self.setting.sealed);
        for entry in entries.get(first..).unwrap_or_default() {
            let span = entry.span();
            if span.start >= self.pos {
                break;
            }
            found |= self.has_newline(pos..span.start);
            pos = span.end;
        }
        found |= self.has_newline(pos..self.pos);
        self.setting.gap.set((from, self.pos, found));
        found
    }

    fn has_newline(&self, span: Range<usize>) -> bool {
        self.setting.peek.slice(span).bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// The open string, with [`Expected::String`].
    pub fn string(&self) -> Option<OpenString> {
        let problem = self.problem?;
        let content_start = self.state.content_start.max(self.setting.frontier);
        Some(OpenString { content: content_start.min(self.pos)..self.pos, is_key: self.state.expects_key(), problem })
    }

    /// Up to `len` bytes of the open string right before the fault, cut to a character boundary. Empty outside strings.
    pub fn content_before(&self, len: usize) -> &'e str {
        let Some(OpenString { content, .. }) = self.string() else {
            return "";
        };
        let mut start = content.start.max(content.end.saturating_sub(len));
        while !self.setting.source.is_char_boundary(start) {
            start += 1;
        }
        self.setting.peek.slice(start..content.end)
    }

    /// Whether the open string holds, between the last edit and the next false escape, a valid escape that looks like the start of a word:
    /// `\b` or `\f` before a letter (nobody writes a backspace or a form feed), or `\n`, `\r`, `\t` where a LaTeX command stands.
    ///
    /// Then the backslashes of the string were not meant as escapes. Each stretch of a string is read once, however many faults it has.
    pub fn has_doubtful_escape(&self) -> bool {
        self.string().is_some_and(|string| self.setting.peek.has_doubtful_escape(string.content.start, self.pos))
    }

    /// The character at the fault; `None` at the region's end.
    pub fn next_char(&self) -> Option<char> {
        self.setting.peek.char_at(self.pos)
    }

    /// Whether the text at the fault starts with `text`.
    pub fn ahead_is(&self, text: &str) -> bool {
        self.setting.peek.starts_with(self.pos, text)
    }

    /// Where `needle` next occurs, from `skip` bytes after the fault on. Reads up to there, or to the region's end.
    ///
    /// The answer is remembered for later faults too, so asking for a terminator that never comes costs one pass in all.
    pub fn find_ahead(&self, needle: &'static str, skip: usize) -> Option<usize> {
        self.setting.peek.find(needle, self.pos + skip)
    }

    /// The length, in bytes, of the run of characters at the fault for which `belongs` holds.
    pub fn run_len(&self, belongs: impl Fn(char) -> bool) -> usize {
        self.setting.peek.run_len(self.pos, belongs)
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

    /// Whether a key stands at the fault: a string of any quote style, or an identifier, and a colon behind it.
    pub fn key_is_next(&self) -> bool {
        *self.key_is_next.get_or_init(|| self.setting.peek.key_is_at(self.pos))
    }

    /// Whether two members of an object meet here without a comma: a key stands at the fault, on a later line than the nearest token (SPEC M1, M2).
    pub fn members_meet(&self) -> bool {
        self.container() == Some(Container::Object) && self.key_is_next() && self.gap_has_newline()
    }

    /// Whether a colon comes at or after `pos`, behind nothing but white space and comments.
    pub fn colon_follows(&self, pos: usize) -> bool {
        self.setting.peek.colon_follows(pos)
    }

    /// A string in foreign quotes at the fault that is *simple* (SPEC P5), and its content's span:
    /// it ends at the first of `closers`, its content holds no `"`, backslash or control character, and what follows fits the grammar.
    pub fn simple_string(&self, closers: &[char]) -> Option<Range<usize>> {
        let opener = self.next_char()?;
        let content = self.setting.peek.simple_content(self.pos + opener.len_utf8(), closers)?;
        let closer = self.setting.peek.char_at(content.end)?;
        self.could_end_at(content.end + closer.len_utf8()).then_some(content)
    }

    /// Whether a string that starts at this fault, or is open here, could end before `pos`: whether what follows parses as what the container allows next.
    pub fn could_end_at(&self, pos: usize) -> bool {
        if self.state.expects_key() {
            self.colon_follows(pos)
        } else {
            self.setting.peek.value_could_end(pos, self.container())
        }
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

    /// Surrounds the next `len` bytes with double quotes: two insertions.
    pub fn quote_ahead(&self, len: usize) -> Edits {
        Edits::from(Edit::insert(self.pos, "\"")).and(Edit::insert(self.pos + len, "\""))
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
