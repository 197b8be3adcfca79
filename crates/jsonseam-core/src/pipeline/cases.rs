//! The cases of `[[pattern]]`: each is run when a pipeline is built.

use super::Pipeline;
use crate::config::Config;
use crate::config::error::ConfigError;
use crate::config::nearest::shown;
use crate::config::pattern::{Pattern, keeps_signs};
use crate::edits::risk::Risk;
use crate::reading::wanted::Root;
use crate::results::error::Error;
use crate::results::repaired::Repaired;

/// Runs the cases, each with this pattern alone and any root. The error is at the first that does not hold.
pub(crate) fn check_cases(pattern: &Pattern) -> Result<(), ConfigError> {
    let config = Config::default().with_root(Root::Any);
    let alone = Pipeline::from_rules(&config, vec![pattern.unguarded()]);
    pattern.cases().iter().try_for_each(|case| {
        let outcome = alone.repair(case.input());
        let is_honest = |repaired: &Repaired<'_>| {
            repaired
                .edits()
                .all(|edit| keeps_signs(case.input().get(edit.span.clone()).unwrap_or_default(), edit.replacement))
        };
        if pattern.risk() < Risk::Lossy && outcome.as_ref().is_ok_and(|repaired| !is_honest(repaired)) {
            return Err(ConfigError::at(
                &case.spot,
                format!(
                    "in this case pattern{} drops or changes letters, digits or signs: its risk is `lossy`, not `{}`",
                    shown(pattern.name()),
                    pattern.risk()
                ),
            ));
        }
        let given = outcome.as_ref().ok().map(Repaired::text);
        let problem = match (given, case.output()) {
            (given, wanted) if given == wanted => return Ok(()),
            (Some(given), Some(wanted)) => {
                let same = given.bytes().zip(wanted.bytes()).take_while(|(given, wanted)| given == wanted).count();
                format!("gives another text than this case wants, from byte {same} on")
            }
            (None, Some(_)) => {
                format!(
                    "does not repair the input of this case{}",
                    outcome.as_ref().err().map_or_else(String::new, stop)
                )
            }
            (_, None) => "repairs the input of this case, which wants a refusal".to_owned(),
        };
        Err(ConfigError::at(&case.spot, format!("pattern{} {problem}", shown(pattern.name()))))
    })
}

/// Where a case stops, which may be another place than those that the pattern is asked at.
fn stop(error: &Error) -> String {
    match (error.position(), error.expected()) {
        (Some(position), Some(expected)) => {
            format!(": it stops at byte {}, where {} is expected", position.offset, expected.described())
        }
        _ => String::new(),
    }
}
