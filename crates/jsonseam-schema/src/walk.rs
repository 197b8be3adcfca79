//! What does not fit, and where: a walk that goes down only where a subschema fails, and counts its steps.

mod forms;
mod told;

use std::sync::Arc;

use jsonseam_text::pointer::escaped;
use serde_json::{Map, Value};

use self::told::told;
use crate::evaluate::{Evaluation, ScopeId, Spent};
use crate::exact::Exact;
use crate::graph::{Graph, If, Items, Keyword, Kinds, NodeId, Properties};
use crate::violation::{Problem, Segment, Violation, kind_of, quoted};

/// How many violations a walk reports.
pub(crate) const MAX_VIOLATIONS: usize = 64;
/// How much text of keys the violations may hold together, in bytes; the first one is reported in any case.
const MAX_TEXT: usize = 1 << 20;
/// How many keys one violation names.
const MAX_KEYS: usize = 100;

/// The violations of a value that does not fit a node, in the order of the schema; `Err` if the budget ends before the first.
pub(crate) fn violations<'g>(
    graph: &'g Graph,
    node: NodeId,
    (value, exact): (&Value, &'g Exact),
    budget: u64,
) -> Result<Vec<Violation>, Spent> {
    let mut evaluation = Evaluation::new(graph, budget).exactly(exact);
    evaluation.remembers_all = true;
    let mut walk = Walk { evaluation, path: Vec::new(), schema_path: Vec::new(), found: Vec::new(), text: 0 };
    match walk.node(node, value, 0) {
        Err(Stop::Spent) if walk.found.is_empty() => Err(Spent),
        _ => Ok(walk.found),
    }
}

/// Why a walk ends early.
enum Stop {
    Spent,
    Enough,
}

impl From<Spent> for Stop {
    fn from(_: Spent) -> Self {
        Self::Spent
    }
}

struct Walk<'g> {
    evaluation: Evaluation<'g>,
    path: Vec<Segment>,
    schema_path: Vec<String>,
    found: Vec<Violation>,
    text: usize,
}

impl<'g> Walk<'g> {
    fn graph(&self) -> &'g Graph {
        self.evaluation.graph
    }

    /// Reports what is wrong with a value that does not fit a node; nothing of one that fits.
    fn node(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        let scope = self.evaluation.entered(node, scope);
        if self.graph().nodes[node].accepts_null && value.is_null() {
            return Ok(());
        }
        for keyword in &self.graph().nodes[node].keywords {
            if !self.evaluation.holds(node, keyword, value, scope)? {
                self.keyword(node, keyword, value, scope)?;
            }
        }
        Ok(())
    }

    /// Goes on into a subschema, if it is one that the value does not fit.
    fn below(&mut self, names: &[&str], node: NodeId, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        if self.evaluation.is_valid(node, value, scope)? {
            return Ok(());
        }
        let length = self.schema_path.len();
        self.schema_path.extend(names.iter().map(|name| escaped(name).into_owned()));
        let result = self.node(node, value, scope);
        self.schema_path.truncate(length);
        result
    }

    /// The same for a value inside this one.
    fn inside(
        &mut self,
        segment: Segment,
        names: &[&str],
        node: NodeId,
        value: &Value,
        scope: ScopeId,
    ) -> Result<(), Stop> {
        if self.evaluation.is_valid(node, value, scope)? {
            return Ok(());
        }
        self.path.push(segment);
        let result = self.below(names, node, value, scope);
        self.path.pop();
        result
    }

    /// Tells what is wrong by a keyword that does not hold.
    fn keyword(&mut self, node: NodeId, keyword: &Keyword, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        match keyword {
            Keyword::AllOf(nodes) => {
                for (index, &inner) in nodes.iter().enumerate() {
                    self.below(&["allOf", &index.to_string()], inner, value, scope)?;
                }
                Ok(())
            }
            Keyword::AnyOf(nodes) => self.forms("anyOf", nodes, value, scope),
            Keyword::OneOf(nodes) => self.forms("oneOf", nodes, value, scope),
            Keyword::If(branch) => self.branch(branch, value, scope),
            Keyword::Ref(inner) => self.below(&["$ref"], *inner, value, scope),
            Keyword::DynamicRef(reference) => {
                let inner = self.evaluation.target(reference, scope);
                self.below(&[reference.name], inner, value, scope)
            }
            Keyword::Items(schemas) => self.items(schemas, value, scope),
            Keyword::Properties(properties) => self.properties(properties, value, scope),
            Keyword::Required(names) => self.required(node, names, value),
            Keyword::DependentRequired(keyword, dependent) => {
                for (name, needed) in dependent.iter().filter(|(name, _)| value.get(name.as_ref()).is_some()) {
                    for missing in needed.iter().filter(|needed| value.get(needed.as_ref()).is_none()) {
                        let expected = format!("a value, as \"{}\" is present", quoted(name));
                        self.missing(keyword, &[keyword, name], missing, expected)?;
                    }
                }
                Ok(())
            }
            Keyword::DependentSchemas(keyword, dependent) => {
                for (name, inner) in dependent.iter().filter(|(name, _)| value.get(name.as_ref()).is_some()) {
                    self.below(&[keyword, name], *inner, value, scope)?;
                }
                Ok(())
            }
            Keyword::UnevaluatedItems(inner) => self.unevaluated_items(node, *inner, value, scope),
            Keyword::UnevaluatedProperties(inner) => self.unevaluated_properties(node, *inner, value, scope),
            assertion => {
                let (name, expected, problem) = told(assertion, value);
                self.tell(name, expected, kind_of(value), problem)
            }
        }
    }

    fn tell(
        &mut self,
        keyword: &'static str,
        expected: String,
        found: &'static str,
        problem: Problem,
    ) -> Result<(), Stop> {
        self.tell_at(&[keyword], keyword, expected, found, problem)
    }

    fn tell_at(
        &mut self,
        names: &[&str],
        keyword: &'static str,
        expected: String,
        found: &'static str,
        problem: Problem,
    ) -> Result<(), Stop> {
        self.text += self
            .path
            .iter()
            .map(|segment| if let Segment::Key(name) = segment { name.len() } else { 0 })
            .sum::<usize>();
        let is_enough = self.found.len() >= MAX_VIOLATIONS || (self.text > MAX_TEXT && !self.found.is_empty());
        if is_enough {
            return Err(Stop::Enough);
        }
        let mut schema_path = String::new();
        for name in self.schema_path.iter().cloned().chain(names.iter().map(|name| escaped(name).into_owned())) {
            schema_path.push('/');
            schema_path.push_str(&name);
        }
        let declared = Arc::clone(&self.graph().declared);
        let segments = self.path.clone();
        let numbers = Vec::new();
        self.found.push(Violation { segments, schema_path, keyword, expected, found, problem, declared, numbers });
        Ok(())
    }

    /// A property that is missing: the pointer is where it should be.
    fn missing(&mut self, keyword: &'static str, names: &[&str], name: &str, expected: String) -> Result<(), Stop> {
        self.path.push(Segment::Key(name.into()));
        let result = self.tell_at(names, keyword, expected, "undefined", Problem::Expected);
        self.path.pop();
        result
    }

    fn required(&mut self, node: NodeId, names: &[Box<str>], value: &Value) -> Result<(), Stop> {
        for name in names.iter().filter(|name| value.get(name.as_ref()).is_none()) {
            let wanted = self.graph().nodes[node].keywords.iter().find_map(|keyword| match keyword {
                Keyword::Properties(properties) => properties.named.get(name).copied(),
                _ => None,
            });
            let kinds = wanted.map_or(Kinds::ALL, |wanted| self.kinds(wanted, 0));
            let expected = if kinds == Kinds::ALL { "a value".to_owned() } else { kinds.told() };
            self.missing("required", &["required"], name, expected)?;
        }
        Ok(())
    }

    fn branch(&mut self, branch: &If, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        let is_then = self.evaluation.is_valid(branch.condition, value, scope)?;
        let (name, node) = if is_then { ("then", branch.then) } else { ("else", branch.otherwise) };
        node.map_or(Ok(()), |node| self.below(&[name], node, value, scope))
    }

    fn items(&mut self, schemas: &Items, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            let segment = Segment::Index(index);
            if let Some(&node) = schemas.prefix.get(index) {
                self.inside(segment, &[schemas.prefix_name, &index.to_string()], node, item, scope)?;
            } else if let Some(node) = schemas.rest {
                self.inside(segment, &[schemas.rest_name], node, item, scope)?;
            }
        }
        Ok(())
    }

    fn properties(&mut self, properties: &Properties, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        let mut extra = Extra::default();
        let empty = Map::new();
        for (name, member) in value.as_object().unwrap_or(&empty) {
            let mut is_known = false;
            if let Some(&node) = properties.named.get(name.as_str()) {
                is_known = true;
                self.inside(Segment::Key(name.as_str().into()), &["properties", name], node, member, scope)?;
            }
            for (pattern, node) in &properties.patterns {
                self.evaluation.spend(pattern.cost(name))?;
                if pattern.is_match(name) {
                    is_known = true;
                    let names = ["patternProperties", pattern.source()];
                    self.inside(Segment::Key(name.as_str().into()), &names, *node, member, scope)?;
                }
            }
            if let Some(node) = properties.additional.filter(|_| !is_known) {
                self.extra(&mut extra, "additionalProperties", name, node, member, scope)?;
            }
        }
        self.tell_extra("additionalProperties", extra)
    }

    /// A member that only a schema for all others speaks of; if that is `false`, the key itself is what is wrong.
    fn extra(
        &mut self,
        extra: &mut Extra,
        keyword: &'static str,
        name: &str,
        node: NodeId,
        member: &Value,
        scope: ScopeId,
    ) -> Result<(), Stop> {
        if !self.graph().nodes[node].is_never() {
            return self.inside(Segment::Key(name.into()), &[keyword], node, member, scope);
        }
        extra.count += 1;
        if extra.names.len() < MAX_KEYS && self.text + name.len() <= MAX_TEXT {
            self.text += name.len();
            extra.names.push(name.into());
        }
        Ok(())
    }

    fn tell_extra(&mut self, keyword: &'static str, extra: Extra) -> Result<(), Stop> {
        if extra.count == 0 {
            return Ok(());
        }
        let expected = "no other keys".to_owned();
        self.tell(keyword, expected, "object", Problem::Unrecognized { names: extra.names, count: extra.count })
    }

    fn unevaluated_items(&mut self, node: NodeId, inner: NodeId, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        let marks = self.evaluation.evaluated_items(node, value, scope)?;
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            if !marks.has(index) {
                self.inside(Segment::Index(index), &["unevaluatedItems"], inner, item, scope)?;
            }
        }
        Ok(())
    }

    fn unevaluated_properties(
        &mut self,
        node: NodeId,
        inner: NodeId,
        value: &Value,
        scope: ScopeId,
    ) -> Result<(), Stop> {
        let marks = self.evaluation.evaluated_properties(node, value, scope)?;
        let mut extra = Extra::default();
        let empty = Map::new();
        for (name, member) in value.as_object().unwrap_or(&empty) {
            if !marks.has(name) {
                self.extra(&mut extra, "unevaluatedProperties", name, inner, member, scope)?;
            }
        }
        self.tell_extra("unevaluatedProperties", extra)
    }
}

/// Keys that a schema does not allow.
#[derive(Default)]
struct Extra {
    names: Vec<Box<str>>,
    count: usize,
}
