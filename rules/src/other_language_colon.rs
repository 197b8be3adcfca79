//! `other-language-colon`: the key sign of another language in place of a colon.

use jsonseam_core::{Edits, Expected, Fault, RepairRule, TokenKind, rule};

use crate::shared::members;

rule! {
    /// Reads `=`, `=>`, `:=` and `->` after a key as a colon.
    ///
    /// # What
    /// A key is followed by the sign that another language uses there, and then by a well-formed value.
    /// The sign becomes a colon; of `:=`, the equals sign is removed.
    ///
    /// # Why
    /// Models trained on Python calls, Ruby, PHP, Go and Lua write the signs of those languages.
    ///
    /// # Example
    /// `{"a" => 1, "b" = 2}` becomes `{"a" : 1, "b" : 2}`.
    ///
    /// # Limits
    /// The key must be quoted, and a value must follow, after which the object continues: `==` is a comparison and left alone.
    pub struct OtherLanguageColon {
        name: "other-language-colon",
        risk: Likely,
        answers: [Colon, Value],
        next: ["=-"],
        reaches: [Fault],
    }
}

impl RepairRule for OtherLanguageColon {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_after_colon = fault.previous_is(TokenKind::Colon);
        let sign = ["=>", "->", "="].into_iter().find(|sign| fault.ahead().starts_with(sign))?;
        if (is_after_colon && sign != "=")
            || fault.ahead().starts_with("==")
            || !members::value_follows(fault, sign.len())
        {
            return None;
        }
        match fault.expected() {
            Expected::Colon => Some(fault.replace_ahead(sign.len(), ":")),
            _ => is_after_colon.then(|| fault.blank_ahead(sign.len())),
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(OtherLanguageColon);
