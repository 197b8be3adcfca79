//! What the names of a configuration stand for: rules as their declarations describe them, with their options, and patterns.

use super::catalogue::Catalogue;
use super::error::{ConfigError, Named};
use super::nearest::{begun, choice, nearest, shown, suggestion};
use super::pattern::Pattern;
use super::{Config, OptionTable};
use crate::edits::risk::Risk;
use crate::engine::order::sort_short_by_key;
use crate::engine::rules::{AnyRule, RuleEntry};
use crate::rule::Registration;
use crate::rule::option::{OptionInfo, OptionProblem, OptionValue};

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Known<'r> {
    Rule(&'static Registration),
    Pattern(&'r Pattern),
}

impl Known<'_> {
    pub(super) fn risk(self) -> Option<Risk> {
        match self {
            Self::Rule(registration) => registration.risk(),
            Self::Pattern(pattern) => Some(pattern.risk()),
        }
    }
}

/// Looks names up: a configuration against the known rules.
pub(super) struct Resolver<'r> {
    pub(super) config: &'r Config,
    pub(super) catalogue: &'r Catalogue,
}

impl<'r> Resolver<'r> {
    pub(super) fn known(&self, name: &str) -> Option<Known<'r>> {
        let pattern = || self.config.patterns.iter().find(|pattern| pattern.name() == name).map(Known::Pattern);
        self.catalogue.rule(name).map(Known::Rule).or_else(pattern)
    }

    /// What the name stands for, or the mistake in it.
    pub(super) fn look_up(&self, name: &Named) -> Result<Known<'r>, ConfigError> {
        self.known(&name.text).ok_or_else(|| {
            let written = &name.text;
            let names = self.catalogue.rules().iter().map(|rule| rule.name);
            let names = names.chain(self.config.patterns.iter().map(Pattern::name));
            let mut near = begun(written, names.clone()).unwrap_or_else(|| suggestion(written, names));
            if near.is_empty() && !written.contains('/') {
                near = self.with_prefix(written);
            }
            // Who knows a rule of nearly this name has linked its crate.
            let foreign = if near.is_empty() && written.contains('/') { self.foreign_hint() } else { String::new() };
            name.error(format!("unknown rule{}{near}{foreign}", shown(written)))
        })
    }

    /// The rule of another crate that was probably meant: its prefix is what is forgotten first.
    fn with_prefix(&self, written: &str) -> String {
        let foreign =
            || self.catalogue.rules().iter().filter_map(|rule| Some((rule.name, rule.name.split_once('/')?.1)));
        let near = nearest(written, foreign().map(|(_, name)| name));
        let whole = near.and_then(|near| foreign().find(|(_, name)| *name == near));
        whole.map(|(whole, _)| format!("; did you mean `{whole}`?")).unwrap_or_default()
    }

    /// Why a rule from another crate may be missing although it is listed in `Cargo.toml`.
    fn foreign_hint(&self) -> String {
        let rules = self.catalogue.rules();
        let mut prefixes: Vec<&str> = rules.iter().filter_map(|rule| Some(rule.name.split_once('/')?.0)).collect();
        sort_short_by_key(&mut prefixes, |prefix| *prefix);
        let own = rules.len() - prefixes.len();
        let counts = prefixes.chunk_by(|left, right| left == right);
        let counts: Vec<_> = counts.map(|same| format!("{} from `{}`", same.len(), same[0])).collect();
        let foreign = if counts.is_empty() { "none from any prefix".to_owned() } else { counts.join(", ") };
        format!(
            "; known are {own} rules without a prefix, {foreign}; the linker drops a crate of rules that is only listed as a dependency: \
             write `use that_crate as _;`, and build it against the same jsonseam-core (this is {})",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// A pattern must not take the name of a rule: `enable` would be ambiguous.
    pub(super) fn check_patterns(&self) -> Result<(), ConfigError> {
        for pattern in &self.config.patterns {
            if self.catalogue.rule(pattern.name()).is_some() {
                return Err(pattern.named().error(format!("a rule is already named{}", shown(pattern.name()))));
            }
        }
        Ok(())
    }

    /// Every table of options must fit its rule, even of a rule that is off: turning it on later should not fail.
    pub(super) fn check_options(&self) -> Result<(), ConfigError> {
        for table in &self.config.options {
            match self.look_up(&table.rule)? {
                Known::Rule(registration) => drop(Self::build_with(registration, Some(table))?),
                Known::Pattern(_) => {
                    let message =
                        format!("{} is a [[pattern]] and has no options here", shown(&table.rule.text).trim());
                    return Err(table.rule.error(message));
                }
            }
        }
        Ok(())
    }

    fn build_with(registration: &'static Registration, table: Option<&OptionTable>) -> Result<AnyRule, ConfigError> {
        let options: Vec<(&str, &OptionValue)> = table
            .map(|table| table.options.iter().map(|option| (option.name.text.as_str(), &option.value)).collect())
            .unwrap_or_default();
        AnyRule::build(registration.role, &options).map_err(|problem| option_error(registration, table, &problem))
    }

    pub(super) fn is_within_cap(&self, known: Known<'_>) -> bool {
        match (known.risk(), self.config.max_risk) {
            (Some(risk), Some(cap)) => risk <= cap,
            _ => true,
        }
    }

    /// Whoever names a rule wants it: a cap that forbids it is a mistake and not a filter, unless code sets it over a file.
    pub(super) fn check_cap(&self, name: &Named, known: Known<'_>) -> Result<(), ConfigError> {
        if self.is_within_cap(known) || self.config.caps_file && name.is_in_file() {
            return Ok(());
        }
        let risk = known.risk().map_or("", Risk::as_str);
        let cap = self.config.max_risk.map_or("", Risk::as_str);
        let what = if matches!(known, Known::Pattern(_)) { "pattern" } else { "rule" };
        Err(name.error(format!("{what}{} has the risk `{risk}`, above `max-risk` = `{cap}`", shown(&name.text))))
    }

    pub(super) fn build(&self, known: Known<'_>) -> Result<RuleEntry, ConfigError> {
        match known {
            Known::Rule(registration) => {
                let table = self.config.options.iter().find(|table| table.rule.text == registration.name);
                Ok(RuleEntry { name: registration.name.to_owned(), rule: Self::build_with(registration, table)? })
            }
            Known::Pattern(pattern) => Ok(pattern.entry()),
        }
    }
}

impl RuleEntry {
    /// The rule that a declaration describes, with its default options.
    pub fn of(registration: &Registration) -> Result<Self, ConfigError> {
        Self::with_options(registration, &[])
    }

    /// The rule that a declaration describes, with these options and its defaults for the others.
    pub fn with_options(registration: &Registration, options: &[(&str, &OptionValue)]) -> Result<Self, ConfigError> {
        let rule = AnyRule::build(registration.role, options).map_err(|OptionProblem { option, expected }| {
            let problem =
                expected.map_or_else(|| "does not exist".to_owned(), |expected| format!("must be {expected}"));
            ConfigError::about(None, format!("option `{option}` of rule `{}` {problem}", registration.name))
        })?;
        Ok(Self { name: registration.name.to_owned(), rule })
    }
}

/// The mistake in an option, at the option's name if there is no such option, and otherwise at its value.
fn option_error(registration: &Registration, table: Option<&OptionTable>, problem: &OptionProblem) -> ConfigError {
    let entries = table.map_or(&[][..], |table| &table.options);
    let entry = entries.iter().find(|entry| entry.name.text == problem.option);
    let (option, rule) = (shown(&problem.option), registration.name);
    if let Some(expected) = problem.expected {
        let spot = entry.map(|entry| &entry.value_spot);
        return ConfigError::about(spot, format!("option{option} of `{rule}` must be {expected}"));
    }
    let names: Vec<String> = registration.options.iter().map(OptionInfo::name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let hint = if names.is_empty() { "; it has none".to_owned() } else { choice(&problem.option, &names) };
    let spot = entry.and_then(|entry| entry.name.spot.as_ref());
    ConfigError::about(spot, format!("unknown option{option} of `{rule}`{hint}"))
}
