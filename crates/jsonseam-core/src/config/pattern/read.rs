//! Reading `[[pattern]]` and `[[pattern.case]]`.

use std::sync::Arc;

use jsonseam_text::listed;

use super::rule::{At, PatternRule};
use super::{Pattern, PatternCase};
use crate::config::error::{ConfigError, Named};
use crate::config::nearest::{is_kebab, shown};
use crate::config::reader::{Entry, Keys};
use crate::edits::risk::Risk;
use crate::reading::expected::Expected;

/// Most patterns in one configuration.
const MAX_PATTERNS: usize = 256;

const PATTERN: Keys<'static> = Keys { table: "[[pattern]]", names: &["name", "at", "find", "replace", "risk", "case"] };
const CASE: Keys<'static> = Keys { table: "[[pattern.case]]", names: &["input", "output", "refused"] };

/// Reads all `[[pattern]]` tables.
pub(crate) fn read(entry: &Entry<'_>) -> Result<Vec<Pattern>, ConfigError> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for table in entry.elements("a list of tables, each begun by [[pattern]]")? {
        if patterns.len() == MAX_PATTERNS {
            return Err(table.error(format!("more than {MAX_PATTERNS} patterns")));
        }
        let pattern = read_pattern(&table)?;
        if patterns.iter().any(|other| other.name() == pattern.name()) {
            return Err(pattern.name.error(format!("two patterns are named{}", shown(pattern.name()))));
        }
        patterns.push(pattern);
    }
    Ok(patterns)
}

fn read_pattern(table: &Entry<'_>) -> Result<Pattern, ConfigError> {
    let (mut name, mut at, mut find, mut replace, mut risk, mut cases) = (None, None, None, None, None, Vec::new());
    for entry in table.table()? {
        match entry.name() {
            "name" => name = Some(read_name(&entry)?),
            "at" => at = Some(read_at(&entry)?),
            "find" => find = Some(PatternRule::new(entry.string()?).map_err(|problem| entry.error(problem))?),
            "replace" => replace = Some((entry, entry.string_of("a string")?)),
            "risk" => risk = Some(read_risk(&entry)?),
            "case" => {
                let tables = entry.elements("a list of tables, each begun by [[pattern.case]]")?;
                cases = tables.iter().map(read_case).collect::<Result<_, _>>()?;
            }
            _ => return Err(entry.unknown(&PATTERN)),
        }
    }
    let lacks = |key: &str| table.error(format!("[[pattern]] lacks `{key}`"));
    let name = name.ok_or_else(|| lacks("name"))?;
    let at = at.ok_or_else(|| lacks("at"))?;
    let rule = find.ok_or_else(|| lacks("find"))?;
    let (entry, replace) = replace.ok_or_else(|| lacks("replace"))?;
    let risk = risk.ok_or_else(|| lacks("risk"))?;
    let rule = Arc::new(rule.replacing(replace).map_err(|problem| entry.error(problem))?);
    let at_faults = |is_guarded| Arc::new(At { faults: at.clone(), is_guarded, rule: Arc::clone(&rule) });
    let (rule, unguarded) = (at_faults(risk == Risk::Likely), at_faults(false));
    Ok(Pattern { name, spot: table.spot(), risk, at, rule, unguarded, cases })
}

fn read_name(entry: &Entry<'_>) -> Result<Named, ConfigError> {
    let name = entry.named("a string")?;
    if name.text.splitn(2, '/').all(is_kebab) {
        Ok(name)
    } else {
        Err(name.error(format!(
            "a pattern's name{} must be in kebab-case (`fat-arrow`), perhaps with a prefix (`acme/fat-arrow`)",
            shown(&name.text)
        )))
    }
}

/// The risk of a pattern. `certain` is a claim about published grammars, which no expression can make (SPEC R4).
fn read_risk(entry: &Entry<'_>) -> Result<Risk, ConfigError> {
    match entry.one_of("a string", "risk")? {
        Risk::Certain => Err(entry.error(
            "a [[pattern]] may not be `certain`, which says that published grammars read the text; \
             the lowest risk of a pattern is `likely`",
        )),
        risk => Ok(risk),
    }
}

/// One fault, or a list of them.
fn read_at(entry: &Entry<'_>) -> Result<Vec<Expected>, ConfigError> {
    let mut faults = Vec::new();
    let expected = format!("{}, or a list of those", listed(Expected::NAMES));
    for named in entry.one_or_more() {
        let fault: Expected = named.one_of(&expected, "fault")?;
        if faults.contains(&fault) {
            return Err(named.error(format!("fault{} is listed twice in `at`", shown(fault.as_str()))));
        }
        faults.push(fault);
    }
    if faults.is_empty() {
        return Err(entry.error("`at` names no fault"));
    }
    // In their own order, whatever the order of the file.
    Ok(Expected::ALL.iter().copied().filter(|fault| faults.contains(fault)).collect())
}

fn read_case(table: &Entry<'_>) -> Result<PatternCase, ConfigError> {
    let (mut input, mut output, mut refused) = (None, None, None);
    for entry in table.table()? {
        match entry.name() {
            "input" => input = Some(entry.string()?.to_owned()),
            "output" => output = Some(entry.string()?.to_owned()),
            "refused" if entry.value().as_bool() == Some(true) => refused = Some(entry.key()),
            "refused" => return Err(entry.error("`refused` can only be true")),
            _ => return Err(entry.unknown(&CASE)),
        }
    }
    let input = input.ok_or_else(|| table.error("[[pattern.case]] lacks `input`"))?;
    match (&output, refused) {
        (Some(_), Some(key)) => Err(key.error("a case has either `output` or `refused`, not both")),
        (None, None) => Err(table.error("[[pattern.case]] lacks `output` or `refused = true`")),
        _ => Ok(PatternCase { spot: table.spot(), input, output }),
    }
}
