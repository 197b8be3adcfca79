//! What the programs that answer for jsonseam and the peers in Rust share.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The version of a crate, as this program was built with it.
pub fn version(name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")));
    let version = entry.and_then(|entry| entry.split("version = \"").nth(1)?.split('"').next());
    version.unwrap_or("unknown")
}

/// Ends the process when a text takes longer than it may: no library can be stopped otherwise.
pub struct Watchdog {
    begin: Instant,
    busy_since: Arc<AtomicU64>,
}

impl Watchdog {
    /// Lets each text take this long.
    pub fn new(patience: Duration) -> Self {
        let (begin, busy_since) = (Instant::now(), Arc::new(AtomicU64::new(u64::MAX)));
        let watched = Arc::clone(&busy_since);
        thread::spawn(move || {
            loop {
                thread::sleep(patience / 20);
                let since = watched.load(Ordering::Relaxed);
                if since != u64::MAX && begin.elapsed() > Duration::from_nanos(since) + patience {
                    exit(3);
                }
            }
        });
        Self { begin, busy_since }
    }

    /// Does it, and gives the nanoseconds that it took.
    pub fn time<R>(&self, action: impl FnOnce() -> R) -> (R, u64) {
        let nanoseconds = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.busy_since.store(nanoseconds(self.begin.elapsed()), Ordering::Relaxed);
        let start = Instant::now();
        let result = action();
        let taken = nanoseconds(start.elapsed());
        self.busy_since.store(u64::MAX, Ordering::Relaxed);
        (result, taken)
    }
}
