//! `unescaped-apostrophe`: strings in apostrophes with apostrophes inside.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};
use crate::shared::quoted;

rule! {
    /// Turns the apostrophes around a string that holds more of them into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and holds apostrophes that nothing hides. The string ends where what follows fits the grammar
    /// and the text reads on to the end. The two around it become `"`, those inside stay.
    ///
    /// # Why
    /// `it's` in a string in apostrophes is what a model writes that never ran its Python.
    ///
    /// # Example
    /// `{'a': 'it's ok'}` becomes `{"a": "it's ok"}`, the key by `single-quoted-string`.
    ///
    /// # Limits
    /// An apostrophe between two letters is never an end; of the others, pairs belong to the text, and one too many only in an object where nothing else is wrong.
    /// Its escapes must be those of JSON or `\'`, and it lies on one line.
    pub struct UnescapedApostrophe {
        name: "unescaped-apostrophe",
        risk: Guess,
        answers: [Value, Key],
        cases: "unescaped_apostrophe.toml",
    }
}

impl RepairRule for UnescapedApostrophe {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if !fault.ahead().starts_with("'") || fault.ahead().starts_with("\'\'\'") {
            return;
        }
        let Some(string) = ends::at_fault(fault, '\'') else { return };
        for end in ends::of(fault, string).iter().filter(|end| end.ending == Ending::Mark).take(MOST) {
            let content = string.start..end.pos;
            let is_on_line = !fault.at(string.start).slice_to(end.pos).contains('\n');
            if is_on_line && quoted::has_known_escapes(fault.at(content.start).slice_to(content.end), '\'') {
                end.charge_to(to.offer(quoted::requote(fault, content, 1)), fault);
            }
        }
    }
}

/// How many ends are put up.
const MOST: usize = 4;

#[cfg(test)]
jsonseam_testkit::laws!(UnescapedApostrophe);
