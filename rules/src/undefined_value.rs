//! `undefined-value`: `undefined` and `nil`.

use jsonseam_core::{Edits, Fault, Notation, RepairRule, rule};

rule! {
    /// Writes `undefined` and `nil` as `null`.
    ///
    /// # What
    /// A value is expected, and the whole word there is `undefined` (JavaScript) or `nil` (Ruby, Lua, Go).
    ///
    /// # Why
    /// Models that print a value of these languages use the language's own word.
    ///
    /// # Example
    /// `{"a": undefined, "b": nil}` becomes `{"a": null, "b": null}`.
    ///
    /// # Limits
    /// JavaScript itself leaves such a member out when it writes JSON, so `null` is invented: lossy.
    /// Only in lower case, and only where what follows fits the grammar: `nil by mouth` is left alone.
    pub struct UndefinedValue {
        name: "undefined-value",
        risk: Lossy,
        answers: [Value],
        next: ["un"],
    }
}

impl RepairRule for UndefinedValue {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let (len, literal) = fault.ahead().literal_in(Notation::Undefined)?;
        let could_end = fault.ahead().after(len).could_end_scalar(fault.container());
        could_end.then(|| fault.replace_ahead(len, literal))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UndefinedValue);
