//! The drafts, which keywords each knows, and which of those hold schemas.

use jsonseam_text::named;
use jsonseam_text::pointer::escaped;
use serde_json::Value;

named! {
    /// A draft of JSON Schema, or a dialect of one.
    ///
    /// The names are those of flags and files.
    ///
    /// ```
    /// use jsonseam_schema::Draft;
    ///
    /// assert_eq!("draft-07".parse(), Ok(Draft::Draft7));
    /// assert!("draft-03".parse::<Draft>().is_err());
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    #[non_exhaustive]
    pub enum Draft as "a draft" {
        /// Draft 4 (2013).
        Draft4 = "draft-04",
        /// Draft 6 (2017).
        Draft6 = "draft-06",
        /// Draft 7 (2018).
        Draft7 = "draft-07",
        /// The schema objects of `OpenAPI` 3.0: read as draft 7, with `nullable` and the boolean `exclusiveMinimum` and `exclusiveMaximum`.
        OpenApi30 = "openapi-3.0",
        /// Draft 2019-09.
        Draft201909 = "2019-09",
        /// Draft 2020-12, the default.
        #[default]
        Draft202012 = "2020-12",
    }
}

impl Draft {
    /// The draft that a `$schema` names, if it names one of these.
    pub(crate) fn named(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        match rest {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// Whether the draft came before 2019-09: nothing counts beside `$ref`, anchors are identifiers, and nothing is unevaluated.
    pub(crate) fn is_old(self) -> bool {
        !matches!(self, Self::Draft201909 | Self::Draft202012)
    }

    /// The keyword that identifies a schema.
    pub(crate) fn identifier(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }

    /// Whether the draft knows a keyword, be it an assertion, an applicator, an identifier or an annotation.
    pub(crate) fn knows(self, keyword: &str) -> bool {
        match keyword {
            "$schema"
            | "$ref"
            | "title"
            | "description"
            | "default"
            | "definitions"
            | "type"
            | "enum"
            | "multipleOf"
            | "maximum"
            | "exclusiveMaximum"
            | "minimum"
            | "exclusiveMinimum"
            | "maxLength"
            | "minLength"
            | "pattern"
            | "format"
            | "items"
            | "maxItems"
            | "minItems"
            | "uniqueItems"
            | "maxProperties"
            | "minProperties"
            | "required"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "not" => true,
            "id" => self == Self::Draft4,
            "$id" | "const" | "contains" | "propertyNames" | "examples" => self != Self::Draft4,
            "if" | "then" | "else" | "$comment" | "readOnly" | "writeOnly" | "contentMediaType" | "contentEncoding" => {
                self >= Self::Draft7
            }
            "$anchor"
            | "$vocabulary"
            | "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "minContains"
            | "maxContains"
            | "contentSchema" => !self.is_old(),
            // `OpenAPI` knows neither, but schemas of generators that speak its dialect have them all the same.
            "$defs" | "deprecated" => self >= Self::OpenApi30,
            "$recursiveRef" | "$recursiveAnchor" => self == Self::Draft201909,
            "$dynamicRef" | "$dynamicAnchor" | "prefixItems" => self == Self::Draft202012,
            "additionalItems" => self != Self::Draft202012,
            "dependencies" => self.is_old(),
            "nullable" | "discriminator" | "xml" | "externalDocs" | "example" | "propertyOrdering" => {
                self == Self::OpenApi30
            }
            _ => false,
        }
    }

    /// What the value of a keyword holds, as far as schemas go.
    pub(crate) fn holds(self, keyword: &str, value: &Value) -> Holds {
        let holds = match keyword {
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
            "items" if value.is_array() && self != Self::Draft202012 => Holds::List,
            "properties" | "patternProperties" | "definitions" | "dependencies" | "$defs" | "dependentSchemas" => {
                Holds::Map
            }
            "not"
            | "if"
            | "then"
            | "else"
            | "items"
            | "contains"
            | "additionalItems"
            | "unevaluatedItems"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "contentSchema" => Holds::Schema,
            _ => Holds::Nothing,
        };
        if self.knows(keyword) { holds } else { Holds::Nothing }
    }
}

/// How a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Nothing,
    Schema,
    List,
    Map,
}

/// The schemas directly inside a schema, each with the pointer to it from there.
pub(crate) fn subschemas(schema: &Value, draft: Draft) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let Value::Object(members) = schema else { return found };
    for (keyword, value) in members {
        let holds = draft.holds(keyword, value);
        match (holds, value) {
            (Holds::Schema, inner) => found.push((format!("/{keyword}"), inner)),
            (Holds::List, Value::Array(items)) => {
                found.extend(items.iter().enumerate().map(|(index, item)| (format!("/{keyword}/{index}"), item)));
            }
            (Holds::Map, Value::Object(entries)) => {
                let inner = entries.iter().filter(|(_, entry)| entry.is_object() || entry.is_boolean());
                found.extend(inner.map(|(name, entry)| (format!("/{keyword}/{}", escaped(name)), entry)));
            }
            _ => {}
        }
    }
    found
}

/// The keyword that a pointer into a schema leads to or into; `None` for the schema itself.
pub(crate) fn keyword_at(schema: &Value, draft: Draft, pointer: &str) -> Option<String> {
    let mut segments = pointer.split('/').skip(1);
    let mut found = None;
    let mut place = schema;
    while let Some(keyword) = segments.next() {
        found = Some(keyword.to_owned());
        let Some(value) = place.get(keyword) else { break };
        place = match draft.holds(keyword, value) {
            Holds::Schema => value,
            Holds::Nothing => break,
            Holds::List | Holds::Map => {
                let Some(inner) = segments.next().and_then(|name| value.pointer(&format!("/{name}"))) else { break };
                inner
            }
        };
    }
    found
}
