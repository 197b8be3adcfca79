//! Files without a rule, and rules without cases.

use anyhow::Result;
use jsonseam::Catalogue;
use jsonseam_testkit::cases;

use crate::corpus::cases_file;
use crate::workspace::Workspace;

/// What has lost its other half.
pub(super) fn complaints(workspace: &Workspace, catalogue: &Catalogue) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let is_known = |stem: &str| catalogue.rule(&stem.replace('_', "-")).is_some();
    for extension in ["toml", "rs"] {
        for stem in workspace.stems("rules/src", extension)? {
            if !["lib", "presets", "shared"].contains(&stem.as_str()) && !is_known(&stem) {
                complaints.push(format!("rules/src/{stem}.{extension} belongs to no rule"));
            }
        }
    }
    for rule in catalogue.rules() {
        if !workspace.path(&cases_file(rule.name)).is_file() {
            complaints.push(format!("{} has no {}", rule.name, cases_file(rule.name)));
        } else if cases::parse(rule.cases).is_ok_and(|cases| cases.is_empty()) {
            complaints.push(format!("{} has no cases", rule.name));
        }
    }
    Ok(complaints)
}
