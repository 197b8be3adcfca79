//! Rust types as parts of a contract: decoding without their names, and what an absent output is to a type.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use jsonseam_schema::{Failure, Schema};
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// A value of some type that can be given out by reference.
pub(crate) type AnyValue = Arc<dyn Any + Send + Sync>;

/// Decodes a text that fits a schema as a type that only the function knows.
pub(crate) type Decode = fn(&Schema, &str) -> Result<AnyValue, Failure>;

/// The [`Decode`] of a type.
pub(crate) fn decode_any<T: DeserializeOwned + Any + Send + Sync>(
    schema: &Schema,
    text: &str,
) -> Result<AnyValue, Failure> {
    Ok(Arc::new(schema.decode_checked::<T>(text)?))
}

/// What `T` makes of an output that is not there: `None` for an option, and nothing for most other types.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Absent;

/// Never shown: an absent output has an error of its own.
#[derive(Debug)]
struct IsAbsent;

impl fmt::Display for IsAbsent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("absent")
    }
}

impl std::error::Error for IsAbsent {}

impl de::Error for IsAbsent {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Absent {
    type Error = IsAbsent;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, IsAbsent> {
        Err(IsAbsent)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, IsAbsent> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The keys that the schema of a struct declares, and whether each is required; the required ones first, in their order.
///
/// `None` if the keys do not follow from `properties` alone: then the schema itself is the judge of them.
pub(crate) fn declared_keys(schema: &Value) -> Option<Vec<(&str, bool)>> {
    const DECIDING: [&str; 11] = [
        "$ref",
        "$dynamicRef",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "dependentSchemas",
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
    ];
    let schema = schema.as_object()?;
    let properties = schema.get("properties")?.as_object()?;
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    let admits_others = schema.get("additionalProperties").is_some_and(|others| others != &Value::Bool(false));
    if !is_object || admits_others || DECIDING.iter().any(|keyword| schema.contains_key(*keyword)) {
        return None;
    }
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    Some(required.iter().map(|name| (*name, true)).chain(optional.map(|name| (name, false))).collect())
}
