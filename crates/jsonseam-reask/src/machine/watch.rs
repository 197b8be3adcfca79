//! An answer while it is written: whether anything that follows can still make it one.

use jsonseam_adapter::{Adapter, AdapterStream, Error, FieldEvent, StreamOptions};
use jsonseam_core::Policy;

use super::{Machine, State};
use crate::message::{Mode, Response};
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

/// What was seen of the answer.
pub(super) struct Watched {
    /// `None` where the text does not begin with its payload, so that another one may follow.
    stream: Option<AdapterStream>,
    has_begun: bool,
    len: usize,
    error: Option<Error>,
}

impl Watched {
    fn new(adapter: &Adapter) -> Self {
        Self { stream: Some(adapter.stream(StreamOptions::new())), has_begun: false, len: 0, error: None }
    }

    fn see(&mut self, piece: &str) -> Watch {
        self.len += piece.len();
        if !self.has_begun
            && let Some(first) = piece.trim_start().chars().next()
        {
            self.has_begun = true;
            self.stream.take_if(|_| !matches!(first, '{' | '['));
        }
        if let Some(stream) = &mut self.stream {
            let mut events = stream.push(piece);
            let hopeless =
                events.find_map(|event| if let FieldEvent::Hopeless(error) = event { Some(error) } else { None });
            self.error = self.error.take().or(hopeless);
        }
        if self.error.is_some() { Watch::Hopeless } else { Watch::GoOn }
    }
}

impl Reask {
    /// Whether an answer may be given up: it would not be returned in part, and nothing that follows it in the text is looked for.
    fn may_give_up(&self) -> bool {
        let settings = &self.settings;
        let returns_nothing = settings.strict || settings.on_exhausted == OnExhausted::Fail;
        let is_first = self.adapter.policy() == Policy::First && self.envelope.is_none();
        settings.gives_up.unwrap_or(returns_nothing && is_first)
    }
}

impl Machine {
    /// Sees the next piece of the text of the answer at hand, and says whether anything that follows can make it an answer.
    ///
    /// A driver that hears [`Watch::Hopeless`] drops the request and calls [`answer`](Self::answer) with a response of what came, of which the attempt is
    /// recorded as [`stopped_early`](crate::Attempt::stopped_early). One that reads on may do so: a longer response is judged as always.
    ///
    /// Nothing is given up where that could lose an answer: where partial answers are returned, where a later payload or an envelope counts (unless
    /// [`Settings::gives_up`](crate::Settings::gives_up) says otherwise), where a text does not begin with its payload, in the mode `tool`, and where only the failing fields
    /// were asked for.
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
    pub fn observe(&mut self, piece: &str) -> Watch {
        let State::Asking(flight) = &self.state else { return Watch::GoOn };
        if !self.reask.may_give_up() || flight.base.is_some() || flight.request.mode == Mode::Tool {
            return Watch::GoOn;
        }
        self.watched.get_or_insert_with(|| Box::new(Watched::new(&self.reask.adapter))).see(piece)
    }

    /// A new answer begins.
    pub(super) fn begin_watch(&mut self) {
        self.watched = None;
    }

    /// Why an answer was given up, if this is all that was seen of it.
    pub(super) fn given_up(&mut self, response: &Response) -> Option<Error> {
        let watched = self.watched.take()?;
        let is_all = response.text.len() == watched.len && response.tool_calls.is_empty();
        watched.error.filter(|_| is_all)
    }
}
