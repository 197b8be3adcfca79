//! Strings in the quotes of other languages: each row a kind of quote, and what such a string may hold.

use std::ops::Range;

use jsonseam_core::{Ahead, Edit, Edits, Expected, Fault, TokenKind, closers_of, rule};

use crate::shared::{program, quoted, strings};

rule! {
    /// Turns typographic quotes around a simple string into double quotes.
    ///
    /// # What
    /// A key or value starts with U+201C, U+201D, U+2018 or U+2019 and ends with one of the same pair. Both become `"`; the content is not touched.
    ///
    /// # Why
    /// Word processors and chat clients replace straight quotes, and models learned from their text.
    ///
    /// # Example
    /// `{“a”: “x”}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// Only simple strings: the content holds no quote of the same pair, no `"`, no backslash and no control character,
    /// and what follows the closing quote fits the grammar. Inside a string such quotes are valid JSON and stay.
    pub struct SmartQuotedString {
        name: "smart-quoted-string",
        risk: Likely,
        answers: [Value, Key],
        next: [NonAscii],
        only_ahead: smart_quoted_string,
    }

    /// Turns the apostrophes around a simple string into double quotes.
    ///
    /// # What
    /// A key or value starts with `'`. Both apostrophes become `"`; the content is not touched.
    ///
    /// # Why
    /// Python prints dictionaries this way, and JSON5 and JavaScript read them this way.
    ///
    /// # Example
    /// `{'a': 'it is'}` becomes `{"a": "it is"}`.
    ///
    /// # Limits
    /// Only simple strings: the content holds no apostrophe, no `"`, no backslash and no control character,
    /// and what follows the closing apostrophe fits the grammar. `{'a': 'it's'}` is refused rather than guessed.
    pub struct SingleQuotedString {
        name: "single-quoted-string",
        risk: Certain,
        answers: [Value, Key],
        next: ["'"],
        only_ahead: |fault| if program::pieces_together(fault, '\'') { None } else { simple(fault, '\'') },
    }

    /// Turns the apostrophes around a string that holds double quotes or escapes into double quotes.
    ///
    /// # What
    /// A key or value starts with `'` and ends at the next `'` that is not escaped. Both become `"`; each `"` inside is escaped, and `\'` becomes `'`.
    ///
    /// # Why
    /// Python prints a string that holds double quotes this way, and models write JSON inside a string this way to avoid backslashes.
    /// JSON5, JavaScript and Python read it alike.
    ///
    /// # Example
    /// `{"a": '["x", "y"]'}` becomes `{"a": "[\"x\", \"y\"]"}`.
    ///
    /// # Limits
    /// Its escapes must be those of JSON or `\'`, without `\/` and surrogates, on which Python and JavaScript differ.
    /// What follows must fit the grammar. A tab in it becomes an escape; one over lines is `raw-control-character`.
    /// An unescaped apostrophe inside is `unescaped-apostrophe`.
    pub struct QuotesInSingleQuotes {
        name: "quotes-in-single-quotes",
        risk: Certain,
        answers: [Value, Key],
        next: ["'"],
        only_ahead: quotes_in_single_quotes,
    }

    /// Turns typographic quotes around a string that holds plain quotes or escapes into double quotes.
    ///
    /// # What
    /// A key or value starts with U+201C or U+2018 and ends at the next mark of the same pair that is not escaped. Both become `"`; each `"` inside is escaped.
    /// So do the quotes of a simple string in `„x“`, `«x»`, `「x」` or `＂x＂`.
    ///
    /// # Why
    /// Word processors replaced the quotes and left the escaped ones.
    ///
    /// # Example
    /// `{“a”: “say \"x\"”}` becomes `{"a": "say \"x\""}`, the key by `smart-quoted-string`.
    ///
    /// # Limits
    /// Its escapes must be those of JSON, it must hold no mark of the same pair, except apostrophes between letters (`‘it’s’`), and what follows must fit the grammar.
    pub struct QuotesInSmartQuotes {
        name: "quotes-in-smart-quotes",
        risk: Likely,
        answers: [Value, Key],
        next: [NonAscii],
        only_ahead: quotes_in_smart_quotes,
    }

    /// Turns the three quotes on each side of a string into one.
    ///
    /// # What
    /// A key or value is in `"""` or `'''`. Quotes and line breaks inside it are escaped.
    ///
    /// # Why
    /// Python writes long texts this way.
    ///
    /// # Example
    /// `{"a": """say "x"⏎now"""}` becomes `{"a": "say \"x\"\nnow"}` (⏎ is a newline).
    ///
    /// # Limits
    /// Quotes may be inside only if it has several lines, or if they are apostrophes within words: on one line, a text that begins and ends with a quoted word looks the same.
    /// Its escapes must be those of JSON or hide a quote, and what follows must fit the grammar.
    pub struct TripledQuotes {
        name: "tripled-quotes",
        risk: Certain,
        answers: [Value, Key, Comma, Colon],
        next: ["'\""],
        reaches: [LastQuote],
        only: tripled_quotes,
    }

    /// Turns the backticks around a string into double quotes.
    ///
    /// # What
    /// A key or value is in backticks. Both backticks become `"`; a `"` inside is escaped, and so are line breaks and tabs.
    ///
    /// # Why
    /// Models write a value as they write code in prose, or as a template literal of JavaScript.
    ///
    /// # Example
    /// `{"a": \u{60}x = "y"\u{60}}` becomes `{"a": "x = \"y\""}` (the marks are backticks).
    ///
    /// # Limits
    /// The string ends at the first backtick that is not escaped, and what follows must fit the grammar.
    /// Its escapes must be those of JSON; a template with `${` is refused, because its text is not known, and so is a run of backticks, which is a fence.
    pub struct BacktickQuotedString {
        name: "backtick-quoted-string",
        risk: Likely,
        answers: [Value, Key],
        next: ["`"],
        only_ahead: backtick_quoted_string,
    }

    /// Removes the letters that Python allows before a string.
    ///
    /// # What
    /// Right before the quote of a key or value there is `u`, `b`, `r` or `f`, or two of them, in either case. They are removed.
    ///
    /// # Why
    /// `repr` of Python 2 wrote `u'…'`, dumps of bytes hold `b'…'`, and models that have read both write them.
    ///
    /// # Example
    /// `{"a": u"x"}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// `r` and `b` only before a string without a backslash, `f` only before one without a brace: there the letters change what the text means.
    /// A string in apostrophes is left to the rules for those.
    pub struct StringPrefix {
        name: "string-prefix",
        risk: Likely,
        answers: [Value, Key],
        next: ["uUbBrRfF"],
        only_ahead: string_prefix,
    }
}

fn smart_quoted_string(fault: &Fault<'_>) -> Option<Edits> {
    let is_smart = |quote: &char| matches!(quote, '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}');
    simple(fault, fault.next_char().filter(is_smart)?)
}

/// The edits of a simple string that opens at the fault with this mark, whose closing ones are as long.
fn simple(fault: &Fault<'_>, quote: char) -> Option<Edits> {
    let content = strings::simple(fault, closers_of(quote))?;
    let opening = Edit::replace(fault.pos()..content.start, "\"");
    let closing = Edit::replace(content.end..content.end + quote.len_utf8(), "\"");
    Some(Edits::from(opening).and(closing))
}

fn quotes_in_single_quotes(fault: &Fault<'_>) -> Option<Edits> {
    if fault.ahead().starts_with("'''") || program::pieces_together(fault, '\'') {
        return None;
    }
    let content = strings::with_escapes(fault, &['\''])?;
    let text = fault.ahead().slice_to(content.end);
    let is_on_line = !text.contains(['\n', '\r']);
    (is_on_line && !has_disputed_escape(text)).then(|| quoted::requote(fault, content, 1))
}

/// Whether `text` holds `\/`, where Python keeps the backslash, or the escape of a surrogate, which Python joins to no pair.
fn has_disputed_escape(text: &str) -> bool {
    quoted::escapes(text).any(|escape| {
        matches!(escape.as_bytes(), [b'/', ..] | [b'u', b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..])
    })
}

fn quotes_in_smart_quotes(fault: &Fault<'_>) -> Option<Edits> {
    let closers = match fault.next_char()? {
        quote @ ('\u{201C}' | '\u{2018}') => closers_of(quote),
        quote @ ('„' | '«' | '「' | '＂') => return national(fault, quote),
        _ => return None,
    };
    let content = strings::with_escapes(fault, closers).or_else(|| with_apostrophes(fault))?;
    let is_one = !spans_members(fault.at(content.start).slice_to(content.end));
    is_one.then(|| quoted::requote(fault, content, '\u{201D}'.len_utf8()))
}

/// A simple string in the quotes of another language, without the blanks that French puts inside.
fn national(fault: &Fault<'_>, quote: char) -> Option<Edits> {
    let content = strings::simple(fault, closers_of(quote))?;
    let text = fault.at(content.start).slice_to(content.end);
    let (start, end) = (content.end - text.trim_start().len(), content.start + text.trim_end().len());
    let closing = end..content.end + fault.at(content.end).peek()?.len_utf8();
    let opening = Edits::from(Edit::replace(fault.pos()..start, "\""));
    // A straight mark may end what a low one opens.
    let is_straight = fault.at(closing.start).slice_to(closing.end) == "\"";
    let edits = if is_straight { opening } else { opening.and(Edit::replace(closing, "\"")) };
    (start < end).then_some(edits)
}

/// The content of a string in single typographic quotes that holds apostrophes, which are the same mark as its end: a letter is on both sides of each.
fn with_apostrophes(fault: &Fault<'_>) -> Option<Range<usize>> {
    let mut ahead = fault.ahead();
    if ahead.bump()? != '\u{2018}' {
        return None;
    }
    let start = ahead.pos();
    let mut before = ' ';
    loop {
        let end = ahead.pos();
        match ahead.bump()? {
            '\u{2019}' if before.is_alphabetic() && ahead.peek().is_some_and(char::is_alphabetic) => {}
            '\u{2019}' => return strings::could_end(fault, ahead).then_some(start..end),
            '\u{2018}' | '\\' | '\0'..='\u{1F}' => return None,
            char => before = char,
        }
    }
}

/// Whether a quote in the text ends a key or a value, after which another one begins: then the closing mark is that of another string.
fn spans_members(text: &str) -> bool {
    let is_document = text.trim_start().starts_with(['{', '[']);
    let mut after = text.match_indices('"').map(|(at, _)| text[at + 1..].trim_start());
    !is_document
        && after.any(|rest| {
            rest.starts_with(':') || rest.strip_prefix(',').is_some_and(|rest| rest.trim_start().starts_with('"'))
        })
}

fn tripled_quotes(fault: &Fault<'_>) -> Option<Edits> {
    let (start, mark, is_key) = opening(fault)?;
    let content = content(fault.at(start + 3), mark)?;
    let after = fault.at(content.end + 3);
    let could_end = if is_key { after.has_colon() } else { after.could_end_value(fault.container()) };
    let closing = content.end..content.end + 3;
    could_end.then(|| quoted::respell(fault, start..content.start, content, closing))
}

/// Where a string in tripled quotes starts, at the fault or where its first two quotes were read as an empty string before it;
/// the mark, and whether it is a key.
fn opening(fault: &Fault<'_>) -> Option<(usize, char, bool)> {
    if fault.ahead().starts_with("'''") {
        return Some((fault.pos(), '\'', fault.expected() == Expected::Key));
    }
    let token = fault.token(0).filter(|token| matches!(token.kind, TokenKind::Key | TokenKind::String))?;
    let is_tripled = token.span.end == fault.pos() && token.span.len() == 2 && fault.next_char() == Some('"');
    is_tripled.then_some((token.span.start, '"', token.kind == TokenKind::Key))
}

/// The content from the cursor to the first three `mark`s, if its escapes are those of JSON or of a mark.
fn content(ahead: Ahead<'_>, mark: char) -> Option<Range<usize>> {
    let needle = if mark == '"' { "\"\"\"" } else { "'''" };
    let end = ahead.find(needle)?;
    // A fourth one would be a mark in the text or too many: Python reads neither.
    if ahead.at(end + needle.len()).peek() == Some(mark) {
        return None;
    }
    let content = ahead.slice_to(end);
    // On one line, quotes inside could as well be those of a text that begins and ends with a quoted word.
    let hides_all = content.match_indices(mark).all(|(at, _)| content[..at].ends_with('\\'));
    // Pairs that face their words are quotations.
    let is_quotation = |(nth, text): (usize, &str)| nth % 2 == 0 || !text.is_empty() && text.trim() == text;
    let are_pairs = || {
        content.matches(mark).count().is_multiple_of(2)
            && !content.contains('\\')
            && content.split(mark).enumerate().all(is_quotation)
    };
    // Within words they are apostrophes.
    let are_apostrophes = || {
        let mut around = content.split(mark).zip(content.split(mark).skip(1));
        let within_word =
            |(one, next): (&str, &str)| one.ends_with(char::is_alphabetic) && next.starts_with(char::is_alphabetic);
        mark == '\'' && !content.contains('\\') && around.all(within_word)
    };
    let is_plain = hides_all || content.contains('\n') || are_pairs() || are_apostrophes();
    (is_plain && quoted::has_known_escapes(content, mark)).then_some(ahead.pos()..end)
}

fn backtick_quoted_string(fault: &Fault<'_>) -> Option<Edits> {
    let content = strings::with_escapes(fault, &['`'])?;
    let is_template = fault.ahead().slice_to(content.end).contains("${");
    (!is_template).then(|| quoted::requote(fault, content, 1))
}

const PREFIXES: [&str; 8] = ["u", "b", "r", "f", "rb", "br", "rf", "fr"];

fn string_prefix(fault: &Fault<'_>) -> Option<Edits> {
    let prefix = fault.ahead().word();
    if prefix.len() > 2 || !PREFIXES.contains(&prefix.to_ascii_lowercase().as_str()) {
        return None;
    }
    let content = fault.ahead().after(prefix.len()).quoted_content()?;
    let has_letter = |letter: char| prefix.contains([letter, letter.to_ascii_uppercase()]);
    // `b", "c": 1` is rather a value that lost its opening quote.
    let is_plain = !content.trim_start().starts_with([',', ':', '}', ']'])
        && (!has_letter('r') && !has_letter('b') || !content.contains('\\'))
        && (!has_letter('f') || !content.contains(['{', '}']));
    is_plain.then(|| fault.blank_ahead(prefix.len()))
}

#[cfg(test)]
jsonseam_testkit::laws! {
    smart_quoted_string: SmartQuotedString,
    single_quoted_string: SingleQuotedString,
    quotes_in_single_quotes: QuotesInSingleQuotes,
    quotes_in_smart_quotes: QuotesInSmartQuotes,
    tripled_quotes: TripledQuotes,
    backtick_quoted_string: BacktickQuotedString,
    string_prefix: StringPrefix,
}
