//! JSON as it is spelled: what goes to a server keeps its order, its digits and its escapes.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// A JSON text that is sent as it is: a schema, a tool, a member of a request.
///
/// Made of a text, it keeps the order of members, the digits of numbers and the escapes of strings, which a `serde_json::Value` does not:
/// models write the fields of an answer in the order of the schema. Cheap to clone. `Debug` shows none of it.
///
/// ```
/// use jsonseam_reask::JsonText;
///
/// let tool: JsonText = r#"{"type": "function", "function": {"name": "look_up"}}"#.parse()?;
/// assert_eq!(tool.as_str(), r#"{"type": "function", "function": {"name": "look_up"}}"#);
/// assert_eq!(tool.to_value()["function"]["name"], "look_up");
/// assert!("{\"type\": }".parse::<JsonText>().is_err());
/// # Ok::<(), jsonseam_reask::NotJson>(())
/// ```
#[derive(Clone)]
pub struct JsonText(Arc<RawValue>);

impl JsonText {
    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// What the text spells; `null` if it is deeper than `serde_json` reads, or holds what a `Value` cannot be.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.as_str()).unwrap_or_default()
    }

    /// An object of these members, in this order.
    #[cfg(feature = "http")]
    pub(crate) fn object<'m>(members: impl IntoIterator<Item = (&'m str, Self)>) -> Self {
        struct Members<I>(std::cell::RefCell<I>);

        impl<'m, I: Iterator<Item = (&'m str, JsonText)>> Serialize for Members<I> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(&mut *self.0.borrow_mut())
            }
        }

        Self::of(&Members(members.into_iter().into()))
    }

    /// A value of ours, whose names are strings: such a value is always JSON.
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        to_raw_value(value).map(Self::from).unwrap_or_default()
    }
}

/// The text `null`.
impl Default for JsonText {
    fn default() -> Self {
        Self(RawValue::NULL.to_owned().into())
    }
}

/// A text that is not JSON. It does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotJson;

impl fmt::Display for NotJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the text is not JSON")
    }
}

impl std::error::Error for NotJson {}

impl FromStr for JsonText {
    type Err = NotJson;

    fn from_str(text: &str) -> Result<Self, NotJson> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|_| NotJson)?;
        Ok(Self(raw.to_owned().into()))
    }
}

impl From<Value> for JsonText {
    fn from(value: Value) -> Self {
        Self::of(&value)
    }
}

impl From<Box<RawValue>> for JsonText {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw.into())
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for JsonText {}

impl fmt::Debug for JsonText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JsonText").field("length", &self.as_str().len()).finish()
    }
}
