//! The texts of the scoreboard, with what each one means.

use std::path::Path;

use anyhow::{Context, Result, bail};
use jsonseam_testkit::damage::{Defect, damage_each_with};
use jsonseam_testkit::hostile::families;
use jsonseam_testkit::value::Value;
use jsonseam_text::named;

use crate::corpus::external;
use crate::peers::lines_of;
use crate::workspace::Workspace;

/// The seed of the damaged documents: no other task has it.
const SEED: u64 = 2_026;

/// Undamaged documents that are put to everyone.
const DOCUMENTS_KEPT: usize = 1_000;

/// The size of each hostile text, in bytes.
const HOSTILE_BYTES: usize = 4 << 10;

/// Answers of models that hold no JSON, one a line.
const PROSE: &str = "bench/prose.txt";

named! {
    /// Where texts come from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Group as "a group of texts" {
        /// Documents damaged in known ways.
        Damaged = "damaged",
        /// Documents whose end is missing, and cut answers of models.
        Cut = "cut off",
        /// Small texts after public bug reports about repairers.
        Bugs = "bug reports",
        /// Answers of models that fail to parse.
        Real = "real output",
        /// Valid answers of models.
        Valid = "valid",
        /// Valid documents with all that JSON allows and decoders stumble over.
        Awkward = "valid, awkward",
        /// Prose without any JSON.
        Prose = "no JSON",
        /// Texts made to be slow or deep.
        Hostile = "hostile",
    }
}

/// What a text should become.
#[derive(Debug)]
pub(super) enum Want {
    /// One of these values.
    Values(Vec<Value>),
    /// An error; or one of these values, which are defensible.
    Refusal(Vec<Value>),
    /// Anything: it only has to come back.
    ReturnFrom,
}

/// A text to be answered.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) group: Group,
    /// The leading kind of damage, of a damaged document.
    pub(super) kind: Option<Defect>,
    pub(super) content: String,
    pub(super) want: Want,
}

impl Text {
    fn new(group: Group, content: String, want: Want) -> Self {
        Self { group, kind: None, content, want }
    }
}

/// Every text there is.
pub(super) fn all(workspace: &Workspace, documents: usize) -> Result<Vec<Text>> {
    let Some(data) = std::env::var_os("JSONSEAM_DATA") else {
        bail!("JSONSEAM_DATA names the folder with `bugs` and `realworld`; it is not set");
    };
    let data = Path::new(&data);
    let mut texts = Vec::new();
    damaged(documents, &mut texts)?;
    real(&data.join("realworld"), &mut texts)?;
    for line in external::read_lines(&data.join("bugs/bugs.jsonl"))? {
        texts.push(bug(&line)?);
    }
    for content in lines_of(&workspace.path(PROSE))? {
        texts.push(Text::new(Group::Prose, content, Want::Refusal(Vec::new())));
    }
    for family in families() {
        texts.push(Text::new(Group::Hostile, (family.make)(HOSTILE_BYTES), Want::ReturnFrom));
    }
    Ok(texts)
}

/// Documents damaged in known ways.
///
/// Of the damaged ones only those count whose truth an ordinary decoder can hold: half a surrogate pair or a number beyond `f64` is no matter of repair.
fn damaged(documents: usize, texts: &mut Vec<Text>) -> Result<()> {
    let (mut seen, mut kept) = (std::collections::BTreeSet::new(), 0);
    for sample in damage_each_with(SEED, Defect::ALL, &Defect::STANDARD, 1..=3, documents) {
        let truth = Value::read(&sample.truth).context("the truth is not JSON")?;
        if kept < DOCUMENTS_KEPT && seen.insert(sample.truth.clone()) {
            kept += 1;
            texts.push(Text::new(Group::Awkward, sample.truth.clone(), Want::Values(vec![truth.clone()])));
        }
        if serde_json::from_str::<serde_json::Value>(&sample.truth).is_err() {
            continue;
        }
        let group = if sample.truncated { Group::Cut } else { Group::Damaged };
        let want = Want::Values(vec![truth]);
        texts.push(Text { group, kind: sample.defects.first().copied(), content: sample.text, want });
    }
    Ok(())
}

/// Of answers of models those that a careful reader can decide.
fn real(folder: &Path, texts: &mut Vec<Text>) -> Result<()> {
    for case in external::read_cases(&folder.join("cases.jsonl"))? {
        if let Some((wanted, is_cut)) = case.wanted() {
            let group = if is_cut { Group::Cut } else { Group::Real };
            texts.push(Text::new(group, case.text, Want::Values(wanted)));
        }
    }
    for text in external::read_valid(&folder.join("valid.jsonl"))? {
        let value = Value::read(&text).context("a text that should be valid is not")?;
        texts.push(Text::new(Group::Valid, text, Want::Values(vec![value])));
    }
    Ok(())
}

/// A text after a report, and what it should become.
fn bug(line: &Value) -> Result<Text> {
    let content = line.get("input").and_then(Value::text).context("a report has no `input`")?;
    let expected = line.get("expect").context("a report has no `expect`")?;
    let also = expected.get("also").map(Value::elements).unwrap_or_default().iter();
    // Where a value and a refusal are both admitted, the word takes the place of a value.
    let is_word = |value: &&Value| value.text().is_some_and(|text| text == "refused");
    let status = expected.get("status").and_then(Value::text).unwrap_or_default();
    let may_refuse = status == "refused" || also.clone().any(|value| is_word(&value));
    let value = expected.get("value").into_iter().filter(|_| status != "refused");
    let values: Vec<Value> = value.chain(also).filter(|value| !is_word(value)).cloned().collect();
    let want = if may_refuse { Want::Refusal(values) } else { Want::Values(values) };
    Ok(Text::new(Group::Bugs, content, want))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_is_admitted() {
        let bug = |text: &str| bug(&Value::read(text).expect("it is JSON")).expect("it is a report").want;
        let one =
            bug("{\"input\": \"x\", \"expect\": {\"status\": \"repaired\", \"value\": {\"a\": 1}, \"also\": [[1]]}}");
        assert!(matches!(one, Want::Values(values) if values.len() == 2));
        let none =
            bug("{\"input\": \"x\", \"expect\": {\"status\": \"refused\", \"value\": \"refused\", \"also\": [[1]]}}");
        assert!(matches!(none, Want::Refusal(values) if values.len() == 1));
        let both =
            bug("{\"input\": \"x\", \"expect\": {\"status\": \"repaired\", \"value\": [2], \"also\": [\"refused\"]}}");
        assert!(matches!(both, Want::Refusal(values) if values.len() == 1));
    }
}
