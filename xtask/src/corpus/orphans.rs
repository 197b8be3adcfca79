//! Files without a rule, and rules without cases.

use anyhow::Result;
use jsonseam::Catalogue;
use jsonseam_testkit::cases;

use crate::corpus::cases_file;
use crate::workspace::Workspace;

/// What has lost its other half.
pub(super) fn complaints(workspace: &Workspace, catalogue: &Catalogue) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for stem in workspace.stems("rules/src", "toml")? {
        if catalogue.rule(&stem).is_none() {
            complaints.push(format!("rules/src/{stem}.toml belongs to no rule"));
        }
    }
    for stem in workspace.stems("rules/src", "rs")? {
        let holds_rule = || catalogue.rules().iter().any(|rule| rule.file.ends_with(&format!("/{stem}.rs")));
        if !["lib", "presets", "shared"].contains(&stem.as_str()) && !holds_rule() {
            complaints.push(format!("rules/src/{stem}.rs holds no rule"));
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
