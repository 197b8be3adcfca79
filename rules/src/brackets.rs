//! Brackets: those that are missing, too many or of the wrong kind.

pub mod nesting;
pub mod rows;
