//! What the machine asks: the first request of a mode, and the re-asks.

use std::time::Duration;

use super::{Flight, Link, Machine, State, small};
use crate::attempt::Cause;
use crate::fields::{Base, base};
use crate::judge::code;
use crate::message::{Message, Mode, Request, Role};
use crate::outcome::Stop;
use crate::progress::Phase;
use crate::prompt;

impl Machine {
    /// The first request of a mode: the conversation, with the required format where the server does not tell the model.
    pub(super) fn ask_first(&mut self, cause: Cause) {
        let is_told = matches!(self.mode(), Mode::JsonSchema | Mode::Tool);
        let tells_format = self.reask.settings.tells_format && !is_told;
        let format = tells_format.then(|| prompt::format_section(&self.reask.format));
        let temperature = self.conversation.temperature;
        self.send(cause, format, temperature, None);
    }

    /// A re-ask: the conversation again, with a repair prompt in place of any earlier one.
    pub(super) fn ask_again(&mut self, cause: Cause, completion: &str) {
        let Some(unmet) = &self.last else { return };
        let (settings, mode) = (&self.reask.settings, self.mode());
        let is_shorter = cause == Cause::Shorter;
        let base = if is_shorter { None } else { base(settings, unmet, &self.reask.format) };
        let number = self.reasks.saturating_add(1);
        let fields = base.as_ref().map(|base| base.failing.as_slice()).unwrap_or_default();
        let asked = prompt::Asked { number, mode, is_shorter, fields };
        let prompt = prompt::repair(&self.reask, completion, unmet, &asked);
        let reason = code(unmet);
        self.reasks = number;
        self.has_asked_shorter |= is_shorter;
        match prompt {
            Ok(prompt) => {
                self.tell(Phase::SchemaRepair, number, self.reask.settings.max_attempts, Duration::ZERO, reason);
                self.send(cause, Some(prompt), self.reask.settings.temperature.sent(), base);
            }
            Err(error) => self.stop(error.into(), Stop::Template),
        }
    }

    pub(super) fn send(&mut self, cause: Cause, text: Option<String>, temperature: Option<f64>, base: Option<Base>) {
        let Link { model, mode } = self.link();
        let number = small(self.attempts.len()).saturating_add(1);
        let schema = match &base {
            Some(base) => base.schema(&self.reask.format),
            None => self.reask.schema.clone(),
        };
        let request = Request {
            messages: with_text(&self.conversation.messages, text),
            mode,
            schema: matches!(mode, Mode::JsonSchema | Mode::Tool).then_some(schema),
            temperature: temperature.filter(|_| !self.takes_no_temperature.contains(&model)),
            tools: self.conversation.tools.as_slice().into(),
            model,
            attempt: number,
            timeout: Duration::ZERO,
        };
        self.dispatch(request, cause, base);
    }

    /// The same request once more, without its temperature, which its model does not take; nor is it sent any later in this run (SPEC L9a).
    pub(super) fn send_without_temperature(&mut self, flight: Flight) {
        self.takes_no_temperature.push(flight.request.model);
        let reason = self.attempts.last().and_then(|attempt| attempt.errors.first().cloned()).unwrap_or_default();
        self.tell(Phase::WithoutTemperature, 1, 1, Duration::ZERO, reason);
        let attempt = small(self.attempts.len()).saturating_add(1);
        let request = Request { temperature: None, attempt, ..flight.request };
        self.dispatch(request, Cause::WithoutTemperature, flight.base);
    }

    /// Makes a request the one that is to be sent next.
    fn dispatch(&mut self, request: Request, cause: Cause, base: Option<Base>) {
        let span = tracing::info_span!(
            target: "jsonseam",
            "attempt",
            number = request.attempt,
            mode = request.mode.as_str(),
            cause = cause.as_str(),
            status = tracing::field::Empty,
            errors = tracing::field::Empty,
            transport_retries = tracing::field::Empty,
            // The names of OpenTelemetry's conventions for generative models, so that its tools know the span.
            otel.name = "chat",
            otel.kind = "client",
            gen_ai.operation.name = "chat",
            gen_ai.output.type = "json",
            gen_ai.request.model = self.reask.models.get(request.model).map(String::as_str),
            gen_ai.request.temperature = request.temperature,
            gen_ai.response.finish_reasons = tracing::field::Empty,
            gen_ai.usage.input_tokens = tracing::field::Empty,
            gen_ai.usage.output_tokens = tracing::field::Empty,
            error.type = tracing::field::Empty,
        );
        self.backoff.begin_request();
        self.state = State::Asking(Box::new(Flight { request, cause, base, sent: None, retries: 0, span }));
    }
}

/// The conversation with the loop's own text, which joins the last message if that is the user's: some servers want the roles to alternate.
fn with_text(messages: &[Message], text: Option<String>) -> Vec<Message> {
    let mut messages = messages.to_vec();
    let Some(text) = text else { return messages };
    match messages.last_mut() {
        Some(last) if last.role == Role::User => {
            last.content.push_str("\n\n");
            last.content.push_str(&text);
        }
        _ => messages.push(Message::user(text)),
    }
    messages
}
