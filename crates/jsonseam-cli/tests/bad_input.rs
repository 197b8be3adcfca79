//! Bad input of every kind: a clear message, the right exit code, nothing lost.

mod common;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use common::place;

#[test]
fn empty_and_blank_input_is_refused_as_such() {
    place().run_on(&["repair"], "").exits(1).prints("").says("the input is empty (no_json_object_found)");
    place().run_on(&["repair"], " \n\t\r\n").exits(1).prints("").says("only white space (no_json_object_found)");
    place().run_on(&["repair"], "no JSON here").exits(1).says("no_json_object_found").says("help:");
}

#[test]
fn invalid_utf8_is_refused_with_its_offset() {
    let ran = place().run_on(&["repair", "--report", "-"], b"{\"a\": \"\xFF\"}").exits(1).says("not UTF-8 from byte 7");
    let record = ran.json();
    assert_eq!(record["error"]["reason"], "invalid_utf8");
    assert_eq!(record["error"]["offset"], 7);
    place().run_on(&["check"], b"\"\xC0\xAF\"").exits(1).says("not UTF-8");
}

#[test]
fn utf16_is_named_where_its_mark_is_missing_or_it_is_broken() {
    let little: Vec<u8> = "{\"ä\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}{\"a\":1}".encode_utf16().flat_map(u16::to_be_bytes).chain([0]).collect();
    for bytes in [little, big] {
        place().run_on(&["repair"], &bytes).exits(1).prints("").says("looks like UTF-16, convert it to UTF-8");
        place().run_on(&["check"], &bytes).exits(1).says("looks like UTF-16, convert it to UTF-8");
    }
}

#[test]
fn binary_input_is_refused() {
    let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    place().run_on(&["repair"], &bytes).exits(1).prints("");
    place().run_on(&["repair"], "\0\0{\0").exits(1).prints("");
}

#[test]
fn what_cannot_be_read_is_an_error_of_its_own() {
    let here = place();
    fs::create_dir(here.path("directory")).expect("a directory can be made");
    for command in ["repair", "check", "batch"] {
        here.run(&[command, "gone.json"]).exits(2).prints("").says("cannot read gone.json");
        let problem = if command == "batch" { "cannot read directory" } else { "directory: no files match" };
        here.run(&[command, "directory"]).exits(2).prints("").says(problem);
    }
}

#[test]
fn broken_configurations_are_named_with_their_place() {
    let refused = |toml: &str, part: &str| {
        let here = place().with("jsonseam.toml", toml);
        here.run_on(&["repair"], "{}").exits(2).prints("").says("jsonseam.toml:").says(part);
        here.run_on(&["batch"], "{}\n").exits(2).prints("");
        here.run_on(&["check"], "{}").exits(2).prints("");
        here.run(&["config", "check"]).exits(2).prints("").says(part);
    };
    refused("preset = ", "");
    refused("presett = \"strict\"", "presett");
    refused("[rules]\nenable = [\"trailing-coma\"]", "trailing-comma");
    refused("[limits]\nmax-depth = 128", "127");
    refused("[reask]\nmax-atempts = 1", "max-attempts");
    refused("[rules.trailing-comma]\nnonsense = 1", "nonsense");
    refused("[[pattern]]\nname = \"x\"\nat = \"colon\"\nfind = '('\nreplace = \":\"\nrisk = \"likely\"", "");
    let here = place().with("jsonseam.toml", b"preset = \"\xFF\"");
    here.run_on(&["repair"], "{}").exits(2).says("not UTF-8");
    fs::create_dir(here.path("directory")).expect("a directory can be made");
    here.run(&["repair", "--config", "directory"]).exits(2).says("directory");
}

#[test]
fn more_than_the_limit_is_not_read() {
    let here = place().with("jsonseam.toml", "[limits]\nmax-input-bytes = 100000\n");
    here.run_on(&["repair"], vec![b'x'; 100_001]).exits(1).prints("").says("max-input-bytes").says("limit_exceeded");
    here.run_on(&["check"], vec![b' '; 100_001]).exits(1).says("max-input-bytes");
    here.run_on(&["repair"], format!("{{}}{}", " ".repeat(99_998))).exits(0);
}

/// A stream without end must be refused all the same: if it were read to its end, this would never return.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_stream_is_refused_in_little_memory() {
    let here = place().with("jsonseam.toml", "[limits]\nmax-input-bytes = 1000000\n");
    here.run(&["repair", "/dev/zero"]).exits(1).says("limit_exceeded");
    here.run(&["repair", "--config", "/dev/zero"]).exits(2);
}

/// Feeds `total` bytes of one line to a batch and gives the most memory it had, in KiB.
#[cfg(target_os = "linux")]
fn peak_of_batch_on_line(total: usize) -> (u64, String) {
    let here = place().with("jsonseam.toml", "[limits]\nmax-input-bytes = 100000\n");
    let mut command = here.command(&["batch", "--jobs", "2"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let block = vec![b'x'; 1 << 20];
    stdin.write_all(b"{\"completion\":\"{}\"}\n").expect("it is read");
    for _ in 0..total / block.len() {
        stdin.write_all(&block).expect("it is read");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel tells it");
    let peak = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    stdin.write_all(b"\n{\"completion\":\"{}\"}\n").expect("it is read");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    (peak, String::from_utf8(output.stdout).expect("it is text"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_a_gibibyte_is_passed_over_in_little_memory() {
    let (peak, out) = peak_of_batch_on_line(1 << 30);
    assert!(peak < 64 << 10, "{peak} KiB");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[1],
        "{\"jsonseam\":{\"status\":\"refused\",\"error\":{\"code\":\"bad_record\",\"reason\":\"too_long\",\"line\":2}}}"
    );
    assert!(lines[2].starts_with("{\"completion\":\"{}\",\"jsonseam\":{"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let here = place().with("a.jsonl", "{\"completion\":\"{}\"}\n".repeat(50_000));
    for arguments in [["repair", "-"].as_slice(), &["rules"], &["batch", "a.jsonl"], &["man"], &["--help"]] {
        let full = fs::File::options().write(true).open("/dev/full").expect("the device exists");
        let mut child = here
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        child
            .stdin
            .take()
            .expect("it is piped")
            .write_all(b"{}")
            // Some of the commands do not read.
            .unwrap_or_default();
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{arguments:?}: {stderr}");
    }
    for arguments in
        ["repair big.json", "rules", "batch a.jsonl", "completions bash", "--help", "explain trailing-comma"]
    {
        fs::write(here.path("big.json"), format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20))).expect("it is written");
        let script = format!("{{ {} {arguments}; echo $? >code; }} 2>errors | head -c 1", common::JSONSEAM);
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(here.0.path())
            .output()
            .expect("it runs");
        assert_eq!(output.stdout.len(), 1, "{arguments}");
        assert_eq!((here.read("code").trim(), here.read("errors").as_str()), ("0", ""), "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_error_that_is_full_or_closed_changes_nothing() {
    let here = place();
    let script = format!("printf '{{\"a\":1,}}' | {} repair -v 2>/dev/full", common::JSONSEAM);
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(here.0.path()).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"{\"a\":1}".as_slice()));
    let script = format!("printf '{{\"a\" 1}}' | {} repair 2>&-", common::JSONSEAM);
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(here.0.path()).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"".as_slice()));
}
