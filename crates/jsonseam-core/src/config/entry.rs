//! A rule as its declaration describes it, ready to be asked.

use super::error::ConfigError;
use crate::engine::rules::{AnyRule, RuleEntry};
use crate::rule::Registration;
use crate::rule::option::{OptionProblem, OptionValue};

impl RuleEntry {
    /// The rule that a declaration describes, with its default options.
    pub fn of(registration: &Registration) -> Result<Self, ConfigError> {
        Self::with_options(registration, &[])
    }

    /// The rule that a declaration describes, with these options and its defaults for the others.
    pub fn with_options(registration: &Registration, options: &[(&str, &OptionValue)]) -> Result<Self, ConfigError> {
        let rule = AnyRule::build(registration.role, options).map_err(|OptionProblem { option, expected }| {
            let problem =
                expected.map_or_else(|| "does not exist".to_owned(), |expected| format!("must be {expected}"));
            ConfigError::without_place(format!("option `{option}` of rule `{}` {problem}", registration.name))
        })?;
        Ok(Self { name: registration.name.to_owned(), rule })
    }
}
