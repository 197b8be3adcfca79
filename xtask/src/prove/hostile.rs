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
                if let Err(violation) = linear(pipeline, family.name, &family.make, BYTES) {
                    // Every family is a finding of its own.
                    figures.complaints.push(format!("{name}: {violation}"));
                }
            }
        }
        figures
    });
    figures.counted = format!(
        "{} families, {} presets and roots, {} and {} KiB",
        families().len(),
        subjects.len(),
        BYTES >> 10,
        BYTES >> 9
    );
    Ok(figures)
}
