//! Configuration: what a TOML file, code and flags set, before any rule is looked up.
//!
//! Reading checks everything that can be checked without knowing the rules; [`resolve`] checks the rest against a
//! [`Catalogue`](crate::Catalogue). Every name keeps its place in between, so both report file, line and column.

pub(crate) mod catalogue;
pub(crate) mod error;
pub(crate) mod nearest;
pub(crate) mod pattern;
#[cfg(feature = "config")]
pub(crate) mod read;
#[cfg(feature = "config")]
pub(crate) mod reader;
mod renamed;
pub(crate) mod select;
#[cfg(all(test, feature = "pattern"))]
mod tests;

use self::catalogue::Catalogue;
use self::error::{ConfigError, Named, Spot};
use self::pattern::Pattern;
use crate::edits::risk::Risk;
use crate::engine::{SearchSettings, Thresholds};
use crate::reading::limits::{Limits, MAX_DEPTH};
use crate::reading::wanted::{Policy, Root};
use crate::rule::option::OptionValue;

/// The preset without any configuration.
const DEFAULT_PRESET: &str = "strict";

/// Candidates that are considered without any configuration.
const DEFAULT_CANDIDATES: usize = 64;

/// What to repair, with which rules, within which bounds.
///
/// A file is read first; what code sets comes later and wins, as flags do on a command line.
/// Whether the named rules exist is only known when a pipeline is built.
///
/// ```
/// use jsonseam_core::{Config, Policy, Root};
///
/// let config = Config::from_toml("root = \"any\"\n[candidates]\npolicy = \"last\"\n", "jsonseam.toml").unwrap();
/// let config = config.with_policy(Policy::Only);
/// assert_eq!((config.preset(), config.root(), config.policy()), ("strict", Root::Any, Policy::Only));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Config {
    preset: Option<Named>,
    max_risk: Option<Risk>,
    /// Whether code set the cap. It then turns off what the file names above it, as a flag overrides a file.
    caps_file: bool,
    root: Root,
    #[cfg(feature = "config")]
    exclude: Vec<Named>,
    enable: Vec<Enabled>,
    disable: Vec<Named>,
    order: Option<Order>,
    options: Vec<OptionTable>,
    patterns: Vec<Pattern>,
    limits: Limits,
    policy: Option<Policy>,
    search: SearchSettings,
    max_candidates: Option<usize>,
}

/// An entry of `enable`.
#[derive(Debug, Clone)]
struct Enabled {
    rule: Named,
    /// The rule before which it is asked.
    before: Option<Named>,
}

/// `order = [...]`: exactly these rules.
#[derive(Debug, Clone)]
struct Order {
    /// Where the list begins; it may be empty.
    spot: Option<Spot>,
    rules: Vec<Named>,
}

/// `[rules.<name>]`.
#[derive(Debug, Clone)]
struct OptionTable {
    rule: Named,
    options: Vec<OptionEntry>,
}

/// One option, with the places of its name and of its value.
#[derive(Debug, Clone)]
struct OptionEntry {
    name: Named,
    value: OptionValue,
    value_spot: Spot,
}

impl Config {
    /// Takes another preset, in place of an `order` too. Whether it exists is checked when the pipeline is built.
    #[must_use]
    pub fn with_preset(mut self, name: &str) -> Self {
        self.order = None;
        self.preset = Some(Named::in_code(name));
        self
    }

    /// Sets the cap on risk: rules above it are off, whether the preset or the file names them. Enabling one above it in code is an error.
    ///
    /// ```
    /// use jsonseam_core::{Config, Risk};
    ///
    /// let config = Config::default().with_preset("lenient").with_max_risk(Risk::Likely);
    /// assert_eq!((config.preset(), config.max_risk()), ("lenient", Some(Risk::Likely)));
    /// ```
    #[must_use]
    pub fn with_max_risk(mut self, risk: Risk) -> Self {
        self.max_risk = Some(risk);
        self.caps_file = true;
        self
    }

    /// Sets what the root of a payload may be.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, Root};
    ///
    /// let pipeline = Pipeline::from_rules(&Config::default().with_root(Root::Array), Vec::new());
    /// assert!(pipeline.repair("[1]").is_ok());
    /// assert!(pipeline.repair("{}").is_err());
    /// ```
    #[must_use]
    pub fn with_root(mut self, root: Root) -> Self {
        self.root = root;
        self
    }

    /// Sets which of several payloads is taken.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets how many candidates are considered, at least 1.
    #[must_use]
    pub fn with_max_candidates(mut self, max: usize) -> Self {
        self.max_candidates = Some(max);
        self
    }

    /// Sets when a reading may be the answer, in place of what the preset says and of the file's `[search]`.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Thresholds};
    ///
    /// let config = Config::default().with_thresholds(Thresholds::default().with_margin(80));
    /// assert_eq!(config.thresholds(&Catalogue::new(Vec::new(), &[])?).margin, 80);
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Self {
        self.search = thresholds.into();
        self
    }

    /// When a reading may be the answer: by the preset, as far as `[search]` does not say otherwise (SPEC R2).
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Thresholds};
    ///
    /// let catalogue = Catalogue::new(Vec::new(), &[("strict", Thresholds::new(50, 200), &[])])?;
    /// let config = Config::from_toml("[search]\nmargin = 80\n", "jsonseam.toml")?;
    /// assert_eq!(config.thresholds(&catalogue), Thresholds::new(80, 200));
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    pub fn thresholds(&self, catalogue: &Catalogue) -> Thresholds {
        let preset = catalogue.preset(self.preset());
        self.search.over(preset.map_or_else(Thresholds::default, |preset| preset.thresholds))
    }

    /// Those for all known rules together, or for rules that are given one by one.
    pub(crate) fn thresholds_of_all(&self) -> Thresholds {
        self.search.over(Thresholds::default())
    }

    /// Sets the bounds. They are checked when the pipeline is built.
    ///
    /// ```
    /// use jsonseam_core::{Config, Limit, Limits, Pipeline};
    ///
    /// let config = Config::default().with_limits(Limits::default().with_max_depth(1));
    /// let refusal = Pipeline::from_rules(&config, Vec::new()).repair("{\"a\": [1]}").unwrap_err();
    /// assert_eq!(refusal.limit_met(), Some(Limit::Depth));
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Enables one more rule, even if the file disables it. Together with an order it is an error.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Pipeline};
    ///
    /// let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// let mistake = Pipeline::new(&Config::default().with_enabled("acme/arrow"), &catalogue).unwrap_err();
    /// assert!(mistake.message().contains("acme/arrow"));
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn with_enabled(mut self, rule: &str) -> Self {
        self.disable.retain(|name| !(name.is_in_file() && name.text == rule));
        match self.enable.iter_mut().find(|enabled| enabled.rule.is_in_file() && enabled.rule.text == rule) {
            Some(enabled) => enabled.rule = Named::in_code(rule),
            None => self.enable.push(Enabled { rule: Named::in_code(rule), before: None }),
        }
        self
    }

    /// Disables a rule or a pattern, even if the file enables it. Together with an order it is an error.
    #[must_use]
    pub fn with_disabled(mut self, rule: &str) -> Self {
        self.enable.retain(|enabled| !(enabled.rule.is_in_file() && enabled.rule.text == rule));
        if !self.disable.iter().any(|name| name.is_in_file() && name.text == rule) {
            self.disable.push(Named::in_code(rule));
        }
        self
    }

    /// Asks exactly these rules, in this order, in place of the preset and of the file's order. Together with `enable` or `disable` it is an error.
    #[must_use]
    pub fn with_order(mut self, rules: &[&str]) -> Self {
        self.order = Some(Order { spot: None, rules: rules.iter().map(|rule| Named::in_code(rule)).collect() });
        self
    }

    /// The name of the preset; `strict` unless set.
    pub fn preset(&self) -> &str {
        self.preset.as_ref().map_or(DEFAULT_PRESET, |preset| &preset.text)
    }

    /// The cap on risk, if one is set.
    pub fn max_risk(&self) -> Option<Risk> {
        self.max_risk
    }

    /// What the root of a payload may be; an object unless set.
    pub fn root(&self) -> Root {
        self.root
    }

    /// Gives each glob of the file's `exclude` to `read`. A message of `read` is a mistake at the glob's place.
    ///
    /// The library looks for no files; a program that does leaves these out of directories.
    ///
    /// ```
    /// use jsonseam_core::Config;
    ///
    /// let config = Config::from_toml("exclude = [\"tsconfig.json\"]\n", "jsonseam.toml")?;
    /// assert_eq!(config.read_exclude(|glob| Ok(glob.to_owned()))?, ["tsconfig.json"]);
    /// let mistake = config.read_exclude::<()>(|_| Err("no such glob".to_owned())).unwrap_err();
    /// assert_eq!(mistake.to_string(), "jsonseam.toml:1:12: no such glob");
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    #[cfg(feature = "config")]
    pub fn read_exclude<T>(&self, mut read: impl FnMut(&str) -> Result<T, String>) -> Result<Vec<T>, ConfigError> {
        self.exclude.iter().map(|glob| read(&glob.text).map_err(|message| glob.error(message))).collect()
    }

    /// Which of several payloads is taken; the first unless set.
    pub fn policy(&self) -> Policy {
        self.policy.unwrap_or_default()
    }

    /// Whether the file or the code says which of several payloads is taken.
    ///
    /// A contract without a policy takes the one that fits it ([`Policy::Best`], SPEC B4).
    pub fn names_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// The bounds of one repair.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many candidates are considered: at least 1, and 64 unless set.
    pub fn max_candidates(&self) -> usize {
        self.max_candidates.unwrap_or(DEFAULT_CANDIDATES)
    }

    /// The `[[pattern]]` rules, in the order of the file, with their cases.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }
}

/// Most bytes that `max-input-bytes` can be set to: positions in the journal are 32 bits wide.
const MAX_INPUT_BYTES: u32 = u32::MAX;

/// The bounds of the bounds. Reading a file applies them with a place; setters cannot fail, so resolution applies them again.
fn check_numbers(config: &Config) -> Result<(), ConfigError> {
    let Limits { max_input_bytes, max_depth, max_edits: _ } = config.limits;
    if max_input_bytes == 0 || u32::try_from(max_input_bytes).is_err() {
        return Err(ConfigError::about(None, format!("`max-input-bytes` must be from 1 to {MAX_INPUT_BYTES}")));
    }
    if max_depth == 0 || max_depth > MAX_DEPTH {
        return Err(ConfigError::about(None, format!("`max-depth` must be from 1 to {MAX_DEPTH}")));
    }
    if config.max_candidates == Some(0) {
        return Err(ConfigError::about(None, "`candidates.max` must be at least 1"));
    }
    Ok(())
}
