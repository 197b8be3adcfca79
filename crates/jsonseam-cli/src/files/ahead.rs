//! Making a long file durable while it is being written, so that its end has little left to wait for.

use std::fs::File;
use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

/// Bytes between two syncs: a file that is no longer than this needs none before its end.
const STRETCH: usize = 64 << 20;

/// The syncs of one file before its last.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Bytes written since the last sync was asked for.
    unsynced: usize,
    worker: Option<Worker>,
}

#[derive(Debug)]
struct Worker {
    /// Asks for a sync; one that still waits is enough.
    requests: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Ahead {
    /// That so many bytes more are written to `file`.
    pub(super) fn wrote(&mut self, len: usize, file: &File) {
        self.unsynced += len;
        if self.unsynced < STRETCH {
            return;
        }
        self.unsynced = 0;
        if self.worker.is_none() {
            // Where no thread can be had, the end takes longer.
            self.worker = file.try_clone().and_then(Worker::start).ok();
        }
        if let Some(worker) = &self.worker {
            // A worker that has failed no longer listens; its error is reported at the end.
            let _ = worker.requests.try_send(());
        }
    }

    /// Makes all of `file` durable. The error is that of any sync: a system may report to the first one alone that something was lost.
    pub(super) fn sync_all(self, file: &File) -> io::Result<()> {
        if let Some(Worker { requests, thread }) = self.worker {
            drop(requests);
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a sync has failed")))?;
        }
        file.sync_all()
    }
}

impl Worker {
    fn start(file: File) -> io::Result<Self> {
        let (requests, inbox) = mpsc::sync_channel(1);
        let sync = move || inbox.iter().try_for_each(|()| file.sync_data());
        let thread = thread::Builder::new().name("sync".to_owned()).spawn(sync)?;
        Ok(Self { requests, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_file_is_synced_before_its_end() {
        let file = tempfile::tempfile().expect("there is room");
        let mut ahead = Ahead::default();
        ahead.wrote(STRETCH - 1, &file);
        assert!(ahead.worker.is_none());
        ahead.wrote(1, &file);
        assert!(ahead.worker.is_some());
        ahead.wrote(STRETCH, &file);
        ahead.sync_all(&file).expect("it is a file");
    }

    #[test]
    #[cfg(unix)]
    fn what_a_sync_before_the_end_reports_is_reported_at_the_end() {
        // A pipe cannot be made durable.
        let (_reader, writer) = io::pipe().expect("there is room");
        let pipe = File::from(std::os::fd::OwnedFd::from(writer));
        let file = tempfile::tempfile().expect("there is room");
        let mut ahead = Ahead::default();
        ahead.wrote(STRETCH, &pipe);
        assert!(ahead.sync_all(&file).is_err());
    }
}
