//! The tools that were offered to the model.

use std::collections::BTreeMap;

use serde_json::Value;

/// The tools that were offered, and the types of their parameters.
///
/// With tools, a call of any other name is refused, and raw values are read by the declared type.
/// Types are the names of JSON Schema (`string`, `integer`, `number`, `boolean`, `null`, `object`, `array`).
///
/// ```
/// use jsonseam_toolcall::Tools;
///
/// let tools = Tools::new().tool("weather", &serde_json::json!({"properties": {"days": {"type": "integer"}}}));
/// assert!(tools.offers("weather"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tools {
    tools: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Tools {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool with the JSON Schema of its parameters. Only `properties.*.type` is read; anything else leaves the type open.
    #[must_use]
    pub fn tool(mut self, name: &str, parameters: &Value) -> Self {
        let properties = parameters.get("properties").and_then(Value::as_object);
        let types = properties.into_iter().flatten().map(|(key, schema)| (key.clone(), types_of(schema)));
        self.tools.insert(name.to_owned(), types.collect());
        self
    }

    /// Whether no tool was added: then any name is taken, and raw values are strings.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Whether the tool was offered.
    pub fn offers(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// The types that an argument may have; empty if nothing is known.
    pub(crate) fn types(&self, tool: &str, key: &str) -> &[String] {
        self.tools.get(tool).and_then(|types| types.get(key)).map_or(&[], Vec::as_slice)
    }
}

/// The types that a schema names itself, or through `anyOf` and `oneOf`.
fn types_of(schema: &Value) -> Vec<String> {
    let own = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if !own.is_empty() {
        return own;
    }
    let branches = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key)).filter_map(Value::as_array).flatten();
    branches
        .flat_map(|branch| match branch.get("type") {
            Some(Value::String(one)) => vec![one.clone()],
            // A branch of open type leaves the whole open; a string is always possible then.
            _ => vec!["string".to_owned()],
        })
        .collect()
}
