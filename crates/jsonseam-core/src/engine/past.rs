//! The edits of a reading: those that no later one can reach are in the past, which copies of the reading share.

use std::sync::Arc;

use super::reading::Reading;
use super::task::Task;
use crate::edits::journal::{Entry, Journal};
use crate::looking::trace::RecordedToken;
use crate::reading::token::REMEMBERED;

/// Edits that are settled for every reading that shares them.
pub(super) struct Past {
    pub(super) before: Option<Arc<Self>>,
    pub(super) journal: Journal,
    /// How many edits there are, those before included.
    pub(super) len: usize,
}

/// Edits, each with the journal that holds its text.
pub(super) type Edits<'r> = Vec<(&'r Journal, Entry)>;

/// The edits of two readings from where they part.
pub(super) struct Parting<'r> {
    /// How many edits the two share from the start on.
    pub(super) shared: usize,
    pub(super) one: Edits<'r>,
    pub(super) other: Edits<'r>,
    /// Where the next edit of either is.
    pub(super) start: usize,
}

impl Reading {
    /// How many edits were made.
    pub(super) fn edits(&self) -> usize {
        self.past.as_ref().map_or(0, |past| past.len) + self.journal.len()
    }

    /// Moves the edits that no later one can reach to where copies of this reading share them. Each is moved once.
    pub(super) fn settle(&mut self, task: &Task<'_>) {
        // Edits that only took something out of the way leave the frontier where it is, but lie beyond reach all the same.
        let reach = self.recorder.nth_back(REMEMBERED - 1).map_or(task.start, RecordedToken::start);
        let passed = self.journal.entries().partition_point(|entry| entry.span().end < reach);
        let settled = self.sealed.max(passed).min(self.cursor);
        if settled == 0 {
            return;
        }
        let journal = self.journal.split_off_front(settled);
        let len = journal.len() + self.past.as_ref().map_or(0, |past| past.len);
        self.past = Some(Arc::new(Past { before: self.past.take(), journal, len }));
        self.cursor -= settled;
        self.sealed = self.sealed.saturating_sub(settled);
    }

    /// All edits as one journal.
    pub(super) fn take_journal(&mut self) -> Journal {
        if self.past.is_none() {
            return std::mem::take(&mut self.journal);
        }
        let mut parts = vec![&self.journal];
        let mut past = self.past.as_deref();
        while let Some(part) = past {
            parts.push(&part.journal);
            past = part.before.as_deref();
        }
        let mut whole = Journal::default();
        for part in parts.into_iter().rev() {
            whole.take(part, part.entries());
        }
        whole
    }

    /// Its edits from the `first` one on.
    pub(super) fn edits_from(&self, first: usize) -> Edits<'_> {
        let mut parts = vec![&self.journal];
        let mut past = self.past.as_deref();
        while let Some(part) = past.filter(|part| part.len > first) {
            parts.push(&part.journal);
            past = part.before.as_deref();
        }
        let mut skipped = first.saturating_sub(past.map_or(0, |part| part.len));
        let mut edits = Vec::new();
        for &journal in parts.iter().rev() {
            let entries = journal.entries().get(skipped..).unwrap_or_default();
            skipped = skipped.saturating_sub(journal.len());
            edits.extend(entries.iter().map(|entry| (journal, *entry)));
        }
        edits
    }

    /// Where the two part; `None` if both have made the same edits. Edits are the same that say the same and are `alike` too.
    /// What both have of one past is not compared.
    pub(super) fn parts_from<'r>(
        &'r self,
        other: &'r Self,
        alike: impl Fn(Entry, Entry) -> bool,
    ) -> Option<Parting<'r>> {
        let len = |past: Option<&Arc<Past>>| past.map_or(0, |past| past.len);
        let (mut own, mut others) = (self.past.as_ref(), other.past.as_ref());
        while own.map(Arc::as_ptr) != others.map(Arc::as_ptr) {
            if len(own) >= len(others) {
                own = own.and_then(|past| past.before.as_ref());
            } else {
                others = others.and_then(|past| past.before.as_ref());
            }
        }
        let shared = len(own);
        let (mut one, mut other) = (self.edits_from(shared), other.edits_from(shared));
        let same = |((a, x), (b, y)): (&(&Journal, Entry), &(&Journal, Entry))| {
            x.span() == y.span() && a.replacement(x) == b.replacement(y) && alike(*x, *y)
        };
        let common = one.iter().zip(&other).take_while(|pair| same(*pair)).count();
        one.drain(..common);
        other.drain(..common);
        let start = one.first().into_iter().chain(other.first()).map(|(_, entry)| entry.span().start).min()?;
        Some(Parting { shared: shared + common, one, other, start })
    }
}
