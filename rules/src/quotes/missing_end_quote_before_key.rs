//! `missing-end-quote-before-key`: a text without its closing quote, and the next member on a line of its own.

use jsonseam_core::{Ahead, Container, Edit, Fault, Proposals, StringProblem, rule};

use crate::shared::{clues, content, ends};

rule! {
    /// Closes a text that ends its line, where the next line is a member.
    ///
    /// # What
    /// A value in double quotes has no closing quote, and holds none.
    /// Its line ends, and the next one that is not blank begins with a key in double quotes, its colon and a value
    /// that ends on that line or is a container. The quote is inserted at the end of the text, before a comma that ends the line.
    ///
    /// # Why
    /// Models that write a text of several paragraphs forget that it is in quotes, and continue with the next member on a new line.
    ///
    /// # Example
    /// `{"a": "so it is 7.⏎⏎"b": 7}` becomes `{"a": "so it is 7.",⏎⏎"b": 7}` together with `missing-comma-after-scalar` (⏎ is a line feed).
    ///
    /// # Limits
    /// The key is a name: letters, digits, `_`, `-`, `.`, `$` and single spaces. A text that ends with an opening bracket may quote JSON;
    /// one that ends with a mark of another kind, or with a line of closers, has another defect;
    /// and where a comma or such a mark precedes what may be a comment, the text may end there: they are left alone.
    /// On one line, where a comma may belong to the text, `missing-end-quote` compares the possible ends.
    pub struct MissingEndQuoteBeforeKey {
        name: "missing-end-quote-before-key",
        risk: Likely,
        answers: [String],
        next: ["\n\r"],
        reaches: [StringTail],
        answer: missing_end_quote_before_key,
    }
}

fn missing_end_quote_before_key(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(end) = end_of_text(fault) {
        to.offer(Edit::insert(end, "\"")).clue(clues::NO_END_MARK);
    }
}

/// How long a key may be, in bytes.
const LONGEST_KEY: usize = 64;

/// Where the open text ends, if a member begins the next line.
fn end_of_text(fault: &Fault<'_>) -> Option<usize> {
    let string = fault.string().filter(|string| string.problem == StringProblem::ControlCharacter && !string.is_key)?;
    let is_member = fault.container() == Some(Container::Object) && is_member_at(fault.ahead().skip_json_space());
    let quote = string.start.checked_sub(1)?;
    if !is_member || !fault.at(quote).starts_with("\"") {
        return None;
    }
    let text = fault.at(string.start).slice_to(fault.pos());
    let kept = text.trim_end();
    let kept = kept.strip_suffix(',').map_or(kept, str::trim_end);
    let is_left = kept.is_empty() || kept.contains('"') || kept.ends_with(['{', '[', '(', '\\']);
    (!is_left
        && !content::ends_with_mark(kept)
        && !content::may_end_before_comment(kept)
        && !ends::ends_in_line_of_closers(kept.as_bytes()))
    .then_some(string.start + kept.len())
}

/// Whether a key in quotes, its colon and a whole value on the same line come next.
fn is_member_at(ahead: Ahead<'_>) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '$' | ' ');
    let quoted = if ahead.starts_with("\"") { ahead.quoted_content() } else { None };
    let Some(name) = quoted.filter(|name| !name.trim().is_empty() && name.len() <= LONGEST_KEY) else { return false };
    let mut colon = after_blanks_on_line(ahead.after(name.len() + 2));
    name.chars().all(is_name) && colon.eat(":") && is_value_at(after_blanks_on_line(colon))
}

/// Whether a container begins, or a scalar that its line does not cut.
fn is_value_at(ahead: Ahead<'_>) -> bool {
    let end = match ahead.peek() {
        Some('{' | '[') => return true,
        Some('"') => ahead.quoted_end(),
        _ => Some(ahead.after(ahead.word().len())).filter(|end| end.pos() > ahead.pos()),
    };
    end.is_some_and(|end| matches!(after_blanks_on_line(end).peek(), None | Some(',' | '}' | '\n' | '\r')))
}

fn after_blanks_on_line(mut ahead: Ahead<'_>) -> Ahead<'_> {
    ahead.take_while(|char| matches!(char, ' ' | '\t'));
    ahead
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingEndQuoteBeforeKey);
