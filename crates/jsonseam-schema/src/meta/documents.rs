//! The published meta-schemas, by their addresses.

use std::sync::LazyLock;

use serde_json::{Value, json};

/// The address of the meta-schema of `OpenAPI`'s dialect, which is derived here and published nowhere.
pub(super) const OPENAPI_ADDRESS: &str = "jsonseam:openapi-3.0";

/// How long a JSON text is without the blanks between its tokens.
const fn compact_len(text: &[u8]) -> usize {
    let (mut len, mut pos, mut is_string) = (0, 0, false);
    while pos < text.len() {
        if is_kept(text[pos], is_string) {
            len += 1;
        }
        is_string ^= is_mark(text, pos);
        pos += 1;
    }
    len
}

/// A JSON text without the blanks between its tokens: a third of these documents.
const fn compact<const LEN: usize>(text: &[u8]) -> [u8; LEN] {
    let (mut bytes, mut len, mut pos, mut is_string) = ([0; LEN], 0, 0, false);
    while pos < text.len() {
        if is_kept(text[pos], is_string) {
            bytes[len] = text[pos];
            len += 1;
        }
        is_string ^= is_mark(text, pos);
        pos += 1;
    }
    bytes
}

const fn is_kept(byte: u8, is_string: bool) -> bool {
    is_string || !byte.is_ascii_whitespace()
}

/// Whether a quote begins or ends a string here. No text of these documents has a backslash before another one.
const fn is_mark(text: &[u8], pos: usize) -> bool {
    text[pos] == b'"' && (pos == 0 || text[pos - 1] != b'\\')
}

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
                        const TEXT: &[u8] = include_bytes!(concat!("../../meta/", $file));
                        static BYTES: [u8; compact_len(TEXT)] = compact(TEXT);
                        serde_json::from_slice(&BYTES).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compact_text_loses_blanks_between_tokens_and_nothing_else() {
        const TEXT: &[u8] = b"{ \"a b\" :\n [ \"\\\" c\", 1 ,\ttrue ] }\n";
        assert_eq!(compact::<{ compact_len(TEXT) }>(TEXT), *b"{\"a b\":[\"\\\" c\",1,true]}");
    }
}
