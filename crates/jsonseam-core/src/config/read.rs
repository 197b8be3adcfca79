//! TOML to [`Config`], with a place for every mistake.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::nearest::shown;
#[cfg(feature = "pattern")]
use super::pattern;
use super::reader::{CANDIDATES, ENABLE, Key, LIMITS, RULES, Reader, SEARCH, TOP, Value, sorted};
use super::{Config, Enabled, MAX_INPUT_BYTES, OptionEntry, OptionTable, Order};
use crate::engine::{MAX_BEAM, MAX_COST, SearchSettings};
use crate::reading::limits::{Limits, MAX_DEPTH};

impl Config {
    /// Reads a file's text. `file` is its name, for messages only: nothing is opened.
    ///
    /// Any mistake that can be seen without knowing the rules is refused here, the first in the file;
    /// unknown rules, presets and options are refused when the pipeline is built.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        config(text, file)
    }
}

/// What an entry of most lists is.
const RULE_NAME: &str = "a rule's name";

fn config(text: &str, file: &str) -> Result<Config, ConfigError> {
    let reader = Reader::new(text, file);
    let mut config = Config::default();
    for (key, value) in sorted(reader.parse()?.get_ref()) {
        match key.get_ref().as_ref() {
            "preset" => config.preset = Some(reader.name(value, "preset")?),
            "max-risk" => config.max_risk = Some(reader.risk(value, "max-risk")?),
            "root" => config.root = reader.choice(value, "root")?,
            "exclude" => config.exclude = reader.names(value, "exclude", "a glob in quotes")?,
            "rules" => read_rules(&reader, value, &mut config)?,
            #[cfg(feature = "pattern")]
            "pattern" => config.patterns = pattern::read(&reader, value)?,
            #[cfg(not(feature = "pattern"))]
            "pattern" => {
                let message = "this build has no [[pattern]]: it was made without the feature `pattern`";
                return Err(reader.error(&value.span(), message));
            }
            "limits" => config.limits = read_limits(&reader, value)?,
            "candidates" => read_candidates(&reader, value, &mut config)?,
            "search" => config.search = read_search(&reader, value)?,
            // The settings of the re-ask loop: the crate that owns them reads them with `read_section`.
            "reask" => drop(reader.table(value, "reask")?),
            _ => return Err(reader.unknown_key(key, &TOP)),
        }
    }
    Ok(config)
}

fn read_rules(reader: &Reader, value: &Value<'_>, config: &mut Config) -> Result<(), ConfigError> {
    for (key, value) in sorted(reader.table(value, "rules")?) {
        match key.get_ref().as_ref() {
            "enable" => {
                config.enable = reader
                    .list(value, "enable")?
                    .iter()
                    .map(|entry| read_enabled(reader, entry))
                    .collect::<Result<_, _>>()?;
            }
            "disable" => config.disable = reader.names(value, "disable", RULE_NAME)?,
            "order" => {
                let rules = reader.names(value, "order", RULE_NAME)?;
                config.order = Some(Order { spot: Some(reader.spot(&value.span())), rules });
            }
            _ => match value.get_ref() {
                DeValue::Table(table) => config.options.push(read_options(reader, key, table)?),
                _ => return Err(reader.unknown_key(key, &RULES)),
            },
        }
    }
    Ok(())
}

/// A name, or `{ rule = "acme/b", before = "missing-colon" }`.
fn read_enabled(reader: &Reader, entry: &Value<'_>) -> Result<Enabled, ConfigError> {
    let DeValue::Table(table) = entry.get_ref() else {
        let rule = reader.name_among(entry, "an entry of `enable`", "a rule's name or `{ rule = …, before = … }`")?;
        return Ok(Enabled { rule, before: None });
    };
    let (mut rule, mut before) = (None, None);
    for (key, value) in sorted(table) {
        match key.get_ref().as_ref() {
            "rule" => rule = Some(reader.name(value, "rule")?),
            "before" => before = Some(reader.name(value, "before")?),
            _ => return Err(reader.unknown_key(key, &ENABLE)),
        }
    }
    let rule = rule.ok_or_else(|| reader.error(&entry.span(), "an entry of `enable` lacks `rule`"))?;
    Ok(Enabled { rule, before })
}

fn read_options(reader: &Reader, key: &Key<'_>, table: &DeTable<'_>) -> Result<OptionTable, ConfigError> {
    let mut options: Vec<OptionEntry> = Vec::new();
    // A rule reads `a_b` and `a-b` as the same option, which TOML does not know.
    let mut seen = BTreeSet::new();
    for (key, value) in sorted(table) {
        let name = reader.named(key);
        if !seen.insert(name.text.replace('_', "-")) {
            return Err(name.error(format!("option{} is set twice", shown(&name.text))));
        }
        let value_spot = reader.spot(&value.span());
        options.push(OptionEntry { value: reader.option(&name, value)?, name, value_spot });
    }
    Ok(OptionTable { rule: reader.named(key), options })
}

fn read_limits(reader: &Reader, value: &Value<'_>) -> Result<Limits, ConfigError> {
    let mut limits = Limits::default();
    for (key, value) in sorted(reader.table(value, "limits")?) {
        match key.get_ref().as_ref() {
            "max-input-bytes" => limits.max_input_bytes = read_size(reader, value, "max-input-bytes")?,
            "max-depth" => limits.max_depth = reader.whole(value, "max-depth", 1, MAX_DEPTH)?,
            "max-edits" => {
                limits.max_edits = Some(reader.whole(value, "max-edits", 0, usize::MAX)?);
            }
            _ => return Err(reader.unknown_key(key, &LIMITS)),
        }
    }
    Ok(limits)
}

/// A number of bytes, or a text such as `"64M"`.
fn read_size(reader: &Reader, value: &Value<'_>, key: &str) -> Result<usize, ConfigError> {
    let Some(text) = value.get_ref().as_str() else {
        return reader.whole(value, key, 1, MAX_INPUT_BYTES as usize);
    };
    let expected = "a whole number of bytes, or one with K, M or G, of at most 4294967295 bytes";
    Limits::parse_size(text).ok_or_else(|| reader.error(&value.span(), format!("`{key}` must be {expected}")))
}

fn read_search(reader: &Reader, value: &Value<'_>) -> Result<SearchSettings, ConfigError> {
    let mut search = SearchSettings::default();
    for (key, value) in sorted(reader.table(value, "search")?) {
        match key.get_ref().as_ref() {
            "margin" => search.margin = Some(reader.whole(value, "margin", 0, MAX_COST)?),
            "veto" => search.veto = Some(reader.whole(value, "veto", 1, MAX_COST)?),
            "beam" => search.beam = Some(reader.whole(value, "beam", 1, MAX_BEAM)?),
            _ => return Err(reader.unknown_key(key, &SEARCH)),
        }
    }
    Ok(search)
}

fn read_candidates(reader: &Reader, value: &Value<'_>, config: &mut Config) -> Result<(), ConfigError> {
    for (key, value) in sorted(reader.table(value, "candidates")?) {
        match key.get_ref().as_ref() {
            "policy" => {
                config.policy = Some(reader.choice(value, "policy")?);
            }
            "max" => config.max_candidates = Some(reader.whole(value, "max", 1, usize::MAX)?),
            _ => return Err(reader.unknown_key(key, &CANDIDATES)),
        }
    }
    Ok(())
}
