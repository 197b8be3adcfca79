//! Evidence as rules see it: a probe asks at each fault and writes down the answer.

use std::sync::{Arc, Mutex};

use super::{Evidence, Step};
use crate::{
    AnyRule, Config, Dispatch, Expected, Fault, Pipeline, Proposals, RepairOptions, RepairRule, Risk, RuleEntry,
};

/// Repairs what the tests break (a `?`, a bare key), and notes what the contract says of the key `name`.
struct Probe {
    name: &'static str,
    answers: Arc<Mutex<Vec<Option<bool>>>>,
}

impl RepairRule for Probe {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.next_char() == Some('?') {
            self.answers.lock().expect("no test panics here").push(fault.declares_key(self.name));
            to.only(fault.replace_ahead(1, ""));
            return;
        }
        let name = fault.ahead().take_while(char::is_alphanumeric);
        to.only((!name.is_empty()).then(|| fault.quote_ahead(name.len())));
    }
}

/// What the contract says of `name` at each `?` of the text.
fn answers(evidence: Option<&Evidence>, name: &'static str, text: &str) -> Vec<Option<bool>> {
    let answers = Arc::new(Mutex::new(Vec::new()));
    let rule = Arc::new(Probe { name, answers: Arc::clone(&answers) });
    let rule = AnyRule::Repair {
        risk: Risk::Lossy,
        answers: Expected::ALL,
        dispatch: Dispatch::ANY,
        reach: crate::Reach::UNDECLARED,
        rule,
    };
    let entry = RuleEntry { name: "test/probe".to_owned(), rule };
    let pipeline = Pipeline::from_rules(&Config::default(), vec![entry]);
    let options = RepairOptions::new().with_evidence(evidence);
    pipeline.repair_with(text, &options).expect("the probe repairs every text of these tests");
    answers.lock().expect("no test panics here").clone()
}

fn contract() -> Evidence {
    Evidence::new()
        .closed(&[], ["name", "tags", "é"])
        .open(&[Step::Key("tags"), Step::Item], ["id"])
        .closed(&[Step::Key("é")], ["id"])
        .closed(&[Step::Key("tags"), Step::Item, Step::AnyKey], ["deep"])
}

#[test]
fn a_closed_list_says_yes_and_no_and_an_open_one_only_yes() {
    let evidence = contract();
    let text = r#"{"tags": [{"id": 1 ?} ?], "name": 1 ?}"#;
    assert_eq!(answers(Some(&evidence), "id", text), [Some(true), Some(false), Some(false)]);
    assert_eq!(answers(Some(&evidence), "name", text), [None, Some(true), Some(true)]);
}

#[test]
fn a_path_goes_through_keys_of_any_name_and_every_element() {
    let evidence = contract();
    let text = r#"{"tags": [0, {"x": {?}}, {"y": {"z": {?}} ?}]}"#;
    assert_eq!(answers(Some(&evidence), "deep", text), [Some(true), None, None]);
}

#[test]
fn k1_keys_are_compared_after_unescaping_and_in_no_other_way() {
    let evidence = contract();
    assert_eq!(answers(Some(&evidence), "id", r#"{"\u00e9": {?}, "É": {?}}"#), [Some(true), None]);
    assert_eq!(answers(Some(&evidence), r"\u006eame", "{?}"), [Some(true)]);
    assert_eq!(answers(Some(&evidence), "Name", "{?}"), [Some(false)]);
}

#[test]
fn a_key_that_an_edit_quoted_is_followed() {
    let evidence = contract();
    assert_eq!(answers(Some(&evidence), "id", "{tags: [{?}], name: {?}}"), [Some(true), None]);
}

#[test]
fn nothing_is_known_without_evidence_or_where_it_is_silent() {
    assert_eq!(answers(None, "name", "{?}"), [None]);
    assert_eq!(answers(Some(&Evidence::new()), "name", "{?}"), [None]);
    assert_eq!(answers(Some(&contract()), "name", r#"{"name": {?}}"#), [None]);
}

#[test]
fn alternatives_add_up_and_one_open_list_leaves_a_place_open() {
    let evidence = Evidence::new().closed(&[], ["a"]).closed(&[], ["b"]);
    assert_eq!(answers(Some(&evidence), "a", "{?}"), [Some(true)]);
    assert_eq!(answers(Some(&evidence), "c", "{?}"), [Some(false)]);
    let evidence = evidence.open(&[], ["c"]).closed(&[], ["d"]);
    assert_eq!(answers(Some(&evidence), "e", "{?}"), [None]);
}

#[test]
fn b5_keys_on_the_way_are_read_once_however_many_faults_there_are() {
    let key = "k".repeat(1000);
    let evidence = Evidence::new().closed(&[Step::Key(&key), Step::Item, Step::Key(&key)], ["a"]);
    let text = format!(r#"{{"{key}": [{{"{key}": {{{}}}}}]}}"#, "?".repeat(4000));
    let found = answers(Some(&evidence), "a", &text);
    assert_eq!(found.len(), 4000);
    assert!(found.iter().all(|&answer| answer == Some(true)));
}
