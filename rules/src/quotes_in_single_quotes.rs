//! `quotes-in-single-quotes`: strings in apostrophes that hold double quotes or escapes.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::{program, quoted, strings};

rule! {
    /// Turns the apostrophes around a string that holds double quotes or escapes into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and ends at the next `'` that is not escaped. Both become `"`; each `"` inside is escaped, and `\'` becomes `'`.
    ///
    /// # Why
    /// Python prints a string that holds double quotes this way, and models write JSON inside a string this way to avoid backslashes.
    /// JSON5, JavaScript and Python read it alike.
    ///
    /// # Example
    /// `{"a": '["x", "y"]'}` becomes `{"a": "[\"x\", \"y\"]"}`.
    ///
    /// # Limits
    /// Its escapes must be those of JSON or `\'`, without `\/` and surrogates, on which Python and JavaScript differ.
    /// What follows must fit the grammar. A tab in it becomes an escape; one over lines is `raw-control-character`.
    /// An unescaped apostrophe inside is `unescaped-apostrophe`.
    pub struct QuotesInSingleQuotes {
        name: "quotes-in-single-quotes",
        risk: Certain,
        answers: [Value, Key],
        next: ["'"],
        reaches: [Fault],
    }
}

impl RepairRule for QuotesInSingleQuotes {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.ahead().starts_with("'''") || program::pieces_together(fault, '\'') {
            return None;
        }
        let content = strings::with_escapes(fault, &['\''])?;
        let text = fault.ahead().slice_to(content.end);
        let is_on_line = !text.contains(['\n', '\r']);
        (is_on_line && !has_disputed_escape(text)).then(|| quoted::requote(fault, content, 1))
    }
}

/// Whether `text` holds `\/`, where Python keeps the backslash, or the escape of a surrogate, which Python joins to no pair.
fn has_disputed_escape(text: &str) -> bool {
    let mut bytes = text.as_bytes();
    while let [byte, rest @ ..] = bytes {
        bytes = rest;
        if *byte != b'\\' {
            continue;
        }
        match rest {
            [b'/', ..] | [b'u', b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..] => return true,
            [_, rest @ ..] => bytes = rest,
            [] => {}
        }
    }
    false
}

#[cfg(test)]
jsonseam_testkit::laws!(QuotesInSingleQuotes);
