//! The command line, as data.

mod ask;
mod calls;
mod flags;
mod values;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueHint};

pub(crate) use ask::{AskArguments, Header, LoopFlags, PromptArguments};
pub(crate) use calls::{CallFlags, CallsArguments, HealArguments};
pub(crate) use flags::{ContractFlags, EngineFlags};
pub(crate) use values::{AllForm, ByLine, ColorChoice, EXACT, OutputFormat, RecordMember, Shape, cast_names};
use values::{jobs, one_of, suffix};

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 refused or --check would change something, 2 usage, configuration, input or output.";

/// Repairs JSON written by language models, without guessing, and shows every edit.
///
/// Valid JSON is never touched.
/// What the enabled rules cannot repair is refused, with the place, the reason and what would have repaired it.
#[derive(Debug, Parser)]
#[command(name = "jsonseam", version, after_help = EXIT_CODES, arg_required_else_help = true, max_term_width = 120)]
pub(crate) struct Arguments {
    /// How the command speaks.
    #[command(flatten)]
    pub(crate) console: ConsoleFlags,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How the command speaks. Every subcommand takes these flags.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct ConsoleFlags {
    /// Show a summary on standard error even if it is not a terminal, and which configuration is used
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Show errors and refusals only: no summary, no help, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// When to use colours [default: auto: on a terminal, unless `NO_COLOR` is set]
    #[arg(long, value_name = "WHEN", value_enum, global = true, hide_default_value = true, default_value_t)]
    pub(crate) color: ColorChoice,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Repair one text, or files in place
    Repair(RepairArguments),
    /// Check whether texts are strictly valid JSON
    Check(CheckArguments),
    /// Repair a field of every record of a JSON Lines file
    Batch(BatchArguments),
    /// Extract declared fields from one text
    Parse(ParseArguments),
    /// Read the tool calls of one text, whatever format the model writes them in
    Calls(CallsArguments),
    /// Repair the arguments of the tool calls in a conversation before it is sent again
    Heal(HealArguments),
    /// Ask a model until its answer meets a contract, up to a fixed number of attempts
    Ask(AskArguments),
    /// Show the prompt that would ask for an answer again, without asking anyone
    Prompt(PromptArguments),
    /// List the rules and the patterns of the configuration, and which are on
    Rules(RulesArguments),
    /// Show the documentation of a rule or of a pattern of the configuration
    Explain(ExplainArguments),
    /// Write a commented jsonseam.toml into the current directory, or a crate for rules of your own
    Init(InitArguments),
    /// Look at the configuration
    Config {
        /// What to do with it.
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Write a completion script for a shell
    #[command(after_help = "Install it, for example:\n  \
        jsonseam completions bash > ~/.local/share/bash-completion/completions/jsonseam\n  \
        jsonseam completions zsh > ~/.zfunc/_jsonseam\n  \
        jsonseam completions fish > ~/.config/fish/completions/jsonseam.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page, or all of them into a directory
    #[command(after_help = "Examples:\n  jsonseam man | man -l -\n  jsonseam man config check\n  \
        jsonseam man --all ~/.local/share/man/man1")]
    Man {
        /// The page of this subcommand instead of the main one
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
        /// Write every page into DIR, which is made if it does not exist
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
        all: Option<PathBuf>,
    },
}

/// What can be done with a configuration.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Load a configuration, run the cases of its patterns, and report whether it is valid
    Check {
        /// The configuration [default: the nearest jsonseam.toml]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
        /// The same as FILE
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "file")]
        config: Option<PathBuf>,
    },
    /// Show the effective settings, and where each comes from
    Show {
        /// The engine flags.
        #[command(flatten)]
        engine: EngineFlags,
    },
}

/// The arguments of `rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    /// Only the rules of this preset, in their order
    #[arg(long, value_name = "PRESET")]
    pub(crate) preset: Option<String>,
    /// The configuration that says which rules are on, and whose patterns are listed too [default: the nearest jsonseam.toml]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// The arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The name of the rule or pattern, as `jsonseam rules` lists it
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,
    /// The configuration whose patterns are known too [default: the nearest jsonseam.toml]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// The arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  jsonseam init\n  jsonseam init --rules acme-rules --path ../jsonseam")]
pub(crate) struct InitArguments {
    /// Write a crate of this name instead, with a first rule, its tests, and a command that knows it
    #[arg(long, value_name = "NAME")]
    pub(crate) rules: Option<String>,
    /// A checkout of jsonseam to build that crate against, instead of the registry
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "rules")]
    pub(crate) path: Option<PathBuf>,
}

/// The arguments of `parse`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    jsonseam parse --keys city,population answer.txt\n  \
    jsonseam parse --schema order.json --outputs-only answer.txt | jq .total\n  \
    jsonseam parse --keys city answers/ > outputs.jsonl\n  \
    ollama run llama3 < question.txt | jsonseam parse --keys city,population --follow\n\n\
    Exit codes: 0 the outputs are printed, 1 refused or the contract is not met, \
    2 usage, configuration, a schema that is refused, input or output.")]
pub(crate) struct ParseArguments {
    /// The files: of several, or of a directory, one line each, with the member `file`
    #[command(flatten)]
    pub(crate) find: FindFlags,
    /// Print the outputs alone, without the record of the repair
    #[arg(long)]
    pub(crate) outputs_only: bool,
    /// Parse one text while it is still being written: a line of JSON for each event (started, text, element, field, hopeless), and last the line without this flag. The first payload counts, unless --candidates or a file names a policy
    #[arg(long)]
    pub(crate) follow: bool,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// Which files, and how many at a time.
#[derive(Debug, Default, Args)]
pub(crate) struct FindFlags {
    /// Files and directories; `-` or no file means standard input. In directories .gitignore is honoured
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
    /// Which files of directories [default: *.json, *.jsonl, *.ndjson]; `!GLOB` leaves files out (repeatable)
    #[arg(long, short, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Read files of directories that .gitignore and other ignore files name
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Read hidden files and directories of directories too
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Print the names of the files that would be read, one a line, and read none of them
    #[arg(long)]
    pub(crate) show_files: bool,
    /// How many files to read at a time [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// Which files, and for whom.
#[derive(Debug, Default, Args)]
pub(crate) struct FileFlags {
    /// The files.
    #[command(flatten)]
    pub(crate) find: FindFlags,
    /// Read line by line, as JSON Lines [default: auto: by the name (.jsonl, .ndjson) or the content]
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true,
        default_missing_value = "always", hide_default_value = true, default_value_t)]
    pub(crate) lines: ByLine,
    /// For people, as JSON Lines with one record a file or line, as annotations for GitHub Actions, or as one SARIF log
    #[arg(long, value_name = "FORMAT", value_enum, hide_default_value = true, default_value_t)]
    pub(crate) output_format: OutputFormat,
    /// Count the edits by rule and the refusals by reason over all files
    #[arg(long)]
    pub(crate) statistics: bool,
}

/// The arguments of `repair`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the command line")]
#[command(
    after_help = "Examples:\n  \
        jsonseam repair answer.txt\n  \
        jsonseam repair --preset standard --explain answer.txt\n  \
        jsonseam repair --preset standard --write answers/\n  \
        jsonseam repair --preset standard answers/ -o repaired/\n  \
        tail -f answers.jsonl | jsonseam repair --lines | jq .id\n  \
        ollama run llama3 < question.txt | jsonseam repair --follow --events\n  \
        jsonseam repair --all --preset standard answer.md | jq .id\n\n\
        Exit codes: 0 done, 1 refused or --check would change something, 2 usage, configuration, input or output.",
    group = ArgGroup::new("shown").args(["diff", "explain", "report"]).conflicts_with_all(["check", "all"]),
)]
pub(crate) struct RepairArguments {
    /// The files.
    #[command(flatten)]
    pub(crate) files: FileFlags,
    /// Show a unified diff instead of the repaired text
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show the source with every edit under its text instead of the repaired text
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the record as JSON to FILE (`-`: standard output) instead of the repaired text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Only report which files a repair would change; exit with 1 if any would change or is refused
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Replace the files, each in one step; files that are valid already stay untouched
    #[arg(long, visible_alias = "in-place", short_alias = 'i')]
    pub(crate) write: bool,
    /// With --write: keep what a file held as FILE.bak, or with this suffix; what has that name already is never replaced
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, default_missing_value = ".bak",
        value_parser = suffix, requires = "write")]
    pub(crate) backup: Option<String>,
    /// Write the payload that is taken although the text holds others, which are lost
    #[arg(long)]
    pub(crate) allow_further: bool,
    /// Write results that were truncated
    #[arg(long)]
    pub(crate) allow_truncated: bool,
    /// Take every payload of a text: one a line, or as one array; with --write, a text with one payload stays one
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true,
        default_missing_value = "lines", conflicts_with = "candidates")]
    pub(crate) all: Option<AllForm>,
    /// Repair the text while it is still being written: what is settled is written at once, and never taken back [preset default: standard]
    #[arg(long, conflicts_with_all = ["shown", "check", "write", "all", "output", "compact", "pretty", "output_format", "jobs"])]
    pub(crate) follow: bool,
    /// With --follow: write a line of JSON for each event: where the payload starts, what begins, pieces of strings, what is done, each edit
    #[arg(long, requires = "follow", conflicts_with = "patch")]
    pub(crate) events: bool,
    /// With --follow: write the value as lines of JSON Patch (`add`), and `append` for the next piece of a string
    #[arg(long, requires = "follow")]
    pub(crate) patch: bool,
    /// Write the repaired text to FILE, which appears or is replaced in one step; into a directory (`DIR/`) every file under its name
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::AnyPath, conflicts_with_all = ["write", "check", "diff", "explain"])]
    pub(crate) output: Option<PathBuf>,
    /// Write the value without white space
    #[arg(long, short, conflicts_with_all = ["pretty", "shown"])]
    pub(crate) compact: bool,
    /// Write the value indented by N blanks [default: 2]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "2",
        value_parser = clap::value_parser!(u8).range(0..=16), conflicts_with = "shown")]
    pub(crate) pretty: Option<u8>,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  jsonseam check .\n  jsonseam check --output-format github data/\n  jsonseam check --staged\n  jsonseam check --show-files .\n\n\
    The root may be any value unless --root is given; rules affect only the hint printed after a refusal.\n\n\
    Exit codes: 0 all are valid, 1 at least one is not, 2 usage, configuration, input or output."
)]
pub(crate) struct CheckArguments {
    /// The files.
    #[command(flatten)]
    pub(crate) files: FileFlags,
    /// Check what is staged for a commit, as git would commit it; FILE names the paths to look at
    #[arg(long, conflicts_with_all = ["glob", "no_ignore", "hidden"])]
    pub(crate) staged: bool,
    /// Exit with 0 even if a text is not valid
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `batch`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    jsonseam batch answers.jsonl -o repaired.jsonl\n  \
    jsonseam batch --shape openai --keys city,population batch_output.jsonl\n  \
    jsonseam batch --raw --preset standard broken.jsonl\n  \
    tail -f answers.jsonl | jsonseam batch --only value | jq .id\n\n\
    Exit codes: 0 all lines are written (refusals are data), 1 with --fail-on-refused, or if more than half of the lines cannot be used, \
    2 usage, configuration, input or output, 130 or 143 interrupted.")]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the command line")]
pub(crate) struct BatchArguments {
    /// The JSON Lines file; `-` or no file means standard input
    #[arg(value_name = "IN.jsonl", value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    /// Write to FILE, which appears or is replaced in one step at the end [default: standard output]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The member of each record that holds the text: a name, a JSON Pointer (/a/0), or a path (a.0 or a[0])
    #[arg(long, value_name = "NAME", default_value = "completion")]
    pub(crate) field: String,
    /// Where batch files of a provider hold the text
    #[arg(long, value_name = "PROVIDER", value_enum, conflicts_with_all = ["field", "raw"])]
    pub(crate) shape: Option<Shape>,
    /// Each line is a text to repair, not a record that holds one
    #[arg(long, conflicts_with = "field")]
    pub(crate) raw: bool,
    /// Only these members of the record of each repair, separated by commas
    #[arg(long, value_name = "MEMBER,…", value_enum, value_delimiter = ',')]
    pub(crate) fields: Vec<RecordMember>,
    /// Write this member of each record alone, one a line; null where there is none
    #[arg(long, value_name = "MEMBER", value_parser = one_of::<RecordMember>(&["value", "text", "outputs", "calls"]),
        conflicts_with_all = ["fields", "resume"])]
    pub(crate) only: Option<RecordMember>,
    /// Continue from the FILE.part of an interrupted run; the output is written to that file first
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// How many threads repair [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Exit with 1 if any record was refused or does not meet the contract
    #[arg(long)]
    pub(crate) fail_on_refused: bool,
    /// Count the refusals by reason too
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Read the tool calls of each text instead of repairing it
    #[arg(long, help_heading = "Tool calls")]
    pub(crate) calls: bool,
    /// The member of each record that holds the offered tools: a name, a JSON Pointer or a path
    #[arg(long, value_name = "NAME", requires = "calls", conflicts_with_all = ["raw", "tools"], help_heading = "Tool calls")]
    pub(crate) tools_field: Option<String>,
    /// The flags of reading calls.
    #[command(flatten)]
    pub(crate) call_flags: CallFlags,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
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
