//! `spaced-key`: keys of several words.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::layout;

rule! {
    /// Puts quotes around a key of several words.
    ///
    /// # What
    /// A key is expected, and there are two to five words of letters, digits, hyphens and `_`, separated by single spaces, and then a colon, all on one line.
    ///
    /// # Why
    /// Models that write YAML or headings leave the quotes of such keys out.
    ///
    /// # Example
    /// `{first name: "x", "b": 1}` becomes `{"first name": "x", "b": 1}`.
    ///
    /// # Limits
    /// A guess at where the key begins. Never for the first key of a payload within a line of prose, and never if a
    /// contract declares the keys and this is not one of them.
    pub struct SpacedKey {
        name: "spaced-key",
        risk: Guess,
        answers: [Key],
        next: [Letter, Digit, NonAscii],
    }
}

impl RepairRule for SpacedKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.ahead().word();
        let goes_on = || matches!(fault.ahead().after(word.len()).peek(), Some(' ' | '\''));
        if !word.starts_with(char::is_alphanumeric) || !goes_on() || layout::is_label(fault) {
            return None;
        }
        let line = layout::line_to(fault.ahead(), ':')?;
        let name = line.trim_end_matches([' ', ':']);
        let is_address = fault.ahead().after(line.len()).starts_with("//");
        let words: Vec<&str> = name.split(' ').take(WORDS + 1).collect();
        let is_word = |word: &&str| {
            word.starts_with(char::is_alphanumeric)
                && word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '\''))
        };
        let is_name =
            (2..=WORDS).contains(&words.len()) && name.contains(char::is_alphabetic) && words.iter().all(is_word);
        // A colon that ends its line ends a heading.
        let mut after = fault.ahead().after(line.len());
        let is_heading =
            after.take_while(|char| char == ' ').len() < 3 && matches!(after.peek(), None | Some('\n' | '\r'));
        let is_key = is_name
            && !is_address
            && !is_heading
            && layout::is_not_prose(fault)
            && fault.declares_key(name) != Some(false);
        is_key.then(|| fault.quote_ahead(name.len()))
    }
}

/// How many words a key may have.
const WORDS: usize = 5;

#[cfg(test)]
jsonseam_testkit::laws!(SpacedKey);
