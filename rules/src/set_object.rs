//! `set-object`: braces around values.

use jsonseam_core::{Container, Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Reads a set in braces as an array.
    ///
    /// # What
    /// Between `{` and `}` stand at least two values, parted by commas, and no colon. The braces become brackets.
    ///
    /// # Why
    /// Python writes its sets so, and small models write lists of words so.
    ///
    /// # Example
    /// `{"a": {"x", "y"}}` becomes `{"a": ["x", "y"]}`.
    ///
    /// # Limits
    /// The order of a set means nothing; that of the text is kept.
    /// A set that is all there is must have its lines to itself: `{1, 2}` in a sentence is prose.
    /// A single value in braces is left alone: it may be a key that lost its value. So is an object of which only some members lack a colon.
    pub struct SetObject {
        name: "set-object",
        risk: Guess,
        answers: [Key, Colon, Comma],
        cases: "set_object.toml",
    }
}

impl RepairRule for SetObject {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let closes_set = fault.container() == Some(Container::Array) && fault.opener() == Some('{');
        if closes_set && fault.ahead_is("}") {
            return Some(fault.replace_ahead(1, "]"));
        }
        let brace = fault.set_start()?;
        // Braces around words of prose are no data: a set that is the whole payload has its lines to itself.
        let is_data = fault.depth() > 1 || fault.payload_fills_its_lines('}');
        is_data.then(|| Edit::replace(brace.span, "[").into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SetObject);
