//! Replacing files in one step: the old content or the new, never a mixture, whatever fails.
//!
//! The new content is written to a temporary file in the same directory, made durable, and renamed over the old.
//! The temporary file is removed when anything fails.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufRead, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use crate::escape::escaped;
use crate::signals::Temporary;

/// What shows that a file is the same as before and unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    len: u64,
    modified: Option<std::time::SystemTime>,
    #[cfg(unix)]
    inode: (u64, u64),
    #[cfg(unix)]
    changed: (i64, i64),
}

impl Fingerprint {
    /// The fingerprint of the file with this metadata.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            inode: (metadata.dev(), metadata.ino()),
            #[cfg(unix)]
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// A file in the making, which becomes `target` on [`commit`](Self::commit) and vanishes when dropped before.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: NamedTempFile,
    target: PathBuf,
    temporary: Temporary,
}

impl Replacement {
    /// Begins a replacement of the file at `path`, or of what it links to.
    pub(crate) fn beside(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write {}", shown(path));
        let target = resolve(path).with_context(cannot)?;
        let existing = match fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(cannot),
        };
        if let Some(metadata) = &existing {
            refuse_unsuitable(&target, metadata).with_context(cannot)?;
        }
        let make = || temporary(&target, existing.as_ref());
        let (file, temporary) = Temporary::of(make, |file| file.path()).with_context(cannot)?;
        Ok(Self { file, target, temporary })
    }

    /// Adds bytes to the new content.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.as_file_mut().write_all(bytes).with_context(|| format!("cannot write {}", shown(&self.target)))
    }

    /// Leaves the new content beside the target, for a later run to go on with.
    pub(crate) fn keep_as(self, part: &Path) -> anyhow::Result<()> {
        let Self { file, temporary, .. } = self;
        let cannot = || format!("cannot write {}", shown(part));
        file.as_file().sync_all().with_context(cannot)?;
        temporary.give_up(|| file.persist(part)).map_err(|failed| failed.error).with_context(cannot)?;
        Ok(())
    }

    /// Makes the new content durable and puts it in the place of the old.
    ///
    /// With `read`, refuses if the file is no longer what was read.
    pub(crate) fn commit(self, read: Option<&Fingerprint>) -> anyhow::Result<()> {
        let Self { file, target, temporary } = self;
        let cannot = || format!("cannot write {}", shown(&target));
        file.as_file().sync_all().with_context(cannot)?;
        if let Some(read) = read {
            let now = fs::metadata(&target).with_context(cannot)?;
            if Fingerprint::of(&now) != *read {
                bail!("{}: not written, because it changed while it was being repaired", shown(&target));
            }
        }
        temporary.give_up(|| file.persist(&target)).map_err(|failed| failed.error).with_context(cannot)?;
        sync_directory(&target).with_context(|| format!("{}: written, but perhaps not yet durable", shown(&target)))
    }
}

/// Where the digest of the run is that left this part.
fn digest_of(part: &Path) -> PathBuf {
    let mut name = part.file_name().unwrap_or_default().to_owned();
    name.push(".digest");
    part.with_file_name(name)
}

/// Says beside a part which run left it.
pub(crate) fn write_digest(part: &Path, digest: &str) -> anyhow::Result<()> {
    let path = digest_of(part);
    let cannot = || format!("cannot write {}", shown(&path));
    // A link that is in its place is another's.
    let _ = fs::remove_file(&path);
    let mut file = File::options().write(true).create_new(true).open(&path).with_context(cannot)?;
    file.write_all(digest.as_bytes()).with_context(cannot)
}

/// Where an interrupted run leaves what it has written.
pub(crate) fn part_of(path: &Path) -> anyhow::Result<PathBuf> {
    let target = resolve(path).with_context(|| format!("cannot write {}", shown(path)))?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    Ok(target.with_file_name(name))
}

/// A file that grows under a name of its own over several runs, and becomes `target` at the end.
#[derive(Debug)]
pub(crate) struct Part {
    file: File,
    path: PathBuf,
    target: PathBuf,
}

/// What earlier runs have left of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// How many whole lines.
    pub(crate) lines: u64,
    /// The last of them, without its line end.
    pub(crate) last: Vec<u8>,
}

impl Part {
    /// Opens the part of `path`, or begins it. A line that was not finished is taken back.
    pub(crate) fn open(path: &Path) -> anyhow::Result<(Self, Left)> {
        let cannot = || format!("cannot write {}", shown(path));
        let target = resolve(path).with_context(cannot)?;
        match fs::metadata(&target) {
            Ok(metadata) => refuse_unsuitable(&target, &metadata).with_context(cannot)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(cannot),
        }
        let path = part_of(path)?;
        let cannot = || format!("cannot write {}", shown(&path));
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            bail!("cannot write {}: it is not a regular file", shown(&path));
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).with_context(cannot)?;
        let (left, end) = left(&mut file).with_context(cannot)?;
        file.set_len(end).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        Ok((Self { file, path, target }, left))
    }

    /// Adds whole lines.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(bytes).with_context(|| format!("cannot write {}", shown(&self.path)))
    }

    /// Whether the run that left it has this digest. An empty part is of every run, and is of this one from now on.
    pub(crate) fn is_of_run(&self, digest: &str, left: &Left) -> anyhow::Result<bool> {
        if left.lines == 0 {
            write_digest(&self.path, digest)?;
            return Ok(true);
        }
        Ok(fs::read_to_string(digest_of(&self.path)).is_ok_and(|found| found == digest))
    }

    /// The lines from the first one on, to read beside the writing.
    pub(crate) fn reader(&self) -> anyhow::Result<io::BufReader<File>> {
        let file = File::open(&self.path).with_context(|| format!("cannot read {}", shown(&self.path)))?;
        Ok(io::BufReader::with_capacity(1 << 20, file))
    }

    /// Makes the content durable and puts it in its place.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let Self { file, path, target } = self;
        let cannot = || format!("cannot write {}", shown(&target));
        if let Ok(existing) = fs::metadata(&target) {
            keep_owner(&file, &existing);
            file.set_permissions(existing.permissions()).with_context(cannot)?;
        }
        // After such an error a system may hold what it has not written for written, so what is there is not to be gone on from.
        file.sync_all().with_context(|| {
            format!("cannot make {} durable: it may not be whole, remove it before you resume", shown(&path))
        })?;
        fs::rename(&path, &target).with_context(cannot)?;
        // A digest without its part belongs to no run.
        let _ = fs::remove_file(digest_of(&path));
        sync_directory(&target).with_context(|| format!("{}: written, but perhaps not yet durable", shown(&target)))
    }
}

/// The whole lines of a file, and where they end.
fn left(file: &mut File) -> io::Result<(Left, u64)> {
    let (mut left, mut end, mut pos) = (Left::default(), 0, 0);
    let mut line = Vec::new();
    let mut reader = io::BufReader::with_capacity(1 << 20, file);
    loop {
        line.clear();
        let len = reader.read_until(b'\n', &mut line)?;
        if len == 0 || line.pop() != Some(b'\n') {
            return Ok((left, end));
        }
        pos += len as u64;
        end = pos;
        left.lines += 1;
        std::mem::swap(&mut left.last, &mut line);
    }
}

/// Whether a path names something that must be written to as it is, such as a device or a pipe.
pub(crate) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Whether two paths lead to one file that is not a device or a pipe.
pub(crate) fn lead_to_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other && !is_stream(&one),
        _ => false,
    }
}

/// The path, safe to show.
pub(crate) fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy()).to_string()
}

/// The path with its links followed, so that the link stays and the file that it points to is replaced.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(target) => return Ok(target),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the symbolic link leads nowhere"));
    }
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(directory)?.join(name))
}

fn refuse_unsuitable(target: &Path, metadata: &Metadata) -> anyhow::Result<()> {
    if metadata.is_dir() {
        bail!("it is a directory");
    }
    if !metadata.is_file() {
        bail!("it is not a regular file");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() > 1 {
            bail!("it has {} hard links, which a replacement would separate", metadata.nlink());
        }
    }
    // A rename would also replace a file that may not be written.
    File::options().write(true).open(target)?;
    Ok(())
}

/// A new file in the directory of `target`, with the mode and, as far as permitted, the owner that `target` has.
fn temporary(target: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".jsonseam-").suffix(".tmp");
    let Some(existing) = existing else {
        if let Some(permissions) = default_permissions() {
            builder.permissions(permissions);
        }
        return builder.tempfile_in(directory);
    };
    let file = builder.tempfile_in(directory)?;
    keep_owner(file.as_file(), existing);
    file.as_file().set_permissions(existing.permissions())?;
    Ok(file)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have no mode")]
fn default_permissions() -> Option<Permissions> {
    // The process's mask is taken off by the system when the file is made.
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<Permissions> {
    None
}

/// Only the superuser can give files away, so failing is usual and harmless.
#[cfg(unix)]
fn keep_owner(file: &File, existing: &Metadata) {
    use std::os::unix::fs::MetadataExt;
    let _ = std::os::unix::fs::fchown(file, Some(existing.uid()), Some(existing.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _existing: &Metadata) {}

/// The rename itself must survive a power loss too.
#[cfg(unix)]
fn sync_directory(target: &Path) -> io::Result<()> {
    File::open(target.parent().unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_target: &Path) -> io::Result<()> {
    Ok(())
}
