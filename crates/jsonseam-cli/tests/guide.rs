//! Runs the transcripts of the pages: they show what the command does.

mod common;

use std::path::Path;
use std::process::Command;

use common::place;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The commands of a page, each with what it shows.
fn transcripts(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        match (is_inside, line.strip_prefix("$ ")) {
            (false, _) => is_inside = line == "```console",
            (true, _) if line == "```" => is_inside = false,
            (true, Some(command)) => found.push((command.to_owned(), String::new())),
            (true, None) => {
                if let Some((_, shown)) = found.last_mut() {
                    shown.push_str(line);
                    shown.push('\n');
                }
            }
        }
    }
    found
}

/// Runs the transcripts of a page of the repository in a directory, and compares what comes out with what the page shows.
fn run(page: &str, directory: &Path, at_least: usize) {
    let text = std::fs::read_to_string(Path::new(ROOT).join(page)).expect("the page is there");
    let binaries = Path::new(common::JSONSEAM).parent().expect("it is in a directory");
    let path = std::env::join_paths(
        [binaries.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let path = path.expect("it is a list of paths");
    let transcripts = transcripts(&text);
    assert!(transcripts.len() >= at_least, "{page}: {} commands", transcripts.len());
    for (command, shown) in transcripts {
        // A build within a test would wait for the build that the test is part of.
        let built = command.replace("cargo run --quiet --package jsonseam-cli -- ", "jsonseam ");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{{ {built}; }} 2>&1")]).current_dir(directory).env("PATH", &path);
        let output = shell.env_remove("JSONSEAM_PRESET").output().expect("a shell is there");
        let mut printed = String::from_utf8(output.stdout).expect("it is text");
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push('\n');
        }
        assert_eq!(printed, shown, "{page}: $ {command}");
    }
}

#[test]
fn the_page_shows_what_the_command_does() {
    run("docs/command.md", place().0.path(), 31);
}

/// The refusal of the README. What its first command prints is a picture, which `cargo xtask docs --check` compares.
#[test]
fn the_readme_shows_what_the_command_does() {
    run("README.md", Path::new(ROOT), 1);
}

/// The transcript that needs a server is run with the tests of `ask`.
#[test]
fn the_guide_to_contracts_shows_what_the_command_does() {
    run("docs/contracts.md", Path::new(ROOT), 1);
}

#[test]
fn the_page_for_agents_shows_what_the_command_does() {
    run("docs/agents.md", place().0.path(), 8);
}

#[test]
fn the_page_of_tool_calls_shows_what_the_command_does() {
    run("docs/tool-calls.md", place().0.path(), 1);
}

/// The Markdown files of the repository that tell users what to type.
fn pages() -> Vec<std::path::PathBuf> {
    let root = Path::new(ROOT);
    let docs = std::fs::read_dir(root.join("docs")).expect("there is documentation");
    let docs =
        docs.map(|entry| entry.expect("it can be read").path()).filter(|path| path.extension() == Some("md".as_ref()));
    docs.chain(["README.md", "CONTRIBUTING.md", "examples/house-rules/README.md"].map(|page| root.join(page))).collect()
}

/// The calls of `jsonseam` in the blocks of shell, which read files that a user has, or wait for input: each with its flags.
fn calls(page: &str) -> Vec<Vec<String>> {
    let mut is_shell = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_shell = line == "```sh";
        } else if is_shell {
            let line = line.split(" #").next().unwrap_or_default();
            let parts = line
                .split(['|', '>', ';'])
                .flat_map(|part| part.split("&&"))
                .map(|part| part.trim().trim_start_matches("exec "));
            let built = |part: &str| part.replace("cargo run --quiet --package jsonseam-cli -- ", "jsonseam ");
            found.extend(parts.map(built).filter(|part| part.starts_with("jsonseam ")).map(|part| words(&part)));
        }
    }
    found
}

/// The arguments of a call, as the shell reads them.
fn words(call: &str) -> Vec<String> {
    let output = Command::new("sh").args(["-c", &format!("printf '%s\\n' {call}")]).output().expect("a shell is there");
    String::from_utf8(output.stdout).expect("it is text").lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn every_call_in_a_block_of_shell_is_one_that_the_command_takes() {
    let mut count = 0;
    for page in pages() {
        for call in calls(&std::fs::read_to_string(&page).expect("the page is there")) {
            // With `--help` nothing is read or written, and what comes before it is judged.
            let mut command = Command::new(common::JSONSEAM);
            let output = command.args(&call).arg("--help").output().expect("it starts");
            assert!(
                output.status.success(),
                "{}: jsonseam {}: {}",
                page.display(),
                call.join(" "),
                String::from_utf8_lossy(&output.stderr)
            );
            count += 1;
        }
    }
    assert!(count >= 14, "{count} calls");
    let refused =
        Command::new(common::JSONSEAM).args(["batch", "--fieldz", "a", "--help"]).output().expect("it starts");
    assert!(!refused.status.success(), "a flag that does not exist is seen");
}
