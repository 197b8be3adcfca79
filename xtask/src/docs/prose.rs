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
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("mend", "repair"),
];

/// The places of banned words in the pages, the messages of the libraries and the help of the command.
pub(super) fn complaints(workspace: &Workspace) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let mut pages: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md"].iter().map(|path| (*path).to_owned()).collect();
    pages.extend(workspace.stems("docs", "md")?.into_iter().map(|stem| format!("docs/{stem}.md")));
    // The pages of rules are written from the rules' sources, which are being replaced: their turn comes with those.
    pages.retain(|page| page != "docs/rules.md");
    for path in pages {
        for (number, line) in workspace.read(&path)?.lines().enumerate() {
            for (word, instead) in found(&without_code(line)) {
                complaints.push(format!("{path}:{}: `{word}`; write: {instead}", number + 1));
            }
        }
    }
    for path in sources(workspace, "crates")? {
        let is_help = path.contains("jsonseam-cli/src/arguments");
        let source = workspace.read(&path)?;
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            for (word, instead) in shown(line, is_help).iter().flat_map(|text| found(&without_code(text))) {
                complaints.push(format!("{path}:{}: `{word}`; write: {instead}", number + 1));
            }
        }
    }
    Ok(complaints)
}

/// The sources of the libraries and the command, without those of tests.
fn sources(workspace: &Workspace, folder: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace.path(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() && !path.contains("tests") && !path.ends_with("-testkit") {
            found.extend(sources(workspace, &path)?);
        } else if entry.path().extension().is_some_and(|extension| extension == "rs")
            && path.contains("/src/")
            && !path.ends_with("/tests.rs")
        {
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
    // What is absent "is none" in good English too.
    let line = line.to_lowercase().replace("there is none", "");
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
    use super::{found, shown, without_code};

    fn words(line: &str) -> Vec<&'static str> {
        found(&without_code(line)).map(|(word, _)| *word).collect()
    }

    #[test]
    fn banned_words_are_found_whole_and_outside_of_code() {
        assert_eq!(words("The comma Behind it."), ["behind"]);
        assert_eq!(words("`mended_by` and `fence-behind-text`, recommended amendments"), [""; 0]);
        assert_eq!(words("It is nobody's fault, and is none."), ["nobody", "is none"]);
    }

    #[test]
    fn strings_are_shown_and_comments_are_not() {
        assert_eq!(shown("    say(\"no\", a, \"yes\"); // \"x\"", false), ["no", "yes", "x"]);
        assert_eq!(shown("    /// Behind it.", false), [""; 0]);
        assert_eq!(shown("    /// Repairs a text", true), [" Repairs a text"]);
    }
}
