//! Arguments as elements that are named after them, their values raw text: Cline's tags, and Claude's first prompt format.

use std::ops::Range;

use crate::call::Call;
use crate::cursor::{Cursor, Stop, trimmed};
use crate::pack::Format;
use crate::reader::Reader;
use crate::tagged::{declared, text_pieces};
use crate::template::Template;
use crate::weave::{Piece, string_content};

/// The call whose arguments begin here. Where the format has no end of its own, the end of the element that the tool names is one.
pub(crate) fn call<'a>(
    reader: &Reader<'_, 'a>,
    at: &mut Cursor<'a>,
    format: &Format,
    name: Range<usize>,
) -> Result<Call, Stop> {
    let tool = at.text.get(name.clone()).unwrap_or_default();
    let named = Named { reader, format, tool };
    let mut arguments = vec![Piece::insert("{")];
    loop {
        at.skip_blanks();
        if let Some(end) = named.end(at)? {
            // A tag alone may be any element of markup.
            let is_bare = format.row.named_by_tool && arguments.len() == 1 && reader.tools.has_parameters(tool);
            if is_bare {
                return Err(Stop::Malformed(at.pos));
            }
            if format.row.named_by_tool {
                at.pos = end;
            }
            break;
        }
        let key = named.open(at)?.ok_or_else(|| at.stop())?;
        let comma = if arguments.len() > 1 { ",\"" } else { "\"" };
        arguments.extend([Piece::insert(comma), string_content(at.text, key.clone()), Piece::insert("\":")]);
        arguments.extend(named.value(at, key)?);
    }
    arguments.push(Piece::insert("}"));
    named.closes_once(at)?;
    Ok(Call::new(at.text, name, arguments))
}

struct Named<'n, 'r, 'a> {
    reader: &'n Reader<'r, 'a>,
    format: &'n Format,
    /// The tool that is called.
    tool: &'n str,
}

impl<'a> Named<'_, '_, 'a> {
    /// Where the end of the call that is here ends.
    fn end(&self, at: &Cursor<'a>) -> Result<Option<usize>, Stop> {
        let mut is_cut = at.rest().is_empty();
        if self.format.row.named_by_tool {
            let end = format!("</{}>", self.tool);
            is_cut |= end.starts_with(at.rest());
            return if at.rest().starts_with(&end) { Ok(Some(at.pos + end.len())) } else { cut_or_none(is_cut) };
        }
        for end in &self.format.ends {
            match end.match_at(at.text, at.pos) {
                Ok(found) => return Ok(Some(found.end)),
                Err(stop) => is_cut |= stop == Stop::Cut,
            }
        }
        cut_or_none(is_cut)
    }

    /// Passes over the tag that opens an argument, and gives its name. A tool that was offered takes the arguments that it declares.
    fn open(&self, at: &mut Cursor<'a>) -> Result<Option<Range<usize>>, Stop> {
        let mut ahead = *at;
        ahead.expect("<")?;
        let key = ahead.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.'));
        ahead.expect(">")?;
        let tools = self.reader.tools;
        let is_declared = |key: &str| !tools.offers(self.tool) || tools.shape(self.tool, key).is_some();
        let is_key = at.text.get(key.clone()).is_some_and(|key| !key.is_empty() && is_declared(key));
        if is_key {
            *at = ahead;
        }
        Ok(is_key.then_some(key))
    }

    /// The value of the argument that was opened, up to the first of its ends that another argument or the end of the call follows.
    fn value(&self, at: &mut Cursor<'a>, key: Range<usize>) -> Result<Vec<Piece>, Stop> {
        let name = at.text.get(key).unwrap_or_default();
        let close = format!("</{name}>");
        let start = at.pos;
        let mut pos = start;
        while let Some(found) = self.reader.finder.find(&close, pos) {
            let mut after = Cursor::new(at.text, found + close.len());
            after.skip_blanks();
            if self.goes_on(&after)? {
                let span = start..found;
                self.reader.finder.charge(span.len());
                self.holds_no_head(span.clone())?;
                at.pos = found + close.len();
                let as_text = || text_pieces(at.text, span.clone(), self.format);
                return match self.reader.tools.shape(self.tool, name) {
                    Some(shape) if !trimmed(at.text, span.clone()).is_empty() => {
                        declared(self.reader, span.clone(), shape, as_text)
                    }
                    _ => Ok(as_text()),
                };
            }
            pos = found + close.len();
        }
        Err(Stop::Cut)
    }

    fn goes_on(&self, at: &Cursor<'a>) -> Result<bool, Stop> {
        Ok(self.end(at)?.is_some() || matches!(self.open(&mut { *at }), Ok(Some(_))))
    }

    /// Refuses a value that holds the head of another call: an end is missing, and what the value was is unknown.
    fn holds_no_head(&self, value: Range<usize>) -> Result<(), Stop> {
        let text = self.reader.text.get(value.clone()).unwrap_or_default();
        let head = if self.format.row.named_by_tool {
            text.find(&format!("<{}>", self.tool))
        } else {
            self.format.heads.iter().filter_map(|head| text.find(head.anchor())).min()
        };
        head.map_or(Ok(()), |at| Err(Stop::RunsOver(value.start + at)))
    }

    /// Refuses a call after whose end the same end is again, and no head before it: the last value may hold the first one.
    fn closes_once(&self, at: &Cursor<'a>) -> Result<(), Stop> {
        let find = |mark: &str| self.reader.finder.find(mark, at.pos);
        let anchors = |marks: &[Template]| marks.iter().filter_map(|mark| find(mark.anchor())).min();
        let (end, head) = if self.format.row.named_by_tool {
            (find(&format!("</{}>", self.tool)), find(&format!("<{}>", self.tool)))
        } else {
            // The end of this call is still before `at`.
            let end = self.format.ends.first().map_or("", Template::anchor);
            (self.reader.finder.find(end, at.pos + end.len()), anchors(&self.format.heads))
        };
        match end {
            Some(end) if head.is_none_or(|head| end < head) => Err(Stop::RunsOver(end)),
            _ => Ok(()),
        }
    }
}

fn cut_or_none(is_cut: bool) -> Result<Option<usize>, Stop> {
    if is_cut { Err(Stop::Cut) } else { Ok(None) }
}
