//! What the engine is given, and what it gives back.

use std::ops::Range;

use super::rules::RuleTable;
use super::thresholds::Thresholds;
use crate::edits::journal::{Entry, Journal};
use crate::looking::evidence::Evidence;
use crate::looking::frames::Guide;
use crate::looking::trace::checkpoints::Checkpoint;
use crate::reading::expected::Expected;
use crate::reading::limits::{Limit, Limits};
use crate::reading::work::Work;
use crate::rule::fault::Site;
use crate::rule::review::Objection;

/// Whether there are streams at all.
pub(super) const HAS_STREAMS: bool = cfg!(feature = "stream");

/// What is to be repaired, and with what.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about where the text ends")]
pub(crate) struct Task<'e> {
    /// The completion, or what a locator's edits have made of a part of it.
    pub(crate) completion: &'e str,
    /// The bytes of the completion, which the bound on work is measured by.
    pub(crate) bytes: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the payload ends where its root closes.
    pub(crate) is_open_ended: bool,
    /// The byte directly before the payload: a quote there may quote it as a whole.
    pub(crate) before: Option<u8>,
    /// Whether the region ends at `end` too: only there may a rule close what is open (SPEC P2).
    pub(crate) is_region_end: bool,
    /// Whether nothing but white space follows `end` in the completion: a fault there is a cut.
    pub(crate) is_last: bool,
    /// Whether the payload, as the completion has it, is known to be sound up to its end, where it breaks off.
    pub(crate) breaks_off: bool,
    /// Where a reading may begin that is to meet the first fault of a value in the completion.
    pub(crate) checkpoint: Option<&'e Checkpoint>,
    /// Whether more text may come: then nothing is decided that depends on where `end` is.
    pub(crate) is_open: bool,
    pub(crate) rules: &'e RuleTable,
    pub(crate) limits: &'e Limits,
    /// When a reading may be the answer.
    pub(crate) thresholds: Thresholds,
    /// What the contract allows, if there is one.
    pub(crate) evidence: Option<&'e Evidence>,
    /// What was spent before.
    pub(crate) work: Work,
}

impl<'e> Task<'e> {
    /// The checkpoint, if it is in the payload, and nothing is looked up at what precedes it.
    pub(super) fn checkpoint(&self) -> Option<&'e Checkpoint> {
        let is_of_payload = |of: &&Checkpoint| of.start() == self.start && of.pos < self.end;
        self.checkpoint.filter(is_of_payload).filter(|_| self.evidence.is_none())
    }

    /// Whether a ledger that is kept from the start on will be wanted: what breaks off can be closed in more than one way, most often.
    pub(super) fn wants_early_ledger(&self) -> bool {
        self.breaks_off && self.checkpoint().is_none() && self.rules.reach_of_all.has_suspects
    }

    /// Whether more text may come: never without the feature `stream`, whose code a build without it does not carry.
    pub(super) fn is_open(&self) -> bool {
        HAS_STREAMS && self.is_open
    }

    /// The text and the contract, as frames are read by them.
    pub(super) fn guide(&self) -> Guide<'e> {
        Guide { source: self.completion, evidence: self.evidence }
    }
}

/// A payload that now reads as JSON.
#[derive(Clone)]
pub(crate) struct Mended {
    pub(crate) journal: Journal,
    pub(crate) payload: Range<usize>,
    pub(crate) work: Work,
    /// By how much this reading led the next one with another value, in hundredths; `None` if there was none.
    pub(crate) gap: Option<u32>,
}

/// A fault that no rule answers, two readings between which nothing decides, or a limit.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) site: Site,
    pub(crate) expected: Expected,
    /// The limit that was met, and the index of the rule that met it.
    pub(crate) limit: Option<(Limit, Option<u16>)>,
    /// The readings between which nothing decides.
    pub(crate) ambiguity: Option<Box<Ambiguity>>,
    /// What a rule said against the payload when it was read.
    pub(crate) objection: Option<Box<Objection>>,
    /// Where the root ended, when the fault is after it.
    pub(crate) root_end: Option<usize>,
    /// What the rules that are off would have done.
    pub(crate) help: Option<Box<Help>>,
    pub(crate) work: Work,
}

impl Refused {
    /// A fault that no rule answers, and nothing more is known of it.
    pub(super) fn plain(site: Site, expected: Expected, work: Work) -> Self {
        Self { site, expected, limit: None, ambiguity: None, objection: None, root_end: None, help: None, work }
    }
}

/// The edits of a reading, each by its rule and place, and what the reading costs in all, in hundredths.
pub(crate) type Named = (Vec<(u16, Range<usize>)>, u32);

/// How many edits of each reading a refusal names.
const MAX_NAMED: usize = 64;

/// The first of these edits, each by its rule and place.
pub(super) fn named<'j>(entries: impl Iterator<Item = &'j Entry>) -> Vec<(u16, Range<usize>)> {
    entries.take(MAX_NAMED).map(|entry| (entry.rule(), entry.span())).collect()
}

/// Two readings of a text, the cheaper first: their edits from where they part, and what each costs in all.
#[derive(Debug)]
pub(crate) struct Ambiguity {
    pub(crate) readings: [Named; 2],
    /// Why no reading was taken, if a rule said so.
    pub(crate) doubt: Option<&'static str>,
}

/// The rules of a task and after them all others that are known, and when a reading by all of them may be the answer.
#[derive(Clone, Copy)]
pub(crate) struct Known<'e> {
    pub(crate) rules: &'e RuleTable,
    pub(crate) thresholds: Thresholds,
}

impl Known<'_> {
    /// Whether the task is the reading by all known rules.
    pub(super) fn is_of(self, task: &Task<'_>) -> bool {
        std::ptr::eq(self.rules, task.rules)
    }
}

/// A fault that no known rule answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unanswered {
    /// A byte of the text that was read.
    pub(crate) pos: usize,
    pub(crate) expected: Expected,
    /// Why not, if a rule says so.
    pub(crate) why: Option<&'static str>,
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
    /// The fault at which the reading by all rules ends; `None` if they repair the text, or if a limit was met.
    pub(crate) unanswered: Option<Unanswered>,
    /// What finding them cost.
    pub(crate) work: Work,
}
