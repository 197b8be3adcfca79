//! Runs the transcripts of the pages: they show what the command does.

mod common;
#[path = "../../jsonseam-reask/tests/support/model_server/mod.rs"]
mod model_server;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use common::place;
use model_server::{ModelServer, Reply, Script};

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

/// The languages of the fenced blocks of a page, each with how often it is there.
fn languages(page: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    let fences = page.lines().filter_map(|line| line.strip_prefix("```"));
    for language in fences.step_by(2) {
        *found.entry(language.split(' ').next().unwrap_or_default()).or_default() += 1;
    }
    found
}

/// Which tests run the blocks of a page, or compare them with what they show: the page, the language, the blocks, the file of the test.
///
/// Every shell block is also read by the test of the calls above, and by its like for `cargo xtask`.
const RUN: &[(&str, &str, usize, &str)] = &[
    ("README.md", "console", 1, "crates/jsonseam-cli/tests/guide.rs"),
    ("README.md", "js", 1, "bindings/js/test/pages.test.mjs"),
    ("README.md", "rust", 2, "crates/jsonseam/src/lib.rs"),
    ("README.md", "sh", 4, "crates/jsonseam-cli/tests/guide.rs"),
    ("README.md", "toml", 1, "crates/jsonseam/tests/readme.rs"),
    ("CONTRIBUTING.md", "sh", 1, "xtask/src/main.rs"),
    ("docs/agents.md", "console", 2, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/agents.md", "js", 2, "bindings/js/test/calls.test.mjs"),
    ("docs/agents.md", "python", 6, "bindings/python/tests_frameworks/conftest.py"),
    ("docs/agents.md", "rust", 1, "crates/jsonseam/src/lib.rs"),
    ("docs/command.md", "console", 26, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/command.md", "sh", 7, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/command.md", "yaml", 1, "crates/jsonseam-cli/tests/folders.rs"),
    ("docs/configuration.md", "toml", 1, "crates/jsonseam/tests/readme.rs"),
    ("docs/contracts.md", "console", 1, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/contracts.md", "json", 1, "crates/jsonseam-cli/tests/parse.rs"),
    ("docs/contracts.md", "rust", 2, "crates/jsonseam/src/lib.rs"),
    ("docs/contracts.md", "sh", 1, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/contracts.md", "text", 1, "crates/jsonseam-cli/tests/parse.rs"),
    ("docs/contracts.md", "toml", 1, "crates/jsonseam-cli/tests/parse.rs"),
    ("docs/data-engines.md", "json", 1, "bindings/python/tests_engines/test_page.py"),
    ("docs/data-engines.md", "python", 13, "bindings/python/tests_engines/test_page.py"),
    ("docs/data-engines.md", "sh", 3, "bindings/python/tests_engines/test_page.py"),
    ("docs/data-engines.md", "text", 1, "bindings/python/tests_engines/test_page.py"),
    ("docs/faq.md", "toml", 1, "crates/jsonseam/tests/readme.rs"),
    ("docs/from-json-repair.md", "python", 3, "bindings/python/tests/test_pages.py"),
    ("docs/from-jsonrepair.md", "js", 2, "bindings/js/test/pages.test.mjs"),
    ("docs/guarantees.md", "rust", 1, "crates/jsonseam/src/lib.rs"),
    ("docs/javascript.md", "js", 6, "bindings/js/test/pages.test.mjs"),
    ("docs/javascript.md", "sh", 3, "bindings/js/test/pages.test.mjs"),
    ("docs/patterns.md", "toml", 1, "crates/jsonseam/tests/readme.rs"),
    ("docs/performance.md", "sh", 1, "xtask/src/main.rs"),
    ("docs/python.md", "python", 6, "bindings/python/tests/test_pages.py"),
    ("docs/python.md", "sh", 1, "bindings/python/tests/test_pages.py"),
    ("docs/reask.md", "json", 2, "crates/jsonseam-cli/tests/ask/readme.rs"),
    ("docs/reask.md", "rust", 2, "crates/jsonseam/src/lib.rs"),
    ("docs/reask.md", "sh", 2, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/reask.md", "text", 1, "crates/jsonseam-cli/tests/ask/readme.rs"),
    ("docs/reask.md", "toml", 1, "crates/jsonseam/tests/reask.rs"),
    ("docs/record.md", "json", 1, "crates/jsonseam/tests/record.rs"),
    ("docs/risk-and-presets.md", "console", 1, "xtask/src/main.rs"),
    ("docs/risk-and-presets.md", "toml", 1, "crates/jsonseam/tests/readme.rs"),
    ("docs/rust.md", "rust", 4, "crates/jsonseam/src/lib.rs"),
    ("docs/rust.md", "sh", 1, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/scoreboard-calls.md", "sh", 1, "xtask/src/main.rs"),
    ("docs/streaming.md", "js", 1, "bindings/js/test/pages.test.mjs"),
    ("docs/streaming.md", "python", 1, "bindings/python/tests/test_pages.py"),
    ("docs/streaming.md", "rust", 4, "crates/jsonseam/src/lib.rs"),
    ("docs/streaming.md", "sh", 4, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/tool-calls.md", "console", 1, "crates/jsonseam-cli/tests/guide.rs"),
    ("docs/writing-rules.md", "rust", 2, "crates/jsonseam/tests/guide/main.rs"),
    ("docs/writing-rules.md", "sh", 2, "crates/jsonseam-cli/tests/house.rs"),
    ("docs/writing-rules.md", "toml", 2, "crates/jsonseam/tests/guide/main.rs"),
];

/// Drawings, which nothing can run.
const DRAWN: &[(&str, &str, usize)] = &[("docs/architecture.md", "text", 2)];

#[test]
fn every_block_of_the_pages_is_one_that_a_test_runs_or_compares() {
    let root = Path::new(ROOT);
    let mut blocks = BTreeSet::new();
    for page in pages() {
        let name = page.strip_prefix(root).expect("it is in the repository").to_string_lossy().replace('\\', "/");
        // That README has tests of its own, in its crate.
        if name.starts_with("examples/") {
            continue;
        }
        let text = std::fs::read_to_string(&page).expect("the page is there");
        for (language, count) in languages(&text) {
            blocks.insert((name.clone(), language.to_owned(), count));
        }
    }
    let run = RUN.iter().map(|&(page, language, count, _)| (page, language, count)).chain(DRAWN.iter().copied());
    let run: BTreeSet<_> = run.map(|(page, language, count)| (page.to_owned(), language.to_owned(), count)).collect();
    let (untested, gone): (Vec<_>, Vec<_>) = (blocks.difference(&run).collect(), run.difference(&blocks).collect());
    assert!(untested.is_empty() && gone.is_empty(), "blocks that no test runs: {untested:?}; not there: {gone:?}");
    for (page, _, _, test) in RUN {
        let text = std::fs::read_to_string(root.join(test)).expect("the test is there");
        let name = page.strip_prefix("docs/").unwrap_or(page);
        // The tasks are looked for on every page.
        assert!(text.contains(name) || text.contains("root.stems(\"docs\", \"md\")"), "{test} does not read {page}");
    }
}

/// The blocks of shell of a page.
fn shell_blocks(page: &str) -> Vec<&str> {
    page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// The programs of the page that are not ours.
fn has(program: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {program}")]).output().is_ok_and(|found| found.status.success())
}

#[test]
fn the_shell_of_the_page_of_the_command_runs_to_its_end() {
    if !has("jq") || !has("git") {
        common::not_run("jq or git is not installed");
        return;
    }
    let here = place()
        .with("answer.txt", "Sure: {\"city\": \"Oslo\",}")
        .with("answers.md", "{\"id\": 1}\n\n{\"id\": 2,}\n")
        .with("answers.jsonl", "{\"id\": 1, \"completion\": \"{\\\"a\\\": 1,}\"}\n")
        .with("in.jsonl", "{\"id\": 7, \"completion\": \"none\"}\n")
        .with("array.json", "[{\"completion\": \"{}\"}]");
    for directory in [".local/share/bash-completion/completions", ".git"] {
        std::fs::create_dir_all(here.path(directory)).expect("a directory can be made");
    }
    std::fs::remove_dir(here.path(".git")).expect("it is empty");
    let shell = |script: &str| {
        let binaries = Path::new(common::JSONSEAM).parent().expect("it is in a directory");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([binaries.to_owned()].into_iter().chain(std::env::split_paths(&path)));
        let mut command = Command::new("sh");
        command.args(["-ec", script]).current_dir(here.0.path()).env("HOME", here.0.path());
        let output = command.env("PATH", path.expect("a list of paths")).env_remove("JSONSEAM_PRESET").output();
        common::Ran::from(output.expect("a shell is there"))
    };
    shell("git init --quiet . && git add answers.jsonl").exits(0);
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/command.md")).expect("the page is there");
    let mut printed = String::new();
    for block in shell_blocks(&text) {
        // What follows a file that grows would never end, and has tests of its own.
        let ran = shell(&block.replace("tail -f", "cat"));
        assert_eq!(ran.code, Some(0), "{block}: {} {}", ran.text(), ran.stderr);
        printed.push_str(ran.text());
    }
    for part in ["\"Oslo\"", "[\n  1,\n  2\n]", "\n7\n", "{\"status\":\"repaired\",\"value\":{\"a\":1}}"] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
    assert!(here.read("repaired.jsonl").contains("\"status\":\"valid\""));
    let listed = ["man1/jsonseam.1", "bash-completion/completions/jsonseam"];
    assert!(
        listed.iter().all(|file| here.read(&format!(".local/share/{}", file.replace("man1", "man/man1"))).len() > 100)
    );
}

/// What the page shows of `--follow`, with an answer in place of a model's.
#[test]
fn the_shell_of_the_page_of_streams_gives_events() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/streaming.md")).expect("the page is there");
    let here = place()
        .with("tools.json", r#"[{"name": "weather", "input_schema": {"type": "object"}}]"#)
        .with("answer", r#"{"days": 2, "summary": "a walk"}"#)
        .with("call", r#"<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>"#);
    let blocks = shell_blocks(&text);
    assert_eq!(blocks.len(), 4);
    let answer = Reply::content(r#"{"city": "Oslo", "days": 2}"#);
    let server = ModelServer::start(Script::new([answer])).expect("a port is free");
    for block in blocks {
        let script = block
            .replace("http://localhost:8000/v1", &server.base_url())
            .replace("jsonseam ", &format!("{} ", common::JSONSEAM))
            .replace("ollama run llama3 < question.txt", "cat answer")
            .replace("ollama run qwen3 < question.txt", "cat call");
        let output = Command::new("sh").args(["-ec", &script]).current_dir(here.0.path()).output().expect("a shell");
        let ran = common::Ran::from(output).exits(0);
        let lines: Vec<_> = ran.text().lines().collect();
        assert!(lines.len() > 3 && lines.iter().all(|line| line.starts_with('{')), "{}", ran.text());
    }
}

/// The `cargo add` of the guides, in a crate that has just been made next to a clone.
#[test]
fn the_lines_that_add_the_crate_add_it() {
    let here = place();
    let clone = Path::new(ROOT).canonicalize().expect("it is there");
    let mut lines = 0;
    for page in ["README.md", "docs/rust.md"] {
        let text = std::fs::read_to_string(clone.join(page)).expect("the page is there");
        for line in
            shell_blocks(&text).iter().flat_map(|block| block.lines()).filter(|line| line.starts_with("cargo add"))
        {
            let name = format!("fresh-{lines}");
            let command = line.replace("../jsonseam/", &format!("{}/", clone.display()));
            let script = format!("cargo init --quiet --vcs none {name} && cd {name} && {command}");
            let mut shell = Command::new("sh");
            shell.args(["-ec", &script]).current_dir(here.0.path()).env("CARGO_NET_OFFLINE", "true");
            common::Ran::from(shell.output().expect("a shell is there")).exits(0);
            assert!(here.read(&format!("{name}/Cargo.toml")).contains("jsonseam = { version = "), "{line}");
            lines += 1;
        }
    }
    assert!(lines >= 2, "{lines} lines");
}
