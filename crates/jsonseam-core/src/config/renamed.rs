//! Former names of rules: where a configuration uses one, the rule that has it now is meant.

use super::catalogue::Catalogue;
use super::error::Named;
use super::{Config, Enabled};

impl Config {
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
    pub(super) fn with_new_names(&self, catalogue: &Catalogue) -> Self {
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
}
