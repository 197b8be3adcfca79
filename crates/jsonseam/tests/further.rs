//! B4: the payloads that were not chosen are listed, never dropped silently.

use jsonseam::{Config, Policy, Record, Root, pipeline};

/// The texts at the spans that `further` lists.
fn further<'t>(text: &'t str, preset: &str, policy: Policy) -> Vec<&'t str> {
    let config = Config::default().with_preset(preset).with_policy(policy);
    let repaired = pipeline(&config).expect("the configuration is right").repair(text).expect("it has a payload");
    let texts = repaired.further().iter().map(|further| &text[further.span.clone()]);
    texts.collect()
}

fn strict(text: &str) -> Vec<&str> {
    further(text, "strict", Policy::First)
}

fn standard(text: &str) -> Vec<&str> {
    further(text, "standard", Policy::First)
}

#[test]
fn b4_a_second_fence_is_listed_in_every_preset() {
    let text = "One:\n```json\n{\"a\": 1}\n```\nTwo:\n```json\n{\"b\": 2,}\n```\n";
    for preset in ["strict", "standard", "lenient"] {
        assert_eq!(further(text, preset, Policy::First), ["{\"b\": 2,}"], "{preset}");
        assert_eq!(further(text, preset, Policy::Last), ["{\"a\": 1}"], "{preset}");
    }
}

#[test]
fn b4_every_record_of_json_lines_but_the_first_is_listed() {
    assert_eq!(standard("{\"a\":1}\n{\"b\":2}\n{\"c\":3,}\n"), ["{\"b\":2}", "{\"c\":3,}"]);
    assert_eq!(further("{\"a\":1}\n{\"b\":2}\n", "standard", Policy::Last), ["{\"a\":1}"]);
}

#[test]
fn b4_an_object_in_the_prose_before_or_after_a_block_is_listed() {
    let text = "At first {\"draft\": 0} was it.\n```json\n{\"a\": 1}\n```\nor rather {\"b\": 2}.";
    assert_eq!(strict(text), ["{\"draft\": 0}", "{\"b\": 2}"]);
}

#[test]
fn b4_one_payload_has_no_further_ones() {
    for text in [
        "{\"a\": {\"b\": 1}, \"c\": \"{\\\"d\\\": 2}\"}",
        "Here: {\"a\": [1, {\"b\": 2}]} and that is all.",
        "As in [1], with {name} and \\frac{1}{2}:\n```json\n{\"a\": 1}\n```\n",
        "```json\n{\"a\": \"```json {\\\"b\\\": 1} ```\"}\n```",
    ] {
        assert_eq!(standard(text), [""; 0], "{text}");
    }
}

#[test]
fn p3_where_any_root_is_wanted_a_number_in_brackets_that_cites_a_source_is_no_payload_beside_an_object() {
    let any = |text: &str| {
        let config = Config::default().with_preset("lenient").with_root(Root::Any);
        let repaired = pipeline(&config).expect("the configuration is right").repair(text).expect("it has a payload");
        repaired.further().iter().map(|further| text[further.span.clone()].to_owned()).collect::<Vec<_>>()
    };
    for prose in ["See [1] and [2].", "As in [12], \"a\": 2,", "Source: [3]", "> [1] Smith, see [4]"] {
        assert_eq!(any(&format!("{prose}\n```json\n{{\"x\": 5}}\n```")), [""; 0], "{prose}");
        assert_eq!(any(&format!("{{\"x\": 5}}\n{prose}")), [""; 0], "{prose}");
    }
    for (prose, listed) in [("Or [1, 2]?", "[1, 2]"), ("Or [\"a\"]?", "[\"a\"]"), ("Or {\"y\": 1}?", "{\"y\": 1}")] {
        assert_eq!(any(&format!("{prose}\n```json\n{{\"x\": 5}}\n```")), [listed], "{prose}");
    }
    assert_eq!(any("Or [1]?\n```json\n[5, 6]\n```"), ["[1]"], "beside an array it may be one");
}

#[test]
fn b4_what_is_truncated_cannot_be_repaired_or_is_empty_in_prose_is_not_listed() {
    assert_eq!(standard("{\"a\": 1}\n{\"b\": [2"), [""; 0]);
    assert_eq!(further("{\"a\": 1}\n{\"b\": [2", "lenient", Policy::First), [""; 0]);
    assert_eq!(standard("{\"a\": 1}\n{\"b\" 2 \"c\"}\n{\"d\": 4}"), ["{\"d\": 4}"]);
    assert_eq!(strict("```json\n{\"a\": 1}\n```\nIt is {} by default."), [""; 0]);
    assert_eq!(strict("```json\n{\"a\": 1}\n```\n```json\n{}\n```"), ["{}"]);
}

#[test]
fn b4_drafts_in_reasoning_are_not_listed() {
    assert_eq!(standard("<think>{\"a\": 0}, or {\"a\": 1}?</think>\n{\"b\": 2}"), [""; 0]);
}

#[test]
fn b4_a_finish_reason_speaks_of_the_last_payload_and_hides_no_other() {
    let text = "```json\n{\"a\": 1}\n```\n```json\n{\"b\": 2}\n```";
    let options = jsonseam::RepairOptions::new().with_finish_reason(Some("length"));
    let pipeline = pipeline(&Config::default()).expect("the defaults are right");
    let repaired = pipeline.repair_with(text, &options).expect("it has a payload");
    assert_eq!(repaired.further().len(), 1);
}

#[test]
fn b4_the_list_ends_at_the_limit_of_candidates() {
    let text = "{\"a\": 1}\n".repeat(200);
    let found = standard(&text).len();
    assert!((63..=64).contains(&found), "{found}");
}

#[test]
fn b5_the_list_keeps_the_work_linear() {
    let config = Config::default().with_preset("lenient");
    let pipeline = pipeline(&config).expect("the configuration is right");
    for unit in [
        "{\"a\": 1}\n",
        "{\"a\" 1}\n",
        "{a:'b'} ",
        "```json\n{\"a\": 1,}\n```\n",
        "<think>{\"a\": 1}</think>{\"a\": 1}",
        "{\"a\": [1}",
    ] {
        let text = unit.repeat(40_000 / unit.len());
        if let Ok(repaired) = pipeline.repair(&text) {
            assert!(repaired.work().is_linear(text.len()), "{unit}: {:?}", repaired.work());
        }
    }
}

#[test]
fn b4_the_record_always_has_the_list() {
    let record = |text: &str| {
        let result = jsonseam::repair(text);
        serde_json::to_value(Record::new(&result)).expect("a record is JSON")
    };
    assert_eq!(record("{}")["further"], serde_json::json!([]));
    assert_eq!(record("no JSON")["further"], serde_json::json!([]));
    let two = record("```json\n{}\n```\n```json\n{\"b\": 2}\n```");
    assert_eq!(two["further"], serde_json::json!([{"start": 23, "end": 31, "root": "object"}]));
}

/// Elements of a list without brackets are refused where they are the payload, and listed where they come after it.
#[test]
fn b4_elements_of_a_list_without_brackets_are_listed() {
    for (text, others) in [
        ("{\"a\": 1}\n{\"a\": 2},\n{\"a\": 3}", vec!["{\"a\": 2}", "{\"a\": 3}"]),
        ("{\"a\": 1} {\"a\": 2}, {\"a\": 3}", vec!["{\"a\": 2}", "{\"a\": 3}"]),
        ("{\"a\": 1}\n{\"a\": 2} ,\n\n{\"b\": [3]},\n{\"a\": 4}\n", vec!["{\"a\": 2}", "{\"b\": [3]}", "{\"a\": 4}"]),
        ("{\"a\": 1}\n{\"a\": 2},\n{\"a\": 3},", vec!["{\"a\": 2}", "{\"a\": 3}"]),
        ("Use {\"a\": 1}. Others: {\"b\": 2}, {\"c\": {\"d\": 3}}.", vec!["{\"b\": 2}", "{\"c\": {\"d\": 3}}"]),
    ] {
        assert_eq!(standard(text), others, "{text}");
        assert_eq!(further(text, "lenient", Policy::First), others, "{text}");
    }
    // Only what is whole and followed by another one is an element.
    assert_eq!(standard("{\"a\": 1}\n{\"a\": 2}, \"b\": 3}"), [""; 0]);
    assert_eq!(standard("{\"a\": 1}\n{\"a\": [2}, {\"a\": 3}"), [""; 0]);
}

/// What a policy makes of a text under `standard`: the payload and the others, or the reason.
fn chosen(text: &str, policy: Policy) -> Result<(&str, Vec<&str>), String> {
    let config = Config::default().with_preset("standard").with_policy(policy);
    let repaired = pipeline(&config).expect("the configuration is right").repair(text);
    let repaired = repaired.map_err(|error| error.reason().to_string())?;
    let others = repaired.further().iter().map(|further| &text[further.span.clone()]).collect();
    Ok((&text[repaired.payload()], others))
}

#[test]
fn b4_an_element_of_a_list_without_brackets_is_no_answer_and_hides_none() {
    let pairs = vec!["{\"x\": 1}", "{\"x\": 2}"];
    for (text, payload) in [
        ("{\"y\": 3}\n{\"x\": 1},\n{\"x\": 2}", "{\"y\": 3}"),
        ("{\"y\": 3}\n\nFor example {\"x\": 1}, {\"x\": 2}.", "{\"y\": 3}"),
        ("Pairs such as {\"x\": 1}, {\"x\": 2} are examples.\n\n{\"y\": 3}", "{\"y\": 3}"),
    ] {
        for policy in [Policy::Best, Policy::Last] {
            assert_eq!(chosen(text, policy), Ok((payload, pairs.clone())), "{policy:?}: {text}");
        }
        assert_eq!(chosen(text, Policy::Only), Err("ambiguous_payload".to_owned()), "{text}");
    }
    for policy in [Policy::Best, Policy::Last, Policy::Only] {
        assert_eq!(chosen("{\"a\": 1},\n{\"a\": 2}", policy), Err("syntax".to_owned()), "{policy:?}");
    }
    // A name in braces is no second element.
    let text = "{\"y\": 3}\n\nUse {\"x\": 1}, {name} there.";
    for policy in [Policy::Best, Policy::Last, Policy::Only] {
        assert_eq!(chosen(text, policy), Ok(("{\"y\": 3}", Vec::new())), "{policy:?}");
    }
}
