//! Which results belong to which calls: by their identifiers, within the turn that servers want them in.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::history::{Call, History, Kind, Message};
use super::{Unpaired, UnpairedRecord};

/// A turn of the model: the calls whose results are awaited, as places in the list of all, and those that have one.
#[derive(Debug, Default)]
struct Turn {
    open: HashMap<String, usize>,
    answered: HashSet<String>,
    has_parts: bool,
    /// Whether only messages of the model have come since it began.
    is_fresh: bool,
}

impl Turn {
    /// The turn that a message of the model begins, or goes on with: servers read messages with parts that follow each other as one.
    fn with(self, has_parts: bool) -> Self {
        let goes_on = self.is_fresh && self.has_parts && has_parts;
        if goes_on { self } else { Self { has_parts, is_fresh: true, ..Self::default() } }
    }
}

/// What has no partner, in the order of the history. Calls that have a result are marked as answered.
pub(super) fn unpaired(history: &mut History) -> Vec<UnpairedRecord> {
    let mut found = Vec::new();
    let (mut turn, mut items, mut known) = (Turn::default(), Turn::default(), HashSet::new());
    let History { calls, messages } = history;
    for message in messages.iter() {
        match message.kind {
            Kind::Model { has_parts } => turn = turn.with(has_parts),
            Kind::Other => turn.is_fresh = false,
            Kind::Item => {}
        }
        let is_item = message.kind == Kind::Item;
        let current = if is_item { &mut items } else { &mut turn };
        awaited(message, calls, current, &mut found);
        answered(message, calls, current, &known, &mut found);
        known.extend(message.calls.clone().filter_map(|place| calls.get(place)?.id.clone()));
        // Words of someone else end the turn.
        if message.kind == Kind::Other && message.results.is_empty() {
            turn = Turn::default();
        }
    }
    let waiting = calls.iter().filter(|call| !call.is_answered && !call.is_doubled).filter_map(|call| {
        let (message, index, id) = (call.message, call.index, call.id.clone()?);
        Some(UnpairedRecord { message, call: Some(index), result: None, reason: Unpaired::NoResult, id })
    });
    found.extend(waiting);
    found.sort_by_key(|one| (one.message, one.call, one.result));
    found
}

/// Adds the calls of a message to a turn.
fn awaited(message: &Message, calls: &mut [Call], turn: &mut Turn, found: &mut Vec<UnpairedRecord>) {
    for place in message.calls.clone() {
        let Some(call) = calls.get_mut(place) else { continue };
        let Some(id) = call.id.clone() else { continue };
        match turn.open.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(place);
            }
            Entry::Occupied(entry) => {
                call.is_doubled = true;
                let (message, call, reason, id) =
                    (call.message, Some(call.index), Unpaired::RepeatedId, entry.key().clone());
                found.push(UnpairedRecord { message, call, result: None, reason, id });
            }
        }
    }
}

/// Takes the results of a message for the calls of a turn; `known` are the identifiers of all calls before it.
fn answered(
    message: &Message,
    calls: &mut [Call],
    turn: &mut Turn,
    known: &HashSet<String>,
    found: &mut Vec<UnpairedRecord>,
) {
    for result in &message.results {
        if let Some(call) = turn.open.remove(&result.id).and_then(|place| calls.get_mut(place)) {
            call.is_answered = true;
            turn.answered.insert(result.id.clone());
            continue;
        }
        let reason = match (turn.answered.contains(&result.id), known.contains(&result.id)) {
            (true, _) => Unpaired::RepeatedResult,
            (false, true) => Unpaired::OutOfPlace,
            (false, false) => Unpaired::NoCall,
        };
        let (message, result, id) = (message.index, Some(result.index), result.id.clone());
        found.push(UnpairedRecord { message, call: None, result, reason, id });
    }
}
