//! From names to rules: which are asked, and in which order.

use std::collections::BTreeSet;

use super::catalogue::Catalogue;
use super::error::{ConfigError, Named};
use super::known::{Known, Resolver};
use super::nearest::{choice, shown};
use super::{Config, DEFAULT_PRESET, Order, check_numbers};
use crate::engine::order::sort_short_by_key;
use crate::engine::rules::RuleEntry;
use crate::rule::Registration;

/// The rules that the configuration selects, in the order in which they are asked.
///
/// Without `order`: the rules of the preset in its order; further built-in rules where the largest preset that holds them has them;
/// then the other enabled rules in the order of `enable`; then the patterns. At last `before` moves what it names.
/// With `order`: exactly what it names; a pattern that it does not name is off.
pub(crate) fn resolve(config: &Config, catalogue: &Catalogue) -> Result<Vec<RuleEntry>, ConfigError> {
    check_numbers(config)?;
    let config = &config.with_new_names(catalogue);
    let resolver = Resolver { config, catalogue };
    resolver.check_patterns()?;
    resolver.check_options()?;
    let mut names = match &config.order {
        Some(order) => resolver.ordered(order)?,
        None => resolver.composed()?,
    };
    names.retain(|name| resolver.known(name).is_some_and(|known| resolver.is_within_cap(known)));
    names.into_iter().map(|name| resolver.build(name)).collect()
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

/// A place in the order. Rules that are off keep theirs until the end, so that others can be placed beside them.
struct Slot<'r> {
    name: &'r str,
    is_on: bool,
}

impl<'r> Resolver<'r> {
    /// The names of `order`, checked.
    fn ordered(&self, order: &'r Order) -> Result<Vec<&'r str>, ConfigError> {
        let mut others = self.config.enable.iter().map(|enabled| ("enable", &enabled.rule));
        let mut others = others.by_ref().chain(self.config.disable.iter().map(|name| ("disable", name)));
        if let Some((key, other)) = others.next() {
            let message = format!("`order` together with `{key}`: `order` already names every rule that is asked");
            return Err(match (&other.spot, &order.spot) {
                (Some(spot), _) => ConfigError::at(spot, message),
                (None, Some(spot)) => {
                    ConfigError::at(spot, format!("{message} (`{key}` was set in code or by a flag)"))
                }
                (None, None) => ConfigError::about(None, message),
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
                    None => ConfigError::without_place(format!("{message} (`{DEFAULT_PRESET}` is the default)")),
                })
            }
        }
    }

    /// Preset, `enable`, `disable` and patterns, in order.
    fn composed(&self) -> Result<Vec<&'r str>, ConfigError> {
        let config = self.config;
        let preset = self.check_preset()?;
        self.check_enable_and_disable()?;
        let is_disabled = |name: &str| config.disable.iter().any(|disabled| disabled.text == name);
        let mut slots: Vec<Slot<'r>> = Vec::new();
        for name in preset {
            slots.push(Slot { name, is_on: !is_disabled(name) });
        }
        self.place_extras(&mut slots);
        for pattern in &config.patterns {
            let is_on = !is_disabled(pattern.name());
            if is_on {
                self.check_cap(pattern.named(), Known::Pattern(pattern))?;
            }
            slots.push(Slot { name: pattern.name(), is_on });
        }
        self.move_before(&mut slots)?;
        Ok(slots.into_iter().filter(|slot| slot.is_on).map(|slot| slot.name).collect())
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
    fn place_extras(&self, slots: &mut Vec<Slot<'r>>) {
        let mut placed = Vec::new();
        let mut last = Vec::new();
        for enabled in &self.config.enable {
            let name = enabled.rule.text.as_str();
            if slots.iter().any(|slot| slot.name == name) || self.catalogue.rule(name).is_none() {
                continue;
            }
            let home =
                self.catalogue.presets().iter().enumerate().rev().find_map(|(index, preset)| {
                    preset.rules.iter().position(|rule| rule == name).map(|pos| (index, pos))
                });
            match home {
                Some(home) => placed.push((home, name)),
                None => last.push(name),
            }
        }
        // In the order of the preset, so that each finds those before it in place.
        sort_short_by_key(&mut placed, |placed| *placed);
        for ((index, pos), name) in placed {
            let rules = self.catalogue.presets().get(index).map_or(&[][..], |preset| &preset.rules);
            let at = |rule: &String| slots.iter().position(|slot| slot.name == rule);
            let after = rules.iter().take(pos).rev().find_map(at).map(|at| at + 1);
            let at = after.or_else(|| rules.iter().skip(pos + 1).find_map(at)).unwrap_or(slots.len());
            slots.insert(at, Slot { name, is_on: true });
        }
        slots.extend(last.into_iter().map(|name| Slot { name, is_on: true }));
    }

    /// Moves each rule with `before` directly before the rule that it names.
    fn move_before(&self, slots: &mut Vec<Slot<'r>>) -> Result<(), ConfigError> {
        let moves = || self.config.enable.iter().filter_map(|enabled| Some((&enabled.rule, enabled.before.as_ref()?)));
        for (rule, before) in moves() {
            self.look_up(before)?;
            let from = slots.iter().position(|slot| slot.name == rule.text);
            let slot = from.map(|from| slots.remove(from));
            let to = slots.iter().position(|slot| slot.name == before.text);
            match (slot, to) {
                (Some(slot), Some(to)) => slots.insert(to, slot),
                _ if rule.text == before.text => {
                    return Err(before.error(format!("rule{} cannot come before itself", shown(&rule.text))));
                }
                _ => {
                    return Err(before.error(format!(
                        "rule{} cannot come before{}, which neither the preset nor `enable` names",
                        shown(&rule.text),
                        shown(&before.text)
                    )));
                }
            }
        }
        // A later move can undo an earlier one only if they contradict each other.
        for (rule, before) in moves() {
            let place = |name: &Named| slots.iter().position(|slot| slot.name == name.text);
            if place(rule) > place(before) {
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
