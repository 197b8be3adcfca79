//! Refusals of a payload: where, why, and what of it was settled until then.

use super::progress::Engine;
use super::reading::Reading;
use super::search::Live;
use super::task::{Ambiguity, Refused, named};
use crate::reading::limits::Limit;
use crate::reading::recognise::Next;
use crate::rule::fault::Site;

/// Why a reading without a rival is not taken: a step of it is above the veto.
const TOO_DEAR: &str = "one of its edits costs too much to be made without another sign";

/// Why the readings are not weighed: the bound on work does not allow it.
const TOO_MANY: &str = "the text has too many readings to weigh";

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
        if let Some(Live { reading, site, .. }) = furthest {
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

    /// Nothing decides between readings, or they are too many to be weighed.
    pub(super) fn refuse_ambiguous(&mut self, reading: &Reading, first: usize, is_weighed: bool) -> Refused {
        let rival = reading.score.rival.as_deref().filter(|_| is_weighed);
        let from = rival.map_or(first, |rival| rival.from.min(first));
        let edits = reading.edits_from(0);
        let own = edits.iter().map(|(_, entry)| entry).filter(|entry| entry.span().start >= from);
        let winner = (named(own), reading.cost());
        let loser = rival.map_or((Vec::new(), reading.cost()), |rival| (rival.edits.clone(), rival.cost));
        let places = winner.0.iter().chain(&loser.0).map(|(_, span)| span.start);
        let site = Site { pos: places.min().unwrap_or(first), problem: None, is_at_end: false };
        let doubt = match rival {
            Some(rival) => rival.doubt,
            None => Some(if is_weighed { TOO_DEAR } else { TOO_MANY }),
        };
        let ambiguity = Ambiguity { readings: [winner, loser], doubt };
        // More rules do not decide between two readings, so none is named.
        self.known = None;
        Refused { ambiguity: Some(Box::new(ambiguity)), ..self.refuse(reading, &site, None) }
    }
}
