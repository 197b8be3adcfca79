//! Declarative rules: `[[pattern]]` in the configuration, without any Rust.
//!
//! A pattern is a regular expression anchored at the fault and a replacement for what it matches.
//! It is held to the same law as any rule (DESIGN 3): it reads a bounded, metered window, and only as much of it as decides the match.

mod finder;
mod read;
mod rule;

use std::sync::Arc;

pub(crate) use self::read::read;
pub(crate) use self::rule::keeps_signs;
use self::rule::{Guarded, PatternRule};
use super::error::{Named, Place, Spot};
use crate::debug::debug_facts;
use crate::edits::reach::Reach;
use crate::edits::risk::Risk;
use crate::engine::rules::{AnyRule, RuleEntry};
use crate::reading::expected::Expected;
use crate::rule::RepairRule;
use crate::rule::dispatch::Dispatch;

/// The faults that `at` can name, in the order of the bits of [`Faults`].
const AT: [Expected; 6] =
    [Expected::Value, Expected::Key, Expected::Colon, Expected::Comma, Expected::String, Expected::End];

/// Every set of faults as a list, so that patterns have the same `&'static` answers as rules.
static ANSWERS: [[Expected; AT.len()]; 1 << AT.len()] = answers();

const fn answers() -> [[Expected; AT.len()]; 1 << AT.len()] {
    let mut lists = [AT; 1 << AT.len()];
    let mut bits = 0;
    while bits < lists.len() {
        let (mut member, mut len) = (0, 0);
        while member < AT.len() {
            if bits & (1 << member) != 0 {
                lists[bits][len] = AT[member];
                len += 1;
            }
            member += 1;
        }
        bits += 1;
    }
    lists
}

/// A set of faults.
#[derive(Debug, Clone, Copy, Default)]
struct Faults(u8);

impl Faults {
    /// Adds a fault; false if the set has it already.
    fn insert(&mut self, index: usize) -> bool {
        let bit = 1 << index;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }

    fn list(self) -> &'static [Expected] {
        ANSWERS.get(usize::from(self.0)).and_then(|list| list.get(..self.0.count_ones() as usize)).unwrap_or_default()
    }
}

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
#[derive(Debug, Clone)]
pub struct Pattern {
    name: Named,
    spot: Spot,
    risk: Risk,
    at: Faults,
    rule: Arc<PatternRule>,
    cases: Vec<PatternCase>,
}

impl Pattern {
    /// The name: kebab-case, perhaps with a prefix.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    /// The risk of every edit of the pattern.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// The faults at which the pattern is asked.
    pub fn answers(&self) -> &'static [Expected] {
        self.at.list()
    }

    /// The inline cases, in the order of the file. They are run when a pipeline is built.
    pub fn cases(&self) -> &[PatternCase] {
        &self.cases
    }

    /// Where the pattern begins in its file.
    pub fn place(&self) -> Place {
        self.spot.place()
    }

    pub(crate) fn named(&self) -> &Named {
        &self.name
    }

    /// The rule without the guard, so that a case can show what the guard would hide.
    pub(crate) fn unguarded(&self) -> RuleEntry {
        self.entry_of(Arc::<PatternRule>::clone(&self.rule))
    }

    pub(crate) fn entry(&self) -> RuleEntry {
        let rule = Arc::<PatternRule>::clone(&self.rule);
        if self.risk == Risk::Likely { self.entry_of(Arc::new(Guarded(rule))) } else { self.entry_of(rule) }
    }

    fn entry_of(&self, rule: Arc<dyn RepairRule>) -> RuleEntry {
        RuleEntry {
            name: self.name.text.clone(),
            rule: AnyRule::Repair {
                risk: self.risk,
                answers: self.answers(),
                dispatch: Dispatch::ANY,
                reach: Reach::FAULT,
                rule,
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
    use super::{AT, Faults};
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
            Pipeline::from_rules(&config, vec![pattern.entry()]).repair("{\"price\": twelve}").is_ok()
        };
        assert!(!repairs("likely"));
        assert!(repairs("lossy"));
    }

    #[test]
    fn every_set_of_faults_is_listed_in_order() {
        for bits in 0..64_u8 {
            let is_member = |&(bit, _): &(usize, _)| bits & (1 << bit) != 0;
            let expected: Vec<_> = AT.into_iter().enumerate().filter(is_member).map(|(_, fault)| fault).collect();
            assert_eq!(Faults(bits).list(), expected);
        }
    }
}
