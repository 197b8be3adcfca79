//! `jsonseam repair`: one text to standard output, or files in place.

mod follow;
mod product;
mod stream;
mod target;
mod told;

use std::path::PathBuf;

use anyhow::{Context, bail};
use jsonseam::{Error, Record, Repaired};
use serde::Serialize;

use crate::arguments::{AllForm, ByLine, OutputFormat, RepairArguments};
use crate::console;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::files;
use crate::input::{Input, Source};
use crate::jobs::{self, Done};
use crate::lines::Taking;
use crate::presets::MOST_EXPLAINED;
use crate::render;
use crate::signals;
use crate::statistics::Statistics;
use crate::walk::{self, Walked};
use product::{Layout, Product};
pub(crate) use target::write as write_output;
use told::Told;

/// Repairs what the arguments name.
pub(crate) fn run(arguments: &RepairArguments) -> anyhow::Result<Exit> {
    let mut engine = Engine::from_flags(&arguments.engine)?;
    let walked = walk::sources(&arguments.files.find, &engine.exclude)?;
    if arguments.files.find.show_files {
        return walked.show();
    }
    refuse_contradictions(arguments, &walked.sources)?;
    if arguments.all.is_some() {
        engine = engine.for_all_payloads()?;
    }
    if arguments.follow {
        engine = engine.for_stream(arguments)?;
    }
    if arguments.write || arguments.output.is_some() {
        signals::remove_temporaries_at_the_end()?;
    }
    let job = Job { arguments, engine: &engine };
    let mut done = if arguments.follow {
        job.follow(&walked.sources)?
    } else if stream::is_wanted(arguments, &walked.sources) {
        job.stream()?
    } else {
        jobs::each(&walked.sources, arguments.files.find.jobs, |source| job.repair(source))?
    };
    walked.count_unreadable(&mut done);
    tell_all(arguments, &walked, &done.1);
    if arguments.files.output_format == OutputFormat::Sarif {
        console::emit_json(&render::sarif_log(&done.1.findings))?;
    }
    Ok(done.0)
}

/// Tells what the work on all files came to.
fn tell_all(arguments: &RepairArguments, walked: &Walked, statistics: &Statistics) {
    let is_checked = arguments.check && !console::is_quiet() && arguments.files.output_format != OutputFormat::Sarif;
    let is_told = walked.sources.len() > 1 && (is_checked || console::is_talkative()) || arguments.files.statistics;
    if is_told {
        let changed = if arguments.write { "repaired" } else { "would change" };
        statistics.tell_files("unchanged", Some(changed));
    }
    walked.tell(is_told);
    if arguments.files.statistics {
        statistics.tell_details();
    }
}

fn refuse_contradictions(arguments: &RepairArguments, sources: &[Source]) -> anyhow::Result<()> {
    let is_for_programs = arguments.files.output_format != OutputFormat::Human;
    let directory = arguments.output.as_deref().filter(|output| target::is_directory(output));
    if let Some(directory) = directory {
        target::refuse_collisions(directory, sources, &arguments.files.find.files)?;
    }
    if sources.len() > 1 {
        if !(arguments.write || arguments.check || arguments.diff || is_for_programs || directory.is_some()) {
            bail!("several files need --write, --check, --diff, --output DIR/ or --output-format json");
        }
        if arguments.explain || arguments.report.is_some() {
            bail!(
                "--explain and --report take one file only; --output-format json gives a record for each file, \
                 beside --output DIR/ and --write too"
            );
        }
    }
    if is_for_programs && (arguments.diff || arguments.explain || arguments.report.is_some()) {
        bail!("--output-format json, github and sarif take the place of --diff, --explain and --report");
    }
    if arguments.output.is_some() && matches!(arguments.files.output_format, OutputFormat::Github | OutputFormat::Sarif)
    {
        bail!("--output-format github and sarif write no results; json does, beside --output");
    }
    let is_of_records = arguments.files.output_format == OutputFormat::Json;
    if is_of_records && arguments.output.as_deref().is_some_and(|output| output.as_os_str() == "-") {
        bail!("the records of --output-format json go to standard output; --output names a file or a directory");
    }
    if arguments.write && sources.contains(&Source::Stdin) {
        bail!("--write needs files: standard input cannot be replaced");
    }
    if arguments.all.is_some() && is_for_programs {
        bail!("--all gives values; a record lists the other payloads of its text as `further`");
    }
    if let Some(report) = &arguments.report {
        let is_same = |source: &Source| source.path().is_some_and(|path| files::lead_to_same_file(path, report));
        if sources.iter().any(is_same) {
            bail!("--report would replace the file that is read");
        }
    }
    Ok(())
}

/// What is done to each text.
struct Job<'j> {
    arguments: &'j RepairArguments,
    engine: &'j Engine,
}

/// One record of `--output-format json`.
#[derive(Serialize)]
struct FileRecord<'r> {
    file: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    repair: Record<'r>,
}

impl Job<'_> {
    fn repair(&self, source: &Source) -> anyhow::Result<Done> {
        let input = source.read_text(self.engine.most_bytes())?;
        if input.is_utf16() && self.arguments.write && self.arguments.diff {
            bail!(
                "{}: not written: it is UTF-16 and would be written as UTF-8, which a diff cannot take back; \
                 --backup keeps what it was",
                source.name()
            );
        }
        let taking = Taking {
            engine: self.engine,
            all: self.arguments.all,
            explained: self.explained(&input),
            allows_further: self.arguments.allow_further,
        };
        let by_line = match self.arguments.files.lines {
            // What was read of a text that is too long is not text.
            ByLine::Auto | ByLine::Always if self.is_too_long(&input) => None,
            choice => taking.by_line(choice, source, &input.bytes),
        };
        if let Some(lines) = by_line {
            return self.deliver(&Product::Lines(lines), source, &input);
        }
        match taking.take(&input.bytes) {
            Ok(found) => self.deliver(&Product::Whole(found), source, &input),
            Err(error) if taking.explained > 0 => {
                self.refuse(&self.engine.explain(&error, &input.bytes), source, &input)
            }
            Err(error) => self.refuse(&error, source, &input),
        }
    }

    /// Of how many refusals of a text somebody learns which rules would have answered.
    fn explained(&self, input: &Input) -> usize {
        match self.arguments.files.output_format {
            OutputFormat::Json => MOST_EXPLAINED,
            _ if self.arguments.report.is_some() => MOST_EXPLAINED,
            OutputFormat::Human if !console::is_quiet() && input.bytes.len() <= render::LONGEST_ADVISED => 1,
            OutputFormat::Human | OutputFormat::Github | OutputFormat::Sarif => 0,
        }
    }

    fn is_too_long(&self, input: &Input) -> bool {
        input.bytes.len() > self.engine.config.limits().max_input_bytes
    }

    fn refuse(&self, error: &Error, source: &Source, input: &Input) -> anyhow::Result<Done> {
        self.write_records([Record::from(error)].into_iter(), &[None], source)?;
        if let (true, Ok(text)) = (self.arguments.explain && !error.readings().is_empty(), str::from_utf8(&input.bytes))
        {
            let heading = render::refusal_line(&source.name(), 0, error, &input.bytes);
            let drawn = render::both_readings(1, text, error, &self.engine.pipeline);
            console::emit(format!("{heading}\n{drawn}").as_bytes())?;
        }
        match self.arguments.files.output_format {
            OutputFormat::Github => render::annotate(&source.name(), 0, error, &input.bytes)?,
            OutputFormat::Human | OutputFormat::Json => {
                render::refusal(&source.name(), error, &input.bytes, self.engine);
            }
            OutputFormat::Sarif => {}
        }
        let mut statistics = Statistics::of_refused();
        if self.arguments.files.output_format == OutputFormat::Sarif {
            statistics.findings.push(render::finding(&source.name_as_is(), 0, error, &input.bytes));
        }
        statistics.count_refusal(error);
        Ok((Exit::Refused, statistics))
    }

    fn deliver(&self, product: &Product<'_>, source: &Source, input: &Input) -> anyhow::Result<Done> {
        let arguments = self.arguments;
        let replaces_input = arguments.write || self.outputs_to(source);
        let layout = Layout::of(arguments, replaces_input);
        let refused = self.tell_refused_lines(product, source, input, layout)?;
        if refused > 0 && arguments.all == Some(AllForm::Array) {
            console::note(format_args!("{}: nothing is written: the refused lines would be lost", source.name()));
            return Ok((Exit::Refused, Statistics::of_refused()));
        }
        let output = product.output(&input.bytes, layout);
        let is_changed = *output != *input.raw();
        let is_held = replaces_input && (product.leaves_out() || is_changed && product.is_held_as_truncated(layout));
        let is_partial = arguments.all.is_some() && product.leaves_out();
        let mut exit = if refused > 0 || is_held || is_partial { Exit::Refused } else { Exit::Done };
        self.write_product_records(product, source)?;
        if is_held {
            self.tell_not_written(product, source, layout);
        } else if let (true, true, Some(path)) = (arguments.write, is_changed, source.path()) {
            target::replace(path, &output, input, arguments.backup.as_deref())?;
        }
        if arguments.check {
            exit = if is_changed { Exit::Refused } else { exit };
            self.tell_check(product, source, input, is_changed)?;
        } else if !is_held || arguments.write && !arguments.diff {
            self.show(product, source, input, &output, layout)?;
        }
        self.tell(product, source, input, layout, Told { is_held, is_changed });
        let mut statistics = statistics_of(product, is_changed, refused > 0, is_held);
        statistics.findings = self.findings(product, source, input, is_changed);
        Ok((exit, statistics))
    }

    /// Whether `--output` names the file that is read.
    fn outputs_to(&self, source: &Source) -> bool {
        let output = self.output_of(source);
        output.zip(source.path()).is_some_and(|(output, path)| files::lead_to_same_file(&output, path))
    }

    /// The file that the result goes to, if it is not standard output.
    fn output_of(&self, source: &Source) -> Option<PathBuf> {
        let output = self.arguments.output.as_deref()?;
        if target::is_directory(output) {
            return target::within(output, source, &self.arguments.files.find.files);
        }
        Some(output.to_owned())
    }

    /// What standard output, or the file of `--output`, gets.
    fn show(
        &self,
        product: &Product<'_>,
        source: &Source,
        input: &Input,
        output: &[u8],
        layout: Layout,
    ) -> anyhow::Result<()> {
        let arguments = self.arguments;
        if arguments.diff || arguments.explain {
            // What is not UTF-8 has lines that are refused, and no place in a text for people.
            let Ok(text) = str::from_utf8(&input.bytes) else {
                bail!("{}: a text that is not UTF-8 throughout has no --diff and no --explain", source.name());
            };
            if arguments.diff {
                console::emit(
                    render::shown_diff(&product.diff(&render::header_name(source), text, layout)).as_bytes(),
                )?;
            } else {
                console::emit(self.explanation(product, source, text).as_bytes())?;
            }
        } else if let Some(path) = self.output_of(source) {
            if arguments.output.as_deref() == Some(&path) {
                target::write(&path, output)?;
            } else {
                target::write_within(&path, output)?;
            }
        } else if arguments.files.output_format == OutputFormat::Human && arguments.report.is_none() && !arguments.write
        {
            console::emit_product(output)?;
        }
        Ok(())
    }

    /// The records of a text, or of its lines, if they are wanted.
    fn write_product_records(&self, product: &Product<'_>, source: &Source) -> anyhow::Result<()> {
        match product {
            Product::Whole(found) => {
                let records: Vec<Record<'_>> = found.payloads.iter().map(Record::from).collect();
                let numbers = vec![None; records.len()];
                self.write_records(records.into_iter(), &numbers, source)
            }
            Product::Lines(lines) => {
                let (mut records, mut numbers) = (Vec::new(), Vec::new());
                for line in lines {
                    match &line.result {
                        None => {}
                        Some(Err(error)) => {
                            records.push(Record::from(error));
                            numbers.push(Some(line.number));
                        }
                        Some(Ok(found)) => {
                            records.extend(found.payloads.iter().map(Record::from));
                            numbers.resize(records.len(), Some(line.number));
                        }
                    }
                }
                self.write_records(records.into_iter(), &numbers, source)
            }
        }
    }

    fn write_records<'r>(
        &self,
        records: impl Iterator<Item = Record<'r>>,
        numbers: &[Option<usize>],
        source: &Source,
    ) -> anyhow::Result<()> {
        let is_json = self.arguments.files.output_format == OutputFormat::Json;
        if !is_json && self.arguments.report.is_none() {
            return Ok(());
        }
        let file = source.name_as_is();
        let mut text = Vec::new();
        for (repair, line) in records.zip(numbers) {
            let written = if is_json {
                serde_json::to_writer(&mut text, &FileRecord { file: &file, line: *line, repair })
            } else {
                serde_json::to_writer(&mut text, &repair)
            };
            written.context("cannot write the record")?;
            text.push(b'\n');
        }
        match &self.arguments.report {
            Some(report) if report.as_os_str() != "-" => target::write(report, &text),
            _ => console::emit(&text),
        }
    }
}

fn statistics_of(product: &Product<'_>, is_changed: bool, has_refused: bool, is_held: bool) -> Statistics {
    let mut statistics = Statistics::default();
    match (has_refused || is_held, is_changed) {
        (true, _) => statistics.refused = 1,
        (false, true) => statistics.changed = 1,
        (false, false) => statistics.unchanged = 1,
    }
    if !is_held {
        product.payloads().for_each(|payload| statistics.count_edits(payload));
    }
    product.refusals().for_each(|(_, error)| statistics.count_refusal(error));
    // A file counts once, however many of its lines were cut off.
    statistics.truncated = u64::from(statistics.truncated > 0 || product.payloads().any(Repaired::is_truncated));
    statistics
}
