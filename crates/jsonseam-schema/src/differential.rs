//! Made-up schemas and values: our evaluation, our walk and our casts beside the library's verdict.

use serde_json::{Value, json};

use crate::evaluate::Evaluation;
use crate::limits::budget;
use crate::walk;
use crate::{Casts, Schema};

/// Numbers that look random and are the same every time (the mixer of `SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap_or_default()
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(4)),
            3 => self.one(&[json!(1.5), json!(2.0), json!(-1), json!(1e300), json!(u64::MAX)]),
            4 => self.one(&[json!("1"), json!("2.0"), json!("true"), json!("[1]"), json!("{\"a\":\"1\"}")]),
            5 | 6 => self.one(&[json!(""), json!("a"), json!("ab"), json!("é")]),
            7 | 8 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let names = ["a", "b", "c", "ab"];
                Value::Object(
                    (0..self.below(4)).map(|_| (self.one(&names).to_owned(), self.value(depth - 1))).collect(),
                )
            }
        }
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..=self.below(2)).map(|_| self.schema(depth)).collect()
    }

    fn named(&mut self, names: &[&str], depth: usize) -> Value {
        Value::Object((0..self.below(3)).map(|_| (self.one(names).to_owned(), self.schema(depth))).collect())
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.below(12) == 0 {
            return json!(self.below(3) != 0);
        }
        let mut schema = json!({});
        for _ in 0..=self.below(3) {
            let (keyword, value) = self.keyword(depth);
            schema[keyword] = value;
        }
        schema
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let kinds = ["null", "boolean", "integer", "number", "string", "array", "object"];
        let names = ["a", "b", "c"];
        match self.below(if depth == 0 { 12 } else { 30 }) {
            0 | 1 => ("type", json!(self.one(&kinds))),
            2 => ("type", json!([self.one(&kinds[..3]), self.one(&kinds[3..])])),
            3 => ("enum", json!([self.value(1), "a", 1])),
            4 => ("const", self.value(1)),
            5 => (self.one(&["minimum", "exclusiveMaximum"]), self.one(&[json!(1), json!(1.5), json!(2.0)])),
            6 => ("multipleOf", self.one(&[json!(2), json!(0.5)])),
            7 => (self.one(&["minLength", "maxItems", "minProperties"]), json!(self.below(3))),
            8 => ("pattern", json!(self.one(&["^a", "b$", "^\\w+$"]))),
            9 => ("required", json!([self.one(&names)])),
            10 => ("default", self.value(1)),
            11 => ("uniqueItems", json!(true)),
            12 | 13 => (self.one(&["allOf", "anyOf", "oneOf"]), self.schemas(depth - 1)),
            14 => ("not", self.schema(depth - 1)),
            15 => (self.one(&["if", "then", "else"]), self.schema(depth - 1)),
            16..=18 => ("properties", self.named(&names, depth - 1)),
            19 => ("patternProperties", self.named(&["^a", "b"], depth - 1)),
            20 => ("additionalProperties", self.schema(depth - 1)),
            21 => ("propertyNames", self.schema(depth - 1)),
            22 => ("dependentSchemas", self.named(&names, depth - 1)),
            23 => ("prefixItems", self.schemas(depth - 1)),
            24 => ("items", self.schema(depth - 1)),
            25 => ("contains", self.schema(depth - 1)),
            26 => (self.one(&["minContains", "maxContains"]), json!(self.below(3))),
            27 => ("unevaluatedProperties", self.schema(depth - 1)),
            28 => ("unevaluatedItems", self.schema(depth - 1)),
            _ => ("$ref", json!(self.one(&["#/$defs/x", "#/$defs/y"]))),
        }
    }
}

/// Schemas with definitions that may lead to each other, and values for them.
fn cases(count: u64, check: impl Fn(&Value, &Schema, &Value)) -> usize {
    let mut checked = 0;
    for seed in 0..count {
        let mut random = Random(seed);
        let mut source = random.schema(3);
        if !source.is_object() {
            continue;
        }
        source["$defs"] = json!({"x": random.schema(2), "y": random.schema(2)});
        // Some lead in a circle, and are refused.
        let Ok(schema) = Schema::from_value(source.clone()) else { continue };
        for _ in 0..4 {
            let value = random.value(3);
            check(&source, &schema, &value);
            checked += 1;
        }
    }
    checked
}

#[test]
fn v1_our_verdict_and_walk_agree_with_the_library() {
    let checked = cases(1000, |source, schema, value| {
        let library = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .build(source)
            .unwrap_or_else(|_| panic!("the library refuses {source}"));
        let is_valid = library.is_valid(value);
        let graph = schema.graph();
        let own = Evaluation::new(graph, budget(1000)).is_valid(graph.root, value, 0);
        assert_eq!(own, Ok(is_valid), "{source} {value}");
        let walked = walk::violations(graph, value, budget(1000)).expect("within the budget");
        assert_eq!(walked.is_empty(), is_valid, "{source} {value}: {walked:?}");
        for violation in &walked {
            assert!(violation.found() == "undefined" || value.pointer(&violation.path()).is_some(), "{source} {value}");
        }
    });
    assert!(checked > 2500, "{checked} cases");
}

#[test]
fn v1_casts_make_fit_what_was_unfit_and_leave_alone_what_fits() {
    let checked = cases(1000, |source, schema, value| {
        let text = value.to_string();
        let is_valid = schema.is_valid(value);
        let Ok(cast) = schema.check(&text, &Casts::ALL) else {
            assert!(!is_valid, "casts lost {text} under {source}");
            return;
        };
        let now: Value = serde_json::from_str(&cast.text).expect("a cast text is JSON");
        assert!(schema.is_valid(&now), "{source} {text} {}", cast.text);
        assert_eq!(cast.casts.is_empty(), cast.text == text, "{source} {text} {}", cast.text);
        let coerced = schema.check(&text, &Casts { defaults: false, coerce: true });
        if is_valid {
            // Only spellings may change in a text that fits, never a value.
            let coerced: Value = serde_json::from_str(&coerced.expect("fits").text).expect("JSON");
            assert!(crate::number::equal(&coerced, value), "{source} {text}");
        }
        let again = schema.check(&cast.text, &Casts { defaults: false, coerce: true }).expect("fits");
        assert_eq!(again.text, cast.text, "{source} {text}");
    });
    assert!(checked > 2500, "{checked} cases");
}
