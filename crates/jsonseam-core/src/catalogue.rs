//! The rules that configuration can name, and the presets that name them.

use crate::config::{ConfigError, Reader, shown, sorted, suggestion};
use crate::rule::{Discovered, Registration};

/// What messages about the presets call their file.
const PRESETS_FILE: &str = "presets.toml";

/// The known rules and the presets over them.
///
/// Knowing a rule does not enable it: only a preset or the configuration does, by name.
///
/// ```
/// use jsonseam_core::Catalogue;
///
/// let catalogue = Catalogue::new(Vec::new(), "[presets]\nstrict = []\n").unwrap();
/// assert_eq!(catalogue.presets().len(), 1);
/// assert!(catalogue.rule("trailing-comma").is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Catalogue {
    rules: Vec<&'static Registration>,
    presets: Vec<Preset>,
}

/// A named list of rules, in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The name, as in `preset = "standard"`.
    pub name: String,
    /// The names of the rules, in order.
    pub rules: Vec<String>,
}

impl Catalogue {
    /// A catalogue of exactly these rules, in this order.
    ///
    /// `presets_toml` is the text of a file with the table `[presets]`: each key a preset, each value the list of its rules.
    /// A table `[overlaps]` may stand beside it: it is for those who review the order.
    /// Two rules of one name are an error, as is a preset that names a rule which is not among them; the same rule given twice counts once.
    pub fn new(rules: Vec<&'static Registration>, presets_toml: &str) -> Result<Self, ConfigError> {
        let mut catalogue = Self { rules: Vec::with_capacity(rules.len()), presets: Vec::new() };
        for rule in rules {
            catalogue.add(rule)?;
        }
        catalogue.presets = catalogue.read_presets(presets_toml)?;
        Ok(catalogue)
    }

    /// A catalogue of all rules that are linked into this program, sorted by name.
    ///
    /// A crate of rules that is only listed as a dependency is dropped by the linker: `use that_crate as _;` keeps it.
    pub fn discovered(presets_toml: &str) -> Result<Self, ConfigError> {
        Self::new(linked(), presets_toml)
    }

    /// Adds all rules that are linked into this program and not known yet, sorted by name.
    pub fn discover(&mut self) -> Result<(), ConfigError> {
        linked().into_iter().try_for_each(|rule| self.add(rule))
    }

    /// The same catalogue with one more rule at its end. Another rule of its name is an error; the same rule again is not.
    pub fn with(mut self, rule: &'static Registration) -> Result<Self, ConfigError> {
        self.add(rule)?;
        Ok(self)
    }

    /// The known rules.
    pub fn rules(&self) -> &[&'static Registration] {
        &self.rules
    }

    /// The rule of this name.
    pub fn rule(&self, name: &str) -> Option<&'static Registration> {
        self.rules.iter().copied().find(|rule| rule.name == name)
    }

    /// The presets, in the order of their file: each larger than the one before it.
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// The preset of this name.
    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    fn add(&mut self, rule: &'static Registration) -> Result<(), ConfigError> {
        match self.rule(rule.name) {
            None => self.rules.push(rule),
            Some(known) if std::ptr::eq(known, rule) => {}
            Some(known) => {
                return Err(ConfigError::without_place(format!(
                    "two rules are named{}: `{}` in {} and `{}` in {}",
                    shown(rule.name),
                    known.type_name,
                    known.file,
                    rule.type_name,
                    rule.file
                )));
            }
        }
        Ok(())
    }

    fn read_presets(&self, text: &str) -> Result<Vec<Preset>, ConfigError> {
        let reader = Reader::new(text, PRESETS_FILE);
        let mut presets = Vec::new();
        for (key, value) in sorted(reader.parse()?.get_ref()) {
            // Read by the corpus command alone: which rules may answer the same fault.
            if key.get_ref().as_ref() == "overlaps" {
                continue;
            }
            if key.get_ref().as_ref() != "presets" {
                let name = shown(key.get_ref());
                return Err(reader.error(&key.span(), format!("unknown key{name}; expected `presets`")));
            }
            for (key, value) in sorted(reader.table(value, "presets")?) {
                let name = key.get_ref().as_ref().to_owned();
                let mut rules: Vec<String> = Vec::new();
                for rule in reader.names(value, &name)? {
                    if self.rule(&rule.text).is_none() {
                        let near = suggestion(&rule.text, self.rules.iter().map(|rule| rule.name));
                        return Err(rule.error(format!("unknown rule{}{near}", shown(&rule.text))));
                    }
                    if rules.contains(&rule.text) {
                        return Err(rule.error(format!(
                            "rule{} stands twice in preset{}",
                            shown(&rule.text),
                            shown(&name)
                        )));
                    }
                    rules.push(rule.text);
                }
                presets.push(Preset { name, rules });
            }
        }
        Ok(presets)
    }
}

/// The rules that announced themselves, sorted by name: the linker's order is unspecified, and nothing may depend on it.
fn linked() -> Vec<&'static Registration> {
    let mut rules: Vec<_> = inventory::iter::<Discovered>.into_iter().map(|discovered| discovered.0).collect();
    rules.sort_by_key(|rule: &&Registration| (rule.name, rule.file));
    rules
}
