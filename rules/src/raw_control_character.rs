//! `raw-control-character`: line feeds, tabs and their kin in a string.

use jsonseam_core::{Edits, Fault, RepairRule, StringProblem, rule};

rule! {
    /// Escapes control characters that stand raw in a string.
    ///
    /// # What
    /// A string holds characters below U+0020. Each becomes its escape: `\n`, `\r`, `\t`, `\b`, `\f`, else `\u00XX`. A run of them is one edit.
    ///
    /// # Why
    /// It is the most frequent defect of model output after wrappers: a text with paragraphs is written as it should look, not as JSON spells it.
    ///
    /// # Example
    /// `{"a": "one⏎two"}` becomes `{"a": "one\ntwo"}` (⏎ is a newline).
    ///
    /// # Limits
    /// The characters survive, only their spelling changes. If the string was in truth not closed before the newline, what follows will not fit and the payload is refused.
    pub struct RawControlCharacter {
        name: "raw-control-character",
        risk: Likely,
        answers: [String],
        cases: "raw_control_character.toml",
    }
}

impl RepairRule for RawControlCharacter {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.string()?.problem != StringProblem::ControlCharacter {
            return None;
        }
        Some(fault.escape_ahead())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RawControlCharacter);
