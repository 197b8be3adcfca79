//! Finds the calls in a completion and what is said around them.

mod bare;
mod content;
mod decode;
mod look;
mod marks;
mod quotations;
mod quoted;
mod regions;
mod scan;
mod settle;
#[cfg(feature = "stream")]
pub(crate) mod stream;
#[cfg(test)]
mod tests;
mod underscores;

use std::ops::Range;
use std::sync::Arc;

use jsonseam_core::{Pipeline, Position, Risk};
use serde::Deserialize;
use serde_json::value::RawValue;

pub use self::bare::Bare;
use self::content::{Noise, content, parts};
use self::quoted::{Before, Ticks};
use crate::call::Call;
use crate::cursor::{BYTE_ORDER_MARK, Finder, Stop};
use crate::envelope::{Envelope, Error, Help, Reading, Reason};
use crate::pack::Packs;
use crate::reader::Reader;
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
    bare: Bare,
    max_risk: Risk,
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
    /// Whether the mark means other things too.
    is_soft: bool,
}

impl Broken {
    fn error(&self, completion: &str) -> Error {
        let (reason, offset) = match self.stop {
            Stop::Cut => (Reason::Truncated, completion.len()),
            Stop::Malformed(pos) | Stop::NoCall(pos) => (Reason::Malformed, pos),
            Stop::TooDeep(pos) => (Reason::LimitExceeded, pos),
            Stop::Repeated(pos) => (Reason::RepeatedMember, pos),
            Stop::RunsOver(pos) => (Reason::RunsOver, pos),
        };
        let position = Position::of(offset, completion);
        Error {
            reason,
            position,
            format: self.format.as_str().into(),
            mark: self.mark.clone(),
            edits: Vec::new(),
            paths: Vec::new(),
            help: None,
        }
    }
}

/// What one pass over a text found.
struct Pass {
    before: Before,
    /// Where the text begins: after a byte order mark.
    start: usize,
    /// Where the model's turn ends: with the text, or where another role begins to speak.
    end: usize,
    found: Vec<Found>,
    broken: Vec<Broken>,
    /// Marks that mean other things too, before what is like a call and could not be read.
    unread: Vec<Broken>,
    /// Thoughts, which are neither calls nor content.
    hidden: Vec<Range<usize>>,
    /// Where thoughts that are never closed end in calls.
    called_from_thoughts: Option<usize>,
    /// What the text quotes: content, whatever marks it holds.
    quoted: Vec<Range<usize>>,
    /// Where the fenced block ends that is right after `Action:`, and so is not quoted.
    action_fence: Option<usize>,
    /// The fenced block that is all of the answer, and all of it calls.
    fence: Option<Range<usize>>,
    /// The text of a call again, right after it: what models repeat without its mark.
    echoes: Vec<Range<usize>>,
    /// How many marks that mean other things too were no calls.
    misread: usize,
    /// How often a call was read to tell whether a quotation ends in it.
    crossings: usize,
}

impl Pass {
    /// Nothing yet of `span`, with which the visible text begins.
    fn new(text: &str, span: Range<usize>) -> Self {
        Self {
            before: Before::new(text, span.start),
            start: 0,
            end: span.end,
            found: Vec::new(),
            broken: Vec::new(),
            unread: Vec::new(),
            hidden: Vec::new(),
            called_from_thoughts: None,
            quoted: Vec::new(),
            action_fence: None,
            fence: None,
            echoes: Vec::new(),
            misread: 0,
            crossings: 0,
        }
    }

    /// All of the text that is no content, calls included, in order.
    fn taken(&self) -> Vec<Range<usize>> {
        let found = self.found.iter().map(|found| &found.span);
        let mut taken: Vec<_> = found.chain(&self.hidden).chain(&self.fence).chain(&self.echoes).cloned().collect();
        taken.push(0..self.start);
        taken.sort_by_key(|span| (span.start, span.end));
        taken
    }

    /// The same, and what the text quotes.
    fn taken_or_quoted(&self) -> Vec<Range<usize>> {
        let mut taken = self.taken();
        taken.extend(self.quoted.iter().cloned());
        taken.sort_by_key(|span| (span.start, span.end));
        taken
    }

    /// Where the thoughts that the text begins with end.
    fn visible_from(&self) -> usize {
        self.hidden.last().map_or(self.start, |hidden| hidden.end)
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
        Self {
            packs: Arc::new(packs),
            tools: Tools::new(),
            pipeline: None,
            begins_in_thoughts: false,
            bare: Bare::Alone,
            max_risk: Risk::Likely,
        }
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
    /// # let pack = "[[reasoning]]\nopen = \"<think>\"\nclose = [\"</think>\"]\n[[format]]\nname = \"hermes\"\ncall = [\"<tool_call>\"]\nbody = \"calls\"\nthoughts = [\"<think>\"]\n";
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

    /// Where a call without a mark counts; [`Bare::Alone`] unless said otherwise.
    ///
    /// ```
    /// # use jsonseam_toolcall::{Bare, Extractor, Packs, Tools, WRAPPERS};
    /// let tools = Tools::new().tool("f", &serde_json::json!({}));
    /// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?).with_tools(tools);
    /// let text = "I will do this:\n{\"name\": \"f\", \"arguments\": {}}";
    /// assert!(extractor.extract(text)?.is_none());
    /// assert!(extractor.with_bare(Bare::Last).extract(text)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_bare(mut self, bare: Bare) -> Self {
        self.bare = bare;
        self
    }

    /// Refuses calls with an edit above this risk; [`Risk::Likely`] unless said otherwise.
    #[must_use]
    pub fn with_max_risk(mut self, risk: Risk) -> Self {
        self.max_risk = risk;
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

    /// The calls of a completion and the text around them; `None` if nothing in it counts as a call.
    ///
    /// Time is linear in the completion for each format. Nothing is evaluated, no value is invented or completed (SPEC L1, B3).
    pub fn extract(&self, completion: &str) -> Result<Option<Envelope>, Error> {
        let pass = self.pass(completion, &Finder::new(completion))?;
        Ok(pass.1)
    }

    /// The calls of a completion, its thoughts, and what looked like a call and is not one (SPEC L0a).
    ///
    /// ```
    /// use jsonseam_toolcall::{Extractor, Packs, Passed, Tools, WRAPPERS};
    ///
    /// let tools = Tools::new().tool("rm", &serde_json::json!({}));
    /// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?).with_tools(tools);
    /// let reading = extractor.read("Never do this: {\"name\": \"rm\", \"arguments\": {}}")?;
    /// assert!(reading.envelope().is_none());
    /// assert_eq!(reading.passed_over()[0].reason, Passed::Inline);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self, completion: &str) -> Result<Reading, Error> {
        self.read_with(completion, &Finder::new(completion))
    }

    /// The same refusal of `completion`, with [`mended_by`](Error::mended_by) filled: the rules that are off and would have made its calls readable.
    ///
    /// The completion is read once more, with every rule that the pipeline knows. The error of another completion gets no names.
    ///
    /// ```
    /// use jsonseam_toolcall::{Extractor, Packs, WRAPPERS};
    ///
    /// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?);
    /// let completion = "<tool_call>{\"name\": \"f\", \"arguments\": {a: 1}}</tool_call>";
    /// let error = extractor.extract(completion).unwrap_err();
    /// // Without a pipeline no rule is known; `jsonseam::tool_calls()` has one.
    /// assert!(extractor.explain(&error, completion).mended_by().is_empty());
    /// # Ok::<(), jsonseam_toolcall::PackError>(())
    /// ```
    #[must_use = "the error that is given stays as it is"]
    pub fn explain(&self, error: &Error, completion: &str) -> Error {
        let mended_by =
            self.pipeline.as_ref().map_or_else(Vec::new, |own| self.rules_that_help(own, error, completion));
        Error { help: Some(Box::new(Help { mended_by })), ..error.clone() }
    }

    fn rules_that_help(&self, own: &Pipeline, error: &Error, completion: &str) -> Vec<String> {
        if self.extract(completion).err().as_ref().map(Error::position) != Some(error.position) {
            return Vec::new();
        }
        let known = self.clone().with_pipeline(own.with_known_rules());
        let Ok(Some(envelope)) = known.extract(completion) else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for edit in envelope.repairs() {
            let is_off = own.rules().all(|rule| rule.name != edit.rule);
            if is_off && names.iter().all(|name| name != edit.rule) {
                names.push(edit.rule.to_owned());
            }
        }
        names
    }

    fn read_with(&self, completion: &str, finder: &Finder<'_>) -> Result<Reading, Error> {
        let (pass, envelope) = self.pass(completion, finder)?;
        let passed_over = self.passed_over(&self.reader(completion, finder), &pass);
        let thoughts = pass.hidden.iter().map(|hidden| self.thought_in(completion, hidden.clone())).collect();
        Ok(Reading { envelope, passed_over, thoughts })
    }

    fn reader<'r, 'a>(&'r self, completion: &'a str, finder: &'r Finder<'a>) -> Reader<'r, 'a> {
        Reader {
            text: completion,
            finder,
            tools: &self.tools,
            pipeline: self.pipeline.as_ref(),
            marks: &self.packs.marks,
            noise: &self.packs.noise,
            turns: &self.packs.turns,
            head_keys: &self.packs.head_keys,
            takes_quoted: false,
        }
    }

    fn pass(&self, completion: &str, finder: &Finder<'_>) -> Result<(Pass, Option<Envelope>), Error> {
        let reader = self.reader(completion, finder);
        let pass = self.found(&reader)?;
        let envelope = self.settle(&reader, &pass)?;
        Ok((pass, envelope))
    }

    /// What the completion holds, in whichever way it is read.
    fn found(&self, reader: &Reader<'_, '_>) -> Result<Pass, Error> {
        let completion = reader.text;
        let start = completion.len() - completion.trim_start_matches(BYTE_ORDER_MARK).len();
        let whole = start..completion.len();
        let mut pass = Pass { start, ..Pass::new(completion, whole.clone()) };
        if self.begins_in_thoughts && !self.closes_thoughts(completion) {
            self.open_thoughts(reader, &mut pass);
            if pass.called_from_thoughts.is_none() {
                return Ok(pass);
            }
        } else if self.bare != Bare::Never {
            // In a text that is nothing but bare calls, marks are in its strings.
            self.bare_alone(reader, std::slice::from_ref(&whole), &mut pass);
            pass.broken.clear();
        }
        if !pass.found.is_empty() {
            return Ok(pass);
        }
        // So they are in a JSON text, and in JSON Lines, of which the last may be a call.
        match json_values(reader).as_slice() {
            [] => {}
            [_] => return Ok(pass),
            several => {
                reader.finder.keep(several.to_vec());
                self.read_without_marks(reader, &mut pass)?;
                return Ok(pass);
            }
        }
        let ticks = Ticks::new(completion);
        let prompted = self.begun_by_prompt(reader);
        let start = prompted.as_ref().map_or(pass.visible_from(), |found| found.span.end);
        let mut pass = self.scan(reader, Some(&ticks), start..completion.len(), pass)?;
        if pass.hidden.first().is_none_or(|hidden| hidden.start >= start) {
            pass.found.splice(..0, prompted);
        }
        self.think_on(completion, &mut pass);
        self.show_unless_last(completion, &mut pass);
        pass.echoes = self.echoes(reader, &pass);
        if pass.found.is_empty() && pass.broken.is_empty() {
            self.read_without_marks(reader, &mut pass)?;
        }
        Ok(pass)
    }

    /// Whether nothing of a part is content.
    fn is_blank(&self, text: &str, span: &Range<usize>) -> bool {
        let shown = text.get(span.clone()).unwrap_or_default().trim();
        // What begins with no mark is content, unless the end of the text cuts a mark.
        let longest = self.packs.noise.first().map_or(0, String::len);
        if shown.len() > longest && !self.packs.noise.iter().any(|mark| shown.starts_with(mark.as_str())) {
            return false;
        }
        content(text, std::iter::once(span.clone()), self.noise(&[])).is_empty()
    }

    /// A part without the marks at both ends that are no content.
    fn without_noise(&self, text: &str, span: Range<usize>) -> Range<usize> {
        let parts = parts(text, std::iter::once(span.clone()), self.noise(&[]));
        let start = parts.first().map_or(span.start, |part| part.start);
        start..parts.last().map_or(start, |part| part.end)
    }

    fn noise<'n>(&'n self, quoted: &'n [Range<usize>]) -> Noise<'n> {
        Noise { marks: &self.packs.noise, quoted }
    }
}

/// The values of a text that is nothing but JSON: one object, array or string, or several objects and arrays.
fn json_values(reader: &Reader<'_, '_>) -> Vec<Range<usize>> {
    let text = reader.text.trim_start_matches(BYTE_ORDER_MARK).trim();
    if !text.starts_with(['{', '[', '"']) {
        return Vec::new();
    }
    let mut read = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut values = Vec::new();
    for value in read.by_ref() {
        let Ok(value) = value else {
            values.clear();
            break;
        };
        let start = value.get().as_ptr() as usize - reader.text.as_ptr() as usize;
        values.push(start..start + value.get().len());
    }
    reader.finder.charge(read.byte_offset());
    let is_container =
        |span: &Range<usize>| reader.text.get(span.start..).is_some_and(|rest| rest.starts_with(['{', '[']));
    if values.len() > 1 && !values.iter().all(is_container) { Vec::new() } else { values }
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
