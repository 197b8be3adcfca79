//! The server that is asked.

use std::sync::Arc;

use anyhow::bail;
use jsonseam::reask::{ApiKey, HttpError, HttpModel, Model, Request, Response, TransportError};

use super::watch::Watch;
use crate::arguments::AskArguments;

/// Where the key comes from.
const KEY: &str = "OPENAI_API_KEY";

/// The client that the arguments ask for.
pub(super) fn connect(arguments: &AskArguments) -> anyhow::Result<HttpModel> {
    let key = ApiKey::from_env(KEY);
    if key.is_none() && !HttpModel::is_local(&arguments.base_url) {
        bail!("{KEY} is not set; the key is taken from the environment only, and a server on this machine needs none");
    }
    let built = HttpModel::builder(&arguments.base_url, &arguments.model)
        .key(key)
        .streamed(arguments.stream)
        .allow_plain_http(arguments.allow_plain_http)
        .build();
    match built {
        Err(HttpError::PlainHttp) => bail!("{}, or --allow-plain-http", HttpError::PlainHttp),
        built => Ok(built?),
    }
}

/// A client whose requests and answers are put on the trace.
pub(super) struct Server {
    pub(super) model: HttpModel,
    pub(super) watch: Arc<Watch>,
    /// Why the model stopped, where the server does not say.
    pub(super) finish_reason: Option<String>,
}

impl Model for Server {
    async fn ask(&self, request: Request) -> Result<Response, TransportError> {
        let attempt = request.attempt;
        self.watch.request(&request);
        let mut response = self.model.ask(request).await?;
        if response.finish_reason.is_none() {
            response.finish_reason.clone_from(&self.finish_reason);
        }
        self.watch.response(attempt, &response);
        Ok(response)
    }
}
