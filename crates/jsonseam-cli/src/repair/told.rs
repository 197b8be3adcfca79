//! Reports on a repair, for people.

use jsonseam::{Error, Repaired, Root, Status};
use serde_json::Value;

use super::Job;
use super::product::{Layout, Product, places};
use crate::arguments::OutputFormat;
use crate::console;
use crate::counts::{counted, descending};
use crate::input::{Input, Source};
use crate::lines::{Found, Line};
use crate::render;

/// Why a text counts as truncated.
const BY_END: &str = "the text ends before its JSON does";
const BY_REASON: &str = "the finish reason says so";

/// Of further refused lines only the number is shown.
const MOST_LINES: usize = 10;

/// What became of a file, for the messages about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    /// Whether it is not written because something would be lost.
    pub(super) is_held: bool,
    /// Whether what is written is other than what was read.
    pub(super) is_changed: bool,
}

impl Product<'_> {
    /// Whether payloads are left out of a text that is one, whole or broken.
    pub(super) fn leaves_out(&self) -> bool {
        matches!(self, Self::Whole(found) if found.leaves_out())
    }

    /// The payloads that are left out of a text that is one, for people.
    fn left_out(&self) -> String {
        let Self::Whole(Found { payloads, further, broken }) = self else { return String::new() };
        let taken = payloads.first().map(root_of);
        let of_root: Vec<_> = further.iter().filter(|further| Some(further.root) == taken).collect();
        let others: Vec<_> = further.iter().filter(|further| Some(further.root) != taken).collect();
        let mut named = Vec::new();
        if !of_root.is_empty() {
            named.push(format!("{} at {}", counted(of_root.len(), "further payload"), places(&of_root)));
        }
        if let [first, ..] = others.as_slice() {
            named.push(format!("{} at {}", counted(others.len(), first.root.as_str()), places(&others)));
        }
        if let [first, ..] = broken.as_slice() {
            named.push(format!("{} beyond repair from byte {first} on", counted(broken.len(), "payload")));
        }
        named.join(", and ")
    }

    /// What can be done about payloads that are left out.
    fn left_out_help(&self, root: Root) -> &'static str {
        match self {
            Self::Whole(found) if !found.broken.is_empty() => {
                "another --preset may repair it; --candidates first, last or best takes one payload alone"
            }
            Self::Whole(found) if root != Root::Any && found.further.iter().any(|further| further.root != root) => {
                "--all --root any keeps every payload, one a line; --allow-further leaves the others out"
            }
            _ => "--all keeps every payload, one a line; --candidates first, last or best takes one alone",
        }
    }

    /// Why a payload is one that was cut off, for people; empty if none is.
    fn truncated(&self) -> String {
        let mut cut = self.payloads().filter(|payload| payload.is_truncated());
        let Some(first) = cut.next() else { return String::new() };
        let why = if first.incomplete().is_empty() { BY_REASON } else { BY_END };
        match self {
            Self::Whole(_) => format!("truncated: {why}"),
            Self::Lines(_) => format!("truncated: {why}, in {}", counted(1 + cut.count(), "line")),
        }
    }

    /// The refused lines.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (usize, &Error)> {
        let lines = match self {
            Self::Whole(_) => &[][..],
            Self::Lines(lines) => lines.as_slice(),
        };
        lines.iter().filter_map(|line| Some((line.number, line.result.as_ref()?.as_ref().err()?)))
    }
}

impl Job<'_> {
    /// Tells of the lines that stay as they are, and gives their number.
    pub(super) fn tell_refused_lines(
        &self,
        product: &Product<'_>,
        source: &Source,
        input: &Input,
        layout: Layout,
    ) -> anyhow::Result<usize> {
        let refused = self.tell_refused(product, source, &input.bytes, layout, 0)?;
        self.tell_more_refused(source, refused);
        Ok(refused)
    }

    /// Tells of the lines that stay as they are, after so many others that do, and gives their number.
    pub(super) fn tell_refused(
        &self,
        product: &Product<'_>,
        source: &Source,
        text: &[u8],
        layout: Layout,
        earlier: usize,
    ) -> anyhow::Result<usize> {
        let Product::Lines(lines) = product else { return Ok(0) };
        let (name, mut refused) = (source.name(), earlier);
        for line in lines {
            let bytes = text.get(line.span.clone()).unwrap_or_default();
            let error = match &line.result {
                Some(Err(error)) => Some(error),
                Some(Ok(_)) if line.is_held(text, layout) => None,
                _ => continue,
            };
            refused += 1;
            match (error, self.arguments.files.output_format) {
                (Some(error), OutputFormat::Github) => render::annotate(&name, line.number - 1, error, bytes)?,
                (_, OutputFormat::Sarif) => {}
                _ if refused > MOST_LINES => {}
                (Some(error), _) if refused == 1 => {
                    render::refusal_of_line(&name, line.number, error, bytes, self.engine);
                }
                (Some(error), _) => console::note(render::refusal_line(&name, line.number - 1, error, bytes)),
                (None, _) => console::note(format_args!("{name}:{}: {}", line.number, held(line))),
            }
        }
        Ok(refused - earlier)
    }

    /// Tells the number of those refused lines that no message is about.
    pub(super) fn tell_more_refused(&self, source: &Source, refused: usize) {
        let is_for_people = matches!(self.arguments.files.output_format, OutputFormat::Human | OutputFormat::Json);
        if refused > MOST_LINES && is_for_people {
            let more = counted(refused - MOST_LINES, "line");
            console::note(format_args!("{}: {more} more refused", source.name()));
        }
    }

    /// What is found, for a log of all files.
    pub(super) fn findings(
        &self,
        product: &Product<'_>,
        source: &Source,
        input: &Input,
        is_changed: bool,
    ) -> Vec<Value> {
        if self.arguments.files.output_format != OutputFormat::Sarif {
            return Vec::new();
        }
        let file = source.name_as_is();
        let mut findings = Vec::new();
        if is_changed && self.arguments.check {
            findings.push(render::would_change(&file, &Self::described(product, &source.name(), input.bytes.len())));
        }
        if let Product::Lines(lines) = product {
            for line in lines {
                if let Some(Err(error)) = &line.result {
                    let bytes = input.bytes.get(line.span.clone()).unwrap_or_default();
                    findings.push(render::finding(&file, line.number - 1, error, bytes));
                }
            }
        }
        findings
    }

    fn left_out_help(&self, product: &Product<'_>) -> &'static str {
        if self.arguments.follow {
            return "--follow takes the first payload; without it, --all keeps every one, and --lines answers each line as it comes";
        }
        product.left_out_help(self.engine.config.root())
    }

    /// Tells why a file is not written.
    pub(super) fn tell_not_written(&self, product: &Product<'_>, source: &Source, layout: Layout) {
        let name = source.name();
        if product.leaves_out() {
            console::note(format_args!("{name}: not written: {} would be lost", product.left_out()));
            console::help_below(self.left_out_help(product));
        }
        if product.is_held_as_truncated(layout) {
            console::note(format_args!("{name}: not written: {}", product.truncated()));
            console::help_below("ask the model again; --allow-truncated writes what there is");
        }
    }

    /// Tells whether the file would change, in one line.
    pub(super) fn tell_check(
        &self,
        product: &Product<'_>,
        source: &Source,
        input: &Input,
        is_changed: bool,
    ) -> anyhow::Result<()> {
        let name = source.name();
        if self.arguments.files.output_format == OutputFormat::Sarif {
            return Ok(());
        }
        if self.arguments.files.output_format == OutputFormat::Github {
            if is_changed {
                let what = Self::described(product, &name, input.bytes.len());
                console::emit(render::annotation("warning", &name, 1, 1, &what).as_bytes())?;
            }
            return Ok(());
        }
        // Of the many files of a directory, those that would change are of interest.
        let is_worth_a_line = matches!(source, Source::File(_) | Source::Stdin) || console::is_verbose();
        if is_changed {
            let what = Self::described(product, &name, input.bytes.len());
            let what = what.strip_prefix(&format!("{name}: ")).unwrap_or(&what);
            console::note(format_args!("{name}: would change: {what}"));
        } else if is_worth_a_line && !console::is_quiet() && product.refusals().next().is_none() {
            console::note(format_args!("{name}: unchanged"));
        }
        Ok(())
    }

    /// Tells what was done, where that is wanted, and of payloads that are left out or were cut off, wherever that goes.
    pub(super) fn tell(&self, product: &Product<'_>, source: &Source, input: &Input, layout: Layout, told: Told) {
        let Told { is_held, is_changed } = told;
        let is_explained = self.arguments.explain && console::is_shown();
        let is_dull = matches!(source, Source::Found(_)) && !is_changed && !console::is_verbose();
        if console::is_talkative() && !self.arguments.check && !is_explained && !is_dull {
            console::note(Self::described(product, &source.name(), input.bytes.len()));
        }
        if !is_held && product.leaves_out() && self.arguments.files.output_format == OutputFormat::Human {
            console::warn(format_args!("{}: left out: {}", source.name(), product.left_out()));
            console::help_below(self.left_out_help(product));
        }
        // What stays in its place because it was cut off has been told already.
        let is_silent = layout.is_in_place || self.arguments.allow_truncated;
        let truncated = if is_silent { String::new() } else { product.truncated() };
        if !truncated.is_empty() && self.arguments.files.output_format == OutputFormat::Human {
            console::warn(format_args!("{}: {truncated}", source.name()));
        }
    }

    /// One line: what was done to the text.
    fn described(product: &Product<'_>, name: &str, len: usize) -> String {
        match product {
            Product::Whole(found) => match found.payloads.as_slice() {
                [payload] => render::summary(name, payload, len),
                payloads => format!("{name}: {}{}", counted(payloads.len(), "payload"), edits(product)),
            },
            Product::Lines(lines) => {
                let (mut valid, mut repaired) = (0, 0);
                let results = || lines.iter().filter_map(|line| line.result.as_ref());
                for found in results().filter_map(|result| result.as_ref().ok()) {
                    let is_valid = found.payloads.iter().all(|payload| payload.status() == Status::Valid);
                    if is_valid { valid += 1 } else { repaired += 1 }
                }
                let (total, refused) = (results().count(), results().filter(|result| result.is_err()).count());
                let total = counted(total, "line");
                format!("{name}: {total}: {valid} valid, {repaired} repaired, {refused} refused{}", edits(product))
            }
        }
    }

    /// The annotated source.
    pub(super) fn explanation(&self, product: &Product<'_>, source: &Source, text: &str) -> String {
        match product {
            Product::Whole(found) => match found.payloads.first() {
                Some(payload) => render::explanation(&source.name(), text, payload),
                None => String::new(),
            },
            Product::Lines(lines) => {
                let mut out = Self::described(product, &source.name(), text.len());
                out.push('\n');
                for line in lines {
                    let source = text.get(line.span.clone()).unwrap_or_default();
                    match &line.result {
                        None => {}
                        Some(Err(error)) => {
                            out.push_str(&render::both_readings(line.number, source, error, &self.engine.pipeline));
                        }
                        Some(Ok(found)) => {
                            let edited = found.payloads.iter().filter(|payload| payload.status() == Status::Repaired);
                            edited.for_each(|payload| out.push_str(&render::annotated(line.number, source, payload)));
                        }
                    }
                }
                out
            }
        }
    }
}

/// What a payload is.
fn root_of(payload: &Repaired<'_>) -> Root {
    if payload.text().trim_start().starts_with('[') { Root::Array } else { Root::Object }
}

/// Why a line stays as it is.
fn held(line: &Line<'_>) -> &'static str {
    match &line.result {
        Some(Ok(found)) if !found.broken.is_empty() => {
            "one payload of the line cannot be repaired, so the line stays as it is"
        }
        Some(Ok(found)) if !found.leaves_out() => {
            "the line was cut off and stays as it is; --allow-truncated writes what there is of it"
        }
        _ => "the line holds several payloads and stays as it is; --all keeps every one",
    }
}

/// The edits of all payloads by rule, to follow other words.
fn edits(product: &Product<'_>) -> String {
    let mut rules = std::collections::BTreeMap::<String, u64>::new();
    for payload in product.payloads().filter(|payload| payload.status() == Status::Repaired) {
        payload.edits().for_each(|seam| *rules.entry(seam.rule.to_owned()).or_default() += 1);
    }
    if rules.is_empty() {
        return ", no edits".to_owned();
    }
    let total: u64 = rules.values().sum();
    let listed: Vec<String> = descending(&rules).iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    format!(", {} ({})", counted(total, "edit"), listed.join(", "))
}
