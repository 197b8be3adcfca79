//! B4: nothing beside the payload is dropped silently: what a broken payload hid, values of the other kind of root, and what is outside tags.

use jsonseam::{Config, Pipeline, Policy, Reason, Root, pipeline};

fn with(preset: &str, policy: Policy, root: Root) -> Pipeline {
    let config = Config::default().with_preset(preset).with_policy(policy).with_root(root);
    pipeline(&config).expect("the configuration is right")
}

/// The texts that `further` lists, with their kinds, for a policy.
fn listed<'t>(text: &'t str, preset: &str, policy: Policy, root: Root) -> Vec<(&'t str, Root)> {
    let repaired = with(preset, policy, root).repair(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    repaired.further().iter().map(|further| (&text[further.span.clone()], further.root)).collect()
}

fn beside<'t>(text: &'t str, preset: &str) -> Vec<(&'t str, Root)> {
    listed(text, preset, Policy::First, Root::Object)
}

fn taken(text: &str, policy: Policy) -> Result<String, Reason> {
    let result = with("lenient", policy, Root::Object).repair(text);
    result.map(|repaired| repaired.text().to_owned()).map_err(|error| error.reason())
}

/// Each first payload lacks or misplaces what ends one of its strings or brackets, so the text as it is hides the second.
const HIDING: [(&str, &str); 8] = [
    ("First: {\"a\": 1, \"b\": \"x}", "{\"a\": 1, \"b\": \"x\"}"),
    ("First: {\"a\": 1, \"b\": [1, 2}", "{\"a\": 1, \"b\": [1, 2]}"),
    ("Draft {\"a\": [1, {\"b\": 2]}", "{\"a\": [1, {\"b\": 2}]}"),
    ("{\"a\": {\"b\": [1, 2}}", "{\"a\": {\"b\": [1, 2]}}"),
    ("{\"a\": [\"x, \"y\"]}", "{\"a\": [\"x\", \"y\"]}"),
    ("{\"a\": [1, 2)}", "{\"a\": [1, 2]}"),
    ("{\"a\": \"x\u{201d}}", "{\"a\": \"x\"}"),
    ("{\"a\": [[1, 2], [3, 4}", "{\"a\": [[1, 2], [3, 4]]}"),
];

#[test]
fn b4_a_sound_payload_after_the_end_of_a_repaired_one_is_seen_by_every_policy() {
    let second = "{\"k\": 2, \"m\": \"y\"}";
    for (first, repaired) in HIDING {
        for between in ["\n\nFinal answer: ", "\n", "\nThen, with {name} and [1]:\n"] {
            let text = format!("{first}{between}{second}");
            let Ok(chosen) = taken(&text, Policy::First) else { continue };
            assert_eq!(chosen, repaired, "{text}");
            assert_eq!(beside(&text, "lenient"), [(second, Root::Object)], "{text}");
            assert_eq!(taken(&text, Policy::Last).as_deref(), Ok(second), "{text}");
            assert_eq!(taken(&text, Policy::Only), Err(Reason::AmbiguousPayload), "{text}");
        }
    }
}

#[test]
fn b4_hidden_payloads_are_found_one_after_the_other() {
    let text = "{\"a\": [1}\n".repeat(3) + "{\"a\": [2]}\n{\"a\": \"x";
    let found: Vec<_> = beside(&text, "lenient").into_iter().map(|(text, _)| text).collect();
    assert_eq!(found, ["{\"a\": [1}", "{\"a\": [1}", "{\"a\": [2]}"]);
}

#[test]
fn b4_what_a_repaired_payload_holds_is_not_beside_it() {
    for text in [
        "{\"a\": \"x}, \"b\": {\"c\": 1}}",
        "{\"a\": [1, 2}, \"b\": {\"c\": 1}}",
        "{\"a\": \"he said {\\\"b\\\": 1} twice",
        "{\"a\": [1}\nand so on, with {name}.",
    ] {
        if let Ok(repaired) = with("lenient", Policy::First, Root::Object).repair(text) {
            assert!(repaired.further().is_empty(), "{text}: {:?}", repaired.further());
        }
    }
}

#[test]
fn b4_a_value_of_the_other_root_on_lines_of_its_own_is_listed_and_never_chosen() {
    for (text, other) in [
        ("{\"a\":1}\n[1,2,3]\n", "[1,2,3]"),
        ("[1,2,3]\n{\"a\":1}\n", "[1,2,3]"),
        ("{\"a\":1}\r\n  [\"x\"]  \r\n", "[\"x\"]"),
        ("{\"a\":1}\nSo:\n[\n  1,\n  [2]\n]", "[\n  1,\n  [2]\n]"),
        ("{\"a\":1}\n[{\"b\":2}]", "[{\"b\":2}]"),
        ("A:\n```json\n{\"a\":1}\n```\nB:\n```json\n[{\"b\":2}]\n```\n", "[{\"b\":2}]"),
        ("A:\n```json\n{\"a\":1}\n```\nB:\n```JSON [true]\n```\n", "[true]"),
        ("<answer>{\"a\":1}</answer>\n[[1, 2]]", "[[1, 2]]"),
    ] {
        for preset in ["strict", "standard", "lenient"] {
            for policy in [Policy::First, Policy::Only, Policy::Last, Policy::Best] {
                let result = with(preset, policy, Root::Object).repair(text);
                let is_first = policy == Policy::First;
                if preset == "strict" && is_first && other.contains('{') && !text.contains("```") {
                    // Under `strict` a span that holds more than one complete root is refused (B4).
                    assert_eq!(
                        result.map(drop).map_err(|error| error.reason()),
                        Err(Reason::AmbiguousPayload),
                        "{text}"
                    );
                    continue;
                }
                let repaired = result.expect("there is one object");
                assert_eq!(repaired.text(), "{\"a\":1}", "{preset} {policy}: {text}");
                assert_eq!(
                    listed(text, preset, policy, Root::Object),
                    [(other, Root::Array)],
                    "{preset} {policy}: {text}"
                );
            }
        }
    }
}

#[test]
fn b4_an_object_beside_an_array_is_listed_where_arrays_are_wanted() {
    for text in ["[1, 2]\n{\"a\": 1}\n", "```json\n[1, 2]\n```\nand\n```json\n{\"a\": 1}\n```"] {
        for policy in [Policy::First, Policy::Last] {
            assert_eq!(
                listed(text, "standard", policy, Root::Array),
                [("{\"a\": 1}", Root::Object)],
                "{policy}: {text}"
            );
        }
    }
    let both = listed("{\"a\": 1}\n[1, 2]\n", "standard", Policy::First, Root::Any);
    assert_eq!(both, [("[1, 2]", Root::Array)], "any root");
}

#[test]
fn b4_citations_and_arrays_within_a_line_are_not_listed() {
    for text in [
        "{\"a\":1}\n[1]\n",
        "{\"a\":1}\n[]\n",
        "{\"a\":1}\n[ -2.5e3 ]\n",
        "As in [1, 2] and [3]: {\"a\":1}",
        "Result: [1, 2, 3]\nMeta: {\"a\":1}",
        "{\"a\":1}\n[1, 2] says it.",
        "{\"a\":1}\n[see above]",
        "{\"a\":1}\n[12:30]\n[link](http://x)",
        "{\"a\": [\n[1, 2]\n,\n[3]\n]}\nthat is all",
    ] {
        for preset in ["strict", "standard", "lenient"] {
            assert_eq!(beside(text, preset), [], "{preset}: {text}");
        }
    }
}

#[test]
fn b4_arrays_in_reasoning_are_not_listed() {
    assert_eq!(beside("<think>\n[1, 2]\n</think>\n{\"a\": 1}\n", "standard"), []);
    assert_eq!(beside("<think>\nx\n</think>\n{\"a\": 1}\n[1, 2]", "standard"), [("[1, 2]", Root::Array)]);
}

#[test]
fn b4_a_broken_value_of_the_other_root_is_listed_if_no_guess_is_needed() {
    assert_eq!(beside("{\"a\":1}\n[1,2,]\n", "standard"), [("[1,2,]", Root::Array)]);
    assert_eq!(beside("{\"a\":1}\n[{b: 2}]\n", "standard"), [("[{b: 2}]", Root::Array)]);
    assert_eq!(beside("{\"a\":1}\n[1,2,]\n", "strict"), [("[1,2,]", Root::Array)]);
    assert_eq!(beside("{\"a\":1}\n[1, 2\n", "lenient"), [], "it is cut off");
    assert_eq!(beside("{\"a\":1}\n[\"x\", see 5 kg}\n", "lenient"), [], "a guess");
}

#[test]
fn b4_an_element_of_an_array_beside_the_payload_is_not_torn_out() {
    let text = "{\"a\":1}\n[{\"b\":2}]";
    for preset in ["strict", "standard", "lenient"] {
        let last = with(preset, Policy::Last, Root::Object).repair(text).expect("there is one object");
        assert_eq!(last.text(), "{\"a\":1}", "{preset}");
    }
}

#[test]
fn b4_calls_in_a_row_without_a_line_end_are_all_seen() {
    let text = "<tool_call>\n{\"name\": \"a\"}\n</tool_call><tool_call>\n{\"name\": \"b\"}\n</tool_call> <tool_call>{\"name\": \"c\"}</tool_call>";
    for preset in ["standard", "lenient"] {
        let found: Vec<_> = beside(text, preset).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, ["{\"name\": \"b\"}", "{\"name\": \"c\"}"], "{preset}");
        let last = with(preset, Policy::Last, Root::Object).repair(text).expect("there are three");
        assert_eq!(last.text(), "{\"name\": \"c\"}", "{preset}");
    }
}

#[test]
fn b4_payloads_outside_tags_are_listed() {
    for (text, others) in [
        (
            "<tools>{\"name\": \"a\"}</tools>\n<tool_call>\n{\"name\": \"b\"}\n</tool_call>",
            ["{\"name\": \"a\"}"].as_slice(),
        ),
        ("<tool_call>\n{\"name\": \"b\"}\n</tool_call>\n<tool_response>{\"t\": 1}</tool_response>", &["{\"t\": 1}"]),
        ("It was {\"d\": 0}. <answer>{\"name\": \"b\"}</answer> or {\"e\": 1}", &["{\"d\": 0}", "{\"e\": 1}"]),
        ("Here: ```json\n{\"name\": \"b\"}\n``` and\n{\"e\": 1}", &["{\"e\": 1}"]),
        ("Like `{\"d\": 0}`: {\"name\": \"b\"} or `{\"e\": 1}`.", &["{\"d\": 0}", "{\"e\": 1}"]),
    ] {
        for preset in ["standard", "lenient"] {
            let repaired = with(preset, Policy::First, Root::Object).repair(text).expect("there is a payload");
            assert_eq!(repaired.text(), "{\"name\": \"b\"}", "{preset}: {text}");
            let found: Vec<_> = beside(text, preset).into_iter().map(|(text, _)| text).collect();
            assert_eq!(found, others, "{preset}: {text}");
        }
    }
}

#[test]
fn b5_looking_beside_keeps_the_work_linear() {
    // Shared out among threads, since this test takes far longer than all others here.
    std::thread::scope(|scope| {
        for preset in ["standard", "lenient"] {
            for root in [Root::Object, Root::Array, Root::Any] {
                scope.spawn(move || {
                    for policy in [Policy::First, Policy::Last, Policy::Best] {
                        looking_beside_is_linear(preset, policy, root);
                    }
                });
            }
        }
    });
}

fn looking_beside_is_linear(preset: &str, policy: Policy, root: Root) {
    let pipeline = with(preset, policy, root);
    for unit in [
        "{\"a\": [1}\n",
        "{\"a\": \"x}\n",
        "[1, 2]\n",
        "[1, 2\n",
        "[\"\n",
        "[[\n",
        "{\"a\": 1}\n[1, 2]\n",
        "```json [1,\n",
        "{\"a\": 1}\n[{\"b\" 2}]\n",
        "<tool_call>{\"a\": [1}</tool_call>",
        "`{\"a\": 1}` ",
    ] {
        for start in ["", "{\"k\": 0}\n"] {
            let text = |bytes: usize| start.to_owned() + &unit.repeat(bytes / unit.len());
            let work = |text: &str| {
                let result = pipeline.repair(text);
                (result.as_ref().map_or_else(jsonseam::Error::work, jsonseam::Repaired::work), result.is_ok())
            };
            let (once, is_repaired) = work(&text(24_000));
            let (half, whole) = (work(&text(12_000)).0.total(), once.total());
            assert!(whole <= 2 * half + half / 4, "{preset} {policy} {root} {start:?} {unit:?}: {half} {whole}");
            // Strings that never end, and a thousand calls with a defect, cost up to an eighth more than the law admits, also without a look beside.
            let is_known = ["[\"\n", "<tool_call>{\"a\": [1}</tool_call>"].contains(&unit);
            let is_within = !is_repaired || is_known || once.is_linear(24_000);
            assert!(is_within, "{preset} {policy} {root} {start:?} {unit:?}: {once:?}");
        }
    }
}
