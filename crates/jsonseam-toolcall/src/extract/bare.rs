//! Calls in formats without marks: where nothing but the offered tools says that a text is a call.

use std::ops::Range;

use super::content::content;
use super::quoted::{Before, Ticks, only_block};
use super::underscores::Underscores;
use super::{Extractor, Found, MAX_BROKEN, Pass, gaps, trimmed};
use crate::body::Reader;
use crate::call::name_in;
use crate::cursor::Finder;
use crate::envelope::Error;
use crate::pack::Body;
use crate::template::Match;

/// What was read without marks.
pub(super) struct Bare {
    pub(super) found: Vec<Found>,
    /// Whether all of the text belongs to it, so that none is content.
    is_block: bool,
}

impl Extractor {
    /// Reads what follows the thoughts as calls without marks: as it is, or else without the escapes that Markdown has for underscores.
    pub(super) fn read_without_marks(
        &self,
        reader: &Reader<'_, '_>,
        ticks: &Ticks<'_>,
        pass: &mut Pass,
    ) -> Result<(), Error> {
        let start = pass.hidden.last().map_or(0, |span| span.end);
        let read = match self.bare(reader, ticks, start, pass.shows_marks)? {
            None => self.with_underscores(reader, start, pass.shows_marks)?,
            read => read,
        };
        if let Some(Bare { found, is_block }) = read {
            pass.found = found;
            pass.hidden.extend(is_block.then_some(start..reader.text.len()));
        }
        Ok(())
    }

    fn bare(
        &self,
        reader: &Reader<'_, '_>,
        ticks: &Ticks<'_>,
        start: usize,
        shows_marks: bool,
    ) -> Result<Option<Bare>, Error> {
        if let Some(found) = self.whole(reader, start..reader.text.len()) {
            return Ok(Some(Bare { found: vec![found], is_block: false }));
        }
        if let Some(found) = self.in_prose(reader, ticks, start).filter(|_| !shows_marks) {
            return Ok(Some(Bare { found, is_block: false }));
        }
        Ok(self.only_block(reader, start)?.map(|found| Bare { found, is_block: true }))
    }

    /// The same for a text that spells underscores `\_`, if tools were offered: names and values have plain ones.
    fn with_underscores(
        &self,
        reader: &Reader<'_, '_>,
        start: usize,
        shows_marks: bool,
    ) -> Result<Option<Bare>, Error> {
        let part = reader.text.get(start..).unwrap_or_default();
        let Some(plain) = Underscores::of(part).filter(|_| !self.tools.is_empty()) else { return Ok(None) };
        reader.finder.charge(part.len());
        let finder = Finder::new(&plain.text);
        let inner = Reader { text: &plain.text, finder: &finder, ..*reader };
        let read = self.bare(&inner, &Ticks::new(&plain.text), 0, shows_marks);
        reader.finder.absorb(&finder);
        let read = read?;
        Ok(read.map(|Bare { found, is_block }| {
            let detached = found.into_iter().map(|Found { span, format, calls }| Found {
                span: start + plain.original(span.start)..start + plain.original(span.end),
                format,
                calls: calls.into_iter().map(|call| call.detached(&plain.text)).collect(),
            });
            Bare { found: detached.collect(), is_block }
        }))
    }

    /// A part of the text that is nothing but calls, in a format without marks.
    pub(super) fn whole(&self, reader: &Reader<'_, '_>, span: Range<usize>) -> Option<Found> {
        let visible = trimmed(reader.text, span.clone());
        let bare = self.packs.formats.iter().filter(|format| format.heads.is_empty());
        let reader = &Reader { takes_quoted: !self.tools.is_empty(), ..*reader };
        // JSON that looks like a call may be an answer: only the offered names tell.
        let mut fitting =
            bare.filter(|format| format.row.body == Body::Python && !format.row.offered || !self.tools.is_empty());
        fitting.find_map(|format| {
            let (calls, end) = reader.calls(format, &Match::at(visible.start)).ok()?;
            let rest = std::iter::once(end..span.end.max(end));
            let is_all = end <= span.end && content(reader.text, rest, self.noise(&[])).is_empty();
            let are_offered = self.tools.is_empty() || calls.iter().all(|call| self.tools.offers(&call.name));
            let span = visible.start..end;
            (is_all && are_offered).then(|| Found { span, format: format.name.clone(), calls })
        })
    }

    /// Calls without marks amid prose, if all tools are offered: the first stretch that is nothing but such calls, outside of what is quoted.
    fn in_prose(&self, reader: &Reader<'_, '_>, ticks: &Ticks<'_>, start: usize) -> Option<Vec<Found>> {
        let mut before = Before::new(reader.text, start);
        if self.tools.is_empty() || before.is_within_json() && !reader.text.contains('}') {
            return None;
        }
        // What is broken is not a call here: only marks make one of it.
        let reader = Reader { pipeline: None, ..*reader };
        let mut pos = start;
        for _ in 0..MAX_BROKEN {
            let next = reader.text.get(pos..)?.find(['[', '{', '`']).map(|at| pos + at)?;
            if reader.text.get(next..)?.starts_with('`') {
                pos = ticks.quoted_from(next).map(|quoted| quoted.end).or_else(|| ticks.end_of_run(next))?;
                continue;
            }
            let is_quoted = next > start && before.is_prose() && before.quotes(reader.text, next, &[]);
            let bare =
                self.packs.formats.iter().filter(|format| format.heads.is_empty() && format.row.body != Body::Lines);
            let read = bare.filter(|_| !is_quoted).find_map(|format| {
                let (calls, end) = reader.calls(format, &Match::at(next)).ok()?;
                let are_offered = !calls.is_empty() && calls.iter().all(|call| self.tools.offers(&call.name));
                are_offered.then(|| vec![Found { span: next..end, format: format.name.clone(), calls }])
            });
            if read.is_some() {
                return read;
            }
            pos = next + 1;
        }
        None
    }

    /// The calls of a fenced block that is all there is from `start` on, if tools were offered and they are all that it holds.
    fn only_block(&self, reader: &Reader<'_, '_>, start: usize) -> Result<Option<Vec<Found>>, Error> {
        let visible = trimmed(reader.text, start..reader.text.len());
        let Some(inner) = only_block(reader.text, visible).filter(|_| !self.tools.is_empty()) else { return Ok(None) };
        if let Some(found) = self.whole(reader, inner.clone()) {
            return Ok(Some(vec![found]));
        }
        let pass = self.scan(reader, None, inner.clone())?;
        let taken: Vec<_> = pass.found.iter().map(|found| found.span.clone()).collect();
        let rest = gaps(inner, &taken).into_iter();
        let holds_all = pass.broken.is_empty() && pass.hidden.is_empty();
        let is_all = holds_all && content(reader.text, rest, self.noise(&[])).is_empty();
        Ok((is_all && !pass.found.is_empty()).then_some(pass.found))
    }

    /// The call, or the mark of text, whose head the prompt has begun: of an offered tool, before another head of the format.
    pub(super) fn begun_by_prompt(&self, reader: &Reader<'_, '_>) -> Option<Found> {
        let begun = self.packs.formats.iter().filter(|format| format.row.begun_by_prompt && !self.tools.is_empty());
        begun.flat_map(|format| format.heads.iter().map(move |head| (format, head))).find_map(|(format, head)| {
            let start = trimmed(reader.text, 0..reader.text.len()).start;
            let found = head.match_after_anchor(reader.text, start).ok()?;
            let name = reader.text.get(name_in(reader.text, found.hole("name")?, &format.row)?)?;
            let (calls, end) = if format.row.text_name.as_deref() == Some(name) {
                let begins_line = reader.text.get(found.end..)?.starts_with('\n');
                let (end, next) = (found.end, reader.finder.find(head.anchor(), found.end));
                (Vec::new(), next.filter(|_| begins_line).map(|_| end)?)
            } else {
                let (calls, end) = reader.calls(format, &found).ok().filter(|_| self.tools.offers(name))?;
                let goes_on = reader.text.get(end..)?.trim_start().starts_with(head.anchor());
                Some((calls, end)).filter(|_| goes_on)?
            };
            Some(Found { span: start..end, format: format.name.clone(), calls })
        })
    }
}
