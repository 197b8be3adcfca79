//! One usual defect in a valid document, at its start, in its middle and at its end: what a text must not cost a multiple for.

use super::document::orders;
use crate::random::Random;

/// A text that differs from a valid one by one defect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Single {
    /// The defect, in kebab-case.
    pub defect: &'static str,
    /// Where it is: `start`, `middle` or `end`; nothing where it is around the text.
    pub place: &'static str,
    /// The text with the defect.
    pub text: String,
    /// The text without it.
    pub valid: String,
}

/// Puts a defect in the text, at the first place from an offset on.
type Inflict = fn(&mut String, usize) -> Option<()>;

const PLACES: [&str; 3] = ["start", "middle", "end"];

/// Each defect that has a place in the text.
const DEFECTS: [(&str, Inflict); 6] = [
    ("missing-comma", |text, from| replace(text, find(text, from, "\",\n")? + 1, 1, "")),
    ("trailing-comma", |text, from| replace(text, find(text, from, "\n    }")?, 0, ",")),
    ("raw-newline", |text, from| replace(text, word_of_reply(text, from)?, 1, "\n")),
    ("false-escape", |text, from| replace(text, word_of_reply(text, from)?, 0, " isn\\'t")),
    ("python-literal", |text, from| replace(text, find(text, from, "null")?, 4, "None")),
    ("inner-quotes", |text, from| {
        let begin = word_of_reply(text, from)? + 1;
        let end = find(text, begin, " ")?;
        replace(text, end, 0, "\"")?;
        replace(text, begin, 0, "\"")
    }),
];

/// Every single defect in a pretty document of about this many bytes.
///
/// ```
/// use jsonseam_testkit::workloads::singles;
///
/// assert!(singles(2_400, 1).iter().all(|single| single.text != single.valid));
/// ```
pub fn singles(bytes: usize, seed: u64) -> Vec<Single> {
    let mut random = Random::new(seed);
    let mut count = 1;
    let valid = loop {
        let text = orders(count, &mut random).text();
        if text.len() >= bytes || count > bytes {
            break text;
        }
        count = (count * bytes / text.len()).max(count + 1);
    };
    let around = |defect, text: String| Single { defect, place: "", text, valid: valid.clone() };
    let mut tagged = valid.clone();
    let is_tagged = word_of_reply(&tagged, 0).and_then(|at| replace(&mut tagged, at, 0, " <b>3</b>")).is_some();
    debug_assert!(is_tagged, "a reply has two words");
    let mut all = vec![
        around("fence", format!("```json\n{valid}\n```")),
        Single { valid: tagged.clone(), ..around("fence-with-markup", format!("```json\n{tagged}\n```")) },
        around("prose", format!("Here is what you asked for:\n\n{valid}\n\nLet me know if you need more.")),
        around("last-brace", valid.trim_end_matches('}').to_owned()),
    ];
    for (defect, inflict) in DEFECTS {
        for (place, from) in PLACES.into_iter().zip([0, valid.len() / 2, valid.len().saturating_sub(1_000)]) {
            let mut text = valid.clone();
            if inflict(&mut text, from).is_some() {
                all.push(Single { defect, place, text, valid: valid.clone() });
            }
        }
    }
    all
}

fn find(text: &str, from: usize, needle: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(needle)?)
}

/// The space after the first word of the next reply.
fn word_of_reply(text: &str, from: usize) -> Option<usize> {
    const KEY: &str = "\"reply\": \"";
    let reply = find(text, from, KEY)? + KEY.len();
    find(text, reply, " ")
}

fn replace(text: &mut String, at: usize, len: usize, by: &str) -> Option<()> {
    text.get(at..at + len)?;
    text.replace_range(at..at + len, by);
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{DEFECTS, PLACES, singles};

    #[test]
    fn every_defect_is_at_every_place_and_breaks_a_valid_text() {
        for bytes in [2_400, 40_000] {
            let all = singles(bytes, 1);
            assert_eq!(all.len(), 4 + DEFECTS.len() * PLACES.len());
            for single in all {
                let is_valid = |text: &str| serde_json::from_str::<&RawValue>(text).is_ok();
                assert!(is_valid(&single.valid), "{}", single.valid);
                assert!(!is_valid(&single.text), "{} {}: {}", single.defect, single.place, single.text);
                assert!((bytes..2 * bytes).contains(&single.valid.len()), "{}", single.valid.len());
            }
        }
    }
}
