//! Escapes of a whole string: which are false, which are valid only by chance, and half of a pair of surrogates.

mod commands;
pub mod signs;

use std::ops::Range;
use std::sync::Arc;

use jsonseam_core::{Ahead, Edit, Fault, OpenString};

use self::commands::{OTHER_FIRST, command, is_listed};
use super::quoted;
use super::runs::{at_most, tells_at};

/// One backslash, quote or control character of a string that needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EscapeIssue {
    /// Where it is.
    pub pos: usize,
    /// What the issue is.
    pub kind: EscapeIssueKind,
}

/// Why a place in a string needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscapeIssueKind {
    /// A backslash that begins no escape.
    FalseEscape,
    /// A backslash that begins an escape only by chance: it belongs to a command.
    Accidental,
    /// A backslash that begins an escape or a command: which one cannot be told.
    Doubtful,
    /// A backslash in a path that begins an escape, perhaps by chance.
    InPath,
    /// Two backslashes that may be meant as two: the end of a row in LaTeX.
    Pair,
    /// Two backslashes that are meant as two: the path of a share begins with them.
    Share,
    /// A backspace that may be the edge of a word in a regular expression.
    Backspace,
    /// The first of a run of control characters.
    Control,
    /// A quote without a backslash.
    Quote,
}

/// The issues of one piece of a string, and where it ends: at a quote that could end the string, or where the region does.
#[derive(Debug, Clone)]
struct Piece {
    found: Arc<[EscapeIssue]>,
    end: usize,
    /// The last of those that may not have been meant as escapes.
    last_doubtful: Option<usize>,
    /// Whether a backslash before a letter or a digit was not meant as an escape, or may not have been: as in a path or a command.
    has_literal: bool,
}

/// Whether an issue may not have been meant as the escape that it is.
pub const fn is_accidental(issue: &EscapeIssue) -> bool {
    matches!(
        issue.kind,
        EscapeIssueKind::Accidental | EscapeIssueKind::InPath | EscapeIssueKind::Pair | EscapeIssueKind::Share
    )
}

/// The issues of the string that is open at the fault, from `start` on, and not beyond the first quote after the fault that
/// could end it. What was edited before is not gone through again: a string may have as many faults as issues.
pub fn of_open_string<'f>(fault: &'f Fault<'_>, start: usize) -> impl Iterator<Item = EscapeIssue> + 'f {
    pieces(fault).flat_map(move |(piece, is_last)| {
        // The engine read past the quote that ends any other piece: an edit hides it.
        let is_hidden = !is_last && piece.end >= start;
        let quote = is_hidden.then_some(EscapeIssue { pos: piece.end, kind: EscapeIssueKind::Quote });
        let first = piece.found.partition_point(|issue| issue.pos < start);
        (first..piece.found.len()).map(move |at| piece.found[at]).chain(quote)
    })
}

/// Its pieces, and whether each is the last one. Each is read once, however many faults it has.
fn pieces<'f>(fault: &'f Fault<'_>) -> impl Iterator<Item = (Piece, bool)> + 'f {
    #[derive(PartialEq, Eq, Hash)]
    struct PieceFrom(usize);
    let mut next = fault.string().map(|string| string.start);
    std::iter::from_fn(move || {
        let start = next?;
        let piece = fault.memo(PieceFrom(start), || read(fault, start));
        let is_last = piece.end >= fault.pos() || piece.end < start;
        next = (!is_last).then_some(piece.end + 1);
        Some((piece, is_last))
    })
}

/// How far a string is looked at for a backslash, in bytes of its content before the fault, and in characters.
const GLANCE: usize = 64;

/// Whether the open string is short and holds no backslash. Asked at its first fault: a string that has more is read once for all of them.
fn is_plain(fault: &Fault<'_>) -> bool {
    let is_first = |string: &OpenString| string.content.start == string.start && string.content.len() < GLANCE;
    let Some(string) = fault.string().filter(is_first) else { return false };
    let mut ahead = fault.at(string.start);
    ahead.take_while(at_most(GLANCE, |char| !matches!(char, '"' | '\\')));
    ahead.pos() >= fault.pos() && ahead.eat("\"") && could_end_string(ahead)
}

/// Whether backslashes of the open string begin escapes that were not meant as such, or may not have been: commands of LaTeX (`\frac`, `\times`),
/// and paths (`C:\new`). Then doubling the false ones alone would leave control characters for the others.
pub fn has_doubtful(fault: &Fault<'_>) -> bool {
    fault.string().is_some_and(|string| any_piece(fault, |piece| piece.last_doubtful >= Some(string.content.start)))
}

/// The same for the whole string: what was read before the fault counts too.
pub fn ever_doubtful(fault: &Fault<'_>) -> bool {
    any_piece(fault, |piece| piece.last_doubtful.is_some())
}

/// Whether a backslash before a letter or a digit of the open string was not meant as an escape, or may not have been: as in a path or a command.
pub fn has_literal(fault: &Fault<'_>) -> bool {
    any_piece(fault, |piece| piece.has_literal)
}

fn any_piece(fault: &Fault<'_>, is_wanted: impl Fn(&Piece) -> bool) -> bool {
    !is_plain(fault) && pieces(fault).any(|(piece, _)| is_wanted(&piece))
}

/// The edit that repairs this issue.
pub fn repaired(fault: &Fault<'_>, issue: EscapeIssue) -> Edit {
    let pos = issue.pos;
    match issue.kind {
        EscapeIssueKind::Quote => Edit::replace(pos..pos + 1, "\\\""),
        EscapeIssueKind::Control => {
            let controls = fault.at(pos).take_while(|char| char < ' ');
            Edit::replace(pos..pos + controls.len(), quoted::escaped(controls))
        }
        // With the second one, which stays, there are four.
        EscapeIssueKind::Pair | EscapeIssueKind::Share => Edit::replace(pos..pos + 1, "\\\\\\"),
        _ => Edit::replace(pos..pos + 1, "\\\\"),
    }
}

/// The length of the escape that ends `content` if it is the first half of a surrogate pair, else zero.
///
/// ```
/// use jsonseam_rules::shared::escapes::high_surrogate_len;
///
/// assert_eq!(high_surrogate_len("a\\ud83d"), 6);
/// assert_eq!(high_surrogate_len("a\\\\ud83d"), 0);
/// ```
pub fn high_surrogate_len(content: &str) -> usize {
    const LEN: usize = 6;
    let start = content.len().saturating_sub(LEN);
    let Some((before, escape)) = content.split_at_checked(start) else { return 0 };
    let backslashes = before.bytes().rev().take_while(|&byte| byte == b'\\').count();
    let unit = escape.strip_prefix("\\u").and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let is_half = backslashes % 2 == 0 && unit.is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
    if is_half { LEN } else { 0 }
}

/// How much of an open string tells whether half a pair ends it, in bytes: the escape, and the backslashes before it.
const HALF_PAIR: usize = 64;

/// The same for the string that is open at the fault, from the last edit inside it on.
pub fn half_pair_len(fault: &Fault<'_>) -> usize {
    let content = |string: OpenString| fault.at(string.content.end).before(HALF_PAIR.min(string.content.len()));
    fault.string().map_or(0, |string| high_surrogate_len(content(string)))
}

fn read(fault: &Fault<'_>, start: usize) -> Piece {
    // Where the piece ends is found out first, so that no more is read than belongs to it.
    let from = fault.at(start);
    let mut ahead = from;
    let end = loop {
        let Some(quote) = ahead.find("\"") else { break from.to_end().pos() };
        let backslashes = from.at(quote).before_while(|char| char == '\\').len().min(quote - start);
        ahead = from.at(quote).after(1);
        if backslashes.is_multiple_of(2) && could_end_string(ahead) {
            break quote;
        }
    };
    let text = from.slice_to(end);
    let found = issues(text, start);
    let has_literal = found.iter().any(|issue| {
        let escaped = || text[issue.pos + 1 - start..].starts_with(char::is_alphanumeric);
        issue.kind == EscapeIssueKind::Doubtful
            || is_accidental(issue)
            || issue.kind == EscapeIssueKind::FalseEscape && escaped()
    });
    let last_doubtful = found.iter().rfind(|issue| is_accidental(issue)).map(|issue| issue.pos);
    Piece { found: found.into(), end, last_doubtful, has_literal }
}

/// Whether a command or a path that begins an escape by chance would be lost if this part of the content of a string were edited.
///
/// Before the part and after it, a false escape tells that those there were not meant as escapes: it was repaired with them, or will be.
pub fn loses_accidental(content: &str, edited: Range<usize>) -> bool {
    let found = issues(content, 0);
    let (before, rest) = found.split_at(found.partition_point(|issue| issue.pos < edited.start));
    let (within, after) = rest.split_at(rest.partition_point(|issue| issue.pos < edited.end));
    let has_false = |part: &[EscapeIssue]| part.iter().any(|issue| issue.kind == EscapeIssueKind::FalseEscape);
    let has_accidental = |part: &[EscapeIssue]| part.iter().any(is_accidental);
    has_accidental(within) || [before, after].into_iter().any(|part| has_accidental(part) && !has_false(part))
}

/// The issues of `text`, which starts at `start`.
fn issues(text: &str, start: usize) -> Vec<EscapeIssue> {
    let bytes = text.as_bytes();
    let mut found: Vec<EscapeIssue> = Vec::new();
    let mut place = Place::default();
    let mut offset = 0;
    // Ends of rows are meant otherwise after a `\begin` that no one escaped, and a backspace if another one is the edge of a word.
    let (mut has_rows, mut has_edges, mut has_pair) = (false, false, false);
    loop {
        // Most bytes tell nothing.
        let ahead = bytes.get(offset..).unwrap_or_default();
        let plain = ahead.iter().position(|&byte| TELLS[usize::from(byte)]).unwrap_or(ahead.len());
        place.skip(&ahead[..plain]);
        offset += plain;
        let Some(&byte) = bytes.get(offset) else {
            found.retain_mut(|issue| match issue.kind {
                EscapeIssueKind::Pair => has_rows,
                EscapeIssueKind::Backspace => {
                    issue.kind = EscapeIssueKind::Accidental;
                    has_edges
                }
                _ => true,
            });
            return found;
        };
        let pos = start + offset;
        let rest = bytes.get(offset + 1..).unwrap_or_default();
        let (len, kind) = match byte {
            b'"' => (1, Some(EscapeIssueKind::Quote)),
            b'\\' if !has_pair && begins_share(text, offset) => {
                place.is_in_path = true;
                (2, Some(EscapeIssueKind::Share))
            }
            b'\\' if ends_row(bytes, offset) => (2, Some(EscapeIssueKind::Pair)),
            b'\\' => escape(rest, &place),
            0..b' ' => (rest.iter().take_while(|&&byte| byte < b' ').count() + 1, Some(EscapeIssueKind::Control)),
            _ => (1, None),
        };
        if kind == Some(EscapeIssueKind::Accidental) {
            has_rows |= rest.starts_with(b"begin{");
            has_edges |= rest.starts_with(b"b");
        }
        has_pair |= byte == b'\\' && rest.starts_with(b"\\");
        found.extend(kind.map(|kind| EscapeIssue { pos, kind }));
        place.pass(byte, rest);
        offset += len;
    }
}

/// Whether the two backslashes at `at` begin the path of a share that was not escaped, `\\server\share`: one backslash precedes each further name.
/// No two backslashes in a row are before them.
fn begins_share(text: &str, at: usize) -> bool {
    let is_first =
        at == 0 || text.as_bytes().get(at - 1).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'(');
    let Some(path) = text.get(at..).filter(|_| is_first).and_then(|rest| rest.strip_prefix("\\\\")) else {
        return false;
    };
    let is_in_name = |char: char| char.is_alphanumeric() || matches!(char, '.' | '-' | '_' | '$');
    let (server, rest) = path.split_at(path.find(|char| !is_in_name(char)).unwrap_or(path.len()));
    // A row of commands is a formula, whose first command was escaped.
    let is_command = is_listed(server) || OTHER_FIRST.contains(&server);
    let is_share = |share: &str| share.chars().take_while(|&char| is_in_name(char)).count() > 1;
    // Another pair of backslashes tells of a text that was escaped.
    let is_only = || !rest.contains("\\\\");
    !server.is_empty() && !is_command && rest.strip_prefix('\\').is_some_and(is_share) && is_only()
}

/// Whether the two backslashes at `at` are alone and may end a row of LaTeX: a blank follows.
fn ends_row(bytes: &[u8], at: usize) -> bool {
    let is_alone = at == 0 || bytes[at - 1] != b'\\';
    is_alone && bytes.get(at + 1) == Some(&b'\\') && matches!(bytes.get(at + 2), Some(b' ' | b'\n'))
}

/// The bytes that are an issue themselves, or mark formulas or paths.
const TELLS: [bool; 256] = tells_at(b"\"\\$:<>|*?;");

/// Whether a quote before the cursor could end a string, at a glance.
fn could_end_string(ahead: Ahead<'_>) -> bool {
    matches!(ahead.skip_json_space().peek(), None | Some(',' | ':' | '}' | ']'))
}

/// The length of what the backslash before `rest` begins, and the issue with it.
fn escape(rest: &[u8], place: &Place) -> (usize, Option<EscapeIssueKind>) {
    let Some(&letter) = rest.first() else { return (1, Some(EscapeIssueKind::FalseEscape)) };
    let is_break = matches!(letter, b'n' | b'r' | b't');
    let is_in_path = place.is_in_path && !(is_break && place.ends_path(rest));
    let in_path = |kind| if is_in_path { Some(EscapeIssueKind::InPath) } else { kind };
    let accidental = |is: bool| in_path(is.then_some(EscapeIssueKind::Accidental));
    match letter {
        b'"' | b'\\' | b'/' => (2, None),
        b'u' if rest.get(1..5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => (6, in_path(None)),
        b'b' if is_edge_of_word(rest, place.latest) => (2, accidental(true)),
        b'b' if !is_in_word(rest) => (2, in_path(Some(EscapeIssueKind::Backspace))),
        b'b' | b'f' | b'r' => (2, accidental(is_in_word(rest))),
        b'n' | b't' => (2, in_path(command(rest, place.is_in_formula))),
        _ => (1, Some(EscapeIssueKind::FalseEscape)),
    }
}

/// Whether a letter of any script follows the first byte of `rest`.
fn is_in_word(rest: &[u8]) -> bool {
    let letter = rest.get(1..rest.len().min(5)).and_then(|rest| rest.utf8_chunks().next());
    letter.is_some_and(|letter| letter.valid().starts_with(char::is_alphabetic))
}

/// Whether `b` at the start of `rest` is the edge of a word in a regular expression: after what repeats, or before a class.
fn is_edge_of_word(rest: &[u8], before: u8) -> bool {
    matches!(before, b'+' | b'*' | b'?' | b')' | b']' | b'}')
        || matches!(rest.get(1..3), Some([b'\\', b'd' | b'D' | b'w' | b'W' | b's' | b'S'] | [b'(' | b'[', _]))
}

/// A place in a string, and the two bytes before it.
#[derive(Debug, Default)]
struct Place {
    before: u8,
    latest: u8,
    /// Whether it is within a path that begins with a drive letter.
    is_in_path: bool,
    /// Whether it is within a formula of LaTeX: between dollar signs, `\(` and `\)`, or `\[` and `\]`.
    is_in_formula: bool,
}

impl Place {
    /// Passes bytes that begin and end nothing.
    fn skip(&mut self, bytes: &[u8]) {
        if let [.., before, latest] = bytes {
            (self.before, self.latest) = (*before, *latest);
        } else if let [latest] = bytes {
            (self.before, self.latest) = (self.latest, *latest);
        }
    }

    /// Whether a line break or a tab, whose letter `rest` begins with, is rather after the path: a sentence or an escape ends before it, or no name
    /// follows it. A name may end in any other mark: `C:\Program Files (x86)\nvidia`.
    fn ends_path(&self, rest: &[u8]) -> bool {
        let follows_word = self.before.is_ascii_alphanumeric() || self.before >= 0x80;
        let ends_text = match self.latest {
            // Two dots are a folder.
            b'.' => follows_word,
            latest => matches!(latest, b',' | b';' | b'!' | b'?' | b'\\'),
        };
        let begins_name = match rest.get(1) {
            // A blank after it makes it the mark of a list.
            Some(b'-') => rest.get(2) != Some(&b' '),
            Some(next) => next.is_ascii_alphanumeric() || *next >= 0x80 || b"_.$%([{~".contains(next),
            None => false,
        };
        ends_text || !begins_name
    }

    fn pass(&mut self, byte: u8, rest: &[u8]) {
        let is_drive = byte == b':' && self.latest.is_ascii_alphabetic() && !self.before.is_ascii_alphanumeric();
        if is_drive && rest.first() == Some(&b'\\') {
            self.is_in_path = true;
        } else if matches!(byte, b'"' | b'<' | b'>' | b'|' | b'*' | b'?' | b';' | 0..b' ') {
            self.is_in_path = false;
        }
        match (byte, rest.first()) {
            (b'$', Some(b'$')) => {}
            (b'$', _) => self.is_in_formula = !self.is_in_formula,
            (b'\\', Some(b'(' | b'[')) => self.is_in_formula = true,
            (b'\\', Some(b')' | b']')) => self.is_in_formula = false,
            _ => {}
        }
        self.before = self.latest;
        self.latest = byte;
    }
}
