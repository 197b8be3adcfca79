//! `raw-control-character`: line feeds, tabs and other control characters in a string.

use jsonseam_core::{Edits, Expected, Fault, Proposals, RepairRule, StringProblem, rule};

use crate::shared::{escapes, program, quoted, strings};

rule! {
    /// Escapes raw control characters in a string.
    ///
    /// # What
    /// A string holds characters below U+0020. Each becomes its escape: `\n`, `\r`, `\t`, `\b`, `\f`, else `\u00XX`. A run of them is one edit.
    /// A value in apostrophes that spans lines gets quotes of JSON with it.
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
        answers: [String, Value],
        next: [Control, "'"],
        reaches: [Fault],
    }
}

impl RepairRule for RawControlCharacter {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.next_char() == Some('\'') {
            if let Some(edits) = over_lines(fault) {
                to.offer(edits);
            }
            return;
        }
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

/// A value in apostrophes that spans lines, with the quotes of JSON.
fn over_lines(fault: &Fault<'_>) -> Option<Edits> {
    // Most texts deny it here: searches are remembered.
    fault.ahead().find("\n")?;
    let is_other = fault.ahead().starts_with("'''") || program::pieces_together(fault, '\'');
    let content = strings::with_escapes(fault, &['\'']).filter(|_| fault.expected() == Expected::Value && !is_other)?;
    let spans_lines = fault.at(content.start).slice_to(content.end).contains('\n');
    spans_lines.then(|| quoted::requote(fault, content, 1))
}

#[cfg(test)]
jsonseam_testkit::laws!(RawControlCharacter);
