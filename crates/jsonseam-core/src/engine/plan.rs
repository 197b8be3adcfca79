//! Whether an edit may be made: the laws of DESIGN 3, checked before anything is changed.
//!
//! Boundary: nothing here changes the reading; an edit is tried on a copy of the state.

use std::ops::Range;

use super::answer::Plan;
use super::reading::Reading;
use super::task::Task;
use crate::edits::edit::Edit;
use crate::edits::journal::Entry;
use crate::edits::reach::Start;
use crate::looking::peek::Peek;
use crate::looking::trace::RecordedToken;
use crate::reading::recognise::{Ending, Partial, State, Stop, TokenKind, finish, is_all_blank, run};
use crate::reading::scan::{continues_scalar, string_content_end};
use crate::reading::token::REACH;
use crate::rule::fault::Site;

/// How far back a back-tick is looked for, in bytes.
const MARK_WITHIN: usize = 4096;

impl Reading {
    /// Whether `edits` may be made; then `plan`, which is new, says how. `tried` counts the bytes read to find out.
    pub(super) fn plans(
        &self,
        edits: &[Edit],
        site: &Site,
        task: &Task<'_>,
        peek: &Peek<'_>,
        tried: &mut u64,
        plan: &mut Plan,
    ) -> bool {
        let source = task.completion;
        let mut pos = self.frontier;
        for edit in edits {
            let Edit { span, replacement } = edit;
            let is_in_place = span.start >= pos && span.end >= span.start && span.end <= task.end;
            if !is_in_place || source.get(span.clone()).is_none_or(|text| text == replacement) || !self.has_room(edit) {
                return false;
            }
            *tried += (span.len() + replacement.len()) as u64;
            pos = span.end;
        }
        let Some(start) = self.find_state_at(edits[0].span.start, site, task, peek, &mut plan.state) else {
            return false;
        };
        plan.start = start;
        if self.would_join(&edits[0], task, peek) {
            return false;
        }
        plan.after = plan.state;
        if !self.reads_group(edits, plan, task, peek, tried) {
            return false;
        }
        plan.is_blank = self.is_blank(edits, &plan.state, site);
        plan.is_blank || self.leaves_blanks_alone(pos, &plan.after, task, tried)
    }

    /// Whether a number or word at `from`, right after edits, runs on to the end of the text.
    pub(super) fn reaches_end(from: usize, task: &Task<'_>) -> bool {
        let rest = task.completion.as_bytes().get(from..task.end).unwrap_or_default();
        rest.iter().all(|&byte| continues_scalar(byte))
    }

    /// Whether no edit that was made overlaps this one.
    fn has_room(&self, edit: &Edit) -> bool {
        let next = self.blanks_from(edit.span.start).first();
        next.is_none_or(|next| next.span().start >= edit.span.end)
    }

    /// The edits after the frontier that do not end before `pos`: they took something out of the way.
    fn blanks_from(&self, pos: usize) -> &[Entry] {
        &self.journal.entries()[self.journal.place_for(pos, self.sealed)..]
    }

    /// Puts the state of the recogniser at `pos` in place of `state`, which is that at the fault, if an edit may start at `pos`:
    /// between the frontier and the fault, no further back than the fourth-last token, and not inside an escape, a number or a literal.
    /// How far back that is.
    fn find_state_at(
        &self,
        pos: usize,
        site: &Site,
        task: &Task<'_>,
        peek: &Peek<'_>,
        state: &mut State,
    ) -> Option<Start> {
        if pos < self.frontier || pos > site.pos {
            return None;
        }
        let start = self.start_of(pos, site, state, task);
        if pos == self.frontier && self.sealed > 0 {
            *state = self.at_frontier;
            return Some(start);
        }
        if pos == site.pos {
            return Some(start);
        }
        if state.is_in_string() {
            if pos >= state.content_start {
                return self.is_outside_escapes(pos, state.content_start, task, peek).then_some(start);
            }
            state.partial = Partial::None;
            if pos == state.token_start {
                return Some(start);
            }
        }
        for back in 0..REACH {
            let token = self.recorder.nth_back(back)?;
            if pos >= token.end() {
                return Some(start);
            }
            *state = token.before();
            if pos == token.start() {
                return Some(start);
            }
            if pos > token.start() {
                let is_text = matches!(token.kind, TokenKind::Key | TokenKind::String);
                state.partial = Partial::Text { escape: 0 };
                let may_start = is_text
                    && pos >= token.content_start()
                    && self.is_outside_escapes(pos, token.content_start(), task, peek);
                return may_start.then_some(start);
            }
        }
        None
    }

    /// Whether a back-tick shortly before `pos` is among the tokens in reach: a stream that saw it has held back what comes after it.
    pub(super) fn has_mark_before(&self, pos: usize, task: &Task<'_>) -> bool {
        let oldest = (0..REACH).rev().find_map(|back| self.recorder.nth_back(back));
        let from = oldest.map_or(task.start, RecordedToken::start).max(pos.saturating_sub(MARK_WITHIN));
        memchr::memrchr(b'`', task.completion.as_bytes().get(from..pos).unwrap_or_default()).is_some()
    }

    /// How far back `pos` is from the fault.
    fn start_of(&self, pos: usize, site: &Site, state: &State, task: &Task<'_>) -> Start {
        let mut start = Start::default();
        if pos == site.pos {
            return start;
        }
        let text = |end: usize| task.completion.get(pos..end).unwrap_or_default();
        if state.is_in_string() {
            start.note_string(text(site.pos));
        }
        let (mut tokens, mut last) = (0, 0);
        for token in (0..REACH).map_while(|back| self.recorder.nth_back(back)).take_while(|token| pos < token.end()) {
            tokens += 1;
            let content_end = token.end().saturating_sub(1);
            // Nothing was read of an empty one.
            let is_text = matches!(token.kind, TokenKind::Key | TokenKind::String) && token.start() + 1 < content_end;
            if is_text && pos < content_end {
                start.note_string(text(content_end));
            }
            last = if tokens > 1 { 0 } else { token.last_at(pos) };
        }
        (start.tokens, start.last) = (tokens, last);
        start
    }

    /// Whether `pos`, in valid string content, is not inside an escape.
    fn is_outside_escapes(&self, pos: usize, content_start: usize, task: &Task<'_>, peek: &Peek<'_>) -> bool {
        let from = content_start.max(self.frontier);
        let Some(content) = task.completion.as_bytes().get(from..pos) else {
            return false;
        };
        let ends_in_open_backslash = |content: &[u8]| {
            let backslashes = content.iter().rev().take_while(|&&byte| byte == b'\\').count();
            peek.text.charge(backslashes + 1);
            backslashes % 2 == 1
        };
        let is_in_unicode_escape = (2..=5).any(|back| {
            content
                .len()
                .checked_sub(back)
                .is_some_and(|start| content[start..].starts_with(b"\\u") && ends_in_open_backslash(&content[..=start]))
        });
        !ends_in_open_backslash(content) && !is_in_unicode_escape
    }

    /// Whether removing text right after a complete number or word would glue the next one to it.
    fn would_join(&self, edit: &Edit, task: &Task<'_>, peek: &Peek<'_>) -> bool {
        let ends_here = self.recorder.nth_back(0).is_some_and(|token| {
            token.end() == edit.span.start && matches!(token.kind, TokenKind::Number | TokenKind::Literal)
        });
        let next = edit.replacement.bytes().next().or_else(|| task.completion.as_bytes().get(edit.span.end).copied());
        if ends_here && edit.span.end >= task.end {
            peek.text.touch();
        }
        ends_here && edit.span.end < task.end && next.is_some_and(continues_scalar)
    }

    /// Reads the replacements of the group and what is between them: whether this meets no fault,
    /// and no replacement ends in a token that the source cannot go on with.
    fn reads_group(&self, edits: &[Edit], plan: &mut Plan, task: &Task<'_>, peek: &Peek<'_>, tried: &mut u64) -> bool {
        let mut between = None;
        for Edit { span, replacement } in edits {
            if let Some(from) = between.replace(span.end)
                && !self.reads_between(plan, from..span.start, task, tried)
            {
                return false;
            }
            if plan.after.partial == IN_TEXT && is_content(replacement.as_bytes(), 0) {
                continue;
            }
            plan.tokens.within = Some(span.clone());
            let is_read = reads_on(plan, replacement.as_bytes(), 0, task);
            plan.tokens.within = None;
            if !is_read {
                return false;
            }
        }
        can_go_on(&plan.after, between.unwrap_or_default(), task, peek, tried)
    }

    /// Whether the blank edits after the group, which ends at `pos`, still lie between tokens when they are read again after it.
    fn leaves_blanks_alone(&self, mut pos: usize, after: &State, task: &Task<'_>, tried: &mut u64) -> bool {
        let blanks = self.blanks_from(pos);
        if blanks.is_empty() {
            return true;
        }
        let bytes = task.completion.as_bytes();
        let mut state = *after;
        for blank in blanks {
            let span = blank.span();
            *tried += (span.start - pos) as u64;
            if !reads_text(&mut state, bytes.get(..span.start).unwrap_or_default(), pos, task) {
                // A new fault before it: then it will be read again from there.
                return true;
            }
            if state.partial != Partial::None {
                return false;
            }
            pos = span.end;
        }
        true
    }

    /// Reads the source of `span`, without what blank edits took out of the way.
    fn reads_between(&self, plan: &mut Plan, span: Range<usize>, task: &Task<'_>, tried: &mut u64) -> bool {
        *tried += span.len() as u64;
        let bytes = task.completion.as_bytes();
        let mut pos = span.start;
        if plan.after.partial == IN_TEXT
            && self.blanks_from(pos).is_empty()
            && is_content(bytes.get(..span.end).unwrap_or_default(), pos)
        {
            return true;
        }
        for blank in self.blanks_from(pos) {
            if blank.span().start >= span.end {
                break;
            }
            let is_read = reads_on(plan, bytes.get(..blank.span().start).unwrap_or_default(), pos, task);
            if !is_read || plan.after.partial != Partial::None {
                return false;
            }
            pos = blank.span().end;
        }
        reads_on(plan, bytes.get(..span.end).unwrap_or_default(), pos, task)
    }

    fn is_blank(&self, edits: &[Edit], state: &State, site: &Site) -> bool {
        let Edit { span, replacement } = &edits[0];
        let is_after_tokens = || self.recorder.nth_back(0).is_none_or(|token| span.start >= token.end());
        edits.len() == 1
            && !span.is_empty()
            && site.problem.is_none()
            && !state.is_in_string()
            && is_after_tokens()
            && is_all_blank(replacement)
    }
}

/// Whether a token that is open in `state` can go on in the source from `pos` on: an escape never may, a number or word if it ends well.
fn can_go_on(state: &State, pos: usize, task: &Task<'_>, peek: &Peek<'_>, tried: &mut u64) -> bool {
    match state.partial {
        Partial::None | Partial::Text { escape: 0 } => return true,
        Partial::Text { .. } => return false,
        Partial::Number(_) | Partial::Literal { .. } => {}
    }
    let bytes = task.completion.as_bytes().get(..task.end).unwrap_or_default();
    let rest = bytes.get(pos..).unwrap_or_default();
    let end = pos + rest.iter().position(|&byte| !continues_scalar(byte)).unwrap_or(rest.len());
    if end >= task.end {
        peek.text.touch();
    }
    *tried += (end - pos) as u64;
    let mut state = *state;
    reads_text(&mut state, bytes.get(..end).unwrap_or_default(), pos, task)
        && finish(&mut state, end, &mut ()) != Ending::CutScalar
}

/// Reads a part of a group, and keeps its tokens.
fn reads_on(plan: &mut Plan, text: &[u8], pos: usize, task: &Task<'_>) -> bool {
    run(&mut plan.after, text, pos, task.limits.max_depth, &mut plan.tokens) == Stop::Exhausted
}

fn reads_text(state: &mut State, text: &[u8], pos: usize, task: &Task<'_>) -> bool {
    run(state, text, pos, task.limits.max_depth, &mut ()) == Stop::Exhausted
}

/// Within a string, outside its escapes.
const IN_TEXT: Partial = Partial::Text { escape: 0 };

/// Whether all of `text` from `pos` on is content of a string, at a glance: then nothing about an open string changes.
fn is_content(text: &[u8], pos: usize) -> bool {
    const ESCAPES: [&[u8]; 5] = [b"\\\"", b"\\\\", b"\\n", b"\\r", b"\\t"];
    string_content_end(text, pos) == text.len() || pos == 0 && ESCAPES.contains(&text)
}
