//! The tools that were offered to the model.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jsonseam_text::ErrorCode;
use serde_json::Value;

use crate::shape::Shape;

/// The tools that were offered, and the schemas of their parameters.
///
/// With tools, a call of any other name is refused, and raw values are read as what the schema takes. Cheap to clone.
///
/// ```
/// use jsonseam_toolcall::Tools;
///
/// let tools = Tools::new().tool("weather", &serde_json::json!({"properties": {"days": {"type": "integer"}}}));
/// assert!(tools.offers("weather"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tools {
    tools: Arc<BTreeMap<String, BTreeMap<String, Shape>>>,
    /// Whether it is known what was offered, be it nothing.
    is_known: bool,
}

impl Tools {
    /// Nothing is known of the tools: any name is taken, until a tool is added.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing is offered, as under `tool_choice: "none"`: every call is refused.
    ///
    /// ```
    /// use jsonseam_toolcall::{Extractor, Packs, Reason, Tools};
    ///
    /// # let pack = "[[reasoning]]\nopen = \"<think>\"\nclose = [\"</think>\"]\n[[format]]\nname = \"hermes\"\ncall = [\"<tool_call>\"]\nbody = \"calls\"\nthoughts = [\"<think>\"]\n";
    /// # let packs = Packs::parse(&[("pack", pack)])?;
    /// let error = Extractor::new(packs).with_tools(Tools::none()).extract("<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
    /// assert_eq!(error.unwrap_err().reason(), Reason::NotOffered);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn none() -> Self {
        Self { is_known: true, ..Self::default() }
    }

    /// Adds a tool with the JSON Schema of its parameters.
    ///
    /// Of the schema, only what says which values a parameter takes is read:
    /// `type`, `enum`, `const`, `nullable`, and these through `$ref` within the schema, `anyOf`, `oneOf`,
    /// `allOf` and `not`. Ranges and patterns are for a contract to check.
    /// Upper-case types and those of Python (`str`, `int`, `float`, `dict`, `list`) are read as what they mean.
    #[must_use]
    pub fn tool(mut self, name: &str, parameters: &Value) -> Self {
        Arc::make_mut(&mut self.tools).insert(name.to_owned(), Shape::members(parameters));
        self.is_known = true;
        self
    }

    /// Reads a list of tools as requests to models have it: a JSON array (or an object with it in `tools`) in the shape of
    /// `OpenAI` (`{"type": "function", "function": {"name", "parameters"}}` or flat), Anthropic (`{"name", "input_schema"}`), MCP (`{"name", "inputSchema"}`)
    /// or Gemini (`{"functionDeclarations": [{"name", "parameters"}]}`). An empty list offers nothing: then every call is refused.
    ///
    /// ```
    /// use jsonseam_toolcall::Tools;
    ///
    /// let tools = Tools::from_json(&serde_json::json!([{"name": "weather", "input_schema": {"type": "object"}}]))?;
    /// assert!(tools.offers("weather"));
    /// # Ok::<(), jsonseam_toolcall::ToolsError>(())
    /// ```
    pub fn from_json(list: &Value) -> Result<Self, ToolsError> {
        let list = list.get("tools").unwrap_or(list);
        let Value::Array(entries) = list else { return Err(ToolsError { index: None }) };
        let mut tools = Self::none();
        for (index, entry) in entries.iter().enumerate() {
            let declarations = ["functionDeclarations", "function_declarations"].iter().find_map(|key| entry.get(*key));
            tools = match declarations.and_then(Value::as_array) {
                Some(several) => several.iter().try_fold(tools, |tools, one| tools.declared(one, index))?,
                None => tools.declared(entry.get("function").unwrap_or(entry), index)?,
            };
        }
        Ok(tools)
    }

    fn declared(self, entry: &Value, index: usize) -> Result<Self, ToolsError> {
        const SCHEMAS: [&str; 5] =
            ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];
        let name = entry.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or(ToolsError { index: Some(index) })?;
        if self.offers(name) {
            return Err(ToolsError { index: Some(index) });
        }
        let schema = SCHEMAS.iter().find_map(|key| entry.get(*key)).unwrap_or(&Value::Null);
        Ok(self.tool(name, schema))
    }

    /// Whether no tool was added.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Whether the tool was offered.
    pub fn offers(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// Whether it is known that the tool was not offered.
    pub(crate) fn forbids(&self, name: &str) -> bool {
        self.is_known && !self.offers(name)
    }

    /// What an argument may be; `None` if nothing is known.
    pub(crate) fn shape(&self, tool: &str, key: &str) -> Option<&Shape> {
        self.tools.get(tool).and_then(|shapes| shapes.get(key))
    }
}

/// A list of tools that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolsError {
    index: Option<usize>,
}

impl ToolsError {
    /// The stable name, `bad_tools`.
    pub const fn code(self) -> ErrorCode {
        ErrorCode::BadTools
    }

    /// The entry that has no name of its own, from 0; `None` if there is no list.
    pub const fn index(self) -> Option<usize> {
        self.index
    }
}

impl fmt::Display for ToolsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => {
                write!(formatter, "entry {index} of the tools has no name, or a name that another entry has")
            }
            None => write!(formatter, "the tools are not a JSON array, nor an object that holds one in `tools`"),
        }
    }
}

impl std::error::Error for ToolsError {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_of_a_list_of_tools_is_read() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "INTEGER"}}});
        for list in [
            json!([{"type": "function", "function": {"name": "f", "parameters": schema}}]),
            json!([{"type": "function", "name": "f", "parameters": schema}]),
            json!([{"name": "f", "input_schema": schema}]),
            json!({"tools": [{"name": "f", "inputSchema": schema}]}),
            json!([{"functionDeclarations": [{"name": "f", "parameters": schema}]}]),
        ] {
            let tools = Tools::from_json(&list).expect("the list is right");
            assert!(tools.offers("f") && tools.shape("f", "n").is_some(), "{list}");
        }
    }

    #[test]
    fn s1_an_empty_list_forbids_every_tool() {
        let none = Tools::from_json(&json!([])).expect("the list is right");
        assert!(none.is_empty() && none.forbids("rm"));
        assert!(!Tools::new().forbids("rm"));
    }

    #[test]
    fn a_list_that_offers_a_name_twice_or_none_is_refused() {
        assert_eq!(
            Tools::from_json(&json!([{"name": "f"}, {"name": "f"}])).map(|_| ()),
            Err(ToolsError { index: Some(1) })
        );
        assert_eq!(Tools::from_json(&json!([{"type": "function"}])).map(|_| ()), Err(ToolsError { index: Some(0) }));
        assert_eq!(Tools::from_json(&json!({"f": {}})).map(|_| ()), Err(ToolsError { index: None }));
    }
}
