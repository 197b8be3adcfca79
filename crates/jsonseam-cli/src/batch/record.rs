//! One line in, one line out.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonseam::{Adapter, ContractError, FinishReason, ParseOptions, Pipeline, RepairOptions, Repaired, Status};
use serde::Serialize;

use super::members::{self, Parsed};
use super::tally::Tally;

/// The member that holds the record of the repair.
const MEMBER: &str = "jsonseam";

/// Why a line cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BadRecord {
    /// The line is not JSON.
    NotJson,
    /// The record has no such member.
    MissingField,
    /// The member is no string.
    NotAString,
    /// The string holds half a surrogate pair.
    NotUnicode,
    /// The line is longer than any record that could be repaired.
    TooLong,
}

impl BadRecord {
    /// The name in records.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::MissingField => "missing_field",
            Self::NotAString => "not_a_string",
            Self::NotUnicode => "not_unicode",
            Self::TooLong => "too_long",
        }
    }
}

#[derive(Serialize)]
struct Refusal<'a> {
    status: &'static str,
    error: RefusalError<'a>,
}

#[derive(Serialize)]
struct RefusalError<'a> {
    code: &'static str,
    reason: &'a str,
    line: u64,
}

/// Repairs one text and writes its record.
pub(super) trait Repairer {
    /// Writes the record of the repair of `text`, and counts it.
    fn write_record(&self, text: &str, out: &mut Vec<u8>, tally: &mut Tally) -> serde_json::Result<()>;
}

/// What the records are put to.
#[derive(Debug, Clone)]
pub(super) enum Means {
    /// The engine alone.
    Engine(Pipeline),
    /// A contract.
    Contract(Adapter),
}

/// The means as a repairer.
#[derive(Debug, Clone)]
pub(super) struct Work {
    /// What the records are put to.
    pub(super) means: Means,
    /// Why the model stopped, for every record.
    pub(super) finish_reason: Option<FinishReason>,
}

impl Repairer for Work {
    // Naming the rules that would have helped can cost more than the repair, and a batch has no reader for it.
    fn write_record(&self, text: &str, out: &mut Vec<u8>, tally: &mut Tally) -> serde_json::Result<()> {
        let finish_reason = self.finish_reason.clone();
        match &self.means {
            Means::Engine(pipeline) => {
                let options = RepairOptions { finish_reason, skips_mended_by: true, ..RepairOptions::default() };
                let result = pipeline.repair_with(text, &options);
                match &result {
                    Ok(repaired) => count(repaired, tally),
                    Err(error) => tally.count_refusal(error.reason().as_str()),
                }
                serde_json::to_writer(out, &jsonseam::Record::new(&result))
            }
            Means::Contract(adapter) => {
                let options = ParseOptions { finish_reason, skips_mended_by: true };
                match adapter.parse_with(text, &options) {
                    Ok(outputs) => {
                        count(outputs.repair(), tally);
                        serde_json::to_writer(out, &outputs.record())
                    }
                    Err(error) => {
                        count_failure(&error, tally);
                        serde_json::to_writer(out, &error.record())
                    }
                }
            }
        }
    }
}

fn count(repaired: &Repaired<'_>, tally: &mut Tally) {
    if repaired.status() == Status::Valid {
        tally.valid += 1;
    } else {
        tally.repaired += 1;
        repaired.edits().for_each(|seam| tally.count_edit(seam.rule));
    }
}

/// A text that the engine refused is refused; one that only the contract refused keeps its status.
fn count_failure(error: &ContractError, tally: &mut Tally) {
    if let Some(refusal) = error.decode() {
        tally.count_refusal(refusal.reason().as_str());
    } else {
        if let Some(partial) = error.partial() {
            count(partial.repair(), tally);
        }
        tally.count_unmet(error.reason());
    }
}

/// The repair of the lines of one file.
#[derive(Debug)]
pub(super) struct LineRepair<R> {
    /// What repairs.
    pub(super) repairer: R,
    /// The member that holds the text.
    pub(super) field: String,
}

impl<R: Repairer> LineRepair<R> {
    /// Writes the output line of one input line; `None` stands for a line that was too long to be held.
    pub(super) fn write_line(&self, line: Option<&[u8]>, number: u64, out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        let text = line.map(str::from_utf8);
        let parsed = match text {
            None => Err(BadRecord::TooLong),
            Some(Err(_)) => Err(BadRecord::NotJson),
            Some(Ok(text)) => match members::parse(text) {
                Parsed::Invalid => Err(BadRecord::NotJson),
                Parsed::Other => Err(BadRecord::MissingField),
                Parsed::Object(record) => Ok(record),
            },
        };
        let mut value = Vec::new();
        match parsed {
            Ok(record) => {
                match self.text_of(&record) {
                    Ok(text) => self.write_record(&text, number, &mut value, tally),
                    Err(bad) => write_bad(bad, number, &mut value, tally),
                }
                record.write_with(MEMBER, &value, out);
            }
            Err(bad) => {
                write_bad(bad, number, &mut value, tally);
                out.extend_from_slice(b"{\"jsonseam\":");
                out.extend_from_slice(&value);
                out.push(b'}');
            }
        }
        out.push(b'\n');
    }

    fn text_of<'a>(&self, record: &members::Record<'a>) -> Result<Cow<'a, str>, BadRecord> {
        let value = record.value(&self.field).ok_or(BadRecord::MissingField)?;
        if !value.starts_with('"') {
            return Err(BadRecord::NotAString);
        }
        match value.get(1..value.len() - 1) {
            Some(text) if !text.contains('\\') => Ok(Cow::Borrowed(text)),
            // The string is valid JSON, so only half a surrogate pair can be in the way.
            _ => serde_json::from_str(value).map(Cow::Owned).map_err(|_| BadRecord::NotUnicode),
        }
    }

    /// A panic in a rule costs its own record only.
    fn write_record(&self, text: &str, number: u64, value: &mut Vec<u8>, tally: &mut Tally) {
        let repair = || {
            let (mut value, mut counted) = (Vec::new(), Tally::default());
            self.repairer.write_record(text, &mut value, &mut counted).map(|()| (value, counted))
        };
        if let Ok(Ok((written, counted))) = catch_unwind(AssertUnwindSafe(repair)) {
            *value = written;
            tally.add(&counted);
        } else {
            tally.internal += 1;
            write_refusal("internal", "panic", number, value);
        }
    }
}

fn write_bad(bad: BadRecord, number: u64, value: &mut Vec<u8>, tally: &mut Tally) {
    tally.count_bad(bad);
    write_refusal("bad_record", bad.as_str(), number, value);
}

fn write_refusal(code: &'static str, reason: &str, line: u64, value: &mut Vec<u8>) {
    let refusal = Refusal { status: "refused", error: RefusalError { code, reason, line } };
    // Writing plain members to memory does not fail.
    let _ = serde_json::to_writer(value, &refusal);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics over one text, copies others.
    struct Poisoned;

    impl Repairer for Poisoned {
        fn write_record(&self, text: &str, out: &mut Vec<u8>, tally: &mut Tally) -> serde_json::Result<()> {
            out.extend_from_slice(b"half a rec");
            assert_ne!(text, "poison", "this rule is broken");
            out.clear();
            tally.valid += 1;
            serde_json::to_writer(out, text)
        }
    }

    fn written(lines: &[&str]) -> (String, Tally) {
        let repair = LineRepair { repairer: Poisoned, field: "completion".to_owned() };
        let (mut out, mut tally) = (Vec::new(), Tally::default());
        for (line, number) in lines.iter().zip(1..) {
            repair.write_line(Some(line.as_bytes()), number, &mut out, &mut tally);
        }
        (String::from_utf8(out).expect("it is text"), tally)
    }

    #[test]
    fn a_panic_costs_its_own_record_only() {
        let (out, tally) = written(&[r#"{"completion":"a"}"#, r#"{"completion":"poison"}"#, r#"{"completion":"b"}"#]);
        let expected = [
            r#"{"completion":"a","jsonseam":"a"}"#,
            r#"{"completion":"poison","jsonseam":{"status":"refused","error":{"code":"internal","reason":"panic","line":2}}}"#,
            r#"{"completion":"b","jsonseam":"b"}"#,
            "",
        ];
        assert_eq!(out, expected.join("\n"));
        assert_eq!((tally.valid, tally.internal, tally.lines), (2, 1, 3));
    }

    #[test]
    fn every_unusable_line_has_its_reason_and_keeps_what_members_it_has() {
        let bad = |reason: &str, line: u64| {
            format!(
                r#""jsonseam":{{"status":"refused","error":{{"code":"bad_record","reason":"{reason}","line":{line}}}}}}}"#
            )
        };
        let (out, tally) =
            written(&["nonsense", "[1]", r#"{"a":1}"#, r#"{"completion":null}"#, r#"{"completion":"\ud800"}"#]);
        let expected = [
            format!("{{{}", bad("not_json", 1)),
            format!("{{{}", bad("missing_field", 2)),
            format!(r#"{{"a":1,{}"#, bad("missing_field", 3)),
            format!(r#"{{"completion":null,{}"#, bad("not_a_string", 4)),
            format!(r#"{{"completion":"\ud800",{}"#, bad("not_unicode", 5)),
            String::new(),
        ];
        assert_eq!(out, expected.join("\n"));
        assert_eq!(tally.refusals(), 5);
    }

    #[test]
    fn escapes_in_the_field_are_read() {
        let (out, _) = written(&[r#"{"completion":"\u007b\"a\":1}"}"#]);
        assert!(out.ends_with("\"jsonseam\":\"{\\\"a\\\":1}\"}\n"), "{out}");
    }
}
