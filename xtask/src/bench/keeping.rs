//! Figures in files, from which `cargo xtask docs` writes pages.

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::workspace::Workspace;

/// The figures that are kept in a file.
pub(super) fn kept<T: DeserializeOwned>(workspace: &Workspace, file: &str) -> Result<T> {
    serde_json::from_str(&workspace.read(file)?).with_context(|| format!("{file} is not as it is written"))
}

/// Keeps figures, from which the page is written.
pub(super) fn keep(workspace: &Workspace, file: &str, figures: &impl Serialize) -> Result<()> {
    workspace.write(file, serde_json::to_string_pretty(figures)? + "\n")?;
    println!("wrote {file}; `cargo xtask docs` writes the page");
    Ok(())
}
