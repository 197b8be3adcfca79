//! What git is asked, and the name that it gives a repository.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::{Context, bail};

/// What the root of a repository holds.
pub(crate) const REPOSITORY: &str = ".git";

/// The content that git has under this name.
pub(crate) fn content(name: &str) -> anyhow::Result<Vec<u8>> {
    printed(&["cat-file", "blob", name].map(OsStr::new))
}

/// What git prints.
pub(crate) fn printed(arguments: &[&OsStr]) -> anyhow::Result<Vec<u8>> {
    let output = Command::new("git").args(arguments).output().context("--staged needs git, which cannot be started")?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("--staged: {}", message.lines().next().unwrap_or("git gave no reason"));
    }
    Ok(output.stdout)
}
