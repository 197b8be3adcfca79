//! What was told of each call.

use std::collections::VecDeque;
use std::ops::Range;

use jsonseam_core::Position;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::event::CallEvent;
use crate::call::Call;
use crate::envelope::{Error, Reason};
use crate::weave::Woven;

/// A call as the whole of it is read.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) format: String,
    /// Where its head is.
    pub(super) at: usize,
}

/// A call that was announced.
#[derive(Debug)]
pub(super) struct Told {
    name: String,
    format: String,
    /// The arguments that were told.
    pub(super) arguments: String,
    pub(super) is_done: bool,
    mark: Range<usize>,
}

#[derive(Deserialize)]
struct Spelled<'t> {
    #[serde(borrow)]
    arguments: &'t RawValue,
}

/// The arguments of a call of `source`, as the envelope has them.
pub(super) fn arguments_of(call: &Call, source: &str) -> Option<String> {
    let woven = Woven::new(source, call.pieces.clone());
    serde_json::from_str::<Spelled<'_>>(&woven.text).ok().map(|spelled| spelled.arguments.get().to_owned())
}

impl Told {
    /// Announces a call.
    pub(super) fn begin(told: &mut Vec<Self>, events: &mut VecDeque<CallEvent>, name: String, format: &str, at: usize) {
        let index = told.len();
        let (shown, format) = (name.clone(), format.to_owned());
        told.push(Self { name, format: format.clone(), arguments: String::new(), is_done: false, mark: at..at });
        events.push_back(CallEvent::Begin { index, name: shown, format });
    }

    /// Tells the next piece of the arguments.
    pub(super) fn go_on(&mut self, index: usize, json: &str, events: &mut VecDeque<CallEvent>) {
        if !json.is_empty() {
            self.arguments.push_str(json);
            events.push_back(CallEvent::Arguments { index, json: json.to_owned() });
        }
    }

    /// Whether it is the call that was read.
    pub(super) fn is_of(&self, read: &Read) -> bool {
        self.name == read.name && self.format == read.format
    }

    /// Tells the rest of a call that was read; false if it is another one than was told.
    pub(super) fn complete(told: &mut Vec<Self>, events: &mut VecDeque<CallEvent>, index: usize, read: &Read) -> bool {
        if index == told.len() {
            Self::begin(told, events, read.name.clone(), &read.format, read.at);
        }
        let Some(own) = told.get_mut(index) else { return false };
        let Some(rest) = read.arguments.strip_prefix(own.arguments.as_str()) else { return false };
        if !own.is_of(read) || own.is_done && !rest.is_empty() {
            return false;
        }
        own.go_on(index, rest, events);
        if !std::mem::replace(&mut own.is_done, true) {
            events.push_back(CallEvent::Done { index });
        }
        true
    }

    /// The refusal of a text that makes something else of this call.
    pub(super) fn withdrawn(&self, text: &str) -> Error {
        Error {
            reason: Reason::Withdrawn,
            position: Position::of(self.mark.start, text),
            format: self.format.as_str().into(),
            mark: self.mark.clone(),
            edits: Vec::new(),
            paths: Vec::new(),
            help: None,
        }
    }
}
