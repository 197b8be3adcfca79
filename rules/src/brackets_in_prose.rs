//! `brackets-in-prose`: braces in the prose before the payload.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;

rule! {
    /// Passes over braces in the prose before the payload.
    ///
    /// # What
    /// The first `{` of the region opens a pair that holds nothing like a member: no quote, no colon, no equals sign, no bracket;
    /// or it belongs to a formula (`\frac{1}{2}`, `x^{n}`, `\{ … \}`) and holds no quote.
    /// The payload starts at the first brace after such pairs, and ends where its root closes.
    ///
    /// # Why
    /// Models reason before they answer, and write formulas, placeholders (`{name}`) and sets on the way.
    /// The first brace of the text is then not the payload's, and prose is never data.
    ///
    /// # Example
    /// `So \boxed{42}: {"a": 42}` gives `{"a": 42}`.
    ///
    /// # Limits
    /// A pair that is not closed, or that holds another with a member in it, may be a broken payload: nothing is passed over, and the text is refused.
    /// An empty pair `{}` is an object, unless it is within a line of prose. If there are no other braces, nothing is passed over.
    pub struct BracketsInProse {
        name: "brackets-in-prose",
        locates: Payloads,
        holds: ["{"],
        usual: Nothing,
    }
}

impl LocateRule for BracketsInProse {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        // With any other policy all brackets are looked at, and those of the prose left out.
        if let Some(start) = brackets::payload_start_after_prose(region).filter(|_| region.wants_first_only()) {
            found.push_open_ended(start..region.span().end);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(BracketsInProse);
