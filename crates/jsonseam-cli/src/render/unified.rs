//! The unified diff of a repair.
//!
//! The edits say which lines changed, so nothing is searched: the work is linear in the text, where a general
//! difference algorithm can be quadratic on hostile input (SPEC B5).

use std::fmt::Write;
use std::ops::Range;

use jsonseam::Repaired;
use similar::{DiffOp, group_diff_ops};

use crate::console::{self, Paint, paint_stdout};
use crate::escape::escaped_lines;
use crate::input::Source;

/// Lines of unchanged text around a change.
const CONTEXT: usize = 3;

/// The difference between the file and the output of its repair; empty if there is none.
pub(crate) fn diff(name: &str, source: &str, repaired: &Repaired<'_>) -> String {
    diff_of(name, source, repaired.text(), changes(source.len(), repaired))
}

/// The difference between two texts that are the same but for `changes`, which are in order.
pub(crate) fn diff_of(name: &str, source: &str, output: &str, changes: Vec<Change>) -> String {
    let old = lines(source);
    let new = lines(output);
    let blocks = blocks(&old, &new, changes);
    let operations = operations(&old, &new, &blocks);
    let mut out = String::new();
    for hunk in group_diff_ops(operations, CONTEXT) {
        if out.is_empty() {
            let _ = write!(out, "--- {name}\n+++ {name}\n");
        }
        let _ = writeln!(out, "{}", similar::udiff::UnifiedHunkHeader::new(&hunk));
        for operation in hunk {
            write_operation(&mut out, &operation, &old, &new);
        }
    }
    out
}

/// The name of a file in the headers of a diff: as it is, or quoted as git quotes it where `patch` and `git apply` would not find its end.
pub(crate) fn header_name(source: &Source) -> String {
    let Some(path) = source.path() else { return source.name() };
    let name = path.as_os_str().as_encoded_bytes();
    let is_plain = |&byte: &u8| byte >= b' ' && byte != 0x7f && byte != b'"' && (byte != b'\\' || cfg!(windows));
    match str::from_utf8(name) {
        // A name ends at its first blank unless a tab follows it.
        Ok(text) if name.iter().all(is_plain) => format!("{text}{}", if text.contains(' ') { "\t" } else { "" }),
        _ => quoted(name),
    }
}

fn quoted(name: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in name.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' | '\\' => out.extend(['\\', char]),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\0'..='\x1f' | '\x7f' => {
                    let _ = write!(out, "\\{:03o}", u32::from(char));
                }
                _ => out.push(char),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\{byte:03o}");
        }
    }
    out.push('"');
    out
}

/// A unified diff as standard output gets it: on a terminal escaped, and with colours where they are wanted.
pub(crate) fn shown_diff(diff: &str) -> String {
    let diff = if console::is_shown() { escaped_lines(diff).to_string() } else { diff.to_owned() };
    let paint = |line: &str| {
        let paint = match line.as_bytes().first() {
            Some(b'+') => Paint::Added,
            Some(b'-') => Paint::Removed,
            Some(b'@') => Paint::Place,
            _ => return line.to_owned(),
        };
        paint_stdout(line, paint).to_string()
    };
    diff.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(text) => paint(text) + "\n",
            None => paint(line),
        })
        .collect()
}

/// A changed span of the source, and the span of the output that is in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The bytes of the source.
    pub(crate) old: Range<usize>,
    /// The bytes of the output.
    pub(crate) new: Range<usize>,
}

/// What the repair changed, in order: the text left out around the payload, and the edits.
fn changes(source_len: usize, repaired: &Repaired<'_>) -> Vec<Change> {
    let payload = repaired.payload();
    let mut changes = Vec::new();
    if payload.start > 0 {
        changes.push(Change { old: 0..payload.start, new: 0..0 });
    }
    let (mut kept, mut written) = (payload.start, 0);
    for seam in repaired.edits() {
        written += seam.span.start.saturating_sub(kept);
        kept = seam.span.end;
        changes.push(Change { old: seam.span, new: written..written + seam.replacement.len() });
        written += seam.replacement.len();
    }
    if payload.end < source_len {
        let end = repaired.text().len();
        changes.push(Change { old: payload.end..source_len, new: end..end });
    }
    changes
}

/// The lines of a text, each with its line feed, and where they begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

fn lines(text: &str) -> Lines<'_> {
    let mut starts = Vec::new();
    if !text.is_empty() {
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|pos| pos + 1).filter(|&pos| pos < text.len()));
    }
    Lines { text, starts }
}

impl<'a> Lines<'a> {
    fn line(&self, index: usize) -> &'a str {
        let start = self.starts.get(index).copied().unwrap_or(self.text.len());
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default()
    }

    /// How many lines begin before `pos`: for the start of a line its index, for the end of the text the number of lines.
    fn index(&self, pos: usize) -> usize {
        self.starts.partition_point(|&start| start < pos)
    }

    fn begins_at(&self, pos: usize) -> bool {
        pos == 0 || self.starts.binary_search(&pos).is_ok()
    }

    /// Where the line that holds `pos` begins.
    fn start(&self, pos: usize) -> usize {
        let after = self.starts.partition_point(|&start| start <= pos);
        after.checked_sub(1).and_then(|index| self.starts.get(index)).copied().unwrap_or(0)
    }

    /// Where the next line after `pos` begins, or the end of the text.
    fn next(&self, pos: usize) -> usize {
        self.starts.get(self.starts.partition_point(|&start| start <= pos)).copied().unwrap_or(self.text.len())
    }
}

/// The changes, widened to whole lines on both sides and merged where they meet.
///
/// **Invariant:** the text between two blocks is the same in both texts, so it has as many lines in both.
fn blocks(old: &Lines<'_>, new: &Lines<'_>, changes: Vec<Change>) -> Vec<Change> {
    let mut blocks: Vec<Change> = Vec::new();
    for Change { old: in_old, new: in_new } in changes {
        let line = old.start(in_old.start);
        let mut block = match blocks.pop() {
            Some(last) if line < last.old.end || in_old.start <= last.old.end => {
                Change { old: last.old.start..in_old.end, new: last.new.start..in_new.end }
            }
            last => {
                blocks.extend(last);
                let before = in_old.start - line;
                Change { old: line..in_old.end, new: in_new.start.saturating_sub(before)..in_new.end }
            }
        };
        if !(old.begins_at(block.old.end) && new.begins_at(block.new.end)) {
            // This may run into the next change, which is merged then and sets both ends anew.
            let after = old.next(block.old.end) - block.old.end;
            block.old.end += after;
            block.new.end += after;
        }
        blocks.push(block);
    }
    blocks
}

fn operations(old: &Lines<'_>, new: &Lines<'_>, blocks: &[Change]) -> Vec<DiffOp> {
    let mut operations = Vec::new();
    let (mut old_index, mut new_index) = (0, 0);
    for block in blocks {
        let old_lines = old.index(block.old.start)..old.index(block.old.end);
        let new_lines = new.index(block.new.start)..new.index(block.new.end);
        push_equal(&mut operations, old_index, new_index, old_lines.start.saturating_sub(old_index));
        push_changed(&mut operations, old, new, &old_lines, &new_lines);
        (old_index, new_index) = (old_lines.end, new_lines.end);
    }
    push_equal(&mut operations, old_index, new_index, old.starts.len().saturating_sub(old_index));
    operations
}

fn push_equal(operations: &mut Vec<DiffOp>, old_index: usize, new_index: usize, len: usize) {
    if len > 0 {
        operations.push(DiffOp::Equal { old_index, new_index, len });
    }
}

/// A block of changed lines, without the equal lines at its ends.
fn push_changed(
    operations: &mut Vec<DiffOp>,
    old: &Lines<'_>,
    new: &Lines<'_>,
    old_lines: &Range<usize>,
    new_lines: &Range<usize>,
) {
    let shorter = old_lines.len().min(new_lines.len());
    let before =
        (0..shorter).take_while(|pos| old.line(old_lines.start + pos) == new.line(new_lines.start + pos)).count();
    let after = (0..shorter - before)
        .take_while(|pos| old.line(old_lines.end - 1 - pos) == new.line(new_lines.end - 1 - pos))
        .count();
    push_equal(operations, old_lines.start, new_lines.start, before);
    let (old_index, new_index) = (old_lines.start + before, new_lines.start + before);
    let (old_len, new_len) = (old_lines.len() - before - after, new_lines.len() - before - after);
    match (old_len, new_len) {
        (0, 0) => {}
        (0, _) => operations.push(DiffOp::Insert { old_index, new_index, new_len }),
        (_, 0) => operations.push(DiffOp::Delete { old_index, old_len, new_index }),
        _ => operations.push(DiffOp::Replace { old_index, old_len, new_index, new_len }),
    }
    push_equal(operations, old_lines.end - after, new_lines.end - after, after);
}

fn write_operation(out: &mut String, operation: &DiffOp, old: &Lines<'_>, new: &Lines<'_>) {
    if let DiffOp::Equal { .. } = operation {
        operation.old_range().for_each(|index| write_line(out, ' ', old.line(index)));
        return;
    }
    operation.old_range().for_each(|index| write_line(out, '-', old.line(index)));
    operation.new_range().for_each(|index| write_line(out, '+', new.line(index)));
}

fn write_line(out: &mut String, sign: char, line: &str) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        diff("file", source, &jsonseam::repair(source).expect("it is repaired"))
    }

    #[test]
    fn valid_text_has_no_difference() {
        assert_eq!(shown("{\"a\":1}\n"), "");
    }

    #[test]
    fn an_edit_shows_its_line_between_its_neighbours() {
        let source = "x\n{\n\"a\": 1,\n\"b\": 2,\n}";
        let expected = [
            "--- file",
            "+++ file",
            "@@ -1,5 +1,4 @@",
            "-x",
            " {",
            " \"a\": 1,",
            "-\"b\": 2,",
            "+\"b\": 2",
            " }",
            "\\ No newline at end of file",
            "",
        ];
        assert_eq!(shown(source), expected.join("\n"));
    }

    #[test]
    fn prose_around_the_payload_is_removed_lines() {
        let expected = [
            "--- file",
            "+++ file",
            "@@ -1,3 +1 @@",
            "-Here:",
            "-{\"a\":1}",
            "-bye",
            "\\ No newline at end of file",
            "+{\"a\":1}",
            "\\ No newline at end of file",
            "",
        ];
        assert_eq!(shown("Here:\n{\"a\":1}\nbye"), expected.join("\n"));
    }

    /// Applies changes to random texts and compares the blocks with the texts themselves.
    #[test]
    fn between_the_blocks_both_texts_have_the_same_lines() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % below
        };
        for _ in 0..20_000 {
            let source: String = (0..random(14)).map(|_| ['a', '\n', 'b', '\n'][random(4)]).collect();
            let (mut changes, mut out, mut kept) = (Vec::new(), String::new(), 0);
            while kept < source.len() && random(4) > 0 {
                let start = kept + random(source.len() - kept + 1);
                let end = start + random(source.len() - start + 1);
                out.push_str(&source[kept..start]);
                let replacement = ["", "x", "\n", "x\ny"][random(4)];
                changes.push(Change { old: start..end, new: out.len()..out.len() + replacement.len() });
                out.push_str(replacement);
                kept = end;
            }
            out.push_str(&source[kept..]);
            let (old, new) = (lines(&source), lines(&out));
            let mut rebuilt = String::new();
            let mut old_index = 0;
            for operation in operations(&old, &new, &blocks(&old, &new, changes)) {
                assert_eq!(operation.old_range().start, old_index);
                old_index = operation.old_range().end;
                if let DiffOp::Equal { .. } = operation {
                    operation.old_range().for_each(|index| rebuilt.push_str(old.line(index)));
                } else {
                    operation.new_range().for_each(|index| rebuilt.push_str(new.line(index)));
                }
            }
            assert_eq!(old_index, old.starts.len());
            assert_eq!(rebuilt, out, "from {source:?}");
        }
    }
}
