//! Where a raw value ends: it may hold the marks that end it, and its own end may be misspelt, doubled or missing.
//!
//! Invariant: a value is read whole or refused. Where the text can be read in two ways, it is refused (SPEC L1).

use std::ops::Range;

use super::{first_match, next_match, skip_spelled_blanks};
use crate::cursor::{Cursor, Stop};
use crate::pack::Format;
use crate::reader::Reader;
use crate::template::Template;

/// How many lines with nothing but an end mark may follow a value. With more of them, what the value was is unknown.
const MAX_END_LINES: usize = 4;
/// The longest that a misspelt end mark may be beyond the right one, in bytes.
const MAX_MISSPELT: usize = 64;
/// How far the end of a tag is looked for, in bytes.
const MAX_TAG: usize = 256;

/// The raw value of one argument.
pub(super) struct Raw<'v, 'r, 'a> {
    pub(super) reader: &'v Reader<'r, 'a>,
    pub(super) format: &'v Format,
    /// The tool that is called.
    pub(super) tool: &'v str,
    /// The name of the argument.
    pub(super) key: &'v str,
}

/// Where a value ends.
struct End {
    pos: usize,
    /// Where its end mark ends.
    next: usize,
    /// Whether it has no end mark.
    is_open: bool,
}

impl<'a> Raw<'_, '_, 'a> {
    /// Where the value that starts here is; passes over it and its end.
    pub(super) fn span(&self, at: &mut Cursor<'a>) -> Result<Range<usize>, Stop> {
        let start = at.pos;
        let section = self.section(start)?;
        let end = match section {
            Some(end) => self.closed_end(end, at.text.len())?,
            None if self.format.row.argument_end_optional => self.optional_end(start)?,
            None => self.closed_end(start, at.text.len())?,
        };
        self.reader.finder.charge(end.pos - start);
        self.holds_no_head(start..end.pos)?;
        let value = start..self.without_end_lines(start, end.pos);
        if section.is_none() {
            self.holds_no_end(value.clone(), end.is_open)?;
        }
        at.pos = end.next;
        Ok(value)
    }

    fn text(&self, span: Range<usize>) -> &'a str {
        self.reader.text.get(span).unwrap_or_default()
    }

    /// The end of the section of character data that the value is, where the format has them: what is in it is no mark.
    fn section(&self, start: usize) -> Result<Option<usize>, Stop> {
        let rest = self.reader.text.get(start..).unwrap_or_default();
        if !self.format.row.cdata || !rest.trim_start().starts_with("<![CDATA[") {
            return Ok(None);
        }
        self.reader.finder.find("]]>", start).map(Some).ok_or(Stop::Cut)
    }

    /// The first end mark before `limit` that an argument or the end of the call follows.
    fn closed_end(&self, start: usize, limit: usize) -> Result<End, Stop> {
        let mut ahead = Cursor::new(self.reader.text, start);
        while let Some((pos, found)) = next_match(self.reader.finder, &self.format.argument_ends, &ahead, limit) {
            if goes_on(&Cursor::new(ahead.text, found.end), self.format) {
                return Ok(End { pos, next: found.end, is_open: false });
            }
            ahead.pos = found.end;
        }
        let is_cut = ahead.pos == start || ahead.rest().trim().is_empty();
        Err(if is_cut { Stop::Cut } else { Stop::Malformed(ahead.pos) })
    }

    /// The end of a value whose end mark may be missing: then the next argument or the end of the call ends it, if it has the layout of one.
    fn optional_end(&self, start: usize) -> Result<End, Stop> {
        let (finder, text) = (self.reader.finder, self.reader.text);
        let at = Cursor::new(text, start);
        let argument = next_match(finder, &self.format.arguments, &at, text.len()).map(|(pos, _)| pos);
        let head = next_match(finder, &self.format.heads, &at, argument.unwrap_or(text.len())).map(|(pos, _)| pos);
        let bound = head.or(argument).unwrap_or(text.len());
        let closed = self.closed_end(start, bound);
        let limit = closed.as_ref().map_or(bound, |end| end.pos);
        let open = |pos: usize| End { pos, next: pos, is_open: true };
        if let Some((pos, end)) = next_match(finder, &self.format.ends, &at, limit) {
            let may_end = self.begins_as_mark(start, pos) && self.ends_as_mark(end.end);
            return match closed {
                // The value may hold the end of the call, or its own end may be missing and another one too many.
                Ok(_) if may_end => Err(Stop::RunsOver(pos)),
                Err(_) if may_end => Ok(open(pos)),
                Err(_) if bound < text.len() => Err(Stop::RunsOver(pos)),
                closed => closed,
            };
        }
        match (closed, head, argument) {
            (Ok(end), ..) => Ok(end),
            (Err(_), Some(head), _) => Err(Stop::RunsOver(head)),
            (Err(_), None, Some(argument)) => {
                let may_end = self.begins_as_mark(start, argument) && self.is_declared(argument);
                if may_end { Ok(open(argument)) } else { Err(Stop::RunsOver(argument)) }
            }
            (Err(_), None, None) => Err(Stop::Cut),
        }
    }

    /// Whether the argument whose head is at `pos` may be one of the tool's.
    fn is_declared(&self, pos: usize) -> bool {
        let head = first_match(&self.format.arguments, &Cursor::new(self.reader.text, pos));
        let key = head.ok().flatten().and_then(|head| head.hole("key")).map(|key| self.text(key).trim());
        let tools = self.reader.tools;
        !tools.offers(self.tool) || key.is_some_and(|key| tools.shape(self.tool, key).is_some())
    }

    /// Whether a mark at `pos` is where a mark of the format would be: on a line of its own, or right after a value that began on the line of its head.
    fn begins_as_mark(&self, start: usize, pos: usize) -> bool {
        let before = self.text(start..pos);
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let is_block = before.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) || before.starts_with("\\n");
        let begins_line = line.trim().is_empty() || before.ends_with("\\n");
        begins_line || !is_block && !before.ends_with(char::is_whitespace)
    }

    /// Whether no prose goes on after a mark that ends at `pos`.
    fn ends_as_mark(&self, pos: usize) -> bool {
        let rest = self.text(pos..self.reader.text.len()).trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with(['\n', '\r', '<']) || rest.starts_with("\\n")
    }

    /// Refuses a value that holds the head of another call, or of another argument: an end is missing, and what the value was is unknown.
    fn holds_no_head(&self, value: Range<usize>) -> Result<(), Stop> {
        let at = Cursor::new(self.reader.text, value.start);
        let heads = [self.format.heads.as_slice(), &self.format.arguments].into_iter();
        let found = heads.filter_map(|heads| next_match(self.reader.finder, heads, &at, value.end));
        found.map(|(pos, _)| pos).min().map_or(Ok(()), |pos| Err(Stop::RunsOver(pos)))
    }

    /// The end of a value without the last lines that are nothing but an end mark, whole or misspelt.
    fn without_end_lines(&self, start: usize, end: usize) -> usize {
        let mut end = end;
        for _ in 0..MAX_END_LINES {
            let raw = self.text(start..end);
            let body = raw.trim_end();
            let mark = body.rsplit_once('\n').map_or(body, |(_, line)| line).trim_start();
            let before = body.get(..body.len() - mark.len()).unwrap_or_default();
            if !raw.contains('\n') || !self.is_end_mark(mark) || is_own(before, mark) {
                break;
            }
            end = start + before.len();
        }
        end
    }

    /// Refuses a value that holds an end mark where its own end would be: at the end of a line, or anywhere if it has no end of its own.
    /// Within a line it is text, and so is the end of an element that the value holds.
    fn holds_no_end(&self, value: Range<usize>, is_open: bool) -> Result<(), Stop> {
        for end in &self.format.argument_ends {
            let mut elements = Elements::new(end.anchor());
            let mut pos = value.start;
            while let Some(found) = self.reader.finder.find(end.anchor(), pos).filter(|&found| found < value.end) {
                elements.pass(self.text(pos..found));
                let next = end.match_at(self.reader.text, found).map_or(found + end.anchor().len(), |end| end.end);
                let rest = self.text(next..value.end.max(next)).trim_start_matches([' ', '\t']);
                if elements.depth == 0 && rest.trim_start().is_empty() {
                    return Err(Stop::RunsOver(found));
                }
                if elements.depth == 0 && (is_open || rest.starts_with(['\n', '\r'])) {
                    return Err(Stop::Malformed(found));
                }
                elements.pass(self.text(found..next));
                pos = next;
            }
        }
        let raw = self.text(value.clone()).trim_end();
        let tail = raw
            .rfind('<')
            .map(|at| raw.split_at(at))
            .filter(|(before, tail)| self.is_end_mark(tail) && !is_own(before, tail));
        tail.map_or(Ok(()), |(before, _)| Err(Stop::RunsOver(value.start + before.len())))
    }

    /// Whether a text is the end mark of an argument, whole or misspelt, or a tag that ends an element of the argument's name.
    fn is_end_mark(&self, text: &str) -> bool {
        let is_key = text.strip_prefix("</").and_then(|rest| rest.strip_suffix('>')) == Some(self.key);
        is_key || self.format.argument_ends.iter().map(Template::anchor).any(|end| is_spelling(text, end))
    }
}

/// Whether an argument or the end of the call follows, or nothing.
fn goes_on(at: &Cursor<'_>, format: &Format) -> bool {
    let mut rest = *at;
    skip_spelled_blanks(&mut rest);
    let mut known = format.arguments.iter().chain(&format.ends).chain(&format.late_ends);
    rest.rest().is_empty()
        || known.any(|template| matches!(template.match_at(rest.text, rest.pos), Ok(_) | Err(Stop::Cut)))
}

/// Refuses a call after whose end another end of an argument and of a call follow, and no head before them:
/// the last value may hold the first ends, and then it would be cut.
pub(crate) fn closes_once(reader: &Reader<'_, '_>, at: &Cursor<'_>, format: &Format) -> Result<(), Stop> {
    let heads = format.heads.iter().chain(&format.arguments);
    let next = heads.filter_map(|head| reader.finder.find(head.anchor(), at.pos)).min();
    let mut ahead = Cursor::new(reader.text, at.pos);
    let limit = next.unwrap_or(reader.text.len());
    while let Some((pos, found)) = next_match(reader.finder, &format.argument_ends, &ahead, limit) {
        ahead.pos = found.end;
        if goes_on(&ahead, format) {
            return Err(Stop::RunsOver(pos));
        }
    }
    Ok(())
}

/// Whether `text` is `end`, a longer or shorter spelling of it, or the same without its prefix: `</parameter1>`, `</param>`, `</parameter` for `</parameter>`.
fn is_spelling(text: &str, end: &str) -> bool {
    let stem = end.trim_end_matches(['>', '|', ':']);
    let local = stem.strip_prefix("</").and_then(|name| name.rsplit_once([':', '｜'])).map(|(_, name)| name);
    is_spelling_of(text, stem) || local.is_some_and(|name| is_spelling_of(text, &format!("</{}", name.trim_start())))
}

fn is_spelling_of(text: &str, stem: &str) -> bool {
    if let Some(tail) = text.strip_prefix(stem) {
        let tail = tail.strip_suffix('>').unwrap_or(tail).trim_end();
        let is_tag_char = |char: char| is_tag_char(char) || matches!(char, '=' | '/' | '|' | '"' | '\'');
        return tail.len() <= MAX_MISSPELT && tail.chars().all(is_tag_char);
    }
    let start = text.strip_suffix('>').map_or(text, |text| text.strip_suffix('/').unwrap_or(text));
    stem.starts_with(start) && 2 * start.len() > stem.len()
}

/// Whether a tag ends an element that begins in `before`: then it belongs to the value.
fn is_own(before: &str, mark: &str) -> bool {
    let mut elements = Elements::new(mark);
    elements.pass(before);
    elements.depth > 0
}

/// The elements of one name that are open in a text.
struct Elements<'m> {
    /// The name; empty for a mark that is no tag.
    name: &'m str,
    depth: usize,
}

impl<'m> Elements<'m> {
    /// The elements that `mark` ends, if it is such a tag. Nothing is open yet.
    fn new(mark: &'m str) -> Self {
        let name = mark.strip_prefix("</").unwrap_or_default();
        let end = name.find(|char| !is_tag_char(char)).unwrap_or(name.len());
        Self { name: name.get(..end).unwrap_or_default(), depth: 0 }
    }

    /// Passes over the tags in `text`.
    fn pass(&mut self, text: &str) {
        if self.name.is_empty() {
            return;
        }
        for (at, _) in text.match_indices('<') {
            let tag = text.get(at + 1..).unwrap_or_default();
            let (ends, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
            let Some(rest) = tag.strip_prefix(self.name).filter(|rest| !rest.starts_with(is_tag_char)) else {
                continue;
            };
            let end = rest.bytes().take(MAX_TAG).position(|byte| byte == b'>');
            let is_empty = end.and_then(|end| rest.get(..end)).is_some_and(|rest| rest.ends_with('/'));
            match (ends, is_empty) {
                (true, _) => self.depth = self.depth.saturating_sub(1),
                (false, true) => {}
                (false, false) => self.depth += 1,
            }
        }
    }
}

fn is_tag_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':' | '｜')
}
