//! `acme/ruler`: the text between two lines of equals signs.

use jsonseam::rule::{Candidates, LocateRule, Region, rule};

rule! {
    /// Takes the text between two lines of equals signs.
    ///
    /// # What
    /// A line of at least three `=` opens the answer, and another one closes it.
    ///
    /// # Why
    /// Some prompts ask for an answer between rulers.
    ///
    /// # Example
    /// `===⏎{"a": 1}⏎===` gives `{"a": 1}`.
    ///
    /// # Limits
    /// The first pair of rulers counts.
    pub struct Ruler {
        name: "acme/ruler",
        locates: Regions,
        cases: "ruler.toml",
    }
}

impl LocateRule for Ruler {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let is_ruler = |text: &str| text.len() >= 3 && text.bytes().all(|byte| byte == b'=');
        let mut rulers = region.lines(region.span().start).filter(|line| is_ruler(line.text.trim_end()));
        if let (Some(open), Some(close)) = (rulers.next(), rulers.next()) {
            found.push(open.start + open.text.len()..close.start);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(Ruler);
