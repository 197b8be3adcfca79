//! Escapes of a whole string ahead: which are false, and which are valid only by chance.

use super::Peek;

/// One backslash or control character of a string that somebody has to think about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Oddity {
    pub(crate) pos: usize,
    pub(crate) kind: OddityKind,
}

/// What is odd about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OddityKind {
    /// A backslash that begins no escape.
    FalseEscape,
    /// A backslash that begins an escape only by chance: a command stands there.
    Accidental,
    /// A backslash that begins an escape or a command: nothing tells which.
    Doubtful,
    /// A backslash in a path that begins an escape, perhaps by chance.
    InPath,
    /// The first of a run of control characters.
    Control,
    /// A quote that nothing hides.
    Quote,
}

/// The oddities of the string whose content was read last.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    /// Where its content starts, and where it ends if that was decided.
    of: Option<(usize, Option<usize>)>,
    found: Vec<Oddity>,
}

impl Peek<'_> {
    /// Calls `answer` with the oddities of the string whose content starts at `start`.
    /// Each string is read once, however many faults it has, and once more when its end is decided.
    pub(crate) fn with_oddities<T>(&self, start: usize, answer: impl FnOnce(&[Oddity]) -> T) -> T {
        let mut known = self.oddities.borrow_mut();
        let end = self.known_end(start);
        if known.of != Some((start, end)) {
            known.of = Some((start, end));
            known.found.clear();
            self.read_oddities(start, end, &mut known.found);
        }
        self.charge(1);
        answer(&known.found)
    }

    /// Reads the string content from `start` to `end`, or to the first quote that could end it, or to the region's end.
    fn read_oddities(&self, start: usize, end: Option<usize>, found: &mut Vec<Oddity>) {
        let bytes = self.source.get(start..end.unwrap_or(self.end)).unwrap_or_default().as_bytes();
        let mut formula = Formula::default();
        let mut path = PathState::default();
        let mut offset = 0;
        while let Some(&byte) = bytes.get(offset) {
            let pos = start + offset;
            let rest = bytes.get(offset + 1..).unwrap_or_default();
            let (len, kind) = match byte {
                b'"' if end.is_none() && is_end(rest) => break,
                b'"' => (1, Some(OddityKind::Quote)),
                b'\\' => escape(rest, &formula, &path),
                0..b' ' => (rest.iter().take_while(|&&byte| byte < b' ').count() + 1, Some(OddityKind::Control)),
                _ => (1, None),
            };
            if let Some(kind) = kind {
                found.push(Oddity { pos, kind });
            }
            formula.pass(byte, rest);
            path.pass(byte, rest);
            offset += len;
        }
        self.charge(offset);
    }
}

/// Whether the quote before `rest` could end a string, at a glance.
fn is_end(rest: &[u8]) -> bool {
    let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    next.is_none_or(|byte| matches!(byte, b',' | b':' | b'}' | b']'))
}

/// The length of what the backslash before `rest` begins, and what is odd about it.
fn escape(rest: &[u8], formula: &Formula, path: &PathState) -> (usize, Option<OddityKind>) {
    let Some(&letter) = rest.first() else {
        return (1, Some(OddityKind::FalseEscape));
    };
    let in_path = |kind| if path.is_in_path { Some(OddityKind::InPath) } else { kind };
    let accidental = |is: bool| in_path(is.then_some(OddityKind::Accidental));
    match letter {
        b'"' | b'\\' | b'/' => (2, None),
        b'u' if rest.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => (6, in_path(None)),
        b'b' if is_edge_of_word(rest, path.latest) => (2, accidental(true)),
        b'b' | b'f' | b'r' => (2, accidental(rest.get(1).is_some_and(u8::is_ascii_alphabetic))),
        b'n' | b't' => (2, in_path(command(rest, formula.is_open))),
        _ => (1, Some(OddityKind::FalseEscape)),
    }
}

/// Whether `b` at the start of `rest` is the edge of a word in a regular expression: behind what repeats, or before a class.
fn is_edge_of_word(rest: &[u8], before: u8) -> bool {
    matches!(before, b'+' | b'*' | b'?' | b')' | b']' | b'}')
        || matches!(rest.get(1..3), Some([b'\\', b'd' | b'D' | b'w' | b'W' | b's' | b'S'] | [b'(' | b'[', _]))
}

/// Commands of LaTeX that begin with `n` or `t`: what is left of them without that letter is no word.
const COMMANDS: [&str; 28] = [
    "neq",
    "nabla",
    "notin",
    "newline",
    "newcommand",
    "nleq",
    "ngeq",
    "ncong",
    "nolimits",
    "nonumber",
    "noindent",
    "nsubseteq",
    "nrightarrow",
    "times",
    "theta",
    "tau",
    "textbf",
    "textit",
    "textrm",
    "texttt",
    "textsf",
    "tanh",
    "tfrac",
    "tbinom",
    "triangle",
    "triangleq",
    "therefore",
    "thickapprox",
];

/// Commands whose rest could be a name of its own: taken for commands within a formula only.
const COMMANDS_IN_FORMULAS: [&str; 3] = ["nu", "ne", "ni"];

/// Commands that may as well be a line break or a tab and a word, or a short name: taken for commands within a formula and before a brace.
const DOUBTFUL_COMMANDS: [&str; 12] =
    ["not", "neg", "nmid", "nsim", "nexists", "nparallel", "text", "tan", "to", "tilde", "top", "tag"];

/// What the word at the start of `rest` makes of the backslash before it.
fn command(rest: &[u8], is_in_formula: bool) -> Option<OddityKind> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).take(16).count();
    let word = rest.get(..len).unwrap_or_default();
    let is_in = |commands: &[&str]| commands.iter().any(|command| command.as_bytes() == word);
    if is_in(&COMMANDS) || is_in_formula && is_in(&COMMANDS_IN_FORMULAS) {
        return Some(OddityKind::Accidental);
    }
    let is_sure = is_in_formula || rest.get(len) == Some(&b'{');
    is_in(&DOUBTFUL_COMMANDS).then_some(if is_sure { OddityKind::Accidental } else { OddityKind::Doubtful })
}

/// Whether the place is within a formula of LaTeX: between dollar signs, `\(` and `\)`, or `\[` and `\]`.
#[derive(Debug, Default)]
struct Formula {
    is_open: bool,
}

impl Formula {
    fn pass(&mut self, byte: u8, rest: &[u8]) {
        match (byte, rest.first()) {
            (b'$', Some(b'$')) => {}
            (b'$', _) => self.is_open = !self.is_open,
            (b'\\', Some(b'(' | b'[')) => self.is_open = true,
            (b'\\', Some(b')' | b']')) => self.is_open = false,
            _ => {}
        }
    }
}

/// Whether the place is within a path that begins with a drive letter.
#[derive(Debug, Default)]
struct PathState {
    before: u8,
    latest: u8,
    is_in_path: bool,
}

impl PathState {
    fn pass(&mut self, byte: u8, rest: &[u8]) {
        let is_drive = byte == b':' && self.latest.is_ascii_alphabetic() && !self.before.is_ascii_alphanumeric();
        if is_drive && rest.first() == Some(&b'\\') {
            self.is_in_path = true;
        } else if matches!(byte, b'"' | b'<' | b'>' | b'|' | b'*' | b'?' | b';' | 0..b' ') {
            self.is_in_path = false;
        }
        self.before = self.latest;
        self.latest = byte;
    }
}
