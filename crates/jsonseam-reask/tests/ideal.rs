//! The requests that a run sends are those of an ideal loop, written a second time and shorter, for any script and settings.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod support;

use std::time::Duration;

use jsonseam_reask::{
    Mode, OnTruncation, Reask, Request, Response, Retries, Settings, Stop, TransportError, TransportKind,
};
use proptest::prelude::*;
use support::{GOOD, Play, play_with, reask};

/// What a server does with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Good,
    Bad(u8),
    Cut(u8),
    Busy,
    Down,
    Forbidden,
    Rejected,
}

impl Event {
    fn play(self) -> Play {
        match self {
            Self::Good => Ok(Response::new(GOOD).with_usage(6, 4)),
            Self::Bad(id) => Ok(Response::new(format!("{{\"answer\": \"{id}\"}}")).with_usage(6, 4)),
            Self::Cut(id) => {
                Ok(Response::new(format!("{{\"answer\": \"{id}")).with_finish_reason("length").with_usage(6, 4))
            }
            Self::Busy => Err(TransportError::status(429).with_retry_after(Duration::from_secs(2))),
            Self::Down => Err(TransportError::new(TransportKind::Connection)),
            Self::Forbidden => Err(TransportError::status(403)),
            Self::Rejected => Err(TransportError::status(400)),
        }
    }
}

/// A request as far as the ideal loop tells it: attempt, mode, and which re-ask of its mode it is (0 for none).
type Sent = (u32, Mode, u32);

/// The ideal loop: `None` as the stop is success.
fn ideal(settings: &Settings, script: &[Event]) -> (Vec<Sent>, Option<Stop>) {
    let mut lines = script.iter().copied().chain(std::iter::repeat(*script.last().expect("a script has a line")));
    let (mut sent, mut attempt, mut busy, mut tokens, mut has_shortened) = (Vec::new(), 0, 0, 0, false);
    let mut chain = vec![settings.mode];
    for mode in settings.fallback.iter().filter(|_| settings.enabled) {
        if !chain.contains(mode) {
            chain.push(*mode);
        }
    }
    'modes: for (link, &mode) in chain.iter().enumerate() {
        let is_last = link + 1 == chain.len();
        let (mut known, mut reask) = (Vec::new(), 0);
        loop {
            if settings.token_budget.is_some_and(|budget| tokens >= budget) {
                return (sent, Some(Stop::TokenBudget));
            }
            attempt += 1;
            let mut repetitions = 0;
            let event = loop {
                sent.push((attempt, mode, reask));
                match lines.next().expect("it never ends") {
                    Event::Busy if busy < settings.retries.max_rate_limited => busy += 1,
                    Event::Down if repetitions < settings.retries.count => repetitions += 1,
                    Event::Rejected if !is_last => continue 'modes,
                    Event::Busy | Event::Down | Event::Forbidden | Event::Rejected => {
                        return (sent, Some(Stop::Transport));
                    }
                    answer => break answer,
                }
            };
            tokens += 10;
            let may_ask = settings.enabled && reask < settings.max_attempts;
            let is_known = known.contains(&event);
            known.push(event);
            match event {
                Event::Good => return (sent, None),
                Event::Cut(_) => {
                    if !may_ask || has_shortened || settings.on_truncation == OnTruncation::Stop {
                        return (sent, Some(Stop::Truncated));
                    }
                    has_shortened = true;
                }
                _ if is_known && is_last => return (sent, Some(Stop::Repeated)),
                _ if !may_ask && is_last => return (sent, Some(Stop::Exhausted)),
                _ if is_known || !may_ask => continue 'modes,
                _ => {}
            }
            reask += 1;
        }
    }
    unreachable!("the last mode returns")
}

/// A request as it was sent.
fn told(request: &Request, settings: &Settings) -> Sent {
    let text = support::text_of(request);
    let number = (1..=settings.max_attempts)
        .find(|number| text.contains(&format!("This is attempt {number} of {}.", settings.max_attempts)))
        .unwrap_or(0);
    assert_eq!(number > 0, request.temperature == Some(0.0), "re-asks and only they are at temperature 0");
    (request.attempt, request.mode, number)
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        2 => Just(Event::Good),
        8 => (0..6_u8).prop_map(Event::Bad),
        2 => (0..2_u8).prop_map(Event::Cut),
        3 => Just(Event::Busy),
        3 => Just(Event::Down),
        1 => Just(Event::Forbidden),
        1 => Just(Event::Rejected),
    ];
    prop::collection::vec(event, 1..40)
}

fn settings() -> impl Strategy<Value = Settings> {
    let fallback = prop_oneof![
        Just(vec![]),
        Just(vec![Mode::JsonObject]),
        Just(vec![Mode::JsonObject, Mode::Text]),
        Just(vec![Mode::Text, Mode::JsonSchema]),
    ];
    let budget = prop_oneof![3 => Just(None), 1 => (1..60_u64).prop_map(Some)];
    (any::<bool>(), 0..5_u32, any::<bool>(), fallback, budget, 0..4_u32).prop_map(
        |(asks_shorter, max_attempts, is_enabled, fallback, token_budget, retries)| {
            let mut settings = Settings::default();
            settings.enabled = is_enabled || max_attempts > 0;
            settings.max_attempts = max_attempts;
            settings.on_truncation = if asks_shorter { OnTruncation::AskShorter } else { OnTruncation::Stop };
            settings.fallback = fallback;
            settings.token_budget = token_budget;
            settings.deadline = Duration::from_secs(86_400);
            settings.retries = Retries::default().with_count(retries).with_jitter_seed(Some(1));
            settings
        },
    )
}

fn compare(base: &Reask, settings: &Settings, script: &[Event]) {
    let plays: Vec<Play> = script.iter().map(|event| event.play()).collect();
    let run = play_with(&base.clone().settings(settings.clone()), "What?".into(), &plays, Duration::ZERO);
    let sent: Vec<Sent> = run.requests.iter().map(|request| told(request, settings)).collect();
    let stop = run.result.as_ref().err().map(|failure| failure.stop);
    assert_eq!((sent, stop), ideal(settings, script), "{script:?}");
    let attempts = run.result.map_or_else(|failure| failure.attempts, |answer| answer.attempts);
    let most = settings.max_requests() as usize;
    assert!(attempts.len() <= most, "{} attempts, at most {most} were agreed", attempts.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn l3_a_run_sends_what_an_ideal_loop_sends(settings in settings(), script in events()) {
        thread_local!(static BASE: Reask = reask());
        BASE.with(|base| compare(base, &settings, &script));
    }
}
