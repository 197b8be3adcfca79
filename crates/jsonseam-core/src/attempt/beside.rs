//! Whole values beside all candidates: of the other kind of root, or where no locator looks for a payload (SPEC B4).

use std::ops::Range;

use jsonseam_text::begins_payload;

use super::Attempt;
use super::outcomes::Outcome;
use crate::edits::risk::Risk;
use crate::engine::{Task, mend};
use crate::locate::{Candidate, Ending, begins_line, ends_line, ends_with_json_fence, is_fence_at, trim};
use crate::reading::wanted::Root;
use crate::reading::work::Work;
use crate::results::repaired::Repaired;

impl Attempt<'_, '_> {
    /// Whether any text outside `payload` may hold a further payload: an opener of the wanted root, or one of the other that begins its line.
    pub(super) fn may_be_beside(&self, payload: &Range<usize>) -> bool {
        let bytes = self.completion.as_bytes();
        let begins = |part: Range<usize>| {
            let openers = memchr::memchr2_iter(b'{', b'[', bytes.get(part.clone()).unwrap_or_default());
            let is_of_root = |pos: usize| bytes.get(pos).is_some_and(|&byte| self.settings.root.opens(byte));
            let may_begin = |pos: usize| is_of_root(pos) && !is_placeholder(bytes, pos) || begins_apart(bytes, pos);
            openers.map(|pos| part.start + pos).any(may_begin)
        };
        begins(0..payload.start) || begins(payload.end..bytes.len())
    }

    /// Whether the bracket at `pos` opens a payload wherever it is: where any root is wanted, an array within a line is a citation.
    fn is_wanted_at(&self, pos: usize) -> bool {
        let wanted = if self.settings.root == Root::Array { b'[' } else { b'{' };
        self.completion.as_bytes().get(pos) == Some(&wanted)
    }

    /// Where whole payloads are: those of the outcomes, and the whole values in `parts` outside what the candidates take up.
    ///
    /// Those of another kind than is wanted count on lines of their own and in a block tagged `json`, unless they are an empty array or one of one number.
    /// Each byte is read once: the search goes on where a value failed. What is in such a value is a part of it, and no outcome any more.
    pub(super) fn beside(
        &self,
        parts: &[Candidate],
        outcomes: &mut Vec<Outcome<'_>>,
        payload: Option<&Range<usize>>,
    ) -> Vec<Range<usize>> {
        let mut taken: Vec<Range<usize>> = outcomes.iter().map(Outcome::extent).chain(payload.cloned()).collect();
        jsonseam_text::sort_by_key(&mut taken, |span| span.start);
        let mut found = Vec::new();
        for part in parts {
            self.add_beside(&trim(self.completion, part.span.clone()), &taken, &mut found);
        }
        outcomes.retain(|outcome| !found.iter().any(|value| is_inside(&outcome.extent(), value)));
        outcomes.iter().filter_map(Outcome::whole).chain(found).collect()
    }

    fn add_beside(&self, part: &Range<usize>, taken: &[Range<usize>], found: &mut Vec<Range<usize>>) {
        let Some(bytes) = self.completion.as_bytes().get(..part.end) else { return };
        let mut taken = taken.iter().peekable();
        let mut pos = part.start;
        while found.len() < self.settings.max_candidates && self.work.get().has_room(self.completion.len(), true) {
            let Some(start) = bytes.get(pos..).and_then(|rest| Root::Any.opener_in(rest)).map(|next| pos + next) else {
                break;
            };
            self.spend(start - pos);
            while taken.next_if(|span| span.end <= start).is_some() {}
            if let Some(span) = taken.peek().filter(|span| span.start <= start) {
                pos = span.end;
                continue;
            }
            let counts =
                if self.is_wanted_at(start) { begins_payload(bytes, start) } else { begins_apart(bytes, start) };
            pos = match self.whole_value(start..part.end, counts) {
                Ok(end) => {
                    let value = start..end;
                    if counts && (self.is_wanted_at(start) || is_alone(bytes, &value)) {
                        found.push(value);
                    }
                    end
                }
                Err(stopped) => stopped.max(start + 1),
            };
        }
    }

    /// The end of the value that starts `span` if it is valid, or with `may_be_broken` can be repaired with no edit above `likely`; else where reading stopped.
    fn whole_value(&self, span: Range<usize>, may_be_broken: bool) -> Result<usize, usize> {
        let (start, region_end) = (span.start, span.end);
        let candidate = Candidate::plain(span, Ending::RootClose);
        let stopped = match self.read(&candidate) {
            Ok(end) => return Ok(end),
            Err(stopped) => stopped,
        };
        let has_room = || self.work.get().has_room(self.completion.len(), false);
        if !may_be_broken || !begins_payload(self.completion.as_bytes(), start) || !has_room() {
            return Err(stopped);
        }
        // It may cost a quarter of what a payload may: what looks like a value is most often a line of prose.
        let spent = self.work.get();
        let task = self.task(&candidate, region_end);
        let task = Task { bytes: (region_end - start) / 4, work: Work::default(), ..task };
        let mut mended = mend(&task, None).map_err(|mut refused| {
            refused.work += spent;
            self.work.set(refused.work);
            refused.site.pos.max(stopped)
        })?;
        mended.work += spent;
        let is_sound = |repaired: &Repaired<'_>| repaired.risk() <= Some(Risk::Likely) && !repaired.is_cut_short();
        let repaired = self.judge(Root::Any, mended).ok().filter(is_sound);
        repaired.map(|repaired| repaired.payload().end).ok_or(stopped)
    }
}

/// Whether the bracket at `pos` opens nothing but a name in braces, as in `{name}`.
fn is_placeholder(text: &[u8], pos: usize) -> bool {
    let inside = text.get(pos..).and_then(|rest| rest.strip_prefix(b"{")).unwrap_or_default();
    let name = inside.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let len = name.count();
    len > 0 && inside.get(len) == Some(&b'}')
}

/// Whether the bracket at `pos` is the first of its line, or of a block tagged `json` that opens on it.
fn begins_apart(text: &[u8], pos: usize) -> bool {
    let before = text.get(..pos).unwrap_or_default().trim_ascii_end();
    begins_line(text, pos) || before == "\u{feff}".as_bytes() || ends_with_json_fence(before)
}

/// Whether a value that begins its line also ends one, or its block, and is more than an empty array or one of one number.
fn is_alone(text: &[u8], value: &Range<usize>) -> bool {
    let ends_block = || is_fence_at(text.get(value.end..).unwrap_or_default().trim_ascii_start(), 0);
    (ends_line(text, value.end) || ends_block()) && !is_citation(text.get(value.clone()).unwrap_or_default())
}

pub(super) fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether `value` is an array that is empty or holds one number, as a text cites a source.
pub(super) fn is_citation(value: &[u8]) -> bool {
    let inside = value.strip_prefix(b"[").and_then(|value| value.strip_suffix(b"]"));
    inside.is_some_and(|inside| {
        let number = inside.trim_ascii();
        number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'))
    })
}
