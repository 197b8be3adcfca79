//! Runs the built command in a directory of its own.
#![allow(dead_code, reason = "every test file uses a part of this")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use jsonseam::contract::{Casts, Schema};

use tempfile::TempDir;

/// The binary under test.
pub(crate) const JSONSEAM: &str = env!("CARGO_BIN_EXE_jsonseam");

/// Tells, past the test harness's capture, that a test could not do its work. In continuous integration, which sets `CI`, such a test fails.
pub(crate) fn not_run(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "not run: {reason}");
    let _ = writeln!(std::io::stderr(), "NOT RUN: {reason}");
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.stdout).expect("standard output is text")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).expect("standard output is JSON")
    }

    /// Asserts the code, showing the messages when it differs.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout {:?} stderr {}", String::from_utf8_lossy(&self.stdout), self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.stderr.contains(part), "{:?} is missing in {:?}", part, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn prints(self, stdout: &str) -> Self {
        assert_eq!(String::from_utf8_lossy(&self.stdout), stdout);
        self
    }

    #[track_caller]
    pub(crate) fn stays_silent(self) -> Self {
        assert_eq!((self.text(), self.stderr.as_str()), ("", ""));
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
        Self { code: output.status.code(), stdout: output.stdout, stderr }
    }
}

/// Asserts that a line of `--follow` is one of those of a command, as docs/events.schema.json has them.
#[track_caller]
pub(crate) fn is_event_of(command: &str, line: &str) {
    static SCHEMAS: OnceLock<Mutex<BTreeMap<String, Schema>>> = OnceLock::new();
    let mut schemas = SCHEMAS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let schema = schemas.entry(command.to_owned()).or_insert_with(|| {
        let mut whole: serde_json::Value =
            serde_json::from_str(include_str!("../../../../docs/events.schema.json")).expect("it is JSON");
        whole["anyOf"] = serde_json::json!([{ "$ref": format!("#/$defs/{command}") }]);
        Schema::compile(&whole.to_string()).expect("it is a schema")
    });
    assert!(schema.check(line, &Casts::NONE).is_ok(), "no event of {command}: {line}");
}

/// A directory to run in.
#[derive(Debug)]
pub(crate) struct Place(pub(crate) TempDir);

pub(crate) fn place() -> Place {
    Place(tempfile::tempdir().expect("a temporary directory can be made"))
}

impl Place {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("the file can be written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file can be read")
    }

    /// The names of all entries, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the directory can be read");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(JSONSEAM);
        command.args(arguments).current_dir(self.0.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_on(arguments, b"")
    }

    /// Runs with `input` on standard input.
    pub(crate) fn run_on(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let input = input.as_ref().to_vec();
        let writer = std::thread::spawn(move || {
            // The command may stop reading early.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("the command ends");
        writer.join().expect("the writer ends");
        output.into()
    }
}
