//! Tool calls as answers: what joins the loop and the reader of calls, which do not know each other.

use jsonseam_reask::Envelope;
use jsonseam_toolcall::Extractor;

/// Takes the calls of an answer out of their wrappers (SPEC L1).
pub(crate) struct Unwrapped(pub(crate) Extractor);

impl Envelope for Unwrapped {
    fn envelopes(&self, completion: &str) -> Vec<String> {
        self.0.answers(completion)
    }

    fn ends_in_thoughts(&self, completion: &str) -> bool {
        self.0.ends_in_thoughts(completion)
    }
}
