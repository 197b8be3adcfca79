//! No patterns: this build was made without the feature `pattern`.

use crate::config::error::{ConfigError, Named};
use crate::edits::risk::Risk;
use crate::engine::rules::RuleEntry;

/// A rule declared by `[[pattern]]`, of which this build has none.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {}

impl Pattern {
    pub(crate) fn name(&self) -> &str {
        match *self {}
    }

    pub(crate) fn risk(&self) -> Risk {
        match *self {}
    }

    pub(crate) fn named(&self) -> &Named {
        match *self {}
    }

    pub(crate) fn entry(&self) -> RuleEntry {
        match *self {}
    }
}

/// A file that declares patterns asks for what this build cannot do.
#[cfg(feature = "config")]
pub(crate) fn read(
    reader: &crate::config::reader::Reader,
    value: &crate::config::reader::Value<'_>,
) -> Result<Vec<Pattern>, ConfigError> {
    Err(reader.error(&value.span(), "this build has no [[pattern]]: it was made without the feature `pattern`"))
}
