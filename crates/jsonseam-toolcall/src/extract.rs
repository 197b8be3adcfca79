//! Finds the calls in a completion and what is said around them.

mod bare;
mod content;
mod decode;
mod marks;
mod quoted;
mod scan;
mod settle;
#[cfg(test)]
mod tests;
mod underscores;

use std::ops::Range;
use std::sync::Arc;

use jsonseam_core::{Pipeline, Position};
use serde::Deserialize;
use serde_json::value::RawValue;

use self::content::Noise;
use self::quoted::{Before, Ticks};
use crate::body::Reader;
use crate::call::Call;
use crate::cursor::{Finder, Stop};
use crate::envelope::{Envelope, Error, Reason};
use crate::pack::Packs;
use crate::tools::Tools;

/// How many marks may promise a call that is not there. Each costs up to one pass over the text.
const MAX_BROKEN: usize = 64;

/// Reads tool calls out of completions. Cheap to clone, and free to share between threads.
#[derive(Debug, Clone)]
pub struct Extractor {
    packs: Arc<Packs>,
    tools: Tools,
    pipeline: Option<Pipeline>,
    begins_in_thoughts: bool,
}

/// A call, or several under one head, in the completion.
struct Found {
    span: Range<usize>,
    format: String,
    calls: Vec<Call>,
}

/// A mark that promised a call.
struct Broken {
    mark: Range<usize>,
    stop: Stop,
    format: String,
}

impl Broken {
    fn error(&self, completion: &str) -> Error {
        let (reason, offset) = match self.stop {
            Stop::Cut => (Reason::Truncated, completion.len()),
            Stop::Malformed(pos) => (Reason::Malformed, pos),
            Stop::TooDeep(pos) => (Reason::LimitExceeded, pos),
            Stop::Repeated(pos) => (Reason::RepeatedMember, pos),
            Stop::RunsOver(pos) => (Reason::RunsOver, pos),
        };
        let position = Position::of(offset, completion);
        Error { reason, position, format: self.format.clone(), mark: self.mark.clone() }
    }
}

/// What one pass over a text found.
struct Pass {
    before: Before,
    found: Vec<Found>,
    broken: Vec<Broken>,
    /// Thoughts, which are neither calls nor content.
    hidden: Vec<Range<usize>>,
    /// Where thoughts that are never closed end in calls.
    called_from_thoughts: Option<usize>,
    /// What the text quotes: content, whatever marks it holds.
    quoted: Vec<Range<usize>>,
    /// Whether the head of a call is quoted: then other calls in the text may be parts of the same quotation.
    shows_marks: bool,
    /// How many marks that mean other things too were no calls.
    misread: usize,
}

impl Pass {
    /// Nothing yet; the text is visible from `start` on.
    fn new(text: &str, start: usize) -> Self {
        Self {
            before: Before::new(text, start),
            found: Vec::new(),
            broken: Vec::new(),
            hidden: Vec::new(),
            called_from_thoughts: None,
            quoted: Vec::new(),
            shows_marks: false,
            misread: 0,
        }
    }

    /// Where the thoughts that the text begins with end.
    fn visible_from(&self) -> usize {
        self.hidden.last().map_or(0, |hidden| hidden.end)
    }
}

/// The calls of an envelope, of which only the arguments are read.
#[derive(Deserialize)]
struct Calls<'t> {
    #[serde(borrow, rename = "toolCalls")]
    calls: Vec<Arguments<'t>>,
}

#[derive(Deserialize)]
struct Arguments<'t> {
    #[serde(borrow)]
    arguments: &'t RawValue,
}

impl Extractor {
    /// Reads the formats of `packs`. Arguments that are broken JSON are refused; see [`with_pipeline`](Self::with_pipeline).
    pub fn new(packs: Packs) -> Self {
        Self { packs: Arc::new(packs), tools: Tools::new(), pipeline: None, begins_in_thoughts: false }
    }

    /// Accepts calls of these tools only, and reads raw values by their types.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }

    /// Repairs arguments that are broken JSON. The pipeline must take any root; what it closes at a cut is refused all the same.
    #[must_use]
    pub fn with_pipeline(mut self, pipeline: Pipeline) -> Self {
        self.pipeline = Some(pipeline);
        self
    }

    /// Reads completions whose prompt has begun thoughts, as prompts of models that always think do:
    /// nothing is called before the thoughts end, and nothing at all if they do not.
    ///
    /// Without this, thoughts that the prompt began are known by the mark of their end alone, which a completion that was cut does not hold.
    ///
    /// ```
    /// # let pack = "[[reasoning]]\nopen = \"<think>\"\nclose = [\"</think>\"]\n[[format]]\nname = \"hermes\"\ncall = [\"<tool_call>\"]\nbody = \"calls\"\n";
    /// # let extractor = jsonseam_toolcall::Extractor::new(jsonseam_toolcall::Packs::parse(&[("hermes", pack)])?);
    /// let cut = "Perhaps <tool_call>{\"name\": \"f\", \"arguments\": {}}";
    /// assert!(extractor.extract(cut)?.is_some());
    /// assert!(extractor.within_thoughts().extract(cut)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within_thoughts(mut self) -> Self {
        self.begins_in_thoughts = true;
        self
    }

    /// The calls of `completion` as texts that may be an answer: the envelope of SPEC L2; and where there is a single call, its arguments,
    /// for contracts on what a forced call brings. None if there is no call, or one that cannot be read, such as one that is truncated.
    pub fn answers(&self, completion: &str) -> Vec<String> {
        let Ok(Some(envelope)) = self.extract(completion) else { return Vec::new() };
        let mut texts = vec![envelope.text().to_owned()];
        if let Ok(Calls { calls }) = serde_json::from_str(envelope.text())
            && let [Arguments { arguments }] = calls.as_slice()
        {
            texts.push(arguments.get().to_owned());
        }
        texts
    }

    /// The calls of a completion and the text around them; `None` if it holds no mark of a call.
    ///
    /// Time is linear in the completion for each format. Nothing is evaluated, no value is invented or completed (SPEC L1, B3).
    pub fn extract(&self, completion: &str) -> Result<Option<Envelope>, Error> {
        self.extract_with(completion, &Finder::new(completion))
    }

    fn extract_with(&self, completion: &str, finder: &Finder<'_>) -> Result<Option<Envelope>, Error> {
        let reader = Reader {
            text: completion,
            finder,
            tools: &self.tools,
            pipeline: self.pipeline.as_ref(),
            marks: &self.packs.marks,
            noise: &self.packs.noise,
            takes_quoted: false,
        };
        if self.begins_in_thoughts && !self.ends_thoughts(completion) {
            return Ok(None);
        }
        if let Some(found) = self.whole(&reader, 0..completion.len()) {
            return self.settle(&reader, &Pass { found: vec![found], ..Pass::new(completion, 0) });
        }
        if is_json(&reader) {
            // Marks in a JSON text are in its strings.
            return Ok(None);
        }
        let ticks = Ticks::new(completion);
        let prompted = self.begun_by_prompt(&reader);
        let start = prompted.as_ref().map_or(0, |found| found.span.end);
        let mut pass = self.scan(&reader, Some(&ticks), start..completion.len())?;
        if pass.hidden.first().is_none_or(|hidden| hidden.start >= start) {
            pass.found.splice(..0, prompted);
        }
        self.think_on(completion, &mut pass);
        if pass.found.is_empty() && pass.broken.is_empty() {
            self.read_without_marks(&reader, &ticks, &mut pass)?;
        }
        self.settle(&reader, &pass)
    }

    fn noise<'n>(&'n self, quoted: &'n [Range<usize>]) -> Noise<'n> {
        Noise { marks: &self.packs.noise, quoted }
    }
}

/// Whether the whole text is one JSON object, array or string.
fn is_json(reader: &Reader<'_, '_>) -> bool {
    let text = reader.text.trim();
    let is_value = text.starts_with(['{', '[', '"']) && serde_json::from_str::<&RawValue>(text).is_ok();
    reader.finder.charge(text.len());
    is_value
}

/// What `taken`, sorted, leaves of `whole`.
fn gaps(whole: Range<usize>, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut pos = whole.start;
    let mut gaps = Vec::new();
    for span in taken {
        if pos < span.start {
            gaps.push(pos..span.start);
        }
        pos = pos.max(span.end);
    }
    if pos < whole.end {
        gaps.push(pos..whole.end);
    }
    gaps
}

/// `span` without the white space at both ends.
fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = text.get(span.clone()).unwrap_or_default();
    let start = span.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}
