//! Commas between members and elements: missing, too many, or another sign in their place.

use jsonseam_core::{Ahead, Container, Edits, Expected, Fault, Proposals, Token, TokenKind, rule};

use crate::shared::{clues, members};

rule! {
    /// Removes a comma directly after another one.
    ///
    /// # What
    /// There is a comma where a value or a key is expected, and the token before it is a comma too.
    /// The second comma is removed; white space stays.
    ///
    /// # Why
    /// Models that skip an element while they write a list leave its comma.
    ///
    /// # Example
    /// `[1,, 2]` becomes `[1, 2]`.
    ///
    /// # Limits
    /// JavaScript reads a hole in `[1,,2]`; here no value is invented for it.
    /// A comma right after a bracket is another defect, `leading-comma`.
    pub struct RepeatedComma {
        name: "repeated-comma",
        risk: Likely,
        answers: [Value, Key],
        next: [","],
        previous: [Comma],
        only_ahead: |fault| Some(fault.blank_ahead(1)),
    }

    /// Removes a comma directly after the opening bracket.
    ///
    /// # What
    /// A comma is the first thing in an object or array, and a key and its colon or an element follow it.
    /// The comma is removed; white space stays.
    ///
    /// # Why
    /// Models that believe they are continuing a list start with the comma.
    ///
    /// # Example
    /// `[, 1, 2]` becomes `[ 1, 2]`.
    ///
    /// # Limits
    /// `[,]` and `{,}` are left alone: JavaScript reads a hole in the first, and what was left out is not known.
    pub struct LeadingComma {
        name: "leading-comma",
        risk: Likely,
        answers: [Value, Key],
        next: [","],
        previous: [ObjectStart, ArrayStart],
        only_ahead: leading_comma,
    }

    /// Removes a comma right before the end of an object or array.
    ///
    /// # What
    /// A value or key is expected after a comma, and there is `}` or `]` instead.
    /// The comma is removed; white space stays.
    ///
    /// # Why
    /// JSON5, JSONC, JavaScript and Python all allow the comma and read the same value, so models trained on them write it.
    ///
    /// # Example
    /// `{"a": [1, 2,],}` becomes `{"a": [1, 2]}`.
    ///
    /// # Limits
    /// A comma after nothing (`[,]`) or after another comma (`[1,,]`) is another defect.
    pub struct TrailingComma {
        name: "trailing-comma",
        risk: Certain,
        answers: [Value, Key],
        next: ["}]"],
        previous: [Comma],
        reaches: [LastComma],
        only: |fault| fault.remove_previous(),
    }

    /// Inserts the comma between two members of an object when the first ends in a scalar and the second starts on a new line.
    ///
    /// # What
    /// In an object, a string, a number, `true`, `false` or `null` is followed by white space with a newline and then by a key and its colon.
    /// One comma is inserted right at the value's end.
    ///
    /// # Why
    /// Some models drop the comma at a line's end, and at temperature zero they drop it again on every retry.
    ///
    /// # Example
    /// `{"a": "x"⏎ "b": 2}` becomes `{"a": "x",⏎ "b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Never in arrays, never without a newline, and never if anything but a key follows.
    pub struct MissingCommaAfterScalar {
        name: "missing-comma-after-scalar",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, Digit, NonAscii],
        previous: [String, Number, Literal],
        only_ahead: |fault| if members::members_meet(fault) { fault.insert_after_previous(",") } else { None },
    }

    /// Inserts the comma between two members of an object when the first ends in `}` or `]` and the second starts on a new line.
    ///
    /// # What
    /// In an object, `}` or `]` is followed by white space with a newline and then by a key and its colon.
    /// One comma is inserted right after the bracket.
    ///
    /// # Why
    /// After a long nested value, models close the bracket and forget the comma.
    ///
    /// # Example
    /// `{"a": [1]⏎ "b": 2}` becomes `{"a": [1],⏎ "b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Never in arrays, never without a newline, and never if anything but a key follows.
    pub struct MissingCommaAfterContainer {
        name: "missing-comma-after-container",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, Digit, NonAscii],
        previous: [ObjectEnd, ArrayEnd],
        only_ahead: |fault| if members::members_meet(fault) { fault.insert_after_previous(",") } else { None },
    }

    /// Inserts the comma between two members of an object on one line.
    ///
    /// # What
    /// In an object, a value is followed by a whole member on the same line: a key, a colon, and a well-formed value.
    /// One comma is inserted right at the value's end.
    ///
    /// # Why
    /// Models that write compact text lose commas too, mostly between short members.
    ///
    /// # Example
    /// `{"a": 1 "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// The whole member must be well formed, because a quote inside a string looks like the start of a key.
    /// After a string, only a key in quotes that begins as a name does is taken for one: `"x" y: 1` and `"x"", ": 1` may be a string with quotes in it.
    /// A comma before the closing quote of the text before it may be the one that is missing (`"x," "b": 1`): there the payload is refused.
    /// Across lines, `missing-comma-after-scalar` and `missing-comma-after-container` answer.
    pub struct MissingCommaOnLine {
        name: "missing-comma-on-line",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, NonAscii],
        reaches: [Fault],
        answer: missing_comma_on_line,
    }

    /// Inserts the comma between two elements of an array.
    ///
    /// # What
    /// In an array, a value is followed by another well-formed value, on the same line or on a later one.
    /// One comma is inserted right at the first value's end.
    ///
    /// # Why
    /// Models drop commas between the rows of a table and between the strings of a list.
    ///
    /// # Example
    /// `[[1, 2] [3, 4]]` becomes `[[1, 2], [3, 4]]`.
    ///
    /// # Limits
    /// Two strings must be separated by white space alone:
    /// where one ends or the next begins with a blank, they may be one string with quotes in it, or one that was split.
    /// On one line, a number of at most three digits and one of exactly three are left alone: `12 345` may be one number.
    /// A string followed by a colon is a key, not an element. A number in brackets on the line of a string may name its source,
    /// and a comma before its closing quote may be the one that is missing (`"x," "y"`): there the payload is refused.
    pub struct MissingCommaInArray {
        name: "missing-comma-in-array",
        risk: Likely,
        answers: [Comma],
        next: ["{[\"'`+-", Letter, Digit, NonAscii],
        reaches: [Fault],
        answer: missing_comma_in_array,
    }

    /// Reads a semicolon between members or elements as a comma, and drops one at the end of a container.
    ///
    /// # What
    /// A comma or a closer is expected, and there is a semicolon.
    /// If a whole member or element follows, the semicolon becomes a comma; if the closer follows, it is removed.
    ///
    /// # Why
    /// Models mix JSON with languages that end each line with a semicolon.
    ///
    /// # Example
    /// `{"a": 1; "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Only between tokens, and only if a member or an element follows, which may be broken itself.
    /// Never between numbers or words of an array with a comma beside one of them: there a semicolon separates rows.
    /// After the root a semicolon is not part of the payload.
    pub struct SemicolonSeparator {
        name: "semicolon-separator",
        risk: Likely,
        answers: [Comma],
        next: [";"],
        reaches: [Fault],
        answer: semicolon_separator,
    }

    /// Writes full-width punctuation between tokens as ASCII.
    ///
    /// # What
    /// Where JSON punctuation is expected, there is its full-width form, as in Chinese and Japanese text:
    /// `，`, `、`, `；` and the Arabic `،` for a comma, `：` for a colon, and the full-width brackets.
    /// A comma at the end of a container is removed.
    ///
    /// # Why
    /// Models that answer in Chinese or Japanese slip into its punctuation.
    ///
    /// # Example
    /// `{"a"：1，"b"：2}` becomes `{"a":1,"b":2}`.
    ///
    /// # Limits
    /// Only between tokens: inside a string such characters are text. Quotes are handled by other rules.
    pub struct FullwidthPunctuation {
        name: "fullwidth-punctuation",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        next: [NonAscii],
        only_ahead: fullwidth_punctuation,
    }
}

fn leading_comma(fault: &Fault<'_>) -> Option<Edits> {
    let next = || fault.ahead().after(1).skip_space_and_comments();
    let is_member = || fault.container() == Some(Container::Object) && next().has_key();
    (members::continues_after(fault, 1) || is_member()).then(|| fault.blank_ahead(1))
}

fn missing_comma_on_line(fault: &Fault<'_>, to: &mut Proposals) {
    let is_parted = || !fault.previous_is(TokenKind::String) || is_quoted_name(fault.ahead());
    let meets = fault.container() == Some(Container::Object) && is_parted() && fault.ahead().has_member();
    let edits = if meets && !fault.gap_has_newline() { fault.insert_after_previous(",") } else { None };
    let Some(edits) = edits else { return };
    if members::follows_comma_in_quotes(fault) {
        to.offer(edits).doubt(COMMA_IN_QUOTES);
    } else {
        to.only(edits);
    }
}

/// Whether what comes next is in quotes, and begins as the name of a member does.
fn is_quoted_name(ahead: Ahead<'_>) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '@' | '#' | '-' | '/' | '.');
    !ahead.peek().is_some_and(char::is_alphabetic) && ahead.after(1).peek().is_some_and(is_name)
}

fn missing_comma_in_array(fault: &Fault<'_>, to: &mut Proposals) {
    let meets = fault.container() == Some(Container::Array)
        && fault.ahead().has_value_of(Container::Array)
        && !members::key_is_next(fault);
    if meets && let Some(edits) = fault.insert_after_previous(",") {
        let are_two = members::are_two_elements(fault);
        let is_apart = fault.gap_has_newline();
        let holds_comma = members::follows_comma_in_quotes(fault);
        if are_two && is_apart && members::are_lines(fault) && !holds_comma {
            to.only(edits);
        } else if are_two || is_apart {
            let offer = to.offer(edits);
            // Quotes around a bare value are rather those of its neighbours.
            if !is_apart && !matches!(fault.token_kind(0), Some(TokenKind::Number | TokenKind::Literal)) {
                offer.clue(clues::COMMA_ON_LINE);
            }
            let offer = offer.doubt_if(!are_two, "the two may be one text");
            let offer = offer.doubt_if(!is_apart && is_cited(fault), "the number may name a source");
            offer.doubt_if(holds_comma, COMMA_IN_QUOTES);
        }
    }
}

const COMMA_IN_QUOTES: &str = "the comma at the end of the text may be the one that is missing";

/// Whether a number in brackets on the line of a text names its source: `"Oslo is big." [1]`.
fn is_cited(fault: &Fault<'_>) -> bool {
    let mut ahead = fault.ahead();
    fault.previous_is(TokenKind::String)
        && ahead.eat("[")
        && !ahead.take_while(|char| char.is_ascii_digit()).is_empty()
        && ahead.peek() == Some(']')
}

fn semicolon_separator(fault: &Fault<'_>, to: &mut Proposals) {
    if members::closes_after(fault, 1) {
        to.only(fault.blank_ahead(1));
        return;
    }
    let is_in_array = fault.container() == Some(Container::Array);
    if is_in_array && has_comma_beside(fault) {
        to.offer(fault.replace_ahead(1, ",")).doubt("a semicolon parts the rows of a matrix, as in `[1, 2; 3, 4]`");
        return;
    }
    let next = fault.ahead().after(1).skip_space_and_comments();
    if members::continues_after(fault, 1) {
        to.only(fault.replace_ahead(1, ","));
    } else if if is_in_array { next.has_value() } else { next.has_key() } {
        // What follows may be broken itself.
        to.offer(fault.replace_ahead(1, ","));
    }
}

/// Whether a comma that was written, not put there by an edit, is beside one of the two elements around the semicolon:
/// before the preceding one, if that is a scalar, or after the scalar that follows. Strings are no part of a matrix.
fn has_comma_beside(fault: &Fault<'_>) -> bool {
    let is_scalar = fault.token_kind(0).is_some_and(TokenKind::is_scalar);
    let has_string =
        fault.previous_is(TokenKind::String) || fault.ahead().after(1).skip_space_and_comments().starts_with("\"");
    let is_comma = |token: Token| token.kind == TokenKind::Comma && fault.at(token.span.start).starts_with(",");
    let follows = || {
        let after = fault.ahead().after(1).skip_space_and_comments().scalar_end()?;
        Some(after.skip_space_and_comments().starts_with(","))
    };
    !has_string && (is_scalar && fault.token(1).is_some_and(is_comma) || follows() == Some(true))
}

fn fullwidth_punctuation(fault: &Fault<'_>) -> Option<Edits> {
    let char = fault.next_char()?;
    let len = char.len_utf8();
    let ascii = match (char, fault.expected()) {
        ('，' | '、' | '；' | '﹐' | '،', Expected::Comma) if members::closes_after(fault, len) => {
            return Some(fault.blank_ahead(len));
        }
        ('，' | '、' | '；' | '﹐' | '،', Expected::Comma) => ",",
        ('：' | '﹕', Expected::Colon) => ":",
        ('｛', Expected::Value) => "{",
        ('［', Expected::Value) => "[",
        ('｝', Expected::Comma | Expected::Key) => "}",
        ('］', Expected::Comma | Expected::Value) => "]",
        _ => return None,
    };
    Some(fault.replace_ahead(len, ascii))
}

#[cfg(test)]
jsonseam_testkit::laws! {
    repeated_comma: RepeatedComma,
    leading_comma: LeadingComma,
    trailing_comma: TrailingComma,
    missing_comma_after_scalar: MissingCommaAfterScalar,
    missing_comma_after_container: MissingCommaAfterContainer,
    missing_comma_on_line: MissingCommaOnLine,
    missing_comma_in_array: MissingCommaInArray,
    semicolon_separator: SemicolonSeparator,
    fullwidth_punctuation: FullwidthPunctuation,
}
