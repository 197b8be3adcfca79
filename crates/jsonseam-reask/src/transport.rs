//! What goes wrong between us and a server, apart from what a model answers (SPEC L7).

use std::fmt;
use std::time::Duration;

use jsonseam_text::{ErrorCode, named};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::outcome::Stop;

named! {
    /// The kind of a transport error.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum TransportKind as "a kind of transport error" {
        /// Rate limited (429).
        RateLimited = "rate_limited",
        /// A server error (5xx).
        Server = "server_error",
        /// No answer in time (also 408).
        Timeout = "timeout",
        /// No connection, or one that broke.
        Connection = "connection",
        /// A piece of a streamed answer cannot be read.
        BrokenStream = "broken_stream",
        /// What the account may use is used up: a 429 that no waiting helps against.
        Quota = "quota",
        /// The server does not take the request (400, 413, 422 and the like).
        Rejected = "rejected",
        /// The key is missing, wrong, or may not do this (401, 403).
        Unauthorized = "unauthorized",
        /// There is nothing at that address (404), or no such model.
        NotFound = "not_found",
        /// The server answers with something that is not an answer.
        BadResponse = "bad_response",
        /// The answer is larger than the client takes.
        TooLarge = "too_large",
        /// The server sends the client elsewhere, and it does not go.
        Redirected = "redirected",
        /// The client does not send the request, because of its own settings.
        NotSent = "not_sent",
        /// The model refuses to answer.
        ModelRefused = "model_refused",
        /// A filter of the server's keeps the answer back, or took away its end, or does not let the prompt through.
        ContentFilter = "content_filter",
    }
}

/// What a server that does not take a request has against it, as far as it says so, or what it sends that is not an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RejectionCause {
    /// It does not say, or in words that are not known.
    #[default]
    Unknown,
    /// The account's quota is used up.
    Quota,
    /// A filter does not let the prompt through.
    ContentFilter,
    /// The request and its answer are longer than the model reads.
    ContextLength,
    /// It does not have the model.
    Model,
    /// It does not take the temperature.
    Temperature,
    /// It does not take the response format or the schema.
    ResponseFormat,
    /// It answers with a page of HTML or XML, as what is at a wrong address does.
    Page,
    /// It compresses its answer, which no one asked for.
    Compressed,
}

impl RejectionCause {
    /// The cause that a message speaks of. Names are looked for that servers have in common; what they write is shown to no one.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only the client reads messages"))]
    pub(crate) fn of_message(message: &str) -> Self {
        let message = message.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if has(&["context length", "context window", "context_length", "maximum context", "too many tokens"]) {
            return Self::ContextLength;
        }
        if has(&["temperature"]) {
            return Self::Temperature;
        }
        if has(&["response_format", "json_schema", "response format", "invalid schema"]) {
            return Self::ResponseFormat;
        }
        if has(&["no such model", "model does not exist", "model not found", "invalid model", "unknown model"]) {
            return Self::Model;
        }
        Self::Unknown
    }
}

/// Why there is no answer to judge.
///
/// It decides whether the same request is sent again; nothing of it ever enters a prompt.
/// Neither `Display` nor `Debug` nor the serialised form holds what the server wrote; [`detail`](Self::detail) does, on request.
///
/// ```
/// use std::time::Duration;
/// use jsonseam_reask::{TransportError, TransportKind};
///
/// let busy = TransportError::status(429).with_retry_after(Duration::from_secs(2));
/// assert!(busy.is_retryable() && busy.reason() == TransportKind::RateLimited);
/// assert!(!TransportError::status(401).is_retryable());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TransportError {
    kind: TransportKind,
    status: Option<u16>,
    retry_after: Option<Duration>,
    cause: RejectionCause,
    detail: Option<String>,
}

impl TransportError {
    /// An error of this kind.
    pub fn new(kind: TransportKind) -> Self {
        Self { kind, status: None, retry_after: None, cause: RejectionCause::Unknown, detail: None }
    }

    /// The error that an HTTP status outside 200..=299 stands for.
    pub fn status(status: u16) -> Self {
        let kind = match status {
            300..=399 => TransportKind::Redirected,
            401 | 403 => TransportKind::Unauthorized,
            404 | 410 => TransportKind::NotFound,
            408 => TransportKind::Timeout,
            429 => TransportKind::RateLimited,
            400..=499 => TransportKind::Rejected,
            500..=599 => TransportKind::Server,
            _ => TransportKind::BadResponse,
        };
        Self { status: Some(status), ..Self::new(kind) }
    }

    /// The same error with the pause that the server asks for.
    #[must_use]
    pub fn with_retry_after(mut self, pause: Duration) -> Self {
        self.retry_after = Some(pause);
        self
    }

    /// The same error with what the server wrote, which must hold no secret.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same error with what the server has against the request. A quota that is used up makes it one of [`TransportKind::Quota`],
    /// a filter one of [`TransportKind::ContentFilter`].
    #[must_use]
    pub fn with_cause(mut self, cause: RejectionCause) -> Self {
        self.cause = cause;
        match cause {
            RejectionCause::Quota => self.kind = TransportKind::Quota,
            RejectionCause::ContentFilter => self.kind = TransportKind::ContentFilter,
            _ => {}
        }
        self
    }

    /// Why a model gave no whole answer, as far as its finish reason says that it was not let: a filter, or the model itself.
    pub(crate) fn of_finish_reason(reason: &str) -> Option<Self> {
        const FILTERS: [&str; 8] = [
            "content_filter",
            "content_filtered",
            "guardrail_intervened",
            "safety",
            "prohibited_content",
            "blocklist",
            "recitation",
            "spii",
        ];
        let is_filter = FILTERS.iter().any(|filter| reason.eq_ignore_ascii_case(filter));
        let is_refusal = reason.eq_ignore_ascii_case("refusal");
        match () {
            () if is_filter => Some(Self::new(TransportKind::ContentFilter)),
            () if is_refusal => Some(Self::new(TransportKind::ModelRefused)),
            () => None,
        }
    }

    /// How a run stops at this error.
    pub(crate) fn stop(&self) -> Stop {
        match self.kind {
            TransportKind::ModelRefused => Stop::ModelRefused,
            TransportKind::ContentFilter => Stop::ContentFilter,
            _ => Stop::Transport,
        }
    }

    /// Whether the server may take the same request without its temperature.
    pub(crate) fn is_about_temperature(&self) -> bool {
        self.kind == TransportKind::Rejected && self.cause == RejectionCause::Temperature
    }

    /// What the server has against the request, as far as it says so.
    pub fn cause(&self) -> RejectionCause {
        self.cause
    }

    /// The stable code: always `transport`.
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::Transport
    }

    /// The kind of error.
    pub fn reason(&self) -> TransportKind {
        self.kind
    }

    /// The error as `code/reason`.
    pub(crate) fn to_code(&self) -> String {
        format!("{}/{}", self.code(), self.reason())
    }

    /// The HTTP status, if there was one.
    pub fn http_status(&self) -> Option<u16> {
        self.status
    }

    /// The pause that the server asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// What the server wrote. It may quote the request.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// Whether the same request can succeed later.
    pub fn is_retryable(&self) -> bool {
        use TransportKind::{BrokenStream, Connection, RateLimited, Server, Timeout};
        // A conflict with another request (409), or one that came too early (425), is over later.
        matches!(self.status, Some(409 | 425))
            || matches!(self.kind, RateLimited | Server | Timeout | Connection | BrokenStream)
                && self.status != Some(501)
    }

    /// Whether the server may take the request in another mode: it rejects this one, as servers do that do not know a response format.
    pub(crate) fn may_be_the_mode(&self) -> bool {
        use RejectionCause::{ContextLength, Model, Temperature};
        let is_other = matches!(self.cause, ContextLength | Model | Temperature);
        self.kind == TransportKind::Rejected && matches!(self.status, Some(400 | 415 | 422)) && !is_other
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            TransportKind::RateLimited => "rate limited",
            TransportKind::Quota => "the quota of the account is used up",
            TransportKind::Server => "server error",
            TransportKind::Timeout => "no answer in time",
            TransportKind::Connection => "no connection to the server, or it broke",
            TransportKind::BrokenStream => "a piece of the server's stream cannot be read",
            TransportKind::Rejected => "the server does not take the request",
            TransportKind::Unauthorized => "the server does not accept the key",
            TransportKind::NotFound => "the server does not know the address or the model",
            TransportKind::BadResponse => "the server's answer cannot be read",
            TransportKind::TooLarge => "the server's answer is too large",
            TransportKind::Redirected => "the server redirects, which is not followed",
            TransportKind::NotSent => "the request was not sent",
            TransportKind::ModelRefused => "the model refuses to answer",
            TransportKind::ContentFilter => "a content filter of the server keeps the answer back",
        };
        formatter.write_str(what)?;
        match self.status {
            Some(status) => write!(formatter, " (status {status})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for TransportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TransportError")
            .field("kind", &self.kind)
            .field("status", &self.status)
            .field("retry_after", &self.retry_after)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for TransportError {}

/// The `error` member of the record.
impl Serialize for TransportError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("code", &self.code())?;
        map.serialize_entry("reason", self.reason().as_str())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::{TransportError, TransportKind};

    #[test]
    fn l7_only_patience_failure_time_and_connection_are_retried() {
        let retried: Vec<u16> =
            (300..600).filter(|&status| TransportError::status(status).is_retryable()).take(7).collect();
        assert_eq!(retried, [408, 409, 425, 429, 500, 502, 503]);
        for status in [400, 401, 403, 404, 413, 422, 501] {
            assert!(!TransportError::status(status).is_retryable(), "{status}");
        }
        let by_kind: Vec<_> =
            TransportKind::ALL.iter().filter(|&&kind| TransportError::new(kind).is_retryable()).collect();
        assert_eq!(by_kind.len(), 5);
    }

    #[test]
    fn m5_what_the_server_wrote_is_shown_only_on_request() {
        let error = TransportError::status(400).with_detail("SECRET");
        let shown = format!("{error} {error:?} {}", serde_json::to_string(&error).unwrap_or_default());
        assert!(!shown.contains("SECRET"), "{shown}");
        assert_eq!(error.detail(), Some("SECRET"));
    }
}
