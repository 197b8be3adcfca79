//! The key to a server, which nothing shows.

use std::env;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The shortest text that is taken for a trace of the key when strings are redacted: shorter ones occur by chance.
const LEAST_TRACE: usize = 8;

/// The shortest key that is looked for in answers: the made-up keys of local servers are shorter, and may well be words.
const LEAST_SECRET: usize = 16;

/// What is where the key stood.
const REDACTED: &str = "[redacted]";

/// A key for a server. Neither `Debug` nor `Display` shows it; it comes from the environment, so that no command line and no file holds it.
///
/// ```
/// use jsonseam_reask::ApiKey;
///
/// assert!(ApiKey::from_env("A_VARIABLE_THAT_IS_NOT_SET").is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key in an environment variable, without white space around it; `None` if there is none.
    pub fn from_env(name: &str) -> Option<Self> {
        env::var(name).ok().and_then(|key| Self::new(&key))
    }

    /// A key that the caller keeps; `None` for a blank one.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// The key itself, for its header.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// The value of the header `Authorization`.
    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// `text` without the key, however a server spelled it: as it is, quoted as JSON, encoded for a URL, or in base64.
    pub fn redacted(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for trace in self.traces() {
            clean = clean.replace(&trace, REDACTED);
        }
        clean
    }

    /// Whether a text gives the key away. Short keys are no secrets.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.0.len() >= LEAST_SECRET && self.traces().iter().any(|trace| text.contains(trace))
    }

    fn traces(&self) -> Vec<String> {
        let quoted = serde_json::to_string(&self.0).unwrap_or_default();
        let quoted = quoted.trim_matches('"').to_owned();
        // Base64 depends on where in a group of three bytes the key begins.
        let encoded = (0..3).map(|shift| base64_core(self.0.as_bytes(), shift));
        let mut traces: Vec<_> = [self.0.clone(), quoted, utf8_percent_encode(&self.0, RESERVED).to_string()]
            .into_iter()
            .chain(encoded)
            .collect();
        traces.retain(|trace| trace.len() >= LEAST_TRACE || *trace == self.0);
        traces.sort_by_key(|trace| std::cmp::Reverse(trace.len()));
        traces
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey([redacted])")
    }
}

/// Everything but the unreserved characters (RFC 3986 section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters of base64 (RFC 4648 section 4) that `bytes` alone decide if `shift` other bytes precede them.
fn base64_core(bytes: &[u8], shift: usize) -> String {
    let rest = bytes.get((3 - shift) % 3..).unwrap_or_default();
    let whole = rest.get(..rest.len() - rest.len() % 3).unwrap_or_default();
    STANDARD.encode(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_redacted_in_every_spelling() {
        let key = ApiKey::new(" sk-CANARY/1234+5678== ").expect("it is not blank");
        // What an ordinary encoder makes of the key after one, two and three other bytes.
        let spellings = [
            "wrong key: sk-CANARY/1234+5678==",
            "sk-CANARY%2F1234%2B5678%3D%3D",
            "c2stQ0FOQVJZLzEyMzQrNTY3OD09",
            "eHNrLUNBTkFSWS8xMjM0KzU2Nzg9PQ==",
            "eHhzay1DQU5BUlkvMTIzNCs1Njc4PT0=",
        ];
        for text in spellings {
            let clean = key.redacted(text);
            assert!(clean.contains(REDACTED), "{text} became {clean}");
            assert!(!clean.contains("CANARY") && !clean.contains("Q0FOQVJZ"), "{clean}");
        }
        assert_eq!(format!("{key:?}"), "ApiKey([redacted])");
    }

    #[test]
    fn a_blank_key_is_none() {
        assert_eq!(ApiKey::new(" \n"), None);
    }
}
