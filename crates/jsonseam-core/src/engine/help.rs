//! Which rules that are off would have helped (SPEC P6).

use std::ops::Range;

use super::costs::Thresholds;
use super::reading::Reading;
use super::{Engine, Mended, Task, mend};
use crate::fault::Site;
use crate::journal::Entry;
use crate::recognise::Next;
use crate::rules::RuleTable;
use crate::work::Work;

/// The rules of a task and after them all others that are known, and when a reading by all of them may be the answer.
#[derive(Clone, Copy)]
pub(crate) struct Known<'e> {
    pub(crate) rules: &'e RuleTable,
    pub(crate) thresholds: Thresholds,
}

/// What the rules that are off would have done about a fault.
#[derive(Debug, Default)]
pub(crate) struct Help {
    /// Those whose answer to the fault belongs to the winning reading when all are on, by name.
    pub(crate) mended_by: Vec<String>,
    /// Those of which that reading holds any edit; empty if there is no such reading, or if the payload may end elsewhere under other rules.
    pub(crate) together: Vec<String>,
    /// The text that was read, if its fault is within its root: whoever reads on from the same place meets the same fault.
    pub(crate) stuck_in: Option<Range<usize>>,
    /// What that reading opens with.
    pub(crate) opener: Option<u8>,
    /// What finding them cost.
    pub(crate) work: Work,
}

impl<'e> Engine<'e> {
    pub(super) fn help(&mut self, reading: &Reading<'e>, site: &Site) -> Option<Help> {
        let known = self.known?;
        let is_inside = reading.state.next != Next::End;
        let mut help = Help { stuck_in: is_inside.then_some(self.task.start..self.task.end), ..Help::default() };
        let before = self.work.and_examined(self.peek.examined());
        let mut answers = self.ask_all(&mut reading.clone(), site, known.rules);
        help.work = self.work.and_examined(self.peek.examined()).since(before);
        Some(helped(self.task, known, help, |mended| {
            answers.retain(|(_, edits)| edits.iter().all(|edit| mended.journal.has(edit)));
            answers.into_iter().map(|(rule, _)| rule).collect()
        }))
    }
}

/// `help` with what the reading by all known rules has; `answers` picks the rules that answer the fault in it.
pub(super) fn helped(
    task: &Task<'_>,
    known: Known<'_>,
    mut help: Help,
    answers: impl FnOnce(&Mended) -> Vec<u16>,
) -> Help {
    let of_all = Task { rules: known.rules, thresholds: known.thresholds, ..*task };
    let mended = match mend(&of_all, None) {
        Ok(mended) => mended,
        Err(refused) => {
            help.work += refused.work.since(task.work);
            return help;
        }
    };
    help.work += mended.work.since(task.work);
    let text = mended.journal.apply(task.completion, mended.payload.clone());
    help.work.steps += text.len() as u64;
    help.opener = text.trim_ascii_start().bytes().next();
    let own = task.rules.infos().len();
    help.mended_by = names(known.rules, own, answers(&mended).into_iter());
    if task.is_region_end {
        help.together = names(known.rules, own, mended.journal.entries().iter().map(Entry::rule));
    }
    help
}

/// The names of these rules, but for the first `own` ones of the table; each once.
fn names(table: &RuleTable, own: usize, rules: impl Iterator<Item = u16>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for rule in rules.filter(|rule| usize::from(*rule) >= own) {
        let name = table.name(rule);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}
