//! Whoever answers: anything from a closure to an HTTP client.

use std::future::Future;

use crate::message::{Request, Response};
use crate::transport::TransportError;

/// A model that is asked asynchronously. Every closure from a request to a future is one.
///
/// A run is cancelled by dropping its future, and the future of the request at hand with it; no task is ever spawned.
///
/// ```
/// use jsonseam_reask::{Model, Request, Response, TransportError};
///
/// struct Parrot;
///
/// impl Model for Parrot {
///     async fn ask(&self, request: Request) -> Result<Response, TransportError> {
///         Ok(Response::new(request.messages.last().map_or("", |message| &message.content)))
///     }
/// }
/// # fn takes(_: &impl Model) {}
/// # takes(&Parrot);
/// # takes(&|_: Request| async { Ok("{}".into()) });
/// ```
pub trait Model {
    /// Answers one request, or says why there is no answer. The same request may come again after an error that is worth a repetition.
    fn ask(&self, request: Request) -> impl Future<Output = Result<Response, TransportError>> + Send;
}

impl<F, A> Model for F
where
    F: Fn(Request) -> A,
    A: Future<Output = Result<Response, TransportError>> + Send,
{
    fn ask(&self, request: Request) -> impl Future<Output = Result<Response, TransportError>> + Send {
        self(request)
    }
}

/// A model that is asked and waited for. Every closure from a request to a response is one.
///
/// [`Request::timeout`] says how long an answer is of use; nobody can interrupt a model that blocks for longer.
pub trait BlockingModel {
    /// Answers one request, or says why there is no answer.
    fn ask(&mut self, request: Request) -> Result<Response, TransportError>;
}

impl<F: FnMut(Request) -> Result<Response, TransportError>> BlockingModel for F {
    fn ask(&mut self, request: Request) -> Result<Response, TransportError> {
        self(request)
    }
}
