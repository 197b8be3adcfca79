//! `jsonseam check`: strictly valid or not (SPEC P0), without repairing anything.

use jsonseam::{Config, Error, Limit, Reason, Root};
use serde::Serialize;

use crate::arguments::{ByLine, CheckArguments, OutputFormat};
use crate::console;
use crate::counts::counted;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input::Source;
use crate::jobs::{self, Done};
use crate::lines::Taking;
use crate::render;
use crate::staged;
use crate::statistics::Statistics;
use crate::walk::{self, Walked};

/// Of further lines that are not valid only the number is shown.
const MOST_LINES: usize = 10;

/// Checks what the arguments name.
pub(crate) fn run(arguments: &CheckArguments) -> anyhow::Result<Exit> {
    let repairing = Engine::from_flags(&arguments.engine)?;
    let walked = if arguments.staged {
        Walked::of(staged::sources(&arguments.files.find.files, &repairing.exclude)?)
    } else {
        walk::sources(&arguments.files.find, &repairing.exclude)?
    };
    if arguments.files.find.show_files {
        return walked.show();
    }
    let sources = &walked.sources;
    let strict = strict(&repairing, arguments.engine.root)?;
    let job = Job { arguments, strict: &strict, repairing: &repairing };
    let mut done = jobs::each(sources, arguments.files.find.jobs, |source| job.check(source))?;
    walked.count_unreadable(&mut done);
    let (exit, statistics) = done;
    let is_human = arguments.files.output_format == OutputFormat::Human;
    let is_worth_counting = console::is_talkative() || is_human && !console::is_quiet() && exit != Exit::Done;
    let has_summary = arguments.files.statistics || sources.len() > 1 && is_worth_counting;
    if has_summary {
        statistics.tell_files("valid", None);
    }
    walked.tell(has_summary);
    if arguments.files.statistics {
        statistics.tell_details();
    }
    if arguments.files.output_format == OutputFormat::Sarif {
        console::emit_json(&render::sarif_log(&statistics.findings))?;
    }
    Ok(if arguments.exit_zero && exit == Exit::Refused { Exit::Done } else { exit })
}

/// The question is RFC 8259 within the limits; it knows no rules, and a root only if one is asked for.
fn strict(repairing: &Engine, root: Option<Root>) -> anyhow::Result<Engine> {
    let config =
        Config::default().with_limits(repairing.config.limits()).with_root(root.unwrap_or(Root::Any)).with_order(&[]);
    let pipeline = jsonseam::pipeline(&config)?;
    Ok(Engine { config, pipeline, finish_reason: None, ..repairing.clone() })
}

struct Job<'j> {
    arguments: &'j CheckArguments,
    strict: &'j Engine,
    repairing: &'j Engine,
}

/// One record of `--output-format json`.
#[derive(Serialize)]
struct Checked<'r> {
    file: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    valid: bool,
    error: Option<&'r Error>,
}

impl Job<'_> {
    fn check(&self, source: &Source) -> anyhow::Result<Done> {
        let input = source.read(self.strict.most_bytes())?;
        let whole = self.verdict(&input.bytes);
        let is_too_long = matches!(&whole, Err(error) if error.limit_met() == Some(Limit::InputBytes));
        // A text that is valid as a whole is one, unless its name or a flag says otherwise.
        let choice = match self.arguments.files.lines {
            ByLine::Auto | ByLine::Always if is_too_long => ByLine::Never,
            choice => choice,
        };
        let taking = Taking { engine: self.repairing, all: None, explained: 0, allows_further: false };
        if let Some(lines) = taking.spans(choice, source, &input.bytes, whole.is_ok()) {
            return self.check_lines(&lines, source, &input.bytes);
        }
        self.report(source, None, whole.as_ref().err(), &input.bytes)?;
        let mut statistics = Statistics::default();
        self.find(source, 0, whole.as_ref().err(), &input.bytes, &mut statistics);
        match &whole {
            Ok(()) => statistics.unchanged = 1,
            Err(error) => {
                statistics.refused = 1;
                statistics.count_refusal(error);
            }
        }
        Ok((if whole.is_ok() { Exit::Done } else { Exit::Refused }, statistics))
    }

    fn check_lines(
        &self,
        lines: &[(usize, std::ops::Range<usize>)],
        source: &Source,
        bytes: &[u8],
    ) -> anyhow::Result<Done> {
        let mut statistics = Statistics::default();
        let (mut refused, mut first) = (0, None);
        for (number, span) in lines {
            let text = bytes.get(span.clone()).unwrap_or_default();
            let verdict = self.verdict(text);
            if let Err(error) = &verdict {
                refused += 1;
                first = first.or(Some(text));
                statistics.count_refusal(error);
                self.find(source, number - 1, Some(error), text, &mut statistics);
                if refused > MOST_LINES && self.arguments.files.output_format == OutputFormat::Human {
                    continue;
                }
            }
            self.report(source, Some(*number), verdict.as_ref().err(), text)?;
        }
        if refused > MOST_LINES && self.arguments.files.output_format == OutputFormat::Human {
            let more = counted(refused - MOST_LINES, "line");
            console::note(format_args!(
                "{}: {more} more that {} not valid",
                source.name(),
                if refused == MOST_LINES + 1 { "is" } else { "are" }
            ));
        }
        if let Some(text) =
            first.filter(|_| self.arguments.files.output_format == OutputFormat::Human && !console::is_quiet())
        {
            let advice = render::repair_help(text, self.repairing);
            for advice in advice {
                console::help_below(format_args!("of the first such line: {advice}"));
            }
        }
        match refused {
            0 => statistics.unchanged = 1,
            _ => statistics.refused = 1,
        }
        Ok((if refused > 0 { Exit::Refused } else { Exit::Done }, statistics))
    }

    /// Whether a text is valid, and of the root that is asked for.
    fn verdict(&self, bytes: &[u8]) -> Result<(), Error> {
        let verdict = self.strict.pipeline.check(bytes);
        // What was read of a text that is too long may end inside a character.
        let may_be_long = matches!(&verdict, Err(error) if error.reason() == Reason::InvalidUtf8)
            && bytes.len() > self.strict.config.limits().max_input_bytes;
        if may_be_long || verdict.is_ok() && self.strict.config.root() != Root::Any {
            return self.strict.repair(bytes).map(drop);
        }
        verdict
    }

    /// Keeps what is found for a log of all files.
    fn find(&self, source: &Source, before: usize, error: Option<&Error>, bytes: &[u8], statistics: &mut Statistics) {
        if let (OutputFormat::Sarif, Some(error)) = (self.arguments.files.output_format, error) {
            statistics.findings.push(render::finding(&source.name_as_is(), before, error, bytes));
        }
    }

    fn report(&self, source: &Source, line: Option<usize>, error: Option<&Error>, bytes: &[u8]) -> anyhow::Result<()> {
        let name = source.name();
        let file = source.name_as_is();
        let before = line.unwrap_or(1) - 1;
        match (self.arguments.files.output_format, error) {
            (OutputFormat::Json, _) => {
                console::emit_json(&Checked { file: &file, line, valid: error.is_none(), error })
            }
            (OutputFormat::Github, Some(error)) => render::annotate(&name, before, error, bytes),
            (OutputFormat::Human, Some(error)) => {
                console::note(render::refusal_line(&name, before, error, bytes));
                if !console::is_quiet() && line.is_none() {
                    render::repair_help(bytes, self.repairing).iter().for_each(console::help_below);
                }
                Ok(())
            }
            (OutputFormat::Human, None) if console::is_verbose() && line.is_none() => {
                console::note(format_args!("{name}: valid"));
                Ok(())
            }
            (OutputFormat::Github | OutputFormat::Human, None) | (OutputFormat::Sarif, _) => Ok(()),
        }
    }
}
