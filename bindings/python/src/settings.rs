//! Configurations from Python: a TOML text, and settings that go before it.

use jsonseam::{Config, Policy, Risk, Root};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The preset that Python users get without a setting.
const PRESET: &str = "standard";

/// What a caller set. `None` leaves it to the configuration, and to the defaults of the package after that.
#[derive(Debug, Default, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    config: Option<String>,
    /// What the configuration is called in messages.
    origin: String,
    preset: Option<String>,
    root: Option<String>,
    max_risk: Option<String>,
    candidates: Option<String>,
}

/// What a configuration says itself, so that a default does not override it.
#[derive(Debug, Default)]
struct Said {
    preset: bool,
    root: bool,
}

impl Said {
    fn by(text: &str) -> Self {
        // What is not TOML is refused by the reader of configurations, with the place.
        let Ok(table) = text.parse::<toml::Table>() else { return Self::default() };
        let has_order = table.get("rules").and_then(|rules| rules.get("order")).is_some();
        Self { preset: table.contains_key("preset") || has_order, root: table.contains_key("root") }
    }
}

/// A setting of a fixed list of names.
pub(crate) fn choice<T: std::str::FromStr>(what: &str, given: &str, names: &[&str]) -> PyResult<T> {
    given.parse().map_err(|_| {
        // A name is only repeated if it looks like one.
        let is_name =
            given.len() <= 32 && given.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let shown = if is_name { format!(" `{given}`") } else { String::new() };
        PyValueError::new_err(format!("unknown {what}{shown}; one of {}", names.join(", ")))
    })
}

impl Settings {
    /// The configuration, with the default root that the caller wants where nothing names one.
    pub(crate) fn config(&self, default_root: Root) -> PyResult<Config> {
        let text = self.config.as_deref().unwrap_or_default();
        let mut config =
            Config::from_toml(text, &self.origin).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let said = Said::by(text);
        config = match self.preset.as_deref() {
            Some(preset) => config.with_preset(preset),
            None if !said.preset => config.with_preset(PRESET),
            None => config,
        };
        config = match self.root.as_deref() {
            Some(root) => config.with_root(choice("root", root, Root::NAMES)?),
            None if !said.root => config.with_root(default_root),
            None => config,
        };
        if let Some(risk) = &self.max_risk {
            config = config.with_max_risk(choice::<Risk>("risk", risk, Risk::NAMES)?);
        }
        if let Some(policy) = &self.candidates {
            config = config.with_policy(choice("policy", policy, Policy::NAMES)?);
        }
        Ok(config)
    }
}

/// The TOML of a configuration that was given as a mapping, which comes as JSON.
#[pyfunction]
pub(crate) fn toml_of_json(json: &str) -> PyResult<String> {
    let table: toml::Table = serde_json::from_str(json).map_err(|_| {
        PyValueError::new_err(
            "a configuration holds tables, lists, strings, numbers and booleans; leave out what is None",
        )
    })?;
    toml::to_string(&table).map_err(|error| PyValueError::new_err(error.to_string()))
}
