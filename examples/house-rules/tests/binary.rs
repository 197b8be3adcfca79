//! The binary: its three exit codes, and that the text is alone on the standard output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_house-rules"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A run that refuses its arguments reads nothing, so the pipe may be closed already.
    let _ = child
        .stdin
        .take()
        .expect("the input is piped")
        .write_all(input);
    child.wait_with_output().expect("the binary ends")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_example_is_repaired_and_shows_its_seams() {
    let output = run(&["completion.txt"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    let expected = r#"{
  "order" : 1027,
  "note" : "\"a => b\" is text and stays",
  "items": [
    {"sku" : "A-1", "amount" : 2},
    {"sku" : "B-7", "amount" : null}
  ]
}"#;
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let seams = error(&output);
    assert_eq!(seams.lines().count(), 8, "{seams}");
    assert_eq!(
        seams.lines().next(),
        Some("bytes 54..56 became \":\" by house/fat-arrow (likely)")
    );
}

#[test]
fn standard_input_and_a_configuration_of_ones_own() {
    let output = run(&["-", "house-rules.toml"], br#"{"a" -> 1}"#);
    assert_eq!(output.stdout, br#"{"a" : 1}"#);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_refusal_ends_with_one() {
    for input in [&br#"{"a" ~> 1}"#[..], b"", b"{\"a\" => \xff}"] {
        let output = run(&[], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        assert!(
            error(&output).starts_with("refused: "),
            "{}",
            error(&output)
        );
    }
}

#[test]
fn what_cannot_be_used_ends_with_two() {
    for (arguments, message) in [
        (&["a", "b", "c"][..], "usage: "),
        (&["--help"], "usage: "),
        (&["no-such-file"], "no-such-file: "),
        (&["-", "no-such-file"], "no-such-file: "),
        (&["-", "completion.txt"], "completion.txt:1:"),
    ] {
        let output = run(arguments, b"{}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(error(&output).starts_with(message), "{}", error(&output));
    }
}
