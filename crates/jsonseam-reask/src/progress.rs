//! What a caller can watch while a run goes on (SPEC L8).

use std::time::Duration;

use jsonseam_text::named;

named! {
    /// What kind of repetition is about to happen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Phase as "a phase" {
        /// The same request again, because of the transport.
        TransportRetry = "transport_retry",
        /// Another request, because of the answer.
        SchemaRepair = "schema_repair",
        /// The first request of the next mode.
        Fallback = "fallback",
        /// The same request without its temperature, which the model does not take.
        WithoutTemperature = "without_temperature",
    }
}

/// A repetition that is about to happen.
///
/// ```
/// use jsonseam_reask::Progress;
///
/// fn line(progress: &Progress) -> String {
///     format!("{}: {} of {} in {} ms ({})", progress.phase, progress.attempt, progress.maximum, progress.delay.as_millis(), progress.reason)
/// }
/// # let _ = line;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Progress {
    /// Whether the transport or the answer is the cause.
    pub phase: Phase,
    /// The number of this repetition, from 1, within its request, its mode or its chain of modes.
    pub attempt: u32,
    /// The most there can be of them.
    pub maximum: u32,
    /// The pause before it.
    pub delay: Duration,
    /// The cause, as `code/reason`.
    pub reason: String,
    /// When the run began, by the clock of its driver; the drivers of this crate count from the Unix epoch.
    pub started_at: Duration,
}
