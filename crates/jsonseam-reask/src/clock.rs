//! Time, given from outside: the loop itself never looks at a clock.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that can wait, for asynchronous runs.
pub trait Timer {
    /// The time since any fixed point. It never goes back.
    fn now(&self) -> Duration;

    /// Waits. Dropping the future ends the wait and leaves nothing.
    fn sleep(&self, pause: Duration) -> impl Future<Output = ()> + Send;
}

/// A clock that can wait, for blocking runs.
pub trait BlockingTimer {
    /// The time since any fixed point. It never goes back.
    fn now(&self) -> Duration;

    /// Waits.
    fn sleep(&self, pause: Duration);
}

/// The time of the system, counted from the Unix epoch, and never going back.
///
/// It needs no asynchronous runtime: a wait is a thread that ends with it, also when the wait is dropped.
/// Inside tokio, `TokioTimer` (feature `http`) does without the thread.
#[derive(Debug, Clone, Copy)]
pub struct SystemTimer {
    origin: Instant,
    epoch: Duration,
}

impl SystemTimer {
    /// A clock that starts now.
    pub fn new() -> Self {
        Self { origin: Instant::now(), epoch: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() }
    }

    fn time(&self) -> Duration {
        self.epoch.saturating_add(self.origin.elapsed())
    }
}

impl Default for SystemTimer {
    fn default() -> Self {
        Self::new()
    }
}

impl Timer for SystemTimer {
    fn now(&self) -> Duration {
        self.time()
    }

    fn sleep(&self, pause: Duration) -> impl Future<Output = ()> + Send {
        Alarm { pause, bell: None }
    }
}

impl BlockingTimer for SystemTimer {
    fn now(&self) -> Duration {
        self.time()
    }

    fn sleep(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
}

/// Waits by tokio's own timers. It must be polled inside a tokio runtime with time enabled.
#[cfg(all(feature = "http", not(target_family = "wasm")))]
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioTimer(SystemTimer);

#[cfg(all(feature = "http", not(target_family = "wasm")))]
impl Timer for TokioTimer {
    fn now(&self) -> Duration {
        self.0.time()
    }

    fn sleep(&self, pause: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(pause)
    }
}

/// A wait that a thread ends. The thread starts with the first poll and ends with the wait.
struct Alarm {
    pause: Duration,
    bell: Option<Arc<Bell>>,
}

#[derive(Default)]
struct Bell {
    state: Mutex<BellState>,
    changed: Condvar,
}

#[derive(Default)]
struct BellState {
    has_rung: bool,
    is_dropped: bool,
    waker: Option<Waker>,
}

impl Bell {
    fn change<T>(&self, change: impl FnOnce(&mut BellState) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn ring_after(&self, pause: Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(state, pause, |state| !state.is_dropped);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.has_rung = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Future for Alarm {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if let Some(bell) = &self.bell {
            return bell.change(|state| {
                if state.has_rung {
                    return Poll::Ready(());
                }
                state.waker = Some(context.waker().clone());
                Poll::Pending
            });
        }
        if self.pause.is_zero() {
            return Poll::Ready(());
        }
        let bell = Arc::new(Bell::default());
        bell.change(|state| state.waker = Some(context.waker().clone()));
        let (ringer, pause) = (Arc::clone(&bell), self.pause);
        self.bell = Some(bell);
        let thread = std::thread::Builder::new().name("jsonseam-timer".to_owned());
        if thread.spawn(move || ringer.ring_after(pause)).is_err() {
            // Without a thread the wait is over at once: too early is better than never.
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(bell) = &self.bell {
            bell.change(|state| {
                state.is_dropped = true;
                state.waker = None;
            });
            bell.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll, Wake, Waker};
    use std::time::Duration;

    use super::{Alarm, SystemTimer, Timer};

    struct Reports(Mutex<Sender<()>>);

    impl Wake for Reports {
        fn wake(self: Arc<Self>) {
            self.0.lock().expect("nothing panics with it").send(()).expect("the test listens");
        }
    }

    #[test]
    fn a_wait_wakes_whoever_polled_it() {
        let (sender, receiver) = channel();
        let waker = Waker::from(Arc::new(Reports(Mutex::new(sender))));
        let timer = SystemTimer::new();
        let mut sleep = pin!(timer.sleep(Duration::from_millis(1)));
        let mut context = Context::from_waker(&waker);
        while sleep.as_mut().poll(&mut context).is_pending() {
            receiver.recv().expect("the alarm rings");
        }
    }

    #[test]
    fn a_dropped_wait_ends_its_thread() {
        let mut alarm = Box::pin(Alarm { pause: Duration::from_secs(3600), bell: None });
        assert_eq!(alarm.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
        let bell = Arc::downgrade(alarm.bell.as_ref().expect("it was polled"));
        drop(alarm);
        while bell.strong_count() > 0 {
            std::thread::yield_now();
        }
    }

    #[test]
    fn time_never_goes_back() {
        let timer = SystemTimer::new();
        assert!(Timer::now(&timer) <= Timer::now(&timer));
    }
}
