//! Asking the rules what a fault may mean.

use super::answer::{Answer, Plan};
use super::order::sort_short_by_key;
use super::progress::Engine;
use super::reading::Reading;
use super::rules::RuleTable;
use super::task::HAS_STREAMS;
use crate::edits::costs;
use crate::edits::edit::Edits;
use crate::edits::risk::Risk;
use crate::rule::fault::Site;
use crate::rule::proposals::{Offer, Proposals};

/// How many offers to one fault are followed: the cheapest ones.
const MAX_OFFERS: usize = 10;

impl Engine<'_> {
    /// Puts the answers to a fault in place of what `answers` holds: the first sole one alone, or all offers, the cheapest first.
    /// `false` if they depend on text that is not there yet: then all is as it was before.
    pub(super) fn ask(&mut self, reading: &mut Reading, site: &Site, answers: &mut Vec<Answer>) -> bool {
        let before = self.before();
        let newlines = reading.newlines.get();
        let mut early = None;
        self.peek.text.note_touched(false);
        self.peek.wants_ledger.set(false);
        self.ask_once(reading, site, answers);
        let is_plain = answers.len() == 1 && answers[0].risk < Risk::Guess && answers[0].cost < 30;
        if reading.recorder.ledger().is_none() && self.peek.wants_ledger.get() && !is_plain {
            early = before.is_some().then(|| reading.recorder.clone());
            reading.keep_ledger(self.task, &self.peek, &mut self.progress.work);
            self.ask_once(reading, site, answers);
        }
        let Some(before) = before else { return true };
        let most = answers.iter().map(|answer| answer.edits.iter().count()).max().unwrap_or(0);
        let payload_len = self.task.end - self.task.start;
        if self.peek.text.has_touched_end() || reading.edits() + most > self.task.limits.edits_for(payload_len) {
            self.go_back(before);
            answers.clear();
            reading.newlines.set(newlines);
            if let Some(early) = early {
                reading.recorder = early;
            }
            return false;
        }
        self.has_decided = true;
        true
    }

    /// Every answer that a rule of `rules` has to the fault and that may be made here.
    pub(super) fn ask_all(&mut self, reading: &mut Reading, site: &Site, rules: &RuleTable) -> Vec<(u16, Edits)> {
        let fault = reading.fault(site, self.task, &self.peek);
        let mut proposals = Proposals::default();
        let mut answers = Vec::new();
        for (rule, repair) in rules.answering(&fault) {
            repair.answer(&fault, &mut proposals);
            let stays = |offer: &Offer| !offer.veto.is_some_and(|veto| veto(&fault));
            let edits = proposals.found.drain(..).filter(stays).map(|offer| offer.edits);
            let may_be_made = |edits: &Edits| {
                reading.plans(edits.all(), site, self.task, &self.peek, &mut 0, &mut Plan::new(reading.state))
            };
            answers.extend(edits.filter(may_be_made).map(|edits| (rule, edits)));
        }
        answers
    }

    fn ask_once(&mut self, reading: &Reading, site: &Site, answers: &mut Vec<Answer>) {
        let rules = self.task.rules;
        let fault = reading.fault(site, self.task, &self.peek);
        let mut tried = 0;
        answers.clear();
        let mut asked = rules.answering(&fault);
        'asking: while let Some((rule, repair)) = asked.next() {
            // Weighing must leave room; a single reading has the whole bound.
            if self.progress.is_searching && !self.spent().has_room_to_ask(self.task.bytes) {
                // A longer text has more room.
                self.peek.text.touch();
                break;
            }
            repair.answer(&fault, &mut self.proposals);
            if self.proposals.is_empty() {
                continue;
            }
            let risk = rules.risk(rule).unwrap_or(Risk::Lossy);
            let is_one = self.proposals.found.len() == 1;
            for Offer { edits, is_sole, clues, doubt, veto } in self.proposals.found.drain(..) {
                let cost = costs::of_risk(risk).saturating_add(clues);
                let at = answers.len();
                // Answers are large, so each is made where it stays.
                let plan = Some(Plan::new(reading.state));
                answers.push(Answer { rule, risk, edits, plan, cost, doubt, veto });
                let (before, [answer, ..]) = answers.split_at_mut(at) else { continue };
                let edits = &answer.edits;
                let plans = |plan: &mut Plan| reading.plans(edits.all(), site, self.task, &self.peek, &mut tried, plan);
                if !answer.plan.as_mut().is_some_and(plans) {
                    answer.plan = None;
                }
                let reach = rules.reach(rule);
                let is_within = answer.plan.as_ref().map_or_else(
                    || reading.is_further_back(edits, reach, self.task),
                    |plan| reach.holds(plan.start, || reading.has_mark_before(edits.first().span.start, self.task)),
                );
                if !is_within {
                    answers.truncate(at);
                    continue;
                }
                // Where it is made further back, it is tried once more there.
                if answer.plan.is_none() && Reading::reaches_end(edits.last().span.end, self.task) {
                    self.peek.text.touch();
                }
                if let Some(asks) = veto {
                    // It need not be asked now where nothing could be done instead.
                    let is_only = is_one && before.is_empty() && asked.clone().next().is_none();
                    let may_wait = HAS_STREAMS && !self.progress.is_searching && !self.asks_vetoes;
                    if !(may_wait && is_only && answer.plan.is_some() && doubt.is_none()) {
                        if asks(&fault) {
                            answers.truncate(at);
                            continue;
                        }
                        answer.veto = None;
                    }
                }
                if is_sole && risk < Risk::Guess && answer.plan.is_some() {
                    answers.drain(..at);
                    break 'asking;
                }
                if let Some(known) = before.iter_mut().find(|known| known.edits == *edits) {
                    if known.cost > cost {
                        std::mem::swap(known, answer);
                    }
                    answers.truncate(at);
                }
            }
        }
        self.progress.work.steps += tried;
        sort_short_by_key(answers, |answer| answer.cost);
        answers.truncate(MAX_OFFERS);
    }
}
