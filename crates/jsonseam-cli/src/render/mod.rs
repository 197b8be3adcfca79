//! Everything that people read: summaries, refusals, diffs, annotated sources.

mod annotated;
mod github;
mod pretty;
mod readings;
mod refused;
mod sarif;
mod summary;
mod unified;

pub(crate) use annotated::{annotated, explanation};
pub(crate) use github::{annotate, annotation};
pub(crate) use pretty::pretty;
pub(crate) use readings::both_readings;
pub(crate) use refused::{
    LONGEST_ADVISED, looks_like_utf16, refusal, refusal_line, refusal_of_line, refusal_under_contract, repair_help,
};
pub(crate) use sarif::{finding, sarif_log, would_change};
pub(crate) use summary::summary;
pub(crate) use unified::{Change, diff, diff_of, header_name, shown_diff};
