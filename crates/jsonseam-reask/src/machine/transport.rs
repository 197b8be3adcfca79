//! What follows a request that brought no answer.

use std::time::Duration;

use super::{Flight, Machine, State};
use crate::attempt::AttemptStatus;
use crate::outcome::{Error, Stop};
use crate::progress::Phase;
use crate::transport::TransportError;

impl Machine {
    pub(super) fn fail(&mut self, now: Duration, mut flight: Box<Flight>, error: TransportError) {
        let pause = if now < self.end() { self.backoff.after(&error) } else { None };
        let resumed = pause.map(|pause| now.saturating_add(pause));
        if let (Some(pause), Some(until)) = (pause, resumed.filter(|&until| until < self.end())) {
            flight.retries = flight.retries.saturating_add(1);
            let reason = error.to_code();
            let (number, maximum) = self.backoff.latest(&error);
            self.give_up_watch(flight.request.attempt, std::slice::from_ref(&reason), false);
            self.tell(Phase::TransportRetry, number, maximum, pause, reason);
            self.state = State::Waiting(flight, until);
            return;
        }
        let is_late = resumed.is_some() || now >= self.end();
        self.record(now, &flight, None, AttemptStatus::Failed, vec![error.to_code()], false);
        if error.stop() != Stop::Transport {
            let stop = error.stop();
            return self.stop(error.into(), stop);
        }
        let may_omit = error.is_about_temperature() && flight.request.temperature.is_some();
        if may_omit && self.obstacle(now).is_none() {
            return self.send_without_temperature(*flight);
        }
        if error.may_be_the_mode() && self.link + 1 < self.chain.len() {
            return self.next_mode(now, Stop::Transport);
        }
        // What one model's server cannot do, another's may.
        let model = self.link().model;
        if let Some(next) = self.chain.iter().position(|link| link.model > model).filter(|_| !is_late) {
            self.link = next - 1;
            return self.next_mode(now, Stop::Transport);
        }
        if is_late {
            let error = self.last.take().map_or_else(|| error.into(), Error::from);
            return self.stop(error, Stop::Deadline);
        }
        self.stop(error.into(), Stop::Transport);
    }
}
