//! Calls of a completion that is still being written: announced as they come, and never otherwise than the whole text says (SPEC T1, T2, L0a).
//!
//! Invariant: what a stream has told is true of the reading of the whole text, or the whole is refused.

mod after;
mod anchors;
mod body;
mod content;
mod earned;
mod ends;
mod event;
mod ground;
mod raw;
mod reading;
mod settled;
mod told;
mod values;

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use self::anchors::Anchors;
use self::body::Value;
use self::content::Content;
use self::earned::Earned;
pub use self::event::CallEvent;
use self::ground::{Ground, Step, tells_content};
use self::raw::Raw;
use self::told::Told;
use super::Extractor;
use crate::call::name_in;
use crate::cursor::Stop;
use crate::envelope::{Envelope, Error, Reading};
use crate::pack::{Body, Format};
use crate::template::Match;

/// The longest head of a call, with the blanks after it.
const MAX_HEAD: usize = 1_024;

/// The events of one push. What is not taken comes with the next one.
#[derive(Debug)]
pub struct CallEvents<'s> {
    stream: &'s mut CallStream,
}

impl Iterator for CallEvents<'_> {
    type Item = CallEvent;

    fn next(&mut self) -> Option<CallEvent> {
        self.stream.events.pop_front()
    }
}

/// The calls of a completion that comes in pieces. Made by [`Extractor::stream`].
///
/// It is `'static` and [`Send`]. It holds the text, and memory linear in it.
pub struct CallStream {
    own: Extractor,
    anchors: Arc<Anchors>,
    text: String,
    phase: Phase,
    ground: Ground,
    content: Content,
    told: Vec<Told>,
    events: VecDeque<CallEvent>,
    /// Whether the whole text was read, and its calls may be run.
    is_settled: bool,
    error: Option<Error>,
    /// How many bytes of calls were looked at.
    looked: u64,
}

/// What is read.
enum Phase {
    Ground,
    /// The head of a call is at this place; blanks follow it up to the second one.
    Head(usize, usize),
    Json(Box<Json>),
    /// A call that is read when a mark that ends it is there.
    Whole(Whole),
    /// A value of a call is over, and the mark that ends it may come.
    After(Range<usize>, Box<Format>),
    /// What follows depends on the whole text.
    Lost,
}

/// A body of JSON values.
struct Json {
    head: usize,
    /// Which format it is of.
    format: usize,
    name: Option<String>,
    /// How many calls were told before it, and before the value that is read.
    base: usize,
    begun: usize,
    value: Value,
    /// Where the value ends by its brackets, while what follows decides whether they are right.
    closed: Option<usize>,
    /// Up to where blanks follow it.
    blank_to: usize,
    /// Whether more than strict JSON is needed: then the mark that ends the call decides.
    is_broken: bool,
    /// Where a mark that ends the call is looked for.
    scanned: usize,
}

/// A call whose head is at `at`.
struct Whole {
    at: usize,
    /// Which call it is.
    index: usize,
    scanned: usize,
    ends: Vec<String>,
    /// The readings at marks that may end it, and at arguments.
    read: Earned,
    tried: Earned,
    /// The formats with marked arguments that it may be of, and where the head of an argument is looked for.
    formats: Vec<usize>,
    argued: usize,
    /// The value that is being written, as far as it is text.
    value: Option<Raw>,
}

impl fmt::Debug for CallStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, told, is_settled, .. } = self;
        let mut shown = formatter.debug_struct("CallStream");
        shown.field("received", &text.len()).field("calls", &told.len()).field("is_settled", is_settled);
        shown.finish_non_exhaustive()
    }
}

impl Extractor {
    /// The calls of a completion that comes in pieces.
    ///
    /// ```
    /// use jsonseam_toolcall::{CallEvent, Extractor, Packs, WRAPPERS};
    ///
    /// let mut stream = Extractor::new(Packs::parse(&WRAPPERS)?).stream();
    /// let (mut begun, mut arguments) = (Vec::new(), String::new());
    /// for piece in ["On it. <tool_", "call>{\"name\": \"f\", \"argu", "ments\": {\"city\": \"Os", "lo\"}}</tool_call>"] {
    ///     for event in stream.push(piece)? {
    ///         match event {
    ///             CallEvent::Begin { name, .. } => begun.push(name),
    ///             CallEvent::Arguments { json, .. } => arguments += &json,
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// assert_eq!((begun, arguments.as_str()), (vec!["f".to_owned()], r#"{"city": "Oslo"}"#));
    /// assert!(!stream.may_run(0));
    /// let envelope = stream.finish()?.expect("there is a call");
    /// assert!(stream.may_run(0) && envelope.names().eq(["f"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(&self) -> CallStream {
        CallStream {
            anchors: Arc::new(Anchors::new(self)),
            own: self.clone(),
            text: String::new(),
            phase: Phase::Ground,
            ground: Ground::new(0, self.begins_in_thoughts),
            content: Content { is_lost: !tells_content(self), is_shut: self.begins_in_thoughts, ..Content::default() },
            told: Vec::new(),
            events: VecDeque::new(),
            is_settled: false,
            error: None,
            looked: 0,
        }
    }
}

impl CallStream {
    /// Takes the next piece. The error is a refusal that nothing which follows can change; every later push and [`finish`](Self::finish) repeat it.
    ///
    /// What was told before a refusal is given first: where a piece brings both, its events are given, and the next push returns the error.
    ///
    /// All pushes together take time linear in the text, however small the pieces are.
    pub fn push(&mut self, piece: &str) -> Result<CallEvents<'_>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.text.push_str(piece);
        while self.go_on() {}
        let text = std::mem::take(&mut self.text);
        self.tell_content(&text);
        self.text = text;
        match &self.error {
            Some(error) if self.events.is_empty() => Err(error.clone()),
            _ => Ok(CallEvents { stream: self }),
        }
    }

    /// Ends the text: what [`Extractor::extract`] makes of the whole of it.
    ///
    /// The one difference: where that contradicts a call that was announced, the text is refused as [`withdrawn`](crate::Reason::Withdrawn).
    pub fn finish(&mut self) -> Result<Option<Envelope>, Error> {
        self.finish_with(|_| {}).map(Reading::into_envelope)
    }

    /// The same, with all that [`Extractor::read`] gives; `tell` takes the events that are left.
    pub fn finish_with(&mut self, mut tell: impl FnMut(CallEvent)) -> Result<Reading, Error> {
        // What is settled is told whatever the end says.
        self.events.drain(..).for_each(&mut tell);
        let text = std::mem::take(&mut self.text);
        let end = self.end(&text);
        self.text = text;
        let reading = end.inspect_err(|_| self.events.clear())?;
        self.events.drain(..).for_each(&mut tell);
        self.is_settled = true;
        Ok(reading)
    }

    /// Whether a call that was told may be run: the whole text was read, and nothing in it refuses the calls. A call that follows, or a mark that ends thoughts,
    /// may always do that, also after the mark that ends the section of calls; so it is false before [`finish`](Self::finish) in every format.
    pub fn may_run(&self, index: usize) -> bool {
        self.is_settled && index < self.told.len()
    }

    /// What came so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many bytes were looked at before the end, those that were looked at twice twice: linear in the text, however small the pieces are.
    pub fn work(&self) -> u64 {
        self.looked + self.ground.looked
    }

    fn look(&mut self, bytes: usize) {
        self.looked += bytes as u64;
    }

    /// Goes on with what is there; false if more is needed.
    fn go_on(&mut self) -> bool {
        let text = std::mem::take(&mut self.text);
        let phase = std::mem::replace(&mut self.phase, Phase::Lost);
        let next = match phase {
            Phase::Ground => self.on_ground(&text),
            Phase::Head(at, after) => self.at_head(&text, at, after),
            Phase::Json(json) => self.in_json(&text, json),
            Phase::Whole(whole) => self.in_whole(&text, whole),
            Phase::After(call, format) => self.after_value(&text, call, &format),
            Phase::Lost => (Phase::Lost, false),
        };
        self.text = text;
        self.phase = next.0;
        next.1 && self.error.is_none()
    }

    fn on_ground(&mut self, text: &str) -> (Phase, bool) {
        let Self { ground, own, anchors, content, .. } = self;
        match ground.step(own, anchors, text, content) {
            Step::Wait => (Phase::Ground, false),
            Step::Lost => (Phase::Lost, false),
            Step::Head => {
                let at = ground.pos;
                (Phase::Head(at, at), true)
            }
            Step::Thought if self.told.is_empty() => {
                if !self.content.told.is_empty() {
                    self.events.push_back(CallEvent::Thought);
                }
                self.content = Content { is_lost: !tells_content(&self.own), ..Content::default() };
                (Phase::Ground, true)
            }
            Step::Thought => {
                self.content.release(text);
                self.error = self.told.first().map(|told| told.withdrawn(text));
                (Phase::Lost, false)
            }
        }
    }

    /// Which format a head is of, and how its body is read.
    fn at_head(&mut self, text: &str, at: usize, after: usize) -> (Phase, bool) {
        let wait = (Phase::Head(at, after), false);
        let rest = text.get(at..).unwrap_or_default();
        let mut first: Option<(usize, Match)> = None;
        let mut known = Vec::new();
        let formats = self.own.packs.formats.iter().enumerate();
        // What is named after a tool is a head only where a tool has the name.
        for (index, format) in formats.filter(|(_, format)| !format.row.named_by_tool) {
            for head in format.empties.iter().chain(&format.heads).filter(|head| rest.starts_with(head.anchor())) {
                match head.match_at(text, at) {
                    Err(Stop::Cut) => return wait,
                    Err(_) => {}
                    Ok(matched) => {
                        first.get_or_insert((index, matched));
                    }
                }
                known.push(index);
            }
        }
        let formats = &self.own.packs.formats;
        let is_sure = |index: &usize| formats.get(*index).is_some_and(is_sure);
        if self.own.tools.tags().iter().any(|tag| rest.starts_with(tag.as_str())) {
            return (Phase::Lost, false);
        }
        let Some((index, matched)) = first else { return self.read_whole(text, at, &known) };
        let Some(format) = formats.get(index).filter(|_| known.iter().all(is_sure)) else {
            return (Phase::Lost, false);
        };
        let from = after.max(matched.end);
        let body = text.get(from..).unwrap_or_default();
        let start = text.len() - body.trim_start().len();
        self.looked += (start - at) as u64;
        if start - at > MAX_HEAD {
            return (Phase::Lost, false);
        }
        let Some(opener) = text.as_bytes().get(start) else { return (Phase::Head(at, start), false) };
        let name = matched.hole("name").and_then(|hole| text.get(name_in(text, hole, &format.row)?));
        let is_json = match format.row.body {
            Body::Calls => matches!(opener, b'{' | b'['),
            Body::Arguments => *opener == b'{' && name.is_some(),
            _ => false,
        };
        if !is_json {
            return self.read_whole(text, at, &known);
        }
        let name = name.filter(|_| format.row.body == Body::Arguments).map(str::to_owned);
        let value = Value::new(start, self.own.pipeline.as_ref());
        self.shut_content(text);
        let json = Json {
            head: at,
            format: index,
            name,
            base: self.told.len(),
            begun: self.told.len(),
            value,
            closed: None,
            blank_to: start,
            is_broken: false,
            scanned: start,
        };
        (Phase::Json(Box::new(json)), true)
    }

    fn shut_content(&mut self, text: &str) {
        self.tell_content(text);
        self.content.stop();
    }

    /// The call is read as a whole where a mark of one of these formats ends it.
    fn read_whole(&mut self, text: &str, at: usize, formats: &[usize]) -> (Phase, bool) {
        let known = |index: &usize| self.own.packs.formats.get(*index);
        if !formats.iter().filter_map(known).all(is_sure) {
            return (Phase::Lost, false);
        }
        let is_marked = |index: &&usize| known(index).is_some_and(|format| format.row.body == Body::Tagged);
        let formats = formats.iter().filter(is_marked).copied().collect();
        self.shut_content(text);
        // The head that is tried first may be a part of another one's.
        let all = self.own.packs.formats.iter().filter(|format| is_sure(format));
        let mut ends: Vec<_> = all.flat_map(|format| &format.ends).map(|end| end.anchor().to_owned()).collect();
        ends.sort();
        ends.dedup();
        let (index, read, tried) = (self.told.len(), Earned::default(), Earned::default());
        (Phase::Whole(Whole { at, index, scanned: at, ends, read, tried, formats, argued: at, value: None }), true)
    }
}

/// Whether a head of the format is a call's wherever it is the model's own word, and its body is read before the text ends.
fn is_sure(format: &Format) -> bool {
    let row = &format.row;
    let waits = row.soft || row.last || row.begins_line || row.offered || row.begun_by_prompt || row.named_by_tool;
    !waits && row.text_name.is_none()
}
