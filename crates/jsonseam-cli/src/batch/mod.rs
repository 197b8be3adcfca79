//! `jsonseam batch`: one field of every record of a JSON Lines file.
//!
//! A reader cuts the input into chunks of whole lines, workers repair them, a writer puts them back in order.
//! **Invariant:** what is in flight is bounded by [`budget::Budget`], whatever the file's length and however slow one line is.
//! **Invariant:** the bytes written do not depend on the number of workers.

mod budget;
mod members;
mod reader;
mod record;
mod sink;
mod tally;
mod workers;
mod writer;

use std::sync::{Arc, mpsc};
use std::thread;

use anyhow::Context;

use crate::arguments::BatchArguments;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input::Source;
use crate::signals::Interruption;
use budget::Budget;
use reader::ChunkReader;
use record::{Means, Work};
use sink::Sink;

/// The name of the worker threads.
pub(crate) const WORKER: &str = "batch worker";

/// Bytes of whole lines that make a chunk.
const CHUNK: usize = 256 << 10;

/// More threads than this only take memory.
const MOST_JOBS: usize = 256;

/// Escapes can make a string six times as long as the text it spells.
const LONGEST_SPELLING: usize = 6;

/// What a record may hold besides the completion.
const BESIDES: usize = 1 << 20;

/// What the reader and the workers tell the writer.
#[derive(Debug)]
enum Message {
    /// A chunk is done.
    Finished(workers::Finished),
    /// All chunks have been read; there are so many.
    End(u64),
    /// Reading failed.
    Failed(anyhow::Error),
}

/// Repairs the records that the arguments name.
pub(crate) fn run(arguments: &BatchArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let means = if arguments.contract.is_given() {
        Means::Contract(arguments.contract.adapter(&engine.config)??)
    } else {
        Means::Engine(engine.pipeline.clone())
    };
    let work = Work { means, finish_reason: engine.finish_reason.clone() };
    let source = arguments.input.as_deref().map_or(Source::Stdin, Source::of);
    let (input, _) = source.open()?;
    let sink = Sink::open(arguments.output.as_deref())?;
    let interruption = Interruption::watch()?;
    let jobs = arguments.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from).min(MOST_JOBS);
    let longest = engine.config.limits().max_input_bytes.saturating_mul(LONGEST_SPELLING).saturating_add(BESIDES);

    // Two chunks for each worker keep all busy; a longer line passes alone.
    let budget = Arc::new(Budget::new(2 * CHUNK * jobs.saturating_add(1)));
    let (results, inbox) = mpsc::sync_channel(jobs);
    let chunks = workers::start(jobs, &work, &arguments.field, &results)?;
    let reader = ChunkReader::new(input, longest);
    start_reader(reader, source, Arc::clone(&budget), chunks, results)?;

    let outcome = writer::Writer::new(sink, &budget, &interruption).write_all(&inbox)?;
    if !outcome.is_closed {
        outcome.tally.tell(arguments.verbose);
    }
    // Threads that still wait for input end with the process.
    Ok(match outcome.signal {
        Some(signal) => Exit::Interrupted(signal),
        None if arguments.fail_on_refused && outcome.tally.failures() > 0 => Exit::Refused,
        None => Exit::Done,
    })
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
                Ok(Some(chunk)) => {
                    budget.take(chunk.cost());
                    if chunks.send(chunk).is_err() {
                        return;
                    }
                }
                Ok(None) => break Message::End(reader.chunks()),
                Err(error) => {
                    break Message::Failed(anyhow::Error::new(error).context(source.cannot_read()));
                }
            }
        };
        // Nobody listens when the writer has given up.
        let _ = results.send(end);
    };
    thread::Builder::new().name("batch reader".to_owned()).spawn(read).context("cannot start a thread")?;
    Ok(())
}
