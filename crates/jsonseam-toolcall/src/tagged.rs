//! Arguments that stand between marks one by one, their values raw text: the families X and K.

use std::ops::Range;

use serde_json::value::RawValue;

use crate::body::Reader;
use crate::call::Call;
use crate::cursor::{Cursor, Finder, Stop};
use crate::pack::{Format, Trim};
use crate::template::{Match, Template};
use crate::weave::{Piece, escaped, string_content};

/// The call whose arguments begin here; an object in place of the arguments is read too.
pub(crate) fn call<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    name: Range<usize>,
) -> Result<Call, Stop> {
    at.skip_blanks();
    if at.peek() == Some('{') {
        let arguments = reader.object(at, format)?;
        return Ok(Call::new(at.text, name, arguments));
    }
    let tool = at.text.get(name.clone()).unwrap_or_default();
    let mut arguments = vec![Piece::insert("{")];
    loop {
        skip_spelled_blanks(at);
        let Some(head) = first_match(&format.arguments, at)? else {
            // Without an end, more arguments may have been cut off.
            match first_match(&format.ends, at)? {
                Some(_) => break,
                None => return Err(at.stop()),
            }
        };
        let key = head.hole("key").ok_or(Stop::Malformed(at.pos))?;
        at.pos = head.end;
        let value = value_span(reader.finder, at, format)?;
        if arguments.len() > 1 {
            arguments.push(Piece::insert(","));
        }
        arguments.extend([Piece::insert("\""), string_content(at.text, key.clone()), Piece::insert("\":")]);
        let key = at.text.get(key).unwrap_or_default();
        let kind = Kind::of(at.text, &head, reader.tools.types(tool, key));
        arguments.extend(kind.pieces(at.text, value, format)?);
    }
    arguments.push(Piece::insert("}"));
    Ok(Call::new(at.text, name, arguments))
}

/// Passes over white space, newlines that are spelled `\n` included.
fn skip_spelled_blanks(at: &mut Cursor<'_>) {
    at.skip_blanks();
    while at.eat("\\n") {
        at.skip_blanks();
    }
}

/// The first template that matches here. A cut is one only if nothing matches.
fn first_match(templates: &[Template], at: &Cursor<'_>) -> Result<Option<Match>, Stop> {
    let mut is_cut = false;
    for template in templates {
        match template.match_at(at.text, at.pos) {
            Ok(found) => return Ok(Some(found)),
            Err(stop) => is_cut |= stop == Stop::Cut,
        }
    }
    if is_cut { Err(Stop::Cut) } else { Ok(None) }
}

/// Where the raw value that starts here stands; passes over it and its end.
///
/// A value may hold the mark that ends it, so its end is the first one behind which an argument or the end of the call stands.
fn value_span(finder: &Finder<'_>, at: &mut Cursor<'_>, format: &Format) -> Result<Range<usize>, Stop> {
    let start = at.pos;
    let mut ahead = *at;
    while let Some((pos, found)) = next_match(finder, &format.argument_ends, &ahead, at.text.len()) {
        let mut behind = Cursor::new(at.text, found.end);
        skip_spelled_blanks(&mut behind);
        if goes_on(&behind, format) {
            let open = open_end(finder, at.text, start..pos, format);
            at.pos = open.unwrap_or(found.end);
            return Ok(start..open.unwrap_or(pos));
        }
        ahead.pos = found.end;
    }
    if !format.row.argument_end_optional {
        return Err(if ahead.pos == start { Stop::Cut } else { ahead_stop(&ahead) });
    }
    let end = open_end(finder, at.text, start..at.text.len(), format).ok_or(Stop::Cut)?;
    at.pos = end;
    Ok(start..end)
}

/// Behind an end that nothing known follows, the call is malformed; with nothing behind it, it was cut.
fn ahead_stop(ahead: &Cursor<'_>) -> Stop {
    if ahead.rest().trim().is_empty() { Stop::Cut } else { Stop::Malformed(ahead.pos) }
}

fn goes_on(behind: &Cursor<'_>, format: &Format) -> bool {
    let known = format.arguments.iter().chain(&format.ends);
    behind.rest().is_empty()
        || known
            .into_iter()
            .any(|template| matches!(template.match_at(behind.text, behind.pos), Ok(_) | Err(Stop::Cut)))
}

/// Where a value without its own end stops, if the format has such values: at the next argument or the end of the call.
fn open_end(finder: &Finder<'_>, text: &str, within: Range<usize>, format: &Format) -> Option<usize> {
    if !format.row.argument_end_optional {
        return None;
    }
    let at = Cursor::new(text, within.start);
    let argument = next_match(finder, &format.arguments, &at, within.end).map(|(pos, _)| pos);
    let end = next_match(finder, &format.ends, &at, argument.unwrap_or(within.end)).map(|(pos, _)| pos);
    end.or(argument)
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

/// How a raw value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'t> {
    /// As text.
    Text,
    /// As JSON, because its mark says so.
    Json,
    /// As JSON of one of these types if it is that, else as text: then the schema has the word.
    Typed(&'t [String]),
}

impl<'t> Kind<'t> {
    fn of(text: &str, head: &Match, types: &'t [String]) -> Self {
        let hole = |name| head.hole(name).and_then(|span| text.get(span));
        match (hole("string"), hole("type")) {
            (Some("true"), _) | (_, Some("string")) => Self::Text,
            (Some(_), _) | (_, Some(_)) => Self::Json,
            _ if types.is_empty() || types.iter().any(|name| name == "string") => Self::Text,
            _ => Self::Typed(types),
        }
    }

    fn pieces(self, text: &str, span: Range<usize>, format: &Format) -> Result<Vec<Piece>, Stop> {
        let raw = text.get(span.clone()).unwrap_or_default();
        let trimmed = raw.trim();
        let start = span.start + (raw.len() - raw.trim_start().len());
        let is_json = serde_json::from_str::<&RawValue>(trimmed).is_ok();
        let literal = vec![Piece::Keep(start..start + trimmed.len())];
        match self {
            Self::Json if is_json => Ok(literal),
            Self::Json => Err(Stop::Malformed(span.start)),
            Self::Typed(types) if is_json && types.iter().any(|name| is_of_type(trimmed, name)) => Ok(literal),
            Self::Typed(types) if types.iter().any(|name| name == "boolean") && matches!(trimmed, "True" | "False") => {
                Ok(vec![Piece::Insert(trimmed.to_ascii_lowercase())])
            }
            _ => Ok(text_pieces(text, span, format)),
        }
    }
}

/// Whether a valid JSON text is of a type of JSON Schema.
fn is_of_type(text: &str, name: &str) -> bool {
    match text.bytes().next() {
        Some(b'"') => name == "string",
        Some(b'{') => name == "object",
        Some(b'[') => name == "array",
        Some(b't' | b'f') => name == "boolean",
        Some(b'n') => name == "null",
        _ => name == "number" || name == "integer" && !text.contains(['.', 'e', 'E']),
    }
}

/// A raw value as a JSON string.
fn text_pieces(text: &str, span: Range<usize>, format: &Format) -> Vec<Piece> {
    let span = trimmed(text, span, format.row.trim);
    let raw = text.get(span.clone()).unwrap_or_default();
    let content = match raw.trim().strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")) {
        Some(inner) => {
            let start = span.start + (inner.as_ptr() as usize - raw.as_ptr() as usize);
            string_content(text, start..start + inner.len())
        }
        None if format.row.entities && raw.contains('&') => Piece::Insert(escaped(&without_entities(raw))),
        None => string_content(text, span),
    };
    vec![Piece::insert("\""), content, Piece::insert("\"")]
}

fn trimmed(text: &str, span: Range<usize>, trim: Trim) -> Range<usize> {
    let raw = text.get(span.clone()).unwrap_or_default();
    let (mut start, mut end) = (span.start, span.end);
    if trim == Trim::Newline {
        start += ["\r\n", "\n", "\\n"].iter().find(|newline| raw.starts_with(**newline)).map_or(0, |found| found.len());
        let rest = text.get(start..end).unwrap_or_default();
        end -= ["\r\n", "\n", "\\n"].iter().find(|newline| rest.ends_with(**newline)).map_or(0, |found| found.len());
    }
    start..end
}

/// The five entities of XML 1.0, section 4.6, read once.
fn without_entities(raw: &str) -> String {
    const ENTITIES: [(&str, char); 5] =
        [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];
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
