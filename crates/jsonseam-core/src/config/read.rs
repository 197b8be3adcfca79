//! TOML to [`Config`], with a place for every mistake; tables that other crates own are read with the same care.

use std::collections::BTreeSet;

use super::error::{ConfigError, Source};
use super::nearest::shown;
#[cfg(feature = "pattern")]
use super::pattern;
use super::reader::{CANDIDATES, ENABLE, Entry, Keys, LIMITS, RULES, SEARCH, TOP};
use super::{Config, Enabled, MAX_INPUT_BYTES, OptionEntry, OptionTable, Order};
use crate::engine::{MAX_BEAM, MAX_COST, SearchSettings};
use crate::reading::limits::{Limits, MAX_DEPTH};

impl Config {
    /// Reads a file's text. `file` is its name, for messages only: nothing is opened.
    ///
    /// Any mistake that can be seen without knowing the rules is refused here, the first in the file;
    /// unknown rules, presets and options are refused when the pipeline is built.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let source = Source::new(text, file);
        let parsed = source.parse()?;
        let mut config = Config::default();
        for entry in source.entries(parsed.get_ref()) {
            match entry.name() {
                "preset" => config.preset = Some(entry.named("a string")?),
                "max-risk" => config.max_risk = Some(entry.one_of("a string", "risk")?),
                "root" => config.root = entry.choice()?,
                "exclude" => config.exclude = entry.names("a glob in quotes")?,
                "rules" => read_rules(&entry, &mut config)?,
                #[cfg(feature = "pattern")]
                "pattern" => config.patterns = pattern::read(&entry)?,
                #[cfg(not(feature = "pattern"))]
                "pattern" => {
                    return Err(entry.error("this build has no [[pattern]]: it was made without the feature `pattern`"));
                }
                "limits" => config.limits = read_limits(&entry)?,
                "candidates" => read_candidates(&entry, &mut config)?,
                "search" => config.search = read_search(&entry)?,
                // The settings of the re-ask loop: the crate that owns them reads them with `read_section`.
                "reask" => drop(entry.table()?),
                _ => return Err(entry.unknown(&TOP)),
            }
        }
        Ok(config)
    }
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

/// What an entry of most lists is.
const RULE_NAME: &str = "a rule's name";

fn read_rules(rules: &Entry<'_>, config: &mut Config) -> Result<(), ConfigError> {
    for entry in rules.table()? {
        match entry.name() {
            "enable" => {
                config.enable = entry.elements("a list")?.iter().map(read_enabled).collect::<Result<_, _>>()?;
            }
            "disable" => config.disable = entry.names(RULE_NAME)?,
            "order" => config.order = Some(Order { spot: Some(entry.spot()), rules: entry.names(RULE_NAME)? }),
            _ if entry.value().is_table() => config.options.push(read_options(&entry)?),
            _ => return Err(entry.unknown(&RULES)),
        }
    }
    Ok(())
}

/// A name, or `{ rule = "acme/b", before = "missing-colon" }`.
fn read_enabled(enabled: &Entry<'_>) -> Result<Enabled, ConfigError> {
    if !enabled.value().is_table() {
        let rule = enabled.named("a rule's name or `{ rule = …, before = … }`")?;
        return Ok(Enabled { rule, before: None });
    }
    let (mut rule, mut before) = (None, None);
    for entry in enabled.table()? {
        match entry.name() {
            "rule" => rule = Some(entry.named("a string")?),
            "before" => before = Some(entry.named("a string")?),
            _ => return Err(entry.unknown(&ENABLE)),
        }
    }
    let rule = rule.ok_or_else(|| enabled.error("an entry of `enable` lacks `rule`"))?;
    Ok(Enabled { rule, before })
}

fn read_options(rule: &Entry<'_>) -> Result<OptionTable, ConfigError> {
    let mut options: Vec<OptionEntry> = Vec::new();
    // A rule reads `a_b` and `a-b` as the same option, which TOML does not know.
    let mut seen = BTreeSet::new();
    for entry in rule.table()? {
        let name = entry.key();
        if !seen.insert(name.text.replace('_', "-")) {
            return Err(name.error(format!("option{} is set twice", shown(&name.text))));
        }
        options.push(OptionEntry { name, value: entry.option()?, value_spot: entry.spot() });
    }
    Ok(OptionTable { rule: rule.key(), options })
}

fn read_limits(section: &Entry<'_>) -> Result<Limits, ConfigError> {
    let mut limits = Limits::default();
    for entry in section.table()? {
        match entry.name() {
            "max-input-bytes" => limits.max_input_bytes = read_size(&entry)?,
            "max-depth" => limits.max_depth = entry.number(1, MAX_DEPTH.into())?,
            "max-edits" => limits.max_edits = Some(entry.number(0, u64::MAX)?),
            _ => return Err(entry.unknown(&LIMITS)),
        }
    }
    Ok(limits)
}

/// A number of bytes, or a text such as `"64M"`.
fn read_size(size: &Entry<'_>) -> Result<usize, ConfigError> {
    let Some(text) = size.value().as_str() else {
        return size.number(1, MAX_INPUT_BYTES.into());
    };
    let expected = "a whole number of bytes, or one with K, M or G, of at most 4294967295 bytes";
    Limits::parse_size(text).ok_or_else(|| size.error(format!("`{}` must be {expected}", size.name())))
}

fn read_search(section: &Entry<'_>) -> Result<SearchSettings, ConfigError> {
    let mut search = SearchSettings::default();
    for entry in section.table()? {
        match entry.name() {
            "margin" => search.margin = Some(entry.number(0, MAX_COST.into())?),
            "veto" => search.veto = Some(entry.number(1, MAX_COST.into())?),
            "beam" => search.beam = Some(entry.number(1, MAX_BEAM.into())?),
            _ => return Err(entry.unknown(&SEARCH)),
        }
    }
    Ok(search)
}

fn read_candidates(section: &Entry<'_>, config: &mut Config) -> Result<(), ConfigError> {
    for entry in section.table()? {
        match entry.name() {
            "policy" => config.policy = Some(entry.choice()?),
            "max" => config.max_candidates = Some(entry.number(1, u64::MAX)?),
            _ => return Err(entry.unknown(&CANDIDATES)),
        }
    }
    Ok(())
}
