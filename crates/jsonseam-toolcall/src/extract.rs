//! Finds the calls in a completion and what is said around them.

mod content;
mod marks;
#[cfg(test)]
mod tests;

use std::ops::Range;

use jsonseam_core::{Pipeline, Position};

use self::content::content;
use self::marks::{Mark, Marks};
use crate::body::Reader;
use crate::call::Call;
use crate::cursor::{Finder, Stop};
use crate::envelope::{Envelope, Error, Reason};
use crate::pack::{Body, Format, Packs};
use crate::template::{Match, Template};
use crate::tools::Tools;
use crate::weave::{Piece, Woven};

/// How many marks may promise a call that is not there. Each costs up to one pass over the text.
const MAX_BROKEN: usize = 64;

/// Reads tool calls out of completions. Cheap to share between threads.
#[derive(Debug, Clone)]
pub struct Extractor {
    packs: Packs,
    tools: Tools,
    pipeline: Option<Pipeline>,
}

/// A call, or several under one head, in the completion.
struct Found {
    span: Range<usize>,
    format: String,
    calls: Vec<Call>,
}

/// A mark that promised a call.
struct Broken {
    mark: Range<usize>,
    stop: Stop,
    format: String,
}

impl Broken {
    fn error(&self, completion: &str) -> Error {
        let (reason, offset) = match self.stop {
            Stop::Cut => (Reason::Truncated, completion.len()),
            Stop::Malformed(pos) => (Reason::Malformed, pos),
            Stop::TooDeep(pos) => (Reason::LimitExceeded, pos),
        };
        let position = Position::of(offset, completion);
        Error { reason, position, format: self.format.clone(), mark: self.mark.clone() }
    }
}

/// What one pass over a text found.
#[derive(Default)]
struct Pass {
    found: Vec<Found>,
    broken: Vec<Broken>,
    /// Thoughts, which are neither calls nor content.
    hidden: Vec<Range<usize>>,
    /// Whether the text ends within thoughts.
    ends_in_thoughts: bool,
    /// How many marks that mean other things too were no calls.
    misread: usize,
}

impl Extractor {
    /// Reads the formats of `packs`. Arguments that are broken JSON are refused; see [`with_pipeline`](Self::with_pipeline).
    pub fn new(packs: Packs) -> Self {
        Self { packs, tools: Tools::new(), pipeline: None }
    }

    /// Accepts calls of these tools only, and reads raw values by their types.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }

    /// Repairs arguments that are broken JSON. The pipeline must take any root; what it closes at a cut is refused all the same.
    #[must_use]
    pub fn with_pipeline(mut self, pipeline: Pipeline) -> Self {
        self.pipeline = Some(pipeline);
        self
    }

    /// The calls of a completion and the text around them; `None` if it holds no mark of a call.
    ///
    /// Time is linear in the completion for each format. Nothing is evaluated, no value is invented or completed (SPEC L1, B3).
    pub fn extract(&self, completion: &str) -> Result<Option<Envelope>, Error> {
        self.extract_with(completion, &Finder::new(completion))
    }

    fn extract_with(&self, completion: &str, finder: &Finder<'_>) -> Result<Option<Envelope>, Error> {
        let reader = Reader { text: completion, finder, tools: &self.tools, pipeline: self.pipeline.as_ref() };
        let mut pass = self.scan(&reader, true)?;
        if pass.found.is_empty() && pass.broken.is_empty() {
            pass.found.extend(self.whole(&reader, &pass.hidden));
        }
        let hides_all = completion.len() == pass.hidden.iter().map(Range::len).sum::<usize>();
        let is_quiet = pass.found.is_empty() && pass.broken.is_empty() && !pass.ends_in_thoughts;
        if is_quiet && hides_all && !completion.is_empty() {
            // Some models call from within their thoughts. What they think last, and nothing contradicts, is meant.
            let mut within = self.scan(&reader, false)?;
            let closes: Vec<_> = self.packs.reasoning.iter().map(|marks| marks.close.clone()).collect();
            let tail = within.found.last().map_or(0, |found| found.span.end);
            let noise = [closes.as_slice(), &self.packs.noise].concat();
            if content(completion, std::iter::once(tail..completion.len()), &noise).is_empty() {
                within.hidden.push(0..completion.len());
                pass = within;
            }
        }
        self.settle(&reader, &pass)
    }

    /// Goes through the text from mark to mark.
    fn scan(&self, reader: &Reader<'_, '_>, hides_thoughts: bool) -> Result<Pass, Error> {
        let mut pass = Pass::default();
        let mut marks = Marks::new(reader.text, reader.finder, &self.packs, hides_thoughts);
        let mut pos = 0;
        while let Some((at, mark)) = marks.next_from(pos) {
            pos = match mark {
                Mark::Thought(index) => self.pass_thought(reader, at, index, &mut pass),
                Mark::ThoughtEnd(index) => {
                    // The thoughts began in the prompt: all that was read so far belongs to them.
                    let end = at + self.packs.reasoning.get(index).map_or(1, |marks| marks.close.len());
                    pass = Pass::default();
                    pass.hidden.push(0..end);
                    end
                }
                Mark::Head => self.read_at(reader, at, &mut pass)?,
            };
        }
        Ok(pass)
    }

    fn pass_thought(&self, reader: &Reader<'_, '_>, open: usize, index: usize, pass: &mut Pass) -> usize {
        let Some(marks) = self.packs.reasoning.get(index) else { return reader.text.len() };
        let inner = open + marks.open.len();
        let close = reader.finder.find(&marks.close, inner);
        let end = close.map_or(reader.text.len(), |close| close + marks.close.len());
        pass.ends_in_thoughts = close.is_none();
        pass.hidden.push(open..end);
        end
    }

    /// Reads the call whose head stands at `at` in whichever format fits; gives where to go on.
    fn read_at(&self, reader: &Reader<'_, '_>, at: usize, pass: &mut Pass) -> Result<usize, Error> {
        let mut broken: Option<Broken> = None;
        let rest = reader.text.get(at..).unwrap_or_default();
        let mut longest = 1;
        let is_tried = |format: &&Format| !format.row.soft || pass.misread < MAX_BROKEN;
        let formats: Vec<_> = self.packs.formats.iter().filter(is_tried).collect();
        for format in formats {
            for head in format.heads.iter().filter(|head| rest.starts_with(head.anchor())) {
                longest = longest.max(head.anchor().len());
                let read = match head.match_at(reader.text, at) {
                    // Only the start of the mark stands here: something else was meant.
                    Err(Stop::Malformed(_)) => continue,
                    Err(stop) => Err(stop),
                    Ok(head) if is_text(reader.text, &head, format) => Ok((Vec::new(), head.end)),
                    Ok(head) => reader.calls(format, &head),
                };
                match read {
                    Ok((calls, end)) => {
                        let between = |broken: &Broken| reader.text.get(broken.mark.end..at).map(str::trim);
                        pass.broken.retain(|broken| between(broken) != Some(""));
                        pass.found.push(Found { span: at..end, format: format.name.clone(), calls });
                        return Ok(end);
                    }
                    Err(_) if format.row.soft => pass.misread += 1,
                    Err(stop) => {
                        let is_further = broken.as_ref().is_none_or(|known| rank(stop) > rank(known.stop));
                        if is_further {
                            let mark = at..at + head.anchor().len();
                            broken = Some(Broken { mark, stop, format: format.name.clone() });
                        }
                    }
                }
            }
        }
        let is_quoted = reader.text.get(..at).is_some_and(|before| before.ends_with('`'));
        pass.broken.extend(broken.filter(|_| !is_quoted));
        if let Some(broken) = pass.broken.get(MAX_BROKEN) {
            return Err(Error { reason: Reason::LimitExceeded, ..broken.error(reader.text) });
        }
        Ok(at + longest)
    }

    /// A text that is nothing but calls, in a format without marks.
    fn whole(&self, reader: &Reader<'_, '_>, hidden: &[Range<usize>]) -> Option<Found> {
        let start = hidden.last().map_or(0, |span| span.end);
        let visible = reader.text.get(start..)?;
        let begin = start + visible.len() - visible.trim_start().len();
        let bare = self.packs.formats.iter().filter(|format| format.heads.is_empty());
        // JSON that looks like a call may be an answer: only the offered names tell.
        let mut fitting = bare.filter(|format| format.row.body == Body::Python || !self.tools.is_empty());
        fitting.find_map(|format| {
            let (calls, end) = reader.calls(format, &Match::at(begin)).ok()?;
            let is_all = content(reader.text, std::iter::once(end..reader.text.len()), &self.packs.noise).is_empty();
            let are_offered = self.tools.is_empty() || calls.iter().all(|call| self.tools.offers(&call.name));
            let span = begin..end;
            (is_all && are_offered).then(|| Found { span, format: format.name.clone(), calls })
        })
    }

    /// The envelope of what was found, or the first reason against it.
    fn settle(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Result<Option<Envelope>, Error> {
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
                if !self.tools.is_empty() && !self.tools.offers(&call.name) {
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
        let pieces = self.assembled(text, pass);
        let woven = Woven::new(text, pieces);
        let edits = woven.edits(0..text.len());
        Ok(Some(Envelope { text: woven.text, edits, names, formats }))
    }

    /// A mark that the end of the text cuts, or one around all calls behind which nothing stands.
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
                let found =
                    prefixes.into_iter().find(|prefix| end.ends_with(*prefix) && end.len() - prefix.len() >= tail);
                if let Some(prefix) = found {
                    return Some(cut(format, end.len() - prefix.len()));
                }
            }
        }
        None
    }

    /// The pieces of the envelope: kept parts stand in the order of the completion, so text behind the calls is copied if there is text before them too.
    fn assembled(&self, text: &str, pass: &Pass) -> Vec<Piece> {
        let first = pass.found.iter().find(|found| !found.calls.is_empty()).map_or(0, |found| found.span.start);
        let mut taken: Vec<_> =
            pass.found.iter().map(|found| found.span.clone()).chain(pass.hidden.iter().cloned()).collect();
        taken.sort_by_key(|span| (span.start, span.end));
        let visible = gaps(text.len(), &taken);
        let (before, after): (Vec<_>, Vec<_>) = visible.into_iter().partition(|span| span.end <= first);
        let before = content(text, before.into_iter(), &self.packs.noise);
        let after = content(text, after.into_iter(), &self.packs.noise);
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

/// Whether the name in a head marks plain text.
fn is_text(text: &str, head: &Match, format: &Format) -> bool {
    let name = head.hole("name").and_then(|span| text.get(span));
    name.is_some() && name == format.row.text_name.as_deref()
}

/// A cut says most, then what was read furthest.
fn rank(stop: Stop) -> (u8, usize) {
    match stop {
        Stop::Malformed(pos) => (0, pos),
        Stop::TooDeep(pos) => (1, pos),
        Stop::Cut => (2, 0),
    }
}

/// What `taken`, sorted, leaves of a text.
fn gaps(len: usize, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut pos = 0;
    let mut gaps = Vec::new();
    for span in taken {
        if pos < span.start {
            gaps.push(pos..span.start);
        }
        pos = pos.max(span.end);
    }
    if pos < len {
        gaps.push(pos..len);
    }
    gaps
}
