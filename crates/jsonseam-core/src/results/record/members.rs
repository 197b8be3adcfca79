//! Where the members of a record go.

use serde::ser::{self, Serialize, SerializeMap};
use serde_json::value::RawValue;

use super::edits::push_edits;
use crate::results::path;
use crate::results::repaired::Repaired;

/// What takes the members of a record, in their order.
pub(super) trait Members {
    /// Why it cannot take one.
    type Error;

    /// A member whose value is found out only if it is wanted.
    fn member<T: Serialize>(&mut self, name: &'static str, value: impl FnOnce() -> T) -> Result<(), Self::Error>;

    /// The member `text`.
    fn text(&mut self, text: &str) -> Result<(), Self::Error>;

    /// The member `value`, of a text that is valid JSON.
    fn value(&mut self, text: &str) -> Result<(), Self::Error>;

    /// The member `edits`.
    fn edits(&mut self, repaired: &Repaired<'_>) -> Result<(), Self::Error>;
}

/// A serialiser of the caller's choice.
pub(super) struct Map<'m, M>(pub(super) &'m mut M);

impl<M: SerializeMap> Map<'_, M> {
    fn verbatim(&mut self, name: &'static str, json: String) -> Result<(), M::Error> {
        let json = RawValue::from_string(json).map_err(|_| ser::Error::custom("what is written is not valid JSON"))?;
        self.0.serialize_entry(name, &json)
    }
}

impl<M: SerializeMap> Members for Map<'_, M> {
    type Error = M::Error;

    fn member<T: Serialize>(&mut self, name: &'static str, value: impl FnOnce() -> T) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &value())
    }

    fn text(&mut self, text: &str) -> Result<(), M::Error> {
        self.0.serialize_entry("text", text)
    }

    fn value(&mut self, text: &str) -> Result<(), M::Error> {
        self.verbatim("value", path::compact(text))
    }

    fn edits(&mut self, repaired: &Repaired<'_>) -> Result<(), M::Error> {
        let mut edits = Vec::new();
        push_edits(repaired, &mut edits).map_err(ser::Error::custom)?;
        self.verbatim("edits", String::from_utf8(edits).unwrap_or_default())
    }
}
