//! `concatenated-strings`: literals joined by a plus sign.

use jsonseam_core::{Ahead, Edit, Edits, Expected, Fault, TokenKind, rule};

use crate::shared::strings;

rule! {
    /// Joins string literals with a plus sign between them.
    ///
    /// # What
    /// A value is a string, then `+`, then another string. The two quotes, the sign and the white space between them are removed.
    /// Apostrophes around the whole become double quotes.
    ///
    /// # Why
    /// Models break long texts over several lines as they would in code. JavaScript and Python read the expression alike.
    ///
    /// # Example
    /// `{"a": "x" + "y"}` becomes `{"a": "xy"}`.
    ///
    /// # Limits
    /// Strings only: with a name, a number or a call in the sum its value is not known, and the payload is refused.
    /// A string in apostrophes must be simple: it holds no apostrophe, no `"`, no backslash and no control character.
    /// What follows the last string must fit the grammar.
    pub struct ConcatenatedStrings {
        name: "concatenated-strings",
        risk: Certain,
        answers: [Comma, Value],
        next: ["+", "'"],
        reaches: [LastQuote],
        only: concatenated,
    }
}

fn concatenated(fault: &Fault<'_>) -> Option<Edits> {
    match (fault.expected(), fault.next_char()?) {
        (Expected::Comma, '+') if fault.previous_is(TokenKind::String) => {
            let closing = strings::closing_quote(fault)?;
            let opening = next_operand(fault.ahead())?;
            if is_quoted_sign(fault, closing, opening) {
                return None;
            }
            let seam = Edit::remove(closing..opening.pos() + 1);
            // A string in double quotes is read on from here, and its sum with it.
            if opening.starts_with("\"") { Some(seam.into()) } else { sum(fault, opening, seam) }
        }
        (Expected::Value, '\'') => {
            // Few strings are part of a sum, so the sign is looked for before the content is read.
            let opening = fault.ahead();
            next_operand(opening.at(opening.after(1).find("'")? + 1))?;
            sum(fault, opening, Edit::replace(opening.pos()..opening.pos() + 1, "\""))
        }
        _ => None,
    }
}

/// Whether the sign is in quotes itself, in a text: `the "+" button`. Nothing but the text has blanks around it, or nothing follows it.
fn is_quoted_sign(fault: &Fault<'_>, closing: usize, opening: Ahead<'_>) -> bool {
    let is_tight = opening.pos() == closing + 2;
    let is_blank = |char: Option<char>| char.is_some_and(char::is_whitespace);
    let next = opening.after(1).peek();
    is_tight && (next == Some('"') || is_blank(next) && fault.at(closing).before(1).ends_with(' '))
}

/// The opening quote of the string that a plus sign adds.
fn next_operand(ahead: Ahead<'_>) -> Option<Ahead<'_>> {
    ahead.past("+").filter(|opening| matches!(opening.peek(), Some('"' | '\'')))
}

/// A cursor after the string that opens here: one in double quotes, or a simple one in apostrophes.
fn operand_end(opening: Ahead<'_>) -> Option<Ahead<'_>> {
    if opening.starts_with("\"") {
        return opening.double_quoted_end();
    }
    let mut ahead = opening.after(1);
    ahead.take_while(|char| char >= ' ' && !matches!(char, '\'' | '"' | '\\'));
    ahead.eat("'").then_some(ahead)
}

/// The edits that join the string that opens at `opening` with all that are added to it, after `first`, which makes it begin.
fn sum(fault: &Fault<'_>, mut opening: Ahead<'_>, first: Edit) -> Option<Edits> {
    let mut edits = Edits::from(first);
    loop {
        let end = operand_end(opening)?;
        let Some(next) = next_operand(end) else {
            let closing = end.pos() - 1..end.pos();
            let is_double = fault.at(closing.start).starts_with("\"");
            let edits = if is_double { edits } else { edits.and(Edit::replace(closing, "\"")) };
            return strings::could_end(fault, end).then_some(edits);
        };
        edits = edits.and(Edit::remove(end.pos() - 1..next.pos() + 1));
        opening = next;
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(ConcatenatedStrings);
