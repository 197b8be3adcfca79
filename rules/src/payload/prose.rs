//! Payloads in prose: each row says where the payload begins, and where it ends.

use jsonseam_core::{Candidates, Region, Root, rule};

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
        locate: brackets_in_prose,
    }

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
        locate: open_ended_payload,
    }

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
        locate: surrounding_prose,
    }
}

fn brackets_in_prose(region: &Region<'_>, found: &mut Candidates) {
    // With any other policy all brackets are looked at, and those of the prose left out.
    if let Some(start) = brackets::payload_start_after_prose(region).filter(|_| region.wants_first_only()) {
        found.push_open_ended(start..region.span().end);
    }
}

fn open_ended_payload(region: &Region<'_>, found: &mut Candidates) {
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

fn surrounding_prose(region: &Region<'_>, found: &mut Candidates) {
    if !region.wants_first_only() {
        for span in brackets::bracketed(region) {
            found.push(span);
        }
        return;
    }
    let Some(start) = brackets::unquoted_payload_start(region) else { return };
    let is_array = region.at(start).starts_with("[");
    let (opener, closer) = if is_array { ("[", b']') } else { ("{", b'}') };
    // With any root, an object after an array is another payload, so the span must show it.
    let last = |closer| region.rfind(closer).filter(|&end| end > start);
    let end = if is_array && region.root() == Root::Any { last(b']').max(last(b'}')) } else { last(closer) };
    let goes_on = end.is_none_or(|end| region.find(opener, end).is_some());
    let end = end.filter(|_| !goes_on).map_or(region.span().end, |end| end + 1);
    found.push_provisional(start..end);
}

#[cfg(test)]
jsonseam_testkit::laws! {
    brackets_in_prose: BracketsInProse,
    open_ended_payload: OpenEndedPayload,
    surrounding_prose: SurroundingProse,
}
