//! `jsonseam explain`: the documentation of one rule.

use std::fmt::Write;

use anyhow::bail;
use jsonseam::{Config, Pipeline, Registration};

use crate::console;
use crate::exit::Exit;
use crate::rules::{presets_of, risk_of};

/// Shows the documentation of `name`; an unknown name is an error that names the nearest.
pub(crate) fn run(name: &str) -> anyhow::Result<Exit> {
    let catalogue = jsonseam::catalogue()?;
    let Some(rule) = catalogue.rule(name) else {
        // The configuration knows how to answer unknown names.
        let mut config = Config::default();
        config.enable(name);
        Pipeline::new(&config, &catalogue)?;
        bail!("unknown rule `{name}`");
    };
    let mut out = format!("{}\n\n", rule.name);
    let _ = writeln!(out, "risk: {}", risk_of(rule));
    let _ = writeln!(out, "presets: {}\n", presets_of(name, &catalogue));
    out.push_str(documentation(rule.doc).trim_end());
    out.push('\n');
    out.push_str(&options(rule));
    console::emit_text(&out)?;
    Ok(Exit::Done)
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
