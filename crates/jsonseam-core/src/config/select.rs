//! From names to rules: which are asked, and in which order.

use std::collections::BTreeSet;

use super::catalogue::Catalogue;
use super::error::{ConfigError, Named};
use super::known::{Known, Resolver};
use super::nearest::{choice, shown};
use super::{Config, DEFAULT_PRESET, Order, check_numbers};
use crate::engine::rules::RuleEntry;
use crate::rule::Registration;

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

impl<'r> Resolver<'r> {
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
                self.check_cap(pattern.named(), Known::Pattern(pattern))?;
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
        let mut presets = self.catalogue.presets();
        while let Some((preset, larger)) = presets.split_first() {
            // In the order of the preset, so that each finds those before it in place.
            for (pos, name) in preset.rules.iter().enumerate() {
                if !extras.contains(&name.as_str()) || larger.iter().any(|preset| preset.rules.contains(name)) {
                    continue;
                }
                let at = |rule: &String| names.iter().position(|name| name == rule);
                let after = preset.rules.iter().take(pos).rev().find_map(at).map(|at| at + 1);
                let at = after.or_else(|| preset.rules.iter().skip(pos + 1).find_map(at)).unwrap_or(names.len());
                names.insert(at, name);
            }
            presets = larger;
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
                return Err(before.error(format!(
                    "`before` goes round in a circle:{} cannot come before{}",
                    shown(&rule.text),
                    shown(&before.text)
                )));
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
