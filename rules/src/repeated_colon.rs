//! `repeated-colon`: two colons in place of one.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Removes a colon directly after another one.
    ///
    /// # What
    /// A value is expected after a colon, and there is another colon, and then a well-formed value.
    /// The second colon is removed.
    ///
    /// # Why
    /// Models write `::` as in Rust or C++, or type the colon twice.
    ///
    /// # Example
    /// `{"a":: 1}` becomes `{"a": 1}`.
    ///
    /// # Limits
    /// A value must follow, and the object must continue after it. More than three colons in a row are left alone.
    pub struct RepeatedColon {
        name: "repeated-colon",
        risk: Likely,
        answers: [Value],
        next: [":"],
        previous: [Colon],
        reaches: [Fault],
    }
}

impl RepairRule for RepeatedColon {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let len = fault.ahead().take_while(|char| char == ':').len();
        (len <= 2 && members::value_follows(fault, len)).then(|| fault.blank_ahead(len))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RepeatedColon);
