//! A text made of kept parts of the completion and of edits, in the order in which they stand.
//!
//! Invariant: kept parts and edits go forward through the completion, so every byte is kept or inside exactly one edit (SPEC B2).

use std::ops::Range;

use jsonseam_core::{AppliedEdit, Risk, pointers};

/// The rule that the edits of a wrapper carry.
pub(crate) const WRAPPER_RULE: &str = "tool-call-wrapper";

/// One part of the text that is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// These bytes of the completion, as they are.
    Keep(Range<usize>),
    /// Text of the envelope, in place of whatever of the completion is before the next kept part.
    Insert(String),
    /// An edit of a rule that repaired an argument.
    Edit(Edit),
}

impl Piece {
    pub(crate) fn insert(text: impl Into<String>) -> Self {
        Self::Insert(text.into())
    }
}

/// One edit, with the rule that made it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) rule: String,
    pub(crate) risk: Risk,
    pub(crate) span: Range<usize>,
    pub(crate) replacement: String,
    /// Where it is in the text that the string at `span` holds, if it is in one.
    pub(crate) inner: Option<Range<usize>>,
}

/// Shows the length of the replacement, never its text.
impl std::fmt::Debug for Edit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Edit")
            .field("rule", &self.rule)
            .field("span", &self.span)
            .field("replacement_len", &self.replacement.len())
            .finish_non_exhaustive()
    }
}

impl Edit {
    pub(crate) fn new(rule: &str, risk: Risk, span: Range<usize>, replacement: String) -> Self {
        Self { rule: rule.to_owned(), risk, span, replacement, inner: None }
    }

    fn of_wrapper(span: Range<usize>, replacement: String) -> Self {
        Self::new(WRAPPER_RULE, Risk::Likely, span, replacement)
    }

    /// The same edit of the text that the string at `span` holds.
    pub(crate) fn within(self, span: Range<usize>) -> Self {
        Self { inner: Some(self.span), span, ..self }
    }

    pub(crate) fn seam(&self) -> AppliedEdit<'_> {
        AppliedEdit::new(&self.rule, self.risk, self.span.clone(), &self.replacement)
    }
}

/// Pieces of a completion, and the text that they make.
#[derive(Clone)]
pub(crate) struct Woven<'a> {
    pub(crate) source: &'a str,
    pub(crate) pieces: Vec<Piece>,
    /// Where each piece ends in the text.
    ends: Vec<usize>,
    pub(crate) text: String,
}

impl<'a> Woven<'a> {
    pub(crate) fn new(source: &'a str, pieces: Vec<Piece>) -> Self {
        let mut text = String::new();
        let mut ends = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            text.push_str(text_of(source, piece));
            ends.push(text.len());
        }
        Self { source, pieces, ends, text }
    }

    /// The pieces that make these bytes of the text. Looks at those pieces only.
    pub(crate) fn slice(&self, span: Range<usize>) -> Vec<Piece> {
        let first = self.ends.partition_point(|&end| end <= span.start);
        let mut pos = first.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let mut sliced = Vec::new();
        for piece in self.pieces.iter().skip(first) {
            if pos >= span.end {
                break;
            }
            let len = text_of(self.source, piece).len();
            let (start, end) = (span.start.max(pos), span.end.min(pos + len));
            let is_whole = start == pos && end == pos + len;
            let inner = start.saturating_sub(pos)..end.saturating_sub(pos);
            match piece {
                // An edit that only removes belongs to a slice that reaches over it.
                Piece::Edit(edit) if len == 0 && span.start < pos && pos < span.end => {
                    sliced.push(Piece::Edit(edit.clone()));
                }
                _ if start >= end => {}
                Piece::Keep(kept) => sliced.push(Piece::Keep(kept.start + inner.start..kept.start + inner.end)),
                Piece::Edit(edit) if is_whole => sliced.push(Piece::Edit(edit.clone())),
                Piece::Edit(Edit { replacement: text, .. }) | Piece::Insert(text) => {
                    sliced.push(Piece::insert(text.get(inner).unwrap_or_default()));
                }
            }
            pos += len;
        }
        sliced
    }

    /// For each of these edits the JSON Pointer of what it changed in the text, which is valid JSON; empty where nothing of it is there.
    pub(crate) fn paths_of(&self, edits: &[Edit]) -> Vec<String> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let placed = self.pieces.iter().zip(starts.zip(&self.ends)).filter_map(|(piece, (start, &end))| match piece {
            Piece::Edit(edit) => Some((edit.span.start, edit.span.end, start..end)),
            _ => None,
        });
        let mut placed: Vec<_> = placed.collect();
        let sites: Vec<_> = placed.iter().map(|(.., site)| site.clone()).collect();
        let mut known: Vec<_> = placed
            .drain(..)
            .zip(pointers(&self.text, &sites))
            .map(|((start, end, _), path)| (start, end, path))
            .collect();
        known.sort();
        let path = |edit: &Edit| {
            let at = known.binary_search_by(|(start, end, _)| (*start, *end).cmp(&(edit.span.start, edit.span.end)));
            at.ok().and_then(|at| known.get(at)).map_or_else(String::new, |(.., path)| path.clone())
        };
        edits.iter().map(path).collect()
    }

    /// The edits that make the text out of `source[span]`.
    pub(crate) fn edits(&self, span: Range<usize>) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut pending = String::new();
        let mut pos = span.start;
        let fill = |edits: &mut Vec<Edit>, pending: &mut String, pos: usize, to: usize| {
            if pos < to || !pending.is_empty() {
                edits.push(Edit::of_wrapper(pos..to, std::mem::take(pending)));
            }
        };
        for piece in &self.pieces {
            match piece {
                Piece::Insert(text) => pending.push_str(text),
                Piece::Keep(kept) => {
                    fill(&mut edits, &mut pending, pos, kept.start);
                    pos = kept.end;
                }
                Piece::Edit(edit) => {
                    fill(&mut edits, &mut pending, pos, edit.span.start);
                    pos = edit.span.end;
                    edits.push(edit.clone());
                }
            }
        }
        fill(&mut edits, &mut pending, pos, span.end);
        edits
    }
}

fn text_of<'t>(source: &'t str, piece: &'t Piece) -> &'t str {
    match piece {
        Piece::Keep(span) => source.get(span.clone()).unwrap_or_default(),
        Piece::Insert(text) => text,
        Piece::Edit(edit) => &edit.replacement,
    }
}

/// The text of `span` as the content of a JSON string: kept as it is if it needs no escapes.
pub(crate) fn string_content(source: &str, span: Range<usize>) -> Piece {
    let text = source.get(span.clone()).unwrap_or_default();
    let needs_escape = |char: char| char < ' ' || matches!(char, '"' | '\\');
    if text.contains(needs_escape) { Piece::Insert(escaped(text)) } else { Piece::Keep(span) }
}

/// `text` with the escapes that a JSON string needs (RFC 8259 section 7), without quotes.
pub(crate) fn escaped(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b2_the_edits_make_the_text_and_cover_every_byte() {
        let source = "ab<x>cd</x>ef";
        let pieces = vec![Piece::insert("["), Piece::Keep(5..7), Piece::insert("]")];
        let woven = Woven::new(source, pieces);
        assert_eq!(woven.text, "[cd]");
        let spans: Vec<_> = woven.edits(0..source.len()).iter().map(|edit| edit.span.clone()).collect();
        assert_eq!(spans, [0..5, 7..13]);
    }

    #[test]
    fn a_slice_keeps_what_was_kept() {
        let edit = Edit::of_wrapper(2..3, "--".to_owned());
        let woven = Woven::new("abcde", vec![Piece::Keep(0..2), Piece::Edit(edit.clone()), Piece::Keep(3..5)]);
        assert_eq!(woven.text, "ab--de");
        assert_eq!(woven.slice(1..5), [Piece::Keep(1..2), Piece::Edit(edit), Piece::Keep(3..4)]);
        assert_eq!(woven.slice(3..4), [Piece::insert("-")]);
    }

    #[test]
    fn the_content_of_a_string_is_kept_unless_it_needs_escapes() {
        assert_eq!(string_content("a<b", 0..3), Piece::Keep(0..3));
        assert_eq!(string_content("a\n\"b", 0..4), Piece::insert("a\\n\\\"b"));
    }
}
