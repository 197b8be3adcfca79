//! Which files the arguments name: files as they are, directories with .gitignore honoured, globs that no shell has expanded.

mod exclude;
mod passed_over;

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

pub(crate) use exclude::Exclude;
use passed_over::PassedOver;

use crate::arguments::FindFlags;
use crate::console;
use crate::escape::escaped;
use crate::exit::Exit;
use crate::git;
use crate::input::Source;
use crate::jobs::Done;

/// The files of directories that are read unless globs say otherwise.
const DEFAULT: [&str; 3] = ["*.json", "*.jsonl", "*.ndjson"];

/// What the arguments name.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The sources, each once, in their order.
    pub(crate) sources: Vec<Source>,
    /// What was found in directories and is not read.
    passed_over: PassedOver,
    /// Directories that cannot be read; they have been reported.
    unreadable: u64,
}

impl Walked {
    /// These sources, for which no directory was searched.
    pub(crate) fn of(sources: Vec<Source>) -> Self {
        Self { sources, ..Self::default() }
    }

    /// Writes the names of the files, as they are, for programs; standard input is `-`. What is passed over is reported.
    pub(crate) fn show(&self) -> anyhow::Result<Exit> {
        let mut names = Vec::new();
        for source in &self.sources {
            names.extend_from_slice(source.path().map_or(b"-", |path| path.as_os_str().as_encoded_bytes()));
            names.push(b'\n');
        }
        if console::is_shown() {
            console::emit_text(&String::from_utf8_lossy(&names))?;
        } else {
            console::emit(&names)?;
        }
        self.tell(console::is_talkative());
        Ok(if self.unreadable > 0 { Exit::Failed } else { Exit::Done })
    }

    /// Adds the directories that cannot be read to what the work on the files came to.
    pub(crate) fn count_unreadable(&self, (exit, statistics): &mut Done) {
        if self.unreadable > 0 {
            *exit = (*exit).max(Exit::Failed);
            statistics.unreadable += self.unreadable;
        }
    }

    /// Tells below a summary what was passed over; without a summary only of files that would have been read.
    pub(crate) fn tell(&self, has_summary: bool) {
        if has_summary {
            self.passed_over.lines().iter().for_each(console::note_below);
        } else if let Some(ignored) = self.passed_over.ignored_files() {
            console::warn(ignored);
        }
    }
}

/// The sources that the flags name; no file is standard input.
///
/// Files of a directory come in the order of their names, so that every run reads them in the same order.
/// What `exclude` names is left out of directories; a file that is named itself is always read.
pub(crate) fn sources(flags: &FindFlags, exclude: &Exclude) -> anyhow::Result<Walked> {
    if flags.files.is_empty() {
        return Ok(Walked::of(vec![Source::Stdin]));
    }
    let mut walked = Walked::default();
    for argument in &flags.files {
        if argument.is_dir() {
            find(argument, &flags.glob, flags, exclude, &mut walked)?;
        } else if is_glob(argument) {
            let pattern = argument.to_string_lossy().into_owned();
            find(Path::new("."), &[pattern], flags, exclude, &mut walked)?;
        } else {
            walked.sources.push(Source::of(argument));
        }
    }
    let mut seen = HashSet::new();
    walked.sources.retain(|source| seen.insert(source.clone()));
    Ok(walked)
}

/// Whether the argument is not a file but a glob.
fn is_glob(argument: &Path) -> bool {
    argument.to_string_lossy().contains(['*', '?', '[']) && std::fs::symlink_metadata(argument).is_err()
}

/// Adds the files of a directory.
fn find(
    directory: &Path,
    globs: &[String],
    flags: &FindFlags,
    exclude: &Exclude,
    walked: &mut Walked,
) -> anyhow::Result<()> {
    let wanted = Wanted::new(globs)?;
    let mut walk = WalkBuilder::new(directory);
    walk.require_git(false).sort_by_file_name(std::cmp::Ord::cmp).hidden(!flags.hidden);
    // A repository is about files, and none of them itself.
    walk.filter_entry(|entry| entry.file_name() != git::REPOSITORY);
    if flags.no_ignore {
        walk.ignore(false).parents(false).git_ignore(false).git_global(false).git_exclude(false);
    }
    let (mut passed_over, mut seen, mut directories) = (PassedOver::default(), HashSet::new(), Vec::new());
    let (before, unreadable) = (walked.sources.len(), walked.unreadable);
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                // One directory that cannot be read stops no other.
                console::complain(&cannot_read(error, directory));
                walked.unreadable += 1;
                continue;
            }
        };
        let path = entry.path();
        let relative = path.strip_prefix(directory).unwrap_or(path);
        match entry.file_type() {
            Some(kind) if kind.is_dir() => directories.push(path.to_owned()),
            Some(kind) if kind.is_file() && !wanted.takes(relative) => passed_over.count_ending(path, wanted.is_chosen),
            Some(kind) if kind.is_file() && exclude.names(path) => passed_over.excluded += 1,
            Some(kind) if kind.is_file() => {
                walked.sources.push(Source::Found(path.strip_prefix("./").unwrap_or(path).to_owned()));
            }
            _ => {}
        }
        seen.insert(path.to_owned());
    }
    if !(flags.no_ignore && flags.hidden) {
        let is_wanted = |path: &Path| wanted.takes(path.strip_prefix(directory).unwrap_or(path));
        for directory in &directories {
            passed_over.count_unseen(directory, &seen, is_wanted);
        }
    }
    if walked.sources.len() == before && walked.unreadable == unreadable {
        let globs = if globs.is_empty() { DEFAULT.join(", ") } else { globs.join(", ") };
        let why = passed_over.lines().into_iter().fold(String::new(), |why, line| format!("{why}; {line}"));
        bail!("{}: no files match {}; --glob GLOB takes others{}", shown(directory), escaped(&globs), escaped(&why));
    }
    walked.passed_over.add(passed_over);
    Ok(())
}

/// What is said of a directory that cannot be read: its own name once, and the system's reason.
fn cannot_read(error: ignore::Error, within: &Path) -> anyhow::Error {
    match error {
        ignore::Error::WithDepth { err, .. } => cannot_read(*err, within),
        ignore::Error::WithPath { path, err } => cannot_read(*err, &path),
        // The walk's own error names the directory too; the system's, at its root, does not.
        ignore::Error::Io(error) => {
            let error = anyhow::Error::new(error);
            anyhow!("cannot read {}: {}", shown(within), error.root_cause())
        }
        error => anyhow::Error::new(error).context(format!("cannot read {}", shown(within))),
    }
}

/// Whether a file with this name is read where no glob says otherwise.
pub(crate) fn is_read_by_default(path: &Path) -> bool {
    Wanted::new(&[]).is_ok_and(|wanted| wanted.takes(path))
}

/// Which files of a directory are read. What .gitignore names is not, whatever the globs say.
struct Wanted {
    included: GlobSet,
    excluded: GlobSet,
    /// Whether a glob says which files are read.
    is_chosen: bool,
}

impl Wanted {
    fn new(globs: &[String]) -> anyhow::Result<Self> {
        let only_excludes = globs.iter().all(|glob| glob.starts_with('!'));
        let defaults = DEFAULT.iter().copied().filter(|_| only_excludes);
        let (excluded, included): (Vec<&str>, Vec<&str>) =
            defaults.chain(globs.iter().map(String::as_str)).partition(|glob| glob.starts_with('!'));
        let excluded = excluded.into_iter().map(|glob| glob.strip_prefix('!').unwrap_or(glob));
        let flag = |glob: &str| format!("--glob {}", escaped(glob));
        Ok(Self {
            included: glob_set(included.into_iter(), flag)?,
            excluded: glob_set(excluded, flag)?,
            is_chosen: !only_excludes,
        })
    }

    fn takes(&self, path: &Path) -> bool {
        self.included.is_match(path) && !self.excluded.is_match(path)
    }
}

/// The set of some globs.
fn glob_set<'g>(globs: impl Iterator<Item = &'g str>, named: impl Fn(&str) -> String) -> anyhow::Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for text in globs {
        set.add(glob(text).map_err(|wrong| anyhow::anyhow!("{}: {wrong}", named(text)))?);
    }
    set.build().context("the globs are too large")
}

/// A glob. Without a slash it is about the name alone, in whatever directory.
fn glob(text: &str) -> Result<Glob, String> {
    let anywhere = if text.contains('/') { text.to_owned() } else { format!("**/{text}") };
    GlobBuilder::new(&anywhere).literal_separator(true).build().map_err(|_| "not a glob".to_owned())
}

fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endings_that_are_read_by_default_are_those_of_json() {
        for (name, is_read) in
            [("a.json", true), ("d/e.jsonl", true), ("a.ndjson", true), ("a.txt", false), ("json", false)]
        {
            assert_eq!(is_read_by_default(Path::new(name)), is_read, "{name}");
        }
    }
}
