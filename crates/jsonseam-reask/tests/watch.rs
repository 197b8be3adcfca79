//! An answer that is hopeless while it is written is not paid for, and none that would be accepted is given up.

use std::time::Duration;

use jsonseam_adapter::Adapter;
use jsonseam_core::{Catalogue, Policy};
use jsonseam_reask::{OnExhausted, Reask, Response, Step, Watch};

fn adapter() -> Adapter {
    let builder = Adapter::builder().catalogue(|| Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS));
    let builder = builder.preset("standard").schema("title", r#"{"type": "string", "maxLength": 40}"#);
    let builder = builder.schema("score", r#"{"type": "integer", "minimum": 0}"#).output("text").optional("tags");
    builder.candidates(Policy::First).build().expect("the contract holds")
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, len: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % len
    }
}

/// An answer of several hundred bytes; and where it can no longer be one, if a defect is put into it.
fn answer(numbers: &mut Numbers, is_hopeless: bool) -> (String, Option<usize>) {
    let words = ["plain", "it isn't", "C:/temp", "\\u00e9\\n", "{draft}", "[1]", "50 %", "\\\"so\\\""];
    let text: Vec<_> = (0..40 + numbers.below(120)).map(|_| words[numbers.below(words.len())]).collect();
    let mut members = [
        format!("\"title\": \"Nr. {}\"", numbers.below(1_000)),
        format!("\"score\": {}", numbers.below(100)),
        format!("\"text\": \"{}\"", text.join(" ")),
        "\"tags\": [\"a\", {\"b\": null}]".to_owned(),
    ]
    .to_vec();
    let turn = numbers.below(members.len());
    members.rotate_left(turn);
    let place = numbers.below(members.len());
    let defects =
        ["\"more\": 1", "\"score\": \"high\"", "\"score\": -1", "\"title\": 7", "\"text\": ?? ]", "\"notes\": []"];
    if is_hopeless {
        let defect = defects[numbers.below(defects.len())];
        let key = defect.split(':').next().unwrap_or_default();
        members.retain(|member| !member.starts_with(key));
        let place = place.min(members.len());
        members.insert(place, defect.to_owned());
        let before: usize = members.iter().take(place).map(|member| member.len() + 2).sum();
        let end = 1 + before + defect.len();
        return (format!("{{{}}}", members.join(", ")), Some(end));
    }
    // What the rules repair is accepted too.
    let spelled = match numbers.below(4) {
        0 => format!("{{{},}}", members.join(", ")),
        1 => format!("{{\n  {}\n}}\n", members.join("\n  ")),
        2 => format!("Here it is:\n```json\n{{{}}}\n```\n", members.join(", ")),
        _ => format!("{{{}}}", members.join(", ")),
    };
    (spelled, None)
}

/// Writes an answer in pieces of four bytes, as tokens come, until the loop gives it up; gives how much of it came.
fn written(reask: &Reask, text: &str) -> (usize, bool, Vec<String>) {
    let mut machine = reask.machine("Rate it.", Duration::ZERO);
    assert!(matches!(machine.step(Duration::ZERO), Step::Ask(_)), "there is a request");
    let (mut came, mut is_given_up) = (0, false);
    while came < text.len() && !is_given_up {
        let end = (came + 4..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        is_given_up = machine.observe(&text[came..end]) == Watch::Hopeless;
        came = end;
    }
    machine.answer(Duration::ZERO, Ok(Response::new(&text[..came])));
    let attempt = machine.attempts().first().expect("it is on record").clone();
    assert_eq!((attempt.stopped_early, attempt.completion_length), (is_given_up, Some(came)));
    (came, is_given_up, attempt.errors)
}

#[test]
fn an_answer_without_hope_is_not_paid_for() {
    let reask = Reask::new(adapter()).on_exhausted(OnExhausted::Fail);
    let mut numbers = Numbers(29);
    let (mut after, mut saved, mut given_up) = (0, 0, 0);
    for _ in 0..1_000 {
        let (text, hopeless_from) = answer(&mut numbers, true);
        let from = hopeless_from.expect("it has a defect");
        assert!(reask.adapter().parse(&text).is_err(), "{text}");
        let (came, is_given_up, errors) = written(&reask, &text);
        assert!(came + 4 >= from || !is_given_up, "{text}");
        assert!(!errors.is_empty() && errors.iter().all(|error| !error.contains("truncated")), "{errors:?}: {text}");
        after += text.len() - from.min(text.len());
        saved += text.len() - came;
        given_up += usize::from(is_given_up);
    }
    let figures = format!("{given_up} of 1,000 are given up; {saved} of {after} bytes are not paid for");
    assert!(saved * 2 >= after && given_up > 500, "{figures}");
}

#[test]
fn no_answer_that_is_accepted_is_given_up() {
    let reask = Reask::new(adapter()).on_exhausted(OnExhausted::Fail);
    let mut numbers = Numbers(7);
    for _ in 0..1_000 {
        let (text, _) = answer(&mut numbers, false);
        let (came, is_given_up, errors) = written(&reask, &text);
        if reask.adapter().parse(&text).is_ok() {
            assert!(!is_given_up && came == text.len() && errors.is_empty(), "{text}");
        }
    }
}

#[test]
fn nothing_is_given_up_where_a_part_of_it_or_a_later_payload_may_be_the_answer() {
    let hopeless = r#"{"more": [1, 2, 3], "title": "x", "score": 1, "text": "y"}"#;
    let is_given_up = |reask: &Reask| written(reask, hopeless).1;
    let best = Adapter::builder().outputs(["title", "score", "text"]).build().expect("the contract holds");
    assert!(is_given_up(&Reask::new(adapter()).on_exhausted(OnExhausted::Fail)));
    assert!(!is_given_up(&Reask::new(adapter())));
    assert!(is_given_up(&Reask::new(adapter()).gives_up(true)));
    assert!(!is_given_up(&Reask::new(best.clone()).on_exhausted(OnExhausted::Fail)));
    assert!(is_given_up(&Reask::new(best).gives_up(true)));
    assert!(!is_given_up(&Reask::new(adapter()).on_exhausted(OnExhausted::Fail).gives_up(false)));
    let prose = format!("Like {{\"title\": this}}: {hopeless}");
    assert!(!written(&Reask::new(adapter()).gives_up(true), &prose).1);
}
