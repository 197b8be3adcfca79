//! Keys without quotes: each row a kind of word, and what shows that it is a key.

use jsonseam_core::{Container, Edits, Fault, Literal, Notation, rule};

use crate::shared::{layout, numbers, program};

rule! {
    /// Puts quotes around a key that is written as an identifier.
    ///
    /// # What
    /// A key is expected, and there are a JavaScript identifier (ECMA-262 section 12.7) and a colon.
    ///
    /// # Why
    /// Object literals of JavaScript and JSON5 are written this way, and both read the identifier as the key of the same spelling.
    ///
    /// # Example
    /// `{name: "x"}` becomes `{"name": "x"}`.
    ///
    /// # Limits
    /// `True`, `False` and `None` are left alone: Python reads them as values, JavaScript as names.
    /// Keys with hyphens or spaces, and numbers, are not identifiers.
    pub struct UnquotedKey {
        name: "unquoted-key",
        risk: Certain,
        answers: [Key],
        next: ["_$", Letter, NonAscii],
        only_ahead: unquoted_key,
    }

    /// Puts quotes around a key of one word that is not an identifier.
    ///
    /// # What
    /// A key is expected, and there are one word of letters, digits, hyphens, dots, `_` and `$`, at least one of them a letter, and a colon;
    /// or any such word, and an equals sign with a whole value.
    ///
    /// # Why
    /// Models leave out the quotes of names such as `content-type` or `user.name` too, though no language reads them, and write `name = 1` as TOML does.
    ///
    /// # Example
    /// `{content-type: "x", 2nd: 1}` becomes `{"content-type": "x", "2nd": 1}`.
    ///
    /// # Limits
    /// The word neither begins nor ends with a hyphen or a dot. Identifiers are `unquoted-key`, numbers `number-key`, several words `spaced-key`.
    pub struct UnquotedWordKey {
        name: "unquoted-word-key",
        risk: Likely,
        answers: [Key],
        next: ["_$+", Letter, Digit, NonAscii],
        only_ahead: unquoted_word_key,
    }

    /// Puts quotes around a key that is a number.
    ///
    /// # What
    /// A key is expected, and there are a number in JSON's own notation and a colon.
    ///
    /// # Why
    /// Python's dictionaries and JavaScript's objects have such keys; in JSON every key is a string.
    ///
    /// # Example
    /// `{"x": 0, 3: 1}` becomes `{"x": 0, "3": 1}`.
    ///
    /// # Limits
    /// The key keeps its spelling: JavaScript would make `"1"` of `1.0`, Python `"1.0"`.
    /// The first key of a payload within a line of prose is left alone, because `{10:30}` there is not data.
    /// `True`, `None` and tuples are not taken for keys: languages do not agree on what they become in JSON.
    pub struct NumberKey {
        name: "number-key",
        risk: Likely,
        answers: [Key],
        next: ["-", Digit],
        only_ahead: number_key,
    }

    /// Puts quotes around a key of several words.
    ///
    /// # What
    /// A key is expected, and there are two to five words of letters, digits, hyphens and `_`, separated by single spaces, and then a colon, all on one line.
    ///
    /// # Why
    /// Models that write YAML or headings leave the quotes of such keys out.
    ///
    /// # Example
    /// `{first name: "x", "b": 1}` becomes `{"first name": "x", "b": 1}`.
    ///
    /// # Limits
    /// A guess at where the key begins. Never for the first key of a payload within a line of prose, and never if a
    /// contract declares the keys and this is not one of them.
    pub struct SpacedKey {
        name: "spaced-key",
        risk: Guess,
        answers: [Key],
        next: [Letter, Digit, NonAscii],
        only: spaced_key,
    }
}

fn unquoted_key(fault: &Fault<'_>) -> Option<Edits> {
    let name = fault.ahead().identifier()?;
    let is_python_value = Literal::of(name).is_some_and(|literal| literal.notation == Notation::Python);
    (!is_python_value
        && !layout::is_label(fault)
        && !program::is_of_type(fault)
        && fault.ahead().after(name.len()).has_colon())
    .then(|| fault.quote_ahead(name.len()))
}

fn unquoted_word_key(fault: &Fault<'_>) -> Option<Edits> {
    let word = fault.ahead().word();
    let is_name = word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.'));
    let is_word = is_name
        && !layout::is_label(fault)
        && word.contains(char::is_alphabetic)
        && !word.starts_with(['-', '.'])
        && !word.ends_with(['-', '.']);
    let is_identifier = || fault.ahead().identifier().is_some_and(|name| name.len() == word.len());
    let has_sign = || {
        let mut sign = fault.ahead().after(word.len()).skip_space_and_comments();
        if sign.eat("=") {
            return sign.skip_space_and_comments().has_value_of(Container::Object);
        }
        matches!(sign.peek(), Some(':' | '：')) && !is_identifier()
    };
    let is_key = is_word && has_sign() && layout::is_not_prose(fault);
    is_key.then(|| fault.quote_ahead(word.len()))
}

fn number_key(fault: &Fault<'_>) -> Option<Edits> {
    let word = fault.ahead().word();
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = numbers::are_whole(integer) && numbers::are_digits(fraction);
    let is_key = is_number && fault.ahead().after(word.len()).has_colon() && layout::is_not_prose(fault);
    is_key.then(|| fault.quote_ahead(word.len()))
}

fn spaced_key(fault: &Fault<'_>) -> Option<Edits> {
    let word = fault.ahead().word();
    let goes_on = || matches!(fault.ahead().after(word.len()).peek(), Some(' ' | '\''));
    if !word.starts_with(char::is_alphanumeric) || !goes_on() || layout::is_label(fault) {
        return None;
    }
    let line = layout::line_to(fault.ahead(), ':')?;
    let name = line.trim_end_matches([' ', ':']);
    let is_address = fault.ahead().after(line.len()).starts_with("//");
    let words: Vec<&str> = name.split(' ').take(WORDS + 1).collect();
    let is_word = |word: &&str| {
        word.starts_with(char::is_alphanumeric)
            && word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '\''))
    };
    let is_name = (2..=WORDS).contains(&words.len()) && name.contains(char::is_alphabetic) && words.iter().all(is_word);
    // A colon that ends its line ends a heading.
    let mut after = fault.ahead().after(line.len());
    let is_heading = after.take_while(|char| char == ' ').len() < 3 && matches!(after.peek(), None | Some('\n' | '\r'));
    let is_key =
        is_name && !is_address && !is_heading && layout::is_not_prose(fault) && fault.declares_key(name) != Some(false);
    is_key.then(|| fault.quote_ahead(name.len()))
}

/// How many words a key may have.
const WORDS: usize = 5;

#[cfg(test)]
jsonseam_testkit::laws! {
    unquoted_key: UnquotedKey,
    unquoted_word_key: UnquotedWordKey,
    number_key: NumberKey,
    spaced_key: SpacedKey,
}
