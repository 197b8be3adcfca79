//! The generators as `proptest` strategies. All of them shrink: towards smaller documents, fewer defects, fewer fragments.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::{select, subsequence};

use crate::awkward::{BLANKS, CLASSES, NUMBERS, WORDS};
use crate::damage::{Damaged, Defect, Site, damage_with};
use crate::generate::{Document, RootKind, Shape, Style, document};
use crate::random::Random;

/// Shapes from 2 bytes to 4 KiB (small ones far more often), up to 60 deep, in every style.
pub fn shapes(root: RootKind) -> impl Strategy<Value = Shape> {
    let bytes = prop_oneof![1 => 2_usize..20, 6 => 20_usize..400, 1 => 400_usize..4_096];
    let depth = prop_oneof![6 => 1_usize..6, 1 => 6_usize..60];
    (bytes, depth, select(Style::ALL.as_slice())).prop_map(move |(bytes, depth, style)| Shape {
        root,
        bytes,
        depth,
        style,
    })
}

/// Valid documents as tokens.
pub fn valid_document(root: RootKind) -> impl Strategy<Value = Document> {
    (shapes(root), any::<u64>()).prop_map(|(shape, seed)| document(&shape, &mut Random::new(seed)))
}

/// Valid JSON texts with any root, white space around some of them.
pub fn valid_json() -> impl Strategy<Value = String> {
    valid_document(RootKind::Any).prop_map(|document| document.text())
}

/// Damaged documents with an object as their root and one to three different defects, with their truth.
pub fn damaged_json() -> impl Strategy<Value = Damaged> {
    damaged_by(Defect::ALL)
}

/// The same with defects from this list only; with an empty list the strategy rejects everything.
pub fn damaged_by(defects: &'static [Defect]) -> impl Strategy<Value = Damaged> {
    let chosen = subsequence(defects, defects.len().min(1)..=defects.len().min(3));
    (shapes(RootKind::Object), chosen, select(Site::ALL.as_slice()), any::<u64>()).prop_filter_map(
        "the document has no place for the defects",
        |(shape, chosen, site, seed)| {
            let mut random = Random::new(seed);
            // The first defect is where the strategy says; with every one of them there, most documents would have no place.
            let plan: Vec<_> = chosen
                .iter()
                .enumerate()
                .map(|(index, defect)| (*defect, if index == 0 { site } else { Site::Any }))
                .collect();
            (0..20).find_map(|_| damage_with(&document(&shape, &mut random), &plan, &mut random))
        },
    )
}

/// Any text at all: fragments of JSON, of what surrounds JSON and of what JSON is mistaken for, mixed with noise.
pub fn any_text() -> impl Strategy<Value = String> {
    let syntax = select(SYNTAX).prop_map(str::to_owned);
    let awkward = select(CLASSES).prop_flat_map(|class| select(class.fragments)).prop_map(str::to_owned);
    let scalar = prop_oneof![select(WORDS), select(NUMBERS), select(BLANKS)].prop_map(str::to_owned);
    let noise = any::<char>().prop_map(String::from);
    let whole = valid_json();
    let damaged = damaged_json().prop_map(|damaged| damaged.text);
    let piece = prop_oneof![12 => syntax, 3 => awkward, 3 => scalar, 2 => noise];
    prop_oneof![
        8 => vec(piece, 0..40).prop_map(|pieces| pieces.concat()),
        1 => whole,
        1 => damaged,
    ]
}

/// Fragments that a repairer reacts to.
const SYNTAX: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    " ",
    "\n",
    "\r\n",
    "\"a\"",
    "\"a\":",
    "\"a\":1",
    "'a'",
    "'a':",
    "\u{201c}a\u{201d}",
    "\u{2018}a\u{2019}:",
    "a:",
    "1",
    "-",
    "1.",
    "true",
    "tru",
    "null",
    "True",
    "None",
    "NaN",
    "//",
    "/*",
    "*/",
    "#",
    "# x\n",
    "/* x */",
    "```",
    "\n```",
    "\n```json\n",
    "\n~~~\n",
    "\u{feff}",
    "\u{200b}",
    "\u{a0}",
    "\\u",
    "\\ud800",
    "\\n",
    "\\_",
    "\\\"",
    "\u{1}",
    "\0",
    "...",
    "=>",
    "=",
    ";",
    "(",
    ")",
    "<think>",
    "</think>",
    "<tool_call>",
    "Here is the JSON:",
    "{\"a\":{\"b\":[1,2,{\"c\":null}]}}",
    "{}",
    "[]",
    "\"\"",
];
