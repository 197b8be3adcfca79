//! Refusals of a payload: where, why, and what of it was settled until then.

use std::sync::Arc;

use super::progress::Engine;
use super::reading::Reading;
use super::score::Rival;
use super::search::Live;
use super::task::{Ambiguity, Refused, named};
use crate::reading::limits::Limit;
use crate::reading::recognise::Next;
use crate::rule::fault::Site;

/// Why a reading without a rival is not taken: a step of it is above the veto.
const TOO_DEAR: &str = "one of its edits costs too much to be made without another sign";

impl Engine<'_> {
    pub(super) fn refuse(&mut self, reading: &Reading, site: &Site, limit: Option<(Limit, Option<u16>)>) -> Refused {
        let work = self.own_work();
        let expected = reading.fault(site, self.task, &self.peek).expected();
        let help = if limit.is_none() { self.help(reading, site).map(Box::new) } else { None };
        let root_end = (reading.state.next == Next::End).then(|| reading.root_end(self.task));
        Refused { limit, root_end, help, ..Refused::plain(*site, expected, work) }
    }

    /// Keeps a reading that was followed to a refusal, if what it has settled may be told.
    pub(super) fn leave(&mut self, reading: Box<Reading>) {
        if self.task.is_open() {
            self.progress.left.readings.push(*reading);
        }
    }

    pub(super) fn refuse_furthest(
        &mut self,
        furthest: Option<Live>,
        last: u32,
        limit: Option<(Limit, Option<u16>)>,
        first: usize,
    ) -> Refused {
        if let Some(Live { reading, site }) = furthest {
            // What was told was of all readings that were followed, so of the last one.
            let is_last = reading.number == last;
            let refused = self.refuse(&reading, &site, None);
            if is_last {
                self.leave(reading);
            }
            return refused;
        }
        let site = Site { pos: first, problem: None, is_at_end: false };
        let reading = Reading::start(self.task);
        self.refuse(&reading, &site, limit.or(Some((Limit::Work, None))))
    }

    /// The text has more readings than the bound on work allows to weigh.
    pub(super) fn refuse_unweighed(&mut self, mut reading: Reading, first: usize) -> Refused {
        let doubt = Some("the text has too many readings to weigh");
        let (cost, from) = (reading.cost(), first);
        reading.score.rival = Some(Arc::new(Rival { gap: 0, cost, from, edits: Vec::new(), doubt }));
        self.refuse_ambiguous(&reading, first)
    }

    pub(super) fn refuse_ambiguous(&mut self, reading: &Reading, first: usize) -> Refused {
        let rival = reading.score.rival.clone();
        let from = rival.as_ref().map_or(first, |rival| rival.from.min(first));
        let journal = reading.clone().into_journal();
        let own = journal.entries().iter().filter(|entry| entry.span().start >= from);
        let winner = (named(own), reading.cost());
        let loser = rival.as_ref().map_or((Vec::new(), reading.cost()), |rival| (rival.edits.clone(), rival.cost));
        let places = winner.0.iter().chain(&loser.0).map(|(_, span)| span.start);
        let site = Site { pos: places.min().unwrap_or(first), problem: None, is_at_end: false };
        let doubt = rival.map_or(Some(TOO_DEAR), |rival| rival.doubt);
        let ambiguity = Ambiguity { readings: [winner, loser], doubt };
        // More rules do not decide between two readings, so none is named.
        self.known = None;
        Refused { ambiguity: Some(Box::new(ambiguity)), ..self.refuse(reading, &site, None) }
    }
}
