//! From what was found to the envelope, or to the reason against it.

use std::ops::Range;

use jsonseam_core::Position;

use super::content::parts;
use super::decode::decode;
use super::quoted::begins_line;
use super::{Broken, Extractor, Found, Pass, gaps};
use crate::cursor::{Finder, Stop};
use crate::envelope::{Envelope, Error, Reason};
use crate::pack::Format;
use crate::reader::Reader;
use crate::template::Template;
use crate::weave::{Piece, Woven, escaped, string_content};

impl Extractor {
    /// The envelope of what was found, or the first reason against it.
    pub(super) fn settle(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Result<Option<Envelope>, Error> {
        let text = reader.text;
        let has_calls = pass.found.iter().any(|found| !found.calls.is_empty());
        if let Some(broken) = pass.broken.first().or(pass.unread.first().filter(|_| has_calls)) {
            return Err(broken.error(text));
        }
        let tail = pass.found.last().map_or(0, |found| found.span.end);
        // What another role's turn follows is not cut.
        let cut = self.cut_mark(reader, tail, has_calls).or_else(|| self.cut_soft_mark(text, tail, pass));
        if let Some(cut) = cut.filter(|_| pass.end == text.len()) {
            return Err(cut.error(text));
        }
        if !has_calls {
            return Ok(None);
        }
        let refused = |reason: Reason, mark: Range<usize>, format: String| {
            let (edits, paths) = (Vec::new(), Vec::new());
            Err(Error {
                reason,
                position: Position::of(mark.start, text),
                format: format.into(),
                mark,
                edits,
                paths,
                help: None,
            })
        };
        let (mut names, mut ids) = (Vec::new(), Vec::new());
        let mut formats: Vec<String> = Vec::new();
        for found in &pass.found {
            if found.calls.iter().any(|call| self.tools.forbids(&call.name)) {
                return refused(Reason::NotOffered, found.span.clone(), found.format.clone());
            }
            names.extend(found.calls.iter().map(|call| call.name.clone()));
            ids.extend(found.calls.iter().map(|call| call.id.clone()));
            if !formats.contains(&found.format) {
                formats.push(found.format.clone());
            }
        }
        let format = formats.first().cloned().unwrap_or_default();
        if let Some(mark) = self.mark_left(reader, pass) {
            return refused(Reason::MarkLeft, mark, format);
        }
        let woven = Woven::new(text, self.assembled(text, pass));
        if let Err(reason) = decode(&woven.text, &names) {
            let first = pass.found.iter().find(|found| !found.calls.is_empty());
            return refused(reason, first.map(|found| found.span.clone()).unwrap_or_default(), format);
        }
        let calls = pass.found.iter().flat_map(|found| &found.calls);
        let repairs: Vec<_> = calls.flat_map(|call| call.repairs.iter().cloned()).collect();
        let paths = woven.paths_of(&repairs);
        if let Some(above) = repairs.iter().find(|edit| edit.risk > self.max_risk) {
            let mark = above.span.clone();
            let position = Position::of(mark.start, text);
            return Err(Error {
                reason: Reason::RiskTooHigh,
                position,
                format: format.into(),
                mark,
                edits: repairs,
                paths,
                help: None,
            });
        }
        let edits = woven.edits(0..text.len());
        Ok(Some(Envelope { text: woven.text, edits, repairs, paths, names, ids, formats }))
    }

    /// The end of a stretch of calls that nothing began, after prose: the calls are not calls of the model's.
    /// Or a beginning that nothing ends, where the format needs it.
    fn orphan_stretch(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Option<Range<usize>> {
        let text = reader.text;
        for found in &pass.found {
            let format = self.packs.formats.iter().find(|format| format.name == found.format)?;
            let place = |marks: &[String]| {
                marks.iter().find_map(|mark| reader.finder.find(mark, 0).map(|at| at..at + mark.len()))
            };
            let (begun, ended) = (place(&format.around), place(&format.row.around_end));
            let before =
                text.get(pass.visible_from().min(found.span.start)..found.span.start).unwrap_or_default().trim();
            let follows_prose = !before.is_empty() && !before.ends_with('>');
            match (begun, ended) {
                (None, Some(end)) if follows_prose => return Some(end),
                (Some(open), None) if format.row.around_closed => return Some(open),
                _ => {}
            }
        }
        None
    }

    /// A mark of a call that remains in the content, outside of what is quoted, or that the content would make.
    fn mark_left(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Option<Range<usize>> {
        let text = reader.text;
        if let Some(orphan) = self.orphan_stretch(reader, pass).or_else(|| self.orphan_end(text, pass)) {
            return Some(orphan);
        }
        let parts = parts(text, gaps(0..pass.end, &pass.taken_or_quoted()).into_iter(), self.noise(&[]));
        let left = parts.into_iter().find_map(|part| {
            let content = text.get(part.clone()).unwrap_or_default();
            let left = self.packs.marks.iter().filter_map(|mark| first_mark(content, mark).map(|at| (at, mark.len())));
            left.min().map(|(at, len)| part.start + at..part.start + at + len)
        });
        left.or_else(|| self.made_call(reader, pass))
    }

    /// A call that the content is when it is read again: parts that the text holds apart may make one, and so may what is left alone.
    fn made_call(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Option<Range<usize>> {
        let (before, after) = self.around(reader.text, pass);
        let parts: Vec<_> = before.iter().chain(&after).cloned().collect();
        let said = || pass.found.iter().find(|found| found.calls.iter().any(|call| !call.said.is_empty()));
        let first = parts.first().or_else(|| said().map(|found| &found.span))?;
        let mut content: String = before.iter().filter_map(|part| reader.text.get(part.clone())).collect();
        if !before.is_empty() && !after.is_empty() {
            content.push('\n');
        }
        content.extend(after.iter().filter_map(|part| reader.text.get(part.clone())));
        push_line(&mut content, &Self::said(reader.text, pass));
        let finder = Finder::new(&content);
        // Who reads the content again does not read it as thoughts.
        let again = Self { begins_in_thoughts: false, ..self.clone() };
        let again = again.found(&Reader { text: &content, finder: &finder, ..*reader });
        reader.finder.absorb(&finder);
        let is_free = again.is_ok_and(|again| again.found.is_empty() && again.broken.is_empty());
        let joined = parts.windows(2).find_map(|pair| match pair {
            [one, other] if one.end < other.start => Some(one.end..other.start),
            _ => None,
        });
        // The end of the text may leave the start of a mark alone, of which the last part is a piece.
        let last = parts.last().map_or(0, Range::len);
        let starts = self.packs.marks.iter().flat_map(|mark| (last + 1..mark.len()).filter_map(|len| mark.get(..len)));
        let is_begun = parts.len() > 1 && starts.into_iter().any(|start| content.ends_with(start));
        (!is_free || is_begun).then(|| joined.unwrap_or(first.clone()))
    }

    /// What repeats the text of the call before it, up to an end of its format.
    pub(super) fn echoes(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Vec<Range<usize>> {
        let text = reader.text;
        let echo = |found: &Found| {
            let format = self.packs.formats.iter().find(|format| format.name == found.format)?;
            let from = found.span.end;
            let ends = format.ends.iter().map(Template::anchor);
            let end = ends.filter_map(|end| Some((reader.finder.find(end, from)?, end.len()))).min();
            let (end, len) = end.filter(|(end, len)| end - from <= 2 * found.span.len() && end + len <= pass.end)?;
            let body = text.get(from..end)?.trim();
            // A further mark begins a further call.
            let is_marked = format.heads.iter().any(|head| body.contains(head.anchor()));
            let is_echo = !body.is_empty() && !is_marked && text.get(found.span.clone())?.contains(body);
            is_echo.then(|| from..end + len)
        };
        pass.found.iter().filter_map(echo).collect()
    }

    /// The end of a call that was not read: JSON is before it, and no mark began it.
    fn orphan_end(&self, text: &str, pass: &Pass) -> Option<Range<usize>> {
        let formats =
            pass.found.iter().filter_map(|found| self.packs.formats.iter().find(|format| format.name == found.format));
        let mut ends: Vec<_> = formats.flat_map(|format| format.ends.iter().map(Template::anchor)).collect();
        ends.sort_unstable();
        ends.dedup();
        gaps(0..pass.end, &pass.taken_or_quoted()).into_iter().find_map(|gap| {
            let content = text.get(gap.clone())?;
            ends.iter().find_map(|end| {
                let mut found = memchr::memmem::find_iter(content.as_bytes(), end.as_bytes());
                let is_orphan =
                    |at: &usize| content.get(..*at).is_some_and(|before| before.trim_end().ends_with(['}', ']']));
                found.find(is_orphan).map(|at| gap.start + at..gap.start + at + end.len())
            })
        })
    }

    /// A mark that the end of the text cuts, or one around all calls that nothing follows.
    fn cut_mark(&self, reader: &Reader<'_, '_>, tail: usize, has_calls: bool) -> Option<Broken> {
        let text = reader.text;
        let end = text.trim_end();
        let cut = |format: &Format, start: usize| Broken {
            mark: start..text.len(),
            stop: Stop::Cut,
            format: format.name.clone(),
            is_soft: false,
        };
        for format in self.packs.formats.iter().filter(|format| !format.row.soft) {
            // After such a mark the first character of a head is enough.
            let is_begun = |rest: &str| format.heads.iter().any(|head| head.anchor().starts_with(rest));
            let around = format.around.iter().filter(|mark| reader.finder.may_occur(mark)).find_map(|mark| {
                let at = tail + end.get(tail..)?.rfind(mark.as_str())?;
                end.get(at + mark.len()..).map(str::trim_start).filter(|rest| is_begun(rest)).map(|_| at)
            });
            if let Some(at) = around {
                return Some(cut(format, at));
            }
            let heads = format.heads.iter().map(Template::anchor);
            for mark in heads.chain(format.around.iter().map(String::as_str)).filter(|_| has_calls) {
                let prefixes = (2..mark.len()).rev().filter_map(|len| mark.get(..len));
                // A token that belongs to no call may be the last one.
                let prefixes = prefixes.filter(|prefix| !self.packs.noise.iter().any(|noise| noise == prefix));
                let found =
                    prefixes.into_iter().find(|prefix| end.ends_with(*prefix) && end.len() - prefix.len() >= tail);
                if let Some(prefix) = found {
                    return Some(cut(format, end.len() - prefix.len()));
                }
            }
        }
        None
    }

    /// The mark of a format that calls were read in, or its start, at the end of the text and on a line of its own. Elsewhere such a mark means other things too.
    fn cut_soft_mark(&self, text: &str, tail: usize, pass: &Pass) -> Option<Broken> {
        let formats = self.packs.formats.iter().filter(|format| format.row.soft);
        let mut known = formats.filter(|format| pass.found.iter().any(|found| found.format == format.name));
        let line = text.rfind('\n').map_or(0, |newline| newline + 1).max(tail);
        let last = text.get(line..).unwrap_or_default().trim();
        let is_begun = |format: &&Format| format.heads.iter().any(|head| head.anchor().starts_with(last));
        let format = known.find(is_begun).filter(|_| last.len() > 1 && begins_line(text, line))?;
        Some(Broken { mark: line..text.len(), stop: Stop::Cut, format: format.name.clone(), is_soft: true })
    }

    /// What of the text around the calls is content: before the first call, and after it.
    fn around(&self, text: &str, pass: &Pass) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let first = pass.found.iter().find(|found| !found.calls.is_empty()).map_or(0, |found| found.span.start);
        let visible = gaps(0..pass.end, &pass.taken());
        let (before, after): (Vec<_>, Vec<_>) = visible.into_iter().partition(|span| span.end <= first);
        let content = |spans: Vec<Range<usize>>| parts(text, spans.into_iter(), self.noise(&pass.quoted));
        (content(before), content(after))
    }

    /// The text around the calls, or of a text without calls what is no thought and no mark.
    #[cfg(feature = "stream")]
    pub(super) fn content_of(&self, text: &str, pass: &Pass) -> String {
        let (before, after) = self.around(text, pass);
        let spelled =
            |parts: Vec<Range<usize>>| -> String { parts.into_iter().filter_map(|part| text.get(part)).collect() };
        let (before, after) = (spelled(before), spelled(after));
        let mut content = before;
        push_line(&mut content, &Self::said(text, pass));
        push_line(&mut content, &after);
        content
    }

    /// What the responses say that the calls were read in.
    fn said(text: &str, pass: &Pass) -> String {
        let mut content = String::new();
        for said in pass.found.iter().flat_map(|found| &found.calls).flat_map(|call| &call.said) {
            let spelled = format!("\"{}\"", Woven::new(text, said.clone()).text);
            push_line(&mut content, &serde_json::from_str::<String>(&spelled).unwrap_or_default());
        }
        content
    }

    /// The pieces of the envelope: kept parts are in the order of the completion, so text between and after the calls is copied if there is text before them too.
    fn assembled(&self, text: &str, pass: &Pass) -> Vec<Piece> {
        let (before, after) = self.around(text, pass);
        let pieces =
            |parts: Vec<Range<usize>>| -> Vec<_> { parts.into_iter().map(|span| string_content(text, span)).collect() };
        let last = pass.found.last().map_or(0, |found| found.span.end);
        let is_after_all = after.first().is_none_or(|part| part.start >= last);
        let (before, mut after) = (pieces(before), pieces(after));
        let said = Self::said(text, pass);
        if !said.is_empty() {
            let gap = if after.is_empty() { "" } else { "\\n" };
            let rest = Woven::new(text, after).text;
            after = vec![Piece::Insert(format!("{}{gap}{rest}", escaped(&said)))];
        }
        let mut pieces = vec![Piece::insert("{")];
        if !before.is_empty() {
            pieces.push(Piece::insert("\"content\":\""));
            pieces.extend(before.iter().cloned());
            if !after.is_empty() {
                pieces.push(Piece::insert("\\n"));
                pieces.push(Piece::Insert(Woven::new(text, after.clone()).text));
            }
            pieces.push(Piece::insert("\","));
        }
        pieces.push(Piece::insert("\"toolCalls\":["));
        for (index, call) in pass.found.iter().flat_map(|found| &found.calls).enumerate() {
            if index > 0 {
                pieces.push(Piece::insert(","));
            }
            pieces.extend(call.pieces.iter().cloned());
        }
        pieces.push(Piece::insert("]"));
        if before.is_empty() && !after.is_empty() {
            pieces.push(Piece::insert(",\"content\":\""));
            if is_after_all {
                pieces.extend(after);
            } else {
                pieces.push(Piece::Insert(Woven::new(text, after).text));
            }
            pieces.push(Piece::insert("\""));
        }
        pieces.push(Piece::insert("}"));
        pieces
    }
}

/// Adds a text on a line of its own.
fn push_line(content: &mut String, text: &str) {
    if !content.is_empty() && !text.is_empty() {
        content.push('\n');
    }
    content.push_str(text);
}

/// Where `mark` first is in `content`. The name of a tag does not go on there.
fn first_mark(content: &str, mark: &str) -> Option<usize> {
    let goes_on = |at: usize| {
        let next = content.get(at + mark.len()..).and_then(|rest| rest.chars().next());
        mark.ends_with(char::is_alphanumeric)
            && next.is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '-'))
    };
    memchr::memmem::find_iter(content.as_bytes(), mark.as_bytes()).find(|&at| !goes_on(at))
}
