//! A stream leads to what the whole text leads to, whatever the pieces are, and never takes back what it told (SPEC T1 to T6).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jsonseam::rule::{Dispatch, Edit, Expected, Fault, Proposals, Reach, RepairRule, Token};
use jsonseam::stream::{Commit, Event, StreamState, Units};
use jsonseam::{AnyRule, Config, Evidence, FinishReason, Pipeline, Reason, Risk, Root, RuleEntry, StreamOptions};
use jsonseam_testkit::corpus;
use jsonseam_testkit::damage::{Defect, damage_each_with};
use jsonseam_testkit::generate::{RootKind, Shape, document};
use jsonseam_testkit::random::Random;
use jsonseam_testkit::streams::{Streamed, Streams, Told, cuts, judge, judge_quiet};

fn preset(name: &str) -> Pipeline {
    jsonseam::pipeline(&Config::default().with_preset(name).with_root(Root::Any)).expect("the preset is known")
}

/// Streams every text under every preset in pieces of these sizes, and gives what was counted.
fn hold(texts: &[String], sizes: &[usize], options: impl Fn(&Pipeline, &str) -> StreamOptions) -> Vec<Streamed> {
    let mut all = Vec::new();
    for name in ["strict", "standard", "lenient"] {
        let pipeline = preset(name);
        for (&size, text) in sizes.iter().flat_map(|size| texts.iter().map(move |text| (size, text))) {
            let ends = cuts(text, size, &mut Random::new(text.len() as u64));
            let looks = text.len() < 256;
            match judge(&pipeline, text, options(&pipeline, text), &ends, looks) {
                Ok(streamed) => all.push(streamed),
                Err(complaint) => panic!("{name}, {size} bytes a piece: {complaint}\n{text}"),
            }
        }
    }
    all
}

fn cases() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let suites = corpus::read(folder.as_ref()).expect("the corpus is readable");
    suites.into_iter().flat_map(|suite| suite.cases.into_iter().map(|case| case.input)).collect()
}

#[test]
fn t1_every_case_in_any_pieces_gives_what_the_whole_text_gives() {
    let texts = cases();
    let all = hold(&texts, &[7, 0], |_, _| StreamOptions::new());
    let others = all.iter().filter(|streamed| streamed.has_other_start).count();
    assert!(others * 50 < all.len(), "{others} of {} have their payload elsewhere", all.len());
}

#[test]
fn t1_damaged_texts_in_any_pieces_give_what_the_whole_texts_give() {
    let texts: Vec<_> = damage_each_with(28, Defect::ALL, Defect::ALL, 1..=3, 60).map(|damaged| damaged.text).collect();
    hold(&texts, &[1, 64, 0], |_, _| StreamOptions::new());
}

#[test]
fn t2_what_was_told_holds_whatever_follows() {
    const TAILS: [&str; 12] =
        ["\"", "x", ",", "}", "]", ": 1", "\n", "\\", "\", \"b\": 2}", "}]}", "\n  \"k\": 1\n}", "```\nDone"];
    let mut random = Random::new(28);
    let texts: Vec<_> = cases()
        .iter()
        .filter(|text| text.starts_with(['{', '[']) && text.len() > 1)
        .map(|text| {
            let mut cut = random.between(1, text.len() - 1);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let tail: String = (0..2).filter_map(|_| random.pick(&TAILS)).copied().collect();
            format!("{}{tail}", &text[..cut])
        })
        .collect();
    hold(&texts, &[3], |_, _| StreamOptions::new());
}

#[test]
fn t1_declared_keys_and_patterns_lead_to_the_same() {
    let texts: Vec<_> = cases().into_iter().filter(|text| text.len() < 400).step_by(3).collect();
    hold(&texts, &[5], |pipeline, text| {
        let keys = pipeline.repair(text).ok().and_then(|repaired| {
            let value: serde_json::Value = serde_json::from_str(repaired.text()).ok()?;
            Some(value.as_object()?.keys().cloned().collect::<Vec<_>>())
        });
        let evidence = keys.map(|keys| Arc::new(Evidence::new().closed(&[], keys.iter().map(String::as_str))));
        StreamOptions::new().with_evidence(evidence)
    });
    let toml = "preset = \"lenient\"\nroot = \"any\"\n[[pattern]]\nname = \"arrow\"\nat = \"colon\"\nfind = \"=+>\"\nreplace = \":\"\nrisk = \"likely\"";
    let pipeline = jsonseam::pipeline(&Config::from_toml(toml, "jsonseam.toml").expect("it is a configuration"))
        .expect("it is a pipeline");
    for text in ["{\"a\" => 1, \"b\" ==> [1, 2", "{\"a\" = > 1}", "{\"a\" =", "[{\"a\"\n=> 'x'}, {\"b\" => \"y\"]"] {
        for size in [1, 2, 0] {
            let ends = cuts(text, size, &mut Random::new(1));
            judge(&pipeline, text, StreamOptions::new(), &ends, true)
                .unwrap_or_else(|complaint| panic!("{complaint}: {text}"));
        }
    }
}

#[test]
fn t4_long_texts_in_small_pieces_take_linear_work() {
    let spent = |len: usize| {
        let rows = "{\"id\": 17, \"name\": \"an\nitem\", \"tags\": ['a', \"b\",],}, ".repeat(len);
        let text = format!("[{rows}1]");
        let pipeline = preset("standard");
        let mut stream = pipeline.stream(StreamOptions::new());
        let mut from = 0;
        for end in cuts(&text, 8, &mut Random::new(1)) {
            stream.push(&text[from..end]).expect("nothing is refused");
            from = end;
        }
        let work = stream.work();
        100 * (work.decided.total() + work.retried) / text.len() as u64
    };
    let (small, large) = (spent(100), spent(800));
    assert!(10 * large < 11 * small, "{small} and {large} hundredths of a unit a byte");
}

#[test]
fn t5_what_is_unfinished_is_listed_and_a_cut_text_is_marked() {
    let pipeline = preset("standard");
    let mut stream = pipeline.stream(StreamOptions::new());
    stream.push("{\"a\": [1, {\"b\": \"x\\u00").expect("nothing is refused");
    let snapshot = stream.snapshot();
    assert_eq!(snapshot.text(), "{\"a\": [1, {\"b\": \"x\"}]}");
    assert_eq!(snapshot.open(), ["", "/a", "/a/1", "/a/1/b"]);
    assert_eq!(snapshot.value::<serde_json::Value>().expect("it is JSON")["a"][1]["b"], "x");
    assert_eq!(stream.tail(), "\\u00");
    let mut stream = pipeline.stream(StreamOptions::new());
    stream.push("{\"a\": \"x").expect("nothing is refused");
    let repaired = stream.finish(None).expect("it is closed");
    assert!(repaired.is_truncated() && repaired.incomplete() == ["/a"]);
}

#[test]
fn a_stream_is_sent_to_another_thread_between_two_pieces() {
    let pipeline = preset("lenient");
    let mut stream = pipeline.stream(StreamOptions::new());
    stream.push("{'a': 1, \"b\": \"he said \"no\"").expect("nothing is refused");
    let stream = std::thread::spawn(move || {
        stream.push(" twice\"}").expect("nothing is refused");
        stream
    });
    let repaired = stream.join().expect("no panic").finish(None).expect("it is repaired");
    assert_eq!(repaired.text(), "{\"a\": 1, \"b\": \"he said \\\"no\\\" twice\"}");
}

#[test]
fn a_refusal_comes_once_and_what_was_settled_stays() {
    let pipeline = preset("strict");
    let mut stream = pipeline.stream(StreamOptions::new());
    assert!(Streams::push(&mut stream, "{\"a\": [1, 2], \"b\": ").is_ok());
    let error = stream.push("?, \"c\": 3").expect_err("no rule reads that");
    assert_eq!((error.reason(), error.position().map(|place| place.offset)), (Reason::Syntax, Some(19)));
    assert_eq!(stream.state(), StreamState::Refused);
    assert!(stream.push("}").expect("it comes once").next().is_none());
    assert_eq!(stream.settled(), "{\"a\": [1, 2], \"b\":");
    let last = stream.finish(Some(FinishReason::from("stop"))).expect_err("it stays refused");
    assert_eq!((last.reason(), last.position()), (error.reason(), error.position()));
}

#[test]
fn t2_edits_that_the_whole_text_makes_by_other_rules_refuse_the_stream() {
    let (pipeline, text) = (preset("lenient"), "[{\\\"a\\\": 1}{]\n");
    let whole = pipeline.repair(text).expect("it is repaired");
    let rules: Vec<_> = whole.edits().map(|edit| edit.rule.to_owned()).collect();
    let mut stream = pipeline.stream(StreamOptions::new());
    let mut told = Vec::new();
    let mut events = stream.push(text).expect("nothing is refused yet");
    while let Some(event) = events.next() {
        if let Event::Seam(edit) = event {
            told.push(edit.rule.to_owned());
        }
    }
    assert!(!told.is_empty() && !rules.starts_with(&told), "{told:?} of {rules:?}");
    assert_eq!(stream.finish(None).expect_err("another reading was told").reason(), Reason::AmbiguousPayload);
}

#[test]
fn t1_a_caller_who_knows_that_a_value_ends_has_it_settled_whatever_the_pieces_were() {
    let pipeline = preset("standard");
    let settled = |text: &str, size: usize| {
        let mut stream = pipeline.stream(StreamOptions::new());
        for piece in text.as_bytes().chunks(size.max(1)) {
            if stream.push_bytes(piece).is_err() {
                break;
            }
        }
        let before = stream.settled().len();
        stream.catch_up();
        (before, stream.settled().to_owned())
    };
    let mut had_to_wait = 0;
    // Elsewhere the first sign of a payload may be another one.
    for text in cases().into_iter().filter(|text| text.starts_with(['{', '['])) {
        let (_, whole) = settled(&text, text.len());
        for size in [1, 7] {
            let (before, pieces) = settled(&text, size);
            assert!(pieces.starts_with(whole.trim_end()), "pieces of {size}: {text}\n{pieces}\n{whole}");
            had_to_wait += usize::from(before < whole.len());
        }
    }
    assert!(had_to_wait > 20, "{had_to_wait}");
}

#[test]
fn bytes_may_cut_a_character_and_no_text_is_lost_for_it() {
    let text = "{\"a\": \"é😀\", \"ü\": 1,}";
    let pipeline = preset("standard");
    let mut stream = pipeline.stream(StreamOptions::new());
    let mut told = String::new();
    for byte in text.bytes() {
        let mut events = stream.push_bytes(&[byte]).expect("nothing is refused");
        while let Some(event) = events.next() {
            if let Event::Text { text, .. } = event {
                told.push_str(&text);
            }
        }
    }
    assert_eq!(told, "é😀");
    assert_eq!(stream.finish(None).expect("it is repaired").text(), "{\"a\": \"é😀\", \"ü\": 1}");
    let mut stream = pipeline.stream(StreamOptions::new());
    stream.push_bytes(b"{\"a\": \"\xc3").expect("nothing is refused");
    assert_eq!(stream.finish(None).expect_err("a character is cut").reason(), Reason::InvalidUtf8);
    let mut stream = pipeline.stream(StreamOptions::new());
    assert_eq!(stream.push_bytes(b" \xff").map(drop).expect_err("it is no text").reason(), Reason::InvalidUtf8);
}

#[test]
fn t1_a_piece_that_is_not_taken_ends_the_stream_and_the_rest_does_not_pass_for_the_whole() {
    let limits = Config::default().limits().with_max_input_bytes(20);
    let config = Config::default().with_preset("standard").with_limits(limits);
    let small = jsonseam::pipeline(&config).expect("the preset is known");
    let long: &[&[u8]] = &[b"{\"a\": 1}", b"                    ", b" "];
    let spoiled: &[&[u8]] = &[b"{\"a\": 1", b"}\xff", b" "];
    for (pieces, reason) in [(long, Reason::LimitExceeded), (spoiled, Reason::InvalidUtf8)] {
        let mut stream = small.stream(StreamOptions::new());
        let errors: Vec<_> = pieces.iter().filter_map(|piece| stream.push_bytes(piece).map(drop).err()).collect();
        assert_eq!((errors.len(), errors[0].reason(), stream.state()), (1, reason, StreamState::Refused));
        assert_eq!(stream.text(), "{\"a\": 1}");
        assert_eq!(stream.finish(None).expect_err("a piece is missing"), errors[0]);
    }
    let mut stream = preset("standard").stream(StreamOptions::new());
    stream
        .push_bytes(b"{\"a\": \"\xc3")
        .map(|mut events| while events.next().is_some() {})
        .expect("nothing is refused");
    stream.push("").expect("nothing comes between");
    assert_eq!(stream.push("b").map(drop).expect_err("a character is cut").reason(), Reason::InvalidUtf8);
    assert_eq!(stream.finish(None).expect_err("a character is cut").reason(), Reason::InvalidUtf8);
}

#[test]
fn t1_what_is_in_an_object_in_prose_is_not_taken_for_the_payload() {
    let pipeline = preset("standard");
    let texts = [
        "Sure: {city: 'Oslo', \"rivers\": [\"Alna\", \"Akerselva\",], n: 7}",
        "Sure: {'city': {\"name\": \"Oslo\",}}",
        "Sure: { größe : [\"a\"], b: [[1]]}",
        "I write {key: [\"value\"]} as asked.\n{\"a\": 1,}",
        "I write {key} as asked. {\"a\": 1,}",
        "Of { x | x > 0 } some: [\"a\", 'b']",
        "{{ name }} and {'quoted', \"a\": [\"b\"]} then [\"c\",]",
        "Sure: {'it\": [\"a\"]}",
        "text\n{ city = {\"p\": \"\"},\n}",
        "text\n{ city => [{\"city\": \"x\"}]}",
        "text\n{\n// c\ncity = {\"city\": \"x\"}}",
        "text\n{ /* a \"b\" */ \"k\": [\"a\",]}",
        "half {1/2} of {\"a\": [1,]}",
    ];
    let texts: Vec<_> = texts.iter().map(ToString::to_string).collect();
    let all = hold(&texts, &[1, 7, 64], |_, _| StreamOptions::new());
    assert!(all.iter().all(|streamed| !streamed.has_other_start), "the payload is the one that was told of");
    for (text, is_told) in [(&texts[0], false), (&texts[1], false), (&texts[4], true)] {
        let mut stream = pipeline.stream(StreamOptions::new());
        stream.push(text).expect("what is told of is not refused");
        assert_eq!(stream.state() != StreamState::Looking, is_told);
        let whole = pipeline.repair(text).expect("it is repaired");
        assert_eq!(stream.finish(None).expect("it is repaired").text(), whole.text());
    }
}

#[test]
fn places_are_counted_in_the_units_of_other_languages_however_the_text_grows() {
    let text = "aé😀\u{FEFF} ".repeat(40);
    let (mut chars, mut utf16) = (Units::chars(), Units::utf16());
    let mut random = Random::new(29);
    for (end, _) in text.char_indices() {
        let there = &text[..end];
        let mut asked = random.between(0, end);
        while !text.is_char_boundary(asked) {
            asked -= 1;
        }
        for byte in [end, asked] {
            assert_eq!(chars.at(there, byte), text[..byte].chars().count());
            assert_eq!(utf16.at(there, byte), text[..byte].encode_utf16().count());
        }
    }
}

#[test]
fn the_caller_may_say_where_the_payload_starts_or_wait_for_the_end() {
    let pipeline = preset("standard");
    let text = "call({ignored}) {\"a\": 1,}";
    let mut stream = pipeline.stream(StreamOptions::new().with_commit(Commit::At(16)));
    stream.push(text).expect("nothing is refused");
    assert_eq!(stream.finish(None).expect("it is repaired").text(), "{\"a\": 1}");
    let mut stream = pipeline.stream(StreamOptions::new().with_commit(Commit::Late));
    assert!(stream.push("{\"a\": 1,}").expect("nothing is refused").next().is_none());
    assert_eq!((stream.settled(), stream.state()), ("", StreamState::Looking));
    let mut done = 0;
    let repaired = stream.finish_with(None, |event| done += usize::from(matches!(event, Event::Done { .. })));
    assert_eq!((repaired.expect("it is repaired").text(), done), ("{\"a\": 1}", 2));
}

/// A rule of the tests under a reach of its own.
fn with(reach: Reach, rule: impl RepairRule) -> Pipeline {
    Pipeline::from_rules(&Config::default().with_root(Root::Any), vec![entry(reach, rule)])
}

fn entry(reach: Reach, rule: impl RepairRule) -> RuleEntry {
    let rule = AnyRule::Repair {
        risk: Risk::Likely,
        answers: Expected::ALL,
        dispatch: Dispatch::ANY,
        reach,
        rule: Arc::new(rule),
    };
    RuleEntry::new("test/rule", rule)
}

/// Takes the value before a `?` away with it.
struct TakesBack;

impl RepairRule for TakesBack {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let before = fault.token(0).filter(|_| fault.next_char() == Some('?'));
        to.only(before.map(|before| Edit::replace(before.span.start..fault.pos() + 1, "0").into()));
    }
}

#[test]
fn t2_an_edit_beyond_the_declared_reach_is_not_made() {
    let text = "[1, 22 ?, 3]";
    assert!(with(Reach::FAULT, TakesBack).repair(text).is_err());
    assert_eq!(with(Reach::tokens(1), TakesBack).repair(text).expect("it is in reach").text(), "[1, 0, 3]");
    assert_eq!(with(Reach::UNDECLARED, TakesBack).repair(text).expect("it is in reach").text(), "[1, 0, 3]");
    for reach in [Reach::tokens(1), Reach::UNDECLARED] {
        let ends = cuts(text, 1, &mut Random::new(1));
        judge(&with(reach, TakesBack), text, StreamOptions::new(), &ends, true).expect("nothing was told too early");
    }
}

/// Reads `?` as a value, closes what is open at the end, and takes away the last two elements where `!` is before the end.
struct Cuts;

impl RepairRule for Cuts {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let from = |token: Token| Edit::remove(token.span.start..fault.region_end()).into();
        to.only(match fault.next_char() {
            Some('?') => Some(fault.replace_ahead(1, "0")),
            Some('!') => fault.token(2).map(from),
            Some(_) => None,
            None => fault.is_cut().then(|| fault.insert(fault.closers())),
        });
    }
}

#[test]
fn t2_what_the_end_cuts_goes_with_the_edits_in_it_where_that_is_declared() {
    let text = "[1, ?, !";
    assert!(with(Reach::UNDECLARED, Cuts).repair(text).is_err(), "an edit is in the way");
    let declared = with(Reach::UNDECLARED.or(Reach::CUT), Cuts);
    assert_eq!(declared.repair(text).expect("it is in reach").text(), "[1]");
    assert!(declared.repair("[1, ?, ! ").is_ok() && declared.repair("[1, ?, 2, 3, ?").is_ok());
    for text in [text, "[[1, ?], ?, !", "[1, ?, 2, 3, ?, 4"] {
        let ends = cuts(text, 1, &mut Random::new(1));
        judge(&declared, text, StreamOptions::new(), &ends, true).expect("nothing was told too early");
    }
}

/// Answers by how often it was asked: what a rule must not do.
struct Counts(AtomicUsize);

impl RepairRule for Counts {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        let word = fault.ahead().take_while(char::is_alphanumeric);
        to.only((!word.is_empty()).then(|| fault.replace_ahead(word.len(), asked.to_string())));
    }
}

/// Escapes a line feed unless the string holds a `|` somewhere: a question about text that is not there yet.
struct Unless(fn(&Fault<'_>) -> bool);

impl RepairRule for Unless {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.next_char() == Some('\n') {
            to.only(fault.replace_ahead(1, "\\n")).unless(self.0);
        }
    }
}

#[test]
fn t2_a_veto_does_not_delay_its_edit_and_can_only_refuse() {
    fn has_bar(fault: &Fault<'_>) -> bool {
        fault.ahead().take_while(|char| char != '"').contains('|')
    }
    let alone = with(Reach::FAULT, Unless(has_bar));
    let mut stream = alone.stream(StreamOptions::new());
    stream.push("{\"a\": \"one\ntwo").expect("nothing is refused");
    assert_eq!(stream.settled(), "{\"a\": \"one\\ntwo");
    assert!(stream.finish(None).is_err(), "the string is open");
    // Where another rule could answer, the fault waits: without the edit it is that rule's.
    let both = Pipeline::from_rules(
        &Config::default().with_root(Root::Any),
        [entry(Reach::FAULT, Unless(has_bar)), entry(Reach::FAULT, Blanks)].into(),
    );
    let mut stream = both.stream(StreamOptions::new());
    stream.push("{\"a\": \"one\ntwo").expect("nothing is refused");
    assert_eq!(stream.settled(), "{\"a\": \"one");
    for (text, of_one, of_both) in [
        ("[\"a\nb\", 1]", Some("[\"a\\nb\", 1]"), "[\"a\\nb\", 1]"),
        ("[\"a\nb|\", 1]", None, "[\"a b|\", 1]"),
        ("[\"a\nb\nc|d\", \"e\nf\"]", None, "[\"a b c|d\", \"e\\nf\"]"),
        ("[\"a\nb\", \"c\nd|\", ?]", None, ""),
    ] {
        let place = alone.repair(text).err().and_then(|error| error.position().map(|place| place.offset));
        assert_eq!(alone.repair(text).ok().as_ref().map(jsonseam::Repaired::text), of_one, "{text}");
        assert_eq!(place.is_some(), of_one.is_none());
        if let Some(place) = place {
            assert!(text[place..].starts_with('\n'), "it is refused where the veto was put off: {text}");
        }
        assert_eq!(both.repair(text).as_ref().map_or("", |repaired| repaired.text()), of_both, "{text}");
        for pipeline in [&alone, &both] {
            for size in [1, 2, 0] {
                let ends = cuts(text, size, &mut Random::new(1));
                judge(pipeline, text, StreamOptions::new(), &ends, true).expect("the laws hold");
            }
        }
    }
}

/// Writes a blank for a line feed.
struct Blanks;

impl RepairRule for Blanks {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only((fault.next_char() == Some('\n')).then(|| fault.replace_ahead(1, " ")));
    }
}

#[test]
fn t4_a_valid_text_is_settled_as_it_comes_under_strict_and_standard() {
    let mut random = Random::new(7);
    let documents: Vec<_> =
        (0..60).map(|_| document(&Shape::any(RootKind::Object, &mut random), &mut random)).collect();
    for pipeline in ["strict", "standard"].map(preset) {
        for document in &documents {
            // After a back-tick quotes may be those of code, up to three tokens back.
            let tokens = if document.text().contains('`') { 3 } else { 1 };
            judge_quiet(pipeline.stream(StreamOptions::new()), document, tokens)
                .unwrap_or_else(|complaint| panic!("{complaint}\n{}", document.text()));
        }
    }
}

#[test]
fn t6_a_rule_with_a_memory_of_its_own_is_caught() {
    let text = "[word, word, word]";
    let pipeline = with(Reach::FAULT, Counts(AtomicUsize::new(0)));
    let caught = judge(&pipeline, text, StreamOptions::new(), &cuts(text, 1, &mut Random::new(1)), false);
    assert!(caught.is_err_and(|complaint| complaint.starts_with("S1")));
}

/// Reads everything at every fault, and then escapes what is there.
struct ReadsAll;

impl RepairRule for ReadsAll {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        fault.ahead().slice_to(fault.region_end());
        to.only((fault.next_char() == Some('\n')).then(|| fault.replace_ahead(1, "\\n")));
    }
}

#[test]
fn t4_looking_again_is_earned_also_by_a_rule_that_reads_everything() {
    let text = format!("[\"{}\"]", "a\nb ".repeat(300));
    let pipeline = with(Reach::FAULT, ReadsAll);
    let ends = cuts(&text, 1, &mut Random::new(1));
    let streamed = judge(&pipeline, &text, StreamOptions::new(), &ends, false).expect("the laws hold");
    assert!(streamed.retried <= streamed.batch + 8 * text.len() as u64 + 8192, "{} in vain", streamed.retried);
}

/// What a stream tells of a text in pieces of so many bytes, the pieces of each string joined: of values, and of edits; and whether a push refused it.
fn told(pipeline: &Pipeline, text: &str, size: usize) -> ((Vec<Told>, Vec<Told>), bool) {
    let mut stream = pipeline.stream(StreamOptions::new());
    let (mut all, mut from, mut is_refused) = (Vec::new(), 0, false);
    for end in cuts(text, size, &mut Random::new(1)) {
        match Streams::push(&mut stream, &text[from..end]) {
            Ok(events) => all.extend(events),
            Err(_) => is_refused = true,
        }
        from = end;
    }
    is_refused |= stream.state() == StreamState::Refused;
    all.extend(Streams::finish(stream).0);
    // An edit within a string comes between two pieces of it, wherever those end.
    let (seams, values): (Vec<_>, Vec<_>) = all.into_iter().partition(|told| matches!(told, Told::Seam(_)));
    let mut joined: Vec<Told> = Vec::new();
    for event in values {
        match (joined.last_mut(), event) {
            (Some(Told::Text(path, known)), Told::Text(own, text)) if *path == own => known.push_str(&text),
            (_, event) => joined.push(event),
        }
    }
    ((joined, seams), is_refused)
}

/// Whether two streams told the same, as far as the shorter one went.
fn agree(one: &[Told], other: &[Told]) -> bool {
    one.iter().zip(other).all(|(one, other)| match (one, other) {
        (Told::Text(path, text), Told::Text(own, more)) => {
            path == own && (text.starts_with(more.as_str()) || more.starts_with(text.as_str()))
        }
        (one, other) => one == other,
    })
}

#[test]
fn t1_what_is_told_before_a_refusal_is_the_same_in_any_pieces() {
    let damaged = damage_each_with(29, Defect::ALL, Defect::ALL, 1..=3, 60).map(|damaged| damaged.text);
    let texts: Vec<_> = cases().into_iter().chain(damaged).collect();
    for name in ["strict", "standard", "lenient"] {
        let pipeline = preset(name);
        let (mut refused, mut early, mut events, mut others) = (0, 0, 0, 0);
        for text in texts.iter().filter(|text| pipeline.repair(text.as_str()).is_err()) {
            let (whole, is_early) = told(&pipeline, text, usize::MAX);
            (refused, early, events) = (refused + 1, early + usize::from(is_early), events + whole.0.len());
            for size in [1, 7, 64] {
                let (pieces, _) = told(&pipeline, text, size);
                if text.contains('`') && pieces != whole {
                    // What is there when a back-tick comes is held: it may have been told before, if that came later.
                    others += 1;
                    assert!(agree(&pieces.0, &whole.0), "{name}, {size} bytes a piece: {text}");
                    continue;
                }
                assert_eq!(pieces, whole, "{name}, {size} bytes a piece: {text}");
            }
        }
        assert!(early > 200 && events > refused && others * 200 < refused * 3, "{others} of {refused}");
    }
}

#[test]
fn what_settled_before_a_refusal_is_told_first_and_the_next_push_returns_it() {
    let pipeline = preset("strict");
    let mut stream = pipeline.stream(StreamOptions::new());
    let first = Streams::push(&mut stream, "{\"a\": 1, \"b\": ?").expect("there is something to tell");
    assert!(matches!(first.as_slice(), [Told::Payload(0), Told::Begin(_), Told::Done(path, ..)] if path == "/a"));
    assert_eq!(stream.state(), StreamState::Refused);
    let error = stream.push("").map(drop).expect_err("it is refused");
    assert!(stream.push("}").is_ok_and(|mut events| events.next().is_none()));
    assert_eq!(stream.finish(None).expect_err("it stays refused").position(), error.position());
    // Without another push the end gives both; what no push has taken is told there.
    let mut stream = pipeline.stream(StreamOptions::new());
    stream.push("{\"a\": 1, \"b\": ?").map(drop).expect("there is something to tell");
    let (rest, result) = Streams::finish(stream);
    assert_eq!(rest, first);
    assert_eq!(result.expect_err("it is refused").position(), error.position());
    let mut stream = pipeline.stream(StreamOptions::new());
    assert!(stream.push_bytes(b"{\"a\": 1, \"b\xff\"").is_ok_and(|mut events| events.next().is_some()));
    assert_eq!(stream.push_bytes(b"").map(drop).expect_err("it is no text").reason(), Reason::InvalidUtf8);
}
