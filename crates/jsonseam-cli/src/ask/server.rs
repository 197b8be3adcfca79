//! The server that is asked.

use std::sync::Arc;

use anyhow::bail;
use jsonseam::reask::{ApiKey, HttpError, HttpModel, Model, Models, Request, Response, TransportError};

use super::watch::Watch;
use crate::arguments::AskArguments;

/// Where the key comes from.
const KEY: &str = "OPENAI_API_KEY";

/// The clients that the arguments ask for, one for each model.
pub(super) fn connect(arguments: &AskArguments) -> anyhow::Result<Models<HttpModel>> {
    let key = ApiKey::from_env(KEY);
    let mut models = Vec::with_capacity(arguments.model.len());
    for model in &arguments.model {
        let mut builder = HttpModel::builder(&arguments.base_url, model)
            .key(key.clone())
            .streamed(arguments.stream)
            .strict_schemas(arguments.strict_schema.unwrap_or_default())
            .allow_plain_http(arguments.allow_plain_http);
        if let Some(tokens) = arguments.max_tokens {
            builder = builder.max_tokens(tokens);
        }
        if let Some(seed) = arguments.seed {
            builder = builder.seed(seed);
        }
        if let Some(members) = &arguments.extra_body {
            builder = builder.extra_body(members.0.clone());
        }
        builder = arguments.header.iter().fold(builder, |builder, header| builder.header(&header.0, &header.1));
        match builder.build() {
            Err(HttpError::PlainHttp) => bail!("{}, or --allow-plain-http", HttpError::PlainHttp),
            built => models.push(built?),
        }
    }
    // After the address: with a mistyped one, the key is not what is missing.
    if key.is_none() && !HttpModel::is_local(&arguments.base_url) {
        bail!("{KEY} is not set; the key is taken from the environment only, and a server on this machine needs none");
    }
    Ok(Models(models))
}

/// A client whose requests and answers are put on the trace.
pub(super) struct Server {
    pub(super) model: Models<HttpModel>,
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
