//! Mistakes in settings and contracts, as JavaScript gets them.

use std::fmt;

use jsonseam::ConfigError;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// What is wrong with settings or a contract: a JSON text with `message`, and `line` and `column` where a file is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem(String);

#[derive(Serialize)]
struct Parts<'p> {
    code: &'p str,
    message: &'p str,
    line: Option<usize>,
    column: Option<usize>,
}

impl Problem {
    pub(crate) fn new(code: &str, message: &str, place: Option<(usize, usize)>) -> Self {
        let (line, column) = place.unzip();
        Self(crate::json(&Parts { code, message, line, column }))
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
