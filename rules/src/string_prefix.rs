//! `string-prefix`: the prefix of a Python string.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes the letters that Python allows before a string.
    ///
    /// # What
    /// Right before the quote of a key or value there is `u`, `b`, `r` or `f`, or two of them, in either case. They are removed.
    ///
    /// # Why
    /// `repr` of Python 2 wrote `u'…'`, dumps of bytes hold `b'…'`, and models that have read both write them.
    ///
    /// # Example
    /// `{"a": u"x"}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// `r` and `b` only before a string without a backslash, `f` only before one without a brace: there the letters change what the text means.
    /// A string in apostrophes is left to the rules for those.
    pub struct StringPrefix {
        name: "string-prefix",
        risk: Likely,
        answers: [Value, Key],
        next: ["uUbBrRfF"],
        reaches: [Fault],
    }
}

const PREFIXES: [&str; 8] = ["u", "b", "r", "f", "rb", "br", "rf", "fr"];

impl RepairRule for StringPrefix {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let prefix = fault.ahead().word();
        if prefix.len() > 2 || !PREFIXES.contains(&prefix.to_ascii_lowercase().as_str()) {
            return None;
        }
        let content = fault.ahead().after(prefix.len()).quoted_content()?;
        let has_letter = |letter: char| prefix.contains([letter, letter.to_ascii_uppercase()]);
        // `b", "c": 1` is rather a value that lost its opening quote.
        let is_plain = !content.trim_start().starts_with([',', ':', '}', ']'])
            && (!has_letter('r') && !has_letter('b') || !content.contains('\\'))
            && (!has_letter('f') || !content.contains(['{', '}']));
        is_plain.then(|| fault.blank_ahead(prefix.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(StringPrefix);
