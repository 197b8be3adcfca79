//! P6: looking at an error does nothing; `explain` takes the text again, says what would have helped, and costs about a repair.

use std::hint::black_box;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jsonseam::rule::{Dispatch, Expected, Fault, Proposals, Reach, RepairRule, Risk};
use jsonseam::{AnyRule, Catalogue, Config, Error, Pipeline, Policy, Reason, Root, RuleEntry, pipeline, preset};
use jsonseam_testkit::cases;
use jsonseam_testkit::damage::{Defect, damage_many};

/// A rule that answers nothing and counts how often it is asked.
struct Asked(Arc<AtomicU64>);

impl RepairRule for Asked {
    fn answer(&self, _: &Fault<'_>, _: &mut Proposals) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn refusal(pipeline: &Pipeline, text: &str) -> Error {
    pipeline.repair(text).map(drop).expect_err(text)
}

#[test]
fn p6_looking_at_an_error_asks_no_rule_and_explaining_it_does() {
    let count = Arc::new(AtomicU64::new(0));
    let rule: Arc<dyn RepairRule> = Arc::new(Asked(Arc::clone(&count)));
    let rule = AnyRule::Repair {
        risk: Risk::Lossy,
        answers: Expected::ALL,
        dispatch: Dispatch::ANY,
        reach: Reach::UNDECLARED,
        rule,
    };
    let counting = Pipeline::from_rules(&Config::default(), vec![RuleEntry::new("acme/asked", rule)]);
    let text = "{\"a\": 1,}";
    let error = refusal(&counting, text);
    let asked = count.load(Ordering::Relaxed);
    assert!(asked > 0);
    black_box((error.to_string(), format!("{error:?}"), serde_json::to_string(&error).expect("it is written")));
    assert!(error == error.clone() && error.mended_by().is_empty() && !error.is_explained());
    assert_eq!(count.load(Ordering::Relaxed), asked);
    assert!(counting.explain(&error, text).is_explained());
    assert!(count.load(Ordering::Relaxed) > asked);
}

#[test]
fn p6_errors_and_pipelines_cross_a_caught_panic_and_threads() {
    fn crosses<T: UnwindSafe + RefUnwindSafe + Send + Sync + 'static>() {}
    crosses::<Error>();
    crosses::<Pipeline>();
    let lenient = preset("lenient").expect("it is built in");
    assert!(std::panic::catch_unwind(|| lenient.repair("{a: 1}").is_ok()).expect("no rule panics"));
}

#[test]
fn p6_mended_by_is_absent_until_it_is_asked_for() {
    let strict = preset("strict").expect("it is built in");
    let record = |error: &Error| serde_json::to_value(error).expect("it is written");
    for (text, names) in [("{\"a\": None}", vec!["python-literal"]), ("{\"a\": @}", vec![])] {
        let error = refusal(&strict, text);
        let explained = strict.explain(&error, text);
        assert_eq!(record(&error).get("mended_by"), None, "{text}");
        assert_eq!(record(&explained)["mended_by"], serde_json::json!(names), "{text}");
        assert_eq!(explained.to_string().contains("would be repaired by"), !names.is_empty(), "{text}");
        assert_eq!((explained.reason(), explained.position()), (error.reason(), error.position()));
    }
}

#[test]
fn p6_an_explained_refusal_says_where_all_rules_together_stop_and_why_under_every_preset() {
    let two_ways = "the text can be read in two ways there, and nothing decides between them";
    for (text, offset, why) in [
        ("{key: value}", 6, Some("a value that was never filled in")),
        ("{\"key\": value}", 8, Some("a value that was never filled in")),
        ("{a: fals}", 4, Some("nearly a literal")),
        ("f({\"q\": city, x: 1})", 8, Some("a variable of the code around it")),
        ("{a: \"x \"y\", \"b\": \"z\", \"c\": 1}", 7, Some(two_ways)),
        ("{\"a\": \"x\", b: Senior Researcher", 14, Some("nothing shows whether that is whole")),
        ("{a: @}", 4, None),
        ("<answer>{a: value}</answer>", 12, Some("a value that was never filled in")),
        ("{\\\"a\\\": value}", 8, Some("a value that was never filled in")),
    ] {
        for name in ["strict", "standard", "lenient"] {
            let own = preset(name).expect("it is built in");
            let error = refusal(&own, text);
            if error.reason() == Reason::AmbiguousRepair {
                continue;
            }
            assert!(error.unanswered().is_none(), "looking asks no rule");
            let explained = own.explain(&error, text);
            let unanswered = explained.unanswered().unwrap_or_else(|| panic!("{name}: {text}"));
            assert_eq!(unanswered.position.offset, offset, "{name}: {text}");
            assert_eq!(unanswered.why.is_some(), why.is_some(), "{name}: {text}");
            assert!(unanswered.why.unwrap_or_default().contains(why.unwrap_or_default()), "{name}: {text}");
            assert!(explained.to_string().ends_with(&unanswered.to_string()));
            let record = serde_json::to_value(&explained).expect("it is written");
            assert_eq!(record["unanswered"]["offset"], offset);
            assert_eq!(explained.position(), error.position());
        }
    }
}

#[test]
fn p6_a_refusal_that_other_rules_repair_has_no_fault_that_none_answers() {
    let strict = preset("strict").expect("it is built in");
    for text in broken() {
        let Err(error) = strict.repair(&text).map(drop) else { continue };
        let explained = strict.explain(&error, &text);
        let is_repaired = !explained.mended_by().is_empty() || !explained.repaired_with().is_empty();
        assert!(!(is_repaired && explained.unanswered().is_some()), "{text}");
    }
}

#[test]
fn p6_an_error_of_another_text_gets_no_names() {
    let strict = preset("strict").expect("it is built in");
    let error = refusal(&strict, "{\"a\": None}");
    for other in ["{\"a\": 1}", "{\"abc\": None}", "", "[1]", "{\"a\": 1"] {
        let explained = strict.explain(&error, other);
        assert!(explained.is_explained() && explained.mended_by().is_empty(), "{other}");
    }
}

#[test]
fn p6_a_contract_and_a_reader_of_calls_explain_too() {
    let adapter = jsonseam::adapter().preset("strict").output("answer").build().expect("the contract is right");
    let text = r#"{"answer": 42"#;
    let error = adapter.parse(text).map(drop).expect_err(text);
    assert!(error.mended_by().is_empty());
    let explained = adapter.explain(&error, text);
    assert_eq!(explained.mended_by(), ["unclosed-container"]);
    assert_eq!(explained.repaired_with(), ["unclosed-container"]);
    let keys = adapter.parse("{}").map(drop).expect_err("a key is missing");
    assert!(adapter.explain(&keys, "{}").mended_by().is_empty());

    let strict = Config::default().with_root(Root::Any);
    let extractor = jsonseam::tool_calls().expect("the packs are right").with_pipeline(pipeline(&strict).expect("ok"));
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {a: 1}}</tool_call>";
    let error = extractor.extract(text).map(drop).expect_err(text);
    assert!(error.mended_by().is_empty());
    assert_eq!(extractor.explain(&error, text).mended_by(), ["unquoted-key"]);
    assert!(extractor.explain(&error, "<tool_call>{\"name\":").mended_by().is_empty());
}

/// Texts that are refused: the cases of every rule, and damaged documents.
fn broken() -> Vec<String> {
    let catalogue = jsonseam::catalogue().expect("the built-in catalogue is right");
    let cases = catalogue.rules().iter().flat_map(|rule| cases::parse(rule.cases).expect("the cases parse"));
    let damaged = damage_many(25, Defect::ALL, 600).map(|damaged| damaged.text);
    cases.map(|case| case.input).chain(damaged).collect()
}

/// The preset of this catalogue that `rules` make the smallest one, as the command finds it.
fn smallest<'c>(catalogue: &'c Catalogue, rules: &[String]) -> Option<&'c str> {
    let holds = |preset: &&jsonseam::Preset| rules.iter().all(|rule| preset.rules.contains(rule));
    catalogue.presets().iter().find(holds).map(|preset| preset.name.as_str())
}

#[test]
fn p6_the_smallest_preset_that_holds_the_rules_which_repair_a_text_is_the_smallest_that_repairs_it() {
    let catalogue = jsonseam::catalogue().expect("the built-in catalogue is right");
    for root in [Root::Object, Root::Any] {
        let of = |name: &str| pipeline(&Config::default().with_preset(name).with_root(root)).expect("it is built in");
        let presets = ["strict", "standard", "lenient"].map(|name| (name, of(name)));
        let mut told = 0;
        for text in broken() {
            for (_, own) in &presets[..2] {
                let Err(error) = own.repair(&text).map(drop) else { continue };
                let explained = own.explain(&error, &text);
                if explained.repaired_with().is_empty() {
                    continue;
                }
                told += 1;
                let repairs =
                    presets.iter().find(|(_, pipeline)| pipeline.repair(&text).is_ok()).map(|(name, _)| *name);
                assert_eq!(smallest(&catalogue, explained.repaired_with()), repairs, "{root}: {text}");
            }
        }
        assert!(told > 500, "{root}: {told}");
    }
}

/// The refusal and its help together against the repair with every rule, in units of work.
#[test]
fn p6_a_refusal_that_is_shown_costs_at_most_twice_the_lenient_repair_of_its_text() {
    let (strict, lenient) = (preset("strict").expect("built in"), preset("lenient").expect("built in"));
    let (mut shown, mut repaired) = (0, 0);
    for damaged in damage_many(7, Defect::ALL, 600) {
        let text = &damaged.text;
        let (Err(error), Ok(result)) = (strict.repair(text).map(drop), lenient.repair(text)) else { continue };
        let (cost, of_repair) = (strict.explain(&error, text).work().total(), result.work().total());
        shown += cost;
        repaired += of_repair;
        // A text of a line costs next to nothing, whatever is done to it; around a payload, and where a fence is, each locator that is off looks for another one.
        let is_alone = result.payload() == (0..text.len()) && !text.contains("```");
        let times = if is_alone { 2 } else { 3 };
        assert!(cost <= times * of_repair + 2_000, "{cost} against {of_repair}: {text}");
    }
    assert!(repaired > 0 && shown <= 2 * repaired, "{shown} against {repaired}");
}

/// What `batch -q` does for each line: a repair, and nothing for the refusal of one that is cut.
#[test]
fn p6_lines_of_which_one_in_ten_is_cut_cost_at_most_a_third_more_than_valid_ones_if_no_one_asks() {
    let strict = preset("strict").expect("built in");
    let line = |number: u32| {
        let rows: Vec<_> =
            (0..12).map(|row| format!("{{\"id\": {row}, \"name\": \"row {number}.{row}\", \"ok\": true}}")).collect();
        format!("{{\"rows\": [{}], \"total\": 12}}", rows.join(", "))
    };
    let work = |text: &str| match strict.repair(text) {
        Ok(repaired) => repaired.work().total().max(text.len() as u64),
        Err(error) => error.work().total(),
    };
    let valid: u64 = (0..1_000).map(|number| work(&line(number))).sum();
    let cut: u64 = (0..1_000)
        .map(|number| {
            let text = line(number);
            if number % 10 == 0 { work(&text[..text.len() * 2 / 3]) } else { work(&text) }
        })
        .sum();
    assert!(10 * cut <= 13 * valid, "{cut} against {valid}");
}

#[test]
fn r2_two_readings_are_explained_without_names() {
    let lenient = preset("lenient").expect("built in");
    let text = "{\"a\": \"x \"y\", \"b\": \"z\", \"c\": 1}";
    let error = refusal(&lenient, text);
    assert_eq!(error.reason(), Reason::AmbiguousRepair);
    let explained = lenient.explain(&error, text);
    assert_eq!(explained.mended_by(), [""; 0]);
    assert_eq!(explained.readings(), error.readings());
}

#[test]
fn b4_the_policies_that_look_at_all_candidates_explain_the_refusal_that_they_gave() {
    for policy in [Policy::Only, Policy::Last, Policy::Best] {
        let own = pipeline(&Config::default().with_policy(policy)).expect("the configuration is right");
        let text = "Draft {\"a\": None} or, better, {\"b\": True}";
        let error = refusal(&own, text);
        let explained = own.explain(&error, text);
        assert_eq!(explained.mended_by(), ["python-literal"], "{policy}");
    }
}
