//! Commas and colons.

pub mod colons;
pub mod commas;
pub mod dangling_key;
