//! What jsonseam's presets and the peers in Rust make of texts: a line with a JSON string in, a line with an object out.
//!
//! `answers --list` names them, `answers NAME` answers for one; `cargo xtask scoreboard` drives it like the peers in `bench/peers/`.
//! The object holds the repaired text, the nanoseconds it took and, of ours, whether it is marked as truncated; no text where the library gave up.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use jsonseam::{Config, Root};
use jsonseam_bench::{Watchdog, version};
use serde_json::json;

/// A text that takes longer counts as one that the library does not come back from.
const PATIENCE: Duration = Duration::from_secs(10);

/// A repaired text, and whether it is marked as one that was cut off.
type Repair = Box<dyn Fn(&str) -> Option<(String, bool)>>;

/// Everyone, in the order of the table: the name, the crate whose version counts, and what it does.
fn everyone() -> Vec<(&'static str, &'static str, Repair)> {
    fn unmarked(repair: impl Fn(&str) -> Option<String> + 'static) -> Repair {
        Box::new(move |text| Some((repair(text)?, false)))
    }
    let mut all: Vec<(&str, &str, Repair)> = Vec::new();
    for (name, preset) in
        [("jsonseam strict", "strict"), ("jsonseam standard", "standard"), ("jsonseam lenient", "lenient")]
    {
        let config = Config::default().with_preset(preset).with_root(Root::Any);
        let pipeline = jsonseam::pipeline(&config).expect("the preset is built in");
        let repair = move |text: &str| {
            let repaired = pipeline.repair(text).ok()?;
            let is_truncated = repaired.is_truncated();
            Some((repaired.into_text().into_owned(), is_truncated))
        };
        all.push((name, "jsonseam", Box::new(repair)));
    }
    all.push(("jsonfix", "jsonfix", unmarked(|text| jsonfix::repair(text).ok())));
    all.push(("jsonfix extract", "jsonfix", unmarked(|text| jsonfix::repair_extract(text).ok())));
    all.push(("jsonrepair-rs", "jsonrepair-rs", unmarked(|text| jsonrepair_rs::jsonrepair(text).ok())));
    all.push(("llm_json", "llm_json", unmarked(|text| llm_json::repair_json(text, &Default::default()).ok())));
    all.push(("anyrepair", "anyrepair", unmarked(|text| anyrepair::jsonrepair(text).ok())));
    all.push(("llm-json-repair", "llm-json-repair", unmarked(|text| Some(llm_json_repair::repair(text)))));
    all
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let all = everyone();
    if name == "--list" {
        return all.iter().for_each(|(name, ..)| println!("{name}"));
    }
    let (_, package, repair) = all.into_iter().find(|(known, ..)| *known == name).expect("a name of --list");
    if std::env::var_os("PEER_VERSION").is_some() {
        return println!("{}", version(package));
    }
    std::panic::set_hook(Box::new(|_| {}));
    let watchdog = Watchdog::new(PATIENCE);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line.expect("lines are text")).expect("a line is a JSON string");
        let (answer, nanoseconds) = watchdog.time(|| catch_unwind(AssertUnwindSafe(|| repair(black_box(&text)))));
        let answer = match answer {
            Ok(Some((text, is_marked))) => json!({"text": text, "nanoseconds": nanoseconds, "marked": is_marked}),
            Ok(None) => json!({"nanoseconds": nanoseconds}),
            Err(_) => json!({"nanoseconds": nanoseconds, "crashed": true}),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("someone reads");
    }
}
