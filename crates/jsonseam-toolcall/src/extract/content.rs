//! The text around calls, without the marks that belong to their format.

use std::ops::Range;

use crate::weave::{Piece, string_content};

/// What is not content, and where the text shows such marks on purpose.
#[derive(Clone, Copy)]
pub(super) struct Noise<'n> {
    /// The marks, the longest first.
    pub(super) marks: &'n [String],
    /// What is quoted, by position: it stays as it is.
    pub(super) quoted: &'n [Range<usize>],
}

/// The pieces of a JSON string's content that `spans` make: marks are left out, and white space at both ends.
pub(super) fn content(text: &str, spans: impl Iterator<Item = Range<usize>>, noise: Noise<'_>) -> Vec<Piece> {
    parts(text, spans, noise).into_iter().map(|span| string_content(text, span)).collect()
}

/// The parts of the completion that the content is made of.
pub(super) fn parts(text: &str, spans: impl Iterator<Item = Range<usize>>, noise: Noise<'_>) -> Vec<Range<usize>> {
    let mut parts: Vec<_> = spans.flat_map(|span| visible(text, span, noise)).collect();
    let is_blank = |span: &Range<usize>| text.get(span.clone()).is_none_or(|part| part.trim().is_empty());
    let first = parts.iter().position(|span| !is_blank(span)).unwrap_or(parts.len());
    parts.drain(..first);
    let last = parts.iter().rposition(|span| !is_blank(span)).map_or(0, |last| last + 1);
    parts.truncate(last);
    if let Some(first) = parts.first_mut() {
        let part = text.get(first.clone()).unwrap_or_default();
        first.start += part.len() - part.trim_start().len();
    }
    if let Some(last) = parts.last_mut() {
        let part = text.get(last.clone()).unwrap_or_default();
        last.end -= part.len() - part.trim_end().len();
    }
    parts
}

/// The parts of `span` that are content.
fn visible(text: &str, span: Range<usize>, noise: Noise<'_>) -> Vec<Range<usize>> {
    let first = noise.quoted.partition_point(|quoted| quoted.end <= span.start);
    let later = noise.quoted.get(first..).unwrap_or_default();
    let mut parts = Vec::new();
    let mut pos = span.start;
    for quoted in later.iter().take_while(|quoted| quoted.start < span.end) {
        let (start, end) = (quoted.start.max(pos), quoted.end.min(span.end));
        if pos < start {
            parts.extend(without(text, pos..start, noise.marks));
        }
        if start < end {
            parts.push(start..end);
        }
        pos = pos.max(end);
    }
    if pos < span.end {
        parts.extend(without(text, pos..span.end, noise.marks));
    }
    parts
}

/// The parts of `span` that no mark covers, nor a mark that the end of the text cuts. Reads the span once for each mark.
fn without(text: &str, span: Range<usize>, noise: &[String]) -> Vec<Range<usize>> {
    let is_last = span.end == text.len();
    let end = if is_last { without_cut_mark(text, &span, noise) } else { span.end };
    let whole = span.start..end;
    let mut parts = vec![whole];
    for mark in noise {
        let mut split = Vec::with_capacity(parts.len());
        for part in parts {
            let mut pos = part.start;
            let bytes = text.as_bytes().get(part.clone()).unwrap_or_default();
            for found in memchr::memmem::find_iter(bytes, mark.as_bytes()) {
                let start = part.start + found;
                if pos < start {
                    split.push(pos..start);
                }
                pos = start + mark.len();
            }
            if pos < part.end {
                split.push(pos..part.end);
            }
        }
        parts = split;
    }
    parts
}

/// The end of `span` without the mark that begins there and is cut.
fn without_cut_mark(text: &str, span: &Range<usize>, noise: &[String]) -> usize {
    let part = text.get(span.clone()).unwrap_or_default().trim_end();
    let cut =
        |mark: &String| (2..mark.len()).rev().find(|&len| mark.get(..len).is_some_and(|start| part.ends_with(start)));
    let longest = noise.iter().filter_map(cut).max();
    longest.map_or(span.end, |len| span.start + part.len() - len)
}
