//! What jsonseam's presets and the peers in Rust show of a text in pieces: a line with an object in, a line with an object out.
//!
//! `streams --list` names them, `streams NAME` answers for one; `cargo xtask scoreboard --streams` drives it like the peers in `bench/peers/streams/`,
//! whose `peer_streams.py` says what is in the objects.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use jsonfix::StreamRepairer;
use jsonseam::{Config, Pipeline, Root, Stream, StreamOptions};
use jsonseam_bench::{Watchdog, version};
use serde::{Deserialize, Serialize};

/// A text that takes longer counts as one that the library does not come back from.
const PATIENCE: Duration = Duration::from_secs(60);

/// A text in pieces.
#[derive(Deserialize)]
struct Request {
    pieces: Vec<String>,
    shows: bool,
}

/// What a library made of it.
#[derive(Default, Serialize)]
struct Reply {
    views: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    nanoseconds: u64,
    crashed: bool,
}

/// A library that reads a text in pieces.
trait Reader {
    /// Takes the next piece, as a program does that wants to know what is new.
    fn push(&mut self, piece: &str);

    /// What is to be seen, as JSON.
    fn view(&self) -> Option<String>;

    /// What the whole text is.
    fn finish(self: Box<Self>) -> Option<String>;
}

/// Ours.
struct Ours(Stream);

impl Reader for Ours {
    fn push(&mut self, piece: &str) {
        if let Ok(mut events) = self.0.push(piece) {
            while let Some(event) = events.next() {
                black_box(&event);
            }
        }
    }

    fn view(&self) -> Option<String> {
        let snapshot = self.0.snapshot();
        snapshot.has_begun().then(|| snapshot.text())
    }

    fn finish(self: Box<Self>) -> Option<String> {
        Some(self.0.finish(None).ok()?.into_text().into_owned())
    }
}

/// That of `jsonfix`, which gives a piece back after which the text cannot be repaired: it is put before the next one.
#[derive(Default)]
struct Jsonfix {
    repairer: StreamRepairer,
    rejected: String,
}

impl Reader for Jsonfix {
    fn push(&mut self, piece: &str) {
        self.rejected.push_str(piece);
        if black_box(self.repairer.push_delta(&self.rejected)).is_ok() {
            self.rejected.clear();
        }
    }

    fn view(&self) -> Option<String> {
        self.rejected.is_empty().then(|| self.repairer.output().to_owned())
    }

    fn finish(self: Box<Self>) -> Option<String> {
        self.view()
    }
}

type Start = Box<dyn Fn() -> Box<dyn Reader>>;

/// Everyone, in the order of the table: the name, the crate whose version counts, and how a text is begun.
fn everyone() -> Vec<(&'static str, &'static str, Start)> {
    fn ours(preset: &str) -> Start {
        let config = Config::default().with_preset(preset).with_root(Root::Any);
        let pipeline: Pipeline = jsonseam::pipeline(&config).expect("the preset is built in");
        Box::new(move || Box::new(Ours(pipeline.stream(StreamOptions::new()))))
    }
    vec![
        ("jsonseam strict", "jsonseam", ours("strict")),
        ("jsonseam standard", "jsonseam", ours("standard")),
        ("jsonseam lenient", "jsonseam", ours("lenient")),
        ("jsonfix", "jsonfix", Box::new(|| Box::new(Jsonfix::default()))),
    ]
}

fn read(start: &Start, request: &Request) -> (Vec<String>, Option<String>) {
    let mut reader = start();
    let mut views: Vec<String> = Vec::new();
    for piece in &request.pieces {
        reader.push(black_box(piece));
        if request.shows {
            let view = reader.view();
            views.extend(view.filter(|view| views.last() != Some(view)));
        }
    }
    (views, reader.finish())
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let all = everyone();
    if name == "--list" {
        return all.iter().for_each(|(name, ..)| println!("{name}"));
    }
    let (_, package, start) = all.into_iter().find(|(known, ..)| *known == name).expect("a name of --list");
    if std::env::var_os("PEER_VERSION").is_some() {
        return println!("{}", version(package));
    }
    std::panic::set_hook(Box::new(|_| {}));
    let watchdog = Watchdog::new(PATIENCE);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line.expect("lines are text")).expect("a line is a request");
        let (seen, nanoseconds) = watchdog.time(|| catch_unwind(AssertUnwindSafe(|| read(&start, &request))));
        let reply = match seen {
            Ok((views, end)) => Reply { views, end, nanoseconds, crashed: false },
            Err(_) => Reply { crashed: true, ..Reply::default() },
        };
        let reply = serde_json::to_string(&reply).expect("a reply is JSON");
        writeln!(out, "{reply}").and_then(|()| out.flush()).expect("someone reads");
    }
}
