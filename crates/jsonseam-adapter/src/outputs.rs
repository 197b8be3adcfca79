//! What a caller gets: the declared fields, in declared order, and the report of the repair.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use jsonseam_core::{ContractRecord, Repaired, compact};
use jsonseam_keyset::{NestedRepeat, nested_repeats};
use jsonseam_schema::{Cast, Failure, decode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::contract::{Contract, Output};
use crate::error::Error;
use crate::field::{Field, FieldName, FieldText, Judged};
use crate::items::DroppedItem;
use crate::typed::absent;

/// The outputs of one completion: every field that fits the contract, in declared order.
///
/// Serialised, it is the JSON object of the fields on one line, each value with the digits and escapes that it was checked with.
/// It is written verbatim, which only `serde_json` can do.
/// `Debug` shows names and sizes, no text (SPEC M5).
#[derive(Clone)]
pub struct Outputs {
    contract: Arc<Contract>,
    repair: Repaired<'static>,
    /// The text that the fields are spans of, where casts or repeated keys made it another one than the repaired text.
    text: Option<String>,
    fields: Vec<Field>,
    casts: Vec<Cast>,
    dropped: Vec<DroppedItem>,
    is_partial: bool,
}

impl Outputs {
    pub(crate) fn new(contract: Arc<Contract>, repair: Repaired<'static>, judged: Judged, is_partial: bool) -> Self {
        let Judged { text, fields, casts, dropped } = judged;
        Self { contract, repair, text, fields, casts, dropped, is_partial }
    }

    /// What is left of the outputs without the fields of these names.
    pub(crate) fn partial_without(mut self, is_to_blame: impl Fn(&str) -> bool) -> Self {
        let contract = Arc::clone(&self.contract);
        self.fields.retain(|field| !is_to_blame(contract.name(&field.name)));
        self.is_partial = true;
        self
    }

    /// The names of the fields that are there: in declared order, or in that of the text when no output is declared.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| self.name(field))
    }

    /// The fields that are there: name and JSON text, in the order of [`names`](Self::names).
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|field| (self.name(field), field.text.of(self.whole_text())))
    }

    /// The JSON text of a field: the completion's own, or what a cast made of it. `None` for a field that is not there.
    pub fn text(&self, name: &str) -> Option<&str> {
        Some(self.field(name)?.text.of(self.whole_text()))
    }

    /// A field as `T`, decoded from its own text: no digit passes through a float unless `T` is one (SPEC V1).
    ///
    /// A field that is absent is `None` for an option, and the error `missing_output_keys` for most other types.
    /// A text that `T` refuses is the error `output_validation_failed`; one that it cannot hold, such as `1e400`, `not_representable`.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        match self.text(name) {
            Some(text) => {
                let decoded = match self.contract.output(name).and_then(Output::schema) {
                    Some(schema) => schema.decode_checked(text),
                    None => decode(text),
                };
                decoded.map_err(|failure| Error::of_field(failure, name))
            }
            None => absent().ok_or_else(|| Error::absent(name)),
        }
    }

    /// A field that was declared with the Rust type `T`, decoded when the completion was parsed.
    /// `None` if it is absent or was declared otherwise.
    pub fn typed<T: Any>(&self, name: &str) -> Option<&T> {
        self.field(name)?.typed.as_deref()?.downcast_ref()
    }

    /// All fields as `T`, decoded from the text that was checked.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, JsonSchema};
    ///
    /// #[derive(serde::Deserialize, JsonSchema)]
    /// struct Verdict {
    ///     approved: bool,
    ///     reason: Option<String>,
    /// }
    ///
    /// let adapter = Adapter::builder().whole_type::<Verdict>().build()?;
    /// let verdict: Verdict = adapter.parse(r#"{"approved": true}"#)?.decode()?;
    /// assert!(verdict.approved && verdict.reason.is_none());
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let json = self.to_json();
        let decoded = match &self.contract.whole {
            Some(schema) => schema.decode_checked(&json),
            None => decode(&json),
        };
        decoded.map_err(|failure| self.failed(failure, &json))
    }

    /// The failure of all outputs as one text, which names the field that no type holds.
    fn failed(&self, failure: Failure, json: &str) -> Error {
        let is_held = !matches!(failure, Failure::NotRepresentable);
        let field = if is_held { None } else { self.contract.unheld(json) };
        Error::failure(failure, field.as_deref())
    }

    /// The value of a contract that [`whole_type`](crate::AdapterBuilder::whole_type) derived: [`decode`](Self::decode) under the name to look for.
    ///
    /// ```
    /// let adapter = jsonseam_adapter::Adapter::builder().whole_type::<Vec<u8>>().build()?;
    /// assert_eq!(adapter.parse("[1, 2]")?.whole::<Vec<u8>>()?, [1, 2]);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn whole<T: DeserializeOwned>(&self) -> Result<T, Error> {
        self.decode()
    }

    /// The outputs as one JSON text: the object of the fields or, of a root that is not an object and of a contract without fields, the value itself.
    pub fn to_json(&self) -> Cow<'_, str> {
        if self.is_whole() {
            return Cow::Borrowed(self.whole_text().trim_ascii());
        }
        let mut json = String::with_capacity(self.whole_text().len());
        json.push('{');
        for (name, text) in self.iter() {
            if json.len() > 1 {
                json.push(',');
            }
            push_string(name, &mut json);
            json.push(':');
            json.push_str(text);
        }
        json.push('}');
        Cow::Owned(json)
    }

    /// The repair: the text, every edit, the risk, whether it was cut off.
    pub fn repair(&self) -> &Repaired<'static> {
        &self.repair
    }

    /// The record of the repair and of its outputs, as every front writes it.
    pub fn record(&self) -> ContractRecord<'_, Self, Error, DroppedItem> {
        ContractRecord::accepted((&self.repair).into(), self).with_dropped(&self.dropped)
    }

    /// The casts that were made, those of the whole first, then by declared field (off unless the contract allows them).
    pub fn casts(&self) -> &[Cast] {
        &self.casts
    }

    /// The items of arrays that are not in the outputs: an incomplete one first, then those that do not fit, in their order.
    /// None unless the contract says so ([`AdapterBuilder::incomplete`](crate::AdapterBuilder::incomplete), [`items`](crate::AdapterBuilder::items)).
    pub fn dropped(&self) -> &[DroppedItem] {
        &self.dropped
    }

    /// The keys that objects within the outputs hold more than once, in the repaired text (SPEC K4: reported, not refused).
    ///
    /// Where a schema has judged them, the last of each is what it has seen and what is returned. Reads the text once.
    pub fn nested_duplicates(&self) -> Vec<NestedRepeat> {
        nested_repeats(self.repair.text())
    }

    /// Whether this is a partial result, salvaged from a refused completion.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    fn whole_text(&self) -> &str {
        self.text.as_deref().unwrap_or(self.repair.text())
    }

    /// Whether the root is not an object, so that there are no fields to speak of.
    fn is_whole(&self) -> bool {
        self.contract.outputs.is_empty() && !self.whole_text().trim_ascii_start().starts_with('{')
    }

    fn name<'o>(&'o self, field: &'o Field) -> &'o str {
        self.contract.name(&field.name)
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| self.name(field) == name)
    }
}

/// Appends `name` as a JSON string.
fn push_string(name: &str, json: &mut String) {
    // A string always serialises.
    json.push_str(&serde_json::to_string(name).unwrap_or_default());
}

impl Serialize for Outputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = |text: &str| {
            RawValue::from_string(compact(text)).map_err(|_| S::Error::custom("the text of an output is not JSON"))
        };
        if self.is_whole() {
            return raw(&self.to_json())?.serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, text) in self.iter() {
            map.serialize_entry(name, &raw(text)?)?;
        }
        map.end()
    }
}

impl fmt::Debug for Outputs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declared = self.fields.iter().filter_map(|field| match field.name {
            FieldName::Declared(index) => self.contract.outputs.get(index).map(|output| &*output.name),
            FieldName::Found(_) => None,
        });
        formatter
            .debug_struct("Outputs")
            .field("declared", &declared.collect::<Vec<_>>())
            .field("fields", &self.fields.len())
            .field("casts", &self.casts)
            .field("dropped", &self.dropped)
            .field("is_partial", &self.is_partial)
            .field("repair", &self.repair)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for FieldText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Span(span) => write!(formatter, "{span:?}"),
            Self::Own(own) => write!(formatter, "{} bytes", own.len()),
        }
    }
}
