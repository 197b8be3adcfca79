//! `surrounding-prose`: text before and after the payload.

use jsonseam_core::{Candidates, Region, RepairRule, Root, rule};

rule! {
    /// Finds the payload between the first opening and the last closing bracket of a region.
    ///
    /// # What
    /// The region is not JSON as a whole. Its payload starts at the first `{` and ends at the last `}` (with root `array`, at `[` and `]`). Without a closer it runs to the region's end.
    ///
    /// # Why
    /// Models greet, explain and sign off around the JSON they were asked for.
    ///
    /// # Example
    /// `Here you are: {"a": 1} Enjoy!` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A bracket pair in prose before an object (`[1]`) is a citation, not a payload.
    /// A payload that goes on behind its last closer (`{"a":{"b":1},"c":[1,2`) is read to the region's end, not cut there.
    /// Prose that itself holds a closing brace after the payload makes the span too wide; it is then refused, not guessed.
    /// When the policy asks for more than the first payload, every balanced bracket of the region is one.
    pub struct SurroundingProse {
        name: "surrounding-prose",
        locates: Payloads,
        cases: "surrounding_prose.toml",
    }
}

impl RepairRule for SurroundingProse {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if !region.wants_first_only() {
            for span in region.bracketed() {
                found.push(span);
            }
            return;
        }
        let Some(start) = region.payload_start() else {
            return;
        };
        let closer = match region.root() {
            Root::Array => ']',
            Root::Any if region.slice(start..start + 1) == "[" => ']',
            _ => '}',
        };
        let end = region.rfind(closer).map(|end| end + 1).filter(|&end| end > start);
        found.push_provisional(start..end.unwrap_or(region.span().end));
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SurroundingProse);
