//! What the machine records, reports and counts.

use std::time::Duration;

use super::{Flight, Machine, length};
use crate::attempt::{Attempt, AttemptStatus, shown_reason};
use crate::digest::digest;
use crate::message::Response;
use crate::progress::{Phase, Progress};

impl Machine {
    /// Adds the tokens that a request has cost; without the server's count, four bytes are one.
    pub(super) fn count(&mut self, flight: &Flight, response: &Response, completion: &str) {
        let estimate = || {
            let bytes = length(&flight.request.messages).saturating_add(completion.len());
            u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
        };
        let tokens = response.usage.map_or_else(estimate, crate::message::Usage::total);
        self.tokens = self.tokens.saturating_add(tokens);
    }

    /// Puts an attempt on record. `answer` is what came back, with the length of what was judged.
    pub(super) fn record(
        &mut self,
        now: Duration,
        flight: &Flight,
        answer: Option<(&Response, usize)>,
        status: AttemptStatus,
        errors: Vec<String>,
        is_cached: bool,
    ) {
        let messages = &flight.request.messages;
        let parts = messages
            .iter()
            .flat_map(|message| [message.role.as_str().as_bytes(), b":", message.content.as_bytes(), b"\n"]);
        let attempt = Attempt {
            number: flight.request.attempt,
            cause: flight.cause,
            mode: flight.request.mode,
            model: self.reask.models.get(flight.request.model).cloned(),
            is_cached,
            stopped_early: self.has_given_up,
            prompt_digest: digest(self.reask.digest_key, parts),
            prompt_length: length(messages),
            completion_length: answer.map(|(_, length)| length),
            finish_reason: answer.and_then(|(response, _)| shown_reason(response.finish_reason.as_deref()?)),
            status,
            errors,
            usage: answer.and_then(|(response, _)| response.usage),
            transport_retries: flight.retries,
            elapsed: now.saturating_sub(flight.sent.unwrap_or(now)),
        };
        flight.span.record("status", status.as_str());
        flight.span.record("errors", attempt.errors.join(","));
        flight.span.record("transport_retries", attempt.transport_retries);
        if let Some(usage) = attempt.usage {
            flight.span.record("gen_ai.usage.input_tokens", usage.prompt_tokens);
            flight.span.record("gen_ai.usage.output_tokens", usage.completion_tokens);
        }
        if let Some(reason) = &attempt.finish_reason {
            flight.span.record("gen_ai.response.finish_reasons", reason);
        }
        if let Some(error) = attempt.errors.first() {
            flight.span.record("error.type", error);
        }
        tracing::debug!(target: "jsonseam", parent: &flight.span, elapsed_ms = ms(attempt.elapsed), "attempt is over");
        if let Some(watch) = &self.reask.on_attempt {
            self.is_vetoed |= watch(&attempt);
        }
        if matches!(status, AttemptStatus::Refused | AttemptStatus::Failed) {
            self.give_up_watch(attempt.number, &attempt.errors, attempt.stopped_early);
        }
        self.attempts.push(attempt);
    }

    pub(super) fn tell(&self, phase: Phase, attempt: u32, maximum: u32, delay: Duration, reason: String) {
        if let Some(watch) = &self.reask.on_progress {
            watch(&Progress { phase, attempt, maximum, delay, reason, started_at: self.started });
        }
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
