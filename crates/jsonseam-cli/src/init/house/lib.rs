//! The repair rules of our house. `jsonseam.toml` enables them by name.

pub mod wavy_arrow;
