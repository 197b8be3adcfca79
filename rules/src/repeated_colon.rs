//! `repeated-colon`: two colons where one is due.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Removes a colon right behind another one.
    ///
    /// # What
    /// A value is due after a colon, another colon stands there, and a value that ends well behind it.
    /// The second colon is removed.
    ///
    /// # Why
    /// Models write `::` as in Rust or C++, or type the colon twice.
    ///
    /// # Example
    /// `{"a":: 1}` becomes `{"a": 1}`.
    ///
    /// # Limits
    /// A value must follow and the object go on behind it. More than three colons in a row are left alone.
    pub struct RepeatedColon {
        name: "repeated-colon",
        risk: Likely,
        answers: [Value],
        cases: "repeated_colon.toml",
    }
}

impl RepairRule for RepeatedColon {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let len = fault.run_len(|char| char == ':');
        let is_repeated = fault.previous_is(TokenKind::Colon) && (1..=2).contains(&len);
        (is_repeated && fault.value_follows(len)).then(|| fault.blank_ahead(len))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RepeatedColon);
