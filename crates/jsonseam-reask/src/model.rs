//! Whoever answers: anything from a closure to an HTTP client.

use std::future::Future;

#[cfg(feature = "stream")]
use crate::event::Piece;
#[cfg(feature = "stream")]
use crate::machine::Watch;
use crate::message::{Request, Response};
use crate::transport::{TransportError, TransportKind};

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

    /// The same, with someone who sees each piece of the answer as it comes: once that says [`Watch::Hopeless`], the request may be dropped, and the
    /// answer is what came. A model that does not stream its answers has nothing to show.
    #[cfg(feature = "stream")]
    fn ask_watched(
        &self,
        request: Request,
        watch: &mut (dyn FnMut(Piece<'_>) -> Watch + Send),
    ) -> impl Future<Output = Result<Response, TransportError>> + Send {
        let _ = watch;
        self.ask(request)
    }
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
/// [`Request::timeout`] says how long an answer is of use; no one can interrupt a model that blocks for longer.
pub trait BlockingModel {
    /// Answers one request, or says why there is no answer.
    fn ask(&mut self, request: Request) -> Result<Response, TransportError>;
}

impl<F: FnMut(Request) -> Result<Response, TransportError>> BlockingModel for F {
    fn ask(&mut self, request: Request) -> Result<Response, TransportError> {
        self(request)
    }
}

/// Several models as one: each request goes to the one that [`Request::model`] numbers, so a loop with as many
/// [`models`](crate::Reask::models) falls back from one to the next.
///
/// ```
/// use jsonseam_adapter::Adapter;
/// use jsonseam_reask::{Models, Reask, Request, Response, TransportError};
///
/// type Scripted = fn(Request) -> Result<Response, TransportError>;
/// let mut models = Models(vec![
///     (|_: Request| Err(TransportError::status(401))) as Scripted,
///     |_: Request| Ok("{\"city\": \"Oslo\"}".into()),
/// ]);
/// let reask = Reask::new(Adapter::builder().output("city").build()?).models(["small-1", "large-1"]);
/// let answer = reask.run_blocking(&mut models, "Where is the Munch museum?")?;
/// let asked: Vec<_> = answer.attempts.iter().map(|attempt| attempt.model.as_deref()).collect();
/// assert_eq!(asked, [Some("small-1"), Some("large-1")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Models<M>(pub Vec<M>);

impl<M: Model + Sync> Model for Models<M> {
    async fn ask(&self, request: Request) -> Result<Response, TransportError> {
        match self.0.get(request.model) {
            Some(model) => model.ask(request).await,
            None => Err(TransportError::new(TransportKind::NotSent)),
        }
    }

    #[cfg(feature = "stream")]
    async fn ask_watched(
        &self,
        request: Request,
        watch: &mut (dyn FnMut(Piece<'_>) -> Watch + Send),
    ) -> Result<Response, TransportError> {
        match self.0.get(request.model) {
            Some(model) => model.ask_watched(request, watch).await,
            None => Err(TransportError::new(TransportKind::NotSent)),
        }
    }
}

impl<M: BlockingModel> BlockingModel for Models<M> {
    fn ask(&mut self, request: Request) -> Result<Response, TransportError> {
        match self.0.get_mut(request.model) {
            Some(model) => model.ask(request),
            None => Err(TransportError::new(TransportKind::NotSent)),
        }
    }
}
