//! `unquoted-word-key`: keys of one word that is not an identifier.

use jsonseam_core::{Container, Edits, Fault, RepairRule, rule};

use crate::shared::layout;

rule! {
    /// Puts quotes around a key of one word that is not an identifier.
    ///
    /// # What
    /// A key is expected, and there are one word of letters, digits, hyphens, dots, `_` and `$`, at least one of them a letter, and a colon;
    /// or any such word, and an equals sign with a whole value.
    ///
    /// # Why
    /// Models leave out the quotes of names such as `content-type` or `user.name` too, though no language reads them, and write `name = 1` as TOML does.
    ///
    /// # Example
    /// `{content-type: "x", 2nd: 1}` becomes `{"content-type": "x", "2nd": 1}`.
    ///
    /// # Limits
    /// The word neither begins nor ends with a hyphen or a dot. Identifiers are `unquoted-key`, numbers `number-key`, several words `spaced-key`.
    pub struct UnquotedWordKey {
        name: "unquoted-word-key",
        risk: Likely,
        answers: [Key],
        next: ["_$+", Letter, Digit, NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for UnquotedWordKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let word = fault.ahead().word();
        let is_name = word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.'));
        let is_word = is_name
            && !layout::is_label(fault)
            && word.contains(char::is_alphabetic)
            && !word.starts_with(['-', '.'])
            && !word.ends_with(['-', '.']);
        let is_identifier = || fault.ahead().identifier().is_some_and(|name| name.len() == word.len());
        let has_sign = || {
            let mut sign = fault.ahead().after(word.len()).skip_space_and_comments();
            if sign.eat("=") {
                return sign.skip_space_and_comments().has_value_of(Container::Object);
            }
            matches!(sign.peek(), Some(':' | '：')) && !is_identifier()
        };
        let is_key = is_word && has_sign() && layout::is_not_prose(fault);
        is_key.then(|| fault.quote_ahead(word.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedWordKey);
