//! The last line of every task.

use std::process::ExitCode;

/// How the words of a task begin that could not run, since something is missing that is not part of this project.
pub(crate) const NOT_RUN: &str = "NOT RUN: ";

/// Whether a task found everything as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everything is as it must be.
    Pass(String),
    /// Something is not.
    Fail(String),
    /// A process that was started in place of this one has announced the verdict: only its exit code is passed on.
    Announced(ExitStatus),
}

/// How the process that announced a verdict ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// With the exit code 0.
    Success,
    /// With any other.
    Failure,
}

impl Verdict {
    /// Everything is as it must be.
    pub(crate) fn pass(words: impl Into<String>) -> Self {
        Self::Pass(words.into())
    }

    /// Something is not as it must be.
    pub(crate) fn fail(words: impl Into<String>) -> Self {
        Self::Fail(words.into())
    }

    /// The task could not run: what is missing.
    pub(crate) fn not_run(missing: impl std::fmt::Display) -> Self {
        Self::Fail(format!("{NOT_RUN}{missing}"))
    }

    /// `PASS` unless there are complaints, which are printed and counted.
    pub(crate) fn of_complaints(complaints: &[String], passed: impl Into<String>) -> Self {
        for complaint in complaints {
            println!("{complaint}");
        }
        match complaints.len() {
            0 => Self::pass(passed),
            1 => Self::fail("1 complaint"),
            count => Self::fail(format!("{count} complaints")),
        }
    }

    /// Prints the verdict and gives the exit code.
    pub(crate) fn announce(self) -> ExitCode {
        match self {
            Self::Pass(words) => {
                println!("PASS {words}");
                ExitCode::SUCCESS
            }
            Self::Fail(words) => {
                println!("FAIL {words}");
                ExitCode::FAILURE
            }
            Self::Announced(ExitStatus::Success) => ExitCode::SUCCESS,
            Self::Announced(ExitStatus::Failure) => ExitCode::FAILURE,
        }
    }
}
