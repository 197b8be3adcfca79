//! Every short text there is: every law holds, and the recogniser agrees with `RawValue`.

use anyhow::Result;
use jsonseam::Root;
use jsonseam_testkit::exhaustive::{Exhaustive, SYMBOLS};
use jsonseam_testkit::fuzzing::agrees;
use jsonseam_testkit::laws::check_all;

use super::{Figures, on_all_cores};
use crate::subjects;

/// Symbols in the longest text.
const LONGEST: u32 = 6;
const QUICK_LONGEST: u32 = 5;

const fn longest(is_quick: bool) -> u32 {
    if is_quick { QUICK_LONGEST } else { LONGEST }
}

/// Puts every text to every law, under every preset, with any root and with an object as the root.
pub(super) fn laws(is_quick: bool) -> Result<Figures> {
    let mut subjects = Vec::new();
    for root in [Root::Any, Root::Object] {
        for (name, pipeline) in subjects::presets(root)? {
            subjects.push((format!("{name}, root {root}"), pipeline));
        }
    }
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        let mut texts = Exhaustive::shard(longest(is_quick), index, parts);
        while let Some(text) = texts.advance() {
            figures.texts += 1;
            for (name, pipeline) in &subjects {
                if let Err(violation) = check_all(pipeline, text) {
                    figures.complain(|| format!("{name}: {violation}"));
                }
            }
        }
        figures
    });
    figures.counted =
        format!("up to {} of {} symbols, {} presets and roots", longest(is_quick), SYMBOLS.len(), subjects.len());
    Ok(figures)
}

/// Compares the recogniser, without any rule, with `RawValue`.
pub(super) fn recogniser(is_quick: bool) -> Result<Figures> {
    let subject = subjects::recogniser()?;
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        let mut texts = Exhaustive::shard(longest(is_quick), index, parts);
        while let Some(text) = texts.advance() {
            figures.texts += 1;
            if let Err(seen) = agrees(&subject, text) {
                figures.complain(|| format!("{seen} on {text:?}"));
            }
        }
        figures
    });
    figures.counted = format!("up to {} of {} symbols", longest(is_quick), SYMBOLS.len());
    Ok(figures)
}
