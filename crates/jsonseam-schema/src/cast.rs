//! Casts: what a value would have to be to fit, and the same in its text.
//!
//! The value is cast first, node by node, only where a schema rejects it and accepts the other spelling.
//! Then the text is cast in the same places, from its own characters, so no digit passes through a float.

mod respelled;

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Number, Value};

use self::respelled::respelled;
use crate::check::{Cast, CastKind, Casts};
use crate::evaluate::{Evaluation, ScopeId, Spent, weight};
use crate::exact::Exact;
use crate::graph::{Graph, Keyword, NodeId, Properties};
use crate::respell::{Spelling, folded, spellings};
use crate::violation::Segment;

/// How deep a value is followed.
const MAX_DEPTH: usize = 400;
/// How many casts one check makes.
const MAX_CASTS: usize = 100_000;
/// What the paths of all casts of one check take together, in bytes: each cast keeps its own.
const MAX_PATH_BYTES: usize = 32 << 20;

/// A text with casts in it.
pub(crate) struct CastText<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) casts: Vec<Cast>,
}

/// The text with every cast that a node asks for.
pub(crate) fn cast<'a>(
    graph: &Graph,
    node: NodeId,
    casts: Casts,
    text: &'a str,
    (value, exact): (&Value, &Exact),
    budget: u64,
) -> Result<CastText<'a>, Spent> {
    let mut caster = Caster {
        evaluation: Evaluation::new(graph, budget).exactly(exact),
        casts,
        path: Vec::new(),
        changes: Vec::new(),
        path_bytes: 0,
    };
    caster.evaluation.spend(weight(value))?;
    let mut value = value.clone();
    caster.value(node, &mut value, 0)?;
    Ok(respelled(text, &caster.changes, graph))
}

/// One cast that is to be made in the text.
#[derive(Debug, Clone)]
struct Change {
    path: Vec<Segment>,
    kind: CastKind,
    /// What comes in its place, where that does not follow from its own text: a default, a spelling, or the key as it was.
    filled: String,
}

struct Caster<'g> {
    evaluation: Evaluation<'g>,
    casts: Casts,
    path: Vec<Segment>,
    changes: Vec<Change>,
    /// What the paths of the changes take.
    path_bytes: usize,
}

impl Caster<'_> {
    fn fits(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        // The value changes between two questions, so nothing that was remembered about it holds.
        self.evaluation.forget();
        self.evaluation.is_valid(node, value, scope)
    }

    fn change(&mut self, kind: CastKind, filled: String) -> Result<(), Spent> {
        // The path is copied, and later each of its beginnings is looked up.
        let (bytes, beginnings) = self.path.iter().fold((0, 0), |(bytes, beginnings), segment| {
            let bytes = bytes + taken(segment);
            (bytes, beginnings + bytes)
        });
        self.evaluation.spend(beginnings as u64 / 16)?;
        self.path_bytes += bytes;
        if self.changes.len() >= MAX_CASTS || self.path_bytes > MAX_PATH_BYTES {
            return Err(Spent);
        }
        self.changes.push(Change { path: self.path.clone(), kind, filled });
        Ok(())
    }

    /// Casts a value and what is in it, as a node wants it.
    fn value(&mut self, node: NodeId, value: &mut Value, scope: ScopeId) -> Result<(), Spent> {
        self.evaluation.enter(MAX_DEPTH)?;
        let scope = self.evaluation.entered(node, scope);
        let is_cast = self.spelling(node, value, scope)? || self.list(node, value, scope)?;
        self.float(node, value)?;
        if is_cast {
            self.evaluation.leave();
            return Ok(());
        }
        let graph = self.evaluation.graph;
        for keyword in &graph.nodes[node].keywords {
            self.keyword(keyword, value, scope)?;
        }
        self.evaluation.leave();
        Ok(())
    }

    /// Spells a scalar as the node's own words want it, if they reject it as it is. True if nothing is left to be cast in it.
    fn spelling(&mut self, node: NodeId, value: &mut Value, scope: ScopeId) -> Result<bool, Spent> {
        if value.is_array() || value.is_object() || value.is_null() || !self.rejects(node, value) {
            return Ok(false);
        }
        let length = value.as_str().map_or(0, str::len);
        self.evaluation.spend(1 + length as u64 / 16)?;
        let options = self.options(node);
        for Spelling { kinds, value: cast, text } in spellings(value, self.casts, &options) {
            // What is in a container may need casts of its own; whether it fits then, the end decides.
            let is_container = cast.is_array() || cast.is_object();
            if self.rejects(node, &cast) || !(is_container || self.fits(node, &cast, scope)?) {
                continue;
            }
            let last = kinds.len() - 1;
            for (at, kind) in kinds.into_iter().enumerate() {
                // The first one changes the text; those that come with it are on record.
                let filled = if at == last { text.clone() } else { String::new() };
                self.change(kind, filled)?;
            }
            *value = cast;
            return Ok(!is_container);
        }
        Ok(false)
    }

    /// The strings that a node's own words allow.
    fn options(&self, node: NodeId) -> Vec<&str> {
        let mut options = Vec::new();
        for keyword in &self.evaluation.graph.nodes[node].keywords {
            match keyword {
                Keyword::Enum(of) => options.extend(of.strings.iter().map(AsRef::as_ref)),
                Keyword::Const(Value::String(one)) => options.push(one.as_str()),
                _ => {}
            }
        }
        options
    }

    /// Makes a list of a value, or a value of a list of one, if the node's own words want it and it fits then. True if it was made.
    fn list(&mut self, node: NodeId, value: &mut Value, scope: ScopeId) -> Result<bool, Spent> {
        if !self.rejects(node, value) {
            return Ok(false);
        }
        let (kind, mut trial) = match &*value {
            Value::Array(items) => match items.as_slice() {
                [only] if self.casts.has(CastKind::FromList) && !self.accepts_lists(node) => {
                    (CastKind::FromList, only.clone())
                }
                _ => return Ok(false),
            },
            other if self.casts.has(CastKind::ToList) => (CastKind::ToList, Value::Array(vec![other.clone()])),
            _ => return Ok(false),
        };
        self.evaluation.spend(weight(&trial))?;
        if kind == CastKind::ToList && self.rejects(node, &trial) {
            return Ok(false);
        }
        let before = self.changes.len();
        self.change(kind, String::new())?;
        self.value(node, &mut trial, scope)?;
        if self.fits(node, &trial, scope)? {
            *value = trial;
            return Ok(true);
        }
        self.undo(before);
        Ok(false)
    }

    fn accepts_lists(&self, node: NodeId) -> bool {
        !self.rejects(node, &Value::Array(Vec::new()))
    }

    /// Takes back the changes after the first so many.
    fn undo(&mut self, before: usize) {
        for change in self.changes.drain(before..) {
            self.path_bytes -= change.path.iter().map(taken).sum::<usize>();
        }
    }

    /// Spells a float out where an integer is wanted.
    fn float(&mut self, node: NodeId, value: &Value) -> Result<(), Spent> {
        let Value::Number(number) = value else { return Ok(()) };
        let wants = |keyword: &Keyword| matches!(keyword, Keyword::Type(kinds) if kinds.wants_integer());
        let is_wanted = self.evaluation.graph.nodes[node].keywords.iter().any(wants);
        if is_wanted && self.casts.has(CastKind::IntegralFloat) && number.is_f64() && self.is_integer(number) {
            self.change(CastKind::IntegralFloat, String::new())?;
        }
        Ok(())
    }

    fn is_integer(&self, number: &Number) -> bool {
        self.evaluation.exact.is_integer(number).unwrap_or_else(|| crate::number::is_integer(number))
    }

    /// Whether a node's own words about kinds and constants reject a value.
    fn rejects(&self, node: NodeId, value: &Value) -> bool {
        if value.is_null() && self.evaluation.graph.nodes[node].accepts_null {
            return false;
        }
        self.evaluation.graph.nodes[node].keywords.iter().any(|keyword| match keyword {
            Keyword::Type(kinds) => !kinds.accept(value, self.evaluation.exact),
            Keyword::Enum(options) => !options.has(value, self.evaluation.exact),
            Keyword::Const(constant) => {
                let evaluation = &self.evaluation;
                !crate::number::equal(constant, &evaluation.graph.exact, value, evaluation.exact)
            }
            _ => false,
        })
    }

    fn keyword(&mut self, keyword: &Keyword, value: &mut Value, scope: ScopeId) -> Result<(), Spent> {
        match keyword {
            Keyword::AllOf(nodes) => nodes.iter().try_for_each(|&node| self.value(node, value, scope)),
            Keyword::Ref(node) => self.value(*node, value, scope),
            Keyword::DynamicRef(reference) => {
                let node = self.evaluation.target(reference, scope);
                self.value(node, value, scope)
            }
            Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => self.forms(nodes, value, scope),
            Keyword::If(branch) => {
                let is_then = self.fits(branch.condition, value, scope)?;
                match if is_then { branch.then } else { branch.otherwise } {
                    Some(node) => self.value(node, value, scope),
                    None => Ok(()),
                }
            }
            Keyword::DependentSchemas(_, dependent) => {
                for (name, node) in dependent {
                    if value.get(name.as_ref()).is_some() {
                        self.value(*node, value, scope)?;
                    }
                }
                Ok(())
            }
            Keyword::Items(schemas) => {
                let Value::Array(items) = value else { return Ok(()) };
                for (index, item) in items.iter_mut().enumerate() {
                    let Some(node) = schemas.prefix.get(index).copied().or(schemas.rest) else { break };
                    self.inside(Segment::Index(index), node, item, scope)?;
                }
                Ok(())
            }
            Keyword::Properties(properties) => {
                let Value::Object(members) = value else { return Ok(()) };
                self.rename(properties, members)?;
                if self.casts.has(CastKind::Default) {
                    for (name, &node) in &properties.named {
                        if !members.contains_key(name.as_ref()) {
                            self.fill(name, node, members, scope)?;
                        }
                    }
                }
                for (name, member) in members.iter_mut() {
                    for node in self.evaluation.applied(properties, name)? {
                        self.evaluation.spend(name.len() as u64 / 64)?;
                        self.inside(Segment::Key(name.as_str().into()), node, member, scope)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn inside(&mut self, segment: Segment, node: NodeId, value: &mut Value, scope: ScopeId) -> Result<(), Spent> {
        self.path.push(segment);
        let result = self.value(node, value, scope);
        self.path.pop();
        result
    }

    /// Gives members the declared names that they stand for: by alias, or by the same letters and digits.
    fn rename(&mut self, properties: &Properties, members: &mut serde_json::Map<String, Value>) -> Result<(), Spent> {
        self.evaluation.spend(properties.aliases.len() as u64)?;
        for (alias, field) in &properties.aliases {
            let others = properties.aliases.iter().filter(|(other, of)| of == field && members.contains_key(&**other));
            if !members.contains_key(&**field) && members.contains_key(&**alias) && others.count() == 1 {
                self.rename_one(alias, field, CastKind::Alias, members)?;
            }
        }
        let is_undeclared = |name: &String| !properties.named.contains_key(name.as_str());
        if !self.casts.has(CastKind::KeyCase) || !members.keys().any(is_undeclared) {
            return Ok(());
        }
        self.evaluation.spend(properties.named.len() as u64 + members.len() as u64)?;
        let mut declared: HashMap<String, Option<&str>> = HashMap::new();
        for name in properties.named.keys() {
            // Two declared names of the same letters stand for neither.
            declared.entry(folded(name)).and_modify(|known| *known = None).or_insert(Some(name));
        }
        let mut found: HashMap<&str, Option<String>> = HashMap::new();
        for name in members.keys().filter(|name| is_undeclared(name)) {
            self.evaluation.spend(name.len() as u64 / 16)?;
            if let Some(Some(field)) = declared.get(&folded(name)).filter(|_| !folded(name).is_empty()) {
                found.entry(field).and_modify(|known| *known = None).or_insert_with(|| Some(name.clone()));
            }
        }
        let mut found: Vec<(&str, String)> =
            found.into_iter().filter_map(|(field, name)| Some((field, name?))).collect();
        jsonseam_text::sort_by(&mut found, Ord::cmp);
        for (field, name) in found {
            if !members.contains_key(field) {
                self.rename_one(&name, field, CastKind::KeyCase, members)?;
            }
        }
        Ok(())
    }

    fn rename_one(
        &mut self,
        name: &str,
        field: &str,
        kind: CastKind,
        members: &mut serde_json::Map<String, Value>,
    ) -> Result<(), Spent> {
        let Some(value) = members.remove(name) else { return Ok(()) };
        members.insert(field.to_owned(), value);
        self.path.push(Segment::Key(field.into()));
        let result = self.change(kind, name.to_owned());
        self.path.pop();
        result
    }

    /// Fills in a missing property, if its schema states a default that it accepts itself.
    fn fill(
        &mut self,
        name: &str,
        node: NodeId,
        members: &mut serde_json::Map<String, Value>,
        scope: ScopeId,
    ) -> Result<(), Spent> {
        self.evaluation.spend(1)?;
        let Some(default) = default_of(self.evaluation.graph, node, 0) else { return Ok(()) };
        self.evaluation.spend(weight(default))?;
        let default = default.clone();
        if !self.fits(node, &default, scope)? {
            return Ok(());
        }
        self.path.push(Segment::Key(name.into()));
        let result = self.change(CastKind::Default, default.to_string());
        self.path.pop();
        members.insert(name.to_owned(), default);
        result
    }

    /// Casts a value as the first form that it fits, or else as the first that it fits once cast.
    fn forms(&mut self, nodes: &[NodeId], value: &mut Value, scope: ScopeId) -> Result<(), Spent> {
        for &node in nodes {
            if self.fits(node, value, scope)? {
                return self.value(node, value, scope);
            }
        }
        let mut first: Option<(Value, Vec<Change>)> = None;
        for &node in nodes {
            let before = self.changes.len();
            self.evaluation.spend(weight(value))?;
            let mut trial = value.clone();
            self.value(node, &mut trial, scope)?;
            let is_fit = self.changes.len() > before && self.fits(node, &trial, scope)?;
            let changes = self.changes[before..].to_vec();
            self.undo(before);
            if !is_fit {
                continue;
            }
            let is_loose = |change: &Change| matches!(change.kind, CastKind::EnumCase | CastKind::KeyCase);
            match &first {
                // Casts by letters alone are made only where they have one outcome.
                Some((other, _)) if *other != trial => return Ok(()),
                Some(_) => {}
                None => {
                    let is_certain = !changes.iter().any(is_loose);
                    first = Some((trial, changes));
                    if is_certain {
                        break;
                    }
                }
            }
        }
        if let Some((trial, changes)) = first {
            self.path_bytes += changes.iter().flat_map(|change| &change.path).map(taken).sum::<usize>();
            self.changes.extend(changes);
            *value = trial;
        }
        Ok(())
    }
}

/// What a segment takes, in bytes.
fn taken(segment: &Segment) -> usize {
    let name = if let Segment::Key(name) = segment { name.len() } else { 0 };
    size_of::<Segment>() + name
}

/// What a property's schema states as its default, itself or where it refers to.
fn default_of(graph: &Graph, node: NodeId, depth: usize) -> Option<&Value> {
    let node = &graph.nodes[node];
    node.default.as_ref().or_else(|| {
        node.keywords.iter().find_map(|keyword| match keyword {
            Keyword::Ref(inner) if depth < 8 => default_of(graph, *inner, depth + 1),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v3_pointers_of_casts_are_bounded_whatever_the_keys() {
        let schema = r#"{"additionalProperties": {"items": {"type": "integer"}}}"#;
        let schema = crate::Schema::compile(schema).expect("a schema");
        let check = |key: usize, casts: usize| {
            let text = format!("{{\"{}\":[{}0]}}", "k".repeat(key), "\"1\",".repeat(casts));
            schema
                .check(&text, &Casts::EXACT)
                .map(|checked| checked.casts)
                .map_err(|failure| failure.violations().len())
        };
        let casts = check(505, 20).expect("it fits");
        assert_eq!((casts.len(), casts[9].path().len()), (20, 508));
        assert_eq!(casts[19].path(), format!("/{}/19", "k".repeat(505)));
        let casts = check(100_000, 20).expect("it fits");
        assert_eq!((casts.len(), casts[19].path(), casts[19].shown.as_str()), (20, "", "/*/19"));
        // Their paths would take 40 MB.
        assert!(check(100_000, 400).is_err());
    }
}
