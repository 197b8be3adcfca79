//! The values that flags take.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jsonseam::Limits;
use jsonseam::contract::{CastKind, Casts, Draft};
use jsonseam_text::named;

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// When a text is read line by line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ByLine {
    /// If its name or its content says so
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How all payloads of a text are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllForm {
    /// One a line
    Lines,
    /// As the elements of one array
    Array,
}

/// For whom the results are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    #[default]
    Human,
    /// JSON Lines: one record a file, or a line of JSON Lines
    Json,
    /// Annotations for GitHub Actions
    Github,
    /// One log of all findings, for what reads SARIF 2.1.0
    Sarif,
}

/// Where the batch files of a provider hold the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// OpenAI's batches of chat completions: /response/body/choices/0/message/content
    Openai,
    /// OpenAI's responses, in batches or alone: the text parts of /output
    Responses,
    /// Anthropic, in batches or alone: the text parts of /result/message/content
    Anthropic,
    /// Gemini, in batches or alone: the text parts of /candidates/0/content/parts
    Gemini,
    /// vLLM: /response/body/choices/0/message/content
    Vllm,
    /// Chat completions: /choices/0/message/content
    Chat,
}

named! {
    /// The members of the record of a repair.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
    pub(crate) enum RecordMember as "a member of the record" {
        Version = "version",
        Status = "status",
        Payload = "payload",
        Text = "text",
        Value = "value",
        Edits = "edits",
        Risk = "risk",
        Truncated = "truncated",
        Incomplete = "incomplete",
        Gap = "gap",
        Further = "further",
        Outputs = "outputs",
        Calls = "calls",
        Content = "content",
        Thoughts = "thoughts",
        Format = "format",
        PassedOver = "passed_over",
        Error = "error",
    }
}

/// Reads one of the given names; clap lists them and suggests the nearest.
pub(super) fn one_of<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>().map_err(|_| "not one of the names"))
}

/// The name of all casts that lose nothing.
pub(crate) const EXACT: &str = "exact";

/// The names that casts are chosen by.
pub(crate) fn cast_names() -> impl Iterator<Item = &'static str> {
    let kinds = CastKind::ALL.iter().filter(|kind| !matches!(kind, CastKind::Default | CastKind::Alias));
    [EXACT].into_iter().chain(kinds.map(|kind| kind.name()))
}

/// Casts by name.
pub(super) fn casts() -> impl TypedValueParser<Value = Casts> {
    PossibleValuesParser::new(cast_names()).map(|name| match CastKind::from_name(&name) {
        Some(kind) => Casts::NONE.with(kind),
        None => Casts::COERCE,
    })
}

/// The drafts by name.
pub(super) fn draft() -> impl TypedValueParser<Value = Draft> {
    PossibleValuesParser::new(Draft::NAMES).map(|name| name.parse::<Draft>().unwrap_or_default())
}

/// Reads a number of threads.
pub(super) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<usize>().map_err(|_| "not a whole number".to_owned())?;
    NonZeroUsize::new(number).ok_or_else(|| "at least 1".to_owned())
}

/// Reads what the name of a backup ends in.
pub(super) fn suffix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("what a name ends in, such as .bak".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads a size in bytes: a whole number, which K, M or G multiply by powers of 1024.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let wrong = || format!("a whole number of bytes from 1 to {}, or one with K, M or G", u32::MAX);
    Limits::parse_size(text).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_may_have_a_unit() {
        assert_eq!(size("1"), Ok(1));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2gib"), Ok(2 << 30));
        for wrong in ["", "0", "M", "-1", "1.5M", "4G", "5T", "99999999999999999999"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_thread_at_all_is_a_mistake_with_a_plain_message() {
        assert_eq!(jobs("0"), Err("at least 1".to_owned()));
        assert_eq!(jobs("3").map(usize::from), Ok(3));
    }
}
