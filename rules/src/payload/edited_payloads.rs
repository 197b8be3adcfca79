//! Payloads that can be read only after edits at their start: each row a notation, and what is edited.

use jsonseam_core::{Candidates, Edit, Edits, Region, Root, begins_line, brackets, is_quote, rule, value_end};

use crate::shared::brackets;
use crate::shared::prose::escaped_end;

rule! {
    /// Removes one brace of each pair where all braces are doubled.
    ///
    /// # What
    /// The payload begins with `{{` and a key in double quotes, and outside of strings each brace has a second one of its kind right after it.
    /// The inner one of each pair is removed; the payload ends where its root closes. So where the outer braces alone are doubled, and nothing else is between them.
    ///
    /// # Why
    /// Templates of prompts write `{{` for a brace (Python's `str.format`, Jinja), and models copy what they see.
    ///
    /// # Example
    /// `{{"a": {{"b": 1}}}}` becomes `{"a": {"b": 1}}`.
    ///
    /// # Limits
    /// Otherwise: one single brace outside of strings, or a brace in place of another bracket, and nothing is changed. So is a placeholder (`{{name}}`), and a payload that breaks off.
    pub struct DoubledBraces {
        name: "doubled-braces",
        risk: Likely,
        locates: Payloads,
        holds: ["{"],
        usual: Nothing,
        locate: doubled_braces,
    }

    /// Reads a payload whose quotes are escaped as if it were inside a string.
    ///
    /// # What
    /// The first bracket of the region opens an object whose first key, or what comes first in quotes, is spelled `\"key\":`, or an array whose first element is `\"text\"` or such an object.
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
        usual: Nothing,
        locate: escaped_payload,
    }

    /// Reads a payload that opens with a full-width bracket.
    ///
    /// # What
    /// A line begins with `｛` or `［`, after which a quote, another such bracket or a digit comes, and no bracket of JSON is before it.
    /// That bracket is written as `{` or `[`; those within and the last one are the matter of `fullwidth-punctuation`.
    ///
    /// # Why
    /// Models that answer in Chinese or Japanese slip into its punctuation.
    ///
    /// # Example
    /// `｛"a": 1｝` becomes `{"a": 1}`, the closing one by `fullwidth-punctuation`.
    ///
    /// # Limits
    /// Within a line of prose such brackets are punctuation, and so they are around words.
    pub struct FullwidthBrackets {
        name: "fullwidth-brackets",
        risk: Likely,
        locates: Payloads,
        never_starts: "{[",
        holds: ["｛", "［"],
        usual: Nothing,
        locate: fullwidth_brackets,
    }

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
        locate: stringified_payload,
    }

    /// Puts braces around members that have none.
    ///
    /// # What
    /// The region starts with a key in double quotes and its colon. It gets an opening brace, and a closing one if its brackets are balanced.
    ///
    /// # Why
    /// Some models answer a form field by field, and an interface that begins the answer with a brace itself leaves it out of the completion.
    ///
    /// # Example
    /// `"a": 1, "b": 2` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// A guess: the members may have belonged to an inner object. Keys in other quotes, or without quotes, are not recognised.
    /// At the end of the text the payload counts as truncated: whether more was to come is not known.
    pub struct MissingOuterBraces {
        name: "missing-outer-braces",
        risk: Guess,
        locates: Payloads,
        starts: "\"",
        usual: Nothing,
        locate: missing_outer_braces,
    }
}

fn doubled_braces(region: &Region<'_>, found: &mut Candidates) {
    let span = region.span();
    let Some(start) = brackets::payload_start(region).filter(|&start| region.slice(start..start + 2) == "{{") else {
        return;
    };
    let text = region.slice(start..span.end);
    let is_key = text[2..].trim_start().starts_with('"');
    // Braces that are doubled before it too are those of a template, not of a payload.
    if !is_key || !region.opens_payload(start) || region.slice(span.start..start).contains("{{") {
        return;
    }
    if let Some((len, edits)) = halved(text, start).or_else(|| unwrapped(text, start)) {
        found.push_edited(start..start + len, edits);
    }
}

/// The same where only the outer braces are doubled, and nothing else is between them.
fn unwrapped(text: &str, start: usize) -> Option<(usize, Edits)> {
    let inner_end = value_end(text.as_bytes(), 1);
    let rest = text.get(inner_end..)?;
    let closer = inner_end + (rest.len() - rest.trim_start().len());
    // What follows may close or continue more than this pair.
    let is_last = rest.trim_start().strip_prefix('}')?.trim().is_empty();
    let opener = Edit::remove(start + 1..start + 2);
    is_last.then(|| (closer + 1, Edits::from(opener).and(Edit::remove(start + inner_end - 1..start + inner_end))))
}

/// How long the payload is that `text` begins with, and the edits that leave one brace of each pair.
fn halved(text: &str, start: usize) -> Option<(usize, Edits)> {
    let mut braces = brackets(text.as_bytes(), 0).filter(|(_, byte)| matches!(byte, b'{' | b'}'));
    let mut edits = Vec::new();
    let mut depth = 0_usize;
    loop {
        let (pos, brace) = braces.next()?;
        if braces.next()? != (pos + 1, brace) {
            return None;
        }
        // The outer ones stay: the payload begins and ends with a brace.
        let inner = start + pos + usize::from(brace == b'{');
        edits.push(Edit::remove(inner..inner + 1));
        depth = if brace == b'{' { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return Some((pos + 2, Edits::group(edits)?));
        }
    }
}

/// The longest first key or element that is looked at, in bytes.
const LONGEST_FIRST: usize = 512;

fn escaped_payload(region: &Region<'_>, found: &mut Candidates) {
    // Most often nothing of the first key is escaped, and the marks are not looked for.
    if region.starts_with("{") && brackets::opens_with_quote(region, region.span().start)
        || !["\\", "&"].iter().any(|mark| region.may_hold(mark))
    {
        return;
    }
    let object = region.find("{", region.span().start);
    let before = region.slice(region.span().start..object.unwrap_or(region.span().end));
    let first = before.find('[').map(|array| region.span().start + array).or(object);
    let is_payload = |start: &usize| region.opens_payload(*start) && opens_escaped(region, *start);
    // In prose, what is escaped loses to a clean payload.
    let with_entities = first.filter(|&start| region.opens_payload(start) && opens_with_entity(region, start));
    if let Some((start, edits)) = with_entities.and_then(|start| Some((start, decoded(region, start)?))) {
        found.push_edited(start..region.span().end, edits);
        return;
    }
    let Some(start) = first.filter(is_payload).filter(|&start| brackets::payload_start(region) == Some(start)) else {
        return;
    };
    // Members without their braces: what is escaped is one of their keys or values.
    let members = region.slice(region.span().start..start).trim_start();
    if brackets::member_is_at(members, 0) {
        return;
    }
    let payload = start..outer_quote(region, start).unwrap_or(region.span().end);
    // What follows an escaped payload is prose.
    let is_escaped = escaped_end(region.text(), start - region.span().start).is_ok();
    if !is_escaped && is_plain_after(region.slice(payload.clone())) {
        return;
    }
    if let Some(edits) = region.unescape(payload.clone()) {
        found.push_edited(payload, edits);
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
    let mut next = region.at(start);
    while next.pos() < start + 16 && ["{", "[", " ", "\n"].iter().any(|text| next.eat(text)) {}
    ENTITIES[..2].iter().any(|(entity, _)| next.starts_with(entity)) && next.find("\"").is_none()
}

/// The edits that write the entities from `start` on as what they stand for.
fn decoded(region: &Region<'_>, start: usize) -> Option<Edits> {
    let payload = region.slice(start..region.span().end);
    let known = |at: usize| ENTITIES.iter().find(|(entity, _)| payload[at..].starts_with(entity));
    let found = payload.match_indices('&').filter_map(|(at, _)| known(at).map(|entity| (start + at, entity)));
    Edits::group(found.map(|(at, (entity, char))| Edit::replace(at..at + entity.len(), *char)))
}

/// Whether the first quote without a backslash begins a key or a value: then only some of the quotes were escaped, and the escapes in the other
/// strings are meant.
fn is_plain_after(payload: &str) -> bool {
    let first = payload.match_indices('"').map(|(at, _)| at).find(|&at| !payload[..at].ends_with('\\'));
    first.is_some_and(|at| payload[..at].trim_end().ends_with([',', ':', '{', '[']))
}

/// Whether the brackets at `start` hold an escaped key or string first.
fn opens_escaped(region: &Region<'_>, start: usize) -> bool {
    let mut next = region.at(start);
    while next.eat("[") {
        next = next.skip_escaped_blanks();
    }
    let is_object = next.eat("{");
    next = next.skip_escaped_blanks();
    // Nothing is escaped where the first quote is not.
    if next.starts_with("\"") {
        return false;
    }
    let (mut end, mut len) = (next, 0);
    let near = end.take_while(|char| {
        len += char.len_utf8();
        len <= LONGEST_FIRST + 2
    });
    let Some(quote) = near.find("\\\"") else { return false };
    let before = brackets::without_escaped_blanks(&near[..quote]);
    let follows = match (quote, is_object) {
        (0, true) => ":",
        (0, false) => ",]",
        // Keys before it may be in another notation.
        (_, true) if !before.contains('"') && before.ends_with([',', ':', '[', '{']) => ":,]}",
        _ => return false,
    };
    let Some(content) = first_content(&near[quote + 2..]) else { return false };
    let after = next.after(quote + content.len() + 4).skip_escaped_blanks();
    !content.contains('\n') && after.peek().is_some_and(|char| follows.contains(char))
}

/// What the escaped string that `text` begins with holds: up to the first quote that one level of escapes leaves a delimiter, as `\"` and not `\\\"`.
fn first_content(text: &str) -> Option<&str> {
    let escaped = |at: usize| text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 4;
    let end = text.match_indices('"').map(|(at, _)| at).find(|&at| escaped(at) != 3)?;
    (escaped(end) == 1).then(|| &text[..end - 1])
}

fn fullwidth_brackets(region: &Region<'_>, found: &mut Candidates) {
    let (span, text) = (region.span(), region.text());
    // A bracket of JSON before it opens the payload.
    let Some(at) = text.find(['{', '[', '｛', '［']) else { return };
    let ascii = match text[at..].chars().next() {
        Some('｛') => "{",
        Some('［') => "[",
        _ => return,
    };
    let len = '｛'.len_utf8();
    let begins = |char: char| is_quote(char) || char.is_ascii_digit() || matches!(char, '｛' | '［' | '{' | '[');
    let is_data = text[at + len..].trim_start().starts_with(begins);
    if is_data && region.root().opens(ascii.as_bytes()[0]) && begins_line(text.as_bytes(), at) {
        let start = span.start + at;
        found.push_edited(start..span.end, Edit::replace(start..start + len, ascii).into());
    }
}

fn stringified_payload(region: &Region<'_>, found: &mut Candidates) {
    let span = region.span();
    if !region.starts_with("\"") || span.len() < 4 {
        return;
    }
    let start = region.at(span.start + 1).skip_escaped_blanks().pos();
    let content = region.slice(start..span.end - 1);
    let end = start + content.rfind(['}', ']']).map_or(0, |closer| closer + 1);
    let is_whole = region.at(end).skip_escaped_blanks().pos() == span.end - 1;
    if !is_whole || !region.opens_payload(start) || !region.is_string() {
        return;
    }
    let payload = start..end;
    match region.unescape(payload.clone()) {
        Some(edits) => found.push_edited(payload, edits),
        None => found.push(payload),
    }
}

fn missing_outer_braces(region: &Region<'_>, found: &mut Candidates) {
    if region.root() == Root::Array || !region.starts_with_member() {
        return;
    }
    let span = region.span();
    let opened = Edits::from(Edit::insert(span.start, "{"));
    let edits = if region.is_balanced() { opened.and(Edit::insert(span.end, "}")) } else { opened };
    found.push_edited(span, edits);
}

#[cfg(test)]
jsonseam_testkit::laws! {
    doubled_braces: DoubledBraces,
    escaped_payload: EscapedPayload,
    fullwidth_brackets: FullwidthBrackets,
    stringified_payload: StringifiedPayload,
    missing_outer_braces: MissingOuterBraces,
}
