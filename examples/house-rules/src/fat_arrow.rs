//! `house/fat-arrow`: `=>` where a colon is expected.

use jsonseam::rule::{Fault, OptionValue, Proposals, RepairRule, RuleOption, rule};

rule! {
    /// Reads an arrow after a key as the colon.
    ///
    /// # What
    /// A colon is expected, and there is `=>`, or an arrow that the option `also` names.
    ///
    /// # Why
    /// Ruby and PHP write their hashes so, and models that have read much of either slip into it.
    ///
    /// # Example
    /// `{"a" => 1}` becomes `{"a" : 1}`.
    ///
    /// # Limits
    /// The key must be in double quotes: the rules that repair other keys look for a colon after them.
    /// `:=` is never met, as its colon is one.
    pub struct FatArrow {
        name: "house/fat-arrow",
        risk: Likely,
        answers: [Colon],
        cases: "fat_arrow.toml",
        options: {
            /// Arrows that are read as a colon beside `=>`. The longest that fits is taken.
            also: Arrows = Arrows::default(),
        },
    }
}

impl RepairRule for FatArrow {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let arrows = self.also.0.iter().map(String::as_str).chain(["=>"]);
        let arrow = arrows
            .filter(|arrow| fault.ahead().starts_with(arrow))
            .max_by_key(|arrow| arrow.len());
        to.only(arrow.map(|arrow| fault.replace_ahead(arrow.len(), ":")));
    }
}

/// Spellings that are arrows and nothing else: a rule of the risk `Likely` must not take a minus sign or a quote from a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrows(Vec<String>);

impl RuleOption for Arrows {
    const KIND: &'static str = "a list of arrows: `-`, `=` and `~`, with `=` or `>` at the end";

    fn read(value: &OptionValue) -> Result<Self, &'static str> {
        let arrows = Vec::<String>::read(value).map_err(|_| Self::KIND)?;
        let is_arrow = |arrow: &String| {
            arrow.ends_with(['=', '>']) && arrow.trim_end_matches('>').chars().all(is_shaft)
        };
        if arrows.iter().all(is_arrow) {
            Ok(Self(arrows))
        } else {
            Err(Self::KIND)
        }
    }

    fn show(&self) -> String {
        self.0.show()
    }
}

fn is_shaft(char: char) -> bool {
    matches!(char, '-' | '=' | '~')
}

#[cfg(test)]
jsonseam_testkit::laws!(FatArrow);
