//! The laws that compare readings catch what they are there for: subjects and rules that break each of them on purpose.

use std::sync::Arc;

use jsonseam_core::{
    AnyRule, Config, Dispatch, Expected, Fault, Pipeline, Proposals, Reach, RepairRule, Risk, Root, RuleEntry,
};
use jsonseam_testkit::blind::blind_entry;
use jsonseam_testkit::doubtful::doubtful_texts;
use jsonseam_testkit::readings::{doubtful, honest, monotone, order_free};

/// Writes a text for another at the fault.
struct Writes(&'static str, &'static str);

impl RepairRule for Writes {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(fault.ahead().starts_with(self.0).then(|| fault.replace_ahead(self.0.len(), self.1)));
    }
}

fn entry(risk: Risk, rule: impl RepairRule) -> RuleEntry {
    let rule = AnyRule::Repair {
        risk,
        answers: Expected::ALL,
        dispatch: Dispatch::ANY,
        reach: Reach::UNDECLARED,
        rule: Arc::new(rule),
    };
    RuleEntry::new("test/planted", rule)
}

fn pipeline(rules: Vec<RuleEntry>) -> Pipeline {
    let config = Config::default().with_root(Root::Any);
    Pipeline::from_rules(&config, rules)
}

fn one(risk: Risk, find: &'static str, write: &'static str) -> Pipeline {
    pipeline(vec![entry(risk, Writes(find, write))])
}

fn law(result: Result<(), jsonseam_testkit::laws::Violation>) -> Option<&'static str> {
    result.err().map(|violation| violation.law)
}

#[test]
fn order_free_catches_two_rules_of_which_the_first_decides() {
    let both = |first, second| pipeline(vec![entry(Risk::Likely, first), entry(Risk::Likely, second)]);
    let (one, other) = (both(Writes("x", "1"), Writes("x", "2")), both(Writes("x", "2"), Writes("x", "1")));
    assert_eq!(law(order_free(&one, &other, "[x]")), Some("order-free"));
    assert_eq!(law(order_free(&one, &pipeline(vec![]), "[x]")), Some("order-free"));
    let spaced = both(Writes("x", "1 "), Writes("y", "2"));
    assert_eq!(law(order_free(&one, &spaced, "[x]")), None);
    assert_eq!(law(order_free(&one, &other, "[z]")), None);
}

#[test]
fn monotone_catches_another_value_a_higher_risk_and_a_refusal_of_another_kind() {
    let poorer = one(Risk::Likely, "x", "1");
    assert_eq!(law(monotone(&poorer, &one(Risk::Likely, "x", "2"), "[x]")), Some("monotone"));
    assert_eq!(law(monotone(&poorer, &one(Risk::Guess, "x", "1"), "[x]")), Some("monotone"));
    assert_eq!(law(monotone(&poorer, &pipeline(vec![]), "[x]")), Some("monotone"));
    assert_eq!(law(monotone(&poorer, &one(Risk::Certain, "x", "1"), "[x]")), None);
    assert_eq!(law(monotone(&pipeline(vec![]), &poorer, "[x]")), None);
}

#[test]
fn doubtful_catches_a_rule_that_chooses_between_two_truths() {
    let texts: Vec<_> = doubtful_texts(1, 40).map(|doubtful| doubtful.text).collect();
    let chooses = pipeline(vec![entry(Risk::Likely, InsertsCommas)]);
    assert!(texts.iter().any(|text| law(doubtful(&chooses, text)) == Some("doubtful")));
    assert!(texts.iter().all(|text| law(doubtful(&pipeline(vec![]), text)).is_none()));
}

struct InsertsCommas;

impl RepairRule for InsertsCommas {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only((fault.expected() == Expected::Comma && !fault.is_at_end()).then(|| fault.replace_ahead(0, ",")));
    }
}

#[test]
fn honest_catches_a_likely_rule_that_drops_letters_digits_or_signs() {
    for (text, find, write) in [("[x1]", "x", ""), ("[-\"a\"]", "-", ""), ("[07]", "7", ",7 "), ("[abc]", "abc", "0")] {
        let expected = (find != "7").then_some("honest");
        assert_eq!(law(honest(&one(Risk::Likely, find, write), text)), expected, "{text}");
        assert_eq!(law(honest(&one(Risk::Lossy, find, write), text)), None, "{text}");
    }
    assert_eq!(law(honest(&one(Risk::Likely, "x", "\"x\""), "[x]")), None);
    // A newline may be spelled as an escape; an escape may not become letters.
    assert_eq!(law(honest(&one(Risk::Likely, "\n", "\\n"), "[\"a\nb\"]")), None);
    assert_eq!(law(honest(&one(Risk::Likely, "x", "\"n\""), "[x]")), Some("honest"));
}

#[test]
fn honest_catches_a_certain_rule_that_no_superset_of_json_supports() {
    assert_eq!(law(honest(&one(Risk::Certain, "x", "1"), "[x]")), Some("honest"));
    assert_eq!(law(honest(&one(Risk::Certain, "'a'", "\"b\""), "['a']")), Some("honest"));
    assert_eq!(law(honest(&one(Risk::Certain, "'a'", "\"a\""), "['a']")), None);
    assert_eq!(law(honest(&one(Risk::Certain, "True", "true"), "[True]")), None);
}

/// Answers only where the rest of the text is short.
struct LooksFar;

impl RepairRule for LooksFar {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let is_near = fault.ahead().take_while(|_| true).len() < 4;
        to.only((is_near && fault.ahead().starts_with("x")).then(|| fault.replace_ahead(1, "1")));
    }
}

#[test]
fn blind_catches_an_answer_that_depends_on_the_end_and_does_not_say_so() {
    let texts = ["[x]", "[x", "{\"a\": x}"];
    let far = |touches| law(blind_entry(entry(Risk::Guess, LooksFar), texts, touches));
    assert_eq!(far(|_| false), Some("blind"));
    assert_eq!(far(|_| true), None);
    // One that reads its own token, and nothing else, never touched the end unless it was there.
    let near = entry(Risk::Guess, Writes("x", "1"));
    assert_eq!(
        law(blind_entry(near, texts, |fault| fault.is_at_end() || fault.ahead().take_while(|_| true).len() <= 1)),
        None
    );
}
