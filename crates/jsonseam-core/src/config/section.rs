//! Tables of a configuration file that other crates own, read with the same care: a place for every mistake, and no quotes of the file.

use std::str::FromStr;

use jsonseam_text::UnknownName;

use super::error::ConfigError;
use super::reader::{Key, Keys, Reader, Value, sorted};

/// One entry of a table that [`read_section`] returns: its name, and its value, with checks that know the place.
pub struct Entry<'e> {
    reader: &'e Reader,
    key: &'e Key<'e>,
    value: &'e Value<'e>,
}

/// Reads the table `name` of a file, entry by entry in the order of the file; other tables are passed over. `false` if there is none.
///
/// A key that is not among `names` is refused with its place and the nearest of them.
/// `file` is the file's name, for messages only: nothing is opened.
///
/// ```
/// use jsonseam_core::read_section;
///
/// let text = "root = \"any\"\n[reask]\nmax-attempts = 3\n";
/// let mut attempts = 0;
/// read_section(text, "jsonseam.toml", "reask", &["max-attempts"], |entry| {
///     attempts = entry.whole(0, 10)?;
///     Ok(())
/// })?;
/// assert_eq!(attempts, 3);
///
/// let error = read_section("[reask]\nmax-atempts = 3\n", "jsonseam.toml", "reask", &["max-attempts"], |_| Ok(())).unwrap_err();
/// assert_eq!(error.to_string(), "jsonseam.toml:2:1: unknown key `max-atempts` in [reask]; did you mean `max-attempts`?");
/// # Ok::<(), jsonseam_core::ConfigError>(())
/// ```
pub fn read_section(
    text: &str,
    file: &str,
    name: &str,
    names: &[&str],
    mut visit: impl FnMut(&Entry<'_>) -> Result<(), ConfigError>,
) -> Result<bool, ConfigError> {
    let reader = Reader::new(text, file);
    let parsed = reader.parse()?;
    let Some((_, value)) = sorted(parsed.get_ref()).into_iter().find(|(key, _)| key.get_ref().as_ref() == name) else {
        return Ok(false);
    };
    let table = format!("[{name}]");
    for (key, value) in sorted(reader.table(value, name)?) {
        if !names.contains(&key.get_ref().as_ref()) {
            return Err(reader.unknown_key(key, &Keys { table: &table, names }));
        }
        visit(&Entry { reader: &reader, key, value })?;
    }
    Ok(true)
}

impl Entry<'_> {
    /// The name of the entry.
    pub fn name(&self) -> &str {
        self.key.get_ref().as_ref()
    }

    /// `true` or `false`.
    pub fn boolean(&self) -> Result<bool, ConfigError> {
        let value = self.value.get_ref().as_bool();
        value.ok_or_else(|| self.reader.wrong_type(self.value, &format!("`{}`", self.name()), "true or false"))
    }

    /// A whole number from `least` to `most`.
    pub fn whole(&self, least: u64, most: u64) -> Result<u64, ConfigError> {
        self.reader.whole(self.value, self.name(), least, most)
    }

    /// A string.
    pub fn string(&self) -> Result<&str, ConfigError> {
        self.reader.string(self.value, self.name())
    }

    /// One of a few names.
    pub fn choice<T: FromStr<Err = UnknownName>>(&self) -> Result<T, ConfigError> {
        self.reader.choice(self.value, self.name())
    }

    /// A list of names, each one of a few.
    pub fn choices<T: FromStr<Err = UnknownName>>(&self) -> Result<Vec<T>, ConfigError> {
        let what = format!("an entry of `{}`", self.name());
        let list = self.reader.list(self.value, self.name())?;
        list.iter().map(|entry| self.reader.one_of(entry, &what, "a string", "value")).collect()
    }

    /// A mistake in the value, at its place.
    pub fn error(&self, message: impl Into<String>) -> ConfigError {
        self.reader.error(&self.value.span(), message)
    }
}
