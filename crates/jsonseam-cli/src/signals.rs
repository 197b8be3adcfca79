//! Interruption: the first signal asks for an orderly end, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Which signal has arrived, if one has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interruption(Arc<AtomicUsize>);

impl Interruption {
    /// Watches for interrupt and termination from now on.
    pub(crate) fn watch() -> anyhow::Result<Self> {
        let interruption = Self::default();
        let is_second = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
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
