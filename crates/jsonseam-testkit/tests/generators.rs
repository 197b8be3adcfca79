//! The generators keep their word: valid is valid, damaged is not, and the truth is both valid and reachable everywhere.

use std::collections::{HashMap, HashSet};

use jsonseam_testkit::awkward::{BLANKS, CLASSES, NUMBERS, SENTENCES};
use jsonseam_testkit::damage::{Damaged, Defect, Site, compact, damage, damage_everywhere, damage_many, damage_with};
use jsonseam_testkit::generate::{Document, RootKind, Shape, Style, TokenKind, document};
use jsonseam_testkit::random::Random;
use jsonseam_testkit::strategies::{any_text, damaged_json, valid_json};
use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use serde_json::value::RawValue;

fn is_valid(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

fn documents(seed: u64, root: RootKind, count: usize) -> impl Iterator<Item = Document> {
    let mut random = Random::new(seed);
    (0..count).map(move |_| document(&Shape::any(root, &mut random), &mut random))
}

#[test]
fn every_awkward_fragment_is_valid_between_quotes() {
    for class in CLASSES {
        for fragment in class.fragments {
            assert!(is_valid(&format!("\"{fragment}\"")), "{} {fragment:?}", class.name);
            assert!(is_valid(&format!("{{\"{fragment}\":1}}")), "{} {fragment:?}", class.name);
        }
    }
    assert!(SENTENCES.iter().all(|sentence| is_valid(&format!("\"{sentence}\""))));
    assert!(NUMBERS.iter().all(|number| is_valid(number)));
    assert!(BLANKS.iter().all(|blank| is_valid(&format!("{blank}1{blank}"))));
}

#[test]
fn twenty_thousand_documents_are_valid_and_cover_every_awkward_class() {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, document) in documents(1, RootKind::Any, 20_000).enumerate() {
        let text = document.text();
        assert!(is_valid(&text), "document {index}: {text}");
        for class in CLASSES {
            let holds = |kind| {
                document.tokens.iter().any(|token| {
                    token.kind == kind && class.fragments.iter().any(|fragment| token.text.contains(fragment))
                })
            };
            *seen.entry(class.name).or_default() += usize::from(holds(TokenKind::Key) && holds(TokenKind::String));
        }
        count_odd_traits(&mut seen, &document, &text);
    }
    for name in CLASSES.iter().map(|class| class.name).chain(TRAITS) {
        let count = seen.get(name).copied().unwrap_or_default();
        assert!(count >= 40, "{name} was seen in {count} documents");
    }
}

const TRAITS: [&str; 12] = [
    "empty object",
    "empty array",
    "empty string",
    "empty key",
    "very long string",
    "repeated key",
    "key with an escaped spelling",
    "deeper than 30",
    "scalar root",
    "two bytes",
    "white space before and after",
    "lone carriage return",
];

fn count_odd_traits(seen: &mut HashMap<&'static str, usize>, document: &Document, text: &str) {
    let significant: Vec<_> = document.tokens.iter().filter(|token| token.kind != TokenKind::Blank).collect();
    let follows = |one, other| significant.windows(2).any(|pair| pair[0].kind == one && pair[1].kind == other);
    let has = |kind, spelling: &str| significant.iter().any(|token| token.kind == kind && token.text == spelling);
    let keys: Vec<_> = significant.iter().filter(|token| token.kind == TokenKind::Key).collect();
    let mut depth = 0_usize;
    let mut deepest = 0;
    for token in &significant {
        depth = depth + usize::from(token.kind.opens()) - usize::from(token.kind.closes());
        deepest = deepest.max(depth);
    }
    let found = [
        follows(TokenKind::OpenObject, TokenKind::CloseObject),
        follows(TokenKind::OpenArray, TokenKind::CloseArray),
        has(TokenKind::String, "\"\""),
        has(TokenKind::Key, "\"\""),
        significant.iter().any(|token| token.kind == TokenKind::String && token.text.len() > 500),
        keys.iter().map(|key| &key.text).collect::<HashSet<_>>().len() < keys.len(),
        keys.iter().any(|key| key.text.starts_with("\"\\u00")),
        deepest > 30,
        significant.len() == 1,
        text.len() == 2,
        text.starts_with([' ', '\t', '\r', '\n']) && text.ends_with([' ', '\t', '\r', '\n']),
        document.tokens.iter().any(|token| token.kind == TokenKind::Blank && token.text == "\r"),
    ];
    for (name, is_found) in TRAITS.into_iter().zip(found) {
        *seen.entry(name).or_default() += usize::from(is_found);
    }
}

#[test]
fn shapes_are_kept() {
    for (root, opener) in [(RootKind::Object, '{'), (RootKind::Array, '[')] {
        for document in documents(2, root, 500) {
            assert!(document.text().trim_start().starts_with(opener));
        }
    }
    let mut random = Random::new(3);
    for style in Style::ALL {
        for bytes in [2, 50, 1_000, 4_096] {
            let shape = Shape { root: RootKind::Object, bytes, depth: 5, style };
            let made = document(&shape, &mut random);
            let tokens: usize =
                made.tokens.iter().filter(|token| token.kind != TokenKind::Blank).map(|token| token.text.len()).sum();
            assert!(tokens + 60 >= bytes && tokens <= 2 * bytes + 300, "{tokens} bytes of {bytes}");
        }
    }
    let deep = Shape { root: RootKind::Array, bytes: 100_000, depth: 20_000, style: Style::Minified };
    assert!(is_valid(&document(&deep, &mut random).text()));
}

/// What every damaged text must be.
fn check(damaged: &Damaged) {
    let Damaged { text, truth, defects, truncated, expects_edits } = damaged;
    assert!(is_valid(truth), "{defects:?}\ntext:  {text}\ntruth: {truth}");
    assert!(!is_valid(text), "{defects:?} is valid: {text}");
    assert_ne!(text, truth);
    assert_eq!(*truncated, defects.iter().any(|defect| defect.is_cut()));
    assert_eq!(*expects_edits, defects.iter().any(|defect| !defect.is_around()));
    assert!(is_valid(&compact(truth)) && compact(truth).len() <= truth.len());
    if !expects_edits {
        assert!(text.contains(truth.as_str()), "{text}");
    }
}

#[test]
fn every_defect_is_reached_at_every_site() {
    let pool: Vec<_> = documents(5, RootKind::Object, 600).chain(documents(6, RootKind::Array, 100)).collect();
    for &defect in Defect::ALL {
        for site in Site::ALL {
            let mut random = Random::new(4);
            let mut count = 0;
            for damaged in pool.iter().filter_map(|document| damage(document, defect, site, &mut random)) {
                check(&damaged);
                assert_eq!(damaged.defects, [defect]);
                count += 1;
                if count == 20 {
                    break;
                }
            }
            // Few documents hold what a narrow defect asks for right beside something empty.
            let least = match (defect, site) {
                // A missing closer is only plain beside something that is not empty.
                (Defect::PrematureCloser, Site::Nested)
                | (
                    Defect::UnclosedInnerContainerInRecords | Defect::UnclosedInnerContainerInRecordsOnLine,
                    Site::Empty,
                ) => 0,
                (_, Site::Empty) => 3,
                _ => 20,
            };
            assert!(count >= least, "{defect} at {site:?}: {count} of 700");
        }
    }
}

#[test]
fn one_defect_leaves_the_document_as_its_truth() {
    let mut random = Random::new(7);
    for document in documents(8, RootKind::Object, 500) {
        for defect in Defect::ALL.iter().copied().filter(|defect| !defect.rewrites()) {
            if let Some(damaged) = damage(&document, defect, Site::Any, &mut random) {
                assert_eq!(compact(&damaged.truth), compact(&document.text()), "{defect}");
            }
        }
        if let Some(damaged) = damage(&document, Defect::UnclosedContainer, Site::Any, &mut random) {
            let kept = damaged.text.trim_end().trim_end_matches(',');
            assert!(document.text().trim_start().starts_with(kept), "{}", damaged.text);
            assert!(damaged.truth.starts_with(kept), "{}", damaged.text);
        }
    }
}

#[test]
fn a_defect_can_be_everywhere_at_once() {
    let mut random = Random::new(9);
    for &defect in Defect::ALL {
        let mut different = 0;
        let mut other_random = Random::new(16);
        for document in documents(10, RootKind::Object, 200) {
            let Some(damaged) = damage_everywhere(&document, defect, &mut random) else {
                continue;
            };
            check(&damaged);
            let once = damage(&document, defect, Site::First, &mut other_random);
            different += usize::from(once.is_some_and(|once| once.text != damaged.text));
        }
        // A byte order mark has one place only, and so have braces around everything.
        let is_single = matches!(defect, Defect::LeadingByteOrderMark | Defect::EscapedPayload);
        assert!(different >= 1 || is_single, "{defect}: {different}");
    }
}

#[test]
fn thirty_thousand_damaged_texts_hold_one_to_three_defects_and_their_truth_is_valid() {
    let mut pairs: HashSet<(Defect, Defect)> = HashSet::new();
    let mut made = 0;
    for damaged in damage_many(11, Defect::ALL, 30_000) {
        check(&damaged);
        assert!((1..=3).contains(&damaged.defects.len()));
        for one in &damaged.defects {
            pairs.extend(damaged.defects.iter().map(|other| (*one, *other)));
        }
        made += 1;
    }
    assert_eq!(made, 30_000);
    for &defect in Defect::ALL {
        assert!(pairs.contains(&(defect, defect)), "{defect} was never done");
    }
}

#[test]
fn every_pair_of_defects_meets_in_some_document_unless_it_cannot() {
    let mut random = Random::new(17);
    let shape = |random: &mut Random| Shape { bytes: 400, depth: 4, ..Shape::any(RootKind::Object, random) };
    let mut apart = Vec::new();
    let pool: Vec<_> = (0..300).map(|_| document(&shape(&mut random), &mut random)).collect();
    for (index, one) in Defect::ALL.iter().copied().enumerate() {
        for other in Defect::ALL.iter().copied().skip(index + 1) {
            let plan = [(one, Site::Any), (other, Site::Any)];
            let found = pool.iter().find_map(|document| damage_with(document, &plan, &mut random));
            assert!(found.is_none() || one.meets(other), "{one} and {other}");
            match found {
                Some(damaged) => check(&damaged),
                None if one.meets(other) => apart.push((one, other)),
                None => {}
            }
        }
    }
    // What asks for one line and what asks for indentation, for one.
    assert!(apart.len() <= 20, "{apart:?}");
}

#[test]
fn the_same_seed_makes_the_same_texts() {
    let texts = |seed| documents(seed, RootKind::Any, 200).map(|document| document.text()).collect::<Vec<_>>();
    assert_eq!(texts(12), texts(12));
    assert_ne!(texts(12), texts(13));
    assert!(damage_many(14, Defect::ALL, 500).eq(damage_many(14, Defect::ALL, 500)));
    // A longer run begins like a shorter one, so that the number of a failing text is enough to find it again.
    assert!(damage_many(14, &Defect::STRICT, 20).eq(damage_many(14, &Defect::STRICT, 500).take(20)));
}

#[test]
fn names_of_defects_are_read_back() {
    for &defect in Defect::ALL {
        assert_eq!(defect.to_string().parse(), Ok(defect));
    }
    assert!("trailing-coma".parse::<Defect>().is_err());
}

#[test]
fn compact_touches_no_string() {
    assert_eq!(compact("[ \"a \\\" , b\\\\\" , 1 ]"), "[\"a \\\" , b\\\\\",1]");
    for document in documents(15, RootKind::Any, 2_000) {
        let expected: String = document
            .tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Blank)
            .map(|token| token.text.as_str())
            .collect();
        assert_eq!(compact(&document.text()), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_strategies_make_what_they_say(valid in valid_json(), damaged in damaged_json(), any in any_text()) {
        prop_assert!(is_valid(&valid));
        check(&damaged);
        // A document has at most 4 KiB of tokens; in the widest style each comes after 60 levels of four blanks.
        prop_assert!(any.len() <= 4_096 * 256, "{} bytes", any.len());
    }
}
