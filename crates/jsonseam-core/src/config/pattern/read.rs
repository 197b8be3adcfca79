//! Reading `[[pattern]]` and `[[pattern.case]]`.

use std::sync::Arc;

use toml::de::DeValue;

use super::rule::{At, PatternRule, Problem};
use super::{Pattern, PatternCase};
use crate::config::error::{ConfigError, Named};
use crate::config::nearest::{is_kebab, listed, shown};
use crate::config::reader::{Key, Keys, Reader, Value, sorted};
use crate::edits::risk::Risk;
use crate::reading::expected::Expected;

/// Most patterns in one configuration.
const MAX_PATTERNS: usize = 256;

const PATTERN: Keys<'static> = Keys { table: "[[pattern]]", names: &["name", "at", "find", "replace", "risk", "case"] };
const CASE: Keys<'static> = Keys { table: "[[pattern.case]]", names: &["input", "output", "refused"] };

/// Reads all `[[pattern]]` tables.
pub(crate) fn read(reader: &Reader, value: &Value<'_>) -> Result<Vec<Pattern>, ConfigError> {
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(reader.wrong_type(value, "`pattern`", "a list of tables, each begun by [[pattern]]"));
    };
    let mut patterns: Vec<Pattern> = Vec::new();
    for table in tables {
        if patterns.len() == MAX_PATTERNS {
            return Err(reader.error(&table.span(), format!("more than {MAX_PATTERNS} patterns")));
        }
        let pattern = read_pattern(reader, table)?;
        if patterns.iter().any(|other| other.name() == pattern.name()) {
            return Err(pattern.name.error(format!("two patterns are named{}", shown(pattern.name()))));
        }
        patterns.push(pattern);
    }
    Ok(patterns)
}

fn read_pattern(reader: &Reader, value: &Value<'_>) -> Result<Pattern, ConfigError> {
    let (mut name, mut at, mut find, mut replace, mut risk, mut cases) = (None, None, None, None, None, Vec::new());
    for (key, value) in sorted(reader.table(value, "pattern")?) {
        match key.get_ref().as_ref() {
            "name" => name = Some(read_name(reader, value)?),
            "at" => at = Some(read_at(reader, value)?),
            "find" => find = Some((value, reader.string(value, "find")?)),
            "replace" => replace = Some((value, reader.string(value, "replace")?)),
            "risk" => risk = Some(read_risk(reader, value)?),
            "case" => cases = read_cases(reader, value)?,
            _ => return Err(reader.unknown_key(key, &PATTERN)),
        }
    }
    let lacks = |key: &str| reader.error(&value.span(), format!("[[pattern]] lacks `{key}`"));
    let name = name.ok_or_else(|| lacks("name"))?;
    let at = at.ok_or_else(|| lacks("at"))?;
    let (find_value, find) = find.ok_or_else(|| lacks("find"))?;
    let (replace_value, replace) = replace.ok_or_else(|| lacks("replace"))?;
    let risk = risk.ok_or_else(|| lacks("risk"))?;
    let rule = PatternRule::new(find, replace).map_err(|problem| match problem {
        Problem::Find(message) => reader.error(&find_value.span(), message),
        Problem::Replace(message) => reader.error(&replace_value.span(), message),
    })?;
    let rule = Arc::new(rule);
    let at_faults = |is_guarded| Arc::new(At { faults: at.clone(), is_guarded, rule: Arc::clone(&rule) });
    let (rule, unguarded) = (at_faults(risk == Risk::Likely), at_faults(false));
    Ok(Pattern { name, spot: reader.spot(&value.span()), risk, at, rule, unguarded, cases })
}

fn read_name(reader: &Reader, value: &Value<'_>) -> Result<Named, ConfigError> {
    let name = reader.name(value, "name")?;
    let (prefix, rest) =
        name.text.split_once('/').map_or((None, name.text.as_str()), |(prefix, rest)| (Some(prefix), rest));
    if is_kebab(rest) && prefix.is_none_or(is_kebab) {
        Ok(name)
    } else {
        Err(name.error(format!(
            "a pattern's name{} must be in kebab-case (`fat-arrow`), perhaps with a prefix (`acme/fat-arrow`)",
            shown(&name.text)
        )))
    }
}

/// The risk of a pattern. `certain` is a claim about published grammars, which no expression can make (SPEC R4).
fn read_risk(reader: &Reader, value: &Value<'_>) -> Result<Risk, ConfigError> {
    match reader.risk(value, "risk")? {
        Risk::Certain => Err(reader.error(
            &value.span(),
            "a [[pattern]] may not be `certain`, which says that published grammars read the text; \
             the lowest risk of a pattern is `likely`",
        )),
        risk => Ok(risk),
    }
}

/// One fault, or a list of them.
fn read_at(reader: &Reader, value: &Value<'_>) -> Result<Vec<Expected>, ConfigError> {
    let mut faults = Vec::new();
    let entries = match value.get_ref() {
        DeValue::Array(entries) => &entries[..],
        _ => std::slice::from_ref(value),
    };
    let expected = format!("{}, or a list of those", listed(Expected::NAMES));
    for entry in entries {
        let fault: Expected = reader.one_of(entry, "`at`", &expected, "fault")?;
        if faults.contains(&fault) {
            let name = shown(fault.as_str());
            return Err(reader.error(&entry.span(), format!("fault{name} is listed twice in `at`")));
        }
        faults.push(fault);
    }
    if faults.is_empty() {
        return Err(reader.error(&value.span(), "`at` names no fault"));
    }
    // In their own order, whatever the order of the file.
    Ok(Expected::ALL.iter().copied().filter(|fault| faults.contains(fault)).collect())
}

fn read_cases(reader: &Reader, value: &Value<'_>) -> Result<Vec<PatternCase>, ConfigError> {
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(reader.wrong_type(value, "`case`", "a list of tables, each begun by [[pattern.case]]"));
    };
    tables.iter().map(|table| read_case(reader, table)).collect()
}

fn read_case(reader: &Reader, value: &Value<'_>) -> Result<PatternCase, ConfigError> {
    let (mut input, mut output) = (None, None);
    let mut refused: Option<&Key<'_>> = None;
    for (key, value) in sorted(reader.table(value, "case")?) {
        match key.get_ref().as_ref() {
            "input" => input = Some(reader.string(value, "input")?.to_owned()),
            "output" => output = Some(reader.string(value, "output")?.to_owned()),
            "refused" if value.get_ref().as_bool() == Some(true) => refused = Some(key),
            "refused" => return Err(reader.error(&value.span(), "`refused` can only be true")),
            _ => return Err(reader.unknown_key(key, &CASE)),
        }
    }
    let input = input.ok_or_else(|| reader.error(&value.span(), "[[pattern.case]] lacks `input`"))?;
    match (&output, refused) {
        (Some(_), Some(key)) => Err(reader.error(&key.span(), "a case has either `output` or `refused`, not both")),
        (None, None) => Err(reader.error(&value.span(), "[[pattern.case]] lacks `output` or `refused = true`")),
        _ => Ok(PatternCase { spot: reader.spot(&value.span()), input, output }),
    }
}
