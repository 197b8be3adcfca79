//! Numbers in the notations of other languages: each row a notation, its risk, and how JSON spells such a number.

use jsonseam_core::{Edit, Edits, Fault, rule};

use crate::shared::bare;
use crate::shared::numbers::{self, Decimal};

rule! {
    /// Removes the plus sign before a number.
    ///
    /// # What
    /// A value is expected, and there is a decimal number with a `+` right before it. The `+` is removed; the digits stay.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read `+1` as `1`; JSON allows a minus only.
    ///
    /// # Example
    /// `{"a": +1, "b": [+2.5e3]}` becomes `{"a": 1, "b": [2.5e3]}`.
    ///
    /// # Limits
    /// Phone numbers are left alone: `+49 170`, `+49-170` and `+0049`. So is a truncated number.
    pub struct PlusSign {
        name: "plus-sign",
        risk: Certain,
        answers: [Value],
        next: ["+"],
        only_ahead: |fault| (!numbers::decimal(fault)?.has_leading_zero()).then(|| fault.replace_ahead(1, "")),
    }

    /// Puts a zero before or after a decimal point that has no digit there.
    ///
    /// # What
    /// A value is expected, and the next word is a decimal number such as `.5`, `-.5`, `5.` or `5.e3`.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read these forms, and all read the same number.
    ///
    /// # Example
    /// `{"a": .5, "b": -5.}` becomes `{"a": 0.5, "b": -5.0}`.
    ///
    /// # Limits
    /// A point alone is not a number. A number that is truncated is left alone: digits are never completed.
    pub struct BareDecimalPoint {
        name: "bare-decimal-point",
        risk: Certain,
        answers: [Value],
        next: ["-.", Digit],
        only_ahead: |fault| respelled(fault, with_digits_around_point),
    }

    /// Removes underscores between the digits of a number.
    ///
    /// # What
    /// A value is expected, and there is a decimal number with single underscores between its digits.
    ///
    /// # Why
    /// JavaScript (numeric separators) and Python (PEP 515) read `1_000` as `1000`.
    ///
    /// # Example
    /// `{"a": 1_000_000, "b": 0.000_1}` becomes `{"a": 1000000, "b": 0.0001}`.
    ///
    /// # Limits
    /// `1__0`, `_1`, `1_` and `1_.5` are read by neither language and left alone, and so is a truncated number. Other separators are ambiguous.
    pub struct DigitSeparator {
        name: "digit-separator",
        risk: Certain,
        answers: [Value],
        next: ["-.", Digit],
        only_ahead: |fault| respelled(fault, with_joined_digits),
    }

    /// Writes hexadecimal, octal and binary numbers in decimal.
    ///
    /// # What
    /// A value is expected, and the whole word there is an integer with the prefix `0x`, `0o` or `0b` (in either case), of at most 64 bits.
    ///
    /// # Why
    /// JavaScript and Python read all three, JSON5 the first, and all read the same number.
    ///
    /// # Example
    /// `{"a": 0x1F, "b": -0o17, "c": 0b101}` becomes `{"a": 31, "b": -15, "c": 5}`.
    ///
    /// # Limits
    /// A number of more than 64 bits is an address or a digest rather than a number, and is left alone. So is a truncated word.
    pub struct RadixPrefix {
        name: "radix-prefix",
        risk: Certain,
        answers: [Value],
        next: ["-0"],
        only_ahead: |fault| respelled(fault, in_decimal),
    }

    /// Removes the `n` after an integer of JavaScript.
    ///
    /// # What
    /// A value is expected, and the whole word there is an integer and an `n`. The digits stay, however many they are.
    ///
    /// # Why
    /// JavaScript writes big integers this way. No other language reads the form.
    ///
    /// # Example
    /// `{"a": 9007199254740993n}` becomes `{"a": 9007199254740993}`.
    ///
    /// # Limits
    /// Integers only, without leading zeros, fraction or exponent. Other suffixes (`1.5f`, `10L`) may be units and are left alone.
    pub struct BigintSuffix {
        name: "bigint-suffix",
        risk: Certain,
        answers: [Value],
        next: ["-", Digit],
        only_ahead: |fault| respelled(fault, without_suffix),
    }

    /// Replaces a typographic minus sign (U+2212) before a number by a hyphen-minus.
    ///
    /// # What
    /// A value is expected, and there is U+2212, directly followed by a digit. It becomes `-`.
    ///
    /// # Why
    /// Typeset text uses it, and models copy it.
    ///
    /// # Example
    /// `{"t": −5}` becomes `{"t": -5}`.
    ///
    /// # Limits
    /// No programming language reads it, and a character of a value changes, so it is lossy. Dashes (U+2013, U+2014) may denote a range and are left alone.
    pub struct TypographicMinus {
        name: "typographic-minus",
        risk: Lossy,
        answers: [Value],
        next: [NonAscii],
        only: typographic_minus,
    }

    /// Puts quotes around a number with leading zeros.
    ///
    /// # What
    /// A value is expected, and there is a decimal number such as `007` or `-01.50`. It becomes a string of the same characters.
    ///
    /// # Why
    /// Postal codes, identifiers and times are written with leading zeros, and the zeros matter.
    ///
    /// # Example
    /// `{"zip": 02134}` becomes `{"zip": "02134"}`.
    ///
    /// # Limits
    /// A guess: it may have been meant as a number, but which one is not even clear, since JavaScript reads `010` as eight. No digit is lost.
    /// In an array, three digits after a comma and a short number (`[1,000]`) may be a group of thousands and are left alone.
    pub struct LeadingZero {
        name: "leading-zero",
        risk: Guess,
        answers: [Value],
        next: ["-", Digit],
        only: leading_zero,
    }

    /// Removes the commas between the thousands of a number.
    ///
    /// # What
    /// In an object, a number of at most three digits is followed, without a blank, by groups of a comma and three
    /// digits, then perhaps by a fraction, and then by something that may follow a value.
    /// The commas are removed.
    ///
    /// # Why
    /// English text prints numbers this way, and models copy them.
    ///
    /// # Example
    /// `{"people": 1,234,567, "area": 2}` becomes `{"people": 1234567, "area": 2}`.
    ///
    /// # Limits
    /// A guess: in other languages the comma is the decimal point. Never in arrays, where each group is a number of its own.
    /// With a unit it is `unquoted-quantity`.
    pub struct ThousandsSeparator {
        name: "thousands-separator",
        risk: Guess,
        answers: [Key],
        next: [Digit],
        only: thousands_separator,
    }
}

/// The word at the fault as JSON spells it, if it is of the notation that `spell` knows and what follows it fits.
fn respelled(fault: &Fault<'_>, spell: impl Fn(&str) -> Option<String>) -> Option<Edits> {
    let word = fault.ahead().word();
    let spelled = spell(word)?;
    numbers::fits(fault, word).then(|| fault.replace_ahead(word.len(), spelled))
}

fn with_digits_around_point(word: &str) -> Option<String> {
    let decimal = if word.bytes().any(|byte| byte == b'.') { Decimal::read(word)? } else { return None };
    let parts = [decimal.integer, decimal.fraction?];
    let is_bare = parts.contains(&"") && decimal.sign != Some('+');
    let [integer, fraction] = parts.map(|digits| if digits.is_empty() { "0" } else { digits });
    let sign = if decimal.sign.is_some() { "-" } else { "" };
    let exponent = decimal.exponent.map_or(["", ""], |digits| ["e", digits]);
    is_bare.then(|| [sign, integer, ".", fraction, exponent[0], exponent[1]].concat())
}

fn with_joined_digits(word: &str) -> Option<String> {
    let decimal = if word.bytes().any(|byte| byte == b'_') { Decimal::read(word)? } else { return None };
    (decimal.sign != Some('+') && !decimal.has_leading_zero()).then(|| numbers::without_separators(word))
}

fn in_decimal(word: &str) -> Option<String> {
    let magnitude = word.strip_prefix('-').unwrap_or(word);
    let value = value_of(magnitude)?;
    Some(if magnitude.len() < word.len() { format!("-{value}") } else { value.to_string() })
}

/// The number that a word such as `0x1F` stands for. Single underscores may separate its digits.
fn value_of(word: &str) -> Option<u64> {
    let (prefix, digits) = word.split_at_checked(2)?;
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    let is_group = |group: &str| !group.is_empty() && group.bytes().all(|byte| char::from(byte).is_digit(radix));
    if is_group(digits) {
        return u64::from_str_radix(digits, radix).ok();
    }
    let number = digits.split('_').all(is_group).then(|| numbers::without_separators(digits))?;
    u64::from_str_radix(&number, radix).ok()
}

fn without_suffix(word: &str) -> Option<String> {
    let number = word.strip_suffix('n')?;
    numbers::are_whole(number.strip_prefix('-').unwrap_or(number)).then(|| number.to_owned())
}

fn typographic_minus(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let is_minus = ahead.eat("\u{2212}") && ahead.peek().is_some_and(|char| char.is_ascii_digit());
    is_minus.then(|| fault.replace_ahead('\u{2212}'.len_utf8(), "-"))
}

fn leading_zero(fault: &Fault<'_>) -> Option<Edits> {
    let decimal = numbers::decimal(fault)?;
    let is_group = decimal.text.len() == 3 && numbers::may_be_digit_group(fault);
    let is_written_so = decimal.has_leading_zero() && !decimal.text.contains(['_', '+']) && decimal.exponent.is_none();
    (is_written_so && !is_group).then(|| fault.quote_ahead(decimal.text.len()))
}

fn thousands_separator(fault: &Fault<'_>) -> Option<Edits> {
    let bare = bare::text(fault)?;
    is_grouped(bare.text).then(|| Edit::replace(bare.span, bare.text.replace(',', "")).into())
}

/// Whether `text` is a number with groups of three digits, in JSON's notation otherwise.
fn is_grouped(text: &str) -> bool {
    let number = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    numbers::are_groups(whole, ',') && !whole.starts_with('0') && numbers::are_digits(fraction)
}

#[cfg(test)]
jsonseam_testkit::laws! {
    plus_sign: PlusSign,
    bare_decimal_point: BareDecimalPoint,
    digit_separator: DigitSeparator,
    radix_prefix: RadixPrefix,
    bigint_suffix: BigintSuffix,
    typographic_minus: TypographicMinus,
    leading_zero: LeadingZero,
    thousands_separator: ThousandsSeparator,
}
