//! The rules of a pipeline, indexed by the faults they answer.

use std::sync::Arc;

use crate::edits::journal::MOST_RULES;
use crate::edits::reach::Reach;
use crate::edits::risk::Risk;
use crate::locate::{Landmarks, Usual};
use crate::reading::expected::Expected;
use crate::rule::dispatch::{Dispatch, Index, Place};
use crate::rule::fault::Fault;
use crate::rule::option::{OptionProblem, OptionValue};
use crate::rule::{LocateRule, Locates, RepairRule, Role};

/// A rule that is ready to be asked: what a pipeline is made of.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RuleEntry {
    /// The name of the rule or pattern.
    pub name: String,
    /// The rule with its options, what it does, and when it is asked.
    pub rule: AnyRule,
}

/// A rule of either kind, with its options.
pub type AnyRule = Role<Arc<dyn LocateRule>, Arc<dyn RepairRule>>;

impl AnyRule {
    pub(crate) fn build(role: Role, options: &[(&str, &OptionValue)]) -> Result<Self, OptionProblem> {
        Ok(match role {
            Role::Locate { locates, landmarks, rule } => {
                Self::Locate { locates, landmarks, rule: rule(options)?.into() }
            }
            Role::Repair { risk, answers, dispatch, reach, rule } => {
                Self::Repair { risk, answers, dispatch, reach, rule: rule(options)?.into() }
            }
        })
    }
}

impl RuleEntry {
    /// The rule under this name.
    pub fn new(name: impl Into<String>, rule: AnyRule) -> Self {
        Self { name: name.into(), rule }
    }
}

/// A rule of a pipeline, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleInfo {
    /// Its name.
    pub name: String,
    /// The risk of its edits; `None` for a locator.
    pub risk: Option<Risk>,
    /// How far back its edits may start.
    pub(crate) reach: Reach,
}

/// Rules in order, and for each kind of fault those that answer it: other rules cost nothing there.
#[derive(Clone, Default)]
pub(crate) struct RuleTable {
    pub(crate) infos: Arc<[RuleInfo]>,
    /// How far back an edit of any of them may start.
    pub(crate) reach_of_all: Reach,
    by_fault: Arc<[Answering; Expected::ALL.len()]>,
    pub(crate) region_locators: Vec<Locator>,
    pub(crate) payload_locators: Vec<Locator>,
    pub(crate) editing_locators: Vec<Locator>,
}

/// The rules that answer one kind of fault, in order, and which of them to ask where.
#[derive(Default)]
struct Answering {
    rules: Vec<Repairer>,
    index: Index,
}

/// A rule that repairs, its index among all rules, and its key.
type Repairer = (u16, Dispatch, Arc<dyn RepairRule>);

/// A locator, its index among all rules, and what it looks for.
#[derive(Clone)]
pub(crate) struct Locator {
    pub(crate) index: u16,
    /// It is not asked about a region without what it looks for: it finds nothing there.
    pub(crate) landmarks: Landmarks,
    pub(crate) rule: Arc<dyn LocateRule>,
}

impl RuleTable {
    /// At most 65,535 rules are kept: the configuration allows far fewer.
    pub(crate) fn new(selected: Vec<RuleEntry>) -> Self {
        let mut table = Self::default();
        let mut infos = Vec::new();
        let mut by_fault: [Answering; Expected::ALL.len()] = Default::default();
        for (index, RuleEntry { name, rule }) in (0..MOST_RULES).zip(selected) {
            let mut info = RuleInfo { name, risk: rule.risk(), reach: Reach::FAULT };
            match rule {
                AnyRule::Locate { locates, landmarks, rule } => {
                    table.locators_mut(locates).push(Locator { index, landmarks, rule });
                }
                AnyRule::Repair { answers, dispatch, reach, rule, .. } => {
                    info.reach = reach;
                    for &expected in answers {
                        by_fault[expected as usize].rules.push((index, dispatch, Arc::clone(&rule)));
                    }
                }
            }
            infos.push(info);
        }
        // Rules of low risk first: their sole answer ends the asking.
        for Answering { rules, index } in &mut by_fault {
            jsonseam_text::sort_by_key(rules, |(index, ..)| {
                infos.get(usize::from(*index)).and_then(|info| info.risk) >= Some(Risk::Guess)
            });
            *index = Index::of(rules.iter().map(|(_, key, _)| key));
        }
        table.by_fault = Arc::new(by_fault);
        table.reach_of_all = infos.iter().map(|info| info.reach).fold(Reach::FAULT, Reach::or);
        table.infos = infos.into();
        table
    }

    /// How far back the edits of a rule may start.
    pub(crate) fn reach(&self, index: u16) -> Reach {
        self.infos.get(usize::from(index)).map_or(Reach::FAULT, |info| info.reach)
    }

    pub(crate) fn name(&self, index: u16) -> &str {
        self.infos.get(usize::from(index)).map_or("", |info| &info.name)
    }

    /// The rules that can answer `fault`, in order.
    #[inline]
    pub(crate) fn answering<'t>(
        &'t self,
        fault: &Fault<'_>,
    ) -> impl Iterator<Item = (u16, &'t dyn RepairRule)> + Clone + use<'t> {
        let Answering { rules, index } = &self.by_fault[fault.expected() as usize];
        index.at(Place::of(fault)).filter_map(|nth| rules.get(nth)).map(|(index, _, rule)| (*index, &**rule))
    }

    /// The rules that are asked to review a payload of which a backslash was edited: those that answer faults of strings.
    pub(crate) fn reviewing(&self) -> impl Iterator<Item = (u16, &dyn RepairRule)> {
        self.by_fault[Expected::String as usize].rules.iter().map(|(index, _, rule)| (*index, &**rule))
    }

    fn locators_mut(&mut self, locates: Locates) -> &mut Vec<Locator> {
        match locates {
            Locates::Regions => &mut self.region_locators,
            Locates::Payloads => &mut self.payload_locators,
            Locates::EditedPayloads { .. } => &mut self.editing_locators,
        }
    }

    /// All that say where a payload is, of the rules from this one on, and whether it finds regions.
    pub(crate) fn locators_from(&self, first: usize) -> impl Iterator<Item = (bool, &Locator)> + Clone {
        let regions = self.region_locators.iter().map(|locator| (true, locator));
        let payloads = self.payload_locators.iter().chain(&self.editing_locators).map(|locator| (false, locator));
        regions.chain(payloads).filter(move |(_, locator)| usize::from(locator.index) >= first)
    }

    /// The risk of a rule's edits.
    pub(crate) fn risk(&self, index: u16) -> Option<Risk> {
        self.infos.get(usize::from(index)).and_then(|info| info.risk)
    }

    /// Whether one locator takes usual completions of this kind, and no other has to be asked about them.
    pub(crate) fn takes_usual(&self, kind: Usual) -> bool {
        let mut usual = self.locators_from(0).map(|(_, locator)| locator.landmarks.usual);
        usual.clone().all(|usual| usual != Usual::Unknown) && usual.any(|usual| usual == kind)
    }

    /// The same rules with one locator of `other` asked before all others of its kind.
    pub(crate) fn with_locator_of(&self, other: &Self, index: u16) -> Self {
        let mut table = self.clone();
        let added = u16::try_from(table.infos.len()).unwrap_or(u16::MAX);
        for (of_other, own) in [
            (&other.region_locators, &mut table.region_locators),
            (&other.payload_locators, &mut table.payload_locators),
            (&other.editing_locators, &mut table.editing_locators),
        ] {
            if let Some(locator) = of_other.iter().find(|locator| locator.index == index) {
                own.insert(0, Locator { index: added, ..locator.clone() });
            }
        }
        table.infos = table.infos.iter().chain(other.infos.get(usize::from(index))).cloned().collect();
        table
    }
}
