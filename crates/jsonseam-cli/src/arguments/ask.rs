//! The arguments of `ask` and `prompt`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use jsonseam::reask::{JsonText, Mode, OnExhausted, StrictSchemas, Temperature};
use jsonseam::toolcall::Bare;
use serde_json::value::RawValue;

use super::flags::{ContractFlags, EngineFlags};
use super::values::one_of;

/// Longest deadline, in seconds: a day, as in the configuration file.
const MOST_SECONDS: f64 = 86_400.0;
/// Most re-asks per mode, as in the configuration file.
const MOST_ATTEMPTS: i64 = 100;

/// The flags that `ask` and `prompt` share. They override the table `[reask]` of the configuration file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Loop")]
pub(crate) struct LoopFlags {
    /// How the server is asked for JSON [default: json-schema]
    #[arg(long, value_name = "MODE", value_parser = one_of::<Mode>(Mode::NAMES))]
    pub(crate) mode: Option<Mode>,
    /// Most re-asks in each mode, after its first request [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_ATTEMPTS))]
    pub(crate) max_attempts: Option<u32>,
}

/// The arguments of `ask`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the command line")]
#[command(after_help = "Examples:\n  \
    jsonseam ask --base-url https://api.example.com/v1 --model m --keys city,population 'Where is the Louvre?'\n  \
    jsonseam ask --base-url http://localhost:8000/v1 --model m --contract contract.toml - < prompt.txt\n\n\
    The key is taken from the environment: from OPENAI_API_KEY, or from what --key-env and --header-env name; \
    a server on this machine needs none.\n\n\
    Exit codes: 0 the outputs are printed, 1 the contract is not met or there was no answer, \
    2 usage, configuration, a schema that is refused, input or output, 130 or 143 interrupted.")]
pub(crate) struct AskArguments {
    /// What to ask; `-` reads it from standard input
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: String,
    /// Where the server's chat completions are, such as `https://models.example/v1`
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: String,
    /// The model to ask; each further one is asked when the one before has failed (repeatable)
    #[arg(long, value_name = "MODEL", required = true, value_delimiter = ',')]
    pub(crate) model: Vec<String>,
    /// The application's instructions, sent before the prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// The temperature of re-asks: a number, or `omit` for models that accept none [default: 0]
    #[arg(long, value_name = "N", help_heading = "Request")]
    pub(crate) temperature: Option<Temperature>,
    /// The most tokens that the model may write
    #[arg(long, value_name = "N", help_heading = "Request")]
    pub(crate) max_tokens: Option<u32>,
    /// The seed of the model's choices
    #[arg(long, value_name = "N", help_heading = "Request", allow_negative_numbers = true)]
    pub(crate) seed: Option<i64>,
    /// Whether the server must hold the model strictly to the schema: where the schema allows it, always or never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = one_of::<StrictSchemas>(StrictSchemas::NAMES), help_heading = "Request")]
    pub(crate) strict_schema: Option<StrictSchemas>,
    /// Members that every request gets too, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = members, help_heading = "Request")]
    pub(crate) extra_body: Option<Members>,
    /// A header that every request gets too (repeatable)
    #[arg(long, value_name = "NAME: VALUE", value_parser = header, help_heading = "Request")]
    pub(crate) header: Vec<Header>,
    /// A header that every request gets too, with its value from an environment variable, so that no list of processes shows it (repeatable)
    #[arg(long, value_name = "NAME: VARIABLE", value_parser = header, help_heading = "Request")]
    pub(crate) header_env: Vec<Header>,
    /// The environment variable that holds the key; without it and without `--header-env`, that is `OPENAI_API_KEY`
    #[arg(long, value_name = "VARIABLE", help_heading = "Request")]
    pub(crate) key_env: Option<String>,
    /// Take the answer in pieces, as the server makes it; it is read whole all the same
    #[arg(long)]
    pub(crate) stream: bool,
    /// With --stream: a line of JSON for each event while the model still writes (attempt, started, text, element, field, hopeless, `given_up`, withdrawn), and last the line without this flag
    #[arg(long, requires = "stream")]
    pub(crate) follow: bool,
    /// Allow http:// to other machines: the key and the answer can then be read and changed on the way
    #[arg(long)]
    pub(crate) allow_plain_http: bool,
    /// Append one line of JSON for each attempt and each repetition to FILE, without any text of prompts or answers
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    /// Put the text of requests and answers into the trace too
    #[arg(long, requires = "trace")]
    pub(crate) trace_texts: bool,
    /// The flags of the loop.
    #[command(flatten)]
    pub(crate) looped: LoopFlags,
    /// The modes to try when one has failed, separated by commas, or none [default: none]
    #[arg(long, value_name = "MODE,…", value_parser = fallback, help_heading = "Loop")]
    pub(crate) fallback: Option<Fallback>,
    /// The time for everything, in seconds [default: 300]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Loop")]
    pub(crate) deadline: Option<Duration>,
    /// Where a tool call without a mark counts as an answer, as in `jsonseam calls`; `last`, which needs offered tools, is not taken here [default: alone]
    #[arg(long, value_name = "WHERE", value_parser = one_of::<Bare>(&["alone", "never"]), help_heading = "Loop")]
    pub(crate) bare: Option<Bare>,
    /// What to return when all attempts are used up: the best partial answer, or none [default: partial]
    #[arg(long, value_name = "CHOICE", value_parser = one_of::<OnExhausted>(OnExhausted::NAMES), help_heading = "Loop")]
    pub(crate) on_exhausted: Option<OnExhausted>,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// The arguments of `prompt`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  jsonseam prompt --keys city,population answer.txt\n\n\
    Exit codes: 0 the prompt is printed, or nothing if the answer meets the contract, \
    1 the answer is not UTF-8 or too long, 2 usage, configuration, a schema that is refused, input or output.")]
pub(crate) struct PromptArguments {
    /// The file with the answer; `-` or no file means standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// The flags of the loop.
    #[command(flatten)]
    pub(crate) looped: LoopFlags,
    /// The contract flags.
    #[command(flatten)]
    pub(crate) contract: ContractFlags,
    /// The engine flags.
    #[command(flatten)]
    pub(crate) engine: EngineFlags,
}

/// Further modes, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fallback(pub(crate) Vec<Mode>);

fn fallback(text: &str) -> Result<Fallback, String> {
    if text == "none" {
        return Ok(Fallback(Vec::new()));
    }
    let mut modes = Vec::new();
    for name in text.split(',') {
        let known = || format!("known values are none, or some of {}", Mode::NAMES.join(", "));
        let mode = name.parse().map_err(|_| known())?;
        if modes.contains(&mode) {
            return Err(format!("it names {mode} twice"));
        }
        modes.push(mode);
    }
    Ok(Fallback(modes))
}

/// The members of a JSON object, each as it is spelled.
#[derive(Debug, Clone)]
pub(crate) struct Members(pub(crate) BTreeMap<String, JsonText>);

fn members(text: &str) -> Result<Members, &'static str> {
    let members: Result<BTreeMap<String, Box<RawValue>>, _> = serde_json::from_str(text);
    let members = members.map_err(|_| "takes a JSON object")?;
    Ok(Members(members.into_iter().map(|(name, value)| (name, value.into())).collect()))
}

/// The name of a header and its value, which `Debug` does not show.
#[derive(Clone)]
pub(crate) struct Header(pub(crate) String, pub(crate) String);

impl std::fmt::Debug for Header {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Header").field(&self.0).finish()
    }
}

fn header(text: &str) -> Result<Header, &'static str> {
    let (name, value) = text.split_once(':').ok_or("needs a colon after the name of the header")?;
    Ok(Header(name.trim().to_owned(), value.trim().to_owned()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds")?;
    if !(0.001..=MOST_SECONDS).contains(&seconds) {
        return Err(format!("seconds between 0.001 and {MOST_SECONDS}"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l6_fallback_is_none_or_modes_each_once() {
        assert_eq!(fallback("none"), Ok(Fallback(vec![])));
        assert_eq!(fallback("json-object,text"), Ok(Fallback(vec![Mode::JsonObject, Mode::Text])));
        for wrong in ["", "text,", "text,none", "text,text", "Text"] {
            assert!(fallback(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn l7_a_deadline_is_positive_and_at_most_a_day() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("86400"), Ok(Duration::from_secs(86_400)));
        for wrong in ["0", "-1", "86401", "NaN", "inf", "1e99", "", "1 s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
