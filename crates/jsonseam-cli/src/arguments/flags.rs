//! The flags that several commands share: those of the engine and those of a contract.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use jsonseam::contract::{Casts, Draft, Incomplete, Items};
use jsonseam::{Duplicates, Policy, Risk, Root};

use super::values::{EXACT, casts, draft, one_of, size};

/// The flags that every command with an engine takes. They override the configuration file.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineFlags {
    /// Which rules are enabled: strict, standard or lenient [default: strict; of tool calls: standard]
    #[arg(long, value_name = "PRESET", env = "JSONSEAM_PRESET", hide_env_values = true)]
    pub(crate) preset: Option<String>,
    /// The configuration file [default: the nearest jsonseam.toml, upwards to a directory with .git]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Enable rules (repeatable, or separated by commas)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub(crate) enable: Vec<String>,
    /// Disable rules (repeatable, or separated by commas)
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub(crate) disable: Vec<String>,
    /// Admit no rule above this risk; of tool calls: refuse those with an edit above it [default there: likely]
    #[arg(long, value_name = "RISK", value_parser = one_of::<Risk>(&["certain", "likely", "guess", "lossy"]))]
    pub(crate) max_risk: Option<Risk>,
    /// What the outermost value must be [default: object; of `check`: any]
    #[arg(long, value_name = "ROOT", value_parser = one_of::<Root>(&["object", "array", "any"]))]
    pub(crate) root: Option<Root>,
    /// Which payload to take when the text holds several [default: first]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Policy>(&["first", "only", "last", "best"]))]
    pub(crate) candidates: Option<Policy>,
    /// Why the model stopped (stop, length, …): `length` marks the result as truncated
    #[arg(long, value_name = "REASON")]
    pub(crate) finish_reason: Option<String>,
    /// Longest text, in bytes, or with K, M or G [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_input_bytes: Option<usize>,
}

impl EngineFlags {
    /// The same flags without the cap of risk.
    pub(crate) fn without_cap(&self) -> Self {
        Self { max_risk: None, ..self.clone() }
    }
}

/// The flags that declare an output contract, for every command that takes one.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Contract")]
pub(crate) struct ContractFlags {
    /// Required outputs, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) keys: Vec<String>,
    /// A required output, of any name (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) key: Vec<String>,
    /// Optional outputs (repeatable, or separated by commas)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) optional: Vec<String>,
    /// The JSON Schema of an output (repeatable); the output is required unless --optional names it
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) schema_for: Vec<String>,
    /// The JSON Schema of the whole value
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,
    /// The draft of schemas whose $schema is missing or unknown [default: the newest of 2020-12, 2019-09 and openapi-3.0 that a schema fits]
    #[arg(long, value_name = "DRAFT", value_parser = draft())]
    pub(crate) draft: Option<Draft>,
    /// Refuse strings that do not match the `format` of a schema: dates, times, e-mail and IP addresses, URIs, UUIDs and others
    #[arg(long)]
    pub(crate) formats: bool,
    /// A contract as TOML: [outputs.NAME] with type, schema or schema-file, and optional; schema-file for the whole
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) contract: Option<PathBuf>,
    /// Fill in the defaults that a schema states
    #[arg(long)]
    pub(crate) defaults: bool,
    /// Make these casts where a schema requires them, and record each; without names, the exact ones, such as "42" as 42
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', num_args = 0..=1, require_equals = true,
        default_missing_value = EXACT, value_parser = casts())]
    pub(crate) coerce: Vec<Casts>,
    /// Take the key ALIAS for the output or property NAME (repeatable)
    #[arg(long, value_name = "NAME=ALIAS")]
    pub(crate) alias: Vec<String>,
    /// What to do with repeated keys [default: refuse]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Duplicates>(&["refuse", "last"]))]
    pub(crate) duplicates: Option<Duplicates>,
    /// Take results that were truncated
    #[arg(long)]
    pub(crate) allow_truncated: bool,
    /// What to do with results that were truncated: drop takes them without the element of the innermost array at the cut,
    /// drop-outer without that of the outermost one [default: refuse]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Incomplete>(&["refuse", "keep", "drop", "drop-outer"]), conflicts_with = "allow_truncated")]
    pub(crate) incomplete: Option<Incomplete>,
    /// What to do with items of an array that do not fit: fitting takes those that do, and reports the others [default: all]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Items>(&["all", "fitting"]))]
    pub(crate) items: Option<Items>,
}
