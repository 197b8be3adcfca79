//! JSON within a call: as it is, or balanced or repaired up to the mark that ends the call.

use std::ops::Range;

use jsonseam_core::{Reason, Risk};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::balance::Tokens;
use crate::call::{calls_in, is_call};
use crate::cursor::{Cursor, Stop, trimmed};
use crate::members::{elements, members};
use crate::pack::Format;
use crate::reader::Reader;
use crate::weave::{Edit, Piece, Woven};

/// Says of a reading whether all of its members are where they belong; `None` if it is nothing that may be here.
type Judge<'j> = &'j dyn Fn(&Woven<'_>) -> Option<bool>;

impl<'a> Reader<'_, 'a> {
    /// The JSON container that starts at `start`: as it is, else repaired up to the first end of the format.
    pub(crate) fn json(&self, start: usize, format: &Format, judge: Judge<'_>) -> Result<(Woven<'a>, usize), Stop> {
        let at = Cursor::new(self.text, start);
        if !matches!(at.peek(), Some('{' | '[')) {
            return Err(at.stop());
        }
        let (end, is_whole) = self.value_end(start);
        let whole = || (Woven::new(self.text, vec![Piece::Keep(start..end)]), end);
        if is_whole && !self.goes_on(end) {
            return Ok(whole());
        }
        match self.balanced(start, format, judge)? {
            Some(balanced) => Ok(balanced),
            None if is_whole => Ok(whole()),
            None => self.doubled(start, format).map_or_else(|| self.repaired(start, format, judge), Ok),
        }
    }

    /// Where the JSON value that begins at `pos` ends, or ends to be JSON; and whether it is whole.
    pub(crate) fn value_end(&self, pos: usize) -> (usize, bool) {
        if let Some(end) = self.finder.kept_end(pos) {
            return (end, true);
        }
        let rest = self.text.get(pos..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let (len, is_whole) = match values.next() {
            Some(Ok(_)) => (values.byte_offset(), true),
            Some(Err(error)) => {
                let lines = rest.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
                (rest.len().min(lines.sum::<usize>() + error.column()), false)
            }
            None => (0, false),
        };
        self.finder.charge(len);
        (pos + len, is_whole)
    }

    /// Whether a closer or another member follows a whole value: a closer is too many.
    fn goes_on(&self, end: usize) -> bool {
        let mut at = Cursor::new(self.text, end);
        at.skip_blanks();
        if at.eat(",") {
            at.skip_blanks();
            return at.peek() == Some('"');
        }
        matches!(at.peek(), Some('}' | ']'))
    }

    /// The value with closers inserted or removed up to the end of the call; `None` if more than closers is wrong.
    /// Where closers alone are wrong, the one way that gives what may be here is taken, or of several the one whose members are all where they belong;
    /// else it is refused. At the end of the text, which is no mark, nothing is inserted (SPEC B3).
    fn balanced(&self, start: usize, format: &Format, judge: Judge<'_>) -> Result<Option<(Woven<'a>, usize)>, Stop> {
        let is_mark = |pos: usize| {
            let is_fence = self.text.get(pos..).is_some_and(|rest| rest.starts_with("```"));
            is_fence || format.ends.iter().any(|end| end.match_at(self.text, pos).is_ok())
        };
        let Some(tokens) = Tokens::read(self.text, start, is_mark) else { return Ok(None) };
        self.finder.charge(tokens.end - start);
        let is_in = |head: usize| head < tokens.end;
        if format.heads.iter().any(|head| self.finder.find(head.anchor(), start).is_some_and(is_in)) {
            return Ok(None);
        }
        let readings = tokens.readings();
        self.finder.charge(readings.len().saturating_mul(tokens.end - start));
        let readings: Vec<_> = readings.into_iter().filter(|reading| tokens.is_marked || reading.removes()).collect();
        if readings.is_empty() {
            return Ok(None);
        }
        let woven = readings.iter().map(|reading| Woven::new(self.text, reading.pieces(start, tokens.end)));
        one_of(woven, judge).map(|woven| Some((woven, tokens.end))).ok_or(Stop::Malformed(start))
    }

    /// An object in one pair of braces too many.
    fn doubled(&self, start: usize, format: &Format) -> Option<(Woven<'a>, usize)> {
        let mut at = Cursor::new(self.text, start + 1);
        at.skip_blanks();
        let inner = at.pos;
        let (end, is_whole) = if at.peek() == Some('{') { self.value_end(inner) } else { return None };
        at.pos = end;
        at.skip_blanks();
        let close = at.pos;
        if !is_whole || format.heads.is_empty() || !at.eat("}") {
            return None;
        }
        let edit = |pos: usize| Piece::Edit(Edit::new("doubled-braces", Risk::Likely, pos..pos + 1, String::new()));
        let pieces = vec![edit(start), Piece::Keep(start + 1..close), edit(close)];
        Some((Woven::new(self.text, pieces), at.pos))
    }

    fn repaired(&self, start: usize, format: &Format, judge: Judge<'_>) -> Result<(Woven<'a>, usize), Stop> {
        let ends = format.ends.iter().filter_map(|end| self.finder.find(end.anchor(), start));
        let marker = ends.min();
        let end = marker.unwrap_or(self.text.len());
        let malformed = if marker.is_some() { Stop::Malformed(start) } else { Stop::Cut };
        let heads = format.heads.iter().filter_map(|head| self.finder.find(head.anchor(), start));
        if let Some(head) = heads.min().filter(|&head| head < end) {
            return Err(Stop::RunsOver(head));
        }
        self.repaired_part(self.text, start..end, marker.is_some(), judge)
            .map_err(|stop| if stop == Stop::Cut { malformed } else { stop })
    }

    /// `text[span]`, which a mark ends, or the text if `is_marked` is false: repaired by rules; and where what was read ends.
    fn repaired_part<'t>(
        &self,
        text: &'t str,
        span: Range<usize>,
        is_marked: bool,
        judge: Judge<'_>,
    ) -> Result<(Woven<'t>, usize), Stop> {
        let start = span.start;
        let body = text.get(span).unwrap_or_default();
        self.finder.charge(body.len());
        let pipeline = self.pipeline.ok_or(Stop::Cut)?;
        let repaired = pipeline.repair(body).map_err(|error| match error.reason() {
            Reason::Truncated => Stop::Cut,
            _ => Stop::Malformed(start + error.position().map_or(0, |position| position.offset)),
        })?;
        let payload = repaired.payload();
        if payload.start != 0 {
            return Err(Stop::Malformed(start));
        }
        let mut pieces = Vec::new();
        let mut pos = start;
        for seam in repaired.edits() {
            let span = start + seam.span.start..start + seam.span.end;
            if pos < span.start {
                pieces.push(Piece::Keep(pos..span.start));
            }
            pos = span.end;
            pieces.push(Piece::Edit(Edit::new(seam.rule, seam.risk, span, seam.replacement.to_owned())));
        }
        let end = start + payload.end;
        if pos < end {
            pieces.push(Piece::Keep(pos..end));
        }
        let woven = Woven::new(text, pieces);
        if repaired.is_truncated() && !(is_marked && is_closed_alone(&woven, judge)) {
            return Err(Stop::Cut);
        }
        Ok((woven, end))
    }

    /// A broken object or array that is all of a part of a text, with a fence around it or not: balanced, or repaired. `None` if it cannot be read;
    /// refused if closers alone are wrong, and can be repaired in more than one way.
    pub(crate) fn broken_value<'t>(
        &self,
        text: &'t str,
        span: Range<usize>,
        judge: Judge<'_>,
    ) -> Result<Option<Woven<'t>>, Stop> {
        let span = without_fence(text, trimmed(text, span));
        let part = text.get(..span.end).unwrap_or_default();
        if !part.get(span.start..).is_some_and(|part| part.starts_with(['{', '['])) {
            return Ok(None);
        }
        if let Some(tokens) = Tokens::read(part, span.start, |_| false) {
            let readings = tokens.readings();
            self.finder.charge(readings.len().saturating_mul(span.len()) + span.len());
            let woven = readings.iter().map(|reading| Woven::new(text, reading.pieces(span.start, tokens.end)));
            if !readings.is_empty() {
                return one_of(woven, judge).map(Some).ok_or(Stop::Malformed(span.start));
            }
        }
        let repaired = self.repaired_part(text, span.clone(), true, judge).ok();
        Ok(repaired.filter(|(woven, end)| *end == span.end && judge(woven).is_some()).map(|(woven, _)| woven))
    }

    /// Whether a value is calls, and all that is in them is at its place: the head and what is about the call, and arguments that the tools declare.
    pub(crate) fn judged_calls(&self, value: &Woven<'_>, format: &Format) -> Option<bool> {
        let calls = calls_in(self, value, &format.row, 0).ok()?;
        let is_one = |text: &str| {
            let is_short = || format.row.short && members(text).is_some_and(|members| members.len() == 1);
            is_call(text, &format.row) || is_short()
        };
        let is_plain = match elements(&value.text) {
            Some(list) => list.into_iter().all(|one| is_one(value.text.get(one).unwrap_or_default())),
            None => is_one(&value.text),
        };
        let is_at_home = calls.into_iter().all(|call| {
            let object: Value = serde_json::from_str(&Woven::new(value.source, call.pieces).text).unwrap_or_default();
            self.tools.places(&call.name, object.get("arguments").unwrap_or(&Value::Null))
        });
        Some(is_plain && is_at_home)
    }

    /// Whether a value is an object of arguments that the tool declares.
    pub(crate) fn judged_arguments(&self, value: &Woven<'_>, tool: &str) -> Option<bool> {
        let arguments: Value = serde_json::from_str(&value.text).ok()?;
        arguments.is_object().then(|| self.tools.places(tool, &arguments))
    }
}

/// Of readings with several values the one whose members are all where they belong; of readings with one value, that.
fn one_of<'t>(readings: impl Iterator<Item = Woven<'t>>, judge: Judge<'_>) -> Option<Woven<'t>> {
    let mut known: Vec<(Vec<u8>, Woven<'t>, bool)> = Vec::new();
    for woven in readings {
        let value = compact(&woven.text);
        if known.iter().all(|(other, ..)| *other != value)
            && let Some(is_at_home) = judge(&woven)
        {
            known.push((value, woven, is_at_home));
        }
    }
    if known.len() > 1 {
        known.retain(|(.., is_at_home)| *is_at_home);
    }
    let (_, one, _) = known.pop()?;
    known.is_empty().then_some(one)
}

fn compact(text: &str) -> Vec<u8> {
    let mut compact = Vec::with_capacity(text.len());
    jsonseam_text::push_compact(text, &mut compact);
    compact
}

/// Whether the last edit closes what is open, the closers can be nowhere else, and no value is ended by the edits there.
fn is_closed_alone(repaired: &Woven<'_>, judge: Judge<'_>) -> bool {
    let is_closers = |edit: &Edit| edit.replacement.bytes().all(|byte| matches!(byte, b'}' | b']'));
    let mut inserted = repaired.pieces.iter().rev().filter_map(|piece| match piece {
        Piece::Edit(edit) if !edit.replacement.is_empty() => Some(edit),
        _ => None,
    });
    let Some(last) = inserted.next().filter(|edit| is_closers(edit)) else { return false };
    // A string that the mark ends was cut, as its value may go on (SPEC B3).
    if inserted.next().is_some_and(|edit| edit.span.end >= last.span.start && !is_closers(edit)) {
        return false;
    }
    let Some(open) = repaired.text.strip_suffix(last.replacement.as_str()) else { return false };
    let Some(tokens) = Tokens::read(open, 0, |_| false) else { return false };
    let readings = tokens.readings().into_iter();
    let one = one_of(readings.map(|reading| Woven::new(open, reading.pieces(0, tokens.end))), judge);
    one.is_some_and(|one| compact(&one.text) == compact(&repaired.text))
}

/// `span` without a fence around what it holds.
fn without_fence(text: &str, span: Range<usize>) -> Range<usize> {
    let part = text.get(span.clone()).unwrap_or_default();
    let inner = part.strip_prefix("```").and_then(|part| part.strip_suffix("```"));
    let Some(inner) = inner.map(|inner| inner.trim_start_matches(char::is_alphanumeric)) else { return span };
    let end = span.end - "```".len();
    trimmed(text, end - inner.len()..end)
}
