//! The laws of streams catch what they are there for: streams that break each of them on purpose (SPEC T1 to T6).

use std::sync::Arc;

use jsonseam_core::{
    AnyRule, Config, Dispatch, Error, Expected, Fault, Pipeline, Proposals, Reach, RepairRule, Repaired, Risk, Root,
    RuleEntry, Stream, StreamOptions,
};
use jsonseam_testkit::generate::{Document, Shape, document};
use jsonseam_testkit::random::Random;
use jsonseam_testkit::streams::{Streams, Told, judge_against, judge_quiet};

/// Doubles a comma that came twice: any rule that repairs something.
struct Commas;

impl RepairRule for Commas {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only((fault.next_char() == Some(',')).then(|| fault.replace_ahead(1, "")));
    }
}

fn pipeline(reach: Reach) -> Pipeline {
    let rule = AnyRule::Repair {
        risk: Risk::Likely,
        answers: Expected::ALL,
        dispatch: Dispatch::ANY,
        reach,
        rule: Arc::new(Commas),
    };
    Pipeline::from_rules(&Config::default().with_root(Root::Any), vec![RuleEntry::new("test/commas", rule)])
}

/// What a piece is said to have led to, in place of what is true.
type Tells<'l> = &'l mut dyn FnMut(&str, Vec<Told>) -> Vec<Told>;

/// A stream that may say something else than what is true.
struct Liar<'l> {
    stream: Stream,
    pushes: usize,
    /// What is told in place of what a piece led to; the first argument is the piece.
    tells: Tells<'l>,
    /// The snapshot in place of the true one.
    shows: &'l dyn Fn(String) -> String,
    /// After which push nothing is settled.
    forgets_after: usize,
    /// What it says that it looked at in vain.
    retried: u64,
}

impl Streams for Liar<'_> {
    fn push(&mut self, piece: &str) -> Result<Vec<Told>, Error> {
        self.pushes += 1;
        let told = Streams::push(&mut self.stream, piece)?;
        Ok((self.tells)(piece, told))
    }

    fn settled(&self) -> &str {
        if self.pushes == self.forgets_after { "" } else { self.stream.settled() }
    }

    fn snapshot(&self) -> String {
        (self.shows)(self.stream.snapshot().text())
    }

    fn retried(&self) -> u64 {
        self.retried
    }

    fn finish(self) -> (Vec<Told>, Result<Repaired<'static>, Error>) {
        let (told, result) = Streams::finish(self.stream);
        ((self.tells)("", told), result)
    }
}

const TEXT: &str = r#"{"a": [12, "x\ud83d\ude00y"],, "b": {"c": true}}"#;

/// What the laws say of a stream of [`TEXT`] in pieces of one byte that tells and shows otherwise.
fn caught(tells: Tells<'_>, shows: &dyn Fn(String) -> String) -> String {
    caught_of(TEXT, |stream| Liar { stream, pushes: 0, tells, shows, forgets_after: 0, retried: 0 })
}

/// The same of any liar, against what the text `whole` gives.
fn caught_of<'l>(whole: &str, liar: impl FnOnce(Stream) -> Liar<'l>) -> String {
    let pipeline = pipeline(Reach::FAULT);
    let liar = liar(pipeline.stream(StreamOptions::new()));
    let ends: Vec<_> = (1..=TEXT.len()).collect();
    judge_against(&pipeline.repair(whole), liar, TEXT, &ends, true)
        .map_or_else(|complaint| complaint, |_| String::new())
}

fn tells(mut tells: impl FnMut(&str, Vec<Told>) -> Vec<Told>) -> String {
    caught(&mut tells, &|snapshot| snapshot)
}

fn shows(shows: impl Fn(String) -> String) -> String {
    caught(&mut |_, told| told, &shows)
}

#[test]
fn an_honest_stream_is_not_caught() {
    assert_eq!(tells(|_, told| told), "");
}

#[test]
fn t2_a_number_told_before_what_ends_it_and_a_key_told_as_a_value_are_caught() {
    let early = tells(|piece, mut told| {
        if piece == "1" {
            told.push(Told::Done("/a/0".to_owned(), "1".to_owned(), 8));
        }
        told
    });
    assert!(early.starts_with("S2"), "{early}");
    let key = tells(|piece, mut told| {
        if piece == "b" {
            told.push(Told::Done("/b".to_owned(), "\"b\"".to_owned(), 0));
        }
        told
    });
    assert!(key.starts_with("S2"), "{key}");
}

#[test]
fn t2_a_piece_of_a_string_left_out_and_an_edit_not_told_are_caught() {
    let lost =
        tells(|_, told| told.into_iter().filter(|told| !matches!(told, Told::Text(_, text) if text == "x")).collect());
    assert!(lost.starts_with("S2"), "{lost}");
    let silent = tells(|_, told| told.into_iter().filter(|told| !matches!(told, Told::Seam(_))).collect());
    assert!(silent.starts_with("S2"), "{silent}");
}

#[test]
fn t5_a_parent_told_before_its_child_and_a_root_not_told_last_are_caught() {
    let mut kept = Vec::new();
    let parent = tells(|_, told| {
        let (inner, mut rest): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|told| matches!(told, Told::Done(path, ..) if path == "/b"));
        kept.extend(inner);
        if rest.iter().any(|told| matches!(told, Told::Done(path, ..) if path.is_empty())) {
            rest.append(&mut kept);
        }
        rest
    });
    assert!(parent.starts_with("S5"), "{parent}");
    let mut last = None;
    let root = tells(|_, told| {
        let mut out = Vec::new();
        for told in told {
            match told {
                Told::Done(path, json, end) if path == "/a/0" => last = Some(Told::Done(path, json, end)),
                Told::Done(path, json, end) if path.is_empty() => {
                    out.push(Told::Done(path, json, end));
                    out.extend(last.take());
                }
                other => out.push(other),
            }
        }
        out
    });
    assert!(root.starts_with("S5"), "{root}");
}

#[test]
fn t3_a_snapshot_cut_in_an_escape_a_literal_or_a_key_is_caught() {
    // What is cut is there in the snapshot at some place of the text.
    for (whole, cut) in [("😀", "\\ud83"), ("true", "tru"), ("\"c\": ", "\"c")] {
        let complaint = shows(|snapshot| {
            let snapshot = snapshot.replace("\\ud83d\\ude00", "😀");
            snapshot.replace(whole, cut)
        });
        assert!(complaint.starts_with("S4"), "{whole}: {complaint}");
    }
    let forgets = shows(|snapshot| if snapshot.contains("true") { "{}".to_owned() } else { snapshot });
    assert!(forgets.starts_with("S4"), "{forgets}");
}

#[test]
fn t2_settled_text_that_becomes_shorter_or_another_is_caught() {
    let (tells, shows): (Tells<'_>, _) = (&mut |_, told| told, &|snapshot| snapshot);
    let forgets = caught_of(TEXT, |stream| Liar { stream, pushes: 0, tells, shows, forgets_after: 20, retried: 0 });
    assert!(forgets.starts_with("S3"), "{forgets}");
    let other = caught_of("[1]", |stream| Liar { stream, pushes: 0, tells, shows, forgets_after: 0, retried: 0 });
    assert!(other.starts_with("S1"), "{other}");
}

#[test]
fn t4_a_stream_that_looks_in_vain_without_end_is_caught() {
    let (tells, shows): (Tells<'_>, _) = (&mut |_, told| told, &|snapshot| snapshot);
    let idle = caught_of(TEXT, |stream| Liar { stream, pushes: 0, tells, shows, forgets_after: 0, retried: 1 << 20 });
    assert!(idle.starts_with("S6"), "{idle}");
}

fn documents() -> impl Iterator<Item = Document> {
    let mut random = Random::new(7);
    (0..40).map(move |_| document(&Shape::default(), &mut random))
}

#[test]
fn t4_a_valid_text_is_settled_as_it_comes_and_a_rule_that_holds_two_tokens_is_caught() {
    for reach in [Reach::FAULT, Reach::LAST_COMMA, Reach::tokens(1)] {
        let pipeline = pipeline(reach);
        for document in documents() {
            judge_quiet(pipeline.stream(StreamOptions::new()), &document, 1).expect("the law holds");
        }
    }
    let holds = pipeline(Reach::tokens(2));
    let caught = documents().filter(|document| judge_quiet(holds.stream(StreamOptions::new()), document, 1).is_err());
    assert_eq!(caught.count(), 40);
}
