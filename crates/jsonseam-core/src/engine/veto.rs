//! Vetoes: questions about text that is not there yet, whose answers can only turn a repair into a refusal.
//!
//! An edit that no other rule would make otherwise need not wait for them. They are asked when the text has ended, in whole texts too, and one that holds
//! refuses the payload where it was put off: all is read once more, with each veto asked at its fault.

use super::reading::Reading;
use super::task::Task;
use crate::looking::peek::Peek;
use crate::reading::recognise::State;
use crate::rule::fault::Site;
use crate::rule::proposals::Veto;

/// A veto that was put off, and the fault that it is about.
pub(super) struct PutOff {
    state: State,
    frontier: usize,
    pub(super) site: Site,
    veto: Veto,
}

/// What the vetoes say that were put off.
#[derive(Clone, Copy)]
pub(super) enum Vetoed {
    /// None of them holds.
    Not,
    /// One does, and refuses this fault.
    At(Site),
    /// That depends on text that is not there yet.
    Waits,
}

impl PutOff {
    pub(super) fn new(reading: &Reading, site: &Site, veto: Veto) -> Self {
        Self { state: reading.state, frontier: reading.frontier, site: *site, veto }
    }

    /// Whether the veto holds. Beside the text and the string that is open its fault knows nothing.
    #[cold]
    pub(super) fn holds(&self, task: &Task<'_>, peek: &Peek<'_>) -> bool {
        let (state, frontier) = (self.state, self.frontier);
        let reading = Reading { state, frontier, ..Reading::start(task) };
        (self.veto)(&reading.fault(&self.site, task, peek))
    }
}
