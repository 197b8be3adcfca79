//! `unclosed-inner-container`: closers that are missing before the next member or element.

use jsonseam_core::{BracketDefect, Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Inserts closers that are missing in the middle.
    ///
    /// # What
    /// A key stands in an array, an object follows where a key is due, or the closer ahead belongs to a container further out. With the missing closers, at most four in a row, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply forget to close the inner list before they go on with the next member.
    ///
    /// # Example
    /// `{"a": [1, 2, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to mend the bracket: only if one works is it taken.
    /// If two nestings read equally well, declared keys and then the indentation decide, or nothing is done.
    /// A closer whose absence leaves no fault in the middle shows only at the end of the text, and cannot be placed.
    pub struct UnclosedInnerContainer {
        name: "unclosed-inner-container",
        risk: Guess,
        answers: [Comma, Key],
        cases: "unclosed_inner_container.toml",
    }
}

impl RepairRule for UnclosedInnerContainer {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let BracketDefect::MissingClosers { count, at, comma } = fault.bracket_defect()? else { return None };
        let mut text = fault.closers().get(..*count)?.to_owned();
        text.push_str(if *comma { "," } else { "" });
        Some(Edit::insert(*at, text).into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedInnerContainer);
