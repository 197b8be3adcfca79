//! Declarative rules: `[[pattern]]` in the configuration, without any Rust.
//!
//! A pattern is a regular expression anchored at the fault and a replacement for what it matches.
//! It is held to the same law as any rule (DESIGN 3): it reads a bounded, metered window, and only as much of it as decides the match.

#[cfg(feature = "pattern")]
mod read;
#[cfg(feature = "pattern")]
mod rule;

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

#[cfg(feature = "pattern")]
pub(crate) use self::read::read;
#[cfg(feature = "pattern")]
pub(crate) use self::rule::keeps_signs;
use super::error::{Named, Place, Spot};
use crate::derived::debug_facts;
use crate::edits::reach::Reach;
use crate::edits::risk::Risk;
use crate::engine::rules::{AnyRule, RuleEntry};
use crate::reading::expected::Expected;
use crate::rule::RepairRule;
use crate::rule::dispatch::Dispatch;

/// A rule declared by `[[pattern]]`.
///
/// ```
/// use jsonseam_core::{Config, Risk};
///
/// let text = r#"
/// [[pattern]]
/// name = "fat-arrow"
/// at = "colon"
/// find = '=>'
/// replace = ":"
/// risk = "likely"
/// [[pattern.case]]
/// input = '{"a" => 1}'
/// output = '{"a" : 1}'
/// "#;
/// let config = Config::from_toml(text, "jsonseam.toml").unwrap();
/// let pattern = &config.patterns()[0];
/// assert_eq!((pattern.name(), pattern.risk()), ("fat-arrow", Risk::Likely));
/// assert_eq!(pattern.cases()[0].output(), Some(r#"{"a" : 1}"#));
/// assert_eq!(pattern.cases()[0].place().line, 8);
/// ```
#[derive(Clone)]
pub struct Pattern {
    pub(super) name: Named,
    spot: Spot,
    risk: Risk,
    at: Vec<Expected>,
    pub(super) rule: Arc<dyn RepairRule>,
    /// The rule without the guard, so that a case can show what the guard would hide.
    pub(crate) unguarded: Arc<dyn RepairRule>,
    cases: Vec<PatternCase>,
}

/// Its rules keep scratch space alone from call to call.
impl UnwindSafe for Pattern {}
impl RefUnwindSafe for Pattern {}

debug_facts!(Pattern, |pattern| name: pattern.name, risk: pattern.risk, at: pattern.at, cases: pattern.cases);

impl Pattern {
    /// The name: kebab-case, perhaps with a prefix.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    /// The risk of every edit of the pattern.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// The faults that the pattern answers.
    pub fn answers(&self) -> &[Expected] {
        &self.at
    }

    /// The inline cases, in the order of the file. They are run when a pipeline is built.
    pub fn cases(&self) -> &[PatternCase] {
        &self.cases
    }

    /// Where the pattern begins in its file.
    pub fn place(&self) -> Place {
        self.spot.place()
    }

    /// The pattern as a rule: `rule` is its own, with the guard or without.
    pub(crate) fn entry(&self, rule: &Arc<dyn RepairRule>) -> RuleEntry {
        RuleEntry {
            name: self.name.text.clone(),
            rule: AnyRule::Repair {
                risk: self.risk,
                // It is asked at every fault, and declines those that `at` does not name.
                answers: Expected::ALL,
                dispatch: Dispatch::ANY,
                reach: Reach::FAULT,
                rule: Arc::clone(rule),
            },
        }
    }
}

/// A case of a pattern: what a completion becomes, or that it is refused.
#[derive(Clone)]
pub struct PatternCase {
    pub(crate) spot: Spot,
    input: String,
    output: Option<String>,
}

impl PatternCase {
    /// The completion.
    pub fn input(&self) -> &str {
        &self.input
    }

    /// The text it is repaired to; `None` if it must be refused.
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// Where the case begins in its file.
    pub fn place(&self) -> Place {
        self.spot.place()
    }
}

// The place, not the texts: cases are often cut from real completions.
debug_facts!(PatternCase, |case| spot: case.spot);

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::pipeline::Pipeline;
    use crate::reading::wanted::Root;

    /// A pattern that reads a word as zero.
    fn zero(risk: &str, cases: &str) -> Config {
        let text = format!(
            "[[pattern]]\nname = \"acme/zero\"\nat = \"value\"\nfind = '[a-z]+'\nreplace = '0'\nrisk = \"{risk}\"\n{cases}"
        );
        Config::from_toml(&text, "c.toml").expect("it is right")
    }

    const CASE: &str = "[[pattern.case]]\ninput = '{\"price\": twelve}'\noutput = '{\"price\": 0}'\n";

    #[test]
    fn r4_a_case_that_shows_more_than_the_declared_risk_is_refused() {
        let check = |risk| {
            crate::pipeline::cases::check_cases(&zero(risk, CASE).patterns()[0]).map_err(|error| error.to_string())
        };
        for risk in ["likely", "guess"] {
            assert_eq!(
                check(risk),
                Err(format!(
                    "c.toml:7:1: in this case pattern `acme/zero` drops or changes letters, digits or signs: its risk is `lossy`, not `{risk}`"
                ))
            );
        }
        assert_eq!(check("lossy"), Ok(()));
    }

    #[test]
    fn r4_a_likely_pattern_declines_an_edit_that_drops_letters() {
        let config = Config::default().with_root(Root::Any);
        let repairs = |risk| {
            let pattern = zero(risk, "").patterns()[0].clone();
            Pipeline::from_rules(&config, vec![pattern.entry(&pattern.rule)]).repair("{\"price\": twelve}").is_ok()
        };
        assert!(!repairs("likely"));
        assert!(repairs("lossy"));
    }
}
