//! The repair rules of our house.
//!
//! An application enables them by name in its TOML, and links them with one line: `use house_rules as _;`.

pub mod fat_arrow;
pub mod guillemets;
