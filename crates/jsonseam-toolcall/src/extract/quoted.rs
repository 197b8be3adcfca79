//! Where a text quotes: fenced blocks, code spans, regions between tags, block quotes and quotation marks (SPEC L0a).
//! A call that is quoted is shown, not made.

use std::ops::Range;

use crate::cursor::Finder;

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
        // A code span stays within its line; one around markup may hold several.
        let may_span = inner.starts_with(['<', '[', '{', ']']) || !inner.contains('\n');
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

/// A region of markup whose content is shown.
pub(super) struct Region {
    /// What begins it: a tag may go on with attributes.
    pub(super) open: &'static str,
    close: &'static str,
    /// Whether it reaches to the end of the text where nothing ends it: else it is a mention of the tag.
    reaches_end: bool,
}

/// The regions that quote (SPEC L0a).
pub(super) const REGIONS: [Region; 6] = [
    Region { open: "<!--", close: "-->", reaches_end: true },
    Region { open: "<pre", close: "</pre>", reaches_end: false },
    Region { open: "<PRE", close: "</PRE>", reaches_end: false },
    Region { open: "<example", close: "</example>", reaches_end: false },
    Region { open: "<EXAMPLE", close: "</EXAMPLE>", reaches_end: false },
    Region { open: "<tool_response", close: "</tool_response>", reaches_end: true },
];

impl Region {
    /// The region that begins at `at`, marks included; `None` if none does.
    pub(super) fn quoted_from(&self, finder: &Finder<'_>, text: &str, at: usize) -> Option<Range<usize>> {
        let rest = text.get(at + self.open.len()..)?;
        let goes_on = rest.starts_with(|next: char| next == '>' || next.is_whitespace() || next == '/');
        if self.open != "<!--" && !goes_on {
            return None;
        }
        match finder.find(self.close, at + self.open.len()) {
            Some(close) => Some(at..close + self.close.len()),
            None => self.reaches_end.then_some(at..text.len()),
        }
    }
}

/// A quotation that is open.
struct Quotation {
    /// The marks that end it.
    closers: &'static [char],
    /// Where its content begins.
    start: usize,
    /// Whether white space follows the mark that opens it.
    is_spaced: bool,
    /// Up to where its end was looked for, from where on, and where it is.
    known: Option<(Range<usize>, Option<usize>)>,
}

/// The marks that open quotations, and those that end them. A mark that other languages use the other way round is found by what is beside it.
const QUOTATIONS: [(char, &[char]); 13] = [
    ('"', &['"']),
    ('\'', &['\'']),
    ('\u{201C}', &['\u{201D}']),
    ('\u{201D}', &['\u{201D}']),
    ('\u{201E}', &['\u{201C}', '\u{201D}', '\u{201F}']),
    ('\u{2018}', &['\u{2019}']),
    ('\u{201A}', &['\u{2018}', '\u{2019}']),
    ('\u{AB}', &['\u{BB}']),
    ('\u{BB}', &['\u{AB}', '\u{BB}']),
    ('\u{2039}', &['\u{203A}']),
    ('\u{300C}', &['\u{300D}']),
    ('\u{300E}', &['\u{300F}']),
    ('\u{FF02}', &['\u{FF02}']),
];

impl Quotation {
    /// The quotation that `mark` opens between these two characters. An inch mark follows a digit, an apostrophe a letter.
    fn opened_by(mark: char, start: usize, before: Option<char>, rest: &str) -> Option<Self> {
        let after = rest.chars().next();
        let (_, closers) = QUOTATIONS.into_iter().find(|(open, _)| *open == mark)?;
        let is_directed = matches!(mark, '\u{201C}' | '\u{201E}' | '\u{AB}' | '\u{2039}' | '\u{300C}' | '\u{300E}');
        let begins = before.is_none_or(|before| !before.is_alphanumeric() && !matches!(before, '.' | ',' | '!' | '?'));
        // Before a digit, or after another one, it is an apostrophe.
        let is_apostrophe = matches!(mark, '\'' | '\u{2018}')
            && (after.is_some_and(|after| after.is_ascii_digit()) || before == Some('\''));
        let is_spaced = after.is_some_and(char::is_whitespace);
        // After a mark with white space on both sides only markup is quoted.
        let goes_on = !is_spaced || after == Some('\n') || rest.trim_start().starts_with(['<', '[', '{']);
        let opens = is_directed || begins && goes_on && !is_apostrophe;
        opens.then_some(Self { closers, start, is_spaced, known: None })
    }

    fn is_closed_by(&self, mark: char, after: Option<char>) -> bool {
        // An apostrophe is within a word.
        let is_apostrophe = matches!(mark, '\'' | '\u{2019}') && after.is_some_and(char::is_alphanumeric);
        self.closers.contains(&mark) && !is_apostrophe
    }

    /// Whether a mark after `end` ends it, in the paragraph that goes on there. Asked again and again, it reads the paragraph once.
    fn ends_after(&mut self, finder: &Finder<'_>, text: &str, end: usize) -> bool {
        if let Some((asked, found)) = &self.known
            && asked.contains(&end)
            && found.is_none_or(|found| found >= end)
        {
            return found.is_some();
        }
        let limit = finder.find("\n\n", end).unwrap_or(text.len());
        let paragraph = text.get(end..limit).unwrap_or_default();
        let mut marks = paragraph.char_indices().filter(|(_, char)| self.closers.contains(char));
        let ends = |&(at, mark): &(usize, char)| {
            self.is_closed_by(mark, paragraph.get(at + mark.len_utf8()..).and_then(|rest| rest.chars().next()))
        };
        let found = marks.find(ends).map(|(at, _)| end + at);
        finder.charge(found.unwrap_or(limit) - end);
        self.known = Some((end..limit + 1, found));
        found.is_some()
    }
}

/// What precedes a place within its paragraph, read once from the start of the text to its end: whether a quotation or a JSON text is open there.
pub(super) struct Before {
    pos: usize,
    /// Where what was passed over last ends.
    passed_to: usize,
    /// Whether the line begins as a block quote.
    is_block_quote: bool,
    /// Whether nothing but white space was read since the line began.
    begins_line: bool,
    /// The quotation that is open.
    open: Option<Quotation>,
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
            is_block_quote: false,
            begins_line: true,
            open: None,
            depth: 0,
            is_in_string: false,
        };
        state.restart(text, start);
        state
    }

    /// The visible text begins anew, after thoughts.
    pub(super) fn restart(&mut self, text: &str, start: usize) {
        let visible = text.get(start..).unwrap_or_default().trim_start();
        let is_array = visible.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '"', '[']));
        self.pos = self.pos.max(start);
        self.depth = 0;
        if visible.starts_with('{') || is_array {
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
            is_adjacent && !open.is_spaced || open.ends_after(finder, text, end)
        })
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
                // A quotation ends with its paragraph.
                self.open = None;
            }
            (self.is_block_quote, self.begins_line) = (false, true);
            return;
        }
        if char == '>' && self.begins_line {
            // Three of them are the mark of a format.
            self.is_block_quote = rest.len() - rest.trim_start_matches('>').len() != 3;
        }
        self.begins_line &= char.is_whitespace();
        match &self.open {
            Some(open) if open.is_closed_by(char, after) => self.open = None,
            Some(_) => {}
            None => {
                let start = at + char.len_utf8();
                self.open = Quotation::opened_by(char, start, before, text.get(start..).unwrap_or_default());
            }
        }
    }
}

/// Whether nothing but blanks and the marks of lists and block quotes is before a place in its line.
fn begins_block(text: &str, at: usize) -> bool {
    const LONGEST: usize = 16;
    let before = text.as_bytes().get(..at).unwrap_or_default();
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
    before.is_empty() || before.ends_with('\n')
}
