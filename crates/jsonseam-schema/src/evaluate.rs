//! Whether a value fits, with every step counted.
//!
//! A verdict about a node that several links lead to is remembered for each value, so no schema makes the count exponential;
//! what remains is bounded by the budget.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Number, Value};

use crate::exact::{Exact, NONE};
use crate::graph::{Contains, DynamicRef, Graph, If, Items, Keyword, NodeId, Properties};
use crate::number::{canonical_text, compare_exactly, equal};

/// How deep an evaluation may go: levels of the value times the references at each.
const MAX_DEPTH: usize = 600;
/// How many verdicts are remembered.
const MAX_REMEMBERED: usize = 1 << 20;

/// The steps that all evaluations of a test took.
#[cfg(test)]
pub(crate) static TAKEN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// The budget is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spent;

/// The number of a dynamic scope; 0 is the outermost.
pub(crate) type ScopeId = usize;

/// One evaluation of one value, or of several that live as long.
pub(crate) struct Evaluation<'g> {
    pub(crate) graph: &'g Graph,
    steps: u64,
    budget: u64,
    depth: usize,
    /// The numbers of the text that no float holds.
    pub(crate) exact: &'g Exact,
    remembered: HashMap<(NodeId, usize, ScopeId), bool>,
    /// Whether verdicts about every container are remembered, because they will be asked again.
    pub(crate) remembers_all: bool,
    names: HashMap<usize, Rc<Value>>,
    scopes: Vec<Vec<usize>>,
    inner_scopes: HashMap<(ScopeId, usize), ScopeId>,
}

impl<'g> Evaluation<'g> {
    pub(crate) fn new(graph: &'g Graph, budget: u64) -> Self {
        Self {
            graph,
            steps: 0,
            budget,
            depth: 0,
            exact: &NONE,
            remembered: HashMap::new(),
            remembers_all: false,
            names: HashMap::new(),
            scopes: vec![Vec::new()],
            inner_scopes: HashMap::new(),
        }
    }

    /// The same of values of a text with these exact numbers.
    pub(crate) fn exactly(self, exact: &'g Exact) -> Self {
        Self { exact, ..self }
    }

    /// Counts steps.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Spent> {
        #[cfg(test)]
        TAKEN.fetch_add(steps.min(self.budget), std::sync::atomic::Ordering::Relaxed);
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.budget { Err(Spent) } else { Ok(()) }
    }

    /// Forgets every verdict: values have changed or gone.
    pub(crate) fn forget(&mut self) {
        if !self.remembered.is_empty() {
            self.remembered = HashMap::new();
        }
        if !self.names.is_empty() {
            self.names = HashMap::new();
        }
    }

    /// Goes one deeper, up to a limit.
    pub(crate) fn enter(&mut self, limit: usize) -> Result<(), Spent> {
        self.spend(1)?;
        if self.depth >= limit {
            return Err(Spent);
        }
        self.depth += 1;
        Ok(())
    }

    /// Comes back from [`Evaluation::enter`].
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Whether a value fits a node.
    pub(crate) fn is_valid(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        let scope = self.entered(node, scope);
        let remembers =
            self.graph.nodes[node].is_shared || (self.remembers_all && (value.is_array() || value.is_object()));
        let key = (node, std::ptr::from_ref(value) as usize, scope);
        if remembers && let Some(&verdict) = self.remembered.get(&key) {
            self.spend(1)?;
            return Ok(verdict);
        }
        self.enter(MAX_DEPTH)?;
        let verdict = self.fits(node, value, scope)?;
        self.leave();
        if remembers && self.remembered.len() < MAX_REMEMBERED {
            self.remembered.insert(key, verdict);
        }
        Ok(verdict)
    }

    fn fits(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        let graph = self.graph;
        if graph.nodes[node].accepts_null && value.is_null() {
            return Ok(true);
        }
        for keyword in &graph.nodes[node].keywords {
            if !self.holds(node, keyword, value, scope)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The scope inside a node: that of the outside, and its resource if something may look for it there.
    pub(crate) fn entered(&mut self, node: NodeId, scope: ScopeId) -> ScopeId {
        let resource = self.graph.nodes[node].resource;
        if !self.graph.dynamic.contains_key(&resource) || self.scopes[scope].contains(&resource) {
            return scope;
        }
        if let Some(&inner) = self.inner_scopes.get(&(scope, resource)) {
            return inner;
        }
        let mut resources = self.scopes[scope].clone();
        resources.push(resource);
        self.scopes.push(resources);
        let inner = self.scopes.len() - 1;
        self.inner_scopes.insert((scope, resource), inner);
        inner
    }

    /// Where a dynamic reference leads: to the outermost resource of the scope that has the anchor.
    pub(crate) fn target(&self, reference: &DynamicRef, scope: ScopeId) -> NodeId {
        let anchored = |resource| self.graph.dynamic.get(resource)?.get(&reference.anchor).copied();
        self.scopes[scope].iter().find_map(anchored).unwrap_or(reference.fallback)
    }

    /// The value of a property's name. It lives as long as the evaluation, so that verdicts about it may be remembered.
    pub(crate) fn name(&mut self, name: &str) -> Rc<Value> {
        let address = name.as_ptr() as usize;
        Rc::clone(self.names.entry(address).or_insert_with(|| Rc::new(Value::from(name))))
    }

    /// Whether a keyword holds for a value.
    pub(crate) fn holds(
        &mut self,
        node: NodeId,
        keyword: &Keyword,
        value: &Value,
        scope: ScopeId,
    ) -> Result<bool, Spent> {
        self.spend(1)?;
        match keyword {
            Keyword::Never => Ok(false),
            Keyword::Type(kinds) => Ok(kinds.accept(value, self.exact)),
            Keyword::Enum(options) => {
                self.spend(weight(value))?;
                Ok(options.has(value, self.exact))
            }
            Keyword::Const(constant) => {
                // Comparing ends with the schema's value at the latest.
                self.spend(weight(constant))?;
                Ok(equal(value, self.exact, constant, &self.graph.exact))
            }
            Keyword::AllOf(nodes) => self.all(nodes, value, scope),
            Keyword::AnyOf(nodes) => self.any(nodes, value, scope),
            Keyword::OneOf(nodes) => Ok(self.count(nodes, value, scope, 2)? == 1),
            Keyword::Not(inner) => Ok(!self.is_valid(*inner, value, scope)?),
            Keyword::If(branch) => self.branch(branch, value, scope),
            Keyword::Ref(inner) => self.is_valid(*inner, value, scope),
            Keyword::DynamicRef(reference) => {
                let inner = self.target(reference, scope);
                self.is_valid(inner, value, scope)
            }
            _ => match value {
                Value::Number(number) => Ok(self.number(keyword, number)),
                Value::String(text) => self.string(keyword, text),
                Value::Array(items) => self.array(node, keyword, items, value, scope),
                Value::Object(members) => self.object(node, keyword, members, value, scope),
                Value::Null | Value::Bool(_) => Ok(true),
            },
        }
    }

    fn number(&self, keyword: &Keyword, number: &Number) -> bool {
        let against = |bound: &Number| compare_exactly(number, self.exact, bound, &self.graph.exact);
        match keyword {
            Keyword::MultipleOf(of) => of.divides_exactly(number, self.exact, &self.graph.exact),
            Keyword::Maximum(bound) => against(bound).is_le(),
            Keyword::ExclusiveMaximum(bound) => against(bound).is_lt(),
            Keyword::Minimum(bound) => against(bound).is_ge(),
            Keyword::ExclusiveMinimum(bound) => against(bound).is_gt(),
            Keyword::Format(format) => format.fits_number(number, self.exact),
            _ => true,
        }
    }

    fn all(&mut self, nodes: &[NodeId], value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        for &node in nodes {
            if !self.is_valid(node, value, scope)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn any(&mut self, nodes: &[NodeId], value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        for &node in nodes {
            if self.is_valid(node, value, scope)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many of the nodes a value fits; counting ends at a limit.
    pub(crate) fn count(
        &mut self,
        nodes: &[NodeId],
        value: &Value,
        scope: ScopeId,
        limit: usize,
    ) -> Result<usize, Spent> {
        let mut count = 0;
        for &node in nodes {
            count += usize::from(self.is_valid(node, value, scope)?);
            if count == limit {
                break;
            }
        }
        Ok(count)
    }

    fn branch(&mut self, branch: &If, value: &Value, scope: ScopeId) -> Result<bool, Spent> {
        let is_then = self.is_valid(branch.condition, value, scope)?;
        match if is_then { branch.then } else { branch.otherwise } {
            Some(node) => self.is_valid(node, value, scope),
            None => Ok(true),
        }
    }

    fn string(&mut self, keyword: &Keyword, text: &str) -> Result<bool, Spent> {
        let length = |text: &str| text.chars().count() as u64;
        match keyword {
            Keyword::MaxLength(most) => {
                self.spend(text.len() as u64 / 64)?;
                Ok(text.len() as u64 <= *most || length(text) <= *most)
            }
            Keyword::MinLength(least) => {
                self.spend(text.len() as u64 / 64)?;
                Ok(length(text) >= *least)
            }
            Keyword::Pattern(pattern) => {
                self.spend(pattern.cost(text))?;
                Ok(pattern.is_match(text))
            }
            Keyword::Format(format) => {
                self.spend(format.cost(text))?;
                Ok(format.fits(text))
            }
            _ => Ok(true),
        }
    }

    fn array(
        &mut self,
        node: NodeId,
        keyword: &Keyword,
        items: &[Value],
        value: &Value,
        scope: ScopeId,
    ) -> Result<bool, Spent> {
        match keyword {
            Keyword::MaxItems(most) => Ok(items.len() as u64 <= *most),
            Keyword::MinItems(least) => Ok(items.len() as u64 >= *least),
            Keyword::UniqueItems => Ok(self.repeated(items)?.is_none()),
            Keyword::Items(schemas) => self.items(schemas, items, scope),
            Keyword::Contains(contains) => self.contains(contains, items, scope),
            Keyword::UnevaluatedItems(inner) => {
                let marks = self.evaluated_items(node, value, scope)?;
                for (index, item) in items.iter().enumerate() {
                    self.spend(1)?;
                    if !marks.has(index) && !self.is_valid(*inner, item, scope)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(true),
        }
    }

    /// The number of an item that equals one before it.
    pub(crate) fn repeated(&mut self, items: &[Value]) -> Result<Option<usize>, Spent> {
        let mut seen = HashSet::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            self.spend(1 + weight(item))?;
            if !seen.insert(canonical_text(item, self.exact)) {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    fn items(&mut self, schemas: &Items, items: &[Value], scope: ScopeId) -> Result<bool, Spent> {
        for (index, item) in items.iter().enumerate() {
            let Some(node) = schemas.prefix.get(index).copied().or(schemas.rest) else { return Ok(true) };
            if !self.is_valid(node, item, scope)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn contains(&mut self, contains: &Contains, items: &[Value], scope: ScopeId) -> Result<bool, Spent> {
        let count = self.contained(contains, items, scope)?;
        Ok(count >= contains.least && contains.most.is_none_or(|most| count <= most))
    }

    /// How many items fit; counting ends where the verdict is certain.
    pub(crate) fn contained(&mut self, contains: &Contains, items: &[Value], scope: ScopeId) -> Result<u64, Spent> {
        let mut count = 0;
        for item in items {
            count += u64::from(self.is_valid(contains.node, item, scope)?);
            let is_certain = contains.most.map_or(count >= contains.least, |most| count > most);
            if is_certain {
                break;
            }
        }
        Ok(count)
    }

    fn object(
        &mut self,
        node: NodeId,
        keyword: &Keyword,
        members: &Map<String, Value>,
        value: &Value,
        scope: ScopeId,
    ) -> Result<bool, Spent> {
        match keyword {
            Keyword::MaxProperties(most) => Ok(members.len() as u64 <= *most),
            Keyword::MinProperties(least) => Ok(members.len() as u64 >= *least),
            Keyword::Required(names) => {
                self.spend(names.len() as u64)?;
                Ok(names.iter().all(|name| members.contains_key(name.as_ref())))
            }
            Keyword::DependentRequired(_, dependent) => {
                self.spend(dependent.iter().map(|(_, needed)| 1 + needed.len() as u64).sum())?;
                Ok(dependent.iter().all(|(name, needed)| {
                    !members.contains_key(name.as_ref())
                        || needed.iter().all(|name| members.contains_key(name.as_ref()))
                }))
            }
            Keyword::DependentSchemas(_, dependent) => {
                for (name, inner) in dependent {
                    self.spend(1)?;
                    if members.contains_key(name.as_ref()) && !self.is_valid(*inner, value, scope)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Keyword::Properties(properties) => self.properties(properties, members, scope),
            Keyword::PropertyNames(inner) => {
                for name in members.keys() {
                    self.spend(name.len() as u64 / 64)?;
                    let name = self.name(name);
                    if !self.is_valid(*inner, &name, scope)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Keyword::UnevaluatedProperties(inner) => {
                let marks = self.evaluated_properties(node, value, scope)?;
                for (name, member) in members {
                    self.spend(1)?;
                    if !marks.has(name) && !self.is_valid(*inner, member, scope)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(true),
        }
    }

    fn properties(
        &mut self,
        properties: &Properties,
        members: &Map<String, Value>,
        scope: ScopeId,
    ) -> Result<bool, Spent> {
        for (name, member) in members {
            for node in self.applied(properties, name)? {
                if !self.is_valid(node, member, scope)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The nodes that a member must fit by its name.
    pub(crate) fn applied(&mut self, properties: &Properties, name: &str) -> Result<Applied, Spent> {
        self.spend(1)?;
        let mut applied = Applied { named: properties.named.get(name).copied(), others: Vec::new() };
        for (pattern, node) in &properties.patterns {
            self.spend(pattern.cost(name))?;
            if pattern.is_match(name) {
                applied.others.push(*node);
            }
        }
        if applied.named.is_none() && applied.others.is_empty() {
            applied.named = properties.additional;
        }
        Ok(applied)
    }
}

/// The nodes that apply to one member.
pub(crate) struct Applied {
    pub(crate) named: Option<NodeId>,
    pub(crate) others: Vec<NodeId>,
}

impl Applied {
    pub(crate) fn is_empty(&self) -> bool {
        self.named.is_none() && self.others.is_empty()
    }
}

impl IntoIterator for Applied {
    type Item = NodeId;
    type IntoIter = std::iter::Chain<std::option::IntoIter<NodeId>, std::vec::IntoIter<NodeId>>;

    fn into_iter(self) -> Self::IntoIter {
        self.named.into_iter().chain(self.others)
    }
}

/// How many values a value is made of, and a step for every 64 bytes of text.
pub(crate) fn weight(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + text.len() as u64 / 64,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<u64>(),
        Value::Object(members) => {
            1 + members.iter().map(|(name, value)| 1 + name.len() as u64 / 64 + weight(value)).sum::<u64>()
        }
        _ => 1,
    }
}
