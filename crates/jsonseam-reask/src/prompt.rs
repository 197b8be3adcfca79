//! Repair prompts, made from typed errors. What the model wrote is in one fenced field and nowhere else.

pub(crate) mod format;
mod hints;
mod problems;
mod quote;
pub(crate) mod tree;

use jsonseam_adapter::Error;

use self::format::Format;
use self::problems::Problems;
use self::quote::{Quoted, quote};
use crate::fields::base;
use crate::judge::{is_cut, judge};
use crate::message::Mode;
use crate::reask::Reask;
use crate::settings::Echo;
use crate::template::{Parts, TemplateError};

/// What a re-ask asks for.
pub(crate) struct Asked<'a> {
    /// Its number in its mode, from 1.
    pub(crate) number: u32,
    pub(crate) mode: Mode,
    /// Whether a shorter answer is asked for.
    pub(crate) is_shorter: bool,
    /// The fields that are asked for; none for all.
    pub(crate) fields: &'a [String],
}

/// The repair prompt for an answer and what is wrong with it (SPEC L3).
pub(crate) fn repair(
    reask: &Reask,
    completion: &str,
    error: &Error,
    asked: &Asked<'_>,
) -> Result<String, TemplateError> {
    let problems = Problems::of(error, &reask.format);
    let rules = error.decode().map(|refusal| {
        let at = refusal.position().map_or(0, |position| position.offset);
        refusal.mended_by().iter().map(move |rule| (rule.as_str(), at)).collect::<Vec<_>>()
    });
    let repaired = error.partial().map(jsonseam_adapter::Outputs::repair);
    let edits = repaired.iter().flat_map(|repair| repair.edits().map(|seam| (seam.rule, seam.span.start)));
    let hints = hints::hints(completion, rules.unwrap_or_default().into_iter().chain(edits));
    let Quoted { text: quoted, is_cut } = match reask.settings.echo {
        Echo::Answer => quote(completion, &problems.names),
        Echo::None => Quoted::default(),
    };
    let format = if asked.fields.is_empty() { reask.format.told() } else { reask.format.only(asked.fields).told() };
    reask.template.render(&Parts {
        errors: problems.lines,
        more_errors: problems.more,
        hints,
        format,
        quoted,
        is_cut,
        fields: asked.fields.iter().map(|name| serde_json::Value::from(name.as_str()).to_string()).collect(),
        is_shorter: asked.is_shorter,
        attempt: asked.number,
        maximum: reask.settings.max_attempts,
        mode: asked.mode.as_str(),
    })
}

impl Reask {
    /// The repair prompt for an answer, as the first re-ask would send it; `None` if the answer meets the contract.
    pub fn prompt(&self, completion: &str, finish_reason: Option<&str>) -> Result<Option<String>, TemplateError> {
        let Err(error) = judge(self, completion, finish_reason, None).result else { return Ok(None) };
        let error = self.adapter.explain(&error, completion);
        let is_shorter = is_cut(&error, finish_reason);
        let base = if is_shorter { None } else { base(&self.settings, &error, &self.format) };
        let fields = base.as_ref().map(|base| base.failing.as_slice()).unwrap_or_default();
        let asked = Asked { number: 1, mode: self.settings.mode, is_shorter, fields };
        repair(self, completion, &error, &asked).map(Some)
    }
}

/// What the first request of a mode ends with where the server does not tell the model the schema.
pub(crate) fn format_section(format: &Format) -> String {
    format!("Answer with JSON alone, nothing before or after it, in this format:\n\n{}", format.told())
}
