//! Nothing that acts on a terminal leaves the command for people's eyes.

mod common;

use common::{Ran, place};

/// Escape, bell, CSI of one byte, title, clipboard, link, bidirectional controls, marks, line ends.
const HOSTILE: [&str; 9] = [
    "\u{1b}[31m",
    "\u{7}\u{8}",
    "\u{9b}2J",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]52;c;aGk=\u{1b}\\",
    "\u{1b}]8;;http://x\u{7}",
    "\u{202e}\u{2066}\u{200f}",
    "\u{feff}\u{200b}",
    "\r\u{85}\u{2028}",
];

fn is_raw(character: char) -> bool {
    character.is_control() && character != '\n'
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[track_caller]
fn assert_clean(ran: &Ran) {
    assert!(!ran.stderr.contains(is_raw), "{:?}", ran.stderr);
}

#[test]
fn refusals_and_summaries_hold_nothing_of_the_text() {
    for hostile in HOSTILE {
        for text in [
            format!("{{\"a\" {hostile}1}}"),
            format!("{{\"CANARY{hostile}\":1,\"b\" 2}}"),
            format!("{hostile}{{\"a\":1,}}CANARY"),
            format!("{{\"a\":\"CANARY{hostile}\",}}"),
            format!("[CANARY{hostile}"),
        ] {
            for arguments in [["repair", "-v"], ["repair", "--check"], ["check", "-"], ["batch", "-v"]] {
                let ran = place().run_on(&arguments, &text);
                assert_clean(&ran);
                assert!(!ran.stderr.contains("CANARY"), "{:?}", ran.stderr);
            }
        }
    }
}

#[test]
fn the_explanation_is_escaped_and_the_product_is_not() {
    for hostile in HOSTILE.iter().filter(|hostile| !hostile.contains(|c: char| c < ' ')) {
        let text = format!("{{\"a\":\"{hostile}\",}}");
        let ran = place().run_on(&["repair", "--explain", "-v"], &text).exits(0);
        assert!(!ran.text().contains(is_raw), "{:?}", ran.text());
        assert!(ran.text().contains("\\u{"));
        place().run_on(&["repair"], &text).exits(0).prints(&text.replace(",}", "}"));
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_and_arguments_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    for hostile in HOSTILE {
        let name = format!("x{}", hostile.replace('/', "_"));
        let here = place().with(&name, "{\"a\" 1}").with("a.json", "{}");
        for arguments in [
            ["repair", name.as_str()].as_slice(),
            &["repair", "--write", &name, "a.json"],
            &["check", &name],
            &["repair", "gone", "--config", &name],
            &["config", "check", &name],
            &["repair", "--report", &format!("gone/{name}"), "a.json"],
            &["batch", "a.json", "-o", &format!("gone/{name}")],
            &["repair", "--enable", &name, "a.json"],
            &["explain", &name],
            &["repair", &format!("--{name}"), "a.json"],
            &["rules", "--preset", &name],
        ] {
            let ran = here.run(arguments);
            assert_ne!(ran.code, Some(0), "{arguments:?}");
            assert!(!ran.stderr.is_empty());
            assert_clean(&ran);
        }
    }
    let ran: Ran =
        place().command(&[OsStr::new("repair"), OsStr::from_bytes(b"\xFF\x1b")]).output().expect("it runs").into();
    assert_clean(&ran.exits(2));
}

/// Runs under a terminal made by `script`, where the diff is escaped too.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_diff_is_escaped_too() {
    let here = place().with("a.json", "{\"a\u{202e}\u{9b}\":1,}");
    let run = format!("{} repair --diff a.json", common::JSONSEAM);
    let Ok(output) = std::process::Command::new("script")
        .args(["-q", "-e", "-c", &run, "/dev/null"])
        .current_dir(here.0.path())
        .stdin(std::process::Stdio::null())
        .output()
    else {
        common::not_run("script is missing");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    assert!(shown.contains("-{\"a\\u{202e}\\u{9b}\":1,}"), "{shown:?}");
    assert!(shown.contains("a.json: repaired, 1 edit"), "the summary is shown on a terminal: {shown:?}");
    let raw = here.run(&["repair", "--diff", "a.json"]).exits(0);
    assert!(raw.text().contains("-{\"a\u{202e}\u{9b}\":1,}"), "a pipe gets what patch needs");
}
