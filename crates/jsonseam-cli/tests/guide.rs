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
