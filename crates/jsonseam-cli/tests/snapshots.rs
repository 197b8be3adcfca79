//! The long texts of the command, compared exactly with kept files: help, refusals with their advice, mistakes in what it is given.
//!
//! `JSONSEAM_BLESS=1` writes the files anew, for review.

mod common;

use std::fmt::Write;
use std::path::Path;

use common::{Place, Ran, place};

/// Compares a text with the kept one.
#[track_caller]
fn matches(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("JSONSEAM_BLESS").is_some() {
        std::fs::write(&path, text).expect("the file is writable");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if let Some((number, (line, kept))) =
        text.lines().zip(kept.lines()).enumerate().find(|(_, (line, kept))| line != kept)
    {
        panic!("{name}:{}: kept is {kept:?}, and it is {line:?}; JSONSEAM_BLESS=1 takes it", number + 1);
    }
    assert_eq!(text.len(), kept.len(), "{name} is longer or shorter than what is kept; JSONSEAM_BLESS=1 takes it");
}

/// Runs without the width of a terminal, which help texts are wrapped to.
fn run(place: &Place, arguments: &[&str], input: &str) -> Ran {
    let file = place.path("stdin");
    std::fs::write(&file, input).expect("the file can be written");
    let output = place
        .command(arguments)
        .env_remove("COLUMNS")
        .env_remove("OPENAI_API_KEY")
        .stdin(std::fs::File::open(&file).expect("it was written"))
        .output()
        .expect("the command starts");
    output.into()
}

/// A command, its input and everything it says, as a transcript.
fn transcript(place: &Place, arguments: &[&str], input: &str, out: &mut String) {
    let ran = run(place, arguments, input);
    let shown: Vec<String> = arguments
        .iter()
        .map(|argument| if argument.contains(' ') { format!("'{argument}'") } else { (*argument).to_owned() })
        .collect();
    let _ = writeln!(out, "$ jsonseam {}", shown.join(" "));
    for line in input.lines() {
        let _ = writeln!(out, "< {line}");
    }
    out.push_str(ran.text());
    for line in ran.stderr.lines() {
        let _ = writeln!(out, "! {line}");
    }
    let _ = writeln!(out, "= {}\n", ran.code.expect("it was not ended by a signal"));
}

#[test]
fn the_help_of_every_command_is_as_reviewed() {
    let commands = [
        "repair",
        "check",
        "batch",
        "parse",
        "calls",
        "heal",
        "ask",
        "prompt",
        "rules",
        "explain",
        "init",
        "config",
        "completions",
        "man",
    ];
    let place = place();
    let mut text = String::new();
    transcript(&place, &["-h"], "", &mut text);
    transcript(&place, &["--help"], "", &mut text);
    for command in commands {
        transcript(&place, &[command, "--help"], "", &mut text);
    }
    for command in ["check", "show"] {
        transcript(&place, &["config", command, "--help"], "", &mut text);
    }
    matches("help.txt", &text);
}

/// A text that `lenient` reads in two ways: whether the second mark ends the value is not known.
const TWO_STRINGS: &str = "{\"a\": \"x \"y\", \"b\": \"z\", \"c\": 1}";

#[test]
fn p6_refusals_and_their_advice_are_as_reviewed() {
    let place = place();
    let mut text = String::new();
    for (arguments, input) in [
        (&["repair"][..], "{\"a\": 1"),
        (&["repair"], "{\"a\": None}"),
        (&["repair"], "{a: 1}"),
        (&["repair"], "{\"a\": @}"),
        (&["repair"], "There is none."),
        (&["repair"], ""),
        (&["repair"], "[1, 2]"),
        (&["repair", "--root", "array"], "{\"a\": 1}"),
        (&["repair"], "\"{\\\"a\\\": 1}\""),
        (&["repair", "--candidates", "only"], "{\"a\": 1} or {\"a\": 2}"),
        (&["repair", "--disable", "trailing-comma"], "{\"a\": 1,}"),
        (&["repair", "--max-risk", "certain", "--preset", "lenient"], "{\"a\": 1"),
        (&["repair", "--finish-reason", "length"], "{\"a\": [1,"),
        (&["repair", "--max-input-bytes", "4"], "{\"a\": 1}"),
        (&["repair", "--preset", "lenient"], TWO_STRINGS),
        (&["repair", "--preset", "lenient", "-v"], TWO_STRINGS),
        (&["repair", "--preset", "lenient", "--explain"], TWO_STRINGS),
        (&["repair", "--preset", "lenient", "--explain"], "{\"t\": [\"é\" \"b\" \"c\"], x: 1,}"),
        (&["repair", "--preset", "lenient"], "{\"n\": [{\"a\": [}, {\"a\": []}]}"),
        (
            &["repair", "--preset", "lenient", "--lines", "--explain"],
            "{\"a\": 1}\n{\"a\": \"x \"y\", \"b\": \"z\", \"c\": 1}",
        ),
        (&["repair", "--preset", "lenient", "--output-format", "github"], TWO_STRINGS),
        (&["parse", "--preset", "lenient", "--keys", "n"], "{\"n\": [{\"a\": [}, {\"a\": []}]}"),
        (&["check", "--preset", "lenient"], TWO_STRINGS),
        (&["check"], "{'a': 1}"),
        (&["parse", "--keys", "city,country"], "{\"city\": \"Oslo\", \"Country\": \"NO\"}"),
        (&["parse", "--keys", "city"], "{\"city\": 1, \"city\": 2}"),
        (&["calls"], "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\"</tool_call>"),
    ] {
        transcript(&place, arguments, input, &mut text);
    }
    matches("refusals.txt", &text);
}

#[test]
fn mistakes_of_users_are_answered_as_reviewed() {
    let place = place()
        .with("typo.toml", "preset = \"standart\"\n")
        .with("key.toml", "[rules]\nenabel = [\"comment\"]\n")
        .with("home.toml", "max-depth = 5\n")
        .with("rule.toml", "[rules]\nenable = [\"coment\"]\n")
        .with("risk.toml", "max-risk = \"likly\"\n")
        .with(
            "pattern.toml",
            "[[pattern]]\nname = \"acme/zero\"\nat = \"value\"\nfind = '('\nreplace = '0'\nrisk = \"guess\"\n",
        )
        .with("schema.json", "{\"type\": \"strin\"}")
        .with("tools.json", "{\"tools\": 1}");
    let mut text = String::new();
    for (arguments, input) in [
        (&["repare"][..], ""),
        (&["repair", "--preset", "standart"], "{}"),
        (&["repair", "--enable", "coment"], "{}"),
        (&["repair", "--enable", "acme/rule"], "{}"),
        (&["repair", "--max-risk", "likely", "--enable", "cut-member"], "{}"),
        (&["repair", "--candidates", "all"], "{}"),
        (&["repair", "--config", "typo.toml"], "{}"),
        (&["repair", "--config", "key.toml"], "{}"),
        (&["repair", "--config", "home.toml"], "{}"),
        (&["repair", "--config", "rule.toml"], "{}"),
        (&["repair", "--config", "risk.toml"], "{}"),
        (&["repair", "--config", "pattern.toml"], "{}"),
        (&["explain", "trailing-coma"], ""),
        (&["parse", "--schema", "schema.json"], "{}"),
        (&["calls", "--tools", "tools.json"], ""),
        (&["batch", "--shape", "opanai"], ""),
        (&["ask", "Where?"], ""),
    ] {
        transcript(&place, arguments, input, &mut text);
    }
    matches("mistakes.txt", &text);
}
