//! The rules that configuration can name, and the presets that name them.

use super::error::ConfigError;
use super::nearest::{shown, suggestion};
use crate::engine::Thresholds;
#[cfg(feature = "discovery")]
use crate::rule::Discovered;
use crate::rule::Registration;

/// The known rules and the presets over them.
///
/// Knowing a rule does not enable it: only a preset or the configuration does, by name.
///
/// ```
/// use jsonseam_core::Catalogue;
///
/// let catalogue = Catalogue::new(Vec::new(), &[]).unwrap();
/// assert!(catalogue.presets().is_empty());
/// assert!(catalogue.rule("trailing-comma").is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Catalogue {
    rules: Vec<&'static Registration>,
    presets: Vec<Preset>,
    /// Former names of rules, each with the name that the rule has now.
    renamed: Vec<(String, String)>,
}

/// A preset as [`Catalogue::new`] takes it: its name, when a reading may be the answer, and the names of its rules.
pub type NamedPreset<'n> = (&'n str, Thresholds, &'n [&'n str]);

/// A named list of rules, in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preset {
    /// The name, as in `preset = "standard"`.
    pub name: String,
    /// The names of the rules, in order.
    pub rules: Vec<String>,
    /// When a reading by these rules may be the answer.
    pub thresholds: Thresholds,
}

impl Catalogue {
    /// A catalogue of exactly these rules, in this order.
    ///
    /// A preset is its name, its thresholds and the names of its rules, in the order in which they are asked; the smallest preset comes first.
    /// Two rules of one name are an error, as is a preset that names a rule which is not among them; the same rule given twice counts once.
    pub fn new(rules: Vec<&'static Registration>, presets: &[NamedPreset<'_>]) -> Result<Self, ConfigError> {
        let mut catalogue = Self { rules: Vec::with_capacity(rules.len()), presets: Vec::new(), renamed: Vec::new() };
        for rule in rules {
            catalogue.add(rule)?;
        }
        for (name, thresholds, names) in presets {
            let rules = catalogue.read_rules(name, names)?;
            catalogue.presets.push(Preset { name: (*name).to_owned(), rules, thresholds: *thresholds });
        }
        Ok(catalogue)
    }

    /// A catalogue of all rules that are linked into this program, sorted by name.
    ///
    /// A crate of rules that is only listed as a dependency is dropped by the linker: `use that_crate as _;` keeps it.
    #[cfg(feature = "discovery")]
    pub fn discovered(presets: &[NamedPreset<'_>]) -> Result<Self, ConfigError> {
        Self::new(linked(), presets)
    }

    /// Adds all rules that are linked into this program and not known yet, sorted by name.
    #[cfg(feature = "discovery")]
    pub fn discover(&mut self) -> Result<(), ConfigError> {
        linked().into_iter().try_for_each(|rule| self.add(rule))
    }

    /// The same catalogue with one more rule at its end. Another rule of its name is an error; the same rule again is not.
    pub fn with(mut self, rule: &'static Registration) -> Result<Self, ConfigError> {
        self.add(rule)?;
        Ok(self)
    }

    /// The same catalogue, in which rules are found by former names too: pairs of the former name and the present one.
    /// A present name that no known rule has is an error.
    pub fn renaming(mut self, renamed: &[(&str, &str)]) -> Result<Self, ConfigError> {
        for &(former, name) in renamed {
            if !self.rules.iter().any(|rule| rule.name == name) {
                let mistake = format!("former name{}: unknown rule{}", shown(former), shown(name));
                return Err(ConfigError::about(None, mistake));
            }
            self.renamed.push((former.to_owned(), name.to_owned()));
        }
        Ok(self)
    }

    /// The known rules.
    pub fn rules(&self) -> &[&'static Registration] {
        &self.rules
    }

    /// The rule of this name, or the one that had it formerly.
    pub fn rule(&self, name: &str) -> Option<&'static Registration> {
        let name = self.new_name(name).unwrap_or(name);
        self.rules.iter().copied().find(|rule| rule.name == name)
    }

    /// The name that a rule has now, if `name` is a former one.
    pub fn new_name(&self, name: &str) -> Option<&str> {
        self.renamed.iter().find(|(former, _)| former == name).map(|(_, name)| name.as_str())
    }

    /// The presets, in the order of their file: each larger than the one before it.
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// The preset of this name.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Thresholds};
    ///
    /// let house = Thresholds::default().with_margin(60);
    /// let catalogue = Catalogue::new(Vec::new(), &[("house", house, &[])])?;
    /// assert!(catalogue.preset("house").is_some());
    /// assert!(catalogue.preset("lax").is_none());
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    fn add(&mut self, rule: &'static Registration) -> Result<(), ConfigError> {
        match self.rule(rule.name) {
            None => self.rules.push(rule),
            Some(known) if std::ptr::eq(known, rule) => {}
            Some(known) => {
                let described = |rule: &Registration| format!("`{}` in {}", rule.type_name, rule.file);
                let (name, one, other) = (shown(rule.name), described(known), described(rule));
                return Err(ConfigError::about(None, format!("two rules are named{name}: {one} and {other}")));
            }
        }
        Ok(())
    }

    fn read_rules(&self, name: &str, names: &[&str]) -> Result<Vec<String>, ConfigError> {
        let mut rules: Vec<String> = Vec::with_capacity(names.len());
        for &rule in names {
            let mistake = |what: &str, near: &str| {
                ConfigError::about(None, format!("preset{}: {what}{}{near}", shown(name), shown(rule)))
            };
            if self.rule(rule).is_none() {
                return Err(mistake("unknown rule", &suggestion(rule, self.rules.iter().map(|rule| rule.name))));
            }
            if rules.iter().any(|known| known == rule) {
                return Err(mistake("two entries for rule", ""));
            }
            rules.push(rule.to_owned());
        }
        Ok(rules)
    }
}

/// The rules that announced themselves, sorted by name: the linker's order is unspecified, and nothing may depend on it.
#[cfg(feature = "discovery")]
fn linked() -> Vec<&'static Registration> {
    let mut rules: Vec<_> = inventory::iter::<Discovered>.into_iter().map(|discovered| discovered.0).collect();
    rules.sort_by_key(|rule: &&Registration| (rule.name, rule.file));
    rules
}
