//! The loop as a machine without input and output: states in, the next step out, the time given from outside.

mod record;
mod requests;
mod transport;
#[cfg(feature = "stream")]
mod watch;
#[cfg(not(feature = "stream"))]
#[path = "machine/unwatched.rs"]
mod watch;

use std::sync::Arc;
use std::time::Duration;

use jsonseam_adapter::Outputs;

use crate::attempt::{Attempt, AttemptStatus, Cause};
use crate::backoff::Backoff;
use crate::digest::digest;
use crate::envelope::Envelope;
use crate::fields::Base;
use crate::judge::{Judged, code, is_cut, judge_response};
use crate::message::{Conversation, Message, Mode, Request, Response};
use crate::outcome::{Answer, Error, Failure, Partial, Stop};
use crate::progress::Phase;
use crate::reask::Reask;
use crate::settings::{OnExhausted, OnTruncation};
use crate::transport::{TransportError, TransportKind};

#[cfg(feature = "stream")]
pub use self::watch::Watch;

/// What a driver has to do next.
#[derive(Debug)]
pub enum Step {
    /// Ask this, for as long as its `timeout`, and hand the outcome to [`Machine::answer`].
    Ask(Box<Request>),
    /// Wait this long, then come again.
    Wait(Duration),
    /// Nothing more: [`Machine::finish`] has the result.
    Done,
}

/// One run of the loop, without input and output.
///
/// [`step`](Self::step) says what to do, [`answer`](Self::answer) takes the result, and both are given the time; so a test can run years in a moment.
/// The drivers are [`Reask::run`] and [`Reask::run_blocking`]; write another one like this:
///
/// ```
/// use std::time::Duration;
/// use jsonseam_reask::{Machine, Request, Response, Step, TransportError};
///
/// fn drive(mut machine: Machine, mut ask: impl FnMut(Request) -> Result<Response, TransportError>) -> bool {
///     let mut now = Duration::ZERO;
///     loop {
///         match machine.step(now) {
///             Step::Ask(request) => machine.answer(now, ask(*request)),
///             Step::Wait(pause) => now += pause,
///             Step::Done => return machine.finish().is_ok(),
///         }
///     }
/// }
/// # let _ = |machine, ask: fn(Request) -> Result<Response, TransportError>| drive(machine, ask);
/// ```
///
/// A machine that is dropped leaves nothing.
pub struct Machine {
    reask: Reask,
    conversation: Conversation,
    started: Duration,
    chain: Vec<Link>,
    /// The place in the chain.
    link: usize,
    /// Re-asks made in this mode.
    reasks: u32,
    has_asked_shorter: bool,
    backoff: Backoff,
    /// Digests of what was asked for and answered in this mode, to recognise a repetition.
    seen: Vec<(Vec<String>, usize, String)>,
    tokens: u64,
    attempts: Vec<Attempt>,
    best: Option<Box<Partial>>,
    /// The models that take no temperature, as their servers have said in this run.
    takes_no_temperature: Vec<usize>,
    /// Whether the caller wants nothing more to be asked.
    is_vetoed: bool,
    /// What the contract said about the last answer.
    last: Option<jsonseam_adapter::Error>,
    /// What was seen of the answer that is being written.
    #[cfg(feature = "stream")]
    watched: Option<Box<watch::Watched>>,
    /// Whether the answer that is judged was given up.
    has_given_up: bool,
    state: State,
}

/// A model, and a mode to ask it in.
#[derive(Debug, Clone, Copy, Default)]
struct Link {
    model: usize,
    mode: Mode,
}

/// The models in their order, each in every mode.
fn chain(reask: &Reask) -> Vec<Link> {
    let modes = reask.settings.chain();
    (0..reask.models.len().max(1)).flat_map(|model| modes.iter().map(move |&mode| Link { model, mode })).collect()
}

enum State {
    /// A request is to be sent, or is on its way.
    Asking(Box<Flight>),
    /// A request is to be sent again, later.
    Waiting(Box<Flight>, Duration),
    Done(Result<Box<Outputs>, (Error, Stop)>),
}

/// What follows an answer that does not meet the contract.
enum Next {
    /// The model is asked again.
    Again(Cause),
    /// The next mode is tried; without one, this is the end.
    Mode(Stop),
    End(Stop),
}

/// A request and what is known about it.
struct Flight {
    request: Request,
    cause: Cause,
    /// The fields that are asked for and what they are merged with, in the scope `failing-fields`.
    base: Option<Base>,
    /// When it was first sent.
    sent: Option<Duration>,
    retries: u32,
    span: tracing::Span,
}

impl Flight {
    /// The fields that are asked for; none for all.
    fn fields(&self) -> Vec<String> {
        self.base.as_ref().map(|base| base.failing.clone()).unwrap_or_default()
    }
}

impl Reask {
    /// A run as a machine without input and output, for drivers of your own. `now` is the time of the clock that all later calls tell.
    pub fn machine(&self, conversation: impl Into<Conversation>, now: Duration) -> Machine {
        Machine::new(self.clone(), conversation.into(), now)
    }
}

impl Machine {
    pub(crate) fn new(reask: Reask, conversation: Conversation, now: Duration) -> Self {
        let mut machine = Self {
            started: now,
            chain: chain(&reask),
            is_vetoed: false,
            link: 0,
            reasks: 0,
            has_asked_shorter: false,
            backoff: Backoff::new(reask.settings.retries),
            seen: Vec::new(),
            tokens: 0,
            attempts: Vec::new(),
            best: None,
            takes_no_temperature: Vec::new(),
            last: None,
            #[cfg(feature = "stream")]
            watched: None,
            has_given_up: false,
            state: State::Done(Err((TransportError::new(TransportKind::NotSent).into(), Stop::Cancelled))),
            conversation,
            reask,
        };
        machine.ask_first(Cause::First);
        machine
    }

    /// What to do now. Asked again without an answer in between, it says the same again.
    pub fn step(&mut self, now: Duration) -> Step {
        if let State::Waiting(_, until) = &self.state
            && now < *until
        {
            return Step::Wait(until.saturating_sub(now));
        }
        match self.take_flight() {
            None => Step::Done,
            Some(_) if now >= self.end() => {
                self.stop_early(Stop::Deadline);
                Step::Done
            }
            Some(flight) if flight.sent.is_none() && self.is_known(now, &flight) => Step::Done,
            Some(mut flight) => {
                flight.sent.get_or_insert(now);
                let mut request = flight.request.clone();
                request.timeout = self.end().saturating_sub(now);
                self.begin_watch(&flight);
                self.state = State::Asking(flight);
                Step::Ask(Box::new(request))
            }
        }
    }

    /// Takes what came of the request that [`step`](Self::step) asked for. Without such a request it does nothing.
    pub fn answer(&mut self, now: Duration, answer: Result<Response, TransportError>) {
        if !matches!(&self.state, State::Asking(flight) if flight.sent.is_some()) {
            return;
        }
        let Some(flight) = self.take_flight() else { return };
        match answer {
            Ok(response) => self.judge(now, &flight, &response),
            Err(error) => self.fail(now, flight, error),
        }
    }

    /// The attempts that are over.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The result. A run that is not over counts as cancelled, with everything on record so far.
    pub fn finish(mut self) -> Result<Answer, Failure> {
        if !matches!(self.state, State::Done(_)) {
            self.stop_early(Stop::Cancelled);
        }
        let attempts = std::mem::take(&mut self.attempts);
        match self.state {
            State::Done(Ok(outputs)) => Ok(Answer { outputs: *outputs, attempts }),
            State::Done(Err((error, stop))) => {
                let settings = &self.reask.settings;
                let may_be_partial = settings.on_exhausted == OnExhausted::Partial && !settings.strict;
                Err(Failure { error, stop, partial: self.best.filter(|_| may_be_partial), attempts })
            }
            // `stop_early` has ended every other state.
            State::Asking(_) | State::Waiting(..) => Err(Failure {
                error: TransportError::new(TransportKind::NotSent).into(),
                stop: Stop::Cancelled,
                partial: None,
                attempts,
            }),
        }
    }

    fn end(&self) -> Duration {
        self.started.saturating_add(self.reask.settings.deadline)
    }

    /// The request at hand, taken out; the state is put back if there is none.
    fn take_flight(&mut self) -> Option<Box<Flight>> {
        let placeholder = State::Done(Err((TransportError::new(TransportKind::NotSent).into(), Stop::Cancelled)));
        match std::mem::replace(&mut self.state, placeholder) {
            State::Asking(flight) | State::Waiting(flight, _) => Some(flight),
            done @ State::Done(_) => {
                self.state = done;
                None
            }
        }
    }

    fn link(&self) -> Link {
        self.chain.get(self.link).copied().unwrap_or_default()
    }

    fn mode(&self) -> Mode {
        self.link().mode
    }

    // Answers.

    /// Whether the cache holds an answer that meets the contract; then the run is over. Any other is passed over.
    fn is_known(&mut self, now: Duration, flight: &Flight) -> bool {
        let known = self.reask.cache.as_ref().and_then(|cache| cache.get(&flight.request));
        let Some(response) = known else {
            // The request is still to be sent.
            return false;
        };
        let (completion, judged) = judge_response(&self.reask, flight.request.mode, &response, flight.base.as_ref());
        let Ok(outputs) = judged.result else { return false };
        let status = if judged.is_repaired { AttemptStatus::Repaired } else { AttemptStatus::Valid };
        let length = completion.len();
        self.record(
            now,
            flight,
            Some((&Response { usage: None, ..response.clone() }, length)),
            status,
            Vec::new(),
            true,
        );
        self.state = State::Done(Ok(Box::new(outputs)));
        true
    }

    fn judge(&mut self, now: Duration, flight: &Flight, response: &Response) {
        if let Some(refusal) = response.refusal.as_deref().filter(|refusal| !refusal.trim().is_empty()) {
            let error = TransportError::new(TransportKind::ModelRefused).with_detail(refusal);
            return self.end_withheld(now, flight, response, error);
        }
        let hopeless = self.given_up(response);
        self.has_given_up = hopeless.is_some();
        let (completion, judged) = if let Some((came, error)) = hopeless {
            // What came is no cut answer: the end of it could not have helped.
            (came, Judged { result: Err(Box::new(error)), is_repaired: false })
        } else {
            self.watch_rest(response);
            let _inside = flight.span.enter();
            judge_response(&self.reask, flight.request.mode, response, flight.base.as_ref())
        };
        let number = flight.request.attempt;
        let is_thought = |envelope: &Arc<dyn Envelope>| envelope.ends_in_thoughts(&completion);
        if let Err(error) = &judged.result
            && !self.reask.envelope.as_ref().is_some_and(is_thought)
        {
            self.keep_best(error, number);
        }
        // What a filter or the model itself has left is an answer if it meets the contract; else no further request can help.
        let withheld = response.finish_reason.as_deref().and_then(TransportError::of_finish_reason);
        if let (Err(_), Some(error)) = (&judged.result, withheld) {
            return self.end_withheld(now, flight, response, error);
        }
        self.count(flight, response, &completion);
        let (status, errors) = match &judged.result {
            Ok(_) if judged.is_repaired => (AttemptStatus::Repaired, Vec::new()),
            Ok(_) => (AttemptStatus::Valid, Vec::new()),
            Err(error) => (AttemptStatus::Refused, vec![code(error)]),
        };
        self.record(now, flight, Some((response, completion.len())), status, errors, false);
        let was_given_up = std::mem::take(&mut self.has_given_up);
        if let (Ok(_), Some(cache)) = (&judged.result, &self.reask.cache) {
            cache.put(&flight.request, response);
        }
        match judged.result {
            Ok(outputs) => {
                self.end_watch(response, &outputs);
                self.state = State::Done(Ok(Box::new(outputs)));
            }
            Err(error) => {
                let is_cut = !was_given_up && is_cut(&error, response.finish_reason.as_deref());
                // The prompt hints at what the rules would have done, and so does the end of a run.
                self.last = Some(self.reask.adapter.explain(&error, &completion));
                self.go_on(now, flight.fields(), &completion, is_cut);
            }
        }
    }

    /// The end of a run whose answer the model or a filter kept back: asking again would be asking someone to change their mind.
    fn end_withheld(&mut self, now: Duration, flight: &Flight, response: &Response, error: TransportError) {
        let answer = Some((response, response.text.len()));
        self.record(now, flight, answer, AttemptStatus::Failed, vec![error.to_code()], false);
        let stop = error.stop();
        self.stop(error.into(), stop);
    }

    fn keep_best(&mut self, error: &jsonseam_adapter::Error, attempt: u32) {
        let Some(outputs) = error.partial() else { return };
        let is_better = self.best.as_ref().is_none_or(|best| outputs.len() >= best.outputs.len());
        if is_better && !outputs.is_empty() {
            self.best = Some(Box::new(Partial { outputs: outputs.clone(), attempt }));
        }
    }

    /// After an answer that does not meet the contract: ask again, go to the next mode, or stop.
    fn go_on(&mut self, now: Duration, fields: Vec<String>, completion: &str, is_cut: bool) {
        match self.decide(fields, completion, is_cut) {
            Next::End(stop) => self.stop_early(stop),
            Next::Mode(otherwise) => self.next_mode(now, otherwise),
            Next::Again(cause) => match self.obstacle(now) {
                Some(stop) => self.stop_early(stop),
                None => self.ask_again(cause, completion),
            },
        }
    }

    /// What follows, apart from what time and tokens allow.
    fn decide(&mut self, fields: Vec<String>, completion: &str, is_cut: bool) -> Next {
        let settings = &self.reask.settings;
        let key = (fields, completion.len(), digest(self.reask.digest_key, [completion.as_bytes()]));
        let is_repeated = self.seen.contains(&key);
        self.seen.push(key);
        let may_ask = settings.enabled && self.reasks < settings.max_attempts;
        if is_cut {
            let may_shorten = settings.on_truncation == OnTruncation::AskShorter && !self.has_asked_shorter;
            return if may_ask && may_shorten { Next::Again(Cause::Shorter) } else { Next::End(Stop::Truncated) };
        }
        if self.last.as_ref().is_some_and(|error| !error.is_retryable()) {
            return Next::End(Stop::NotRetryable);
        }
        match (is_repeated, may_ask) {
            (true, _) => Next::Mode(Stop::Repeated),
            (false, false) => Next::Mode(Stop::Exhausted),
            (false, true) => Next::Again(Cause::SchemaRepair),
        }
    }

    /// The next mode of the chain, or the end.
    fn next_mode(&mut self, now: Duration, otherwise: Stop) {
        if self.link + 1 >= self.chain.len() {
            return self.stop_early(otherwise);
        }
        if let Some(stop) = self.obstacle(now) {
            return self.stop_early(stop);
        }
        self.link += 1;
        self.reasks = 0;
        self.seen.clear();
        let reason = self.attempts.last().and_then(|attempt| attempt.errors.first().cloned()).unwrap_or_default();
        self.tell(Phase::Fallback, small(self.link), small(self.chain.len() - 1), Duration::ZERO, reason);
        self.ask_first(Cause::Fallback);
    }

    /// What forbids another request: the caller does, or no time or no tokens are left.
    fn obstacle(&self, now: Duration) -> Option<Stop> {
        if self.is_vetoed {
            return Some(Stop::Vetoed);
        }
        if now >= self.end() {
            return Some(Stop::Deadline);
        }
        self.reask.settings.token_budget.filter(|&budget| self.tokens >= budget).map(|_| Stop::TokenBudget)
    }

    // Ends.

    fn stop(&mut self, error: Error, stop: Stop) {
        self.state = State::Done(Err((error, stop)));
    }

    /// Stops between two requests: the error is what the contract said last.
    fn stop_early(&mut self, stop: Stop) {
        let nothing = || {
            let kind = if stop == Stop::Deadline { TransportKind::Timeout } else { TransportKind::NotSent };
            TransportError::new(kind).into()
        };
        let error = self.last.take().map_or_else(nothing, Error::from);
        self.stop(error, stop);
    }
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Machine")
            .field("attempts", &self.attempts)
            .field("is_done", &matches!(self.state, State::Done(_)))
            .finish_non_exhaustive()
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn length(messages: &[Message]) -> usize {
    messages.iter().map(|message| message.content.len()).sum()
}
