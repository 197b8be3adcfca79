//! Declared outputs of a completion that is still being written: a field when its value is whole, and the end of hope when it is (SPEC T1, T2).
//!
//! Invariant: a field that was told is the field of the whole text, or the whole is refused.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use jsonseam_core::{Commit, Container, Event, FinishReason, Policy, Position, Stream, StreamOptions, StreamState};
use jsonseam_keyset::{KeySet, nested_repeats};
use jsonseam_schema::{CastKind, Casts, Failure, decode};
use jsonseam_text::{elements, pointer};
use serde::de::DeserializeOwned;

use crate::adapter::{Adapter, ParseOptions};
use crate::contract::{Contract, Output};
use crate::duplicates::Duplicates;
use crate::error::Error;
use crate::items::{Incomplete, Items};
use crate::judge::checked;
use crate::outputs::Outputs;
use crate::rename::may_stand;
use crate::when::When;

/// What a stream tells of the outputs, each once and for good.
///
/// `Debug` shows no text of the completion; the fields do.
#[derive(Clone)]
#[non_exhaustive]
pub enum FieldEvent {
    /// An output begins.
    Started {
        /// The output.
        name: String,
    },
    /// The next piece of an output that is a string, decoded. The pieces join to its value.
    Text {
        /// The output.
        name: String,
        /// The piece.
        text: String,
        /// The same as JSON text, without quotation marks: where `text` has U+FFFD for a lone half of a surrogate pair, this has the half.
        json: String,
    },
    /// An element of an output that is an array is whole. The schema of the output judges it with the field.
    Element {
        /// The output.
        name: String,
        /// Which element, from 0.
        index: usize,
        /// Its JSON text.
        json: String,
    },
    /// A field is whole, and fits its schema. Its text is what [`Outputs::text`] gives at the end, casts included.
    Field {
        /// The output.
        name: String,
        /// Its JSON text.
        json: String,
    },
    /// The answer is refused whatever follows. The code is that of [`AdapterStream::finish`], unless what follows is refused for what comes before it:
    /// a text that does not decode before its keys, and keys before fields (SPEC K5). Nothing is told after it.
    Hopeless(Error),
}

impl fmt::Debug for FieldEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started { .. } => formatter.debug_struct("Started").finish_non_exhaustive(),
            Self::Text { text, .. } => formatter.debug_struct("Text").field("len", &text.len()).finish_non_exhaustive(),
            Self::Element { index, json, .. } => {
                let mut shown = formatter.debug_struct("Element");
                shown.field("index", index).field("len", &json.len()).finish_non_exhaustive()
            }
            Self::Field { json, .. } => {
                formatter.debug_struct("Field").field("len", &json.len()).finish_non_exhaustive()
            }
            Self::Hopeless(error) => formatter.debug_tuple("Hopeless").field(error).finish(),
        }
    }
}

/// The events of one push. What is not taken comes with the next one.
#[derive(Debug)]
pub struct FieldEvents<'s> {
    stream: &'s mut AdapterStream,
}

impl Iterator for FieldEvents<'_> {
    type Item = FieldEvent;

    fn next(&mut self) -> Option<FieldEvent> {
        self.stream.told.events.pop_front()
    }
}

/// The outputs of a completion that comes in pieces. Made by [`Adapter::stream`].
///
/// It is `'static` and [`Send`].
pub struct AdapterStream {
    adapter: Adapter,
    source: Source,
    told: Told,
}

/// The text so far.
enum Source {
    /// It is repaired as it comes.
    Stream(Box<Stream>),
    /// Another policy than the first payload waits for all of it.
    Whole(String),
}

/// What was told, and the member that is read.
#[derive(Default)]
struct Told {
    events: VecDeque<FieldEvent>,
    is_hopeless: bool,
    is_object: bool,
    /// The keys of the object so far.
    keys: HashSet<String>,
    /// The key of the member that is read.
    member: Option<String>,
    /// The fields, each until it is taken.
    fields: HashMap<String, String>,
    /// The text has ended, and what its cut has left of an array is not settled before the whole is judged.
    may_lose_an_item: bool,
}

impl Adapter {
    /// The outputs of a completion that comes in pieces: each field when it is whole.
    ///
    /// A stream takes the first payload, unless the contract or the configuration names another policy: then nothing is told before the end, since a later
    /// payload may be the answer. Validators, defaults, missing keys, the last of repeated keys and the schema of the whole have their say at the end.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, FieldEvent, StreamOptions};
    ///
    /// let adapter = Adapter::builder().schema("city", "{\"type\": \"string\"}").output("days").build()?;
    /// let mut stream = adapter.stream(StreamOptions::new());
    /// let mut told = Vec::new();
    /// for piece in ["{\"city\": \"Os", "lo\", \"days\": [1, ", "2]", "}"] {
    ///     for event in stream.push(piece) {
    ///         if let FieldEvent::Field { name, json } = event {
    ///             told.push(format!("{name} is {json}"));
    ///         }
    ///     }
    /// }
    /// assert_eq!(told, ["city is \"Oslo\"", "days is [1, 2]"]);
    /// assert_eq!(stream.next_field::<Vec<u8>>("days").transpose()?, Some(vec![1, 2]));
    /// assert_eq!(stream.finish(None)?.get::<String>("city")?, "Oslo");
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn stream(&self, options: StreamOptions) -> AdapterStream {
        let is_first = !self.names_policy || self.policy == Policy::First;
        let source = if is_first && options.commit != Commit::Late {
            let pipeline = self.pipeline.with_policy(Policy::First);
            let own = (!self.contract.evidence.is_empty()).then(|| self.contract.evidence.clone().into());
            let evidence = options.evidence.clone().or(own);
            Source::Stream(Box::new(pipeline.stream(options.with_evidence(evidence))))
        } else {
            Source::Whole(String::new())
        };
        AdapterStream { adapter: self.clone(), source, told: Told::default() }
    }
}

impl AdapterStream {
    /// Takes the next piece. All pushes together take time linear in the text, but for what the schemas take for each field.
    pub fn push(&mut self, piece: &str) -> FieldEvents<'_> {
        let Self { adapter, source, told } = self;
        match source {
            Source::Whole(text) => text.push_str(piece),
            Source::Stream(stream) => {
                let mut pushed = stream.push(piece).map(|mut events| {
                    while let Some(event) = events.next() {
                        told.take(&adapter.contract, &event);
                    }
                });
                if pushed.is_ok() && stream.state() == StreamState::Refused {
                    // The refusal has waited for what settled before it.
                    pushed = stream.push("").map(drop);
                }
                if let Err(error) = pushed {
                    told.give_up(error.into());
                }
            }
        }
        FieldEvents { stream: self }
    }

    /// The next value of an output, decoded: once its field was told, and until it is taken.
    ///
    /// An output is told once, so this is `Some` once. Text that `T` refuses is the error that [`Outputs::get`] gives.
    pub fn next_field<T: DeserializeOwned>(&mut self, name: &str) -> Option<Result<T, Error>> {
        let json = self.told.fields.remove(name)?;
        let decoded = match self.adapter.contract.output(name).and_then(Output::schema) {
            Some(schema) => schema.decode_checked(&json),
            None => decode(&json),
        };
        Some(decoded.map_err(|failure| Error::of_field(failure, name)))
    }

    /// Whether nothing that follows can make it an answer.
    pub fn is_hopeless(&self) -> bool {
        self.told.is_hopeless
    }

    /// Ends the text: what [`Adapter::parse_with`] gives for the whole of it, under the policy that the stream has.
    ///
    /// The one difference: a text whose payload is not where its first sign was is refused as `ambiguous_payload`.
    pub fn finish(self, reason: Option<FinishReason>) -> Result<Outputs, Error> {
        self.finish_with(reason, |_| {})
    }

    /// The same; `tell` takes the events that are left.
    pub fn finish_with(self, reason: Option<FinishReason>, mut tell: impl FnMut(FieldEvent)) -> Result<Outputs, Error> {
        let Self { adapter, source, mut told } = self;
        let outputs = match source {
            Source::Stream(stream) => {
                let contract = &adapter.contract;
                let end = Position::of(stream.text().len(), stream.text());
                let settled = told.events.len();
                told.may_lose_an_item = matches!(contract.incomplete, Incomplete::Drop | Incomplete::DropOuter);
                let repaired = stream.finish_with(reason, |event| told.take(contract, &event));
                let outputs = repaired.map_err(Error::from).and_then(|repaired| adapter.accept(repaired, || end));
                if told.may_lose_an_item {
                    told.settle(settled, outputs.as_ref().ok());
                }
                outputs
            }
            Source::Whole(text) => adapter.parse_with(&text, &ParseOptions::new().with_finish_reason(reason)),
        };
        told.events.into_iter().for_each(&mut tell);
        outputs
    }
}

impl Told {
    /// Nothing more is told.
    fn give_up(&mut self, error: Error) {
        if !std::mem::replace(&mut self.is_hopeless, true) {
            self.events.push_back(FieldEvent::Hopeless(error));
        }
    }

    fn take(&mut self, contract: &Contract, event: &Event<'_>) {
        if self.is_hopeless {
            return;
        }
        let (Event::Begin { path, .. } | Event::Text { path, .. } | Event::Done { path, .. }) = event else { return };
        let place = path.to_string();
        let mut steps = pointer::names(&place);
        let (Some(key), index, more) = (steps.next(), steps.next(), steps.next()) else {
            // An array has elements and no outputs.
            self.is_object = matches!(event, Event::Begin { kind: Container::Object, .. });
            return;
        };
        if !self.is_object {
            return;
        }
        if self.member.is_none() {
            self.begin(contract, &key);
            if self.is_hopeless {
                return;
            }
        }
        let name = key.into_owned();
        let output = contract.output(&name);
        match (event, index, more) {
            (Event::Text { text, json, .. }, None, _) if Self::tells(contract, output) == Some(When::State) => {
                self.events.push_back(FieldEvent::Text { name, text: text.to_string(), json: (*json).to_owned() });
            }
            (Event::Done { json, .. }, Some(index), None) if Self::tells(contract, output) == Some(When::State) => {
                // Which items fit is known when the array is whole.
                if let Ok(index) = index.parse()
                    && contract.items == Items::All
                    && nested_repeats(json).is_empty()
                {
                    self.events.push_back(FieldEvent::Element { name, index, json: (*json).to_owned() });
                }
            }
            (Event::Done { json, .. }, None, _) => {
                self.member = None;
                self.end(contract, name, json);
            }
            _ => {}
        }
    }

    /// Gives the fields and elements that the end of the text brought, after the first so many events, the text that they have in the outputs.
    fn settle(&mut self, first: usize, outputs: Option<&Outputs>) {
        let ended = self.events.split_off(first.min(self.events.len()));
        let text = |name: &str| outputs?.text(name);
        self.events.extend(ended.into_iter().filter_map(|event| match event {
            FieldEvent::Field { name, .. } => {
                let json = text(&name)?.to_owned();
                Some(FieldEvent::Field { name, json })
            }
            FieldEvent::Element { name, index, .. } => {
                let array = text(&name)?;
                let json = array.get(elements(array).nth(index)?)?.to_owned();
                Some(FieldEvent::Element { name, index, json })
            }
            other => Some(other),
        }));
    }

    /// What may be told of an output while it comes: nothing where a cast may change it, or a later member takes its place.
    fn tells(contract: &Contract, output: Option<&Output>) -> Option<When> {
        let is_cast = contract.casts != Casts::NONE && (contract.whole.is_some() || output?.schema.is_some());
        output.filter(|_| !is_cast && contract.duplicates == Duplicates::Refuse).map(|output| output.when)
    }

    /// A member begins.
    fn begin(&mut self, contract: &Contract, key: &str) {
        self.member = Some(key.to_owned());
        let declared = contract.output(key);
        if declared.is_none() && contract.checks_keys() {
            if !may_stand(contract, key) && !contract.casts.has(CastKind::Envelope) {
                return self.give_up(Error::keys_of(contract, &[key]));
            }
        } else if !self.keys.insert(key.to_owned()) {
            if contract.duplicates == Duplicates::Refuse {
                self.give_up(Error::keys_of(contract, &[key, key]));
            }
            return;
        }
        if declared.is_some_and(|output| output.when != When::Done) {
            self.events.push_back(FieldEvent::Started { name: key.to_owned() });
        }
    }

    /// A member is whole.
    fn end(&mut self, contract: &Contract, name: String, json: &str) {
        // What comes later may count instead, or change it.
        let waits = contract.duplicates == Duplicates::Last
            || contract.whole.is_some() && (contract.casts != Casts::NONE || !nested_repeats(json).is_empty())
            || name.contains('\u{FFFD}');
        let output = contract.output(&name);
        if waits || output.is_none() && contract.checks_keys() {
            return;
        }
        let own = match output
            .filter(|_| !self.may_lose_an_item)
            .map(|output| checked(contract, output, json, contract.items))
        {
            Some(Err(failure)) => return self.give_up(Error::of_field(failure, &name)),
            Some(Ok(checked)) => checked.text,
            None => None,
        };
        let json = own.map_or_else(|| json.to_owned(), String::from);
        self.fields.insert(name.clone(), json.clone());
        self.events.push_back(FieldEvent::Field { name, json });
    }
}

impl Error {
    /// The refusal of an object for these keys, whatever else it holds.
    fn keys_of(contract: &Contract, keys: &[&str]) -> Self {
        let spelled: Vec<_> =
            keys.iter().map(|key| format!("{}:0", serde_json::to_string(key).unwrap_or_default())).collect();
        let own = contract.outputs.iter().fold(KeySet::new(), |own, output| own.optional(&output.name));
        let own = if contract.checks_keys() { own } else { own.open() };
        match own.inspect(&format!("{{{}}}", spelled.join(","))).mismatch {
            Some(mismatch) => Self::keys(mismatch, Vec::new(), contract),
            None => Self::failure(Failure::NotRepresentable, None),
        }
    }
}

impl fmt::Debug for AdapterStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let received = match &self.source {
            Source::Stream(stream) => stream.text().len(),
            Source::Whole(text) => text.len(),
        };
        let mut shown = formatter.debug_struct("AdapterStream");
        shown.field("received", &received).field("is_hopeless", &self.told.is_hopeless).finish_non_exhaustive()
    }
}
