//! The bounds of SPEC B5: what they are, and which one was met.

use jsonseam_text::named;

/// Deepest nesting that can be configured, in open containers: what `serde_json` decodes into a value by default.
pub const MAX_DEPTH: u8 = 127;

/// Bounds on one repair (SPEC B5). Meeting one is a typed error, never a partial result.
///
/// ```
/// use jsonseam_core::Limits;
///
/// let limits = Limits::default().with_max_depth(20).with_max_edits(Some(100));
/// assert_eq!((limits.max_depth, limits.edits_for(1_000_000)), (20, 100));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Largest completion, in bytes. Default 64 MiB, at most 4 GiB - 1.
    pub max_input_bytes: usize,
    /// Deepest nesting, in open containers. Default and maximum 127.
    pub max_depth: u8,
    /// Most edits in one repair. `None`: the greater of 10,000 and a quarter of the payload's bytes.
    pub max_edits: Option<usize>,
}

impl Limits {
    /// The same, where each value is at most its greatest.
    pub(crate) fn within_bounds(self) -> Self {
        let most = usize::try_from(u32::MAX).unwrap_or(usize::MAX);
        Self { max_input_bytes: self.max_input_bytes.min(most), max_depth: self.max_depth.min(MAX_DEPTH), ..self }
    }

    /// Reads a size as files and flags state it: a whole number of bytes from 1 to 4 GiB - 1, which `K`, `M` or `G` multiply by powers of 1024.
    ///
    /// ```
    /// use jsonseam_core::Limits;
    ///
    /// assert_eq!((Limits::parse_size("64M"), Limits::parse_size("2 gib")), (Some(64 << 20), Some(2 << 30)));
    /// assert_eq!((Limits::parse_size("0"), Limits::parse_size("1.5M"), Limits::parse_size("4G")), (None, None, None));
    /// ```
    #[cfg(feature = "config")]
    pub fn parse_size(text: &str) -> Option<usize> {
        let (digits, unit) = text.split_at(text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len()));
        let unit = unit.trim_start().as_bytes();
        let is_bytes = |rest: &[u8]| matches!(rest, [] | [b'b' | b'B'] | [b'i' | b'I', b'b' | b'B']);
        let power = match unit {
            [] | [b'b' | b'B'] => 0,
            [b'k' | b'K', rest @ ..] if is_bytes(rest) => 10,
            [b'm' | b'M', rest @ ..] if is_bytes(rest) => 20,
            [b'g' | b'G', rest @ ..] if is_bytes(rest) => 30,
            _ => return None,
        };
        let bytes = digits.parse::<u32>().ok()?.checked_mul(1 << power)?;
        usize::try_from(bytes).ok().filter(|bytes| *bytes > 0)
    }

    /// The same with another largest completion, in bytes.
    #[must_use]
    pub fn with_max_input_bytes(mut self, bytes: usize) -> Self {
        self.max_input_bytes = bytes;
        self
    }

    /// The same with another deepest nesting.
    #[must_use]
    pub fn with_max_depth(mut self, depth: u8) -> Self {
        self.max_depth = depth;
        self
    }

    /// The same with another bound on edits; `None` for the one that grows with the payload.
    #[must_use]
    pub fn with_max_edits(mut self, edits: Option<usize>) -> Self {
        self.max_edits = edits;
        self
    }

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

named! {
    /// Which bound a repair met.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Limit as "a limit" {
        /// The completion is longer than `max-input-bytes`.
        InputBytes = "max-input-bytes",
        /// The nesting is deeper than `max-depth`.
        Depth = "max-depth",
        /// The repair needs more edits than `max-edits`.
        Edits = "max-edits",
        /// Locators found more payloads than `candidates.max`.
        Candidates = "candidates.max",
        /// The repair took more steps than a linear one can: a rule asks for too much text, or edits one place for ever.
        Work = "work",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Pipeline};

    #[test]
    fn a_pipeline_of_given_rules_holds_limits_within_their_bounds() {
        let limits = Limits::default().with_max_input_bytes(usize::MAX).with_max_depth(u8::MAX);
        let pipeline = Pipeline::from_rules(&Config::default().with_limits(limits), Vec::new());
        assert_eq!(pipeline.limits().max_depth, MAX_DEPTH);
        assert!(u32::try_from(pipeline.limits().max_input_bytes).is_ok());
    }
}
