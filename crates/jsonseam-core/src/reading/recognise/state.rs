//! What the recogniser knows, hears and says: its state, its listeners, its stops.

use std::ops::Range;

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
    pub(super) const fn starting_with(byte: u8) -> Self {
        match byte {
            b't' => Self::True,
            b'f' => Self::False,
            _ => Self::Null,
        }
    }

    pub(super) const fn spelling(self) -> &'static str {
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
    pub(super) const fn is_complete(self) -> bool {
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

    /// Whether a value is due here.
    pub(crate) const fn expects_value(&self) -> bool {
        matches!(self.next, Next::Value | Next::ValueOrClose)
    }

    /// What may follow a value that is complete.
    pub(super) const fn after_value(&self) -> Next {
        if self.depth == 0 { Next::End } else { Next::CommaOrClose }
    }

    /// Where the recogniser stopped in this state, in a text that is its own source and ends at `end`.
    pub(crate) const fn stopped_at(&self, stop: Stop, end: usize) -> usize {
        match stop {
            Stop::Exhausted => end,
            Stop::Unexpected(pos) | Stop::Control(pos) | Stop::TooDeep(pos) => pos,
            Stop::BadScalar => self.token_start,
            Stop::BadEscape => self.escape_start,
        }
    }

    /// Whether the text to come is read alike in both, wherever the open token and its escape start.
    pub(crate) fn goes_on_as(&self, other: &Self) -> bool {
        (self.next, self.partial, self.depth, self.containers)
            == (other.next, other.partial, other.depth, other.containers)
            && (!self.is_in_string() || self.content_start == other.content_start)
    }

    /// Whether a string is open.
    pub(crate) const fn is_in_string(&self) -> bool {
        matches!(self.partial, Partial::Text { .. })
    }
}

impl Default for State {
    fn default() -> Self {
        Self::START
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
    /// Whether it is a colon or a comma.
    pub(crate) const fn separates(self) -> bool {
        matches!(self, Self::Colon | Self::Comma)
    }

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

    /// While a replacement is read: the span of the source that it replaces.
    #[inline]
    fn within(&self) -> Option<&Range<usize>> {
        None
    }

    /// The place in the source of a token that starts at `pos` of the segment.
    #[inline]
    fn start(&self, pos: usize) -> usize {
        self.within().map_or(pos, |span| span.start)
    }

    /// The place in the source of a token that ends at `pos` of the segment.
    #[inline]
    fn end(&self, pos: usize) -> usize {
        self.within().map_or(pos, |span| span.end)
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
    /// A number or a word that is not a literal; it starts at `state.token_start`, in the source.
    BadScalar,
    /// A control character in a string.
    Control(usize),
    /// An invalid escape; it starts at `state.escape_start`, in the source.
    BadEscape,
    /// One more container than the limit.
    TooDeep(usize),
}
