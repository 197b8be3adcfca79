//! Brackets of a completion: which open a payload, and which are part of the prose (SPEC P2, P3, B4).

use std::cell::OnceCell;
use std::ops::Range;

use jsonseam_core::{
    Ahead, Block, Candidates, CountedText, ESCAPED_BLANKS, Region, Root, brackets_end, is_quote, opens_index, unclosed,
    value_end,
};

use super::prose::{empty_pair_end, escaped_end, interval_end, is_last_of_prose, is_quoted, pair_end};

/// Where the payload of the wanted root starts: the first `{` or `[` that is more than a mention in prose.
///
/// An empty pair within a line of prose is not a payload, and an opener that is the last byte of prose neither.
/// A wholly escaped text in prose is one only if no clean payload follows it.
pub fn payload_start(region: &Region<'_>) -> Option<usize> {
    let start = region.span().start;
    if lacks_braces(region) {
        return None;
    }
    let known = OnceCell::new();
    let is_list_last = || {
        let last = || region.rfind(b'[').map(|last| last - start);
        *known.get_or_init(|| last().is_some_and(|last| cited_end(region.text(), last).is_none()))
    };
    let mut from = start;
    loop {
        let opener = first_opener(region, from, &is_list_last)?;
        // What begins a region is a part of nothing before it.
        if opener == start && !is_empty_pair(region.at(opener)) {
            return Some(start);
        }
        let (text, at) = (region.text(), opener - start);
        if let Some(end) = empty_pair_end(text, at).or_else(|| part_end(text, at)) {
            from = start + end;
        } else if is_last_of_prose(text, at) {
            return None;
        } else {
            let mut clean = escaped_end(text, at).ok().and_then(|end| region.next_value(start + end));
            while let Some(part) = clean.take_if(|clean| part_end(text, clean.start - start).is_some()) {
                clean = region.next_value(part.end);
            }
            return Some(clean.map_or(opener, |clean| clean.start));
        }
    }
}

/// Whether nothing but white space is between the opener that comes next and the closer after it.
fn is_empty_pair(mut next: Ahead<'_>) -> bool {
    let opener = next.bump();
    next.take_while(char::is_whitespace);
    matches!((opener, next.peek()), (Some('{'), Some('}')) | (Some('['), Some(']')))
}

/// Like [`payload_start`], where a payload in quotes (`` `{"a": 1}` ``) loses to a complete one that follows it without (SPEC P2).
pub fn unquoted_payload_start(region: &Region<'_>) -> Option<usize> {
    let start = payload_start(region)?;
    let offset = region.span().start;
    let is_touched = start > offset && region.at(start).char_before().is_some_and(is_quote);
    if !is_touched {
        return Some(start);
    }
    let text = region.text();
    let is_in_quotes = |value: &Range<usize>| is_quoted(text, &(value.start - offset..value.end - offset));
    let mut values = std::iter::successors(region.next_value(start), |value| region.next_value(value.end));
    let is_quotation = values.next().is_some_and(|first| first.start == start && is_in_quotes(&first));
    let clean = if is_quotation { values.find(|value| !is_in_quotes(value)) } else { None };
    Some(clean.map_or(start, |clean| clean.start))
}

/// Where the payload starts if brackets of the prose come before it, like those of a formula (`\frac{1}{2}`), a placeholder or a block of code:
/// the first opener that is not one of them. `None` if there are no such brackets, or nothing but them.
///
/// An object that is in an array is not a payload where an object is wanted (SPEC P3): then there is none either.
pub fn payload_start_after_prose(region: &Region<'_>) -> Option<usize> {
    let start = region.span().start;
    // Most often the first key of an object comes next, and the pair is no prose.
    let first = region.find("{", start).filter(|&first| !opens_with_quote(region, first))?;
    let text = region.text();
    let mut formula_end = 0;
    let mut object = first;
    while let Some(end) = pair_end(text, object - start, &mut formula_end) {
        object = region.find("{", start + end)?;
    }
    if object == first || is_last_of_prose(text, object - start) || part_end(text, object - start).is_some() {
        return None;
    }
    match region.root() {
        Root::Object if region.is_element_at(object) => None,
        Root::Object => Some(object),
        Root::Any => unclosed_list(region, start, object).or(Some(object)),
        Root::Array => None,
    }
}

/// Whether a quote follows the bracket at `opener`, white space aside.
pub fn opens_with_quote(region: &Region<'_>, opener: usize) -> bool {
    region.at(opener + 1).skip_json_space().starts_with("\"")
}

/// Whether what is at `block` belongs to a payload that began before it: a fence or a tag in a string, or between brackets.
///
/// A whole block, with `body` from an opening bracket to a closing one, wins over brackets of the prose before it, balanced or not (SPEC P2):
/// it belongs to a payload only if a string is open there, a member follows the open bracket, or the text continues after the block as a payload would.
pub fn is_inside_payload(region: &Region<'_>, block: usize, body: &Range<usize>) -> bool {
    let Some(opener) = region.open_bracket_at(block) else { return false };
    let is_whole = is_bracketed(region, body) && {
        let blanks = region.at(body.end).before_while(char::is_whitespace);
        matches!(region.at(body.end - blanks.len()).char_before(), Some('}' | ']'))
    };
    if !is_whole || region.is_string_open_at(block) {
        return true;
    }
    let (mut first, mut after) = (region.at(opener + 1), region.at(body.end));
    first.take_while(char::is_whitespace);
    after.take_while(|char| matches!(char, '`' | '~'));
    after.take_while(char::is_whitespace);
    let is_payload = first.pos() >= block || matches!(first.peek(), Some('"' | '\'' | '{')) || first.has_key();
    is_payload || matches!(after.peek(), Some(',' | '}' | ']' | '"'))
}

/// Whether the text of `span`, white space aside, starts with `{` or `[`.
pub fn is_bracketed(region: &Region<'_>, span: &Range<usize>) -> bool {
    let mut start = region.at(span.start);
    start.take_while(char::is_whitespace);
    start.pos() < span.end && matches!(start.peek(), Some('{' | '['))
}

/// Adds the fenced blocks of a region that begin with a bracket and are wanted: the first one, or all of them where every candidate counts.
/// There are none if the first of them belongs to a payload before it.
pub fn push_bracketed_blocks(region: &Region<'_>, found: &mut Candidates, is_wanted: impl Fn(&Block) -> bool) {
    let mut blocks = region.fenced_blocks();
    blocks.retain(|block| is_wanted(block) && is_bracketed(region, &block.body));
    push_blocks(region, found, blocks.into_iter().map(|block| (block.start, block.body)).collect());
}

/// Adds blocks, each with where its fence or tag starts and its body: the first one, or all of them where every candidate counts.
/// Adds nothing if the first of them belongs to a payload before it.
pub fn push_blocks(region: &Region<'_>, found: &mut Candidates, mut blocks: Vec<(usize, Range<usize>)>) {
    if blocks.first().is_none_or(|(start, body)| is_inside_payload(region, *start, body)) {
        return;
    }
    if region.wants_first_only() {
        blocks.truncate(1);
    }
    for (_, body) in &blocks {
        found.push(body.clone());
    }
    pass_over_outside(region, blocks.into_iter().map(|(start, body)| start..body.end), found);
}

/// Passes over the text of a region outside `parts`, which are in order, wherever it holds a bracket: with the policy `best` it counts where it fits the
/// contract better, and what it holds is never dropped silently (SPEC B4). With the policy `first` there is nothing to pass over.
pub fn pass_over_outside(region: &Region<'_>, parts: impl Iterator<Item = Range<usize>>, found: &mut Candidates) {
    if region.wants_first_only() {
        return;
    }
    let span = region.span();
    let mut from = span.start;
    for part in parts.chain(std::iter::once(span.end..span.end)) {
        if from < part.start && region.slice(from..part.start).contains(['{', '[']) {
            found.push_passed_over(from..part.start);
        }
        from = from.max(part.end);
    }
}

/// Where the first bracketed text of the wanted root is that is more than a mention in prose.
pub fn first_bracketed(region: &Region<'_>) -> Option<usize> {
    payload_start_after_prose(region).or_else(|| payload_start(region))
}

/// The spans of all bracketed texts of the wanted root that are more than a mention in prose, disjoint, in one pass that knows double-quoted strings.
/// The last one reaches to the region's end if it is not closed, closed wrongly, or not ended by its closer (SPEC P2).
/// Those in quotes, or wholly escaped, are left out if there are others.
pub fn bracketed(region: &Region<'_>) -> Vec<Range<usize>> {
    let Some(first) = first_bracketed(region) else { return Vec::new() };
    let offset = region.span().start;
    let text = region.text();
    let (mut spans, quoted) = spans(region, text, first - offset);
    if spans.is_empty() {
        spans = quoted;
    }
    let is_object = |span: &Range<usize>| text[span.start..].starts_with('{');
    if region.root() == Root::Any && spans.iter().any(is_object) {
        // Beside an object, a bracket pair of words and numbers is a citation or a remark (SPEC P3).
        spans.retain(|span| is_object(span) || text[span.clone()].contains(['{', '"', '\'']));
    }
    spans.into_iter().map(|span| offset + span.start..offset + span.end).collect()
}

/// How many bytes may be read in vain for the ends of escaped texts, beside four for each byte that lies before them.
const IN_VAIN: usize = 64 << 10;

/// The bracketed texts from `first` on, and those of them that are in quotes or wholly escaped.
fn spans(region: &Region<'_>, text: &str, first: usize) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (bytes, offset) = (text.as_bytes(), region.span().start);
    let (mut spans, mut quoted) = (Vec::new(), Vec::new());
    let (mut from, mut formula_end, mut in_vain) = (first, 0, 0);
    while let Some(opener) = bytes[from..].iter().position(|byte| matches!(byte, b'{' | b'[')) {
        let pos = from + opener;
        from = pos + 1;
        let is_wanted = region.root().opens(bytes[pos]);
        let prose = if pos > first { prose_end(text, pos, &mut formula_end) } else { None };
        // Any opener may begin an escaped text that never ends, and each would be read to the end of the region.
        let may_be_escaped = pos > 0 && is_wanted && in_vain <= IN_VAIN + 4 * (pos - first);
        let escaped = may_be_escaped.then(|| escaped_end(text, pos));
        in_vain += escaped.and_then(Result::err).map_or(0, |end| end - pos);
        let escaped = escaped.and_then(Result::ok);
        if let Some(end) = prose.or(escaped) {
            from = end.max(from);
            quoted.extend(escaped.filter(|_| prose.is_none()).map(|end| pos..end));
        } else if is_wanted {
            // What follows a closer of the wrong kind belongs to this payload too, and is not a candidate of its own.
            let end = brackets_end(bytes, pos).filter(|end| region.root_has_ended(offset + pos, offset + end));
            let span = pos..end.unwrap_or(text.len());
            from = span.end;
            if end.is_some() && is_quoted(text, &span) { quoted.push(span) } else { spans.push(span) }
        }
    }
    (spans, quoted)
}

/// Where the brackets that open at `pos` end, if they are part of the prose.
fn prose_end(text: &str, pos: usize, formula_end: &mut usize) -> Option<usize> {
    if is_last_of_prose(text, pos) {
        return Some(text.len());
    }
    let pair = if text[pos..].starts_with('{') { pair_end(text, pos, formula_end) } else { interval_end(text, pos) };
    pair.or_else(|| empty_pair_end(text, pos)).or_else(|| part_end(text, pos))
}

/// Where the brackets that open at `pos` end, if they are part of something that is not a payload (SPEC P2): an object torn from its key,
/// which begins its line or follows a tag, `{`, `[` or `,`, or is escaped; or an index.
fn part_end(text: &str, pos: usize) -> Option<usize> {
    let before = text[..pos].trim_end();
    let is_escaped = without_escaped_blanks(before)
        .strip_suffix(':')
        .is_some_and(|key| without_escaped_blanks(key).ends_with("\\\""));
    let is_torn = || {
        let (line, _) = before.strip_suffix(':')?.trim_end().strip_suffix('"')?.rsplit_once(['"', '\n'])?;
        let is_key = text[line.len()..].starts_with('"');
        let blanks = line.trim_end_matches([' ', '\t']);
        Some(
            is_key
                && (blanks.is_empty() || blanks.ends_with(['\n', '>']) || blanks.trim_end().ends_with(['{', '[', ','])),
        )
    };
    (opens_index(text.as_bytes(), pos) || is_escaped || is_torn() == Some(true))
        .then(|| value_end(text.as_bytes(), pos))
}

/// The text without white space at its end, spelled as escapes or not.
pub fn without_escaped_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_end();
        match ESCAPED_BLANKS.iter().find_map(|blank| text.strip_suffix(blank)) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

/// Whether a region begins with members whose braces are missing: brackets after them are in their values, if any.
fn lacks_braces(region: &Region<'_>) -> bool {
    let start = region.at(region.span().start);
    let is_quoted = start.peek().is_some_and(is_quote);
    let value = is_quoted.then(|| start.key_end()).flatten().and_then(|key| key.past(":"));
    value.is_some_and(|value| !matches!(value.peek(), Some('{' | '[')) && value.has_last_value_of_member())
}

/// The first opener of the wanted root from `from` on.
fn first_opener(region: &Region<'_>, from: usize, is_list_last: &dyn Fn() -> bool) -> Option<usize> {
    let start = region.span().start;
    match region.root() {
        Root::Object => region.find("{", from),
        Root::Array => first_list(region, from, is_list_last),
        // A bracket pair in prose before an object is a citation; an unclosed one holds the object,
        // and one that the text starts with, and that no word follows, is a payload of its own.
        Root::Any => match region.find("{", from) {
            Some(object) => {
                let before = region.slice(from..object);
                let is_payload = from == start
                    && before.starts_with('[')
                    && interval_end(region.text(), 0).is_none()
                    && before.rfind(']').is_none_or(|end| !before[end..].contains(char::is_alphanumeric));
                if is_payload { Some(start) } else { unclosed_list(region, from, object).or(Some(object)) }
            }
            None => first_list(region, from, is_list_last),
        },
    }
}

/// The first `[` from `from` on that opens no interval, and no citation if the last one opens a list.
fn first_list(region: &Region<'_>, mut from: usize, is_list_last: &dyn Fn() -> bool) -> Option<usize> {
    let start = region.span().start;
    loop {
        let opener = region.find("[", from)?;
        let (text, pos) = (region.text(), opener - start);
        match interval_end(text, pos)
            .or_else(|| cited_end(text, pos).filter(|_| is_list_last()))
            .or_else(|| opens_index(text.as_bytes(), pos).then(|| value_end(text.as_bytes(), pos)))
        {
            Some(end) => from = start + end,
            None => return Some(opener),
        }
    }
}

/// Where the brackets at `pos` end, if they cite a source: a short number after a word on the same line (`see [12]`).
fn cited_end(text: &str, pos: usize) -> Option<usize> {
    let digits = text[pos + 1..].bytes().take_while(u8::is_ascii_digit).take(4).count();
    let end = pos + 1 + digits;
    let follows_word = text[..pos].strip_suffix(' ').is_some_and(|text| text.ends_with(char::is_alphabetic));
    (follows_word && (1..=3).contains(&digits) && text[end..].starts_with(']')).then_some(end + 1)
}

/// The outermost `[` between `from` and `end` that is not closed there and opens no interval. Inside brackets, double quotes hide other brackets.
fn unclosed_list(region: &Region<'_>, from: usize, end: usize) -> Option<usize> {
    if from == end {
        return None;
    }
    let (text, start) = (region.text(), region.span().start);
    let at = from - start;
    let passed = |pos: usize| {
        let pos = at + pos;
        let end = if opens_index(text.as_bytes(), pos) { Some(pos + 1) } else { interval_end(text, pos) };
        end.map(|end| end - at)
    };
    unclosed(&text.as_bytes()[at..end - start], b"[", passed).map(|opener| from + opener)
}

/// Whether a key in double quotes and its colon are at `pos`.
pub fn member_is_at(text: &str, pos: usize) -> bool {
    let text = CountedText::new(text);
    text.at(pos).starts_with("\"") && text.at(pos).has_key()
}
