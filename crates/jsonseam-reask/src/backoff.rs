//! How long to wait before a request is sent again (SPEC L7).

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use crate::settings::Retries;
use crate::transport::{TransportError, TransportKind};

/// The pauses of one run: exponential within a request, counted over the run for what the server asks for.
#[derive(Debug)]
pub(crate) struct Backoff {
    retries: Retries,
    /// The pauses left for the request at hand.
    delays: ExponentialBackoff,
    /// Repetitions of the request at hand that were counted.
    counted: u32,
    /// Pauses that 429 caused, in this run.
    rate_limited: u32,
    /// Requests so far, so that a seed gives each its own pauses.
    requests: u64,
}

impl Backoff {
    pub(crate) fn new(retries: Retries) -> Self {
        Self { delays: delays(&retries, 0), retries, counted: 0, rate_limited: 0, requests: 0 }
    }

    /// A new request starts with the first pause and every repetition.
    pub(crate) fn begin_request(&mut self) {
        self.requests = self.requests.wrapping_add(1);
        self.counted = 0;
        self.delays = delays(&self.retries, self.requests);
    }

    /// The pause before the request is sent again; `None` if it is not.
    pub(crate) fn after(&mut self, error: &TransportError) -> Option<Duration> {
        if !error.is_retryable() {
            return None;
        }
        if error.reason() == TransportKind::RateLimited {
            if self.rate_limited >= self.retries.max_rate_limited {
                return None;
            }
            self.rate_limited += 1;
            return Some(error.retry_after().unwrap_or_else(|| self.next()));
        }
        if self.counted >= self.retries.count {
            return None;
        }
        self.counted += 1;
        let pause = self.next();
        // A server that names a pause with another status is heard, within our own cap.
        Some(error.retry_after().map_or(pause, |asked| asked.max(pause).min(self.retries.cap)))
    }

    /// The number of the repetition that follows this error, and the most there can be of its kind: 429 has its own count (SPEC L7).
    pub(crate) fn latest(&self, error: &TransportError) -> (u32, u32) {
        if error.reason() == TransportKind::RateLimited {
            (self.rate_limited, self.retries.max_rate_limited)
        } else {
            (self.counted, self.retries.count)
        }
    }

    fn next(&mut self) -> Duration {
        self.delays.next().unwrap_or(self.retries.cap).min(self.retries.cap)
    }
}

fn delays(retries: &Retries, request: u64) -> ExponentialBackoff {
    // A base of nothing would stay nothing; the library takes that to mean no limit at all.
    let base = retries.base.min(retries.cap);
    let builder = ExponentialBuilder::new().with_min_delay(base).with_max_delay(retries.cap).with_factor(2.0);
    let builder = builder.without_max_times().with_jitter();
    match retries.jitter_seed {
        Some(seed) => builder.with_jitter_seed(seed.wrapping_add(request)).build(),
        None => builder.build(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Backoff;
    use crate::settings::Retries;
    use crate::transport::{TransportError, TransportKind};

    fn seeded(retries: Retries) -> Backoff {
        Backoff::new(retries.with_jitter_seed(Some(7)))
    }

    #[test]
    fn l7_three_repetitions_each_later_than_the_last_and_none_above_the_cap() {
        let mut backoff = seeded(Retries::default());
        let failure = TransportError::status(503);
        let pauses: Vec<_> = std::iter::from_fn(|| backoff.after(&failure)).collect();
        assert_eq!(pauses.len(), 3);
        for (pause, least) in pauses.iter().zip([1, 2, 4]) {
            let least = Duration::from_secs(least);
            assert!((least..=2 * least).contains(pause), "{pause:?} is not in {least:?}..={:?}", 2 * least);
        }
        let mut long = seeded(Retries::default().with_count(12));
        let longest = std::iter::from_fn(|| long.after(&failure)).max();
        assert_eq!(longest, Some(Duration::from_secs(30)));
    }

    #[test]
    fn l7_patience_is_kept_as_asked_does_not_count_and_ends() {
        let mut backoff = seeded(Retries::default());
        let busy = TransportError::status(429).with_retry_after(Duration::from_secs(40));
        for _ in 0..10 {
            assert_eq!(backoff.after(&busy), Some(Duration::from_secs(40)));
        }
        assert_eq!(backoff.after(&busy), None);
        assert!(backoff.after(&TransportError::new(TransportKind::Timeout)).is_some(), "the three are still there");
        backoff.begin_request();
        assert_eq!(backoff.after(&busy), None, "the ten are for the whole run");
    }

    #[test]
    fn l7_a_seed_fixes_every_pause() {
        let pauses = |seed| {
            let mut backoff = Backoff::new(Retries::default().with_jitter_seed(Some(seed)));
            std::iter::from_fn(|| backoff.after(&TransportError::status(500))).collect::<Vec<_>>()
        };
        assert_eq!(pauses(1), pauses(1));
        assert_ne!(pauses(1), pauses(2));
    }

    #[test]
    fn l7_what_cannot_succeed_later_is_not_sent_again() {
        let mut backoff = seeded(Retries::default());
        for status in [400, 401, 403, 404, 501] {
            assert_eq!(backoff.after(&TransportError::status(status)), None, "{status}");
        }
    }
}
