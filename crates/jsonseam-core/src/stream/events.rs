//! The events of one push, as they are taken.

use super::{Event, Phase, Stream};

/// The events of one push. What is not taken comes with the next one: dropping it loses nothing.
#[derive(Debug)]
pub struct Events<'s> {
    pub(super) stream: &'s mut Stream,
}

impl Events<'_> {
    /// The next event, until the next one is asked for.
    #[allow(clippy::should_implement_trait, reason = "an event borrows from the stream, as no item of an iterator can")]
    pub fn next(&mut self) -> Option<Event<'_>> {
        let stream = &mut *self.stream;
        if !stream.is_payload_told
            && let Phase::Reading(payload) = &stream.phase
        {
            stream.is_payload_told = true;
            return Some(Event::Payload { start: payload.start, sign: payload.sign });
        }
        stream.walk.next(&stream.pipeline.settings().rules.infos)
    }
}
