//! What becomes of a candidate: a result that a strict decoder has read, or a refusal.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::complete::{lacks_only_a_quote, lost_only_a_quote};
use super::options::FinishReason;
use super::{Attempt, Refusal, refused_at};
use crate::engine::{Ambiguity, Mended, Refused, Task};
use crate::reading::expected::Expected;
use crate::reading::limits::Limit;
use crate::reading::position::Position;
use crate::reading::recognise::is_all_blank;
use crate::reading::wanted::Root;
use crate::results::error::{Error, RefusedEdit, RefusedReading};
use crate::results::reason::Reason;
use crate::results::repaired::Repaired;

impl<'a> Attempt<'_, 'a> {
    /// An independent strict decoder reads the output, a value of this root, before anyone else does (DESIGN 3, law 4).
    pub(super) fn judge(&self, root: Root, mut mended: Mended) -> Result<Repaired<'a>, Refusal> {
        if mended.journal.has_overflowed() {
            return Err(refused_at(Error::limit(Limit::Work), mended.payload.start));
        }
        // The output is written once and judged once.
        mended.work.steps += 2 * (mended.payload.len() + mended.journal.inserted()) as u64;
        let repaired = self.assemble(mended);
        self.work.set(repaired.work);
        if serde_json::from_str::<&RawValue>(repaired.text()).is_ok() {
            // A scalar is a payload only if it decodes as it is, so what was repaired is of the wanted root (SPEC P3).
            let first = repaired.text().trim_ascii_start().bytes().next();
            if first.is_some_and(|first| root.opens(first)) {
                return Ok(repaired);
            }
            let error = Error::new(Reason::Syntax).expecting(Expected::Value);
            return Err(refused_at(error, repaired.payload.start));
        }
        #[cfg(feature = "tracing")]
        tracing::error!(target: "jsonseam", edits = repaired.edits().len(), "the judge refused a repair: a defect of jsonseam");
        debug_assert!(false, "the engine and the judge agree");
        Err(refused_at(Error::new(Reason::Syntax), repaired.payload.start))
    }

    fn is_cut_by_reason(&self) -> bool {
        !self.is_survey && self.options.finish_reason.as_ref().is_some_and(FinishReason::is_cut)
    }

    pub(super) fn assemble(&self, mut mended: Mended) -> Repaired<'a> {
        let payload = with_outer_blanks(self.completion, mended.payload);
        let source = self.completion.get(payload.clone()).unwrap_or_default();
        let is_cut_by_reason = self.is_cut_by_reason();
        if mended.journal.has_cut() && !is_cut_by_reason && lost_only_a_quote(source, payload.start, &mended.journal) {
            mended.journal.forget_cut();
        }
        let has_edits = mended.journal.len() > 0;
        let output = has_edits.then(|| {
            let mut text = self.room.take();
            mended.journal.apply_into(self.completion, payload.clone(), &mut text);
            Cow::Owned(text)
        });
        Repaired {
            source: source.into(),
            output,
            payload,
            journal: mended.journal,
            rules: has_edits.then(|| Arc::clone(&self.rules.infos)),
            is_cut_by_reason,
            further: Vec::new(),
            gap: mended.gap,
            work: mended.work,
        }
    }

    /// Turns the engine's refusal into the caller's error.
    pub(super) fn refusal(&self, task: &Task<'_>, refused: Refused) -> Refusal {
        self.work.set(refused.work);
        if let Some((limit, rule)) = refused.limit {
            let error = Error::limit(limit).blaming(rule.map(|index| self.rules.name(index)));
            return refused_at(error, refused.site.pos);
        }
        if let Some(ambiguity) = refused.ambiguity {
            let Ambiguity { readings, doubt } = *ambiguity;
            let refused_edit = |(rule, span): (u16, Range<usize>)| RefusedEdit {
                rule: self.rules.name(rule).to_owned(),
                start: span.start,
                end: span.end,
            };
            let named = readings
                .map(|(edits, cost)| RefusedReading { edits: edits.into_iter().map(refused_edit).collect(), cost });
            return refused_at(Error::new(Reason::AmbiguousRepair).between(named, doubt), refused.site.pos);
        }
        if let Some(root_end) = refused.root_end.filter(|_| !task.is_open_ended)
            && let Some(second) = self.region(refused.site.pos..task.end).next_value(refused.site.pos)
        {
            let error = Error::new(Reason::AmbiguousPayload).among(vec![task.start..root_end, second]);
            return refused_at(error, refused.site.pos);
        }
        let text = || self.completion.get(task.start..task.end).unwrap_or_default();
        let is_cut = refused.site.is_at_end && task.is_last && (self.is_cut_by_reason() || !lacks_only_a_quote(text()));
        let reason = if is_cut { Reason::Truncated } else { Reason::Syntax };
        let mut error = Error::new(reason).expecting(refused.expected);
        if let Some(objection) = refused.objection {
            error = error.doubting(objection.doubt, Position::of(objection.because, self.completion));
        }
        Refusal { help: refused.help, ..refused_at(error, refused.site.pos) }
    }
}

/// The payload together with the white space around it, when there is nothing else around it:
/// a text that needs no locating loses no final newline (SPEC P2). A byte order mark stays outside.
fn with_outer_blanks(completion: &str, payload: Range<usize>) -> Range<usize> {
    let before = completion.get(..payload.start).unwrap_or_default();
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(before);
    let after = completion.get(payload.end..).unwrap_or_default();
    if is_all_blank(before) && is_all_blank(after) { payload.start - before.len()..completion.len() } else { payload }
}
