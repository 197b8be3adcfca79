//! The items of an array, each judged by itself: those that do not fit are taken out and reported, and the others stay as they are spelled.
//!
//! **Invariant:** an item is taken out only if the schema of the items rejects it, so what is left is for a check of the whole to accept.

use std::ops::Range;

use jsonseam_text::pointer::escaped;
use jsonseam_text::{elements, members, value_end};

use crate::cast::cast;
use crate::check::Casts;
use crate::evaluate::{Evaluation, Spent};
use crate::exact::value_of;
use crate::graph::{Graph, Keyword, NodeId};
use crate::schema::{Schema, number_hidden};
use crate::violation::Violation;
use crate::walk;

/// How many references in a row are followed.
const DEEPEST: usize = 16;
/// The steps that an item may take, and those for each byte of it: all items together take time linear in the text.
const STEPS: u64 = 20_000;
const STEPS_PER_BYTE: u64 = 256;

/// A text without the items that do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sifted {
    /// What is left, spelled as it was.
    pub text: String,
    /// The items that were taken out, in the order of the text; at least one.
    pub unfit: Vec<UnfitItem>,
}

/// An item that its schema rejects. `Debug` shows no text of the value.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfitItem {
    /// The JSON Pointer of its array, from the root of the value.
    pub array: String,
    /// Which item of the array it was, from 0.
    pub index: usize,
    /// What is wrong with it; at least one. Paths are from the root of the value, and schema paths from the schema of the items.
    pub violations: Vec<Violation>,
}

impl std::fmt::Debug for UnfitItem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("UnfitItem")
            .field("index", &self.index)
            .field("violations", &self.violations)
            .finish_non_exhaustive()
    }
}

impl Schema {
    /// Takes the items that do not fit out of the outermost array or, of an object, out of the arrays that are its members.
    ///
    /// Casts count: an item that can be cast fits. `None` if every item fits, if no schema speaks of items alone (`prefixItems` gives each place a meaning
    /// of its own), or if it cannot be told within the budget. Whether what is left fits as a whole (`minItems`), only [`check`](Schema::check) tells.
    /// Takes time linear in the text.
    ///
    /// ```
    /// use jsonseam_schema::{Casts, Schema};
    ///
    /// let schema = Schema::compile(r#"{"items": {"type": "integer"}, "minItems": 2}"#)?;
    /// let sifted = schema.sift(r#"[1, "two", 3]"#, &Casts::NONE).expect("one does not fit");
    /// assert_eq!((sifted.text.as_str(), sifted.unfit[0].index), ("[1, 3]", 1));
    /// assert_eq!(sifted.unfit[0].violations[0].message(), r#"Field "1": Expected integer, got string"#);
    /// assert!(schema.check(&sifted.text, &Casts::NONE).is_ok());
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn sift(&self, text: &str, casts: &Casts) -> Option<Sifted> {
        let graph = self.graph();
        if !graph.dynamic.is_empty() {
            // What a dynamic reference means depends on the way to it.
            return None;
        }
        let mut sifting = Sifting { graph, casts: *casts, text, removed: Vec::new(), unfit: Vec::new() };
        if text.trim_ascii_start().starts_with('[') {
            let start = text.len() - text.trim_ascii_start().len();
            sifting.array(items_of(graph, &[graph.root])?, None, start).ok()?;
        }
        for member in members(text) {
            let name = member.name(text);
            let found = name.as_str().and_then(|name| Some((name, items_of(graph, &properties(graph, name))?)));
            if let Some((name, items)) = found
                && text.as_bytes().get(member.value.start) == Some(&b'[')
            {
                sifting.array(items, Some(name), member.value.start).ok()?;
            }
        }
        sifting.finish()
    }
}

/// The nodes of the property `name` of the outermost object.
fn properties(graph: &Graph, name: &str) -> Vec<NodeId> {
    let mut found = Vec::new();
    each(graph, graph.root, DEEPEST, &mut |keyword| {
        if let Keyword::Properties(properties) = keyword {
            found.extend(properties.named.get(name).copied());
        }
    });
    found
}

/// The one node that says what each item of an array is, by the words of these nodes.
fn items_of(graph: &Graph, nodes: &[NodeId]) -> Option<NodeId> {
    let (mut found, mut has_places) = (Vec::new(), false);
    for &node in nodes {
        each(graph, node, DEEPEST, &mut |keyword| {
            if let Keyword::Items(items) = keyword {
                has_places |= !items.prefix.is_empty();
                found.extend(items.rest);
            }
        });
    }
    found.dedup();
    match found.as_slice() {
        [only] if !has_places => Some(*only),
        _ => None,
    }
}

/// Visits the keywords of a node, and those of the nodes that it refers to at the same value.
fn each(graph: &Graph, node: NodeId, left: usize, visit: &mut impl FnMut(&Keyword)) {
    for keyword in graph.nodes.get(node).filter(|_| left > 0).into_iter().flat_map(|node| &node.keywords) {
        visit(keyword);
        let inner = match keyword {
            Keyword::Ref(inner) => std::slice::from_ref(inner),
            Keyword::AllOf(inner) | Keyword::AnyOf(inner) | Keyword::OneOf(inner) => inner,
            _ => &[],
        };
        // A schema may fork at each level; those that array items are declared by have few forms.
        for &inner in inner.iter().take(8) {
            each(graph, inner, left / 2, visit);
        }
    }
}

/// A text whose arrays are gone through.
struct Sifting<'s> {
    graph: &'s Graph,
    casts: Casts,
    text: &'s str,
    /// What is not kept, in the order of the text.
    removed: Vec<Range<usize>>,
    unfit: Vec<UnfitItem>,
}

impl Sifting<'_> {
    /// Takes the items that do not fit out of the array at `start`.
    fn array(&mut self, node: NodeId, name: Option<&str>, start: usize) -> Result<(), Spent> {
        let text = self.text.get(start..value_end(self.text.as_bytes(), start)).unwrap_or_default();
        let array = name.map(|name| format!("/{}", escaped(name))).unwrap_or_default();
        let mut items = elements(text).enumerate().peekable();
        let mut last_end = 0;
        let mut is_any_kept = false;
        while let Some((index, item)) = items.next() {
            let violations = self.violations(node, text.get(item.clone()).unwrap_or_default())?;
            if violations.is_empty() {
                is_any_kept = true;
            } else {
                let next = items.peek().map_or(item.end, |(_, next)| next.start);
                // With the comma before it or, while none is kept, with the one after it.
                let removed = if is_any_kept { last_end..item.end } else { item.start..next };
                self.removed.push(start + removed.start..start + removed.end);
                let violations = Violation::all_of_item(violations, name, index);
                self.unfit.push(UnfitItem { array: array.clone(), index, violations });
            }
            last_end = item.end;
        }
        Ok(())
    }

    /// What is wrong with an item; nothing if it fits, as it is or cast.
    fn violations(&self, node: NodeId, item: &str) -> Result<Vec<Violation>, Spent> {
        let budget = STEPS + STEPS_PER_BYTE * item.len() as u64;
        let (value, exact) = value_of(item).map_err(|_| Spent)?;
        if Evaluation::new(self.graph, budget).exactly(&exact).is_valid(node, &value, 0)? {
            return Ok(Vec::new());
        }
        if self.casts != Casts::NONE || self.graph.has_aliases {
            let cast = cast(self.graph, node, self.casts, item, (&value, &exact), budget)?;
            let (value, exact) = value_of(&cast.text).map_err(|_| Spent)?;
            if Evaluation::new(self.graph, budget).exactly(&exact).is_valid(node, &value, 0)? {
                return Ok(Vec::new());
            }
        }
        let mut violations = walk::violations(self.graph, node, (&value, &exact), budget)?;
        number_hidden(item, &mut violations);
        if violations.is_empty() { Err(Spent) } else { Ok(violations) }
    }

    fn finish(self) -> Option<Sifted> {
        let mut left = String::with_capacity(self.text.len());
        let mut pos = 0;
        for removed in self.removed {
            left.push_str(self.text.get(pos..removed.start)?);
            pos = removed.end;
        }
        left.push_str(self.text.get(pos..)?);
        (!self.unfit.is_empty()).then_some(Sifted { text: left, unfit: self.unfit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifted(schema: &str, text: &str, casts: Casts) -> Option<(String, Vec<String>)> {
        let sifted = Schema::compile(schema).expect("a schema").sift(text, &casts)?;
        Some((sifted.text, sifted.unfit.iter().map(|unfit| format!("{}/{}", unfit.array, unfit.index)).collect()))
    }

    #[test]
    fn v1_items_that_do_not_fit_are_taken_out_and_the_others_keep_their_spelling() {
        let whole =
            r##"{"properties": {"a": {"$ref": "#/$defs/list"}}, "$defs": {"list": {"items": {"type": "integer"}}}}"##;
        for (schema, text, left, places) in [
            (r#"{"items": {"type": "integer"}}"#, r#"["x" , 1.0 , null,2 ]"#, "[1.0,2 ]", vec!["/0", "/2"]),
            (r#"{"items": {"type": "integer"}}"#, r#" [ "x", "y" ]"#, " [  ]", vec!["/0", "/1"]),
            (r#"{"items": {"type": "integer"}}"#, r#"[1, "x", 2, "y", "z"]"#, "[1, 2]", vec!["/1", "/3", "/4"]),
            (whole, r#"{"a": [1, "x"], "b": ["y"]}"#, r#"{"a": [1], "b": ["y"]}"#, vec!["/a/1"]),
            (r#"{"anyOf": [{"items": {"type": "string"}}, {"type": "null"}]}"#, r#"["x", 1]"#, r#"["x"]"#, vec!["/1"]),
        ] {
            let places = places.into_iter().map(str::to_owned).collect();
            assert_eq!(sifted(schema, text, Casts::NONE), Some((left.to_owned(), places)), "{text}");
        }
    }

    #[test]
    fn v1_where_no_schema_speaks_of_items_alone_nothing_is_taken_out() {
        for (schema, text) in [
            (r#"{"items": {"type": "integer"}}"#, "[1, 2]"),
            (r#"{"items": {"type": "integer"}}"#, r#"{"a": ["x"]}"#),
            (r#"{"prefixItems": [{"type": "string"}, {"type": "integer"}]}"#, r#"["a", "b", 3]"#),
            (r#"{"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}"#, r#"["a", "b", 3]"#),
            (r#"{"maxItems": 1}"#, r#"["a", "b"]"#),
            (r#"{"oneOf": [{"items": {"type": "integer"}}, {"items": {"type": "string"}}]}"#, r#"["a", 3]"#),
            (
                r#"{"properties": {"a": {"properties": {"b": {"items": {"type": "integer"}}}}}}"#,
                r#"{"a": {"b": ["x"]}}"#,
            ),
        ] {
            assert_eq!(sifted(schema, text, Casts::NONE), None, "{schema} {text}");
        }
    }

    #[test]
    fn v1_an_item_that_can_be_cast_fits() {
        let schema = r#"{"items": {"type": "integer"}}"#;
        let left = (r#"["1"]"#.to_owned(), vec!["/1".to_owned()]);
        assert_eq!(sifted(schema, r#"["1", "x"]"#, Casts::EXACT), Some(left));
    }

    #[test]
    fn v3_what_cannot_be_told_in_time_linear_in_the_text_is_not_taken_out() {
        let schema = |count: usize| {
            let forms = r#"{"pattern": "x"},"#.repeat(count);
            format!(r#"{{"items": {{"items": {{"anyOf": [{forms}{{"const": 1}}]}}}}}}"#)
        };
        let text = r#"[["y"], [1]]"#;
        assert_eq!(sifted(&schema(400), text, Casts::NONE), Some(("[[1]]".to_owned(), vec!["/0".to_owned()])));
        assert_eq!(sifted(&schema(20_000), text, Casts::NONE), None);
    }
}
