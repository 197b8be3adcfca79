//! An answer while it is written: its fields as they come, and whether anything that follows can still make it an answer.
//!
//! Invariant: the events of an attempt that brings the answer are true of its outputs, or `Withdrawn` follows them.

use std::borrow::Cow;

use jsonseam_adapter::{Adapter, AdapterStream, Error, FieldEvent, Outputs, StreamOptions};
use jsonseam_core::{FinishReason, Policy};

use super::{Flight, Machine, State};
use crate::event::{AnswerEvent, Piece};
use crate::message::{ANSWER_TOOL, Mode, Response};
use crate::reask::Reask;
use crate::settings::OnExhausted;

/// What a driver does with an answer that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "an answer without hope need not be paid for"]
pub enum Watch {
    /// The next piece may come.
    GoOn,
    /// Nothing that follows can make it an answer: the request may be dropped, and what came is given to [`Machine::answer`].
    Hopeless,
}

/// Which text of an answer is read as it comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Nothing but blanks came yet.
    Open,
    Text,
    /// The arguments of the first call.
    Call,
    /// Another text may be the answer, and nothing more is told.
    Lost,
}

/// What was seen of the answer.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about the answer")]
pub(super) struct Watched {
    number: u32,
    mode: Mode,
    source: Source,
    /// Whether the text that is read begins with its payload.
    is_first: bool,
    stream: Option<AdapterStream>,
    /// How much came of the text, and of the arguments of the first call.
    seen: (usize, usize),
    /// Whether a call is judged by the envelope that it makes, as under a contract on calls.
    is_enveloped: bool,
    /// The fields that were asked for, where the others are kept: those alone are told, when they are whole.
    only: Option<Vec<String>>,
    /// The outputs of which something was told.
    told: Vec<String>,
    /// The fields that were told.
    fields: Vec<(String, String)>,
    may_give_up: bool,
    error: Option<Error>,
    is_given_up: bool,
}

impl Watched {
    fn new(reask: &Reask, flight: &Flight) -> Self {
        let only = flight.base.as_ref().map(|base| base.failing.clone());
        Self {
            number: flight.request.attempt,
            mode: flight.request.mode,
            source: Source::Open,
            is_first: false,
            stream: None,
            seen: (0, 0),
            is_enveloped: reask.format.declares("toolCalls"),
            may_give_up: only.is_none() && reask.may_give_up(flight),
            only,
            told: Vec::new(),
            fields: Vec::new(),
            error: None,
            is_given_up: false,
        }
    }

    /// The part of a piece that belongs to the text which is read; this is where it is decided which one is.
    fn own<'p>(&mut self, piece: Piece<'p>) -> Option<&'p str> {
        let (source, text) = match piece {
            Piece::Text(text) => {
                self.seen.0 += text.len();
                // Where the model was asked by tool, its calls are read first.
                (Source::Text, Some(text).filter(|_| self.mode != Mode::Tool)?)
            }
            Piece::Arguments { call: 0, name, json } => {
                self.seen.1 += json.len();
                let is_answer = self.mode != Mode::Tool || matches!(name.trim(), ANSWER_TOOL | "");
                (Source::Call, Some(json).filter(|_| is_answer && !self.is_enveloped)?)
            }
            Piece::Arguments { .. } => (Source::Lost, "{"),
        };
        if self.source == source {
            return Some(text).filter(|_| source != Source::Lost);
        }
        let Some(first) = text.trim_start().chars().next() else {
            return Some(text).filter(|_| self.source == Source::Open && source == Source::Text);
        };
        let is_spoken = self.source == Source::Text && source == Source::Call && self.told.is_empty();
        if self.source == Source::Open || is_spoken {
            // What is spoken beside a call is judged before it, but where it holds no answer.
            self.is_first = matches!(first, '{' | '[') && !is_spoken;
            self.stream.take_if(|_| source == Source::Call);
            self.error = None;
            self.source = source;
            return Some(text).filter(|_| source != Source::Lost);
        }
        self.source = Source::Lost;
        self.stream = None;
        None
    }

    fn see(&mut self, adapter: &Adapter, piece: Piece<'_>, tell: &mut dyn FnMut(&FieldEvent)) {
        let Some(text) = self.own(piece) else { return };
        let mut stream = self.stream.take().unwrap_or_else(|| adapter.stream(StreamOptions::new()));
        for event in stream.push(text) {
            self.take(&event, tell);
        }
        self.stream = Some(stream);
    }

    fn take(&mut self, event: &FieldEvent, tell: &mut dyn FnMut(&FieldEvent)) {
        let (name, field) = match event {
            FieldEvent::Hopeless(error) => {
                self.error.get_or_insert_with(|| error.clone());
                return;
            }
            FieldEvent::Field { name, json } => (name, Some(json)),
            FieldEvent::Started { name } | FieldEvent::Text { name, .. } | FieldEvent::Element { name, .. } => {
                (name, None)
            }
            _ => return,
        };
        if self.only.as_ref().is_some_and(|only| field.is_none() || !only.contains(name)) {
            return;
        }
        if self.told.last() != Some(name) {
            self.told.push(name.clone());
        }
        if let Some(json) = field {
            self.fields.push((name.clone(), json.clone()));
        }
        tell(event);
    }

    /// Sees what of the answer was not shown while it came.
    fn see_rest(&mut self, adapter: &Adapter, response: &Response, tell: &mut dyn FnMut(&FieldEvent)) {
        let rest = response.text.get(self.seen.0..).unwrap_or_default();
        self.see(adapter, Piece::Text(rest), tell);
        for (call, known) in response.tool_calls.iter().enumerate() {
            let from = if call == 0 { self.seen.1 } else { 0 };
            let json = known.arguments.get(from..).unwrap_or_default();
            self.see(adapter, Piece::Arguments { call, name: &known.name, json }, tell);
        }
    }

    /// Whether what was told is not what the outputs are.
    fn contradicts(
        mut self,
        reason: Option<FinishReason>,
        outputs: &Outputs,
        mut tell: impl FnMut(&FieldEvent),
    ) -> bool {
        let own = self.stream.take().and_then(|stream| {
            let mut left = Vec::new();
            let own = stream.finish_with(reason, |event| left.push(event));
            for event in &left {
                self.take(event, &mut tell);
            }
            own.ok()
        });
        let is_same = |(name, json): &(String, String)| outputs.text(name) == Some(json.as_str());
        match own {
            Some(own) if self.only.is_none() => self.told.iter().any(|name| own.text(name) != outputs.text(name)),
            // Another text may be the answer, or a part of it: what was told must be in it as it is.
            _ => {
                let is_whole = |told: &String| self.fields.iter().any(|(name, _)| name == told);
                !self.told.iter().all(is_whole) || !self.fields.iter().all(is_same)
            }
        }
    }
}

impl Reask {
    /// Whether an answer may be given up: it would not be returned in part, and nothing that follows it is looked for.
    fn may_give_up(&self, flight: &Flight) -> bool {
        let settings = &self.settings;
        let returns_nothing = settings.strict || settings.on_exhausted == OnExhausted::Fail;
        let is_first = self.adapter.policy() == Policy::First && self.envelope.is_none();
        // A call may follow that is the answer, where tools are offered.
        let is_alone = flight.request.mode != Mode::Tool && flight.request.tools.is_empty();
        settings.gives_up.unwrap_or(returns_nothing && is_first && is_alone)
    }
}

impl Machine {
    /// Sees the next piece of the answer at hand, and says whether anything that follows can make it an answer.
    ///
    /// A driver that hears [`Watch::Hopeless`] drops the request and calls [`answer`](Self::answer) with a response of what came, of which the attempt is
    /// recorded as [`stopped_early`](crate::Attempt::stopped_early). One that reads on may do so: a longer response is judged as always.
    ///
    /// Nothing is given up where that could lose an answer: where partial answers are returned, where a later payload, a call or an envelope counts (unless
    /// [`Settings::gives_up`](crate::Settings::gives_up) says otherwise), where a text does not begin with its payload, and where only the failing fields
    /// were asked for. In the mode `tool`, and where the text is blank, the arguments of the first call are what is read.
    ///
    /// ```
    /// use std::time::Duration;
    /// use jsonseam_adapter::Adapter;
    /// use jsonseam_core::Policy;
    /// use jsonseam_reask::{OnExhausted, Reask, Step, Watch};
    ///
    /// let adapter = Adapter::builder().output("city").candidates(Policy::First).build()?;
    /// let mut machine = Reask::new(adapter).on_exhausted(OnExhausted::Fail).machine("Where is it?", Duration::ZERO);
    /// let Step::Ask(_) = machine.step(Duration::ZERO) else { unreachable!("there is a request") };
    /// assert_eq!(machine.observe("{\"ci"), Watch::GoOn);
    /// assert_eq!(machine.observe("ties\": [\"Os"), Watch::Hopeless);
    /// machine.answer(Duration::ZERO, Ok("{\"cities\": [\"Os".into()));
    /// assert!(machine.attempts()[0].stopped_early);
    /// assert_eq!(machine.attempts()[0].errors, ["invalid_outputs/extra_output_keys"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe<'p>(&mut self, piece: impl Into<Piece<'p>>) -> Watch {
        let Self { state: State::Asking(_), watched: Some(watched), reask, .. } = self else { return Watch::GoOn };
        if watched.is_given_up {
            return Watch::Hopeless;
        }
        watched.see(&reask.adapter, piece.into(), &mut |event| reask.tell_event(&AnswerEvent::Field(event)));
        if let Some(error) = watched.error.as_ref().filter(|_| watched.may_give_up && watched.is_first) {
            reask.tell_event(&AnswerEvent::Field(&FieldEvent::Hopeless(error.clone())));
            watched.is_given_up = true;
            return Watch::Hopeless;
        }
        Watch::GoOn
    }

    /// A new answer begins.
    pub(super) fn begin_watch(&mut self, flight: &Flight) {
        let watched = Watched::new(&self.reask, flight);
        self.reask.tell_event(&AnswerEvent::Attempt { number: watched.number, mode: watched.mode });
        self.watched = (watched.may_give_up || self.reask.on_event.is_some()).then(|| Box::new(watched));
    }

    /// What was given up of the answer, and why, if this is all that was seen of it.
    pub(super) fn given_up<'r>(&self, response: &'r Response) -> Option<(Cow<'r, str>, Error)> {
        let watched = self.watched.as_ref().filter(|watched| watched.is_given_up)?;
        let calls: Vec<_> = response.tool_calls.iter().map(|call| call.arguments.as_str()).collect();
        let is_all = response.text.len() == watched.seen.0;
        let own = match (watched.source, calls.as_slice()) {
            (Source::Text, []) => response.text.as_str(),
            (Source::Call, [only]) if only.len() == watched.seen.1 => only,
            _ => return None,
        };
        watched.error.clone().filter(|_| is_all).map(|error| (Cow::Borrowed(own), error))
    }

    /// Tells what is left of an answer that was not given up.
    pub(super) fn watch_rest(&mut self, response: &Response) {
        let Self { watched: Some(watched), reask, .. } = self else { return };
        if reask.on_event.is_some() && !watched.is_given_up {
            let tell = &mut |event: &FieldEvent| reask.tell_event(&AnswerEvent::Field(event));
            watched.see_rest(&reask.adapter, response, tell);
        }
    }

    /// Ends the events of an answer that met the contract.
    pub(super) fn end_watch(&mut self, response: &Response, outputs: &Outputs) {
        let Some(watched) = self.watched.take().filter(|_| self.reask.on_event.is_some()) else { return };
        let number = watched.number;
        let reason = response.finish_reason.as_deref().map(FinishReason::from);
        let tell = |event: &FieldEvent| self.reask.tell_event(&AnswerEvent::Field(event));
        if watched.contradicts(reason, outputs, tell) {
            self.reask.tell_event(&AnswerEvent::Withdrawn { number });
        }
    }

    /// Tells that an attempt brought no answer.
    pub(super) fn give_up_watch(&mut self, number: u32, errors: &[String], stopped_early: bool) {
        self.watched = None;
        self.reask.tell_event(&AnswerEvent::GivenUp { number, errors, stopped_early });
    }
}
