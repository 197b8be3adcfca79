//! Arguments that are between marks one by one, their values raw text: the families X and K.

mod raw;

use std::ops::Range;

use jsonseam_core::Risk;
use serde_json::value::RawValue;

use self::raw::Raw;
pub(crate) use self::raw::closes_once;
use crate::call::{Call, is_call};
use crate::cursor::{Cursor, Finder, Stop, trimmed};
use crate::likeness::{WRAPPED, WRAPPERS};
use crate::literal::Spelling;
use crate::members::members;
use crate::pack::{Format, Trim};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::template::{Match, Template};
use crate::weave::{Edit, Piece, Woven, escaped, string_content};

/// Line ends around a raw value that belong to its marks.
pub(crate) const NEWLINES: [&str; 3] = ["\r\n", "\n", "\\n"];
/// The five entities of XML 1.0, section 4.6.
pub(crate) const ENTITIES: [(&str, char); 5] =
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];

/// The call whose arguments begin here, after `head`; an object in place of the arguments is read too.
pub(crate) fn call<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    head: &Match,
    name: Range<usize>,
) -> Result<Call, Stop> {
    at.skip_blanks();
    let tool = at.text.get(name.clone()).unwrap_or_default();
    if at.peek() == Some('{') {
        let arguments = reader.object(at, format, name.clone())?;
        if head.ends_open && is_word(reader, tool, &Woven::new(at.text, arguments.clone()).text, format) {
            return Err(Stop::Malformed(name.start));
        }
        return Ok(Call::new(at.text, name, arguments));
    }
    if format.row.object.iter().any(|open| at.eat(open)) {
        let arguments = reader.object(at, format, name.clone())?;
        at.skip_blanks();
        let is_closed = format.row.object_end.iter().any(|close| at.eat(close));
        return if is_closed { Ok(Call::new(at.text, name, arguments)) } else { Err(at.stop()) };
    }
    let mut arguments = vec![Piece::insert("{")];
    loop {
        skip_spelled_blanks(at);
        let Some(head) = first_match(&format.arguments, at)? else {
            // Without an end, more arguments may have been cut off.
            match call_end(format, at)? {
                Some(_) if arguments.len() == 1 && format.row.offered_alone && !reader.stands_alone(format) => {
                    return Err(Stop::Malformed(at.pos));
                }
                Some(_) => break,
                None => return Err(at.stop()),
            }
        };
        if arguments.len() > 1 {
            arguments.push(Piece::insert(","));
        }
        arguments.extend(argument(reader, at, format, &head, tool)?);
    }
    arguments.push(Piece::insert("}"));
    let arguments = unwrapped(reader, tool, arguments);
    Ok(Call::new(at.text, name, arguments))
}

/// The arguments, or the object that is all of them where its key is one that models put around arguments and the tool declares what is in it, but not the key.
fn unwrapped(reader: &Reader<'_, '_>, tool: &str, arguments: Vec<Piece>) -> Vec<Piece> {
    let [_, _, Piece::Keep(key), _, Piece::Keep(value), _] = arguments.as_slice() else { return arguments };
    let (spelled, object) = (reader.text.get(key.clone()), reader.text.get(value.clone()));
    let (Some(spelled), Some(object)) = (spelled, object) else { return arguments };
    if !reader.wraps(tool, spelled, object) {
        return arguments;
    }
    let edit = Edit::new(WRAPPED, Risk::Likely, key.clone(), String::new());
    vec![Piece::Edit(edit), Piece::Keep(value.clone())]
}

impl Reader<'_, '_> {
    /// Whether the object under a key is all arguments of an offered tool, which declares what is in it and not the key.
    pub(crate) fn wraps(&self, tool: &str, key: &str, object: &str) -> bool {
        let declares = |key: &str| self.tools.shape(tool, key).is_some();
        let is_wrapper = WRAPPERS.contains(&key) && self.tools.offers(tool) && !declares(key);
        let inner = if is_wrapper { members(object) } else { None };
        inner.is_some_and(|inner| !inner.is_empty() && inner.iter().all(|member| declares(&member.key)))
    }
}

/// Whether the word before an object, at the place of a name, is not a name: a tool that was not offered, or a word before an object that is the call itself.
fn is_word(reader: &Reader<'_, '_>, tool: &str, object: &str, format: &Format) -> bool {
    let is_unknown = !reader.tools.is_empty() && !reader.tools.offers(tool);
    let declares = |key: &String| reader.tools.shape(tool, key).is_some();
    is_unknown || is_call(object, &format.row) && !format.row.argument_keys.iter().any(declares)
}

/// The argument whose head is here; passes over it.
fn argument<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    head: &Match,
    tool: &str,
) -> Result<Vec<Piece>, Stop> {
    let key = trimmed(at.text, head.hole("key").ok_or(Stop::Malformed(at.pos))?);
    let raw = at.text.get(key.clone()).filter(|key| !key.is_empty()).ok_or(Stop::Malformed(at.pos))?;
    at.pos = head.end;
    let value = Raw { reader, format, tool, key: raw }.span(at)?;
    if format.row.declared_keys && reader.tools.offers(tool) && reader.tools.shape(tool, raw).is_none() {
        return Err(Stop::Malformed(at.pos));
    }
    let is_escaped = format.row.entities && raw.contains('&');
    let spelled =
        if is_escaped { Piece::Insert(escaped(&without_entities(raw))) } else { string_content(at.text, key) };
    let kind = Kind::of(at.text, head, reader.tools.shape(tool, raw));
    let mut pieces = vec![Piece::insert("\""), spelled, Piece::insert("\":")];
    pieces.extend(kind.pieces(reader, value, format)?);
    Ok(pieces)
}

/// Passes over white space, newlines that are spelled `\n` included.
fn skip_spelled_blanks(at: &mut Cursor<'_>) {
    at.skip_blanks();
    while at.eat("\\n") {
        at.skip_blanks();
    }
}

/// The first template that matches here. A cut is one only if nothing matches.
pub(crate) fn first_match(templates: &[Template], at: &Cursor<'_>) -> Result<Option<Match>, Stop> {
    let mut is_cut = false;
    for template in templates {
        match template.match_at(at.text, at.pos) {
            Ok(found) => return Ok(Some(found)),
            Err(stop) => is_cut |= stop == Stop::Cut,
        }
    }
    if is_cut { Err(Stop::Cut) } else { Ok(None) }
}

/// The end of the call that is here: its own, or else one that is not.
fn call_end(format: &Format, at: &Cursor<'_>) -> Result<Option<Match>, Stop> {
    match (first_match(&format.ends, at), first_match(&format.late_ends, at)) {
        (Ok(None), late) | (Err(_), late @ Ok(Some(_))) => late,
        (own, _) => own,
    }
}

/// The next place before `end` where one of the templates matches.
fn next_match(finder: &Finder<'_>, templates: &[Template], at: &Cursor<'_>, end: usize) -> Option<(usize, Match)> {
    let mut next: Option<(usize, Match)> = None;
    for template in templates {
        let limit = next.as_ref().map_or(end, |(pos, _)| *pos);
        let mut pos = at.pos;
        while let Some(found) = finder.find(template.anchor(), pos).filter(|&found| found < limit) {
            if let Ok(matched) = template.match_at(at.text, found) {
                next = Some((found, matched));
                break;
            }
            pos = found + template.anchor().len();
        }
    }
    next
}

/// What says how a raw value is read.
#[derive(Debug, Clone, Copy)]
enum Kind<'t> {
    /// Text, because its mark says so, or nothing is known.
    Text,
    /// JSON, because its mark says so, and what the schema of the parameter says.
    Json(Option<&'t Shape>),
    /// What the schema of the parameter takes.
    Declared(&'t Shape),
}

/// Whether the value after this head is text, whatever it is.
#[cfg(feature = "stream")]
pub(crate) fn is_raw_text(text: &str, head: &Match, shape: Option<&Shape>) -> bool {
    match Kind::of(text, head, shape) {
        Kind::Text => true,
        Kind::Json(_) => false,
        Kind::Declared(shape) => shape.is_text(),
    }
}

impl<'t> Kind<'t> {
    fn of(text: &str, head: &Match, shape: Option<&'t Shape>) -> Self {
        let hole = |name| head.hole(name).and_then(|span| text.get(span));
        match (hole("string"), hole("type")) {
            (Some("true"), _) | (_, Some("string")) => Self::Text,
            (Some(_), _) | (_, Some(_)) => Self::Json(shape),
            _ => shape.map_or(Self::Text, Self::Declared),
        }
    }

    /// The pieces of the value. What is not JSON although it should be is text: then a contract has the word.
    fn pieces(self, reader: &Reader<'_, '_>, span: Range<usize>, format: &Format) -> Result<Vec<Piece>, Stop> {
        let text = reader.text;
        let as_text = || text_pieces(text, span.clone(), format);
        match self {
            Self::Text => Ok(as_text()),
            Self::Json(shape) => match literal(text, span.clone()) {
                Some((_, pieces)) => Ok(pieces),
                None => Ok(broken(reader, span.clone(), shape)?.unwrap_or_else(as_text)),
            },
            Self::Declared(shape) => declared(reader, span.clone(), shape, as_text),
        }
    }
}

/// A broken object or array, balanced or repaired.
fn broken(reader: &Reader<'_, '_>, span: Range<usize>, shape: Option<&Shape>) -> Result<Option<Vec<Piece>>, Stop> {
    let places = |value: &Woven<'_>| Some(shape.is_none_or(|shape| shape.places(&value.text)));
    Ok(reader.broken_value(reader.text, span, &places)?.map(|woven| woven.pieces))
}

/// A value that the schema takes: JSON other than a string, if it is that and fits; else text, if that fits; else what else is a spelling of a value
/// that fits; and if nothing fits, JSON before text.
pub(crate) fn declared(
    reader: &Reader<'_, '_>,
    span: Range<usize>,
    shape: &Shape,
    as_text: impl Fn() -> Vec<Piece>,
) -> Result<Vec<Piece>, Stop> {
    let text = reader.text;
    if shape.is_text() {
        return Ok(as_text());
    }
    let raw = text.get(span.clone()).unwrap_or_default();
    let is_padded = raw.trim() != raw && !shape.takes("\"\\u0000\"");
    if is_padded && shape.takes(&format!("\"{}\"", escaped(raw))) {
        // The schema names this very text, white space included.
        return Ok(vec![Piece::insert("\""), string_content(text, span), Piece::insert("\"")]);
    }
    let json = literal(text, span.clone()).filter(|(json, _)| !json.starts_with('"'));
    if let Some((_, pieces)) = json.clone().filter(|(json, _)| shape.takes(json)) {
        return Ok(pieces);
    }
    let string = Woven::new(text, as_text());
    if shape.takes(&string.text) {
        return Ok(string.pieces);
    }
    let takes = |pieces: &Vec<Piece>| shape.takes(&Woven::new(text, pieces.clone()).text);
    let spelled = [python(text, span.clone()), escaped_json(text, span.clone())].into_iter().flatten().find(takes);
    if let Some(pieces) = spelled {
        return Ok(pieces);
    }
    if json.is_none() && (shape.takes("{}") || shape.takes("[]")) {
        let repaired = broken(reader, span.clone(), Some(shape))?.filter(takes);
        // Where only containers fit, what begins as a list or has a key is no text, whatever is wrong with it.
        let body = raw.trim_start();
        let is_container = body.starts_with('[') || body.starts_with('{') && body.contains(':');
        let is_broken = is_container && !shape.admits_text();
        return match repaired {
            Some(pieces) => Ok(pieces),
            None if is_broken => Err(Stop::Malformed(trimmed(text, span).start)),
            None => Ok(string.pieces),
        };
    }
    let json = json.filter(|(json, _)| !shape.admits_text() && json.starts_with(['{', '[']));
    Ok(json.map_or(string.pieces, |(_, pieces)| pieces))
}

/// A number or a constant, as JSON or Python spells it; else text.
pub(crate) fn inferred(text: &str, span: Range<usize>, as_text: impl FnOnce() -> Vec<Piece>) -> Vec<Piece> {
    let is_scalar = |json: &str| !json.starts_with(['"', '{', '[']);
    let json = literal(text, span.clone()).filter(|(json, _)| is_scalar(json)).map(|(_, pieces)| pieces);
    let constant = || text.get(trimmed(text, span.clone())).and_then(constant);
    json.or_else(constant).unwrap_or_else(as_text)
}

/// The JSON text that a raw value is, without white space around it.
pub(crate) fn literal(text: &str, span: Range<usize>) -> Option<(&str, Vec<Piece>)> {
    let span = trimmed(text, span);
    let raw = text.get(span.clone())?;
    serde_json::from_str::<&RawValue>(raw).is_ok().then(|| (raw, vec![Piece::Keep(span)]))
}

/// A value as Python spells it.
fn python(text: &str, span: Range<usize>) -> Option<Vec<Piece>> {
    let span = trimmed(text, span);
    // A number or word at the end of what is read may go on: here it does not, so something is read after it.
    let before = text.get(..span.end)?;
    if let Some(pieces) = constant(before.get(span.start..)?) {
        return Some(pieces);
    }
    let finder = Finder::new(before);
    let spelling = Spelling { finder: &finder, quotes: &[], has_bare_keys: false, format: None, is_text: None };
    let mut at = Cursor::new(before, span.start);
    let mut pieces = Vec::new();
    spelling.value(&mut at, 0, &mut pieces).ok()?;
    (at.pos == span.end).then_some(pieces)
}

/// A constant of Python.
fn constant(word: &str) -> Option<Vec<Piece>> {
    let json = match word {
        "True" => "true",
        "False" => "false",
        "None" => "null",
        _ => return None,
    };
    Some(vec![Piece::insert(json)])
}

/// A container whose quotes are escaped as if it stood in a string.
fn escaped_json(text: &str, span: Range<usize>) -> Option<Vec<Piece>> {
    let raw = text.get(trimmed(text, span))?;
    let is_escaped = raw.starts_with(['[', '{']) && raw.contains("\\\"");
    let quoted = is_escaped.then(|| format!("\"{}\"", raw.replace('\n', "\\n")))?;
    let inner: String = serde_json::from_str(&quoted).ok()?;
    serde_json::from_str::<&RawValue>(&inner).is_ok().then(|| vec![Piece::Insert(inner)])
}

/// A raw value as a JSON string.
pub(crate) fn text_pieces(text: &str, span: Range<usize>, format: &Format) -> Vec<Piece> {
    let span = without_newlines(text, span, format.row.trim);
    let raw = text.get(span.clone()).unwrap_or_default();
    let content = match character_data(raw).filter(|_| format.row.cdata) {
        Some(inner) => {
            let start = span.start + (inner.as_ptr() as usize - raw.as_ptr() as usize);
            string_content(text, start..start + inner.len())
        }
        None if format.row.entities && raw.contains('&') => Piece::Insert(escaped(&without_entities(raw))),
        None => string_content(text, span),
    };
    vec![Piece::insert("\""), content, Piece::insert("\"")]
}

/// What is in the one section of character data that a value is (XML 1.0, section 2.7).
fn character_data(raw: &str) -> Option<&str> {
    let inner = raw.trim().strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"))?;
    (!inner.contains("]]>")).then_some(inner)
}

fn without_newlines(text: &str, span: Range<usize>, trim: Trim) -> Range<usize> {
    let raw = text.get(span.clone()).unwrap_or_default();
    let first = NEWLINES.iter().find(|newline| raw.starts_with(**newline)).filter(|_| trim == Trim::Newline);
    let Some(first) = first else { return span };
    let rest = raw.get(first.len()..).unwrap_or_default();
    // Only a pair belongs to the marks: a newline at the end alone is the value's own.
    let last = NEWLINES.iter().find(|newline| rest.ends_with(**newline)).map_or(0, |found| found.len());
    span.start + first.len()..span.end - last
}

/// The text without the entities of XML, read once.
pub(crate) fn without_entities(raw: &str) -> String {
    let mut read = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at(at);
        read.push_str(before);
        let (char, len) = ENTITIES
            .iter()
            .find(|(entity, _)| after.starts_with(entity))
            .map_or(('&', 1), |(entity, char)| (*char, entity.len()));
        read.push(char);
        rest = after.get(len..).unwrap_or_default();
    }
    read.push_str(rest);
    read
}
