//! The bounds of SPEC B5: what they are, and which one was met.

use std::fmt;

use serde::Serialize;

/// Deepest nesting that can be configured, in open containers: what `serde_json` decodes into a value by default.
pub const MAX_DEPTH: u8 = 127;

/// Bounds on one repair (SPEC B5). Meeting one is a typed error, never a partial result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest completion, in bytes. Default 64 MiB, at most 4 GiB - 1.
    pub max_input_bytes: usize,
    /// Deepest nesting, in open containers. Default and maximum 127.
    pub max_depth: u8,
    /// Most edits in one repair. `None`: the greater of 10,000 and a quarter of the payload's bytes.
    pub max_edits: Option<usize>,
}

impl Limits {
    /// The bound on edits for a payload of `len` bytes.
    pub fn edits_for(&self, len: usize) -> usize {
        self.max_edits.unwrap_or((len / 4).max(10_000))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_input_bytes: 64 << 20, max_depth: MAX_DEPTH, max_edits: None }
    }
}

/// Which bound a repair met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Limit {
    /// The completion is longer than `max-input-bytes`.
    InputBytes,
    /// The nesting is deeper than `max-depth`.
    Depth,
    /// The repair needs more edits than `max-edits`.
    Edits,
    /// Locators found more payloads than `candidates.max`.
    Candidates,
    /// The repair took more steps than a linear one can: a rule asks for too much text, or edits one place for ever.
    Work,
}

impl Limit {
    /// The stable name, as in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InputBytes => "max-input-bytes",
            Self::Depth => "max-depth",
            Self::Edits => "max-edits",
            Self::Candidates => "candidates.max",
            Self::Work => "work",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}
