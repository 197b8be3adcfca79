//! What a text becomes: the bytes that are written, and how they differ from the text.

use jsonseam::{Further, Repaired};
use std::borrow::Cow;

use crate::arguments::{AllForm, RepairArguments};
use crate::lines::{Found, Line};
use crate::render::{self, Change};

/// What was taken out of a text.
#[derive(Debug)]
pub(super) enum Product<'a> {
    /// The text is one.
    Whole(Found<'a>),
    /// Each line is a text.
    Lines(Vec<Line<'a>>),
}

/// How values are written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Style {
    /// As they are.
    AsIs,
    /// Without white space.
    Compact,
    /// Indented by so many blanks.
    Pretty(u8),
}

/// How what was taken out is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// How each value is written.
    pub(super) style: Style,
    /// How all payloads of a text are written, if they are wanted.
    pub(super) all: Option<AllForm>,
    /// Whether what is written takes the place of what was read.
    pub(super) is_in_place: bool,
    /// Whether what was cut off may take its place.
    pub(super) allows_truncated: bool,
}

impl Layout {
    /// The layout that the arguments ask for.
    pub(super) fn of(arguments: &RepairArguments, is_in_place: bool) -> Self {
        let style = match arguments.pretty {
            _ if arguments.compact => Style::Compact,
            Some(indent) => Style::Pretty(indent),
            None => Style::AsIs,
        };
        Self { style, all: arguments.all, is_in_place, allows_truncated: arguments.allow_truncated }
    }

    /// The layout of these payloads: in place, a text with one payload stays what it is.
    fn for_payloads(self, payloads: &[Repaired<'_>]) -> Self {
        let is_alone = self.is_in_place && payloads.len() == 1;
        Self { all: self.all.filter(|_| !is_alone), ..self }
    }

    fn value<'p>(self, payload: &'p Repaired<'_>) -> Cow<'p, str> {
        match (self.style, self.all) {
            (Style::Pretty(indent), _) => Cow::Owned(render::pretty(payload.text(), indent)),
            (Style::AsIs, None) => Cow::Borrowed(payload.text()),
            (Style::AsIs, Some(_)) | (Style::Compact, _) => Cow::Owned(jsonseam::record::compact(payload.text())),
        }
    }

    /// Whether what was found may not take the place of what was read, because it was cut off.
    fn holds(self, found: &Found<'_>) -> bool {
        self.is_in_place && !self.allows_truncated && found.is_truncated()
    }

    fn array<'r, 'a: 'r>(self, payloads: impl Iterator<Item = &'r Repaired<'a>>) -> String {
        let values: Vec<String> = payloads.map(|payload| jsonseam::record::compact(payload.text())).collect();
        let array = format!("[{}]", values.join(","));
        let mut text = if let Style::Pretty(indent) = self.style { render::pretty(&array, indent) } else { array };
        text.push('\n');
        text
    }
}

impl<'a> Product<'a> {
    /// The bytes that are written.
    pub(super) fn output<'p>(&'p self, input: &'p [u8], layout: Layout) -> Cow<'p, [u8]> {
        let layout = if let Self::Whole(found) = self { layout.for_payloads(&found.payloads) } else { layout };
        match (self, layout.all, layout.style) {
            (_, Some(AllForm::Array), _) => Cow::Owned(layout.array(self.payloads()).into_bytes()),
            (Self::Lines(lines), ..) => Cow::Owned(by_line(lines, input, layout).0),
            (Self::Whole(found), None, Style::AsIs) => match found.payloads.first() {
                Some(payload) => Cow::Borrowed(payload.text().as_bytes()),
                None => Cow::Borrowed(input),
            },
            (Self::Whole(found), ..) => {
                let mut text = String::new();
                for payload in &found.payloads {
                    text.push_str(layout.value(payload).trim_end());
                    text.push('\n');
                }
                Cow::Owned(text.into_bytes())
            }
        }
    }

    /// Whether a text that is one may not be written, because it was cut off.
    pub(super) fn is_held_as_truncated(&self, layout: Layout) -> bool {
        matches!(self, Self::Whole(found) if layout.holds(found))
    }

    /// Every payload, in order.
    pub(super) fn payloads(&self) -> impl Iterator<Item = &Repaired<'a>> {
        let (whole, lines) = match self {
            Self::Whole(found) => (Some(found), &[][..]),
            Self::Lines(lines) => (None, lines.as_slice()),
        };
        let in_lines = lines.iter().filter_map(|line| line.result.as_ref()?.as_ref().ok());
        whole.into_iter().chain(in_lines).flat_map(|found| &found.payloads)
    }

    /// The unified diff between the text and what is written.
    pub(super) fn diff(&self, name: &str, source: &str, layout: Layout) -> String {
        match self {
            Self::Whole(found) => {
                found.payloads.first().map(|payload| render::diff(name, source, payload)).unwrap_or_default()
            }
            Self::Lines(lines) => {
                let (output, changes) = by_line(lines, source.as_bytes(), layout);
                render::diff_of(name, source, str::from_utf8(&output).unwrap_or_default(), changes)
            }
        }
    }
}

/// The text with every line repaired that can be, and what changed.
///
/// Lines that are refused, and lines that would lose a payload or hide a cut, stay as they are.
fn by_line(lines: &[Line<'_>], input: &[u8], layout: Layout) -> (Vec<u8>, Vec<Change>) {
    let mut out = Vec::with_capacity(input.len());
    let mut changes = Vec::new();
    let mut kept = 0;
    for line in lines {
        let Some(Ok(found)) = line.result.as_ref().filter(|_| !line.is_held(input, layout)) else { continue };
        let value = one_line(found, layout);
        if input.get(line.span.clone()) == Some(value.as_bytes()) {
            continue;
        }
        out.extend_from_slice(input.get(kept..line.span.start).unwrap_or_default());
        let start = out.len();
        out.extend_from_slice(value.as_bytes());
        changes.push(Change { old: line.span.clone(), new: start..out.len() });
        kept = line.span.end;
    }
    out.extend_from_slice(input.get(kept..).unwrap_or_default());
    (out, changes)
}

/// The payloads of a line, each on a line of its own: a value that has line ends loses them.
fn one_line(found: &Found<'_>, layout: Layout) -> String {
    let layout = layout.for_payloads(&found.payloads);
    let layout =
        Layout { style: if let Style::Pretty(_) = layout.style { Style::Compact } else { layout.style }, ..layout };
    let values = found.payloads.iter().map(|payload| {
        let value = layout.value(payload);
        if value.contains(['\n', '\r']) { jsonseam::record::compact(&value) } else { value.into_owned() }
    });
    values.collect::<Vec<_>>().join("\n")
}

impl Line<'_> {
    /// Whether the line of `input` stays as it is, because payloads would be lost or a cut would be hidden.
    pub(super) fn is_held(&self, input: &[u8], layout: Layout) -> bool {
        let Some(Ok(found)) = &self.result else { return false };
        let is_changed = || input.get(self.span.clone()) != Some(one_line(found, layout).as_bytes());
        found.leaves_out() || layout.holds(found) && is_changed()
    }
}

/// A list of places for people: the first few, and how many there are.
pub(super) fn places(payloads: &[&Further]) -> String {
    const SHOWN: usize = 4;
    let spans = payloads.iter().map(|further| &further.span);
    let shown: Vec<String> = spans.take(SHOWN).map(|span| format!("{}..{}", span.start, span.end)).collect();
    let more = payloads.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("bytes {}{rest}", shown.join(", "))
}
