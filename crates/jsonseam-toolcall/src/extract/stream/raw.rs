//! Raw values of marked arguments as they come: told up to what may end them.
//!
//! Invariant: what is told of a value is its beginning, wherever it ends. From the first place on where a mark may be, the whole call decides.

use jsonseam_text::floor_char_boundary;

use super::ends::first_end;
use super::told::Told;
use super::{CallStream, Whole};
use crate::cursor::{Cursor, trimmed};
use crate::pack::{Format, Trim};
use crate::tagged::{ENTITIES, NEWLINES, first_match, is_raw_text, without_entities};
use crate::template::{Match, Template};
use crate::weave::escaped;

/// What stands in for the rest of a value whose call is tried.
const PROBE: &str = "x";
/// What begins character data.
const DATA: &str = "<![CDATA[";

/// A value that is being written.
#[derive(Debug)]
pub(super) struct Raw {
    /// Up to where it was told, and up to where it was looked at: the blanks between may be those before a mark.
    told: usize,
    seen: usize,
    /// What a mark begins with.
    marks: Vec<String>,
    has_entities: bool,
}

/// What is at a place of a value.
enum Next {
    /// So many bytes of text.
    Text(usize),
    /// So many bytes that belong to the value if text follows.
    Blank(usize),
    /// What it is depends on what follows.
    Open,
    /// A mark may be here.
    Mark,
}

impl Raw {
    fn new(format: &Format, key: &str, start: usize) -> Self {
        let ends = format.argument_ends.iter().chain(&format.ends).chain(&format.late_ends);
        let heads = format.heads.iter().chain(&format.arguments);
        let anchors = ends.chain(heads).map(Template::anchor);
        let mut marks: Vec<_> = anchors.flat_map(beginnings).chain([format!("</{key}")]).collect();
        marks.sort();
        marks.dedup();
        Self { told: start, seen: start, marks, has_entities: format.row.entities }
    }

    /// The next piece of the value, and whether nothing more of it is told.
    fn read(&mut self, text: &str) -> (String, bool) {
        let start = self.told;
        let is_over = loop {
            let rest = text.get(self.seen..).unwrap_or_default();
            match self.next(rest) {
                Next::Text(len) => {
                    self.seen += len;
                    self.told = self.seen;
                }
                Next::Blank(len) => self.seen += len,
                Next::Open => break false,
                Next::Mark => break true,
            }
        };
        let piece = text.get(start..self.told).unwrap_or_default();
        (if self.has_entities { without_entities(piece) } else { piece.to_owned() }, is_over)
    }

    fn next(&self, rest: &str) -> Next {
        let Some(char) = rest.chars().next() else { return Next::Open };
        let mut is_open = false;
        for mark in &self.marks {
            if rest.starts_with(mark.as_str()) {
                return Next::Mark;
            }
            is_open |= mark.starts_with(rest);
        }
        let entity = ENTITIES.iter().map(|(entity, _)| *entity).filter(|_| self.has_entities && char == '&');
        is_open |= rest == "\\" || entity.clone().any(|entity| entity != rest && entity.starts_with(rest));
        match NEWLINES.iter().find(|newline| rest.starts_with(**newline)) {
            _ if is_open => Next::Open,
            Some(newline) => Next::Blank(newline.len()),
            None if char.is_whitespace() => Next::Blank(char.len_utf8()),
            None => {
                let entity = entity.into_iter().find(|entity| rest.starts_with(entity));
                Next::Text(entity.map_or(char.len_utf8(), str::len))
            }
        }
    }
}

/// What a mark is known by, misspelt or without its prefix: the first half of it.
fn beginnings(anchor: &str) -> impl Iterator<Item = String> + use<> {
    let half = |mark: &str| {
        let len = mark.len().div_ceil(2);
        let len = (len..=mark.len()).find(|&len| mark.is_char_boundary(len)).unwrap_or(mark.len());
        mark.get(..len).unwrap_or(mark).to_owned()
    };
    let stem = anchor.trim_end_matches(['>', '|', ':']);
    let local = stem.strip_prefix("</").and_then(|name| name.rsplit_once([':', '｜']));
    let local = local.map(|(_, name)| half(&format!("</{}", name.trim_start())));
    [half(stem)].into_iter().chain(local)
}

/// Where the text of a value begins whose mark ends at `start`; `None` if that is not known yet.
fn first_of_value(format: &Format, text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let is_begun = |whole: &str, rest: &str| whole != rest && whole.starts_with(rest);
    if format.row.cdata && is_begun(DATA, rest.trim_start()) {
        return None;
    }
    if format.row.trim != Trim::Newline {
        return Some(start);
    }
    if rest.is_empty() || NEWLINES.iter().any(|newline| is_begun(newline, rest)) {
        return None;
    }
    let newline = NEWLINES.iter().find(|newline| rest.starts_with(**newline));
    Some(start + newline.map_or(0, |newline| newline.len()))
}

impl CallStream {
    /// Tells what is there of the values of a call that is read as a whole.
    pub(super) fn in_values(&mut self, text: &str, whole: &mut Whole) {
        while whole.value.is_some() || self.begin_value(text, whole) {
            let Some(value) = &mut whole.value else { return };
            let from = value.seen;
            let (piece, is_over) = value.read(text);
            let seen = value.seen;
            self.looked += (seen - from) as u64;
            if let Some(told) = self.told.get_mut(whole.index) {
                told.go_on(whole.index, &escaped(&piece), &mut self.events);
            }
            if !is_over {
                return;
            }
            (whole.value, whole.argued) = (None, seen);
        }
    }

    /// Goes to the next value whose text may be told; false if none is there.
    fn begin_value(&mut self, text: &str, whole: &mut Whole) -> bool {
        loop {
            let known = whole.formats.iter().filter_map(|&index| self.own.packs.formats.get(index));
            self.looked += (text.len() - whole.argued) as u64;
            let heads = known.clone().flat_map(|format| &format.arguments);
            let Some((at, _)) = first_end(heads.clone(), text, whole.argued) else {
                let longest = heads.map(|head| head.anchor().len()).max().unwrap_or(0);
                let seen = text.len().saturating_sub(longest).max(whole.argued);
                whole.argued = floor_char_boundary(text, seen);
                return false;
            };
            whole.argued = at;
            let mut begun = Vec::new();
            for format in known {
                match first_match(&format.arguments, &Cursor::new(text, at)) {
                    Ok(None) => {}
                    Ok(Some(head)) => {
                        let Some(start) = first_of_value(format, text, head.end) else { return false };
                        begun.push((format.clone(), head, start));
                    }
                    Err(_) => return false,
                }
            }
            whole.argued = begun.iter().map(|(.., start)| *start).min().unwrap_or(at + 1);
            if !whole.tried.allows(whole.argued - whole.at) {
                continue;
            }
            let mut tried = begun.into_iter();
            whole.value = tried.find_map(|(format, head, start)| {
                let key = self.try_value(text, whole, &format, &head)?;
                Some(Raw::new(&format, &key, start))
            });
            if whole.value.is_some() {
                return true;
            }
        }
    }

    /// Tells a call up to its value that begins here, if that is text whatever it will be. The call is read as if the value ended at once.
    fn try_value(&mut self, text: &str, whole: &Whole, format: &Format, head: &Match) -> Option<String> {
        let is_data = format.row.cdata && text.get(head.end..)?.trim_start().starts_with(DATA);
        let call = [text.get(whole.at..head.end)?, PROBE, plain(&format.argument_ends)?, plain(&format.ends)?].concat();
        self.looked += call.len() as u64;
        let read = self.read_alone(&call, whole.at).filter(|read| read.format == format.name && !is_data)?;
        let key = text.get(trimmed(text, head.hole("key")?))?;
        let is_text = is_raw_text(text, head, self.own.tools.shape(&read.name, key));
        let arguments = read.arguments.strip_suffix("\"}")?.strip_suffix(PROBE).filter(|_| is_text)?;
        if whole.index == self.told.len() {
            Told::begin(&mut self.told, &mut self.events, read.name.clone(), &read.format, whole.at);
        }
        let told = self.told.get_mut(whole.index).filter(|told| told.is_of(&read))?;
        let rest = arguments.strip_prefix(told.arguments.as_str())?;
        told.go_on(whole.index, rest, &mut self.events);
        Some(key.to_owned())
    }
}

/// A mark that is spelled in one way only.
fn plain(marks: &[Template]) -> Option<&str> {
    let is_plain =
        |mark: &&Template| mark.match_at(mark.anchor(), 0).is_ok_and(|found| found.end == mark.anchor().len());
    marks.iter().find(is_plain).map(Template::anchor)
}
