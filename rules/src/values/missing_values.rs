//! Members without a value: each row says what is there instead, and which value is invented.

use jsonseam_core::{Edits, Fault, Proposals, rule};

use crate::shared::{clues, members};

rule! {
    /// Reads `null` where a member has no value.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace. `null` is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": null, "b": 1}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Only in the middle: where the text ends, `cut-member` answers. Never in arrays.
    pub struct MissingValue {
        name: "missing-value",
        risk: Lossy,
        answers: [Value],
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
        answer: missing_value,
    }

    /// Gives a member without a value the one that the contract states.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace, and the schema at that place has a `default`. It is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about, and the author of the schema said what that means.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": 0, "b": 1}`, if the schema of `a` has `"default": 0`.
    ///
    /// # Limits
    /// Only with a contract, and only where its schema states a default at that very place; without one, `missing-value` answers.
    /// The value is invented, hence the risk.
    /// A member that is absent as a whole is left to the cast `default`.
    pub struct MissingValueDefault {
        name: "missing-value-default",
        risk: Lossy,
        answers: [Value],
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
        only: missing_value_default,
    }
}

fn missing_value(fault: &Fault<'_>, to: &mut Proposals) {
    if members::lacks_value(fault) {
        to.offer(fault.insert("null")).clue(clues::INVENTED);
    }
}

fn missing_value_default(fault: &Fault<'_>) -> Option<Edits> {
    let default = fault.default_value()?;
    members::lacks_value(fault).then(|| fault.insert(default.to_owned()))
}

#[cfg(test)]
jsonseam_testkit::laws! {
    missing_value: MissingValue,
    missing_value_default: MissingValueDefault,
}
