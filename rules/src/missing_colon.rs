//! `missing-colon`: a key and its value with nothing between them.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Inserts the colon between a key and its value.
    ///
    /// # What
    /// A value follows a key, and then a comma and a whole member, or the end of the object.
    /// A colon is inserted right at the key's end.
    ///
    /// # Why
    /// Models drop colons as they drop commas.
    ///
    /// # Example
    /// `{"a" 1, "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Two strings must be separated by a blank: `"a""b"` may be one string with a doubled quote.
    /// What follows the value must be unambiguous: in a row of strings, keys cannot be told from values.
    pub struct MissingColon {
        name: "missing-colon",
        risk: Likely,
        answers: [Colon],
        next: ["{[\"'`+-", Letter, Digit, NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for MissingColon {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_parted = fault.gap_len() > 0 || fault.next_char() != Some('"');
        // `"name:" "x"`: the colon may be inside the quotes.
        let end = fault.token(0).map_or("", |key| fault.at(key.span.end).before(8));
        let name = end.trim_end_matches(['"', ' ']).strip_suffix(':');
        let has_colon = name.is_some_and(|name| name.ends_with(char::is_alphanumeric));
        let is_value = is_parted && !has_colon && fault.ahead().has_last_value_of_member();
        if is_value { fault.insert_after_previous(":") } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingColon);
