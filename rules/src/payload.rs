//! Around the payload: rules that find it, and rules that edit it as a whole.

pub mod edited_payloads;
pub mod fences;
pub mod prose;
pub mod schema_echo;
pub mod tags;
