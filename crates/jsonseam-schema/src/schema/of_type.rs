//! Schemas of Rust types.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::{Schema, SchemaOptions, check_size};
use crate::error::SchemaError;
use crate::exact::Spelled;
use crate::own;

impl SchemaOptions {
    /// Compiles the schema of a Rust type (draft 2020-12), and asserts the ranges of its integers. Its properties have the order of the fields.
    ///
    /// A field that may be absent and has `skip_serializing_if` too comes after the others, as `schemars` tells its place to no one;
    /// with the feature `preserve_order` of `serde_json` it keeps its place.
    pub fn of<T: schemars::JsonSchema>(&self) -> Result<Schema, SchemaError> {
        self.of_type::<T>(|_| {})
    }

    /// Like [`of`](Self::of), and no keys but those that the type knows, also where its alternatives decide which these are:
    /// serde takes any beside the tag of an enum. What the type leaves open, such as a flattened map, stays open.
    ///
    /// ```
    /// #[derive(schemars::JsonSchema)]
    /// #[serde(tag = "kind")]
    /// enum Shape {
    ///     Circle { radius: f64 },
    ///     Nothing,
    /// }
    ///
    /// let exact = jsonseam_schema::Schema::options().exact::<Shape>()?;
    /// let fits = |text| exact.check(text, &jsonseam_schema::Casts::NONE).is_ok();
    /// assert!(fits(r#"{"kind": "Nothing"}"#) && !fits(r#"{"kind": "Nothing", "radius": 1}"#));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn exact<T: schemars::JsonSchema>(&self) -> Result<Schema, SchemaError> {
        self.of_type::<T>(|source| {
            let Some(schema) = source.as_object_mut() else { return };
            let decide = ["oneOf", "anyOf", "allOf", "$ref"];
            let says_itself = ["additionalProperties", "unevaluatedProperties"];
            let has_any = |schema: &Map<String, Value>, keywords: &[&str]| {
                keywords.iter().any(|&keyword| schema.contains_key(keyword))
            };
            if has_any(schema, &decide) && !has_any(schema, &says_itself) {
                schema.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
            }
        })
    }

    fn of_type<T: schemars::JsonSchema>(&self, adjust: impl FnOnce(&mut Value)) -> Result<Schema, SchemaError> {
        let mut options = self.clone();
        options.formats.of_numbers = true;
        let mut source = schemars::schema_for!(T).to_value();
        adjust(&mut source);
        check_size(&source)?;
        let written = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
        let text = own::of_type(&source, written.as_value());
        options.compile_spelled(source, &text, Spelled::of(&text, &self.resources))
    }
}
