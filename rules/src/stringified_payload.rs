//! `stringified-payload`: a payload inside a JSON string.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

rule! {
    /// Reads the payload that a JSON string holds.
    ///
    /// # What
    /// The region is one string, and its content starts with the bracket of the wanted root and ends with the closer.
    /// One level of escapes is removed from the content, which is then the payload.
    ///
    /// # Why
    /// JSON that was serialised twice arrives as a string. The arguments of function calls are strings, so models often answer this way.
    ///
    /// # Example
    /// `"{\"a\": 1}"` becomes `{"a": 1}`, where an object is wanted.
    ///
    /// # Limits
    /// A guess: the string may have been meant as one. Where any root will do, the string is valid and stays.
    /// A string inside the payload is a value, not a payload.
    pub struct StringifiedPayload {
        name: "stringified-payload",
        risk: Guess,
        locates: Payloads,
        starts: "\"",
        usual: Nothing,
    }
}

impl LocateRule for StringifiedPayload {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let span = region.span();
        if !region.starts_with("\"") || span.len() < 4 {
            return;
        }
        let start = region.skip_escaped_blanks(span.start + 1);
        let content = region.slice(start..span.end - 1);
        let end = start + content.rfind(['}', ']']).map_or(0, |closer| closer + 1);
        let is_whole = region.skip_escaped_blanks(end) == span.end - 1;
        if !is_whole || !region.opens_payload(start) || !region.is_string() {
            return;
        }
        let payload = start..end;
        match region.unescape(payload.clone()) {
            Some(edits) => found.push_edited(payload, edits),
            None => found.push(payload),
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(StringifiedPayload);
