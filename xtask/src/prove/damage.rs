//! The preset `strict` on its own defects, with awkward strings around them: right, or refused, never silently wrong.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use jsonseam::Root;
use jsonseam_testkit::damage::{Defect, compact, damage_many};

use super::{Figures, on_all_cores, share};
use crate::subjects;

const DOCUMENTS: u64 = 10_000;

/// The least share that must be right, in thousandths.
const LEAST_RIGHT: u64 = 995;

/// Runs the campaign. It is quick as it is.
pub(super) fn run(_: bool) -> Result<Figures> {
    let pipeline = subjects::preset("strict", Root::Object)?;
    let refusals: Mutex<Vec<String>> = Mutex::default();
    let wrong = AtomicU64::new(0);
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        let count = usize::try_from(share(DOCUMENTS, index, parts)).unwrap_or(usize::MAX);
        for damaged in damage_many(0x00da_4a6e + index, &Defect::STRICT, count) {
            figures.texts += 1;
            match pipeline.repair(&damaged.text) {
                Ok(repaired) if compact(repaired.text()) == compact(&damaged.truth) => {}
                Ok(repaired) => {
                    wrong.fetch_add(1, Ordering::Relaxed);
                    figures.complain(|| {
                        format!(
                            "wrong, {:?}: {:?} became {:?}, not {:?}",
                            damaged.defects,
                            damaged.text,
                            repaired.text(),
                            damaged.truth
                        )
                    });
                }
                Err(error) => {
                    if let Ok(mut refusals) = refusals.lock() {
                        refusals.push(format!("refused, {:?}: {error}: {:?}", damaged.defects, damaged.text));
                    }
                }
            }
        }
        figures
    });
    let refusals = refusals.into_inner().unwrap_or_default();
    let wrong = wrong.into_inner();
    let right = figures.texts - wrong - refusals.len() as u64;
    for refusal in refusals.iter().take(3) {
        println!("  {refusal}");
    }
    if right * 1_000 < figures.texts * LEAST_RIGHT {
        figures.complaints.push(format!(
            "{right} of {} are right; at least {}.{} % are wanted",
            figures.texts,
            LEAST_RIGHT / 10,
            LEAST_RIGHT % 10
        ));
    }
    figures.counted = format!("right {right}, refused {}, wrong {wrong}", refusals.len());
    Ok(figures)
}
