//! The published meta-schemas, and whether a value is a schema of a draft.
//!
//! Our own evaluator checks them, so there is one set of rules for schemas and for values, and a refused schema has a place.

pub(crate) mod documents;

use std::sync::LazyLock;

use serde_json::Value;

use self::documents::{OPENAPI_ADDRESS, document};
use crate::compile::compile;
use crate::draft::Draft;
use crate::evaluate::Evaluation;
use crate::exact::NONE;
use crate::graph::Graph;
use crate::index::Index;
use crate::limits::budget;
use crate::walk;

/// What is wrong with a schema, by its meta-schema.
pub(crate) struct Fault {
    /// Where, as a JSON Pointer.
    pub(crate) place: String,
    /// What its meta-schema says, without text of the schema.
    pub(crate) message: String,
}

/// Whether a value of a text this long is a schema of a draft. `Err(None)`: it is too large to tell.
pub(crate) fn check(draft: Draft, value: &Value, bytes: usize) -> Result<(), Option<Fault>> {
    let Some(graph) = graph(draft) else { return Err(None) };
    let mut evaluation = Evaluation::new(graph, budget(bytes));
    match evaluation.is_valid(graph.root, value, 0) {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(walk::violations(graph, graph.root, (value, &NONE), budget(bytes)).ok().and_then(|violations| {
                // The place nearest to the root is where the reader must look first.
                let first = violations.into_iter().min_by_key(|violation| violation.segments.len())?;
                Some(Fault { place: first.path(), message: first.sentence() })
            }))
        }
        Err(_) => Err(None),
    }
}

/// The compiled meta-schema of a draft.
fn graph(draft: Draft) -> Option<&'static Graph> {
    type Compiled = LazyLock<Option<Graph>>;
    fn compiled(draft: Draft, address: &str) -> Option<Graph> {
        let source = document(address)?;
        let mut index = Index::new(&[], draft).ok()?;
        let root = index.add(address, source).ok()?;
        compile(&mut index, root, &crate::compile::Reading::default()).ok()
    }
    static DRAFT4: Compiled = LazyLock::new(|| compiled(Draft::Draft4, "http://json-schema.org/draft-04/schema"));
    static DRAFT6: Compiled = LazyLock::new(|| compiled(Draft::Draft6, "http://json-schema.org/draft-06/schema"));
    static DRAFT7: Compiled = LazyLock::new(|| compiled(Draft::Draft7, "http://json-schema.org/draft-07/schema"));
    static OPENAPI: Compiled = LazyLock::new(|| compiled(Draft::Draft7, OPENAPI_ADDRESS));
    static DRAFT201909: Compiled =
        LazyLock::new(|| compiled(Draft::Draft201909, "https://json-schema.org/draft/2019-09/schema"));
    static DRAFT202012: Compiled =
        LazyLock::new(|| compiled(Draft::Draft202012, "https://json-schema.org/draft/2020-12/schema"));
    let graph = match draft {
        Draft::Draft4 => &DRAFT4,
        Draft::Draft6 => &DRAFT6,
        Draft::Draft7 => &DRAFT7,
        Draft::OpenApi30 => &OPENAPI,
        Draft::Draft201909 => &DRAFT201909,
        Draft::Draft202012 => &DRAFT202012,
    };
    graph.as_ref()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::documents::ALL;
    use super::*;

    #[test]
    fn every_meta_schema_is_there_and_is_a_schema_of_its_draft() {
        for path in ALL {
            let address = format!("https://json-schema.org/{path}");
            let document = document(&address).expect("it is known");
            let name = document["$schema"].as_str().expect("it names its draft");
            let draft = Draft::named(name).expect("a draft that we read");
            assert!(check(draft, document, 10_000).is_ok(), "{path}");
        }
        assert!(Draft::ALL.iter().all(|&draft| graph(draft).is_some()));
    }

    #[test]
    fn what_is_wrong_with_a_schema_has_a_place() {
        for (draft, schema, place) in [
            (Draft::Draft202012, json!({"properties": {"a": {"type": "strin"}}}), "/properties/a/type"),
            (Draft::Draft202012, json!({"items": [{}]}), "/items"),
            (Draft::Draft201909, json!({"anyOf": [{"minLength": -1}]}), "/anyOf/0/minLength"),
            (Draft::Draft7, json!({"required": ["a", 1]}), "/required/1"),
            (Draft::Draft6, json!({"exclusiveMinimum": true}), "/exclusiveMinimum"),
            (Draft::Draft4, json!({"not": true}), "/not"),
            (Draft::Draft4, json!({"exclusiveMinimum": 1, "minimum": 1}), "/exclusiveMinimum"),
            (Draft::OpenApi30, json!({"nullable": "yes"}), "/nullable"),
        ] {
            let Err(Some(fault)) = check(draft, &schema, 100) else { panic!("{schema} is a schema") };
            assert_eq!(fault.place, place, "{schema}: {}", fault.message);
        }
        let openapi = json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true, "nullable": true});
        assert!(check(Draft::OpenApi30, &openapi, 100).is_ok());
        assert!(check(Draft::Draft7, &openapi, 100).is_err());
    }
}
