//! The cases of `[[pattern]]`: each is run when a pipeline is built.

use super::Pipeline;
use crate::config::Config;
use crate::config::error::ConfigError;
use crate::config::nearest::shown;
use crate::config::pattern::{Pattern, keeps_signs};
use crate::edits::risk::Risk;
use crate::reading::wanted::Root;
use crate::results::repaired::AppliedEdit;

/// Runs the cases, each with this pattern alone and any root. The error is at the first that does not hold.
pub(crate) fn check_cases(pattern: &Pattern) -> Result<(), ConfigError> {
    let config = Config::default().with_root(Root::Any);
    let alone = Pipeline::from_rules(&config, vec![pattern.entry(&pattern.unguarded)]);
    pattern.cases().iter().try_for_each(|case| {
        let keeps_signs =
            |edit: AppliedEdit<'_>| keeps_signs(case.input().get(edit.span).unwrap_or_default(), edit.replacement);
        let name = shown(pattern.name());
        let mistake = match (alone.repair(case.input()), case.output()) {
            (Ok(repaired), _) if pattern.risk() < Risk::Lossy && !repaired.edits().all(keeps_signs) => format!(
                "in this case pattern{name} drops or changes letters, digits or signs: its risk is `lossy`, not `{}`",
                pattern.risk()
            ),
            (Ok(repaired), Some(wanted)) if repaired.text() == wanted => return Ok(()),
            (Ok(repaired), Some(wanted)) => {
                let both = repaired.text().bytes().zip(wanted.bytes());
                let same = both.take_while(|(given, wanted)| given == wanted).count();
                format!("pattern{name} gives another text than this case wants, from byte {same} on")
            }
            (Ok(_), None) => format!("pattern{name} repairs the input of this case, which wants a refusal"),
            (Err(error), Some(_)) => {
                // That may be another place than those that the pattern is asked at.
                let stop = error.position().zip(error.expected()).map(|(position, expected)| {
                    format!(": it stops at byte {}, where {} is expected", position.offset, expected.described())
                });
                format!("pattern{name} does not repair the input of this case{}", stop.unwrap_or_default())
            }
            (Err(_), None) => return Ok(()),
        };
        Err(ConfigError::about(Some(&case.spot), mistake))
    })
}
