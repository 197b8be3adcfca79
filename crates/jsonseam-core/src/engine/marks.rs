//! Where readings go on alike: what one of them has read is not read again by the others.
//!
//! A reading that comes far without a fault leaves a mark on its way, and remembers where it stopped. Another one that comes to the mark in the
//! same state would stop there too, and would record the same: so it takes that over, with its own costs.
//!
//! Invariant: an answer is the same as without marks, since readings are compared where they stop (SPEC R2). Less is read, and less counted.

use super::reading::{Reading, Stopped};
use super::task::Task;
use crate::looking::peek::Peek;
use crate::looking::trace::Recorder;
use crate::reading::recognise::{Partial, State};
use crate::reading::token::REMEMBERED;
use crate::reading::work::Work;

/// How far apart the places of marks are, in bytes: faults that are nearer than that leave none.
const STRIDE: usize = 1024;

/// How many marks are kept: the latest ones.
const MOST: usize = 8;

/// What readings left on their way.
#[derive(Default)]
pub(super) struct Marks {
    known: Vec<Mark>,
}

/// A reading at a mark, and where it stopped after that.
struct Mark {
    at: Place,
    end: Place,
    stopped: Stopped,
}

struct Place {
    pos: usize,
    state: State,
    recorder: Recorder,
}

/// How far a reading is on its way: the mark that it comes to, and how it was there.
#[derive(Default)]
pub(super) struct Way {
    mark: Option<usize>,
    at: Option<Box<Place>>,
}

impl Marks {
    /// Reads on to the next fault or the end, or takes over what another reading has read.
    pub(super) fn read(
        &mut self,
        reading: &mut Reading,
        way: &mut Way,
        task: &Task<'_>,
        peek: &Peek<'_>,
        work: &mut Work,
    ) -> Stopped {
        if way.at.is_none() {
            let mark = *way.mark.get_or_insert((reading.pos.max(reading.frontier) / STRIDE + 1) * STRIDE);
            if let Some(stopped) = reading.read_until(mark, task, peek, work) {
                return stopped;
            }
            work.moves += u64::from(reading.state.depth);
            if let Some(known) = self.known.iter().find(|known| known.at.is_where(reading)) {
                reading.recorder.take_over(&known.at.recorder, &known.end.recorder);
                (reading.state, reading.pos) = (known.end.state, known.end.pos);
                return known.stopped;
            }
            way.at = Some(Box::new(Place::of(reading)));
        }
        let stopped = reading.read(task, peek, work);
        if matches!(stopped, Stopped::Needs) {
            return stopped;
        }
        // What was recorded before the mark is out of sight.
        let at = way.at.take().filter(|at| reading.recorder.count_since(&at.recorder) >= REMEMBERED);
        if let Some(at) = at.filter(|_| !matches!(stopped, Stopped::TooDeep(_))) {
            if self.known.len() == MOST {
                self.known.remove(0);
            }
            self.known.push(Mark { at: *at, end: Place::of(reading), stopped });
        }
        stopped
    }
}

impl Place {
    fn of(reading: &Reading) -> Self {
        Self { pos: reading.pos, state: reading.state, recorder: reading.recorder.clone() }
    }

    /// Whether `reading` goes on from here alike.
    fn is_where(&self, reading: &Reading) -> bool {
        let (own, other) = (&self.state, &reading.state);
        let is_in_escape = matches!(own.partial, Partial::Text { escape: 1.. });
        self.pos == reading.pos
            && own.goes_on_as(other)
            // What is kept of a token or an escape that has ended says nothing.
            && (own.partial == Partial::None || own.token_start == other.token_start)
            && (!is_in_escape || own.escape_start == other.escape_start)
            && self.recorder.goes_on_as(&reading.recorder)
    }
}
