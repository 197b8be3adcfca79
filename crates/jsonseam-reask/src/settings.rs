//! The settings of the loop (SPEC L9), from code or from the table `[reask]` of a configuration file.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jsonseam_core::{ConfigError, Entry, read_section};
use jsonseam_text::named;

use crate::message::Mode;
use crate::template::Template;

named! {
    /// What the caller gets when every attempt is used up (SPEC L5).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum OnExhausted as "a choice for exhausted attempts" {
        /// The error, and the best partial answer marked as such.
        #[default]
        Partial = "partial",
        /// The error alone.
        Fail = "fail",
    }
}

named! {
    /// What follows an answer that was cut off (SPEC L10).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum OnTruncation as "a choice for truncated answers" {
        /// The loop stops: the same question would be cut at the same place.
        #[default]
        Stop = "stop",
        /// A shorter answer is asked for, once.
        AskShorter = "ask-shorter",
    }
}

named! {
    /// What a re-ask asks for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Scope as "a scope" {
        /// The whole answer again.
        #[default]
        Whole = "whole",
        /// The failing fields only, where the others were valid. Merged, and validated again as a whole.
        FailingFields = "failing-fields",
    }
}

named! {
    /// Whether the model sees its last answer again.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Echo as "a choice for the last answer" {
        /// In one fenced field, cut to 2,000 characters.
        #[default]
        Answer = "answer",
        /// Nothing that the model wrote is sent back.
        None = "none",
    }
}

/// The temperature of re-asks (SPEC L3).
///
/// ```
/// use jsonseam_reask::Temperature;
///
/// assert_eq!("omit".parse(), Ok(Temperature::Omit));
/// assert_eq!("0.2".parse(), Ok(Temperature::Set(0.2)));
/// assert!("3".parse::<Temperature>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Temperature {
    /// None is sent, and the server's own holds: models that think refuse any other. Without this, one request finds that out.
    Omit,
    /// This one, from 0 to 2.
    Set(f64),
}

impl Default for Temperature {
    fn default() -> Self {
        Self::Set(0.0)
    }
}

impl Temperature {
    pub(crate) fn sent(self) -> Option<f64> {
        match self {
            Self::Omit => None,
            Self::Set(temperature) => Some(temperature),
        }
    }
}

/// A text that is no [`Temperature`]. It does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TemperatureError;

impl fmt::Display for TemperatureError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("takes a number from 0 to 2, or `omit`")
    }
}

impl std::error::Error for TemperatureError {}

impl FromStr for Temperature {
    type Err = TemperatureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "omit" {
            return Ok(Self::Omit);
        }
        let temperature: Option<f64> = text.parse().ok().filter(|number| (0.0..=2.0).contains(number));
        temperature.map(Self::Set).ok_or(TemperatureError)
    }
}

/// How requests that fail in transport are repeated (SPEC L7).
///
/// ```
/// use jsonseam_reask::Retries;
///
/// let retries = Retries::default().with_count(1);
/// assert_eq!((retries.count, retries.max_rate_limited), (1, 10));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// Most repetitions of one request.
    pub count: u32,
    /// The first pause; each further one is about twice the last.
    pub base: Duration,
    /// The longest pause of our own choice.
    pub cap: Duration,
    /// Most pauses that a server's 429 causes in one run. They do not count as repetitions.
    pub max_rate_limited: u32,
    /// Where the random part of pauses starts; `None` for anywhere.
    pub jitter_seed: Option<u64>,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            count: 3,
            base: Duration::from_secs(1),
            cap: Duration::from_secs(30),
            max_rate_limited: 10,
            jitter_seed: None,
        }
    }
}

impl Retries {
    /// The same with another number of repetitions.
    #[must_use]
    pub fn with_count(mut self, count: u32) -> Self {
        self.count = count;
        self
    }

    /// The same with another first pause.
    #[must_use]
    pub fn with_base(mut self, pause: Duration) -> Self {
        self.base = pause;
        self
    }

    /// The same with another longest pause.
    #[must_use]
    pub fn with_cap(mut self, pause: Duration) -> Self {
        self.cap = pause;
        self
    }

    /// The same with another number of pauses that a server's 429 may cause.
    #[must_use]
    pub fn with_max_rate_limited(mut self, count: u32) -> Self {
        self.max_rate_limited = count;
        self
    }

    /// The same with pauses whose random part starts there; `None` for anywhere.
    #[must_use]
    pub fn with_jitter_seed(mut self, seed: Option<u64>) -> Self {
        self.jitter_seed = seed;
        self
    }
}

/// The settings of the loop.
///
/// ```
/// use jsonseam_reask::{Mode, Settings};
///
/// let text = "[reask]\nmax-attempts = 1\nfallback = [\"json-object\", \"text\"]\n";
/// let settings = Settings::from_toml(text, "jsonseam.toml")?;
/// assert_eq!((settings.max_attempts, settings.fallback), (1, vec![Mode::JsonObject, Mode::Text]));
///
/// let error = Settings::from_toml("[reask]\nmax-attempt = 1\n", "jsonseam.toml").unwrap_err();
/// assert_eq!(error.to_string(), "jsonseam.toml:2:1: unknown key `max-attempt` in [reask]; did you mean `max-attempts`?");
/// # Ok::<(), jsonseam_core::ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether an answer that does not meet the contract is asked for again. Off, there is one answer and its verdict.
    pub enabled: bool,
    /// Most re-asks in each mode, after the first request of that mode.
    pub max_attempts: u32,
    /// Whether partial answers are refused outright: none is returned, whatever `on_exhausted` says, and none is built upon.
    pub strict: bool,
    /// The time for everything: answers, pauses, retries.
    pub deadline: Duration,
    /// The tokens for everything. Nothing more is asked once they are used up. Where a server counts none, four bytes are one token.
    pub token_budget: Option<u64>,
    /// What the run returns when every attempt is used up.
    pub on_exhausted: OnExhausted,
    /// Whether an answer is given up while it is written, once nothing can make it one; see [`Machine::observe`](crate::Machine::observe).
    /// Not set: only where no partial answer is returned, the contract takes the first payload, and no envelope is looked for.
    pub gives_up: Option<bool>,
    /// What follows an answer that was cut off.
    pub on_truncation: OnTruncation,
    /// What a re-ask asks for.
    pub scope: Scope,
    /// Whether the model sees its last answer again.
    pub echo: Echo,
    /// The temperature of re-asks; that of first requests is the conversation's. A model that takes none gets none for the rest of a run (SPEC L9a).
    pub temperature: Temperature,
    /// The first mode.
    pub mode: Mode,
    /// The modes that follow when one has failed, each with its own re-asks (SPEC L6).
    pub fallback: Vec<Mode>,
    /// Whether requests in the modes `json-object` and `text` end with the required format, which the server does not tell the model there.
    pub tells_format: bool,
    /// How requests that fail in transport are repeated.
    pub retries: Retries,
    /// A prompt template in place of the built-in one.
    pub template: Option<Template>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            max_attempts: 2,
            strict: false,
            deadline: Duration::from_secs(300),
            token_budget: None,
            on_exhausted: OnExhausted::default(),
            gives_up: None,
            on_truncation: OnTruncation::default(),
            scope: Scope::default(),
            echo: Echo::default(),
            temperature: Temperature::default(),
            mode: Mode::default(),
            fallback: Vec::new(),
            tells_format: true,
            retries: Retries::default(),
            template: None,
        }
    }
}

/// Most re-asks per mode that a file can ask for.
const MOST_ATTEMPTS: u64 = 100;
/// Longest time that a file can name, in seconds: a day.
const MOST_SECONDS: u64 = 86_400;

impl Settings {
    /// The keys of `[reask]`.
    pub const KEYS: &'static [&'static str] = &[
        "enabled",
        "max-attempts",
        "strict",
        "deadline",
        "token-budget",
        "on-exhausted",
        "gives-up",
        "on-truncation",
        "scope",
        "echo",
        "temperature",
        "mode",
        "fallback",
        "tells-format",
        "retries",
        "retry-base",
        "retry-cap",
        "template",
    ];

    /// Reads the table `[reask]` of a file's text; other tables are passed over. `file` is its name, for messages only: nothing is opened.
    ///
    /// Every mistake is refused with file, line, column and the nearest name.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut settings = Self::default();
        read_section(text, file, "reask", Self::KEYS, |entry| settings.read(entry))?;
        Ok(settings)
    }

    fn read(&mut self, entry: &Entry<'_>) -> Result<(), ConfigError> {
        match entry.name() {
            "enabled" => self.enabled = entry.boolean()?,
            "max-attempts" => self.max_attempts = small(entry, MOST_ATTEMPTS)?,
            "strict" => self.strict = entry.boolean()?,
            "deadline" => self.deadline = seconds(entry, 1)?,
            "token-budget" => self.token_budget = Some(entry.whole(1, i64::MAX.unsigned_abs())?),
            "on-exhausted" => self.on_exhausted = entry.choice()?,
            "gives-up" => self.gives_up = Some(entry.boolean()?),
            "on-truncation" => self.on_truncation = entry.choice()?,
            "scope" => self.scope = entry.choice()?,
            "echo" => self.echo = entry.choice()?,
            "temperature" => {
                let temperature = entry.string()?.parse();
                self.temperature =
                    temperature.map_err(|wrong| entry.error(format!("`temperature` {wrong}, in quotes")))?;
            }
            "mode" => self.mode = entry.choice()?,
            "fallback" => self.fallback = modes(entry)?,
            "tells-format" => self.tells_format = entry.boolean()?,
            "retries" => self.retries.count = small(entry, MOST_ATTEMPTS)?,
            "retry-base" => self.retries.base = seconds(entry, 0)?,
            "retry-cap" => self.retries.cap = seconds(entry, 0)?,
            "template" => {
                let template = Template::new(entry.string()?);
                self.template = Some(template.map_err(|error| entry.error(format!("`template`: {error}")))?);
            }
            // `read_section` returns nothing that is not among the keys.
            _ => {}
        }
        Ok(())
    }

    /// The modes in the order in which they are tried, each once.
    pub fn chain(&self) -> Vec<Mode> {
        let mut chain = vec![self.mode];
        if self.enabled {
            for &mode in &self.fallback {
                if !chain.contains(&mode) {
                    chain.push(mode);
                }
            }
        }
        chain
    }

    /// Most requests that a run can make, for each model, apart from transport retries and the one that is sent again without its temperature:
    /// the first and the re-asks of each mode.
    pub fn max_requests(&self) -> u32 {
        let per_mode = if self.enabled { self.max_attempts.saturating_add(1) } else { 1 };
        per_mode.saturating_mul(u32::try_from(self.chain().len()).unwrap_or(u32::MAX))
    }
}

fn small(entry: &Entry<'_>, most: u64) -> Result<u32, ConfigError> {
    Ok(u32::try_from(entry.whole(0, most)?).unwrap_or(u32::MAX))
}

fn seconds(entry: &Entry<'_>, least: u64) -> Result<Duration, ConfigError> {
    Ok(Duration::from_secs(entry.whole(least, MOST_SECONDS)?))
}

fn modes(entry: &Entry<'_>) -> Result<Vec<Mode>, ConfigError> {
    let modes: Vec<Mode> = entry.choices()?;
    let is_repeated = modes.iter().enumerate().any(|(at, mode)| modes.iter().take(at).any(|earlier| earlier == mode));
    if is_repeated {
        return Err(entry.error("`fallback` names a mode twice"));
    }
    Ok(modes)
}
