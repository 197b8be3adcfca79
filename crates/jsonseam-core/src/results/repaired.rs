//! What a repair gives back: the text, the seams, and how sure they are.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use jsonseam_text::named;
use serde::Serialize;

use super::path::{self, OpenArray};
use crate::derived::debug_facts;
use crate::edits::journal::Journal;
use crate::edits::risk::Risk;
use crate::engine::rules::RuleInfo;
use crate::reading::wanted::Root;
use crate::reading::work::Work;

named! {
    /// Whether a payload needed edits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Status as "a status" {
        /// The payload was valid JSON: no edit.
        Valid = "valid",
        /// The payload is valid JSON by the edits listed.
        Repaired = "repaired",
    }
}

/// A payload that is valid JSON, with every edit that made it so.
///
/// `Debug` shows no text of the payload (SPEC M5); [`text`](Self::text) does, on request.
/// It borrows the completion; [`into_owned`](Self::into_owned) lets go of it.
///
/// ```
/// # use jsonseam_core::{Catalogue, Config, Pipeline};
/// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
/// # let catalogue = Catalogue::new(Vec::new(), &[])?;
/// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
/// use jsonseam_core::{Risk, Status};
///
/// // The pipeline has one rule, which reads `=>` as a colon.
/// let repaired = pipeline.repair("{\"a\" => 1}")?;
/// assert_eq!((repaired.status(), repaired.text()), (Status::Repaired, "{\"a\" : 1}"));
/// assert_eq!((repaired.risk(), repaired.payload()), (Some(Risk::Likely), 0..10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Repaired<'a> {
    /// The text of the payload, before any edit.
    pub(crate) source: Cow<'a, str>,
    /// The text after the edits; `None` without edits.
    pub(crate) output: Option<Cow<'a, str>>,
    /// Where the payload is in the completion.
    pub(crate) payload: Range<usize>,
    pub(crate) journal: Journal,
    /// The rules of the pipeline, by which edits are named; `None` without edits.
    pub(crate) rules: Option<Arc<[RuleInfo]>>,
    pub(crate) is_cut_by_reason: bool,
    /// Where other payloads are.
    pub(crate) further: Vec<Further>,
    pub(crate) gap: Option<u32>,
    pub(crate) work: Work,
}

/// A payload of a completion beside the one that was taken (SPEC B4).
///
/// ```
/// use jsonseam_core::{Config, Further, Pipeline, Root};
///
/// fn arrays(further: &[Further]) -> usize {
///     further.iter().filter(|other| other.root == Root::Array).count()
/// }
///
/// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// assert_eq!(arrays(pipeline.repair("{\"a\": 1}")?.further()), 0);
/// # Ok::<(), jsonseam_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Further {
    /// Where it is in the completion, in bytes.
    #[serde(flatten)]
    pub span: Range<usize>,
    /// What it is: [`Root::Object`] or [`Root::Array`].
    ///
    /// One of another kind than the pipeline wants is listed, and never chosen by a policy.
    pub root: Root,
}

/// One edit of a repair, with the rule that made it.
///
/// ```
/// use jsonseam_core::{AppliedEdit, Risk};
///
/// let edit = AppliedEdit::new("trailing-comma", Risk::Certain, 7..8, "");
/// assert_eq!((edit.rule, edit.span.clone(), edit.replacement), ("trailing-comma", 7..8, ""));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct AppliedEdit<'r> {
    /// The rule's name.
    pub rule: &'r str,
    /// The risk of the rule.
    pub risk: Risk,
    /// The bytes of the completion that were replaced.
    pub span: Range<usize>,
    /// What is there now.
    pub replacement: &'r str,
    /// The repair that it is part of, and its place among the edits.
    of: Option<(&'r Repaired<'r>, usize)>,
}

impl<'r> AppliedEdit<'r> {
    /// An edit that this rule made, of this risk, and of no repair.
    pub fn new(rule: &'r str, risk: Risk, span: Range<usize>, replacement: &'r str) -> Self {
        Self { rule, risk, span, replacement, of: None }
    }

    /// An edit that the rule of this index made.
    pub(crate) fn by(rules: &'r [RuleInfo], index: u16, span: Range<usize>, replacement: &'r str) -> Self {
        let info = rules.get(usize::from(index));
        let risk = info.and_then(|info| info.risk).unwrap_or(Risk::Lossy);
        Self::new(info.map_or("", |info| &info.name), risk, span, replacement)
    }

    /// The JSON Pointer of the value or member that the edit touches; `None` for an edit of a stream and for one that was made by [`new`](Self::new).
    ///
    /// Reads the repaired text up to the edit. For all edits, [`Repaired::paths`] reads it once.
    ///
    /// ```
    /// # use jsonseam_core::{Catalogue, Config, Pipeline, Thresholds};
    /// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
    /// # let catalogue = Catalogue::new(Vec::new(), &[("strict", Thresholds::new(50, 200), &[])])?;
    /// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
    /// let repaired = pipeline.repair("{\"a\" => 1}")?;
    /// let edit = repaired.edits().next().expect("one edit was made");
    /// assert_eq!(edit.path().as_deref(), Some("/a"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(&self) -> Option<String> {
        let (repaired, place) = self.of?;
        let site = repaired.sites().nth(place)?;
        path::pointers(repaired.text(), &[site]).pop()
    }
}

/// The same rule, risk, span and replacement, whatever repair they are part of.
impl PartialEq for AppliedEdit<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.rule, self.risk, &self.span, self.replacement) == (other.rule, other.risk, &other.span, other.replacement)
    }
}

impl Eq for AppliedEdit<'_> {}

// The length of the replacement, never its text.
debug_facts!(AppliedEdit<'_>, |edit| rule: edit.rule, risk: edit.risk, span: edit.span,
    replacement_len: edit.replacement.len());

debug_facts!(Repaired<'_>, |repaired| status: repaired.status(), payload: repaired.payload, edits: repaired.journal.len(),
    risk: repaired.risk(), is_truncated: repaired.is_truncated(), further: repaired.further);

impl<'a> Repaired<'a> {
    /// A completion that is its own payload.
    pub(crate) fn whole(completion: &'a str, is_cut_by_reason: bool) -> Self {
        Self {
            source: Cow::Borrowed(completion),
            output: None,
            payload: 0..completion.len(),
            journal: Journal::default(),
            rules: None,
            is_cut_by_reason,
            further: Vec::new(),
            gap: None,
            work: Work { steps: completion.len() as u64, ..Work::default() },
        }
    }

    /// Whether edits were needed.
    pub fn status(&self) -> Status {
        if self.journal.len() == 0 { Status::Valid } else { Status::Repaired }
    }

    /// The JSON text. Borrowed from the completion when there are no edits.
    pub fn text(&self) -> &str {
        self.output.as_deref().unwrap_or(&self.source)
    }

    /// The JSON text, without a copy.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use std::borrow::Cow;
    ///
    /// let text = pipeline.repair("{\"a\": 1}")?.into_text();
    /// assert!(matches!(text, Cow::Borrowed("{\"a\": 1}")));
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn into_text(self) -> Cow<'a, str> {
        self.output.unwrap_or(self.source)
    }

    /// The same result with a copy of the payload of its own, so that the completion may go.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline};
    ///
    /// let kept = {
    ///     let completion = String::from("{\"a\": 1}");
    ///     Pipeline::from_rules(&Config::default(), Vec::new()).repair(&completion)?.into_owned()
    /// };
    /// assert_eq!(kept.text(), "{\"a\": 1}");
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn into_owned(self) -> Repaired<'static> {
        Repaired {
            source: Cow::Owned(self.source.into_owned()),
            output: self.output.map(|text| Cow::Owned(text.into_owned())),
            payload: self.payload,
            journal: self.journal,
            rules: self.rules,
            is_cut_by_reason: self.is_cut_by_reason,
            further: self.further,
            gap: self.gap,
            work: self.work,
        }
    }

    /// Where the payload is in the completion, in bytes. The edits applied to it give [`text`](Self::text).
    pub fn payload(&self) -> Range<usize> {
        self.payload.clone()
    }

    /// The other payloads of the completion, in order: each decodes, or can be repaired under the same configuration without truncation (SPEC B4).
    /// At most as many as the limit of candidates.
    ///
    /// Whole values of the other kind of root are listed too, where they are on lines of their own or in a block tagged `json`: with
    /// [`Root::Object`](crate::Root::Object), arrays of more than one number. An edit above `likely` makes none of them whole.
    ///
    /// [`text`](Self::text) holds none of them, so a caller that replaces the completion by it loses them.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline};
    ///
    /// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// assert!(pipeline.repair("{\"a\": 1}")?.further().is_empty());
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn further(&self) -> &[Further] {
        &self.further
    }

    /// The edits, by position; several at one position in the order in which they apply.
    ///
    /// ```
    /// # use jsonseam_core::{Catalogue, Config, Pipeline};
    /// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
    /// # let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
    /// let repaired = pipeline.repair("{\"a\" => 1}")?;
    /// let edit = repaired.edits().next().expect("one edit was made");
    /// assert_eq!((edit.rule, edit.span, edit.replacement), ("fat-arrow", 5..7, ":"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edits(&self) -> impl ExactSizeIterator<Item = AppliedEdit<'_>> {
        let rules = self.rules.as_deref().unwrap_or_default();
        self.journal.entries().iter().enumerate().map(move |(place, entry)| {
            let edit = AppliedEdit::by(rules, entry.rule(), entry.span(), self.journal.replacement(entry));
            AppliedEdit { of: Some((self, place)), ..edit }
        })
    }

    /// The highest risk among the edits; `None` without edits.
    pub fn risk(&self) -> Option<Risk> {
        self.edits().map(|seam| seam.risk).max()
    }

    /// Whether the completion was cut off: an edit answered a fault at its end, or the finish reason says so (SPEC B3).
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::RepairOptions;
    ///
    /// let options = RepairOptions::new().with_finish_reason(Some("length"));
    /// assert!(pipeline.repair_with("{\"a\": 1}", &options)?.is_truncated());
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn is_truncated(&self) -> bool {
        self.is_cut_by_reason || self.is_cut_short()
    }

    /// Whether an edit answered a fault at the completion's end, whatever the finish reason says.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.journal.has_cut()
    }

    /// The JSON Pointers of what is incomplete because an edit closed it: at most one, since a text is cut in one place.
    ///
    /// It names the string or number that the cut may have shortened, else the innermost container that was open.
    /// Reads the text once.
    pub fn incomplete(&self) -> Vec<String> {
        let pointer = |(cut, is_after_comma)| path::incomplete(self.text(), cut, is_after_comma);
        self.cut().map(pointer).into_iter().collect()
    }

    /// The arrays that an edit closed because the completion was cut off, the outermost first, each with the element that is not whole.
    ///
    /// A container that is still open, a string without its end and a number or word at the cut, which may go on, are not whole.
    /// Reads the text once.
    pub fn open_arrays(&self) -> Vec<OpenArray> {
        let Some((cut, is_after_comma)) = self.cut() else { return Vec::new() };
        let mut open = path::open_arrays(self.text(), cut, is_after_comma);
        for element in open.iter_mut().filter_map(|array| array.incomplete.as_mut()) {
            element.span = self.journal.source_of(element.span.start, self.payload.start)..self.payload.end;
        }
        open
    }

    /// Where the first edit that answers a cut is in the output, and whether it removes something there.
    fn cut(&self) -> Option<(usize, bool)> {
        let mut cuts = self.journal.places(self.payload.start).filter(|(entry, _)| entry.at_cut());
        cuts.next().map(|(entry, site)| (site.start, !entry.span().is_empty()))
    }

    /// The JSON Pointer of each edit, in the order of [`edits`](Self::edits): the value or member the edit touches.
    /// Pointers beyond 512 bytes are cut to a container that fits. Reads the text once.
    ///
    /// ```
    /// # use jsonseam_core::{Catalogue, Config, Pipeline};
    /// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
    /// # let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
    /// let repaired = pipeline.repair("{\"a\" => 1}")?;
    /// assert_eq!(repaired.paths(), ["/a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paths(&self) -> Vec<String> {
        path::pointers(self.text(), &self.sites().collect::<Vec<_>>())
    }

    /// Where each edit's replacement is in the output.
    fn sites(&self) -> impl Iterator<Item = Range<usize>> {
        self.journal.places(self.payload.start).map(|(_, site)| site)
    }

    /// Takes every edit back: the payload, from the output and the lengths of the edits.
    ///
    /// What an edit removed is read from the source; everything else from the output.
    ///
    /// ```
    /// # use jsonseam_core::{Catalogue, Config, Pipeline};
    /// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
    /// # let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
    /// let repaired = pipeline.repair("{\"a\" => 1}")?;
    /// assert_eq!(repaired.revert(), "{\"a\" => 1}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn revert(&self) -> String {
        let mut payload = String::with_capacity(self.payload.len());
        let mut pos = 0;
        for (entry, site) in self.journal.places(self.payload.start) {
            payload.push_str(self.text().get(pos..site.start).unwrap_or_default());
            let Range { start, end } = entry.span();
            payload.push_str(self.source.get(start - self.payload.start..end - self.payload.start).unwrap_or_default());
            pos = site.end;
        }
        payload.push_str(self.text().get(pos..).unwrap_or_default());
        payload
    }

    /// By how much this reading of the payload led the next one with another value, in hundredths; `None` if no fault had several answers.
    pub fn gap(&self) -> Option<u32> {
        self.gap
    }

    /// What the repair cost.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// let completion = "{\"a\": 1}";
    /// assert!(pipeline.repair(completion)?.work().is_linear(completion.len()));
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn work(&self) -> Work {
        self.work.made()
    }
}
