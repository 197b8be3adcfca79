//! A completion that is still being written: repaired as it comes, and told for good (SPEC T1 to T6).
//!
//! The engine is that of a whole text. It goes on with each piece as far as what is there decides, so every decision is the one that the whole text
//! leads to. What no later edit can change is *settled*: it is returned once and never taken back. Where the payload starts is taken from the first
//! sign; [`finish`](Stream::finish) locates it in the whole text as well, and refuses if that says otherwise.

mod options;
mod sign;
mod snapshot;
mod units;
mod walk;

pub use self::options::{Commit, StreamOptions, StreamState, StreamWork};
pub use self::sign::Sign;
use self::sign::{Horizon, Looking};
pub use self::snapshot::Snapshot;
pub use self::units::Units;
use self::walk::Walk;
pub use self::walk::{Event, Path};
use crate::attempt::options::{FinishReason, RepairOptions};
use crate::attempt::{Attempt, Begun};
use crate::derived::debug_facts;
use crate::engine::{Done, Piece, Progress, Refused, Sight, Task};
use crate::locate::Seen;
use crate::pipeline::Pipeline;
use crate::reading::limits::Limit;
use crate::reading::openers::byte_before;
use crate::reading::position::Position;
use crate::reading::scan::string_content_end;
use crate::reading::wanted::Policy;
use crate::results::error::Error;
use crate::results::reason::Reason;
use crate::results::repaired::Repaired;

/// What a piece earns for looking again at a fault that depended on text that was not there, in steps a byte.
const EARNED: u64 = 4;

/// What is longer is not looked at for being plain content of a string.
const SHORT: usize = 64;

/// A completion that comes in pieces. Made by [`Pipeline::stream`].
///
/// It is `'static` and [`Send`]: it may be kept, and go from thread to thread. It holds the text, and memory linear in it.
pub struct Stream {
    pipeline: Pipeline,
    options: StreamOptions,
    text: String,
    /// The bytes of a character that is cut.
    cut: Vec<u8>,
    /// What was looked at in search of the payload, and the payload once its start is known.
    looking: Looking,
    payload: Option<Box<Payload>>,
    sight: Sight,
    walk: Walk,
    done: Done,
    /// What was earned since faults were last looked at, what looking again costs, and how much text there was then.
    credit: u64,
    price: u64,
    looked_at: usize,
    /// The error of a piece that was not taken: what follows it is not read either.
    broken: Option<Error>,
    /// A refusal that no push has returned yet: what settled before it is told first.
    refusal: Option<Error>,
}

/// The payload that is read.
struct Payload {
    start: usize,
    /// What announced it, until that is told.
    sign: Option<Sign>,
    horizon: Horizon,
    /// Whether it ends where its root closes.
    is_open_ended: bool,
    /// How far its repair has come, if that has begun.
    progress: Progress,
}

debug_facts!(Stream, |stream| received: stream.text.len(), settled: stream.walk.text.len(), state: stream.state());

impl Pipeline {
    /// A completion that comes in pieces, repaired as it comes.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::{Event, StreamOptions};
    ///
    /// let mut stream = pipeline.stream(StreamOptions::new());
    /// let mut done = Vec::new();
    /// for piece in ["{\"city\": \"Os", "lo\", \"size\": 7", "}"] {
    ///     let mut events = stream.push(piece)?;
    ///     while let Some(event) = events.next() {
    ///         if let Event::Done { path, json, .. } = event {
    ///             done.push(format!("{path} is {json}"));
    ///         }
    ///     }
    /// }
    /// // A number is whole once what ends it is final.
    /// assert_eq!(done, ["/city is \"Oslo\"", "/size is 7", " is {\"city\": \"Oslo\", \"size\": 7}"]);
    /// assert_eq!(stream.finish(None)?.text(), "{\"city\": \"Oslo\", \"size\": 7}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(&self, options: StreamOptions) -> Stream {
        Stream {
            pipeline: self.clone(),
            options,
            text: String::new(),
            cut: Vec::new(),
            looking: Looking::default(),
            payload: None,
            sight: Sight::default(),
            walk: Walk::default(),
            done: Done::default(),
            credit: 0,
            price: 0,
            looked_at: 0,
            broken: None,
            refusal: None,
        }
    }
}

impl Stream {
    /// Takes the next piece. The error is a refusal that nothing which follows can change; it comes once, and [`finish`](Self::finish) repeats it.
    ///
    /// What settled before a refusal is told first: where a piece brings both, its events are given, and the next push returns the error.
    /// [`state`](Self::state) says at once that it is refused.
    ///
    /// All pushes together take time linear in the text, however small the pieces are.
    pub fn push(&mut self, piece: &str) -> Result<Events<'_>, Error> {
        // The rest of a character that is cut can only come as bytes.
        let is_broken = !self.cut.is_empty() && !piece.is_empty();
        self.take(if is_broken { "" } else { piece }, is_broken)
    }

    /// The same for bytes. Those of a character that is cut, at most three, wait for its rest.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<Events<'_>, Error> {
        let mut bytes = std::mem::take(&mut self.cut);
        bytes.extend_from_slice(piece);
        let (valid, is_broken) = match std::str::from_utf8(&bytes) {
            Ok(text) => (text.len(), false),
            Err(error) => (error.valid_up_to(), error.error_len().is_some()),
        };
        let rest = bytes.split_off(valid);
        if !is_broken {
            self.cut = rest;
        }
        self.take(std::str::from_utf8(&bytes).unwrap_or_default(), is_broken)
    }

    /// Takes a piece, after which the bytes are no UTF-8 if `is_broken`.
    /// Gives a refusal once there is nothing to tell before it, or if it has waited for a push.
    fn take(&mut self, piece: &str, is_broken: bool) -> Result<Events<'_>, Error> {
        let is_late = self.refusal.is_some();
        self.read(piece);
        if is_broken {
            self.fail(self.not_utf8());
        }
        let is_due = is_late || !self.has_events();
        match self.refusal.take_if(|_| is_due) {
            Some(refusal) => Err(refusal),
            None => Ok(Events { stream: self }),
        }
    }

    /// Goes on with a piece.
    fn read(&mut self, piece: &str) {
        if self.broken.is_some() || piece.is_empty() {
            return;
        }
        if self.text.len() + piece.len() > self.pipeline.limits().max_input_bytes {
            return self.fail(Error::limit(Limit::InputBytes));
        }
        self.text.push_str(piece);
        if !self.pass() {
            self.credit += EARNED * piece.len() as u64;
            self.go_on();
        }
    }

    fn not_utf8(&self) -> Error {
        Error::new(Reason::InvalidUtf8).at(Position::of(self.text.len(), &self.text))
    }

    /// Notes that a piece was not taken, so that the text which is there does not pass for the whole one.
    fn fail(&mut self, error: Error) {
        if self.broken.is_none() {
            self.refusal.get_or_insert_with(|| error.clone());
            self.broken = Some(error);
        }
    }

    /// What came so far, without the bytes of a character that is cut, and without what was not taken.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The repaired text so far. It only grows, and is the start of the text that [`finish`](Self::finish) gives, without white space before it.
    pub fn settled(&self) -> &str {
        &self.walk.text
    }

    /// What came and is not settled, as it came.
    pub fn tail(&self) -> &str {
        self.text.get(self.done.pos..).unwrap_or_default()
    }

    /// The value so far.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot { walk: &self.walk }
    }

    /// How far it has come.
    pub fn state(&self) -> StreamState {
        if self.broken.is_some() {
            return StreamState::Refused;
        }
        let Some(payload) = &self.payload else { return StreamState::Looking };
        match (payload.progress.result(), payload.progress.waits_at()) {
            (Some(Ok(_)), _) => StreamState::Ended,
            (Some(Err(_)), _) => StreamState::Refused,
            (None, Some(at)) => StreamState::Waiting { at, since: self.text.len() - self.looked_at },
            (None, None) => StreamState::Reading,
        }
    }

    /// What it has cost so far.
    pub fn work(&self) -> StreamWork {
        let (decided, retried) = self.payload.as_ref().map(|payload| payload.progress.work()).unwrap_or_default();
        StreamWork { decided: decided.made(), retried }
    }

    /// Ends the text. The result is that of [`Pipeline::repair_with`] for the whole of it; if the payload that is chosen there is not the one that was
    /// told of, it is refused as [`ambiguous_payload`](Reason::AmbiguousPayload).
    ///
    /// `reason` says why the model stopped, if it is known.
    pub fn finish(self, reason: Option<FinishReason>) -> Result<Repaired<'static>, Error> {
        self.finish_with(reason, |_| {})
    }

    /// The same; `tell` takes the events that are left.
    pub fn finish_with(
        mut self,
        reason: Option<FinishReason>,
        mut tell: impl FnMut(Event<'_>),
    ) -> Result<Repaired<'static>, Error> {
        // What is settled is told whatever the end says.
        self.tell_settled(&mut tell);
        if let Some(error) = self.broken {
            return Err(error);
        }
        if !self.cut.is_empty() {
            return Err(self.not_utf8());
        }
        let is_refused = self.state() == StreamState::Refused;
        let text = std::mem::take(&mut self.text);
        let start = self.payload.as_ref().map(|payload| payload.start);
        let begun = self.payload.as_mut().map(|payload| Begun {
            start: payload.start,
            is_open_ended: payload.is_open_ended,
            progress: std::mem::take(&mut payload.progress),
        });
        let told = if let Commit::At(at) = self.options.commit { Some(at.min(text.len())) } else { None };
        let options = RepairOptions::new().with_finish_reason(reason).with_evidence(self.options.evidence.as_deref());
        let repaired = match self.pipeline.finish_stream(&text, told, &options, begun) {
            Ok(repaired) => repaired,
            Err(error) => {
                self.text = text;
                self.catch_up();
                self.tell_settled(&mut tell);
                return Err(error);
            }
        };
        if let Some(start) = start {
            let is_same = payload_start(&repaired) == start
                && repaired.text().trim_start().starts_with(&self.walk.text)
                && self.walk.is_told_of(repaired.journal.entries());
            // The whole text has another payload than the one that was told of.
            if is_refused || !is_same {
                let error = Error::new(Reason::AmbiguousPayload).among(vec![start..text.len(), repaired.payload()]);
                return Err(error.at(Position::of(start, &text)));
            }
        }
        self.tell_rest(&repaired, &text);
        let repaired = repaired.into_owned();
        self.tell_settled(&mut tell);
        Ok(repaired)
    }

    fn tell_settled(&mut self, tell: &mut impl FnMut(Event<'_>)) {
        let mut events = Events { stream: self };
        while let Some(event) = events.next() {
            tell(event);
        }
    }

    /// Settles at least what would be if the text that is there had come in one piece: for a caller who knows that a value ends here, and wants
    /// its events before more comes. It costs what reading the text since the last settled place costs. A refused text is settled so at its end:
    /// then the pieces decide nothing (SPEC T1).
    ///
    /// ```
    /// use jsonseam_core::{Stream, StreamOptions};
    ///
    /// fn whole_value(stream: &mut Stream, last_piece: &str) -> Result<usize, jsonseam_core::Error> {
    ///     stream.push(last_piece)?;
    ///     stream.catch_up();
    ///     Ok(stream.settled().len())
    /// }
    /// ```
    pub fn catch_up(&mut self) {
        if self.done.pos < self.text.len() && self.payload.is_some() {
            self.price = 0;
            self.go_on();
        }
    }

    /// Settles the rest of the text.
    fn tell_rest(&mut self, repaired: &Repaired<'_>, text: &str) {
        let end = repaired.payload.start + repaired.source.trim_end().len();
        if self.done.pos == 0 {
            self.done.pos = payload_start(repaired);
        }
        let from = self.walk.text.len();
        for entry in repaired.journal.entries().iter().skip(self.done.edits) {
            let span = entry.span();
            self.walk.keep(text, self.done.pos..span.start);
            self.walk.replace(span.clone(), repaired.journal.replacement(entry), entry.rule());
            self.done.pos = span.end;
        }
        self.walk.keep(text, self.done.pos..end);
        self.walk.read(from);
        self.walk.end();
    }

    /// Settles plain content of a string of which all is settled that may be, as most pieces are: [`go_on`](Self::go_on) in short.
    fn pass(&mut self) -> bool {
        let Some(Payload { horizon, progress, .. }) = self.payload.as_deref_mut() else { return false };
        let Some(from) = horizon.line_goes_on().filter(|_| self.done.pos == self.sight.solid) else { return false };
        let new = self.text.get(from..).unwrap_or_default();
        let is_plain = new.len() <= SHORT && string_content_end(new.as_bytes(), 0) == new.len() && !new.contains('`');
        if !is_plain {
            return false;
        }
        let end = from + new.trim_end().len();
        if end == from || !progress.pass(from, end) {
            return false;
        }
        horizon.pass(self.text.len(), end);
        self.sight.see(&self.text, end);
        self.walk.keep(&self.text, self.done.pos..self.sight.solid);
        (self.done.pos, self.price, self.credit, self.looked_at) = (self.sight.solid, 0, 0, self.text.len());
        true
    }

    /// Whether anything is settled that was not told.
    fn has_events(&self) -> bool {
        self.payload.as_ref().is_some_and(|payload| payload.sign.is_some()) || self.walk.has_events()
    }

    /// Goes on with what is there.
    fn go_on(&mut self) {
        let settings = &self.pipeline.0;
        if self.payload.is_none() {
            let found = match self.options.commit {
                Commit::At(at) => (self.text.len() > at).then_some((at, Sign::Told)),
                Commit::FirstSign if settings.policy == Policy::First => self.looking.look(&self.text, settings.root),
                Commit::FirstSign | Commit::Late => None,
            };
            let Some((start, sign)) = found else { return };
            let (horizon, progress) = (Horizon::new(start, sign == Sign::Fence), Progress::default());
            let is_open_ended = sign != Sign::Told && {
                let (options, seen) = (RepairOptions::new(), Seen::default());
                Attempt::new(settings, &self.text, &options, &seen).is_open_ended(start)
            };
            self.payload = Some(Box::new(Payload { start, sign: Some(sign), horizon, is_open_ended, progress }));
            (self.done.pos, self.sight) = (start, Sight::at(start, settings.rules.reach_of_all));
        }
        let Some(payload) = &mut self.payload else { return };
        let end = payload.horizon.see(&self.text);
        if payload.progress.result().is_some() || self.credit < self.price || end <= payload.start {
            return;
        }
        // The payload as far as it may be looked at.
        let task = Task {
            completion: &self.text,
            bytes: self.text.len(),
            start: payload.start,
            end,
            is_open_ended: payload.is_open_ended,
            before: byte_before(&self.text, payload.start),
            is_region_end: true,
            is_last: true,
            breaks_off: false,
            checkpoint: None,
            is_open: true,
            rules: &settings.rules,
            limits: &settings.limits,
            thresholds: settings.thresholds,
            evidence: self.options.evidence.as_deref(),
            work: Progress::reckoned(self.text.len()),
        };
        let progress = &mut payload.progress;
        if !progress.glide(&task) {
            *progress = std::mem::take(progress).proceed(&task);
        }
        (self.price, self.credit, self.looked_at) = (progress.in_vain, 0, self.text.len());
        self.sight.see(&self.text, end);
        let from = self.walk.text.len();
        let (walk, text) = (&mut self.walk, &self.text);
        progress.settle(&task, self.sight, &mut self.done, &mut |piece| match piece {
            Piece::Kept(span) => walk.keep(text, span),
            Piece::Edit { span, replacement, rule } => walk.replace(span, replacement, rule),
        });
        walk.read(from);
        if let Some(Err(refused)) = progress.result() {
            self.refusal = Some(refusal(refused, text));
        }
    }
}

/// The events of one push. What is not taken comes with the next one: dropping it loses nothing.
#[derive(Debug)]
pub struct Events<'s> {
    stream: &'s mut Stream,
}

impl Events<'_> {
    /// The next event, until the next one is asked for.
    #[allow(clippy::should_implement_trait, reason = "an event borrows from the stream, as no item of an iterator can")]
    pub fn next(&mut self) -> Option<Event<'_>> {
        let stream = &mut *self.stream;
        if let Some(payload) = &mut stream.payload
            && let Some(sign) = payload.sign.take()
        {
            return Some(Event::Payload { start: payload.start, sign });
        }
        stream.walk.next(&stream.pipeline.0.rules.infos)
    }
}

/// Where the value of a payload starts: white space may come before it.
fn payload_start(repaired: &Repaired<'_>) -> usize {
    repaired.payload.start + (repaired.source.len() - repaired.source.trim_start().len())
}

/// The error of a refusal that nothing which follows can change.
fn refusal(refused: &Refused, text: &str) -> Error {
    let error = match (&refused.limit, &refused.ambiguity) {
        (Some((limit, _)), _) => Error::limit(*limit),
        (None, Some(_)) => Error::new(Reason::AmbiguousRepair),
        (None, None) => Error::new(Reason::Syntax).expecting(refused.expected),
    };
    error.at(Position::of(refused.site.pos, text))
}
