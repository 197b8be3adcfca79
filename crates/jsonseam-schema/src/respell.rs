//! What a scalar spells, by the casts that are allowed: `"1,234"` as 1234, `"Yes"` as true, `"In progress"` as `"in_progress"`.

use std::borrow::Cow;

use serde_json::Value;

use crate::check::{CastKind, Casts};

/// Another spelling of a scalar.
#[derive(Debug, PartialEq)]
pub(crate) struct Spelling {
    /// What was done, in its order; never empty.
    pub(crate) kinds: Vec<CastKind>,
    pub(crate) value: Value,
    /// The JSON text, where it does not follow from the text of the value.
    pub(crate) text: String,
}

impl Spelling {
    fn of(kinds: Vec<CastKind>, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self { kinds, text: value.to_string(), value }
    }
}

/// The spellings that a scalar may have by these casts, the likeliest first. `options` are the strings that are allowed in its place.
pub(crate) fn spellings(value: &Value, casts: Casts, options: &[&str]) -> Vec<Spelling> {
    let found = match value {
        Value::String(text) => of_string(text, casts, options),
        Value::Number(_) | Value::Bool(_) => {
            let text = value.to_string();
            let option = Spelling { kinds: vec![CastKind::ToString], value: text.as_str().into(), text: String::new() };
            vec![option]
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|spelling| spelling.kinds.iter().all(|kind| casts.has(*kind))).collect()
}

fn of_string(text: &str, casts: Casts, options: &[&str]) -> Vec<Spelling> {
    let trimmed = text.trim();
    let trim = if trimmed.len() < text.len() { vec![CastKind::Trim] } else { Vec::new() };
    let after_trim = |kind: CastKind| trim.iter().copied().chain([kind]).collect::<Vec<_>>();
    let mut found = Vec::new();
    if let Some((kinds, number)) = number(trimmed) {
        let mut all = trim.clone();
        all.extend(kinds);
        // The digits are the text's own: none passes through a float.
        if let Ok(value) = serde_json::from_str::<Value>(&number) {
            found.push(Spelling { kinds: all, value, text: number });
        }
    }
    match trimmed {
        "true" => found.push(Spelling::of(after_trim(CastKind::StringToBoolean), true)),
        "false" => found.push(Spelling::of(after_trim(CastKind::StringToBoolean), false)),
        _ => {}
    }
    match trimmed.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" => found.push(Spelling::of(after_trim(CastKind::YesNo), true)),
        "no" | "n" | "false" => found.push(Spelling::of(after_trim(CastKind::YesNo), false)),
        "" | "null" | "none" | "nil" | "n/a" => found.push(Spelling::of(vec![CastKind::NullSpelling], Value::Null)),
        _ => {}
    }
    // JSON has white space of its own around it.
    if trimmed.starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(text)
    {
        found.push(Spelling { kinds: vec![CastKind::StringToJson], value, text: String::new() });
    }
    if !trim.is_empty() && options.contains(&trimmed) {
        found.push(Spelling::of(trim.clone(), trimmed));
    } else if casts.has(CastKind::EnumCase)
        && let Some(option) = same_letters(text, options)
    {
        found.push(Spelling::of(vec![CastKind::EnumCase], option));
    }
    found
}

/// The one option of the same letters and digits.
fn same_letters<'o>(text: &str, options: &[&'o str]) -> Option<&'o str> {
    let wanted = folded(text);
    let mut same = options.iter().filter(|option| folded(option) == wanted);
    let only = same.next().filter(|_| !wanted.is_empty())?;
    same.next().is_none().then_some(*only)
}

/// The letters and digits of a text in lower case, by which [`CastKind::KeyCase`] and [`CastKind::EnumCase`] compare.
///
/// ```
/// assert_eq!(jsonseam_schema::folded("Order-ID"), jsonseam_schema::folded("order_id"));
/// ```
pub fn folded(text: &str) -> String {
    text.chars().filter(|next| next.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The JSON number that a text spells, and what was passed over in it.
fn number(text: &str) -> Option<(Vec<CastKind>, String)> {
    const SYMBOLS: [char; 4] = ['$', '€', '£', '¥'];
    let mut kinds = Vec::new();
    let (sign, mut rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    if let Some(amount) = rest.strip_prefix(SYMBOLS).or_else(|| rest.strip_suffix(SYMBOLS)) {
        kinds.push(CastKind::Currency);
        rest = amount.trim();
    } else if let Some(share) = rest.strip_suffix('%') {
        kinds.push(CastKind::Percent);
        rest = share.trim_end();
    }
    let digits = if rest.contains(',') {
        kinds.push(CastKind::NumberFormat);
        Cow::Owned(ungrouped(rest)?)
    } else {
        Cow::Borrowed(rest)
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if kinds.is_empty() {
        kinds.push(CastKind::StringToNumber);
    }
    Some((kinds, format!("{sign}{digits}")))
}

/// The digits of a number whose groups of three are separated by commas.
fn ungrouped(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().filter(|first| are_digits(first) && first.len() <= 3)?;
    let is_fine = groups.all(|group| group.len() == 3 && are_digits(group)) && fraction.is_none_or(are_digits);
    is_fine.then_some(())?;
    let is_zero_led = first.starts_with('0');
    (!is_zero_led).then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, options: &[&str]) -> Vec<(String, Vec<CastKind>)> {
        let found = spellings(&text.into(), Casts::ALL, options);
        found.into_iter().map(|spelling| (spelling.text, spelling.kinds)).collect()
    }

    #[test]
    fn v1_numbers_are_read_in_the_formats_that_have_one_meaning() {
        use CastKind::{Currency, NumberFormat, Percent, StringToNumber, Trim};
        for (text, number, kinds) in [
            ("42", "42", vec![StringToNumber]),
            (" 5 ", "5", vec![Trim, StringToNumber]),
            ("1,234", "1234", vec![NumberFormat]),
            ("-1,234,567.80", "-1234567.80", vec![NumberFormat]),
            ("$9.50", "9.50", vec![Currency]),
            ("-$1,000", "-1000", vec![Currency, NumberFormat]),
            ("9.50 €", "9.50", vec![Currency]),
            ("90%", "90", vec![Percent]),
            ("12.5 %", "12.5", vec![Percent]),
        ] {
            assert_eq!(one(text, &[]), [(number.to_owned(), kinds)], "{text}");
        }
        for text in [
            "1,23",
            "1,2345",
            "12,34,567",
            "1.234,5",
            "0,123",
            ",123",
            "1,",
            "$",
            "$$1",
            "1%%",
            "5 kg",
            "1/2",
            "+1",
            "007",
            "--1",
            "$-1",
            "1e",
        ] {
            assert_eq!(one(text, &[]), [], "{text}");
        }
    }

    #[test]
    fn v1_enumerations_are_met_by_their_letters_alone_if_one_is() {
        assert_eq!(
            one("In Progress!", &["in_progress", "done"]),
            [("\"in_progress\"".to_owned(), vec![CastKind::EnumCase])]
        );
        assert_eq!(one(" done ", &["done"]), [("\"done\"".to_owned(), vec![CastKind::Trim])]);
        assert_eq!(one("a-b", &["ab", "a_b"]), []);
        assert_eq!(one("!", &["?"]), []);
        assert_eq!(one("done soon", &["done"]), []);
    }

    #[test]
    fn v1_booleans_and_null_have_a_few_spellings_and_no_more() {
        assert_eq!(one("Yes", &[]), [("true".to_owned(), vec![CastKind::YesNo])]);
        assert_eq!(one("FALSE", &[]), [("false".to_owned(), vec![CastKind::YesNo])]);
        assert_eq!(one("N/A", &[]), [("null".to_owned(), vec![CastKind::NullSpelling])]);
        assert_eq!(one("", &[]), [("null".to_owned(), vec![CastKind::NullSpelling])]);
        for text in ["yeah", "on", "1.", "undefined", "-", "nope"] {
            assert_eq!(one(text, &[]), [], "{text}");
        }
    }

    #[test]
    fn v1_nothing_is_spelled_otherwise_without_being_allowed() {
        for text in ["42", " 5 ", "1,234", "yes", "", "[1]"] {
            assert_eq!(spellings(&text.into(), Casts::NONE, &["x"]), [], "{text}");
        }
        let exact = |text: &str| !spellings(&text.into(), Casts::EXACT, &[]).is_empty();
        for text in ["42", "-0", "1e5", "12345678901234567890123", "true", "false", "{}", " [1] "] {
            assert!(exact(text), "{text}");
        }
        for text in ["", " 42", "42 ", "+1", "007", "0x1F", "1,000", "True", "yes", "null", "NaN", "\"a\"", "{", "1 2"]
        {
            assert!(!exact(text), "{text}");
        }
    }
}
