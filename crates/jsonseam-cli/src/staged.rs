//! What is staged for a commit: the content that git would commit, not that of the working tree.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::git;
use crate::input::Source;
use crate::walk::{self, Exclude};

/// The mode of what is staged as a file; links and submodules have others.
const FILE: &str = "100";

/// The staged files that are added or changed and whose names are those of JSON, within `paths` if any are given.
pub(crate) fn sources(paths: &[PathBuf], exclude: &Exclude) -> anyhow::Result<Vec<Source>> {
    let mut arguments: Vec<&OsStr> =
        ["diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=ACM", "-z", "--"]
            .map(OsStr::new)
            .to_vec();
    arguments.extend(paths.iter().map(|path| path.as_os_str()));
    let listed = git::printed(&arguments)?;
    let upwards = git::printed(&["rev-parse", "--show-cdup"].map(OsStr::new))?;
    let depth = upwards.split(|&byte| byte == b'/').filter(|part| *part == b"..").count();
    let here = std::env::current_dir().context("the current directory is not there")?;
    let root = here.ancestors().nth(depth).unwrap_or(&here);
    let mut fields = listed.split(|&byte| byte == 0);
    let mut sources = Vec::new();
    while let (Some(entry), Some(name)) = (fields.next().filter(|entry| !entry.is_empty()), fields.next()) {
        let (Some((mode, content)), path) = (new_side(entry), path_of(name)) else {
            bail!("git describes a staged file in a way that is not known");
        };
        if mode.starts_with(FILE) && walk::is_read_by_default(&path) && !exclude.names(&root.join(&path)) {
            sources.push(Source::Staged { path, content: content.to_owned() });
        }
    }
    Ok(sources)
}

/// The mode and the content's name after the change, of `:old-mode new-mode old-name new-name status`.
fn new_side(entry: &[u8]) -> Option<(&str, &str)> {
    let mut words = str::from_utf8(entry).ok()?.split(' ');
    Some((words.nth(1)?, words.nth(1)?))
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)).to_owned()
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    Path::new(&*String::from_utf8_lossy(name)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::new_side;

    #[test]
    fn the_side_after_the_change_is_read() {
        assert_eq!(new_side(b":100644 100755 aaaa bbbb M"), Some(("100755", "bbbb")));
        assert_eq!(new_side(b":100644"), None);
    }
}
