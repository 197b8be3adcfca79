//! The three exit codes, and how errors become one of them.

use std::io;
use std::process::ExitCode;

use crate::console;

/// How a command ended. The order is meaningful: over several files the worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done: code 0.
    Done,
    /// Refused, or `--check` would change something: code 1.
    Refused,
    /// Usage, configuration, input or output: code 2.
    Failed,
    /// Ended by a signal: code 128 and the signal's number, as shells have it.
    Interrupted(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::Failed => 2,
            Exit::Interrupted(signal) => 128 | signal,
        })
    }
}

/// The exit of a command; an error is reported on standard error, a closed pipe is not.
pub(crate) fn of(result: anyhow::Result<Exit>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(error) if is_closed_pipe(&error) => Exit::Done,
        Err(error) => {
            console::complain(&error);
            Exit::Failed
        }
    }
}

/// The exit when clap has an answer of its own: help, version, or a usage error.
pub(crate) fn of_clap(answer: &clap::Error) -> Exit {
    if answer.use_stderr() {
        // The message quotes the arguments, which may hold anything.
        console::note_lines(&answer.render().to_string());
        return Exit::Failed;
    }
    match answer.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            console::complain(&anyhow::Error::new(error).context("cannot write to standard output"));
            Exit::Failed
        }
        _ => Exit::Done,
    }
}

/// Whether the reader of our output has gone: no one is left to talk to.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_is_worse_than_refusing() {
        assert_eq!(Exit::Refused.max(Exit::Failed), Exit::Failed);
        assert_eq!(Exit::Done.max(Exit::Refused), Exit::Refused);
    }

    #[test]
    fn a_closed_pipe_is_found_under_its_context() {
        let error = anyhow::Error::new(io::Error::from(io::ErrorKind::BrokenPipe)).context("cannot write");
        assert!(is_closed_pipe(&error));
        assert!(!is_closed_pipe(&anyhow::anyhow!("something else")));
    }
}
