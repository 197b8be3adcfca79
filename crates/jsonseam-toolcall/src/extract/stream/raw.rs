//! Raw values of marked arguments as they come: told up to what may end them.
//!
//! Invariant: what is reported of a value is its beginning, wherever it ends. From the first place on where a mark may be, the whole call decides.

use crate::pack::{Format, Trim};
use crate::tagged::{ENTITIES, NEWLINES, without_entities};
use crate::template::Template;

/// What begins character data.
pub(super) const DATA: &str = "<![CDATA[";

/// A value that is being written.
#[derive(Debug)]
pub(super) struct Raw {
    /// Up to where it was told, and up to where it was looked at: the blanks between may be those before a mark.
    told: usize,
    pub(super) seen: usize,
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
    pub(super) fn new(format: &Format, key: &str, start: usize) -> Self {
        let ends = format.argument_ends.iter().chain(&format.ends).chain(&format.late_ends);
        let heads = format.heads.iter().chain(&format.arguments);
        let anchors = ends.chain(heads).map(Template::anchor);
        let mut marks: Vec<_> = anchors.flat_map(beginnings).chain([format!("</{key}")]).collect();
        marks.sort();
        marks.dedup();
        Self { told: start, seen: start, marks, has_entities: format.row.entities }
    }

    /// The next piece of the value, and whether nothing more of it is told.
    pub(super) fn read(&mut self, text: &str) -> (String, bool) {
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
pub(super) fn first_of_value(format: &Format, text: &str, start: usize) -> Option<usize> {
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
