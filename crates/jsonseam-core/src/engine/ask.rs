//! Asking the rules what a fault may mean.

use super::answer::Answer;
use super::reading::Reading;
use super::{Engine, costs};
use crate::edit::Edits;
use crate::fault::Site;
use crate::order::sort_short_by_key;
use crate::proposals::{Offer, Proposals};
use crate::risk::Risk;
use crate::rules::RuleTable;

/// How many offers to one fault are followed: the cheapest ones.
const MAX_OFFERS: usize = 10;

impl<'e> Engine<'e> {
    /// Puts the answers to a fault in place of what `answers` holds: the first sole one alone, or all offers, the cheapest first.
    pub(super) fn ask(&mut self, reading: &mut Reading<'e>, site: &Site, rules: &RuleTable, answers: &mut Vec<Answer>) {
        let has_ledger = reading.recorder.ledger.is_some();
        self.peek.wants_ledger.set(false);
        self.ask_once(reading, site, rules, answers);
        let is_plain = answers.len() == 1 && answers[0].risk < Risk::Guess && answers[0].cost < 30;
        if has_ledger || !self.peek.wants_ledger.get() || is_plain {
            return;
        }
        reading.keep_ledger(&self.peek, &mut self.work);
        self.ask_once(reading, site, rules, answers);
    }

    fn has_room_to_ask(&self) -> bool {
        self.work.and_examined(self.peek.examined()).has_room_to_ask(self.task.bytes)
    }

    /// Every answer that a rule of `rules` has to the fault and that may be made here.
    pub(super) fn ask_all(&mut self, reading: &mut Reading<'e>, site: &Site, rules: &RuleTable) -> Vec<(u16, Edits)> {
        let fault = reading.fault(site, &self.peek);
        let mut proposals = Proposals::default();
        let mut answers = Vec::new();
        for (rule, repair) in rules.answering(&fault) {
            repair.propose(&fault, &mut proposals);
            let edits = proposals.take().map(|offer| offer.edits);
            answers.extend(
                edits
                    .filter(|edits| reading.plan(edits, site, &self.peek, &mut 0).is_some())
                    .map(|edits| (rule, edits)),
            );
        }
        answers
    }

    fn ask_once(&mut self, reading: &Reading<'e>, site: &Site, rules: &RuleTable, answers: &mut Vec<Answer>) {
        let fault = reading.fault(site, &self.peek);
        let mut tried = 0;
        answers.clear();
        'asking: for (rule, repair) in rules.answering(&fault) {
            // Weighing must leave room; a single reading has the whole bound.
            if self.is_searching && !self.has_room_to_ask() {
                break;
            }
            self.peek.forget_touch();
            repair.propose(&fault, &mut self.proposals);
            if self.proposals.is_empty() {
                continue;
            }
            let risk = rules.risk(rule).unwrap_or(Risk::Lossy);
            for Offer { edits, is_sole, clues, doubt } in self.proposals.take() {
                let plan = reading.plan(&edits, site, &self.peek, &mut tried);
                if plan.is_none() && !reading.is_at_suspect(&edits) {
                    continue;
                }
                let cost = costs::of_risk(risk).saturating_add(clues);
                // Answers are large, so each is made where it stays.
                if is_sole && risk < Risk::Guess && plan.is_some() {
                    answers.clear();
                    answers.push(Answer { rule, risk, edits, plan, cost, doubt });
                    break 'asking;
                }
                match answers.iter_mut().find(|known| known.edits == edits) {
                    Some(known) if known.cost > cost => *known = Answer { rule, risk, edits, plan, cost, doubt },
                    Some(_) => {}
                    None => answers.push(Answer { rule, risk, edits, plan, cost, doubt }),
                }
            }
        }
        self.work.steps += tried;
        sort_short_by_key(answers, |answer| answer.cost);
        answers.truncate(MAX_OFFERS);
    }
}
