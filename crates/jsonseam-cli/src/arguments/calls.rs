//! The arguments of `calls` and `heal`, and the flags of all that reads tool calls.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use jsonseam::toolcall::{Bare, Output};

use super::flags::EngineFlags;
use super::values::one_of;

/// The arguments of `calls`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  jsonseam calls answer.txt\n  jsonseam calls --tools tools.json --format hermes answer.txt | jq .calls\n  ollama run qwen3 < question.txt | jsonseam calls --follow\n\n\
        Prints one line: {\"calls\": [{\"id\", \"name\", \"arguments\"}], \"content\", \"thoughts\", \"format\", \"edits\", \"risk\", \"passed_over\"}.\n\
        `calls` is empty when the text holds none; `passed_over` names what looked like a call and is not one.\n\
    Exit codes: 0 the calls are printed, 1 refused or --check found an error, 2 usage, configuration, input or output."
)]
pub(crate) struct CallsArguments {
    /// The file; `-` or no file means standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// The shape of the answer [default: native]
    #[arg(long, value_name = "SHAPE", value_parser = one_of::<Output>(Output::NAMES))]
    pub(crate) output: Option<Output>,
    /// Read the text while it is still being written: a line of JSON for each event (content, thought, begin, arguments, done), and last the line without this flag
    #[arg(long)]
    pub(crate) follow: bool,
    /// The flags of reading calls.
    #[command(flatten)]
    pub(crate) calls: CallFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `heal`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  jsonseam heal messages.json -o healed.json\n  jsonseam heal --report - < request.json | jq .refused\n\n\
        Takes a JSON array of messages or items, or an object that has one in `messages` or `input`, in the shape of OpenAI or Anthropic.\n\
        Arguments that are broken, empty or no object are repaired, or reported and left as they are; all else is kept byte for byte.\n\
    Exit codes: 0 every call has arguments that can be sent, 1 a call stays broken or a text is no history, 2 usage, configuration, input or output."
)]
pub(crate) struct HealArguments {
    /// The file; `-` or no file means standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Write the history to FILE, which appears or is replaced in one step [default: standard output]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Write the record as JSON to FILE (`-`: standard output), one line for each history; the history itself is then written with --output alone
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// The offered tools, as for `calls`: their schemas decide where a closer belongs that can be at several places
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tools: Option<PathBuf>,
    /// Read each line as a history, also where the text does not show that it is JSON Lines
    #[arg(long)]
    pub(crate) lines: bool,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The flags of every command that reads tool calls.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Tool calls")]
pub(crate) struct CallFlags {
    /// The offered tools, a JSON array in the shape of OpenAI, Anthropic, MCP, Gemini or Bedrock:
    /// calls of other tools are refused, and values are read as their schemas say
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tools: Option<PathBuf>,
    /// Read this format alone
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,
    /// The prompt ends within reasoning, for example with `<think>`: no call is read before the reasoning ends
    #[arg(long)]
    pub(crate) within_thoughts: bool,
    /// Where a call without a mark counts: `alone`, where the answer is nothing but calls; `last`, at its end too,
    /// on lines of their own after prose, if tools are offered; `never` [default: alone]
    #[arg(long, value_name = "WHERE", value_parser = one_of::<Bare>(Bare::NAMES))]
    pub(crate) bare: Option<Bare>,
    /// Put the arguments of each call to the schema of its tool: exact casts such as "42" as 42 are made and recorded in `casts`,
    /// and `errors` says what is missing, unknown, mistyped or otherwise invalid
    #[arg(long)]
    pub(crate) check: bool,
}

impl CallFlags {
    /// Whether any of them is given.
    pub(crate) fn is_given(&self) -> bool {
        self.tools.is_some() || self.format.is_some() || self.within_thoughts || self.bare.is_some() || self.check
    }
}
