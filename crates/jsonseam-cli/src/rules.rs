//! `jsonseam rules`: the rules in a table.

use std::fmt::Write;

use jsonseam::{Catalogue, Config, Pattern, Pipeline, Registration};

use crate::arguments::{EngineFlags, RulesArguments};
use crate::console;
use crate::engine::{Engine, PRESET_VARIABLE};
use crate::escape::escaped;
use crate::exit::Exit;
use crate::names;

/// How a rule of a house gets into a command.
pub(crate) const HOUSE_HELP: &str =
    "rules with a prefix come from a command of their house: `jsonseam init --rules NAME` writes one";

/// The least width of the last column; on a narrower terminal summaries have lines of their own.
const LEAST_SUMMARY: usize = 24;

/// The indent of a summary that has lines of its own.
const NARROW_INDENT: usize = 4;

/// Lists every rule and pattern, or those of one preset in their order.
pub(crate) fn run(arguments: &RulesArguments) -> anyhow::Result<Exit> {
    let catalogue = jsonseam::catalogue()?;
    let preset = std::env::var(PRESET_VARIABLE).ok();
    let engine =
        Engine::from_flags(&EngineFlags { preset, config: arguments.config.clone(), ..EngineFlags::default() })?;
    let row = |rule: &Registration| row(rule, &catalogue, &engine.pipeline);
    let rows: Vec<Row> = match &arguments.preset {
        None => {
            let mut rules = catalogue.rules().to_vec();
            rules.sort_by_key(|rule| rule.name);
            let patterns = engine.config.patterns().iter().map(|pattern| pattern_row(pattern, &engine.pipeline));
            rules.into_iter().map(row).chain(patterns).collect()
        }
        Some(preset) => {
            let config = Config::default().with_preset(preset);
            let pipeline = Pipeline::new(&config, &catalogue)?;
            pipeline.rules().filter_map(|enabled| catalogue.rule(&enabled.name)).map(row).collect()
        }
    };
    console::emit_text(&table(&rows, console::width()))?;
    Ok(Exit::Done)
}

/// The message about a name that no rule and no pattern has.
pub(crate) fn unknown(name: &str, catalogue: &Catalogue, config: &Config) -> String {
    let known = catalogue.rules().iter().map(|rule| rule.name).chain(config.patterns().iter().map(Pattern::name));
    let mut message = format!("unknown rule `{}`", escaped(name));
    // A name that several rules begin with says what is meant, but not which.
    let prefix = format!("{name}-");
    let begun: Vec<String> =
        known.clone().filter(|known| known.starts_with(&prefix)).map(|known| format!("`{}`", escaped(known))).collect();
    if begun.len() > 1 {
        let _ = write!(message, "; did you mean one of {}?", begun.join(", "));
        return message;
    }
    match names::nearest(name, known) {
        Some(near) => {
            let _ = write!(message, "; did you mean `{}`?", escaped(&near));
        }
        None if name.contains('/') => {
            let _ = write!(message, "; {HOUSE_HELP}");
        }
        None => message.push_str("; `jsonseam rules` lists them"),
    }
    message
}

/// The names of the presets that hold a rule.
pub(crate) fn presets_of(rule: &str, catalogue: &Catalogue) -> String {
    let names: Vec<&str> = catalogue
        .presets()
        .iter()
        .filter(|preset| preset.rules.iter().any(|name| name == rule))
        .map(|preset| preset.name.as_str())
        .collect();
    if names.is_empty() { "-".to_owned() } else { names.join(",") }
}

/// The risk of a rule; locators have none.
pub(crate) fn risk_of(rule: &Registration) -> &'static str {
    rule.risk().map_or("-", jsonseam::Risk::as_str)
}

/// Name, whether the configuration in force enables it, risk, presets, summary.
type Row = [String; 5];

fn row(rule: &Registration, catalogue: &Catalogue, pipeline: &Pipeline) -> Row {
    let (name, presets) = (rule.name, presets_of(rule.name, catalogue));
    [name.to_owned(), is_on(name, pipeline), risk_of(rule).to_owned(), presets, rule.summary().to_owned()]
}

fn pattern_row(pattern: &Pattern, pipeline: &Pipeline) -> Row {
    let (name, summary) = (pattern.name(), format!("a pattern of {}", pattern.place()));
    [name.to_owned(), is_on(name, pipeline), pattern.risk().as_str().to_owned(), "-".to_owned(), summary]
}

fn is_on(name: &str, pipeline: &Pipeline) -> String {
    if pipeline.rules().any(|enabled| enabled.name == name) { "on" } else { "off" }.to_owned()
}

fn table(rows: &[Row], width: Option<usize>) -> String {
    let heading = ["RULE", "ON", "RISK", "PRESETS", "SUMMARY"].map(str::to_owned);
    let column = |column: usize| {
        rows.iter().chain([&heading]).filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0)
    };
    let (names, states, risks, presets) = (column(0), column(1), column(2), column(3));
    let indent = names + states + risks + presets + 8;
    let is_narrow = width.is_some_and(|width| width < indent + LEAST_SUMMARY);
    let indent = if is_narrow { NARROW_INDENT } else { indent };
    let room = width.map(|width| width.saturating_sub(indent));
    let line_end = format!("\n{}", " ".repeat(indent));
    let mut out = String::new();
    for [name, is_on, risk, preset, summary] in [&heading].into_iter().chain(rows) {
        let summary = wrapped(summary, room).join(&line_end);
        let gap = if is_narrow { line_end.as_str() } else { "  " };
        // On a terminal too narrow for four columns each rule is a name with lines below it.
        let is_list = width.is_some_and(|width| width < names + states + risks + presets + 6);
        let _ = match is_list {
            true => writeln!(out, "{name}, {is_on}{gap}{risk}, {preset}{gap}{summary}"),
            false if is_narrow => {
                writeln!(out, "{name:names$}  {is_on:states$}  {risk:risks$}  {preset}{gap}{summary}")
            }
            false => writeln!(out, "{name:names$}  {is_on:states$}  {risk:risks$}  {preset:presets$}{gap}{summary}"),
        };
    }
    out
}

/// The lines of a text that is at most `room` columns wide, unless a word is wider.
fn wrapped(text: &str, room: Option<usize>) -> Vec<String> {
    let Some(room) = room else { return vec![text.to_owned()] };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_wraps_at_words() {
        assert_eq!(wrapped("one two three", Some(7)), ["one two", "three"]);
        assert_eq!(wrapped("one two three", None), ["one two three"]);
        let rows = [[
            "a".into(),
            "on".into(),
            "b".into(),
            "c".into(),
            "a summary of more words than there is room for".into(),
        ]];
        assert!(table(&rows, Some(50)).lines().all(|line| line.len() <= 50));
        let narrow = table(&rows, Some(30));
        assert!(
            narrow.lines().all(|line| line.len() <= 30) && narrow.contains("\n    a summary of more words"),
            "{narrow}"
        );
        let rows = [["name".into(), "off".into(), "certain".into(), "standard,lenient".into(), "summary".into()]];
        assert!(table(&rows, Some(30)).lines().all(|line| line.len() <= 30), "{}", table(&rows, Some(30)));
    }
}
