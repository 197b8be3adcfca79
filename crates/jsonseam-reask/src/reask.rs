//! The loop as its users hold it: an adapter, settings, and who watches.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use jsonseam_adapter::Adapter;

use crate::attempt::Attempt;
use crate::cache::AnswerCache;
use crate::digest::DigestKey;
use crate::envelope::Envelope;
#[cfg(feature = "stream")]
use crate::event::AnswerEvent;
use crate::json::JsonText;
use crate::message::Mode;
use crate::progress::Progress;
use crate::prompt::format::Format;
use crate::settings::{Echo, OnExhausted, OnTruncation, Scope, Settings, Temperature};
use crate::template::Template;

/// A watcher of the run.
type Watch<T, R = ()> = Arc<dyn Fn(&T) -> R + Send + Sync>;

/// What takes the events of an answer while it is written.
#[cfg(feature = "stream")]
pub(crate) type Teller = Arc<dyn Fn(&AnswerEvent<'_>) + Send + Sync>;

/// What a watcher of attempts gives back: nothing, or whether the loop may go on.
///
/// `ControlFlow::Break(())` is a veto: nothing more is asked, and the run ends with [`Stop::Vetoed`](crate::Stop::Vetoed) unless the answer met the contract.
pub trait Veto {
    /// Whether nothing more may be asked.
    fn is_veto(&self) -> bool;
}

impl Veto for () {
    fn is_veto(&self) -> bool {
        false
    }
}

impl Veto for ControlFlow<()> {
    fn is_veto(&self) -> bool {
        self.is_break()
    }
}

/// The self-repair loop over one contract: asks a model, judges the answer, tells the model what is wrong, asks again, never more than agreed.
///
/// It calls nothing by itself: the model is what you pass to [`run`](Self::run) (SPEC L0).
/// Cheap to clone, so settings for one call are a clone with other settings.
#[derive(Clone)]
pub struct Reask {
    pub(crate) adapter: Arc<Adapter>,
    pub(crate) settings: Settings,
    pub(crate) template: Template,
    pub(crate) envelope: Option<Arc<dyn Envelope>>,
    pub(crate) on_progress: Option<Watch<Progress>>,
    pub(crate) on_attempt: Option<Watch<Attempt, bool>>,
    #[cfg(feature = "stream")]
    pub(crate) on_event: Option<Teller>,
    pub(crate) models: Vec<String>,
    pub(crate) cache: Option<Arc<dyn AnswerCache>>,
    pub(crate) digest_key: DigestKey,
    pub(crate) format: Arc<Format>,
    pub(crate) schema: JsonText,
}

impl Reask {
    /// The loop over this contract, with the settings of [`Settings::default`].
    pub fn new(adapter: Adapter) -> Self {
        let format = Format::of(&adapter);
        Self {
            schema: format.schema(),
            format: Arc::new(format),
            adapter: Arc::new(adapter),
            settings: Settings::default(),
            template: Template::default(),
            envelope: None,
            on_progress: None,
            on_attempt: None,
            #[cfg(feature = "stream")]
            on_event: None,
            models: Vec::new(),
            cache: None,
            digest_key: DigestKey::random(),
        }
    }

    /// All settings at once, such as those of a file.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.template = settings.template.clone().unwrap_or_default();
        self.settings = settings;
        self
    }

    /// Whether an answer that does not meet the contract is asked for again.
    #[must_use]
    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.settings.enabled = is_enabled;
        self
    }

    /// Most re-asks in each mode.
    #[must_use]
    pub fn max_attempts(mut self, count: u32) -> Self {
        self.settings.max_attempts = count;
        self
    }

    /// Whether partial answers are refused outright.
    #[must_use]
    pub fn strict(mut self, is_strict: bool) -> Self {
        self.settings.strict = is_strict;
        self
    }

    /// The time for everything.
    #[must_use]
    pub fn deadline(mut self, time: Duration) -> Self {
        self.settings.deadline = time;
        self
    }

    /// The tokens for everything.
    #[must_use]
    pub fn token_budget(mut self, tokens: u64) -> Self {
        self.settings.token_budget = Some(tokens);
        self
    }

    /// What the run returns when every attempt is used up.
    #[must_use]
    pub fn on_exhausted(mut self, choice: OnExhausted) -> Self {
        self.settings.on_exhausted = choice;
        self
    }

    /// Whether an answer is given up while it is written, once nothing can make it one. Without this, only where no partial answer is returned, the contract
    /// takes the first payload, and no envelope is looked for; with it, the caller says that the answer is the first payload of the text.
    #[must_use]
    pub fn gives_up(mut self, gives_up: bool) -> Self {
        self.settings.gives_up = Some(gives_up);
        self
    }

    /// What follows an answer that was cut off.
    #[must_use]
    pub fn on_truncation(mut self, choice: OnTruncation) -> Self {
        self.settings.on_truncation = choice;
        self
    }

    /// What a re-ask asks for.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.settings.scope = scope;
        self
    }

    /// Whether the model sees its last answer again.
    #[must_use]
    pub fn echo(mut self, echo: Echo) -> Self {
        self.settings.echo = echo;
        self
    }

    /// The first mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// The modes that follow when one has failed.
    #[must_use]
    pub fn fallback(mut self, modes: impl IntoIterator<Item = Mode>) -> Self {
        self.settings.fallback = modes.into_iter().collect();
        self
    }

    /// A prompt template in place of the built-in one.
    #[must_use]
    pub fn template(mut self, template: Template) -> Self {
        self.settings.template = Some(template.clone());
        self.template = template;
        self
    }

    /// What takes an answer out of the wrapper of a tool call, once it is not valid JSON as it is (SPEC L1).
    #[must_use]
    pub fn envelope(mut self, envelope: impl Envelope + 'static) -> Self {
        self.envelope = Some(Arc::new(envelope));
        self
    }

    /// Calls `watch` before each repetition (SPEC L8).
    #[must_use]
    pub fn on_progress(mut self, watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.on_progress = Some(Arc::new(watch));
        self
    }

    /// Calls `watch` after each attempt; its answer may veto any further one.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use jsonseam_adapter::Adapter;
    /// use jsonseam_reask::{Reask, Request, Response, Stop, TransportError};
    ///
    /// let reask = Reask::new(Adapter::builder().output("city").build()?).on_attempt(|attempt| {
    ///     // Whoever answers so briefly will not do better.
    ///     if attempt.completion_length < Some(10) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// });
    /// let mut model = |_: Request| -> Result<Response, TransportError> { Ok("no".into()) };
    /// let failure = reask.run_blocking(&mut model, "Where?").unwrap_err();
    /// assert_eq!((failure.stop, failure.attempts.len()), (Stop::Vetoed, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_attempt<V: Veto>(mut self, watch: impl Fn(&Attempt) -> V + Send + Sync + 'static) -> Self {
        self.on_attempt = Some(Arc::new(move |attempt| watch(attempt).is_veto()));
        self
    }

    /// Calls `tell` with the fields of an answer while the model still writes it, and with which attempt they are of.
    ///
    /// What was told of an attempt counts once its answer has met the contract; before that it is for showing. The text of the answer is read as it comes; where that
    /// is blank, or the model was asked by tool, so are the arguments of its first call. A model that streams nothing is told when its answer is there.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use jsonseam_adapter::{Adapter, FieldEvent};
    /// use jsonseam_reask::{AnswerEvent, Reask, Request, Response, TransportError};
    ///
    /// let told = Arc::new(Mutex::new(Vec::new()));
    /// let own = Arc::clone(&told);
    /// let reask = Reask::new(Adapter::builder().schema("score", r#"{"type": "integer"}"#).build()?).on_event(move |event| {
    ///     own.lock().unwrap().push(match event {
    ///         AnswerEvent::Attempt { number, .. } => format!("attempt {number}"),
    ///         AnswerEvent::Field(FieldEvent::Field { name, json }) => format!("{name} is {json}"),
    ///         AnswerEvent::GivenUp { errors, .. } => errors.join(", "),
    ///         _ => return,
    ///     });
    /// });
    /// let mut answers = ["{\"score\": \"high\"}", "{\"score\": 7}"].into_iter();
    /// let mut model = |_: Request| -> Result<Response, TransportError> { Ok(answers.next().unwrap_or_default().into()) };
    /// reask.run_blocking(&mut model, "Rate it.")?;
    /// assert_eq!(*told.lock().unwrap(), ["attempt 1", "output_validation_failed/schema", "attempt 2", "score is 7"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "stream")]
    #[must_use]
    pub fn on_event(mut self, tell: impl Fn(&AnswerEvent<'_>) + Send + Sync + 'static) -> Self {
        self.on_event = Some(Arc::new(tell));
        self
    }

    #[cfg(feature = "stream")]
    pub(crate) fn tell_event(&self, event: &AnswerEvent<'_>) {
        if let Some(tell) = &self.on_event {
            tell(event);
        }
    }

    /// The names of the models, for records, spans and [`Request::model`](crate::Request::model). With several, the next one is asked when one has failed:
    /// in every mode of the chain, or in transport beyond its repetitions. [`Models`](crate::Models) is a model made of several.
    #[must_use]
    pub fn models(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.models = names.into_iter().map(Into::into).collect();
        self
    }

    /// Where answers that met the contract are kept, and looked for before a model is asked.
    #[must_use]
    pub fn cache(mut self, cache: impl AnswerCache + 'static) -> Self {
        self.cache = Some(Arc::new(cache));
        self
    }

    /// The temperature of re-asks; 0 unless set. Models that think take none.
    #[must_use]
    pub fn temperature(mut self, temperature: Temperature) -> Self {
        self.settings.temperature = temperature;
        self
    }

    /// The key of prompt digests, so that those of several runs can be compared; a random one unless set.
    #[must_use]
    pub fn digest_key(mut self, key: DigestKey) -> Self {
        self.digest_key = key;
        self
    }

    /// The settings.
    pub fn current_settings(&self) -> &Settings {
        &self.settings
    }

    /// The contract that answers are judged by.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }
}

impl fmt::Debug for Reask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reask").field("settings", &self.settings).finish_non_exhaustive()
    }
}
