//! The grammar of RFC 8259, token by token: it names the faults.

use super::cut::{self, Step};
use super::state::{Next, Number, Partial, State, Stop, TokenKind, Trace, Word};
use crate::reading::scan::{continues_scalar, skip_blanks};

/// A run of the recogniser.
///
/// It takes what the short way through valid text leaves: a token that goes on from an earlier segment, or one that may be a fault.
pub(super) struct Reader<'t, T> {
    pub(super) state: &'t mut State,
    pub(super) text: &'t [u8],
    pub(super) pos: usize,
    pub(super) max_depth: u8,
    pub(super) trace: &'t mut T,
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

    /// Goes on after what was read the slow way, or stops.
    #[inline(always)]
    fn slowly(&mut self, result: Step) -> Result<(), Stop> {
        self.pos = result?;
        if self.state.partial == Partial::None { Ok(()) } else { Err(Stop::Exhausted) }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.state.token_start = self.trace.start(self.pos);
        self.state.content_start = self.trace.end(self.pos + 1);
    }

    /// Reads on to where a value is due (`true`) or has just ended (`false`).
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<bool, Stop> {
        if self.state.partial != Partial::None {
            if self.pos >= self.text.len() {
                return Err(Stop::Exhausted);
            }
            let step = cut::resume(self.state, self.text, self.pos, self.trace);
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

    /// Reads values and what is between them, until the root is complete.
    #[inline(always)]
    pub(super) fn read(&mut self, mut is_at_value: bool) -> Result<(), Stop> {
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
            b'"' => self.string()?,
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
                self.begin();
                let step = cut::number(self.state, self.text, self.pos, Number::Start, self.trace);
                self.slowly(step)?;
            }
            b't' | b'f' | b'n' => {
                self.begin();
                let step = cut::literal(self.state, self.text, self.pos, Word::starting_with(byte), 0, self.trace);
                self.slowly(step)?;
            }
            b']' if self.state.next == Next::ValueOrClose => self.close(),
            _ if continues_scalar(byte) => {
                self.begin();
                return Err(Stop::BadScalar);
            }
            _ => return Err(Stop::Unexpected(self.pos)),
        }
        Ok(false)
    }

    /// Reads what follows a value: a comma, up to the next value (`true`), or a closer.
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
        self.string()?;
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
    fn string(&mut self) -> Result<(), Stop> {
        self.begin();
        let step = cut::string(self.state, self.text, self.pos + 1, 0, self.trace);
        self.slowly(step)
    }

    #[inline(always)]
    fn punctuate(&mut self, kind: TokenKind, next: Next) {
        let before = *self.state;
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
        let outer = State { depth: self.state.depth - 1, containers: self.state.containers >> 1, ..*self.state };
        self.punctuate(kind, outer.after_value());
        self.state.depth = outer.depth;
        self.state.containers = outer.containers;
    }
}
const fn closer(of_object: bool) -> u8 {
    if of_object { b'}' } else { b']' }
}
