//! One line in, one line out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jsonseam::ErrorCode;
use jsonseam::toolcall::Tools;
use jsonseam_text::{Decoded, push_string};
use serde::Serialize;

use super::bad::BadRecord;
use super::members::{self, Parsed};
use super::pick::{Completion, Pick};
use super::shape::shape_of;
use super::tally::Tally;
use super::tools::ToolsField;

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
    /// Writes the record of `completion`, and counts it at the end, when nothing can fail any more. `tools` are those that its record offers;
    /// `room` is for the text of the repair.
    fn write_record(
        &self,
        completion: &Completion<'_>,
        tools: Option<&Tools>,
        room: &mut String,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()>;
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
    /// The member of the record of each repair that is all of its line.
    pub(super) only: Option<&'static str>,
}

/// Room that a worker uses again for each line.
#[derive(Default)]
pub(super) struct Room {
    members: members::Room,
    decoded: Decoded,
    spelled: Vec<u8>,
    repaired: String,
}

impl<R: Repairer> LineRepair<R> {
    /// Writes the output line of one input line; `None` stands for a line that was too long to be held.
    pub(super) fn write_line(
        &self,
        line: Option<&[u8]>,
        number: u64,
        room: &mut Room,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        let Some(only) = self.only else { return self.write_whole_line(line, number, room, out, tally) };
        let mut whole = Vec::new();
        self.write_whole_line(line, number, room, &mut whole, tally);
        let record = str::from_utf8(&whole).ok().and_then(|line| members::of_valid(line.trim_end()).value(MEMBER));
        let value = record.and_then(|record| members::of_valid(record).value(only));
        out.extend_from_slice(value.unwrap_or("null").as_bytes());
        out.push(b'\n');
    }

    fn write_whole_line(
        &self,
        line: Option<&[u8]>,
        number: u64,
        room: &mut Room,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        tally.lines += 1;
        let bad = match line.map(str::from_utf8) {
            None => BadRecord::TooLong,
            Some(Err(_)) if self.pick == Pick::Line => BadRecord::NotUnicode,
            Some(Err(_)) => BadRecord::NotJson,
            Some(Ok(text)) if self.pick == Pick::Line => return self.write_raw_line(text, number, room, out, tally),
            Some(Ok(text)) => {
                let Room { members, decoded, repaired, .. } = room;
                match members::parse(text, self.pick.wanted(), members, decoded) {
                    Parsed::Invalid => BadRecord::NotJson,
                    Parsed::Other => BadRecord::MissingField,
                    Parsed::Object(record) => {
                        record.write_up_to(MEMBER, out);
                        self.write_object(&record, number, decoded, repaired, out, tally);
                        out.extend_from_slice(b"}\n");
                        return;
                    }
                }
            }
        };
        tally.note_first_bad(bad, number, line);
        write_raw(line, out);
        write_bad(bad, number, out, tally);
        out.extend_from_slice(b"}\n");
    }

    fn write_raw_line(&self, text: &str, number: u64, room: &mut Room, out: &mut Vec<u8>, tally: &mut Tally) {
        room.spelled.clear();
        push_string(text, &mut room.spelled);
        out.extend_from_slice(b"{\"raw\":");
        out.extend_from_slice(&room.spelled);
        out.extend_from_slice(b",\"jsonseam\":");
        let spelling = str::from_utf8(&room.spelled).ok();
        let completion = Completion { text: text.into(), spelling, finish_reason: None };
        self.write_record(&completion, None, number, &mut room.repaired, out, tally);
        out.extend_from_slice(b"}\n");
    }

    fn write_object(
        &self,
        record: &members::Record<'_>,
        number: u64,
        decoded: &mut Decoded,
        room: &mut String,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        let completion = match self.pick.text(record, decoded) {
            Ok(completion) => completion,
            Err(bad) => {
                if !bad.is_without_answer() {
                    tally.note_members(record.names(), shape_of(record));
                }
                return write_bad(bad, number, out, tally);
            }
        };
        match self.tools.as_ref().map(|field| field.tools(record)).transpose() {
            Ok(tools) => self.write_record(&completion, tools.as_ref(), number, room, out, tally),
            Err(bad) => write_bad(bad, number, out, tally),
        }
    }

    /// A panic in a rule costs its own record only.
    fn write_record(
        &self,
        completion: &Completion<'_>,
        tools: Option<&Tools>,
        number: u64,
        room: &mut String,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        let start = out.len();
        let repair = || self.repairer.write_record(completion, tools, room, out, tally);
        if !matches!(catch_unwind(AssertUnwindSafe(repair)), Ok(Ok(()))) {
            out.truncate(start);
            tally.internal += 1;
            write_refusal(ErrorCode::Internal, "panic", number, out);
        }
    }
}

/// Writes what the output line of an input line begins with: all that is not the result.
pub(super) fn write_head(
    line: Option<&[u8]>,
    pick: &Pick,
    room: &mut members::Room,
    decoded: &mut Decoded,
    out: &mut Vec<u8>,
) {
    if let (false, Some(Ok(text))) = (*pick == Pick::Line, line.map(str::from_utf8))
        && let Parsed::Object(record) = members::parse(text, pick.wanted(), room, decoded)
    {
        return record.write_up_to(MEMBER, out);
    }
    write_raw(line, out);
}

/// Begins the line of one that is not a record, with its text: nothing of the input is ever lost, unless it was too long to be held.
fn write_raw(line: Option<&[u8]>, out: &mut Vec<u8>) {
    out.push(b'{');
    match line.map(|line| (line, str::from_utf8(line))) {
        None => {}
        Some((_, Ok(text))) => {
            out.extend_from_slice(b"\"raw\":");
            push_string(text, out);
            out.push(b',');
        }
        Some((bytes, Err(_))) => {
            out.extend_from_slice(b"\"raw_base64\":\"");
            out.extend_from_slice(BASE64_STANDARD.encode(bytes).as_bytes());
            out.extend_from_slice(b"\",");
        }
    }
    out.extend_from_slice(b"\"jsonseam\":");
}

fn write_bad(bad: BadRecord, number: u64, out: &mut Vec<u8>, tally: &mut Tally) {
    tally.count_bad(bad);
    write_refusal(ErrorCode::BadRecord, bad.as_str(), number, out);
}

fn write_refusal(code: ErrorCode, reason: &str, line: u64, out: &mut Vec<u8>) {
    let refusal = Refusal { status: "refused", error: RefusalError { code, reason, line } };
    // Writing plain members to memory does not fail.
    let _ = serde_json::to_writer(out, &refusal);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics over one text, copies others.
    struct Poisoned;

    impl Repairer for Poisoned {
        fn write_record(
            &self,
            completion: &Completion<'_>,
            _: Option<&Tools>,
            _: &mut String,
            out: &mut Vec<u8>,
            tally: &mut Tally,
        ) -> anyhow::Result<()> {
            let start = out.len();
            out.extend_from_slice(b"half a rec");
            assert_ne!(completion.text, "poison", "this rule is broken");
            out.truncate(start);
            serde_json::to_writer(out, &*completion.text)?;
            tally.valid += 1;
            Ok(())
        }
    }

    fn written(lines: &[&str]) -> (String, Tally) {
        let repair = LineRepair {
            repairer: Poisoned,
            pick: Pick::member("completion").expect("it is a name"),
            tools: None,
            only: None,
        };
        let (mut room, mut out, mut tally) = (Room::default(), Vec::new(), Tally::default());
        for (line, number) in lines.iter().zip(1..) {
            repair.write_line(Some(line.as_bytes()), number, &mut room, &mut out, &mut tally);
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
