//! `jsonseam explain`: the documentation of one rule.

use std::fmt::Write;

use anyhow::bail;
use jsonseam::{Pattern, Registration};

use crate::arguments::ExplainArguments;
use crate::console;
use crate::engine;
use crate::exit::Exit;
use crate::rules::{presets_of, risk_of, unknown};

/// Shows the documentation of a rule or pattern; an unknown name is an error that names the nearest.
pub(crate) fn run(arguments: &ExplainArguments) -> anyhow::Result<Exit> {
    let catalogue = jsonseam::catalogue()?;
    let name = &arguments.rule;
    if let Some(rule) = catalogue.rule(name) {
        if rule.name != name {
            console::warn(format_args!("the rule `{name}` is now called `{}`", rule.name));
        }
        let mut out = format!("{}\n\n", rule.name);
        let _ = writeln!(out, "risk: {}", risk_of(rule));
        let _ = writeln!(out, "presets: {}\n", presets_of(rule.name, &catalogue));
        out.push_str(documentation(rule.doc).trim_end());
        out.push('\n');
        out.push_str(&options(rule));
        console::emit_text(&out)?;
        return Ok(Exit::Done);
    }
    let config = engine::base(arguments.config.as_deref())?.config;
    let Some(pattern) = config.patterns().iter().find(|pattern| pattern.name() == name) else {
        bail!(unknown(name, &catalogue, &config));
    };
    console::emit_text(&of_pattern(pattern))?;
    Ok(Exit::Done)
}

fn of_pattern(pattern: &Pattern) -> String {
    let mut out = format!("{}\n\nrisk: {}\n", pattern.name(), pattern.risk());
    let _ = writeln!(out, "a pattern of {}", pattern.place());
    let faults: Vec<&str> = pattern.answers().iter().map(|fault| fault.described()).collect();
    let _ = writeln!(out, "\nIt is tried where this is expected: {}.", faults.join(", "));
    for case in pattern.cases() {
        let _ = match case.output() {
            Some(output) => writeln!(out, "\n{}\nbecomes\n{output}", case.input()),
            None => writeln!(out, "\n{}\nis refused", case.input()),
        };
    }
    out
}

/// The text of a doc comment without the space that begins each of its lines.
fn documentation(doc: &str) -> String {
    doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect::<Vec<_>>().join("\n")
}

fn options(rule: &Registration) -> String {
    let mut out = String::new();
    for (index, option) in rule.options.iter().enumerate() {
        if index == 0 {
            let _ = writeln!(out, "\n# Options\n\n[rules.{}]", rule.name);
        }
        for line in documentation(option.doc).trim().lines() {
            let _ = writeln!(out, "# {line}");
        }
        let _ = writeln!(out, "{} = {}  # {}", option.name(), (option.default)(), option.kind);
    }
    out
}
