//! Strings that end elsewhere than their marks say: each row a defect of the marks, over one list of the ends that a string may have.

use std::ops::Range;

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, Proposals, TokenKind, closers_of, is_sign, rule};

use crate::shared::ends::{self, Ending};
use crate::shared::{clues, code_spans, content, escapes, members, numbers, program, quoted};

rule! {
    /// Replaces the mark of another kind at one end of a string by a plain quote.
    ///
    /// # What
    /// A key or value starts with a typographic quote and ends with `"`;
    /// or it starts with `"`, and ends with U+201D, an apostrophe or a backtick that closes nothing inside the string.
    /// That mark becomes `"`. So does one in a string without an end if the next member is in the same marks and the text closes: `"a": "x', 'b': 1}`.
    ///
    /// # Why
    /// Models slip from one kind to the other within a long text.
    ///
    /// # Example
    /// `{"a": "x”, "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The text after that end must continue as data. Marks inside a string are data and stay, and so does an apostrophe after `s`.
    pub struct MixedQuotes {
        name: "mixed-quotes",
        risk: Guess,
        answers: [Value, Key, String, Comma, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: mixed_quotes,
    }

    /// Opens a string that has only its closing quote.
    ///
    /// # What
    /// A key or value is expected, and there are words on one line, then `"`, after which the text continues as data. A `"` is inserted before the words,
    /// or before the number or literal that they begin with.
    ///
    /// # Why
    /// Models drop a quote where they change from structure to text.
    ///
    /// # Example
    /// `{"a": x y", "b": 1}` becomes `{"a": "x y", "b": 1}`.
    ///
    /// # Limits
    /// The words hold no quote, no backslash and no line break, and the text after the quote must be readable to the end.
    pub struct MissingOpenQuote {
        name: "missing-open-quote",
        risk: Guess,
        answers: [Value, Key, Comma],
        next: ["(-+$<#@*/_", Letter, Digit, NonAscii],
        answer: missing_open_quote,
    }

    /// Reads two quotes in a row inside a value as one escaped quote.
    ///
    /// # What
    /// All quotes inside a value are doubled. Each pair becomes `\"`.
    /// Two quotes around all of a key or value, or where one begins in an object, become one.
    ///
    /// # Why
    /// CSV and SQL escape a quote by doubling it.
    ///
    /// # Example
    /// `{"a": "say ""x"" now"}` becomes `{"a": "say \"x\" now"}`.
    ///
    /// # Limits
    /// There must be an even number of pairs on one line, and the text after the value must continue as data: one pair alone is an empty string in the text.
    pub struct DoubledQuotes {
        name: "doubled-quotes",
        risk: Guess,
        answers: [Comma, Colon],
        previous: [Key, String],
        answer: doubled_quotes,
    }

    /// Removes the backslash before the closing quote of a value.
    ///
    /// # What
    /// A value in double quotes ends with `\"`, and runs on into what follows it. The backslash is removed.
    ///
    /// # Why
    /// Models that have just escaped the quotes in a text escape the closing one too.
    ///
    /// # Example
    /// `{"a": "x\", "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The escaped quotes before it must be in pairs, so that this one is left over, and the text after it must continue as data.
    /// A value that also begins with an escaped quote is `escaped-delimiter`.
    pub struct EscapedEndQuote {
        name: "escaped-end-quote",
        risk: Guess,
        answers: [String, Comma],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: |fault, to| ends::offer_early(fault, to, &|ending| ending == Ending::Escaped),
    }

    /// Closes a string where the text after it continues as data.
    ///
    /// # What
    /// A value or a key has no closing quote. One is inserted before the comma, the line break or the closer that ended the value, or before the colon.
    ///
    /// # Why
    /// Models that write long texts forget the closing quote, most often at the last line of an answer with several paragraphs.
    ///
    /// # Example
    /// `{"a": "x, y, "b": 1}` becomes `{"a": "x, y", "b": 1}`.
    ///
    /// # Limits
    /// Only where the quotes before that place are paired and the text after it continues as members or elements to the end.
    /// A truncated text is `unclosed-string`.
    /// What ends in a comma and what would be a member without quotes (`x, b: 1`) may be two members: there the payload is refused.
    /// A whole string that is alone in its braces and has several words before its first colon is a sentence, and no key and value.
    pub struct MissingEndQuote {
        name: "missing-end-quote",
        risk: Guess,
        answers: [String, Comma, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: missing_end_quote,
    }

    /// Escapes double quotes in code spans of a value.
    ///
    /// # What
    /// A value holds Markdown, and all of its double quotes without a backslash are between backticks. Each gets a backslash; the first quote after
    /// them that is in no code ends the value.
    ///
    /// # Why
    /// Models that explain code quote it in backticks (CommonMark section 6.1), and forget that the text is itself in quotes.
    ///
    /// # Example
    /// `{"a": "call \u{60}f("x")\u{60} once"}` becomes `{"a": "call \u{60}f(\"x\")\u{60} once"}` (`\u{60}` is a backtick).
    ///
    /// # Limits
    /// A span is on one line, and its quotes come in pairs that open and close where code lets them; its brackets are balanced.
    /// One whose backslashes contradict each other is left alone, and in an array one that may be the border of two elements,
    /// and one after an element whose backticks do not come in pairs: the same defect has cut that.
    /// What follows the end of the value must fit the grammar. A span that holds escaped quotes beside plain ones is left alone, and so is a value with
    /// quotes outside of its spans: `unescaped-quote` compares its possible ends.
    pub struct QuotesInCode {
        name: "quotes-in-code",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        reaches: [TokensAfterMark(3)],
        answer: quotes_in_code,
    }

    /// Escapes double quotes that belong to the text of a value.
    ///
    /// # What
    /// A value holds double quotes without a backslash. Each gets one.
    ///
    /// # Why
    /// Models quote speech, code and HTML in their texts, and forget that the text itself is in quotes.
    ///
    /// # Example
    /// `{"a": "he said "hi", then left", "b": 1}` becomes `{"a": "he said \"hi\", then left", "b": 1}`.
    ///
    /// # Limits
    /// Every quote at which the value may end is considered; the reading that explains the rest of the text at the lowest cost wins, if it leads clearly.
    /// A single extra quote needs more evidence: members on lines of their own, a key that the contract declares, or an inch mark.
    /// Without such evidence, text could become a member that the model did not write, and the payload is refused.
    /// It is refused, too, where only brackets and commas are between two quotes, as in `"a"], ["b"`: then the first quote probably ends the string.
    pub struct UnescapedQuote {
        name: "unescaped-quote",
        risk: Guess,
        answers: [Value, Key, Colon, Comma],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: unescaped_quote,
    }

    /// Turns the apostrophes around a string that holds further apostrophes into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and holds unescaped apostrophes. The string ends where what follows fits the grammar
    /// and the rest of the text is readable to the end. The two around it become `"`, those inside stay.
    ///
    /// # Why
    /// Models write Python strings without running them, and forget that an apostrophe inside must be escaped.
    ///
    /// # Example
    /// `{'a': 'it's ok'}` becomes `{"a": "it's ok"}`, the key by `single-quoted-string`.
    ///
    /// # Limits
    /// An apostrophe between two letters never ends the string.
    /// Of the others, pairs belong to the text, and a single one only in an object where nothing else is wrong.
    /// Its escapes must be those of JSON or `\'`, and it must be on one line.
    pub struct UnescapedApostrophe {
        name: "unescaped-apostrophe",
        risk: Guess,
        answers: [Value, Key],
        next: ["'"],
        answer: unescaped_apostrophe,
    }
}

fn mixed_quotes(fault: &Fault<'_>, to: &mut Proposals) {
    match mixed(fault) {
        Some(edits) => {
            to.offer(edits);
        }
        None => ends::offer_early(fault, to, &|ending| matches!(ending, Ending::OtherMark(_))),
    }
}

/// How long a text in mixed marks may be, in bytes.
const LONGEST: usize = 256;

/// A string that opens at the fault with one mark and closes with another: both become quotes.
fn mixed(fault: &Fault<'_>) -> Option<Edits> {
    let opener = fault.next_char().filter(|char| is_mark(*char) && *char != '"')?;
    let string = ends::at_fault(fault, opener)?;
    let mut ahead = fault.at(string.start);
    let text = ahead.take_while(|char| char >= ' ' && char != '\\' && !is_mark(char));
    let closer = ahead.peek()?;
    let after = ahead.pos() + closer.len_utf8();
    let is_mixed =
        is_mark(closer) && !closers_of(opener).contains(&closer) && !text.is_empty() && text.len() <= LONGEST;
    if !is_mixed || !ends::fits_after(fault, string, after) {
        return None;
    }
    let opening = Edits::from(Edit::replace(fault.pos()..string.start, "\""));
    Some(if closer == '"' { opening } else { opening.and(Edit::replace(ahead.pos()..after, "\"")) })
}

fn is_mark(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}')
}

fn missing_open_quote(fault: &Fault<'_>, to: &mut Proposals) {
    let Some(start) = start(fault) else { return };
    let Some(string) = ends::unopened(fault, start) else { return };
    let mut ahead = fault.at(start);
    let mut is_loose = is_loose();
    let text =
        ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\' | '\u{201C}' | '\u{201D}') && is_loose(char));
    let is_short = text.len() <= if string.is_key { MAX_KEY } else { MAX_TEXT };
    let is_closed = !text.is_empty()
        && ahead.eat("\"")
        && !ahead.peek().is_some_and(char::is_alphanumeric)
        && ends::fits_after(fault, string, ahead.pos());
    // A quote after a comma, at which the text breaks off, opens the next key.
    let opens_next = || text.trim_end().ends_with(',') && ahead.skip_json_space().peek().is_none();
    if is_short && is_closed && ahead.pos() > fault.pos() && !opens_next() {
        let structure =
            text.matches(", ").count() + text.matches(": ").count() + text.matches(['[', ']', '{', '}']).count();
        let is_spaced = start == fault.pos() && fault.gap_len() > 1 && !fault.gap_has_newline();
        let offer = to.offer(Edit::insert(start, "\"")).clues(clues::STRUCTURE_IN_TEXT, structure);
        offer.doubt_if(is_spaced, "some of the blanks may belong to the text");
    }
}

/// How long a text and a key may be, in bytes.
const MAX_TEXT: usize = 4096;
const MAX_KEY: usize = 64;

/// How many brackets, and separators with no blank after them, a text may hold: those are of a list, and no text of one string has many.
/// What is beyond is not read, so that a long list of defects stays linear.
const MOST_TIGHT: usize = 2;

/// Whether a text holds no more of them up to its next character.
fn is_loose() -> impl FnMut(char) -> bool {
    let (mut count, mut is_after_separator) = (0, false);
    move |char| {
        let is_bracket = matches!(char, '[' | ']' | '{' | '}');
        count += usize::from(is_bracket || is_after_separator && !char.is_whitespace());
        is_after_separator = matches!(char, ',' | ':');
        count <= MOST_TIGHT
    }
}

/// Where the text begins: at the fault, or with the number or word right before it.
fn start(fault: &Fault<'_>) -> Option<usize> {
    let next = fault.next_char()?;
    match fault.expected() {
        // `[105,000.00"]`: the text begins with the group of digits before the comma.
        Expected::Value if numbers::may_be_digit_group(fault) && numbers::digits(fault.ahead(), 4) == 3 => {
            fault.token(1).map(|number| number.span.start)
        }
        Expected::Value | Expected::Key => {
            // The declaration says which characters of ASCII come next.
            let is_text = next.is_ascii() || !is_sign(next) && next.is_alphanumeric();
            is_text.then(|| fault.pos())
        }
        _ => {
            let word = fault.token(0).filter(|_| next.is_alphabetic())?;
            matches!(word.kind, TokenKind::Number | TokenKind::Literal).then_some(word.span.start)
        }
    }
}

fn doubled_quotes(fault: &Fault<'_>, to: &mut Proposals) {
    let Some(token) = fault.token(0).filter(|token| token.span.end == fault.pos()) else { return };
    if let Some((string, _)) = ends::doubtful(fault).next() {
        let delimiters = delimiters(fault, string).filter(|_| token.span.len() == 2);
        to.only(delimiters.or_else(|| pairs(fault, string)).or_else(|| opening(fault, string)));
    }
}

/// `""x""` and `""""`: one of each two quotes around the text goes.
fn delimiters(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let mut ahead = fault.at(string.start + 1);
    ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
    let closing = ahead.pos();
    // Three quotes in a row open a text that may span lines.
    let is_closed = ahead.eat("\"\"") && !ahead.starts_with("\"");
    let fits = is_closed && ends::fits_after(fault, string, ahead.pos());
    fits.then(|| Edits::from([Edit::remove(string.start..string.start + 1), Edit::remove(closing..closing + 1)]))
}

/// `{""a": 1}`, `{"a": ""x", "b": 1}`: one of the two quotes at the start goes, if a whole member or a closer follows the text.
fn opening(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let text = ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\'));
    let is_opened = string.start == fault.pos() - 1 && !text.is_empty() && ahead.eat("\"");
    let len = ahead.pos() - fault.pos();
    let is_followed = || {
        members::closes_after(fault, len)
            || members::comma_after(fault, len).is_some_and(|after| members::continues_after(fault, after))
    };
    let fits =
        || if string.is_key { ahead.has_colon() } else { string.container == Container::Object && is_followed() };
    (is_opened && fits()).then(|| Edit::remove(string.start..fault.pos()).into())
}

/// `"say ""x"" now"`: each two quotes inside become one that is escaped.
fn pairs(fault: &Fault<'_>, string: ends::Doubtful) -> Option<Edits> {
    let end = ends::end_of_doubled_marks(fault, string)?;
    let text = fault.at(string.start).slice_to(end);
    Edits::group(text.match_indices("\"\"").map(|(at, _)| {
        let pos = string.start + at;
        Edit::replace(pos..pos + 2, "\\\"")
    }))
}

fn missing_end_quote(fault: &Fault<'_>, to: &mut Proposals) {
    if !is_sentence_alone(fault) {
        ends::offer_early(fault, to, &|ending| ending == Ending::Missing);
    }
}

/// Whether a whole string that is alone in its braces comes before the fault, with several words before its first colon.
fn is_sentence_alone(fault: &Fault<'_>) -> bool {
    let (Some(key), Some(brace)) = (fault.token(0), fault.token(1)) else { return false };
    let is_alone = fault.expected() == Expected::Colon && brace.kind == TokenKind::ObjectStart;
    if !is_alone || fault.next_char() != Some('}') {
        return false;
    }
    let label = fault.at(key.span.start + 1).slice_to(key.span.end).split_once(':').map(|(label, _)| label);
    label.is_some_and(|label| label.trim().contains(' '))
}

fn quotes_in_code(fault: &Fault<'_>, to: &mut Proposals) {
    if fault.string().is_some() || fault.is_at_end() {
        return;
    }
    for (string, closed) in ends::doubtful(fault) {
        if let Some((edits, quotes)) = closed.and_then(|closed| escaped(fault, string, closed - 1)) {
            to.offer(edits).clues(clues::INNER_MARK, quotes.min(10));
        }
    }
}

/// The edits for a value that was read to end at `closing`, within code, and how many quotes they escape.
fn escaped(fault: &Fault<'_>, string: ends::Doubtful, closing: usize) -> Option<(Edits, usize)> {
    if string.is_key {
        return None;
    }
    let code = code_spans::of(fault, string.start).filter(|code| code.first == closing)?;
    // `", "` between backticks is a separator in code, or the border of two elements.
    if string.container == Container::Array && (code.may_part_elements || code_spans::is_open_before(fault)) {
        return None;
    }
    let text = fault.at(string.start).slice_to(code.end);
    let edited = closing - string.start..code.last + 1 - string.start;
    if !ends::fits_at_a_glance(fault, string, code.end + 1) || escapes::loses_accidental(text, edited) {
        return None;
    }
    let quoted = fault.at(closing).slice_to(code.last + 1);
    Some((Edits::group(content::mended(quoted, closing))?, code.quotes))
}

fn unescaped_quote(fault: &Fault<'_>, to: &mut Proposals) {
    if fault.string().is_some() || fault.is_at_end() {
        return;
    }
    ends::offer_credible(fault, to, &|ending| ending == Ending::Mark, &|end, closed| {
        let closing = closed? - 1;
        (end.pos > closing && !ends_before_structure(fault, end.start..closing)).then_some(closing)
    });
}

/// Whether what follows the quote after `content` shows that it ends the string: a closer that closes nothing in it, or a colon and an opener.
fn ends_before_structure(fault: &Fault<'_>, content: Range<usize>) -> bool {
    let after = fault.at(content.end + 1).skip_json_space();
    let opener = match after.peek() {
        // What is before the colon is a key.
        Some(':') => return matches!(after.after(1).skip_json_space().peek(), Some('{' | '[')),
        Some('}') => '{',
        Some(']') => '[',
        _ => return false,
    };
    !fault.at(content.start).slice_to(content.end).contains(opener)
}

fn unescaped_apostrophe(fault: &Fault<'_>, to: &mut Proposals) {
    if fault.ahead().starts_with("\'\'\'") || program::pieces_together(fault, '\'') {
        return;
    }
    let Some(string) = ends::at_fault(fault, '\'') else { return };
    ends::offer_at_marks(fault, string, to, &|end| {
        let text = fault.at(string.start).slice_to(end.pos);
        // A mark after another one and a comma, at which the text breaks off, opens the next key.
        let is_next = text.trim_end().strip_suffix(',').is_some_and(|text| text.trim_end().ends_with('\''));
        if is_next && fault.at(end.after).skip_json_space().peek().is_none() {
            return None;
        }
        let is_known = !text.contains('\n') && quoted::has_known_escapes(text, '\'');
        is_known.then(|| quoted::requote(fault, string.start..end.pos, 1))
    });
}

#[cfg(test)]
jsonseam_testkit::laws! {
    mixed_quotes: MixedQuotes,
    missing_open_quote: MissingOpenQuote,
    doubled_quotes: DoubledQuotes,
    escaped_end_quote: EscapedEndQuote,
    missing_end_quote: MissingEndQuote,
    quotes_in_code: QuotesInCode,
    unescaped_quote: UnescapedQuote,
    unescaped_apostrophe: UnescapedApostrophe,
}
