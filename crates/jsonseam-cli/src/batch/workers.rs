//! The threads that repair.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Context;

use super::message::{Finished, Message};
use super::pick::Pick;
use super::reader::{Chunk, USUAL};
use super::record::{LineRepair, Repairer, Room};
use super::tally::Tally;
use super::tools::ToolsField;
use super::work::Work;
use super::{Buffers, LARGEST_INPUT};
use crate::console::WORKER;

/// Bytes that are written for one that is read, mostly: the completion, its text and its value, and the rest of the record.
pub(super) const PER_BYTE: usize = 4;

/// Starts `jobs` workers. They take chunks from the sender that is returned and end when it is gone.
pub(super) fn start(
    jobs: usize,
    work: &Work,
    pick: &Pick,
    tools: Option<&ToolsField>,
    results: &SyncSender<Message>,
    spares: &Arc<Buffers>,
) -> anyhow::Result<SyncSender<Chunk>> {
    let (chunks, queue) = mpsc::sync_channel(jobs);
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..jobs {
        let repair = LineRepair { repairer: work.clone(), pick: pick.clone(), tools: tools.cloned(), only: work.only };
        let (queue, results, spares) = (Arc::clone(&queue), results.clone(), Arc::clone(spares));
        let work = move || {
            let mut room = Room::default();
            while let Some(chunk) = next(&queue) {
                let room_for_output = spares.output.take(PER_BYTE * chunk.bytes.len().clamp(USUAL, LARGEST_INPUT));
                let finished = finish(&repair, &chunk, &mut room, room_for_output);
                // What one long line took is given back.
                if chunk.bytes.len() > LARGEST_INPUT {
                    room = Room::default();
                }
                spares.input.give_back(chunk.bytes);
                if results.send(Message::Finished(Box::new(finished))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name(WORKER.to_owned()).spawn(work).context("cannot start a thread")?;
    }
    Ok(chunks)
}

fn next(queue: &Mutex<Receiver<Chunk>>) -> Option<Chunk> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

fn finish<R: Repairer>(repair: &LineRepair<R>, chunk: &Chunk, room: &mut Room, mut bytes: Vec<u8>) -> Finished {
    let mut tally = Tally::of_blank(chunk.blank);
    for line in &chunk.lines {
        let text = line.span.clone().and_then(|span| chunk.bytes.get(span));
        if line.is_known {
            repair.write_line(text, line.number, room, &mut bytes, &mut Tally::default());
        } else {
            repair.write_line(text, line.number, room, &mut bytes, &mut tally);
        }
    }
    Finished { index: chunk.index, bytes, tally, cost: chunk.cost() }
}
