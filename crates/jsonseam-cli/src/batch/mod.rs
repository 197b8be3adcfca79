//! `jsonseam batch`: one field of every record of a JSON Lines file.
//!
//! A reader cuts the input into chunks of whole lines, workers repair them, a writer puts them back in order.
//! **Invariant:** what is in flight is bounded by [`budget::Budget`], whatever the file's length and however slow one line is.
//! **Invariant:** the bytes written do not depend on the number of workers.

mod advice;
mod bad;
mod budget;
mod digest;
mod earlier;
mod members;
mod message;
mod pick;
mod progress;
mod reader;
mod record;
mod shape;
mod sink;
mod spares;
mod tally;
mod tools;
mod work;
mod workers;
mod writer;

use std::sync::{Arc, mpsc};
use std::thread;

use anyhow::{Context, bail};

use crate::arguments::{BatchArguments, RecordMember};
use crate::calls::CallReader;
use crate::console;
use crate::counts::counted;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::files::{self, Left};
use crate::input::Source;
use crate::jobs;
use crate::signals::Interruption;
use advice::FirstRefused;
use budget::Budget;
use earlier::Earlier;
use message::Message;
use pick::Pick;
use progress::Progress;
use reader::{CHUNK, ChunkReader};
use sink::Sink;
use spares::Spares;
use tools::ToolsField;
use work::{Processor, Work};
use writer::{Ending, Outcome, Writer};

/// Escapes can make a string six times as long as the text it spells.
const LONGEST_SPELLING: usize = 6;

/// What a record may hold besides the completion.
const BESIDES: usize = 1 << 20;

/// Bytes of the largest buffers that are kept for input and for output; what a longer line takes is given back.
const LARGEST_INPUT: usize = 2 * CHUNK;
const LARGEST_OUTPUT: usize = workers::PER_BYTE * LARGEST_INPUT;

/// The buffers of all threads: a thread fills one that another has emptied.
#[derive(Debug)]
struct Buffers {
    /// Of lines that are read.
    input: Spares,
    /// Of lines that are written.
    output: Spares,
}

/// Repairs the records that the arguments name.
pub(crate) fn run(arguments: &BatchArguments) -> anyhow::Result<Exit> {
    // Of calls, the cap of risk is on the result and turns no rule off.
    let engine = if arguments.calls {
        Engine::from_flags(&arguments.engine.without_cap())?
    } else {
        Engine::from_flags(&arguments.engine)?
    };
    let pick = match arguments.shape {
        Some(shape) => Pick::Shape(shape),
        None if arguments.raw => Pick::Line,
        None => Pick::member(&arguments.field)?,
    };
    let mut texts = Vec::new();
    let work = work(arguments, &engine, &mut texts)?;
    let digest = digest::of(arguments, &engine, &texts);
    let tools = arguments.tools_field.as_deref().map(ToolsField::new).transpose()?;
    let source = arguments.input.as_deref().map_or(Source::Stdin, Source::of);
    let (input, _) = source.open()?;
    let (sink, left, earlier) = open_sink(arguments, &digest)?;
    let interruption = Interruption::watch()?;
    let jobs = jobs::count(arguments.jobs);
    let longest = engine.config.limits().max_input_bytes.saturating_mul(LONGEST_SPELLING).saturating_add(BESIDES);

    // Two chunks for each worker keep all busy; a longer line passes alone.
    let in_flight = 2 * (jobs + 1);
    let budget = Arc::new(Budget::new(CHUNK * in_flight));
    let spares =
        Buffers { input: Spares::new(in_flight, LARGEST_INPUT), output: Spares::new(in_flight, LARGEST_OUTPUT) };
    let spares = Arc::new(spares);
    let (results, inbox) = mpsc::sync_channel(jobs);
    let chunks = workers::start(jobs, &work, &pick, tools.as_ref(), &results, &spares)?;
    let mut reader = ChunkReader::new(input, longest, Arc::clone(&spares));
    // The last line is repaired again: it must come out as it is written.
    if let Some(lines) = earlier {
        reader.skip(left.lines, Earlier::new(lines, pick.clone()));
    }
    start_reader(reader, source.clone(), Arc::clone(&budget), chunks, results)?;

    let total = source.path().and_then(|path| std::fs::metadata(path).ok()).filter(std::fs::Metadata::is_file);
    let part = arguments.output.as_deref().and_then(|output| files::part_of(output).ok());
    let replaces_input = matches!((source.path(), &arguments.output), (Some(input), Some(output)) if files::lead_to_same_file(input, output));
    let outcome = Writer::new(
        sink,
        &budget,
        &spares.output,
        &interruption,
        &work.first_refused,
        Progress::new(total.map(|total| total.len())),
    )
    .ending(Ending { part: part.as_deref(), digest: &digest, replaces_input })
    .after((left.lines > 0).then_some(left.last))
    .write_all(&inbox)?;
    tell(&outcome, arguments, &pick, left.lines, &engine);
    // Threads that still wait for input end with the process.
    Ok(match outcome.signal {
        Some(signal) => Exit::Interrupted(signal),
        None if arguments.fail_on_refused && outcome.tally.failures() > 0 => Exit::Refused,
        None if outcome.tally.is_mostly_bad() => Exit::Refused,
        None => Exit::Done,
    })
}

fn work(arguments: &BatchArguments, engine: &Engine, texts: &mut Vec<String>) -> anyhow::Result<Work> {
    let calls = &arguments.call_flags;
    if !arguments.calls && calls.is_given() {
        bail!("--tools, --format, --within-thoughts, --bare and --check need --calls");
    }
    if arguments.calls && arguments.contract.is_given() {
        bail!("--calls reads tool calls; a contract does not apply");
    }
    let processor = if arguments.calls {
        Processor::Calls(CallReader::new(calls, &arguments.engine, engine)?)
    } else if arguments.contract.is_given() {
        Processor::Contract(arguments.contract.adapter_of(&engine.config, texts)??)
    } else {
        Processor::Engine(engine.pipeline.clone())
    };
    Ok(Work {
        processor,
        finish_reason: engine.finish_reason.clone(),
        first_refused: Arc::new(FirstRefused::new()),
        only: arguments.only.map(RecordMember::as_str),
        fields: arguments.fields.iter().chain(&arguments.only).map(|member| member.as_str()).collect(),
    })
}

/// The output, what an earlier run has left of it, and its lines.
fn open_sink(
    arguments: &BatchArguments,
    digest: &str,
) -> anyhow::Result<(Sink, Left, Option<std::io::BufReader<std::fs::File>>)> {
    let output = arguments.output.as_deref();
    if let Some(path) = output.filter(|_| arguments.resume) {
        let (sink, left, lines) = Sink::resume(path, digest)?;
        if left.lines > 0 && !console::is_quiet() {
            console::note(format_args!("going on after {}", counted(left.lines, "line")));
        }
        return Ok((sink, left, Some(lines)));
    }
    if let Some(part) = output.and_then(|path| files::part_of(path).ok()).filter(|part| part.exists()) {
        console::warn(format_args!("{} is left from an interrupted run; --resume continues it", files::shown(&part)));
    }
    Ok((Sink::open(output)?, Left::default(), None))
}

fn tell(outcome: &Outcome, arguments: &BatchArguments, pick: &Pick, earlier: u64, engine: &Engine) {
    let part = arguments.output.as_deref().and_then(|output| files::part_of(output).ok());
    if outcome.signal.is_some() {
        let lines = counted(outcome.tally.lines + outcome.uncounted + earlier, "record");
        match (part, outcome.has_part || earlier > 0) {
            (Some(part), true) => console::note(format_args!(
                "interrupted after {lines}: nothing is written to the output; {} keeps them, and --resume continues there",
                files::shown(&part)
            )),
            (Some(_), false) => console::note("interrupted: nothing is written"),
            (None, _) => console::note(format_args!("interrupted after {lines}; what is written ends on a line")),
        }
    }
    if !outcome.is_closed && (!console::is_quiet() || outcome.tally.is_mostly_bad()) {
        outcome.tally.tell(&pick.described(), arguments.statistics || console::is_verbose(), engine);
    }
}

fn start_reader(
    mut reader: ChunkReader<Box<dyn std::io::Read + Send>>,
    source: Source,
    budget: Arc<Budget>,
    chunks: mpsc::SyncSender<reader::Chunk>,
    results: mpsc::SyncSender<Message>,
) -> anyhow::Result<()> {
    let read = move || {
        let end = loop {
            match reader.next_chunk() {
                Ok(_) if reader.differs() => {
                    break Message::Failed(anyhow::anyhow!("{}: {}", source.name(), writer::OTHER_INPUT));
                }
                Ok(Some(chunk)) => {
                    budget.take(chunk.cost());
                    if chunks.send(chunk).is_err() {
                        return;
                    }
                }
                Ok(None) if reader.unskipped() > 0 => {
                    break Message::Failed(anyhow::anyhow!("{}: {}", source.name(), writer::OTHER_INPUT));
                }
                Ok(None) => break Message::End(reader.chunks()),
                Err(error) => {
                    break Message::Failed(anyhow::Error::new(error).context(source.cannot_read()));
                }
            }
        };
        // No one listens when the writer has given up.
        let _ = results.send(end);
    };
    thread::Builder::new().name("batch reader".to_owned()).spawn(read).context("cannot start a thread")?;
    Ok(())
}
