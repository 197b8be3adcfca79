//! The drivers: asynchronous and blocking alike, cancelled by dropping.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod support;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use jsonseam_reask::{Mode, Model, Request, Response, Stop, TransportError, TransportKind};
use support::{AsyncClock, GOOD, block_on, play, poll_up_to, reask, says};

const BAD: &str = r#"{"answer": "yes", "score": -1}"#;

/// An answer that takes a few polls, and counts how many of its kind are alive.
struct Slow {
    polls: usize,
    answer: Option<Result<Response, TransportError>>,
    alive: Arc<AtomicUsize>,
}

impl Future for Slow {
    type Output = Result<Response, TransportError>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        if self.polls == 0 {
            return Poll::Ready(self.answer.take().expect("it is polled once more at most"));
        }
        self.polls -= 1;
        Poll::Pending
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A clock whose waits take three polls, and which never rings before an answer is there.
struct Patient {
    now: AsyncClock,
    alive: Arc<AtomicUsize>,
}

impl jsonseam_reask::Timer for Patient {
    fn now(&self) -> Duration {
        self.now.now()
    }

    async fn sleep(&self, pause: Duration) {
        let is_deadline = pause > Duration::from_secs(60);
        self.alive.fetch_add(1, Ordering::SeqCst);
        let polls = if is_deadline { usize::MAX } else { 3 };
        let answer = Some(Ok(Response::default()));
        let _ = Slow { polls, answer, alive: Arc::clone(&self.alive) }.await;
        self.now.set(self.now.now() + pause);
    }
}

#[test]
fn a_run_that_is_dropped_at_any_poll_leaves_nothing() {
    let (alive, asked) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    let script = [
        Err(TransportError::status(503)),
        says(BAD),
        Err(TransportError::status(429).with_retry_after(Duration::from_secs(1))),
        says("no JSON"),
        says(GOOD),
    ];
    let model = |_: Request| {
        let line = asked.fetch_add(1, Ordering::SeqCst).min(script.len() - 1);
        alive.fetch_add(1, Ordering::SeqCst);
        Slow { polls: 2, answer: Some(script[line].clone()), alive: Arc::clone(&alive) }
    };
    let reask = reask();
    let run = |most| {
        asked.store(0, Ordering::SeqCst);
        let timer = Patient { now: AsyncClock::default(), alive: Arc::clone(&alive) };
        poll_up_to(reask.run_with(&model, "What is it?", &timer), most)
    };
    let (polls, answer) = run(1_000);
    assert!(answer.expect("it ends").is_ok());
    assert!(polls > 10, "there is something to interrupt: {polls}");
    let mut last = 0;
    for most in 1..polls {
        let (_, answer) = run(most);
        assert!(answer.is_none());
        assert_eq!(alive.load(Ordering::SeqCst), 0, "after {most} polls");
        let sent = asked.load(Ordering::SeqCst);
        assert!(sent >= last && sent <= script.len(), "nothing is sent that was not polled for");
        last = sent;
    }
}

#[test]
fn l7_the_deadline_interrupts_an_answer_that_does_not_come() {
    let clock = AsyncClock::default();
    let never = |_: Request| std::future::pending::<Result<Response, TransportError>>();
    let failure = block_on(reask().run_with(&never, "What?", &clock)).expect_err("there is no answer");
    assert_eq!((failure.stop, failure.error.reason().as_str()), (Stop::Deadline, "timeout"));
    assert_eq!(jsonseam_reask::Timer::now(&clock), Duration::from_secs(300), "not a moment later");
    assert_eq!(failure.attempts[0].errors, ["transport/timeout"]);
}

#[test]
fn both_drivers_send_the_same() {
    let script = vec![says(BAD), Err(TransportError::new(TransportKind::Timeout)), says("[1]"), says(GOOD)];
    let blocking = play(&reask(), &script);
    let (requests, next) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let model = |request: Request| {
        requests.lock().expect("no one panics with it").push(support::text_of(&request));
        let line = next.fetch_add(1, Ordering::SeqCst);
        std::future::ready(script[line].clone())
    };
    let answer =
        block_on(reask().run_with(&model, "What is it?", &AsyncClock::default())).expect("the last one is good");
    assert_eq!(answer.outputs.to_json(), blocking.answer().outputs.to_json());
    let texts: Vec<_> = blocking.requests.iter().map(support::text_of).collect();
    assert_eq!(*requests.lock().expect("no one panics with it"), texts);
}

#[test]
fn futures_of_runs_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: &T) {}
    let reask = reask();
    let model = |_: Request| async { Ok(Response::new(GOOD)) };
    let future = reask.run(&model, "What?");
    is_send(&future);
    assert!(block_on(future).is_ok(), "and it needs no runtime");
}

#[test]
fn a_model_can_be_a_type_of_its_own() {
    struct Fixed(&'static str);

    impl Model for Fixed {
        async fn ask(&self, request: Request) -> Result<Response, TransportError> {
            assert_eq!(request.mode, Mode::JsonSchema);
            Ok(self.0.into())
        }
    }

    assert!(block_on(reask().run(&Fixed(GOOD), "What?")).is_ok());
}

#[test]
fn a_machine_that_is_not_over_counts_as_cancelled() {
    let mut machine = reask().machine("What?", Duration::ZERO);
    assert!(matches!(machine.step(Duration::ZERO), jsonseam_reask::Step::Ask(_)));
    machine.answer(Duration::ZERO, says(BAD));
    assert!(matches!(machine.step(Duration::ZERO), jsonseam_reask::Step::Ask(_)));
    let failure = machine.finish().expect_err("it was not over");
    assert_eq!((failure.stop, failure.attempts.len()), (Stop::Cancelled, 1));
    assert_eq!(failure.error.code(), "output_validation_failed");
    assert!(failure.partial.is_some());
}

#[test]
fn a_machine_takes_no_answer_that_it_did_not_ask_for() {
    let mut machine = reask().machine("What?", Duration::ZERO);
    machine.answer(Duration::ZERO, says(GOOD));
    assert!(matches!(machine.step(Duration::ZERO), jsonseam_reask::Step::Ask(_)), "nothing was asked yet");
    machine.answer(Duration::ZERO, Err(TransportError::status(500)));
    machine.answer(Duration::ZERO, says(GOOD));
    assert!(
        matches!(machine.step(Duration::ZERO), jsonseam_reask::Step::Wait(_)),
        "it is not on its way while it waits"
    );
    assert!(matches!(machine.step(Duration::from_secs(60)), jsonseam_reask::Step::Ask(_)));
    machine.answer(Duration::from_secs(60), says(GOOD));
    machine.answer(Duration::from_secs(60), says(BAD));
    assert!(matches!(machine.step(Duration::from_secs(60)), jsonseam_reask::Step::Done));
    assert!(machine.finish().is_ok());
}
