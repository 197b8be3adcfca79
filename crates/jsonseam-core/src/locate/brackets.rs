//! Brackets in a completion: which are open at a place, and where a value of the wanted root is. Facts alone: what they mean is a locator's to say.

use std::ops::Range;

use super::quotes::OpenStrings;
use super::region::Region;
use super::root;
use crate::looking::ahead::Ahead;
use crate::looking::lex::is_blank;
use crate::reading::openers::{byte_before, unclosed};
use crate::reading::recognise::{Next, State, run};
use crate::reading::wanted::Root;

impl Region<'_> {
    /// The outermost `{` or `[` before `pos` that is still open there. Inside brackets, double quotes hide others.
    pub fn open_bracket_at(&self, pos: usize) -> Option<usize> {
        let open = unclosed(self.slice(self.span.start..pos).as_bytes(), b"{[", |_| None);
        open.map(|offset| self.span.start + offset)
    }

    /// Whether a double-quoted string that opened inside a bracket is still open at `pos`.
    pub fn is_string_open_at(&self, pos: usize) -> bool {
        self.read.charge(pos - self.span.start);
        OpenStrings::new(self, self.span.start, false).are_open_at(pos)
    }

    /// The first complete payload of the wanted root from `from` on that is valid as it is.
    ///
    /// Each byte is read once: the search goes on where a candidate failed.
    pub fn next_value(&self, from: usize) -> Option<Range<usize>> {
        let end = self.span.end;
        let bytes = self.completion.as_bytes().get(..end)?;
        let mut pos = from.max(self.span.start);
        loop {
            let Some(opener) = self.root.opener_in(bytes.get(pos..)?) else {
                self.read.charge(end - pos);
                return None;
            };
            let start = pos + opener;
            let mut state = State::START;
            let stop = run(&mut state, bytes, start, self.max_depth, &mut ());
            let stopped = state.stopped_at(stop, end);
            self.read.charge(stopped - pos);
            if state.next == Next::End {
                return Some(start..bytes[..stopped].trim_ascii_end().len());
            }
            pos = stopped.max(start + 1);
        }
    }

    /// Whether the root that starts at `start` and closes before `pos` has ended there (SPEC P2): the same for every rule and preset.
    pub fn root_has_ended(&self, start: usize, pos: usize) -> bool {
        let after = self.at(pos);
        root::has_ended_before(after, byte_before(self.completion, start), self.skip_space_and_comments(after))
    }

    /// A cursor after the blanks and comments that come next. A comment is passed once, however many roots are before it.
    fn skip_space_and_comments<'t>(&self, mut ahead: Ahead<'t>) -> Ahead<'t> {
        let end = self.span.end;
        let mut known = self.seen.comments.borrow_mut();
        let mut passed = Vec::new();
        let next = loop {
            ahead.take_while(is_blank);
            if !matches!(ahead.peek(), Some('/' | '#')) {
                break ahead;
            }
            if let Some(&next) = known.get(&(end, ahead.pos())) {
                break ahead.at(next);
            }
            let Some(after) = ahead.comment_end() else { break ahead };
            passed.push((end, ahead.pos()));
            ahead = after;
        };
        known.extend(passed.into_iter().map(|comment| (comment, next.pos())));
        next
    }

    /// Whether an element of a container of the other kind is due at `pos`, where one kind of root is wanted (SPEC P3).
    pub fn is_element_at(&self, pos: usize) -> bool {
        let before = self.slice(self.span.start..pos).as_bytes();
        match self.root {
            Root::Object => root::is_element(before, b'['),
            Root::Array => root::is_element(before, b'{'),
            Root::Any => false,
        }
    }
}
