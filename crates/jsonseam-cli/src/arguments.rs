//! The command line, as data.

mod ask;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueHint};
use jsonseam::{Duplicates, Policy, Risk, Root};

pub(crate) use ask::{AskArguments, LoopFlags, PromptArguments};

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 refused or --check would change something, 2 usage, configuration, input or output.";

/// Repairs JSON written by language models, without guessing, and shows every edit.
///
/// Valid JSON is never touched.
/// What cannot be mended by the enabled rules is refused, with the place, the reason and what would have mended it.
#[derive(Debug, Parser)]
#[command(name = "jsonseam", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Repair one text, or files in place
    Repair(RepairArguments),
    /// Tell whether texts are strictly valid JSON
    Check(CheckArguments),
    /// Repair a field of every record of a JSON Lines file
    Batch(BatchArguments),
    /// Take declared outputs out of one text
    Parse(ParseArguments),
    /// Ask a model until its answer meets a contract, never more often than agreed
    Ask(AskArguments),
    /// Show the prompt that would ask for an answer again, without asking anyone
    Prompt(PromptArguments),
    /// List the rules
    Rules {
        /// Only the rules of this preset, in the order in which they are asked
        #[arg(long, value_name = "PRESET")]
        preset: Option<String>,
    },
    /// Show the documentation of a rule
    Explain {
        /// The rule's name, as `jsonseam rules` lists it
        rule: String,
    },
    /// Write a commented jsonseam.toml into the current directory
    Init,
    /// Look at the configuration
    Config {
        /// What to do with it.
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Write a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page
    Man {
        /// The page of this subcommand instead of the main one
        command: Option<String>,
    },
}

/// What can be done with a configuration.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Load a configuration, run the cases of its patterns, and say whether it holds
    Check {
        /// The configuration [default: ./jsonseam.toml]
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
}

/// The flags that every command with an engine takes. They override the configuration file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineFlags {
    /// Which rules are enabled: strict, standard or lenient [default: strict]
    #[arg(long, value_name = "PRESET")]
    pub(crate) preset: Option<String>,
    /// The configuration file [default: ./jsonseam.toml if it exists]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Enable a rule (repeatable)
    #[arg(long, value_name = "RULE")]
    pub(crate) enable: Vec<String>,
    /// Disable a rule (repeatable)
    #[arg(long, value_name = "RULE")]
    pub(crate) disable: Vec<String>,
    /// Admit no rule above this risk
    #[arg(long, value_name = "RISK", value_parser = one_of::<Risk>(&["certain", "likely", "guess", "lossy"]))]
    pub(crate) max_risk: Option<Risk>,
    /// What the outermost value must be [default: object]
    #[arg(long, value_name = "ROOT", value_parser = one_of::<Root>(&["object", "array", "any"]))]
    pub(crate) root: Option<Root>,
    /// Which payload to take when the text holds several [default: first]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Policy>(&["first", "only", "last", "best"]))]
    pub(crate) candidates: Option<Policy>,
    /// Why the model stopped (stop, length, …): `length` marks the result as truncated
    #[arg(long, value_name = "REASON")]
    pub(crate) finish_reason: Option<String>,
}

/// The flags that declare an output contract, for every command that takes one.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Contract")]
pub(crate) struct ContractFlags {
    /// Outputs that must be there, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) keys: Vec<String>,
    /// An output that must be there, of any name (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) key: Vec<String>,
    /// An output that may be absent (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) optional: Vec<String>,
    /// The JSON Schema of an output (repeatable); it is an output that must be there unless --optional says otherwise
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) schema_for: Vec<String>,
    /// The JSON Schema of the whole value
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,
    /// A contract as TOML: [outputs.NAME] with type, schema or schema-file, and optional; schema-file for the whole
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) contract: Option<PathBuf>,
    /// Fill in the defaults that a schema states
    #[arg(long)]
    pub(crate) defaults: bool,
    /// Take "42" for 42 where a schema wants that and nothing is lost
    #[arg(long)]
    pub(crate) coerce: bool,
    /// What to do with a key that is there more than once [default: refuse]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Duplicates>(&["refuse", "last"]))]
    pub(crate) duplicates: Option<Duplicates>,
    /// Take results that were cut off
    #[arg(long)]
    pub(crate) allow_truncated: bool,
}

/// The arguments of `parse`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the outputs are printed, 1 refused or the contract is not met, \
    2 usage, configuration, a schema that is refused, input or output.")]
pub(crate) struct ParseArguments {
    /// The file; `-` or none is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Show a summary on standard error even if that is no terminal
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `repair`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the command line")]
#[command(
    after_help = EXIT_CODES,
    group = ArgGroup::new("shown").args(["diff", "explain", "report"]).conflicts_with("check"),
)]
pub(crate) struct RepairArguments {
    /// The files; `-` or none is standard input. Several only with --write, --check or --diff
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Show a unified diff instead of the repaired text
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show the source with every edit under its text instead of the repaired text
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the record as JSON to FILE (`-`: standard output) instead of the repaired text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Print nothing; exit with 1 if a repair would change the file or is refused
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Replace the files, each in one step; files that are valid already stay untouched
    #[arg(long)]
    pub(crate) write: bool,
    /// Show a summary on standard error even if that is no terminal
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 all are valid, 1 at least one is not, 2 usage, configuration, input or output.")]
pub(crate) struct CheckArguments {
    /// The files; `-` or none is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The engine flags. Of these only the limits and an explicit root matter here.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `batch`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 all lines are written (refusals are data), 1 with --fail-on-refused, \
    2 usage, configuration, input or output, 130 or 143 interrupted.")]
pub(crate) struct BatchArguments {
    /// The JSON Lines file; `-` or none is standard input
    #[arg(value_name = "IN.jsonl", value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    /// Write to FILE, which appears or is replaced in one step at the end [default: standard output]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The member of each record that holds the text to repair
    #[arg(long, value_name = "NAME", default_value = "completion")]
    pub(crate) field: String,
    /// How many threads repair [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Exit with 1 if any record was refused or does not meet the contract
    #[arg(long)]
    pub(crate) fail_on_refused: bool,
    /// Count the refusals by reason too
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// Reads one of the given names; clap lists them and suggests the nearest.
fn one_of<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>().map_err(|_| "not one of the names"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
