//! Made-up schemas and values of every draft: our meta-schema check, evaluation, walk and casts beside a second opinion, that of the crate `jsonschema`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Value, json};

use crate::evaluate::Evaluation;
use crate::exact::value_of;
use crate::limits::budget;
use crate::walk;
use crate::{Casts, Checked, Draft, Schema, direct, meta};

/// Numbers that look random and are the same every time (the mixer of `SplitMix64`).
struct Random(u64, Draft);

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
            5 | 6 => self.one(&[json!(""), json!("a"), json!("ab"), json!("é"), json!("\u{1}\u{1f}")]),
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
        if self.below(12) == 0 && self.1 != Draft::Draft4 {
            return json!(self.below(3) != 0);
        }
        let mut schema = json!({});
        for _ in 0..=self.below(3) {
            let (keyword, value) = if self.below(8) == 0 { self.old_keyword(depth) } else { self.keyword(depth) };
            schema[keyword] = value;
        }
        schema
    }

    /// A keyword that 2020-12 does not know, or knows otherwise.
    fn old_keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let below = depth.saturating_sub(1);
        match (self.1, self.below(4)) {
            (Draft::Draft4, 0) => ("minimum", json!(self.below(3))),
            (Draft::Draft4, 1) => ("exclusiveMinimum", json!(self.below(2) == 0)),
            (Draft::Draft202012, _) => ("minimum", json!(2)),
            (_, 2) if depth > 0 => ("items", self.schemas(below)),
            (Draft::Draft201909, _) => ("additionalItems", self.schema(below)),
            (_, 3) if depth > 0 => ("dependencies", self.named(&["a", "b"], below)),
            _ => ("dependencies", json!({self.one(&["a", "b"]): [self.one(&["b", "c"])]})),
        }
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let definitions = if self.1.is_old() { "#/definitions" } else { "#/$defs" };
        let kinds = ["null", "boolean", "integer", "number", "string", "array", "object"];
        let names = ["a", "b", "c"];
        match self.below(if depth == 0 { 12 } else { 30 }) {
            0 | 1 => ("type", json!(self.one(&kinds))),
            2 => ("type", json!([self.one(&kinds[..3]), self.one(&kinds[3..])])),
            3 => ("enum", json!([self.value(1), "a", 1])),
            4 => ("const", self.value(1)),
            5 if self.1 == Draft::Draft4 => ("maximum", json!(self.below(3))),
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
            _ => ("$ref", json!(format!("{definitions}/{}", self.one(&["x", "y"])))),
        }
    }
}

/// Schemas of a draft with definitions that may lead to each other, and values for them.
fn cases(draft: Draft, count: u64, mut check: impl FnMut(&Value, &Schema, &Value)) -> usize {
    let mut checked = 0;
    for seed in 0..count {
        let mut random = Random(seed, draft);
        let mut source = random.schema(3);
        if !source.is_object() {
            continue;
        }
        let definitions = if draft.is_old() { "definitions" } else { "$defs" };
        source[definitions] = json!({"x": random.schema(2), "y": random.schema(2)});
        // Some lead in a circle, and are refused.
        let Ok(schema) = Schema::options().draft(draft).compile_value(source.clone()) else { continue };
        for _ in 0..4 {
            let value = random.value(3);
            check(&source, &schema, &value);
            checked += 1;
        }
    }
    checked
}

fn of_library(draft: Draft) -> jsonschema::Draft {
    match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 | Draft::OpenApi30 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    }
}

const DRAFTS: [Draft; 5] = [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];

/// The second opinion on a schema.
fn library(draft: Draft, source: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(of_library(draft))
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(source)
        .unwrap_or_else(|_| panic!("the library refuses {source}"))
}

#[test]
fn v1_our_verdict_and_walk_agree_with_the_second_opinion_in_every_draft() {
    for draft in DRAFTS {
        // One for all values of a schema.
        let mut libraries = HashMap::new();
        let checked = cases(draft, 1000, |source, schema, value| {
            let library = libraries.entry(source.to_string()).or_insert_with(|| library(draft, source));
            let is_valid = library.is_valid(value);
            let graph = schema.graph();
            let own = Evaluation::new(graph, budget(1000)).is_valid(graph.root, value, 0);
            assert_eq!(own, Ok(is_valid), "{draft:?} {source} {value}");
            let walked = walk::violations(graph, graph.root, (value, &crate::exact::NONE), budget(1000))
                .expect("within the budget");
            assert_eq!(walked.is_empty(), is_valid, "{draft:?} {source} {value}: {walked:?}");
            for violation in &walked {
                let is_there = violation.found() == "undefined" || value.pointer(&violation.path()).is_some();
                assert!(is_there, "{draft:?} {source} {value}");
            }
        });
        assert!(checked > 2000, "{draft:?}: {checked} cases");
    }
}

#[test]
fn v1_what_surely_fits_is_a_text_whose_value_fits() {
    for draft in DRAFTS {
        let (mut valid, mut sure, mut damaged) = (0, 0, 0);
        cases(draft, 1000, |source, schema, value| {
            let graph = schema.graph();
            for text in [value.to_string(), serde_json::to_string_pretty(value).expect("it is a value")] {
                let fits = Evaluation::new(graph, budget(text.len())).is_valid(graph.root, value, 0) == Ok(true);
                let is_sure = direct::surely_fits(graph, &text);
                assert!(fits || !is_sure, "{draft:?} {source} {text}");
                valid += usize::from(fits);
                sure += usize::from(is_sure);
                // A byte less makes most texts no JSON, and some another value.
                for at in 0..text.len() {
                    let mut cut = text.clone();
                    if cut.is_char_boundary(at) && cut.is_char_boundary(at + 1) {
                        cut.remove(at);
                    }
                    if !direct::surely_fits(graph, &cut) {
                        continue;
                    }
                    let (value, exact) = value_of(&cut).unwrap_or_else(|error| panic!("{cut}: {error}"));
                    let fits = Evaluation::new(graph, budget(cut.len())).exactly(&exact);
                    assert_eq!({ fits }.is_valid(graph.root, &value, 0), Ok(true), "{draft:?} {source} {cut}");
                    let checked = schema.check(&cut, &Casts::NONE).expect("it fits");
                    assert_eq!(checked, Checked::new(Cow::Borrowed(&cut), Vec::new(), &value), "{cut}");
                    damaged += 1;
                }
            }
        });
        assert!(sure * 3 > valid && valid > 1500 && damaged > 500, "{draft:?}: {sure} of {valid}, {damaged} damaged");
    }
}

#[test]
fn v1_our_check_of_meta_schemas_agrees_with_the_second_opinion() {
    for draft in DRAFTS {
        let library = |schema: &Value| match draft {
            Draft::Draft4 => jsonschema::draft4::meta::is_valid(schema),
            Draft::Draft6 => jsonschema::draft6::meta::is_valid(schema),
            Draft::Draft7 | Draft::OpenApi30 => jsonschema::draft7::meta::is_valid(schema),
            Draft::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
            Draft::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
        };
        let mut refused = 0;
        for seed in 0..2000 {
            // A value of any kind in the place of a keyword's makes most of them no schemas.
            let mut random = Random(seed, draft);
            let mut source = random.schema(2);
            let (keyword, right) = random.keyword(1);
            if source.is_object() {
                source[keyword] = if random.below(3) == 0 { right } else { random.value(2) };
            }
            // In the older drafts the library also asserts the formats of the meta-schema, of patterns and references.
            if draft.is_old()
                && ["$ref", "pattern"].iter().any(|keyword| source.get(keyword).is_some_and(Value::is_string))
            {
                continue;
            }
            // On whether 1e300 is an integer of draft 4, the second opinion is not of one mind with itself.
            if draft == Draft::Draft4 && source.to_string().contains("e+300") {
                continue;
            }
            let own = meta::check(draft, &source, 10_000).is_ok();
            assert_eq!(own, library(&source), "{draft:?} {source}");
            refused += usize::from(!own);
        }
        assert!(refused > 400, "{draft:?}: {refused} refused");
    }
}

#[test]
fn v1_casts_make_fit_what_was_unfit_and_leave_alone_what_fits() {
    let checked = cases(Draft::Draft202012, 1000, |source, schema, value| {
        let text = value.to_string();
        let is_valid = schema.is_valid(value);
        let loose = schema.check(&text, &Casts::ALL);
        let Ok(cast) = schema.check(&text, &Casts::EXACT) else {
            assert!(!is_valid, "casts lost {text} under {source}");
            let is_recorded = loose.is_err_and(|failure| !failure.violations().is_empty());
            assert!(
                is_recorded || schema.check(&text, &Casts::ALL).is_ok_and(|cast| !cast.casts.is_empty()),
                "{source} {text}"
            );
            return;
        };
        assert!(!is_valid || loose.is_ok(), "casts lost {text} under {source}");
        let now: Value = serde_json::from_str(&cast.text).expect("a cast text is JSON");
        assert!(schema.is_valid(&now), "{source} {text} {}", cast.text);
        assert_eq!(cast.casts.is_empty(), cast.text == text, "{source} {text} {}", cast.text);
        let coerced = schema.check(&text, &Casts::COERCE);
        if is_valid {
            // Only spellings may change in a text that fits, never a value.
            let coerced: Value = serde_json::from_str(&coerced.expect("fits").text).expect("JSON");
            assert!(crate::number::equal(&coerced, &crate::exact::NONE, value, &crate::exact::NONE), "{source} {text}");
        }
        let again = schema.check(&cast.text, &Casts::COERCE).expect("fits");
        assert_eq!(again.text, cast.text, "{source} {text}");
    });
    assert!(checked > 2500, "{checked} cases");
}
