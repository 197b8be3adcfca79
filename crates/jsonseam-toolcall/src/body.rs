//! What is between the head of a call and its end, read into calls of the envelope.

use std::ops::Range;

use crate::call::{Call, calls_in, name_in};
use crate::cursor::{Cursor, Finder, Stop};
use crate::likeness::is_like_call;
use crate::literal::{Spelling, escaped_string};
use crate::pack::{Body, Format};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::template::{Match, is_name_char};
use crate::weave::Piece;

impl<'a> Reader<'_, 'a> {
    /// Whether a name without arguments is a call: with tools, which are checked later; without, in some formats, where no prose is before the marks.
    pub(crate) fn stands_alone(&self, format: &Format) -> bool {
        !self.tools.is_empty() || format.row.alone_at_start && self.text.trim_start().starts_with('<')
    }

    /// Whether what is at `pos` begins as a bare call does. Before `(` is the name of a tool that may be called, or of any if `takes_any`.
    pub(crate) fn is_like_call(&self, pos: usize, takes_any: bool) -> bool {
        let takes_any = takes_any || self.tools.is_empty();
        is_like_call(self.text, pos, self.finder, self.head_keys, |name| {
            takes_any && !name.is_empty() || self.tools.offers(name)
        })
    }

    /// A call that its head is all of.
    pub(crate) fn empty(&self, format: &Format, head: &Match) -> Result<(Vec<Call>, usize), Stop> {
        let span = head.hole("name").ok_or(Stop::Malformed(head.end))?;
        let name = name_in(self.text, span.clone(), &format.row).ok_or(Stop::Malformed(span.start))?;
        Ok((vec![Call::new(self.text, name, vec![Piece::insert("{}")])], head.end))
    }

    /// Passes over what ends a call. A missing end is one only where the format needs it: the body was complete.
    pub(crate) fn end(&self, at: &mut Cursor<'a>, format: &Format) -> Result<(), Stop> {
        let mut ahead = *at;
        ahead.skip_blanks();
        let mut stop = None;
        for end in format.ends.iter().chain(&format.late_ends) {
            match end.match_at(self.text, ahead.pos) {
                Ok(found) => {
                    let mark = self.text.get(ahead.pos..found.end).unwrap_or_default();
                    // The turn of another role ends the call and is no part of it.
                    at.pos = if self.turns.iter().any(|turn| turn == mark) { ahead.pos } else { found.end };
                    return Ok(());
                }
                Err(Stop::Cut) => stop = Some(Stop::Cut),
                Err(other) => stop = stop.or(Some(other)),
            }
        }
        let is_json = matches!(format.row.body, Body::Arguments | Body::Calls | Body::Bare);
        let rest = self.text.get(ahead.pos..).unwrap_or_default();
        match stop {
            // The next call ends a value that is whole.
            Some(_) if is_json && format.heads.iter().any(|head| rest.starts_with(head.anchor())) => Ok(()),
            Some(stop) if format.row.needs_end => Err(stop),
            // Half of an end at the end of the text belongs to the call.
            Some(Stop::Cut) => {
                at.pos = self.text.len();
                Ok(())
            }
            Some(_) if !format.row.loose => {
                let mut known = self.marks.iter().chain(self.noise);
                let goes_on = rest.is_empty() || known.any(|mark| rest.starts_with(mark.as_str()));
                if goes_on { Ok(()) } else { Err(Stop::Malformed(ahead.pos)) }
            }
            _ => Ok(()),
        }
    }

    /// Objects that name their tool, one after the other, and arrays of them.
    pub(crate) fn objects(
        &self,
        at: &mut Cursor<'a>,
        format: &Format,
        name: Option<Range<usize>>,
    ) -> Result<Vec<Call>, Stop> {
        let mut calls = Vec::new();
        loop {
            at.skip_blanks();
            let start = at.pos;
            let fence = fence(at, format);
            let (value, end) = self.json(at.pos, format, &|value| self.judged_calls(value, format))?;
            if format.row.single && value.text.starts_with('[') {
                return Err(Stop::Malformed(start));
            }
            let read = calls_in(self, &value, &format.row, start);
            calls.extend(read.map_err(|stop| if stop == Stop::Malformed(start) { Stop::NoCall(start) } else { stop })?);
            at.pos = end;
            self.close_fence(at, format, fence)?;
            // Without marks, the caller decides whether what follows counts too.
            if format.heads.is_empty() {
                break;
            }
            let mut ahead = *at;
            ahead.skip_blanks();
            let _ = ahead.eat(";") || ahead.eat(",");
            ahead.skip_blanks();
            let is_ended = format.ends.iter().any(|end| end.match_at(self.text, ahead.pos).is_ok());
            // What is no call after a complete value is text.
            if is_ended || !matches!(ahead.peek(), Some('{' | '[')) || !self.is_like_call(ahead.pos, false) {
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
    pub(crate) fn arguments(&self, at: &mut Cursor<'a>, format: &Format, name: Range<usize>) -> Result<Call, Stop> {
        at.skip_blanks();
        let is_fenced = fence(at, format);
        let is_empty = format.ends.iter().any(|end| end.match_at(self.text, at.pos).is_ok());
        let arguments = if is_empty { vec![Piece::insert("{}")] } else { self.object(at, format, name.clone())? };
        self.close_fence(at, format, is_fenced)?;
        Ok(Call::new(self.text, name, arguments))
    }

    /// Passes over what closes a fenced block between the marks of a call. Where the end of the call follows, one of its two fences may be missing.
    fn close_fence(&self, at: &mut Cursor<'a>, format: &Format, is_open: bool) -> Result<(), Stop> {
        let is_end = |at: &Cursor<'a>| {
            let mut ahead = *at;
            ahead.skip_blanks();
            format.ends.iter().any(|end| end.match_at(self.text, ahead.pos).is_ok())
        };
        let mut ahead = *at;
        ahead.skip_blanks();
        match (ahead.expect("```"), is_open) {
            (Ok(()), true) => *at = ahead,
            (Ok(()), false) if is_end(&ahead) => *at = ahead,
            (Err(stop), true) if !is_end(at) => return Err(stop),
            _ => {}
        }
        Ok(())
    }

    /// A name on a line of its own, and the object after it.
    pub(crate) fn lines(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Call, Stop> {
        at.skip_blanks();
        let span = at.take_while(|char| is_name_char(char) && char != ':');
        let name = self.within_namespace(name_in(self.text, span, &format.row).ok_or_else(|| at.stop())?);
        at.expect("\n")?;
        self.arguments(at, format, name)
    }

    /// A JSON object that holds the arguments of the tool that is named, as it is or repaired.
    pub(crate) fn object(&self, at: &mut Cursor<'a>, format: &Format, name: Range<usize>) -> Result<Vec<Piece>, Stop> {
        at.skip_blanks();
        let start = at.pos;
        let tool = self.text.get(name).unwrap_or_default();
        let (value, end) = self.json(start, format, &|value| self.judged_arguments(value, tool))?;
        if !value.text.starts_with('{') {
            return Err(Stop::Malformed(start));
        }
        at.pos = end;
        Ok(value.pieces)
    }

    /// `f(a=1)`, or several in brackets or on lines of their own.
    pub(crate) fn python(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Vec<Call>, Stop> {
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
            let quote = at.peek().filter(|char| is_bracketed && self.takes_quoted && matches!(char, '"' | '\''));
            calls.push(match quote {
                Some(quote) => self.quoted_call(at, quote, format)?,
                None => self.python_call(at, format)?,
            });
            // Without marks, the caller decides whether what follows counts too.
            if format.heads.is_empty() && !is_bracketed {
                break;
            }
            at.skip_blanks();
            let has_comma = at.eat(",") || at.eat(";");
            if is_bracketed && !has_comma && !at.rest().starts_with(']') {
                return Err(at.stop());
            }
        }
        if calls.is_empty() { Err(Stop::Malformed(at.pos)) } else { Ok(calls) }
    }

    /// A call in quotes: as it is, or with the escapes of a string.
    fn quoted_call(&self, at: &mut Cursor<'a>, quote: char, format: &Format) -> Result<Call, Stop> {
        let mut ahead = *at;
        ahead.pos += quote.len_utf8();
        if let Ok(call) = self.python_call(&mut ahead, format) {
            ahead.skip_blanks();
            if ahead.eat(quote.encode_utf8(&mut [0; 4])) {
                *at = ahead;
                return Ok(call);
            }
        }
        let start = at.pos;
        let inner = escaped_string(at, quote)?;
        let finder = Finder::new(&inner);
        let reader = Reader { text: &inner, finder: &finder, ..*self };
        let mut within = Cursor::new(&inner, 0);
        let call = reader.python_call(&mut within, format).map_err(|_| Stop::Malformed(start));
        self.finder.charge(inner.len());
        self.finder.absorb(&finder);
        let call = call?;
        if within.rest().trim().is_empty() { Ok(call.detached(&inner)) } else { Err(Stop::Malformed(start)) }
    }

    fn python_call(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Call, Stop> {
        let is_printed = format.row.printed && at.eat("print(");
        let call = self.plain_call(at, format)?;
        if is_printed {
            at.skip_blanks();
            at.expect(")")?;
        }
        Ok(call)
    }

    fn plain_call(&self, at: &mut Cursor<'a>, format: &Format) -> Result<Call, Stop> {
        let span = at.take_while(|char| is_name_char(char) && char != ':');
        let name = self.within_namespace(name_in(self.text, span, &format.row).ok_or_else(|| at.stop())?);
        at.expect("(")?;
        let spelling =
            Spelling { finder: self.finder, quotes: &[], has_bare_keys: true, format: Some(format), is_text: None };
        let mut arguments = vec![Piece::insert("{")];
        spelling.members_until(at, ")", "=", 0, &mut arguments)?;
        arguments.push(Piece::insert("}"));
        Ok(Call::new(self.text, name, arguments))
    }

    /// `{k:<|"|>v<|"|>}`, or the same in parentheses.
    pub(crate) fn bare(&self, at: &mut Cursor<'a>, format: &Format, name: Range<usize>) -> Result<Call, Stop> {
        let tool = self.text.get(name.clone()).unwrap_or_default();
        let is_text = |key: &str| self.tools.shape(tool, key).is_some_and(Shape::is_text);
        let spelling = Spelling {
            finder: self.finder,
            quotes: &format.row.quotes,
            has_bare_keys: true,
            format: Some(format),
            is_text: Some(&is_text),
        };
        at.skip_blanks();
        let close = if at.eat("(") { ")" } else { "}" };
        if close == "}" {
            at.expect("{")?;
        }
        let mut arguments = vec![Piece::insert("{")];
        spelling.members_until(at, close, ":", 0, &mut arguments)?;
        arguments.push(Piece::insert("}"));
        Ok(Call::new(self.text, name, arguments))
    }
}

/// Passes over what opens a fenced block between the marks of a call.
fn fence(at: &mut Cursor<'_>, format: &Format) -> bool {
    let is_fenced = !format.heads.is_empty() && at.eat("```");
    if is_fenced {
        at.take_while(char::is_alphanumeric);
        at.skip_blanks();
    }
    is_fenced
}
