//! What the applicators of a schema have looked at, for `unevaluatedItems` and `unevaluatedProperties`.

use std::collections::HashSet;

use serde_json::Value;

use crate::evaluate::{Evaluation, ScopeId, Spent};
use crate::graph::{Keyword, NodeId};

/// Items that were evaluated.
#[derive(Debug, Default)]
pub(crate) struct ItemMarks {
    /// All before this one.
    prefix: usize,
    others: HashSet<usize>,
}

impl ItemMarks {
    pub(crate) fn has(&self, index: usize) -> bool {
        index < self.prefix || self.others.contains(&index)
    }
}

/// Properties that were evaluated.
#[derive(Debug, Default)]
pub(crate) struct PropertyMarks<'v> {
    is_all: bool,
    names: HashSet<&'v str>,
}

impl PropertyMarks<'_> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.is_all || self.names.contains(name)
    }
}

/// The nodes that were visited for one value: visiting one twice adds nothing.
type Visited = HashSet<(NodeId, ScopeId)>;

impl Evaluation<'_> {
    /// The items of an array that a node and what applies with it evaluate.
    pub(crate) fn evaluated_items(&mut self, node: NodeId, value: &Value, scope: ScopeId) -> Result<ItemMarks, Spent> {
        let mut marks = ItemMarks::default();
        self.mark_items(node, value, scope, true, &mut marks, &mut Visited::new())?;
        Ok(marks)
    }

    /// The properties of an object that a node and what applies with it evaluate.
    pub(crate) fn evaluated_properties<'v>(
        &mut self,
        node: NodeId,
        value: &'v Value,
        scope: ScopeId,
    ) -> Result<PropertyMarks<'v>, Spent> {
        let mut marks = PropertyMarks::default();
        self.mark_properties(node, value, scope, true, &mut marks, &mut Visited::new())?;
        Ok(marks)
    }

    fn mark_items(
        &mut self,
        node: NodeId,
        value: &Value,
        scope: ScopeId,
        is_first: bool,
        marks: &mut ItemMarks,
        visited: &mut Visited,
    ) -> Result<(), Spent> {
        self.spend(1)?;
        let scope = self.entered(node, scope);
        let Value::Array(items) = value else { return Ok(()) };
        if !visited.insert((node, scope)) {
            return Ok(());
        }
        let graph = self.graph;
        for keyword in &graph.nodes[node].keywords {
            self.spend(1)?;
            match keyword {
                Keyword::Items(schemas) => {
                    let reached = if schemas.rest.is_some() { items.len() } else { schemas.prefix.len() };
                    marks.prefix = marks.prefix.max(reached);
                }
                Keyword::Contains(contains) if contains.marks => {
                    for (index, item) in items.iter().enumerate() {
                        if self.is_valid(contains.node, item, scope)? {
                            marks.others.insert(index);
                        }
                    }
                }
                Keyword::UnevaluatedItems(_) if !is_first => marks.prefix = items.len(),
                _ => {
                    for inner in self.passed(keyword, value, scope)? {
                        self.mark_items(inner, value, scope, false, marks, visited)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn mark_properties<'v>(
        &mut self,
        node: NodeId,
        value: &'v Value,
        scope: ScopeId,
        is_first: bool,
        marks: &mut PropertyMarks<'v>,
        visited: &mut Visited,
    ) -> Result<(), Spent> {
        self.spend(1)?;
        let scope = self.entered(node, scope);
        let Value::Object(members) = value else { return Ok(()) };
        if !visited.insert((node, scope)) {
            return Ok(());
        }
        let graph = self.graph;
        for keyword in &graph.nodes[node].keywords {
            self.spend(1)?;
            match keyword {
                Keyword::Properties(properties) if properties.additional.is_some() => marks.is_all = true,
                Keyword::Properties(properties) => {
                    for name in members.keys() {
                        if !self.applied(properties, name)?.is_empty() {
                            marks.names.insert(name);
                        }
                    }
                }
                Keyword::UnevaluatedProperties(_) if !is_first => marks.is_all = true,
                _ => {
                    for inner in self.passed(keyword, value, scope)? {
                        self.mark_properties(inner, value, scope, false, marks, visited)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The nodes that a keyword applies to the value itself, and that it fits.
    fn passed(&mut self, keyword: &Keyword, value: &Value, scope: ScopeId) -> Result<Vec<NodeId>, Spent> {
        let candidates: Vec<NodeId> = match keyword {
            Keyword::AllOf(nodes) | Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => nodes.clone(),
            Keyword::Ref(node) => vec![*node],
            Keyword::DynamicRef(reference) => vec![self.target(reference, scope)],
            Keyword::If(branch) => {
                if self.is_valid(branch.condition, value, scope)? {
                    [Some(branch.condition), branch.then].into_iter().flatten().collect()
                } else {
                    branch.otherwise.into_iter().collect()
                }
            }
            Keyword::DependentSchemas(_, dependent) => {
                dependent.iter().filter(|(name, _)| value.get(name.as_ref()).is_some()).map(|(_, node)| *node).collect()
            }
            _ => Vec::new(),
        };
        let mut passed = Vec::with_capacity(candidates.len());
        for node in candidates {
            if self.is_valid(node, value, scope)? {
                passed.push(node);
            }
        }
        Ok(passed)
    }
}
