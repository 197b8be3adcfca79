//! The texts that are read in pieces.

use std::path::Path;

use anyhow::{Result, bail};
use jsonseam_testkit::damage::{Defect, damage_each_with};
use jsonseam_testkit::value::Value;
use jsonseam_text::named;

use crate::corpus::external;

/// The seed of the damaged documents: no other task has it.
const SEED: u64 = 2_028;

/// How many documents to damage.
const DOCUMENTS: usize = 1_200;

/// How many texts of a group are made at the most.
const MADE: usize = 400;

/// Longer answers of models are left out: some libraries take minutes for one.
const LONGEST: usize = 4 << 10;

named! {
    /// What a text is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Group as "a group of texts" {
        /// Valid documents.
        Valid = "valid",
        /// Damaged ones that begin with a bracket.
        Broken = "broken",
        /// Valid and damaged ones in a fence.
        Fenced = "fenced",
        /// Valid and damaged ones between sentences.
        Prose = "in prose",
    }
}

/// A text.
#[derive(Debug)]
pub(super) struct Text {
    group: Group,
    is_real: bool,
    pub(super) content: String,
    /// What is meant, where that is known.
    pub(super) truth: Option<Value>,
}

impl Text {
    pub(super) fn made(group: Group, content: String, truth: Option<Value>) -> Self {
        Self { group, is_real: false, content, truth }
    }

    /// What its group is called; answers of models have their own.
    pub(super) fn group(&self) -> String {
        if self.is_real { format!("{}, real", self.group) } else { self.group.to_string() }
    }
}

/// Every text there is; answers of models where `JSONSEAM_DATA` is set, as it must be where the figures are kept.
pub(super) fn all(must_have_data: bool) -> Result<Vec<Text>> {
    let mut texts = made();
    match std::env::var_os("JSONSEAM_DATA") {
        Some(data) => texts.extend(real(&Path::new(&data).join("realworld"))?),
        None if must_have_data => bail!("JSONSEAM_DATA names the folder with `realworld`; it is not set"),
        None => {}
    }
    Ok(texts)
}

/// Documents, damaged ones, and both with something around them.
fn made() -> Vec<Text> {
    let mut texts = Vec::new();
    let count = |texts: &[Text], group| texts.iter().filter(|text| text.group == group).count();
    let leads: Vec<Defect> = Defect::ALL.iter().copied().filter(|defect| is_inside(*defect)).collect();
    let companions: Vec<Defect> = Defect::STANDARD.iter().copied().filter(|defect| is_inside(*defect)).collect();
    for (index, sample) in damage_each_with(SEED, &leads, &companions, 1..=3, DOCUMENTS).enumerate() {
        let Some(truth) = Value::read(&sample.truth).filter(is_plain) else { continue };
        let holds = serde_json::from_str::<serde_json::Value>(&sample.truth).is_ok();
        if !holds || !sample.text.trim_start().starts_with(['{', '[']) {
            continue;
        }
        let mut add = |group, content| {
            if count(&texts, group) < MADE {
                texts.push(Text::made(group, content, Some(truth.clone())));
            }
        };
        add(Group::Valid, sample.truth.clone());
        // What has lost its end has nothing after it.
        if !sample.truncated {
            let document = if index % 4 < 2 { &sample.truth } else { &sample.text };
            if index % 2 == 0 {
                add(Group::Fenced, format!("```json\n{document}\n```"));
            } else {
                add(Group::Prose, format!("Here is what you asked for:\n\n{document}\n\nLet me know if that helps."));
            }
        }
        add(Group::Broken, sample.text);
    }
    texts
}

/// Whether the damage leaves the payload without anything around it.
fn is_inside(defect: Defect) -> bool {
    !matches!(
        defect,
        Defect::MarkdownFence
            | Defect::MarkdownFenceVariant
            | Defect::SurroundingProse
            | Defect::LeadingByteOrderMark
            | Defect::EscapedPayload
            | Defect::StringifiedPayload
            | Defect::Jsonp
            | Defect::Assignment
            | Defect::SeveralPayloads
            | Defect::ReasoningBlock
            | Defect::SpecialToken
            | Defect::BracketsInProse
            | Defect::SchemaEcho
    )
}

/// Whether the last member is the one that was written last in every language: no key is repeated, and none is a number, which JavaScript puts first.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Object(members) => members.iter().enumerate().all(|(index, (key, value))| {
            let is_number = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
            !is_number && members.iter().skip(index + 1).all(|(later, _)| later != key) && is_plain(value)
        }),
        _ => true,
    }
}

/// Whether an object of a text that is not JSON seems to have a key twice: a string before a colon, between the same brackets.
fn repeats_a_key(text: &str) -> bool {
    let mut levels: Vec<Vec<&str>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(start) = rest.find(['"', '{', '[', '}', ']']) {
        let (bracket, after) = rest.split_at(start + 1);
        rest = after;
        match bracket.chars().next_back() {
            Some('"') => {
                let (content, after) = rest.split_once('"').unwrap_or((rest, ""));
                rest = after;
                let is_key = after.trim_start().starts_with(':');
                let Some(keys) = levels.last_mut().filter(|_| is_key) else { continue };
                if keys.contains(&content) {
                    return true;
                }
                keys.push(content);
            }
            Some('{' | '[') => levels.push(Vec::new()),
            _ if levels.len() > 1 => drop(levels.pop()),
            _ => {}
        }
    }
    false
}

/// Answers of models.
fn real(folder: &Path) -> Result<Vec<Text>> {
    let text = |group, content, truth| Text { group, is_real: true, content, truth };
    let mut texts = Vec::new();
    for case in external::read_cases(&folder.join("cases.jsonl"))? {
        let group = match case.text.trim_start() {
            start if start.starts_with(['{', '[']) => Group::Broken,
            start if start.starts_with("```") => Group::Fenced,
            _ => Group::Prose,
        };
        let wanted = case.wanted().map(|(wanted, _)| wanted).unwrap_or_default();
        if case.text.len() <= LONGEST && wanted.iter().all(is_plain) && !repeats_a_key(&case.text) {
            texts.push(text(group, case.text, None));
        }
    }
    for content in external::read_valid(&folder.join("valid.jsonl"))? {
        let truth = Value::read(&content).filter(|truth| content.len() <= LONGEST && is_plain(truth));
        texts.extend(truth.map(|truth| text(Group::Valid, content, Some(truth))));
    }
    Ok(texts)
}

/// An object with one string, of `size` bytes altogether.
pub(super) fn string(size: usize) -> String {
    let words = "The quick brown fox jumps over the lazy dog. ".repeat(size / 40);
    format!("{{\"text\": \"{}\"}}", words.get(..size - 12).unwrap_or_default())
}

/// An array of rows, of at most `size` bytes.
pub(super) fn rows(size: usize) -> String {
    let mut text = "[".to_owned();
    for id in 0_usize.. {
        let row = format!("{{\"id\": {id}, \"name\": \"row {id}\", \"ok\": true}}");
        if text.len() + row.len() + 3 > size {
            break;
        }
        text.push_str(if id == 0 { "" } else { ", " });
        text.push_str(&row);
    }
    text + "]"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_group_are_made_and_say_what_they_mean() {
        let texts = made();
        for group in Group::ALL {
            let count = texts.iter().filter(|text| text.group == *group).count();
            assert!(count >= 100, "{count} {group}");
        }
        for text in &texts {
            let is_valid = Value::read(&text.content).is_some();
            assert_eq!(is_valid, text.group == Group::Valid, "{:?}", text.content);
        }
    }

    #[test]
    fn texts_to_time_are_valid_and_as_long_as_asked() {
        for size in [1 << 10, 16 << 10] {
            assert_eq!(string(size).len(), size);
            assert!((size - 50..=size).contains(&rows(size).len()));
            assert!(Value::read(&string(size)).is_some() && Value::read(&rows(size)).is_some());
        }
    }

    #[test]
    fn keys_whose_order_is_lost_are_seen() {
        let is_plain = |text: &str| is_plain(&Value::read(text).expect("it is JSON"));
        assert!(is_plain("[{\"a\": 1, \"b1\": {\"a\": 2}}]"));
        assert!(!is_plain("[{\"a\": {\"1\": 2}}]"));
        assert!(!is_plain("{\"a\": 1, \"b\": 2, \"a\": 1}"));
        assert!(repeats_a_key("{\"a\": 5-7, \"b\": [{\"c\": 1}], \"a\" : x"));
        assert!(!repeats_a_key("[{\"a\": \"b\", \"b\": 5-7}, {\"a\": \"a\"}, \"a\""));
    }
}
