//! Configuration: what a TOML file, code and flags set, before any rule is looked up.
//!
//! Reading checks everything that can be checked without knowing the rules; [`resolve`] checks the rest against a
//! [`Catalogue`](crate::Catalogue). Every name keeps its place in between, so both report file, line and column.

mod error;
mod known;
mod nearest;
#[cfg(feature = "config")]
mod read;
#[cfg(feature = "config")]
mod section;
mod select;
#[cfg(all(test, feature = "pattern"))]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::catalogue::Catalogue;
use crate::engine::{SearchSettings, Thresholds};
use crate::limits::{Limits, MAX_DEPTH};
use crate::option::OptionValue;
use crate::pattern::Pattern;
use crate::risk::Risk;

pub use self::error::{ConfigError, Place};
pub(crate) use self::error::{Named, Spot};
pub(crate) use self::nearest::{is_kebab, listed, shown, suggestion};
#[cfg(feature = "config")]
pub(crate) use self::read::{Key, Keys, Reader, Value, sorted};
#[cfg(feature = "config")]
pub use self::section::{Entry, read_section};
pub(crate) use self::select::{resolve, resolve_unselected};

/// The preset without any configuration.
const DEFAULT_PRESET: &str = "strict";

/// Candidates that are considered without any configuration.
const DEFAULT_CANDIDATES: usize = 64;

/// What the root of a payload may be (SPEC P3).
///
/// ```
/// use jsonseam_core::Root;
///
/// assert_eq!("array".parse(), Ok(Root::Array));
/// assert_eq!(Root::default().to_string(), "object");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Root {
    /// An object only.
    #[default]
    Object,
    /// An array only.
    Array,
    /// Any value; a scalar only if it is the whole region.
    Any,
}

impl Root {
    /// Every root.
    pub const ALL: [Self; 3] = [Self::Object, Self::Array, Self::Any];

    /// The name in configuration and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Root {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|root| root.as_str() == name).ok_or(())
    }
}

/// Which of several payloads is taken (SPEC B4).
///
/// ```
/// use jsonseam_core::Policy;
///
/// assert_eq!("only".parse(), Ok(Policy::Only));
/// assert_eq!(Policy::default().to_string(), "first");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The first one.
    #[default]
    First,
    /// The one there is; several are refused.
    Only,
    /// The last one.
    Last,
    /// The one that fits the contract, then without an edit above `likely`, then the latest, then of least cost. The default of a contract.
    Best,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 4] = [Self::First, Self::Only, Self::Last, Self::Best];

    /// The name in configuration and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Only => "only",
            Self::Last => "last",
            Self::Best => "best",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Policy {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name).ok_or(())
    }
}

/// What to repair, with which rules, within which bounds.
///
/// A file is read first; setters come later and win, as flags do on a command line.
/// Whether the named rules exist is only known when a pipeline is built.
///
/// ```
/// use jsonseam_core::{Config, Policy, Root};
///
/// let mut config = Config::from_toml("root = \"any\"\n[candidates]\npolicy = \"last\"\n", "jsonseam.toml").unwrap();
/// config.set_policy(Policy::Only);
/// assert_eq!((config.preset(), config.root(), config.policy()), ("strict", Root::Any, Policy::Only));
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    preset: Option<Named>,
    max_risk: Option<Risk>,
    root: Root,
    enable: Vec<Enabled>,
    disable: Vec<Named>,
    order: Option<Order>,
    options: Vec<OptionTable>,
    patterns: Vec<Pattern>,
    limits: Limits,
    policy: Option<Policy>,
    search: SearchSettings,
    max_candidates: usize,
}

/// An entry of `enable`.
#[derive(Debug, Clone)]
struct Enabled {
    rule: Named,
    /// The rule in front of which it is asked.
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

impl Default for Config {
    fn default() -> Self {
        Self {
            preset: None,
            max_risk: None,
            root: Root::default(),
            enable: Vec::new(),
            disable: Vec::new(),
            order: None,
            options: Vec::new(),
            patterns: Vec::new(),
            limits: Limits::default(),
            policy: None,
            search: SearchSettings::default(),
            max_candidates: DEFAULT_CANDIDATES,
        }
    }
}

impl Config {
    /// Reads a file's text. `file` is its name, for messages only: nothing is opened.
    ///
    /// Any mistake that can be seen without knowing the rules is refused here, the first in the file;
    /// unknown rules, presets and options are refused when the pipeline is built.
    #[cfg(feature = "config")]
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        read::config(text, file)
    }

    /// Takes another preset, in place of an `order` too. Whether it exists is checked when the pipeline is built.
    pub fn set_preset(&mut self, name: &str) {
        self.order = None;
        self.preset = Some(Named::in_code(name));
    }

    /// Sets the cap on risk: rules of the preset above it stay off, and enabling or ordering one above it by name is an error.
    pub fn set_max_risk(&mut self, risk: Risk) {
        self.max_risk = Some(risk);
    }

    /// Sets what the root of a payload may be.
    pub fn set_root(&mut self, root: Root) {
        self.root = root;
    }

    /// Sets which of several payloads is taken.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = Some(policy);
    }

    /// Sets how many candidates are considered, at least 1.
    pub fn set_max_candidates(&mut self, max: usize) {
        self.max_candidates = max;
    }

    /// Sets when a reading may be the answer, in place of what the preset says and of the file's `[search]`.
    pub fn set_thresholds(&mut self, thresholds: Thresholds) {
        self.search = thresholds.into();
    }

    /// When a reading may be the answer: by the preset, as far as `[search]` does not say otherwise (SPEC R2).
    ///
    /// ```
    /// use jsonseam_core::Config;
    ///
    /// let config = Config::from_toml("preset = \"lenient\"\n[search]\nmargin = 80\n", "jsonseam.toml").unwrap();
    /// assert_eq!(config.thresholds().margin, 80);
    /// ```
    pub fn thresholds(&self) -> Thresholds {
        self.search.over(Thresholds::of_preset(self.preset()))
    }

    /// The same for rules that are given one by one: without a preset, those of the richest one.
    pub(crate) fn thresholds_of_rules(&self) -> Thresholds {
        if self.preset.is_some() { self.thresholds() } else { self.search.over(Thresholds::default()) }
    }

    /// Sets the bounds. They are checked when the pipeline is built.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Enables one more rule, even if the file disables it. Together with an order it is an error.
    pub fn enable(&mut self, rule: &str) {
        self.disable.retain(|name| !(name.is_in_file() && name.text == rule));
        if !self.enable.iter().any(|enabled| enabled.rule.is_in_file() && enabled.rule.text == rule) {
            self.enable.push(Enabled { rule: Named::in_code(rule), before: None });
        }
    }

    /// Disables a rule or a pattern, even if the file enables it. Together with an order it is an error.
    pub fn disable(&mut self, rule: &str) {
        self.enable.retain(|enabled| !(enabled.rule.is_in_file() && enabled.rule.text == rule));
        if !self.disable.iter().any(|name| name.is_in_file() && name.text == rule) {
            self.disable.push(Named::in_code(rule));
        }
    }

    /// Asks exactly these rules, in this order, in place of the preset and of the file's order. Together with `enable` or `disable` it is an error.
    pub fn set_order(&mut self, rules: &[&str]) {
        self.order = Some(Order { spot: None, rules: rules.iter().map(|rule| Named::in_code(rule)).collect() });
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

    /// Which of several payloads is taken; the first unless set.
    pub fn policy(&self) -> Policy {
        self.policy.unwrap_or_default()
    }

    /// Whether the file or the code says which of several payloads is taken.
    ///
    /// A contract that is told nothing takes the one that fits it ([`Policy::Best`], SPEC B4).
    pub fn names_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// The bounds of one repair.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many candidates are considered: at least 1, and 64 unless set.
    pub fn max_candidates(&self) -> usize {
        self.max_candidates
    }

    /// The former names of rules that this configuration uses, each with the name that the rule has now: worth a warning.
    pub fn former_names<'c>(&self, catalogue: &'c Catalogue) -> Vec<(String, &'c str)> {
        let mut copy = self.clone();
        let mut found: Vec<(String, &str)> = Vec::new();
        for name in copy.rule_names() {
            if let Some(new) = catalogue.new_name(&name.text)
                && !found.iter().any(|(former, _)| *former == name.text)
            {
                found.push((name.text.clone(), new));
            }
        }
        found
    }

    /// The same with the names that rules have now.
    fn with_new_names(&self, catalogue: &Catalogue) -> Self {
        let mut config = self.clone();
        for name in config.rule_names() {
            if let Some(new) = catalogue.new_name(&name.text) {
                new.clone_into(&mut name.text);
            }
        }
        config
    }

    /// Every place that names a rule.
    fn rule_names(&mut self) -> impl Iterator<Item = &mut Named> {
        let enabled = self.enable.iter_mut().flat_map(|Enabled { rule, before }| [Some(rule), before.as_mut()]);
        let ordered = self.order.iter_mut().flat_map(|order| &mut order.rules);
        let options = self.options.iter_mut().map(|table| &mut table.rule);
        enabled.flatten().chain(&mut self.disable).chain(ordered).chain(options)
    }

    /// The `[[pattern]]` rules, in the order of the file, with their cases.
    #[cfg(feature = "pattern")]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// None: this build has no patterns.
    #[cfg(not(feature = "pattern"))]
    pub(crate) fn patterns(&self) -> &[Pattern] {
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
    if config.max_candidates == 0 {
        return Err(ConfigError::about(None, "`candidates.max` must be at least 1"));
    }
    Ok(())
}
