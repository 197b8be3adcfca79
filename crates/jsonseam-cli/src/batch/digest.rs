//! What a run is: its settings as one number, which is kept beside what an interrupted run leaves.
//!
//! It holds nothing of the records. That the input is the same is seen from the records themselves, which the part holds.

use std::fmt::{Debug, Write};
use std::fs;
use std::path::Path;

use crate::arguments::BatchArguments;
use crate::engine::{self, Engine};

/// The digest of all that the bytes of the output depend on, but for the input.
///
/// `texts` are those of the contract; what can be read only once is not read again.
pub(super) fn of(arguments: &BatchArguments, engine: &Engine, texts: &[String]) -> String {
    let mut digest = Digest::default();
    digest.add(env!("CARGO_PKG_VERSION").as_bytes());
    let BatchArguments {
        field, shape, raw, fields, only, calls, tools_field, call_flags, contract, engine: flags, ..
    } = arguments;
    digest.add_shown(&(field, shape, raw, fields, only));
    digest.add_shown(&(calls, tools_field, call_flags));
    digest.add_shown(&(contract, flags));
    // Other rules may be linked, or come from patterns of the file.
    for rule in engine.pipeline.rules() {
        digest.add(rule.name.as_bytes());
    }
    let configuration = flags.config.clone().or_else(engine::nearest);
    for file in [configuration, call_flags.tools.clone()].into_iter().flatten() {
        digest.add_file(&file);
    }
    for text in texts {
        digest.add(text.as_bytes());
    }
    digest.shown()
}

/// FNV-1a of 128 bits: it tells runs apart that are mistaken for each other, and is the same everywhere.
struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    /// Adds a part, which ends where it ends.
    fn add(&mut self, part: &[u8]) {
        let len = (part.len() as u64).to_le_bytes();
        for byte in len.iter().chain(part) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    fn add_shown(&mut self, part: &impl Debug) {
        let mut shown = String::new();
        let _ = write!(shown, "{part:?}");
        self.add(shown.as_bytes());
    }

    /// Adds the content of a file; a pipe has been read and is empty now.
    fn add_file(&mut self, path: &Path) {
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let content = if is_file { fs::read(path).unwrap_or_default() } else { Vec::new() };
        self.add(&content);
    }

    fn shown(&self) -> String {
        format!("{:032x}\n", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> String {
        let mut digest = Digest::default();
        for part in parts {
            digest.add(part.as_bytes());
        }
        digest.shown()
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_eq!(of(&[]).trim().len(), 32);
    }
}
