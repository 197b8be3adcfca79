//! Schemas and texts that were made to cost too much, and what must come of each.

use serde_json::{Value, json};

/// What comes of a schema and a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The schema is refused, for this reason.
    Refused(&'static str),
    /// The check ends at its budget.
    Budget,
    Fits,
    Unfit,
    NotRepresentable,
}

use Outcome::{Budget, Fits, NotRepresentable, Refused, Unfit};

/// A schema, a text, and the outcome.
pub(super) struct Bomb {
    pub(super) name: &'static str,
    pub(super) schema: Box<dyn Fn() -> String>,
    pub(super) text: Box<dyn Fn() -> String>,
    pub(super) outcome: Outcome,
    /// Whether the check also casts.
    pub(super) casts: bool,
}

/// A bomb that is built when it is wanted: together they are too large for one process.
macro_rules! bomb {
    ($name:expr, $schema:expr, $text:expr, $outcome:expr $(,)?) => {
        Bomb {
            name: $name,
            schema: Box::new(move || $schema.to_string()),
            text: Box::new(move || $text.to_string()),
            outcome: $outcome,
            casts: false,
        }
    };
}

fn casting(bomb: Bomb) -> Bomb {
    Bomb { casts: true, ..bomb }
}

/// An object of so many members.
fn object(count: usize, name: impl Fn(usize) -> String, value: impl Fn(usize) -> Value) -> Value {
    Value::Object((0..count).map(|number| (name(number), value(number))).collect())
}

/// An array of so many items.
fn list(count: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..count).map(item).collect()
}

/// An array of one text, many times.
fn repeated(item: &str, count: usize) -> String {
    format!("[{}{item}]", format!("{item},").repeat(count - 1))
}

fn nested(opener: &str, core: &str, closer: &str, depth: usize) -> String {
    format!("{}{core}{}", opener.repeat(depth), closer.repeat(depth))
}

/// Definitions that refer each to the next one, as a keyword has it.
fn definitions(count: usize, core: Value, link: impl Fn(Value) -> Value) -> Value {
    let mut all =
        object(count, |level| format!("d{level}"), |level| link(json!({"$ref": format!("#/$defs/d{}", level + 1)})));
    all[format!("d{count}")] = core;
    json!({"$defs": all, "$ref": "#/$defs/d0"})
}

/// Definitions in which each refers to the next one twice.
fn diamond(depth: usize, keyword: &str, core: Value) -> Value {
    definitions(depth, core, |next| json!({keyword: [next.clone(), next]}))
}

/// A chain of definitions, each nothing but the next.
fn chain(length: usize) -> Value {
    definitions(length, json!({"type": "string"}), |next| next)
}

/// A schema whose arrays may hold the same again, in three ways.
fn branching(keyword: &str) -> Value {
    let branch = |least: u64| json!({"type": "array", "minItems": least, "items": {"$ref": "#"}});
    json!({keyword: [branch(0), branch(1), branch(1), {"type": "string"}]})
}

/// References that lead out, by their schemes. `port` listens, and must not hear of it.
fn outward(port: u16) -> Vec<Bomb> {
    let external = Refused("external_reference");
    [
        ("`$ref` to http", format!("http://127.0.0.1:{port}/a.json")),
        ("`$ref` to https", format!("https://127.0.0.1:{port}/a.json")),
        ("`$ref` to a host", format!("//127.0.0.1:{port}/a.json")),
        ("`$ref` to a file", "file:///etc/hostname".to_owned()),
        ("`$ref` to a path", "/etc/hostname".to_owned()),
        ("`$ref` to a relative path", "../../../etc/hostname#/a".to_owned()),
        ("`$ref` to a neighbour", "other.json".to_owned()),
        ("`$ref` to a urn", "urn:example:other".to_owned()),
        ("`$ref` to data", "data:application/json,1".to_owned()),
        ("`$ref` to ftp", format!("ftp://127.0.0.1:{port}/a.json")),
    ]
    .into_iter()
    .map(|(name, target)| bomb!(name, json!({"$ref": target.as_str()}), "1", external))
    .chain([
        bomb!(
            "`$schema` at http",
            json!({"$schema": format!("http://127.0.0.1:{port}/m")}),
            "1",
            Refused("unsupported_draft"),
        ),
        bomb!("`$dynamicRef` to http", json!({"$dynamicRef": format!("http://127.0.0.1:{port}/m#a")}), "1", external),
        bomb!(
            "`$id` at http, relative `$ref`",
            json!({"$id": format!("http://127.0.0.1:{port}/a/b"), "items": {"$ref": "c"}}),
            "[]",
            external,
        ),
    ])
    .collect()
}

fn patterns() -> Vec<Bomb> {
    let pattern = |name, source: &'static str, length: usize, outcome| {
        bomb!(name, json!({"pattern": source}), json!("a".repeat(length)), outcome)
    };
    let refused = |name, source| pattern(name, source, 0, Refused("unsupported_pattern"));
    let many = || object(200, |number| format!("^k{number}[a-z]*[0-9]$"), |_| json!({"type": "integer"}));
    let keys = || object(2000, |number| format!("k{}abcdefgh{number}", number % 200), |_| json!(1));
    let too_many = || object(1500, |number| format!("^{number}$"), |_| json!({}));
    vec![
        refused("look-ahead", "(?=a)b"),
        pattern("look-aheads after a caret", "^(?=(a*)*b)(?!.*(a|aa)+c)a", 20_000, Unfit),
        refused("negative look-behind", "(?<!a)b"),
        refused("back-reference", "(a+)\\1"),
        refused("a repetition of 100,000", "a{100000}"),
        refused("repetitions of repetitions", "(((a{50}){50}){50}){50}"),
        refused("a repetition of all letters", "^\\p{L}{1,900}$"),
        bomb!("a pattern of 5,000 bytes", json!({"pattern": "a".repeat(5000)}), "1", Refused("unsupported_pattern"),),
        pattern("an exponential pattern", "^(a*)*b$", 20_000, Unfit),
        pattern("an ambiguous pattern", "^(([a-z])+.)+[A-Z]([a-z])+$", 20_000, Unfit),
        pattern("a wide pattern, a long text", "^(a?){400}b$", 2_000_000, Budget),
        bomb!("200 patterns, 2,000 keys", json!({"patternProperties": many()}), keys(), Fits),
        bomb!("1,500 patterns", json!({"patternProperties": too_many()}), "{}", Refused("too_complex")),
    ]
}

fn recursion() -> Vec<Bomb> {
    let deep = |depth| nested("[", "1", "]", depth);
    let integer = || json!({"type": "integer"});
    vec![
        bomb!("diamond of 20, fits", diamond(20, "allOf", integer()), "1", Fits),
        bomb!("diamond of 20, unfit", diamond(20, "allOf", integer()), "\"\"", Unfit),
        bomb!("diamond of 200, anyOf", diamond(200, "anyOf", integer()), "\"\"", Unfit),
        bomb!("diamond of 200, oneOf", diamond(200, "oneOf", integer()), "1", Unfit),
        bomb!("recursive anyOf, 12 levels", branching("anyOf"), deep(12), Unfit),
        bomb!("recursive anyOf, 100 levels", branching("anyOf"), deep(100), Unfit),
        bomb!("recursive oneOf, 100 levels", branching("oneOf"), deep(100), Unfit),
        casting(bomb!("recursive anyOf, 100 levels, cast", branching("anyOf"), deep(100), Unfit)),
        bomb!("recursive anyOf, 20,000 arrays", branching("anyOf"), format!("[{}1]", "[[[1]]],".repeat(20_000)), Unfit,),
        bomb!("60 levels of not", nested("{\"not\":", "{\"type\":\"string\"}", "}", 60), "1", Unfit),
        bomb!("10,000 levels of not", nested("{\"not\":", "{}", "}", 10_000), "1", Refused("too_deep")),
        bomb!("10,000 levels of items", nested("{\"items\":", "{}", "}", 10_000), "1", Refused("too_deep")),
        bomb!("a million levels", nested("[", "", "]", 1_000_000), "1", Refused("too_large")),
        bomb!("a chain of 590 references", chain(590), "1", Unfit),
        bomb!("a chain of 10,000 references", chain(10_000), "1", Budget),
        bomb!("`$ref` to itself", json!({"$ref": "#"}), "1", Refused("reference_loop")),
        bomb!(
            "`$ref` in a circle",
            json!({
                "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}},
                "$ref": "#/$defs/a",
            }),
            "1",
            Refused("reference_loop"),
        ),
        bomb!("`$dynamicRef` to itself", json!({"$dynamicAnchor": "a", "$dynamicRef": "#a"}), "1", Budget),
        bomb!(
            "`$recursiveRef` to itself",
            json!({
                "$schema": "https://json-schema.org/draft/2019-09/schema",
                "$recursiveAnchor": true,
                "anyOf": [{"$recursiveRef": "#"}],
            }),
            "1",
            Budget,
        ),
        bomb!(
            "`$dynamicRef`, three ways, 100 levels",
            json!({"$dynamicAnchor": "a", "anyOf": [
                {"type": "array", "items": {"$dynamicRef": "#a"}},
                {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#a"}},
                {"type": "string"},
            ]}),
            deep(100),
            Unfit,
        ),
        bomb!("a text of 10,000 levels", branching("anyOf"), deep(10_000), NotRepresentable),
        bomb!(
            "the meta-schema, put to 100 levels of not",
            json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}),
            nested("{\"not\":", "{\"type\":1}", "}", 100),
            Unfit,
        ),
    ]
}

fn width() -> Vec<Bomb> {
    let constants = || list(1000, |number| json!({"const": number}));
    let objects = || list(20_000, |number| json!({"a": number}));
    let names = || list(40_000, |number| json!(format!("n{number}")));
    let keys = || object(100_000, |number| format!("k{number}"), Value::from);
    let long = || object(40, |number| format!("{}{number}", "k".repeat(100_000)), Value::from);
    vec![
        bomb!("2,000,000 wrong items", json!({"items": {"type": "string"}}), repeated("1", 2_000_000), Unfit),
        bomb!("2,000,000 right items", json!({"items": {"type": "integer"}}), repeated("1", 2_000_000), Fits),
        bomb!(
            "enum of 50,000, 50 wrong items",
            json!({"items": {"enum": list(50_000, Value::from)}}),
            repeated("-1", 50),
            Unfit,
        ),
        bomb!(
            "enum of 20,000 objects, 20,000 items",
            json!({"contains": {"enum": objects()}}),
            repeated("{\"a\":-1}", 20_000),
            Unfit,
        ),
        bomb!("1,000 alternatives, 1,000 items", json!({"items": {"anyOf": constants()}}), repeated("999", 1000), Fits,),
        bomb!(
            "1,000 alternatives, 100,000 items",
            json!({"items": {"anyOf": constants()}}),
            repeated("999", 100_000),
            Budget,
        ),
        bomb!("40,000 required names", json!({"required": names()}), "{}", Unfit),
        bomb!("100,000 keys that are not allowed", json!({"additionalProperties": false}), keys(), Unfit),
        bomb!("long keys in every error", json!({"additionalProperties": {"type": "string"}}), long(), Unfit),
        bomb!("200,000 items, all different", json!({"uniqueItems": true}), list(200_000, Value::from), Fits),
        bomb!("200,000 items, all equal", json!({"uniqueItems": true}), repeated("[{}]", 200_000), Unfit),
        bomb!("multipleOf 1e-300", json!({"items": {"multipleOf": 1e-300}}), repeated("1.7e308", 50_000), Fits,),
        bomb!(
            "a schema of 300,000 parts",
            format!("{{\"allOf\":[{}{{}}]}}", "{},".repeat(300_000)),
            "1",
            Refused("too_complex"),
        ),
        bomb!("a schema of 2 MiB", json!({"title": "a".repeat(2 << 20)}), "1", Refused("too_large")),
        bomb!(
            "contains in contains",
            nested("{\"contains\":", "{\"type\":\"string\"}", "}", 60),
            nested("[0,", "1", "]", 60),
            Fits,
        ),
        bomb!(
            "minContains of 2^60",
            json!({"contains": {}, "minContains": 1_u64 << 60}),
            repeated("1", 100_000),
            Unfit,
        ),
    ]
}

fn unevaluated() -> Vec<Bomb> {
    let keys = || object(2000, |number| format!("k{number}"), Value::from);
    let named = || list(2000, |number| json!({"properties": {format!("k{number}"): {}}}));
    let levels = || {
        let core = json!({"properties": {"a": {}}});
        (0..25).fold(core, |inner, _| json!({"anyOf": [inner], "unevaluatedProperties": {"type": "integer"}}))
    };
    let wide = || {
        let mut schema = diamond(24, "anyOf", json!({"properties": {"a": {}}}));
        schema["unevaluatedProperties"] = json!(false);
        schema
    };
    let recursive = || {
        let mut schema = branching("anyOf");
        schema["unevaluatedItems"] = json!(false);
        schema
    };
    vec![
        bomb!("unevaluatedProperties over a diamond", wide(), "{\"a\":1}", Fits),
        bomb!("unevaluatedProperties over a diamond, unfit", wide(), "{\"b\":1}", Unfit),
        bomb!(
            "unevaluatedProperties, 2,000 branches, 2,000 keys",
            json!({"anyOf": named(), "unevaluatedProperties": false}),
            keys(),
            Budget,
        ),
        bomb!("unevaluatedProperties, 25 levels", levels(), keys(), Budget),
        bomb!("unevaluatedItems, recursive", recursive(), nested("[", "1", "]", 100), Unfit),
        bomb!(
            "unevaluatedItems, contains over 100,000 items",
            json!({"contains": {"type": "integer"}, "unevaluatedItems": {"type": "string"}}),
            format!("[{}\"a\"]", "1,".repeat(100_000)),
            Fits,
        ),
    ]
}

fn casts() -> Vec<Bomb> {
    let quoted = || (0..12).fold("[\"1\"]".to_owned(), |inner, _| json!([inner]).to_string());
    let integers = || json!({"items": {"type": "integer"}});
    let recursive = || {
        let item = json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/n"}]});
        json!({"$ref": "#/$defs/n", "$defs": {"n": {"type": "array", "items": item}}})
    };
    let endless = || json!({"properties": {"a": {"$ref": "#", "default": {}}}});
    let below = || json!({"additionalProperties": {"items": {"type": "integer"}}});
    let under = |key: usize, inner: String| format!("{{\"{}\":{inner}}}", "k".repeat(key));
    let all = vec![
        bomb!(
            "100,000 strings to cast under a key of 1 MB",
            below(),
            under(1_000_000, format!("[{}1]", "\"1\",".repeat(100_000))),
            Unfit,
        ),
        bomb!(
            "2,000 repeated names under a key of 4 MB",
            "{}",
            under(4_000_000, format!("{{{}\"a\":1}}", "\"a\":1,".repeat(2000))),
            Fits,
        ),
        bomb!("a default in itself, for ever", endless(), "{}", Budget),
        bomb!("JSON in strings in JSON, 12 times", recursive(), quoted(), Fits),
        bomb!("90,000 strings to cast", integers(), format!("[{}1]", "\"1\",".repeat(90_000)), Fits),
        bomb!("200,000 strings to cast", integers(), format!("[{}1]", "\"1\",".repeat(200_000)), Unfit),
        bomb!("a string of a million brackets", json!({"type": "array"}), json!("[".repeat(1_000_000)), Unfit),
        bomb!("an integer of 1e999999999", json!({"type": "integer"}), "\"1e999999999\"", Unfit),
    ];
    all.into_iter().map(casting).collect()
}

/// All of them.
pub(super) fn bombs(port: u16) -> Vec<Bomb> {
    [outward(port), patterns(), recursion(), width(), unevaluated(), casts()].into_iter().flatten().collect()
}
