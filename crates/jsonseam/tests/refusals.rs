//! P6: a refusal says where, what was expected, and which rules would have answered.

use jsonseam::{Config, Expected, Pipeline, Position, Reason, RepairOptions, Root, catalogue, pipeline};
use jsonseam_testkit::cases;

fn configured(set: impl FnOnce(Config) -> Config) -> Pipeline {
    pipeline(&set(Config::default())).expect("the configuration is right")
}

/// For each rule: one of its own cases needs it and nothing else, is refused without it, and the refusal names it.
#[test]
fn p6_every_rule_is_named_by_a_refusal_that_it_would_have_mended() {
    let catalogue = catalogue().expect("the built-in catalogue is right");
    for rule in catalogue.rules().iter().filter(|rule| !rule.is_foreign()) {
        let others: Vec<_> =
            ["markdown-fence", "surrounding-prose"].into_iter().filter(|name| *name != rule.name).collect();
        let cases = cases::parse(rule.cases).expect("the cases of every rule parse");
        let refused = cases.iter().filter(|case| case.output.is_some() && case.options.is_empty()).find(|case| {
            let root = case.root().filter(|_| case.root.is_some()).unwrap_or(Root::Any);
            let without = configured(|config| config.with_root(root).with_order(&others));
            let evidence = case.evidence();
            let options = RepairOptions::new().with_evidence(evidence.as_ref());
            let Err(refusal) = without.repair_with(&case.input, &options) else { return false };
            without.explain_with(&refusal, &case.input, &options).mended_by().iter().any(|name| name == rule.name)
        });
        assert!(refused.is_some(), "no refusal of a case of {} names it", rule.name);
    }
}

#[test]
fn p6_a_refusal_knows_its_place_in_bytes_lines_and_characters() {
    let strict = configured(|config| config);
    let refusal = strict.repair("Grüße:\n{\"ä\": x}").map(|_| ()).expect_err("x is no value");
    assert_eq!(refusal.reason(), Reason::Syntax);
    assert_eq!(refusal.position(), Some(Position { offset: 16, line: 2, column: 7 }));
    assert_eq!(refusal.expected(), Some(Expected::Value));
}

#[test]
fn b3_a_cut_is_told_from_a_mistake() {
    let strict = configured(|config| config);
    for text in [
        "{\"a\": 1",
        "{\"a\": \"x",
        "{\"a\": tr",
        "{\"a\": сло",
        "{\"a\": 1, ключ",
        "{\"a\": 1.",
        "{\"a\"",
        "{\"a\":",
        "{",
        "```json\n{\"a\": [1",
        "{\"a\": {\"b\": 1}, \"c\": [1, 2",
    ] {
        let refusal = strict.repair(text).map(|_| ()).expect_err(text);
        assert_eq!(refusal.reason(), Reason::Truncated, "{text}");
    }
    for text in ["```json\n{\"a\": [1\n```", "{\"a\": x}"] {
        let refusal = strict.repair(text).map(|_| ()).expect_err(text);
        assert_eq!(refusal.reason(), Reason::Syntax, "{text}");
    }
}

#[test]
fn b3_the_finish_reason_marks_what_looks_complete() {
    let strict = configured(|config| config);
    let cut = RepairOptions::new().with_finish_reason(Some("length"));
    let repaired = strict.repair_with("{\"a\": 1}", &cut).expect("it is valid");
    assert!(repaired.is_truncated());
    let whole = RepairOptions::new().with_finish_reason(Some("stop"));
    assert!(!strict.repair_with("{\"a\": 1}", &whole).expect("it is valid").is_truncated());
}

#[test]
fn b3_the_report_lists_what_is_incomplete() {
    let standard = configured(|config| config.with_preset("standard"));
    let incomplete = |text: &str| standard.repair(text).expect(text).incomplete();
    assert_eq!(incomplete("{\"a\": [1, 2"), ["/a/1"]);
    assert_eq!(incomplete("{\"a\": [1, 2,"), ["/a"]);
    assert_eq!(incomplete("{\"a\": [1, \"x"), ["/a/1"]);
    assert_eq!(incomplete("{\"a\": [1, \"x\""), ["/a"]);
    assert_eq!(incomplete("{\"a\": {\"b/c\": \"x"), ["/a/b~1c"]);
    assert_eq!(incomplete("{\"a\": true"), [""]);
    assert_eq!(incomplete("{"), [""]);
    assert_eq!(incomplete("{a: 1}"), [""; 0]);
    let lenient = configured(|config| config.with_preset("lenient"));
    let incomplete = |text: &str| lenient.repair(text).expect(text).incomplete();
    assert_eq!(incomplete("{\"a\": 1, \"b\""), [""]);
    assert_eq!(incomplete("{'a': 1, 'b'"), [""]);
    assert_eq!(incomplete("{'a': [1], 'b': nul"), [""]);
    assert_eq!(incomplete("{'a': 'x', 'b': 'y"), ["/b"]);
}

#[test]
fn b4_under_strict_a_span_with_two_roots_is_ambiguous() {
    let strict = configured(|config| config);
    let refusal = strict.repair("{\"a\": 1} or {\"b\": 2}").map(|_| ()).expect_err("there are two");
    assert_eq!((refusal.reason(), refusal.candidates()), (Reason::AmbiguousPayload, &[0..8, 12..20][..]));
}

#[test]
fn b4_policies_choose_among_candidates() {
    let text = "{\"a\": 1} or {\"b\": 2,} or {\"c\": 3}";
    let chosen = |policy: jsonseam::Policy| {
        let pipeline = configured(|config| config.with_policy(policy));
        pipeline.repair(text).map(|repaired| repaired.into_text().into_owned()).map_err(|error| error.reason())
    };
    assert_eq!(chosen(jsonseam::Policy::Last), Ok("{\"c\": 3}".to_owned()));
    assert_eq!(chosen(jsonseam::Policy::Only), Err(Reason::AmbiguousPayload));
    assert_eq!(chosen(jsonseam::Policy::Best), Ok("{\"c\": 3}".to_owned()));
    let best = configured(|config| config.with_policy(jsonseam::Policy::Best));
    let rank = |repaired: &jsonseam::Repaired<'_>| u32::from(repaired.text().contains("\"a\""));
    let options = RepairOptions::new().with_rank(Some(&rank));
    assert_eq!(
        best.repair_with(text, &options).map(|repaired| repaired.into_text().into_owned()),
        Ok("{\"a\": 1}".to_owned())
    );
}

#[test]
fn bytes_that_are_no_utf8_are_refused_at_the_door() {
    let strict = configured(|config| config.with_root(Root::Any));
    let refusal =
        strict.repair_bytes(b"[1,\n\"\xff\"]", &RepairOptions::default()).map(|_| ()).expect_err("0xff is no UTF-8");
    assert_eq!(refusal.reason(), Reason::InvalidUtf8);
    assert_eq!(refusal.position(), Some(Position { offset: 5, line: 2, column: 2 }));
}

#[test]
fn b5_every_limit_is_a_typed_refusal() {
    let limited = |set: &dyn Fn(&mut jsonseam::Limits)| {
        configured(|config| {
            let mut limits = config.limits();
            set(&mut limits);
            config.with_limits(limits).with_root(Root::Any)
        })
    };
    let limit = |pipeline: &Pipeline, text: &str| pipeline.repair(text).map(|_| ()).expect_err(text).limit_met();
    assert_eq!(limit(&limited(&|limits| limits.max_input_bytes = 4), "[1, 2]"), Some(jsonseam::Limit::InputBytes));
    assert_eq!(limit(&limited(&|limits| limits.max_depth = 1), "[[1],]"), Some(jsonseam::Limit::Depth));
    let few = limited(&|limits| limits.max_edits = Some(2));
    assert_eq!(limit(&few, "[[1,],[2,],[3,]]"), Some(jsonseam::Limit::Edits));
    assert_eq!(few.repair("[[1,],[2,],[3,]]").map(|_| ()).expect_err("three edits").rule(), Some("trailing-comma"));
    let config = Config::default().with_policy(jsonseam::Policy::Last).with_max_candidates(2);
    let one = pipeline(&config).expect("the configuration is right");
    assert_eq!(limit(&one, "{} {} {}"), Some(jsonseam::Limit::Candidates));
}

#[test]
fn every_case_file_beside_a_rule_parses() {
    for rule in catalogue().expect("the built-in catalogue is right").rules() {
        assert!(cases::parse(rule.cases).is_ok_and(|cases| cases.len() >= 4), "{}", rule.name);
    }
}

/// Texts that `lenient` reads in two ways, each with a word in it that no message may repeat.
const AMBIGUOUS: [&str; 5] = [
    "{\"a\": \"canary1 \"y\", \"b\": \"z\", \"c\": 1}",
    "{\"t\": [\"canary1\" \"b\" \"c\"], x: 1,}",
    "{\"t\": [[\"`canary1\", 1] [\"`\", 2]]}",
    "{\"t\": [\"A, canary1,\" \"b\"]}",
    "{\"a\": [\"say \"canary1\" now\"; \"b\"]}",
];

#[test]
fn r2_the_message_of_two_readings_names_their_place_rules_and_doubt_and_no_text() {
    let lenient = configured(|config| config.with_preset("lenient"));
    for text in AMBIGUOUS {
        let refusal = lenient.repair(text).map(|_| ()).expect_err(text);
        assert_eq!(refusal.reason(), Reason::AmbiguousRepair, "{text}");
        let (message, place) = (refusal.to_string(), refusal.position().expect("the place where they part"));
        assert!(message.contains("two ways") && message.contains(&format!("byte {}", place.offset)), "{message}");
        let readings = refusal.readings();
        assert_eq!(readings.len(), 2);
        assert!(readings.iter().flat_map(|reading| reading.rules()).all(|rule| message.contains(rule)), "{message}");
        assert!(refusal.doubt().is_none_or(|doubt| message.contains(doubt)), "{message}");
        assert!(!message.contains("canary") && !format!("{refusal:?}").contains("canary"), "{message}");
    }
}

#[test]
fn r2_a_reading_that_no_rule_writes_is_told_by_its_doubt_and_the_help_says_what_to_do() {
    let lenient = configured(|config| config.with_preset("lenient").with_root(Root::Any));
    for text in ["{\"a\": \"x \"y\", \"b\": \"z\", \"c\": 1}", "{\"key\": \"x \"y\"}", "[\"k\":\"v\"]"] {
        let refusal = lenient.repair(text).map(|_| ()).expect_err(text);
        let doubt = refusal.doubt().expect(text);
        assert!(refusal.readings()[1].edits.is_empty(), "{text}");
        let message = refusal.to_string();
        assert!(message.ends_with(&format!("or by what no rule writes: {doubt}")), "{message}");
        let help = lenient.explain(&refusal, text).help();
        assert!(
            help[0].starts_with("if the first reading is the one that is meant, make its edits by hand"),
            "{help:?}"
        );
    }
}

#[test]
fn p6_the_help_of_a_refusal_names_rules_places_or_the_next_thing_to_do() {
    for (preset, text, help) in [
        ("strict", "{\"a\": [1", &["rules that are off and repair the text together: unclosed-container"][..]),
        (
            "strict",
            "{a: True}",
            &[
                "rules that are off and answer this: unquoted-key",
                "rules that are off and repair the text together: unquoted-key, python-literal",
            ],
        ),
        (
            "lenient",
            "{\"k\": (1)}",
            &[
                "all rules together stop at line 1 column 7: these parentheses hold no tuple: one value, words or arithmetic; \
                 write the value without them, or a list with brackets",
            ],
        ),
        ("lenient", "{\"a\": @}", &["no known rule repairs this; ask the model again, or edit it by hand"]),
        ("lenient", "no", &["ask the model again, or admit JSON of another kind with the root `any`"]),
    ] {
        let pipeline = configured(|config| config.with_preset(preset));
        let refusal = pipeline.repair(text).map(|_| ()).expect_err(text);
        assert_eq!(pipeline.explain(&refusal, text).help(), help, "{text}");
    }
}

#[test]
fn p2_neither_an_index_nor_an_object_torn_from_its_key_is_the_payload() {
    for preset in ["standard", "lenient"] {
        let any = configured(|config| config.with_preset(preset).with_root(Root::Any));
        for (text, payload) in [
            ("rows[0] = {\"a\": 1}", "{\"a\": 1}"),
            ("f(x)[1][2] is {\"a\": [3]}", "{\"a\": [3]}"),
            ("<x>\"profile\": {\"a\": 1}</x>\n{\"b\": 2}", "{\"b\": 2}"),
            // Near misses: a label in quotes within a sentence, and an array after a blank.
            ("It is \"the answer\": {\"a\": 1}", "{\"a\": 1}"),
            ("rows [0, 1]", "[0, 1]"),
        ] {
            let repaired = any.repair(text).map(|repaired| repaired.text().to_owned());
            assert_eq!(repaired.as_deref().ok(), Some(payload), "{preset}: {text}");
        }
    }
}
