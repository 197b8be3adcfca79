//! `raw-control-character`: line feeds, tabs and their kin in a string.

use std::fmt::Write;

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
        let len = fault.run_len(|char| char < ' ');
        Some(fault.replace_ahead(len, escaped(fault.text_ahead(len))))
    }
}

fn escaped(controls: &str) -> String {
    controls.chars().fold(String::new(), |mut text, control| {
        match control {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{C}' => text.push_str("\\f"),
            _ => {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "\\u{:04x}", control as u32);
            }
        }
        text
    })
}

#[cfg(test)]
jsonseam_testkit::laws!(RawControlCharacter);
