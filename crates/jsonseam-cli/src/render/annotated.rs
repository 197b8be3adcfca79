//! The annotated source: every edit under the text it changes, with its rule and risk.

use std::fmt::Write;
use std::ops::Range;

use jsonseam::{AppliedEdit, Repaired, Risk};
use unicode_width::UnicodeWidthChar;

use crate::console::{Paint, paint_stdout};
use crate::counts::counted;
use crate::escape::{escaped, is_unsafe};

/// Lines up to this many bytes are shown whole; of longer ones only the surroundings of each edit.
const LONGEST_LINE: usize = 160;
/// Bytes of a longer line that are shown before and after an edit.
const AROUND: usize = 40;
/// Characters of a replacement that are shown.
const LONGEST_REPLACEMENT: usize = 40;

/// Edits that are shown. A reader of more wants the record.
const MOST_EDITS: usize = 1_000;

/// The source with its edits and a summary, safe to show on a terminal.
pub(crate) fn explanation(name: &str, source: &str, repaired: &Repaired<'_>) -> String {
    let mut out = super::summary::summary(name, repaired, source.len());
    out.push('\n');
    out.push_str(&annotated(1, source, repaired));
    out
}

/// The source with its edits, safe to show on a terminal; its first line has the number `first`.
pub(crate) fn annotated(first: usize, source: &str, repaired: &Repaired<'_>) -> String {
    let mut out = String::new();
    draw(&mut out, first, source, repaired.edits().take(MOST_EDITS).map(|edit| mark(&edit)));
    let more = repaired.edits().len().saturating_sub(MOST_EDITS);
    if more > 0 {
        let _ = writeln!(out, "\n{} more, which --report has", counted(more, "edit"));
    }
    write_truncation(&mut out, repaired);
    out
}

/// What is drawn under a part of the source.
pub(super) struct Mark {
    pub(super) span: Range<usize>,
    pub(super) label: String,
    pub(super) paint: Paint,
}

/// Draws each mark under its text, in the order of the source, whose first line has the number `first`.
pub(super) fn draw(out: &mut String, first: usize, source: &str, marks: impl Iterator<Item = Mark>) {
    let mut shown = 0..0;
    let mut number = LineNumber { line: first, pos: 0 };
    for mark in marks {
        let excerpt = excerpt(source, &mark.span);
        if excerpt != shown {
            let line = number.advance(source, excerpt.start);
            write_excerpt(out, source, &excerpt, line);
            shown = excerpt;
        }
        write_mark(out, source, &shown, &mark);
    }
}

/// An edit that was made, with its rule and risk.
fn mark(edit: &AppliedEdit<'_>) -> Mark {
    let paint = if edit.risk <= Risk::Likely { Paint::Sound } else { Paint::Doubtful };
    let label = format!("{} ({}): {}", edit.rule, edit.risk, action(edit));
    Mark { span: edit.span.clone(), label, paint }
}

fn write_truncation(out: &mut String, repaired: &Repaired<'_>) {
    if !repaired.is_truncated() {
        return;
    }
    out.push_str("\ntruncated: the text ends before its JSON does");
    for path in repaired.incomplete() {
        let path = if path.is_empty() { "the whole value".to_owned() } else { path };
        let _ = write!(out, "\n  incomplete: {}", escaped(&path));
    }
    out.push('\n');
}

/// Counts lines once, from front to back.
struct LineNumber {
    line: usize,
    pos: usize,
}

impl LineNumber {
    fn advance(&mut self, source: &str, pos: usize) -> usize {
        let passed = source.as_bytes().get(self.pos..pos).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count();
        self.pos = self.pos.max(pos);
        self.line
    }
}

/// The line that `span` begins in, or a part of it if it is long.
fn excerpt(source: &str, span: &Range<usize>) -> Range<usize> {
    let bytes = source.as_bytes();
    let far_before = span.start.saturating_sub(LONGEST_LINE);
    let before = bytes.get(far_before..span.start).unwrap_or_default();
    let start =
        memchr::memrchr(b'\n', before).map(|newline| far_before + newline + 1).or((far_before == 0).then_some(0));
    let far_after = (span.start + LONGEST_LINE).min(source.len());
    let after = bytes.get(span.start..far_after).unwrap_or_default();
    let end = memchr::memchr(b'\n', after)
        .map(|newline| span.start + newline)
        .or((far_after == source.len()).then_some(far_after));
    match (start, end) {
        (Some(start), Some(end)) if end - start <= LONGEST_LINE => start..end,
        _ => {
            let start = start.unwrap_or(0).max(span.start.saturating_sub(AROUND));
            let end = end.unwrap_or(source.len()).min(span.start + AROUND);
            boundary_from(source, start)..boundary_from(source, end)
        }
    }
}

/// The first character boundary at or after `pos`.
fn boundary_from(source: &str, pos: usize) -> usize {
    (pos..source.len()).find(|&pos| source.is_char_boundary(pos)).unwrap_or(source.len())
}

fn write_excerpt(out: &mut String, source: &str, excerpt: &Range<usize>, line: usize) {
    let starts_line = excerpt.start == 0 || source.as_bytes().get(excerpt.start - 1) == Some(&b'\n');
    let ends_line = source.as_bytes().get(excerpt.end).is_none_or(|&byte| byte == b'\n');
    let text = visible(source.get(excerpt.clone()).unwrap_or_default());
    let (before, after) = (if starts_line { ' ' } else { '…' }, if ends_line { "" } else { "…" });
    let gutter = format!("{line:>6} |");
    let _ = writeln!(out, "\n{}{before}{}{after}", paint_stdout(&gutter, Paint::Place), text.trim_end());
}

fn write_mark(out: &mut String, source: &str, excerpt: &Range<usize>, mark: &Mark) {
    let start = mark.span.start.clamp(excerpt.start, excerpt.end);
    let end = mark.span.end.clamp(start, excerpt.end);
    let width = |span: Range<usize>| visible_width(source.get(span).unwrap_or_default());
    let indent = " ".repeat(width(excerpt.start..start));
    let marks = "^".repeat(width(start..end).max(1));
    let goes_on = if mark.span.end > excerpt.end { "…" } else { "" };
    let label = format!("{marks}{goes_on} {}", mark.label);
    let gutter = paint_stdout("       |", Paint::Place);
    let _ = writeln!(out, "{gutter} {indent}{}", paint_stdout(&label, mark.paint));
}

fn action(seam: &AppliedEdit<'_>) -> String {
    if seam.replacement.is_empty() {
        return "removed".to_owned();
    }
    let verb = if seam.span.is_empty() { "inserted" } else { "replaced by" };
    let shown: String = seam.replacement.chars().take(LONGEST_REPLACEMENT).collect();
    let more = if shown.len() < seam.replacement.len() { "…" } else { "" };
    format!("{verb} `{}`{more}", escaped(&shown))
}

/// A line as it is shown: tabs have a fixed width, what acts on terminals is spelled out.
fn visible(text: &str) -> String {
    escaped(&text.replace('\t', "    ")).to_string()
}

/// How many columns [`visible`] text takes.
fn visible_width(text: &str) -> usize {
    text.chars()
        .map(|character| match character {
            '\t' => 4,
            _ if is_unsafe(character) => escaped(character.encode_utf8(&mut [0; 4])).to_string().len(),
            _ => character.width().unwrap_or(0),
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(source: &str) -> String {
        explanation("file", source, &jsonseam::repair(source).expect("it is repaired"))
    }

    #[test]
    fn every_edit_stands_under_its_text_with_rule_and_risk() {
        assert_eq!(
            explained("{\n\t\"é\": [1,],\n}"),
            "file: repaired, 2 edits (trailing-comma 2), risk certain\n\
             \n     2 |     \"é\": [1,],\n       |            ^ trailing-comma (certain): removed\n\
             \u{20}      |              ^ trailing-comma (certain): removed\n"
        );
    }

    #[test]
    fn of_a_long_line_only_the_surroundings_are_shown() {
        let long = format!("{{\"a\":\"{}\",}}", "x".repeat(10_000));
        let shown = explained(&long);
        assert!(shown.len() < 400, "{} bytes", shown.len());
        assert!(shown.contains("|…xxx"), "{shown}");
    }

    #[test]
    fn nothing_raw_reaches_the_reader() {
        let shown = explained("\u{1b}[31m{\"a\u{202e}\u{9b}\":1,}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{shown:?}");
        assert!(shown.contains("\\u{202e}"));
    }
}
