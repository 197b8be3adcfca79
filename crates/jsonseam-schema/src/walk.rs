//! What does not fit, and where: a walk that goes down only where a subschema fails, and counts its steps.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::evaluate::{Evaluation, ScopeId, Spent};
use crate::graph::{Graph, If, Items, Keyword, Kinds, NodeId, Properties};
use crate::violation::{Problem, Segment, Violation, escaped, kind_of, quoted};

/// How many violations a walk tells.
pub(crate) const MAX_VIOLATIONS: usize = 64;
/// How much text of keys the violations may hold together, in bytes; the first one is told in any case.
const MAX_TEXT: usize = 1 << 20;
/// How many keys one violation names.
const MAX_KEYS: usize = 100;

/// The violations of a value that does not fit, in the order of the schema; `Err` if the budget ends before the first.
pub(crate) fn violations(graph: &Graph, value: &Value, budget: u64) -> Result<Vec<Violation>, Spent> {
    let mut evaluation = Evaluation::new(graph, budget);
    evaluation.remembers_all = true;
    let mut walk = Walk { evaluation, path: Vec::new(), schema_path: Vec::new(), found: Vec::new(), text: 0 };
    match walk.node(graph.root, value, 0) {
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

    /// Tells what is wrong with a value that does not fit a node; tells nothing of one that fits.
    fn node(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<(), Stop> {
        let scope = self.evaluation.entered(node, scope);
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
        self.schema_path.extend(names.iter().map(|name| escaped(name)));
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
                let (name, expected, problem) = told(assertion);
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
        for name in self.schema_path.iter().cloned().chain(names.iter().map(|name| escaped(name))) {
            schema_path.push('/');
            schema_path.push_str(&name);
        }
        let declared = Arc::clone(&self.graph().declared);
        let segments = self.path.clone();
        self.found.push(Violation { segments, schema_path, keyword, expected, found, problem, declared });
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

    /// None of several forms fits, or too many do.
    ///
    /// If the value can only have been meant as one of them, by its kind or by a constant that tells the forms apart, what is wrong with that one is told.
    fn forms(&mut self, keyword: &'static str, nodes: &[NodeId], value: &Value, scope: ScopeId) -> Result<(), Stop> {
        if self.evaluation.count(nodes, value, scope, 1)? > 0 {
            let problem = Problem::Says("Value fits more than one form of which it must fit exactly one".to_owned());
            return self.tell(keyword, "exactly one form".to_owned(), kind_of(value), problem);
        }
        let kinds: Vec<Kinds> = nodes.iter().map(|&node| self.kinds(node, 0)).collect();
        let fits = |index: &usize| kinds[*index].accept(value);
        let mut likely: Vec<usize> = (0..nodes.len()).filter(fits).collect();
        if likely.is_empty() {
            let expected = kinds.into_iter().fold(Kinds::default(), Kinds::or).told();
            return self.tell(keyword, expected, kind_of(value), Problem::Expected);
        }
        if likely.len() > 1 {
            likely.retain(|&index| self.is_tagged(nodes[index], value, 0) == Some(true));
        }
        if let [index] = likely.as_slice() {
            return self.below(&[keyword, &index.to_string()], nodes[*index], value, scope);
        }
        let problem = Problem::Says("Value fits none of the allowed forms".to_owned());
        self.tell(keyword, "one of several forms".to_owned(), kind_of(value), problem)
    }

    /// The kinds that a node accepts, as far as `type` and what is referred to tell.
    fn kinds(&self, node: NodeId, depth: usize) -> Kinds {
        let mut kinds = Kinds::ALL;
        if depth > 8 {
            return kinds;
        }
        for keyword in &self.graph().nodes[node].keywords {
            kinds = kinds.and(match keyword {
                Keyword::Never => Kinds::default(),
                Keyword::Type(kinds) => *kinds,
                Keyword::Const(value) => Kinds::of(value),
                Keyword::Enum(options) => {
                    let strings =
                        if options.strings.is_empty() { Kinds::default() } else { Kinds::named(&"string".into()) };
                    options.others.iter().map(Kinds::of).fold(strings, Kinds::or)
                }
                Keyword::Ref(inner) => self.kinds(*inner, depth + 1),
                _ => Kinds::ALL,
            });
        }
        kinds
    }

    /// Whether a value has the constants by which a form is told from others; `None` if the form has none.
    fn is_tagged(&self, node: NodeId, value: &Value, depth: usize) -> Option<bool> {
        let mut is_tagged = None;
        for keyword in self.graph().nodes[node].keywords.iter().filter(|_| depth <= 8) {
            match keyword {
                Keyword::Properties(properties) => {
                    for (name, &inner) in &properties.named {
                        let Some(is_equal) = self.is_constant(inner, value.get(name.as_ref())) else { continue };
                        is_tagged = Some(is_tagged.unwrap_or(true) && is_equal);
                    }
                }
                Keyword::Ref(inner) => {
                    if let Some(inner) = self.is_tagged(*inner, value, depth + 1) {
                        is_tagged = Some(is_tagged.unwrap_or(true) && inner);
                    }
                }
                _ => {}
            }
        }
        is_tagged
    }

    /// Whether a member is the one string that its schema allows; `None` if it allows others.
    fn is_constant(&self, node: NodeId, member: Option<&Value>) -> Option<bool> {
        self.graph().nodes[node].keywords.iter().find_map(|keyword| match keyword {
            Keyword::Const(Value::String(constant)) => Some(member.and_then(Value::as_str) == Some(constant)),
            Keyword::Enum(options) if options.others.is_empty() && options.strings.len() == 1 => {
                Some(member.and_then(Value::as_str).is_some_and(|text| options.strings.contains(text)))
            }
            _ => None,
        })
    }
}

/// Keys that a schema does not allow.
#[derive(Default)]
struct Extra {
    names: Vec<Box<str>>,
    count: usize,
}

/// The name of an assertion, what it expects, and what is to say.
fn told(keyword: &Keyword) -> (&'static str, String, Problem) {
    let small = |name, least: &dyn std::fmt::Display| {
        (name, format!("at least {least}"), Problem::Says(format!("Value is too small (min: {least})")))
    };
    let large = |name, most: &dyn std::fmt::Display| {
        (name, format!("at most {most}"), Problem::Says(format!("Value is too large (max: {most})")))
    };
    let says = |name, expected: String, sentence: String| (name, expected, Problem::Says(sentence));
    match keyword {
        Keyword::Type(kinds) => ("type", kinds.told(), Problem::Expected),
        Keyword::Enum(options) => {
            let expected = format!("one of {}", options.told);
            says("enum", expected, format!("Value must be one of {}", options.told))
        }
        Keyword::Const(value) => {
            let value = quoted(&value.to_string());
            says("const", value.clone(), format!("Value must be {value}"))
        }
        Keyword::MultipleOf(of) => {
            says("multipleOf", format!("a multiple of {of}"), format!("Value must be a multiple of {of}"))
        }
        Keyword::Maximum(most) => large("maximum", most),
        Keyword::MaxLength(most) => large("maxLength", most),
        Keyword::MaxItems(most) => large("maxItems", most),
        Keyword::MaxProperties(most) => large("maxProperties", most),
        Keyword::Minimum(least) => small("minimum", least),
        Keyword::MinLength(least) => small("minLength", least),
        Keyword::MinItems(least) => small("minItems", least),
        Keyword::MinProperties(least) => small("minProperties", least),
        Keyword::ExclusiveMaximum(most) => says(
            "exclusiveMaximum",
            format!("less than {most}"),
            format!("Value is too large (must be less than {most})"),
        ),
        Keyword::ExclusiveMinimum(least) => says(
            "exclusiveMinimum",
            format!("more than {least}"),
            format!("Value is too small (must be more than {least})"),
        ),
        Keyword::Pattern(pattern) => {
            let source = quoted(pattern.source());
            says("pattern", format!("text that matches {source}"), format!("Value does not match the pattern {source}"))
        }
        Keyword::UniqueItems => says("uniqueItems", "no item twice".to_owned(), "Array has an item twice".to_owned()),
        Keyword::Contains(_) => says(
            "contains",
            "enough items of the wanted form, and not too many".to_owned(),
            "Array has too few or too many items of the wanted form".to_owned(),
        ),
        Keyword::PropertyNames(_) => says(
            "propertyNames",
            "keys of the wanted form".to_owned(),
            "Object has a key that is not of the wanted form".to_owned(),
        ),
        Keyword::Not(_) => says("not", "another form".to_owned(), "Value has a form that is not allowed".to_owned()),
        _ => says("false", "nothing".to_owned(), "No value is allowed here".to_owned()),
    }
}
