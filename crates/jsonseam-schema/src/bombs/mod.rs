//! Schema bombs, each in a process of its own: the outcome, no connection, and what it took (SPEC V3).

#![expect(clippy::print_stdout, reason = "the table is what a reader of the log wants")]

use std::net::TcpListener;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::evaluate::TAKEN;
use crate::limits::budget;
use crate::{Casts, Failure, Schema};

mod list;

use list::{Outcome, bombs};

/// The variable that tells a child which bomb it is, and the one that tells the port that no one must call.
const WHICH: &str = "JSONSEAM_BOMB";
const PORT: &str = "JSONSEAM_BOMB_PORT";
/// What a bomb may take, in MiB.
const MAX_MEMORY: u64 = 300;

fn outcome(schema: &str, text: &str, casts: Casts) -> Outcome {
    match Schema::compile(schema) {
        Err(error) => Outcome::Refused(error.reason().as_str()),
        Ok(schema) => match schema.check(text, &casts) {
            Ok(_) => Outcome::Fits,
            Err(Failure::Invalid(_)) => Outcome::Unfit,
            Err(Failure::Budget) => Outcome::Budget,
            Err(_) => Outcome::NotRepresentable,
        },
    }
}

/// The most memory that this process had, in MiB, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

/// What a child does: one bomb, and one line about it. Unless told which, the first.
#[test]
fn v3_one_bomb() {
    let number = |name| std::env::var(name).ok().map(|number| number.parse::<u16>().expect("a number"));
    let which = number(WHICH);
    let bomb = bombs(number(PORT).unwrap_or_default()).swap_remove(which.unwrap_or_default().into());
    let (schema, text) = ((bomb.schema)(), (bomb.text)());
    let casts = if bomb.casts { Casts::EXACT } else { Casts::NONE };
    let start = Instant::now();
    let outcome = outcome(&schema, &text, casts);
    let time = start.elapsed().as_millis();
    let steps = TAKEN.load(Ordering::Relaxed);
    let memory = peak().map_or_else(|| "-".to_owned(), |peak| peak.to_string());
    println!("\nBOMB {} | {outcome:?} | {steps} | {time} | {memory}", bomb.name);
    assert_eq!(outcome, bomb.outcome, "{}", bomb.name);
    // Beside other tests, their steps are counted too.
    if which.is_none() {
        return;
    }
    // A check evaluates at most four times, and the last step of each may overdraw by as much as the budget.
    assert!(steps <= 8 * budget(text.len()), "{}: {steps} steps", bomb.name);
}

#[test]
fn v3_no_bomb_takes_much_memory_or_opens_a_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket");
    let port = listener.local_addr().expect("an address").port();
    let count = bombs(port).len();
    assert!(count >= 40, "{count} bombs");
    let mut wrong = Vec::new();
    println!("| bomb | outcome | steps | ms | MiB |\n| --- | --- | --- | --- | --- |");
    for which in 0..count {
        let child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "bombs::v3_one_bomb", "--nocapture"])
            .env(WHICH, which.to_string())
            .env(PORT, port.to_string())
            .output()
            .expect("a child");
        let output = String::from_utf8_lossy(&child.stdout);
        let line = output.lines().find_map(|line| line.strip_prefix("BOMB "));
        println!("| {} |", line.unwrap_or("(ended silently)"));
        let memory = line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0);
        if !child.status.success() || memory > MAX_MEMORY {
            wrong.push(format!("{which}: {}", line.unwrap_or("(ended silently)")));
        }
    }
    let calls = std::iter::from_fn(|| listener.accept().ok()).count();
    println!("{} of {count} bombs as they should be, {calls} connections", count - wrong.len());
    assert_eq!(calls, 0, "somebody called");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
