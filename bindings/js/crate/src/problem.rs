//! Mistakes in settings and contracts, as JavaScript gets them.

use std::fmt;

use jsonseam::ConfigError;
use wasm_bindgen::JsValue;

/// What is wrong with settings or a contract: a JSON text with `message`, and `line` and `column` where a file is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    pub(crate) fn new(code: &str, message: &str, place: Option<(usize, usize)>) -> Self {
        let (line, column) = place.unzip();
        Self(serde_json::json!({ "code": code, "message": message, "line": line, "column": column }).to_string())
    }
}

impl From<ConfigError> for Problem {
    fn from(error: ConfigError) -> Self {
        Self::new("config", &error.to_string(), error.line().zip(error.column()))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        Self::from_str(&problem.0)
    }
}
