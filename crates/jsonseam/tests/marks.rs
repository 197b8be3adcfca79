//! What two crates list apart agrees: the marks of reasoning and the tokens of the wrapper packs, and the rules that know them.
//!
//! The rules know them by their form, and the packs as data with what ends each; neither crate may need the other.

use jsonseam::{Catalogue, Config, Pipeline, built_in};

const MARKS: &str = include_str!("../../jsonseam-toolcall/wrappers/reasoning.toml");

/// Marks of the packs that `reasoning-block` does not know with these ends: frames of messages, tokens of one model, sentences, and templates, and tags that may also hold an answer. The channel of analysis it knows by the header of the final one.
const IN_PACKS_ALONE: [&str; 18] = [
    "<think{}>",
    "<think:{suffix}>",
    "<analysis>",
    "<planning>",
    "<|think|>",
    "[unused16]",
    "Here is my thought process:",
    "Here's my thought process:",
    "Here's my thought process:",
    "Here are my reasoning steps:",
    "<|im_start|>assistant/think",
    "/think\n",
    "<|open|>think<|sep|>",
    "<|channel|>analysis<|message|>",
    "to=self<|message|>",
    "to=self<|message|>",
    "<|content_thinking|>",
    "<|plamo:begin_think:plamo|>",
];

fn alone(rule: &str, catalogue: &Catalogue) -> Pipeline {
    Pipeline::new(&Config::default().with_order(&[rule]), catalogue).expect("the rule is built in")
}

#[test]
fn the_marks_of_reasoning_in_the_packs_are_those_of_the_rule() {
    let catalogue = built_in().expect("the catalogue is right");
    let rule = alone("reasoning-block", &catalogue);
    let packs: toml::Table = MARKS.parse().expect("the pack is TOML");
    let blocks = packs["reasoning"].as_array().expect("blocks of reasoning");
    let mut unknown = Vec::new();
    for block in blocks {
        let open = block["open"].as_str().expect("a mark");
        for close in block["close"].as_array().expect("marks").iter().filter_map(toml::Value::as_str) {
            let text = format!("{open}Maybe {{\"a\": 1}}?{close}{{\"a\": 2}}");
            if !rule.repair(&text).is_ok_and(|repaired| repaired.text() == "{\"a\": 2}") {
                unknown.push(open);
            }
        }
    }
    assert_eq!(unknown, IN_PACKS_ALONE);
}

#[test]
fn the_tokens_of_the_packs_are_those_of_the_rule() {
    let catalogue = built_in().expect("the catalogue is right");
    let rule = alone("special-token", &catalogue);
    let packs: toml::Table = MARKS.parse().expect("the pack is TOML");
    for token in packs["noise"].as_array().expect("tokens").iter().filter_map(toml::Value::as_str) {
        let text = format!("{{\"a\": 1}}{token}");
        assert!(rule.repair(&text).is_ok(), "`special-token` does not know {token}");
    }
}
