//! `unescaped-apostrophe`: strings in apostrophes with apostrophes inside.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::{ends, program, quoted};

rule! {
    /// Turns the apostrophes around a string that holds further apostrophes into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and holds unescaped apostrophes. The string ends where what follows fits the grammar
    /// and the rest of the text is readable to the end. The two around it become `"`, those inside stay.
    ///
    /// # Why
    /// Models write Python strings without running them, and forget that an apostrophe inside must be escaped.
    ///
    /// # Example
    /// `{'a': 'it's ok'}` becomes `{"a": "it's ok"}`, the key by `single-quoted-string`.
    ///
    /// # Limits
    /// An apostrophe between two letters never ends the string.
    /// Of the others, pairs belong to the text, and a single one only in an object where nothing else is wrong.
    /// Its escapes must be those of JSON or `\'`, and it must be on one line.
    pub struct UnescapedApostrophe {
        name: "unescaped-apostrophe",
        risk: Guess,
        answers: [Value, Key],
    }
}

impl RepairRule for UnescapedApostrophe {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if !fault.ahead().starts_with("'")
            || fault.ahead().starts_with("\'\'\'")
            || program::pieces_together(fault, '\'')
        {
            return;
        }
        let Some(string) = ends::at_fault(fault, '\'') else { return };
        ends::offer_at_marks(fault, string, to, &|end| {
            let content = string.start..end.pos;
            // A mark after another one and a comma, at which the text breaks off, opens the next key.
            let text = fault.at(string.start).slice_to(end.pos).trim_end();
            let is_next = text.strip_suffix(',').is_some_and(|text| text.trim_end().ends_with('\''));
            if is_next && fault.at(end.after).skip_json_space().peek().is_none() {
                return None;
            }
            let is_on_line = !fault.at(string.start).slice_to(end.pos).contains('\n');
            let is_known = is_on_line && quoted::has_known_escapes(fault.at(content.start).slice_to(content.end), '\'');
            is_known.then(|| quoted::requote(fault, content, 1))
        });
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnescapedApostrophe);
