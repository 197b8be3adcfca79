//! The sentences in which something is called or shown, and the tools that are offered in them.
#![allow(dead_code, reason = "not every test asks for all of a sentence")]

use jsonseam_toolcall::{Bare, Tools};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sentence {
    pub(crate) shape: String,
    /// How the call is written.
    #[serde(rename = "format")]
    _format: String,
    pub(crate) text: String,
    pub(crate) meant: bool,
    /// The names of the calls that are meant.
    pub(crate) calls: Vec<String>,
    /// Their arguments, each a JSON text.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// Whether silence would be wrong where nothing is run.
    #[serde(default)]
    pub(crate) passed_over: bool,
    /// The reason for which the whole is refused.
    pub(crate) refused: Option<String>,
    pub(crate) bare: Option<String>,
    pub(crate) why: String,
}

#[derive(Deserialize)]
struct File {
    sentence: Vec<Sentence>,
}

pub(crate) fn sentences() -> Vec<Sentence> {
    toml::from_str::<File>(include_str!("../sentences.toml")).unwrap_or_else(|error| panic!("{error}")).sentence
}

impl Sentence {
    /// When a call without marks counts.
    pub(crate) fn bare(&self) -> Bare {
        match self.bare.as_deref() {
            Some("last") => Bare::Last,
            Some("never") => Bare::Never,
            _ => Bare::Alone,
        }
    }
}

/// The tools of the sentences.
pub(crate) fn tools() -> Tools {
    let text = json!({"type": "string"});
    let tool = |properties: Value| json!({"type": "object", "properties": properties});
    Tools::new()
        .tool("f", &tool(json!({"x": text})))
        .tool("rm", &tool(json!({"path": text})))
        .tool("log", &tool(json!({"entry": {"type": "object"}})))
        .tool("search", &tool(json!({"query": text, "limit": {"type": "integer"}})))
        .tool("write_file", &tool(json!({"path": text, "text": text})))
}
