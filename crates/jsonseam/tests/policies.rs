//! B4: what `first`, `only`, `last` and `best` choose among fences, objects in prose, answers after thoughts and echoed schemas.

use jsonseam::{Config, Pipeline, Policy, Reason, RepairOptions, Repaired, Root, pipeline};

fn with(policy: Policy, root: Root, preset: &str) -> Pipeline {
    let config = Config::default().with_preset(preset).with_policy(policy).with_root(root);
    pipeline(&config).expect("the configuration is right")
}

/// What each policy takes: `first`, `only`, `last`, and `best` for a contract that wants the key `answer`.
fn chosen(text: &str, root: Root) -> [Result<String, Reason>; 4] {
    let rank = |repaired: &Repaired<'_>| u32::from(repaired.text().contains("\"answer\""));
    [Policy::First, Policy::Only, Policy::Last, Policy::Best].map(|policy| {
        let options = RepairOptions::new().with_rank(Some(&rank));
        let result = with(policy, root, "standard").repair_with(text, &options);
        result.map(|repaired| repaired.text().to_owned()).map_err(|error| error.reason())
    })
}

#[track_caller]
fn assert_chosen(text: &str, expected: [Result<&str, Reason>; 4]) {
    let expected = expected.map(|result| result.map(str::to_owned));
    assert_eq!(chosen(text, Root::Object), expected, "object: {text}");
    assert_eq!(chosen(text, Root::Any), expected, "any: {text}");
}

const AMBIGUOUS: Result<&str, Reason> = Err(Reason::AmbiguousPayload);

#[test]
fn b4_several_fences_are_several_candidates() {
    let text =
        "One:\n```json\n{\"draft\": 1}\n```\nTwo:\n```json\n{\"answer\": 2}\n```\nThree:\n```json\n{\"c\": 3}\n```";
    assert_chosen(text, [Ok("{\"draft\": 1}"), AMBIGUOUS, Ok("{\"c\": 3}"), Ok("{\"answer\": 2}")]);
}

#[test]
fn b4_blocks_of_another_kind_count_only_where_they_fit_better() {
    let tagged_first = "```\n{\"answer\": 1}\n```\n```json\n{\"b\": 2}\n```";
    assert_chosen(tagged_first, [Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"answer\": 1}")]);
    let none_fits = "```\n{\"a\": 1}\n```\n```json\n{\"b\": 2}\n```\n{\"c\": 3}";
    assert_chosen(none_fits, [Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"b\": 2}")]);
    let in_prose = "Like this:\n```json\n{\"b\": 2}\n```\nSo it is {\"answer\": 3}.";
    assert_chosen(in_prose, [Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"answer\": 3}")]);
}

#[test]
fn b4_objects_in_prose_are_candidates_and_brackets_of_the_prose_are_none() {
    let text = "With {sorry}, \\frac{1}{2} and [1]: {\"a\": 1} then {name} and {\"answer\": 2} as in [2].";
    assert_chosen(text, [Ok("{\"a\": 1}"), AMBIGUOUS, Ok("{\"answer\": 2}"), Ok("{\"answer\": 2}")]);
    let alone = "I am {sorry} [1], but {\"answer\": 1} it is {really}.";
    assert_chosen(alone, [Ok("{\"answer\": 1}"); 4]);
}

#[test]
fn b4_drafts_in_thoughts_are_no_candidates_while_anything_else_is() {
    let text = "<think>{\"answer\": 0}, or {\"answer\": 1}?</think> It is {\"b\": 2}.";
    assert_chosen(text, [Ok("{\"b\": 2}"); 4]);
    let before = "{\"b\": 2}\n<think>Was {\"answer\": 3} better?</think>";
    assert_eq!(chosen(before, Root::Object)[0], Ok("{\"b\": 2}".to_owned()));
    let between = "<think>x</think> {\"answer\": 1} <think>{\"b\": 0}</think> {\"b\": 2}";
    assert_chosen(between, [Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"b\": 2}"), Ok("{\"answer\": 1}")]);
}

#[test]
fn b4_an_echoed_schema_gives_way_to_what_fits_the_contract() {
    let schema = "{\"$schema\": \"x\", \"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}";
    let text = format!("{schema}\n\n{{\"answer\": \"b\"}}");
    assert_chosen(&text, [Ok(schema), AMBIGUOUS, Ok("{\"answer\": \"b\"}"), Ok("{\"answer\": \"b\"}")]);
    let fenced = format!("The schema:\n```json\n{schema}\n```\nThe answer:\n```json\n{{\"answer\": \"b\"}}\n```");
    assert_chosen(&fenced, [Ok(schema), AMBIGUOUS, Ok("{\"answer\": \"b\"}"), Ok("{\"answer\": \"b\"}")]);
}

#[test]
fn b4_best_prefers_the_latest_once_all_fit_alike_and_none_is_a_guess() {
    let text = "First {\"answer\": 'x'} then {\"answer\": \"y\"} then {answer: \"z\"}.";
    assert_eq!(chosen(text, Root::Object)[3], Ok("{\"answer\": \"z\"}".to_owned()));
    let rank = |_: &Repaired<'_>| 1;
    let options = RepairOptions::new().with_rank(Some(&rank));
    let guess = "First {\"answer\": \"x\"} then {\"answer\": 5 kg}.";
    let best = with(Policy::Best, Root::Object, "lenient").repair_with(guess, &options).expect("one is sound");
    assert_eq!(best.text(), "{\"answer\": \"x\"}", "no edit above `likely` goes before the latest start");
    let valid = "First {\"answer\": 1} then {\"answer\": 2}.";
    assert_eq!(chosen(valid, Root::Object)[3], Ok("{\"answer\": 2}".to_owned()), "the latest start");
}

#[test]
fn b4_several_answers_between_tags_are_several_candidates() {
    let text = "Not {x} but <answer>{\"a\": 1}</answer> or <answer>{\"answer\": 2}</answer>, see {\"answer\": 3}";
    assert_chosen(text, [Ok("{\"a\": 1}"), AMBIGUOUS, Ok("{\"answer\": 2}"), Ok("{\"answer\": 2}")]);
}

#[test]
fn b4_candidates_are_never_merged() {
    for policy in [Policy::First, Policy::Only, Policy::Last, Policy::Best] {
        for preset in ["strict", "standard", "lenient"] {
            let result = with(policy, Root::Any, preset).repair("{\"a\": 1}\n{\"b\": 2}");
            if let Ok(repaired) = result {
                assert!(["{\"a\": 1}", "{\"b\": 2}"].contains(&repaired.text()), "{preset}: {}", repaired.text());
            }
        }
    }
}

#[test]
fn b5_candidates_beyond_the_limit_are_refused_and_not_dropped() {
    let text = "{\"a\": 1} ".repeat(65);
    for policy in [Policy::Only, Policy::Last, Policy::Best] {
        let refusal = with(policy, Root::Object, "standard").repair(&text).map(drop).expect_err("65 candidates");
        assert_eq!(refusal.reason(), Reason::LimitExceeded);
    }
    assert!(with(Policy::First, Root::Object, "standard").repair(&text).is_ok());
}

#[test]
fn b5_the_work_grows_with_the_text_whatever_the_policy() {
    let units = [
        "```json\n{\"a\": 1,}\n```\n",
        "see {\"a\": 'x'} and {sorry} ",
        "<think>{\"a\": 1}</think> {\"b\": [1,]} ",
        "\\frac{1}{2} ",
        "{ { [ \" ",
        "<answer>{\"a\": 1}</answer> ",
    ];
    for unit in units {
        for policy in [Policy::First, Policy::Only, Policy::Last, Policy::Best] {
            let config = Config::default()
                .with_preset("lenient")
                .with_policy(policy)
                .with_root(Root::Any)
                .with_max_candidates(4096);
            let pipeline = pipeline(&config).expect("the configuration is right");
            for times in [64, 1024] {
                let text = unit.repeat(times);
                let quiet = RepairOptions::new();
                let result = pipeline.repair_with(&text, &quiet);
                let (work, is_over) = match &result {
                    Ok(repaired) => (repaired.work(), false),
                    Err(error) => (error.work(), error.limit_met() == Some(jsonseam::Limit::Work)),
                };
                assert!(work.is_linear(text.len()) && !is_over, "{policy:?} on {unit:?}: {work:?}");
            }
        }
    }
}
