//! A model that plays a script, on a clock that only runs when somebody waits.
#![allow(dead_code, unreachable_pub, clippy::unnecessary_wraps, reason = "each test file uses its part")]

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use jsonseam_core::Catalogue;
use jsonseam_reask::{
    Answer, BlockingTimer, Conversation, DigestKey, Failure, Reask, Request, Response, Role, Timer, TransportError,
};

pub use jsonseam_adapter::{Adapter, AdapterBuilder};

/// A contract builder with the built-in rules.
pub fn contract() -> AdapterBuilder {
    Adapter::builder().catalogue(|| Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS)).preset("standard")
}

/// `answer`: a string; `score`: an integer of at least 0; `note`: an optional string.
pub fn reask() -> Reask {
    let adapter = contract()
        .schema("answer", r#"{"type": "string"}"#)
        .schema("score", r#"{"type": "integer", "minimum": 0}"#)
        .schema("note", r#"{"type": "string"}"#)
        .optional("note")
        .build()
        .expect("the contract is right");
    Reask::new(adapter).digest_key(DigestKey::new([7; 16]))
}

pub const GOOD: &str = r#"{"answer": "yes", "score": 7}"#;

/// One answer of a script.
pub type Play = Result<Response, TransportError>;

pub fn says(text: &str) -> Play {
    Ok(text.into())
}

/// What came of a run, and every request that was sent, transport retries too.
pub struct Run {
    pub result: Result<Answer, Failure>,
    pub requests: Vec<Request>,
    pub elapsed: Duration,
}

impl Run {
    pub fn failure(&self) -> &Failure {
        self.result.as_ref().expect_err("the contract is not met")
    }

    pub fn answer(&self) -> &Answer {
        self.result.as_ref().expect("the contract is met")
    }

    /// The last message of a request.
    pub fn prompt(&self, at: usize) -> &str {
        &self.requests[at].messages.last().expect("there is a message").content
    }
}

/// The blocking clock of tests. Each answer takes `cost`.
#[derive(Default)]
pub struct Clock {
    now: Cell<Duration>,
}

impl BlockingTimer for Clock {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn sleep(&self, pause: Duration) {
        self.now.set(self.now.get() + pause);
    }
}

pub const START: Duration = Duration::from_secs(1_000);

/// Plays a script to the blocking driver. An answer takes one second; a script that has ended repeats its last line.
pub fn play(reask: &Reask, script: &[Play]) -> Run {
    play_with(reask, "What is it?".into(), script, Duration::from_secs(1))
}

pub fn play_with(reask: &Reask, conversation: Conversation, script: &[Play], cost: Duration) -> Run {
    let clock = Clock { now: Cell::new(START) };
    let requests = RefCell::new(Vec::new());
    let mut model = |request: Request| {
        let line = requests.borrow().len().min(script.len() - 1);
        requests.borrow_mut().push(request);
        clock.sleep(cost);
        script[line].clone()
    };
    let result = reask.run_blocking_with(&mut model, conversation, &clock);
    Run { result, elapsed: clock.now().saturating_sub(START), requests: requests.into_inner() }
}

/// The asynchronous clock of tests: whoever waits sets it forward at once, but only when polled a second time.
#[derive(Default)]
pub struct AsyncClock(AtomicU64);

impl AsyncClock {
    /// Sets the clock forward.
    pub fn set(&self, now: Duration) {
        let nanos = u64::try_from(now.as_nanos()).expect("tests do not last so long");
        self.0.fetch_max(nanos, Ordering::SeqCst);
    }
}

impl Timer for AsyncClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::SeqCst))
    }

    fn sleep(&self, pause: Duration) -> impl Future<Output = ()> + Send {
        let until = self.now() + pause;
        let mut polled = false;
        std::future::poll_fn(move |context| {
            if std::mem::replace(&mut polled, true) {
                self.set(until);
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
    }
}

/// Polls a future until it is ready, or so many times. How often it was polled, and what came of it.
pub fn poll_up_to<T>(future: impl Future<Output = T>, most: usize) -> (usize, Option<T>) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for polls in 1..=most {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return (polls, Some(value));
        }
    }
    (most, None)
}

/// Runs a future that never waits for anything outside.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    poll_up_to(future, 100_000).1.expect("it ends")
}

/// A shared script for asynchronous models.
#[derive(Default)]
pub struct Script {
    pub requests: Mutex<Vec<Request>>,
}

/// All text of a request.
pub fn text_of(request: &Request) -> String {
    request.messages.iter().flat_map(|message| [message.content.as_str(), "\n"]).collect()
}

/// The text of the system messages of a request.
pub fn system_of(request: &Request) -> String {
    let system = request.messages.iter().filter(|message| message.role == Role::System);
    system.flat_map(|message| [message.content.as_str(), "\n"]).collect()
}
