//! Every law catches what it is there for: a rule, or a whole subject, that breaks it on purpose.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jsonseam_core::{
    AnyRule, Candidates, Config, Dispatch, Edit, Expected, Fault, Limits, LocateRule, NextSet, Pipeline, PreviousSet,
    Proposals, Reach, Region, RepairRule, Risk, Root, RuleEntry, Status, TokenKind, rule,
};
use jsonseam_testkit::damage::{Defect, damage_many};
use jsonseam_testkit::hostile::Family;
use jsonseam_testkit::laws::{LAWS, check_all, linear};
use jsonseam_testkit::subject::{Accepted, Outcome, Subject};
use jsonseam_testkit::{letters, rule_laws};

/// The laws that do not hold for `subject` on `text`.
fn broken_laws(subject: &dyn Subject, text: &str) -> Vec<&'static str> {
    LAWS.iter().filter(|law| law.check(subject, text).is_err()).map(|law| law.name).collect()
}

/// A pipeline of one planted rule that answers every fault.
fn planted(rule: impl RepairRule) -> Pipeline {
    planted_within(rule, Limits::default())
}

fn planted_within(rule: impl RepairRule, limits: Limits) -> Pipeline {
    let config = Config::default().with_root(Root::Any).with_limits(limits);
    Pipeline::from_rules(
        &config,
        vec![RuleEntry::new(
            "test/planted",
            AnyRule::Repair {
                risk: Risk::Likely,
                answers: Expected::ALL,
                dispatch: Dispatch::ANY,
                reach: Reach::UNDECLARED,
                rule: Arc::new(rule),
            },
        )],
    )
}

/// Puts a comma between two strings, but for the byte before the quote.
struct ReadsBytes;

impl RepairRule for ReadsBytes {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let has_last = fault.token(0).is_some_and(|token| !fault.at(token.span.end - 1).before(1).is_empty());
        to.only(fault.insert_after_previous(",").filter(|_| has_last));
    }
}

#[test]
fn letters_catches_a_rule_that_looks_at_the_byte_before_a_quote() {
    let broken = letters::check(&planted(ReadsBytes), "[\"a\" \"b\"]").expect_err("a letter of two bytes is none");
    assert_eq!((broken.law, broken.text.as_str()), ("letters", "[\"é\" \"b\"]"));
    assert_eq!(letters::check(&planted(ReadsBytes), "[\"\\n\" \"C:\\\\\"]"), Ok(()), "what ASCII alone spells");
}

/// A subject that repairs honestly and then spoils the result.
struct Spoiled<F: Fn(&mut Accepted)>(F);

impl<F: Fn(&mut Accepted)> Subject for Spoiled<F> {
    fn repair(&self, text: &str) -> Outcome {
        let config = Config::default().with_root(Root::Any);
        let mut outcome = Pipeline::from_rules(&config, vec![]).repair_outcome(text);
        if let Outcome::Accepted(accepted) = &mut outcome {
            (self.0)(accepted);
        }
        outcome
    }
}

trait RepairOutcome {
    fn repair_outcome(&self, text: &str) -> Outcome;
}

impl RepairOutcome for Pipeline {
    fn repair_outcome(&self, text: &str) -> Outcome {
        Subject::repair(self, text)
    }
}

#[test]
fn honest_subjects_break_no_law() {
    assert_eq!(check_all(&Spoiled(|_| {}), "{\"a\": [1, 2]}"), Ok(()));
}

#[test]
fn unpanicking_catches_a_rule_that_panics() {
    struct Panics;
    impl RepairRule for Panics {
        fn answer(&self, _: &Fault<'_>, _: &mut Proposals) {
            panic!("planted")
        }
    }
    assert!(broken_laws(&planted(Panics), "[x").contains(&"unpanicking"));
    let broken = check_all(&planted(Panics), "[x").expect_err("it panics");
    assert_eq!(broken.law, "unpanicking");
}

/// Counts how often it repairs.
struct Counted<S>(S, AtomicUsize);

impl<S: Subject> Subject for Counted<S> {
    fn repair(&self, text: &str) -> Outcome {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.repair(text)
    }
}

#[test]
fn every_law_together_repairs_a_text_twice_and_its_output_once() {
    struct WritesOne;
    impl RepairRule for WritesOne {
        fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
            to.only((fault.next_char() == Some('x')).then(|| fault.replace_ahead(1, "1")));
        }
    }
    for (text, repairs) in [("[x]", 3), ("[1]", 2), ("[y]", 2)] {
        let subject = Counted(planted(WritesOne), AtomicUsize::new(0));
        assert_eq!(check_all(&subject, text), Ok(()));
        assert_eq!(subject.1.into_inner(), repairs, "{text}");
    }
}

#[test]
fn quiet_catches_an_edit_of_valid_text() {
    let edits_valid = Spoiled(|accepted| {
        accepted.text = accepted.text.replace(", ", ",");
        accepted.edits = vec![("test/planted".to_owned(), Risk::Likely, 2..3, String::new())];
        accepted.status = Status::Repaired;
    });
    assert!(broken_laws(&edits_valid, "[1, 2]").contains(&"quiet"));
}

#[test]
fn judged_catches_an_output_that_is_not_json() {
    let invalid = Spoiled(|accepted| accepted.text.push(','));
    assert!(broken_laws(&invalid, "[1, 2]").contains(&"judged"));
}

#[test]
fn conserving_catches_a_byte_that_no_edit_explains() {
    let drops = Spoiled(|accepted| accepted.text = accepted.text.replace('2', "3"));
    assert!(broken_laws(&drops, "[1, 2]").contains(&"conserving"));
    let overlapping = Spoiled(|accepted| {
        accepted.edits = vec![
            ("test/planted".to_owned(), Risk::Likely, 1..3, "x".to_owned()),
            ("test/planted".to_owned(), Risk::Likely, 2..4, "y".to_owned()),
        ];
    });
    assert!(broken_laws(&overlapping, "[1, 2]").contains(&"conserving"));
    let splits_a_character = Spoiled(|accepted| {
        accepted.edits = vec![("test/planted".to_owned(), Risk::Likely, 3..4, String::new())];
    });
    assert!(broken_laws(&splits_a_character, "[\"é\"]").contains(&"conserving"));
}

#[test]
fn reversible_catches_a_revert_that_loses_text() {
    let loses = Spoiled(|accepted| accepted.reverted.clear());
    assert_eq!(broken_laws(&loses, "[1, 2]"), ["reversible"]);
}

#[test]
fn idempotent_catches_an_output_that_is_not_accepted_again() {
    // The output outgrows the limit that its input kept.
    struct Inflates;
    impl RepairRule for Inflates {
        fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
            to.only(
                (fault.next_char() == Some('x')).then(|| fault.replace_ahead(1, format!("\"{}\"", "y".repeat(100)))),
            );
        }
    }
    let limits = Limits::default().with_max_input_bytes(50);
    assert_eq!(broken_laws(&planted_within(Inflates, limits), "[x]"), ["idempotent"]);
}

#[test]
fn deterministic_catches_a_rule_with_a_memory() {
    #[derive(Default)]
    struct Remembers(AtomicUsize);
    impl RepairRule for Remembers {
        fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
            let count = self.0.fetch_add(1, Ordering::Relaxed);
            to.only((fault.next_char() == Some('x')).then(|| fault.replace_ahead(1, count.to_string())));
        }
    }
    assert_eq!(broken_laws(&planted(Remembers::default()), "[x]"), ["deterministic"]);
}

#[test]
fn private_catches_a_message_that_quotes_the_text() {
    let quotes = Spoiled(|accepted| accepted.shown = format!("Repaired({})", accepted.text));
    assert_eq!(broken_laws(&quotes, "[\"canary123456\"]"), ["private"]);
}

/// Reads to the end of the region at every fault: each single question is harmless, together they are quadratic.
struct ReadsToTheEnd;

impl RepairRule for ReadsToTheEnd {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        fault.ahead().take_while(|_| true);
        to.only((fault.next_char() == Some('x')).then(|| fault.replace_ahead(1, "1")));
    }
}

/// Reads the keys above every fault: text before it, again and again.
struct ReadsBackwards;

impl RepairRule for ReadsBackwards {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        fault.at(fault.region_end()).before_while(|_| true);
        to.only((fault.next_char() == Some('x')).then(|| fault.replace_ahead(1, "1")));
    }
}

const FAULTS_EVERYWHERE: Family =
    Family { name: "a bad word at every element", make: |n| format!("[{}x]", "x,".repeat(n / 2)) };
const FAULTS_UNDER_A_LONG_KEY: Family = Family {
    name: "a bad word at every element, under a key as long as all of them",
    make: |n| format!("{{\"{}\": [{}x]}}", "k".repeat(n / 2), "x,".repeat(n / 4)),
};

#[test]
fn linear_counts_every_byte_a_question_reads_ahead() {
    let violation = linear(&planted(ReadsToTheEnd), FAULTS_EVERYWHERE.name, &FAULTS_EVERYWHERE.make, 8_192)
        .expect_err("it is quadratic");
    assert_eq!(violation.law, "linear");
}

#[test]
fn linear_counts_every_byte_a_question_reads_back() {
    let family = FAULTS_UNDER_A_LONG_KEY;
    let violation = linear(&planted(ReadsBackwards), family.name, &family.make, 8_192).expect_err("it is quadratic");
    assert_eq!(violation.law, "linear");
}

rule! {
    /// Reads to the end of the payload, wherever it is asked.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[x]` becomes `[1]`.
    /// # Limits
    /// Planted.
    struct ReadsOn {
        name: "test/reads-on",
        risk: Likely,
        answers: [Value],
        cases: "planted/splits.toml",
    }
}

impl RepairRule for ReadsOn {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        ReadsToTheEnd.answer(fault, to);
    }
}

#[test]
fn linear_catches_the_same_rule_in_a_general_family() {
    let broken = rule_laws::linear_work(ReadsOn::REGISTRATION).expect_err("it is quadratic");
    assert_eq!(broken.law, "linear");
}

/// The first rule of a package answers for all that are linked.
#[test]
fn linear_catches_among_all_what_another_rule_reads() {
    let broken = |rule| rule_laws::linear_work(rule).map_err(|violation| violation.law);
    assert_eq!((broken(LawsCatch::REGISTRATION), broken(NullWord::REGISTRATION)), (Err("linear"), Ok(())));
}

#[test]
fn bounded_catches_the_same_rule_on_one_text() {
    let text = (FAULTS_EVERYWHERE.make)(20_000);
    assert!(broken_laws(&planted(ReadsToTheEnd), &text).contains(&"bounded"));
}

rule! {
    /// Splits a character.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[é]` becomes `[1]`.
    /// # Limits
    /// Planted.
    struct LawsCatch {
        name: "test/laws-catch",
        risk: Likely,
        answers: [Value],
        cases: "planted/splits.toml",
    }
}

impl RepairRule for LawsCatch {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only((fault.next_char() == Some('é')).then(|| Edit::replace(fault.pos()..fault.pos() + 1, "1").into()));
    }
}

#[test]
fn forward_catches_an_answer_that_splits_a_character() {
    assert_eq!(rule_laws::behaviour(LawsCatch::REGISTRATION).map_err(|violation| violation.law), Err("forward"));
}

#[test]
fn declaration_and_cases_catch_what_a_declaration_promises_and_does_not_keep() {
    assert_eq!(rule_laws::cases(LawsCatch::REGISTRATION).map_err(|violation| violation.law), Err("cases"));
    assert_eq!(rule_laws::declaration(LawsCatch::REGISTRATION).map_err(|violation| violation.law), Err("declaration"));
}

rule! {
    /// Takes any character where a value is expected.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[=1]` becomes `[1]`.
    /// # Limits
    /// Planted.
    struct Walrus {
        name: "test/walrus",
        risk: Likely,
        answers: [Value],
        cases: "planted/walrus.toml",
    }
}

impl RepairRule for Walrus {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(fault.next_char().map(|next| fault.replace_ahead(next.len_utf8(), "")));
    }
}

/// D13: under `max-risk = "likely"` this rule would make `{"price": x1}` a price.
#[test]
fn honest_catches_a_rule_that_takes_more_than_its_risk_says() {
    let broken = rule_laws::behaviour(Walrus::REGISTRATION).expect_err("it takes letters");
    assert_eq!(broken.law, "honest", "{broken}");
}

rule! {
    /// Takes every region as it is.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// Planted.
    /// # Limits
    /// Planted.
    struct Greedy {
        name: "test/greedy",
        locates: Regions,
        holds: ["<answer>"],
        cases: "planted/walrus.toml",
    }
}

impl LocateRule for Greedy {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        found.push(region.span());
    }
}

#[test]
fn keyed_catches_a_locator_that_finds_something_without_its_landmarks() {
    let broken = rule_laws::behaviour(Greedy::REGISTRATION).expect_err("no case holds `<answer>`");
    assert_eq!(broken.law, "keyed", "{broken}");
}

rule! {
    /// Reads words as null.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[None]` becomes `[null]`.
    /// # Limits
    /// Planted.
    struct NullWord {
        name: "test/null-word",
        risk: Certain,
        answers: [Value],
        cases: "planted/null_word.toml",
        options: {
            /// The words.
            words: Vec<String> = vec!["None".to_owned()],
        },
    }
}

impl RepairRule for NullWord {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let word = self.words.iter().find(|word| fault.ahead().starts_with(word));
        to.only(word.map(|word| fault.replace_ahead(word.len(), "null")));
    }
}

rule! {
    /// Reads a word as one of two numbers.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[None]` becomes `[null]`.
    /// # Limits
    /// Planted.
    struct TwoNumbers {
        name: "test/two-numbers",
        risk: Likely,
        answers: [Value],
        cases: "planted/null_word.toml",
        answer: |fault, to| {
            if fault.ahead().starts_with("None") {
                to.offer(fault.replace_ahead(4, "1"));
                to.offer(fault.replace_ahead(4, "2"));
            }
        },
    }

    /// Reads a word as null, in two ways.
    ///
    /// # What
    /// Planted.
    /// # Why
    /// Planted.
    /// # Example
    /// `[None]` becomes `[null]`.
    /// # Limits
    /// Planted.
    struct TwoSpellings {
        name: "test/two-spellings",
        risk: Lossy,
        answers: [Value],
        cases: "planted/null_word.toml",
        answer: |fault, to| {
            if fault.ahead().starts_with("None") {
                to.offer(fault.replace_ahead(4, "null"));
                to.offer(fault.replace_ahead(4, "0"));
            }
        },
    }
}

#[test]
fn decided_catches_a_rule_below_guess_that_leaves_the_value_open() {
    let broken = rule_laws::behaviour(TwoNumbers::REGISTRATION).expect_err("a value is not chosen below `guess`");
    assert_eq!((broken.law, broken.text.as_str()), ("decided", "[None]"), "{broken}");
    // What is declared as lossy may.
    let broken = rule_laws::behaviour(TwoSpellings::REGISTRATION);
    assert!(broken.as_ref().map_or_else(|broken| broken.law != "decided", |()| true), "{broken:?}");
}

/// What comes before a fault, and what comes next.
type Around = (Option<TokenKind>, Option<char>);

/// Keeps where it was asked, and answers nothing.
struct Asked(Arc<Mutex<Vec<Around>>>);

impl RepairRule for Asked {
    fn answer(&self, fault: &Fault<'_>, _: &mut Proposals) {
        let asked = (fault.token(0).map(|token| token.kind), fault.next_char());
        self.0.lock().expect("no test panics here").push(asked);
    }
}

#[test]
fn a_rule_is_never_asked_of_a_fault_that_it_did_not_declare() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let dispatch = Dispatch::ANY.after(PreviousSet::of(TokenKind::Comma)).before(NextSet::of("}]"));
    let rule = AnyRule::Repair {
        risk: Risk::Likely,
        answers: &[Expected::Key, Expected::Value],
        dispatch,
        reach: Reach::UNDECLARED,
        rule: Arc::new(Asked(Arc::clone(&log))),
    };
    let pipeline =
        Pipeline::from_rules(&Config::default().with_root(Root::Any), vec![RuleEntry::new("test/asked", rule)]);
    for damaged in damage_many(7, Defect::ALL, 2_000) {
        let _ = pipeline.repair(&damaged.text);
    }
    let asked = log.lock().expect("no test panics here");
    assert!(asked.len() > 20, "{} questions tell little", asked.len());
    let is_declared = |(before, next): &Around| *before == Some(TokenKind::Comma) && matches!(next, Some('}' | ']'));
    assert!(asked.iter().all(is_declared), "{asked:?}");
}

/// D21: with the empty word this rule invents a value wherever one is missing.
#[test]
fn the_laws_try_the_empty_text_in_an_option_that_takes_a_list() {
    let broken = rule_laws::behaviour(NullWord::REGISTRATION).expect_err("the empty word is everywhere");
    assert!(broken.law == "honest" && broken.seen.starts_with("with `words = [\"\"]`, "), "{broken}");
}

/// D18 and D19: where the case is written, and what the rule answered although nothing came of it.
#[test]
fn a_case_that_fails_says_where_it_is_and_what_the_rule_answered() {
    let broken = rule_laws::cases(LawsCatch::REGISTRATION).expect_err("no such edit is made").to_string();
    assert!(broken.contains("laws_catch.toml:4: "), "{broken}");
    assert!(
        broken.contains("at byte 1 the rule answered 1..2 → \"1\", which is no edit: edit 1..2 splits a character"),
        "{broken}"
    );
}
