//! Where results go that do not take the place of what was read: a file, or a directory that keeps the names.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::console;
use crate::files::{self, Replacement};
use crate::input::{Input, Source};

/// Whether a name is that of a directory: it ends as one, or is one.
pub(super) fn is_directory(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()
}

/// The file in `directory` that the result of `source` goes to: its path below the directory that was named, or its name.
pub(super) fn within(directory: &Path, source: &Source, named: &[PathBuf]) -> Option<PathBuf> {
    let path = source.path()?;
    let name = Path::new(path.file_name()?);
    let below = |named: &PathBuf| path.strip_prefix(named.strip_prefix("./").unwrap_or(named)).ok();
    let relative = match source {
        Source::Found(_) => {
            // The current directory is a prefix of nothing, and what is found in it has no prefix.
            named.iter().filter_map(below).min_by_key(|rest| rest.components().count()).unwrap_or(path)
        }
        _ => name,
    };
    let is_below = relative.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    Some(directory.join(if is_below { relative } else { name }))
}

/// Refuses if two results would have one name.
pub(super) fn refuse_collisions(directory: &Path, sources: &[Source], named: &[PathBuf]) -> anyhow::Result<()> {
    let mut targets = HashMap::new();
    for source in sources {
        let Some(target) = within(directory, source, named) else {
            bail!("--output {}: standard input has no name to be written under", files::shown(directory));
        };
        if let Some(other) = targets.insert(target.clone(), source) {
            bail!("{} and {} would both be written to {}", other.name(), source.name(), files::shown(&target));
        }
    }
    Ok(())
}

/// Replaces a file by its result, in one step, after the old content is kept if that is asked for.
pub(super) fn replace(path: &Path, output: &[u8], input: &Input, backup: Option<&str>) -> anyhow::Result<()> {
    let mut replacement = Replacement::beside(path)?;
    replacement.write(output)?;
    let kept = backup.map(|suffix| keep(path, input.raw(), suffix)).transpose()?;
    let written = replacement.commit(input.fingerprint.as_ref());
    if let (Err(_), Some(kept)) = (&written, kept) {
        let _ = fs::remove_file(kept);
    }
    written
}

/// Keeps the old content of a file beside it, with its mode. What is there already is never replaced: it may be an older original.
fn keep(path: &Path, bytes: &[u8], suffix: &str) -> anyhow::Result<PathBuf> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    let kept = path.with_file_name(name);
    let cannot =
        || format!("{}: not written, because its backup {} cannot be written", files::shown(path), files::shown(&kept));
    let permissions = fs::metadata(path).with_context(cannot)?.permissions();
    let mut file = match File::create_new(&kept) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{}: not written, because its backup {} is there already and may be an older original; \
             move that away, or keep this one under another name: --backup=.SUFFIX",
            files::shown(path),
            files::shown(&kept)
        ),
        made => made.with_context(cannot)?,
    };
    // The mode comes first: what is private is so from the first byte on.
    let written = file.set_permissions(permissions).and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&kept);
    }
    written.with_context(cannot)?;
    Ok(kept)
}

/// Writes a file that appears or is replaced in one step, or a device as it is.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return console::emit(bytes);
    }
    if files::is_stream(path) {
        return fs::write(path, bytes).with_context(|| format!("cannot write {}", files::shown(path)));
    }
    let mut replacement = Replacement::beside(path)?;
    replacement.write(bytes)?;
    replacement.commit(None)
}

/// The same in a directory of results, which is made where it is missing.
pub(super) fn write_within(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("cannot make the directory {}", files::shown(parent)))?;
    write(path, bytes)
}
