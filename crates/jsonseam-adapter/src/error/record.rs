//! The `error` member of the record, whose shape is fixed for every front.

use jsonseam_core::Position;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Error, Kind};

/// Members that do not apply are left out.
///
/// `extra` and `duplicates` hold the keys as the completion has them: serialising is the explicit call that shows them.
/// Nothing else of the completion is in it.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Kind::Decode(error) = &self.0.kind {
            return error.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code())?;
        map.serialize_entry("reason", &self.reason())?;
        if let Some(Position { offset, line, column }) = self.position() {
            map.serialize_entry("offset", &offset)?;
            map.serialize_entry("line", &line)?;
            map.serialize_entry("column", &column)?;
        }
        if !self.missing().is_empty() {
            map.serialize_entry("missing", self.missing())?;
        }
        if !self.extra().is_empty() {
            let names: Vec<&str> = self.extra().iter().map(|extra| extra.name.as_str()).collect();
            map.serialize_entry("extra", &names)?;
        }
        if !self.duplicates().is_empty() {
            let names: Vec<&str> = self.duplicates().iter().map(|repeated| repeated.name.as_str()).collect();
            map.serialize_entry("duplicates", &names)?;
        }
        if let Some(field) = self.field() {
            map.serialize_entry("field", field)?;
        }
        if let Some(error) = self.schema_error() {
            if let Some(file) = error.file() {
                map.serialize_entry("file", file)?;
            }
            if let Some(line) = error.line() {
                map.serialize_entry("line", &line)?;
            }
            if let Some(place) = error.place() {
                map.serialize_entry("pointer", place)?;
            }
            if let Some(keyword) = error.keyword() {
                map.serialize_entry("keyword", keyword)?;
            }
            map.serialize_entry("message", error.explained())?;
        }
        if !self.violations().is_empty() {
            map.serialize_entry("errors", self.violations())?;
        }
        map.end()
    }
}
