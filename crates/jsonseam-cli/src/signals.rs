//! Interruption: the first signal asks for an orderly end, the second ends at once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals that end a run: interrupt, termination, and a terminal that has gone.
#[cfg(unix)]
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [SIGINT, SIGTERM];

/// Which signal has arrived, if one has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interruption(Arc<AtomicUsize>);

impl Interruption {
    /// Watches for the signals that end a run from now on.
    pub(crate) fn watch() -> anyhow::Result<Self> {
        let interruption = Self::default();
        let is_second = Arc::new(AtomicBool::new(false));
        for signal in ENDING {
            let number = usize::try_from(signal).unwrap_or_default();
            // The order matters: the first signal finds the flag unset, and sets it.
            flag::register_conditional_shutdown(signal, 128 | signal, Arc::clone(&is_second))
                .and_then(|_| flag::register(signal, Arc::clone(&is_second)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&interruption.0), number))
                .context("cannot watch for signals")?;
        }
        Ok(interruption)
    }

    /// The signal that has arrived.
    pub(crate) fn signal(&self) -> Option<u8> {
        u8::try_from(self.0.load(Ordering::Relaxed)).ok().filter(|&signal| signal != 0)
    }
}

/// The temporary files that a signal would leave.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn temporaries() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that goes when the process is ended by a signal, as long as this value exists.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Makes a file and remembers it; no signal comes in between.
    pub(crate) fn of<F, E>(
        make: impl FnOnce() -> Result<F, E>,
        path: impl FnOnce(&F) -> &Path,
    ) -> Result<(F, Self), E> {
        let mut all = temporaries();
        let file = make()?;
        let path = path(&file).to_owned();
        all.insert(path.clone());
        drop(all);
        Ok((file, Self(path)))
    }

    /// Does what takes the file away from its place; no signal comes in between.
    pub(crate) fn give_up<T>(self, work: impl FnOnce() -> T) -> T {
        let mut all = temporaries();
        let result = work();
        all.remove(&self.0);
        drop(all);
        result
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Held up while a signal removes the files: the process ends then.
        temporaries().remove(&self.0);
    }
}

/// From now on a signal that ends the process removes its temporary files first. For commands that do not watch for signals themselves.
#[cfg(unix)]
pub(crate) fn remove_temporaries_at_the_end() -> anyhow::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(ENDING).context("cannot watch for signals")?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            // The lock stays taken, so that no file is made or moved any more.
            let all = temporaries();
            for path in all.iter() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(128 | signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("cannot start a thread")?;
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn remove_temporaries_at_the_end() -> anyhow::Result<()> {
    Ok(())
}
