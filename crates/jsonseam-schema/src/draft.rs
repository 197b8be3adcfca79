//! The drafts, and which keywords hold schemas in each.

use serde_json::Value;

/// A draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 7 (2018).
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12, the default.
    #[default]
    Draft202012,
}

impl Draft {
    /// The draft that a `$schema` names, if it names one of these.
    pub(crate) fn named(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        match rest {
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// The library's name of it.
    pub(crate) const fn of_library(self) -> jsonschema::Draft {
        match self {
            Self::Draft7 => jsonschema::Draft::Draft7,
            Self::Draft201909 => jsonschema::Draft::Draft201909,
            Self::Draft202012 => jsonschema::Draft::Draft202012,
        }
    }

    /// Whether a value is a schema of this draft, as its meta-schema has it.
    pub(crate) fn is_schema(self, value: &Value) -> bool {
        match self {
            Self::Draft7 => jsonschema::draft7::meta::is_valid(value),
            Self::Draft201909 => jsonschema::draft201909::meta::is_valid(value),
            Self::Draft202012 => jsonschema::draft202012::meta::is_valid(value),
        }
    }

    /// The meta-schemas of all drafts, by address.
    pub(crate) fn meta_schema(uri: &str) -> Option<&'static Value> {
        use referencing::meta;

        let path =
            uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?.strip_prefix("json-schema.org/")?;
        Some(match path {
            "draft-07/schema" => &meta::DRAFT7,
            "draft/2019-09/schema" => &meta::DRAFT201909,
            "draft/2019-09/meta/applicator" => &meta::DRAFT201909_APPLICATOR,
            "draft/2019-09/meta/content" => &meta::DRAFT201909_CONTENT,
            "draft/2019-09/meta/core" => &meta::DRAFT201909_CORE,
            "draft/2019-09/meta/format" => &meta::DRAFT201909_FORMAT,
            "draft/2019-09/meta/meta-data" => &meta::DRAFT201909_META_DATA,
            "draft/2019-09/meta/validation" => &meta::DRAFT201909_VALIDATION,
            "draft/2020-12/schema" => &meta::DRAFT202012,
            "draft/2020-12/meta/core" => &meta::DRAFT202012_CORE,
            "draft/2020-12/meta/applicator" => &meta::DRAFT202012_APPLICATOR,
            "draft/2020-12/meta/unevaluated" => &meta::DRAFT202012_UNEVALUATED,
            "draft/2020-12/meta/validation" => &meta::DRAFT202012_VALIDATION,
            "draft/2020-12/meta/meta-data" => &meta::DRAFT202012_META_DATA,
            "draft/2020-12/meta/format-annotation" => &meta::DRAFT202012_FORMAT_ANNOTATION,
            "draft/2020-12/meta/format-assertion" => &meta::DRAFT202012_FORMAT_ASSERTION,
            "draft/2020-12/meta/content" => &meta::DRAFT202012_CONTENT,
            _ => return None,
        })
    }

    /// What the value of a keyword holds, as far as schemas go.
    pub(crate) fn holds(self, keyword: &str, value: &Value) -> Holds {
        match keyword {
            "allOf" | "anyOf" | "oneOf" => Holds::List,
            "items" if value.is_array() && self != Self::Draft202012 => Holds::List,
            "prefixItems" if self == Self::Draft202012 => Holds::List,
            "properties" | "patternProperties" | "definitions" => Holds::Map,
            "dependencies" if self == Self::Draft7 => Holds::Map,
            "$defs" | "dependentSchemas" if self != Self::Draft7 => Holds::Map,
            "additionalItems" if self == Self::Draft202012 => Holds::Nothing,
            "unevaluatedItems" | "unevaluatedProperties" | "contentSchema" if self == Self::Draft7 => Holds::Nothing,
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
        }
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
                found.extend(
                    inner.map(|(name, entry)| (format!("/{keyword}/{}", crate::violation::escaped(name)), entry)),
                );
            }
            _ => {}
        }
    }
    found
}
