//! Many defects in a valid document: what a repair costs where its reading stops often.

use super::Sample;
use super::document::orders_of;
use crate::damage::{Damaged, Defect, Site, damage_with};
use crate::random::Random;

/// Defects that models repeat, each within one token or beside it.
const REPEATED: [Defect; 8] = [
    Defect::TrailingComma,
    Defect::SingleQuotedString,
    Defect::SmartQuotedString,
    Defect::PythonLiteral,
    Defect::MissingCommaAfterScalar,
    Defect::UnquotedKey,
    Defect::Comment,
    Defect::InvalidEscape,
];

/// How often places are drawn before a document counts as too short.
const DRAWS: usize = 200;

/// A pretty document of about this many bytes with so many defects of eight kinds in turn, all over it; `None` if it has too few places for them.
///
/// ```
/// use jsonseam_testkit::workloads::with_defects;
///
/// assert!(with_defects(2_400, 40, 1).is_some_and(|sample| sample.text != sample.truth));
/// assert_eq!(with_defects(1, 4_000, 1), None);
/// ```
pub fn with_defects(bytes: usize, count: usize, seed: u64) -> Option<Sample> {
    let mut random = Random::new(seed);
    let document = orders_of(bytes, &mut random);
    let plan: Vec<_> = REPEATED.into_iter().cycle().take(count).map(|defect| (defect, Site::Any)).collect();
    let Damaged { text, truth, .. } = (0..DRAWS).find_map(|_| damage_with(&document, &plan, &mut random.fork()))?;
    Some(Sample { text, truth })
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::with_defects;

    #[test]
    fn a_document_of_any_size_holds_the_defects_and_its_truth_is_valid() {
        for (bytes, seed) in [(2_400, 1), (2_400, 2), (40_000, 1)] {
            let sample = with_defects(bytes, 40, seed).expect("it has room for them");
            assert_eq!(with_defects(bytes, 40, seed).as_ref(), Some(&sample), "the same for the same seed");
            assert!(serde_json::from_str::<&RawValue>(&sample.truth).is_ok(), "{}", sample.truth);
            assert!(serde_json::from_str::<&RawValue>(&sample.text).is_err(), "{}", sample.text);
            assert!((bytes..2 * bytes).contains(&sample.truth.len()), "{}", sample.truth.len());
        }
    }
}
