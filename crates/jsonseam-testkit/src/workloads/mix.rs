//! The mix of completions that users have: most of those that fail need nothing but to be found.

use super::Sample;
use super::document::orders;
use crate::damage::{Damaged, Defect, Site, damage_with};
use crate::random::Random;

/// Of a thousand completions that `json.loads` refuses, how many have which defect and nothing else. Fence and prose are 760, raw line breaks 125 and
/// false escapes 84: the shares of the larger of the populations that `realworld` was drawn from. The rest are inner quotes and cuts.
const SHARES: [(Defect, usize); 6] = [
    (Defect::MarkdownFence, 500),
    (Defect::SurroundingProse, 260),
    (Defect::RawControlCharacter, 125),
    (Defect::InvalidEscape, 84),
    (Defect::UnescapedQuote, 16),
    (Defect::UnclosedContainer, 15),
];

/// A pretty document of 1 to 4 KB with one defect. One in four has markup in a string.
pub(super) fn completion(random: &mut Random) -> Sample {
    loop {
        let mut document = orders(random.between(1, 4), random);
        if random.chance(1, 4)
            && let Some(reply) = document.tokens.iter_mut().filter(|token| token.text.ends_with(".\"")).last()
        {
            reply.text = format!("\"<b>Note</b>: {}", &reply.text[1..]);
        }
        if let Some(Damaged { text, truth, .. }) = damage_with(&document, &[(defect(random), Site::Any)], random) {
            return Sample { text, truth };
        }
    }
}

fn defect(random: &mut Random) -> Defect {
    let mut left = random.below(1_000);
    for (defect, share) in SHARES {
        if left < share {
            return defect;
        }
        left -= share;
    }
    Defect::MarkdownFence
}
