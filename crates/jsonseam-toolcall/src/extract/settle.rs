//! From what was found to the envelope, or to the reason against it.

use std::ops::Range;

use jsonseam_core::Position;

use super::content::{content, parts};
use super::decode::decode;
use super::{Broken, Extractor, Pass, gaps};
use crate::body::Reader;
use crate::cursor::Stop;
use crate::envelope::{Envelope, Error, Reason};
use crate::pack::Format;
use crate::template::Template;
use crate::weave::{Piece, Woven};

impl Extractor {
    /// The envelope of what was found, or the first reason against it.
    pub(super) fn settle(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Result<Option<Envelope>, Error> {
        let text = reader.text;
        if let Some(broken) = pass.broken.first() {
            return Err(broken.error(text));
        }
        let has_calls = pass.found.iter().any(|found| !found.calls.is_empty());
        let tail = pass.found.last().map_or(0, |found| found.span.end);
        if let Some(cut) = self.cut_mark(text, tail, has_calls) {
            return Err(cut.error(text));
        }
        if !has_calls {
            return Ok(None);
        }
        let mut names = Vec::new();
        let mut formats: Vec<String> = Vec::new();
        for found in &pass.found {
            for call in &found.calls {
                if self.tools.forbids(&call.name) {
                    let position = Position::of(found.span.start, text);
                    let format = found.format.clone();
                    return Err(Error { reason: Reason::NotOffered, position, format, mark: found.span.clone() });
                }
                names.push(call.name.clone());
            }
            if !formats.contains(&found.format) {
                formats.push(found.format.clone());
            }
        }
        if let Some(mark) = self.mark_left(text, pass) {
            let position = Position::of(mark.start, text);
            return Err(Error { reason: Reason::MarkLeft, position, format: formats.concat(), mark });
        }
        let pieces = self.assembled(text, pass);
        let woven = Woven::new(text, pieces);
        if let Err(reason) = decode(&woven.text, &names) {
            let span = pass.found.iter().find(|found| !found.calls.is_empty()).map(|found| found.span.clone());
            let mark = span.unwrap_or_default();
            let position = Position::of(mark.start, text);
            return Err(Error { reason, position, format: formats.concat(), mark });
        }
        let edits = woven.edits(0..text.len());
        Ok(Some(Envelope { text: woven.text, edits, names, formats }))
    }

    /// The end of a stretch of calls that nothing began, after prose: the calls are not calls of the model's.
    /// Or a beginning that nothing ends, where the format needs it.
    fn orphan_stretch(&self, text: &str, pass: &Pass) -> Option<Range<usize>> {
        for found in &pass.found {
            let format = self.packs.formats.iter().find(|format| format.name == found.format)?;
            let place =
                |marks: &[String]| marks.iter().find_map(|mark| text.find(mark.as_str()).map(|at| at..at + mark.len()));
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

    /// A mark of a call that remains in the content, outside of what is quoted.
    fn mark_left(&self, text: &str, pass: &Pass) -> Option<Range<usize>> {
        if let Some(orphan) = self.orphan_stretch(text, pass) {
            return Some(orphan);
        }
        let found = pass.found.iter().map(|found| &found.span);
        let mut taken: Vec<_> = found.chain(&pass.hidden).chain(&pass.quoted).cloned().collect();
        taken.sort_by_key(|span| (span.start, span.end));
        let parts = parts(text, gaps(0..text.len(), &taken).into_iter(), self.noise(&[]));
        parts.into_iter().find_map(|part| {
            let content = text.get(part.clone()).unwrap_or_default();
            let left = self.packs.marks.iter().filter_map(|mark| first_mark(content, mark).map(|at| (at, mark.len())));
            left.min().map(|(at, len)| part.start + at..part.start + at + len)
        })
    }

    /// A mark that the end of the text cuts, or one around all calls that nothing follows.
    fn cut_mark(&self, text: &str, tail: usize, has_calls: bool) -> Option<Broken> {
        let end = text.trim_end();
        let cut = |format: &Format, start: usize| Broken {
            mark: start..text.len(),
            stop: Stop::Cut,
            format: format.name.clone(),
        };
        for format in self.packs.formats.iter().filter(|format| !format.row.soft) {
            let around =
                format.around.iter().find(|mark| end.ends_with(mark.as_str()) && end.len() - mark.len() >= tail);
            if let Some(mark) = around {
                return Some(cut(format, end.len() - mark.len()));
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

    /// The pieces of the envelope: kept parts stand in the order of the completion, so text after the calls is copied if there is text before them too.
    fn assembled(&self, text: &str, pass: &Pass) -> Vec<Piece> {
        let first = pass.found.iter().find(|found| !found.calls.is_empty()).map_or(0, |found| found.span.start);
        let mut taken: Vec<_> =
            pass.found.iter().map(|found| found.span.clone()).chain(pass.hidden.iter().cloned()).collect();
        taken.sort_by_key(|span| (span.start, span.end));
        let visible = gaps(0..text.len(), &taken);
        let (before, after): (Vec<_>, Vec<_>) = visible.into_iter().partition(|span| span.end <= first);
        let before = content(text, before.into_iter(), self.noise(&pass.quoted));
        let after = content(text, after.into_iter(), self.noise(&pass.quoted));
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
            pieces.extend(after);
            pieces.push(Piece::insert("\""));
        }
        pieces.push(Piece::insert("}"));
        pieces
    }
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
