//! Where the nodes of a graph lead: which are shared, and whether any leads back to itself.

use std::collections::{BTreeMap, HashSet};

use crate::error::{SchemaError, SchemaReason};
use crate::graph::{Graph, Keyword, NodeId};

/// The nodes that a keyword leads to at the same value, and those at values inside it.
fn links(keyword: &Keyword) -> (Vec<NodeId>, Vec<NodeId>) {
    match keyword {
        Keyword::AllOf(nodes) | Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => (nodes.clone(), Vec::new()),
        Keyword::Not(node) | Keyword::Ref(node) => (vec![*node], Vec::new()),
        Keyword::DynamicRef(reference) => (Vec::new(), vec![reference.fallback]),
        Keyword::If(branch) => {
            ([Some(branch.condition), branch.then, branch.otherwise].into_iter().flatten().collect(), Vec::new())
        }
        Keyword::DependentSchemas(_, dependent) => (dependent.iter().map(|(_, node)| *node).collect(), Vec::new()),
        Keyword::Contains(contains) => (Vec::new(), vec![contains.node]),
        Keyword::Items(items) => (Vec::new(), items.prefix.iter().copied().chain(items.rest).collect()),
        Keyword::Properties(properties) => {
            let named = properties.named.values().copied();
            let patterns = properties.patterns.iter().map(|(_, node)| *node);
            (Vec::new(), named.chain(patterns).chain(properties.additional).collect())
        }
        Keyword::PropertyNames(node) | Keyword::UnevaluatedItems(node) | Keyword::UnevaluatedProperties(node) => {
            (Vec::new(), vec![*node])
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// Marks the nodes that more than one link leads to.
pub(super) fn share(graph: &mut Graph) {
    let mut seen = HashSet::from([graph.root]);
    let mut shared: Vec<NodeId> = graph.dynamic.values().flat_map(BTreeMap::values).copied().collect();
    for keyword in graph.nodes.iter().flat_map(|node| &node.keywords) {
        let (here, inside) = links(keyword);
        shared.extend(here.into_iter().chain(inside).filter(|node| !seen.insert(*node)));
    }
    for node in shared {
        graph.nodes[node].is_shared = true;
    }
}

/// Refuses links that lead back to a node at the same value: no value has a verdict then.
pub(super) fn refuse_loops(graph: &Graph) -> Result<(), SchemaError> {
    let here: Vec<Vec<NodeId>> =
        graph.nodes.iter().map(|node| node.keywords.iter().flat_map(|keyword| links(keyword).0).collect()).collect();
    let mut waiting = vec![0_usize; graph.nodes.len()];
    for &node in here.iter().flatten() {
        waiting[node] += 1;
    }
    let mut ready: Vec<NodeId> = (0..here.len()).filter(|&node| waiting[node] == 0).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &next in &here[node] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    if done == here.len() { Ok(()) } else { Err(SchemaError::new(SchemaReason::ReferenceLoop)) }
}
