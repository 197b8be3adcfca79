//! The drivers: what carries out the steps of a machine.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use crate::clock::{BlockingTimer, SystemTimer, Timer};
#[cfg(feature = "stream")]
use crate::event::Piece;
use crate::machine::Step;
use crate::message::{Conversation, Response};
use crate::model::{BlockingModel, Model};
use crate::outcome::{Answer, Failure};
use crate::reask::Reask;
use crate::transport::{TransportError, TransportKind};

impl Reask {
    /// Asks until an answer meets the contract, or until the settings say stop.
    ///
    /// Dropping the future cancels the run, together with the request at hand; nothing remains.
    pub async fn run(&self, model: &impl Model, conversation: impl Into<Conversation>) -> Result<Answer, Failure> {
        self.run_with(model, conversation, &SystemTimer::new()).await
    }

    /// Like [`run`](Self::run), with a clock of your own.
    pub async fn run_with(
        &self,
        model: &impl Model,
        conversation: impl Into<Conversation>,
        timer: &impl Timer,
    ) -> Result<Answer, Failure> {
        let mut machine = self.machine(conversation, timer.now());
        loop {
            match machine.step(timer.now()) {
                Step::Ask(request) => {
                    let alarm = timer.sleep(request.timeout);
                    #[cfg(feature = "stream")]
                    let answer = {
                        let mut watch = |piece: Piece<'_>| machine.observe(piece);
                        in_time(model.ask_watched(*request, &mut watch), alarm).await
                    };
                    #[cfg(not(feature = "stream"))]
                    let answer = in_time(model.ask(*request), alarm).await;
                    machine.answer(timer.now(), answer);
                }
                Step::Wait(pause) => timer.sleep(pause).await,
                Step::Done => return machine.finish(),
            }
        }
    }

    /// Like [`run`](Self::run), blocking the thread. A model that blocks is not interrupted at the deadline.
    pub fn run_blocking(
        &self,
        model: &mut impl BlockingModel,
        conversation: impl Into<Conversation>,
    ) -> Result<Answer, Failure> {
        self.run_blocking_with(model, conversation, &SystemTimer::new())
    }

    /// Like [`run_blocking`](Self::run_blocking), with a clock of your own.
    pub fn run_blocking_with(
        &self,
        model: &mut impl BlockingModel,
        conversation: impl Into<Conversation>,
        timer: &impl BlockingTimer,
    ) -> Result<Answer, Failure> {
        let mut machine = self.machine(conversation, timer.now());
        loop {
            match machine.step(timer.now()) {
                Step::Ask(request) => {
                    let answer = model.ask(*request);
                    machine.answer(timer.now(), answer);
                }
                Step::Wait(pause) => timer.sleep(pause),
                Step::Done => return machine.finish(),
            }
        }
    }
}

/// The answer, or a timeout if the alarm rings first. Whichever is left is dropped.
async fn in_time(
    answer: impl Future<Output = Result<Response, TransportError>>,
    alarm: impl Future<Output = ()>,
) -> Result<Response, TransportError> {
    let (mut answer, mut alarm) = (pin!(answer), pin!(alarm));
    poll_fn(|context| match answer.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(answer),
        Poll::Pending => alarm.as_mut().poll(context).map(|()| Err(TransportError::new(TransportKind::Timeout))),
    })
    .await
}
