//! `repair --lines` on standard input: each line is answered before the next one is read.

use std::io::{BufRead, BufReader, Read};

use anyhow::Context;

use super::Job;
use super::product::{Layout, Product};
use crate::arguments::{AllForm, ByLine, OutputFormat, RepairArguments};
use crate::console;
use crate::counts::counted;
use crate::exit::Exit;
use crate::input::Source;
use crate::jobs::Done;
use crate::lines::{Line, Taking};
use crate::render;
use crate::statistics::Statistics;

/// The source, read.
type Reader = BufReader<Box<dyn Read + Send>>;

/// Bytes of a line that is too long are passed on in pieces of this size.
const PIECE: u64 = 1 << 16;

/// Whether what is asked for can be given line by line.
pub(super) fn is_wanted(arguments: &RepairArguments, sources: &[Source]) -> bool {
    let shows_whole = arguments.diff || arguments.explain || arguments.check || arguments.report.is_some();
    sources == [Source::Stdin]
        && arguments.files.lines == ByLine::Always
        && arguments.files.output_format == OutputFormat::Human
        && arguments.all != Some(AllForm::Array)
        && arguments.output.is_none()
        && !shows_whole
}

impl Job<'_> {
    /// Repairs standard input line by line.
    pub(super) fn stream(&self) -> anyhow::Result<Done> {
        let source = Source::Stdin;
        let mut reader: Reader = BufReader::new(source.open()?.0);
        let layout = Layout::of(self.arguments, false);
        let mut done = (Exit::Done, Statistics::default());
        let (mut number, mut refused, mut truncated) = (0, 0, 0);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let most = self.engine.most_bytes();
            (&mut reader).take(most).read_until(b'\n', &mut bytes).with_context(|| source.cannot_read())?;
            if bytes.is_empty() {
                break;
            }
            number += 1;
            let product = Product::Lines(vec![self.line(number, refused, &bytes)]);
            refused += self.tell_refused(&product, &source, &bytes, layout, refused)?;
            truncated += usize::from(product.payloads().any(jsonseam::Repaired::is_truncated));
            console::emit(&product.output(&bytes, layout))?;
            if bytes.len() as u64 == most && !bytes.ends_with(b"\n") {
                pass_on_rest(&mut reader).with_context(|| source.cannot_read())?;
            }
            product.payloads().for_each(|payload| done.1.count_edits(payload));
            product.refusals().for_each(|(_, error)| done.1.count_refusal(error));
        }
        self.tell_more_refused(&source, refused);
        if truncated > 0 && !self.arguments.allow_truncated {
            console::warn(format_args!("{}: truncated: {}", source.name(), counted(truncated, "line")));
        }
        if console::is_talkative() {
            let (lines, refused) = (counted(number, "line"), counted(refused, "line"));
            console::note(format_args!("{}: {lines} read, {refused} refused", source.name()));
        }
        if refused > 0 {
            done.0 = Exit::Refused;
            done.1.refused = 1;
        }
        Ok(done)
    }

    fn line<'a>(&self, number: usize, refused: usize, bytes: &'a [u8]) -> Line<'a> {
        let is_explained = !console::is_quiet() && refused == 0 && bytes.len() <= render::LONGEST_ADVISED;
        let taking = Taking {
            engine: self.engine,
            all: self.arguments.all,
            explained: usize::from(is_explained),
            allows_further: self.arguments.allow_further,
        };
        taking.line(number, bytes)
    }
}

/// What follows of a line that is too long is passed on as it is.
fn pass_on_rest(reader: &mut Reader) -> anyhow::Result<()> {
    let mut piece = Vec::new();
    loop {
        piece.clear();
        reader.take(PIECE).read_until(b'\n', &mut piece)?;
        console::emit(&piece)?;
        if piece.is_empty() || piece.ends_with(b"\n") {
            return Ok(());
        }
    }
}
