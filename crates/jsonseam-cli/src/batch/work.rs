//! What is done with the text of one record.

use std::sync::Arc;

use jsonseam::record::RecordOptions;
use jsonseam::toolcall::{CallRecord, CallRefusal, CallsRecord, EditRecord, PassedRecord, Tools};
use jsonseam::{Adapter, ContractError, FinishReason, ParseOptions, Pipeline, RepairOptions, Repaired, Risk, Status};
use serde::Serialize;
use serde_json::value::RawValue;

use super::advice::{FirstRefused, Refused};
use super::members;
use super::pick::Completion;
use super::record::Repairer;
use super::tally::Tally;
use crate::calls::CallReader;

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

/// The record of a text that was read for calls: the members of every record, and those that only calls have.
#[derive(Serialize)]
struct TextRecord<'c> {
    version: u32,
    status: &'static str,
    payload: (),
    text: (),
    value: (),
    edits: &'c [EditRecord],
    risk: Option<Risk>,
    truncated: bool,
    incomplete: [(); 0],
    gap: (),
    further: [(); 0],
    calls: Option<&'c [CallRecord]>,
    content: Option<&'c RawValue>,
    thoughts: Option<&'c str>,
    format: Option<&'c str>,
    passed_over: &'c [PassedRecord],
    error: Option<&'c CallRefusal>,
}

impl<'c> TextRecord<'c> {
    fn new(read: &'c Result<CallsRecord, CallRefusal>) -> Self {
        let (calls, error) = (read.as_ref().ok(), read.as_ref().err());
        let edits = read.as_ref().map_or_else(|error| &error.edits, |calls| &calls.edits);
        Self {
            version: jsonseam::record::RECORD_VERSION,
            status: match error {
                Some(_) => "refused",
                None if edits.is_empty() => "valid",
                None => "repaired",
            },
            payload: (),
            text: (),
            value: (),
            edits,
            risk: calls.and_then(|read| read.risk),
            truncated: error.is_some_and(|error| error.reason == "truncated"),
            incomplete: [],
            gap: (),
            further: [],
            calls: calls.map(|read| &*read.calls),
            content: calls.and_then(|read| read.content.as_deref()),
            thoughts: calls.and_then(|read| read.thoughts.as_deref()),
            format: calls.and_then(|read| read.format.as_deref()),
            passed_over: calls.map_or(&[], |read| &read.passed_over),
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
    /// Which of the refused texts are kept to be looked at.
    pub(super) first_refused: Arc<FirstRefused>,
    /// The members of the record of each repair that are wanted; none: all.
    pub(super) fields: Vec<&'static str>,
    /// The member that is all of its line.
    pub(super) only: Option<&'static str>,
}

impl Work {
    /// Why the model stopped: what its record says, else what the flags say.
    fn finish_reason_of(&self, completion: &Completion<'_>) -> Option<FinishReason> {
        completion.finish_reason.clone().or_else(|| self.finish_reason.clone())
    }

    fn write_repair(
        &self,
        pipeline: &Pipeline,
        completion: &Completion<'_>,
        room: &mut String,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let text = &*completion.text;
        let options = RepairOptions::new().with_finish_reason(self.finish_reason_of(completion));
        let result = pipeline.repair_into(text, &options, room);
        let valid = result.as_ref().ok().filter(|repaired| repaired.status() == Status::Valid);
        let spelling = valid.and_then(|valid| completion.spelling_of(valid.payload()));
        let refused = result.as_ref().err().and_then(|_| self.first_refused.keep(text));
        let options = RecordOptions::new().with_members(&self.fields).with_spelling(spelling);
        jsonseam::Record::new(&result).write_json(&options, out)?;
        match &result {
            Ok(repaired) => count(repaired, tally),
            Err(error) => count_refusal(error.reason().as_str(), refused, tally),
        }
        Ok(())
    }

    /// Writes what a contract makes of a text, or which calls it holds: all members of the record.
    fn write_reading(
        &self,
        completion: &Completion<'_>,
        tools: Option<&Tools>,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let text = &*completion.text;
        match &self.processor {
            Processor::Calls(reader) => {
                let read = reader.read(text, tools, completion.finish_reason.as_ref())?;
                serde_json::to_writer(out, &TextRecord::new(&read))?;
                match &read {
                    Ok(read) if read.edits.is_empty() => tally.valid += 1,
                    Ok(read) => {
                        tally.repaired += 1;
                        tally.count_edits(read.edits.iter().map(|edit| &*edit.rule));
                    }
                    Err(error) => tally.count_refusal(error.reason),
                }
            }
            Processor::Contract(adapter) => {
                let finish_reason = self.finish_reason_of(completion);
                let options = ParseOptions::new().with_finish_reason(finish_reason);
                match adapter.parse_with(text, &options) {
                    Ok(outputs) => {
                        serde_json::to_writer(out, &outputs.record())?;
                        count(outputs.repair(), tally);
                    }
                    Err(error) => {
                        let refused = error.decode().and_then(|_| self.first_refused.keep(text));
                        serde_json::to_writer(out, &error.record())?;
                        count_failure(&error, refused, tally);
                    }
                }
            }
            Processor::Engine(_) => {}
        }
        Ok(())
    }
}

impl Repairer for Work {
    fn write_record(
        &self,
        completion: &Completion<'_>,
        tools: Option<&Tools>,
        room: &mut String,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        if let Processor::Engine(pipeline) = &self.processor {
            return self.write_repair(pipeline, completion, room, out, tally);
        }
        if self.fields.is_empty() {
            return self.write_reading(completion, tools, out, tally);
        }
        let mut whole = Vec::new();
        let mut counted = Tally::default();
        self.write_reading(completion, tools, &mut whole, &mut counted)?;
        let whole = str::from_utf8(&whole).unwrap_or("{}");
        out.extend_from_slice(&members::of_valid(whole).with_only(&self.fields));
        tally.add(&counted);
        Ok(())
    }
}

fn count(repaired: &Repaired<'_>, tally: &mut Tally) {
    tally.further += u64::from(!repaired.further().is_empty());
    tally.truncated += u64::from(repaired.is_truncated());
    if repaired.status() == Status::Valid {
        tally.valid += 1;
    } else {
        tally.repaired += 1;
        tally.count_edits(repaired.edits().map(|edit| edit.rule));
    }
}

/// A text that the engine refused is refused; one that only the contract refused keeps its status.
fn count_failure(error: &ContractError, refused: Option<Refused>, tally: &mut Tally) {
    if let Some(refusal) = error.decode() {
        count_refusal(refusal.reason().as_str(), refused, tally);
    } else {
        if let Some(partial) = error.partial() {
            count(partial.repair(), tally);
        }
        tally.count_unmet(error.reason().as_str());
    }
}

fn count_refusal(reason: &'static str, refused: Option<Refused>, tally: &mut Tally) {
    tally.count_refusal(reason);
    tally.keep(refused);
}
