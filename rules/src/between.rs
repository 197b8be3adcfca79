//! Between tokens: what JSON does not allow there.

pub mod blanks;
pub mod comments;
pub mod ellipsis;
pub mod stray_text;
