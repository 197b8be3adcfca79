//! `--bless`: the verdicts that are given now become the verdicts that are claimed.
//!
//! Only what failed is written, in place: comments, order and spelling of everything else stay.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use jsonseam_testkit::cases::Case;
use jsonseam_testkit::corpus::Failure;
use jsonseam_testkit::laws::check_all;
use jsonseam_testkit::subject::{Outcome, Subject};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

use crate::corpus::Suites;
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Rewrites the failing cases.
pub(super) fn run<'f>(
    workspace: &Workspace,
    suites: &Suites,
    failures: impl Iterator<Item = &'f Failure>,
) -> Result<Verdict> {
    let mut documents: BTreeMap<PathBuf, DocumentMut> = BTreeMap::new();
    let mut blessed = 0;
    let mut complaints = Vec::new();
    for failure in failures {
        let found = suites.all().filter(|suite| suite.name == failure.suite).find_map(|suite| {
            let case = suite.cases.iter().find(|case| case.name == failure.case)?;
            Some((suite, case, suite.path.clone()?))
        });
        let (suite, case, path) = found.context("a failure belongs to a case")?;
        let subject = subjects::of_case(suite, case)?;
        if let Err(violation) = check_all(&*subject, &case.input) {
            complaints.push(format!("{}: {}: not blessed, a law does not hold: {violation}", suite.name, case.name));
            continue;
        }
        if case.value.is_some() && !case.known_gap {
            complaints.push(format!("{}: {}: not blessed, a `value` is written by hand", suite.name, case.name));
            continue;
        }
        if !documents.contains_key(&path) {
            let text = std::fs::read_to_string(&path)?;
            documents.insert(path.clone(), text.parse()?);
        }
        let table = documents
            .get_mut(&path)
            .and_then(|document| table_of(document, &case.name))
            .with_context(|| format!("{}: no case `{}`", path.display(), case.name))?;
        for change in rewrite(table, case, &*subject) {
            println!("{}: {}: {change}", suite.name, case.name);
        }
        blessed += 1;
    }
    for (path, document) in &documents {
        let relative = path.strip_prefix(workspace.path("")).unwrap_or(path);
        workspace.write(&relative.to_string_lossy(), document.to_string())?;
    }
    let passed = format!(
        "cases blessed: {blessed}, files written: {}; read the difference before committing it",
        documents.len()
    );
    Ok(Verdict::of_complaints(&complaints, passed))
}

/// The table of a case.
fn table_of<'d>(document: &'d mut DocumentMut, name: &str) -> Option<&'d mut Table> {
    document
        .get_mut("case")?
        .as_array_of_tables_mut()?
        .iter_mut()
        .find(|table| table.get("name").and_then(Item::as_str) == Some(name))
}

/// Makes the table claim what `subject` gives; says what was changed.
fn rewrite(table: &mut Table, case: &Case, subject: &dyn Subject) -> Vec<String> {
    let mut changes = Vec::new();
    if case.known_gap && case.verdict(subject).is_ok() {
        set(table, "known-gap", None, &mut changes);
        return changes;
    }
    let (output, refused, rules, is_truncated) = match subject.repair(&case.input) {
        Outcome::Accepted(accepted) => {
            let rules: Vec<_> = accepted.edits.into_iter().map(|(rule, ..)| rule).collect();
            (Some(accepted.text), None, rules, accepted.is_truncated)
        }
        Outcome::Refused { reason, .. } => (None, Some(reason), Vec::new(), false),
    };
    let refused = refused.map(|reason| reason.as_str().to_owned());
    if output != case.output {
        set(table, "output", output.map(Value::from), &mut changes);
    }
    if refused != case.refused {
        set(table, "refused", refused.map(Value::from), &mut changes);
    }
    if rules != case.rules {
        let list: Array = rules.iter().collect();
        let value = (!rules.is_empty()).then_some(Value::Array(list));
        set(table, "rules", value, &mut changes);
    }
    if is_truncated != case.truncated {
        let value = is_truncated.then(|| Value::from(true));
        set(table, "truncated", value, &mut changes);
    }
    changes
}

/// Sets a member and keeps the comment beside it, or removes it.
fn set(table: &mut Table, key: &str, value: Option<Value>, changes: &mut Vec<String>) {
    let Some(mut value) = value else {
        if table.remove(key).is_some() {
            changes.push(format!("{key} removed"));
        }
        return;
    };
    changes.push(format!("{key} = {value}"));
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(present) => {
            *value.decor_mut() = present.decor().clone();
            *present = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use jsonseam::Root;
    use jsonseam_testkit::cases;
    use toml_edit::DocumentMut;

    use super::{rewrite, table_of};
    use crate::subjects;

    #[test]
    fn blessing_changes_the_verdict_and_nothing_else() {
        let text = "# About commas.\n\n[[case]]\n# Why it is here.\nname = \"a\" # its name\ninput = '{\"a\":1,}'\noutput = \"?\" # wrong\n\n# The next.\n[[case]]\nname = \"b\"\ninput = '['\nrefused = \"syntax\"\n";
        let mut document: DocumentMut = text.parse().expect("the text is TOML");
        let subject = subjects::preset("strict", Root::Object).expect("the preset is built in");
        for case in cases::parse(text).expect("the cases are well-formed") {
            let table = table_of(&mut document, &case.name).expect("the case is there");
            rewrite(table, &case, &subject);
        }
        assert_eq!(
            document.to_string(),
            "# About commas.\n\n[[case]]\n# Why it is here.\nname = \"a\" # its name\ninput = '{\"a\":1,}'\noutput = '{\"a\":1}' # wrong\nrules = [\"trailing-comma\"]\n\n# The next.\n[[case]]\nname = \"b\"\ninput = '['\nrefused = \"no_json_object_found\"\n"
        );
    }
}
