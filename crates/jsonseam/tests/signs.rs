//! R7: a backslash that begins no escape speaks for all strings of its payload.

use std::sync::Arc;

use jsonseam::rule::{
    Dispatch, Expected, Fault, Objection, Proposals, Reach, ReadPayload, RepairRule, Review, Risk, StringProblem,
};
use jsonseam::{AnyRule, Config, Error, Pipeline, Reason, Root, RuleEntry, preset};

/// A string with a sign, and one whose escape it makes doubtful: as they are written, and as they are read with the escape doubled.
const PAIRS: [([&str; 2], [&str; 2]); 6] = [
    ([r"src\main.py", r"lib\new.py"], [r"src\\main.py", r"lib\\new.py"]),
    ([r"D:\data", r"a\beta.txt"], [r"D:\\data", r"a\\beta.txt"]),
    ([r"App\Models", r"App\Http\routes"], [r"App\\Models", r"App\\Http\\routes"]),
    ([r"\alpha", r"x \to 0"], [r"\\alpha", r"x \\to 0"]),
    ([r"\sin x", r"\frac{1}{2}"], [r"\\sin x", r"\\frac{1}{2}"]),
    ([r"\mathbb{R}", r"a $\ne$ b"], [r"\\mathbb{R}", r"a $\\ne$ b"]),
];

/// Documents with both texts: as values in either order, deep down, and one of them as a key.
fn documents([sign, doubtful]: [&str; 2]) -> [String; 4] {
    [
        format!(r#"{{"a": "{sign}", "b": "{doubtful}"}}"#),
        format!(r#"{{"a": "{doubtful}", "b": "{sign}"}}"#),
        format!(r#"{{"a": [{{"b": "{doubtful}"}}], "c": [[["{sign}"]]]}}"#),
        format!(r#"{{"{doubtful}": 1, "b": "{sign}"}}"#),
    ]
}

fn refusal(preset_name: &str, text: &str) -> Error {
    preset(preset_name).expect("the preset is known").repair(text).map(drop).expect_err(text)
}

#[test]
fn r7_a_sign_speaks_for_all_strings_wherever_they_are() {
    let lenient = preset("lenient").expect("the preset is known");
    for (written, read) in PAIRS {
        for (text, expected) in documents(written).iter().zip(documents(read)) {
            for name in ["strict", "standard"] {
                assert_eq!(refusal(name, text).reason(), Reason::Syntax, "{text}");
            }
            let repaired = lenient.repair(text).expect(text);
            assert_eq!(repaired.text(), expected);
            let doubled = repaired.edits().filter(|edit| edit.rule == "accidental-escape");
            assert!(doubled.into_iter().all(|edit| edit.risk == Risk::Guess), "{text}");
        }
    }
}

#[test]
fn r7_a_refusal_names_the_string_of_the_escape_and_that_of_the_sign() {
    let text = "{\"a\": \"lib\\new.py\",\n \"b\": \"src\\main.py\"}";
    let places =
        |error: &Error| (error.position().map(|place| place.offset), error.doubted_by().map(|place| place.offset));
    let found = (text.find("\\new"), text.find("\\main"));
    assert_eq!(places(&refusal("standard", text)), found);
    let record = serde_json::to_value(refusal("standard", text)).expect("it serialises");
    assert_eq!(record["doubted_by"], serde_json::json!({"offset": found.1, "line": 2, "column": 11}));

    // In a payload that a locator has unescaped, the places are those of the completion too.
    let escaped = "{\\\"a\\\": \\\"lib\\\\new.py\\\", \\\"b\\\": \\\"src\\\\main.py\\\"}";
    let error = refusal("lenient", &escaped.replace("new.py", "new"));
    let (at, because) = places(&error);
    assert_eq!(error.reason(), Reason::Syntax);
    let completion = escaped.replace("new.py", "new");
    assert!(completion[at.expect("a place")..].starts_with("\\\\new"), "{at:?}");
    assert!(completion[because.expect("a place")..].starts_with("\\\\main"), "{because:?}");
}

#[test]
fn r7_without_a_sign_and_where_no_list_has_the_command_escapes_are_kept() {
    for text in [
        r#"{"re": "id\d+", "s": "one\ntwo"}"#,
        r#"{"f": "\alpha", "s": "one\nThe second"}"#,
        r#"{"p": "src\main.py", "s": "Done.\nNext. \tIndented"}"#,
        r#"{"p": "src\\main.py", "s": "one\ntwo",}"#,
        r#"{"f": "a \; b", "s": "x \to y"}"#,
    ] {
        for name in ["standard", "lenient"] {
            let repaired = preset(name).expect("the preset is known").repair(text).expect(text).into_owned();
            assert!(repaired.edits().all(|edit| edit.rule != "accidental-escape"), "{text}");
        }
    }
}

/// Doubles each backslash that begins no escape, and says of the payload what it is told to.
struct Reviewer(Review);

impl RepairRule for Reviewer {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let is_escape = fault.string().is_some_and(|string| string.problem == StringProblem::Escape);
        to.only((is_escape && !fault.is_at_end()).then(|| fault.replace_ahead(1, "\\\\")));
    }

    fn review(&self, _: &ReadPayload<'_>) -> Option<Review> {
        Some(self.0.clone())
    }
}

fn reviewing(reviews: impl IntoIterator<Item = Review>) -> Pipeline {
    let entry = |(number, review): (usize, Review)| {
        let rule = Arc::new(Reviewer(review));
        let answers = &[Expected::String];
        let rule =
            AnyRule::Repair { risk: Risk::Likely, answers, dispatch: Dispatch::ANY, reach: Reach::UNDECLARED, rule };
        RuleEntry::new(format!("acme/reviewer-{number}"), rule)
    };
    let config = Config::default().with_root(Root::Any);
    Pipeline::from_rules(&config, reviews.into_iter().enumerate().map(entry).collect())
}

#[test]
fn r7_a_review_doubles_escapes_alone_that_no_edit_made() {
    let text = r#"["\q \n", "\\ \t", "\"\/", 1]"#;
    let all = (0..text.len() + 9).collect();
    let repaired = reviewing([Review::Double(all)]).repair(text).expect(text).into_owned();
    assert_eq!(repaired.text(), r#"["\\q \\n", "\\ \\t", "\"\\/", 1]"#);
}

#[test]
fn r7_the_first_objection_refuses_whatever_the_order_of_the_rules_and_a_text_without_false_escapes_is_not_reviewed() {
    let objection = |at: usize| Review::Refuse(Objection { at, because: 2, doubt: "it is doubtful" });
    for reviews in [[objection(5), objection(9)], [objection(9), objection(5)]] {
        let pipeline = reviewing(reviews);
        let error = pipeline.repair(r#"["\q \n\t"]"#).map(drop).expect_err("it is refused");
        assert_eq!(error.position().map(|place| place.offset), Some(5));
        assert_eq!((error.doubt(), error.reason()), (Some("it is doubtful"), Reason::Syntax));
        assert!(pipeline.repair(r#"["\n\t"]"#).is_ok());
    }
}
