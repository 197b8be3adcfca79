//! `spaced-key`: keys of several words.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Puts quotes around a key of several words.
    ///
    /// # What
    /// A key is expected, and two to five words of letters, digits, hyphens and `_`, parted by single spaces, and a colon stand there on one line.
    ///
    /// # Why
    /// Models that write YAML or headings leave the quotes of such keys out.
    ///
    /// # Example
    /// `{first name: "x", "b": 1}` becomes `{"first name": "x", "b": 1}`.
    ///
    /// # Limits
    /// A guess at where the key begins. Never for the first key of a payload that stands within a line of prose, and never where a contract lists the keys and this is none.
    pub struct SpacedKey {
        name: "spaced-key",
        risk: Guess,
        answers: [Key],
        cases: "spaced_key.toml",
    }
}

impl RepairRule for SpacedKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let begins = fault.word().starts_with(char::is_alphanumeric);
        if !begins || !fault.text_ahead(fault.word().len() + 1).ends_with([' ', '\'']) {
            return None;
        }
        let line = fault.line_to(':')?;
        let name = line.trim_end_matches([' ', ':']);
        let is_address = fault.text_ahead(line.len() + 2).ends_with("//");
        let words: Vec<&str> = name.split(' ').take(WORDS + 1).collect();
        let is_word = |word: &&str| {
            word.starts_with(char::is_alphanumeric)
                && word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '\''))
        };
        let is_name =
            (2..=WORDS).contains(&words.len()) && name.contains(char::is_alphabetic) && words.iter().all(is_word);
        let is_key = is_name && !is_address && fault.is_clearly_data() && fault.declares_key(name) != Some(false);
        is_key.then(|| fault.quote_ahead(name.len()))
    }
}

/// How many words a key may have.
const WORDS: usize = 5;

#[cfg(test)]
jsonseam_testkit::laws!(SpacedKey);
