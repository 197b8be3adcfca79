//! What a repair leaves out although it looks like a payload: a broken one beside those that are whole (SPEC B4).
//!
//! `further` lists what decodes or repairs; what does neither would go silently.

use std::ops::Range;

use jsonseam::rule::begins_line;
use jsonseam::{Pipeline, Reason, Repaired, Root};
use jsonseam_text::begins_payload;
use serde::de::IgnoredAny;

use crate::engine;

/// Where payloads begin around that of `text` and its further ones that the engine refuses, or can only close.
pub(crate) fn broken(text: &[u8], taken: &Repaired<'_>, pipeline: &Pipeline) -> Vec<usize> {
    let mut known: Vec<_> = taken.further().iter().map(|further| further.span.clone()).collect();
    known.push(taken.payload());
    known.sort_by_key(|span| span.start);
    let mut start = 0;
    let mut gaps = Vec::new();
    for span in known {
        gaps.push(start..span.start);
        start = start.max(span.end);
    }
    gaps.push(start..text.len());
    let in_gap = |gap: Range<usize>| Some(gap.start + broken_in(text.get(gap.clone())?, pipeline)?);
    gaps.into_iter().filter_map(in_gap).collect()
}

/// Where a broken payload begins in a gap between payloads.
fn broken_in(gap: &[u8], pipeline: &Pipeline) -> Option<usize> {
    let of_root = broken_of_root(gap, pipeline);
    let of_other = broken_of_other(gap, pipeline.root());
    of_root.into_iter().chain(of_other).min()
}

/// The same for a value of another root, which begins its line: whole ones are known, or are not alone on their lines.
fn broken_of_other(gap: &[u8], root: Root) -> Option<usize> {
    let is_wanted = |&(pos, byte): &(usize, &u8)| {
        matches!(byte, b'{' | b'[') && !root.opens(*byte) && begins_payload(gap, pos) && begins_line(gap, pos)
    };
    let (start, _) = gap.iter().enumerate().find(is_wanted)?;
    let value = serde_json::Deserializer::from_slice(gap.get(start..)?).into_iter::<IgnoredAny>().next();
    matches!(value, Some(Err(_))).then_some(start)
}

/// The same for a value of the root that is wanted.
fn broken_of_root(gap: &[u8], pipeline: &Pipeline) -> Option<usize> {
    let root = pipeline.root();
    let is_wanted = |&(pos, byte): &(usize, &u8)| root.opens(*byte) && begins_payload(gap, pos);
    let (start, _) = gap.iter().enumerate().find(is_wanted)?;
    // A finish reason speaks of the whole text.
    let is_broken = match engine::repair(pipeline, gap.get(start..)?, None) {
        // Whole ones are known, or are not a payload where they are.
        Ok(repaired) => repaired.is_truncated(),
        Err(error) => !matches!(
            error.reason(),
            Reason::NoJsonObjectFound
                | Reason::TopLevelArrayNotAllowed
                | Reason::TopLevelObjectNotAllowed
                | Reason::TopLevelScalarNotAllowed
        ),
    };
    is_broken.then_some(start)
}
