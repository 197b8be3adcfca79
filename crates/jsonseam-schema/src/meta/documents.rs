//! The published meta-schemas, by their addresses.

use std::sync::LazyLock;

use serde_json::{Value, json};

/// The address of the meta-schema of `OpenAPI`'s dialect, which is derived here and published nowhere.
pub(super) const OPENAPI_ADDRESS: &str = "jsonseam:openapi-3.0";

macro_rules! documents {
    ($($path:literal => $file:literal),+ $(,)?) => {
        /// A meta-schema by its address, be it `http` or `https`.
        pub(crate) fn document(address: &str) -> Option<&'static Value> {
            if address == OPENAPI_ADDRESS {
                static DIALECT: LazyLock<Value> = LazyLock::new(openapi);
                return Some(&DIALECT);
            }
            let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
            Some(match rest.strip_prefix("json-schema.org/")? {
                $($path => {
                    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
                        serde_json::from_str(include_str!(concat!("../../meta/", $file))).unwrap_or_default()
                    });
                    &DOCUMENT
                })+
                _ => return None,
            })
        }

        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($path),+];
    };
}

documents! {
    "draft-04/schema" => "draft-04.json",
    "draft-06/schema" => "draft-06.json",
    "draft-07/schema" => "draft-07.json",
    "draft/2019-09/schema" => "draft2019-09/schema.json",
    "draft/2019-09/meta/applicator" => "draft2019-09/meta/applicator.json",
    "draft/2019-09/meta/content" => "draft2019-09/meta/content.json",
    "draft/2019-09/meta/core" => "draft2019-09/meta/core.json",
    "draft/2019-09/meta/format" => "draft2019-09/meta/format.json",
    "draft/2019-09/meta/meta-data" => "draft2019-09/meta/meta-data.json",
    "draft/2019-09/meta/validation" => "draft2019-09/meta/validation.json",
    "draft/2020-12/schema" => "draft2020-12/schema.json",
    "draft/2020-12/meta/applicator" => "draft2020-12/meta/applicator.json",
    "draft/2020-12/meta/content" => "draft2020-12/meta/content.json",
    "draft/2020-12/meta/core" => "draft2020-12/meta/core.json",
    "draft/2020-12/meta/format-annotation" => "draft2020-12/meta/format-annotation.json",
    "draft/2020-12/meta/format-assertion" => "draft2020-12/meta/format-assertion.json",
    "draft/2020-12/meta/meta-data" => "draft2020-12/meta/meta-data.json",
    "draft/2020-12/meta/unevaluated" => "draft2020-12/meta/unevaluated.json",
    "draft/2020-12/meta/validation" => "draft2020-12/meta/validation.json",
}

/// The meta-schema of `OpenAPI` 3.0's dialect: that of draft 7 with its two differences.
fn openapi() -> Value {
    let mut schema = document("http://json-schema.org/draft-07/schema").cloned().unwrap_or_default();
    if let Some(members) = schema.as_object_mut() {
        members.insert("$id".to_owned(), OPENAPI_ADDRESS.into());
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for bound in ["exclusiveMinimum", "exclusiveMaximum"] {
            properties.insert(bound.to_owned(), json!({"type": ["number", "boolean"]}));
        }
        properties.insert("nullable".to_owned(), json!({"type": "boolean"}));
    }
    schema
}
