//! The library's verdict, where it is sure to come quickly.
//!
//! `jsonschema` is fast, but it counts nothing and cannot be stopped: on nested references, recursion or `unevaluatedProperties` one call may take for ever.
//! So it is asked only about schemas without circles whose links, followed in every way, stay few; everything else our own evaluation decides.

use serde_json::Value;

use crate::compile::links;
use crate::draft::Draft;
use crate::graph::{Graph, Keyword, NodeId};

/// How many visits a tame schema may need for one value.
const MAX_VISITS: u64 = 2000;
/// How many values `enum` may have.
const MAX_OPTIONS: usize = 64;

/// The library's validator, if the schema is tame.
pub(crate) struct Verdict(Option<jsonschema::Validator>);

impl Verdict {
    /// Whether a value fits, if the library may be asked.
    pub(crate) fn of(&self, value: &Value) -> Option<bool> {
        self.0.as_ref().map(|validator| validator.is_valid(value))
    }
}

/// Builds the library's validator for a tame schema.
pub(crate) fn verdict(graph: &Graph, source: &Value, draft: Draft, registered: &[(String, &Value)]) -> Verdict {
    // Documents of the caller would have to be registered twice; who registers any can wait for our own evaluation.
    if !registered.is_empty() || !is_tame(graph) {
        return Verdict(None);
    }
    let validator = jsonschema::options()
        .with_draft(draft.of_library())
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(source);
    Verdict(validator.ok())
}

fn is_tame(graph: &Graph) -> bool {
    let mut visits = vec![None; graph.nodes.len()];
    count(graph, graph.root, &mut visits, 0).is_some_and(|visits| visits <= MAX_VISITS)
}

/// How many visits of nodes one visit of this one may lead to; `None` if that is without bound.
fn count(graph: &Graph, node: NodeId, visits: &mut Vec<Option<u64>>, depth: usize) -> Option<u64> {
    if let Some(visits) = visits[node] {
        return Some(visits);
    }
    // A circle, or a chain too long to follow.
    if depth > 256 {
        return None;
    }
    let mut sum = 1_u64;
    for keyword in &graph.nodes[node].keywords {
        let is_tame = match keyword {
            Keyword::Enum(options) => options.others.len() <= MAX_OPTIONS,
            // What a match costs is counted in our own evaluation alone.
            Keyword::Pattern(_)
            | Keyword::UniqueItems
            | Keyword::DynamicRef(_)
            | Keyword::UnevaluatedItems(_)
            | Keyword::UnevaluatedProperties(_) => false,
            Keyword::Properties(properties) => properties.patterns.is_empty(),
            _ => true,
        };
        if !is_tame {
            return None;
        }
        let (here, inside) = links(keyword);
        for inner in here.into_iter().chain(inside) {
            sum = sum.saturating_add(count(graph, inner, visits, depth + 1)?);
        }
    }
    visits[node] = Some(sum);
    Some(sum)
}
