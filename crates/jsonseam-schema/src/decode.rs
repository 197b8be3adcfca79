//! Typed decoding: from the text itself into a Rust type, with the place of what the type refuses.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Path;

use crate::error::Failure;
use crate::violation::{Declared, Problem, Segment, Violation, kind_of};

/// The keyword of violations that come from a Rust type and not from a schema.
const KEYWORD: &str = "decode";

/// Decodes a JSON text as `T`, straight from the text, so no digit passes through a float.
///
/// What the type refuses becomes one [`Violation`] with the keyword `decode` and the place where decoding stopped.
/// serde's own message is dropped, because it quotes the value (SPEC M5). Linear; a text that `T` refuses is read three times.
///
/// ```
/// use jsonseam_schema::{Failure, decode};
///
/// assert_eq!(decode::<Vec<u8>>("[1, 2]").unwrap(), [1, 2]);
///
/// let Err(Failure::Invalid(violations)) = decode::<Vec<u8>>("[1, 2000]") else { panic!() };
/// assert_eq!(violations[0].path(), "/1");
/// assert_eq!(violations[0].message(), r#"Field "1": Value does not fit the expected type"#);
/// ```
pub fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    decode_declared(text, &Arc::default())
}

/// The same, with the names that may be shown.
pub(crate) fn decode_declared<T: DeserializeOwned>(text: &str, declared: &Declared) -> Result<T, Failure> {
    // To keep the path to every value takes half as long again, and only an error is asked for it.
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let decoded = serde_path_to_error::deserialize(&mut deserializer);
    match decoded {
        Ok(value) => deserializer.end().map(|()| value).map_err(|_| Failure::NotRepresentable),
        Err(error) => {
            let Ok(value) = serde_json::from_str::<Value>(text) else { return Err(Failure::NotRepresentable) };
            Err(Failure::Invalid(vec![refused(error.path(), &value, declared)]))
        }
    }
}

fn refused(path: &Path, value: &Value, declared: &Declared) -> Violation {
    let mut place = value;
    let mut segments = Vec::new();
    for step in path {
        let (segment, inner) = match step {
            serde_path_to_error::Segment::Seq { index } => (Segment::Index(*index), place.get(*index)),
            serde_path_to_error::Segment::Map { key } => (Segment::Key(key.as_str().into()), place.get(key)),
            // The variant of an enum is not a step into the value, unless it is the key that tells the variant.
            serde_path_to_error::Segment::Enum { variant } => {
                (Segment::Key(variant.as_str().into()), place.get(variant))
            }
            serde_path_to_error::Segment::Unknown => break,
        };
        let Some(inner) = inner else { break };
        segments.push(segment);
        place = inner;
    }
    Violation {
        segments,
        schema_path: String::new(),
        keyword: KEYWORD,
        expected: "a value of the declared type".to_owned(),
        found: kind_of(place),
        problem: Problem::Says("Value does not fit the expected type".to_owned()),
        declared: Arc::clone(declared),
        numbers: Vec::new(),
    }
}
