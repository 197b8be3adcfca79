//! Brackets of other languages around values in a row, and braces around an object: each row says what becomes of them.

use jsonseam_core::{
    Container, Edit, Edits, Expected, Fault, Proposals, RepairRule, Token, TokenKind, rule, value_end,
};

use crate::shared::{layout, rows};

rule! {
    /// Reads a Python tuple as an array.
    ///
    /// # What
    /// A value is expected and there is `(`, and up to its `)` there are only values and at least one comma, or nothing.
    /// The parentheses become brackets.
    ///
    /// # Why
    /// Models write tuples when the prompt shows Python.
    ///
    /// # Example
    /// `{"a": [("x", 1), ("y", 2)]}` becomes `{"a": [["x", 1], ["y", 2]]}`.
    ///
    /// # Limits
    /// A value in parentheses without a comma is not a tuple, and words in parentheses are prose: both are left alone.
    /// So is arithmetic, `(1 + 2) * 3`.
    pub struct PythonTuple {
        name: "python-tuple",
        risk: Likely,
        answers: [Value, Comma],
        next: ["()"],
        reaches: [LastComma],
    }

    /// Reads a set in braces as an array.
    ///
    /// # What
    /// Between `{` and `}` there are at least two values, separated by commas, and no colon. The braces become brackets. An empty set is `set()`.
    ///
    /// # Why
    /// Python writes sets this way, and small models write lists of words this way.
    ///
    /// # Example
    /// `{"a": {"x", "y"}}` becomes `{"a": ["x", "y"]}`.
    ///
    /// # Limits
    /// The order of a set means nothing; that of the text is kept.
    /// A set that is the whole payload must have its lines to itself: `{1, 2}` in a sentence is prose.
    /// Where every second value is a name in quotes, from the first on, and not all others are strings, they may be keys and values: they are left alone.
    /// A single value in braces is left alone: it may be a key without its value. So is an object in which only some members lack a colon.
    pub struct PythonSet {
        name: "python-set",
        risk: Guess,
        answers: [Value, Key, Colon, Comma],
        only: python_set,
    }

    /// Removes braces around an object where a key is due.
    ///
    /// # What
    /// A brace opens directly within another one, before a key and its colon, and nothing else than the object is between the outer ones.
    /// The braces around it are removed, so many of them as there are; so is an opening quote between the two.
    /// At the root the braces that close may be missing.
    ///
    /// # Why
    /// Models copy the braces of templates, and continue a brace that the prompt has already opened: `{` and then `{"a": 1}`.
    ///
    /// # Example
    /// `{"k": {{"a": 1}}, "b": 2}` becomes `{"k": {"a": 1}, "b": 2}`.
    ///
    /// # Limits
    /// A guess: the outer braces may stand for the brackets of an array. Where a second value follows the first, they surely do, and nothing is changed.
    /// The object within must have its end, and where the outer braces are the value of a member it must need no repair.
    pub struct RedundantBraces {
        name: "redundant-braces",
        risk: Guess,
        answers: [Key, Colon, Comma, End],
        previous: [ObjectStart, ObjectEnd, Key],
        reaches: [Tokens(1), OpenString],
        only: redundant_braces,
    }
}

impl RepairRule for PythonTuple {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(python_tuple(fault));
    }

    fn why_not(&self, fault: &Fault<'_>) -> Option<&'static str> {
        let is_value = fault.expected() == Expected::Value && fault.next_char() == Some('(');
        is_value.then_some(
            "these parentheses hold no tuple: one value, words or arithmetic; write the value without them, or a list with brackets",
        )
    }
}

fn python_tuple(fault: &Fault<'_>) -> Option<Edits> {
    if fault.expected() == Expected::Value && fault.next_char() == Some('(') {
        // Values with a comma among them or after the only one, or none at all.
        let row = rows::at(fault, fault.pos()).filter(|row| row.len != 1 || row.has_last_comma);
        return row.map(|_| fault.replace_ahead(1, "["));
    }
    let is_tuple = fault.container() == Some(Container::Array) && fault.opener() == Some('(');
    if !is_tuple || fault.next_char() != Some(')') {
        return None;
    }
    if fault.previous_is(TokenKind::Comma) {
        return Some(fault.remove_previous()?.and(Edit::replace(fault.pos()..fault.pos() + 1, "]")));
    }
    Some(fault.replace_ahead(1, "]"))
}

fn python_set(fault: &Fault<'_>) -> Option<Edits> {
    let is_set = || fault.container() == Some(Container::Array) && fault.opener() == Some('{');
    if fault.next_char() == Some('}') && is_set() {
        return Some(fault.replace_ahead(1, "]"));
    }
    if fault.expected() == Expected::Value && fault.ahead().starts_with("set()") {
        return Some(fault.replace_ahead(5, "[]"));
    }
    let brace = set_start(fault)?;
    // Braces around words of prose are no data: a set that is the whole payload has its lines to itself.
    let is_data = fault.depth() > 1 || layout::payload_fills_its_lines(fault, '}');
    is_data.then(|| Edit::replace(brace.span, "[").into())
}

/// The brace before the fault that opens a set: at least two values and no colon up to its closer.
/// A string and one value of another kind are not a set: there a comma may be in the place of the colon.
fn set_start(fault: &Fault<'_>) -> Option<Token> {
    // A comment is taken out of the way first, so that a run of them is not read again and again.
    if fault.next_char().is_none_or(|char| char.is_whitespace() || matches!(char, '/' | '#')) {
        return None;
    }
    let brace = match fault.expected() {
        Expected::Key => fault.token(0),
        Expected::Colon => fault.token(1),
        _ => None,
    };
    let brace = brace.filter(|brace| brace.kind == TokenKind::ObjectStart)?;
    let row = rows::at(fault, brace.span.start)?;
    let is_text =
        || fault.ahead().after(1).skip_space_and_comments().peek().is_some_and(|char| matches!(char, '"' | '\''));
    let is_pair = row.len == 2 && fault.expected() == Expected::Colon && !is_text();
    // `"name", "x", "age", 3`: commas may be in the place of colons.
    (row.len >= 2 && !is_pair && !row.may_be_members).then_some(brace)
}

fn redundant_braces(fault: &Fault<'_>) -> Option<Edits> {
    match fault.expected() {
        Expected::Comma | Expected::End => surplus(fault),
        Expected::Colon => brace_as_key(fault),
        _ => openers(fault),
    }
}

/// The most pairs of braces around an object that are removed.
const MOST: usize = 8;

/// The braces from `pos` on with nothing but blanks between them, `most` of them, and where the text goes on.
fn braces(fault: &Fault<'_>, pos: usize, brace: &'static str, most: usize) -> (Vec<usize>, usize) {
    let (mut found, mut ahead) = (Vec::new(), fault.at(pos).skip_json_space());
    while found.len() < most && ahead.eat(brace) {
        found.push(ahead.pos() - 1);
        ahead = ahead.skip_json_space();
    }
    (found, ahead.pos())
}

fn removed(braces: impl IntoIterator<Item = usize>) -> Option<Edits> {
    Edits::group(braces.into_iter().map(|brace| Edit::remove(brace..brace + 1)))
}

/// The openers at the fault, which is after one, and what closes them where that would be read as another closer.
fn openers(fault: &Fault<'_>) -> Option<Edits> {
    let (within, key) = braces(fault, fault.pos(), "{", MOST);
    let inner = *within.last().filter(|_| fault.at(key).has_key())?;
    // At the root its values may need repair.
    let root_end = || {
        let text = fault.at(inner).slice_to(fault.region_end());
        let end = value_end(text.as_bytes(), 0);
        (fault.depth() == 1 && text[..end].ends_with('}')).then_some(inner + end)
    };
    let end = rows::whole_value_end(fault, inner).or_else(root_end)?;
    let (closers, next) = braces(fault, end, "}", within.len());
    let is_last = fault.depth() == 1 && fault.at(next).peek().is_none();
    if closers.len() < within.len() && !is_last {
        return None;
    }
    // In an object the first closer too many would close that.
    let is_value = fault.token_kind(1) == Some(TokenKind::Colon);
    let surplus = within.len() - 1;
    let inner_closers = [end - 1].into_iter().chain(closers.into_iter().take(surplus)).filter(|_| is_value);
    removed(within.into_iter().chain(inner_closers))
}

/// The closers at the fault of braces within which another one was.
fn surplus(fault: &Fault<'_>) -> Option<Edits> {
    let opener = fault.token(0).filter(|token| token.kind == TokenKind::ObjectEnd)?.opens?;
    let is_quoted = fault.at(opener + 1).skip_json_space().starts_with("\"{\"");
    let within = braces(fault, opener + 1, "{", MOST).0.len() + usize::from(is_quoted);
    removed(braces(fault, fault.pos(), "}", within).0)
}

/// The brace and the quote at the start of the first key, whose colon is due: `{"{"a": 1}`.
fn brace_as_key(fault: &Fault<'_>) -> Option<Edits> {
    let brace = fault.token(1).filter(|token| token.kind == TokenKind::ObjectStart)?;
    let key = fault.token(0).filter(|key| key.span.len() == 3 && fault.at(key.span.start).starts_with("\"{\""))?;
    let is_first = fault.at(brace.span.end).skip_json_space().pos() == key.span.start;
    let is_key = fault.pos() == key.span.end && fault.at(key.span.end - 1).has_key();
    let end = rows::whole_value_end(fault, key.span.start + 1)?;
    let (closers, next) = braces(fault, end, "}", 1);
    let is_whole = closers.len() == 1 || fault.depth() == 1 && closers.is_empty() && fault.at(next).peek().is_none();
    (is_first && is_key && is_whole).then(|| Edit::remove(key.span.start + 1..key.span.end).into())
}

#[cfg(test)]
jsonseam_testkit::laws! {
    python_tuple: PythonTuple,
    python_set: PythonSet,
    redundant_braces: RedundantBraces,
}
