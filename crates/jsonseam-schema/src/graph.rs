//! A compiled schema: nodes, and links between them.
//!
//! **Invariant:** links that stay at the same value form no circle, except through `$dynamicRef`, which the depth of an evaluation bounds.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Number, Value};

use crate::exact::Exact;
use crate::format::Format;
use crate::number::{Divisor, canonical_text};
use crate::pattern::Pattern;
use crate::violation::Declared;

/// The number of a node.
pub(crate) type NodeId = usize;

/// A schema, compiled.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
    /// By resource: where its dynamic anchors are.
    pub(crate) dynamic: HashMap<usize, BTreeMap<String, NodeId>>,
    /// Every name that the schema declares.
    pub(crate) declared: Declared,
    /// Whether some object has names that stand for others.
    pub(crate) has_aliases: bool,
    /// The numbers of the schema that no float holds.
    pub(crate) exact: Exact,
}

/// A compiled schema object, or `true` or `false`.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) keywords: Vec<Keyword>,
    /// The resource it belongs to.
    pub(crate) resource: usize,
    /// Whether more than one link leads here, so that its verdicts are worth remembering.
    pub(crate) is_shared: bool,
    /// Whether `null` fits whatever the keywords say (`nullable`).
    pub(crate) accepts_null: bool,
    /// What `default` says.
    pub(crate) default: Option<Value>,
}

impl Node {
    /// Whether this is the schema `false`.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self.keywords.as_slice(), [Keyword::Never])
    }
}

/// One assertion or applicator.
#[derive(Debug)]
pub(crate) enum Keyword {
    Never,
    Type(Kinds),
    Enum(Options),
    Const(Value),
    MultipleOf(Divisor),
    Maximum(Number),
    ExclusiveMaximum(Number),
    Minimum(Number),
    ExclusiveMinimum(Number),
    MaxLength(u64),
    MinLength(u64),
    Pattern(Pattern),
    Format(Format),
    MaxItems(u64),
    MinItems(u64),
    UniqueItems,
    Contains(Contains),
    Items(Items),
    MaxProperties(u64),
    MinProperties(u64),
    Required(Vec<Box<str>>),
    DependentRequired(&'static str, Vec<(Box<str>, Vec<Box<str>>)>),
    DependentSchemas(&'static str, Vec<(Box<str>, NodeId)>),
    Properties(Properties),
    PropertyNames(NodeId),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If(If),
    Ref(NodeId),
    DynamicRef(DynamicRef),
    UnevaluatedItems(NodeId),
    UnevaluatedProperties(NodeId),
}

/// `contains` with its bounds.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) node: NodeId,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
    /// Whether items that fit count as evaluated (draft 2020-12).
    pub(crate) marks: bool,
}

/// `prefixItems` and `items`, or `items` and `additionalItems`.
#[derive(Debug)]
pub(crate) struct Items {
    pub(crate) prefix: Vec<NodeId>,
    pub(crate) prefix_name: &'static str,
    pub(crate) rest: Option<NodeId>,
    pub(crate) rest_name: &'static str,
}

/// `properties`, `patternProperties` and `additionalProperties`.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    pub(crate) named: BTreeMap<Box<str>, NodeId>,
    pub(crate) patterns: Vec<(Pattern, NodeId)>,
    pub(crate) additional: Option<NodeId>,
    /// The names that stand for declared ones, each with the name that it stands for.
    pub(crate) aliases: Vec<(Box<str>, Box<str>)>,
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) condition: NodeId,
    pub(crate) then: Option<NodeId>,
    pub(crate) otherwise: Option<NodeId>,
}

/// `$dynamicRef` or `$recursiveRef` whose target the dynamic scope decides.
#[derive(Debug)]
pub(crate) struct DynamicRef {
    pub(crate) name: &'static str,
    pub(crate) anchor: String,
    pub(crate) fallback: NodeId,
}

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    const NAMES: [&'static str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
    /// Set if `3.0` is not an integer, as draft 4 has it.
    const EXACT: u8 = 0b1000_0000;
    /// What `type` accepts where it is not given.
    pub(crate) const ALL: Self = Self(0b111_1111);

    pub(crate) const NONE: Self = Self(0);

    /// The kinds that `type` names.
    pub(crate) fn named(value: &Value) -> Self {
        let names: Vec<&str> = match value {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let bit = |name: &&str| Self::NAMES.iter().position(|known| known == name).map_or(0, |at| 1 << at);
        Self(names.iter().map(bit).fold(0, |all, bit| all | bit))
    }

    /// The kind of a value.
    pub(crate) fn of(value: &Value) -> Self {
        Self::named(&Value::from(crate::violation::kind_of(value)))
    }

    pub(crate) fn has(self, name: &str) -> bool {
        Self::NAMES.iter().position(|known| *known == name).is_some_and(|at| self.0 & (1 << at) != 0)
    }

    pub(crate) fn accept(self, value: &Value, exact: &Exact) -> bool {
        match value {
            Value::Null => self.has("null"),
            Value::Bool(_) => self.has("boolean"),
            Value::Number(number) => {
                let is_exact = || self.0 & Self::EXACT == 0 || !number.is_f64();
                let is_integer = || exact.is_integer(number).unwrap_or_else(|| crate::number::is_integer(number));
                self.has("number") || (self.has("integer") && is_integer() && is_exact())
            }
            Value::String(_) => self.has("string"),
            Value::Array(_) => self.has("array"),
            Value::Object(_) => self.has("object"),
        }
    }

    /// The same kinds, but a number with a point or an exponent is not an integer.
    pub(crate) fn exact(self) -> Self {
        Self(self.0 | Self::EXACT)
    }

    /// Only whole numbers, of all numbers.
    pub(crate) fn wants_integer(self) -> bool {
        self.has("integer") && !self.has("number")
    }

    pub(crate) fn and(self, other: Self) -> Self {
        // A number includes the integers, so `integer` survives beside `number`.
        let widen = |kinds: Self| if kinds.has("number") { kinds.0 | 0b100 } else { kinds.0 };
        Self(widen(self) & widen(other))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// `string`, or `string or null`; nothing at all is `nothing`.
    pub(crate) fn told(self) -> String {
        let names: Vec<&str> = Self::NAMES
            .into_iter()
            .filter(|name| self.has(name) && !(*name == "integer" && self.has("number")))
            .collect();
        // The kind that says least comes last.
        let (nulls, others): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| *name == "null");
        let told = others.into_iter().chain(nulls).collect::<Vec<_>>().join(" or ");
        if told.is_empty() { "nothing".to_owned() } else { told }
    }
}

impl Options {
    pub(crate) fn has(&self, value: &Value, exact: &Exact) -> bool {
        match value {
            Value::String(text) => self.strings.contains(text.as_str()),
            other => self.texts.contains(&canonical_text(other, exact)),
        }
    }
}

/// The values of `enum`.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) strings: HashSet<Box<str>>,
    pub(crate) others: Vec<Value>,
    /// The canonical texts of the others, so that looking for a value takes as long as reading it.
    pub(crate) texts: HashSet<String>,
    /// The values in their order, for messages.
    pub(crate) told: String,
}
