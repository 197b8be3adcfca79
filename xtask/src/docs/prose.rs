//! Words that the pages do not use, and what to write instead.

use std::fs;

use anyhow::Result;

use crate::workspace::Workspace;

/// Words and turns that readers stumble over, each with its replacement.
const BANNED: &[(&str, &str)] = &[
    ("behind", "before, after, following"),
    ("is told of", "reports"),
    ("nobody", "no one"),
    ("is none", "is not one"),
    ("of no account", "ignored"),
    ("what comes of it", "the result"),
    ("stands", "is"),
    ("handed out", "returned"),
    ("their kin", "and the like"),
    ("without a word", "silently"),
    ("parted by", "separated by"),
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("mend", "repair"),
];

/// Good English with a banned word in it.
const FINE: [&str; 3] = ["there is none", "stands for", "as it stands"];

/// Pages beside those of the documentation and the crates.
const PAGES: [&str; 6] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "examples/house-rules/README.md",
    "bindings/python/README.md",
    "bindings/js/README.md",
];

/// The places of banned words in the pages, the messages of the libraries and the help of the command.
pub(super) fn complaints(workspace: &Workspace) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let mut pages: Vec<String> = PAGES.iter().map(|path| (*path).to_owned()).collect();
    pages.extend(workspace.stems("docs", "md")?.into_iter().map(|stem| format!("docs/{stem}.md")));
    pages.extend(workspace.stems("docs/rules", "md")?.into_iter().map(|stem| format!("docs/rules/{stem}.md")));
    pages.extend(files(workspace, "crates", "md")?.into_iter().filter(|path| path.ends_with("/README.md")));
    for path in pages {
        for (number, line) in workspace.read(&path)?.lines().enumerate() {
            for (word, instead) in found(&without_code(line)) {
                complaints.push(format!("{path}:{}: `{word}`; write: {instead}", number + 1));
            }
        }
    }
    for path in files(workspace, "crates", "rs")?.into_iter().filter(|path| is_of_a_product(path)) {
        let is_help = path.contains("jsonseam-cli/src/arguments");
        let source = workspace.read(&path)?;
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            for (word, instead) in shown(line, is_help).iter().flat_map(|text| found(&without_code(text))) {
                complaints.push(format!("{path}:{}: `{word}`; write: {instead}", number + 1));
            }
        }
    }
    for (folder, extension) in PLACES {
        for path in files(workspace, folder, extension)? {
            for (number, line) in workspace.read(&path)?.lines().enumerate() {
                for (word, instead) in found(&without_code(line)).filter(|_| is_remark(line)) {
                    complaints.push(format!("{path}:{}: `{word}`; write: {instead}", number + 1));
                }
            }
        }
    }
    Ok(complaints)
}

/// Where comments and the names of cases do not use the banned words either.
const PLACES: [(&str, &str); 8] = [
    ("crates", "rs"),
    ("crates", "toml"),
    ("rules", "rs"),
    ("rules", "toml"),
    ("corpus", "toml"),
    ("xtask", "rs"),
    ("fuzz/src", "rs"),
    ("examples/house-rules/src", "rs"),
];

/// Whether a line of a source is a comment, or one of a case says what the case is.
fn is_remark(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "name = ", "why = "].iter().any(|start| line.starts_with(start))
}

/// Whether a source is of the libraries or the command, and not of tests.
fn is_of_a_product(path: &str) -> bool {
    path.contains("/src/") && !path.contains("-testkit/") && !path.contains("tests/") && !path.ends_with("/tests.rs")
}

/// The files below a folder whose names end so, in order.
fn files(workspace: &Workspace, folder: &str, extension: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace.path(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            found.extend(files(workspace, &path, extension)?);
        } else if entry.path().extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// What a line of code shows to people: its strings, and in the command line's declaration the documentation, which is its help.
fn shown(line: &str, is_help: bool) -> Vec<&str> {
    match line.trim_start() {
        comment if comment.starts_with("//") => comment.strip_prefix("///").filter(|_| is_help).into_iter().collect(),
        code => code.split('"').skip(1).step_by(2).collect(),
    }
}

/// The banned words of a line, whatever their case.
fn found(line: &str) -> impl Iterator<Item = &'static (&'static str, &'static str)> + use<> {
    let mut line = line.to_lowercase();
    for fine in FINE {
        line = line.replace(fine, "");
    }
    let is_letter = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    BANNED.iter().filter(move |(word, _)| {
        line.match_indices(word).any(|(start, _)| {
            let (before, after) = (&line[..start], &line[start + word.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    })
}

/// The line without what is in back-ticks: names are as they are.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::{found, is_remark, shown, without_code};

    fn words(line: &str) -> Vec<&'static str> {
        found(&without_code(line)).map(|(word, _)| *word).collect()
    }

    #[test]
    fn banned_words_are_found_whole_and_outside_of_code() {
        assert_eq!(words("The comma Behind it."), ["behind"]);
        assert_eq!(words("`mended_by` and `fence-behind-text`, recommended amendments"), [""; 0]);
        assert_eq!(words("It is nobody's fault, and is none."), ["nobody", "is none"]);
        assert_eq!(words("There is none: `*` stands for it."), [""; 0]);
    }

    #[test]
    fn comments_and_what_cases_say_are_remarks() {
        for line in ["    /// A token", "# A case", "name = \"after it\"", "why = 'It is.'"] {
            assert!(is_remark(line), "{line}");
        }
        assert!(!is_remark("input = \"behind\""));
    }

    #[test]
    fn strings_are_shown_and_comments_are_not() {
        assert_eq!(shown("    say(\"no\", a, \"yes\"); // \"x\"", false), ["no", "yes", "x"]);
        assert_eq!(shown("    /// Behind it.", false), [""; 0]);
        assert_eq!(shown("    /// Repairs a text", true), [" Repairs a text"]);
    }
}
