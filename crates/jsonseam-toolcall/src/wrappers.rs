//! The built-in formats, as data: the packs of `crates/jsonseam-toolcall/wrappers/`.

/// The packs of tool-call wrappers, each a name and TOML, in the order in which formats are tried.
pub const WRAPPERS: [(&str, &str); 7] = [
    ("reasoning", include_str!("../wrappers/reasoning.toml")),
    ("named", include_str!("../wrappers/named.toml")),
    ("json", include_str!("../wrappers/json.toml")),
    ("tagged", include_str!("../wrappers/tagged.toml")),
    ("keyed", include_str!("../wrappers/keyed.toml")),
    ("python", include_str!("../wrappers/python.toml")),
    ("gemma", include_str!("../wrappers/gemma.toml")),
];

/// The JSON Schema of the envelope that tool calls are normalised to (SPEC L2), as an example to declare outputs with.
pub const ENVELOPE_SCHEMA: &str = include_str!("../wrappers/envelope.schema.json");
