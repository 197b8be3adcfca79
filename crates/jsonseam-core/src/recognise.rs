//! The RFC 8259 recogniser: one grammar function that stops at the first fault and can go on from any state.
//!
//! The state is small and `Copy`, so the engine keeps one for every token it may have to return to.
//! A text may arrive in segments (source, replacement, source …), and a token may span several of them.
//! Invariant: `run` is the only place that knows the grammar of JSON.

use std::ops::Range;

use crate::limits::MAX_DEPTH;
use crate::scan::{continues_scalar, is_blank, skip_blanks, string_content_end};

/// What the grammar allows next, between tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// A value: at the root, after a colon, after a comma in an array.
    Value,
    /// A value or `]`: after `[`.
    ValueOrClose,
    /// A key: after a comma in an object.
    Key,
    /// A key or `}`: after `{`.
    KeyOrClose,
    /// A colon.
    Colon,
    /// A comma or the closer of the container.
    CommaOrClose,
    /// Nothing but white space: the root is complete.
    End,
}

/// A token that the end of a segment cut, or that may go on in the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Partial {
    /// Between tokens.
    None,
    /// Inside a string. `escape`: 0 outside an escape, 1 after its backslash, 2 to 5 before each hexadecimal digit of `\u`.
    Text { escape: u8 },
    /// Inside a number.
    Number(Number),
    /// After `matched` bytes of `true`, `false` or `null`.
    Literal { word: Word, matched: u8 },
}

/// The three literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    True,
    False,
    Null,
}

impl Word {
    const fn starting_with(byte: u8) -> Self {
        match byte {
            b't' => Self::True,
            b'f' => Self::False,
            _ => Self::Null,
        }
    }

    const fn spelling(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
        }
    }
}

/// How far a number has come (RFC 8259 section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Start,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

impl Number {
    const fn is_complete(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Power)
    }
}

/// Everything the recogniser knows: resuming from a copy is resuming from that place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// What may come next; while a token is open, what could come before it.
    pub(crate) next: Next,
    pub(crate) partial: Partial,
    /// How many containers are open.
    pub(crate) depth: u8,
    /// One bit for each open container, the innermost lowest: set for an object.
    pub(crate) containers: u128,
    /// Where the open token starts, in the source.
    pub(crate) token_start: usize,
    /// Where the content of the latest string starts, in the source: after its opening quote, or after the edit that holds the quote.
    pub(crate) content_start: usize,
    /// Where the open escape starts, in the source.
    pub(crate) escape_start: usize,
}

impl State {
    pub(crate) const START: Self = Self {
        next: Next::Value,
        partial: Partial::None,
        depth: 0,
        containers: 0,
        token_start: 0,
        content_start: 0,
        escape_start: 0,
    };

    /// Whether the innermost open container is an object.
    pub(crate) const fn is_in_object(&self) -> bool {
        self.depth > 0 && self.containers & 1 == 1
    }

    /// Whether a string that starts here is a key.
    pub(crate) const fn expects_key(&self) -> bool {
        matches!(self.next, Next::Key | Next::KeyOrClose)
    }

    /// What may follow a value that is complete.
    const fn after_value(&self) -> Next {
        if self.depth == 0 { Next::End } else { Next::CommaOrClose }
    }

    /// The state before the open token: the same place in the grammar, between tokens.
    pub(crate) const fn between_tokens(mut self) -> Self {
        self.partial = Partial::None;
        self
    }

    /// The state inside a string that starts here, outside any escape.
    pub(crate) const fn inside_string(mut self) -> Self {
        self.partial = Partial::Text { escape: 0 };
        self
    }

    /// Whether a string is open.
    pub(crate) const fn is_in_string(&self) -> bool {
        matches!(self.partial, Partial::Text { .. })
    }
}

/// The kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// A string where a key is due.
    Key,
    /// A string value.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

impl TokenKind {
    /// Whether the token is a whole value by itself: a string value, a number or a literal.
    pub const fn is_scalar(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Literal)
    }

    /// Whether the token closes a container.
    pub const fn is_closer(self) -> bool {
        matches!(self, Self::ObjectEnd | Self::ArrayEnd)
    }
}

/// What listens to the recogniser. `()` hears nothing and costs nothing.
pub(crate) trait Trace {
    /// A token is complete; `before` is the state in which it started, `content_start` where the content of a string starts.
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize);

    /// The place in the source of a token that starts at `pos` of the segment.
    fn start(&self, pos: usize) -> usize {
        pos
    }

    /// The place in the source of a token that ends at `pos` of the segment.
    fn end(&self, pos: usize) -> usize {
        pos
    }
}

impl Trace for () {
    #[inline]
    fn token(&mut self, _: &State, _: TokenKind, _: Range<usize>, _: usize) {}
}

/// Why the recogniser stopped. Positions are in the segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The segment is read to its end without a fault.
    Exhausted,
    /// The byte at this position fits nowhere in the grammar.
    Unexpected(usize),
    /// A number or a word that is no literal; it starts at `state.token_start`, in the source.
    BadScalar,
    /// A control character in a string.
    Control(usize),
    /// An escape that is none; it starts at `state.escape_start`, in the source.
    BadEscape,
    /// One more container than the limit.
    TooDeep(usize),
}

/// Reads `text` from `pos` to its end, going on from `state`.
///
/// At a stop, `state` is where the grammar stood before the offending byte, token or escape. Time is linear in what is read; nothing is allocated.
pub(crate) fn run<T: Trace>(state: &mut State, text: &[u8], pos: usize, max_depth: u8, trace: &mut T) -> Stop {
    debug_assert!(max_depth <= MAX_DEPTH);
    let mut reader = Reader { state: *state, text, pos, max_depth, trace };
    let stop = loop {
        // From a value on it runs straight: value, comma, key, colon, value. Only the start in the middle is dispatched.
        if let Err(stop) = reader.enter().and_then(|is_at_value| reader.read(is_at_value)) {
            break stop;
        }
    };
    *state = reader.state;
    stop
}

/// A run of the recogniser.
///
/// Its methods are all inlined into `run`, so that state and position live in registers:
/// everything rare takes the state by value and gives it back, so that its address never escapes.
struct Reader<'t, T> {
    state: State,
    text: &'t [u8],
    pos: usize,
    max_depth: u8,
    trace: &'t mut T,
}

#[allow(clippy::inline_always, reason = "measured: a quarter of the time goes without it")]
impl<T: Trace> Reader<'_, T> {
    /// The next byte that is not blank.
    #[inline(always)]
    fn peek(&mut self) -> Result<u8, Stop> {
        let &first = self.text.get(self.pos).ok_or(Stop::Exhausted)?;
        if first > b' ' {
            return Ok(first);
        }
        self.pos = skip_blanks(self.text, self.pos);
        self.text.get(self.pos).copied().ok_or(Stop::Exhausted)
    }

    /// Goes on behind what was read the slow way, or stops.
    #[inline(always)]
    fn slowly(&mut self, (state, result): Step) -> Result<(), Stop> {
        self.state = state;
        self.pos = result?;
        if state.partial == Partial::None { Ok(()) } else { Err(Stop::Exhausted) }
    }

    #[inline(always)]
    fn begun(&self) -> State {
        let mut state = self.state;
        state.token_start = self.trace.start(self.pos);
        state.content_start = self.trace.end(self.pos + 1);
        state
    }

    /// Reads on to where a value is due (`true`) or lies behind (`false`).
    #[inline(always)]
    fn enter(&mut self) -> Result<bool, Stop> {
        if self.state.partial != Partial::None {
            if self.pos >= self.text.len() {
                return Err(Stop::Exhausted);
            }
            let step = resume(self.state, self.text, self.pos, self.trace);
            self.slowly(step)?;
        }
        match self.state.next {
            Next::Value | Next::ValueOrClose => return Ok(true),
            Next::CommaOrClose => return Ok(false),
            Next::KeyOrClose => {
                let byte = self.peek()?;
                if byte == b'}' {
                    self.close();
                    return Ok(false);
                }
                self.member(byte)?;
            }
            Next::Key => {
                let byte = self.peek()?;
                self.member(byte)?;
            }
            Next::Colon => self.colon()?,
            Next::End => {
                self.peek()?;
                return Err(Stop::Unexpected(self.pos));
            }
        }
        Ok(true)
    }

    /// Reads values and what stands between them, until the root is complete.
    #[inline(always)]
    fn read(&mut self, mut is_at_value: bool) -> Result<(), Stop> {
        loop {
            if is_at_value && self.value()? {
                continue;
            }
            if self.state.depth == 0 {
                return Ok(());
            }
            is_at_value = self.comma_or_close()?;
        }
    }

    /// Reads a scalar, an empty container, or up to the first value of a container (`true`).
    #[inline(always)]
    fn value(&mut self) -> Result<bool, Stop> {
        let byte = self.peek()?;
        match byte {
            b'"' => self.string(TokenKind::String)?,
            b'{' | b'[' if self.state.depth >= self.max_depth => return Err(Stop::TooDeep(self.pos)),
            b'{' => {
                self.open(true);
                let byte = self.peek()?;
                if byte != b'}' {
                    self.member(byte)?;
                    return Ok(true);
                }
                self.close();
            }
            b'[' => {
                self.open(false);
                return Ok(true);
            }
            b'-' | b'0'..=b'9' => {
                if let Some(end) = whole_number(self.text, self.pos) {
                    self.complete(TokenKind::Number, end);
                } else {
                    let step = number(self.begun(), self.text, self.pos, Number::Start, self.trace);
                    self.slowly(step)?;
                }
            }
            b't' | b'f' | b'n' => {
                let word = Word::starting_with(byte);
                if let Some(end) = whole_word(self.text, self.pos, word) {
                    self.complete(TokenKind::Literal, end);
                } else {
                    let step = literal(self.begun(), self.text, self.pos, word, 0, self.trace);
                    self.slowly(step)?;
                }
            }
            b']' if self.state.next == Next::ValueOrClose => self.close(),
            _ if continues_scalar(byte) => {
                self.state = self.begun();
                return Err(Stop::BadScalar);
            }
            _ => return Err(Stop::Unexpected(self.pos)),
        }
        Ok(false)
    }

    /// Reads what stands behind a value: a comma, up to the next value (`true`), or a closer.
    #[inline(always)]
    fn comma_or_close(&mut self) -> Result<bool, Stop> {
        let byte = self.peek()?;
        let is_in_object = self.state.is_in_object();
        if byte == b',' {
            if !is_in_object {
                self.punctuate(TokenKind::Comma, Next::Value);
                return Ok(true);
            }
            self.punctuate(TokenKind::Comma, Next::Key);
            let byte = self.peek()?;
            self.member(byte)?;
            Ok(true)
        } else if byte == closer(is_in_object) {
            self.close();
            Ok(false)
        } else {
            Err(Stop::Unexpected(self.pos))
        }
    }

    /// Reads a key, which `byte` begins, and its colon.
    #[inline(always)]
    fn member(&mut self, byte: u8) -> Result<(), Stop> {
        if byte != b'"' {
            return Err(Stop::Unexpected(self.pos));
        }
        self.string(TokenKind::Key)?;
        self.colon()
    }

    #[inline(always)]
    fn colon(&mut self) -> Result<(), Stop> {
        // Most colons follow their key at once.
        if self.text.get(self.pos) != Some(&b':') && self.peek()? != b':' {
            return Err(Stop::Unexpected(self.pos));
        }
        self.punctuate(TokenKind::Colon, Next::Value);
        Ok(())
    }

    /// Reads a string, at its quote.
    #[inline(always)]
    fn string(&mut self, kind: TokenKind) -> Result<(), Stop> {
        match whole_string(self.text, self.pos + 1) {
            Ok(end) => {
                self.complete(kind, end);
                Ok(())
            }
            Err(special) => {
                let step = string(self.begun(), self.text, special, 0, self.trace);
                self.slowly(step)
            }
        }
    }

    /// A token that lies within the segment is complete.
    #[inline(always)]
    fn complete(&mut self, kind: TokenKind, end: usize) {
        let before = self.state;
        self.state.next = if kind == TokenKind::Key { Next::Colon } else { self.state.after_value() };
        let content_start = self.trace.end(self.pos + 1);
        self.trace.token(&before, kind, self.trace.start(self.pos)..self.trace.end(end), content_start);
        self.pos = end;
    }

    #[inline(always)]
    fn punctuate(&mut self, kind: TokenKind, next: Next) {
        let before = self.state;
        self.state.next = next;
        self.trace.token(&before, kind, self.trace.start(self.pos)..self.trace.end(self.pos + 1), 0);
        self.pos += 1;
    }

    #[inline(always)]
    fn open(&mut self, is_object: bool) {
        let (kind, next) = if is_object {
            (TokenKind::ObjectStart, Next::KeyOrClose)
        } else {
            (TokenKind::ArrayStart, Next::ValueOrClose)
        };
        self.punctuate(kind, next);
        self.state.depth += 1;
        self.state.containers = (self.state.containers << 1) | u128::from(is_object);
    }

    #[inline(always)]
    fn close(&mut self) {
        let kind = if self.state.is_in_object() { TokenKind::ObjectEnd } else { TokenKind::ArrayEnd };
        let outer = State { depth: self.state.depth - 1, containers: self.state.containers >> 1, ..self.state };
        self.punctuate(kind, outer.after_value());
        self.state.depth = outer.depth;
        self.state.containers = outer.containers;
    }
}

const fn closer(of_object: bool) -> u8 {
    if of_object { b'}' } else { b']' }
}

/// The end of a string whose content starts at `pos`, if it is whole and has no escape but those of two bytes;
/// else the position of the first byte that needs thought.
#[inline]
fn whole_string(text: &[u8], mut pos: usize) -> Result<usize, usize> {
    loop {
        pos = string_content_end(text, pos);
        match text.get(pos) {
            Some(b'"') => return Ok(pos + 1),
            Some(b'\\') if text.get(pos + 1).is_some_and(|&byte| is_short_escape(byte)) => pos += 2,
            _ => return Err(pos),
        }
    }
}

const fn is_short_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The end of a number that starts at `pos`, if it is valid and something that ends it follows in the segment.
#[inline]
fn whole_number(text: &[u8], mut pos: usize) -> Option<usize> {
    let digits = |mut pos: usize| {
        while text.get(pos).is_some_and(u8::is_ascii_digit) {
            pos += 1;
        }
        pos
    };
    let more_digits = |pos: usize| Some(digits(pos)).filter(|&end| end > pos);
    if text.get(pos) == Some(&b'-') {
        pos += 1;
    }
    pos = if text.get(pos) == Some(&b'0') { pos + 1 } else { more_digits(pos)? };
    if text.get(pos) == Some(&b'.') {
        pos = more_digits(pos + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(pos) {
        pos += 1;
        if let Some(b'+' | b'-') = text.get(pos) {
            pos += 1;
        }
        pos = more_digits(pos)?;
    }
    text.get(pos).is_some_and(|&byte| !continues_scalar(byte)).then_some(pos)
}

/// The end of the literal that starts at `pos`, if it is whole and something that ends it follows in the segment.
#[inline]
fn whole_word(text: &[u8], pos: usize, word: Word) -> Option<usize> {
    let spelling = word.spelling().as_bytes();
    let end = pos + spelling.len();
    let is_whole = text.get(pos..end)? == spelling && !continues_scalar(*text.get(end)?);
    is_whole.then_some(end)
}

/// What the end of the whole text means, after the last segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A complete JSON text.
    Complete,
    /// Something is still due, between tokens.
    Missing,
    /// A string is open, outside any escape.
    OpenString,
    /// A string is open, inside an escape that starts at `state.escape_start`.
    OpenEscape,
    /// A number or literal is cut; it starts at `state.token_start`.
    CutScalar,
}

/// Ends the text at `end` (in the source): completes the number or literal that stands there, if it can be complete.
pub(crate) fn finish<T: Trace>(state: &mut State, end: usize, trace: &mut T) -> Ending {
    match state.partial {
        Partial::Text { escape: 0 } => return Ending::OpenString,
        Partial::Text { .. } => {
            state.partial = Partial::Text { escape: 0 };
            return Ending::OpenEscape;
        }
        Partial::Number(number) if number.is_complete() => complete_open(state, TokenKind::Number, end, trace),
        Partial::Literal { word, matched } if word.spelling().len() == usize::from(matched) => {
            complete_open(state, TokenKind::Literal, end, trace);
        }
        Partial::Number(_) | Partial::Literal { .. } => {
            state.partial = Partial::None;
            return Ending::CutScalar;
        }
        Partial::None => {}
    }
    if state.next == Next::End { Ending::Complete } else { Ending::Missing }
}

/// Whether `text` is one JSON text of RFC 8259 within the depth; an error tells where it stops being one.
pub(crate) fn validate(text: &[u8], max_depth: u8) -> Result<(), (State, Stop)> {
    let mut state = State::START;
    match run(&mut state, text, 0, max_depth, &mut ()) {
        Stop::Exhausted if finish(&mut state, text.len(), &mut ()) == Ending::Complete => Ok(()),
        stop => Err((state, stop)),
    }
}

/// What a slow step gives back: the state, and where to go on or why not.
type Step = (State, Result<usize, Stop>);

#[cold]
#[inline(never)]
fn resume<T: Trace>(state: State, text: &[u8], pos: usize, trace: &mut T) -> Step {
    match state.partial {
        Partial::None => (state, Ok(pos)),
        Partial::Text { escape } => string(state, text, pos, escape, trace),
        Partial::Number(from) => number(state, text, pos, from, trace),
        Partial::Literal { word, matched } => literal(state, text, pos, word, matched, trace),
    }
}

/// The open token, which may have started in an earlier segment, is complete.
fn complete_open<T: Trace>(state: &mut State, kind: TokenKind, end: usize, trace: &mut T) {
    state.partial = Partial::None;
    let before = *state;
    state.next = if kind == TokenKind::Key { Next::Colon } else { state.after_value() };
    trace.token(&before, kind, state.token_start..end, state.content_start);
}

/// Reads string content from `pos` on, inside or outside an escape.
#[inline(never)]
fn string<T: Trace>(mut state: State, text: &[u8], mut pos: usize, mut escape: u8, trace: &mut T) -> Step {
    loop {
        if escape != 0 {
            let (read, end) = escaped(text, pos, escape);
            let Some(end) = end else {
                state.partial = Partial::Text { escape: 0 };
                return (state, Err(Stop::BadEscape));
            };
            pos = end;
            state.partial = Partial::Text { escape: read };
            if read != 0 {
                return (state, Ok(pos));
            }
        }
        pos = string_content_end(text, pos);
        match text.get(pos) {
            Some(b'"') => {
                let kind = if state.expects_key() { TokenKind::Key } else { TokenKind::String };
                complete_open(&mut state, kind, trace.end(pos + 1), trace);
                return (state, Ok(pos + 1));
            }
            Some(b'\\') => {
                state.escape_start = trace.start(pos);
                escape = 1;
                pos += 1;
            }
            Some(_) => {
                state.partial = Partial::Text { escape: 0 };
                return (state, Err(Stop::Control(pos)));
            }
            None => {
                state.partial = Partial::Text { escape: 0 };
                return (state, Ok(pos));
            }
        }
    }
}

/// Goes on inside an escape: how far it has come where it or the segment ends (0: complete), and that place; `None` if it is no escape.
fn escaped(text: &[u8], mut pos: usize, mut escape: u8) -> (u8, Option<usize>) {
    while let Some(&byte) = text.get(pos) {
        escape = match (escape, byte) {
            (1, byte) if is_short_escape(byte) => 0,
            (1, b'u') => 2,
            (2..=4, byte) if byte.is_ascii_hexdigit() => escape + 1,
            (5, byte) if byte.is_ascii_hexdigit() => 0,
            _ => return (escape, None),
        };
        pos += 1;
        if escape == 0 {
            break;
        }
    }
    (escape, Some(pos))
}

/// Reads a number byte by byte: one that is bad, or that a segment's end cuts.
#[inline(never)]
fn number<T: Trace>(mut state: State, text: &[u8], mut pos: usize, from: Number, trace: &mut T) -> Step {
    let mut number = from;
    while let Some(&byte) = text.get(pos) {
        number = match (number, byte) {
            (Number::Integer | Number::Fraction | Number::Power, b'0'..=b'9') => number,
            (Number::Start, b'-') => Number::Minus,
            (Number::Start | Number::Minus, b'1'..=b'9') => Number::Integer,
            (Number::Start | Number::Minus, b'0') => Number::Zero,
            (Number::Zero | Number::Integer, b'.') => Number::Point,
            (Number::Point, b'0'..=b'9') => Number::Fraction,
            (Number::Zero | Number::Integer | Number::Fraction, b'e' | b'E') => Number::Exponent,
            (Number::Exponent, b'+' | b'-') => Number::Sign,
            (Number::Exponent | Number::Sign, b'0'..=b'9') => Number::Power,
            _ if number.is_complete() && !continues_scalar(byte) => {
                complete_open(&mut state, TokenKind::Number, trace.end(pos), trace);
                return (state, Ok(pos));
            }
            _ => {
                state.partial = Partial::None;
                return (state, Err(Stop::BadScalar));
            }
        };
        pos += 1;
    }
    state.partial = Partial::Number(number);
    (state, Ok(pos))
}

/// Reads a literal byte by byte: one that is bad, or that a segment's end cuts.
#[inline(never)]
fn literal<T: Trace>(
    mut state: State,
    text: &[u8],
    mut pos: usize,
    word: Word,
    mut matched: u8,
    trace: &mut T,
) -> Step {
    loop {
        let due = word.spelling().as_bytes().get(usize::from(matched));
        match (text.get(pos), due) {
            (None, _) => {
                state.partial = Partial::Literal { word, matched };
                return (state, Ok(pos));
            }
            (Some(byte), Some(due)) if byte == due => {
                matched += 1;
                pos += 1;
            }
            (Some(&byte), None) if !continues_scalar(byte) => {
                complete_open(&mut state, TokenKind::Literal, trace.end(pos), trace);
                return (state, Ok(pos));
            }
            _ => {
                state.partial = Partial::None;
                return (state, Err(Stop::BadScalar));
            }
        }
    }
}

/// Whether `text` holds nothing but white space.
pub(crate) fn is_all_blank(text: &str) -> bool {
    text.bytes().all(is_blank)
}
