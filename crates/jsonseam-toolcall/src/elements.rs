//! Arguments as elements: each argument, and each part of one, is a tag with its name, as `MiniMax` M3 writes them.

use std::ops::Range;

use crate::call::Call;
use crate::cursor::{Cursor, Stop};
use crate::pack::Format;
use crate::reader::Reader;
use crate::shape::Shape;
use crate::tagged::{declared, inferred, text_pieces};
use crate::template::Template;
use crate::weave::{Piece, string_content};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 60;

/// The call whose arguments begin here.
pub(crate) fn call<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    name: Range<usize>,
) -> Result<Call, Stop> {
    let tool = at.text.get(name.clone()).unwrap_or_default();
    let elements = Elements { reader, format };
    let shape = |key: &str| reader.tools.shape(tool, key).cloned();
    let mut members = Vec::new();
    loop {
        at.skip_blanks();
        let Some(key) = elements.open(at)? else { break };
        let shape = at.text.get(key.clone()).and_then(shape);
        may_follow(at.text, &members, &key, shape.as_ref())?;
        members.push((key.clone(), elements.value(at, key, shape.as_ref(), 0)?));
    }
    Ok(Call::new(at.text, name, object(at.text, members)))
}

/// Refuses a call after whose end the end of an argument follows, and no head before it: the last value may hold the first ends.
pub(crate) fn closes_once(reader: &Reader<'_, '_>, at: &Cursor<'_>, format: &Format) -> Result<(), Stop> {
    let next = format.heads.iter().filter_map(|head| reader.finder.find(head.anchor(), at.pos)).min();
    let close = format!("{}</", format.row.prefix);
    let mut pos = at.pos;
    while let Some(found) = reader.finder.find(&close, pos).filter(|&found| next.is_none_or(|next| found < next)) {
        let rest = reader.text.get(found..).unwrap_or_default();
        let mut known = reader.noise.iter().map(String::as_str).chain(format.ends.iter().map(Template::anchor));
        if !known.any(|mark| mark.len() > close.len() && rest.starts_with(mark)) {
            return Err(Stop::RunsOver(found));
        }
        pos = found + close.len();
    }
    Ok(())
}

type Members = Vec<(Range<usize>, Vec<Piece>)>;

struct Elements<'e, 'r, 'a> {
    reader: &'e Reader<'r, 'a>,
    format: &'e Format,
}

impl<'a> Elements<'_, '_, 'a> {
    /// Passes over the tag that opens an element, and gives its name; `None` before any other tag.
    fn open(&self, at: &mut Cursor<'a>) -> Result<Option<Range<usize>>, Stop> {
        let mut ahead = *at;
        ahead.expect(&self.format.row.prefix)?;
        ahead.expect("<")?;
        if ahead.rest().is_empty() {
            return Err(Stop::Cut);
        }
        if ahead.rest().starts_with('/') {
            return Ok(None);
        }
        let key = ahead.take_while(|char| !matches!(char, '<' | '>' | '"' | '\n' | ' '));
        ahead.expect(">")?;
        let is_head = self.format.heads.iter().any(|head| head.match_at(at.text, at.pos).is_ok());
        if key.is_empty() || is_head {
            return Err(Stop::RunsOver(at.pos));
        }
        *at = ahead;
        Ok(Some(key))
    }

    /// The value of the element that was opened; passes over its end.
    fn value(
        &self,
        at: &mut Cursor<'a>,
        key: Range<usize>,
        shape: Option<&Shape>,
        depth: usize,
    ) -> Result<Vec<Piece>, Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop::TooDeep(at.pos));
        }
        let name = at.text.get(key).unwrap_or_default();
        let close = format!("{}</{name}>", self.format.row.prefix);
        let start = at.pos;
        let next = self.reader.finder.find(&self.format.row.prefix, start).ok_or(Stop::Cut)?;
        let mut ahead = Cursor::new(at.text, next);
        if ahead.eat(&close) {
            *at = ahead;
            return self.raw(start..next, shape);
        }
        if close.starts_with(ahead.rest()) {
            return Err(Stop::Cut);
        }
        // Text has no elements: what looks like one may be a part of it.
        let is_mixed = at.text.get(start..next).is_some_and(|text| !text.trim().is_empty());
        if is_mixed || shape.is_some_and(Shape::is_text) {
            return Err(Stop::Malformed(next));
        }
        let mut members: Members = Vec::new();
        at.pos = next;
        let takes_items = shape.is_some_and(|shape| shape.takes("[]") && !shape.takes("{}"));
        while let Some(key) = self.open(at)? {
            let name = at.text.get(key.clone()).unwrap_or_default();
            let is_element = takes_items || name == "item" && is_list(shape);
            let inner = shape.and_then(|shape| if is_element { shape.element() } else { shape.member(name) });
            if !is_element {
                may_follow(at.text, &members, &key, inner.as_ref())?;
            }
            members.push((key.clone(), self.value(at, key, inner.as_ref(), depth + 1)?));
            at.skip_blanks();
        }
        at.expect(&close)?;
        let is_item = |(key, _): &(Range<usize>, _)| at.text.get(key.clone()) == Some("item");
        let may_be_array = shape.is_none_or(|shape| !shape.takes("{}")) || is_list(shape);
        let is_array = takes_items || may_be_array && members.iter().all(is_item);
        Ok(if is_array { array(members.into_iter().map(|(_, value)| value)) } else { object(at.text, members) })
    }

    /// A value without elements: what the schema takes, else text.
    fn raw(&self, span: Range<usize>, shape: Option<&Shape>) -> Result<Vec<Piece>, Stop> {
        let text = self.reader.text;
        let as_text = || text_pieces(text, span.clone(), self.format);
        let Some(shape) = shape else {
            return Ok(if self.format.row.infers { inferred(text, span.clone(), as_text) } else { as_text() });
        };
        if span.is_empty() && !shape.takes("\"\"") {
            let empty = ["[]", "{}"].into_iter().find(|empty| shape.takes(empty));
            return Ok(vec![Piece::insert(empty.unwrap_or("\"\""))]);
        }
        declared(self.reader, span.clone(), shape, as_text)
    }
}

/// Whether elements named `item` are those of an array: one fits, and no object that fits declares a member of that name.
fn is_list(shape: Option<&Shape>) -> bool {
    shape.is_some_and(|shape| shape.takes("[]") && shape.member("item").is_none())
}

/// Refuses an element of the same name as the one before it, if its schema takes no array: an argument is given twice.
fn may_follow(text: &str, members: &Members, key: &Range<usize>, shape: Option<&Shape>) -> Result<(), Stop> {
    let is_again = members.last().is_some_and(|(last, _)| text.get(last.clone()) == text.get(key.clone()));
    let is_one = shape.is_some_and(|shape| !shape.takes("[]"));
    if is_again && is_one { Err(Stop::Repeated(key.start)) } else { Ok(()) }
}

fn array(values: impl Iterator<Item = Vec<Piece>>) -> Vec<Piece> {
    let mut pieces = vec![Piece::insert("[")];
    for (index, value) in values.enumerate() {
        if index > 0 {
            pieces.push(Piece::insert(","));
        }
        pieces.extend(value);
    }
    pieces.push(Piece::insert("]"));
    pieces
}

/// An object. Elements of one name that follow each other are the items of one array; elsewhere a name again is left for the final decode to refuse.
fn object(text: &str, members: Members) -> Vec<Piece> {
    let mut groups: Vec<(Range<usize>, Vec<Vec<Piece>>)> = Vec::new();
    for (key, value) in members {
        match groups.last_mut().filter(|(last, _)| text.get(last.clone()) == text.get(key.clone())) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    let mut pieces = vec![Piece::insert("{")];
    for (index, (key, values)) in groups.into_iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        pieces.extend([Piece::insert(format!("{comma}\"")), string_content(text, key), Piece::insert("\":")]);
        match <[Vec<Piece>; 1]>::try_from(values) {
            Ok([value]) => pieces.extend(value),
            Err(values) => pieces.extend(array(values.into_iter())),
        }
    }
    pieces.push(Piece::insert("}"));
    pieces
}
