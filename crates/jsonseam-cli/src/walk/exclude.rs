//! `exclude` in the configuration: files that directories hold and that are not texts to repair, such as a `tsconfig.json` with comments.

use std::path::{Path, PathBuf};

use globset::GlobSet;
use jsonseam::Config;

use super::glob;

/// What the configuration takes out of directories.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exclude {
    /// The directory of the configuration, which globs with a slash begin at.
    root: PathBuf,
    globs: GlobSet,
}

impl Exclude {
    /// Whether the file, or a directory that holds it, is named.
    pub(crate) fn names(&self, path: &Path) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let relative = absolute.strip_prefix(&self.root).unwrap_or(&absolute);
        relative.ancestors().any(|part| !part.as_os_str().is_empty() && self.globs.is_match(part))
    }

    /// What the configuration of the file says.
    pub(crate) fn of(config: &Config, file: &Path) -> anyhow::Result<Self> {
        let globs = config.read_exclude(|glob| {
            // A slash at the end says that it is a directory, and a name without one is about both.
            self::glob(glob.trim_start_matches("./").trim_end_matches('/'))
                .map_err(|wrong| format!("`exclude`: {wrong}"))
        })?;
        let root = std::path::absolute(file)?.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { root, globs: GlobSet::new(globs)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_about_every_directory_and_a_slash_begins_at_that_of_the_file() {
        let text = "exclude = [\n  'tsconfig.json', # ü\n  \"fixtures/\",\n]\npreset = \"standard\"\n";
        let config = Config::from_toml(text, "jsonseam.toml").expect("it is valid");
        let exclude = Exclude::of(&config, Path::new("/p/jsonseam.toml")).expect("it is valid");
        assert_eq!(config.preset(), "standard");
        assert!(exclude.names(Path::new("/p/a/tsconfig.json")) && exclude.names(Path::new("/p/fixtures/x/y.json")));
        assert!(!exclude.names(Path::new("/p/a/other.json")));
    }
}
