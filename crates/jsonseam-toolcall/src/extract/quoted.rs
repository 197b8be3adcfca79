//! Where a text quotes: fenced blocks, code spans and block quotes of Markdown. A call that is quoted is shown, not made.

use std::ops::Range;

/// The longest run of backticks that can open a code span: longer ones occur in fences alone.
const LONGEST_SPAN_MARK: usize = 8;

/// The runs of backticks of a text, found in one pass.
pub(super) struct Ticks<'t> {
    text: &'t str,
    runs: Vec<Range<usize>>,
    /// For each length, the starts of the runs of that length.
    by_length: [Vec<usize>; LONGEST_SPAN_MARK],
}

impl<'t> Ticks<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in memchr::memchr_iter(b'`', text.as_bytes()) {
            match runs.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        let mut by_length: [Vec<usize>; LONGEST_SPAN_MARK] = Default::default();
        for run in &runs {
            if let Some(starts) = by_length.get_mut(run.len() - 1) {
                starts.push(run.start);
            }
        }
        Self { text, runs, by_length }
    }

    /// What the run of backticks that starts at `at` quotes, marks included; `None` if it quotes nothing.
    pub(super) fn quoted_from(&self, at: usize) -> Option<Range<usize>> {
        let index = self.runs.partition_point(|run| run.start < at);
        let run = self.runs.get(index).filter(|run| run.start == at)?;
        if run.len() >= 3 && self.begins_line(at) {
            let later = self.runs.get(index + 1..).unwrap_or_default();
            let close = later.iter().find(|close| close.len() >= run.len() && self.is_line(close));
            return Some(at..close.map_or(self.text.len(), |close| close.end));
        }
        let starts = self.by_length.get(run.len() - 1)?;
        let close = *starts.get(starts.partition_point(|&start| start <= at))?;
        let inner = self.text.get(run.end..close)?;
        // A code span stays within its line; one around markup may hold several.
        let may_span = inner.starts_with(['<', '[', '{']) || !inner.contains('\n');
        may_span.then_some(at..close + run.len())
    }

    /// The start of the first run of backticks from `pos` on.
    pub(super) fn next_from(&self, pos: usize) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|run| run.start < pos)).map(|run| run.start)
    }

    /// The end of the run of backticks that starts at `at`.
    pub(super) fn end_of_run(&self, at: usize) -> Option<usize> {
        self.runs.get(self.runs.partition_point(|run| run.start < at)).map(|run| run.end)
    }

    fn begins_line(&self, at: usize) -> bool {
        line_before(self.text, at).trim().is_empty()
    }

    fn is_line(&self, run: &Range<usize>) -> bool {
        let after = self.text.get(run.end..).unwrap_or_default();
        let line = after.split('\n').next().unwrap_or_default();
        self.begins_line(run.start) && line.trim().is_empty()
    }
}

/// A fenced block that is all of `span`: the part between its fences.
pub(super) fn only_block(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let block = text.get(span.clone())?;
    let marks = block.len() - block.trim_start_matches('`').len();
    let fence = block.get(..marks).filter(|_| marks >= 3)?;
    let inner = block.strip_suffix(fence)?;
    let first = inner.find('\n')?;
    let info = inner.get(marks..first)?.trim();
    let is_info = info.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    let body = inner.get(first + 1..)?;
    let is_whole = !body.contains(fence) && (body.trim_end_matches([' ', '\t']).ends_with('\n') || body.is_empty());
    (is_info && is_whole).then(|| span.start + first + 1..span.end - marks)
}

/// What precedes a place within its line, read once from the start of the text to its end: whether a quotation or a JSON text is open there.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is so, or not, at the place read up to")]
pub(super) struct Before {
    pos: usize,
    /// Whether the line begins as a block quote.
    is_block_quote: bool,
    /// Whether nothing but white space was read since the line began.
    begins_line: bool,
    /// Whether a double quotation mark is open.
    is_open: bool,
    /// Whether a quotation mark directly precedes the last head.
    is_adjacent: bool,
    /// How many brackets are open of the JSON text that all visible text began with.
    depth: usize,
}

impl Before {
    /// At the start of the visible text.
    pub(super) fn new(text: &str, start: usize) -> Self {
        let mut state =
            Self { pos: start, is_block_quote: false, begins_line: true, is_open: false, is_adjacent: false, depth: 0 };
        state.restart(text, start);
        state
    }

    /// The visible text begins anew, after thoughts.
    pub(super) fn restart(&mut self, text: &str, start: usize) {
        let visible = text.get(start..).unwrap_or_default().trim_start();
        let is_array = visible.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '"', '[']));
        self.skip_to(start);
        self.depth = 0;
        if visible.starts_with('{') || is_array {
            self.pos = text.len() - visible.len() + 1;
            self.depth = 1;
            self.is_open = false;
        }
    }

    /// Passes over a call or thoughts: what they hold quotes nothing.
    pub(super) fn skip_to(&mut self, pos: usize) {
        self.pos = self.pos.max(pos);
        self.is_adjacent = false;
    }

    /// Whether the visible text begins as JSON that is still open.
    pub(super) fn is_within_json(&self) -> bool {
        self.depth > 0
    }

    /// Whether the visible text begins as prose.
    pub(super) fn is_prose(&self) -> bool {
        self.depth == 0
    }

    /// Reads up to `at`; whether a head there is quoted.
    pub(super) fn quotes(&mut self, text: &str, at: usize, marks: &[String]) -> bool {
        let from = self.pos.min(at);
        let mut bytes = text.as_bytes().get(from..at).unwrap_or_default().iter().enumerate();
        while let Some((offset, byte)) = bytes.next() {
            match byte {
                b'\n' if self.depth == 0 => {
                    (self.is_open, self.is_block_quote, self.begins_line) = (false, false, true);
                    continue;
                }
                b'"' => self.is_open = !self.is_open,
                b'\\' if self.is_open => {
                    bytes.next();
                }
                b'{' | b'[' if self.depth > 0 && !self.is_open => self.depth += 1,
                b'}' | b']' if self.depth > 0 && !self.is_open => self.depth -= 1,
                b'>' if self.begins_line => {
                    self.is_block_quote = text.as_bytes().get(from + offset + 1) == Some(&b' ');
                }
                _ => {}
            }
            self.begins_line &= byte.is_ascii_whitespace();
        }
        let mut before = text.get(from..at).unwrap_or_default();
        self.pos = at;
        while let Some(shorter) = marks.iter().find_map(|mark| before.trim_end().strip_suffix(mark.as_str())) {
            before = shorter;
        }
        let is_adjacent = before.ends_with(['`', '\'', '\u{201C}', '\u{2018}', '\u{AB}']);
        // A quotation mark after a space opens, also where a newline precedes the head.
        let opens =
            before.strip_suffix('"').is_some_and(|before| before.is_empty() || before.ends_with([' ', '\n', '(', ':']));
        // Between two heads that only marks separate, the first one's answer holds.
        let is_adjacent = is_adjacent || opens || before.trim().is_empty() && self.is_adjacent;
        self.is_adjacent = is_adjacent;
        self.is_open || self.is_block_quote || self.depth > 0 || is_adjacent
    }
}

fn line_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    before.get(before.rfind('\n').map_or(0, |line| line + 1)..).unwrap_or_default()
}
