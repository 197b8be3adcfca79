//! `unquoted-date`: dates and times without quotes.

use jsonseam_core::rule;

use crate::shared::{bare, numbers};

rule! {
    /// Puts quotes around a date or a time.
    ///
    /// # What
    /// A value is expected, and there is a date (`2024-01-31`, `31.01.2024`, `1/31/2024`), a time (`08:30`,
    /// `8:30:15 pm`) or both, as in RFC 3339. All of it becomes one string.
    ///
    /// # Why
    /// Neither JSON nor its supersets have dates, and models write them like numbers.
    ///
    /// # Example
    /// `{"day": 2024-01-31, "at": 08:30}` becomes `{"day": "2024-01-31", "at": "08:30"}`.
    ///
    /// # Limits
    /// A guess, because `2024-01-31` is also a subtraction. The parts must be a possible date or time; `2024-13`, `12:3` and `1/2` are left alone.
    pub struct UnquotedDate {
        name: "unquoted-date",
        risk: Guess,
        answers: [Value, Comma],
        next: [":/", Digit],
        only: |fault| bare::quote(fault, &is_moment),
    }
}

/// Whether `text` is a date, a time, or a date and a time.
fn is_moment(text: &str) -> bool {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    (is_date(date) && (time.is_empty() || is_time(time))) || is_time(text)
}

fn is_date(text: &str) -> bool {
    ['-', '/', '.'].into_iter().any(|mark| {
        let parts: Vec<Option<u32>> = text.split(mark).map(|part| number(part, 4)).collect();
        let is_year = |year: u32| (1000..=2999).contains(&year);
        let fits = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
        match parts.as_slice() {
            [Some(year), Some(month), Some(day)] if is_year(*year) => fits(*month, *day),
            [Some(first), Some(second), Some(year)] if mark != '-' && is_year(*year) => {
                fits(*first, *second) || fits(*second, *first)
            }
            _ => false,
        }
    })
}

/// A time of the day with minutes, perhaps seconds, and then a half of the day or an offset.
fn is_time(text: &str) -> bool {
    let clock = text.trim_end_matches(|char: char| char.is_ascii_alphabetic() || char == '.').trim_end_matches(' ');
    let suffix = text.get(clock.len()..).unwrap_or_default().trim_start().replace('.', "").to_ascii_lowercase();
    let is_half = matches!(suffix.as_str(), "" | "am" | "pm" | "z");
    let (clock, offset) = clock.split_at(clock.find(['+', '-']).unwrap_or(clock.len()));
    let digits = offset.trim_start_matches(['+', '-']).replace(':', "");
    let is_offset = offset.is_empty() || (suffix.is_empty() && digits.len() == 4 && number(&digits, 4).is_some());
    let parts: Vec<&str> = clock.split(':').collect();
    let in_range = |part: &str, most: u32| part.len() <= 2 && number(part, 2).is_some_and(|value| value <= most);
    let (hour, minute, second) = match *parts.as_slice() {
        [hour, minute] => (hour, minute, "0"),
        [hour, minute, second] => (hour, minute, second),
        _ => return false,
    };
    let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let is_minute = || minute.len() == 2 && in_range(minute, 59);
    let is_second = || in_range(whole, 60) && number(fraction, 9).is_some();
    is_half && is_offset && in_range(hour, 24) && is_minute() && is_second()
}

/// The number that all of `text` is, if it has at most so many digits.
fn number(text: &str, most: usize) -> Option<u32> {
    (text.len() <= most && numbers::are_digits(text)).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedDate);
