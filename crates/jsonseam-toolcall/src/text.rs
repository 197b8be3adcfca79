//! Calls whose body is one text without the name of an argument (CWM): the value of the one parameter that the tool declares.

use std::ops::Range;

use crate::call::Call;
use crate::cursor::{Cursor, Stop, trimmed};
use crate::members::{Member, members};
use crate::pack::Format;
use crate::reader::Reader;
use crate::shape::Shape;
use crate::weave::{Piece, Woven, escaped, string_content};

/// The call whose text begins here, up to the first end on a line of its own. An object that fits the tool is its arguments.
pub(crate) fn call<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    name: Range<usize>,
) -> Result<Call, Stop> {
    let tool = at.text.get(name.clone()).unwrap_or_default();
    let mut ahead = *at;
    ahead.skip_blanks();
    if ahead.peek() == Some('{') {
        let start = ahead.pos;
        let arguments = reader.object(&mut ahead, format, name.clone())?;
        ahead.skip_blanks();
        let is_all = format.ends.iter().any(|end| end.match_at(at.text, ahead.pos).is_ok());
        let object = Woven::new(at.text, arguments.clone());
        let keys = members(&object.text).unwrap_or_default();
        let declares = |member: &Member| reader.tools.shape(tool, &member.key).is_some();
        if is_all && keys.iter().all(declares) {
            *at = ahead;
            return Ok(Call::new(at.text, name, arguments));
        }
        // An object of which nothing is an argument may be the text, as it is.
        if keys.iter().any(declares) || arguments.iter().any(|piece| matches!(piece, Piece::Edit(_))) {
            return Err(Stop::Malformed(start));
        }
    }
    // Which argument another text would be is not told.
    let key = reader.tools.only_parameter(tool).ok_or(Stop::Malformed(at.pos))?;
    if !reader.tools.shape(tool, key).is_some_and(Shape::is_text) {
        return Err(Stop::Malformed(at.pos));
    }
    let start = at.pos;
    let end = end_of(reader, format, start)?;
    let value = trimmed(at.text, start..end);
    reader.finder.charge(end - start);
    let shown = at.text.get(value.clone()).unwrap_or_default();
    let head = format.heads.iter().filter_map(|head| shown.find(head.anchor())).min();
    if let Some(head) = head {
        return Err(Stop::RunsOver(value.start + head));
    }
    at.pos = end;
    closes_once(reader, format, end)?;
    let key = Piece::Insert(format!("{{\"{}\":\"", escaped(key)));
    Ok(Call::new(at.text, name, vec![key, string_content(at.text, value), Piece::insert("\"}")]))
}

/// The first end from `start` on that is on a line of its own.
fn end_of(reader: &Reader<'_, '_>, format: &Format, start: usize) -> Result<usize, Stop> {
    let ends = format.ends.iter().filter_map(|end| {
        let mut pos = start;
        while let Some(found) = reader.finder.find(end.anchor(), pos) {
            pos = found + end.anchor().len();
            let rest = reader.text.get(pos..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or_default().trim();
            // Within a line it is text, also where the text is cut after it.
            let before = reader.text.get(start..found).unwrap_or_default();
            let begins_line = before.rsplit_once('\n').is_some_and(|(_, line)| line.trim().is_empty());
            if begins_line && (line.is_empty() || line.starts_with('<')) {
                return Some(found);
            }
        }
        None
    });
    ends.min().ok_or(Stop::Cut)
}

/// Refuses a call after whose end the same end is again before a further head: the text may hold the first one.
fn closes_once(reader: &Reader<'_, '_>, format: &Format, end: usize) -> Result<(), Stop> {
    let find = |mark: &str, pos: usize| reader.finder.find(mark, pos);
    let again = format.ends.iter().filter_map(|mark| find(mark.anchor(), end + mark.anchor().len())).min();
    let head = format.heads.iter().filter_map(|head| find(head.anchor(), end)).min();
    match again {
        Some(again) if head.is_none_or(|head| again < head) => Err(Stop::RunsOver(again)),
        _ => Ok(()),
    }
}
