//! A JSON body as it comes: what is settled of it, and where it ends.

use std::ops::Range;

use jsonseam_core::{Commit, Pipeline, Stream, StreamOptions};
use jsonseam_text::Strings;

use super::settled::{Rules, Settled};
use crate::pack::Format;
use crate::template::Template;

/// How the value of a body goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// More of it is needed.
    Open,
    /// Its brackets are balanced at this place.
    Closed(usize),
    /// A mark that ends the call is outside of its strings, before its brackets are balanced.
    Ended,
}

/// One JSON value of a body.
pub(super) struct Value {
    /// Where it starts.
    pub(super) start: usize,
    scanned: usize,
    fed: usize,
    depth: usize,
    strings: Strings,
    /// Where a mark is in a string: what is broken would end there, so nothing after it is settled before the value is whole.
    held: Option<usize>,
    stream: Option<Stream>,
    pub(super) settled: Settled,
}

impl Value {
    pub(super) fn new(start: usize, pipeline: Option<&Pipeline>) -> Self {
        let stream = pipeline.map(|pipeline| pipeline.stream(StreamOptions::new().with_commit(Commit::At(0))));
        Self {
            start,
            scanned: start,
            fed: start,
            depth: 0,
            strings: Strings::default(),
            held: None,
            stream,
            settled: Settled::new(),
        }
    }

    /// Up to where it was read.
    pub(super) fn read_to(&self) -> usize {
        self.scanned
    }

    /// Reads on, and settles what can be.
    pub(super) fn read(&mut self, rules: Rules<'_>, text: &str) -> State {
        let state = self.scan(rules.format, text);
        let end = match state {
            State::Closed(end) => end,
            State::Open | State::Ended => self.scanned,
        };
        let end = end.min(self.held.unwrap_or(end));
        if end > self.fed {
            self.feed(rules, text, self.fed..end);
        }
        if let (State::Closed(_), Some(stream)) = (&state, &mut self.stream) {
            // Whatever the pieces were, what they told of the value is the same now.
            stream.catch_up();
            self.settled.read(rules, stream.settled());
        }
        state
    }

    /// The settled text, or without a pipeline, which repairs nothing, the text.
    pub(super) fn text<'t>(&'t self, text: &'t str) -> &'t str {
        match &self.stream {
            Some(stream) => stream.settled(),
            None => text.get(self.start..self.fed).unwrap_or_default(),
        }
    }

    fn feed(&mut self, rules: Rules<'_>, text: &str, new: Range<usize>) {
        self.fed = self.fed.max(new.end);
        let piece = text.get(new).unwrap_or_default();
        if let Some(stream) = &mut self.stream {
            // A refusal is that of the whole text.
            let _ = stream.push(piece);
            self.settled.read(rules, stream.settled());
        } else {
            self.settled.read(rules, text.get(self.start..self.fed).unwrap_or_default());
        }
    }

    fn scan(&mut self, format: &Format, text: &str) -> State {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.scanned) {
            if let Some(is_whole) = mark_at(format, text, self.scanned) {
                match (is_whole, self.strings.is_inside()) {
                    (true, false) => return State::Ended,
                    (true, true) => self.held = self.held.or(Some(self.scanned)),
                    (false, _) => return State::Open,
                }
            }
            self.scanned += 1;
            match byte {
                _ if self.strings.hides(byte) => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth < 2 => {
                    self.depth = 0;
                    return State::Closed(self.scanned);
                }
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
        State::Open
    }
}

/// Whether a mark that ends a call of the format begins at `at`: all of it, or as much as is there; `None` if none does.
fn mark_at(format: &Format, text: &str, at: usize) -> Option<bool> {
    if !text.is_char_boundary(at) {
        return None;
    }
    let rest = text.get(at..)?;
    let mut is_partial = false;
    for mark in format.ends.iter().chain(&format.late_ends).chain(&format.heads).map(Template::anchor) {
        // An opening brace alone begins what follows it.
        if mark.len() < 2 || rest.as_bytes().first() != mark.as_bytes().first() {
            continue;
        }
        if rest.starts_with(mark) {
            return Some(true);
        }
        is_partial |= mark.starts_with(rest);
    }
    is_partial.then_some(false)
}
