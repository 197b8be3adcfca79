//! Values in a row, separated by commas: what an array, a tuple or a set holds.

use jsonseam_core::{Ahead, Fault, is_quote};

/// How many containers a row may nest.
const DEPTH: usize = 64;

/// A row of values that is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How many values it has.
    pub len: usize,
    /// Whether a comma follows the last one.
    pub has_last_comma: bool,
    /// Whether every second value, from the first on, is a string that may be a key, and another one is not a string.
    pub may_be_members: bool,
}

/// The row that opens with the bracket, parenthesis or brace at `opener` and ends with a closer of its kind (a parenthesis also with `]`).
/// `None` if anything else than values and commas is in it. Remembered, with those of all parentheses within.
pub fn at(fault: &Fault<'_>, opener: usize) -> Option<Row> {
    #[derive(PartialEq, Eq, Hash)]
    struct RowAt(usize);
    let mut inner = Vec::new();
    let outer = fault.memo(RowAt(opener), || read(fault.at(opener), &mut inner));
    for (start, row) in inner {
        fault.memo(RowAt(start), || {
            // They were read with the outer one, which may have come to the end.
            if outer.is_none() {
                fault.region_end();
            }
            row
        });
    }
    outer
}

/// Where the object or array that opens at `opener` ends, if nothing else than values and commas is in it. Remembered.
pub fn whole_value_end(fault: &Fault<'_>, opener: usize) -> Option<usize> {
    #[derive(PartialEq, Eq, Hash)]
    struct ValueAt(usize);
    fault.memo(ValueAt(opener), || {
        // Read as the only value of a row that has begun before it.
        let mut open = vec![Open::new(opener, '(', Due::FirstValue)];
        read_into(fault.at(opener), &mut open, &mut Vec::new(), true).map(|(_, end)| end)
    })
}

/// What is due at a place within a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Value,
    FirstValue,
    Key,
    FirstKey,
    Colon,
    Comma,
}

/// A container that is being read.
struct Open {
    start: usize,
    opener: char,
    due: Due,
    len: usize,
    strings: usize,
    /// How many values at even places, from 0 on, are names in quotes.
    keys: usize,
}

impl Open {
    fn new(start: usize, opener: char, due: Due) -> Self {
        Self { start, opener, due, len: 0, strings: 0, keys: 0 }
    }

    fn is_object(&self, is_outermost: bool) -> bool {
        self.opener == '{' && !is_outermost
    }

    fn closes_with(&self, char: char, is_outermost: bool) -> bool {
        match (self.opener, char) {
            ('{', '}') => self.due != Due::Colon && (is_outermost || self.due != Due::Value),
            ('(', ')' | ']') | ('[', ']') => true,
            ('[', ')') => !is_outermost,
            _ => false,
        }
    }
}

fn read(opener: Ahead<'_>, inner: &mut Vec<(usize, Option<Row>)>) -> Option<Row> {
    let mut content = opener;
    let mut open = vec![Open::new(opener.pos(), content.bump()?, Due::FirstValue)];
    let row = read_into(content, &mut open, inner, false);
    if row.is_none() {
        inner.extend(open.iter().skip(1).filter(|open| open.opener == '(').map(|open| (open.start, None)));
    }
    row.map(|(row, _)| row)
}

/// Reads on in the row that is open, up to its closer or, where a single value is wanted, to the end of that.
fn read_into(
    mut ahead: Ahead<'_>,
    open: &mut Vec<Open>,
    inner: &mut Vec<(usize, Option<Row>)>,
    is_single: bool,
) -> Option<(Row, usize)> {
    loop {
        if is_single && open.len() == 1 && open[0].due == Due::Comma {
            return Some((Row { len: 1, has_last_comma: false, may_be_members: false }, ahead.pos()));
        }
        ahead = ahead.skip_space_and_comments();
        let here = ahead;
        let char = ahead.bump()?;
        let is_outermost = open.len() == 1;
        let top = open.last_mut()?;
        let is_object = top.is_object(is_outermost);
        match (char, top.due) {
            (char, due) if due != Due::Colon && top.closes_with(char, is_outermost) => {
                let may_be_members = top.len.is_multiple_of(2) && top.keys == top.len / 2 && top.strings < top.len;
                let row = Row { len: top.len, has_last_comma: due == Due::Value, may_be_members };
                if is_outermost {
                    return Some((row, ahead.pos()));
                }
                if top.opener == '(' {
                    inner.push((top.start, Some(row)));
                }
                open.pop();
                value_ends(open.last_mut()?);
            }
            ('{' | '[' | '(', Due::Value | Due::FirstValue) => {
                let due = if char == '{' { Due::FirstKey } else { Due::FirstValue };
                open.push(Open::new(here.pos(), char, due));
                if open.len() > DEPTH {
                    return None;
                }
            }
            (',', Due::Comma) => top.due = if is_object { Due::Key } else { Due::Value },
            (';' | '，', Due::Comma) if !is_outermost => top.due = if is_object { Due::Key } else { Due::Value },
            (':' | '：', Due::Colon) => top.due = Due::Value,
            (_, Due::Key | Due::FirstKey) => {
                ahead = end_of(here, Ahead::key_end)?;
                top.due = Due::Colon;
            }
            (_, Due::Value | Due::FirstValue) => {
                ahead = end_of(here, Ahead::scalar_end)?;
                top.strings += usize::from(is_quote(char));
                top.keys +=
                    usize::from(top.len.is_multiple_of(2) && is_quote(char) && is_name(here.slice_to(ahead.pos())));
                value_ends(top);
            }
            // One missing comma between lines is repaired by others.
            (_, Due::Comma) if is_object && here.has_key() => {
                ahead = here;
                top.due = Due::Key;
            }
            _ => return None,
        }
    }
}

/// Whether a string with its quotes is a name: letters, digits, `_` and `-`.
fn is_name(string: &str) -> bool {
    let name = string.trim_matches(is_quote);
    !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
}

fn value_ends(open: &mut Open) {
    open.due = Due::Comma;
    open.len += 1;
}

/// What ends where `end` says. A text in double quotes may span lines.
fn end_of<'e>(ahead: Ahead<'e>, end: impl Fn(Ahead<'e>) -> Option<Ahead<'e>>) -> Option<Ahead<'e>> {
    if ahead.starts_with("\"") { ahead.double_quoted_end() } else { end(ahead) }
}
