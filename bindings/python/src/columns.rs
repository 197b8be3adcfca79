//! The repair of an Arrow column: buffers in, buffers out, a row at a time.
//!
//! A row never fails the column: what cannot be repaired is a row with the status `refused`.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use jsonseam::toolcall::{CallReader, CallRefusal, CallsRecord};
use jsonseam::{Adapter, ContractError, ErrorCode, Outputs, ParseOptions, Pipeline, Record, RepairOptions, Repaired};

use crate::engine::in_chunks;
use crate::results::{Columns, REFUSED, Row, Wanted, status_of};
use crate::rows::Checked;

/// Rows that a thread takes at a time.
const CHUNK: usize = 1024;

/// The reason of a row on which the library failed: no such row is known.
const FAILED: &str = "internal_error";

/// The reason of a row whose outputs are fine, and no values of the columns that they are wanted in.
const NOT_HELD: &str = "not_representable";

/// What is asked about each row.
#[derive(Clone, Copy)]
pub(crate) enum Source<'s> {
    Pipeline(&'s Pipeline),
    Contract(&'s Adapter),
    /// Its tool calls; where tools are known, the arguments of each have columns of their own.
    Calls {
        reader: &'s CallReader,
        by_tool: bool,
    },
}

/// Repairs every row, as `jsonseam batch` does.
pub(crate) fn repair_rows(source: Source<'_>, rows: &Checked<'_>, wanted: &Wanted, threads: usize) -> Columns {
    let size = if threads <= 1 { rows.len().max(1) } else { CHUNK };
    let empty = |range: &Range<usize>| Columns::with_capacity(range.len(), rows.bytes(range), wanted);
    let mut chunks = in_chunks(rows.len().div_ceil(size), threads, |index| {
        let start = index * size;
        let range = start..(start + size).min(rows.len());
        let mut columns = empty(&range);
        repair_range(source, rows, range, &mut columns);
        columns
    });
    if chunks.len() == 1
        && let Some(all) = chunks.pop()
    {
        return all;
    }
    let mut all = empty(&(0..rows.len()));
    for chunk in chunks {
        all.append(chunk);
    }
    all
}

fn repair_range(source: Source<'_>, rows: &Checked<'_>, range: Range<usize>, columns: &mut Columns) {
    // Room for the text of one row after the other.
    let mut room = String::new();
    for index in range {
        let Some(text) = rows.row(index) else {
            columns.push_null();
            continue;
        };
        // The work is done before anything is pushed, so a panic leaves the columns as they were.
        let pushed = match source {
            Source::Pipeline(pipeline) => {
                let options = RepairOptions::new();
                let result = caught(|| match std::str::from_utf8(text) {
                    Ok(text) => pipeline.repair_into(text, &options, &mut room),
                    Err(_) => pipeline.repair_bytes(text, &options),
                });
                result.map(|result| push_repair(columns, &result))
            }
            Source::Contract(adapter) => {
                caught(|| adapter.parse_bytes(text, &ParseOptions::new())).map(|result| match result {
                    Ok(outputs) => push_outputs(columns, &outputs),
                    Err(error) => push_unmet(columns, &error),
                })
            }
            Source::Calls { reader, by_tool } => {
                caught(|| read_calls(reader, text)).map(|result| push_calls(columns, result, by_tool))
            }
        };
        if pushed.is_err() {
            push_failure(columns);
        }
    }
}

/// A panic is an error here: it costs one row.
fn caught<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work))
}

fn push_repair(columns: &mut Columns, result: &Result<Repaired<'_>, jsonseam::Error>) {
    let (row, record) = match result {
        Ok(repaired) => (repaired_row(repaired), Record::from(repaired)),
        Err(error) => {
            let position = error.position().map(|position| position.offset);
            (refused_row(error.reason().as_str(), position), Record::from(error))
        }
    };
    columns.push(&row, Some(&record));
}

fn push_outputs(columns: &mut Columns, outputs: &Outputs) {
    let is_held = columns.push_typed(|column, left_out| {
        if column.is_struct() && !outputs.is_empty() {
            column.push_fields(outputs.iter(), left_out)
        } else {
            column.push(&mut crate::read::Reader::new(&outputs.to_json()), left_out)
        }
    });
    let row = Row { reason: (!is_held).then_some(NOT_HELD), ..repaired_row(outputs.repair()) };
    columns.push(&row, Some(&outputs.record()));
}

/// A row that the contract refused keeps the status of its repair.
fn push_unmet(columns: &mut Columns, error: &ContractError) {
    let position = error.position().map(|position| position.offset);
    let reason = Some(error.reason().as_str());
    let row = match error.partial() {
        Some(partial) if error.decode().is_none() => Row { reason, position, ..repaired_row(partial.repair()) },
        _ => refused_row(error.reason().as_str(), position),
    };
    columns.push(&row, error.record().as_ref());
}

/// The calls of a row; `None` for a defect of the library.
fn read_calls(reader: &CallReader, text: &[u8]) -> Option<Result<CallsRecord, CallRefusal>> {
    match std::str::from_utf8(text) {
        Ok(text) => reader.read(text, None, None).ok(),
        Err(error) => {
            let valid = std::str::from_utf8(text.get(..error.valid_up_to())?).ok()?;
            Some(Err(CallRefusal::at(valid.len(), valid, ErrorCode::OutputDecodeFailed, "invalid_utf8")))
        }
    }
}

fn push_calls(columns: &mut Columns, result: Option<Result<CallsRecord, CallRefusal>>, by_tool: bool) {
    match result {
        Some(Ok(record)) => {
            let json = crate::calls::as_list(&record, by_tool);
            let is_held = columns
                .push_typed(|column, left_out| column.push(&mut crate::read::Reader::new(json.as_deref()?), left_out));
            let rules = record.edits.iter().map(|edit| edit.rule.as_str()).collect();
            let row = Row {
                status: status_of(record.edits.len()),
                risk: record.risk,
                edits: record.edits.len(),
                rules,
                reason: (!is_held).then_some(NOT_HELD),
                ..Row::default()
            };
            columns.push(&row, Some(&record));
        }
        Some(Err(refusal)) => columns.push(&refused_row(refusal.reason, Some(refusal.offset)), Some(&refusal)),
        None => push_failure(columns),
    }
}

fn push_failure(columns: &mut Columns) {
    columns.push(&refused_row(FAILED, None), None::<&()>);
}

fn refused_row(reason: &str, position: Option<usize>) -> Row<'_> {
    let is_truncated = reason == "truncated";
    Row { status: REFUSED, is_truncated, reason: Some(reason), position, ..Row::default() }
}

fn repaired_row<'r>(repaired: &'r Repaired<'_>) -> Row<'r> {
    let edits = repaired.edits().len();
    Row {
        value: Some(repaired.text()),
        status: status_of(edits),
        risk: repaired.risk(),
        is_truncated: repaired.is_truncated(),
        edits,
        rules: repaired.edits().map(|edit| edit.rule).collect(),
        ..Row::default()
    }
}
