//! Which files the arguments name: files as they are, directories with .gitignore honoured, globs that no shell has expanded.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use crate::escape::escaped;
use crate::input::Source;

/// The files of directories that are read unless globs say otherwise.
const DEFAULT: [&str; 3] = ["*.json", "*.jsonl", "*.ndjson"];

/// The sources that the arguments name, each once, in their order; none is standard input.
///
/// Files of a directory come in the order of their names, so that every run reads them in the same order.
pub(crate) fn sources(arguments: &[PathBuf], globs: &[String]) -> anyhow::Result<Vec<Source>> {
    if arguments.is_empty() {
        return Ok(vec![Source::Stdin]);
    }
    let mut sources: Vec<Source> = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            sources.extend(found(argument, globs)?);
        } else if is_glob(argument) {
            let pattern = argument.to_string_lossy().into_owned();
            sources.extend(found(Path::new("."), &[pattern])?);
        } else {
            sources.push(Source::of(argument));
        }
    }
    let mut seen = std::collections::HashSet::new();
    sources.retain(|source| seen.insert(source.clone()));
    Ok(sources)
}

/// Whether the argument is not a file but a glob.
fn is_glob(argument: &Path) -> bool {
    argument.to_string_lossy().contains(['*', '?', '[']) && std::fs::symlink_metadata(argument).is_err()
}

fn found(directory: &Path, globs: &[String]) -> anyhow::Result<Vec<Source>> {
    let wanted = Wanted::new(globs)?;
    let walk = WalkBuilder::new(directory).require_git(false).sort_by_file_name(std::cmp::Ord::cmp).build();
    let mut sources = Vec::new();
    for entry in walk {
        let entry = entry.with_context(|| format!("cannot read {}", shown(directory)))?;
        let path = entry.path();
        let relative = path.strip_prefix(directory).unwrap_or(path);
        if entry.file_type().is_some_and(|kind| kind.is_file()) && wanted.takes(relative) {
            sources.push(Source::Found(path.strip_prefix("./").unwrap_or(path).to_owned()));
        }
    }
    if sources.is_empty() {
        let globs = if globs.is_empty() { DEFAULT.join(", ") } else { globs.join(", ") };
        bail!("{}: no files match {}; --glob GLOB takes others", shown(directory), escaped(&globs));
    }
    Ok(sources)
}

/// Which files of a directory are read. What .gitignore names is not, whatever the globs say.
struct Wanted {
    included: GlobSet,
    excluded: GlobSet,
}

impl Wanted {
    fn new(globs: &[String]) -> anyhow::Result<Self> {
        let (mut included, mut excluded) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let only_excludes = globs.iter().all(|glob| glob.starts_with('!'));
        let defaults = DEFAULT.iter().copied().filter(|_| only_excludes);
        for glob in defaults.chain(globs.iter().map(String::as_str)) {
            let (set, pattern) = match glob.strip_prefix('!') {
                Some(pattern) => (&mut excluded, pattern),
                None => (&mut included, glob),
            };
            // Without a slash it is about the name alone, in whatever directory.
            let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
            let built = GlobBuilder::new(&anywhere).literal_separator(true).build();
            set.add(built.map_err(|_| anyhow::anyhow!("--glob {}: not a glob", escaped(glob)))?);
        }
        let build = |builder: GlobSetBuilder| builder.build().context("the globs are too large");
        Ok(Self { included: build(included)?, excluded: build(excluded)? })
    }

    fn takes(&self, path: &Path) -> bool {
        self.included.is_match(path) && !self.excluded.is_match(path)
    }
}

fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy()).to_string()
}
