//! Several readings of one payload, the cheapest of which wins if it leads clearly (SPEC R1 to R3).
//!
//! The reading that has come least far goes on first. Readings that meet, at one place in one state, become one: the cheaper lives, and
//! remembers by how much it led if the other one says something else. At most a beam of them live at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::answer::{Answer, Plan};
use super::marks::{Marks, Way};
use super::order::sort_short_by_key;
use super::past::Parting;
use super::progress::{Engine, Outcome, Phase};
use super::reading::{Reading, Stopped};
use super::score::Rival;
use super::task::{HAS_STREAMS, Mended, Refused, named};
use crate::edits::costs;
use crate::edits::journal::{Entry, Journal};
use crate::edits::risk::Risk;
use crate::reading::limits::Limit;
use crate::reading::scan::is_json_space;
use crate::rule::fault::Site;

/// A reading that stopped at a fault. Readings are large, and live ones change places often: they stay where they are.
pub(super) struct Live {
    pub(super) reading: Box<Reading>,
    pub(super) site: Site,
    /// What the reading costs, which is asked often.
    cost: u32,
}

/// The readings that are followed.
#[derive(Default)]
pub(super) struct Search {
    live: Vec<Live>,
    /// Readings of the whole payload, and where each ends.
    whole: Vec<(Box<Reading>, usize)>,
    /// The reading that came furthest without coming to the end; of several, the cheapest.
    furthest: Option<Live>,
    /// The number of the reading that was the last to come to an end.
    last: u32,
    /// What was tried at which suspect, and what the cheapest reading cost there that tried it.
    tried: BTreeMap<u64, u32>,
    limit: Option<(Limit, Option<u16>)>,
    /// Where the readings parted first.
    first: usize,
    /// How many readings there were.
    number: u32,
    /// Whether the beam is to be held once all readings have stopped.
    owes_prune: bool,
    marks: Marks,
    /// Readings that have met no fault in the text that is there, …
    pending: Vec<(Box<Reading>, Way)>,
    /// … and answers that are followed after them.
    queue: VecDeque<(Live, Answer)>,
    /// Room for those that are pruned.
    pruned: Vec<Live>,
    /// Readings that are followed no longer: copies are made in their memory.
    #[allow(clippy::vec_box, reason = "they come and go as boxes, and stay where they are")]
    spare: Vec<Box<Reading>>,
}

impl Engine<'_> {
    /// Follows all `answers` to the fault of the reading, and decides.
    pub(super) fn search(&mut self, mut reading: Box<Reading>, site: Site, mut answers: Vec<Answer>) -> Outcome {
        self.progress.is_searching = true;
        reading.keep_ledger(self.task, &self.peek, &mut self.progress.work);
        let mut search = Box::new(Search { first: site.pos, ..Search::default() });
        self.branch(&mut search, Live::new(reading, site), &mut answers);
        self.weigh(search)
    }

    /// Goes on with the readings, as far as the text that is there decides.
    pub(super) fn weigh(&mut self, mut search: Box<Search>) -> Outcome {
        let mut answers = Vec::new();
        if HAS_STREAMS && !self.follow_waiting(&mut search) {
            return self.wait(Phase::Several(search));
        }
        loop {
            // What comes next may be a reading that waits, or depend on what that costs.
            if HAS_STREAMS && (!search.pending.is_empty() || !search.queue.is_empty()) {
                return self.wait(Phase::Several(search));
            }
            if std::mem::take(&mut search.owes_prune) {
                search.prune(usize::from(self.task.thresholds.beam), self);
            }
            let Some(mut live) = search.next() else { break };
            if !self.has_room() {
                if self.task.is_open() {
                    search.live.push(live);
                    return self.wait(Phase::Several(search));
                }
                return Some(Err(self.refuse_ambiguous(&live.reading, search.first, false)));
            }
            search.merge_all(&mut live, self);
            if search.is_left_behind(&live.reading, self.task.thresholds.margin) {
                search.spare.push(live.reading);
                continue;
            }
            if !self.ask(&mut live.reading, &live.site, &mut answers) {
                search.live.push(live);
                return self.wait(Phase::Several(search));
            }
            if answers.is_empty() {
                search.strand(live);
                continue;
            }
            self.branch(&mut search, live, &mut answers);
            search.owes_prune = true;
        }
        Some(self.decide(*search))
    }

    /// Goes on with what has waited for more text. `false` if some of it still waits.
    fn follow_waiting(&mut self, search: &mut Search) -> bool {
        for (reading, way) in std::mem::take(&mut search.pending) {
            self.read_on(search, reading, way);
        }
        while let Some((live, answer)) = search.queue.pop_front() {
            if self.must_wait(search) {
                search.queue.push_front((live, answer));
                return false;
            }
            self.follow(search, live, &answer);
        }
        true
    }

    /// Whether an answer cannot be followed yet: one before it is still being read, or there is room for it only in a longer text.
    fn must_wait(&mut self, search: &Search) -> bool {
        self.task.is_open() && (!search.pending.is_empty() || !search.queue.is_empty() || !self.has_room())
    }

    fn has_room(&mut self) -> bool {
        let spent = self.spent();
        if spent.has_room(self.task.bytes, false) {
            return true;
        }
        // What is around it is known once all of the text is there.
        if self.task.is_open() {
            return false;
        }
        let is_alone = self.progress.is_alone.unwrap_or_else(|| self.sees_nothing_around());
        self.progress.is_alone = Some(is_alone);
        spent.has_room(self.task.bytes, is_alone)
    }

    /// Whether there is no bracket around the payload, so that further ones are not looked for.
    fn sees_nothing_around(&mut self) -> bool {
        let text = self.task.completion.as_bytes();
        let around = [text.get(..self.task.start), text.get(self.task.end..)];
        self.progress.work.steps += (text.len() - (self.task.end - self.task.start)) as u64;
        !around.into_iter().flatten().flatten().any(|byte| matches!(byte, b'{' | b'['))
    }

    /// Makes each answer in a copy of the reading, and reads on.
    fn branch(&mut self, search: &mut Search, mut live: Live, answers: &mut Vec<Answer>) {
        let last = answers.pop();
        if !answers.is_empty() {
            let reading = &mut live.reading;
            reading.settle(self.task);
            // A copy takes its edits with it, and what is known of each open container.
            let len = reading.journal.len() + usize::from(reading.state.depth);
            self.progress.work.moves += (len * answers.len()) as u64;
        }
        // Once one must wait, so must all after it.
        let mut followed = 0;
        while followed < answers.len() && !self.must_wait(search) {
            let copy = search.copy_of(&live);
            self.follow(search, copy, &answers[followed]);
            followed += 1;
        }
        for answer in answers.drain(..).skip(followed) {
            let copy = search.copy_of(&live);
            search.queue.push_back((copy, answer));
        }
        let Some(last) = last else { return };
        if self.must_wait(search) {
            search.queue.push_back((live, last));
        } else {
            self.follow(search, live, &last);
        }
    }

    /// Makes an answer and reads on.
    fn follow(&mut self, search: &mut Search, mut live: Live, answer: &Answer) {
        if !self.has_room() {
            search.limit = Some((Limit::Work, Some(answer.rule)));
            return;
        }
        let limit = if let Some(plan) = &answer.plan {
            live.reading.take_step(answer, plan, &live.site, self.task, &mut self.progress.work)
        } else {
            let start = answer.edits.first().span.start;
            let rewound = live.reading.rewound(start, self.task, &self.peek, &mut self.progress.work);
            let (key, cost) = (hash_of(&answer.edits), rewound.cost());
            let earlier = Site { pos: start, problem: None, is_at_end: false };
            let (mut plan, mut may_be_made) = (Plan::new(rewound.state), false);
            if search.tried.get(&key).is_none_or(|&known| cost < known) {
                search.tried.insert(key, cost);
                let steps = &mut self.progress.work.steps;
                may_be_made = rewound.plans(answer.edits.all(), &earlier, self.task, &self.peek, steps, &mut plan);
            }
            if !may_be_made {
                search.strand(live);
                return;
            }
            *live.reading = rewound;
            live.reading.take_step(answer, &plan, &earlier, self.task, &mut self.progress.work)
        };
        if let Some(limit) = limit {
            search.limit = Some((limit, Some(answer.rule)));
            return;
        }
        search.number += 1;
        live.reading.number = search.number;
        self.read_on(search, live.reading, Way::default());
    }

    fn read_on(&mut self, search: &mut Search, mut reading: Box<Reading>, mut way: Way) {
        let Search { marks, .. } = search;
        match self.reads(|task, peek, work| marks.read(&mut reading, &mut way, task, peek, work)) {
            Stopped::Done(end) => search.whole.push((reading, end)),
            Stopped::Fault(site) => search.live.push(Live::new(reading, site)),
            Stopped::TooDeep(_) => search.limit = search.limit.or(Some((Limit::Depth, None))),
            Stopped::Needs => search.pending.push((reading, way)),
        }
    }

    /// The cheapest whole reading, if it may be the answer.
    fn decide(&mut self, search: Search) -> Result<Mended, Refused> {
        let Search { mut whole, furthest, last, limit, first, .. } = search;
        // What was not followed might have won.
        if let Some((Limit::Work, _)) = limit {
            let reading = whole.pop().map(|(reading, _)| reading).or(furthest.map(|furthest| furthest.reading));
            let reading = reading.unwrap_or_else(|| Box::new(Reading::start(self.task)));
            return Err(self.refuse_ambiguous(&reading, first, false));
        }
        sort_short_by_key(&mut whole, |(reading, _)| (reading.cost(), reading.score.risk, reading.number));
        let mut others = whole.into_iter();
        let Some((mut reading, end)) = others.next() else {
            return Err(self.refuse_furthest(furthest, last, limit, first));
        };
        for (other, other_end) in others {
            self.compare(&mut reading, end, &other, other_end);
            self.leave(other);
        }
        let thresholds = self.task.thresholds;
        let gap = reading.score.gap();
        let is_clear = gap.is_none_or(|gap| gap >= thresholds.margin) && !reading.score.beats_lower_risk();
        if is_clear && reading.score.worst <= thresholds.veto {
            self.progress.left.readings.clear();
            let work = self.own_work();
            return Ok(Mended { journal: reading.take_journal(), payload: self.task.start..end, work, gap });
        }
        let refused = self.refuse_ambiguous(&reading, first, true);
        self.leave(reading);
        Err(refused)
    }

    /// Remembers in `winner` that it led `other`, if that says something else.
    fn compare(&mut self, winner: &mut Reading, end: usize, other: &Reading, other_end: usize) {
        let gap = other.cost_so_far(self.task).saturating_sub(winner.cost_so_far(self.task));
        let is_nearest = winner.score.gap().is_none_or(|known| gap < known);
        // What is further away than the nearest one decides nothing, unless a smaller preset might have taken it.
        if !is_nearest && other.score.risk >= winner.score.risk {
            return;
        }
        // Which rule made an edit changes nothing of what is said.
        let Some(parting) = winner.parts_from(other, |_, _| true) else { return };
        if parting.says_the_same(self.task.completion, end, other_end, &mut self.progress.work.steps) {
            return;
        }
        if is_nearest {
            let (from, edits) = (parting.start, named(parting.other.iter().map(|(_, entry)| entry)));
            winner.score.meet(Rival { gap, cost: other.cost(), from, edits, doubt: None });
        }
        if other.score.risk < winner.score.risk {
            winner.score.beat(other.score.risk);
        }
    }
}

impl Search {
    /// The reading that has come least far; of those, the cheapest.
    fn next(&mut self) -> Option<Live> {
        let next = (0..self.live.len()).min_by_key(|&at| {
            let Live { reading, site, cost } = &self.live[at];
            (site.pos, *cost, reading.number)
        })?;
        Some(self.live.swap_remove(next))
    }

    /// All readings that may still become the answer.
    pub(super) fn readings(&self) -> impl Iterator<Item = &Reading> {
        let live = self.live.iter().map(|live| &*live.reading);
        let whole = self.whole.iter().map(|(reading, _)| &**reading);
        let pending = self.pending.iter().map(|(reading, _)| &**reading);
        live.chain(whole).chain(pending).chain(self.queue.iter().map(|(live, _)| &*live.reading))
    }

    /// Of the answers that wait to be made: how many edits come before each, and where it starts.
    pub(super) fn queued(&self) -> impl Iterator<Item = (usize, usize)> {
        self.queue.iter().map(|(live, answer)| (live.reading.edits(), answer.edits.first().span.start))
    }

    /// A copy of a reading.
    fn copy_of(&mut self, &Live { ref reading, site, cost }: &Live) -> Live {
        let Some(mut room) = self.spare.pop() else { return Live { reading: reading.clone(), site, cost } };
        room.clone_from(reading);
        Live { reading: room, site, cost }
    }

    /// Merges with `live` all readings that stand where it does.
    fn merge_all(&mut self, live: &mut Live, engine: &mut Engine<'_>) {
        let first = |live: &Live, others: &[Live]| {
            let same = (0..others.len()).filter(|&at| others[at].is_where(live));
            same.min_by_key(|&at| others[at].reading.number)
        };
        while let Some(at) = first(live, &self.live) {
            let mut other = self.live.swap_remove(at);
            let merit = |live: &Live| (live.reading.cost_so_far(engine.task), live.reading.score.risk);
            if merit(&other) < merit(live) {
                std::mem::swap(live, &mut other);
            }
            let pos = live.site.pos;
            engine.compare(&mut live.reading, pos, &other.reading, pos);
            self.spare.push(other.reading);
        }
    }

    /// Whether a reading costs so much more than one that has come further that it cannot win.
    ///
    /// A reading that is whole costs no more, so what is dearer than it by the margin decides nothing,
    /// unless a smaller preset might have taken it.
    fn is_left_behind(&self, reading: &Reading, margin: u32) -> bool {
        let lead = self.live.iter().map(|live| live.cost).min();
        let whole = self.whole.iter().map(|(reading, _)| reading.cost()).min();
        let is_sober = reading.score.risk < Some(Risk::Guess);
        let least = reading.least_cost();
        let is_decided = whole.is_some_and(|whole| !is_sober && least > whole + margin);
        is_decided || lead.is_some_and(|lead| least > lead + costs::WINDOW)
    }

    /// Gives a reading up that no rule helps on, and keeps it if none came further.
    fn strand(&mut self, live: Live) {
        self.last = live.reading.number;
        // Of those that come equally far, the order of the rules does not choose.
        let merit = |live: &Live| (live.site.pos, Reverse(live.cost), !live.site.is_at_end);
        let is_furthest = self.furthest.as_ref().is_none_or(|known| merit(known) < merit(&live));
        let passed = if is_furthest { self.furthest.replace(live) } else { Some(live) };
        self.spare.extend(passed.map(|passed| passed.reading));
    }

    /// Keeps the cheapest readings, and the cheapest of low risk: what a smaller preset would answer stays in sight (SPEC R4).
    fn prune(&mut self, beam: usize, engine: &mut Engine<'_>) {
        if self.live.len() <= beam {
            return;
        }
        let mut all = std::mem::take(&mut self.pruned);
        std::mem::swap(&mut all, &mut self.live);
        Self::sort(&mut all);
        for mut live in all.drain(..) {
            self.merge_all(&mut live, engine);
            self.live.push(live);
        }
        self.pruned = all;
        Self::sort(&mut self.live);
        let is_sober = |live: &Live| live.reading.score.risk < Some(Risk::Guess);
        if let Some(sober) = self.live.iter().position(is_sober)
            && sober >= beam
        {
            self.live.swap(sober, beam - 1);
        }
        let kept = beam.min(self.live.len());
        self.spare.extend(self.live.drain(kept..).map(|live| live.reading));
    }

    /// Sorts readings, the cheapest first; of several, the one that came furthest.
    fn sort(live: &mut [Live]) {
        sort_short_by_key(live, |live| (live.cost, Reverse(live.site.pos), live.reading.number));
    }
}

impl Live {
    fn new(reading: Box<Reading>, site: Site) -> Self {
        let cost = reading.cost();
        Self { reading, site, cost }
    }

    /// Whether both readings go on alike from here.
    fn is_where(&self, other: &Self) -> bool {
        self.site == other.site && self.reading.state.goes_on_as(&other.reading.state)
    }
}

impl Parting<'_> {
    /// Whether both say the same up to where they end, but for white space.
    fn says_the_same(&self, source: &str, end: usize, other_end: usize, steps: &mut u64) -> bool {
        // Where both end alike, what follows the last edit of either is the same text.
        let last = |edits: &[(&Journal, Entry)]| edits.last().map_or(self.start, |(_, entry)| entry.span().end);
        let common = last(&self.one).max(last(&self.other));
        let (end, other_end) = if end == other_end { (common, common) } else { (end, other_end) };
        let one = squeezed(source, self.start..end, &self.one);
        let other = squeezed(source, self.start..other_end, &self.other);
        *steps += (one.len() + other.len()) as u64;
        one == other
    }
}

/// The text of `span` with these edits made, without white space and without escapes that stand for it.
fn squeezed(source: &str, span: std::ops::Range<usize>, edits: &[(&Journal, Entry)]) -> Vec<u8> {
    let mut text = Vec::with_capacity(span.len());
    let mut pos = span.start;
    for (journal, entry) in edits {
        text.extend_from_slice(source.get(pos..entry.span().start.max(pos)).unwrap_or_default().as_bytes());
        text.extend_from_slice(journal.replacement(entry).as_bytes());
        pos = entry.span().end.max(pos);
    }
    text.extend_from_slice(source.get(pos..span.end.max(pos)).unwrap_or_default().as_bytes());
    let mut said = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                Some(b'n' | b'r' | b't') | None => {}
                Some(escaped) => said.extend([byte, escaped]),
            },
            byte if is_json_space(byte) => {}
            byte => said.push(byte),
        }
    }
    said
}

fn hash_of(edits: &crate::edits::edit::Edits) -> u64 {
    let mut hasher = DefaultHasher::new();
    for edit in edits.iter() {
        (edit.span.start, edit.span.end, &*edit.replacement).hash(&mut hasher);
    }
    hasher.finish()
}
