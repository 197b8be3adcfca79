//! What was written can be taken back: backups, and diffs that `patch -R` takes whole.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::{not_run, place};

const BROKEN: &str = "{\"a\": [1, 2,],}";

#[test]
fn a_backup_holds_what_the_file_held_and_replaces_nothing() {
    let here = place().with("a.json", BROKEN).with("v.json", "{}");
    here.run(&["repair", "--write", "--backup", "a.json", "v.json"]).exits(0);
    assert_eq!((here.read("a.json").as_str(), here.read("a.json.bak").as_str()), ("{\"a\": [1, 2]}", BROKEN));
    assert_eq!(here.names(), ["a.json", "a.json.bak", "v.json"], "what is not changed needs no backup");
    let here = here.with("a.json", "{\"b\": 1,}");
    let ran = here.run(&["repair", "--write", "--backup", "a.json"]).exits(2);
    let ran =
        ran.says("a.json: not written, because its backup a.json.bak is there already and may be an older original");
    let ran = ran.says("move that away, or keep this one under another name: --backup=.SUFFIX");
    assert!(!ran.stderr.contains("os error"), "{}", ran.stderr);
    assert_eq!((here.read("a.json").as_str(), here.read("a.json.bak").as_str()), ("{\"b\": 1,}", BROKEN));
    here.run(&["repair", "--write", "--backup=.orig", "a.json"]).exits(0);
    assert_eq!(here.read("a.json.orig"), "{\"b\": 1,}");
    here.run(&["repair", "--backup", "a.json"]).exits(2).says("--write");
    here.run(&["repair", "--write", "--backup=/x", "a.json"]).exits(2).says("what a name ends in");
}

#[cfg(unix)]
#[test]
fn a_backup_has_the_mode_of_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let here = place().with("a.json", BROKEN);
    fs::set_permissions(here.path("a.json"), fs::Permissions::from_mode(0o600)).expect("the mode can be set");
    here.run(&["repair", "--write", "--backup", "a.json"]).exits(0);
    let mode = fs::metadata(here.path("a.json.bak")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn patch_takes_back_all_that_write_and_diff_wrote_and_showed() {
    let here = place();
    fs::create_dir(here.path("d")).expect("a directory can be made");
    let files = [
        ("d/two.json", "```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```\n"),
        ("d/crlf.json", "{\r\n\"a\": 1,\r\n}\r\n"),
        ("d/no end.json", "\u{feff}{\"a\":1,}"),
        ("d/cut.json", "{\"note\": \"half a sent"),
        ("d/lines.jsonl", "{\"id\": 1,}\n{\"id\" 2}\n{\"id\": 3,}\n"),
    ];
    let here = files.iter().fold(here, |here, (name, text)| here.with(name, text));
    let ran = here.run(&["repair", "--preset", "strict", "--write", "--diff", "d"]).exits(1);
    assert!(!ran.text().contains("two.json") && !ran.text().contains("cut.json"), "{}", ran.text());
    let here = here.with("undo.patch", &ran.stdout);
    assert_ne!(here.read("d/crlf.json"), files[1].1, "it was written");
    let patch = fs::File::open(here.path("undo.patch")).expect("it was written");
    let mut command = Command::new("patch");
    command.args(["-R", "-p0", "--binary"]).current_dir(here.0.path()).stdin(Stdio::from(patch));
    let Ok(output) = command.output() else { return not_run("patch is not installed") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    for (name, text) in files {
        assert_eq!(here.read(name), text, "{name}");
    }
}

/// Text in UTF-16, after its mark.
fn utf16(text: &str, is_big: bool) -> Vec<u8> {
    let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn utf_16_is_read_where_its_mark_says_so_and_written_as_utf_8() {
    let here =
        place().with("a.json", utf16("{\"n\": \"Zürich 🎈\",}", false)).with("b.json", utf16("{\"n\": 1}", true));
    here.run(&["repair", "a.json"]).exits(0).prints("{\"n\": \"Zürich 🎈\"}");
    here.run(&["repair", "b.json"]).exits(0).prints("{\"n\": 1}");
    here.run(&["repair", "--check", "b.json"]).exits(1).says("would change");
    here.run(&["parse", "--keys", "n", "--outputs-only", "b.json"]).exits(0).prints("{\"n\":1}\n");
    // JSON is UTF-8 (RFC 8259, section 8.1), so it is not valid as it is.
    here.run(&["check", "b.json"]).exits(1).says("it is UTF-16; `jsonseam repair` repairs it, in UTF-8");
    here.run(&["repair", "--write", "--diff", "b.json"]).exits(2).says("--backup keeps what it was");
    here.run(&["repair", "--write", "--backup", "b.json"]).exits(0);
    assert_eq!(here.read("b.json"), "{\"n\": 1}");
    assert_eq!(fs::read(here.path("b.json.bak")).expect("it is there"), utf16("{\"n\": 1}", true));
    let half = place().with("c.json", &utf16("{\"n\": 1,}", false)[..19]);
    half.run(&["repair", "c.json"]).exits(1).says("UTF-16");
}
