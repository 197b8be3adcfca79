//! The tools that were offered to the model.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonseam_schema::{Casts, Checked, Failure, Schema, SchemaError};
use jsonseam_text::ErrorCode;
use serde_json::Value;

use crate::shape::{Shape, contract_of, places};

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
    tools: Arc<BTreeMap<String, Tool>>,
    /// Whether it is known what was offered, be it nothing.
    is_known: bool,
}

/// One tool: the schema of its parameters, and what each of them may be.
#[derive(Debug, Clone)]
struct Tool {
    schema: Value,
    shapes: BTreeMap<String, Shape>,
    /// What arguments are checked by, compiled when the first are.
    contract: Arc<OnceLock<Result<Schema, SchemaError>>>,
}

impl Tool {
    fn new(parameters: &Value) -> Self {
        Self { schema: parameters.clone(), shapes: Shape::members(parameters), contract: Arc::default() }
    }
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
        Arc::make_mut(&mut self.tools).insert(name.to_owned(), Tool::new(parameters));
        self.is_known = true;
        self
    }

    /// Reads a list of tools as requests to models have it: a JSON array, an object with it in `tools` (also in `result`, as MCP answers `tools/list`), or one tool.
    /// Its entries are in the shape of `OpenAI` (`{"type": "function", "function": {"name", "parameters"}}`, flat, or a namespace of several),
    /// Anthropic (`{"name", "input_schema"}`), MCP (`{"name", "inputSchema"}`), Gemini (`{"functionDeclarations": [{"name", "parameters"}]}`)
    /// or Bedrock (`{"toolSpec": {"name", "inputSchema": {"json"}}}`).
    /// Tools that the provider runs and that have no name of their own (`{"type": "web_search"}`, `{"googleSearch": {}}`) are passed over.
    /// An empty list offers nothing: then every call is refused.
    ///
    /// ```
    /// use jsonseam_toolcall::Tools;
    ///
    /// let tools = Tools::from_json(&serde_json::json!([{"name": "weather", "input_schema": {"type": "object"}}, {"type": "web_search"}]))?;
    /// assert!(tools.offers("weather"));
    /// # Ok::<(), jsonseam_toolcall::ToolsError>(())
    /// ```
    pub fn from_json(list: &Value) -> Result<Self, ToolsError> {
        let list = ["result", "toolConfig"].iter().find_map(|key| list.get(*key)).unwrap_or(list);
        let list = list.get("tools").unwrap_or(list);
        let entries = match list {
            Value::Array(entries) => entries.as_slice(),
            Value::Object(one) if one.get("name").is_some_and(Value::is_string) => std::slice::from_ref(list),
            _ => return Err(ToolsError { index: None }),
        };
        entries.iter().enumerate().try_fold(Self::none(), |tools, (index, entry)| tools.listed(entry, index))
    }

    /// Adds what an entry of a list declares: one tool, several, or none if the provider runs it.
    fn listed(self, entry: &Value, index: usize) -> Result<Self, ToolsError> {
        let several = ["functionDeclarations", "function_declarations"].iter().find_map(|key| entry.get(*key));
        if let Some(several) = several.and_then(Value::as_array) {
            return several.iter().try_fold(self, |tools, one| tools.declared(one, "", index));
        }
        let is_namespace = entry.get("type").is_some_and(|kind| kind == "namespace");
        if let Some(several) = entry.get("tools").and_then(Value::as_array).filter(|_| is_namespace) {
            let namespace = entry.get("name").and_then(Value::as_str).unwrap_or_default();
            return several.iter().try_fold(self, |tools, one| tools.declared(one, namespace, index));
        }
        let inner = ["function", "toolSpec", "tool_spec"].iter().find_map(|key| entry.get(*key));
        let one = inner.unwrap_or(entry);
        if is_run_elsewhere(one) { Ok(self) } else { self.declared(one, "", index) }
    }

    fn declared(self, entry: &Value, namespace: &str, index: usize) -> Result<Self, ToolsError> {
        const SCHEMAS: [&str; 6] =
            ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "schema"];
        let entry = entry.get("function").unwrap_or(entry);
        let name = entry.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or(ToolsError { index: Some(index) })?;
        let name = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        if self.offers(&name) {
            return Err(ToolsError { index: Some(index) });
        }
        let schema = SCHEMAS.iter().find_map(|key| entry.get(*key)).unwrap_or(&Value::Null);
        // Bedrock has the schema in a member that says that it is JSON.
        let bedrock = schema.get("json").filter(|json| json.is_object() && schema.get("type").is_none());
        Ok(self.tool(&name, bedrock.unwrap_or(schema)))
    }

    /// Whether no tool was added.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Whether the tool was offered.
    pub fn offers(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// A name without the namespace that templates and clients write before it, if the tool was offered without it and not with it.
    pub(crate) fn within_namespace<'n>(&self, name: &'n str) -> &'n str {
        const NAMESPACES: [&str; 3] = ["functions.", "default_api.", "tools."];
        let inner = NAMESPACES.iter().find_map(|space| name.strip_prefix(space));
        inner.filter(|inner| self.offers(inner) && !self.offers(name)).unwrap_or(name)
    }

    /// Whether it is known that the tool was not offered.
    pub(crate) fn forbids(&self, name: &str) -> bool {
        self.is_known && !self.offers(name)
    }

    /// Puts the arguments of a call, a JSON text, to the schema of its tool, with these casts. `None` if nothing is known of the tool.
    ///
    /// An argument that the schema does not declare is refused, unless the schema says otherwise: the tool has no parameter for it.
    ///
    /// ```
    /// use jsonseam_schema::{Casts, Failure};
    /// use jsonseam_toolcall::Tools;
    ///
    /// let tools = Tools::new().tool("weather", &serde_json::json!({"type": "object", "properties": {"days": {"type": "integer"}}}));
    /// assert_eq!(tools.check("weather", r#"{"days": "3"}"#, &Casts::COERCE).unwrap().unwrap().text, r#"{"days": 3}"#);
    /// let Some(Err(Failure::Invalid(violations))) = tools.check("weather", r#"{"day": 3}"#, &Casts::COERCE) else { panic!() };
    /// assert_eq!(violations[0].llm_message(), "Object has unrecognized keys: day");
    /// ```
    pub fn check<'a>(&self, tool: &str, arguments: &'a str, casts: &Casts) -> Option<Result<Checked<'a>, Failure>> {
        let contract = self.contract(tool)?.as_ref().ok()?;
        Some(contract.check(arguments, casts))
    }

    /// The schemas that arguments cannot be checked by: the tools, and why.
    pub fn unreadable_schemas(&self) -> impl Iterator<Item = (&str, &SchemaError)> {
        self.tools.keys().filter_map(|name| Some((name.as_str(), self.contract(name)?.as_ref().err()?)))
    }

    /// The offered tools by name, each with the schema of its parameters: `None` where it has none that arguments can be checked by.
    ///
    /// ```
    /// let list = serde_json::json!([{"name": "now"}, {"name": "weather", "input_schema": {"type": "object"}}]);
    /// let tools = jsonseam_toolcall::Tools::from_json(&list)?;
    /// let known: Vec<_> = tools.schemas().map(|(name, schema)| (name, schema.is_some())).collect();
    /// assert_eq!(known, [("now", false), ("weather", true)]);
    /// # Ok::<(), jsonseam_toolcall::ToolsError>(())
    /// ```
    pub fn schemas(&self) -> impl Iterator<Item = (&str, Option<&Schema>)> {
        self.tools.keys().map(|name| (name.as_str(), self.contract(name).and_then(|schema| schema.as_ref().ok())))
    }

    fn contract(&self, tool: &str) -> Option<&Result<Schema, SchemaError>> {
        let tool = self.tools.get(tool).filter(|tool| tool.schema.is_object())?;
        Some(tool.contract.get_or_init(|| Schema::from_value(contract_of(&tool.schema))))
    }

    /// Whether every member of the arguments, and of what is within them, is declared where it is; nothing is known of a tool that declares none.
    pub(crate) fn places(&self, tool: &str, arguments: &Value) -> bool {
        self.tools.get(tool).is_none_or(|tool| places(&tool.schema, &tool.schema, arguments))
    }

    /// Whether the tool declares parameters.
    pub(crate) fn has_parameters(&self, tool: &str) -> bool {
        self.tools.get(tool).is_some_and(|tool| !tool.shapes.is_empty())
    }

    /// The one tool that was offered; `None` if none was, or several.
    pub(crate) fn only_tool(&self) -> Option<&str> {
        let mut names = self.tools.keys();
        names.next().filter(|_| names.next().is_none()).map(String::as_str)
    }

    /// The one parameter that the tool declares; `None` if it declares none or several.
    pub(crate) fn only_parameter(&self, tool: &str) -> Option<&str> {
        let mut names = self.tools.get(tool)?.shapes.keys();
        names.next().filter(|_| names.next().is_none()).map(String::as_str)
    }

    /// The tags that open an element named after a tool.
    pub(crate) fn tags(&self) -> Vec<String> {
        self.tools.keys().map(|name| format!("<{name}>")).collect()
    }

    /// What an argument may be; `None` if nothing is known.
    pub(crate) fn shape(&self, tool: &str, key: &str) -> Option<&Shape> {
        self.tools.get(tool).and_then(|tool| tool.shapes.get(key))
    }
}

/// Whether an entry is a tool that the provider runs: it has no name, and says of which type it is, or is one member with its settings.
fn is_run_elsewhere(entry: &Value) -> bool {
    let Value::Object(members) = entry else { return false };
    let kind = members.get("type").and_then(Value::as_str);
    let is_typed = kind.is_some_and(|kind| !matches!(kind, "function" | "custom" | "namespace"));
    let is_setting =
        members.len() == 1 && members.values().all(Value::is_object) && !members.contains_key("parameters");
    !members.contains_key("name") && (is_typed || is_setting)
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
            None => write!(
                formatter,
                "the tools are not a JSON array, nor an object that holds one in `tools`, nor one tool"
            ),
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
            json!([{"functionDeclarations": [{"name": "f", "parameters": schema}]}, {"googleSearch": {}}]),
            json!([{"type": "web_search"}, {"type": "function", "name": "f", "parameters": schema}]),
            json!([{"type": "mcp", "server_label": "s"}, {"name": "f", "parameters": schema}]),
            json!({"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": schema}}}, {"cachePoint": {"type": "default"}}]}}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "inputSchema": schema}], "nextCursor": "x"}}),
            json!({"name": "f", "parameters": schema}),
        ] {
            let tools = Tools::from_json(&list).expect("the list is right");
            assert!(tools.offers("f") && tools.shape("f", "n").is_some(), "{list}");
        }
    }

    #[test]
    fn tools_of_a_namespace_have_its_name_before_theirs() {
        let list = json!([{"type": "namespace", "name": "crm", "tools": [{"type": "function", "name": "get", "parameters": {}}]}]);
        let tools = Tools::from_json(&list).expect("the list is right");
        assert!(tools.offers("crm.get") && !tools.offers("get"));
    }

    #[test]
    fn a_list_of_nothing_but_tools_that_the_provider_runs_offers_nothing() {
        let tools =
            Tools::from_json(&json!([{"type": "web_search"}, {"code_execution": {}}])).expect("the list is right");
        assert!(tools.is_empty() && tools.forbids("web_search"));
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
