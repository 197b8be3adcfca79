//! `cargo xtask rule new <name>`: the two files of a rule and the lines that make it known.

mod lines;
mod template;

use anyhow::{Result, bail};
use clap::Subcommand;
use clap::builder::PossibleValuesParser;

use crate::groups::GROUPS;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What is done with a rule.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Writes a rule that compiles and keeps every law, to be changed into the one that is wanted.
    New {
        /// The defect the rule answers, in kebab-case (`trailing-comma`), never its cure.
        name: String,
        /// The folder of `rules/src/` that it belongs to.
        #[arg(long, value_parser = PossibleValuesParser::new(GROUPS.map(|(group, _)| group)))]
        group: String,
        /// The smallest preset that enables the rule; larger ones do too.
        #[arg(long, default_value = "lenient")]
        preset: Preset,
    },
}

/// The built-in presets, the smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Preset {
    /// Exactly what SPEC P5 lists.
    Strict,
    /// Plus certain and likely rules.
    Standard,
    /// Plus guessing and lossy rules.
    Lenient,
}

impl Preset {
    /// As `rules/src/presets.rs` calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::Standard => "Standard",
            Self::Lenient => "Lenient",
        }
    }

    /// The highest risk that the preset allows (SPEC B1), to begin with.
    const fn risk(self) -> &'static str {
        match self {
            Self::Strict | Self::Standard => "Likely",
            Self::Lenient => "Guess",
        }
    }
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, task: &Task) -> Result<Verdict> {
    let Task::New { name, group, preset } = task;
    new(workspace, name, group, *preset)
}

fn new(workspace: &Workspace, name: &str, group: &str, preset: Preset) -> Result<Verdict> {
    check_name(name)?;
    let stem = name.replace('-', "_");
    for (group, _) in GROUPS {
        for file in [format!("rules/src/{group}/{stem}.rs"), format!("rules/src/{group}/{name}.toml")] {
            if workspace.path(&file).exists() {
                bail!("{file} exists");
            }
        }
    }
    let (code, cases) = (format!("rules/src/{group}/{stem}.rs"), format!("rules/src/{group}/{name}.toml"));
    let module = format!("rules/src/{group}.rs");
    // Everything is made before anything is written, so a failure writes nothing.
    let modules = lines::with_module(&workspace.read(&module)?, &stem)?;
    let path = format!("{group}::{stem}::{}", pascal(name));
    let presets = lines::with_rule(&workspace.read("rules/src/presets.rs")?, preset.name(), &path)?;
    workspace.write(&code, template::code(name, &pascal(name), preset.risk()))?;
    workspace.write(&cases, template::cases(name))?;
    workspace.write(&module, modules)?;
    workspace.write("rules/src/presets.rs", presets)?;
    println!("{code}\n  the rule: change its documentation, its risk and `repair`");
    println!("{cases}\n  its cases: the example, a near miss, a nested one, one inside a string");
    println!("{module}\n  the module");
    println!("rules/src/presets.rs\n  the last of the list, with its smallest preset");
    println!("\nThen: cargo test -p jsonseam-rules {stem} && cargo xtask docs");
    Ok(Verdict::pass(format!("rule `{name}` is ready to be changed")))
}

/// Names of rules become names of modules, so what Rust or this crate uses is taken.
fn check_name(name: &str) -> Result<()> {
    const TAKEN: [&str; 54] = [
        "lib", "main", "mod", "rule", "rules", "all", "laws", "as", "async", "await", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
        "let", "loop", "macro", "match", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
        "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
        "while", "yield",
    ];
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_kebab = name.split('-').all(is_part) && name.starts_with(|first: char| first.is_ascii_lowercase());
    if !is_kebab {
        bail!("`{name}` is not in kebab-case: lower-case words, joined by hyphens");
    }
    if TAKEN.contains(&name) {
        bail!("`{name}` cannot be the name of a module");
    }
    Ok(())
}

/// The name of the type: each word capitalised.
fn pascal(name: &str) -> String {
    name.split('-')
        .map(|part| {
            let (first, rest) = part.split_at(part.len().min(1));
            first.to_ascii_uppercase() + rest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{check_name, pascal};

    #[test]
    fn names_are_in_kebab_case_and_free() {
        for good in ["trailing-comma", "utf16-mark", "a"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "-", "a-", "-a", "a--b", "Trailing", "a_b", "a/b", "1st", "é", "match", "lib", "a b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn types_are_named_after_their_rules() {
        assert_eq!(pascal("utf16-byte-order-mark"), "Utf16ByteOrderMark");
    }
}
