//! What can be known around a place of a broken text: the counted cursor, the one tolerant lexer, the tokens and open containers before it, and what a
//! contract allows there.

pub(crate) mod ahead;
pub(crate) mod evidence;
pub(crate) mod frames;
pub(crate) mod layout;
pub(crate) mod ledger;
pub(crate) mod lex;
pub(crate) mod memo;
pub(crate) mod peek;
pub(crate) mod trace;
