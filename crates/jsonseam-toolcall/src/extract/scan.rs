//! One pass over a text, from mark to mark.

use std::ops::Range;

use super::content::content;
use super::marks::{Mark, Marks};
use super::quotations::is_enclosed;
use super::quoted::{Ticks, begins_line};
use super::regions::{REGIONS, after_rule};
use super::{Broken, Extractor, Found, MAX_BROKEN, Pass};
use crate::call::{Call, name_in};
use crate::cursor::{Stop, trimmed};
use crate::envelope::{Error, Reason};
use crate::pack::{Format, Reasoning};
use crate::reader::Reader;
use crate::template::{Match, Template};

/// What is at the mark of a call.
pub(super) struct Read<'p> {
    format: &'p Format,
    head: Range<usize>,
    /// Where the head ends, and what is called begins.
    body: usize,
    pub(super) outcome: Result<(Vec<Call>, usize), Stop>,
}

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
        let start = completion.len() - completion.trim_start().len();
        let begun =
            self.packs.reasoning.iter().filter_map(|marks| Some((marks, marks.open.match_at(completion, start).ok()?)));
        let mut begun = begun.map(|(marks, open)| {
            let inner = completion.get(open.end..).unwrap_or_default();
            let mut ends = marks.close.iter().chain(&marks.bounded_by).map(Template::anchor);
            let calls = self.ending(marks).flat_map(|format| {
                format.heads.iter().map(Template::anchor).chain(format.around.iter().map(String::as_str))
            });
            !ends.any(|mark| inner.contains(mark)) && !calls.into_iter().any(|mark| inner.contains(mark))
        });
        begun.any(|never_ends| never_ends)
    }

    /// Whether a text closes thoughts that began before it.
    pub(super) fn closes_thoughts(&self, text: &str) -> bool {
        let begun = self.packs.reasoning.iter().filter(|marks| !marks.opened);
        let ends = |close: &Template| {
            let mut places =
                text.match_indices(close.anchor()).filter_map(|(at, _)| Some((at, close.match_at(text, at).ok()?)));
            places.any(|(at, found)| !is_enclosed(text, at..found.end))
        };
        begun.flat_map(|marks| &marks.close).any(ends)
    }

    /// The thoughts that a prompt began and the text never closes.
    pub(super) fn open_thoughts(&self, reader: &Reader<'_, '_>, pass: &mut Pass) {
        let begun = self.packs.reasoning.iter().filter(|marks| !marks.opened);
        let called = begun.filter_map(|marks| self.calls_in_thoughts(reader, marks, 0)).min();
        pass.called_from_thoughts = called;
        pass.hidden.push(0..called.unwrap_or(reader.text.len()));
    }

    /// The formats whose marks end these thoughts.
    fn ending<'p>(&'p self, marks: &Reasoning) -> impl Iterator<Item = &'p Format> + use<'p> {
        let open = marks.open.spelled();
        let formats = self.packs.formats.iter();
        formats.filter(move |format| format.row.ends_thoughts && format.row.thoughts.opens().contains(&open))
    }

    /// A thought without the marks around it and the white space at both ends.
    pub(super) fn thought_in(&self, text: &str, hidden: Range<usize>) -> Range<usize> {
        let open = self.packs.reasoning.iter().find_map(|marks| marks.open.match_at(text, hidden.start).ok());
        let start = open.map_or(hidden.start, |open| open.end).min(hidden.end);
        let closes = self.packs.reasoning.iter().flat_map(|marks| &marks.close);
        let ends = closes.filter_map(|close| {
            let part = text.get(start..hidden.end)?;
            let at = start + part.rfind(close.anchor())?;
            close.match_at(text, at).ok().filter(|found| found.end == hidden.end).map(|_| at)
        });
        trimmed(text, start..ends.min().unwrap_or(hidden.end))
    }

    /// Goes on with `pass` through a part of the text from mark to mark, up to where another role begins to speak.
    pub(super) fn scan(
        &self,
        reader: &Reader<'_, '_>,
        ticks: Option<&Ticks<'_>>,
        span: Range<usize>,
        mut pass: Pass,
    ) -> Result<Pass, Error> {
        let by_tool = self.packs.formats.iter().any(|format| format.row.named_by_tool);
        let tags = if by_tool { self.tools.tags() } else { Vec::new() };
        let mut marks = Marks::new(reader.text, reader.finder, &self.packs, &tags, ticks);
        let mut pos = span.start;
        while let Some((at, mark)) = marks.next_from(pos).filter(|(at, _)| *at < span.end) {
            pos = match mark {
                Mark::Thought => self.pass_thought(reader, at, &mut pass),
                Mark::ThoughtEnd if self.mentions_end(reader.text, at) => at + 1,
                Mark::ThoughtEnd => self.end_thought(reader, at, &mut pass),
                Mark::Turn | Mark::TurnLine => {
                    if !is_turn(reader, at, mark, &mut pass) {
                        at + 1
                    } else if let Some(close) = self.unopened_close(reader, at) {
                        // All of it was thought aloud, the turns of others too.
                        self.end_thought(reader, close, &mut pass)
                    } else {
                        pass.end = at;
                        return Ok(pass);
                    }
                }
                Mark::Ticks => self.pass_quoted(reader, ticks, at, &mut pass),
                Mark::Region => self.pass_region(reader, at, &mut pass),
                Mark::Head => self.read_at(reader, at, &mut pass)?,
            };
        }
        Ok(pass)
    }

    /// The first mark after `at` that ends thoughts which nothing after `at` began.
    fn unopened_close(&self, reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
        let begun = self.packs.reasoning.iter().filter(|marks| !marks.opened);
        let close = begun.filter_map(|marks| {
            let close = first_of(reader, &marks.close, at)?;
            let open = first_of(reader, std::slice::from_ref(&marks.open), at);
            open.is_none_or(|open| close.start < open.start).then_some(close.start)
        });
        close.min()
    }

    /// Whether a mark that ends thoughts is only mentioned.
    fn mentions_end(&self, text: &str, at: usize) -> bool {
        let mut closes = self.packs.reasoning.iter().flat_map(|marks| &marks.close);
        let close = closes.find_map(|close| close.match_at(text, at).ok());
        close.is_some_and(|close| is_enclosed(text, at..close.end))
    }

    /// The thoughts began in the prompt: all that was read so far belongs to them.
    fn end_thought(&self, reader: &Reader<'_, '_>, at: usize, pass: &mut Pass) -> usize {
        let mut closes = self.packs.reasoning.iter().filter(|marks| !marks.opened).flat_map(|marks| &marks.close);
        let Some(end) = closes.find_map(|close| close.match_at(reader.text, at).ok()).map(|close| close.end) else {
            return at + 1;
        };
        *pass = Pass::new(reader.text, end..pass.end);
        pass.hidden.push(0..end);
        end
    }

    fn pass_thought(&self, reader: &Reader<'_, '_>, open: usize, pass: &mut Pass) -> usize {
        let mut known = self.packs.reasoning.iter();
        let begun = known.find_map(|marks| Some((marks, marks.open.match_at(reader.text, open).ok()?)));
        let Some((marks, begun)) = begun else { return open + 1 };
        let is_first = pass.found.is_empty()
            && reader.text.get(pass.visible_from()..open).is_none_or(|text| text.trim().is_empty());
        // Thoughts that a later end closes are thoughts all the same, wherever they began.
        let is_unclosed = !marks.opened;
        let mut is_mention = || pass.before.mentions(reader.finder, reader.text, open..begun.end, is_unclosed);
        if !is_first && (marks.at_start || is_mention()) {
            return begun.end;
        }
        let inner = begun.end;
        let bound = first_of(reader, &marks.bounded_by, inner);
        let mut close = first_of(reader, &marks.close, inner);
        while let Some(mention) = close.take_if(|close| is_enclosed(reader.text, close.clone())) {
            close = first_of(reader, &marks.close, mention.end);
        }
        let end = match close {
            close
                if bound.as_ref().is_some_and(|bound| close.as_ref().is_none_or(|close| bound.start < close.start)) =>
            {
                bound.map_or(inner, |bound| bound.start)
            }
            Some(close) => close.end,
            None => {
                pass.called_from_thoughts = self.calls_in_thoughts(reader, marks, inner);
                pass.called_from_thoughts.unwrap_or(reader.text.len())
            }
        };
        pass.hidden.push(open..end);
        if is_first {
            pass.before.restart(reader.text, end);
        } else {
            pass.before.pass_over(reader.text, open..end);
        }
        end
    }

    /// Where thoughts that are never closed end in calls: at the first mark whose row says so.
    fn calls_in_thoughts(&self, reader: &Reader<'_, '_>, marks: &Reasoning, inner: usize) -> Option<usize> {
        let starts = self.ending(marks).flat_map(|format| {
            let heads = first_of(reader, &format.heads, inner).map(|head| head.start);
            let around = format.around.iter().filter_map(|mark| reader.finder.find(mark, inner)).min();
            [heads, around].into_iter().flatten()
        });
        starts.min()
    }

    /// Reads the call whose head is at `at` in whichever format fits; gives where to go on.
    fn read_at(&self, reader: &Reader<'_, '_>, at: usize, pass: &mut Pass) -> Result<usize, Error> {
        reader.finder.charge(1);
        let mut longest = None;
        let mut broken: Option<Broken> = None;
        let is_tried = |format: &&Format| {
            (!format.row.soft || pass.misread < MAX_BROKEN) && (!format.row.offered || !self.tools.is_empty())
        };
        let begins_line = pass.begins_line(reader.text, at);
        let formats: Vec<_> = self.packs.formats.iter().filter(is_tried).collect();
        for Read { format, head, body, outcome } in formats.into_iter().flat_map(|format| reads(reader, format, at)) {
            longest = longest.max(Some(head.end));
            match outcome {
                Ok((calls, end)) => {
                    let is_word = format.row.begins_line && !begins_line;
                    if is_word && format.begins_again(reader.text, end) {
                        // The next one is on a line of its own, and would be half of what was asked for.
                        let stop = Stop::Malformed(at);
                        pass.unread.push(Broken { mark: head, stop, format: format.name.clone(), is_soft: true });
                        return Ok(end);
                    }
                    if is_word
                        || pass.is_answered(reader, format, at)
                        || pass.before.quotes(reader.finder, reader.text, at, end)
                    {
                        pass.before.pass_over(reader.text, at..end);
                        pass.quoted.push(at..end);
                    } else {
                        let mark = reader.text.get(head).unwrap_or_default();
                        pass.add(reader.text, Found { span: at..end, format: format.name.clone(), calls }, mark);
                    }
                    return Ok(end);
                }
                Err(stop @ (Stop::Repeated(_) | Stop::RunsOver(_)))
                    if !pass.before.quotes(reader.finder, reader.text, at, head.end) =>
                {
                    // No other format may read it in another way.
                    pass.broken.push(Broken { mark: head, stop, format: format.name.clone(), is_soft: false });
                    return Ok(reader.text.len());
                }
                Err(_) if format.row.begins_line && !begins_line => {}
                Err(stop) => {
                    let is_soft = format.row.soft;
                    if is_soft && !pass.counts_as_half(reader, format, (at, body), stop) {
                        continue;
                    }
                    let rank = |broken: &Broken| (!broken.is_soft, broken.stop.rank());
                    let other = Broken { mark: head, stop, format: format.name.clone(), is_soft };
                    if broken.as_ref().is_none_or(|known| rank(&other) > rank(known)) {
                        broken = Some(other);
                    }
                }
            }
        }
        let next = longest.unwrap_or(at + 1);
        if let Some(broken) = broken {
            if pass.before.quotes(reader.finder, reader.text, at, next) {
                pass.quoted.push(at..next);
            } else if broken.is_soft {
                pass.unread.push(broken);
            } else {
                pass.joins(reader.text, at);
                pass.broken.push(broken);
            }
        }
        if let Some(broken) = pass.broken.get(MAX_BROKEN) {
            return Err(Error { reason: Reason::LimitExceeded, ..broken.error(reader.text) });
        }
        Ok(next)
    }

    /// Passes over what a run of backticks or tildes quotes, or over the run. A fence right after the line `Action:` quotes nothing.
    fn pass_quoted(&self, reader: &Reader<'_, '_>, ticks: Option<&Ticks<'_>>, at: usize, pass: &mut Pass) -> usize {
        let text = reader.text;
        let end_of_run = ticks.and_then(|ticks| ticks.end_of_run(at)).unwrap_or(at + 1);
        match ticks.and_then(|ticks| ticks.quoted_from(at)).filter(|_| pass.action_fence != Some(end_of_run)) {
            Some(quoted) if !pass.follows_action(reader, at) => {
                let is_closed = |end| ticks.is_some_and(|ticks| ticks.closes_again(at..end_of_run, end));
                if self.ends_in_call(reader, end_of_run..quoted.end, pass, is_closed) {
                    return end_of_run;
                }
                pass.quote(text, quoted)
            }
            Some(quoted) => {
                pass.action_fence = Some(quoted.end);
                end_of_run
            }
            None => end_of_run,
        }
    }

    /// Passes over a region that quotes, or over what could have begun one, or only mentions its mark.
    fn pass_region(&self, reader: &Reader<'_, '_>, at: usize, pass: &mut Pass) -> usize {
        let text = reader.text;
        let mut quoted =
            REGIONS.iter().filter_map(|region| Some((region, region.quoted_from(reader.finder, text, at)?)));
        let Some((region, shown)) = quoted.next() else { return after_rule(reader.finder, text, at) };
        let end = at + region.open.len();
        let mark = at..end + usize::from(text.as_bytes().get(end) == Some(&b'>'));
        let inner = mark.end..shown.span.end;
        if pass.before.mentions(reader.finder, text, mark, !shown.is_closed)
            || self.ends_in_call(reader, inner, pass, |end| region.closes_again(reader.finder, text, at, end))
        {
            return at + 1;
        }
        pass.quote(text, shown.span)
    }

    /// Whether what seems to quote `inner` ends within a call that begins in it and goes on after it: then its first mark is only mentioned, after which
    /// prose goes on, and the other one is in a value of the call. `closes_again` says whether one that ends it is after the call: then it quotes the call.
    fn ends_in_call(
        &self,
        reader: &Reader<'_, '_>,
        inner: Range<usize>,
        pass: &mut Pass,
        closes_again: impl Fn(usize) -> bool,
    ) -> bool {
        let formats = self.packs.formats.iter().filter(|format| !format.row.soft);
        let heads = formats.flat_map(|format| format.heads.iter().map(move |head| (format, head)));
        let first = heads.filter_map(|(_, head)| reader.finder.find(head.anchor(), inner.start)).min();
        let Some(first) = first.filter(|&first| first < inner.end) else { return false };
        let words = reader.text.get(inner.start..first).unwrap_or_default();
        if pass.crossings >= MAX_BROKEN || !words.contains('\n') || !words.contains(char::is_alphanumeric) {
            return false;
        }
        pass.crossings += 1;
        reader.finder.charge(words.len());
        let formats = self.packs.formats.iter().filter(|format| !format.row.soft);
        let end = formats.flat_map(|format| reads(reader, format, first)).find_map(|read| read.outcome.ok());
        end.is_some_and(|(_, end)| end > inner.end && !closes_again(end))
    }

    /// Takes calls back that thoughts seemed to end in, if something else follows them: then they were thoughts too.
    pub(super) fn think_on(&self, completion: &str, pass: &mut Pass) {
        let Some(at) = pass.called_from_thoughts else { return };
        let tail = pass.found.last().map_or(at, |found| found.span.end).max(at);
        if !content(completion, std::iter::once(tail..pass.end), self.noise(&[])).is_empty() {
            pass.found.retain(|found| found.span.end <= at);
            pass.broken.retain(|broken| broken.mark.end <= at);
            pass.unread.retain(|broken| broken.mark.end <= at);
            pass.hidden.push(at..pass.end);
        }
    }
}

impl Extractor {
    /// Takes calls back whose mark interfaces print too, if anything but calls follows: then they are shown.
    pub(super) fn show_unless_last(&self, completion: &str, pass: &mut Pass) {
        let is_printed = |name: &str| self.packs.formats.iter().any(|format| format.row.last && format.name == name);
        if !pass.found.iter().any(|found| is_printed(&found.format)) {
            return;
        }
        let tail = pass.found.last().map_or(0, |found| found.span.end);
        if content(completion, std::iter::once(tail..completion.len()), self.noise(&[])).is_empty() {
            return;
        }
        let (shown, found) = pass.found.drain(..).partition(|found| is_printed(&found.format));
        pass.found = found;
        pass.quoted.extend(Vec::into_iter(shown).map(|shown: Found| shown.span));
        pass.quoted.sort_by_key(|span| (span.start, span.end));
    }
}

impl Pass {
    /// Whether the visible text before `at` has a line that begins as the answer of the format does.
    fn is_answered(&self, reader: &Reader<'_, '_>, format: &Format, at: usize) -> bool {
        let from = self.visible_from();
        let visible = reader.text.get(from..at).unwrap_or_default();
        format.row.not_after.iter().any(|mark| {
            visible.trim_start().starts_with(mark.as_str())
                || reader.finder.find(&format!("\n{mark}"), from).is_some_and(|found| found < at)
        })
    }

    /// Whether nothing visible is before a place in its line.
    fn begins_line(&self, text: &str, at: usize) -> bool {
        let visible = text.get(self.visible_from().min(at)..at).unwrap_or_default();
        begins_line(visible, visible.len())
    }

    /// Whether a fence at `at` is right after a line that is the word `Action:` and is not quoted itself.
    fn follows_action(&mut self, reader: &Reader<'_, '_>, at: usize) -> bool {
        const ACTION: &str = "Action:";
        let before = reader.text.get(..at).unwrap_or_default().trim_end();
        let Some(start) = before.len().checked_sub(ACTION.len()).filter(|_| before.ends_with(ACTION)) else {
            return false;
        };
        begins_line(reader.text, start) && !self.before.quotes(reader.finder, reader.text, at, at)
    }

    /// Passes over what is quoted; gives where it ends.
    fn quote(&mut self, text: &str, quoted: Range<usize>) -> usize {
        let end = quoted.end;
        self.before.pass_over(text, quoted.clone());
        self.quoted.push(quoted);
        end
    }

    /// Whether what follows a mark that means other things too, and cannot be read, is like a call nevertheless: it is cut, or begins as one.
    fn counts_as_half(
        &mut self,
        reader: &Reader<'_, '_>,
        format: &Format,
        (at, body): (usize, usize),
        stop: Stop,
    ) -> bool {
        // What a head holds in place of a name may be words.
        let is_name = |head: &Template| match head.match_at(reader.text, at) {
            Ok(head) => head.hole("name").is_some_and(|hole| name_in(reader.text, hole, &format.row).is_some()),
            Err(stop) => stop == Stop::Cut && head.has_hole("name"),
        };
        let is_named = format.heads.iter().any(is_name);
        let opens = reader.text.get(body..).is_some_and(|rest| rest.starts_with(['{', '[']));
        // At the end of the text, the mark alone on its line says what was begun.
        let is_cut = stop == Stop::Cut && (opens || begins_line(reader.text, at));
        let is_half = is_named || is_cut || reader.is_like_call(body, false);
        self.misread += usize::from(opens || is_half);
        if self.misread == MAX_BROKEN {
            // No further one is read, so nothing tells whether more was asked for.
            let format = format.name.clone();
            self.unread.push(Broken { mark: at..body, stop: Stop::TooDeep(at), format, is_soft: true });
            return false;
        }
        is_half && !matches!(stop, Stop::NoCall(_))
    }

    /// What was broken right before a mark at `at` was a part of it; gives where that began.
    fn joins(&mut self, text: &str, at: usize) -> usize {
        let between = |broken: &Broken| text.get(broken.mark.end..at).map(str::trim);
        let joined = self.broken.iter().filter(|broken| between(broken) == Some("")).map(|broken| broken.mark.start);
        let start = joined.min().unwrap_or(at);
        self.broken.retain(|broken| between(broken) != Some(""));
        self.unread.retain(|broken| between(broken) != Some(""));
        start
    }

    /// A call that was read. The mark that begins it may be there twice.
    fn add(&mut self, text: &str, mut found: Found, mark: &str) {
        let start = self.joins(text, found.span.start);
        if text.get(start..found.span.start).map(str::trim_end) == Some(mark) {
            found.span.start = start;
        }
        self.before.pass_over(text, found.span.clone());
        self.found.push(found);
    }
}

/// What a format makes of what is at `at`, for each of its heads that is there.
pub(super) fn reads<'p>(reader: &Reader<'_, '_>, format: &'p Format, at: usize) -> Vec<Read<'p>> {
    let rest = reader.text.get(at..).unwrap_or_default();
    let empties = format.empties.iter().map(|head| (head, true));
    let heads = empties.chain(format.heads.iter().map(|head| (head, false)));
    let mut reads = Vec::new();
    for (head, is_empty) in heads.filter(|(head, _)| rest.starts_with(head.anchor())) {
        let mark = at..at + head.anchor().len();
        let matched = head.match_at(reader.text, at);
        let body = matched.as_ref().map_or(mark.end, |head| head.end);
        let outcome = match matched {
            // Only the start of the mark is here: something else was meant.
            Err(Stop::Malformed(_)) => continue,
            // So it is where the tag is named after no tool.
            Ok(ref head) if format.row.named_by_tool && !is_offered(reader, head) => continue,
            Err(_) if format.row.named_by_tool => continue,
            Err(stop) => Err(stop),
            Ok(head) if is_text(reader.text, &head, format) => Ok((Vec::new(), head.end)),
            Ok(head) if is_empty => reader.empty(format, &head),
            Ok(head) => reader.calls(format, &head),
        };
        // No other head may read what was read, or what is refused, in another way.
        let is_decided = matches!(outcome, Ok(_) | Err(Stop::Repeated(_) | Stop::RunsOver(_)));
        reads.push(Read { format, head: mark, body, outcome });
        if is_decided {
            break;
        }
    }
    reads
}

/// Whether a head names a tool that was offered.
pub(super) fn is_offered(reader: &Reader<'_, '_>, head: &Match) -> bool {
    head.hole("name").and_then(|name| reader.text.get(name)).is_some_and(|name| reader.tools.offers(name))
}

/// The first place from `pos` on where one of the templates matches.
fn first_of(reader: &Reader<'_, '_>, marks: &[Template], pos: usize) -> Option<Range<usize>> {
    let first = |mark: &Template| {
        let mut pos = pos;
        while let Some(at) = reader.finder.find(mark.anchor(), pos) {
            if let Ok(found) = mark.match_at(reader.text, at) {
                return Some((at, found.end));
            }
            pos = at + mark.anchor().len();
        }
        None
    };
    marks.iter().filter_map(first).min().map(|(start, end)| start..end)
}

/// Whether another role begins to speak at `at`. The mark of one that is quoted is a word.
fn is_turn(reader: &Reader<'_, '_>, at: usize, mark: Mark, pass: &mut Pass) -> bool {
    (mark == Mark::Turn || begins_line(reader.text, at)) && !pass.before.quotes(reader.finder, reader.text, at, at)
}

/// Whether the name in a head marks plain text.
fn is_text(text: &str, head: &Match, format: &Format) -> bool {
    let name = head.hole("name").and_then(|span| text.get(span));
    name.is_some() && name == format.row.text_name.as_deref()
}
