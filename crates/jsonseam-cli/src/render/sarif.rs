//! A log of all findings as SARIF 2.1.0, which editors and code hosts read.

use std::fmt::Write;

use jsonseam::{Error, Position};
use serde_json::{Value, json};

/// Where the format is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of a run with these results.
pub(crate) fn sarif_log(results: &[Value]) -> Value {
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "jsonseam", "version": env!("CARGO_PKG_VERSION")}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The result of a refusal in a text whose first line comes after `before` lines.
pub(crate) fn finding(file: &str, before: usize, error: &Error, bytes: &[u8]) -> Value {
    let (line, column) = error.position().map_or((1, 1), |Position { line, column, .. }| (line, column));
    let message = super::refused::reason_and_readings(before, error, bytes);
    result("error", error.reason().as_str(), file, before + line, column, &message)
}

/// The result of a file that a repair would change.
pub(crate) fn would_change(file: &str, message: &str) -> Value {
    result("warning", "would-change", file, 1, 1, message)
}

fn result(level: &str, rule: &str, file: &str, line: usize, column: usize, message: &str) -> Value {
    json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(file)},
            "region": {"startLine": line, "startColumn": column},
        }}],
    })
}

/// The name of a file as the path of a URI.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_name_is_the_path_of_a_uri() {
        assert_eq!(uri("data/a b#1.json"), "data/a%20b%231.json");
    }
}
