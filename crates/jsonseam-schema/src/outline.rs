//! What a schema says of values place by place, without the details: which kinds, which strings, which keys.
//!
//! **Invariant:** a value that fits the schema fits its outline. What is not simple is left out, and then anything fits there.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::graph::{Graph, Items, Keyword, Kinds, NodeId, Properties};

/// The deepest place that is read.
const DEEPEST: usize = 16;
/// How much is read, parts and names together: a schema that refers to itself in many ways would never end.
const MOST: usize = 10_000;

/// What values fit at a place, see [`Schema::outline`](crate::Schema::outline).
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    kinds: Kinds,
    /// The only strings that fit.
    pub words: Option<BTreeSet<Box<str>>>,
    /// The keys that an object must have.
    pub required: BTreeSet<Box<str>>,
    /// The declared keys, and what fits there.
    pub keys: BTreeMap<Box<str>, Outline>,
    /// What fits at any other key; `None` if that is not known.
    pub rest: Option<Box<Outline>>,
    /// What fits as an element of an array; `None` if that is not known.
    pub item: Option<Box<Outline>>,
    /// What the schema states as the default.
    pub default: Option<Value>,
}

impl Outline {
    const ANY: Self = Self::of_kinds(Kinds::ALL);
    const NEVER: Self = Self::of_kinds(Kinds::NONE);

    /// Values of these kinds fit, and nothing more is known.
    const fn of_kinds(kinds: Kinds) -> Self {
        Self {
            kinds,
            words: None,
            required: BTreeSet::new(),
            keys: BTreeMap::new(),
            rest: None,
            item: None,
            default: None,
        }
    }

    /// Whether values of this kind fit: `null`, `boolean`, `number`, `string`, `array` or `object`.
    pub fn has(&self, kind: &str) -> bool {
        self.kinds.has(kind) || kind == "number" && self.kinds.has("integer")
    }

    /// Whether no value fits: of `rest`, that there are no other keys.
    pub fn is_never(&self) -> bool {
        self.kinds == Kinds::NONE
    }

    pub(crate) fn of(graph: &Graph) -> Self {
        Reader { graph, left: MOST }.read(graph.root, 0)
    }

    /// What fits both.
    fn and(mut self, other: Self) -> Self {
        self.kinds = self.kinds.and(other.kinds);
        self.words = both(self.words, other.words, |one, other| one.intersection(&other).cloned().collect());
        self.required.extend(other.required);
        for (key, outline) in other.keys {
            let own = self.keys.remove(&key).unwrap_or(Self::ANY);
            self.keys.insert(key, own.and(outline));
        }
        self.rest = both(self.rest, other.rest, |one, other| Box::new(one.and(*other)));
        self.item = both(self.item, other.item, |one, other| Box::new(one.and(*other)));
        self.default = self.default.or(other.default);
        self
    }

    /// What fits one of them.
    fn or(self, other: Self) -> Self {
        let kinds = self.kinds.or(other.kinds);
        // Where only one of them allows a kind, the other says nothing of it.
        let words = match (self.has("string"), other.has("string")) {
            (_, false) => self.words.clone(),
            (false, true) => other.words.clone(),
            (true, true) => self.words.as_ref().zip(other.words.as_ref()).map(|(one, other)| one | other),
        };
        let item = match (self.has("array"), other.has("array")) {
            (_, false) => self.item.clone(),
            (false, true) => other.item.clone(),
            (true, true) => self.item.clone().zip(other.item.clone()).map(|(one, other)| Box::new(one.or(*other))),
        };
        let (one, other) = match (self.has("object"), other.has("object")) {
            (_, false) => (self, None),
            (false, true) => (other, None),
            (true, true) => (self, Some(other)),
        };
        let Some(other) = other else { return Self { kinds, words, item, default: None, ..one } };
        let at =
            |outline: &Self, key: &str| outline.keys.get(key).or(outline.rest.as_deref()).cloned().unwrap_or(Self::ANY);
        let names: BTreeSet<&Box<str>> = one.keys.keys().chain(other.keys.keys()).collect();
        let keys = names.into_iter().map(|key| (key.clone(), at(&one, key).or(at(&other, key)))).collect();
        let required = &one.required & &other.required;
        let rest = one.rest.zip(other.rest).map(|(one, other)| Box::new(one.or(*other)));
        Self { kinds, words, required, keys, rest, item, default: None }
    }
}

/// Both together, or the one that there is.
fn both<T>(one: Option<T>, other: Option<T>, merge: impl FnOnce(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(merge(one, other)),
        (one, other) => one.or(other),
    }
}

struct Reader<'g> {
    graph: &'g Graph,
    left: usize,
}

impl Reader<'_> {
    fn read(&mut self, node: NodeId, depth: usize) -> Outline {
        if depth > DEEPEST || self.left == 0 {
            return Outline::ANY;
        }
        self.left -= 1;
        let node = &self.graph.nodes[node];
        let mut outline = Outline { default: node.default.clone(), ..Outline::ANY };
        // What closes an object knows its keys by then.
        let (closers, keywords): (Vec<_>, Vec<_>) =
            node.keywords.iter().partition(|keyword| matches!(keyword, Keyword::UnevaluatedProperties(_)));
        for keyword in keywords.into_iter().chain(closers) {
            if let Some(other) = self.of(keyword, depth, outline.rest.is_none()) {
                outline = outline.and(other);
            }
        }
        if node.accepts_null {
            outline.kinds = outline.kinds.or(Kinds::named(&"null".into()));
        }
        outline
    }

    /// What fits a keyword, if that is simple.
    fn of(&mut self, keyword: &Keyword, depth: usize, is_open: bool) -> Option<Outline> {
        let strings = |words: BTreeSet<Box<str>>, kinds: Kinds| Outline { kinds, words: Some(words), ..Outline::ANY };
        Some(match keyword {
            Keyword::Never => Outline::NEVER,
            Keyword::Type(kinds) => Outline::of_kinds(*kinds),
            Keyword::Enum(options) => {
                let string = Kinds::named(&"string".into());
                let first = if options.strings.is_empty() { Kinds::NONE } else { string };
                let kinds = options.others.iter().map(Kinds::of).fold(first, Kinds::or);
                strings(options.strings.iter().cloned().collect(), kinds)
            }
            Keyword::Const(value) => strings(value.as_str().map(Box::from).into_iter().collect(), Kinds::of(value)),
            Keyword::Required(names) => Outline { required: names.iter().cloned().collect(), ..Outline::ANY },
            Keyword::Properties(properties) => self.properties(properties, depth)?,
            Keyword::Items(Items { prefix, rest, .. }) => {
                let rest = rest.map_or(Outline::ANY, |rest| self.read(rest, depth + 1));
                let item = prefix.iter().map(|&item| self.read(item, depth + 1)).fold(rest, Outline::or);
                Outline { item: Some(Box::new(item)), ..Outline::ANY }
            }
            Keyword::AllOf(nodes) => nodes.iter().map(|&node| self.read(node, depth)).reduce(Outline::and)?,
            Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => {
                nodes.iter().map(|&node| self.read(node, depth)).reduce(Outline::or)?
            }
            Keyword::Ref(node) => self.read(*node, depth),
            Keyword::UnevaluatedProperties(node) if is_open => {
                Outline { rest: Some(Box::new(self.read(*node, depth + 1))), ..Outline::ANY }
            }
            _ => return None,
        })
    }

    /// Half of a list of names would be a wrong list, so one that is too long is left out.
    fn properties(&mut self, properties: &Properties, depth: usize) -> Option<Outline> {
        let Properties { named, patterns, additional, aliases } = properties;
        self.left = self.left.saturating_sub(named.len());
        if self.left == 0 {
            return None;
        }
        let mut keys: BTreeMap<_, _> =
            named.iter().map(|(key, &node)| (key.clone(), self.read(node, depth + 1))).collect();
        for (alias, name) in aliases {
            keys.extend(keys.get(name).cloned().map(|outline| (alias.clone(), outline)));
        }
        let additional = additional.filter(|_| patterns.is_empty());
        let rest = additional.map(|node| self.read(node, depth + 1)).filter(|rest| *rest != Outline::ANY).map(Box::new);
        Some(Outline { keys, rest, ..Outline::ANY })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DEEPEST, MOST, Outline};
    use crate::Schema;

    fn outline(schema: &serde_json::Value) -> Outline {
        Schema::compile(&schema.to_string()).expect("it is one").outline()
    }

    fn kinds(outline: &Outline) -> String {
        let names = ["null", "boolean", "number", "string", "array", "object"];
        names.into_iter().filter(|kind| outline.has(kind)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn r5_alternatives_add_up_and_conditions_that_hold_together_do_not() {
        let cases = [
            (json!({"type": "integer"}), "number"),
            (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), "null string"),
            (json!({"oneOf": [{"const": 1}, {"enum": ["a", true]}]}), "boolean number string"),
            (json!({"allOf": [{"type": ["string", "number"]}, {"type": ["number", "null"]}]}), "number"),
            (json!({"type": "string", "anyOf": [{"minLength": 1}, {"type": "array"}]}), "string"),
            (json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array"}}}), "array"),
            (json!({"nullable": true, "type": "object"}), "null object"),
            (json!({"minimum": 1}), "null boolean number string array object"),
            (json!(false), ""),
        ];
        for (schema, expected) in cases {
            assert_eq!(kinds(&outline(&schema)), expected, "{schema}");
        }
    }

    #[test]
    fn r5_a_key_of_one_alternative_says_nothing_where_another_one_is_open() {
        let branch = |key: &str, of: &str, is_open: bool| {
            json!({"type": "object", "required": [key, "id"], "additionalProperties": is_open,
                "properties": {key: {"type": of}, "id": {"const": of}}})
        };
        let closed = outline(&json!({"oneOf": [branch("a", "string", false), branch("b", "number", false)]}));
        assert_eq!((kinds(&closed.keys["a"]), kinds(&closed.keys["b"])), ("string".to_owned(), "number".to_owned()));
        assert!(closed.rest.as_ref().is_some_and(|rest| rest.is_never()));
        assert_eq!(closed.required.iter().map(|key| &**key).collect::<Vec<_>>(), ["id"]);
        let words = closed.keys["id"].words.as_ref().expect("they are listed");
        assert_eq!(words.iter().map(|word| &**word).collect::<Vec<_>>(), ["number", "string"]);
        let open = outline(&json!({"oneOf": [branch("a", "string", false), branch("b", "number", true)]}));
        assert_eq!(kinds(&open.keys["a"]), "null boolean number string array object");
        assert_eq!((kinds(&open.keys["b"]), open.rest.is_none()), ("number".to_owned(), true));
    }

    #[test]
    fn v3_a_schema_that_refers_to_itself_has_a_bounded_outline() {
        fn names(outline: &Outline) -> usize {
            outline.keys.values().map(|below| 1 + names(below)).sum()
        }
        let recursive = |count: usize| {
            let properties = (0..count).map(|number| (format!("key {number}"), json!({"$ref": "#"})));
            outline(
                &json!({"properties": properties.collect::<serde_json::Map<_, _>>(), "additionalProperties": false}),
            )
        };
        assert_eq!(names(&recursive(1)), DEEPEST + 1);
        for count in [2, 50, 400, 3000] {
            let names = names(&recursive(count));
            assert!(names >= count && names < MOST, "{names} names of {count}");
        }
        assert_eq!(names(&recursive(11_000)), 0);
    }
}
