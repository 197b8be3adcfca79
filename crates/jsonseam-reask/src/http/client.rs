//! The client: one request, one answer, within bounds.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jsonseam_text::named;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use crate::event::Piece;
use crate::http::answer;
use crate::http::body::body;
use crate::http::key::ApiKey;
use crate::http::stream::Stream;
use crate::http::wait::{retry_after, retry_after_ms};
use crate::json::JsonText;
use crate::machine::Watch;
use crate::message::{Request, Response};
use crate::model::Model;
use crate::transport::{TransportError, TransportKind};

/// Most of a server's own error text that is kept, in bytes.
const MAX_DETAIL: usize = 2_048;

named! {
    /// Whether servers are asked to hold the model strictly to a schema.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum StrictSchemas as "a choice for strict schemas" {
        /// Where the schema keeps to what they demand: every object closed, every property required. They refuse any other as strict.
        #[default]
        Auto = "auto",
        /// In every request with a schema.
        Always = "always",
        /// In none.
        Never = "never",
    }
}

/// What a request holds beside what the loop puts in it.
#[derive(Clone, Default)]
pub(super) struct Extras {
    pub(super) max_tokens: Option<u32>,
    pub(super) seed: Option<i64>,
    pub(super) strict: StrictSchemas,
    pub(super) body: BTreeMap<String, JsonText>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

impl Extras {
    /// What the bound of tokens is called; who names it anew in the body has said how the server wants it.
    pub(super) fn max_tokens_name(&self) -> &'static str {
        if self.body.contains_key("max_completion_tokens") { "max_completion_tokens" } else { "max_tokens" }
    }
}

/// A model on a server that speaks the chat completions of `OpenAI`.
///
/// It follows no redirect, uses no proxy that it was not given, sends the key to no one but its server, and reads no more than a bounded answer.
/// Plain HTTP is refused except to this machine.
///
/// ```
/// use jsonseam_reask::{ApiKey, HttpModel};
///
/// let model = HttpModel::builder("https://models.example/v1", "small-1").key(ApiKey::from_env("OPENAI_API_KEY")).build()?;
/// assert!(HttpModel::builder("http://models.example/v1", "small-1").build().is_err());
/// # let _ = model;
/// # Ok::<(), jsonseam_reask::HttpError>(())
/// ```
#[derive(Clone)]
pub struct HttpModel(pub(super) Arc<Settings>);

pub(super) struct Settings {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<ApiKey>,
    pub(super) is_streamed: bool,
    pub(super) max_body: usize,
    pub(super) attempt_timeout: Duration,
    pub(super) extras: Extras,
    /// The key, and what else may not be shown.
    pub(super) secrets: Vec<ApiKey>,
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpModel")
            .field("is_streamed", &self.0.is_streamed)
            .field("has_key", &self.0.key.is_some())
            .finish_non_exhaustive()
    }
}

impl HttpModel {
    /// An error without the key in it, nor another secret, however the server spelled it.
    fn clean(&self, error: TransportError) -> TransportError {
        let Some(detail) = error.detail() else { return error };
        let detail = self.0.secrets.iter().fold(detail.to_owned(), |detail, key| key.redacted(&detail));
        let mut end = detail.len().min(MAX_DETAIL);
        while !detail.is_char_boundary(end) {
            end -= 1;
        }
        let detail = detail.get(..end).unwrap_or_default().to_owned();
        error.with_detail(detail)
    }

    fn gives_key_away(&self, answer: &Response) -> bool {
        let calls = answer.tool_calls.iter().flat_map(|call| [&call.name, &call.arguments]);
        let said = calls.chain([&answer.text]).chain(&answer.refusal).chain(&answer.finish_reason);
        said.into_iter().any(|text| self.0.secrets.iter().any(|key| key.is_in(text)))
    }

    async fn exchange(&self, request: &Request, watch: Watcher<'_>) -> Result<Response, TransportError> {
        let settings = &*self.0;
        let body = body(request, &settings.model, settings.is_streamed, &settings.extras);
        let mut sent = settings
            .client
            .post(settings.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, if settings.is_streamed { "text/event-stream" } else { "application/json" })
            // An encoding that was not asked for could not be read.
            .header(ACCEPT_ENCODING, "identity")
            .timeout(request.timeout.min(settings.attempt_timeout))
            .body(body);
        for (name, value) in &settings.extras.headers {
            sent = sent.header(name, value);
        }
        if let Some(key) = &settings.key {
            let mut value =
                HeaderValue::from_str(&key.bearer()).map_err(|_| TransportError::new(TransportKind::NotSent))?;
            value.set_sensitive(true);
            sent = sent.header(AUTHORIZATION, value);
        }
        let mut received = sent.send().await.map_err(|error| network(&error))?;
        let status = received.status().as_u16();
        let header = |name: &str| received.headers().get(name).and_then(|value| value.to_str().ok());
        let pause = header("retry-after-ms").and_then(retry_after_ms);
        let pause = pause.or_else(|| header("retry-after").and_then(|value| retry_after(value, SystemTime::now())));
        if !(200..300).contains(&status) {
            let error = TransportError::status(status);
            let error = match pause {
                Some(pause) => error.with_retry_after(pause),
                None => error,
            };
            // A failure to read the body is ignored: the status is the error.
            let text = read(&mut received, MAX_DETAIL * 4).await.unwrap_or_default();
            return Err(answer::failure(&text).map_or(error.clone(), |said| said.told_with(error)));
        }
        read_answer(&mut received, settings.max_body, watch).await
    }
}

/// Who sees each piece of an answer as it comes.
type Watcher<'w> = &'w mut (dyn FnMut(Piece<'_>) -> Watch + Send);

/// Reads an answer in whichever of the two forms it comes: a server may not do as it was asked. One that is given up is read no further.
async fn read_answer(
    received: &mut reqwest::Response,
    max: usize,
    watch: Watcher<'_>,
) -> Result<Response, TransportError> {
    let mut first = Vec::new();
    let mut start = 0;
    let mut stream: Option<Stream> = None;
    let mut len = 0;
    while let Some(bytes) = received.chunk().await.map_err(|error| network(&error))? {
        len += bytes.len();
        if len > max {
            return Err(TransportError::new(TransportKind::TooLarge));
        }
        if let Some(stream) = &mut stream {
            stream.push(&bytes)?;
        } else {
            first.extend_from_slice(&bytes);
            start = content_start(&first, start);
            if is_stream(first.get(start..).unwrap_or_default()) {
                let mut begun = Stream::default();
                begun.push(&std::mem::take(&mut first))?;
                stream = Some(begun);
            }
        }
        if stream.as_ref().is_some_and(Stream::is_done) {
            break;
        }
        if let Some(begun) = stream.take_if(|begun| begun.show(watch) == Watch::Hopeless) {
            return Ok(begun.so_far());
        }
    }
    match stream {
        Some(stream) => stream.finish(),
        None => answer::response(&first),
    }
}

/// Where an answer begins after its blanks, of which those before `from` were passed already: blanks in many pieces are read once.
fn content_start(first: &[u8], from: usize) -> usize {
    let from = if first.starts_with(b"\xEF\xBB\xBF") { from.max(3) } else { from };
    let blanks = first.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace());
    from + blanks.count()
}

/// Whether an answer is a stream of events, as far as its first bytes tell. No JSON text starts with a field of such a stream.
fn is_stream(content: &[u8]) -> bool {
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| content.starts_with(field))
}

/// Up to `max` bytes of a body; what is beyond is left.
async fn read(received: &mut reqwest::Response, max: usize) -> Result<Vec<u8>, TransportError> {
    let mut text = Vec::new();
    while let Some(bytes) = received.chunk().await.map_err(|error| network(&error))? {
        text.extend_from_slice(bytes.get(..bytes.len().min(max - text.len())).unwrap_or_default());
        if text.len() == max {
            break;
        }
    }
    Ok(text)
}

/// What went wrong on the way. The library's own message is not forwarded: it quotes the address.
fn network(error: &reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportKind::Timeout
    } else if error.is_builder() {
        TransportKind::NotSent
    } else {
        TransportKind::Connection
    };
    TransportError::new(kind)
}

impl Model for HttpModel {
    async fn ask(&self, request: Request) -> Result<Response, TransportError> {
        self.ask_watched(request, &mut |_| Watch::GoOn).await
    }

    async fn ask_watched(&self, request: Request, watch: Watcher<'_>) -> Result<Response, TransportError> {
        let answer = self.exchange(&request, watch).await.map_err(|error| self.clean(error))?;
        // No model knows the key; a server that puts it into an answer wants it printed, stored or sent on.
        if self.gives_key_away(&answer) { Err(TransportError::new(TransportKind::BadResponse)) } else { Ok(answer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v3_blanks_before_an_answer_are_read_once_however_they_are_cut() {
        // What is before the offset is not looked at again.
        assert_eq!(content_start(b"xx \n{ ", 2), 4);
        for (answer, is_a_stream) in [
            ("\u{FEFF} \r\n\t data: {}", true),
            ("  : hello", true),
            (" \n {\"data:\": 1}", false),
            ("\u{FEFF}[]", false),
        ] {
            for piece in 1..answer.len() {
                let (mut start, mut is_found) = (0, false);
                let ends = (piece..answer.len()).step_by(piece).chain([answer.len()]);
                for end in ends {
                    let first = &answer.as_bytes()[..end];
                    start = content_start(first, start);
                    is_found |= is_stream(&first[start..]);
                }
                assert_eq!(start, content_start(answer.as_bytes(), 0), "{answer} in pieces of {piece}");
                assert_eq!(is_found, is_a_stream, "{answer} in pieces of {piece}");
            }
        }
    }
}
