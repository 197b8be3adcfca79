//! `cut-member`: what the end cuts is dropped.

use jsonseam_core::{Edit, Edits, Expected, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Drops the member or element that the end of the text cuts.
    ///
    /// # What
    /// The completion ends inside a key, behind one, behind its colon, or inside a number or a word. What stands there of the member or element is removed, with the comma before it.
    /// The report says `truncated`.
    ///
    /// # Why
    /// A model that runs out of tokens stops anywhere; half a word is no value, and half a key no key.
    ///
    /// # Example
    /// `{"a": 1, "b": tr` becomes `{"a": 1}`, together with `unclosed-container`.
    ///
    /// # Limits
    /// Nothing is ever completed: `tr` is not read as `true`, nor `1.` as a number.
    /// A string value is closed by `unclosed-string`, and a number that could be whole is kept.
    /// With `null = true`, a member whose key is whole keeps it, with `null` for the value.
    /// Only where the completion ends.
    pub struct CutMember {
        name: "cut-member",
        risk: Lossy,
        answers: [Value, Key, Colon, String],
        cases: "cut_member.toml",
        options: {
            /// Whether a member whose key is whole is kept, with `null` for its value.
            null: bool = false,
        },
    }
}

impl RepairRule for CutMember {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let tail = fault.cut_tail()?;
        let end = tail.end;
        match fault.expected() {
            Expected::Value if self.null && fault.previous_is(TokenKind::Colon) => {
                Some(Edit::replace(fault.pos()..end, "null").into())
            }
            Expected::Colon if self.null => Some(Edit::replace(fault.pos()..end, ": null").into()),
            _ => Some(Edit::remove(tail).into()),
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(CutMember);
