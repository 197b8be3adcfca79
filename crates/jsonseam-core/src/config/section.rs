//! Tables of a configuration file that other crates own, read with the same care: a place for every mistake, and no quotes of the file.

use super::error::{ConfigError, Source};
use super::reader::{Entry, Keys};

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
    let source = Source::new(text, file);
    let parsed = source.parse()?;
    let Some(section) = source.entries(parsed.get_ref()).into_iter().find(|entry| entry.name() == name) else {
        return Ok(false);
    };
    let keys = Keys { table: &format!("[{name}]"), names };
    for entry in section.table()? {
        if !names.contains(&entry.name()) {
            return Err(entry.unknown(&keys));
        }
        visit(&entry)?;
    }
    Ok(true)
}
