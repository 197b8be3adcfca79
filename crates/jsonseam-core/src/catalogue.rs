//! The rules that configuration can name, and the presets that name them.

use crate::config::ConfigError;
use crate::rule::{Discovered, Registration};

/// The known rules and the presets over them.
///
/// Knowing a rule does not enable it: only a preset or the configuration does, by name.
#[derive(Debug, Clone)]
pub struct Catalogue {
    rules: Vec<&'static Registration>,
    presets: Vec<Preset>,
}

/// A named list of rules, in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The name, as in `preset = "standard"`.
    pub name: String,
    /// The names of the rules, in order.
    pub rules: Vec<String>,
}
