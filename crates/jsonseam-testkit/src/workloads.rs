//! The texts that speed is measured on, by name: what models write, valid and broken, always the same for the same size.
//!
//! A clock, a count of instructions and a comparison with another library all take their texts from here, so that they speak of the same thing.

mod document;
mod mix;
mod several;
mod single;

use jsonseam_text::named;

pub use self::several::with_defects;
pub use self::single::{Single, singles};

use self::document::{Layout, WORDS, answer, sentence, tool_call};
use crate::damage::{Damaged, Defect, Site, damage_with};
use crate::generate::Document;
use crate::random::Random;

named! {
    /// What a workload measures.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Group as "a group of workloads" {
        /// Texts that are valid as they are.
        Recognise = "recognise",
        /// Valid payloads with something around them.
        Locate = "locate",
        /// Broken payloads.
        Repair = "repair",
        /// Broken payloads for a preset that refuses most of them.
        Refuse = "refuse",
    }
}

/// Texts of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    /// What they are, in kebab-case.
    pub name: &'static str,
    /// What they measure.
    pub group: Group,
    /// The preset they are for.
    pub preset: &'static str,
    make: fn(usize, &mut Random) -> Vec<Sample>,
}

/// One text and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The text.
    pub text: String,
    /// What it should become, as valid JSON: compare with [`compact`](crate::damage::compact).
    pub truth: String,
}

impl Workload {
    /// Texts of about this many bytes together, one at least.
    ///
    /// ```
    /// use jsonseam_testkit::workloads::workload;
    ///
    /// let lines = workload("valid-lines").expect("the workload exists").samples(10_000);
    /// assert!(lines.iter().all(|sample| sample.text == sample.truth));
    /// ```
    pub fn samples(&self, bytes: usize) -> Vec<Sample> {
        self.samples_of(bytes, 13)
    }

    /// The same, made from another seed.
    pub fn samples_of(&self, bytes: usize, seed: u64) -> Vec<Sample> {
        (self.make)(bytes, &mut Random::new(seed))
    }

    /// The same without what they mean.
    pub fn texts(&self, bytes: usize) -> Vec<String> {
        self.samples(bytes).into_iter().map(|sample| sample.text).collect()
    }
}

/// Every workload.
pub const fn workloads() -> &'static [Workload] {
    WORKLOADS
}

/// The workload of this name.
pub fn workload(name: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.name == name)
}

const fn valid(name: &'static str, make: fn(usize, &mut Random) -> Vec<Sample>) -> Workload {
    Workload { name, group: Group::Recognise, preset: "strict", make }
}

const fn broken(name: &'static str, make: fn(usize, &mut Random) -> Vec<Sample>) -> Workload {
    Workload { name, group: Group::Repair, preset: "lenient", make }
}

const WORKLOADS: &[Workload] = &[
    valid("valid-lines", |bytes, random| samples(bytes, || plain(&answer(Layout::Line, random)))),
    valid("valid-pretty-lines", |bytes, random| samples(bytes, || plain(&answer(Layout::Pretty, random)))),
    valid("valid-tool-calls", |bytes, random| samples(bytes, || plain(&tool_call(random)))),
    valid("valid-pretty", |bytes, random| vec![Sample::valid(joined(answers(bytes, random).map(|(truth, _)| truth)))]),
    valid("valid-numbers", |bytes, random| vec![Sample::valid(numbers(bytes, random))]),
    valid("valid-long-string", |bytes, random| vec![Sample::valid(long_string(bytes, random))]),
    Workload {
        name: "fenced-lines",
        group: Group::Locate,
        preset: "strict",
        make: |bytes, random| samples(bytes, || plain(&answer(Layout::Line, random)).within("```json\n", "\n```")),
    },
    Workload {
        name: "lines-in-prose",
        group: Group::Locate,
        preset: "strict",
        make: |bytes, random| {
            let (before, after) = ("Here is the answer you asked for:\n\n", "\n\nLet me know if you need more.");
            samples(bytes, || plain(&answer(Layout::Line, random)).within(before, after))
        },
    },
    broken("broken-lines", broken_lines),
    broken("broken-trailing-commas", |bytes, random| all(bytes, Defect::TrailingComma, random)),
    broken("broken-missing-commas", |bytes, random| all(bytes, Defect::MissingCommaAfterScalar, random)),
    broken("broken-single-quotes", |bytes, random| all(bytes, Defect::SingleQuotedString, random)),
    broken("broken-smart-quotes", |bytes, random| all(bytes, Defect::SmartQuotedString, random)),
    broken("broken-unescaped-quotes", |bytes, random| all(bytes, Defect::UnescapedQuote, random)),
    broken("broken-control-characters", |bytes, random| all(bytes, Defect::RawControlCharacter, random)),
    broken("broken-python-literals", |bytes, random| all(bytes, Defect::PythonLiteral, random)),
    broken("broken-comments", |bytes, random| all(bytes, Defect::Comment, random)),
    broken("broken-unquoted-keys", |bytes, random| all(bytes, Defect::UnquotedKey, random)),
    broken("broken-ends", |bytes, random| all(bytes, Defect::UnclosedContainer, random)),
    broken("broken-pretty", |bytes, random| {
        let (truths, texts): (Vec<_>, Vec<_>) = answers(bytes, random).unzip();
        vec![Sample { text: joined(texts.into_iter()), truth: joined(truths.into_iter()) }]
    }),
    broken("one-defect", |bytes, random| {
        let truth = joined(answers(bytes, random).map(|(truth, _)| truth));
        let middle = truth[truth.len() / 2..].find("},").map_or(0, |at| truth.len() / 2 + at);
        let text = format!("{},{}", &truth[..middle], &truth[middle..]);
        vec![Sample { text, truth }]
    }),
    broken("real-mix", |bytes, random| samples(bytes, || mix::completion(random))),
    Workload { name: "refused-lines", group: Group::Refuse, preset: "strict", make: broken_lines },
];

/// The outputs of [`contract_lines`].
pub const CONTRACT: [&str; 5] = ["summary", "order", "tags", "confidence", "reply"];

/// The schema of the output `order` of [`contract_lines`].
pub const ORDER_SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "express": {"type": "boolean"},
        "items": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "properties": {
                "sku": {"type": "string", "minLength": 5},
                "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
                "price": {"type": "number", "exclusiveMinimum": 0}
            },
            "required": ["sku", "quantity", "price"],
            "additionalProperties": false
        }}
    },
    "required": ["id", "items"],
    "additionalProperties": false
}"#;

/// Valid lines of about 1 KiB with five outputs, of about this many bytes together.
pub fn contract_lines(bytes: usize) -> Vec<String> {
    let mut random = Random::new(5);
    let mut id = 0;
    let line = || {
        id += 1;
        let items: Vec<_> = (0..4)
            .map(|_| {
                let (sku, quantity, price) = (random.below(9_999), random.between(1, 99), random.between(1, 500));
                format!("{{\"sku\": \"CBL-{sku:04}\", \"quantity\": {quantity}, \"price\": {price}.50}}")
            })
            .collect();
        let tags: Vec<_> = (0..6).map(|_| format!("\"{}\"", random.pick_text(&WORDS))).collect();
        let (express, confidence) = (random.chance(1, 2), random.below(1_000));
        let (summary, reply) = (sentence(26, 30, &mut random), sentence(76, 84, &mut random));
        Sample::valid(format!(
            "{{\"summary\": \"{summary}\", \"order\": {{\"id\": {id}, \"express\": {express}, \"items\": [{}]}}, \
             \"tags\": [{}], \"confidence\": 0.{confidence:03}, \"reply\": \"{reply}\"}}",
            items.join(", "),
            tags.join(", "),
        ))
    };
    samples(bytes, line).into_iter().map(|sample| sample.text).collect()
}

impl Sample {
    fn valid(text: String) -> Self {
        Self { truth: text.clone(), text }
    }

    fn within(self, before: &str, after: &str) -> Self {
        Self { text: format!("{before}{}{after}", self.text), truth: self.truth }
    }
}

fn plain(document: &Document) -> Sample {
    Sample::valid(document.text())
}

fn samples(bytes: usize, mut next: impl FnMut() -> Sample) -> Vec<Sample> {
    let mut all = Vec::new();
    let mut len = 0;
    while len < bytes || all.is_empty() {
        let sample = next();
        len += sample.text.len();
        all.push(sample);
    }
    all
}

/// The damage that models do most often.
const USUAL: [Defect; 12] = [
    Defect::MarkdownFence,
    Defect::SurroundingProse,
    Defect::TrailingComma,
    Defect::SingleQuotedString,
    Defect::MissingCommaAfterScalar,
    Defect::SmartQuotedString,
    Defect::UnclosedContainer,
    Defect::UnescapedQuote,
    Defect::RawControlCharacter,
    Defect::PythonLiteral,
    Defect::Comment,
    Defect::UnquotedKey,
];

/// Lines with one to three kinds of damage each, every kind many times: a model that forgets a comma forgets more.
fn broken_lines(bytes: usize, random: &mut Random) -> Vec<Sample> {
    let mut turn = 0;
    samples(bytes, || {
        turn += 1;
        let lead = USUAL[turn % USUAL.len()];
        let others = random.below(3);
        let mut kinds = vec![lead];
        for _ in 0..others {
            kinds.extend(random.pick(&USUAL).copied().filter(|kind| !kinds.contains(kind)));
        }
        damaged(&kinds, random)
    })
}

/// Lines with one kind of damage, many times.
fn all(bytes: usize, defect: Defect, random: &mut Random) -> Vec<Sample> {
    samples(bytes, || damaged(&[defect], random))
}

/// An answer with all of these kinds of damage, each as often as there are places, up to fourteen.
fn damaged(kinds: &[Defect], random: &mut Random) -> Sample {
    let layout = if kinds.contains(&Defect::MissingCommaAfterScalar) { Layout::Pretty } else { Layout::Line };
    loop {
        let document = answer(layout, random);
        for times in [14, 9, 5, 2, 1] {
            let is_once = |kind: &Defect| {
                matches!(kind, Defect::MarkdownFence | Defect::SurroundingProse | Defect::UnclosedContainer)
            };
            let plan: Vec<_> = kinds
                .iter()
                .flat_map(|kind| std::iter::repeat_n((*kind, Site::Any), if is_once(kind) { 1 } else { times }))
                .collect();
            if let Some(Damaged { text, truth, .. }) = damage_with(&document, &plan, random) {
                return Sample { text, truth };
            }
        }
    }
}

/// Documents of about 4 KiB, pretty, each with its twin that has one defect; all together of about so many bytes.
fn answers(bytes: usize, random: &mut Random) -> impl Iterator<Item = (String, String)> {
    const DEFECTS: [Defect; 3] = [Defect::MissingCommaAfterScalar, Defect::TrailingComma, Defect::SingleQuotedString];
    let parts: Vec<_> = (0..(bytes / 4_096).max(1))
        .map(|index| {
            let documents: Vec<_> = (0..6).map(|_| answer(Layout::Pretty, random)).collect();
            let mut texts: Vec<_> = documents.iter().map(Document::text).collect();
            let truth = texts.join(",\n");
            let damaged = damage_with(&documents[0], &[(DEFECTS[index % 3], Site::Any)], random);
            texts[0] = damaged.map_or_else(|| texts[0].clone(), |damaged| damaged.text);
            (truth, texts.join(",\n"))
        })
        .collect();
    parts.into_iter()
}

/// Documents in one array.
fn joined(parts: impl Iterator<Item = String>) -> String {
    format!("{{\"items\": [\n{}\n]}}", parts.collect::<Vec<_>>().join(",\n"))
}

fn numbers(bytes: usize, random: &mut Random) -> String {
    let mut text = String::from("{\"samples\": [0");
    while text.len() < bytes {
        let (whole, fraction) = (random.below(100_000), random.below(1_000));
        let number = match random.below(4) {
            0 => whole.to_string(),
            1 => format!("-{whole}.{fraction}"),
            2 => format!("0.{fraction:03}e-{}", random.below(9)),
            _ => format!("{whole}.{fraction}"),
        };
        text.push_str(", ");
        text.push_str(&number);
    }
    text + "]}"
}

fn long_string(bytes: usize, random: &mut Random) -> String {
    let mut text = String::from("{\"reply\": \"");
    while text.len() < bytes {
        text.push_str(random.pick_text(&WORDS));
        text.push(' ');
    }
    text + "\"}"
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::value::RawValue;

    use super::{Group, workloads};

    fn is_valid(text: &str) -> bool {
        serde_json::from_str::<&RawValue>(text).is_ok()
    }

    #[test]
    fn names_are_distinct() {
        let names: HashSet<_> = workloads().iter().map(|workload| workload.name).collect();
        assert_eq!(names.len(), workloads().len());
    }

    #[test]
    fn texts_are_valid_or_broken_as_their_group_says_and_every_truth_is_valid() {
        for workload in workloads() {
            let samples = workload.samples(20_000);
            assert_eq!(samples, workload.samples(20_000), "{}", workload.name);
            let bytes: usize = samples.iter().map(|sample| sample.text.len()).sum();
            assert!((14_000..30_000).contains(&bytes), "{}: {bytes}", workload.name);
            for sample in samples {
                assert!(is_valid(&sample.truth), "{}: {}", workload.name, sample.truth);
                assert_eq!(
                    is_valid(&sample.text),
                    workload.group == Group::Recognise,
                    "{}: {}",
                    workload.name,
                    sample.text
                );
            }
        }
    }
}
