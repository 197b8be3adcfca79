//! `escaped-payload`: a payload written as if it were inside a string.

use jsonseam_core::{Candidates, Edit, Edits, LocateRule, Region, rule};

use crate::shared::brackets;
use crate::shared::prose::escaped_end;

rule! {
    /// Reads a payload whose quotes are escaped as if it were inside a string.
    ///
    /// # What
    /// The first bracket of the region opens an object whose first key is spelled `\"key\":`, or an array whose first element is `\"text\"` or such an object.
    /// One level of escapes is taken off the text from there on; the payload ends where its root closes.
    /// So are the entities of HTML, if the first key or element begins with `&quot;` or `&#34;` and no quote follows.
    ///
    /// # Why
    /// Models that have seen JSON inside JSON escape once too often, and so do programs that log a completion as a string.
    ///
    /// # Example
    /// `{\"a\": \"b\"}` becomes `{"a": "b"}`.
    ///
    /// # Limits
    /// A guess, because a text that is escaped only in part may be read the same way; not one in which a key or value begins with a quote
    /// before which no backslash is. If that gives no payload, the text is read as it is.
    /// An escape that is not one of JSON stays as it is. In prose, such a text is a quotation if a clean payload follows it.
    /// After a key and its colon it belongs to members that have lost their braces.
    pub struct EscapedPayload {
        name: "escaped-payload",
        risk: Guess,
        locates: Payloads,
        holds: ["\\", "&"],
        usual: Nothing,
    }
}

/// The longest first key or element that is looked at, in bytes.
const LONGEST_FIRST: usize = 512;

impl LocateRule for EscapedPayload {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let first = ["{", "["].iter().filter_map(|bracket| region.find(bracket, region.span().start)).min();
        let is_payload = |start: &usize| region.opens_payload(*start) && opens_escaped(region, *start);
        // In prose, what is escaped loses to a clean payload.
        let with_entities = first.filter(|&start| region.opens_payload(start) && opens_with_entity(region, start));
        if let Some((start, edits)) = with_entities.and_then(|start| Some((start, decoded(region, start)?))) {
            found.push_edited(start..region.span().end, edits);
            return;
        }
        let Some(start) = first.filter(is_payload).filter(|&start| brackets::payload_start(region) == Some(start))
        else {
            return;
        };
        // Members without their braces: what is escaped is one of their keys or values.
        let members = region.slice(region.span().start..start).trim_start();
        if brackets::member_is_at(members, 0) {
            return;
        }
        let payload = start..outer_quote(region, start).unwrap_or(region.span().end);
        // What follows an escaped payload is prose.
        let is_escaped = escaped_end(region.text(), start - region.span().start).is_some();
        if !is_escaped && is_plain_after(region.slice(payload.clone())) {
            return;
        }
        if let Some(edits) = region.unescape(payload.clone()) {
            found.push_edited(payload, edits);
        }
    }
}

/// The last quote of the region, if it ends the string that the quote before `start` begins.
fn outer_quote(region: &Region<'_>, start: usize) -> Option<usize> {
    let text = region.slice(start..region.span().end);
    let (inner, after) = text.rsplit_once('"')?;
    let is_begun = region.slice(region.span().start..start).ends_with('"');
    (is_begun && !inner.ends_with('\\') && !after.contains(['{', '[', '}', ']'])).then_some(start + inner.len())
}

/// The entities of HTML for what JSON needs.
const ENTITIES: [(&str, &str); 7] =
    [("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];

/// Whether the bracket at `start` is before an entity for a quote, and no quote follows.
fn opens_with_entity(region: &Region<'_>, start: usize) -> bool {
    let is_at = |pos: usize, text: &str| region.slice(pos..pos + text.len()) == text;
    let mut pos = start;
    while pos < start + 16 && ["{", "[", " ", "\n"].iter().any(|text| is_at(pos, text)) {
        pos += 1;
    }
    ENTITIES[..2].iter().any(|(entity, _)| is_at(pos, entity)) && !region.slice(pos..region.span().end).contains('"')
}

/// The edits that write the entities from `start` on as what they stand for.
fn decoded(region: &Region<'_>, start: usize) -> Option<Edits> {
    let payload = region.slice(start..region.span().end);
    let known = |at: usize| ENTITIES.iter().find(|(entity, _)| payload[at..].starts_with(entity));
    let found = payload.match_indices('&').filter_map(|(at, _)| known(at).map(|entity| (start + at, entity)));
    let mut edits = found.map(|(at, (entity, char))| Edit::replace(at..at + entity.len(), *char));
    let first = Edits::from(edits.next()?);
    Some(edits.fold(first, Edits::and))
}

/// Whether the first quote without a backslash begins a key or a value: then only some of the quotes were escaped, and the escapes in the other
/// strings are meant.
fn is_plain_after(payload: &str) -> bool {
    let first = payload.match_indices('"').map(|(at, _)| at).find(|&at| !payload[..at].ends_with('\\'));
    first.is_some_and(|at| payload[..at].trim_end().ends_with([',', ':', '{', '[']))
}

/// Whether the brackets at `pos` hold an escaped key or string first.
fn opens_escaped(region: &Region<'_>, mut pos: usize) -> bool {
    let is_at = |pos: usize, text: &str| region.slice(pos..pos + text.len()) == text;
    while is_at(pos, "[") {
        pos = region.skip_escaped_blanks(pos + 1);
    }
    let is_object = is_at(pos, "{");
    if is_object {
        pos = region.skip_escaped_blanks(pos + 1);
    }
    if !is_at(pos, "\\\"") {
        return false;
    }
    let mut end = (pos + 2 + LONGEST_FIRST).min(region.span().end);
    while region.slice(pos..end).is_empty() {
        end -= 1;
    }
    let Some(content) = first_content(region.slice(pos + 2..end)) else { return false };
    let after = region.skip_escaped_blanks(pos + content.len() + 4);
    let follows = if is_object { &[":"][..] } else { &[",", "]"] };
    !content.contains('\n') && follows.iter().any(|text| is_at(after, text))
}

/// What the escaped string that `text` begins with holds: up to the first quote that one level of escapes leaves a delimiter, as `\"` and not `\\\"`.
fn first_content(text: &str) -> Option<&str> {
    let escaped = |at: usize| text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 4;
    let end = text.match_indices('"').map(|(at, _)| at).find(|&at| escaped(at) != 3)?;
    (escaped(end) == 1).then(|| &text[..end - 1])
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedPayload);
