//! From a schema's text to its graph.

mod links;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jsonseam_text::pointer::escaped;
use serde_json::{Map, Number, Value};

use self::links::{refuse_loops, share};
use crate::draft::Draft;
use crate::error::{SchemaError, SchemaReason};
use crate::exact::Exact;
use crate::format::{Format, Formats};
use crate::graph::{Contains, DynamicRef, Graph, If, Items, Keyword, Kinds, Node, NodeId, Options, Properties};
use crate::index::{Index, Place};
use crate::number::{Divisor, canonical_text};
use crate::pattern::Pattern;
use crate::violation::listed;

/// How many nodes a graph may have.
pub(crate) const MAX_NODES: usize = 200_000;
/// How many different patterns a schema may have, and what they may take together, in bytes.
const MAX_PATTERNS: usize = 1000;
const MAX_PATTERN_MEMORY: usize = 16 << 20;

/// What a compilation makes of keywords on which drafts and users differ.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// Which formats are assertions.
    pub(crate) formats: Formats,
    /// Whether `nullable` counts, although the draft does not know it.
    pub(crate) is_nullable_known: bool,
    /// Names, each with the name that stands for it too.
    pub(crate) aliases: Vec<(String, String)>,
    /// The numbers of the schema that no float holds.
    pub(crate) exact: Exact,
}

/// Compiles the schema at the root of a resource, and everything that it leads to.
pub(crate) fn compile<'i>(index: &'i mut Index<'_>, root: usize, reading: &'i Reading) -> Result<Graph, SchemaError> {
    let place = index.get(root).place.clone();
    let mut compiler = Compiler {
        index,
        nodes: Vec::new(),
        by_place: HashMap::new(),
        open: Vec::new(),
        patterns: HashMap::new(),
        pattern_memory: 0,
        dynamic: HashMap::new(),
        wanted: BTreeSet::new(),
        declared: BTreeSet::new(),
        reading,
    };
    let root = compiler.node(place)?;
    compiler.run()?;
    let has_aliases = |keyword: &Keyword| matches!(keyword, Keyword::Properties(of) if !of.aliases.is_empty());
    let mut graph = Graph {
        has_aliases: compiler.nodes.iter().flat_map(|node| &node.keywords).any(has_aliases),
        nodes: compiler.nodes,
        root,
        dynamic: compiler.dynamic,
        declared: Arc::new(compiler.declared),
        exact: reading.exact.clone(),
    };
    share(&mut graph);
    refuse_loops(&graph)?;
    Ok(graph)
}

struct Compiler<'i, 'a> {
    index: &'i mut Index<'a>,
    nodes: Vec<Node>,
    by_place: HashMap<Place, NodeId>,
    open: Vec<(NodeId, Place)>,
    patterns: HashMap<String, Pattern>,
    pattern_memory: usize,
    dynamic: HashMap<usize, BTreeMap<String, NodeId>>,
    /// The anchors that some `$dynamicRef` looks for.
    wanted: BTreeSet<String>,
    declared: BTreeSet<Box<str>>,
    reading: &'i Reading,
}

impl Compiler<'_, '_> {
    /// Compiles what is open, and the dynamic anchors of every resource that was reached, until nothing is new.
    fn run(&mut self) -> Result<(), SchemaError> {
        loop {
            while let Some((node, place)) = self.open.pop() {
                self.nodes[node] = self.compiled(&place)?;
            }
            // Grown, not collected: a set that is collected is sorted first, which is 4 KB of code for each type.
            let mut reached = BTreeSet::new();
            reached.extend(self.nodes.iter().map(|node| node.resource));
            let mut is_new = false;
            for resource in reached {
                let anchors = self.index.get(resource).dynamic.clone();
                for (anchor, place) in anchors {
                    let is_known = self.dynamic.get(&resource).is_some_and(|known| known.contains_key(&anchor));
                    if self.wanted.contains(&anchor) && !is_known {
                        let node = self.node(place)?;
                        self.dynamic.entry(resource).or_default().insert(anchor, node);
                        is_new = true;
                    }
                }
            }
            if !is_new && self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// The node of a place; it is compiled later.
    fn node(&mut self, place: Place) -> Result<NodeId, SchemaError> {
        if let Some(&node) = self.by_place.get(&place) {
            return Ok(node);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(SchemaError::new(SchemaReason::TooComplex));
        }
        let node = self.nodes.len();
        self.nodes.push(Node::default());
        self.by_place.insert(place.clone(), node);
        self.open.push((node, place));
        Ok(node)
    }

    fn compiled(&mut self, place: &Place) -> Result<Node, SchemaError> {
        let resource = self.index.resource_at(place);
        let mut node = Node { resource, ..Node::default() };
        match self.index.value(place) {
            Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => node.keywords.push(Keyword::Never),
            Some(Value::Object(schema)) => {
                node.default = schema.get("default").cloned();
                let draft = self.index.get(resource).draft;
                node.accepts_null = schema.get("nullable") == Some(&Value::Bool(true))
                    && (draft == Draft::OpenApi30 || self.reading.is_nullable_known);
                let accepts_null = node.accepts_null;
                let mut keywords =
                    Keywords { compiler: self, schema, place, resource, accepts_null, found: Vec::new() };
                keywords.all()?;
                node.keywords = keywords.found;
            }
            _ => {
                let error = SchemaError::at(SchemaReason::UnresolvedReference, &place.pointer);
                return Err(error.in_document(place.document));
            }
        }
        Ok(node)
    }
}

/// A keyword, and what is made of its value.
type Made<T> = (&'static str, fn(T) -> Keyword);

/// The keywords of one schema object on their way into a node.
struct Keywords<'c, 'i, 'a, 's> {
    compiler: &'c mut Compiler<'i, 'a>,
    schema: &'s Map<String, Value>,
    place: &'s Place,
    resource: usize,
    /// Whether `null` fits whatever the keywords say.
    accepts_null: bool,
    found: Vec<Keyword>,
}

impl Keywords<'_, '_, '_, '_> {
    fn all(&mut self) -> Result<(), SchemaError> {
        let draft = self.compiler.index.get(self.resource).draft;
        if draft.is_old() && self.schema.contains_key("$ref") {
            // Up to draft 7 nothing counts beside `$ref`.
            return self.references(draft);
        }
        if self.compiler.index.get(self.resource).validates {
            self.kinds(draft);
            self.numbers(draft);
            self.strings()?;
            self.sizes(draft);
        }
        self.items(draft)?;
        self.properties(draft)?;
        self.combined()?;
        self.references(draft)?;
        // What is evaluated must be known before these are asked.
        if !draft.is_old() {
            if let Some(node) = self.inner("unevaluatedItems")? {
                self.found.push(Keyword::UnevaluatedItems(node));
            }
            if let Some(node) = self.inner("unevaluatedProperties")? {
                self.found.push(Keyword::UnevaluatedProperties(node));
            }
        }
        Ok(())
    }

    /// The value of a keyword, if the draft knows it.
    fn get(&self, keyword: &str) -> Option<&Value> {
        let draft = self.compiler.index.get(self.resource).draft;
        self.schema.get(keyword).filter(|_| draft.knows(keyword))
    }

    fn refused(&self, reason: SchemaReason, keyword: &str) -> SchemaError {
        SchemaError::at(reason, &format!("{}/{keyword}", self.place.pointer)).in_document(self.place.document)
    }

    /// The node of a schema further in.
    fn at(&mut self, pointer: &str) -> Result<NodeId, SchemaError> {
        let pointer = format!("{}/{pointer}", self.place.pointer);
        self.compiler.node(Place { document: self.place.document, pointer })
    }

    /// The node of the schema that is a keyword's value.
    fn inner(&mut self, keyword: &str) -> Result<Option<NodeId>, SchemaError> {
        match self.get(keyword) {
            Some(Value::Object(_) | Value::Bool(_)) => self.at(keyword).map(Some),
            Some(_) => Err(self.refused(SchemaReason::NotASchema, keyword)),
            None => Ok(None),
        }
    }

    fn list(&mut self, keyword: &str) -> Result<Vec<NodeId>, SchemaError> {
        let length = self.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        (0..length).map(|index| self.at(&format!("{keyword}/{index}"))).collect()
    }

    fn map(&mut self, keyword: &str) -> Result<Vec<(Box<str>, NodeId)>, SchemaError> {
        let Some(entries) = self.get(keyword).and_then(Value::as_object) else { return Ok(Vec::new()) };
        let names: Vec<String> = entries
            .iter()
            .filter(|(_, value)| value.is_object() || value.is_boolean())
            .map(|(name, _)| name.clone())
            .collect();
        names
            .into_iter()
            .map(|name| {
                let node = self.at(&format!("{keyword}/{}", escaped(&name)))?;
                Ok((name.into_boxed_str(), node))
            })
            .collect()
    }

    fn pattern(&mut self, source: &str, keyword: &str) -> Result<Pattern, SchemaError> {
        if let Some(pattern) = self.compiler.patterns.get(source) {
            return Ok(pattern.clone());
        }
        if self.compiler.patterns.len() >= MAX_PATTERNS {
            return Err(self.refused(SchemaReason::TooComplex, keyword));
        }
        let pattern = Pattern::new(source)
            .map_err(|why| self.refused(SchemaReason::UnsupportedPattern, keyword).because(why.explained()))?;
        self.compiler.pattern_memory += pattern.memory();
        if self.compiler.pattern_memory > MAX_PATTERN_MEMORY {
            return Err(self.refused(SchemaReason::UnsupportedPattern, keyword));
        }
        self.compiler.patterns.insert(source.to_owned(), pattern.clone());
        Ok(pattern)
    }

    fn kinds(&mut self, draft: Draft) {
        if let Some(kinds) = self.get("type") {
            let kinds = Kinds::named(kinds);
            let null = if self.accepts_null { Kinds::of(&Value::Null) } else { Kinds::default() };
            let kinds = if draft == Draft::Draft4 { kinds.exact() } else { kinds };
            self.found.push(Keyword::Type(kinds.or(null)));
        }
        if let Some(Value::Array(values)) = self.get("enum") {
            let options = Options {
                strings: values.iter().filter_map(Value::as_str).map(Into::into).collect(),
                others: values.iter().filter(|value| !value.is_string()).cloned().collect(),
                texts: values
                    .iter()
                    .filter(|value| !value.is_string())
                    .map(|value| canonical_text(value, &self.compiler.reading.exact))
                    .collect(),
                told: listed(values),
            };
            self.found.push(Keyword::Enum(options));
        }
        if let Some(value) = self.get("const") {
            let value = value.clone();
            self.found.push(Keyword::Const(value));
        }
    }

    fn numbers(&mut self, draft: Draft) {
        // In draft 4 and `OpenAPI`, `exclusiveMinimum: true` says how `minimum` is meant.
        let has_flags = matches!(draft, Draft::Draft4 | Draft::OpenApi30);
        let is_flagged = |keyword: &str| has_flags && self.get(keyword) == Some(&Value::Bool(true));
        let maximum = if is_flagged("exclusiveMaximum") { Keyword::ExclusiveMaximum } else { Keyword::Maximum };
        let minimum = if is_flagged("exclusiveMinimum") { Keyword::ExclusiveMinimum } else { Keyword::Minimum };
        let bounds: [Made<Number>; 5] = [
            ("multipleOf", |of| Keyword::MultipleOf(Divisor::new(of))),
            ("maximum", maximum),
            ("exclusiveMaximum", Keyword::ExclusiveMaximum),
            ("minimum", minimum),
            ("exclusiveMinimum", Keyword::ExclusiveMinimum),
        ];
        for (keyword, made) in bounds {
            if let Some(Value::Number(number)) = self.get(keyword) {
                let number = number.clone();
                self.found.push(made(number));
            }
        }
    }

    fn strings(&mut self) -> Result<(), SchemaError> {
        if let Some(source) = self.get("pattern").and_then(Value::as_str).map(str::to_owned) {
            let pattern = self.pattern(&source, "pattern")?;
            self.found.push(Keyword::Pattern(pattern));
        }
        let name = self.get("format").and_then(Value::as_str);
        let format = name.and_then(|name| Format::named(name, self.compiler.reading.formats));
        let states = |keyword: &str| self.get(keyword).is_some_and(Value::is_number);
        if let Some(format) = format.and_then(|format| format.beside(states("minimum"), states("maximum"))) {
            self.found.push(Keyword::Format(format));
        }
        Ok(())
    }

    fn sizes(&mut self, draft: Draft) {
        let bounds: [Made<u64>; 6] = [
            ("maxLength", Keyword::MaxLength),
            ("minLength", Keyword::MinLength),
            ("maxItems", Keyword::MaxItems),
            ("minItems", Keyword::MinItems),
            ("maxProperties", Keyword::MaxProperties),
            ("minProperties", Keyword::MinProperties),
        ];
        for (keyword, made) in bounds {
            if let Some(size) = self.get(keyword).and_then(size) {
                self.found.push(made(size));
            }
        }
        if self.get("uniqueItems") == Some(&Value::Bool(true)) {
            self.found.push(Keyword::UniqueItems);
        }
        if let Some(required) = self.get("required") {
            let names = names(required);
            self.compiler.declared.extend(names.iter().cloned());
            self.found.push(Keyword::Required(names));
        }
        let keyword = if draft.is_old() { "dependencies" } else { "dependentRequired" };
        if let Some(Value::Object(entries)) = self.get(keyword) {
            let dependent: Vec<(Box<str>, Vec<Box<str>>)> = entries
                .iter()
                .filter(|(_, needed)| needed.is_array())
                .map(|(name, needed)| (name.as_str().into(), names(needed)))
                .collect();
            for (name, needed) in &dependent {
                self.compiler.declared.insert(name.clone());
                self.compiler.declared.extend(needed.iter().cloned());
            }
            if !dependent.is_empty() {
                self.found.push(Keyword::DependentRequired(keyword, dependent));
            }
        }
    }

    fn items(&mut self, draft: Draft) -> Result<(), SchemaError> {
        let (prefix_name, rest_name) = match (draft, self.get("items")) {
            (Draft::Draft202012, _) => ("prefixItems", "items"),
            (_, Some(Value::Array(_))) => ("items", "additionalItems"),
            _ => ("", "items"),
        };
        let prefix = self.list(prefix_name)?;
        let rest = self.inner(rest_name)?;
        if !prefix.is_empty() || rest.is_some() {
            self.found.push(Keyword::Items(Items { prefix, prefix_name, rest, rest_name }));
        }
        if let Some(node) = self.inner("contains")? {
            let has_bounds = !draft.is_old() && self.compiler.index.get(self.resource).validates;
            let bound = |keyword| self.get(keyword).and_then(size).filter(|_| has_bounds);
            let (least, most) = (bound("minContains").unwrap_or(1), bound("maxContains"));
            self.found.push(Keyword::Contains(Contains { node, least, most, marks: draft == Draft::Draft202012 }));
        }
        Ok(())
    }

    fn properties(&mut self, draft: Draft) -> Result<(), SchemaError> {
        let named = self.map("properties")?;
        self.compiler.declared.extend(named.iter().map(|(name, _)| name.clone()));
        let mut properties = Properties::default();
        properties.named.extend(named);
        for (source, node) in self.map("patternProperties")? {
            properties.patterns.push((self.pattern(&source, "patternProperties")?, node));
        }
        properties.additional = self.inner("additionalProperties")?;
        let is_named = |name: &String| properties.named.contains_key(name.as_str());
        let aliases = self.compiler.reading.aliases.iter().filter(|(field, alias)| is_named(field) && !is_named(alias));
        properties.aliases = aliases.map(|(field, alias)| (alias.as_str().into(), field.as_str().into())).collect();
        if !properties.named.is_empty() || !properties.patterns.is_empty() || properties.additional.is_some() {
            self.found.push(Keyword::Properties(properties));
        }
        if let Some(node) = self.inner("propertyNames")? {
            self.found.push(Keyword::PropertyNames(node));
        }
        let keyword = if draft.is_old() { "dependencies" } else { "dependentSchemas" };
        let dependent = self.map(keyword)?;
        self.compiler.declared.extend(dependent.iter().map(|(name, _)| name.clone()));
        if !dependent.is_empty() {
            self.found.push(Keyword::DependentSchemas(keyword, dependent));
        }
        Ok(())
    }

    fn combined(&mut self) -> Result<(), SchemaError> {
        let lists: [Made<Vec<NodeId>>; 3] =
            [("allOf", Keyword::AllOf), ("anyOf", Keyword::AnyOf), ("oneOf", Keyword::OneOf)];
        for (keyword, made) in lists {
            if self.get(keyword).is_some() {
                let nodes = self.list(keyword)?;
                self.found.push(made(nodes));
            }
        }
        if let Some(node) = self.inner("not")? {
            self.found.push(Keyword::Not(node));
        }
        if let Some(condition) = self.inner("if")? {
            let (then, otherwise) = (self.inner("then")?, self.inner("else")?);
            if then.is_some() || otherwise.is_some() || draft_marks_conditions(self) {
                self.found.push(Keyword::If(If { condition, then, otherwise }));
            }
        }
        Ok(())
    }

    fn references(&mut self, draft: Draft) -> Result<(), SchemaError> {
        if let Some(reference) = self.get("$ref").and_then(Value::as_str).map(str::to_owned) {
            let (node, _, _) = self.target(&reference, "$ref")?;
            self.found.push(Keyword::Ref(node));
        }
        let (keyword, is_dynamic): (&'static str, bool) = match draft {
            Draft::Draft201909 => ("$recursiveRef", false),
            Draft::Draft202012 => ("$dynamicRef", true),
            _ => return Ok(()),
        };
        let Some(reference) = self.get(keyword).and_then(Value::as_str).map(str::to_owned) else { return Ok(()) };
        let (fallback, resource, anchor) = self.target(&reference, keyword)?;
        let anchor = if is_dynamic { anchor } else { Some(String::new()) };
        let anchor = anchor.filter(|anchor| self.compiler.index.get(resource).dynamic.contains_key(anchor));
        self.found.push(match anchor {
            Some(anchor) => {
                self.compiler.wanted.insert(anchor.clone());
                Keyword::DynamicRef(DynamicRef { name: keyword, anchor, fallback })
            }
            None => Keyword::Ref(fallback),
        });
        Ok(())
    }

    fn target(&mut self, reference: &str, keyword: &str) -> Result<(NodeId, usize, Option<String>), SchemaError> {
        let target =
            self.compiler.index.resolve(self.resource, reference).map_err(|reason| self.refused(reason, keyword))?;
        let node = self.compiler.node(target.place)?;
        Ok((node, target.resource, target.anchor))
    }
}

fn names(value: &Value) -> Vec<Box<str>> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect()
}

/// `if` alone says nothing about the value, but what it evaluates counts for `unevaluatedProperties`.
fn draft_marks_conditions(keywords: &Keywords<'_, '_, '_, '_>) -> bool {
    !keywords.compiler.index.get(keywords.resource).draft.is_old()
}

/// A size: `2` or `2.0`.
fn size(value: &Value) -> Option<u64> {
    let Value::Number(number) = value else { return None };
    if let Some(size) = number.as_u64() {
        return Some(size);
    }
    let float = number.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and a size of 2^64 is no bound"
    )]
    (float >= 0.0).then_some(float as u64)
}
