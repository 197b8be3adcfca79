//! `unquoted-string`: words without quotes in place of a value.

use jsonseam_core::{Container, Edits, Fault, Proposals, RepairRule, TokenKind, is_quote, rule};

use crate::shared::{bare, members, numbers, program, words};

rule! {
    /// Puts quotes around words in place of a value.
    ///
    /// # What
    /// A value is expected, and there is a word, several words, an identifier with digits, a web address or a version, and after it, on the same line,
    /// a comma and the next member or element, a closer or a comment. All of it becomes one string.
    /// So does whatever a contract lists at that place as a string, as an enumeration does.
    /// So do a path (`/usr/bin`), a pattern of files (`*.py`), a name after `@` or `#`, and a remark in parentheses after words;
    /// a path of Windows (`C:\Data\x.md`, whose backslashes are doubled unless all are), a host with its port, an image with its tag (`a.test/b:1.4.2`),
    /// a colour (`#3366ff`), and an arrow or a picture. A semicolon may part the words of one text.
    ///
    /// # Why
    /// Models that mix in YAML or JavaScript leave out the quotes of plain words.
    ///
    /// # Example
    /// `{"a": hello world, "b": medium}` becomes `{"a": "hello world", "b": "medium"}`.
    ///
    /// # Limits
    /// A guess at where the text ends; every character is kept. Never across lines, and never at the end of a truncated text.
    /// Left alone: literals and types of programming languages (`nil`, `string`, `number between 0 and 100`), calls, operators, placeholders, ellipses,
    /// a line of several words after a key without quotes that no comma ends, beside members whose keys have quotes (`Note: check this`),
    /// misspelt literals (`fals`, `nul`), variables where the payload is assigned, returned or an argument (`f({"q": city})`), comprehensions,
    /// text with quotes or brackets, and arrays outside any object, because `[see above]` is prose.
    pub struct UnquotedString {
        name: "unquoted-string",
        risk: Guess,
        answers: [Value],
        next: ["/~.*@#$&%^", Letter, Digit, NonAscii],
    }
}

impl RepairRule for UnquotedString {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(unquoted(fault));
    }

    fn why_not(&self, fault: &Fault<'_>) -> Option<&'static str> {
        let mut ahead = fault.ahead();
        let word = ahead.take_while(|char| is_letter(char) || char.is_ascii_digit());
        if words::RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word)) {
            return Some(
                "this word without quotes is code, or a value that was never filled in; put it in double quotes if it is the text",
            );
        }
        if is_misspelt_literal(word) {
            return Some(
                "this word is nearly a literal; write the literal, or put the word in double quotes if it is the text",
            );
        }
        let mut rest = fault.ahead();
        rest.take_while(|char| !matches!(char, ',' | '}' | ']' | '\n'));
        if rest.peek().is_none() {
            return Some(
                "the text ends in a value without quotes, and nothing shows whether that is whole; ask for the rest",
            );
        }
        let is_variable = program::is_expression(fault, word);
        is_variable
            .then_some("this word may be a variable of the code around it; put it in double quotes if it is the text")
    }
}

fn unquoted(fault: &Fault<'_>) -> Option<Edits> {
    // Three dots leave something out.
    if fault.next_char() == Some('.') && fault.ahead().starts_with("...") {
        return None;
    }
    bare::quote(fault, &|text| {
        // What the contract lists as a string is one, whatever it looks like.
        fault.lists_word(text)
            || is_plain_text(text)
                && !is_line_of_prose(fault, text)
                && !program::is_expression(fault, text)
                && !may_be_elements(fault, text)
    })
}

/// Whether a word is a literal that breaks off, or one in which a letter is missing, doubled or has changed places with the next one.
fn is_misspelt_literal(word: &str) -> bool {
    let word = word.as_bytes();
    ["true", "false", "null", "none", "undefined"].into_iter().any(|literal| {
        let literal = literal.as_bytes();
        let at = word.iter().zip(literal).take_while(|(own, other)| own.eq_ignore_ascii_case(other)).count();
        // What the first difference is: of the letter there, of the one after it, or of both.
        let is_same = |word: Option<&[u8]>, literal: Option<&[u8]>| {
            word.zip(literal).is_some_and(|(word, literal)| word.eq_ignore_ascii_case(literal))
        };
        match word.len().checked_sub(literal.len()) {
            Some(0) => {
                let swapped = || Some([*literal.get(at + 1)?, *literal.get(at)?]);
                swapped().is_some_and(|swapped| is_same(word.get(at..at + 2), Some(&swapped)))
                    && is_same(word.get(at + 2..), literal.get(at + 2..))
            }
            Some(1) => {
                let is_doubled = at > 0 && word[at].eq_ignore_ascii_case(&word[at - 1]);
                is_doubled && is_same(word.get(at + 1..), literal.get(at..))
            }
            Some(_) => false,
            None => {
                let is_missing = at > 0 && is_same(word.get(at..), literal.get(at + 1..));
                word.len() >= 3 && 2 * word.len() > literal.len() && (at == word.len() || is_missing)
            }
        }
    })
}

/// Schemes of addresses that are written without quotes.
const SCHEMES: [&str; 6] = ["http://", "https://", "ftp://", "file://", "s3://", "mailto:"];

fn is_plain_text(text: &str) -> bool {
    if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
        return !text.contains(char::is_whitespace) && !text.contains(['<', '>', '|', '^', '…', ',']);
    }
    let text = bare::without_remark(text);
    let words: Vec<&str> = text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect();
    let first = words.first().copied().unwrap_or_default().trim_end_matches([',', '.']);
    let is_reserved = || {
        words.len() == 1 && is_misspelt_literal(first)
            || words::RESERVED.iter().any(|&word| word == first || words.len() == 1 && word.eq_ignore_ascii_case(first))
    };
    if words.len() == 1 && is_path_or_sign(text) {
        return true;
    }
    let begins_well = if words.len() == 1 { is_name_or_code(first) } else { first.starts_with(is_letter) };
    begins_well && !is_reserved() && words.iter().all(|word| is_word(word)) && !is_list(text, &words)
}

/// Whether a semicolon ends `text`, or nothing but those within it may part the elements of the array around it: no comma precedes or follows it.
/// That of an entity does neither.
fn may_be_elements(fault: &Fault<'_>, text: &str) -> bool {
    let is_parted = || fault.previous_is(TokenKind::Comma) || members::comma_after(fault, text.len()).is_some();
    let is_open = || fault.container() == Some(Container::Array) && !is_parted();
    text.contains(';') && !text.starts_with('&') && (text.ends_with(';') || is_open())
}

/// Whether a line that reads as a member, `Note: check this`, is rather a remark: no comma ends it, its key has no quotes, and the member on the line
/// before it or after it has them.
fn is_line_of_prose(fault: &Fault<'_>, text: &str) -> bool {
    let Some(key) = fault.token(1).filter(|token| token.kind == TokenKind::Key) else { return false };
    let key = fault.at(key.span.start);
    if !text.contains(' ') || key.peek().is_some_and(is_quote) || key.indent().is_none() {
        return false;
    }
    let mut after = fault.ahead().after(text.len());
    after.take_while(|char| matches!(char, ' ' | '\t' | ','));
    let next = after.skip_json_space();
    let ends_line = next.pos() > after.pos() && matches!(after.peek(), Some('\n' | '\r'));
    let blanks = key.before_while(char::is_whitespace);
    let line = key.at(key.pos() - blanks.len()).before_while(|char| char != '\n');
    let is_quoted = |line: &str| line.trim_start_matches([' ', '\t', '{']).starts_with('"');
    ends_line && (next.starts_with("\"") || is_quoted(line))
}

/// A word that begins with a sign: a path, a pattern of files, a name after `@` or `#`, a number after `№` or `§`, a variable of the shell or of Windows,
/// an entity of HTML, a range of versions; a path of Windows; signs alone.
fn is_path_or_sign(word: &str) -> bool {
    let has_only = |text: &str, signs: &str| {
        text.contains(is_letter)
            && text.chars().all(|char| is_letter(char) || char.is_ascii_digit() || signs.contains(char))
    };
    let after = |prefix: &str| word.strip_prefix(prefix);
    let path = after("/").or_else(|| after("~/")).or_else(|| after("./")).or_else(|| after("../"));
    let path = path.or_else(|| word.strip_suffix('/').filter(|path| !path.ends_with('/')));
    let is_version = |text: &str| text.contains('.') && text.split('.').all(numbers::are_digits);
    // Arrows, dingbats and pictures.
    let is_sign = |char: char| matches!(char, '\u{2190}'..='\u{21FF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F300}'..='\u{1FAFF}');
    let is_upper = |text: &str| text.len() > 1 && !text.contains(char::is_lowercase);
    path.is_some_and(|path| !path.starts_with(['/', '*']) && has_only(path, "/_-.*"))
        || after("*.")
            .or_else(|| after("."))
            .is_some_and(|ending| ending.starts_with(is_letter) && has_only(ending, "_-."))
        || after("@").is_some_and(|name| has_only(name, "_-."))
        || after("#").is_some_and(|name| has_only(name, "_-.") || is_colour(name))
        || after("№").or_else(|| after("§")).is_some_and(numbers::are_digits)
        || after("^").or_else(|| after("~")).is_some_and(is_version)
        || word.chars().all(is_sign)
        || bare::is_path(word)
        || is_address(word)
        || after("$").is_some_and(|name| is_upper(name) && has_only(name, "_"))
        || after("%").and_then(|rest| rest.strip_suffix('%')).is_some_and(|name| has_only(name, "_"))
        || after("&").and_then(|rest| rest.strip_suffix(';')).is_some_and(|name| has_only(name, ""))
}

/// A host or an address of four numbers, with a port or the length of a prefix after it (`localhost:3000`, `10.0.0.1/24`); an image with its tag.
fn is_address(word: &str) -> bool {
    let Some((host, port)) = word.split_once([':', '/']) else { return false };
    let is_number = |text: &str| text.len() <= 5 && numbers::are_digits(text);
    if let Some((_, tag)) = word.rsplit_once(':').filter(|(name, _)| bare::is_image(name)) {
        return tag.chars().all(|char| char.is_alphanumeric() || matches!(char, '.' | '_' | '-'));
    }
    let is_numeric = || host.split('.').count() == 4 && host.split('.').all(is_number);
    is_number(port) && (is_numeric() || word.contains(':') && bare::ends_host(host))
}

/// The digits of a colour of CSS.
fn is_colour(name: &str) -> bool {
    matches!(name.len(), 3 | 6 | 8) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Words that commas or semicolons part are a list as well as a text, unless some part has several words.
fn is_list(text: &str, words: &[&str]) -> bool {
    text.contains([',', ';']) && words.iter().rev().skip(1).all(|word| word.ends_with([',', ';']))
}

/// A single word: one that begins with a letter, or digits, letters, points and hyphens that are no number (`1.2.3`, `12a4`, `0xFF…`) and
/// have not the suffix of one (`7L`).
fn is_name_or_code(word: &str) -> bool {
    if word.starts_with(is_letter) {
        return true;
    }
    let has_letter = || word.contains(is_letter);
    let points = || word.matches('.').count();
    let is_code = word.starts_with(|char: char| char.is_ascii_digit())
        && word.chars().all(|char| is_letter(char) || char.is_ascii_digit() || matches!(char, '-' | '.'))
        && word.split(['-', '.']).all(|part| !part.is_empty())
        && (has_letter() || points() >= 2 && !word.contains('-'));
    is_code && !numbers::has_type_suffix(word)
}

/// Whether `word` holds letters and digits, and marks only where prose and names have them.
fn is_word(word: &str) -> bool {
    let is_text = |char: char| is_letter(char) || char.is_ascii_digit();
    let is_in_place = |before: Option<char>, char: char, after: Option<char>| {
        let is_inside = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        match char {
            '\'' | '\u{2019}' | '@' | '/' | '-' | '\u{2013}' => is_inside,
            '.' => before.is_some_and(char::is_alphanumeric) && after != Some('.'),
            ',' | ';' | '!' | '?' | '%' | '°' => after.is_none() && before.is_some(),
            '+' | '#' => after.is_none_or(|after| after == '+') && before.is_some(),
            '&' => is_inside || word == "&",
            // `p<0.05`, `c.743G>A`
            '<' | '>' => {
                is_inside
                    && before.is_some_and(char::is_alphabetic)
                    && after.is_some_and(|after| after.is_ascii_digit() || after.is_uppercase())
            }
            ':' => before.is_some_and(|before| before.is_ascii_digit()),
            '_' => true,
            char => is_text(char),
        }
    };
    let (mut before, mut rest) = (None, word.chars());
    let mut has_text = word == "&";
    while let Some(char) = rest.next() {
        if !is_in_place(before, char, rest.clone().next()) {
            return false;
        }
        has_text |= is_text(char);
        before = Some(char);
    }
    has_text
}

/// A letter or mark of any script, but none of the full-width forms.
fn is_letter(char: char) -> bool {
    words::is_letter(char) || ('\u{300}'..='\u{36F}').contains(&char)
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedString);
