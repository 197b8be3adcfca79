//! What a function with the signature of another library may give back without a second look: `DropIn` of `_gate.py` has the rules.

use jsonseam::{Repaired, Risk};
use pyo3::prelude::*;

use crate::decode::Strings;

/// What is no content of a JSON text.
const EMPTY: &[u8] = b" \t\r\n{}[]\"";

/// What may be between two values of which one follows the other.
const BETWEEN: &[u8] = b" \t\r\n,";

const REPAIRED: &str = "repaired";

/// What is wanted of a repair, as a tuple.
#[derive(Debug, FromPyObject)]
pub(crate) struct Gate(
    /// Whether a text with another value is left to Python.
    bool,
    /// Whether one that was cut off is taken; `None` takes it unless an edit is a guess or loses something.
    Option<bool>,
    /// Whether strings of a repaired text are stripped, as `json_repair` does.
    bool,
    /// Whether `json.loads` has a say in texts with its constants, which are no JSON.
    bool,
);

/// What `json.loads` reads although it is no JSON.
const CONSTANTS: [&str; 2] = ["NaN", "Infinity"];

impl Gate {
    /// What becomes of the strings of such a result.
    pub(crate) fn strings(&self, kind: &str) -> Strings {
        if self.2 && kind == REPAIRED { Strings::Stripped } else { Strings::Kept }
    }

    /// Whether a text says that a value was found: of an empty string only `json.loads` says so, since `json_repair` gives one for nothing.
    pub(crate) fn tells(&self, kind: &str, written: &str) -> bool {
        written != "\"\"" || (kind == "whole" && self.3)
    }

    /// `"whole"` for a completion that is valid as it stands, `"valid"` for a payload that is, `"repaired"` for one that was repaired.
    ///
    /// `None` where Python has to look: something was lost, nothing is left, the text was cut off, or it may hold another value.
    pub(crate) fn kind(&self, repaired: &Repaired<'_>, completion: &[u8]) -> Option<&'static str> {
        let Self(is_alone, allow_truncated, _, reads_constants) = *self;
        let payload = repaired.payload();
        let is_repaired = repaired.edits().len() > 0;
        let is_taken = match allow_truncated {
            Some(is_allowed) => is_allowed,
            None => repaired.risk() < Some(Risk::Guess),
        };
        let is_empty = || is_repaired && repaired.text().bytes().all(|byte| EMPTY.contains(&byte));
        let is_constant = || {
            let holds = |name| std::str::from_utf8(completion).is_ok_and(|text| text.contains(name));
            is_repaired && reads_constants && CONSTANTS.into_iter().any(holds)
        };
        let goes_on = || {
            let mut rest = completion.get(payload.end..).unwrap_or_default().iter();
            !repaired.further().is_empty()
                || rest.find(|byte| !BETWEEN.contains(byte)).is_some_and(|byte| b"{[".contains(byte))
        };
        if repaired.risk() == Some(Risk::Lossy)
            || (repaired.is_truncated() && !is_taken)
            || is_empty()
            || is_constant()
            || (is_alone && goes_on())
        {
            return None;
        }
        Some(match is_repaired {
            true => REPAIRED,
            false if payload == (0..completion.len()) => "whole",
            false => "valid",
        })
    }
}
