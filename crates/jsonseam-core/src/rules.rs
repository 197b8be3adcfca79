//! The rules of a pipeline, indexed by the faults they answer.

use std::fmt;
use std::sync::Arc;

use crate::config::ConfigError;
use crate::fault::Expected;
use crate::option::{OptionProblem, OptionValue};
use crate::risk::Risk;
use crate::rule::{Registration, RepairRule, Role};

/// A rule that is ready to be asked: what a pipeline is made of.
#[derive(Clone)]
pub struct RuleEntry {
    /// The name of the rule or pattern.
    pub name: String,
    /// What it does, and which faults it answers.
    pub role: Role,
    /// The rule with its options.
    pub rule: Arc<dyn RepairRule>,
}

impl RuleEntry {
    /// The rule that a declaration describes, with its default options.
    pub fn of(registration: &Registration) -> Result<Self, ConfigError> {
        Self::with_options(registration, &[])
    }

    /// The rule that a declaration describes, with these options and its defaults for the others.
    pub fn with_options(registration: &Registration, options: &[(&str, &OptionValue)]) -> Result<Self, ConfigError> {
        let rule = (registration.build)(options).map_err(|OptionProblem { option, expected }| {
            let problem =
                expected.map_or_else(|| "does not exist".to_owned(), |expected| format!("must be {expected}"));
            ConfigError::without_place(format!("option `{option}` of rule `{}` {problem}", registration.name))
        })?;
        Ok(Self { name: registration.name.to_owned(), role: registration.role, rule: rule.into() })
    }
}

impl fmt::Debug for RuleEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RuleEntry").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

/// A rule of a pipeline, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleInfo {
    /// Its name.
    pub name: String,
    /// The risk of its edits; `None` for a locator.
    pub risk: Option<Risk>,
}

/// Rules in order, and for each kind of fault those that answer it: other rules cost nothing there.
#[derive(Clone, Default)]
pub(crate) struct RuleTable {
    rules: Vec<Arc<dyn RepairRule>>,
    infos: Arc<[RuleInfo]>,
    by_fault: [Vec<u16>; Expected::ALL.len()],
    region_locators: Vec<u16>,
    payload_locators: Vec<u16>,
    editing_locators: Vec<u16>,
}

impl RuleTable {
    /// At most 65,535 rules are kept: the configuration allows far fewer.
    pub(crate) fn new(selected: Vec<RuleEntry>) -> Self {
        let mut table = Self::default();
        let mut infos = Vec::new();
        for (index, RuleEntry { name, role, rule }) in (0..u16::MAX).zip(selected) {
            let mut info = RuleInfo { name, risk: None };
            match role {
                Role::RegionLocator => table.region_locators.push(index),
                Role::PayloadLocator => table.payload_locators.push(index),
                Role::EditingLocator { risk } => {
                    info.risk = Some(risk);
                    table.editing_locators.push(index);
                }
                Role::Repair { risk, answers } => {
                    info.risk = Some(risk);
                    for &expected in answers {
                        table.by_fault[expected as usize].push(index);
                    }
                }
            }
            table.rules.push(rule);
            infos.push(info);
        }
        table.infos = infos.into();
        table
    }

    pub(crate) fn infos(&self) -> &Arc<[RuleInfo]> {
        &self.infos
    }

    pub(crate) fn name(&self, index: u16) -> &str {
        self.infos.get(usize::from(index)).map_or("", |info| &info.name)
    }

    fn pick<'t>(&'t self, indices: &'t [u16]) -> impl Iterator<Item = (u16, &'t dyn RepairRule)> {
        indices.iter().filter_map(|&index| self.rules.get(usize::from(index)).map(|rule| (index, &**rule)))
    }

    pub(crate) fn answering(&self, expected: Expected) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.pick(&self.by_fault[expected as usize])
    }

    pub(crate) fn region_locators(&self) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.pick(&self.region_locators)
    }

    pub(crate) fn payload_locators(&self) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.pick(&self.payload_locators)
    }

    pub(crate) fn editing_locators(&self) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.pick(&self.editing_locators)
    }

    /// All that say where a payload lies.
    pub(crate) fn locators(&self) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.region_locators().chain(self.payload_locators()).chain(self.editing_locators())
    }

    /// Whether the edits of one rule carry more risk than those of another.
    pub(crate) fn is_riskier(&self, rule: u16, than: u16) -> bool {
        let risk = |index: u16| self.infos.get(usize::from(index)).and_then(|info| info.risk);
        risk(rule) > risk(than)
    }

    /// The same rules with one locator of `other` asked before all others.
    pub(crate) fn with_locator_of(&self, other: &Self, index: u16) -> Self {
        let mut table = self.clone();
        let Some(rule) = other.rules.get(usize::from(index)) else {
            return table;
        };
        let added = u16::try_from(table.rules.len()).unwrap_or(u16::MAX);
        table.rules.push(Arc::clone(rule));
        table.infos = table.infos.iter().chain(other.infos.get(usize::from(index))).cloned().collect();
        if other.region_locators.contains(&index) {
            table.region_locators.insert(0, added);
        } else if other.editing_locators.contains(&index) {
            table.editing_locators.insert(0, added);
        } else {
            table.payload_locators.insert(0, added);
        }
        table
    }
}
