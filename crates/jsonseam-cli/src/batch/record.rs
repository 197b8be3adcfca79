//! One line in, one line out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jsonseam::toolcall::Tools;
use jsonseam::{
    Adapter, ContractError, Error, ErrorCode, FinishReason, ParseOptions, Pipeline, RepairOptions, Repaired, Status,
};
use serde::Serialize;

use super::advice::Adviser;
use super::bad::BadRecord;
use super::members::{self, Parsed};
use super::pick::{self, Pick};
use super::tally::Tally;
use super::tools::ToolsField;
use crate::calls::{CallReader, Calls, Refusal as CallRefusal};

/// The member that holds the record of the repair.
const MEMBER: &str = "jsonseam";

#[derive(Serialize)]
struct Refusal<'a> {
    status: &'static str,
    error: RefusalError<'a>,
}

#[derive(Serialize)]
struct RefusalError<'a> {
    code: ErrorCode,
    reason: &'a str,
    line: u64,
}

/// Repairs one text and writes its record.
pub(super) trait Repairer {
    /// Writes the record of `text`, and counts it. `tools` are those that its record offers.
    fn write_record(
        &self,
        text: &str,
        tools: Option<&Tools>,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()>;
}

/// What the records are put to.
#[derive(Debug, Clone)]
pub(super) enum Processor {
    /// The engine alone.
    Engine(Pipeline),
    /// A contract.
    Contract(Adapter),
    /// What reads tool calls.
    Calls(CallReader),
}

/// The record of a text that was read for calls: the members of every record, and three more.
#[derive(Serialize)]
struct CallRecord<'c> {
    version: u32,
    status: &'static str,
    payload: (),
    text: (),
    value: (),
    edits: [(); 0],
    risk: (),
    truncated: bool,
    incomplete: [(); 0],
    gap: (),
    further: [(); 0],
    calls: Option<&'c serde_json::value::RawValue>,
    content: Option<&'c serde_json::value::RawValue>,
    format: Option<&'c str>,
    error: Option<&'c CallRefusal>,
}

impl<'c> CallRecord<'c> {
    fn new(read: &'c Result<Calls, CallRefusal>) -> Self {
        let (calls, error) = (read.as_ref().ok(), read.as_ref().err());
        Self {
            version: jsonseam::record::RECORD_VERSION,
            status: if error.is_some() { "refused" } else { "valid" },
            payload: (),
            text: (),
            value: (),
            edits: [],
            risk: (),
            truncated: error.is_some_and(|error| error.reason == "truncated"),
            incomplete: [],
            gap: (),
            further: [],
            calls: calls.map(|read| &*read.list),
            content: calls.and_then(|read| read.content.as_deref()),
            format: calls.and_then(|read| read.format.as_deref()),
            error,
        }
    }
}

/// The processor as a repairer.
#[derive(Debug, Clone)]
pub(super) struct Work {
    /// What the records are put to.
    pub(super) processor: Processor,
    /// Why the model stopped, for every record.
    pub(super) finish_reason: Option<FinishReason>,
    /// What would have repaired what was refused.
    pub(super) adviser: Arc<Adviser>,
    /// The members of the record of each repair that are wanted; none: all.
    pub(super) fields: Vec<&'static str>,
}

impl Work {
    // Naming the rules that would have helped can cost more than the repair, and a batch has no reader for it.
    fn write_whole(
        &self,
        text: &str,
        tools: Option<&Tools>,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let finish_reason = self.finish_reason.clone();
        match &self.processor {
            Processor::Calls(reader) => {
                let read = reader.read(text, tools)?;
                match &read {
                    Ok(_) => tally.valid += 1,
                    Err(error) => tally.count_refusal(error.reason),
                }
                serde_json::to_writer(out, &CallRecord::new(&read))?;
            }
            Processor::Engine(pipeline) => {
                let options = RepairOptions::new().with_finish_reason(finish_reason).with_mended_by(false);
                let result = pipeline.repair_with(text, &options);
                match &result {
                    Ok(repaired) => count(repaired, tally),
                    Err(error) => self.count_refusal(error, text, tally),
                }
                serde_json::to_writer(out, &jsonseam::Record::new(&result))?;
            }
            Processor::Contract(adapter) => {
                let options = ParseOptions::new().with_finish_reason(finish_reason).with_mended_by(false);
                match adapter.parse_with(text, &options) {
                    Ok(outputs) => {
                        count(outputs.repair(), tally);
                        serde_json::to_writer(out, &outputs.record())?;
                    }
                    Err(error) => {
                        self.count_failure(&error, text, tally);
                        serde_json::to_writer(out, &error.record())?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Repairer for Work {
    fn write_record(
        &self,
        text: &str,
        tools: Option<&Tools>,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        if self.fields.is_empty() {
            return self.write_whole(text, tools, out, tally);
        }
        let mut whole = Vec::new();
        self.write_whole(text, tools, &mut whole, tally)?;
        let whole = str::from_utf8(&whole).unwrap_or("{}");
        out.extend_from_slice(&members::of_valid(whole).with_only(&self.fields));
        Ok(())
    }
}

fn count(repaired: &Repaired<'_>, tally: &mut Tally) {
    tally.further += u64::from(!repaired.further().is_empty());
    if repaired.status() == Status::Valid {
        tally.valid += 1;
    } else {
        tally.repaired += 1;
        repaired.edits().for_each(|seam| tally.count_edit(seam.rule));
    }
}

impl Work {
    /// A text that the engine refused is refused; one that only the contract refused keeps its status.
    fn count_failure(&self, error: &ContractError, text: &str, tally: &mut Tally) {
        if let Some(refusal) = error.decode() {
            self.count_refusal(refusal, text, tally);
        } else {
            if let Some(partial) = error.partial() {
                count(partial.repair(), tally);
            }
            tally.count_unmet(error.reason());
        }
    }

    fn count_refusal(&self, error: &Error, text: &str, tally: &mut Tally) {
        tally.count_refusal(error.reason().as_str());
        tally.advice.extend(self.adviser.advice(text));
    }
}

/// The repair of the lines of one file.
#[derive(Debug)]
pub(super) struct LineRepair<R> {
    /// What repairs.
    pub(super) repairer: R,
    /// Where the text is.
    pub(super) pick: Pick,
    /// Where the offered tools are, if each record has its own.
    pub(super) tools: Option<ToolsField>,
}

impl<R: Repairer> LineRepair<R> {
    /// Writes the output line of one input line; `None` stands for a line that was too long to be held.
    pub(super) fn write_line(&self, line: Option<&[u8]>, number: u64, out: &mut Vec<u8>, tally: &mut Tally) {
        tally.lines += 1;
        let mut value = Vec::new();
        let text = line.map(str::from_utf8);
        let bad = match text {
            None => BadRecord::TooLong,
            Some(Err(_)) if self.pick == Pick::Line => BadRecord::NotUnicode,
            Some(Err(_)) => BadRecord::NotJson,
            Some(Ok(text)) if self.pick == Pick::Line => {
                self.write_record(text, None, number, &mut value, tally);
                write_raw(line, &value, out);
                return;
            }
            Some(Ok(text)) => match members::parse(text) {
                Parsed::Invalid => BadRecord::NotJson,
                Parsed::Other => BadRecord::MissingField,
                Parsed::Object(record) => {
                    self.write_object(&record, number, &mut value, tally);
                    record.write_with(MEMBER, &value, out);
                    out.push(b'\n');
                    return;
                }
            },
        };
        tally.note_first_bad(bad, number, line);
        write_bad(bad, number, &mut value, tally);
        write_raw(line, &value, out);
    }

    fn write_object(&self, record: &members::Record<'_>, number: u64, value: &mut Vec<u8>, tally: &mut Tally) {
        let text = match self.pick.text(record) {
            Ok(text) => text,
            Err(bad) => {
                tally.note_members(record.names(), pick::shape_of(record));
                return write_bad(bad, number, value, tally);
            }
        };
        match self.tools.as_ref().map(|field| field.tools(record)).transpose() {
            Ok(tools) => self.write_record(&text, tools.as_ref(), number, value, tally),
            Err(bad) => write_bad(bad, number, value, tally),
        }
    }

    /// A panic in a rule costs its own record only.
    fn write_record(&self, text: &str, tools: Option<&Tools>, number: u64, value: &mut Vec<u8>, tally: &mut Tally) {
        let repair = || {
            let (mut value, mut counted) = (Vec::new(), Tally::default());
            self.repairer.write_record(text, tools, &mut value, &mut counted).map(|()| (value, counted))
        };
        if let Ok(Ok((written, counted))) = catch_unwind(AssertUnwindSafe(repair)) {
            *value = written;
            tally.add(&counted);
        } else {
            tally.internal += 1;
            write_refusal(ErrorCode::Internal, "panic", number, value);
        }
    }
}

/// Writes a line that is not a record, with its text: nothing of the input is ever lost, unless it was too long to be held.
fn write_raw(line: Option<&[u8]>, value: &[u8], out: &mut Vec<u8>) {
    out.push(b'{');
    match line.map(|line| (line, str::from_utf8(line))) {
        None => {}
        Some((_, Ok(text))) => {
            out.extend_from_slice(b"\"raw\":");
            // Writing a string to memory does not fail.
            let _ = serde_json::to_writer(&mut *out, text);
            out.push(b',');
        }
        Some((bytes, Err(_))) => {
            out.extend_from_slice(b"\"raw_base64\":\"");
            out.extend_from_slice(BASE64_STANDARD.encode(bytes).as_bytes());
            out.extend_from_slice(b"\",");
        }
    }
    out.extend_from_slice(b"\"jsonseam\":");
    out.extend_from_slice(value);
    out.extend_from_slice(b"}\n");
}

fn write_bad(bad: BadRecord, number: u64, value: &mut Vec<u8>, tally: &mut Tally) {
    tally.count_bad(bad);
    write_refusal(ErrorCode::BadRecord, bad.as_str(), number, value);
}

fn write_refusal(code: ErrorCode, reason: &str, line: u64, value: &mut Vec<u8>) {
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
        fn write_record(
            &self,
            text: &str,
            _: Option<&Tools>,
            out: &mut Vec<u8>,
            tally: &mut Tally,
        ) -> anyhow::Result<()> {
            out.extend_from_slice(b"half a rec");
            assert_ne!(text, "poison", "this rule is broken");
            out.clear();
            tally.valid += 1;
            Ok(serde_json::to_writer(out, text)?)
        }
    }

    fn written(lines: &[&str]) -> (String, Tally) {
        let repair =
            LineRepair { repairer: Poisoned, pick: Pick::member("completion").expect("it is a name"), tools: None };
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
            format!(r#"{{"raw":"nonsense",{}"#, bad("not_json", 1)),
            format!(r#"{{"raw":"[1]",{}"#, bad("missing_field", 2)),
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
