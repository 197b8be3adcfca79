//! Repairs JSON written by language models without guessing, and shows every seam.
//!
//! ```
//! let completion = "Sure! {\"city\": \"Oslo\",}";
//! let repaired = jsonseam::repair(completion)?;
//!
//! assert_eq!(repaired.text(), "{\"city\": \"Oslo\"}");
//! let seam = repaired.edits().next().expect("one comma was removed");
//! assert_eq!((seam.rule, seam.span), ("trailing-comma", 21..22));
//! # Ok::<(), jsonseam::Error>(())
//! ```
//!
//! What is valid JSON comes back as it is, borrowed. What cannot be repaired without guessing is refused, with the place and the reason:
//!
//! ```
//! let refusal = jsonseam::repair("{\"amount\": 12").unwrap_err();
//!
//! assert_eq!(refusal.reason(), jsonseam::Reason::Truncated);
//! assert_eq!(refusal.mended_by(), ["unclosed-container"]);
//! ```
//!
//! [`repair`] uses the preset `strict`. A [`Pipeline`] built from a [`Config`] uses any other set of rules.
//!
//! An [`adapter()`] takes the outputs that a caller declared, and [`from_str`] a Rust type, straight from a completion;
//! what does not fit is one error, [`ContractError`], to branch on.
//!
//! [`reask()`] asks a model again when its answer does not meet the contract.
//!
//! This crate only ties the others together: the engine is in `jsonseam-core`, the rules in `jsonseam-rules`.

mod typed;

use std::sync::LazyLock;

pub use jsonseam_adapter::{
    Adapter, AdapterBuilder, Contract, Duplicates, Error as ContractError, Outputs, ParseOptions,
};
pub use jsonseam_core::*;
pub use typed::from_str;

/// The output contract: everything of `jsonseam-adapter`, where its error is called `Error`.
pub mod contract {
    pub use jsonseam_adapter::*;
}

/// The self-repair loop: everything of `jsonseam-reask`.
pub mod reask {
    pub use jsonseam_reask::*;
}

/// Tool calls in the wrappers that models emit: everything of `jsonseam-toolcall`.
pub mod toolcall {
    pub use jsonseam_toolcall::*;
}

/// What a rule crate needs in one import.
pub mod rule {
    pub use jsonseam_core::{
        Block, BracketDefect, Candidates, Container, Edit, Edits, Expected, Fault, Line, OpenString, OptionValue,
        Region, RepairRule, Risk, Root, RuleOption, StringProblem, Token, TokenKind, rule,
    };
}

static STRICT: LazyLock<Pipeline> =
    LazyLock::new(|| pipeline(&Config::default()).unwrap_or_else(|error| unreachable!("{error}")));

/// The built-in rules and the presets over them, without those that linked crates have declared.
///
/// [`Catalogue::with`] adds a rule by hand, which needs no help from the linker.
pub fn built_in() -> Result<Catalogue, ConfigError> {
    Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS)
}

/// The built-in rules, those that linked crates have declared, and the presets.
///
/// A rule crate that is only listed as a dependency is dropped by the linker: write `use that_crate as _;`.
pub fn catalogue() -> Result<Catalogue, ConfigError> {
    let mut catalogue = built_in()?;
    catalogue.discover()?;
    Ok(catalogue)
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
/// assert_eq!((error.code(), error.reason()), ("invalid_outputs", "missing_output_keys"));
/// assert_eq!(error.missing(), ["city"]);
/// # Ok::<(), jsonseam::ContractError>(())
/// ```
pub fn adapter() -> AdapterBuilder {
    Adapter::builder().catalogue(catalogue)
}

/// The self-repair loop over a contract, with the built-in wrappers of tool calls. It asks nobody unless it is handed a model.
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
pub fn reask(adapter: Adapter) -> Result<reask::Reask, ConfigError> {
    Ok(reask::Reask::new(adapter).envelope(tool_calls()?))
}

/// Tool calls out of completions: the built-in wrappers, and the preset `standard` for arguments that are broken JSON.
///
/// ```
/// let completion = "<tool_call>{\"name\": \"weather\", \"arguments\": {city: 'Oslo'}}</tool_call>";
/// let envelope = jsonseam::tool_calls()?.extract(completion)?.expect("there is a call");
/// assert_eq!(envelope.text(), r#"{"toolCalls":[{"name": "weather", "arguments": {"city": "Oslo"}}]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_calls() -> Result<toolcall::Extractor, ConfigError> {
    let mut config = Config::default();
    config.set_preset("standard");
    config.set_root(Root::Any);
    Ok(toolcall::Extractor::new(wrappers().clone()).with_pipeline(Pipeline::new(&config, &built_in()?)?))
}

/// The built-in wrappers of tool calls, from `rules/wrappers/`.
pub fn wrappers() -> &'static toolcall::Packs {
    static PACKS: LazyLock<toolcall::Packs> = LazyLock::new(|| {
        toolcall::Packs::parse(&jsonseam_rules::WRAPPERS).unwrap_or_else(|error| unreachable!("{error}"))
    });
    &PACKS
}

/// The JSON Schema of the envelope that tool calls are normalised to: `toolCalls`, `content`, `needsMoreWork`.
pub const ENVELOPE_SCHEMA: &str = jsonseam_rules::ENVELOPE_SCHEMA;

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
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reask.md")]
struct Guide;
