//! Many files, several at a time, reported in their order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::console::{self, Captured};
use crate::exit::{self, Exit};
use crate::input::Source;
use crate::statistics::Statistics;

/// More threads than this only take memory.
const MOST_JOBS: usize = 256;

/// What the work on one file came to.
pub(crate) type Done = (Exit, Statistics);

/// How many threads work if there is enough to do.
pub(crate) fn count(wanted: Option<NonZeroUsize>) -> usize {
    wanted.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from).min(MOST_JOBS)
}

/// Works on each source; the worst exit counts. What cannot be read stops no other; a closed pipe stops all.
pub(crate) fn each(
    sources: &[Source],
    wanted: Option<NonZeroUsize>,
    work: impl Fn(&Source) -> anyhow::Result<Done> + Sync,
) -> anyhow::Result<Done> {
    let jobs = count(wanted).min(sources.len());
    let mut all = (Exit::Done, Statistics::default());
    if jobs < 2 {
        for source in sources {
            add(&mut all, work(source))?;
        }
        return Ok(all);
    }
    let next = AtomicUsize::new(0);
    let (results, inbox) = mpsc::sync_channel(jobs);
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (next, work, results) = (&next, &work, results.clone());
            scope.spawn(move || {
                while let Some((index, source)) = take(next, sources) {
                    let (done, printed) = console::capture(|| work(source));
                    if results.send((index, done, printed)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let outcome = in_order(&inbox, &mut all);
        // Threads that still work find that no one listens.
        next.store(sources.len(), Ordering::Relaxed);
        drop(inbox);
        outcome
    })?;
    Ok(all)
}

fn take<'s>(next: &AtomicUsize, sources: &'s [Source]) -> Option<(usize, &'s Source)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, sources.get(index)?))
}

fn in_order(inbox: &mpsc::Receiver<(usize, anyhow::Result<Done>, Captured)>, all: &mut Done) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, done, printed) in inbox {
        waiting.insert(index, (done, printed));
        while let Some((done, printed)) = waiting.remove(&next) {
            console::release(printed)?;
            add(all, done)?;
            next += 1;
        }
    }
    Ok(())
}

fn add(all: &mut Done, done: anyhow::Result<Done>) -> anyhow::Result<()> {
    match done {
        Err(error) if exit::is_closed_pipe(&error) => return Err(error),
        Err(error) => {
            console::complain(&error);
            all.0 = all.0.max(Exit::Failed);
            all.1.unreadable += 1;
        }
        Ok((exit, statistics)) => {
            all.0 = all.0.max(exit);
            all.1.add(&statistics);
        }
    }
    Ok(())
}
