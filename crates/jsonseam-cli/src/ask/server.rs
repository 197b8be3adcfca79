//! The server that is asked.

use std::sync::Arc;

use anyhow::{Context, bail};
use jsonseam::reask::{ApiKey, HttpError, HttpModel, Model, Models, Piece, Request, Response, TransportError};

use super::watch::Watch;
use crate::arguments::{AskArguments, Header};

/// Where the key comes from.
const KEY: &str = "OPENAI_API_KEY";

/// The clients that the arguments ask for, one for each model.
pub(super) fn connect(arguments: &AskArguments) -> anyhow::Result<Models<HttpModel>> {
    let secrets = secrets(arguments)?;
    let key = key(arguments)?;
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
        builder = secrets.iter().fold(builder, |builder, (name, value)| builder.secret_header(name, value.clone()));
        match builder.build() {
            Err(HttpError::PlainHttp) => bail!("{}, or --allow-plain-http", HttpError::PlainHttp),
            built => models.push(built?),
        }
    }
    // After the address: with a mistyped one, the key is not what is missing.
    if key.is_none() && secrets.is_empty() && !HttpModel::is_local(&arguments.base_url) {
        bail!(
            "{KEY} is not set; the key is taken from the environment only (another variable: --key-env, another header: --header-env), \
             and a server on this machine needs none"
        );
    }
    Ok(Models(models))
}

/// The key. Who names another variable or another header does not mean the usual key, which is another server's.
fn key(arguments: &AskArguments) -> anyhow::Result<Option<ApiKey>> {
    match &arguments.key_env {
        Some(name) => Ok(Some(from_env(name, "--key-env")?)),
        None if arguments.header_env.is_empty() => Ok(ApiKey::from_env(KEY)),
        None => Ok(None),
    }
}

/// The headers whose values are in the environment.
fn secrets(arguments: &AskArguments) -> anyhow::Result<Vec<(&str, ApiKey)>> {
    let named = arguments.header_env.iter();
    named.map(|Header(name, variable)| Ok((name.as_str(), from_env(variable, "--header-env")?))).collect()
}

fn from_env(name: &str, flag: &str) -> anyhow::Result<ApiKey> {
    // What is in the place of a name may be the secret itself.
    ApiKey::from_env(name).with_context(|| format!("{flag}: no variable of that name is set in the environment"))
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
        self.ask_watched(request, &mut |_| jsonseam::reask::Watch::GoOn).await
    }

    async fn ask_watched(
        &self,
        request: Request,
        watch: &mut (dyn FnMut(Piece<'_>) -> jsonseam::reask::Watch + Send),
    ) -> Result<Response, TransportError> {
        let attempt = request.attempt;
        self.watch.request(&request);
        let mut response = self.model.ask_watched(request, watch).await?;
        if response.finish_reason.is_none() {
            response.finish_reason.clone_from(&self.finish_reason);
        }
        self.watch.response(attempt, &response);
        Ok(response)
    }
}
