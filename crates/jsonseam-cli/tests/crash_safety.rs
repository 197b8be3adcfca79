//! Kills and failures at every system call of a write: the file is the old one or the new one, whole.
//!
//! Uses the fault injection of `strace`; without it the tests say that they were not run.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Output, Stdio};

use common::{JSONSEAM, Place, place};

const OLD: &str = "{\"a\": [1, 2, 3,], \"b\": \"kept\",}\n";
const NEW: &str = "{\"a\": [1, 2, 3], \"b\": \"kept\"}\n";

/// The calls that can leave something half done.
const CALLS: [&str; 9] = ["openat", "write", "fsync", "rename", "fchmod", "fchown", "close", "unlink", "lseek"];

/// Where in the series of one call a fault is placed.
const PLACES: std::ops::RangeInclusive<usize> = 1..=14;

fn has_strace() -> bool {
    let works = Command::new("strace").args(["-f", "-e", "inject=fsync:error=EIO:when=9", "true"]).output();
    if works.is_ok_and(|output| output.status.success()) {
        return true;
    }
    common::not_run("strace is missing or may not trace");
    false
}

fn traced(here: &Place, fault: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("inject={fault}"), JSONSEAM]).args(arguments);
    command.current_dir(here.0.path()).stdin(Stdio::null()).output().expect("strace runs")
}

fn prepared() -> Place {
    let here = place().with("a.json", OLD);
    fs::set_permissions(here.path("a.json"), fs::Permissions::from_mode(0o604)).expect("modes can be set");
    here
}

/// The file is one of the two, with its mode.
#[track_caller]
fn assert_whole(here: &Place, fault: &str) -> bool {
    let content = here.read("a.json");
    assert!(content == OLD || content == NEW, "{fault}: {content:?}");
    let mode = fs::metadata(here.path("a.json")).expect("it exists").mode() & 0o7777;
    assert_eq!(mode, 0o604, "{fault}");
    content == NEW
}

#[test]
fn a_kill_at_any_call_leaves_the_old_file_or_the_new() {
    if !has_strace() {
        return;
    }
    let (mut old, mut new) = (0, 0);
    for call in CALLS {
        for at in PLACES {
            let here = prepared();
            let fault = format!("{call}:signal=SIGKILL:when={at}");
            traced(&here, &fault, &["repair", "--write", "a.json"]);
            *if assert_whole(&here, &fault) { &mut new } else { &mut old } += 1;
        }
    }
    assert!(old > 0 && new > 0, "the faults hit before and after the rename: {old} old, {new} new");
}

#[test]
fn an_error_at_any_call_leaves_the_old_file_or_the_new_and_no_rest() {
    if !has_strace() {
        return;
    }
    let mut failed = 0;
    for call in CALLS.into_iter().filter(|call| !matches!(*call, "unlink" | "close")) {
        for (error, at) in ["ENOSPC", "EIO"].iter().flat_map(|error| PLACES.map(move |at| (error, at))) {
            let here = prepared();
            let fault = format!("{call}:error={error}:when={at}");
            let output = traced(&here, &fault, &["repair", "--write", "a.json"]);
            let is_new = assert_whole(&here, &fault);
            assert_eq!(here.names(), ["a.json"], "{fault}");
            let code = output.status.code();
            // Before the command itself runs, the loader dies of such faults with a code of its own.
            assert!(is_new || code != Some(0), "{fault}: not written, but said to be");
            if code == Some(2) {
                failed += 1;
                assert!(output.stderr.starts_with(b"jsonseam: "), "{fault}");
            }
        }
    }
    assert!(failed >= 8, "only {failed} faults were told");
}

#[test]
fn a_batch_output_is_as_safe() {
    if !has_strace() {
        return;
    }
    let input = "{\"completion\":\"{\\\"a\\\":1,}\"}\n".repeat(2_000);
    let whole = place().run_on(&["batch"], &input).exits(0);
    for call in ["write", "fsync", "rename"] {
        for (fault, leaves_rest) in [("signal=SIGKILL", true), ("error=ENOSPC", false)] {
            for at in 1..=4 {
                let here = place().with("in.jsonl", &input).with("out.jsonl", "old");
                let fault = format!("{call}:{fault}:when={at}");
                traced(&here, &fault, &["batch", "--jobs", "2", "in.jsonl", "-o", "out.jsonl"]);
                let content = here.read("out.jsonl");
                assert!(content == "old" || content == whole.text(), "{fault}");
                assert!(leaves_rest || here.names() == ["in.jsonl", "out.jsonl"], "{fault}: {:?}", here.names());
            }
        }
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_not_replaced() {
    if !has_strace() {
        return;
    }
    let here = prepared();
    let mut command = Command::new("strace");
    // The delay before the first fsync is the moment in which somebody else writes.
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:delay_enter=1500000:when=1", JSONSEAM]);
    command.args(["repair", "--write", "a.json"]).current_dir(here.0.path());
    let child = command.stderr(Stdio::piped()).spawn().expect("strace runs");
    let is_begun = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        here.names().len() == 2
    });
    assert!(is_begun, "the new content is written beside the old");
    let here = here.with("a.json", "somebody else's");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("it changed while it was being repaired"));
    assert_eq!((here.read("a.json").as_str(), here.names()), ("somebody else's", vec!["a.json".to_owned()]));
}

#[test]
fn a_batch_goes_on_with_resume_after_a_fault_at_any_call() {
    if !has_strace() {
        return;
    }
    let input = "{\"completion\":\"{\\\"a\\\":1,}\"}\n".repeat(2_000);
    let whole = place().run_on(&["batch"], &input).exits(0);
    let resume = ["batch", "--jobs", "2", "in.jsonl", "-o", "out.jsonl", "--resume"];
    let (mut gone_on, mut told) = (0, 0);
    for call in ["write", "fsync", "rename", "ftruncate"] {
        for (fault, at) in
            ["signal=SIGKILL", "error=ENOSPC"].iter().flat_map(|fault| (1..=3).map(move |at| (fault, at)))
        {
            let here = place().with("in.jsonl", &input).with("out.jsonl", "old");
            let fault = format!("{call}:{fault}:when={at}");
            // The second fault meets a run that goes on.
            for _ in 0..2 {
                let output = traced(&here, &fault, &resume);
                let content = here.read("out.jsonl");
                assert!(content == "old" || content == whole.text(), "{fault}: {} bytes", content.len());
                told += usize::from(output.status.code() == Some(2));
                gone_on += usize::from(here.names().contains(&"out.jsonl.part".to_owned()));
            }
            here.run(&resume).exits(0);
            assert!(here.read("out.jsonl") == whole.text(), "{fault}");
            assert_eq!(here.names(), ["in.jsonl", "out.jsonl"], "{fault}");
        }
    }
    assert!(gone_on >= 8 && told >= 8, "{gone_on} parts were left, {told} faults were told");
}
