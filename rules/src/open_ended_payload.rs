//! `open-ended-payload`: a payload that ends where its root closes.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;

rule! {
    /// Finds the payload from the first opening bracket of a region to where its root closes.
    ///
    /// # What
    /// The region is not JSON as a whole. Its payload starts at the first `{` (with root `array`, at `[`) and ends
    /// where the recogniser closes the root; if it never closes, at the region's end.
    ///
    /// # Why
    /// The last closing bracket of a text need not be the payload's: prose after it may hold others, and a truncated text has none.
    /// Ending at the last `}` would silently lose the tail of `{"a":{"b":1},"c":[1,2`.
    ///
    /// # Example
    /// `{"a": 1} (a set {1, 2} is no JSON)` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A root that is followed by `:` `}` `]` `"`, or by a comma with something like a value or a key after it, has not ended:
    /// the text is then refused or repaired, never cut there.
    /// An empty pair (`{}`, `[]`) within a line of prose is not a payload, nor is an opener that is the last byte of prose.
    /// A payload in quotes, or a wholly escaped one, gives way to a plain payload that follows it.
    pub struct OpenEndedPayload {
        name: "open-ended-payload",
        locates: Payloads,
        holds: ["{", "["],
        usual: Bare,
    }
}

impl LocateRule for OpenEndedPayload {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.wants_first_only() {
            if let Some(start) = brackets::unquoted_payload_start(region) {
                found.push_open_ended(start..region.span().end);
            }
        } else {
            for span in brackets::bracketed(region) {
                found.push_open_ended(span);
            }
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(OpenEndedPayload);
