//! What directories hold and is not read, in numbers, so that silence never means that everything was looked at.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::counts::{counted, descending};
use crate::git;

/// Of further endings only the number is shown.
const MOST_ENDINGS: usize = 4;

/// What was found in directories and is not read.
#[derive(Debug, Default)]
pub(super) struct PassedOver {
    /// Files with the names that are wanted, which `exclude` of the configuration names.
    pub(super) excluded: u64,
    ignored_files: u64,
    ignored_directories: u64,
    hidden: u64,
    by_ending: BTreeMap<String, u64>,
}

impl PassedOver {
    /// Counts a file whose name is not wanted, unless a glob chose the names: then the others are left out with intent.
    pub(super) fn count_ending(&mut self, path: &Path, is_intended: bool) {
        if is_intended {
            return;
        }
        let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        *self.by_ending.entry(ending.unwrap_or_else(|| "no ending".to_owned())).or_default() += 1;
    }

    /// Counts the entries of a directory that a walk did not come to: hidden ones, and those that an ignore file names.
    ///
    /// A directory counts as one: it is not opened.
    pub(super) fn count_unseen(
        &mut self,
        directory: &Path,
        seen: &HashSet<PathBuf>,
        is_wanted: impl Fn(&Path) -> bool,
    ) {
        // A directory that cannot be read has been reported by the walk.
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if seen.contains(&path) || entry.file_name() == git::REPOSITORY || !is_directory && !is_wanted(&path) {
                continue;
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let count = match (is_hidden, is_directory) {
                (true, _) => &mut self.hidden,
                (false, true) => &mut self.ignored_directories,
                (false, false) => &mut self.ignored_files,
            };
            *count += 1;
        }
    }

    /// Adds what another directory holds.
    pub(super) fn add(&mut self, other: Self) {
        self.excluded += other.excluded;
        self.ignored_files += other.ignored_files;
        self.ignored_directories += other.ignored_directories;
        self.hidden += other.hidden;
        for (ending, count) in other.by_ending {
            *self.by_ending.entry(ending).or_default() += count;
        }
    }

    /// The files that would be read if no ignore file named them, for people.
    pub(super) fn ignored_files(&self) -> Option<String> {
        let files = counted(self.ignored_files, "file");
        (self.ignored_files > 0).then(|| format!("left out: {files} that an ignore file names (--no-ignore)"))
    }

    /// What was passed over and why, for people, with the flags that take it.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut parts = Vec::new();
        let ignored = [(self.ignored_files, "file", "files"), (self.ignored_directories, "directory", "directories")];
        let ignored: Vec<String> = ignored
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, more)| format!("{count} {}", if count == 1 { one } else { more }))
            .collect();
        if !ignored.is_empty() {
            parts.push(format!("{} that an ignore file names (--no-ignore)", ignored.join(" and ")));
        }
        if self.hidden > 0 {
            parts.push(format!("{} hidden (--hidden)", self.hidden));
        }
        if self.excluded > 0 {
            parts.push(format!("{} by `exclude` of the configuration", self.excluded));
        }
        let mut lines = Vec::new();
        if !parts.is_empty() {
            lines.push(format!("left out: {}", parts.join(", ")));
        }
        lines.extend(self.endings());
        lines
    }

    fn endings(&self) -> Option<String> {
        let endings = descending(&self.by_ending);
        let shown: Vec<String> =
            endings.iter().take(MOST_ENDINGS).map(|(ending, count)| format!("{ending} {count}")).collect();
        let more: u64 = endings.iter().skip(MOST_ENDINGS).map(|(_, count)| count).sum();
        let more = if more > 0 { format!(", others {more}") } else { String::new() };
        (!shown.is_empty()).then(|| format!("passed over by their endings: {}{more} (--glob GLOB)", shown.join(", ")))
    }
}
