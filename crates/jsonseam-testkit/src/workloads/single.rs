//! One usual defect in a valid document, at its start, in its middle and at its end: what a text must not cost a multiple for.

use super::document::orders_of;
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
    /// The text without it, as long but for a few bytes.
    pub valid: String,
    /// What the text should become: `valid`, but where the defect is in what a string says.
    pub truth: String,
}

/// What is put in place of a part of the text: the defect, and what it stands for.
struct Change {
    at: usize,
    len: usize,
    broken: String,
    meant: String,
}

/// The change at the first place from an offset on.
type Inflict = fn(&str, usize) -> Option<Change>;

const PLACES: [&str; 3] = ["start", "middle", "end"];

/// Each defect that has a place in the text.
const DEFECTS: [(&str, Inflict); 6] = [
    ("missing-comma", |text, from| Change::of(find(text, from, "\",\n")? + 1, ",", "", ",")),
    ("trailing-comma", |text, from| Change::of(find(text, from, "\n    }")?, "", ",", "")),
    ("raw-newline", |text, from| Change::of(word_of_reply(text, from)?, " ", "\n", "\\n")),
    ("false-escape", |text, from| Change::of(word_of_reply(text, from)?, "", " isn\\'t", " isn't")),
    ("python-literal", |text, from| Change::of(find(text, from, "null")?, "null", "None", "null")),
    ("inner-quotes", |text, from| {
        let begin = word_of_reply(text, from)? + 1;
        let word = text.get(begin..find(text, begin, " ")?)?;
        Change::of(begin, word, &format!("\"{word}\""), &format!("\\\"{word}\\\""))
    }),
];

impl Change {
    #[expect(clippy::unnecessary_wraps, reason = "a place may not be there, and this is the last step to it")]
    fn of(at: usize, old: &str, broken: &str, meant: &str) -> Option<Self> {
        Some(Self { at, len: old.len(), broken: broken.to_owned(), meant: meant.to_owned() })
    }

    fn made(&self, valid: &str, new: &str) -> String {
        format!("{}{new}{}", &valid[..self.at], &valid[self.at + self.len..])
    }
}

/// Every single defect in a pretty document of about this many bytes.
///
/// ```
/// use jsonseam_testkit::workloads::singles;
///
/// assert!(singles(2_400, 1).iter().all(|single| single.text != single.valid));
/// ```
pub fn singles(bytes: usize, seed: u64) -> Vec<Single> {
    let valid = orders_of(bytes, &mut Random::new(seed)).text();
    let around = |defect, text, valid: &str| Single {
        defect,
        place: "",
        text,
        valid: valid.to_owned(),
        truth: valid.to_owned(),
    };
    let at = word_of_reply(&valid, 0).unwrap_or_default();
    let tagged = format!("{} <b>3</b>{}", &valid[..at], &valid[at..]);
    let mut all = vec![
        around("fence", format!("```json\n{valid}\n```"), &valid),
        around("fence-with-markup", format!("```json\n{tagged}\n```"), &tagged),
        around("prose", format!("Here is what you asked for:\n\n{valid}\n\nLet me know if you need more."), &valid),
        around("last-brace", valid.trim_end_matches('}').to_owned(), &valid),
    ];
    for (defect, inflict) in DEFECTS {
        for (place, from) in PLACES.into_iter().zip([0, valid.len() / 2, valid.len().saturating_sub(1_000)]) {
            if let Some(change) = inflict(&valid, from) {
                let (text, truth) = (change.made(&valid, &change.broken), change.made(&valid, &change.meant));
                all.push(Single { defect, place, text, valid: valid.clone(), truth });
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
                assert!(is_valid(&single.truth), "{}", single.truth);
                assert!(!is_valid(&single.text), "{} {}: {}", single.defect, single.place, single.text);
                assert!((bytes..2 * bytes).contains(&single.valid.len()), "{}", single.valid.len());
            }
        }
    }
}
