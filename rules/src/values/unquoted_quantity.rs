//! `unquoted-quantity`: numbers with a unit, a currency or a comparison.

use jsonseam_core::{Edits, Expected, Fault, rule};

use crate::shared::words::is_letter;
use crate::shared::{bare, numbers};

rule! {
    /// Puts quotes around a number that is written with its unit.
    ///
    /// # What
    /// A value is expected, and there is a number, a range or a fraction followed by a unit (`0.31 g`, `100° C`, `4 hours 30 minutes`, `5-10 mL`, `12%`),
    /// or preceded by a currency or a comparison (`$5.99`, `~20`, `>= 3 mg`), or followed by a remark in parentheses (`5 (mg)`);
    /// or there are two numbers that are written as one (`10-20`, `120/80`, `16:9`, `3 to 5`, `1 1/2`, `5.2 ± 0.3`), a telephone number
    /// (`+1 (555) 010-9999`), a fraction of one character (`½`), a number with blanks between its thousands (`1 000 000`), numbers before a name (`2,4-D`), or the times of `cron` (`*/5 * * * *`).
    /// Beside a currency or `%` a comma may be the decimal one (`€12,50`). All of it becomes one string.
    ///
    /// # Why
    /// Models that extract measurements copy them from the text as they are.
    ///
    /// # Example
    /// `{"amount": 0.31 g, "yield": 61%}` becomes `{"amount": "0.31 g", "yield": "61%"}`.
    ///
    /// # Limits
    /// A guess at where the value ends; every character is kept. The quantity must end on its line, before a comma and the next member, a closer or a comment.
    /// At most four short words of letters are a unit, none of which joins sentences (`and`, `of`, `if` …).
    /// A number with the suffix of a type (`7L`, `3.5f`) may be a number, so it is left alone.
    /// Sums and products (`1+2`, `3*4`), and what has blanks around its sign (`10 - 2`), are expressions and left alone.
    pub struct UnquotedQuantity {
        name: "unquoted-quantity",
        risk: Guess,
        answers: [Value, Key, Comma],
        only: unquoted_quantity,
    }
}

fn unquoted_quantity(fault: &Fault<'_>) -> Option<Edits> {
    // An ellipsis is the matter of another rule, and no quantity begins with a letter: no text is read for them.
    let is_other = |char| char == '.' && fault.ahead().starts_with("..") || is_letter(char);
    if fault.expected() != Expected::Comma && fault.next_char().is_some_and(is_other) {
        return None;
    }
    bare::quote(fault, &is_quantity)
}

/// Words that join sentences, or belong to an expression: no unit of anything.
const JOINERS: [&str; 28] = [
    "and", "or", "not", "if", "else", "because", "since", "is", "are", "was", "were", "to", "the", "a", "an", "in",
    "on", "at", "for", "from", "with", "than", "then", "but", "as", "of", "which", "that",
];

/// Marks before an amount: comparisons and currencies.
const MARKS: [char; 13] = ['<', '>', '=', '~', '≈', '≥', '≤', '±', '$', '€', '£', '¥', '₹'];

/// How many words a unit may have, and how long one may be.
const UNIT_WORDS: usize = 4;
const WORD_LEN: usize = 20;

fn is_quantity(text: &str) -> bool {
    let holds = |byte| text.bytes().any(|other| other == byte);
    let plain = if holds(b',') { text.trim_start_matches(bare::CURRENCIES) } else { "" };
    if plain.split_once(',').is_some_and(|(whole, _)| numbers::has_pointed_groups(whole)) {
        // `1.234,56`: a decimal comma after groups with points.
        return plain.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b','));
    }
    let is_listed = || holds(b',') && is_chemical(text) || is_spaced(text) || holds(b'*') && is_schedule(text);
    if is_phone_number(text) || !text.is_ascii() && is_fraction(text) || is_listed() {
        return true;
    }
    let (whole, text) = (text, bare::without_remark(text));
    let amount = text.trim_start_matches(MARKS);
    let is_marked = amount.len() < text.len();
    let marks = text.len() - amount.len();
    let amount = amount.trim_start();
    let Some(unit) = after_amount(amount) else {
        return false;
    };
    let is_plain_mark =
        || text.get(..marks).is_some_and(|marks| marks.chars().count() <= 2 && marks != "=" && marks != "==");
    if is_marked && !is_plain_mark() {
        return false;
    }
    if unit.is_empty() {
        // `120/80`, `10-20`, `5.2 ± 0.3`: two numbers that are written as one.
        let is_spaced = || amount.contains(" to ") || after_number(amount).and_then(after_fraction) == Some("");
        let is_joined = amount.contains('±')
            || holds(b' ') && is_spaced()
            || !amount.contains(' ') && amount.chars().skip(1).any(|char| matches!(char, '-' | '–' | '/' | ':'));
        return is_marked || is_joined || text.len() < whole.len();
    }
    // `50+`
    if unit == "+" {
        return true;
    }
    let is_other_notation = || ["0x", "0X", "0o", "0O", "0b", "0B"].iter().any(|prefix| text.starts_with(prefix));
    unit != "n"
        && !numbers::has_type_suffix(amount)
        && !is_other_notation()
        && !is_exponent(unit)
        && is_unit(unit.trim_start())
}

/// A name with locants: digits that commas part, a hyphen and letters (`1,2-dichloroethane`).
fn is_chemical(word: &str) -> bool {
    let Some((locants, name)) = word.split_once('-') else { return false };
    locants.contains(',')
        && locants.split(',').all(numbers::are_digits)
        && name.starts_with(is_letter)
        && name.chars().all(|char| is_letter(char) || char.is_ascii_digit() || char == '-')
}

/// The five or six times of a line of `cron`, of which two in a row are any: no product has that.
fn is_schedule(text: &str) -> bool {
    let is_time =
        |field: &str| !field.is_empty() && field.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'*' | b'/' | b'-'));
    text.contains("* *") && matches!(text.split(' ').count(), 5 | 6) && text.split(' ').all(is_time)
}

/// The fewest digits of a telephone number that is taken for one.
const FEWEST_DIGITS: usize = 7;

/// A telephone number: groups of digits which hyphens join, three or more, or blanks and hyphens after a plus sign or a group in parentheses.
/// Four digits, two and two are a date.
fn is_phone_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_international = digits.len() < text.len();
    let bare = |group| str::strip_prefix(group, '(').and_then(|group| group.strip_suffix(')')).unwrap_or(group);
    let groups = || digits.split(['-', ' ']).map(bare);
    let has_enough = digits.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS;
    let is_date = || groups().map(str::len).eq([4, 2, 2]) || groups().map(str::len).eq([2, 2, 4]);
    let is_joined = || digits.starts_with('(') || !digits.contains(' ');
    let is_national = || is_joined() && groups().count() >= 3 && !is_date();
    has_enough && groups().all(numbers::are_digits) && (is_international && groups().count() >= 2 || is_national())
}

/// A number with blanks between its thousands, two at least: one may part two numbers.
fn is_spaced(text: &str) -> bool {
    let is_number = text.ends_with(|char: char| char.is_ascii_digit()) && !text.starts_with('0');
    is_number && text.matches(' ').count() > 1 && numbers::are_groups(text, ' ')
}

/// A fraction of one character, after a whole number or alone, with its unit: `1½`, `¾ cup`.
fn is_fraction(text: &str) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
    let unit = rest.strip_prefix(['¼', '½', '¾', '⅓', '⅔', '⅛', '⅜', '⅝', '⅞']);
    unit.is_some_and(|unit| unit.is_empty() || is_unit(unit.trim_start()))
}

/// `e5`, `E-3`: what follows makes one number of it, in whatever notation.
fn is_exponent(unit: &str) -> bool {
    let digits = unit.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    digits.is_some_and(numbers::are_digits)
}

/// What follows a number, or two numbers that a range or a fraction joins.
fn after_amount(text: &str) -> Option<&str> {
    let whole = after_number(text)?;
    let rest = after_fraction(whole).unwrap_or(whole);
    let joint = rest.trim_start_matches(' ');
    let second = joint.strip_prefix(['-', '–', '/', '±', '~', '×', ':']).map(|rest| rest.trim_start_matches(' '));
    let second = second.or_else(|| rest.strip_prefix(" to ")).map(|rest| rest.trim_start_matches(bare::CURRENCIES));
    Some(second.and_then(after_number).unwrap_or(rest))
}

/// What follows the fraction of a mixed number, whose whole was read: ` 1/2`.
fn after_fraction(text: &str) -> Option<&str> {
    let fraction = text.strip_prefix(' ').filter(|text| text.starts_with(|char: char| char.is_ascii_digit()))?;
    let (numerator, rest) = fraction.split_once('/')?;
    let after = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    (numbers::are_digits(numerator) && after.len() < rest.len()).then_some(after)
}

/// What follows a number at the start of `text`: digits, groups of thousands, a fraction.
fn after_number(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let is_number = |char: char| char.is_ascii_digit() || matches!(char, '.' | ',');
    let rest = digits.trim_start_matches(is_number);
    let number = digits.get(..digits.len() - rest.len())?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let has_decimals = || {
        number.split_once(',').is_some_and(|(whole, decimals)| {
            numbers::are_digits(whole) && numbers::are_digits(decimals) && decimals.len() <= 2
        })
    };
    let are_groups = !whole.contains(',') || numbers::are_groups(whole, ',') || has_decimals();
    let is_whole = !number.is_empty() && are_groups && (!whole.is_empty() || !fraction.is_empty());
    (is_whole && !fraction.contains(['.', ','])).then_some(rest)
}

/// Whether all of `text` is a unit: a few short words, among them further amounts (`4 hours 30 minutes`).
fn is_unit(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').take(UNIT_WORDS + 1).collect();
    let is_further =
        |word: &str| is_unit_word(word) || after_number(word).is_some_and(|rest| rest.is_empty() || is_unit_word(rest));
    words.len() <= UNIT_WORDS
        && words.first().is_some_and(|word| is_unit_word(word))
        && words.iter().skip(1).all(|word| is_further(word))
        && words.last().is_some_and(|word| after_number(word).is_none_or(|rest| !rest.is_empty()))
}

/// The signs of units: the first eight make a unit alone, the first nine begin one.
const UNIT_SIGNS: [char; 18] =
    ['%', '‰', '°', '€', '£', '$', '″', '′', '/', '²', '³', '⁻', '¹', '·', '^', '.', '-', '₂'];

/// Whether `word` may be part of a unit: letters and the signs of units, powers and footnotes excepted.
fn is_unit_word(word: &str) -> bool {
    let has_name = word.contains(|char| is_letter(char) || UNIT_SIGNS[..8].contains(&char));
    let begins = word.starts_with(|char| is_letter(char) || UNIT_SIGNS[..9].contains(&char));
    let is_sign = |char| UNIT_SIGNS.contains(&char);
    let is_short = word.chars().count() <= WORD_LEN;
    let digits = word.chars().filter(char::is_ascii_digit).count();
    begins
        && has_name
        && is_short
        && digits <= 2
        && word.chars().all(|char| is_letter(char) || char.is_ascii_digit() || is_sign(char))
        && !JOINERS.contains(&word)
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedQuantity);
