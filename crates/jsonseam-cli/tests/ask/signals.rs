//! Signals end a run without a half line anywhere.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{BAD, GOOD, WORSE, command, lines, place, says, serve};
use crate::model_server::{ModelServer, Reply};

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("`kill` runs");
    assert!(sent.success());
}

/// Waits until the server has been asked so often. The command may end before, which is seen later.
fn until_asked(server: &ModelServer, count: usize) {
    for _ in 0..2_000 {
        if server.asked().len() >= count {
            return;
        }
        sleep(Duration::from_millis(5));
    }
}

/// How it ends within ten seconds.
fn ending(child: &mut Child) -> ExitStatus {
    for _ in 0..2_000 {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("it still runs");
    panic!("the command does not end");
}

#[test]
fn a_signal_drops_the_run_and_leaves_whole_lines() {
    let late = |text: &str, delay_ms| Reply { delay_ms, ..says(text) };
    let mut interrupted = 0;
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        // While waiting for the first answer, for the second, in a pause of the transport, and anywhere in a quick run.
        for (replies, asked, pause) in [
            (vec![late(GOOD, 60_000)], 1, 0),
            (vec![says(BAD), late(GOOD, 60_000)], 2, 0),
            (vec![Reply::status(503)], 1, 30),
            (vec![Reply::status(429).with_header("Retry-After", "60")], 1, 30),
            (vec![late(BAD, 5), late(WORSE, 5), late(GOOD, 5)], 1, 3),
            (vec![late(BAD, 5), late(WORSE, 5), late(GOOD, 5)], 2, 0),
            (vec![late(BAD, 5), late(WORSE, 5), late(GOOD, 5)], 3, 4),
            (vec![late(BAD, 5), late(WORSE, 5), late(GOOD, 5)], 3, 40),
        ] {
            let server = serve(replies);
            let here = place();
            let mut child = command(&here, &server, &["--trace", "t.jsonl", "--trace-texts"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            until_asked(&server, asked);
            sleep(Duration::from_millis(pause));
            if child.try_wait().expect("it can be waited for").is_none() {
                signal(&child, name);
            }
            let ended = ending(&mut child).code();
            let output = child.wait_with_output().expect("it has ended");
            let stdout = String::from_utf8(output.stdout).expect("text");
            // A run that was faster than the signal has its whole answer.
            match ended {
                Some(0) => assert!(stdout.starts_with("{\"outputs\"") && stdout.ends_with("}\n"), "{stdout}"),
                other => assert_eq!((other, stdout.as_str()), (Some(code), "")),
            }
            interrupted += usize::from(ended == Some(code));
            assert!(!lines(&here.read("t.jsonl")).is_empty());
            let stderr = String::from_utf8(output.stderr).expect("text");
            assert!(stderr.is_empty() || stderr.ends_with('\n'), "{stderr}");
        }
    }
    assert!(interrupted >= 8, "{interrupted}");
}
