//! What no preset may ever do, counted over generated texts: make data of prose, another kind of root of a document, or a whole of a part.

use anyhow::Result;
use jsonseam::{Pipeline, Root};
use jsonseam_testkit::awkward::SENTENCES;
use jsonseam_testkit::damage::{Defect, damage_many};
use jsonseam_testkit::generate::{RootKind, Shape, Style, document};
use jsonseam_testkit::random::Random;
use jsonseam_testkit::value::Value;

use crate::subjects;

/// Documents that are cut at every byte.
const CUT_DOCUMENTS: usize = 60;

/// Texts of prose, and documents whose root is looked at.
const TEXTS: usize = 3_000;

/// Counts for each preset, prints them, and gives what is not zero.
pub(super) fn run(seed: u64, presets: &[String]) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    println!("\n{:<12} {:>10} {:>10} {:>10} {:>8}", "preset", "from prose", "other root", "completed", "of cuts");
    for preset in presets {
        let pipeline = subjects::preset(preset, Root::Any)?;
        let prose = data_from_prose(&pipeline, seed);
        let roots = other_roots(&pipeline, seed);
        let (completed, cuts) = completed(&pipeline, seed);
        println!("{preset:<12} {:>10} {:>10} {:>10} {cuts:>8}", prose.len(), roots.len(), completed.len());
        for (what, found) in
            [("prose became data", prose), ("another root", roots), ("a cut value was completed", completed)]
        {
            if let Some(first) = found.first() {
                complaints.push(format!("{preset}: {what}, {} times, first {first:?}", found.len()));
            }
        }
    }
    println!();
    Ok(complaints)
}

/// Prose from which an object or array was made.
fn data_from_prose(pipeline: &Pipeline, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for _ in 0..TEXTS {
        let mut text = String::new();
        for _ in 0..random.between(1, 6) {
            text.push_str(random.pick_text(SENTENCES));
            text.push_str(random.pick_text(&[" ", "\n", ". ", ": ", " \"quoted\" ", " (so) ", " - ", "\n1. ", "\n* "]));
        }
        if pipeline.repair(&text).is_ok() {
            found.push(text);
        }
    }
    found
}

/// Damaged documents, all with an object as their root, that came back as something else.
fn other_roots(pipeline: &Pipeline, seed: u64) -> Vec<String> {
    let is_other = |text: &str| pipeline.repair(text).is_ok_and(|repaired| !repaired.text().starts_with('{'));
    // A set of the whole root is the one object that may become an array; the generator makes no such root.
    damage_many(seed, Defect::ALL, TEXTS).map(|damaged| damaged.text).filter(|text| is_other(text)).collect()
}

/// Cut texts whose repair holds a value that the text did not: one that goes on beyond the cut, or another one. Also how many were cut.
fn completed(pipeline: &Pipeline, seed: u64) -> (Vec<String>, usize) {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    let mut cuts = 0;
    for _ in 0..CUT_DOCUMENTS {
        let style = *random.pick(&Style::ALL).unwrap_or(&Style::Spaced);
        let shape = Shape { root: RootKind::Object, bytes: random.between(40, 300), depth: 4, style };
        let text = document(&shape, &mut random).text();
        let Some(whole) = Value::read(&text) else { continue };
        for end in (1..text.trim_end().len()).filter(|&end| text.is_char_boundary(end)) {
            let Some(head) = text.get(..end) else { continue };
            cuts += 1;
            if let Ok(repaired) = pipeline.repair(head)
                && !Value::read(repaired.text()).is_some_and(|part| repaired.is_truncated() && is_part(&part, &whole))
            {
                found.push(head.to_owned());
            }
        }
    }
    (found, cuts)
}

/// Whether `part` is `whole` without what comes after some place: the same members and elements up to the last, which is a part itself.
///
/// A number may be the beginning of one: `12` was read, whatever would have followed, and the result says that it is incomplete there.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()) || is_cut_pair(part, whole),
        (Value::Array(parts), Value::Array(wholes)) => {
            parts.len() <= wholes.len()
                && parts.iter().zip(wholes).enumerate().all(|(index, (part, whole))| {
                    if index + 1 == parts.len() { is_part(part, whole) } else { part.says(whole) }
                })
        }
        (Value::Object(parts), Value::Object(wholes)) => {
            parts.len() <= wholes.len()
                && parts.iter().zip(wholes).enumerate().all(|(index, ((key, part), (whole_key, whole)))| {
                    key == whole_key && if index + 1 == parts.len() { is_part(part, whole) } else { part.says(whole) }
                })
        }
        (Value::Number(part), Value::Number(whole)) => whole.starts_with(part.as_str()),
        _ => part.says(whole),
    }
}

/// Whether `part` ends in the first half of a surrogate pair that `whole` holds: the half is what the text says.
fn is_cut_pair(part: &str, whole: &str) -> bool {
    let half = part.len().checked_sub(6).and_then(|start| part.split_at_checked(start));
    half.is_some_and(|(head, escape)| escape.starts_with("\\ud") && whole.starts_with(head))
}

#[cfg(test)]
mod tests {
    use jsonseam_testkit::value::Value;

    use super::is_part;

    #[test]
    fn a_part_ends_where_the_whole_goes_on() {
        let read = |text| Value::read(text).expect("it is valid");
        let whole = read("{\"a\": [1, \"xyz\"], \"b\": 123}");
        for part in ["{}", "{\"a\": []}", "{\"a\": [1]}", "{\"a\": [1, \"x\"]}", "{\"a\": [1, \"xyz\"], \"b\": 12}"] {
            assert!(is_part(&read(part), &whole), "{part}");
        }
        for other in
            ["{\"b\": 123}", "{\"a\": [1, \"xyz\"], \"b\": 13}", "{\"a\": [1, \"xyzz\"]}", "{\"a\": null}", "[]"]
        {
            assert!(!is_part(&read(other), &whole), "{other}");
        }
    }
}
