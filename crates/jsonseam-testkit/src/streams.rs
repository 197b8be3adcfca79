//! The laws of streams (SPEC T1 to T6), judged on one text that comes in pieces.
//!
//! A stream must lead to what the whole text leads to, whatever the pieces are, and what it told must be true of that. Anything else is a complaint.

use std::ops::Range;

use jsonseam_core::{Error, Event, Pipeline, Reason, RepairOptions, Repaired, Stream, StreamOptions, Work};
use serde_json::Value;

use crate::generate::{Document, Token, TokenKind};
use crate::random::Random;

/// What a stream told, with text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Where the payload starts.
    Payload(usize),
    /// An object or an array begins at this pointer.
    Begin(String),
    /// The next piece of the string at this pointer.
    Text(String, String),
    /// The value at this pointer is whole: its JSON, and where it ends in the completion.
    Done(String, String, usize),
    /// An edit was made: its rule, its place and what it wrote.
    Seam(Edited),
}

/// Rule, place and replacement of an edit.
pub type Edited = (String, Range<usize>, String);

impl Told {
    fn of(event: &Event<'_>) -> Option<Self> {
        Some(match event {
            Event::Payload { start, .. } => Self::Payload(*start),
            Event::Begin { path, .. } => Self::Begin(path.to_string()),
            Event::Text { path, text, .. } => Self::Text(path.to_string(), text.clone().into_owned()),
            Event::Done { path, json, span, .. } => Self::Done(path.to_string(), (*json).to_owned(), span.end),
            Event::Seam(edit) => Self::Seam((edit.rule.to_owned(), edit.span.clone(), edit.replacement.to_owned())),
            _ => return None,
        })
    }
}

/// What the laws hold: a [`Stream`], or one that breaks a law on purpose.
pub trait Streams {
    /// Takes a piece, and tells what is final by then.
    fn push(&mut self, piece: &str) -> Result<Vec<Told>, Error>;

    /// The repaired text so far.
    fn settled(&self) -> &str;

    /// The value so far, as JSON.
    fn snapshot(&self) -> String;

    /// What was looked at in vain.
    fn retried(&self) -> u64;

    /// Ends the text: the rest of what is told, and the result.
    fn finish(self) -> (Vec<Told>, Result<Repaired<'static>, Error>);
}

impl Streams for Stream {
    fn push(&mut self, piece: &str) -> Result<Vec<Told>, Error> {
        let mut events = self.push(piece)?;
        let mut told = Vec::new();
        while let Some(event) = events.next() {
            told.extend(Told::of(&event));
        }
        Ok(told)
    }

    fn settled(&self) -> &str {
        self.settled()
    }

    fn snapshot(&self) -> String {
        self.snapshot().text()
    }

    fn retried(&self) -> u64 {
        self.work().retried
    }

    fn finish(self) -> (Vec<Told>, Result<Repaired<'static>, Error>) {
        let mut told = Vec::new();
        let result = self.finish_with(None, |event| told.extend(Told::of(&event)));
        (told, result)
    }
}

/// What the laws count beside judging.
#[derive(Debug, Clone, Default)]
pub struct Streamed {
    /// Whether `finish` refused because the whole text has its payload elsewhere.
    pub has_other_start: bool,
    /// Units of work of the whole text, and those that the stream spent in vain.
    pub batch: u64,
    /// See above.
    pub retried: u64,
    /// For each value that was done, how many bytes after its end that was told; those that were told by `finish` alone, by the bytes that were left.
    pub value_lags: Vec<usize>,
    /// The same of edits.
    pub edit_lags: Vec<usize>,
    /// How many of the values and of the edits were told by `finish` alone.
    pub late: (usize, usize),
}

/// Where `text` is cut into pieces of `size` bytes, or of one to forty by chance where that is 0; no character is split.
pub fn cuts(text: &str, size: usize, random: &mut Random) -> Vec<usize> {
    ends_of(text, || if size == 0 { random.between(1, 40) } else { size })
}

/// Where `text` is cut into pieces of these lengths in bytes; no character is split.
pub(crate) fn ends_of(text: &str, mut len: impl FnMut() -> usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut pos = 0;
    while pos < text.len() {
        pos = (pos + len()).min(text.len());
        while !text.is_char_boundary(pos) {
            pos += 1;
        }
        ends.push(pos);
    }
    ends
}

/// Streams `text` in the pieces that end at `ends`, and holds it to what the whole text gives.
///
/// With `looks`, the snapshot is checked after every push, which takes time quadratic in the text.
pub fn judge(
    pipeline: &Pipeline,
    text: &str,
    options: StreamOptions,
    ends: &[usize],
    looks: bool,
) -> Result<Streamed, String> {
    let evidence = options.evidence.clone();
    let batch = pipeline.repair_with(text, &RepairOptions::new().with_evidence(evidence.as_deref()));
    judge_against(&batch, pipeline.stream(options), text, ends, looks)
}

/// The same of any stream, against what the whole text gives.
pub fn judge_against(
    batch: &Result<Repaired<'_>, Error>,
    mut stream: impl Streams,
    text: &str,
    ends: &[usize],
    looks: bool,
) -> Result<Streamed, String> {
    let mut told = Record::default();
    let is_refused = push_all(&mut stream, text, ends, looks, &mut told)?;
    let (settled, retried) = (stream.settled().to_owned(), stream.retried());
    let early = (told.values.len(), told.seams.len());
    let (rest, finished) = stream.finish();
    for event in rest {
        told.take(event, text.len())?;
    }
    let mut streamed = Streamed { retried, ..Streamed::default() };
    streamed.batch = match (batch, &finished) {
        (Ok(batch), Ok(finished)) => {
            let cost = same_repair(batch, finished)?;
            told.check(batch.text(), &edits_of(batch))?;
            cost
        }
        (Ok(batch), Err(error)) if error.reason() == Reason::AmbiguousPayload => {
            // A refusal that was told may be of what is after the part that holds the payload.
            if !is_refused && told.is_start_of(batch, text) {
                let is_true = batch.text().trim_start().starts_with(&settled);
                let law = if is_true {
                    "S1: refused though what was told is true"
                } else {
                    "S3: settled text was taken back"
                };
                return Err(law.to_owned());
            }
            return Ok(Streamed { has_other_start: true, ..streamed });
        }
        (Ok(_), Err(error)) => return Err(format!("S1: the whole text is repaired, the stream refused: {error}")),
        (Err(error), Ok(_)) => return Err(format!("S1: the stream is repaired, the whole text refused: {error}")),
        (Err(batch), Err(finished)) => same_refusal(batch, finished)?,
    };
    if retried > streamed.batch + 8 * text.len() as u64 + 8192 {
        return Err(format!("S6: {retried} units in vain, {} decided", streamed.batch));
    }
    if !is_refused {
        streamed.value_lags = told.values.iter().map(|value| value.at.saturating_sub(value.end)).collect();
        streamed.edit_lags = told.seams.iter().map(|((_, span, _), at)| at.saturating_sub(span.end)).collect();
        streamed.late = (told.values.len() - early.0, told.seams.len() - early.1);
    }
    Ok(streamed)
}

/// Pushes all pieces. Whether one of them was refused.
fn push_all(
    stream: &mut impl Streams,
    text: &str,
    ends: &[usize],
    looks: bool,
    told: &mut Record,
) -> Result<bool, String> {
    let mut from = 0;
    let mut is_refused = false;
    // The error of a refusal waits for a push if the last piece told something before it.
    for &end in ends.iter().chain(ends.last()) {
        let before = stream.settled().len();
        match stream.push(&text[from..end]) {
            Ok(events) => {
                if is_refused && !events.is_empty() {
                    return Err("S9: an event after a refusal".to_owned());
                }
                for event in events {
                    told.take(event, end)?;
                }
            }
            Err(error) if is_refused => return Err(format!("S9: a second refusal: {error}")),
            Err(_) => is_refused = true,
        }
        from = end;
        if stream.settled().len() < before {
            return Err("S3: settled text became shorter".to_owned());
        }
        if looks {
            told.look(&stream.snapshot())?;
        }
    }
    Ok(is_refused)
}

fn edits_of(repaired: &Repaired<'_>) -> Vec<Edited> {
    let edits = repaired.edits();
    edits.map(|edit| (edit.rule.to_owned(), edit.span.clone(), edit.replacement.to_owned())).collect()
}

/// Whether both are the same, and what they cost.
fn same_repair(batch: &Repaired<'_>, finished: &Repaired<'_>) -> Result<u64, String> {
    let differ = |what: &str| Err(format!("S1: {what} differs from that of the whole text"));
    if batch.text() != finished.text() {
        return differ("the text");
    }
    if edits_of(batch) != edits_of(finished) || batch.payload() != finished.payload() {
        return differ("an edit or the payload");
    }
    let marks = |repaired: &Repaired<'_>| (repaired.is_truncated(), repaired.gap());
    if marks(batch) != marks(finished) || batch.further() != finished.further() {
        return differ("a mark, the gap or what is further");
    }
    same_work(batch.work(), finished.work())
}

fn same_refusal(batch: &Error, finished: &Error) -> Result<u64, String> {
    let of = |error: &Error| (error.reason(), error.position(), error.expected());
    if of(batch) != of(finished) {
        return Err(format!("S1: refused as {:?}, the whole text as {:?}", of(finished), of(batch)));
    }
    same_work(batch.work(), finished.work())
}

fn same_work(batch: Work, finished: Work) -> Result<u64, String> {
    if batch == finished {
        Ok(batch.total())
    } else {
        Err(format!("S6: the decided work is {finished:?}, that of the whole text {batch:?}"))
    }
}

/// What was told so far.
#[derive(Default)]
struct Record {
    start: Option<usize>,
    /// The pointers of strings, and what was told of them.
    texts: Vec<(String, String)>,
    values: Vec<Done>,
    /// Edits, and how much of the text was there.
    seams: Vec<(Edited, usize)>,
    open: Vec<String>,
    snapshot: Value,
}

struct Done {
    path: String,
    json: String,
    end: usize,
    at: usize,
}

impl Record {
    /// Whether the payload of the whole text starts where it was told to.
    fn is_start_of(&self, batch: &Repaired<'_>, text: &str) -> bool {
        let payload = batch.payload();
        self.start.is_some_and(|start| payload.contains(&start) && text[payload.start..start].trim().is_empty())
    }

    fn take(&mut self, told: Told, at: usize) -> Result<(), String> {
        match told {
            Told::Payload(start) => self.start = Some(start),
            Told::Begin(path) => self.open.push(path),
            Told::Text(path, text) => match self.texts.last_mut().filter(|(last, _)| *last == path) {
                Some((_, known)) => known.push_str(&text),
                None => self.texts.push((path, text)),
            },
            Told::Done(path, json, end) => {
                if json.starts_with(['{', '[']) && self.open.pop().as_ref() != Some(&path) {
                    return Err("S5: a container is done that is not the innermost one".to_owned());
                }
                self.values.push(Done { path, json, end, at });
            }
            Told::Seam(edit) => self.seams.push((edit, at)),
        }
        Ok(())
    }

    /// Whether a snapshot is valid and extends the one before.
    fn look(&mut self, snapshot: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(snapshot).or_else(|error| {
            // What JSON can spell and the type cannot hold.
            let is_text = serde_json::from_str::<&serde_json::value::RawValue>(snapshot).is_ok();
            if is_text { Ok(Value::Null) } else { Err(format!("S4: a snapshot is not JSON: {error}")) }
        })?;
        if !value.is_null() && !extends(&self.snapshot, &value) {
            return Err("S4: a snapshot does not extend the one before".to_owned());
        }
        if !value.is_null() {
            self.snapshot = value;
        }
        Ok(())
    }

    /// Whether all of it is true of the text, and whole.
    fn check(&self, text: &str, edits: &[Edited]) -> Result<(), String> {
        if self.start.is_some() && !self.seams.iter().map(|(edit, _)| edit).eq(edits) {
            return Err("S2: the edits that were told are not those that were made".to_owned());
        }
        let Ok(whole) = serde_json::from_str::<Value>(text) else { return Ok(()) };
        if has_repeated_keys(text, &whole) {
            return Ok(());
        }
        for Done { path, json, .. } in &self.values {
            let told: Value =
                serde_json::from_str(json).map_err(|error| format!("S2: what was told is not JSON: {error}"))?;
            if whole.pointer(path) != Some(&told) {
                return Err("S2: a value that was told is not that of the whole text".to_owned());
            }
        }
        for (path, text) in &self.texts {
            if whole.pointer(path).and_then(Value::as_str) != Some(text.as_str()) {
                return Err("S2: the pieces of a string are not its value".to_owned());
            }
        }
        match self.values.last() {
            Some(root) if self.start.is_some() && !root.path.is_empty() => {
                Err("S5: the root was not told last".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Whether `later` is `earlier` with more at its end.
fn extends(earlier: &Value, later: &Value) -> bool {
    match (earlier, later) {
        (Value::Null, _) => true,
        (Value::String(earlier), Value::String(later)) => later.starts_with(earlier.as_str()),
        (Value::Array(earlier), Value::Array(later)) => {
            earlier.len() <= later.len() && earlier.iter().zip(later).all(|(earlier, later)| extends(earlier, later))
        }
        (Value::Object(earlier), Value::Object(later)) => {
            // A repeated key takes the place of the one before it.
            earlier.keys().all(|key| later.contains_key(key))
        }
        (earlier, later) => earlier == later,
    }
}

/// Whether an object has a key twice: then a pointer names the last of them alone.
fn has_repeated_keys(text: &str, whole: &Value) -> bool {
    fn members(value: &Value) -> usize {
        match value {
            Value::Object(members_of) => members_of.len() + members_of.values().map(members).sum::<usize>(),
            Value::Array(elements) => elements.iter().map(members).sum(),
            _ => 0,
        }
    }
    let mut colons = 0;
    let mut is_in_string = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if is_in_string => drop(bytes.next()),
            b'"' => is_in_string = !is_in_string,
            b':' if !is_in_string => colons += 1,
            _ => {}
        }
    }
    colons != members(whole)
}

/// Holds a stream of a valid document to S7: nothing is looked at in vain, and no more is unsettled than `tokens` whole tokens and the one that is open.
pub fn judge_quiet(mut stream: impl Streams, document: &Document, tokens: usize) -> Result<(), String> {
    let is_blank = |token: &&Token| token.kind == TokenKind::Blank;
    let before: usize = document.tokens.iter().take_while(is_blank).map(|token| token.text.len()).sum();
    // Where the whole tokens end, the latest one last.
    let mut ends = vec![before; tokens + 1];
    let (mut end, mut open) = (0, None);
    for token in &document.tokens {
        for char in token.text.chars() {
            let told = stream.push(char.encode_utf8(&mut [0; 4])).map_err(|error| format!("S7: {error}"))?;
            if told.iter().any(|told| matches!(told, Told::Seam(_))) {
                return Err("S7: an edit of a valid text".to_owned());
            }
            let (settled, due) = (before + stream.settled().len(), ends[ends.len() - 1 - tokens]);
            if settled < due {
                return Err(format!("S7: {settled} bytes are settled, {due} are due"));
            }
            if !is_blank(&token) {
                ends.extend(open.take());
            }
        }
        end += token.text.len();
        match token.kind {
            TokenKind::Blank => {}
            // What ends it is the next token.
            TokenKind::Number | TokenKind::Literal => open = Some(end),
            _ => ends.push(end),
        }
    }
    if stream.retried() > 0 { Err(format!("S7: {} units in vain", stream.retried())) } else { Ok(()) }
}
