//! Rules in any number and any order: what must hold of each must hold of all of them together, however a configuration mixes them.

use jsonseam_core::{Config, ConfigError, Pipeline, Registration, Root, RuleEntry};

use crate::damage::{Defect, damage_many};
use crate::laws::{Violation, check_all};
use crate::random::Random;

/// Texts that each subset is put to.
const TEXTS: usize = 12;

/// Some of `rules`, in some order: few, half or nearly all of them.
pub fn subset<'r>(rules: &[&'r Registration], random: &mut Random) -> Vec<&'r Registration> {
    let share = random.between(1, 9);
    let mut chosen: Vec<_> = rules.iter().copied().filter(|_| random.chance(share, 10)).collect();
    for index in (1..chosen.len()).rev() {
        chosen.swap(index, random.between(0, index));
    }
    chosen
}

/// A pipeline of these rules in this order.
pub fn pipeline_of(rules: &[&Registration], root: Root) -> Result<Pipeline, ConfigError> {
    let config = Config::default().with_root(root);
    let entries = rules.iter().map(|rule| RuleEntry::of(rule)).collect::<Result<Vec<_>, _>>()?;
    Ok(Pipeline::from_rules(&config, entries))
}

/// Every law holds for a subset of `rules` that the seed chooses, on damaged documents and on what is left of them when they are cut anywhere.
/// The violation names the rules in their order.
pub fn laws_of_subset(rules: &[&Registration], seed: u64) -> Result<(), Violation> {
    let mut random = Random::new(seed);
    let chosen = subset(rules, &mut random);
    laws_of(&chosen, &mut random)
        .map_err(|violation| Violation { seen: format!("seed {seed}, {}", violation.seen), ..violation })
}

/// The same for these rules in this order.
pub fn laws_of(chosen: &[&Registration], random: &mut Random) -> Result<(), Violation> {
    let root = if random.chance(1, 2) { Root::Object } else { Root::Any };
    let names = || chosen.iter().map(|rule| rule.name).collect::<Vec<_>>().join(", ");
    let failed = |seen: String, text: &str| Violation { law: "subsets", seen, text: text.to_owned() };
    let pipeline = pipeline_of(chosen, root).map_err(|error| failed(error.to_string(), &names()))?;
    for damaged in damage_many(random.next_u64(), Defect::ALL, TEXTS) {
        let ends: Vec<usize> = damaged.text.char_indices().map(|(at, _)| at).collect();
        let end = random.pick(&ends).copied().unwrap_or_default();
        for text in [damaged.text.as_str(), damaged.text.get(..end).unwrap_or_default()] {
            check_all(&pipeline, text).map_err(|violation| {
                failed(format!("{}: {}, rules {}", violation.law, violation.seen, names()), text)
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::subset;
    use crate::random::Random;

    #[test]
    fn no_rules_make_the_empty_subset() {
        let sizes: HashSet<usize> = (0..50).map(|seed| subset(&[], &mut Random::new(seed)).len()).collect();
        assert_eq!(sizes, HashSet::from([0]));
    }
}
