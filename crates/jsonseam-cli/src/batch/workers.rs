//! The threads that repair.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Context;

use super::message::{Finished, Message};
use super::pick::Pick;
use super::reader::Chunk;
use super::record::{LineRepair, Repairer, Room};
use super::tally::Tally;
use super::tools::ToolsField;
use super::work::Work;
use crate::console::WORKER;

/// Starts `jobs` workers. They take chunks from the sender that is returned and end when it is gone.
pub(super) fn start(
    jobs: usize,
    work: &Work,
    pick: &Pick,
    tools: Option<&ToolsField>,
    results: &SyncSender<Message>,
) -> anyhow::Result<SyncSender<Chunk>> {
    let (chunks, queue) = mpsc::sync_channel(jobs);
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..jobs {
        let repair = LineRepair { repairer: work.clone(), pick: pick.clone(), tools: tools.cloned() };
        let (queue, results) = (Arc::clone(&queue), results.clone());
        let work = move || {
            let mut room = Room::default();
            while let Some(chunk) = next(&queue) {
                if results.send(Message::Finished(Box::new(finish(&repair, &chunk, &mut room)))).is_err() {
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

fn finish<R: Repairer>(repair: &LineRepair<R>, chunk: &Chunk, room: &mut Room) -> Finished {
    let mut bytes = Vec::with_capacity(chunk.bytes.len() * 4);
    let mut tally = Tally::of_blank(chunk.blank);
    for line in &chunk.lines {
        let text = line.span.clone().and_then(|span| chunk.bytes.get(span));
        repair.write_line(text, line.number, room, &mut bytes, &mut tally);
    }
    Finished { index: chunk.index, bytes, tally, cost: chunk.cost() }
}
