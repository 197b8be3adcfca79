//! Verdicts, findings and hints.

use super::*;
use crate::Difference;

fn keys() -> KeySet {
    KeySet::new().required("answer").required("score").optional("note")
}

fn names(mismatch: &Mismatch) -> (Vec<&str>, Vec<&str>, Vec<&str>) {
    (
        mismatch.missing().iter().map(String::as_str).collect(),
        mismatch.extra().iter().map(|extra| extra.name.as_str()).collect(),
        mismatch.duplicates().iter().map(|repeated| repeated.name.as_str()).collect(),
    )
}

#[test]
fn k2_all_required_keys_fit_in_any_order_and_optional_ones_may_be_absent() {
    for object in [
        r#"{"answer": 1, "score": 2}"#,
        r#"{"score": 2, "note": null, "answer": {"answer": 1, "answer": 2}}"#,
        r#"{"\u0061nswer": 1, "score": 2}"#,
    ] {
        assert_eq!(keys().check(object), Ok(()), "{object}");
    }
    assert_eq!(KeySet::new().check("{}"), Ok(()));
}

#[test]
fn k4_every_finding_is_told_at_once_and_missing_comes_first() {
    let mismatch = keys().check(r#"{"answer": 1, "why": 0, "\u0061nswer": 2, "how": 0, "why": 1}"#).unwrap_err();
    assert_eq!(names(&mismatch), (vec!["score"], vec!["why", "how"], vec!["answer", "why"]));
    assert_eq!(mismatch.reason().as_str(), "missing_output_keys");
    let extra = keys().check(r#"{"answer": 1, "score": 0, "score": 1, "how": 0}"#).unwrap_err();
    assert_eq!(extra.reason().as_str(), "extra_output_keys");
    let repeated = keys().check(r#"{"answer": 1, "score": 0, "score": 1}"#).unwrap_err();
    assert_eq!(repeated.reason().as_str(), "duplicate_output_keys");
}

#[test]
fn k1_keys_are_compared_exactly() {
    for other in ["Answer", " answer", "answer ", "answer\\u0000", "an\u{200B}swer", "\u{430}nswer", "answer\\n"] {
        let object = format!("{{\"{other}\": 1, \"score\": 2}}");
        let mismatch = keys().check(&object).unwrap_err();
        assert_eq!((mismatch.missing().len(), mismatch.extra().len()), (1, 1), "{other}");
    }
    let composed = KeySet::new().required("caf\u{E9}");
    assert!(composed.check("{\"caf\u{E9}\": 1}").is_ok());
    assert!(composed.check("{\"cafe\u{301}\": 1}").is_err());
}

#[test]
fn k4_the_spans_of_a_repeated_key_are_its_places() {
    let object = r#"{"answer": 1, "score": 2, "answer": 3, "\u0061nswer": 4}"#;
    let mismatch = keys().check(object).unwrap_err();
    let spans = &mismatch.duplicates()[0].spans;
    let keys: Vec<_> = spans.iter().map(|span| &object[span.clone()]).collect();
    assert_eq!(keys, ["\"answer\"", "\"answer\"", "\"\\u0061nswer\""]);
}

#[test]
fn k4_the_last_of_repeated_members_is_inspected() {
    let object = r#"{"answer": 1, "score": 2, "answer": 3}"#;
    let inspection = keys().inspect(object);
    let values: Vec<_> =
        inspection.declared.iter().map(|member| member.as_ref().map(|member| &object[member.value.clone()])).collect();
    assert_eq!(values, [Some("3"), Some("2"), None]);
    assert!(inspection.mismatch.is_some());
}

#[test]
fn an_open_set_lets_undeclared_keys_through_but_no_repeated_ones() {
    let open = keys().open();
    assert_eq!(open.check(r#"{"answer": 1, "score": 2, "x": 3}"#), Ok(()));
    let repeated = open.check(r#"{"answer": 1, "score": 2, "x": 3, "x": 4}"#).unwrap_err();
    assert_eq!(names(&repeated), (vec![], vec![], vec!["x"]));
}

#[test]
fn many_keys_are_found_as_few_are() {
    let mut set = KeySet::new();
    for index in 0..500 {
        set = set.required(&format!("k{index}"));
    }
    let object = |count: usize| {
        let members: Vec<_> = (0..count).map(|index| format!("\"k{index}\":{index}")).collect();
        format!("{{{}}}", members.join(","))
    };
    assert_eq!(set.check(&object(500)), Ok(()));
    assert_eq!(set.check(&object(499)).unwrap_err().missing(), ["k499"]);
    let mismatch = set.check(&object(501)).unwrap_err();
    assert_eq!(names(&mismatch), (vec![], vec!["k500"], vec![]));
}

#[test]
fn a_flood_of_undeclared_keys_is_counted_and_not_kept() {
    let members: Vec<_> = (0..5000).map(|index| format!("\"x{index}\":0,\"x{index}\":0")).collect();
    let object = format!("{{{}}}", members.join(","));
    let mismatch = KeySet::new().check(&object).unwrap_err();
    assert_eq!((mismatch.extra().len(), mismatch.duplicates().len()), (MOST_FINDINGS, MOST_FINDINGS));
    assert_eq!(mismatch.uncounted(), 2 * (5000 - MOST_FINDINGS));
}

#[test]
fn declaring_a_key_again_changes_whether_it_is_required() {
    let set = KeySet::new().required("a").optional("b").optional("a");
    assert_eq!(set.names().collect::<Vec<_>>(), [("a", false), ("b", false)]);
    assert_eq!(set.check("{}"), Ok(()));
}

#[test]
fn a_hint_prefers_a_key_that_is_missing_and_never_changes_the_verdict() {
    let set = KeySet::new().required("total").optional("Total");
    let mismatch = set.check(r#"{"Total": 1, "TOTAL": 2}"#).unwrap_err();
    let hint = mismatch.extra()[0].hint.clone().expect("it is near");
    assert_eq!((hint.name.as_str(), hint.difference), ("total", Difference::Case));
    assert_eq!(mismatch.missing(), ["total"]);
}

#[test]
fn m5_messages_name_declared_keys_alone() {
    let mismatch = keys().check(r#"{"answer": 1, "answer": 2, "secret": 3, "secret": 4}"#).unwrap_err();
    assert_eq!(mismatch.to_string(), "1 key missing: \"score\"; 1 key not declared; 2 keys repeated: \"answer\"");
    let shown = format!("{mismatch:?} {:?} {:?}", mismatch.extra(), mismatch.duplicates());
    assert!(!shown.contains("secret"), "{shown}");
}
