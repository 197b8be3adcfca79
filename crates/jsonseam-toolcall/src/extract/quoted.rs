//! Where a text quotes: fenced blocks, code spans, block quotes and quotation marks (SPEC L0a).
//! A call that is quoted is shown, not made.

use std::ops::Range;

use jsonseam_text::string_end;

use super::quotations::{Quotation, Quotations, is_enclosed};
use crate::cursor::{BYTE_ORDER_MARK, Finder};

/// The longest run of backticks that can open a code span: longer ones occur in fences alone.
const LONGEST_SPAN_MARK: usize = 8;

/// The runs of backticks of a text, and those of tildes that may be fences, found in one pass.
pub(super) struct Ticks<'t> {
    text: &'t str,
    runs: Vec<Range<usize>>,
    /// For each length, the starts of the runs of backticks of that length.
    by_length: [Vec<usize>; LONGEST_SPAN_MARK],
}

impl<'t> Ticks<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in memchr::memchr2_iter(b'`', b'~', bytes) {
            match runs.last_mut() {
                Some(last) if last.end == at && bytes.get(last.start) == bytes.get(at) => last.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        let mut ticks = Self { text, runs: Vec::new(), by_length: Default::default() };
        runs.retain(|run| ticks.is_ticks(run) || run.len() >= 3 && begins_block(text, run.start));
        for run in runs.iter().filter(|run| ticks.is_ticks(run)).map(Range::clone).collect::<Vec<_>>() {
            if let Some(starts) = ticks.by_length.get_mut(run.len() - 1) {
                starts.push(run.start);
            }
        }
        ticks.runs = runs;
        ticks
    }

    /// What the run that starts at `at` quotes, marks included; `None` if it quotes nothing.
    pub(super) fn quoted_from(&self, at: usize) -> Option<Range<usize>> {
        let index = self.runs.partition_point(|run| run.start < at);
        let run = self.runs.get(index).filter(|run| run.start == at)?;
        if run.len() >= 3 && begins_block(self.text, at) {
            let later = self.runs.get(index + 1..).unwrap_or_default();
            let is_same = |close: &Range<usize>| self.is_ticks(close) == self.is_ticks(run);
            let close = later.iter().find(|close| close.len() >= run.len() && is_same(close) && self.is_line(close));
            return Some(at..close.map_or(self.text.len(), |close| close.end));
        }
        let starts = self.by_length.get(run.len() - 1)?;
        let close = *starts.get(starts.partition_point(|&start| start <= at))?;
        let inner = self.text.get(run.end..close)?;
        // A code span stays within its paragraph and has no white space at its ends there; one around markup may hold several.
        let is_spaced = inner.starts_with(char::is_whitespace) || inner.ends_with(char::is_whitespace);
        let is_paragraph = || !is_spaced && inner.lines().all(|line| !line.trim().is_empty());
        let may_span = inner.trim_start().starts_with(['<', '[', '{', ']']) || !inner.contains('\n') || is_paragraph();
        may_span.then_some(at..close + run.len())
    }

    /// The start of the first run from `pos` on.
    pub(super) fn next_from(&self, pos: usize) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|run| run.start < pos)).map(|run| run.start)
    }

    /// The end of the run that starts at `at`.
    pub(super) fn end_of_run(&self, at: usize) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|run| run.start < at)).map(|run| run.end)
    }

    /// Whether after `pos` the runs that could end what `run` opens come in no pairs, so that one of them ends it.
    pub(super) fn closes_again(&self, run: Range<usize>, pos: usize) -> bool {
        let later = self.runs.get(self.runs.partition_point(|run| run.start < pos)..).unwrap_or_default();
        let same = later.iter().filter(|later| later.len() == run.len() && self.is_ticks(later) == self.is_ticks(&run));
        same.count() % 2 == 1
    }

    fn is_ticks(&self, run: &Range<usize>) -> bool {
        self.text.as_bytes().get(run.start) == Some(&b'`')
    }

    fn is_line(&self, run: &Range<usize>) -> bool {
        let after = self.text.get(run.end..).unwrap_or_default();
        let after = after.trim_start_matches([' ', '\t', '\r']);
        begins_line(self.text, run.start) && (after.is_empty() || after.starts_with('\n'))
    }
}

/// A fenced block that is all of `span`: the part between its fences.
pub(super) fn only_block(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let block = text.get(span.clone())?;
    let mark = block.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let marks = block.len() - block.trim_start_matches(mark).len();
    let fence = block.get(..marks).filter(|_| marks >= 3)?;
    let inner = block.strip_suffix(fence)?;
    let first = inner.find('\n')?;
    let info = inner.get(marks..first)?.trim();
    let is_info = info.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    let body = inner.get(first + 1..)?;
    let is_whole = !body.contains(fence) && (body.trim_end_matches([' ', '\t']).ends_with('\n') || body.is_empty());
    (is_info && is_whole).then(|| span.start + first + 1..span.end - marks)
}

/// What precedes a place within its paragraph, read once from the start of the text to its end: whether a quotation or a JSON text is open there.
pub(super) struct Before {
    pos: usize,
    /// Where what was passed over last ends.
    passed_to: usize,
    /// Where the line begins, or what of it follows something that was passed over.
    line: usize,
    /// Whether the line begins as a block quote.
    is_block_quote: bool,
    /// Whether nothing but white space was read since the line began.
    begins_line: bool,
    /// The quotation that is open.
    open: Option<Quotation>,
    quotations: Quotations,
    /// How many brackets are open of the JSON text that all visible text began with.
    depth: usize,
    /// Whether a string is open in that JSON text.
    is_in_string: bool,
}

impl Before {
    /// At the start of the visible text.
    pub(super) fn new(text: &str, start: usize) -> Self {
        let mut state = Self {
            pos: start,
            passed_to: start,
            line: start,
            is_block_quote: false,
            begins_line: true,
            open: None,
            quotations: Quotations::default(),
            depth: 0,
            is_in_string: false,
        };
        state.restart(text, start);
        state
    }

    /// The visible text begins anew, after thoughts.
    pub(super) fn restart(&mut self, text: &str, start: usize) {
        let visible = text.get(start..).unwrap_or_default().trim_start();
        self.pos = self.pos.max(start);
        self.depth = 0;
        if begins_json(visible) {
            self.pos = text.len() - visible.len() + 1;
            (self.depth, self.is_in_string, self.open) = (1, false, None);
        }
    }

    /// Passes over a call, thoughts or what is quoted: the marks that they hold quote nothing. The strings of a JSON text that is open are its own.
    pub(super) fn pass_over(&mut self, text: &str, span: Range<usize>) {
        self.read_to(text, span.start);
        if self.depth == 0 {
            self.pos = self.pos.max(span.end);
            (self.passed_to, self.begins_line) = (self.pos, false);
            if text.get(span).is_some_and(|passed| passed.contains('\n')) {
                self.line = self.pos;
            }
        }
    }

    /// Reads up to `at`; whether what is there, up to `end`, is quoted.
    pub(super) fn quotes(&mut self, finder: &Finder<'_>, text: &str, at: usize, end: usize) -> bool {
        self.read_to(text, at);
        // A run of backticks directly before a mark opens, also where nothing closes it; one that closes was passed over.
        let follows_tick = text.get(..at).is_some_and(|before| before.ends_with('`')) && self.passed_to != at;
        if self.is_block_quote || self.depth > 0 || follows_tick {
            return true;
        }
        self.open.as_mut().is_some_and(|open| {
            let between = text.get(open.start..at).unwrap_or_default().trim_start();
            let is_adjacent = between.is_empty() || between.starts_with(['<', '[']);
            // What nothing closes quotes nothing.
            is_adjacent && !open.is_spaced
                || open.end_after(finder, text, end).is_some()
                || self.quotations.ends_after(open, text, end)
        })
    }

    /// Whether a mark of thoughts or of a region is only mentioned: quotation marks are on both sides of it, or, if `is_unclosed`, around it in its line.
    pub(super) fn mentions(&mut self, finder: &Finder<'_>, text: &str, mark: Range<usize>, is_unclosed: bool) -> bool {
        if is_enclosed(text, mark.clone()) {
            return true;
        }
        if !is_unclosed || !self.quotes(finder, text, mark.start, mark.end) || self.is_block_quote {
            return is_unclosed && self.is_block_quote;
        }
        let Some(open) = self.open.as_mut().filter(|open| open.start >= self.line) else { return false };
        let end = open.end_after(finder, text, mark.end);
        end.is_some_and(|end| finder.find("\n", mark.end).is_none_or(|newline| end < newline))
    }

    fn read_to(&mut self, text: &str, at: usize) {
        let from = self.pos;
        let Some(part) = text.get(from..at) else { return };
        let mut before = text.get(..from).and_then(|text| text.chars().next_back());
        let mut chars = part.char_indices();
        while let Some((offset, char)) = chars.next() {
            if self.depth > 0 {
                self.read_json(char, &mut chars);
            } else {
                let after = text.get(from + offset + char.len_utf8()..).and_then(|rest| rest.chars().next());
                self.read_prose(text, from + offset, before, after);
            }
            before = Some(char);
        }
        self.pos = at;
    }

    fn read_json(&mut self, char: char, rest: &mut std::str::CharIndices<'_>) {
        match char {
            '"' => self.is_in_string = !self.is_in_string,
            '\\' if self.is_in_string => {
                rest.next();
            }
            '{' | '[' if !self.is_in_string => self.depth += 1,
            '}' | ']' if !self.is_in_string => self.depth -= 1,
            _ => {}
        }
    }

    fn read_prose(&mut self, text: &str, at: usize, before: Option<char>, after: Option<char>) {
        let rest = text.get(at..).unwrap_or_default();
        let Some(char) = rest.chars().next() else { return };
        if char == '\n' {
            if self.begins_line {
                // A quotation ends with its paragraph, unless its end is in a later one.
                let quotations = &mut self.quotations;
                self.open = self.open.take().and_then(|open| quotations.go_on(open, text, at));
            }
            (self.is_block_quote, self.begins_line, self.line) = (false, true, at + 1);
            return;
        }
        if char == '>' && self.begins_line {
            // Three of them are the mark of a format.
            self.is_block_quote = rest.len() - rest.trim_start_matches('>').len() != 3;
        }
        // A line of comment.
        self.is_block_quote |= self.begins_line && rest.starts_with("//");
        self.begins_line &= char.is_whitespace();
        if let Some(open) = &mut self.open {
            if open.is_ended(text, at, char, after) {
                self.open = None;
            }
        } else {
            let start = at + char.len_utf8();
            self.open = Quotation::opened_by(char, start, before, text.get(start..).unwrap_or_default());
        }
    }
}

/// Whether nothing but blanks and the marks of lists and block quotes is before a place in its line.
pub(super) fn begins_block(text: &str, at: usize) -> bool {
    const LONGEST: usize = 16;
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let before = before.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(before);
    let tail = before.get(before.len().saturating_sub(LONGEST)..).unwrap_or_default();
    let line = match memchr::memrchr(b'\n', tail) {
        Some(newline) => tail.get(newline + 1..),
        None => (tail.len() == before.len()).then_some(tail),
    };
    let is_mark =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'>' | b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9');
    line.is_some_and(|line| line.iter().all(is_mark))
}

/// Whether nothing but blanks is before a place in its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t', '\r']);
    before.is_empty() || before.ends_with('\n') || before == BYTE_ORDER_MARK
}

/// Whether a text begins as JSON does: with an object that has a key, or with an array of strings or containers. What only begins with a bracket is prose.
fn begins_json(text: &str) -> bool {
    let mut rest = text;
    let mut is_object = false;
    while let Some(inner) = rest.strip_prefix(['{', '[']) {
        is_object = rest.starts_with('{');
        rest = inner.trim_start();
    }
    let Some(first) = rest.chars().next().filter(|_| rest.len() < text.len()) else {
        return rest.len() < text.len();
    };
    let after = |end: usize| rest.get(end..).unwrap_or_default().trim_start();
    match first {
        '"' if is_object => {
            let after = after(string_end(rest.as_bytes(), 0));
            after.is_empty() || after.starts_with(':')
        }
        '"' => {
            let after = after(string_end(rest.as_bytes(), 0));
            let next = after.strip_prefix(',').map(str::trim_start);
            let is_value =
                |next: char| matches!(next, '"' | '{' | '[' | '-' | ']' | 't' | 'f' | 'n') || next.is_ascii_digit();
            next.map_or_else(
                || after.is_empty() || after.starts_with(']'),
                |next| next.chars().next().is_none_or(is_value),
            )
        }
        '/' | '#' => is_balanced(text),
        // Keys as JavaScript and Python write them: only where the brackets are balanced.
        _ if is_object && (first.is_alphanumeric() || matches!(first, '\'' | '_' | '$' | '\u{201C}')) => {
            let key = rest.find([':', '\n', '{', '}']).and_then(|end| rest.get(end..));
            key.is_some_and(|key| key.starts_with(':')) && is_balanced(text)
        }
        '}' | ']' => true,
        _ => false,
    }
}

/// Whether every bracket of the value that a text begins with is closed, whatever its strings hold.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}
