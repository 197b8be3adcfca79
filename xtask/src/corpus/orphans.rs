//! Files without a rule, and rules without cases.

use anyhow::Result;
use jsonseam::Catalogue;
use jsonseam_testkit::cases;

use crate::corpus::cases_file;
use crate::groups::{self, GROUPS};
use crate::workspace::Workspace;

/// What has lost its other half.
pub(super) fn complaints(workspace: &Workspace, catalogue: &Catalogue) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for (group, _) in GROUPS {
        let folder = format!("rules/src/{group}");
        for stem in workspace.stems(&folder, "toml")? {
            if catalogue.rule(&stem).is_none_or(|rule| groups::folder(rule) != group) {
                complaints.push(format!("{folder}/{stem}.toml belongs to no rule of this group"));
            }
        }
        for stem in workspace.stems(&folder, "rs")? {
            if !catalogue.rules().iter().any(|rule| rule.file.ends_with(&format!("/{group}/{stem}.rs"))) {
                complaints.push(format!("{folder}/{stem}.rs holds no rule"));
            }
        }
    }
    for extension in ["rs", "toml"] {
        for stem in workspace.stems("rules/src", extension)? {
            let is_group = GROUPS.iter().any(|(group, _)| *group == stem);
            if extension == "toml" || !is_group && !["lib", "presets", "shared"].contains(&stem.as_str()) {
                complaints.push(format!("rules/src/{stem}.{extension} is in no group"));
            }
        }
    }
    for rule in catalogue.rules() {
        if !workspace.path(&cases_file(rule)).is_file() {
            complaints.push(format!("{} has no {}", rule.name, cases_file(rule)));
        } else if cases::parse(rule.cases).is_ok_and(|cases| cases.is_empty()) {
            complaints.push(format!("{} has no cases", rule.name));
        }
    }
    Ok(complaints)
}
