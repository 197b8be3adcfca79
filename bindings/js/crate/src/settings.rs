//! Settings from JavaScript: pairs of a name and a value, whose kinds the JavaScript side has checked.

use jsonseam::{Config, Pipeline, Policy, Risk, Root, built_in};
#[cfg(feature = "full")]
use toml::de::DeTable;

use crate::problem::Problem;

/// The preset that JavaScript users get without a setting.
const PRESET: &str = "standard";

/// What a caller set. What is absent is left to the configuration, and to the defaults of the package after that.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// A configuration as TOML.
    config: Option<String>,
    preset: Option<String>,
    root: Option<String>,
    max_risk: Option<String>,
    candidates: Option<String>,
    max_candidates: Option<usize>,
    enable: Vec<String>,
    disable: Vec<String>,
    order: Option<Vec<String>>,
    max_input_bytes: Option<usize>,
    max_depth: Option<u8>,
    max_edits: Option<usize>,
}

impl Settings {
    /// Reads `NAME NUL VALUE NUL` any number of times; the parts of a list come one by one, after `NAME[]`.
    ///
    /// That is not JSON since a reader of JSON brings 30 KB, most of it for numbers in messages that no one can get to see.
    pub(crate) fn read(text: &str) -> Result<Self, Problem> {
        let mut settings = Self::default();
        let mut parts = text.split_terminator('\0');
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            settings.set(name, value).ok_or_else(|| {
                Problem::new("config", &format!("the value of `{name}` is not one that it can have"), None)
            })?;
        }
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "config" => self.config = Some(value.to_owned()),
            "preset" => self.preset = Some(value.to_owned()),
            "root" => self.root = Some(value.to_owned()),
            "maxRisk" => self.max_risk = Some(value.to_owned()),
            "candidates" => self.candidates = Some(value.to_owned()),
            "maxCandidates" => self.max_candidates = Some(value.parse().ok()?),
            "enable" => self.enable.push(value.to_owned()),
            "disable" => self.disable.push(value.to_owned()),
            "order" => self.order.get_or_insert_default().push(value.to_owned()),
            "order[]" => self.order = Some(Vec::new()),
            "enable[]" | "disable[]" => {}
            "maxInputBytes" => self.max_input_bytes = Some(value.parse().ok()?),
            "maxDepth" => self.max_depth = Some(value.parse().ok()?),
            "maxEdits" => self.max_edits = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// The pipeline over the built-in rules; any root, unless one is set.
    pub(crate) fn pipeline(&self) -> Result<Pipeline, Problem> {
        Ok(Pipeline::new(&self.config(Root::Any)?, &built_in()?)?)
    }

    /// The configuration, with the default root that the caller wants where nothing names one.
    pub(crate) fn config(&self, default_root: Root) -> Result<Config, Problem> {
        let (mut config, says) = self.text()?;
        config = match (&self.order, &self.preset) {
            (Some(order), _) => config.with_order(&order.iter().map(String::as_str).collect::<Vec<_>>()),
            (None, Some(preset)) => config.with_preset(preset),
            (None, None) if !says.preset => config.with_preset(PRESET),
            (None, None) => config,
        };
        config = match &self.root {
            Some(root) => config.with_root(choice("root", root, Root::NAMES)?),
            None if !says.root => config.with_root(default_root),
            None => config,
        };
        if let Some(risk) = &self.max_risk {
            config = config.with_max_risk(choice::<Risk>("risk", risk, Risk::NAMES)?);
        }
        if let Some(policy) = &self.candidates {
            config = config.with_policy(choice("policy", policy, Policy::NAMES)?);
        }
        if let Some(max) = self.max_candidates {
            config = config.with_max_candidates(max);
        }
        config = self.enable.iter().fold(config, |config, rule| config.with_enabled(rule));
        config = self.disable.iter().fold(config, |config, rule| config.with_disabled(rule));
        let limits = config.limits();
        let limits = limits
            .with_max_input_bytes(self.max_input_bytes.unwrap_or(limits.max_input_bytes))
            .with_max_depth(self.max_depth.unwrap_or(limits.max_depth))
            .with_max_edits(self.max_edits.or(limits.max_edits));
        Ok(config.with_limits(limits))
    }

    #[cfg(feature = "full")]
    fn text(&self) -> Result<(Config, Says), Problem> {
        let Some(text) = &self.config else { return Ok((Config::default(), Says::default())) };
        Ok((Config::from_toml(text, "jsonseam.toml")?, Says::of(text)))
    }

    #[cfg(not(feature = "full"))]
    fn text(&self) -> Result<(Config, Says), Problem> {
        match self.config {
            None => Ok((Config::default(), Says::default())),
            Some(_) => {
                let message =
                    "a configuration as TOML needs the whole engine: import from `jsonseam`, not from `jsonseam/core`";
                Err(Problem::new("config", message, None))
            }
        }
    }
}

/// What a configuration says itself, so that a default of this package does not go before it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Says {
    preset: bool,
    root: bool,
}

#[cfg(feature = "full")]
impl Says {
    fn of(text: &str) -> Self {
        // A text that is not TOML was refused by the reader of configurations, with the place.
        let Ok(table) = DeTable::parse(text) else { return Self::default() };
        let table = table.get_ref();
        let has_order = table.get("rules").and_then(|rules| rules.get_ref().get("order")).is_some();
        Self { preset: table.contains_key("preset") || has_order, root: table.contains_key("root") }
    }
}

/// A setting out of a fixed list of names.
pub(crate) fn choice<T: std::str::FromStr>(what: &str, given: &str, names: &[&str]) -> Result<T, Problem> {
    given.parse().map_err(|_| {
        let message = format!("unknown {what}: it is one of {}", names.join(", "));
        Problem::new("config", &message, None)
    })
}
