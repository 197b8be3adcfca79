//! `acme/wavy-arrow`: `~>` where a colon is due.

use jsonseam::rule::{Fault, Proposals, RepairRule, rule};

rule! {
    /// Reads a wavy arrow after a key as the colon.
    ///
    /// # What
    /// A colon is expected, and `~>` is there.
    ///
    /// # Why
    /// Say here which texts you have seen it in.
    ///
    /// # Example
    /// `{"a" ~> 1}` becomes `{"a" : 1}`.
    ///
    /// # Limits
    /// The key must be in double quotes.
    pub struct WavyArrow {
        name: "acme/wavy-arrow",
        risk: Likely,
        answers: [Colon],
        cases: "wavy_arrow.toml",
    }
}

impl RepairRule for WavyArrow {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(fault.ahead().starts_with("~>").then(|| fault.replace_ahead("~>".len(), ":")));
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(WavyArrow);
