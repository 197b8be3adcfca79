//! Calls in formats without marks, where the place alone says that JSON or Python is a call: they are all of the visible text (SPEC L0a).

use std::ops::Range;

use jsonseam_text::named;

use super::quoted::{begins_line, only_block};
use super::underscores::Underscores;
use super::{Broken, Extractor, Found, MAX_BROKEN, Pass, gaps};
use crate::call::name_in;
use crate::cursor::{BYTE_ORDER_MARK, Finder, Stop, trimmed};
use crate::envelope::Error;
use crate::pack::{Body, Format};
use crate::reader::Reader;
use crate::template::Match;

named! {
    /// Where a bare call, that is one in a format without marks, counts as a call (SPEC L0a).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Bare as "a place of bare calls" {
        /// Where the visible text is nothing but bare calls.
        #[default]
        Alone = "alone",
        /// There too, and, if tools were offered, where prose is on the lines before them and nothing after.
        Last = "last",
        /// Nowhere.
        Never = "never",
    }
}

/// A stretch of bare calls, and why it ends before its span does.
struct Stretch {
    found: Vec<Found>,
    stop: Option<(usize, Stop)>,
}

impl Extractor {
    /// Reads the visible text as bare calls: as it is, or else without the escapes that Markdown has for underscores.
    pub(super) fn read_without_marks(&self, reader: &Reader<'_, '_>, pass: &mut Pass) -> Result<(), Error> {
        if self.bare == Bare::Never {
            return Ok(());
        }
        let visible = gaps(pass.start..pass.end, &pass.hidden);
        self.bare_alone(reader, &visible, pass);
        if pass.found.is_empty() && pass.broken.is_empty() {
            self.with_underscores(reader, &visible, pass);
        }
        if pass.found.is_empty() && pass.broken.is_empty() {
            self.only_block(reader, &visible, pass)?;
        }
        if pass.found.is_empty() && pass.broken.is_empty() && self.bare == Bare::Last {
            self.bare_last(reader, &visible, pass);
        }
        Ok(())
    }

    /// The calls of a visible text that is nothing but bare calls, of which one at least is offered, or half of one.
    pub(super) fn bare_alone(&self, reader: &Reader<'_, '_>, visible: &[Range<usize>], pass: &mut Pass) {
        let reader = &Reader { takes_quoted: !self.tools.is_empty(), ..*reader };
        let mut found = Vec::new();
        for span in visible {
            let Stretch { found: more, stop } = self.stretch(reader, span.clone(), !found.is_empty());
            found.extend(more);
            if let Some(stop) = stop {
                return pass.broken.extend(self.half(reader, &found, stop));
            }
        }
        if self.offers_any(&found) {
            pass.found = found;
        }
    }

    /// Whether a stretch is one of calls: of an offered tool at least one is, or nothing is known of the tools.
    fn offers_any(&self, found: &[Found]) -> bool {
        let mut calls = found.iter().flat_map(|found| &found.calls);
        self.tools.is_empty() && !found.is_empty() || calls.any(|call| self.tools.offers(&call.name))
    }

    /// What follows bare calls and is one too, but is cut or cannot be read: then half of what was asked for would run.
    fn half(&self, reader: &Reader<'_, '_>, found: &[Found], (pos, stop): (usize, Stop)) -> Option<Broken> {
        let format = found.last()?.format.clone();
        let opens = reader.text.get(pos..).is_some_and(|rest| rest.starts_with(['{', '[']));
        let is_half = match stop {
            Stop::NoCall(_) => false,
            Stop::Cut => opens || reader.is_like_call(pos, false),
            _ => reader.is_like_call(pos, false),
        };
        (is_half && self.offers_any(found)).then_some(Broken { mark: pos..pos, stop, format, is_soft: false })
    }

    /// Bare calls from the start of `span` on, with white space, marks that are no text, `,` or `;` between them.
    fn stretch(&self, reader: &Reader<'_, '_>, span: Range<usize>, goes_on: bool) -> Stretch {
        let mut found: Vec<Found> = Vec::new();
        let mut pos = span.start;
        loop {
            pos = self.next_in_stretch(reader.text, pos..span.end, goes_on || !found.is_empty());
            // What is between two calls is no content.
            if let Some(last) = found.last_mut() {
                last.span.end = pos;
            }
            if pos >= span.end {
                return Stretch { found, stop: None };
            }
            match self.bare_at(reader, pos, span.end) {
                Ok(call) => {
                    pos = call.span.end;
                    found.push(call);
                }
                Err(stop) => return Stretch { found, stop: Some((pos, stop)) },
            }
        }
    }

    /// Where what may be the next call of a stretch begins.
    fn next_in_stretch(&self, text: &str, span: Range<usize>, follows_call: bool) -> usize {
        let mut rest = text.get(span.clone()).unwrap_or_default();
        loop {
            rest = rest.trim_start();
            let mark = self.packs.between.iter().find_map(|mark| rest.strip_prefix(mark.as_str()));
            let separator = || rest.strip_prefix([',', ';']).filter(|_| follows_call);
            match mark.or_else(separator) {
                Some(after) => rest = after,
                None => break,
            }
        }
        // A mark that the end of the text cuts.
        let is_cut =
            span.end == text.len() && rest.len() > 1 && self.packs.noise.iter().any(|mark| mark.starts_with(rest));
        if is_cut { span.end } else { span.end - rest.len() }
    }

    /// The calls of one bare value at `pos`, or what says most about why there is none.
    pub(super) fn bare_at(&self, reader: &Reader<'_, '_>, pos: usize, end: usize) -> Result<Found, Stop> {
        let mut stop = Stop::Malformed(pos);
        let rest = reader.text.get(pos..).unwrap_or_default();
        let inner = rest.strip_prefix('[').map_or(rest, str::trim_start);
        for format in self.bare_formats() {
            // A list of anything else would be repaired as far as the text goes.
            if format.row.body == Body::Calls && !inner.starts_with('{') {
                continue;
            }
            match reader.calls(format, &Match::at(pos)) {
                Ok((calls, at)) if at <= end && !calls.is_empty() => {
                    return Ok(Found { span: pos..at, format: format.name.clone(), calls });
                }
                Err(other) if other.rank() > stop.rank() || stop == Stop::Malformed(pos) => stop = other,
                Ok(_) | Err(_) => {}
            }
        }
        Err(stop)
    }

    /// The formats without marks. JSON that looks like a call may be an answer: only the offered names tell.
    fn bare_formats(&self) -> impl Iterator<Item = &Format> {
        let bare = self.packs.formats.iter().filter(|format| format.heads.is_empty());
        bare.filter(|format| format.row.body == Body::Python && !format.row.offered || !self.tools.is_empty())
    }

    /// The same for a text that spells underscores `\_`, if tools were offered: names and values have plain ones, and each is an edit.
    fn with_underscores(&self, reader: &Reader<'_, '_>, visible: &[Range<usize>], pass: &mut Pass) {
        let shown: Vec<_> = visible.iter().filter(|span| !self.is_blank(reader.text, span)).collect();
        let [span] = shown.as_slice() else { return };
        let part = reader.text.get((*span).clone()).unwrap_or_default();
        let Some(plain) = Underscores::of(part, span.start).filter(|_| !self.tools.is_empty()) else { return };
        reader.finder.charge(part.len());
        let finder = Finder::new(&plain.text);
        let inner = Reader { text: &plain.text, finder: &finder, ..*reader };
        let whole = 0..plain.text.len();
        let mut read = Pass::new(&plain.text, whole.clone());
        self.bare_alone(&inner, std::slice::from_ref(&whole), &mut read);
        reader.finder.absorb(&finder);
        let found = read.found.into_iter().map(|Found { span, format, calls }| {
            let mut calls: Vec<_> = calls.into_iter().map(|call| plain.escaped(call)).collect();
            if let Some(first) = calls.first_mut() {
                first.repairs.extend(plain.edits(&span));
                first.repairs.sort_by_key(|edit| edit.span.start);
            }
            Found { span: plain.original(span.start)..plain.original(span.end), format, calls }
        });
        pass.found = found.collect();
        let broken = read.broken.into_iter().map(|Broken { mark, stop, format, is_soft }| {
            let mark = plain.original(mark.start)..plain.original(mark.end);
            Broken { stop: stop.at(mark.start), mark, format, is_soft }
        });
        pass.broken = broken.collect();
    }

    /// Bare calls at the end of the text, on lines of their own after prose, of which one at least is offered.
    fn bare_last(&self, reader: &Reader<'_, '_>, visible: &[Range<usize>], pass: &mut Pass) {
        let Some(span) = visible.last().filter(|_| !self.tools.is_empty()) else { return };
        // What is broken is not a call here: only marks, or its place alone, make one of it.
        let reader = &Reader { pipeline: None, takes_quoted: true, ..*reader };
        let (mut pos, mut unread) = (span.start, None);
        for _ in 0..MAX_BROKEN {
            let Some(line) = next_opening_line(reader.text, pos..span.end, &pass.quoted) else { return };
            let Stretch { found, stop } = self.stretch(reader, line..span.end, false);
            let is_offered = self.offers_any(&found);
            match stop {
                None if is_offered => {
                    pass.found = found;
                    pass.broken.extend(unread);
                    return;
                }
                Some(stop) if is_offered => {
                    pass.broken.extend(self.half(reader, &found, stop));
                    pos = stop.0.max(after_char(reader.text, line));
                }
                stop => {
                    // One that is on a line of its own before the others, and cannot be read, was asked for too.
                    let is_call = stop.is_some_and(|(pos, stop)| pos == line && !matches!(stop, Stop::NoCall(_)));
                    if let Some((pos, stop)) = stop.filter(|_| is_call && reader.is_like_call(line, false)) {
                        let format = "bare-json".to_owned();
                        unread.get_or_insert(Broken { mark: pos..pos, stop, format, is_soft: true });
                    }
                    let (end, is_whole) = reader.value_end(line);
                    pos = if is_whole { end } else { after_char(reader.text, line) };
                }
            }
            if !pass.broken.is_empty() {
                return;
            }
        }
    }

    /// The calls of a fenced block that is all of the visible text, if tools were offered and they are all that it holds.
    fn only_block(&self, reader: &Reader<'_, '_>, visible: &[Range<usize>], pass: &mut Pass) -> Result<(), Error> {
        let shown: Vec<_> = visible.iter().filter(|span| !self.is_blank(reader.text, span)).collect();
        let [span] = shown.as_slice() else { return Ok(()) };
        let mut fences = ["```", "~~~"].iter().filter_map(|fence| reader.finder.find(fence, span.start));
        if !fences.any(|at| at < span.end) {
            return Ok(());
        }
        let span = self.without_noise(reader.text, trimmed(reader.text, (*span).clone()));
        let Some(inner) = only_block(reader.text, span.clone()).filter(|_| !self.tools.is_empty()) else {
            return Ok(());
        };
        let mut block = Pass::new(reader.text, inner.clone());
        self.bare_alone(reader, std::slice::from_ref(&inner), &mut block);
        if block.found.is_empty() && block.broken.is_empty() {
            block = self.scan(reader, None, inner.clone(), block)?;
            let taken: Vec<_> = block.found.iter().map(|found| found.span.clone()).collect();
            let is_all = gaps(inner, &taken).iter().all(|rest| self.is_blank(reader.text, rest));
            if !is_all || !block.hidden.is_empty() {
                return Ok(());
            }
        }
        if !block.found.is_empty() || !block.broken.is_empty() {
            pass.found = block.found;
            pass.broken = block.broken;
            pass.unread = block.unread;
            pass.quoted.retain(|quoted| quoted.end <= span.start || quoted.start >= span.end);
            pass.fence = Some(span);
        }
        Ok(())
    }

    /// The call, or the mark of text, whose head the prompt has begun: of an offered tool, before another head of the format.
    pub(super) fn begun_by_prompt(&self, reader: &Reader<'_, '_>) -> Option<Found> {
        let begun = self.packs.formats.iter().filter(|format| format.row.begun_by_prompt && !self.tools.is_empty());
        begun.flat_map(|format| format.heads.iter().map(move |head| (format, head))).find_map(|(format, head)| {
            let text = reader.text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
            let start = reader.text.len() - text.len();
            let found = head.match_after_anchor(reader.text, start).ok()?;
            let name = match found.hole("name") {
                Some(hole) => Some(reader.text.get(name_in(reader.text, hole, &format.row)?)?),
                None => None,
            };
            let (calls, end) = if name.is_some() && format.row.text_name.as_deref() == name {
                let begins_line = reader.text.get(found.end..)?.starts_with('\n');
                let (end, next) = (found.end, reader.finder.find(head.anchor(), found.end));
                (Vec::new(), next.filter(|_| begins_line).map(|_| end)?)
            } else {
                let (calls, end) = reader.calls(format, &found).ok()?;
                let goes_on = reader.text.get(end..)?.trim_start().starts_with(head.anchor());
                let is_offered = calls.iter().all(|call| self.tools.offers(&call.name));
                Some((calls, end)).filter(|_| goes_on && is_offered)?
            };
            Some(Found { span: start..end, format: format.name.clone(), calls })
        })
    }
}

/// Where the character at `pos` ends.
fn after_char(text: &str, pos: usize) -> usize {
    pos + text.get(pos..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

/// The start of the next line in `span` that opens as a bare call does, is not indented as code and is not in `quoted`, which is in order.
fn next_opening_line(text: &str, span: Range<usize>, quoted: &[Range<usize>]) -> Option<usize> {
    let mut pos = span.start;
    text.get(span)?.split_inclusive('\n').find_map(|line| {
        let begins = pos;
        pos += line.len();
        let start = begins + line.len() - line.trim_start().len();
        let is_code = line.starts_with('\t') || line.starts_with("    ");
        let is_word = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.');
        let opens = line.trim_start().trim_start_matches(is_word).starts_with(['{', '[', '(']);
        if is_code || !opens || !begins_line(text, begins) {
            return None;
        }
        let later = quoted.partition_point(|quoted| quoted.end <= start);
        quoted.get(later).is_none_or(|quoted| quoted.start > start).then_some(start)
    })
}
