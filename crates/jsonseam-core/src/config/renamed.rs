//! Former names of rules: where a configuration uses one, the rule that has it now is meant.

use super::catalogue::Catalogue;
use super::error::Named;
use super::{Config, Enabled};

impl Config {
    /// The former names of rules that this configuration uses, each with the name that the rule has now: worth a warning.
    pub fn former_names<'c>(&self, catalogue: &'c Catalogue) -> Vec<(String, &'c str)> {
        self.with_new_names(catalogue).1
    }

    /// The same with the names that rules have now, and the former names that were used.
    pub(super) fn with_new_names<'c>(&self, catalogue: &'c Catalogue) -> (Self, Vec<(String, &'c str)>) {
        let mut config = self.clone();
        let mut used: Vec<(String, &str)> = Vec::new();
        for name in config.rule_names() {
            let Some(new) = catalogue.new_name(&name.text) else { continue };
            let former = std::mem::replace(&mut name.text, new.to_owned());
            if !used.iter().any(|(known, _)| *known == former) {
                used.push((former, new));
            }
        }
        (config, used)
    }

    /// Every place that names a rule.
    fn rule_names(&mut self) -> impl Iterator<Item = &mut Named> {
        let enabled = self.enable.iter_mut().flat_map(|Enabled { rule, before }| [Some(rule), before.as_mut()]);
        let ordered = self.order.iter_mut().flat_map(|order| &mut order.rules);
        let options = self.options.iter_mut().map(|table| &mut table.rule);
        enabled.flatten().chain(&mut self.disable).chain(ordered).chain(options)
    }
}
