//! The required format as a model reads it: a skeleton with types, enumerations and optionality, generated from the contract.

use jsonseam_adapter::{Adapter, Schema};
use jsonseam_core::Root;

use crate::json::JsonText;
use crate::prompt::tree::{Member, Tree, quoted};

/// Longest format, in bytes. What is deeper than fits is left out, the deepest first.
pub(crate) const MAX_FORMAT: usize = 4 << 10;
/// Deepest level that is shown.
const MAX_DEPTH: usize = 8;
/// What the values of one enumeration may take together, in bytes. Those that are left out are counted, so that the model knows of them.
const MAX_VALUES: usize = 1 << 10;
/// Longest value of an enumeration that is shown, in bytes.
const MAX_VALUE: usize = 80;

/// One declared output.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    pub(crate) schema: Tree,
    /// Whether the `format` of strings is asserted, so that it is worth telling.
    pub(crate) tells_formats: bool,
}

/// The format of an answer.
#[derive(Debug, Clone)]
pub(crate) enum Format {
    /// An object of declared outputs, and nothing else.
    Fields(Vec<Field>),
    /// What one schema says about the whole answer, and whether it asserts the `format` of strings.
    Whole(Tree, bool),
    /// Nothing is declared but that it is JSON of this kind.
    Open(&'static str),
}

impl Format {
    /// The format that the contract asks for.
    pub(crate) fn of(adapter: &Adapter) -> Self {
        let contract = adapter.contract();
        if let Some(whole) = contract.schema() {
            return Self::Whole(Tree::of(whole.text()), whole.asserts_formats());
        }
        if contract.outputs().is_empty() {
            return Self::Open(match contract.root() {
                Root::Object => "object",
                Root::Array => "array",
                Root::Any => "any",
            });
        }
        let fields = contract.outputs().iter().map(|output| Field {
            name: output.name().to_owned(),
            is_optional: output.is_optional(),
            tells_formats: output.schema().is_some_and(Schema::asserts_formats),
            schema: Tree::of(output.schema().map_or("{}", Schema::text)),
        });
        Self::Fields(fields.collect())
    }

    /// The schema that a server is given: its own text, or one made of the own texts of the fields.
    pub(crate) fn schema(&self) -> JsonText {
        match self {
            Self::Whole(schema, _) => schema.to_json(),
            Self::Open(kind) => Tree::of(match *kind {
                "object" => r#"{"type":"object"}"#,
                "array" => r#"{"type":"array"}"#,
                _ => "{}",
            })
            .to_json(),
            Self::Fields(fields) => {
                let properties = fields.iter().map(|field| Member::new(&field.name, field.schema.clone()));
                let required = fields.iter().filter(|field| !field.is_optional).map(|field| field.name.as_str());
                let mut schema = Tree::of(r#"{"type":"object"}"#);
                schema.set("properties", Tree::Object(properties.collect()));
                schema.set("required", Tree::of_strings(required));
                schema.set("additionalProperties", Tree::of("false"));
                schema.to_json()
            }
        }
    }

    /// Whether the format names this field.
    pub(crate) fn declares(&self, name: &str) -> bool {
        match self {
            Self::Fields(fields) => fields.iter().any(|field| field.name == name),
            Self::Whole(schema, _) => schema.get("properties").is_some_and(|properties| properties.has(name)),
            Self::Open(_) => false,
        }
    }

    /// The fields that are named, and whether each is required.
    pub(crate) fn names(&self) -> Vec<(&str, bool)> {
        match self {
            Self::Fields(fields) => fields.iter().map(|field| (field.name.as_str(), !field.is_optional)).collect(),
            Self::Whole(schema, _) => {
                let required = schema.get("required").map(Tree::strings).unwrap_or_default();
                let properties = schema.get("properties").and_then(Tree::members).unwrap_or_default();
                properties.iter().map(|Member { name, .. }| (name.as_str(), required.contains(name))).collect()
            }
            Self::Open(_) => Vec::new(),
        }
    }

    /// The kind of value that a field wants, in a word or two.
    pub(crate) fn kind_of(&self, name: &str) -> String {
        let schema = match self {
            Self::Fields(fields) => fields.iter().find(|field| field.name == name).map(|field| &field.schema),
            Self::Whole(schema, _) => schema.get("properties").and_then(|properties| properties.get(name)),
            Self::Open(_) => None,
        };
        schema.and_then(|schema| schema.get("type")?.as_string()).unwrap_or_else(|| "a value".to_owned())
    }

    /// The format of an answer that holds only these fields.
    pub(crate) fn only(&self, names: &[String]) -> Self {
        match self {
            Self::Fields(fields) => {
                let asked = fields.iter().filter(|field| names.contains(&field.name));
                // What is asked for must be answered, also where the contract could do without.
                Self::Fields(asked.map(|field| Field { is_optional: false, ..field.clone() }).collect())
            }
            Self::Whole(schema, tells_formats) => {
                let mut schema = schema.clone();
                let properties = schema.get("properties").and_then(Tree::members).unwrap_or_default();
                let kept: Vec<_> = properties.iter().filter(|member| names.contains(&member.name)).cloned().collect();
                schema.set("required", Tree::of_strings(kept.iter().map(|member| member.name.as_str())));
                if schema.has("properties") {
                    schema.set("properties", Tree::Object(kept));
                }
                Self::Whole(schema, *tells_formats)
            }
            Self::Open(kind) => Self::Open(kind),
        }
    }

    /// The format for the model to read, at most 4 KiB.
    pub(crate) fn told(&self) -> String {
        let full = (1..=MAX_DEPTH).rev().find_map(|depth| self.skeleton(depth, MAX_FORMAT));
        full.unwrap_or_else(|| match self {
            Self::Fields(fields) => names_only(fields),
            _ => "a single JSON object".to_owned(),
        })
    }

    fn skeleton(&self, depth: usize, max: usize) -> Option<String> {
        let nothing = Tree::of("null");
        let (root, open) = match self {
            Self::Whole(schema, _) => (schema, None),
            Self::Open(kind) => (&nothing, Some(*kind)),
            Self::Fields(_) => (&nothing, None),
        };
        let tells_formats = matches!(self, Self::Whole(_, true));
        let mut writer = Writer { root, out: String::new(), max, depth, tells_formats };
        match (self, open) {
            (_, Some("array")) => writer.push("a single JSON array"),
            (_, Some("object")) => writer.push("a single JSON object"),
            (_, Some(_)) => writer.push("JSON"),
            (Self::Fields(fields), None) => writer.fields(fields),
            (Self::Whole(schema, _), None) => writer.value(schema, 0),
            (Self::Open(_), None) => {}
        }
        (writer.out.len() <= max).then_some(writer.out)
    }
}

/// A contract with more outputs than a format has room for: their names, as many as fit.
fn names_only(fields: &[Field]) -> String {
    let mut text = String::from("{");
    for (index, field) in fields.iter().enumerate() {
        let name = quoted(&field.name);
        if text.len() + name.len() + 40 > MAX_FORMAT {
            text = format!("{text} and {} more declared names", fields.len() - index);
            break;
        }
        text.push_str(if index == 0 { "" } else { ", " });
        text.push_str(&name);
    }
    text.push('}');
    text
}

struct Writer<'s> {
    /// What references point into.
    root: &'s Tree,
    out: String,
    max: usize,
    depth: usize,
    /// Whether the `format` of strings is asserted.
    tells_formats: bool,
}

impl<'s> Writer<'s> {
    /// Once too long, nothing more is written, so a schema that refers to itself many times costs nothing.
    fn push(&mut self, text: &str) {
        if self.out.len() <= self.max {
            self.out.push_str(text);
        }
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.max
    }

    fn line(&mut self, level: usize) {
        self.push("\n");
        self.push(&"  ".repeat(level));
    }

    fn fields(&mut self, fields: &'s [Field]) {
        self.push("{");
        for (index, field) in fields.iter().enumerate() {
            self.member(&field.name, index, 1);
            self.root = &field.schema;
            self.tells_formats = field.tells_formats;
            self.value(&field.schema, 1);
            self.push(if field.is_optional { " (optional)" } else { "" });
        }
        if !fields.is_empty() {
            self.line(0);
        }
        self.push("}");
    }

    fn member(&mut self, name: &str, index: usize, level: usize) {
        self.push(if index == 0 { "" } else { "," });
        self.line(level);
        self.push(&quoted(name));
        self.push(": ");
    }

    fn value(&mut self, schema: &'s Tree, level: usize) {
        if self.is_full() {
            return;
        }
        let Some(schema) = self.resolved(schema).filter(|schema| schema.members().is_some()) else {
            return self.push("any JSON");
        };
        if level >= self.depth {
            return self.push(kind_only(schema));
        }
        if let Some(values) = schema.get("enum").and_then(Tree::elements) {
            return self.push(&values_of(values));
        }
        if let Some(value) = schema.get("const") {
            return self.push(&values_of(std::slice::from_ref(value)));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(key).and_then(Tree::elements) {
                return self.joined(branches, " | ", level);
            }
        }
        let types = match schema.get("type") {
            Some(one @ Tree::Scalar(_)) => one.as_string().into_iter().collect(),
            Some(several @ Tree::Array(_)) => several.strings(),
            _ if schema.has("properties") => vec!["object".to_owned()],
            _ if schema.has("items") => vec!["array".to_owned()],
            _ => vec![],
        };
        if types.is_empty() {
            match schema.get("allOf").and_then(Tree::elements) {
                Some(parts) => self.joined(parts, " and ", level),
                _ => self.push("any JSON"),
            }
            return;
        }
        for (index, kind) in types.into_iter().enumerate() {
            self.push(if index == 0 { "" } else { " | " });
            match kind.as_str() {
                "object" => self.object(schema, level),
                "array" => self.array(schema, level),
                kind => {
                    self.push(kind);
                    self.bounds(schema, kind);
                }
            }
        }
    }

    fn joined(&mut self, branches: &'s [Tree], between: &str, level: usize) {
        for (index, branch) in branches.iter().enumerate() {
            self.push(if index == 0 { "" } else { between });
            self.value(branch, level);
        }
    }

    fn object(&mut self, schema: &'s Tree, level: usize) {
        let required = schema.get("required").map(Tree::strings).unwrap_or_default();
        let Some(properties) = schema.get("properties").and_then(Tree::members).filter(|all| !all.is_empty()) else {
            self.push("{any name: ");
            match schema.get("additionalProperties") {
                Some(values @ Tree::Object(_)) => self.value(values, level + 1),
                _ => self.push("any JSON"),
            }
            return self.push("}");
        };
        self.push("{");
        for (index, Member { name, value, .. }) in properties.iter().enumerate() {
            self.member(name, index, level + 1);
            self.value(value, level + 1);
            self.push(if required.contains(name) { "" } else { " (optional)" });
        }
        self.line(level);
        self.push("}");
    }

    fn array(&mut self, schema: &'s Tree, level: usize) {
        self.push("[");
        match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Tree::Array(items)), _) => self.joined(items, ", ", level + 1),
            (_, Some(items)) => {
                self.value(items, level + 1);
                self.push(", …");
            }
            _ => self.push("any JSON, …"),
        }
        self.push("]");
        self.bounds(schema, "array");
    }

    /// The limits that a schema sets, in brackets.
    fn bounds(&mut self, schema: &Tree, kind: &str) {
        const BOUNDS: [(&str, &str, &str); 10] = [
            ("number", "minimum", "at least"),
            ("number", "maximum", "at most"),
            ("number", "exclusiveMinimum", "more than"),
            ("number", "exclusiveMaximum", "less than"),
            ("string", "minLength", "characters at least"),
            ("string", "maxLength", "characters at most"),
            ("string", "pattern", "pattern"),
            ("string", "format", "format"),
            ("array", "minItems", "items at least"),
            ("array", "maxItems", "items at most"),
        ];
        let kind = if kind == "integer" { "number" } else { kind };
        let told: Vec<String> = BOUNDS
            .iter()
            .filter(|(of, key, _)| *of == kind && (*key != "format" || self.tells_formats))
            .filter_map(|(_, key, words)| Some((words, schema.get(key)?.to_string())))
            .filter(|(_, value)| value.len() <= MAX_VALUE)
            .map(|(words, value)| format!("{words} {value}"))
            .collect();
        if !told.is_empty() {
            self.push(&format!(" ({})", told.join(", ")));
        }
    }

    /// What a reference into the same schema stands for. Chains longer than a few steps are given up.
    fn resolved(&self, schema: &'s Tree) -> Option<&'s Tree> {
        let mut schema = schema;
        for _ in 0..8 {
            let target = schema.get("$ref").and_then(Tree::as_string);
            let Some(target) = target.as_deref().and_then(|path| path.strip_prefix('#')) else {
                return Some(schema);
            };
            schema = self.root.at(target)?;
        }
        None
    }
}

/// What is deeper than the format shows.
fn kind_only(schema: &Tree) -> &'static str {
    match schema.get("type").and_then(Tree::as_string).as_deref() {
        Some("object") => "{…}",
        Some("array") => "[…]",
        Some("string") => "string",
        Some("number") => "number",
        Some("integer") => "integer",
        Some("boolean") => "boolean",
        Some("null") => "null",
        _ if schema.has("properties") => "{…}",
        _ => "any JSON",
    }
}

fn values_of(values: &[Tree]) -> String {
    let mut room = MAX_VALUES;
    let short = values.iter().map(Tree::to_string).filter(|value| value.len() <= MAX_VALUE);
    let mut told: Vec<String> = short
        .take_while(|value| {
            let fits = value.len() <= room;
            room = room.saturating_sub(value.len() + 3);
            fits
        })
        .collect();
    let others = values.len() - told.len();
    if others > 0 {
        told.push(format!("… and {others} more"));
    }
    told.join(" | ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Field, Format, MAX_FORMAT, Tree};

    fn tree(schema: &Value) -> Tree {
        Tree::of(&schema.to_string())
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers write literals")]
    fn field(name: &str, is_optional: bool, schema: Value) -> Field {
        Field { name: name.to_owned(), is_optional, schema: tree(&schema), tells_formats: false }
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers write literals")]
    fn whole(schema: Value) -> Format {
        Format::Whole(tree(&schema), false)
    }

    #[test]
    fn l3_the_format_tells_types_enumerations_and_what_is_optional() {
        let format = Format::Fields(vec![
            field("answer", false, json!({"type": "string", "minLength": 1})),
            field("kind", false, json!({"enum": ["a", "b", null]})),
            field("score", true, json!({"type": ["integer", "null"], "minimum": 0, "maximum": 10})),
            field(
                "rivers",
                false,
                json!({"type": "array", "items": {"$ref": "#/$defs/river"}, "$defs": {"river":
                {"properties": {"name": {"type": "string"}, "length": {"type": "number"}}, "required": ["name"]}}}),
            ),
            field("free", true, json!({})),
        ]);
        let expected = r#"{
  "answer": string (characters at least 1),
  "kind": "a" | "b" | null,
  "score": integer (at least 0, at most 10) | null (optional),
  "rivers": [{
      "length": number (optional),
      "name": string
    }, …],
  "free": any JSON (optional)
}"#;
        assert_eq!(format.told(), expected);
        let schema = format.schema().to_value();
        assert_eq!(schema["required"], json!(["answer", "kind", "rivers"]));
        assert_eq!(schema["additionalProperties"], json!(false));
    }

    #[test]
    fn l3_a_format_is_told_only_where_it_is_asserted_and_an_enumeration_as_far_as_it_fits() {
        let date = json!({"type": "string", "format": "date"});
        let told =
            |tells_formats| Format::Fields(vec![Field { tells_formats, ..field("due", false, date.clone()) }]).told();
        assert_eq!(told(false), "{\n  \"due\": string\n}");
        assert_eq!(told(true), "{\n  \"due\": string (format \"date\")\n}");
        assert_eq!(whole(date.clone()).told(), "string");
        let states: Vec<String> = (0..60).map(|number| format!("state {number}")).collect();
        assert!(whole(json!({"enum": states})).told().ends_with("| \"state 59\""));
        let many: Vec<String> = (0..200).map(|number| format!("value {number}")).collect();
        let told = whole(json!({"enum": many})).told();
        assert!(told.ends_with("| … and 121 more"), "{told}");
    }

    #[test]
    fn l3_a_whole_schema_is_told_and_sent_as_it_is() {
        let schema = json!({"type": "object", "additionalProperties": {"type": "number"}});
        let format = whole(schema.clone());
        assert_eq!((format.told(), format.schema().to_value()), ("{any name: number}".to_owned(), schema));
        assert_eq!(Format::Open("object").told(), "a single JSON object");
    }

    #[test]
    fn the_format_is_short_whatever_the_schema() {
        let itself = json!({"$ref": "#"});
        assert_eq!(whole(itself).told(), "any JSON");
        let bomb = json!({"type": "object", "properties": (0..50).map(|index| (format!("name{index}"), json!({"$ref": "#"}))).collect::<serde_json::Map<_, _>>()});
        let told = whole(bomb).told();
        assert!(told.len() <= MAX_FORMAT && told.contains("\"name49\""), "{}", told.len());
        let many = (0..1000).map(|index| field(&format!("name{index}"), false, json!({}))).collect();
        let told = Format::Fields(many).told();
        assert!(told.len() <= MAX_FORMAT && told.contains("more declared names"), "{}", told.len());
    }
}
