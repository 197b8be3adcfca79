//! Repairs JSON written by language models without guessing, and shows every edit.
//!
//! # Repair
//!
//! ```
//! let completion = "Sure! {\"city\": \"Oslo\",}";
//! let repaired = jsonseam::repair(completion)?;
//!
//! assert_eq!(repaired.text(), "{\"city\": \"Oslo\"}");
//! let edit = repaired.edits().next().expect("one comma was removed");
//! assert_eq!((edit.rule, edit.span), ("trailing-comma", 21..22));
//! # Ok::<(), jsonseam::Error>(())
//! ```
//!
//! Valid JSON is returned as it is, borrowed. If a repair would be a guess, there is an error with the place and the reason:
//!
//! ```
//! let refusal = jsonseam::repair("{\"amount\": 12").unwrap_err();
//!
//! assert_eq!(refusal.reason(), jsonseam::Reason::Truncated);
//! ```
//!
//! [`repair`] uses the preset `strict`; [`preset`] gives the [`Pipeline`] of another, and [`pipeline`] that of any [`Config`].
//! Build a pipeline once: it is cheap to clone and shared between threads.
//!
//! # Contract
//!
//! Declare the outputs you want with [`adapter()`], or take a Rust type with [`from_str`].
//! You get exactly those fields, or one error, [`ContractError`], with a code to branch on. More in [`contract`].
//!
//! # Ask again
//!
//! [`reask()`] asks a model again when its answer does not meet the contract; you pass the model. More in [`mod@reask`].
//! [`tool_calls`] reads calls out of completions, and [`heal_history`] repairs those of a conversation that is sent again.
//!
//! # Write a rule
//!
//! [`rule`] has what a crate of rules imports; the guide is `docs/writing-rules.md` in the repository.
//!
//! # Parts
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `config` | yes | configuration from TOML |
//! | `pattern` | yes | rules from regular expressions in that configuration; implies `config` |
//! | `perf` | yes | faster regular expressions: of schemas, in 300 KB |
//! | `tracing` | yes | one event for each repair that edits |
//! | `contract` | yes | `adapter`, `from_str`, JSON Schemas |
//! | `stream` | yes | `Pipeline::stream`: completions that are still being written |
//! | `docs` | yes | declarations of rules carry their documentation |
//! | `discovery` | no | rules of linked crates are found by name, by code that runs before `main` |
//! | `toolcall` | no | `tool_calls` |
//! | `reask` | no | the loop; implies `contract` and `toolcall` |
//! | `http` | no | a client for OpenAI-compatible servers; implies `reask` |
//! | `cases` | no | declarations of rules carry their cases, for tests |
//!
//! Without any of them, `repair`, the presets and the edits need 12 crates of others.

#[cfg(feature = "reask")]
mod calls;
#[cfg(feature = "contract")]
mod typed;

use std::sync::LazyLock;

#[cfg(feature = "contract")]
pub use jsonseam_adapter::{
    Adapter, AdapterBuilder, Contract, Duplicates, Error as ContractError, Outputs, ParseOptions,
};
pub use jsonseam_core::{
    AnyRule, AppliedEdit, Catalogue, Config, ConfigError, Error, ErrorCode, Evidence, Expected, FinishReason, Further,
    Kind, Limit, Limits, NamedPreset, Pipeline, Place, Policy, Position, Preset, Rank, Reason, Record, RefusedEdit,
    RefusedReading, Registration, RepairOptions, Repaired, Risk, Role, Root, RuleEntry, RuleInfo, Shape, Status, Step,
    Thresholds, Unanswered, UnknownName,
};
#[cfg(feature = "pattern")]
pub use jsonseam_core::{Pattern, PatternCase};
#[cfg(feature = "stream")]
pub use jsonseam_core::{Stream, StreamOptions};
#[cfg(feature = "contract")]
pub use typed::{from_str, from_str_with};

/// A completion that is still being written: what a [`Stream`] takes and tells.
#[cfg(feature = "stream")]
pub mod stream {
    pub use jsonseam_core::{
        Commit, Container, Event, Events, Path, Sign, Snapshot, Stream, StreamOptions, StreamState, StreamWork, Units,
    };
}

/// The output contract: everything of `jsonseam-adapter`, where its error is called `Error`.
#[cfg(feature = "contract")]
pub mod contract {
    pub use jsonseam_adapter::*;
}

/// The self-repair loop: everything of `jsonseam-reask`.
#[cfg(feature = "reask")]
pub mod reask {
    pub use jsonseam_reask::*;
}

/// Tool calls in the wrappers that models emit: everything of `jsonseam-toolcall`.
#[cfg(feature = "toolcall")]
pub mod toolcall {
    pub use jsonseam_toolcall::*;
}

/// What goes with a [`Record`]: its version, that of a contract, and the writing of compact JSON.
pub mod record {
    pub use jsonseam_core::{ContractRecord, RECORD_VERSION, Record, RecordOptions, Work, compact, pointers};
}

pub mod rule {
    //! What a rule crate needs in one import.
    //!
    //! [`rule!`] declares a rule; a [`RepairRule`] is asked about a [`Fault`] and puts its answers to [`Proposals`]; a [`LocateRule`] sees a [`Region`]
    //! and adds spans to [`Candidates`]. The page *Writing rules* shows one of each.

    pub use jsonseam_core::{
        Ahead, Block, Candidates, Clue, Container, CountedText, ESCAPED_BLANKS, Edit, Edits, Expected, Fault, LITERALS,
        Layout, Line, Literal, LocateRule, NamedPreset, Notation, Objection, Offer, Only, OpenString, OpenStrings,
        OptionValue, Proposals, Reach, ReadPayload, Region, Registration, RepairRule, Review, Risk, Root, RuleOption,
        StringProblem, Strings, Suspect, Thresholds, Token, TokenKind, begins_line, brackets, brackets_end, closers_of,
        is_blank, is_quote, is_sign, opens_index, rule, string_end, unclosed, value_end,
    };
    /// What the built-in rules share.
    pub use jsonseam_rules::shared;
    // What declarations are made of, for those who read them.
    pub use jsonseam_core::{
        Build, Dispatch, Landmarks, Locates, NextSet, OptionInfo, OptionProblem, PreviousSet, Role, RuleEntry, Usual,
    };
}

pub mod presets {
    //! The names of the presets, from the most careful to the richest.
    //!
    //! What each repairs is in the guide *Risk and presets*.

    /// Layout, and what readers of JSON5, JavaScript and Python read alike: the default.
    pub const STRICT: &str = "strict";
    /// Also what needs nothing but punctuation.
    pub const STANDARD: &str = "standard";
    /// Also guesses and losses, each marked as such, where one reading leads clearly.
    pub const LENIENT: &str = "lenient";
}

static STRICT: LazyLock<Pipeline> =
    LazyLock::new(|| pipeline(&Config::default()).unwrap_or_else(|error| unreachable!("{error}")));

/// The built-in rules and the presets over them, without those that linked crates have declared.
///
/// [`Catalogue::with`] adds a rule by hand, which needs no help from the linker.
pub fn built_in() -> Result<Catalogue, ConfigError> {
    Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS)?.renaming(jsonseam_rules::RENAMED)
}

/// The built-in rules, those that linked crates have declared, and the presets.
///
/// A rule crate that is only listed as a dependency is dropped by the linker: write `use that_crate as _;`.
pub fn catalogue() -> Result<Catalogue, ConfigError> {
    #[cfg_attr(not(feature = "discovery"), expect(unused_mut, reason = "nothing is added to it"))]
    let mut catalogue = built_in()?;
    #[cfg(feature = "discovery")]
    catalogue.discover()?;
    Ok(catalogue)
}

/// The pipeline of a preset, over every rule of the [`catalogue`]: one of [`presets`], or one that the catalogue was given.
///
/// ```
/// use jsonseam::{preset, presets};
///
/// let repaired = preset(presets::STANDARD)?.repair("{name: None}")?.into_text();
/// assert_eq!(repaired, "{\"name\": null}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn preset(name: &str) -> Result<Pipeline, ConfigError> {
    let config = Config::default().with_preset(name);
    pipeline(&config)
}

/// The pipeline that `config` describes, over every rule of the [`catalogue`].
///
/// ```
/// use jsonseam::{Config, pipeline};
///
/// let config = Config::from_toml("preset = \"standard\"", "inline")?;
/// let repaired = pipeline(&config)?.repair("{name: None}")?.into_text();
/// assert_eq!(repaired, "{\"name\": null}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pipeline(config: &Config) -> Result<Pipeline, ConfigError> {
    Pipeline::new(config, &catalogue()?)
}

/// Declares a contract over every rule of the [`catalogue`].
///
/// ```
/// let adapter = jsonseam::adapter().preset("standard").output("city").optional("country").build()?;
///
/// let outputs = adapter.parse("Sure: {city: 'Oslo',}")?;
/// assert_eq!(outputs.get::<String>("city")?, "Oslo");
///
/// let error = adapter.parse("{\"town\": \"Oslo\"}").unwrap_err();
/// assert_eq!((error.code().as_str(), error.reason().as_str()), ("invalid_outputs", "missing_output_keys"));
/// assert_eq!(error.missing(), ["city"]);
/// # Ok::<(), jsonseam::ContractError>(())
/// ```
#[cfg(feature = "contract")]
pub fn adapter() -> AdapterBuilder {
    Adapter::builder().catalogue(catalogue)
}

/// The self-repair loop over a contract, with the built-in wrappers of tool calls. You pass the model; the loop itself makes no network calls.
///
/// ```
/// use jsonseam::reask::{Request, Response, TransportError};
///
/// let adapter = jsonseam::adapter().schema("city", r#"{"type": "string"}"#).build()?;
/// let mut answers = ["{\"city\": 7}", "{\"city\": \"Oslo\"}"].into_iter();
/// let mut model = |_: Request| -> Result<Response, TransportError> { Ok(answers.next().unwrap_or_default().into()) };
///
/// let answer = jsonseam::reask(adapter)?.run_blocking(&mut model, "Where is the Munch museum?")?;
/// assert_eq!(answer.outputs.get::<String>("city")?, "Oslo");
/// assert_eq!(answer.attempts.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "reask")]
pub fn reask(adapter: Adapter) -> Result<reask::Reask, ConfigError> {
    Ok(reask_with(adapter, tool_calls()?))
}

/// The same loop with a reader of calls of yours: of other wrappers, with the offered tools, or with another [`Bare`](toolcall::Bare).
///
/// ```
/// use jsonseam::toolcall::Bare;
///
/// let adapter = jsonseam::adapter().schema("city", r#"{"type": "string"}"#).build()?;
/// let reask = jsonseam::reask_with(adapter, jsonseam::tool_calls()?.with_bare(Bare::Never));
/// # let mut model = |_: jsonseam::reask::Request| -> Result<jsonseam::reask::Response, jsonseam::reask::TransportError> { Ok("{\"city\": \"Oslo\"}".into()) };
/// assert!(reask.run_blocking(&mut model, "Where is the Munch museum?").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "reask")]
pub fn reask_with(adapter: Adapter, extractor: toolcall::Extractor) -> reask::Reask {
    reask::Reask::new(adapter).envelope(calls::Unwrapped(extractor))
}

/// Tool calls out of completions: the built-in wrappers, and the preset `standard` for arguments that are broken JSON.
///
/// ```
/// let completion = "<tool_call>{\"name\": \"weather\", \"arguments\": {city: 'Oslo'}}</tool_call>";
/// let envelope = jsonseam::tool_calls()?.extract(completion)?.expect("there is a call");
/// assert_eq!(envelope.text(), r#"{"toolCalls":[{"name": "weather", "arguments": {"city": "Oslo"}}]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "toolcall")]
pub fn tool_calls() -> Result<toolcall::Extractor, ConfigError> {
    let config = Config::default().with_preset("standard").with_root(Root::Any);
    Ok(toolcall::Extractor::new(wrappers().clone()).with_pipeline(Pipeline::new(&config, &built_in()?)?))
}

/// Tool calls in these wrappers, repaired as `config` says, over every rule of the [`catalogue`].
///
/// The cap of risk of `config`, or `likely` if it has none, is on the calls and turns no rule off; its root is of no effect.
///
/// ```
/// use jsonseam::{Config, tool_calls_with, wrappers};
///
/// let packs = wrappers().only("hermes").expect("the format is known");
/// let extractor = tool_calls_with(packs, &Config::default().with_preset("standard"))?;
/// assert!(extractor.extract("<tool_call>{name: 'f', arguments: {}}</tool_call>")?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "toolcall")]
pub fn tool_calls_with(packs: toolcall::Packs, config: &Config) -> Result<toolcall::Extractor, ConfigError> {
    let (pipeline, max_risk) = pipeline_of_calls(config)?;
    Ok(toolcall::Extractor::new(packs).with_pipeline(pipeline).with_max_risk(max_risk))
}

/// What repairs calls as `config` says, and the highest risk that a call may have.
#[cfg(feature = "toolcall")]
fn pipeline_of_calls(config: &Config) -> Result<(Pipeline, Risk), ConfigError> {
    let max_risk = config.max_risk().unwrap_or(Risk::Likely);
    Ok((pipeline(&config.clone().with_root(Root::Any).with_max_risk(Risk::Lossy))?, max_risk))
}

/// Repairs the arguments of the tool calls in a conversation, with the preset `standard`, before it is sent again.
///
/// `history` is the JSON of a list of messages, or of a request that has one in `messages` or `input`, in the shape of OpenAI or Anthropic.
/// Arguments that are broken, empty or no object are repaired, each edit on record, or reported and left as they are; all else is kept byte for byte.
/// Calls without results and results without calls are reported.
///
/// ```
/// use jsonseam::toolcall::{HealReason, Tools};
///
/// let history = r#"[
///   {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}}"}}]},
///   {"role": "tool", "tool_call_id": "c1", "content": "7 °C"}
/// ]"#;
/// let healed = jsonseam::heal_history(history, &Tools::new())?;
/// assert_eq!(healed.text(), history.replace("}}\"", "}\""));
/// let edit = &healed.record().edits[0];
/// assert_eq!((edit.message, edit.call, edit.edit.rule.as_str()), (0, 0, "unbalanced-call"));
///
/// let healed = jsonseam::heal_history(&history.replace(r#"\"}}""#, r#" and Ber""#), &Tools::new())?;
/// assert_eq!(healed.record().refused[0].reason, HealReason::Truncated);
/// # Ok::<(), jsonseam::toolcall::HistoryError>(())
/// ```
#[cfg(feature = "toolcall")]
pub fn heal_history(history: &str, tools: &toolcall::Tools) -> Result<toolcall::Healed, toolcall::HistoryError> {
    static HEALER: LazyLock<toolcall::Healer> = LazyLock::new(|| {
        let config = Config::default().with_preset("standard");
        healer(&config).unwrap_or_else(|error| unreachable!("{error}"))
    });
    HEALER.clone().with_tools(tools.clone()).heal(history)
}

/// What [`heal_history`] does, as `config` says, over every rule of the [`catalogue`].
///
/// The cap of risk of `config`, or `likely` if it has none, is on the calls and turns no rule off; its root is of no effect.
///
/// ```
/// let healer = jsonseam::healer(&jsonseam::Config::default().with_preset("standard"))?;
/// assert_eq!(healer.heal("{\"messages\": []}")?.record().status, "valid");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "toolcall")]
pub fn healer(config: &Config) -> Result<toolcall::Healer, ConfigError> {
    let (pipeline, max_risk) = pipeline_of_calls(config)?;
    Ok(toolcall::Healer::new().with_pipeline(pipeline).with_max_risk(max_risk))
}

/// The built-in wrappers of tool calls.
#[cfg(feature = "toolcall")]
pub fn wrappers() -> &'static toolcall::Packs {
    static PACKS: LazyLock<toolcall::Packs> =
        LazyLock::new(|| toolcall::Packs::parse(&toolcall::WRAPPERS).unwrap_or_else(|error| unreachable!("{error}")));
    &PACKS
}

/// The JSON Schema of the envelope that tool calls are normalised to: `toolCalls`, `content`, `needsMoreWork`.
#[cfg(feature = "toolcall")]
pub const ENVELOPE_SCHEMA: &str = toolcall::ENVELOPE_SCHEMA;

/// Finds the JSON object in `completion` and repairs it, if it has to, with the preset `strict`.
///
/// Time and memory are linear in the completion; valid text is returned borrowed.
pub fn repair(completion: &str) -> Result<Repaired<'_>, Error> {
    STRICT.repair(completion)
}

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So do those of the guide to the loop.
#[cfg(all(doctest, feature = "reask"))]
#[doc = include_str!("../../../docs/reask.md")]
struct Loop;

/// So do those of the guide for Rust.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/rust.md")]
struct Rust;

/// So do those of the guide to contracts.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/contracts.md")]
struct Contracts;

/// So do those of the page about streams.
#[cfg(all(doctest, feature = "stream"))]
#[doc = include_str!("../../../docs/streaming.md")]
struct Streaming;

/// So do those of the page for agents.
#[cfg(all(doctest, feature = "toolcall"))]
#[doc = include_str!("../../../docs/agents.md")]
struct Agents;

/// So do those of the page of guarantees.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guarantees.md")]
struct Guarantees;
