//! From names to rules: what each stands for, which are asked, and in which order.

use std::collections::BTreeSet;

use super::catalogue::Catalogue;
use super::error::{ConfigError, Named};
use super::nearest::{begun, choice, nearest, shown, suggestion};
use super::pattern::Pattern;
use super::{Config, DEFAULT_PRESET, OptionEntry, Order, check_numbers};
use crate::edits::risk::Risk;
use crate::engine::order::sort_short_by_key;
use crate::engine::rules::{AnyRule, RuleEntry};
use crate::rule::Registration;
use crate::rule::option::{OptionInfo, OptionProblem, OptionValue};

/// The rules that the configuration selects, in the order in which they are asked.
///
/// Without `order`: the rules of the preset in its order; further built-in rules where the largest preset that holds them has them;
/// then the other enabled rules in the order of `enable`; then the patterns. At last `before` moves what it names.
/// With `order`: exactly what it names; a pattern that it does not name is off.
pub(crate) fn resolve(config: &Config, catalogue: &Catalogue) -> Result<Vec<RuleEntry>, ConfigError> {
    check_numbers(config)?;
    let (config, _) = config.with_new_names(catalogue);
    let resolver = Resolver { config: &config, catalogue };
    resolver.check_patterns()?;
    resolver.check_options()?;
    let names = match &config.order {
        Some(order) => resolver.ordered(order)?,
        None => resolver.composed()?,
    };
    let known = names.into_iter().filter_map(|name| resolver.known(name));
    known.filter(|known| resolver.is_within_cap(*known)).map(|known| resolver.build(known)).collect()
}

/// The known rules that are not selected, with their default options: first in the order of the largest preset, then in that of the catalogue.
pub(crate) fn resolve_unselected(catalogue: &Catalogue, selected: &[RuleEntry]) -> Vec<RuleEntry> {
    let is_selected = |rule: &Registration| selected.iter().any(|selected| selected.name == rule.name);
    let unselected: Vec<&'static Registration> =
        catalogue.rules().iter().copied().filter(|rule| !is_selected(rule)).collect();
    let largest = catalogue.presets().last().map_or(&[][..], |preset| &preset.rules);
    let in_preset = largest.iter().filter_map(|name| unselected.iter().find(|rule| rule.name == name));
    let others = unselected.iter().filter(|rule| !largest.iter().any(|name| name == rule.name));
    let rules = in_preset.chain(others);
    rules.filter_map(|registration| RuleEntry::of(registration).ok()).collect()
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Known<'r> {
    Rule(&'static Registration),
    Pattern(&'r Pattern),
}

impl Known<'_> {
    fn risk(self) -> Option<Risk> {
        match self {
            Self::Rule(registration) => registration.risk(),
            Self::Pattern(pattern) => Some(pattern.risk()),
        }
    }
}

/// Looks names up: a configuration against the known rules.
struct Resolver<'r> {
    config: &'r Config,
    catalogue: &'r Catalogue,
}

impl<'r> Resolver<'r> {
    fn known(&self, name: &str) -> Option<Known<'r>> {
        let pattern = || self.config.patterns.iter().find(|pattern| pattern.name() == name).map(Known::Pattern);
        self.catalogue.rule(name).map(Known::Rule).or_else(pattern)
    }

    /// What the name stands for, or the mistake in it.
    fn look_up(&self, name: &Named) -> Result<Known<'r>, ConfigError> {
        self.known(&name.text).ok_or_else(|| {
            let written = &name.text;
            let names = self.catalogue.rules().iter().map(|rule| rule.name);
            let names = names.chain(self.config.patterns.iter().map(Pattern::name));
            let mut near = begun(written, names.clone()).unwrap_or_else(|| suggestion(written, names));
            if near.is_empty() {
                // Who knows a rule of nearly this name has linked its crate.
                near = if written.contains('/') { self.foreign_hint() } else { self.with_prefix(written) };
            }
            name.error(format!("unknown rule{}{near}", shown(written)))
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
    fn check_patterns(&self) -> Result<(), ConfigError> {
        for pattern in &self.config.patterns {
            if self.catalogue.rule(pattern.name()).is_some() {
                return Err(pattern.name.error(format!("a rule is already named{}", shown(pattern.name()))));
            }
        }
        Ok(())
    }

    /// Every table of options must fit its rule, even of a rule that is off: turning it on later should not fail.
    fn check_options(&self) -> Result<(), ConfigError> {
        for table in &self.config.options {
            let Known::Rule(registration) = self.look_up(&table.rule)? else {
                let name = shown(&table.rule.text);
                return Err(table.rule.error(format!("{} is a [[pattern]] and has no options here", name.trim())));
            };
            Self::build_with(registration, &table.options)?;
        }
        Ok(())
    }

    fn build_with(registration: &'static Registration, entries: &[OptionEntry]) -> Result<AnyRule, ConfigError> {
        let options: Vec<_> = entries.iter().map(|option| (option.name.text.as_str(), &option.value)).collect();
        AnyRule::build(registration.role, &options).map_err(|problem| option_error(registration, entries, &problem))
    }

    fn is_within_cap(&self, known: Known<'_>) -> bool {
        // A locator has no risk, which is less than any.
        self.config.max_risk.is_none() || known.risk() <= self.config.max_risk
    }

    /// Whoever names a rule wants it: a cap that forbids it is a mistake and not a filter, unless code sets it over a file.
    fn check_cap(&self, name: &Named, known: Known<'_>) -> Result<(), ConfigError> {
        if self.is_within_cap(known) || self.config.caps_file && name.is_in_file() {
            return Ok(());
        }
        let risk = known.risk().map_or("", Risk::as_str);
        let cap = self.config.max_risk.map_or("", Risk::as_str);
        let what = if matches!(known, Known::Pattern(_)) { "pattern" } else { "rule" };
        Err(name.error(format!("{what}{} has the risk `{risk}`, above `max-risk` = `{cap}`", shown(&name.text))))
    }

    fn build(&self, known: Known<'_>) -> Result<RuleEntry, ConfigError> {
        match known {
            Known::Rule(registration) => {
                let table = self.config.options.iter().find(|table| table.rule.text == registration.name);
                let rule = Self::build_with(registration, table.map_or(&[][..], |table| &table.options))?;
                Ok(RuleEntry { name: registration.name.to_owned(), rule })
            }
            Known::Pattern(pattern) => Ok(pattern.entry(&pattern.rule)),
        }
    }

    /// The names of `order`, checked.
    fn ordered(&self, order: &'r Order) -> Result<Vec<&'r str>, ConfigError> {
        let enabled = self.config.enable.iter().map(|enabled| ("enable", &enabled.rule));
        let mut others = enabled.chain(self.config.disable.iter().map(|name| ("disable", name)));
        if let Some((key, other)) = others.next() {
            let message = format!("`order` together with `{key}`: `order` already names every rule that is asked");
            return Err(match order.spot.as_ref() {
                spot @ Some(_) if !other.is_in_file() => {
                    ConfigError::about(spot, format!("{message} (`{key}` was set in code or by a flag)"))
                }
                _ => other.error(message),
            });
        }
        self.check_preset()?;
        check_once(order.rules.iter(), "order")?;
        for name in &order.rules {
            self.check_cap(name, self.look_up(name)?)?;
        }
        Ok(order.rules.iter().map(|name| name.text.as_str()).collect())
    }

    /// The rules of the preset. A catalogue without any presets needs none as long as none is asked for.
    fn check_preset(&self) -> Result<&'r [String], ConfigError> {
        let presets = self.catalogue.presets();
        let name = self.config.preset();
        match presets.iter().find(|preset| preset.name == name) {
            Some(preset) => Ok(&preset.rules),
            None if self.config.preset.is_none() && presets.is_empty() => Ok(&[]),
            None => {
                let names: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
                let message = format!("unknown preset{}{}", shown(name), choice(name, &names));
                Err(match &self.config.preset {
                    Some(preset) => preset.error(message),
                    None => ConfigError::about(None, format!("{message} (`{DEFAULT_PRESET}` is the default)")),
                })
            }
        }
    }

    /// Preset, `enable`, `disable` and patterns, in order.
    fn composed(&self) -> Result<Vec<&'r str>, ConfigError> {
        let config = self.config;
        let mut names: Vec<&str> = self.check_preset()?.iter().map(String::as_str).collect();
        self.check_enable_and_disable()?;
        let is_disabled = |name: &str| config.disable.iter().any(|disabled| disabled.text == name);
        self.place_extras(&mut names);
        for pattern in &config.patterns {
            if !is_disabled(pattern.name()) {
                self.check_cap(&pattern.name, Known::Pattern(pattern))?;
            }
            names.push(pattern.name());
        }
        self.move_before(&mut names)?;
        // Until here those that are off kept their place, so that others could be placed beside them.
        names.retain(|name| !is_disabled(name));
        Ok(names)
    }

    fn check_enable_and_disable(&self) -> Result<(), ConfigError> {
        let config = self.config;
        check_once(config.enable.iter().map(|enabled| &enabled.rule), "enable")?;
        check_once(config.disable.iter(), "disable")?;
        for name in &config.disable {
            self.look_up(name)?;
        }
        for enabled in &config.enable {
            let name = &enabled.rule;
            let known = self.look_up(name)?;
            if config.disable.iter().any(|disabled| disabled.text == name.text) {
                return Err(name.error(format!("rule{} is both enabled and disabled", shown(&name.text))));
            }
            self.check_cap(name, known)?;
        }
        Ok(())
    }

    /// Adds the enabled rules that the preset lacks: built-in ones beside their neighbours, all others at the end.
    fn place_extras(&self, names: &mut Vec<&'r str>) {
        let enabled = self.config.enable.iter().map(|enabled| enabled.rule.text.as_str());
        let mut extras: Vec<&str> =
            enabled.filter(|name| !names.contains(name) && self.catalogue.rule(name).is_some()).collect();
        for preset in self.catalogue.presets().iter().rev() {
            // In the order of the preset, so that each finds those before it in place.
            for (pos, name) in preset.rules.iter().enumerate() {
                if !extras.contains(&name.as_str()) || names.contains(&name.as_str()) {
                    continue;
                }
                let at = |rule: &String| names.iter().position(|name| name == rule);
                let after = preset.rules.iter().take(pos).rev().find_map(at).map(|at| at + 1);
                let at = after.or_else(|| preset.rules.iter().skip(pos + 1).find_map(at)).unwrap_or(names.len());
                names.insert(at, name);
            }
        }
        extras.retain(|name| !names.contains(name));
        names.append(&mut extras);
    }

    /// Moves each rule with `before` directly before the rule that it names.
    fn move_before(&self, names: &mut Vec<&'r str>) -> Result<(), ConfigError> {
        let moves = || self.config.enable.iter().filter_map(|enabled| Some((&enabled.rule, enabled.before.as_ref()?)));
        let place = |names: &[&str], name: &Named| names.iter().position(|known| *known == name.text);
        for (rule, before) in moves() {
            self.look_up(before)?;
            let name = place(names, rule).map(|from| names.remove(from));
            let (Some(name), Some(to)) = (name, place(names, before)) else {
                let other = if rule.text == before.text {
                    " itself".to_owned()
                } else {
                    format!("{}, which neither the preset nor `enable` names", shown(&before.text))
                };
                return Err(before.error(format!("rule{} cannot come before{other}", shown(&rule.text))));
            };
            names.insert(to, name);
        }
        // A later move can undo an earlier one only if they contradict each other.
        for (rule, before) in moves() {
            if place(names, rule) > place(names, before) {
                let (rule, other) = (shown(&rule.text), shown(&before.text));
                return Err(before.error(format!("`before` goes round in a circle:{rule} cannot come before{other}")));
            }
        }
        Ok(())
    }
}

/// No name may stand twice in a list.
fn check_once<'n>(names: impl Iterator<Item = &'n Named>, key: &str) -> Result<(), ConfigError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name.text.as_str()) {
            return Err(name.error(format!("rule{} is listed twice in `{key}`", shown(&name.text))));
        }
    }
    Ok(())
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
fn option_error(registration: &Registration, entries: &[OptionEntry], problem: &OptionProblem) -> ConfigError {
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
