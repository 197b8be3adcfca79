//! Casts: what a value would have to be to fit, without losing anything, and the same in its text.
//!
//! The value is cast first, node by node, only where a schema rejects it and accepts the other spelling.
//! Then the text is cast in the same places, from its own characters, so no digit passes through a float.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use crate::check::{Cast, CastKind, Casts};
use crate::evaluate::{Evaluation, ScopeId, Spent, weight};
use crate::graph::{Graph, Keyword, NodeId};
use crate::spans::locate;
use crate::violation::{Segment, bounded_pointer};

/// How deep a value is followed.
const MAX_DEPTH: usize = 400;
/// How many casts one check makes.
const MAX_CASTS: usize = 100_000;
/// What the paths of all casts of one check take together, in bytes: each cast keeps its own.
const MAX_PATH_BYTES: usize = 32 << 20;
/// The longest integer that a float is spelled out as, in digits.
const MAX_DIGITS: usize = 64;

/// A text with casts in it.
pub(crate) struct CastText<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) casts: Vec<Cast>,
}

/// The text with every cast that its schema asks for.
pub(crate) fn cast<'a>(
    graph: &Graph,
    casts: Casts,
    text: &'a str,
    value: &Value,
    budget: u64,
) -> Result<CastText<'a>, Spent> {
    let mut caster = Caster {
        evaluation: Evaluation::new(graph, budget),
        casts,
        path: Vec::new(),
        changes: Vec::new(),
        path_bytes: 0,
    };
    caster.evaluation.spend(weight(value))?;
    let mut value = value.clone();
    caster.value(graph.root, &mut value, 0)?;
    Ok(respelled(text, &caster.changes, graph))
}

/// One cast that is to be made in the text.
#[derive(Debug, Clone)]
struct Change {
    path: Vec<Segment>,
    kind: CastKind,
    /// What is filled in.
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
        if self.casts.coerce {
            self.string(node, value, scope)?;
            self.float(node, value)?;
        }
        let graph = self.evaluation.graph;
        for keyword in &graph.nodes[node].keywords {
            self.keyword(keyword, value, scope)?;
        }
        self.evaluation.leave();
        Ok(())
    }

    /// Casts a string to what it holds, if the node's own words reject it and accept that.
    fn string(&mut self, node: NodeId, value: &mut Value, scope: ScopeId) -> Result<(), Spent> {
        let Value::String(text) = &*value else { return Ok(()) };
        self.evaluation.spend(1 + text.len() as u64 / 16)?;
        if !self.rejects(node, value) {
            return Ok(());
        }
        let Some((kind, cast)) = held(text) else { return Ok(()) };
        // What is in a container may need casts of its own; whether it fits then, the end decides.
        let is_container = kind == CastKind::StringToJson;
        if !self.rejects(node, &cast) && (is_container || self.fits(node, &cast, scope)?) {
            self.change(kind, String::new())?;
            *value = cast;
        }
        Ok(())
    }

    /// Spells a float out where an integer is wanted.
    fn float(&mut self, node: NodeId, value: &Value) -> Result<(), Spent> {
        let Value::Number(number) = value else { return Ok(()) };
        let wants = |keyword: &Keyword| matches!(keyword, Keyword::Type(kinds) if kinds.wants_integer());
        let is_wanted = self.evaluation.graph.nodes[node].keywords.iter().any(wants);
        if is_wanted && number.is_f64() && crate::number::is_integer(number) {
            self.change(CastKind::IntegralFloat, String::new())?;
        }
        Ok(())
    }

    /// Whether a node's own words about kinds and constants reject a value.
    fn rejects(&self, node: NodeId, value: &Value) -> bool {
        self.evaluation.graph.nodes[node].keywords.iter().any(|keyword| match keyword {
            Keyword::Type(kinds) => !kinds.accept(value),
            Keyword::Enum(options) => !options.has(value),
            Keyword::Const(constant) => !crate::number::equal(constant, value),
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
                if self.casts.defaults {
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
        for &node in nodes {
            let before = self.changes.len();
            self.evaluation.spend(weight(value))?;
            let mut trial = value.clone();
            self.value(node, &mut trial, scope)?;
            if self.changes.len() > before && self.fits(node, &trial, scope)? {
                *value = trial;
                return Ok(());
            }
            for change in self.changes.drain(before..) {
                self.path_bytes -= change.path.iter().map(taken).sum::<usize>();
            }
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

/// What a string holds, if that is exactly a number, a boolean, an object or an array.
fn held(text: &str) -> Option<(CastKind, Value)> {
    let kind = match text.bytes().find(|byte| !byte.is_ascii_whitespace())? {
        b'{' | b'[' => CastKind::StringToJson,
        b't' | b'f' => CastKind::StringToBoolean,
        b'-' | b'0'..=b'9' => CastKind::StringToNumber,
        _ => return None,
    };
    let is_exact = !text.starts_with(|first: char| first.is_ascii_whitespace())
        && !text.ends_with(|last: char| last.is_ascii_whitespace());
    if kind != CastKind::StringToJson && !is_exact {
        return None;
    }
    Some((kind, serde_json::from_str(text).ok()?))
}

/// For each change, how many others must be made before its place exists in the text.
///
/// A change that was found twice, by two nodes that speak of one value, has no level the second time.
fn levels(changes: &[Change]) -> Vec<Option<usize>> {
    let mut makers: HashMap<&[Segment], usize> = HashMap::new();
    let mut seen = HashSet::new();
    changes
        .iter()
        .map(|change| {
            if !seen.insert((change.path.as_slice(), change.kind)) {
                return None;
            }
            let level = (0..=change.path.len()).filter_map(|length| makers.get(&change.path[..length])).sum();
            *makers.entry(&change.path).or_default() += 1;
            Some(level)
        })
        .collect()
}

/// The text with the changes made, outermost first.
fn respelled<'a>(text: &'a str, changes: &[Change], graph: &Graph) -> CastText<'a> {
    let mut cast = CastText { text: Cow::Borrowed(text), casts: Vec::new() };
    let levels = levels(changes);
    for level in 0..=levels.iter().flatten().copied().max().unwrap_or(0) {
        let batch: Vec<&Change> =
            changes.iter().zip(&levels).filter(|(_, at)| **at == Some(level)).map(|(change, _)| change).collect();
        let (text, made) = made(&cast.text, &batch);
        cast.casts.extend(made.into_iter().map(|change| Cast {
            path: bounded_pointer(&change.path, None),
            shown: bounded_pointer(&change.path, Some(&graph.declared)),
            kind: change.kind,
        }));
        cast.text = Cow::Owned(text);
    }
    if cast.casts.is_empty() {
        cast.text = Cow::Borrowed(text);
    }
    cast
}

/// A text with changes made that do not lie inside each other, and those that were made.
fn made<'c>(text: &str, changes: &[&'c Change]) -> (String, Vec<&'c Change>) {
    // What is filled in is looked for by the object around it.
    let paths: Vec<&[Segment]> = changes
        .iter()
        .map(|change| match change.kind {
            CastKind::Default => change.path.split_last().map_or(&[][..], |(_, object)| object),
            _ => change.path.as_slice(),
        })
        .collect();
    let spots = locate(text, &paths);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // Where members were added already.
    let mut grown = HashSet::new();
    let mut made = Vec::new();
    for (change, spot) in changes.iter().zip(spots) {
        let Some(spot) = spot else { continue };
        let edit = match change.kind {
            CastKind::Default => {
                let (Some((at, has_members)), Some(Segment::Key(name))) = (spot.addition, change.path.last()) else {
                    continue;
                };
                let has_before = !grown.insert(at) || has_members;
                let comma = if has_before { ", " } else { "" };
                Some((at..at, format!("{comma}{}: {}", Value::from(name.as_ref()), change.filled)))
            }
            CastKind::IntegralFloat => spelled_out(&text[spot.span.clone()]).map(|integer| (spot.span, integer)),
            _ => serde_json::from_str(&text[spot.span.clone()]).ok().map(|held| (spot.span, held)),
        };
        if let Some(edit) = edit {
            edits.push(edit);
            made.push(*change);
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in edits {
        result.push_str(&text[at..span.start]);
        result.push_str(&replacement);
        at = span.end;
    }
    result.push_str(&text[at..]);
    (result, made)
}

/// The digits of a number that is an integer but spelled with a point or an exponent.
///
/// `None` if it is spelled as an integer already, is a negative zero, or would be too long.
fn spelled_out(number: &str) -> Option<String> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == number.len() {
        return None;
    }
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let exponent: i64 = exponent.parse().ok()?;
    let mut digits = format!("{whole}{fraction}");
    let point = i64::try_from(whole.len()).ok()?.checked_add(exponent)?;
    if digits.bytes().all(|digit| digit == b'0') {
        return sign.is_empty().then(|| "0".to_owned());
    }
    let point = usize::try_from(point).ok()?;
    if point > MAX_DIGITS {
        return None;
    }
    while digits.len() < point {
        digits.push('0');
    }
    let (integer, rest) = digits.split_at(point);
    if rest.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let integer = integer.trim_start_matches('0');
    Some(format!("{sign}{integer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_floats_are_spelled_out_from_their_digits() {
        for (number, integer) in [
            ("3.0", Some("3")),
            ("-3.00", Some("-3")),
            ("1e2", Some("100")),
            ("1.50E+1", Some("15")),
            ("120e-1", Some("12")),
            ("12345678901234567890123.0", Some("12345678901234567890123")),
            ("0.0", Some("0")),
            ("-0.0", None),
            ("3", None),
            ("1e400", None),
            ("1e99999999999999999999", None),
            ("0.5", None),
            ("0.10e1", Some("1")),
        ] {
            assert_eq!(spelled_out(number).as_deref(), integer, "{number}");
        }
    }

    #[test]
    fn v3_pointers_of_casts_are_bounded_whatever_the_keys() {
        let schema = r#"{"additionalProperties": {"items": {"type": "integer"}}}"#;
        let schema = crate::Schema::compile(schema).expect("a schema");
        let check = |key: usize, casts: usize| {
            let text = format!("{{\"{}\":[{}0]}}", "k".repeat(key), "\"1\",".repeat(casts));
            schema.check(&text, &Casts::ALL).map(|checked| checked.casts).map_err(|failure| failure.violations().len())
        };
        let casts = check(505, 20).expect("it fits");
        assert_eq!((casts.len(), casts[9].path().len()), (20, 508));
        assert_eq!(casts[19].path(), format!("/{}/19", "k".repeat(505)));
        let casts = check(100_000, 20).expect("it fits");
        assert_eq!((casts.len(), casts[19].path(), casts[19].shown.as_str()), (20, "", "/*/19"));
        // Their paths would take 40 MB.
        assert!(check(100_000, 400).is_err());
    }

    #[test]
    fn v1_only_exact_spellings_are_held() {
        for text in ["42", "-0", "1e5", "12345678901234567890123", "true", "false", "{}", " [1] "] {
            assert!(held(text).is_some(), "{text}");
        }
        for text in ["", " 42", "42 ", "+1", "007", "0x1F", "1,000", "True", "yes", "null", "NaN", "\"a\"", "{", "1 2"]
        {
            assert!(held(text).is_none(), "{text}");
        }
    }
}
