//! Tokens and containers as rules see them, and how far back the engine knows them.

use std::ops::Range;

use jsonseam_text::named;

use super::recognise::TokenKind;

/// How many tokens back an edit may start (DESIGN 3: with a reach of one, most key faults were refused; with two, none).
pub(crate) const REACH: usize = 4;

/// How many tokens are remembered: more than the reach, so that it is not shortened by what an edit takes back.
pub(crate) const REMEMBERED: usize = 8;

named! {
    /// A container that is open at a fault, by the name that JSON has for it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Container as "a container" {
        /// `{`
        Object = "object",
        /// `[`
        Array = "array",
    }
}

/// The closers of so many open containers, the innermost first: a bit for each of them, the innermost lowest, is set for an object.
pub(crate) fn closers(depth: u8, mut containers: u128) -> String {
    let mut closers = String::with_capacity(depth.into());
    for _ in 0..depth {
        closers.push(if containers & 1 == 1 { '}' } else { ']' });
        containers >>= 1;
    }
    closers
}

/// A token before a fault. Offsets are bytes of the completion; a token that was inserted has the place of that edit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Range<usize>,
    /// Where its container opens, of a closer.
    pub opens: Option<usize>,
}
