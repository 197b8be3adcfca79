//! `thousands-separator`: a number with commas between its thousands.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

use crate::shared::{bare, numbers};

rule! {
    /// Removes the commas between the thousands of a number.
    ///
    /// # What
    /// In an object, a number of at most three digits is followed, without a blank, by groups of a comma and three
    /// digits, then perhaps by a fraction, and then by something that may follow a value.
    /// The commas are removed.
    ///
    /// # Why
    /// English text prints numbers this way, and models copy them.
    ///
    /// # Example
    /// `{"people": 1,234,567, "area": 2}` becomes `{"people": 1234567, "area": 2}`.
    ///
    /// # Limits
    /// A guess: in other languages the comma is the decimal point. Never in arrays, where each group is a number of its own.
    /// With a unit it is `unquoted-quantity`.
    pub struct ThousandsSeparator {
        name: "thousands-separator",
        risk: Guess,
        answers: [Key],
        next: [Digit],
    }
}

impl RepairRule for ThousandsSeparator {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let bare = bare::text(fault)?;
        is_grouped(bare.text).then(|| Edit::replace(bare.span, bare.text.replace(',', "")).into())
    }
}

/// Whether `text` is a number with groups of three digits, in JSON's notation otherwise.
fn is_grouped(text: &str) -> bool {
    let number = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    numbers::are_groups(whole, ',') && !whole.starts_with('0') && numbers::are_digits(fraction)
}

#[cfg(test)]
jsonseam_testkit::laws!(ThousandsSeparator);
