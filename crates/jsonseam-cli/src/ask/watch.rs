//! Reports on a run while it goes on: lines for people, and lines of the trace.

use std::sync::{Mutex, PoisonError};

use jsonseam::reask::{
    Answer, AnswerEvent, Attempt, Failure, Phase, Progress, RejectionCause, Request, Response, TransportKind, Usage,
};

use super::trace::{Line, Trace};
use crate::console;
use crate::follow;

/// Most characters of what a server wrote that are shown.
const MAX_SAID: usize = 400;

/// Where reports go.
pub(super) struct Watch {
    trace: Option<Mutex<Trace>>,
    is_quiet: bool,
    /// Why an event could not be written, if one could not.
    unwritten: Mutex<Option<anyhow::Error>>,
}

impl Watch {
    pub(super) fn new(trace: Option<Trace>, is_quiet: bool) -> Self {
        Self { trace: trace.map(Mutex::new), is_quiet, unwritten: Mutex::default() }
    }

    fn write(&self, line: &Line<'_>) {
        if let Some(trace) = &self.trace {
            trace.lock().unwrap_or_else(PoisonError::into_inner).write(line);
        }
    }

    pub(super) fn request(&self, request: &Request) {
        self.write(&Line::Request { attempt: request.attempt, mode: request.mode, messages: &request.messages });
    }

    pub(super) fn response(&self, attempt: u32, response: &Response) {
        self.write(&Line::Answer { attempt, text: &response.text });
    }

    pub(super) fn attempt(&self, attempt: &Attempt) {
        self.write(&Line::Attempt(attempt));
        if self.is_quiet {
            return;
        }
        let errors = attempt.errors.iter().flat_map(|error| [", ", error]).collect::<String>();
        let tokens = attempt.usage.map_or_else(String::new, |usage| format!("; {}", tokens(usage)));
        console::note(format_args!(
            "attempt {} ({}): {}{errors}{tokens}",
            attempt.number, attempt.mode, attempt.status
        ));
    }

    pub(super) fn progress(&self, progress: &Progress) {
        self.write(&Line::progress(progress));
        if self.is_quiet {
            return;
        }
        let Progress { attempt, maximum, delay, reason, .. } = progress;
        match progress.phase {
            Phase::TransportRetry => {
                let seconds = delay.as_secs_f64();
                console::note(format_args!("sending again in {seconds:.1} s ({attempt} of {maximum}): {reason}"));
            }
            Phase::WithoutTemperature => {
                console::note("the model takes no temperature; asking again without one");
            }
            Phase::SchemaRepair => console::note(format_args!("asking again ({attempt} of {maximum})")),
            Phase::Fallback => {
                console::note(format_args!(
                    "going on in the next mode or with the next model ({attempt} of {maximum})"
                ));
            }
            other => console::note(format_args!("{other} ({attempt} of {maximum})")),
        }
    }

    pub(super) fn met(&self, answer: &Answer) {
        if !self.is_quiet {
            let attempts = crate::counts::counted(answer.attempts.len(), "attempt");
            console::note(format_args!("the contract is met after {attempts}"));
        }
    }

    /// Writes an event of an answer that is being written.
    pub(super) fn event(&self, event: &AnswerEvent<'_>) {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        if unwritten.is_none() {
            *unwritten = follow::tell_answer(event).err();
        }
    }

    /// Why an event could not be written: no one reads any more.
    pub(super) fn unwritten(&self) -> Option<anyhow::Error> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the trace could be written.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        match &self.trace {
            Some(trace) => trace.lock().unwrap_or_else(PoisonError::into_inner).finish(),
            None => Ok(()),
        }
    }
}

fn tokens(usage: Usage) -> String {
    format!("{} + {} tokens", usage.prompt_tokens, usage.completion_tokens)
}

/// Why there are no outputs, and what may help. What the server wrote is cut, without the key (the client sees to that), and escaped.
pub(super) fn unmet(failure: &Failure, base_url: &str) {
    console::note(failure);
    if let Some(error) = failure.error.transport() {
        if let Some(said) = error.detail().filter(|_| !console::is_verbose()) {
            // It may quote the prompt, or be what the model wrote.
            let len = crate::counts::counted(said.len(), "byte");
            console::help_below(format_args!("the server's own words ({len}) are shown with -v"));
        } else if let Some(said) = error.detail() {
            let shown: String = said.chars().take(MAX_SAID).collect();
            let more = if shown.len() < said.len() { " …" } else { "" };
            let who = if error.reason() == TransportKind::ModelRefused { "model" } else { "server" };
            console::note_below(format_args!("the {who} says: {shown}{more}"));
        }
        match error.reason() {
            TransportKind::Quota => {
                console::note_below("the quota of the account is used up; waiting does not help");
            }
            TransportKind::Rejected => console::help_below(match error.cause() {
                _ if matches!(error.http_status(), Some(409 | 425)) => {
                    "the server is at work on something that is in the way: ask again later"
                }
                _ if error.http_status() == Some(413) => "the request is larger than the server takes",
                RejectionCause::ContextLength => {
                    "the prompt is longer than the model reads, or --max-tokens asks for too much"
                }
                RejectionCause::Model => "the server does not have this model: --model",
                RejectionCause::Temperature => "the model takes no temperature: --temperature omit",
                _ => "a server that does not know a response format may know another: --mode or --fallback",
            }),
            TransportKind::NotFound => {
                console::help_below("the address or the model is not known: --base-url, --model");
            }
            TransportKind::Connection => {
                // A query may hold a secret.
                let address = base_url.split(['?', '#']).next().unwrap_or_default();
                console::help_below(format_args!(
                    "no server answered at {address}: is it running, and is --base-url right?"
                ));
            }
            TransportKind::BadResponse => match error.cause() {
                RejectionCause::Page => console::help_below(
                    "it is a page of HTML or XML and not JSON: is --base-url that of the interface, such as …/v1?",
                ),
                RejectionCause::Compressed => console::help_below(
                    "it is compressed, although the request wants it as it is: is there a proxy in between?",
                ),
                _ => {}
            },
            TransportKind::ContentFilter => {
                console::help_below(
                    "the prompt or the answer met a filter of the server: change the prompt, or the filter",
                );
            }
            TransportKind::Unauthorized => console::help_below(
                "the key is taken from OPENAI_API_KEY, or from where --key-env or --header-env says",
            ),
            _ => {}
        }
    }
    let refusal = failure.error.contract().and_then(jsonseam::ContractError::decode);
    if let Some(rules) = refusal.map(jsonseam::Error::mended_by).filter(|rules| !rules.is_empty()) {
        let rules = rules.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
        console::help_below(format_args!("would repair this, but not enabled: {rules}"));
    }
    if failure.partial.is_some() {
        console::note_below("the outputs that are valid by themselves are printed as `partial`");
    }
}
