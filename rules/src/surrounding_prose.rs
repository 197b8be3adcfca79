//! `surrounding-prose`: text before and after the payload.

use jsonseam_core::{Candidates, LocateRule, Region, Root, rule};

use crate::shared::brackets;

rule! {
    /// Finds the payload between the first opening and the last closing bracket of a region.
    ///
    /// # What
    /// The region is not JSON as a whole. Its payload starts at the first `{` and ends at the last `}` (with root `array`, at `[` and `]`).
    /// Without a closer it runs to the region's end.
    ///
    /// # Why
    /// Models greet, explain and sign off around the JSON they were asked for.
    ///
    /// # Example
    /// `Here you are: {"a": 1} Enjoy!` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A bracket pair in prose before an object (`[1]`) is a citation, not a payload.
    /// Nor is an empty pair (`{}`) within a line of prose, or an opener that is the last byte of prose.
    /// A wholly escaped text in prose gives way to a plain payload that follows it.
    /// An opening bracket after the last closing one is a truncated payload: the text is then read to its end and refused, so that no draft is taken for it.
    /// A payload that continues after its last closer (`{"a":{"b":1},"c":[1,2`) is read to the region's end, not cut there.
    /// If prose after the payload holds a closing brace, the span is too wide, and the text is refused.
    /// When the policy asks for more than the first payload, every balanced bracket of the region is one.
    pub struct SurroundingProse {
        name: "surrounding-prose",
        locates: Payloads,
        holds: ["{", "["],
        usual: Bare,
    }
}

impl LocateRule for SurroundingProse {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if !region.wants_first_only() {
            for span in brackets::bracketed(region) {
                found.push(span);
            }
            return;
        }
        let Some(start) = brackets::unquoted_payload_start(region) else {
            return;
        };
        let opener = region.slice(start..start + 1);
        let is_array = opener == "[";
        let closer = if is_array { ']' } else { '}' };
        // With any root, an object after an array is another payload, so the span must show it.
        let last = |closer| region.rfind(closer).filter(|&end| end > start);
        let end = if is_array && region.root() == Root::Any { last(']').max(last('}')) } else { last(closer) };
        let goes_on = end.is_none_or(|end| region.find(opener, end).is_some());
        let end = end.filter(|_| !goes_on).map_or(region.span().end, |end| end + 1);
        found.push_provisional(start..end);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SurroundingProse);
