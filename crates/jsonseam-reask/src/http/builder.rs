//! How a client is set up: where the server is, what goes with each request, and what is refused before anything is sent.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Certificate, Client, NoProxy, Proxy, Url, redirect, retry};

use crate::http::client::{Extras, HttpModel, Settings, StrictSchemas};
use crate::http::key::ApiKey;
use crate::json::JsonText;

/// Largest answer that is read, in bytes, unless the builder says otherwise.
const MAX_BODY: usize = 16 << 20;
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest time for one answer, unless the builder says otherwise. The deadline of the run holds all the same.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(120);

/// Why a client cannot be built. Never shows the address, which may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is not a URL of `http` or `https`.
    InvalidUrl,
    /// The address holds a user name or a password.
    Credentials,
    /// Plain HTTP to another machine, which would show the key and the answer to everyone between.
    PlainHttp,
    /// The key cannot stand in a header.
    Key,
    /// A header has a name or a value that no header can have, or is one that the client sets itself.
    Header,
    /// The proxy is not a URL of `http` or `https`.
    Proxy,
    /// A root certificate is not PEM.
    Certificate,
    /// TLS cannot be set up on this machine.
    Tls,
}

impl fmt::Display for HttpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InvalidUrl => "the base URL must begin with https:// (or http:// for this machine) and name a host",
            Self::Credentials => {
                "the base URL must hold no user name and no password; the key comes from the environment"
            }
            Self::PlainHttp => "plain http:// is only for this machine; use https://",
            Self::Header => "a header must have a valid name and value, and not be one that the client sets: authorization beside a key, content-type, accept, host",
            Self::Key => "the key holds characters that no header can hold",
            Self::Proxy => "the proxy must be a URL that begins with http:// or https:// and names a host",
            Self::Certificate => "root certificates must be PEM, as in a file that begins with -----BEGIN CERTIFICATE-----",
            Self::Tls => "TLS cannot be set up on this machine",
        })
    }
}

impl std::error::Error for HttpError {}

/// Builds an [`HttpModel`].
#[derive(Clone)]
pub struct HttpModelBuilder {
    base_url: String,
    model: String,
    key: Option<ApiKey>,
    is_streamed: bool,
    allows_plain_http: bool,
    max_body: usize,
    attempt_timeout: Duration,
    extras: Extras,
    has_wrong_header: bool,
    /// The values of headers that are secrets.
    secrets: Vec<ApiKey>,
    proxy: Option<String>,
    roots: Vec<u8>,
}

impl fmt::Debug for HttpModelBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the address, which may hold a secret before it is checked, nor the key.
        formatter
            .debug_struct("HttpModelBuilder")
            .field("is_streamed", &self.is_streamed)
            .field("has_key", &self.key.is_some())
            .field("allows_plain_http", &self.allows_plain_http)
            .field("max_body", &self.max_body)
            .field("attempt_timeout", &self.attempt_timeout)
            .finish_non_exhaustive()
    }
}

impl HttpModelBuilder {
    /// The key, sent as a bearer token. Servers on this machine need none.
    #[must_use]
    pub fn key(mut self, key: Option<ApiKey>) -> Self {
        self.key = key;
        self
    }

    /// Whether the answer is asked for in pieces. It is read whole all the same; a server that streams notices a cancelled run sooner.
    #[must_use]
    pub fn streamed(mut self, is_streamed: bool) -> Self {
        self.is_streamed = is_streamed;
        self
    }

    /// Allows plain HTTP to other machines too. The key and the answer can then be read and changed on the way.
    #[must_use]
    pub fn allow_plain_http(mut self, allows_plain_http: bool) -> Self {
        self.allows_plain_http = allows_plain_http;
        self
    }

    /// The largest answer that is read, in bytes; 16 MiB by default.
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// The longest time for one answer; two minutes by default.
    #[must_use]
    pub fn attempt_timeout(mut self, time: Duration) -> Self {
        self.attempt_timeout = time;
        self
    }

    /// The most tokens that the model may write.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.extras.max_tokens = Some(tokens);
        self
    }

    /// The seed of the model's choices, for servers that know one.
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.extras.seed = Some(seed);
        self
    }

    /// Whether the server is asked to hold the model strictly to a schema.
    #[must_use]
    pub fn strict_schemas(mut self, strict: StrictSchemas) -> Self {
        self.extras.strict = strict;
        self
    }

    /// Members that every request gets beside those of the loop, which go before them. Each is sent as it is spelled.
    #[must_use]
    pub fn extra_body(mut self, members: impl IntoIterator<Item = (String, impl Into<JsonText>)>) -> Self {
        self.extras.body.extend(members.into_iter().map(|(name, value)| (name, value.into())));
        self
    }

    /// A header that every request gets. Its value is kept out of logs. One that the client sets itself is refused by [`build`](Self::build).
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        const OWN: [&str; 6] = ["authorization", "content-type", "accept", "accept-encoding", "host", "content-length"];
        let header = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_str(value).ok());
        match header.filter(|(name, _)| !OWN.contains(&name.as_str())) {
            Some((name, mut value)) => {
                value.set_sensitive(true);
                self.extras.headers.push((name, value));
            }
            None => self.has_wrong_header = true,
        }
        self
    }

    /// A header that every request gets, whose value is a secret as the key is: it is kept out of logs and errors, and an answer that holds it is refused.
    ///
    /// `authorization` may be set by this too, in place of [`key`](Self::key), for servers that take no bearer token.
    ///
    /// ```
    /// use jsonseam_reask::{ApiKey, HttpModel};
    ///
    /// let base_url = "https://models.example/deployments/small?api-version=2024-10-21";
    /// let mut builder = HttpModel::builder(base_url, "small-1");
    /// if let Some(key) = ApiKey::from_env("MODELS_KEY") {
    ///     builder = builder.secret_header("api-key", key);
    /// }
    /// builder.build()?;
    /// # Ok::<(), jsonseam_reask::HttpError>(())
    /// ```
    #[must_use]
    pub fn secret_header(mut self, name: &str, value: ApiKey) -> Self {
        let is_authorization = name.eq_ignore_ascii_case("authorization");
        let parsed = HeaderValue::from_str(value.text()).ok().filter(|_| is_authorization);
        match parsed {
            Some(mut authorization) => {
                authorization.set_sensitive(true);
                self.extras.headers.push((AUTHORIZATION, authorization));
            }
            None => self = self.header(name, value.text()),
        }
        self.secrets.push(value);
        self
    }

    /// A proxy that requests go through, with its name and password in the URL if it wants them. Those to this machine go around it.
    ///
    /// To a server of `https` it is a tunnel: the proxy sees the name of the server, not the key, the prompt or the answer.
    /// The environment (`HTTPS_PROXY`) is not asked; who wants that gives it here.
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into());
        self
    }

    /// Certificates, one or several as PEM, whose holders may vouch for servers beside those that the system trusts.
    #[must_use]
    pub fn root_certificates(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.roots.extend_from_slice(pem.as_ref());
        self.roots.push(b'\n');
        self
    }

    /// The client. Uses the process's TLS provider if there is one, else makes *ring* that.
    pub fn build(self) -> Result<HttpModel, HttpError> {
        let url = self.url()?;
        let authorizes = self.extras.headers.iter().filter(|(name, _)| *name == AUTHORIZATION).count();
        if self.has_wrong_header || authorizes + usize::from(self.key.is_some()) > 1 {
            return Err(HttpError::Header);
        }
        if let Some(key) = &self.key {
            HeaderValue::from_str(&key.bearer()).map_err(|_| HttpError::Key)?;
        }
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // Somebody else may have been faster, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let roots = self.trusted()?;
        let mut client = Client::builder().no_proxy();
        if let Some(proxy) = &self.proxy {
            client = client.proxy(tunnel(proxy)?);
        }
        let client = client
            .tls_certs_merge(roots)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            // No connection outlives its answer, so nothing is left when a run ends.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|_| HttpError::Tls)?;
        let Self { model, key, is_streamed, max_body, attempt_timeout, extras, mut secrets, .. } = self;
        secrets.extend(key.clone());
        let settings = Settings { client, url, model, key, is_streamed, max_body, attempt_timeout, extras, secrets };
        Ok(HttpModel(Arc::new(settings)))
    }

    /// The certificates that were given.
    fn trusted(&self) -> Result<Vec<Certificate>, HttpError> {
        let certificates = Certificate::from_pem_bundle(&self.roots).map_err(|_| HttpError::Certificate)?;
        let is_empty = self.roots.trim_ascii().is_empty();
        if certificates.is_empty() == is_empty { Ok(certificates) } else { Err(HttpError::Certificate) }
    }

    fn url(&self) -> Result<Url, HttpError> {
        let mut url = Url::parse(&self.base_url).map_err(|_| HttpError::InvalidUrl)?;
        // Some servers want a query, such as their version; it is after the path.
        url.set_path(&format!("{}/chat/completions", url.path().trim_end_matches('/')));
        url.set_fragment(None);
        if !url.username().is_empty() || url.password().is_some() {
            return Err(HttpError::Credentials);
        }
        match (url.scheme(), url.host_str()) {
            (_, None) => Err(HttpError::InvalidUrl),
            ("https", _) => Ok(url),
            ("http", Some(host)) if self.allows_plain_http || is_loopback(host) => Ok(url),
            ("http", _) => Err(HttpError::PlainHttp),
            _ => Err(HttpError::InvalidUrl),
        }
    }
}

fn tunnel(proxy: &str) -> Result<Proxy, HttpError> {
    let url = Url::parse(proxy).map_err(|_| HttpError::Proxy)?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(HttpError::Proxy);
    }
    let around = NoProxy::from_string("localhost,127.0.0.0/8,::1");
    Ok(Proxy::all(url).map_err(|_| HttpError::Proxy)?.no_proxy(around))
}

/// Whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

impl HttpModel {
    /// A client for the server at `base_url` (such as `https://models.example/v1`) and one of its models.
    pub fn builder(base_url: impl Into<String>, model: impl Into<String>) -> HttpModelBuilder {
        HttpModelBuilder {
            base_url: base_url.into(),
            model: model.into(),
            key: None,
            is_streamed: false,
            allows_plain_http: false,
            max_body: MAX_BODY,
            attempt_timeout: ATTEMPT_TIMEOUT,
            extras: Extras::default(),
            has_wrong_header: false,
            secrets: Vec::new(),
            proxy: None,
            roots: Vec::new(),
        }
    }

    /// Whether a base URL names this machine, where no key is needed.
    pub fn is_local(base_url: &str) -> bool {
        Url::parse(base_url).is_ok_and(|url| url.host_str().is_some_and(is_loopback))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l7_the_path_of_the_chat_is_before_the_query_of_the_base_url() {
        for (base, url) in [
            ("https://h.example", "https://h.example/chat/completions"),
            ("https://h.example/v1/", "https://h.example/v1/chat/completions"),
            (
                "https://h.example/d/x?api-version=2024-10-21",
                "https://h.example/d/x/chat/completions?api-version=2024-10-21",
            ),
            ("https://h.example/?a=b/c#top", "https://h.example/chat/completions?a=b/c"),
            ("https://h.example/a%20b//?", "https://h.example/a%20b/chat/completions?"),
            ("http://localhost:8000/v1?k=?", "http://localhost:8000/v1/chat/completions?k=?"),
        ] {
            assert_eq!(HttpModel::builder(base, "m").url().as_ref().map(Url::as_str), Ok(url), "{base}");
        }
        for base in ["", "h.example/v1", "https://", "mailto:a?b", "file:///v1"] {
            assert_eq!(HttpModel::builder(base, "m").url(), Err(HttpError::InvalidUrl), "{base}");
        }
    }

    #[test]
    fn m5_a_header_that_is_a_secret_is_one_wherever_it_is_named() {
        let secret = || ApiKey::new("a-long-secret-of-a-header").expect("it is not blank");
        let builder = || HttpModel::builder("https://h.example", "m");
        let model = builder().secret_header("api-key", secret()).build().expect("it is a header");
        assert_eq!(model.0.secrets, [secret()]);
        assert!(builder().secret_header("Authorization", secret()).build().is_ok());
        for refused in [
            builder().secret_header("Authorization", secret()).key(Some(secret())),
            builder().secret_header("authorization", secret()).secret_header("Authorization", secret()),
            builder().secret_header("host", secret()),
            builder().header("authorization", "x"),
        ] {
            assert_eq!(refused.build().err(), Some(HttpError::Header));
        }
    }

    #[test]
    fn m5_the_builder_shows_neither_address_nor_key() {
        let builder = HttpModel::builder("https://user:CANARY@host.CANARY.example/v1?token=CANARY", "small-1")
            .key(ApiKey::new("CANARY-key"));
        let shown = format!("{builder:?} {builder:#?}");
        assert!(shown.contains("has_key: true") && !shown.to_ascii_uppercase().contains("CANARY"), "{shown}");
        assert_eq!(builder.build().err(), Some(HttpError::Credentials));
    }
}
