//! P2: where no locator has to be asked, the answer is the one that all of them give.

use std::sync::atomic::{AtomicUsize, Ordering};

use jsonseam::rule::{Candidates, LocateRule, Region, rule};
use jsonseam::{Config, Pipeline, Policy, Root, built_in};
use jsonseam_testkit::random::Random;

rule! {
    /// Finds nothing, and does not say that it finds nothing in usual completions: so everyone is asked.
    pub struct Idle {
        name: "acme/idle",
        locates: Regions,
        cases: "usual.toml",
    }
}

rule! {
    /// Finds nothing, and says so.
    pub struct Silent {
        name: "acme/silent",
        locates: Regions,
        usual: Nothing,
        cases: "usual.toml",
    }
}

static TIMES_ASKED: AtomicUsize = AtomicUsize::new(0);

impl LocateRule for Silent {
    fn locate(&self, _: &Region<'_>, _: &mut Candidates) {
        TIMES_ASKED.fetch_add(1, Ordering::Relaxed);
    }
}

impl LocateRule for Idle {
    fn locate(&self, _: &Region<'_>, _: &mut Candidates) {}
}

/// Words, and what only looks like them.
const BEFORE: &[&str] = &[
    "",
    " ",
    "\n",
    "Here is the JSON:\n\n",
    "Here it is: ",
    "data: ",
    "a: ",
    "- ",
    "1. ",
    "return ",
    "null\n",
    "x, ",
    "x; ",
    "Nothing:",
    "json\n",
    "```\n",
    "```json\n",
    "``` JSON\n",
    "Sure.\n```json\n",
    "Sure. ```json\n",
    "~~~json\n",
    "```python\n",
    "> ",
    "x = ",
    "f(",
    "[",
    "<answer>",
    "\u{feff}",
    "| a |\n",
    "The schema:\n",
    "It's ready, don't worry:\n",
    "'Quoted' ",
    "# Answer\n",
    "// note\n",
    "/* x */ ",
    "Voil\u{e0} \u{2013} so:\n",
    "(see https://x.org/a) ",
    "call(",
    "100% @me: ",
    "Tab\t",
    "\u{a0}",
    "\u{a0}```json\n",
    "```json\u{2028}",
    "\t```json\n",
    "```json\r",
    "   ~~~~Json\r\n",
    "Sure.\n\n  ```\n",
    "````json\n",
    "```~\n",
    "    ```json\n",
];
const AFTER: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\nLet me know.",
    ". So",
    ", ",
    ", b: 1",
    ": 2",
    "; x",
    ";",
    " * 2",
    " + 1",
    "- 1",
    "\n- 1",
    "!",
    "\n```",
    "\n```\n",
    "\n```\n\nDone.",
    "```",
    " ```",
    "\n```json",
    "\n````",
    "\n``` x",
    "}",
    "\n}",
    "]",
    ")",
    "\n</answer>",
    "\u{1f642}",
    " # x",
    " // x",
    "\n// x\n",
    " (that's all)",
    ")",
    ");",
    "\n   ~~~~\n\u{1f642}",
    "\r\n  ```\r\nIt's done.",
    "\n\t```",
    "\n\u{a0}```",
    "\u{2028}```",
    "\u{a0}",
    "\r```",
    "\n````\n",
    "\n    ```",
    "'s",
    " 'x'",
    "/x",
    " %",
    "\n```\n# x\n```\n",
    "\n{\"b\": 2}",
];
const VALUES: &[&str] = &[
    "{}",
    "{ }",
    "{\"a\": 1}",
    "{\n  \"a\": [1, 2]\n}",
    "{\"a\": \"<think>x</think>\"}",
    "{\"a\": \"```json\\n{}\\n```\"}",
    "{\"a\": \"\n```\n\"}",
    "{\"a\": \"{\\\"b\\\": 1}\"}",
    "{\"a\": \"<answer>{}</answer>\"}",
    "{{\"a\": 1}}",
    "{\"a\": 1,}",
    "{'a': 1}",
    "{\"a\": {\"b\": {}}}",
    "{\"a\": 1",
    "{name}",
    "{\"type\": \"object\", \"properties\": {\"a\": {}}}",
    "{\"a\": \"}\"}",
    "{\"a\": \"\\\\frac{1}{2}\"}",
    "[{\"a\": 1}]",
    "\"a\": 1",
    "{\"a\": \"it's\"}",
    "{\"$schema\": 1}\n{\"a\": 1}",
    "{\"a\": \"x\"} and {\"b\": 2}",
    "{\"a\": \"〔｛｝\"}",
];

/// What a pipeline makes of a text, in words.
fn answer(pipeline: &Pipeline, text: &str) -> String {
    match pipeline.repair(text) {
        Ok(repaired) => {
            let edits: Vec<_> = repaired.edits().map(|edit| (edit.rule.to_owned(), edit.span)).collect();
            let further: Vec<_> = repaired.further().iter().map(|further| further.span.clone()).collect();
            format!("{:?} {} {edits:?} {further:?} {}", repaired.payload(), repaired.text(), repaired.is_truncated())
        }
        Err(error) => format!("{} {:?}", error.reason(), error.position()),
    }
}

#[test]
fn p2_a_usual_completion_is_answered_as_by_all_locators() {
    let mut random = Random::new(30);
    for root in [Root::Object, Root::Any, Root::Array] {
        for policy in [Policy::First, Policy::Best, Policy::Last, Policy::Only] {
            for preset in ["strict", "standard", "lenient"] {
                let config = Config::default().with_preset(preset).with_root(root).with_policy(policy);
                let catalogue =
                    built_in().and_then(|rules| rules.with(Idle::REGISTRATION)).expect("each is declared once");
                let few = Pipeline::new(&config, &catalogue).expect("the preset is known");
                let all = Pipeline::new(&config.with_enabled("acme/idle"), &catalogue).expect("the rule is linked");
                for before in BEFORE {
                    for after in AFTER {
                        let mut pick = |from: &[&'static str]| *random.pick(from).unwrap_or(&"");
                        let (value, second) = (pick(VALUES), pick(BEFORE));
                        for text in [format!("{before}{value}{after}"), format!("{before}{second}{value}{after}")] {
                            assert_eq!(
                                answer(&few, &text),
                                answer(&all, &text),
                                "{preset}, {root:?}, {policy:?}: {text:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn p2_no_locator_is_asked_about_a_usual_completion() {
    let catalogue = built_in().and_then(|rules| rules.with(Silent::REGISTRATION)).expect("each is declared once");
    let asked = |preset: &str, text: &str| {
        let config = Config::default().with_preset(preset).with_enabled("acme/silent");
        let before = TIMES_ASKED.load(Ordering::Relaxed);
        let repaired =
            Pipeline::new(&config, &catalogue).expect("the rule is known").repair(text).map(|it| it.edits().len());
        assert_eq!(repaired.expect("it has a payload"), 0, "{text:?}");
        TIMES_ASKED.load(Ordering::Relaxed) > before
    };
    let usual = [
        "Here is the JSON:\n\n{\"a\": 1}\n\nDone.",
        "{\"a\": \"<b>\"}\nDone.",
        "```json\n{\"a\": 1}\n```",
        "So.\n```\n{\"a\": 1}\n```\nDone.",
        "Voil\u{e0}:\n{\"a\": 1}\nC'est tout.",
    ];
    for preset in ["strict", "standard", "lenient"] {
        assert!(usual.iter().all(|text| !asked(preset, text)), "{preset}");
        assert!(asked(preset, "x = {\"a\": 1}"), "{preset}");
    }
}
