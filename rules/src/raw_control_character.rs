//! `raw-control-character`: line feeds, tabs and other control characters in a string.

use jsonseam_core::{Fault, Proposals, RepairRule, StringProblem, rule};

use crate::shared::{escapes, quoted};

rule! {
    /// Escapes raw control characters in a string.
    ///
    /// # What
    /// A string holds characters below U+0020. Each becomes its escape: `\n`, `\r`, `\t`, `\b`, `\f`, else `\u00XX`. A run of them is one edit.
    ///
    /// # Why
    /// After wrappers, this is the most frequent defect of model output: a text with paragraphs is written as it should look, not as JSON spells it.
    ///
    /// # Example
    /// `{"a": "one⏎two"}` becomes `{"a": "one\ntwo"}` (⏎ is a newline).
    ///
    /// # Limits
    /// The characters stay, only their spelling changes.
    /// If the string should have ended before the newline, what follows does not fit and the payload is refused. A comma at the end of a line ends no
    /// part of a key.
    pub struct RawControlCharacter {
        name: "raw-control-character",
        risk: Likely,
        answers: [String],
        next: [Control],
        reaches: [Fault],
        cases: "raw_control_character.toml",
    }
}

impl RepairRule for RawControlCharacter {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(string) = fault.string().filter(|string| string.problem == StringProblem::ControlCharacter) else {
            return;
        };
        // No key goes on after a comma at the end of its line.
        let is_of_key = || !string.is_key || !fault.ahead().before(1).ends_with(',');
        // The text may have ended at this line: another rule may offer that.
        if is_of_key() {
            let controls = fault.ahead().take_while(|char| char < ' ');
            to.offer(fault.replace_ahead(controls.len(), quoted::escaped(controls))).unless(escapes::has_doubtful);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RawControlCharacter);
