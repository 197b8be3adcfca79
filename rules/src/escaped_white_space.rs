//! `escaped-white-space`: newlines between tokens that are spelled as escapes.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::code_spans;

rule! {
    /// Removes escapes for white space between tokens.
    ///
    /// # What
    /// The fault is `\n`, `\r` or `\t`, spelled with a backslash, where a value, a key, a colon, a comma or a closer is expected.
    ///
    /// # Why
    /// A completion that went through `repr` or was written as a string once too often keeps its layout as escapes.
    ///
    /// # Example
    /// `{\n  "a": 1\n}` becomes `{  "a": 1}`.
    ///
    /// # Limits
    /// Inside strings these escapes are valid and stay. Other escapes between tokens are left alone, and so is one after a quote in a code span, where
    /// it is text of `quotes-in-code`.
    pub struct EscapedWhiteSpace {
        name: "escaped-white-space",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        next: ["\\"],
        reaches: [Fault],
    }
}

impl RepairRule for EscapedWhiteSpace {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        (fault.ahead().eat_escaped_blank() && !code_spans::may_split_string(fault)).then(|| fault.blank_ahead(2))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedWhiteSpace);
