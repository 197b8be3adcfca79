//! Where things are in the workspace, and how its tools are started.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The workspace that a task works on.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace at `root`, or the one that this program was built from.
    pub(crate) fn new(root: Option<PathBuf>) -> Self {
        let own = || {
            let package = Path::new(env!("CARGO_MANIFEST_DIR"));
            package.parent().unwrap_or(package).to_owned()
        };
        Self { root: root.unwrap_or_else(own) }
    }

    /// A path below the root.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), |folder| self.root.join(folder))
    }

    /// The command, built for tests: where it is.
    pub(crate) fn command(&self) -> Result<PathBuf> {
        succeed(&mut self.cargo(&["build", "--quiet", "--package", "jsonseam-cli"]))?;
        Ok(self.target().join("debug/jsonseam"))
    }

    /// `cargo` in the root of the workspace, with these arguments.
    pub(crate) fn cargo<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new("cargo");
        // The variables of the `cargo run` that started this program would tie the new process to this toolchain and package.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_")
                || text.starts_with("CARGO_MANIFEST")
                || text == "RUSTUP_TOOLCHAIN"
                || text == "CARGO"
            {
                command.env_remove(&name);
            }
        }
        command.current_dir(&self.root).args(arguments);
        command
    }

    /// The text of a file.
    pub(crate) fn read(&self, relative: &str) -> Result<String> {
        let path = self.path(relative);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, relative: &str, text: impl AsRef<[u8]>) -> Result<()> {
        let path = self.path(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The stems of the files in a folder that have this extension, sorted.
    pub(crate) fn stems(&self, folder: &str, extension: &str) -> Result<Vec<String>> {
        let path = self.path(folder);
        let mut stems = Vec::new();
        for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
            let file = entry?.path();
            if file.extension().is_some_and(|found| found == extension)
                && let Some(stem) = file.file_stem()
            {
                stems.push(stem.to_string_lossy().into_owned());
            }
        }
        stems.sort();
        Ok(stems)
    }
}

/// Runs a command to its end; the error names it.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
