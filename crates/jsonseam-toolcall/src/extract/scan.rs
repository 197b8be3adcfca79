//! One pass over a text, from mark to mark.

use std::ops::Range;

use super::content::content;
use super::marks::{Mark, Marks};
use super::quoted::Ticks;
use super::{Broken, Extractor, Found, MAX_BROKEN, Pass};
use crate::body::Reader;
use crate::cursor::Stop;
use crate::envelope::{Error, Reason};
use crate::pack::Format;
use crate::template::Match;

impl Extractor {
    /// Whether a completion begins with thoughts that nothing ends: all of it is thought, and no JSON in it is an answer (SPEC B4).
    ///
    /// ```
    /// use jsonseam_toolcall::{Extractor, Packs};
    ///
    /// let pack = "[[reasoning]]\nopen = \"<think>\"\nclose = [\"</think>\"]";
    /// let extractor = Extractor::new(Packs::parse(&[("thoughts", pack)])?);
    /// assert!(extractor.ends_in_thoughts("<think>Perhaps {\"a\": 1}"));
    /// assert!(!extractor.ends_in_thoughts("<think>Perhaps {\"a\": 1}</think> No."));
    /// # Ok::<(), jsonseam_toolcall::PackError>(())
    /// ```
    pub fn ends_in_thoughts(&self, completion: &str) -> bool {
        let text = completion.trim_start();
        self.packs.reasoning.iter().filter_map(|marks| Some((marks, text.strip_prefix(marks.open.as_str())?))).any(
            |(marks, inner)| {
                let mut ends = marks.close.iter().chain(&marks.ended_by).chain(&marks.bounded_by);
                !ends.any(|mark| inner.contains(mark.as_str()))
            },
        )
    }

    /// Whether a text holds a mark that ends thoughts which began before it.
    pub(super) fn ends_thoughts(&self, text: &str) -> bool {
        let begun = self.packs.reasoning.iter().filter(|marks| !marks.opened);
        begun.flat_map(|marks| marks.close.iter().chain(&marks.ended_by)).any(|mark| text.contains(mark.as_str()))
    }

    /// Goes through a part of the text from mark to mark.
    pub(super) fn scan(
        &self,
        reader: &Reader<'_, '_>,
        ticks: Option<&Ticks<'_>>,
        span: Range<usize>,
    ) -> Result<Pass, Error> {
        let mut pass = Pass::new(reader.text, span.start);
        let mut marks = Marks::new(reader.text, reader.finder, &self.packs, ticks);
        let mut pos = span.start;
        while let Some((at, mark)) = marks.next_from(pos).filter(|(at, _)| *at < span.end) {
            pos = match mark {
                Mark::Thought(index) => self.pass_thought(reader, at, index, &mut pass),
                Mark::ThoughtEnd(index) => {
                    // The thoughts began in the prompt: all that was read so far belongs to them.
                    let close = self.packs.reasoning.get(index).map(|marks| marks.close.as_slice()).unwrap_or_default();
                    let rest = reader.text.get(at..).unwrap_or_default();
                    let mark = close.iter().find(|close| rest.starts_with(close.as_str()));
                    let end = at + mark.map_or(1, String::len);
                    pass = Pass::new(reader.text, end);
                    pass.hidden.push(0..end);
                    end
                }
                Mark::Ticks => pass_quoted(ticks, at, &mut pass),
                Mark::Head => self.read_at(reader, at, &mut pass)?,
            };
        }
        Ok(pass)
    }

    fn pass_thought(&self, reader: &Reader<'_, '_>, open: usize, index: usize, pass: &mut Pass) -> usize {
        let Some(marks) = self.packs.reasoning.get(index) else { return reader.text.len() };
        let inner = open + marks.open.len();
        let first = |marks: &[String]| {
            let found = |mark: &String| reader.finder.find(mark, inner).map(|at| (at, at + mark.len()));
            marks.iter().filter_map(found).min()
        };
        let bound = first(&marks.bounded_by);
        let end = match (first(&marks.close), first(&marks.ended_by)) {
            (close, _) if bound.is_some_and(|(at, _)| close.is_none_or(|(close, _)| at < close)) => {
                bound.map_or(inner, |(at, _)| at)
            }
            (Some((_, end)), _) => end,
            (None, Some((at, _))) => {
                pass.called_from_thoughts = Some(at);
                at
            }
            (None, None) => reader.text.len(),
        };
        let is_first = pass.found.is_empty()
            && reader.text.get(pass.visible_from()..open).is_none_or(|text| text.trim().is_empty());
        pass.hidden.push(open..end);
        if is_first {
            pass.before.restart(reader.text, end);
        } else {
            pass.before.skip_to(end);
        }
        end
    }

    /// Reads the call whose head is at `at` in whichever format fits; gives where to go on.
    fn read_at(&self, reader: &Reader<'_, '_>, at: usize, pass: &mut Pass) -> Result<usize, Error> {
        let mut broken: Option<Broken> = None;
        let rest = reader.text.get(at..).unwrap_or_default();
        let mut longest = 1;
        let is_shown = pass.before.quotes(reader.text, at, &self.packs.leading);
        reader.finder.charge(1);
        pass.shows_marks |= is_shown;
        let is_tried = |format: &&Format| {
            (!format.row.soft || pass.misread < MAX_BROKEN) && (!format.row.offered || !self.tools.is_empty())
        };
        let formats: Vec<_> = self.packs.formats.iter().filter(is_tried).collect();
        for format in formats {
            let empties = format.empties.iter().map(|head| (head, true));
            let heads = empties.chain(format.heads.iter().map(|head| (head, false)));
            for (head, is_empty) in heads.filter(|(head, _)| rest.starts_with(head.anchor())) {
                longest = longest.max(head.anchor().len());
                let read = match head.match_at(reader.text, at) {
                    // Only the start of the mark is here: something else was meant.
                    Err(Stop::Malformed(_)) => continue,
                    Err(stop) => Err(stop),
                    Ok(head) if is_text(reader.text, &head, format) => Ok((Vec::new(), head.end)),
                    Ok(head) if is_empty => reader.empty(format, &head),
                    Ok(head) => reader.calls(format, &head),
                };
                match read {
                    Ok((_, end)) if is_shown => {
                        pass.before.skip_to(end);
                        pass.quoted.push(at..end);
                        return Ok(end);
                    }
                    Ok((calls, end)) => {
                        let between = |broken: &Broken| reader.text.get(broken.mark.end..at).map(str::trim);
                        pass.broken.retain(|broken| between(broken) != Some(""));
                        pass.before.skip_to(end);
                        pass.found.push(Found { span: at..end, format: format.name.clone(), calls });
                        return Ok(end);
                    }
                    Err(stop @ (Stop::Repeated(_) | Stop::RunsOver(_))) if !is_shown => {
                        // No other format may read it in another way.
                        let mark = at..at + head.anchor().len();
                        pass.broken.push(Broken { mark, stop, format: format.name.clone() });
                        return Ok(reader.text.len());
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
        pass.broken.extend(broken.filter(|_| !is_shown));
        if is_shown {
            pass.quoted.push(at..at + longest);
        }
        if let Some(broken) = pass.broken.get(MAX_BROKEN) {
            return Err(Error { reason: Reason::LimitExceeded, ..broken.error(reader.text) });
        }
        Ok(at + longest)
    }

    /// Takes calls back that thoughts seemed to end in, if something else follows them: then they were thoughts too.
    pub(super) fn think_on(&self, completion: &str, pass: &mut Pass) {
        let Some(at) = pass.called_from_thoughts else { return };
        let tail = pass.found.last().map_or(at, |found| found.span.end).max(at);
        if !content(completion, std::iter::once(tail..completion.len()), self.noise(&[])).is_empty() {
            pass.found.retain(|found| found.span.end <= at);
            pass.broken.retain(|broken| broken.mark.end <= at);
            pass.hidden.push(at..completion.len());
        }
    }
}

/// Passes over what a run of backticks quotes, or over the run.
fn pass_quoted(ticks: Option<&Ticks<'_>>, at: usize, pass: &mut Pass) -> usize {
    match ticks.and_then(|ticks| ticks.quoted_from(at)) {
        Some(quoted) => {
            let end = quoted.end;
            pass.quoted.push(quoted);
            end
        }
        None => ticks.and_then(|ticks| ticks.end_of_run(at)).unwrap_or(at + 1),
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
        Stop::Repeated(pos) | Stop::RunsOver(pos) => (3, pos),
    }
}
