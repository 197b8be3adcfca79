//! Which rules that are off would have helped (SPEC P6).

use super::mend;
use super::progress::Engine;
use super::reading::Reading;
use super::rules::RuleTable;
use super::task::{Help, Known, Mended, Task, Unanswered};
use crate::edits::journal::Entry;
use crate::reading::recognise::Next;
use crate::rule::fault::Site;
use crate::rule::review::Objection;

/// Why all known rules together do not repair what some of them can.
const TWO_READINGS: &str = "the text can be read in two ways there, and nothing decides between them; with all rules on, as in `lenient`, the refusal has both";

impl Engine<'_> {
    pub(super) fn help(&mut self, reading: &Reading, site: &Site) -> Option<Help> {
        let known = self.known?;
        if known.is_of(self.task) {
            let fault = reading.fault(site, self.task, &self.peek);
            let why = known.rules.answering(&fault).find_map(|(_, rule)| rule.why_not(&fault));
            let unanswered = Unanswered { pos: site.pos, expected: fault.expected(), why };
            return Some(Help { unanswered: Some(unanswered), ..Help::default() });
        }
        let is_inside = reading.state.next != Next::End;
        let mut help = Help { stuck_in: is_inside.then_some(self.task.start..self.task.end), ..Help::default() };
        let before = self.own_work();
        let mut answers = self.ask_all(&mut reading.clone(), site, known.rules);
        help.work = self.own_work().since(before);
        Some(helped(self.task, known, help, |mended| {
            answers.retain(|(_, edits)| edits.iter().all(|edit| mended.journal.has(edit)));
            answers.into_iter().map(|(rule, _)| rule).collect()
        }))
    }
}

/// `help` with what the reading by all known rules has; `answers` picks the rules that answer the fault in it.
#[cold]
fn helped(task: &Task<'_>, known: Known<'_>, mut help: Help, answers: impl FnOnce(&Mended) -> Vec<u16>) -> Help {
    let of_all = Task { rules: known.rules, thresholds: known.thresholds, ..*task };
    let mended = match mend(&of_all, Some(known)) {
        Ok(mended) => mended,
        Err(refused) => {
            help.work += refused.work.since(task.work);
            let two = Unanswered { pos: refused.site.pos, expected: refused.expected, why: Some(TWO_READINGS) };
            let of_one = refused.help.and_then(|help| help.unanswered);
            help.unanswered = refused.ambiguity.map_or(of_one, |_| Some(two));
            return help;
        }
    };
    help.work += mended.work.since(task.work);
    let text = mended.journal.apply(task.completion, mended.payload.clone());
    help.work.steps += text.len() as u64;
    help.opener = text.trim_ascii_start().bytes().next();
    let own = task.rules.infos.len();
    help.mended_by = names(known.rules, own, &answers(&mended));
    if task.is_region_end {
        help.together = names(known.rules, own, &mended.journal.entries().iter().map(Entry::rule).collect::<Vec<_>>());
    }
    help
}

/// The names of these rules, but for the first `own` ones of the table; each once.
fn names(table: &RuleTable, own: usize, rules: &[u16]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for &rule in rules.iter().filter(|rule| usize::from(**rule) >= own) {
        let name = table.name(rule);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The rules that are off and double the doubtful escape when all known rules are on (SPEC P6, R7).
pub(super) fn of_objection(task: &Task<'_>, known: Known<'_>, objection: &Objection) -> Help {
    helped(task, known, Help::default(), |mended| {
        let answers = mended.journal.entries().iter().filter(|entry| entry.span().start == objection.at);
        answers.map(Entry::rule).collect()
    })
}
