//! The library's verdict, where it is sure to come quickly.
//!
//! `jsonschema` is fast, but it counts nothing and cannot be stopped: on nested references, recursion or `unevaluatedProperties` one call may take for ever.
//! So it is asked only about schemas without circles whose links, followed in every way, stay few; everything else our own evaluation decides.

use serde_json::Value;

use crate::compile::links;
use crate::draft::Draft;
use crate::graph::{Graph, Keyword, NodeId};
use crate::limits::budget;

/// How many visits a tame schema may need for one value.
const MAX_VISITS: u64 = 2000;
/// How many values `enum` may have.
const MAX_OPTIONS: usize = 64;

/// The library's validator, if the schema is tame.
pub(crate) struct Verdict(Option<Library>);

struct Library {
    validator: jsonschema::Validator,
    /// How many visits of nodes one value may take.
    visits: u64,
}

impl Verdict {
    /// Whether a value of a text this long fits, if the library may be asked.
    pub(crate) fn of(&self, value: &Value, bytes: usize) -> Option<bool> {
        let library = self.0.as_ref()?;
        // Every value takes two bytes at least, with its comma or bracket.
        let visits = library.visits.saturating_mul(bytes as u64 / 2 + 1);
        (visits <= budget(bytes)).then(|| library.validator.is_valid(value))
    }
}

/// Builds the library's validator for a tame schema.
pub(crate) fn verdict(graph: &Graph, source: &Value, draft: Draft, registered: &[(String, &Value)]) -> Verdict {
    // Documents of the caller would have to be registered twice; who registers any can wait for our own evaluation.
    if !registered.is_empty() {
        return Verdict(None);
    }
    let mut visits = vec![None; graph.nodes.len()];
    let Some(visits) = count(graph, graph.root, &mut visits, 0).filter(|visits| *visits <= MAX_VISITS) else {
        return Verdict(None);
    };
    let validator = jsonschema::options()
        .with_draft(draft.of_library())
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(source);
    Verdict(validator.ok().map(|validator| Library { validator, visits }))
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
            Keyword::Enum(options) => options.others.len() + options.strings.len() <= MAX_OPTIONS,
            Keyword::Required(names) => names.len() <= MAX_OPTIONS,
            Keyword::DependentRequired(_, dependent) => dependent.len() <= MAX_OPTIONS,
            // What a match, a comparison or a division costs is counted in our own evaluation alone.
            Keyword::Pattern(_)
            | Keyword::MultipleOf(_)
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
