//! Colours, where they are wanted. The text is escaped before it is painted, so the only escape sequences are ours.

use std::env;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};

use crate::arguments::ColorChoice;

/// What a colour stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// The name of the command, or of a file.
    Name,
    /// Advice.
    Help,
    /// What was added.
    Added,
    /// What was removed.
    Removed,
    /// Where something is.
    Place,
    /// A certain or likely edit.
    Sound,
    /// An edit that guesses or loses.
    Doubtful,
}

impl Paint {
    fn style(self) -> Style {
        match self {
            Self::Name => Style::new().bold(),
            Self::Help => AnsiColor::Cyan.on_default(),
            Self::Added | Self::Sound => AnsiColor::Green.on_default(),
            Self::Removed => AnsiColor::Red.on_default(),
            Self::Place => AnsiColor::Blue.on_default(),
            Self::Doubtful => AnsiColor::Yellow.on_default(),
        }
    }
}

/// A text with its colour, if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Painted<'t> {
    text: &'t str,
    style: Option<Style>,
}

impl Display for Painted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            None => formatter.write_str(self.text),
            Some(style) => write!(formatter, "{style}{}{style:#}", self.text),
        }
    }
}

/// Text for standard error. It must hold nothing unsafe.
pub(crate) fn paint_stderr(text: &str, paint: Paint) -> Painted<'_> {
    Painted { text, style: is_wanted(&io::stderr()).then(|| paint.style()) }
}

/// Text for standard output. It must hold nothing unsafe.
pub(crate) fn paint_stdout(text: &str, paint: Paint) -> Painted<'_> {
    Painted { text, style: is_wanted(&io::stdout()).then(|| paint.style()) }
}

fn is_wanted(stream: &impl IsTerminal) -> bool {
    match super::flags().color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
            stream.is_terminal() && !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
