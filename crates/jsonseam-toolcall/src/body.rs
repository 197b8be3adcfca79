//! What stands between the head of a call and its end, read into calls of the envelope.

use std::ops::Range;

use jsonseam_core::{Pipeline, Reason, RepairOptions};
use serde_json::value::RawValue;

use crate::call::{Call, calls_in, name_in};
use crate::cursor::{Cursor, Finder, Stop};
use crate::literal::Spelling;
use crate::pack::{Body, Format};
use crate::tagged;
use crate::template::{Match, Template, is_name_char};
use crate::tools::Tools;
use crate::weave::{Edit, Piece, Woven};

/// What reads the bodies of calls.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'r, 'a> {
    pub(crate) text: &'a str,
    pub(crate) finder: &'r Finder<'a>,
    pub(crate) tools: &'r Tools,
    pub(crate) pipeline: Option<&'r Pipeline>,
}

impl<'a> Reader<'_, 'a> {
    /// The calls behind a head, and where they end.
    pub(crate) fn calls(&self, format: &Format, head: &Match) -> Result<(Vec<Call>, usize), Stop> {
        let name = match head.hole("name") {
            Some(span) => Some(name_in(self.text, span.clone(), &format.row).ok_or(Stop::Malformed(span.start))?),
            None => None,
        };
        let mut at = Cursor::new(self.text, head.end);
        let calls = match (format.row.body, name) {
            (Body::Calls, name) => self.objects(&mut at, format, name)?,
            (Body::Python, _) => self.python(&mut at, format)?,
            (Body::Arguments, Some(name)) => vec![self.arguments(&mut at, format, name)?],
            (Body::Tagged, Some(name)) => vec![tagged::call(self, &mut at, format, name)?],
            (Body::Bare, Some(name)) => vec![self.bare(&mut at, format, name)?],
            (_, None) => return Err(Stop::Malformed(head.end)),
        };
        self.end(&mut at, format)?;
        Ok((calls, at.pos))
    }

    /// Passes over what ends a call. A missing end is one only where the format needs it: the body was complete.
    fn end(&self, at: &mut Cursor<'a>, format: &Format) -> Result<(), Stop> {
        let mut ahead = *at;
        ahead.skip_blanks();
        let mut stop = None;
        for end in &format.ends {
            match end.match_at(self.text, ahead.pos) {
                Ok(found) => {
                    at.pos = found.end;
                    return Ok(());
                }
                Err(Stop::Cut) => stop = Some(Stop::Cut),
                Err(other) => stop = stop.or(Some(other)),
            }
        }
        match stop {
            Some(stop) if format.row.needs_end => Err(stop),
            // Half of an end at the end of the text belongs to the call.
            Some(Stop::Cut) => {
                at.pos = self.text.len();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Objects that name their tool, one after the other, and arrays of them.
    fn objects(&self, at: &mut Cursor<'a>, format: &Format, name: Option<Range<usize>>) -> Result<Vec<Call>, Stop> {
        let mut calls = Vec::new();
        loop {
            at.skip_blanks();
            let start = at.pos;
            let (value, end) = self.json(at.pos, &format.ends)?;
            calls.extend(calls_in(&value, &format.row, start)?);
            at.pos = end;
            let mut ahead = *at;
            ahead.skip_blanks();
            let _ = ahead.eat(";") || ahead.eat(",");
            ahead.skip_blanks();
            let is_ended = format.ends.iter().any(|end| end.match_at(self.text, ahead.pos).is_ok());
            if is_ended || !matches!(ahead.peek(), Some('{' | '[')) {
                break;
            }
            *at = ahead;
        }
        let named = name.and_then(|name| self.text.get(name));
        if named.is_some_and(|name| calls.iter().any(|call| call.name != name)) {
            return Err(Stop::Malformed(at.pos));
        }
        Ok(calls)
    }

    /// An object that holds the arguments, in a fenced block or not; nothing at all for none.
    fn arguments(&self, at: &mut Cursor<'a>, format: &Format, name: Range<usize>) -> Result<Call, Stop> {
        at.skip_blanks();
        let is_fenced = at.eat("```");
        if is_fenced {
            at.take_while(char::is_alphanumeric);
            at.skip_blanks();
        }
        let is_empty = format.ends.iter().any(|end| end.match_at(self.text, at.pos).is_ok());
        let arguments = if is_empty { vec![Piece::insert("{}")] } else { self.object(at, format)? };
        if is_fenced {
            at.skip_blanks();
            at.expect("```")?;
        }
        Ok(Call::new(self.text, name, arguments))
    }

    /// A JSON object, as it stands or repaired.
    pub(crate) fn object(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Vec<Piece>, Stop> {
        at.skip_blanks();
        let start = at.pos;
        let (value, end) = self.json(start, &format.ends)?;
        if !value.text.starts_with('{') {
            return Err(Stop::Malformed(start));
        }
        at.pos = end;
        Ok(value.pieces)
    }

    /// The JSON container that starts at `start`: as it stands, else repaired up to the first of `ends`.
    fn json(&self, start: usize, ends: &[Template]) -> Result<(Woven<'a>, usize), Stop> {
        let at = Cursor::new(self.text, start);
        if !matches!(at.peek(), Some('{' | '[')) {
            return Err(at.stop());
        }
        let mut values = serde_json::Deserializer::from_str(at.rest()).into_iter::<&RawValue>();
        let is_whole = matches!(values.next(), Some(Ok(_)));
        self.finder.charge(if is_whole { values.byte_offset() } else { at.rest().len() });
        if is_whole {
            let end = start + values.byte_offset();
            return Ok((Woven::new(self.text, vec![Piece::Keep(start..end)]), end));
        }
        self.repaired(start, ends)
    }

    fn repaired(&self, start: usize, ends: &[Template]) -> Result<(Woven<'a>, usize), Stop> {
        let marker = ends.iter().filter_map(|end| self.finder.find(end.anchor(), start)).min();
        let end = marker.unwrap_or(self.text.len());
        let malformed = if marker.is_some() { Stop::Malformed(start) } else { Stop::Cut };
        let body = self.text.get(start..end).unwrap_or_default();
        self.finder.charge(body.len());
        let options = RepairOptions { skips_mended_by: true, ..RepairOptions::default() };
        let pipeline = self.pipeline.ok_or(malformed)?;
        let repaired = pipeline.repair_with(body, &options).map_err(|error| match error.reason() {
            Reason::Truncated => malformed,
            _ => Stop::Malformed(start + error.position().map_or(0, |position| position.offset)),
        })?;
        if repaired.is_truncated() {
            return Err(malformed);
        }
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
            let replacement = seam.replacement.to_owned();
            pieces.push(Piece::Edit(Edit { rule: seam.rule.to_owned(), risk: seam.risk, span, replacement }));
        }
        let end = start + payload.end;
        if pos < end {
            pieces.push(Piece::Keep(pos..end));
        }
        Ok((Woven::new(self.text, pieces), end))
    }

    /// `f(a=1)`, or several in brackets or on lines of their own.
    fn python(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Vec<Call>, Stop> {
        at.skip_blanks();
        let is_bracketed = at.eat("[");
        let mut calls = Vec::new();
        loop {
            at.skip_blanks();
            if is_bracketed && at.eat("]") {
                break;
            }
            let is_call = at.peek().is_some_and(|char| char.is_alphabetic() || char == '_');
            if !is_call && !is_bracketed && !calls.is_empty() {
                break;
            }
            calls.push(self.python_call(at, format)?);
            at.skip_blanks();
            let has_comma = at.eat(",") || at.eat(";");
            if is_bracketed && !has_comma && !at.rest().starts_with(']') {
                return Err(at.stop());
            }
        }
        if calls.is_empty() { Err(Stop::Malformed(at.pos)) } else { Ok(calls) }
    }

    fn python_call(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Call, Stop> {
        let span = at.take_while(|char| is_name_char(char) && char != ':');
        let name = name_in(self.text, span, &format.row).ok_or_else(|| at.stop())?;
        at.expect("(")?;
        let spelling = Spelling { finder: self.finder, quotes: &[], has_bare_keys: true };
        let mut arguments = vec![Piece::insert("{")];
        spelling.members_until(at, ")", "=", 0, &mut arguments)?;
        arguments.push(Piece::insert("}"));
        Ok(Call::new(self.text, name, arguments))
    }

    /// `{k:<|"|>v<|"|>}`.
    fn bare(&self, at: &mut Cursor<'a>, format: &Format, name: Range<usize>) -> Result<Call, Stop> {
        let spelling = Spelling { finder: self.finder, quotes: &format.row.quotes, has_bare_keys: true };
        at.skip_blanks();
        at.expect("{")?;
        let mut arguments = vec![Piece::insert("{")];
        spelling.members_until(at, "}", ":", 0, &mut arguments)?;
        arguments.push(Piece::insert("}"));
        Ok(Call::new(self.text, name, arguments))
    }
}
