//! `exclude` in the configuration: files that directories hold and that are not texts to repair, such as a `tsconfig.json` with comments.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use globset::GlobSet;
use jsonseam::Position;
use toml::de::{DeTable, DeValue};

use super::glob_set;
use crate::escape::escaped;

/// The key of the configuration.
const KEY: &str = "exclude";

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

    /// Takes `exclude` out of the text of a configuration, which the library knows nothing of; all other places stay what they are.
    pub(crate) fn split_off<'t>(text: &'t str, file: &Path) -> anyhow::Result<(Cow<'t, str>, Self)> {
        // A text that is not TOML is refused by who reads the rest, with the place.
        let Ok(table) = DeTable::parse(text) else { return Ok((Cow::Borrowed(text), Self::default())) };
        let Some((key, value)) = table.get_ref().iter().find(|(key, _)| key.get_ref() == KEY) else {
            return Ok((Cow::Borrowed(text), Self::default()));
        };
        let name = file.to_string_lossy();
        let place = |offset: usize| {
            let Position { line, column, .. } = Position::of(offset, text);
            format!("{}:{line}:{column}", escaped(&name))
        };
        let DeValue::Array(array) = value.get_ref() else {
            bail!("{}: `{KEY}` takes a list of globs, such as [\"tsconfig.json\"]", place(value.span().start));
        };
        let mut globs = Vec::new();
        for element in array {
            let DeValue::String(glob) = element.get_ref() else {
                bail!("{}: `{KEY}` takes globs in quotes", place(element.span().start));
            };
            // A slash at the end says that it is a directory, and a name without one is about both.
            globs.push(glob.trim_start_matches("./").trim_end_matches('/').to_owned());
        }
        let named = |glob: &str| format!("{}: `{KEY}`: {}", place(key.span().start), escaped(glob));
        let globs = glob_set(globs.iter().map(String::as_str), named)?;
        let root = std::path::absolute(file)?.parent().map(Path::to_owned).unwrap_or_default();
        let (start, end) = (key.span().start, value.span().end);
        let blanked = text.char_indices().map(|(pos, char)| {
            if (start..end).contains(&pos) && !matches!(char, '\n' | '\r') {
                " ".repeat(char.len_utf8())
            } else {
                char.to_string()
            }
        });
        Ok((Cow::Owned(blanked.collect()), Self { root, globs }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, Exclude) {
        let (rest, exclude) = Exclude::split_off(text, Path::new("/p/jsonseam.toml")).expect("it is valid");
        (rest.into_owned(), exclude)
    }

    const EXCLUDING: &str = "exclude = [\n  'tsconfig.json', # ü\n  \"fixtures/\",\n]\npreset = \"standard\"\n";

    #[test]
    fn the_list_is_taken_out_and_all_other_places_stay() {
        let (rest, exclude) = split(EXCLUDING);
        assert_eq!((rest.len(), rest.lines().count()), (EXCLUDING.len(), EXCLUDING.lines().count()));
        assert_eq!(rest.trim_start().lines().next(), Some("preset = \"standard\""));
        assert!(exclude.names(Path::new("/p/a/tsconfig.json")) && exclude.names(Path::new("/p/fixtures/x/y.json")));
        assert!(!exclude.names(Path::new("/p/a/other.json")));
    }
}
