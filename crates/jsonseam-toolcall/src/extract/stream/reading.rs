//! Bodies as they come, and the whole text at its end.

use jsonseam_text::floor_char_boundary;
use serde_json::value::RawValue;

use super::body::{State, Value};
use super::ends::first_end;
use super::event::CallEvent;
use super::settled::{Ready, Rules};
use super::told::{Read, Told, arguments_of};
use super::{CallStream, Json, Phase, Whole, is_sure};
use crate::call::{Call, calls_in};
use crate::cursor::{Finder, Stop};
use crate::envelope::{Error, Reading};
use crate::extract::scan::reads;
use crate::extract::{Found, Pass};
use crate::pack::{Body, Format};
use crate::template::Template;
use crate::weave::{Piece, Woven};

/// What follows a value that is balanced.
enum After {
    /// Nothing yet.
    Wait,
    /// More of what is broken.
    Broken,
    /// Another value of the same body, at this place.
    Value(usize),
    Other,
}

impl CallStream {
    /// Goes on with a body of JSON.
    pub(super) fn in_json(&mut self, text: &str, mut json: Box<Json>) -> (Phase, bool) {
        let Some(format) = self.own.packs.formats.get(json.format).cloned() else { return (Phase::Lost, false) };
        if json.is_broken {
            return self.at_end_mark(text, json, &format);
        }
        if json.closed.is_none() {
            let rules = Rules { format: &format, tools: &self.own.tools, name: json.name.as_deref() };
            let from = json.value.read_to();
            let state = json.value.read(rules, text);
            // The body is scanned, repaired, and read for its calls.
            self.look(3 * (json.value.read_to() - from));
            self.tell_ready(text, &json, &format);
            match state {
                State::Open => return (Phase::Json(json), false),
                State::Ended => json.is_broken = true,
                State::Closed(end) => {
                    let value = text.get(json.value.start..end).unwrap_or_default();
                    self.look(2 * value.len());
                    json.is_broken = serde_json::from_str::<&RawValue>(value).is_err();
                    (json.closed, json.blank_to) = (Some(end), end);
                }
            }
        }
        let Some(end) = json.closed.filter(|_| !json.is_broken) else { return (Phase::Json(json), true) };
        let from = json.blank_to;
        let after = after(text, &mut json, &format);
        self.look(json.blank_to - from);
        match after {
            After::Wait => (Phase::Json(json), false),
            After::Broken => {
                json.is_broken = true;
                (Phase::Json(json), true)
            }
            After::Value(_) | After::Other => {
                if !self.read_value(text, &json, end, &format) {
                    return (Phase::Lost, false);
                }
                if let After::Value(start) = after {
                    json.value = Value::new(start, self.own.pipeline.as_ref());
                    (json.closed, json.begun) = (None, self.told.len());
                    return (Phase::Json(json), true);
                }
                self.after_value(text, json.head..end, &format)
            }
        }
    }

    /// Tells what is settled of the calls of the value that is read.
    fn tell_ready(&mut self, text: &str, json: &Json, format: &Format) {
        let settled = json.value.text(text);
        for (nth, Ready { name, arguments }) in json.value.settled.ready.iter().enumerate() {
            let index = json.begun + nth;
            if index == self.told.len() {
                Told::begin(&mut self.told, &mut self.events, name.clone(), &format.name, json.head);
            }
            if let Some(told) = self.told.get_mut(index) {
                let from = arguments.start + told.arguments.len();
                let piece = settled.get(from..arguments.end).unwrap_or_default().to_owned();
                told.go_on(index, &piece, &mut self.events);
            }
        }
    }

    /// Tells the calls of a value that is strict JSON; false if that is left to the whole text.
    fn read_value(&mut self, text: &str, json: &Json, end: usize, format: &Format) -> bool {
        let raw = text.get(json.value.start..end).unwrap_or_default();
        let finder = Finder::new(raw);
        let reader = self.own.reader(raw, &finder);
        let read =
            |name: String, arguments: String| Read { name, arguments, format: format.name.clone(), at: json.head };
        let calls: Option<Vec<_>> = if let Some(name) = &json.name {
            Some(vec![read(name.clone(), raw.to_owned())])
        } else {
            // After the first value, only what is like a call is one.
            if json.begun > json.base && !reader.is_like_call(0, false) {
                return false;
            }
            let value = Woven::new(raw, vec![Piece::Keep(0..raw.len())]);
            let calls = calls_in(&reader, &value, &format.row, 0).unwrap_or_default();
            calls.iter().map(|call| Some(read(call.name.clone(), arguments_of(call, raw)?))).collect()
        };
        let is_list = raw.starts_with('[') && format.row.single;
        let calls = calls.filter(|calls| !calls.is_empty() && !is_list);
        calls.is_some_and(|calls| self.complete(json.begun, &calls))
    }

    /// Tells the rest of these calls, the first of which is the `base`th; false if they are not those that were told.
    fn complete(&mut self, base: usize, calls: &[Read]) -> bool {
        let is_offered = calls.iter().all(|call| !self.own.tools.forbids(&call.name));
        let is_all = base + calls.len() >= self.told.len();
        is_offered
            && is_all
            && calls
                .iter()
                .enumerate()
                .all(|(nth, call)| Told::complete(&mut self.told, &mut self.events, base + nth, call))
    }

    /// Looks for the mark that ends a body in which more than strict JSON is.
    fn at_end_mark(&mut self, text: &str, mut json: Box<Json>, format: &Format) -> (Phase, bool) {
        let longest = format.ends.iter().map(|end| end.anchor().len()).max().unwrap_or(1);
        self.look(text.len() - json.scanned);
        let Some((at, end)) = first_end(format.ends.iter(), text, json.scanned) else {
            json.scanned = floor_char_boundary(text, text.len().saturating_sub(longest).max(json.scanned));
            return (Phase::Json(json), false);
        };
        let Some(end) = end else {
            json.scanned = at;
            return (Phase::Json(json), false);
        };
        let slice = text.get(json.head..end).unwrap_or_default();
        self.look(slice.len());
        let Some((format, calls, end)) = self.read_head(slice) else { return (Phase::Lost, false) };
        let read = self.as_read(&calls, slice, &format, json.head);
        if !read.is_some_and(|read| self.complete(json.base, &read)) {
            return (Phase::Lost, false);
        }
        self.after_call(json.head..json.head + end)
    }

    /// The calls whose head `slice` begins with, in the first format that reads them; and where they end.
    fn read_head(&self, slice: &str) -> Option<(String, Vec<Call>, usize)> {
        let finder = Finder::new(slice);
        let reader = self.own.reader(slice, &finder);
        for format in &self.own.packs.formats {
            for read in reads(&reader, format, 0) {
                match read.outcome {
                    Ok((calls, end)) => return Some((format.name.clone(), calls, end)),
                    Err(Stop::Repeated(_) | Stop::RunsOver(_)) => return None,
                    Err(_) => {}
                }
            }
        }
        None
    }

    fn as_read(&self, calls: &[Call], source: &str, format: &str, at: usize) -> Option<Vec<Read>> {
        let read = |call: &Call| {
            let arguments = arguments_of(call, source)?;
            Some(Read { name: call.name.clone(), arguments, format: format.to_owned(), at })
        };
        let format = self.own.packs.formats.iter().find(|known| known.name == format)?;
        let calls: Vec<_> = calls.iter().map(read).collect::<Option<_>>()?;
        // Whether such a name without arguments is a call depends on what precedes it.
        let is_name_alone = |call: &Read| call.arguments == "{}" && format.row.alone_at_start;
        let is_doubtful = self.own.tools.is_empty() && calls.iter().any(is_name_alone);
        (!calls.is_empty() && !is_doubtful).then_some(calls)
    }

    /// Reads a call where a mark is that may end it.
    pub(super) fn in_whole(&mut self, text: &str, mut whole: Whole) -> (Phase, bool) {
        let longest = whole.ends.iter().map(String::len).max().unwrap_or(1);
        let rest = text.as_bytes().get(whole.scanned..).unwrap_or_default();
        self.look(rest.len());
        let find = |end: &String| Some(memchr::memmem::find(rest, end.as_bytes())? + end.len());
        let Some(len) = whole.ends.iter().filter_map(find).min() else {
            whole.scanned = floor_char_boundary(text, text.len().saturating_sub(longest).max(whole.scanned));
            self.in_values(text, &mut whole);
            return (Phase::Whole(whole), false);
        };
        let end = whole.scanned + len;
        whole.scanned = end;
        if !whole.read.allows(end - whole.at) {
            return (Phase::Whole(whole), true);
        }
        let slice = text.get(whole.at..end).unwrap_or_default();
        self.look(slice.len());
        let Some(Found { span, format, calls }) = self.found_in(slice) else {
            return (Phase::Whole(whole), true);
        };
        let known = self.own.packs.formats.iter().find(|known| known.name == format);
        let ends_here = |format: &&Format| {
            format.ends.iter().any(|end| {
                let at = slice.get(span.clone()).and_then(|call| call.rfind(end.anchor()));
                at.is_some_and(|at| end.match_at(slice, span.start + at).is_ok_and(|found| found.end == span.end))
            })
        };
        let is_read =
            |format: &&Format| is_sure(format) && !matches!(format.row.body, Body::Python | Body::Bare | Body::Text);
        let Some(known) = known.filter(is_read) else { return (Phase::Lost, false) };
        if !ends_here(&known) {
            return (Phase::Whole(whole), true);
        }
        let read = self.as_read(&calls, slice, &format, whole.at + span.start);
        if !read.is_some_and(|read| self.complete(whole.index, &read)) {
            return (Phase::Lost, false);
        }
        self.after_call(whole.at + span.start..whole.at + span.end)
    }

    /// The first call of a text that nothing else is in.
    fn found_in(&self, slice: &str) -> Option<Found> {
        let finder = Finder::new(slice);
        let reader = self.own.reader(slice, &finder);
        let pass = self.own.scan(&reader, None, 0..slice.len(), Pass::new(slice, 0..slice.len()));
        let found = pass.ok().filter(|pass| pass.broken.is_empty() && pass.unread.is_empty() && pass.hidden.is_empty());
        found?.found.into_iter().next()
    }

    /// The one call that such a text is, whose head is at `at` of the whole; none that is not offered.
    pub(super) fn read_alone(&self, slice: &str, at: usize) -> Option<Read> {
        let Found { span, format, calls } = self.found_in(slice).filter(|found| found.span == (0..slice.len()))?;
        let [read] = <[Read; 1]>::try_from(self.as_read(&calls, slice, &format, at + span.start)?).ok()?;
        (!self.own.tools.forbids(&read.name)).then_some(read)
    }

    /// The reading of the whole text, with the events that are left.
    pub(super) fn end(&mut self, text: &str) -> Result<Reading, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let finder = Finder::new(text);
        let (pass, envelope) = self.own.pass(text, &finder)?;
        let mut calls = Vec::new();
        for found in pass.found.iter().filter(|_| envelope.is_some()) {
            let read = |call: &Call| {
                let arguments = arguments_of(call, text)?;
                Some(Read { name: call.name.clone(), arguments, format: found.format.clone(), at: found.span.start })
            };
            calls.extend(found.calls.iter().filter_map(read));
        }
        if let Some(told) = self.told.get(calls.len()) {
            return Err(told.withdrawn(text));
        }
        let content = self.own.content_of(text, &pass);
        match content.strip_prefix(self.content.told.as_str()) {
            Some("") => {}
            Some(rest) => self.events.push_back(CallEvent::Content { text: rest.to_owned() }),
            None => {
                self.events.push_back(CallEvent::Thought);
                self.events.push_back(CallEvent::Content { text: content });
            }
        }
        for (index, call) in calls.iter().enumerate() {
            if !Told::complete(&mut self.told, &mut self.events, index, call)
                && let Some(told) = self.told.get(index)
            {
                return Err(told.withdrawn(text));
            }
        }
        let passed_over = self.own.passed_over(&self.own.reader(text, &finder), &pass);
        let thoughts = pass.hidden.iter().map(|hidden| self.own.thought_in(text, hidden.clone())).collect();
        Ok(Reading { envelope, passed_over, thoughts })
    }
}

/// What follows a value that its brackets close.
fn after(text: &str, json: &mut Json, format: &Format) -> After {
    let next = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let at = text.len() - rest.trim_start().len();
        (at, text.as_bytes().get(at).copied())
    };
    let (at, byte) = next(json.blank_to);
    json.blank_to = at;
    let may_go_on = json.name.is_none();
    match byte {
        None => After::Wait,
        Some(b'}' | b']') => After::Broken,
        Some(separator @ (b',' | b';')) => match next(at + 1) {
            (_, None) => After::Wait,
            (_, Some(b'"')) if separator == b',' => After::Broken,
            (start, Some(b'{' | b'[')) if may_go_on => After::Value(start),
            _ => After::Other,
        },
        Some(b'{' | b'[') if may_go_on && !begins_mark(text, at, format) => After::Value(at),
        Some(_) => After::Other,
    }
}

/// Whether a mark of the format is at `at`.
fn begins_mark(text: &str, at: usize, format: &Format) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let mut marks = format.ends.iter().chain(&format.heads).map(Template::anchor);
    marks.any(|mark| rest.starts_with(mark) || mark.starts_with(rest))
}
