//! Values of a call that is read as a whole: those that are text are told before its end.
//!
//! Invariant: a call is begun by what a reading of it says that ends with the value which is being written.

use jsonseam_text::floor_char_boundary;

use super::ends::first_end;
use super::raw::{DATA, Raw, first_of_value};
use super::told::Told;
use super::{CallStream, Whole};
use crate::cursor::{Cursor, trimmed};
use crate::pack::Format;
use crate::tagged::{first_match, is_raw_text};
use crate::template::{Match, Template};
use crate::weave::escaped;

/// What is in place of the rest of a value whose call is tried.
const PROBE: &str = "x";

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
