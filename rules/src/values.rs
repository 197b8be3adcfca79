//! Numbers, words and other values that JSON spells otherwise, and members that have none.

pub mod constructor_call;
pub mod literals;
pub mod missing_values;
pub mod numbers;
pub mod unquoted_date;
pub mod unquoted_quantity;
