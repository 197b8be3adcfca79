//! `acme/fat-arrow`: `=>` where a colon is expected.

use jsonseam::rule::{Fault, Proposals, RepairRule, rule};

rule! {
    /// Reads an arrow after a key as the colon.
    ///
    /// # What
    /// A colon is expected, and `=>` is there.
    ///
    /// # Why
    /// Ruby and PHP write their hashes this way.
    ///
    /// # Example
    /// `{"a" => 1}` becomes `{"a" : 1}`.
    ///
    /// # Limits
    /// The key must be in double quotes.
    pub struct FatArrow {
        name: "acme/fat-arrow",
        risk: Likely,
        answers: [Colon],
        next: ["="],
        cases: "fat_arrow.toml",
    }
}

impl RepairRule for FatArrow {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":")));
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(FatArrow);
