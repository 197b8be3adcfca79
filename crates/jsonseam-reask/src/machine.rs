//! The loop as a machine without input and output: states in, the next step out, the time given from outside.

use std::time::Duration;

use jsonseam_adapter::Outputs;

use crate::attempt::{Attempt, AttemptStatus, Cause, shown_reason};
use crate::backoff::Backoff;
use crate::digest::digest;
use crate::fields::{Base, base};
use crate::judge::{code, completion_of, is_cut, judge};
use crate::message::{Conversation, Message, Mode, Request, Response, Role};
use crate::outcome::{Answer, Error, Failure, Partial, Stop};
use crate::progress::{Phase, Progress};
use crate::prompt;
use crate::reask::Reask;
use crate::settings::{OnExhausted, OnTruncation};
use crate::transport::{TransportError, TransportKind};

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
/// [`step`](Self::step) says what to do, [`answer`](Self::answer) takes what came of it, and both are told the time; so a test can run years in a moment.
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
/// A machine that is dropped leaves nothing behind.
pub struct Machine {
    reask: Reask,
    conversation: Conversation,
    started: Duration,
    chain: Vec<Mode>,
    /// The place in the chain of modes.
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
    /// What the contract said about the last answer.
    last: Option<jsonseam_adapter::Error>,
    state: State,
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

impl Machine {
    pub(crate) fn new(reask: Reask, conversation: Conversation, now: Duration) -> Self {
        let mut machine = Self {
            started: now,
            chain: reask.settings.chain(),
            link: 0,
            reasks: 0,
            has_asked_shorter: false,
            backoff: Backoff::new(reask.settings.retries),
            seen: Vec::new(),
            tokens: 0,
            attempts: Vec::new(),
            best: None,
            last: None,
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
            Some(mut flight) => {
                flight.sent.get_or_insert(now);
                let mut request = flight.request.clone();
                request.timeout = self.end().saturating_sub(now);
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

    fn mode(&self) -> Mode {
        self.chain.get(self.link).copied().unwrap_or_default()
    }

    // Requests.

    /// The first request of a mode: the conversation, with the required format where the server does not tell the model.
    fn ask_first(&mut self, cause: Cause) {
        let tells_format = self.reask.settings.tells_format && self.mode() != Mode::JsonSchema;
        let format = tells_format.then(|| prompt::format_section(&self.reask.format));
        let temperature = self.conversation.temperature;
        self.send(cause, format, temperature, None);
    }

    /// A re-ask: the conversation again, with a repair prompt in place of any earlier one.
    fn ask_again(&mut self, cause: Cause, completion: &str) {
        let Some(unmet) = &self.last else { return };
        let (settings, mode) = (&self.reask.settings, self.mode());
        let is_shorter = cause == Cause::Shorter;
        let base = if is_shorter { None } else { base(settings, unmet, &self.reask.format) };
        let number = self.reasks.saturating_add(1);
        let fields = base.as_ref().map(|base| base.failing.as_slice()).unwrap_or_default();
        let asked = prompt::Asked { number, mode, is_shorter, fields };
        let prompt = prompt::repair(&self.reask, completion, unmet, &asked);
        let reason = code(unmet);
        self.reasks = number;
        self.has_asked_shorter |= is_shorter;
        match prompt {
            Ok(prompt) => {
                self.tell(Phase::SchemaRepair, number, self.reask.settings.max_attempts, Duration::ZERO, reason);
                self.send(cause, Some(prompt), Some(0.0), base);
            }
            Err(error) => self.stop(error.into(), Stop::Template),
        }
    }

    fn send(&mut self, cause: Cause, text: Option<String>, temperature: Option<f64>, base: Option<Base>) {
        let mode = self.mode();
        let number = small(self.attempts.len()).saturating_add(1);
        let schema = match &base {
            Some(base) => base.schema(&self.reask.format).into(),
            None => std::sync::Arc::clone(&self.reask.schema),
        };
        let request = Request {
            messages: with_text(&self.conversation.messages, text),
            mode,
            schema: (mode == Mode::JsonSchema).then_some(schema),
            temperature,
            tools: self.conversation.tools.as_slice().into(),
            attempt: number,
            timeout: Duration::ZERO,
        };
        let span = tracing::info_span!(
            target: "jsonseam",
            "attempt",
            number,
            mode = mode.as_str(),
            cause = cause.as_str(),
            status = tracing::field::Empty,
            errors = tracing::field::Empty,
            transport_retries = tracing::field::Empty,
        );
        self.backoff.begin_request();
        self.state = State::Asking(Box::new(Flight { request, cause, base, sent: None, retries: 0, span }));
    }

    // Answers.

    fn judge(&mut self, now: Duration, flight: &Flight, response: &Response) {
        let completion = completion_of(response, &self.reask.format);
        let judged = {
            let _inside = flight.span.enter();
            judge(&self.reask, &completion, response.finish_reason.as_deref(), flight.base.as_ref())
        };
        self.count(flight, response, &completion);
        let number = flight.request.attempt;
        let (status, errors) = match &judged.result {
            Ok(_) if judged.is_repaired => (AttemptStatus::Repaired, Vec::new()),
            Ok(_) => (AttemptStatus::Valid, Vec::new()),
            Err(error) => (AttemptStatus::Refused, vec![code(error)]),
        };
        self.record(now, flight, Some((response, completion.len())), status, errors);
        match judged.result {
            Ok(outputs) => self.state = State::Done(Ok(Box::new(outputs))),
            Err(error) => {
                self.keep_best(&error, number);
                let is_cut = is_cut(&error, response.finish_reason.as_deref());
                self.last = Some(*error);
                self.go_on(now, flight.fields(), &completion, is_cut);
            }
        }
    }

    /// Adds the tokens that a request has cost; without the server's count, four bytes are one.
    fn count(&mut self, flight: &Flight, response: &Response, completion: &str) {
        let estimate = || {
            let bytes = length(&flight.request.messages).saturating_add(completion.len());
            u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
        };
        let tokens = response.usage.map_or_else(estimate, crate::message::Usage::total);
        self.tokens = self.tokens.saturating_add(tokens);
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
            return Next::End(Stop::Unmendable);
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

    /// What forbids another request: no time or no tokens are left.
    fn obstacle(&self, now: Duration) -> Option<Stop> {
        if now >= self.end() {
            return Some(Stop::Deadline);
        }
        self.reask.settings.token_budget.filter(|&budget| self.tokens >= budget).map(|_| Stop::TokenBudget)
    }

    // Transport.

    fn fail(&mut self, now: Duration, mut flight: Box<Flight>, error: TransportError) {
        let pause = if now < self.end() { self.backoff.after(&error) } else { None };
        let resumed = pause.map(|pause| now.saturating_add(pause));
        if let (Some(pause), Some(until)) = (pause, resumed.filter(|&until| until < self.end())) {
            flight.retries = flight.retries.saturating_add(1);
            let reason = format!("{}/{}", error.code(), error.reason());
            let (number, maximum) = self.backoff.latest(&error);
            self.tell(Phase::TransportRetry, number, maximum, pause, reason);
            self.state = State::Waiting(flight, until);
            return;
        }
        let is_late = resumed.is_some() || now >= self.end();
        let code = format!("{}/{}", error.code(), error.reason());
        self.record(now, &flight, None, AttemptStatus::Failed, vec![code]);
        if error.may_be_the_mode() && self.link + 1 < self.chain.len() {
            return self.next_mode(now, Stop::Transport);
        }
        if is_late {
            let error = self.last.take().map_or_else(|| error.into(), Error::from);
            return self.stop(error, Stop::Deadline);
        }
        self.stop(error.into(), Stop::Transport);
    }

    // Ends and records.

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

    /// Puts an attempt on record. `answer` is what came back, with the length of what was judged.
    fn record(
        &mut self,
        now: Duration,
        flight: &Flight,
        answer: Option<(&Response, usize)>,
        status: AttemptStatus,
        errors: Vec<String>,
    ) {
        let messages = &flight.request.messages;
        let parts = messages
            .iter()
            .flat_map(|message| [message.role.as_str().as_bytes(), b":", message.content.as_bytes(), b"\n"]);
        let attempt = Attempt {
            number: flight.request.attempt,
            cause: flight.cause,
            mode: flight.request.mode,
            prompt_digest: digest(self.reask.digest_key, parts),
            prompt_length: length(messages),
            completion_length: answer.map(|(_, length)| length),
            finish_reason: answer.and_then(|(response, _)| shown_reason(response.finish_reason.as_deref()?)),
            status,
            errors,
            usage: answer.and_then(|(response, _)| response.usage),
            transport_retries: flight.retries,
            elapsed: now.saturating_sub(flight.sent.unwrap_or(now)),
        };
        flight.span.record("status", status.as_str());
        flight.span.record("errors", attempt.errors.join(","));
        flight.span.record("transport_retries", attempt.transport_retries);
        tracing::debug!(target: "jsonseam", parent: &flight.span, elapsed_ms = ms(attempt.elapsed), "attempt is over");
        if let Some(watch) = &self.reask.on_attempt {
            watch(&attempt);
        }
        self.attempts.push(attempt);
    }

    fn tell(&self, phase: Phase, attempt: u32, maximum: u32, delay: Duration, reason: String) {
        if let Some(watch) = &self.reask.on_progress {
            watch(&Progress { phase, attempt, maximum, delay, reason, started_at: self.started });
        }
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

/// The conversation with the loop's own text, which joins the last message if that is the user's: some servers want the roles to alternate.
fn with_text(messages: &[Message], text: Option<String>) -> Vec<Message> {
    let mut messages = messages.to_vec();
    let Some(text) = text else { return messages };
    match messages.last_mut() {
        Some(last) if last.role == Role::User => {
            last.content.push_str("\n\n");
            last.content.push_str(&text);
        }
        _ => messages.push(Message::user(text)),
    }
    messages
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn length(messages: &[Message]) -> usize {
    messages.iter().map(|message| message.content.len()).sum()
}
