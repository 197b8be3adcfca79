//! Values in a row, separated by commas: what an array, a tuple or a set holds.

use jsonseam_core::{Ahead, Fault, is_quote};

/// How many containers a row may nest.
const DEPTH: usize = 64;

/// A row of values that is whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    let mut inner = Rows::new();
    let outer = fault.memo(RowAt(opener), || read(fault.at(opener), 0, &mut inner).map(|(row, _)| row));
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
        // Read as a value of a row that has begun before it.
        read(fault.at(opener), 1, &mut Rows::new()).map(|(_, end)| end.pos())
    })
}

/// What a row was found to be, by where it opens.
type Rows = Vec<(usize, Option<Row>)>;

/// Reads the container that opens at the cursor, to after its closer, and adds the rows of all parentheses within to `inner`.
/// At depth 0 it is a row whatever its opener is; below, braces are those of an object.
fn read<'e>(mut ahead: Ahead<'e>, depth: usize, inner: &mut Rows) -> Option<(Row, Ahead<'e>)> {
    let is_outermost = depth == 0;
    let opener = ahead.bump().filter(|_| depth < DEPTH)?;
    let is_object = opener == '{' && !is_outermost;
    let mut row = Row::default();
    let (mut strings, mut names) = (0, 0);
    let mut is_comma_due = false;
    loop {
        ahead = ahead.skip_space_and_comments();
        let char = ahead.peek()?;
        let is_end = match (opener, char) {
            ('{', '}') | ('(', ')' | ']') | ('[', ']') => true,
            ('[', ')') => !is_outermost,
            _ => false,
        };
        if is_end {
            row.may_be_members = row.len.is_multiple_of(2) && names == row.len / 2 && strings < row.len;
            return Some((row, ahead.after(1)));
        }
        if is_comma_due {
            if char == ',' || !is_outermost && matches!(char, ';' | '，') {
                ahead.bump();
                (row.has_last_comma, is_comma_due) = (true, false);
                continue;
            }
            // One missing comma between lines is repaired by others.
            if !is_object || !ahead.has_key() {
                return None;
            }
        }
        if is_object {
            let key = end_of(ahead, Ahead::key_end)?;
            ahead = key.past(":").or_else(|| key.past("："))?;
        }
        let value = ahead;
        if matches!(value.peek()?, '{' | '[' | '(') {
            let nested = read(value, depth + 1, inner);
            if value.peek() == Some('(') {
                inner.push((value.pos(), nested.map(|(row, _)| row)));
            }
            ahead = nested?.1;
        } else {
            ahead = end_of(value, Ahead::scalar_end)?;
            let is_string = value.peek().is_some_and(is_quote);
            strings += usize::from(is_string);
            let may_be_key = row.len.is_multiple_of(2) && is_string && is_name(value.slice_to(ahead.pos()));
            names += usize::from(may_be_key);
        }
        row.len += 1;
        (row.has_last_comma, is_comma_due) = (false, true);
    }
}

/// Whether a string with its quotes is a name: letters, digits, `_` and `-`.
fn is_name(string: &str) -> bool {
    let name = string.trim_matches(is_quote);
    !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
}

/// What ends where `end` says. A text in double quotes may span lines.
fn end_of<'e>(ahead: Ahead<'e>, end: impl Fn(Ahead<'e>) -> Option<Ahead<'e>>) -> Option<Ahead<'e>> {
    if ahead.starts_with("\"") { ahead.double_quoted_end() } else { end(ahead) }
}
