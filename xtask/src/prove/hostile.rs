//! The counted work grows linearly on every hostile family, under every preset.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use jsonseam::Root;
use jsonseam_testkit::hostile::families;
use jsonseam_testkit::laws::linear;

use super::{Figures, on_all_cores};
use crate::subjects;

/// The smaller size, in bytes; the larger is twice that.
const BYTES: usize = 16 << 10;

/// Known gaps: subjects and families that cost up to a tenth more than the bound, so that longer texts of them are refused with `limit_exceeded`.
/// Among short values each fault is put to all the rules for values.
/// One that is within the bound again fails here, and goes.
const KNOWN_GAPS: [(&str, &str); 0] = [];

/// Runs the campaign. It is quick as it is.
pub(super) fn run(_: bool) -> Result<Figures> {
    let mut subjects = Vec::new();
    for root in [Root::Object, Root::Any] {
        for (name, pipeline) in subjects::presets(root)? {
            subjects.push((format!("{name}, root {root}"), pipeline));
        }
    }
    let next = AtomicUsize::new(0);
    let mut figures = on_all_cores(|_, _| {
        let mut figures = Figures::default();
        while let Some(family) = families().get(next.fetch_add(1, Ordering::Relaxed)) {
            for (name, pipeline) in &subjects {
                figures.texts += 2;
                let is_known = KNOWN_GAPS.contains(&(name.as_str(), family.name));
                match linear(pipeline, family.name, &family.make, BYTES) {
                    // Every family is a finding of its own.
                    Err(violation) if !is_known => figures.complaints.push(format!("{name}: {violation}")),
                    Ok(()) if is_known => {
                        figures.complain(|| format!("{name}: {} is within the bound and no known gap", family.name));
                    }
                    _ => {}
                }
            }
        }
        figures
    });
    figures.counted = format!(
        "{} families, {} known gaps, {} presets and roots, {} and {} KiB",
        families().len(),
        KNOWN_GAPS.len(),
        subjects.len(),
        BYTES >> 10,
        BYTES >> 9
    );
    Ok(figures)
}
