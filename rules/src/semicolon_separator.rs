//! `semicolon-separator`: a semicolon where a comma is due.

use jsonseam_core::{Container, Edits, Fault, RepairRule, rule};

rule! {
    /// Reads a semicolon between members or elements as a comma, and drops one at the end of a container.
    ///
    /// # What
    /// A comma or a closer is due, and a semicolon stands there.
    /// If a whole member or element follows, it becomes a comma; if the closer follows, it is removed.
    ///
    /// # Why
    /// Models mix JSON with languages that end each line with a semicolon.
    ///
    /// # Example
    /// `{"a": 1; "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Only between tokens, and only if what follows reads well.
    /// Never in an array with a comma beside one of the elements: there a semicolon parts rows.
    /// Behind the root a semicolon is no part of the payload.
    pub struct SemicolonSeparator {
        name: "semicolon-separator",
        risk: Likely,
        answers: [Comma],
        cases: "semicolon_separator.toml",
    }
}

impl RepairRule for SemicolonSeparator {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !fault.ahead_is(";") {
            return None;
        }
        if fault.closes_after(1) {
            return Some(fault.blank_ahead(1));
        }
        // `[1, 2; 3, 4]` are two rows.
        if fault.container() == Some(Container::Array) && fault.has_comma_beside(1) {
            return None;
        }
        fault.goes_on_after(1).then(|| fault.replace_ahead(1, ","))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SemicolonSeparator);
