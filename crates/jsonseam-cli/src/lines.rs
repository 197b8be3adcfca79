//! Texts that are read line by line: JSON Lines, sound or not.

use std::ops::Range;

use jsonseam::{Error, Further, Repaired, Root};

use crate::arguments::{AllForm, ByLine};
use crate::engine::Engine;
use crate::input::Source;
use crate::left_out;

/// The endings of names that say JSON Lines.
const ENDINGS: [&str; 2] = ["jsonl", "ndjson"];

/// One line of a text.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Its bytes, without its line end.
    pub(crate) span: Range<usize>,
    /// Its payloads; `None` if it is blank.
    pub(crate) result: Option<Result<Found<'a>, Error>>,
}

/// The payloads that were taken out of a text.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    /// The one payload, or with `--all` all of them, in order.
    pub(crate) payloads: Vec<Repaired<'a>>,
    /// Where whole payloads are that are left out, unless a flag says which one is wanted.
    pub(crate) further: Vec<Further>,
    /// Where payloads begin that can only be left out, because they are broken; unless a flag says which one is wanted.
    pub(crate) broken: Vec<usize>,
}

/// How payloads are taken out of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taking<'e> {
    /// What repairs.
    pub(crate) engine: &'e Engine,
    /// Whether every payload is wanted.
    pub(crate) all: Option<AllForm>,
    /// Of how many refusals it matters which rules would have answered: finding them costs as much as a repair (SPEC P6).
    pub(crate) explained: usize,
    /// Whether what is left out is left out with intent.
    pub(crate) allows_further: bool,
}

impl Found<'_> {
    /// Whether payloads are left out, whole or broken.
    pub(crate) fn leaves_out(&self) -> bool {
        !self.further.is_empty() || !self.broken.is_empty()
    }

    /// Whether a payload is what was left of one that was cut off.
    pub(crate) fn is_truncated(&self) -> bool {
        self.payloads.iter().any(Repaired::is_truncated)
    }
}

impl Taking<'_> {
    /// The payloads of one text.
    pub(crate) fn take<'a>(&self, bytes: &'a [u8]) -> Result<Found<'a>, Error> {
        let chosen = self.engine.repair(bytes)?;
        let is_intended = self.engine.names_policy || self.allows_further;
        let broken = if is_intended { Vec::new() } else { left_out::broken(bytes, &chosen, &self.engine.pipeline) };
        let mut further = chosen.further().to_vec();
        let mut payloads = vec![chosen];
        if self.all.is_some() {
            let root = self.engine.config.root();
            let wanted = further.extract_if(.., |further| root == Root::Any || root == further.root);
            payloads = self.engine.with_further(bytes, payloads, wanted.map(|further| further.span))?;
        }
        if is_intended {
            further.clear();
        }
        Ok(Found { payloads, further, broken })
    }

    /// The lines of `bytes`, if they are to be read one by one.
    pub(crate) fn by_line<'a>(&self, choice: ByLine, source: &Source, bytes: &'a [u8]) -> Option<Vec<Line<'a>>> {
        match choice {
            ByLine::Never => None,
            ByLine::Auto if !is_named_lines(source) => self.recognised(bytes),
            ByLine::Auto | ByLine::Always => Some(self.lines(bytes)),
        }
    }

    /// The numbers and places of the lines that are not blank, if `bytes` are to be read line by line.
    pub(crate) fn spans(
        &self,
        choice: ByLine,
        source: &Source,
        bytes: &[u8],
        is_valid: bool,
    ) -> Option<Vec<(usize, Range<usize>)>> {
        let is_wanted = match choice {
            ByLine::Never => false,
            ByLine::Always => true,
            ByLine::Auto => is_named_lines(source) || !is_valid && self.recognised(bytes).is_some(),
        };
        let is_text = |span: &Range<usize>| !is_blank(bytes.get(span.clone()).unwrap_or_default());
        is_wanted.then(|| split(bytes).filter(|(_, span)| is_text(span)).collect())
    }

    /// Every line with what is found in it.
    fn lines<'a>(&self, bytes: &'a [u8]) -> Vec<Line<'a>> {
        let mut refused = 0;
        let mut lines = Vec::new();
        for (number, span) in split(bytes) {
            let line = self.line_at(number, span, bytes, refused < self.explained);
            refused += usize::from(matches!(line.result, Some(Err(_))));
            lines.push(line);
        }
        lines
    }

    /// The only line of `bytes`, which has this number in its text.
    pub(crate) fn line<'a>(&self, number: usize, bytes: &'a [u8]) -> Line<'a> {
        let span = split(bytes).next().map_or(0..0, |(_, span)| span);
        self.line_at(number, span, bytes, self.explained > 0)
    }

    fn line_at<'a>(&self, number: usize, span: Range<usize>, bytes: &'a [u8], is_explained: bool) -> Line<'a> {
        let text = bytes.get(span.clone()).unwrap_or_default();
        let explain = |error| if is_explained { self.engine.explain(&error, text) } else { error };
        let result = (!is_blank(text)).then(|| self.take(text).map_err(explain));
        Line { number, span, result }
    }

    /// The lines, if there are at least two that are not blank and each is by itself one payload that is whole.
    ///
    /// The first line that is not ends the search, so this costs the usual text next to nothing.
    fn recognised<'a>(&self, bytes: &'a [u8]) -> Option<Vec<Line<'a>>> {
        let mut lines = Vec::new();
        let mut found = 0;
        for (number, span) in split(bytes) {
            let text = bytes.get(span.clone()).unwrap_or_default();
            if is_blank(text) {
                lines.push(Line { number, span, result: None });
                continue;
            }
            // The last closer of a broken line may be missing; its opener is not.
            if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
                return None;
            }
            let payloads = self.take(text).ok()?;
            let [payload] = payloads.payloads.as_slice() else { return None };
            if payloads.leaves_out() || payload.is_truncated() || !covers(payload, text) {
                return None;
            }
            found += 1;
            lines.push(Line { number, span, result: Some(Ok(payloads)) });
        }
        (found > 1).then_some(lines)
    }
}

/// Whether nothing but white space is around the payload.
fn covers(payload: &Repaired<'_>, text: &[u8]) -> bool {
    let span = payload.payload();
    let around = [text.get(..span.start), text.get(span.end..)];
    around.into_iter().flatten().all(is_blank)
}

/// Whether the name of a file says JSON Lines.
pub(crate) fn is_named_lines(source: &Source) -> bool {
    let extension = source.path().and_then(std::path::Path::extension);
    extension.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Whether a line holds white space alone.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The lines with their numbers, without their line ends.
fn split(bytes: &[u8]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let mut start = 0;
    let starts = std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let text = rest.get(..len).unwrap_or_default();
        let span = start..start + text.strip_suffix(b"\r").unwrap_or(text).len();
        start += len + 1;
        Some(span)
    });
    (1..).zip(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_have_no_ends() {
        let text = b"a\r\n\nb";
        let lines: Vec<_> = split(text).map(|(number, span)| (number, &text[span])).collect();
        assert_eq!(lines, [(1, b"a".as_slice()), (2, b""), (3, b"b")]);
        assert_eq!(split(b"").count(), 0);
    }
}
