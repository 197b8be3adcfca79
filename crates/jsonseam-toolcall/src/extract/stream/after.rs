//! Text after a call: content, unless it repeats the call up to a mark that ends one.
//!
//! Invariant: nothing of it is reported before it can no longer be such a repetition.

use std::ops::Range;

use super::content::Echo;
use super::{CallEvent, CallStream, Phase};
use crate::cursor::Stop;
use crate::pack::Format;

/// How often it is compared.
const MOST_COMPARISONS: u8 = 12;

impl CallStream {
    /// Goes on after a call that ends at the end of `call`, with its mark.
    pub(super) fn after_call(&mut self, call: Range<usize>) -> (Phase, bool) {
        self.ground.pass_to(call.end);
        self.content.resume(call);
        (Phase::Ground, true)
    }

    /// Goes on after a value at the end of `call`, which the mark that ends it may follow.
    pub(super) fn after_value(&mut self, text: &str, call: Range<usize>, format: &Format) -> (Phase, bool) {
        let rest = text.get(call.end..).unwrap_or_default();
        let at = text.len() - rest.trim_start().len();
        self.look(at - call.end + 1);
        for end in &format.ends {
            match end.match_at(text, at) {
                Ok(end) => return self.after_call(call.start..end.end),
                Err(Stop::Cut) => return (Phase::After(call, format.clone().into()), false),
                Err(_) => {}
            }
        }
        let is_begun = |anchor: &str| anchor.starts_with(rest.trim_start());
        if format.ends.iter().any(|end| is_begun(end.anchor())) {
            return (Phase::After(call, format.clone().into()), false);
        }
        if format.ends.is_empty() {
            return self.after_call(call);
        }
        // Where the call ends is told by the whole text.
        self.content.is_lost = true;
        self.ground.pass_to(call.end);
        (Phase::Ground, true)
    }

    /// Tells the content that is known.
    pub(super) fn tell_content(&mut self, text: &str) {
        if let Some(Echo { call, next, comparisons }) = &mut self.content.echo {
            let said = text.get(call.end..self.ground.pos).unwrap_or_default().trim();
            let is_far = self.ground.pos - call.end > 2 * call.len();
            if !is_far && said.len() < *next {
                return;
            }
            self.looked += (call.len() + said.len()) as u64;
            let called = text.get(call.clone()).unwrap_or_default();
            let is_other = is_far || memchr::memmem::find(called.as_bytes(), said.as_bytes()).is_none();
            (*next, *comparisons) = (said.len() * 2, *comparisons + 1);
            if !is_other {
                if *comparisons == MOST_COMPARISONS {
                    self.content.stop();
                }
                return;
            }
            self.content.echo = None;
        }
        if let Some(text) = self.content.take() {
            self.events.push_back(CallEvent::Content { text });
        }
    }
}
