//! `invalid-escape`: a backslash that begins no escape.

use jsonseam_core::{Fault, Proposals, ReadPayload, RepairRule, Review, StringProblem, rule};

use crate::shared::escapes::{self, signs};

rule! {
    /// Doubles a backslash that begins no escape of JSON.
    ///
    /// # What
    /// In a string, a backslash is followed by something other than `" \ / b f n r t` or `u` and four hexadecimal digits.
    /// It is doubled, so the string keeps it. Before the underscore of a name it is Markdown's, and removed: `snake\_case`.
    ///
    /// # Why
    /// LaTeX (`\alpha`), Markdown (`\_`), regular expressions (`\d`) and Windows paths reach strings unescaped. Keeping the backslash loses nothing.
    ///
    /// # Example
    /// `{"a": "\alpha"}` becomes `{"a": "\\alpha"}`.
    ///
    /// # Limits
    /// A truncated escape is left alone: it may have been a valid one.
    /// So is every one in a string where another backslash begins a valid escape by chance (`\frac`, `C:\dir\new`),
    /// or that is the path of a share (`\\server\dir`): there all backslashes were meant literally, and doubling some of them would leave control characters for the others. Commands are `accidental-escape`.
    /// If such an escape is in another string (`src\main.py` here, `lib\new.py` there), the payload is refused: the error names both places.
    pub struct InvalidEscape {
        name: "invalid-escape",
        risk: Likely,
        answers: [String],
        next: ["\\"],
        reaches: [Fault],
    }
}

impl RepairRule for InvalidEscape {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let is_escape = fault.string().is_some_and(|string| string.problem == StringProblem::Escape);
        if !is_escape || fault.is_at_end() {
            return;
        }
        let edits = fault.replace_ahead(1, if is_within_name(fault) { "" } else { "\\\\" });
        // Other languages know `\'`: it is not for this rule to say that nothing else can be meant (SPEC R1).
        let offer = if fault.ahead().starts_with("\\'") { to.offer(edits) } else { to.sole(edits) };
        offer.unless(escapes::has_doubtful);
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        signs::objection(signs::doubtful(payload)).map(Review::Refuse)
    }
}

/// How far a string is read back for what else it holds, in bytes.
const REACH: usize = 24;

/// How many underscores more a name may begin with.
const MORE: usize = 3;

/// Whether the backslash is Markdown's before the underscore of a name, `snake\_case` or `\_id`: JavaScript and JSON5 read the name without it too.
/// In a string with other backslashes, a brace or a dollar sign before it, it may be LaTeX.
fn is_within_name(fault: &Fault<'_>) -> bool {
    let mut ahead = fault.ahead();
    if !ahead.eat("\\_") || escapes::has_literal(fault) {
        return false;
    }
    let mut more = 0..MORE;
    while more.next().is_some() && (ahead.eat("\\_") || ahead.eat("_")) {}
    let precedes_name = ahead.peek().is_some_and(char::is_alphanumeric);
    let start = fault.string().map_or(0, |string| string.start);
    let before = |len: usize| fault.ahead().before(len.min(fault.pos() - start));
    // Alone at the end of the string it may be text; one after others is as they are.
    let is_further = || fault.at(start).find("\\_").is_some_and(|first| first < fault.pos());
    let goes_on = || ahead.peek() != Some('"') || is_further();
    let ends_name = || before(8).trim_end_matches(['\\', '_']).ends_with(char::is_alphanumeric) && goes_on();
    // After a drive, a variable or the dots of a relative path it is a folder's.
    let is_of_text = |char: char| char.is_alphanumeric() || char.is_whitespace() || "_*(['\",/".contains(char);
    let follows_text = || before(8).trim_end_matches("\\_").chars().next_back().is_none_or(is_of_text);
    if !precedes_name && !ends_name() || !follows_text() {
        return false;
    }
    let mut next = '\\';
    before(REACH).chars().rev().all(|char| {
        let is_markdown = char != '\\' || next == '_';
        next = char;
        is_markdown && !matches!(char, '{' | '$')
    })
}

#[cfg(test)]
jsonseam_testkit::laws!(InvalidEscape);
