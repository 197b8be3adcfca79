//! Text that was cut off.

pub mod cut_member;
pub mod unclosed_container;
pub mod unclosed_string;
