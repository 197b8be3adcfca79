//! The values of `format` that can be asserted: what each accepts, by the document that JSON Schema cites for it.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::{Iri, IriRef, Uri, UriRef};
use serde_json::Number;

use crate::exact::{Exact, NONE};
use crate::hostname::{is_hostname, is_idn_hostname};
use crate::number::{compare_exactly, is_integer};

/// Which formats are assertions; the others are annotations, and whatever they say is let through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Formats {
    /// The formats of strings.
    pub(crate) of_strings: bool,
    /// The formats of numbers, such as `int32`.
    pub(crate) of_numbers: bool,
}

/// A format that is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text(&'static TextFormat),
    /// An integer of so many bits: its name, and its bounds as far as the schema does not state them itself.
    Integer(&'static str, Option<i64>, Option<u64>),
}

/// A format of strings: its name, what to call such a text, and whether a text is one.
#[derive(Debug)]
pub(crate) struct TextFormat {
    name: &'static str,
    described: &'static str,
    fits: fn(&str) -> bool,
}

impl PartialEq for TextFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TextFormat {}

const fn text(name: &'static str, described: &'static str, fits: fn(&str) -> bool) -> TextFormat {
    TextFormat { name, described, fits }
}

static TEXTS: [TextFormat; 20] = [
    text("date", "a date such as 2026-11-22", is_date),
    text("time", "a time with its offset such as 17:30:00Z", is_time),
    text("date-time", "a date and time such as 2026-11-22T17:30:00Z", is_date_time),
    text("duration", "an ISO 8601 duration such as P3DT12H", is_duration),
    text("email", "an e-mail address", |text| text.is_ascii() && is_email(text)),
    text("idn-email", "an e-mail address", is_email),
    text("hostname", "a host name", is_hostname),
    text("idn-hostname", "a host name", is_idn_hostname),
    text("ipv4", "an IPv4 address", |text| text.parse::<Ipv4Addr>().is_ok()),
    text("ipv6", "an IPv6 address", |text| text.parse::<Ipv6Addr>().is_ok()),
    text("uri", "an absolute URI", |text| Uri::parse(text).is_ok()),
    text("url", "an absolute URI", |text| Uri::parse(text).is_ok()),
    text("uri-reference", "a URI reference", |text| UriRef::parse(text).is_ok()),
    text("iri", "an absolute IRI", |text| Iri::parse(text).is_ok()),
    text("iri-reference", "an IRI reference", |text| IriRef::parse(text).is_ok()),
    text("uri-template", "a URI template", is_uri_template),
    text("uuid", "a UUID", is_uuid),
    text("json-pointer", "a JSON Pointer", is_json_pointer),
    text("relative-json-pointer", "a relative JSON Pointer", is_relative_json_pointer),
    text("regex", "a regular expression", jsonschema_regex::is_valid_ecma_regex),
];

const INTEGERS: [Format; 10] = [
    Format::Integer("int8", Some(i8::MIN as i64), Some(i8::MAX as u64)),
    Format::Integer("int16", Some(i16::MIN as i64), Some(i16::MAX as u64)),
    Format::Integer("int32", Some(i32::MIN as i64), Some(i32::MAX as u64)),
    Format::Integer("int64", Some(i64::MIN), Some(i64::MAX as u64)),
    Format::Integer("int", Some(i64::MIN), Some(i64::MAX as u64)),
    Format::Integer("uint8", Some(0), Some(u8::MAX as u64)),
    Format::Integer("uint16", Some(0), Some(u16::MAX as u64)),
    Format::Integer("uint32", Some(0), Some(u32::MAX as u64)),
    Format::Integer("uint64", Some(0), Some(u64::MAX)),
    Format::Integer("uint", Some(0), Some(u64::MAX)),
];

impl Format {
    /// The format of a name, if it is asserted.
    pub(crate) fn named(name: &str, formats: Formats) -> Option<Self> {
        if formats.of_strings
            && let Some(format) = TEXTS.iter().find(|format| format.name == name)
        {
            return Some(Self::Text(format));
        }
        INTEGERS.into_iter().find(|format| formats.of_numbers && format.to_string() == name)
    }

    /// The format without the bounds that the schema states itself; `None` if nothing is left to assert.
    pub(crate) fn beside(self, has_minimum: bool, has_maximum: bool) -> Option<Self> {
        match self {
            Self::Integer(name, least, most) => {
                let (least, most) = (least.filter(|_| !has_minimum), most.filter(|_| !has_maximum));
                (least.is_some() || most.is_some()).then_some(Self::Integer(name, least, most))
            }
            Self::Text(_) => Some(self),
        }
    }

    /// What a value of the format is called.
    pub(crate) fn described(self) -> String {
        match self {
            Self::Text(format) => format.described.to_owned(),
            Self::Integer(_, Some(least), Some(most)) => format!("an integer from {least} to {most}"),
            Self::Integer(_, Some(least), None) => format!("an integer of at least {least}"),
            Self::Integer(_, None, Some(most)) => format!("an integer of at most {most}"),
            Self::Integer(..) => "an integer".to_owned(),
        }
    }

    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Text(format) => (format.fits)(text),
            Self::Integer(..) => true,
        }
    }

    /// Whether a number is within the range. One that is not an integer is for `type` to refuse.
    pub(crate) fn fits_number(self, number: &Number, exact: &Exact) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Integer(_, least, most) => {
                let against = |bound: Number| compare_exactly(number, exact, &bound, &NONE);
                let is_above = |least: i64| against(least.into()).is_ge();
                let is_below = |most: u64| against(most.into()).is_le();
                let is_integer = exact.is_integer(number).unwrap_or_else(|| is_integer(number));
                !is_integer || (least.is_none_or(is_above) && most.is_none_or(is_below))
            }
        }
    }

    /// What it costs to try the format on a text, in steps.
    pub(crate) fn cost(self, text: &str) -> u64 {
        match self {
            Self::Text(_) => 1 + text.len() as u64 / 16,
            Self::Integer(..) => 1,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Text(format) => format.name,
            Self::Integer(name, ..) => name,
        })
    }
}

/// A number of exactly so many digits, and the rest of the text.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
    Some((number?, rest))
}

/// RFC 3339 `full-date`.
fn is_date(text: &str) -> bool {
    let parts = || {
        let (year, rest) = digits(text, 4)?;
        let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
        let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let last = match month {
            2 => 28 + u32::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (rest.is_empty() && (1..=last).contains(&day)).then_some(())
    };
    parts().is_some()
}

/// RFC 3339 `full-time`: a leap second is one only at the end of a day in UTC.
fn is_time(text: &str) -> bool {
    let parts = || {
        let (hour, rest) = digits(text, 2)?;
        let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
        let (second, mut rest) = digits(rest.strip_prefix(':')?, 2)?;
        if let Some(fraction) = rest.strip_prefix('.') {
            let end = fraction.find(|next: char| !next.is_ascii_digit())?;
            rest = &fraction[end..];
            (end > 0).then_some(())?;
        }
        let offset = if rest.eq_ignore_ascii_case("z") {
            0
        } else {
            let is_west = rest.starts_with('-');
            let (hours, rest) = digits(rest.strip_prefix(['+', '-'])?, 2)?;
            let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
            (rest.is_empty() && hours <= 23 && minutes <= 59).then_some(())?;
            let offset = i64::from(hours * 60 + minutes);
            if is_west { offset } else { -offset }
        };
        let in_utc = (i64::from(hour * 60 + minute) + offset).rem_euclid(24 * 60);
        let is_second = second <= 59 || (second == 60 && in_utc == 24 * 60 - 1);
        (hour <= 23 && minute <= 59 && is_second).then_some(())
    };
    parts().is_some()
}

/// RFC 3339 `date-time`.
fn is_date_time(text: &str) -> bool {
    text.split_at_checked(10)
        .is_some_and(|(date, rest)| rest.strip_prefix(['T', 't']).is_some_and(|time| is_date(date) && is_time(time)))
}

/// RFC 3339, appendix A: units in their order without a gap, or weeks alone.
fn is_duration(text: &str) -> bool {
    /// Whether a text is numbers with units, of which each follows the one before it directly.
    fn units(text: &str, units: &str) -> bool {
        let mut rest = text;
        let mut next = None;
        while !rest.is_empty() {
            let count = rest.bytes().take_while(u8::is_ascii_digit).count();
            let unit = rest[count..].chars().next().and_then(|unit| units.find(unit));
            let Some(unit) = unit.filter(|unit| count > 0 && next.is_none_or(|next| *unit == next)) else {
                return false;
            };
            next = Some(unit + 1);
            rest = &rest[count + 1..];
        }
        next.is_some()
    }
    let Some(rest) = text.strip_prefix('P') else { return false };
    match rest.split_once('T') {
        Some(("", time)) => units(time, "HMS"),
        Some((date, time)) => units(date, "YMD") && units(time, "HMS"),
        None => units(rest, "YMD") || units(rest, "W"),
    }
}

/// RFC 5321 `Mailbox`; of other letters than those of ASCII, RFC 6531 allows all.
fn is_email(text: &str) -> bool {
    let is_atom = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|next| next.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(next) || !next.is_ascii())
    };
    let is_quoted = |text: &str| {
        let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|_| text.len() > 1)
        else {
            return false;
        };
        let mut escapes = false;
        let is_fine = inner.chars().all(|next| {
            let is_fine = escapes || next != '"';
            escapes = !escapes && next == '\\';
            is_fine && (!next.is_control())
        });
        is_fine && !escapes
    };
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_literal = domain.strip_prefix('[').and_then(|domain| domain.strip_suffix(']')).is_some_and(|address| {
        match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        }
    });
    let is_host = || is_hostname(domain) || (!domain.is_ascii() && domain.split('.').all(is_atom));
    local.len() <= 64 && (local.split('.').all(is_atom) || is_quoted(local)) && (is_literal || is_host())
}

/// RFC 9562, section 4: 32 hexadecimal digits in five groups.
fn is_uuid(text: &str) -> bool {
    let groups = [8, 4, 4, 4, 12];
    text.split('-').count() == groups.len()
        && text
            .split('-')
            .zip(groups)
            .all(|(group, length)| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// RFC 6901.
fn is_json_pointer(text: &str) -> bool {
    let escapes = |segment: &str| segment.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    text.is_empty() || (text.starts_with('/') && escapes(text))
}

/// The Internet draft of relative JSON Pointers.
fn is_relative_json_pointer(text: &str) -> bool {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    count > 0 && (count == 1 || !number.starts_with('0')) && (rest == "#" || is_json_pointer(rest))
}

/// RFC 6570: literals and expressions in braces.
fn is_uri_template(text: &str) -> bool {
    fn is_name(name: &str) -> bool {
        let is_escape = |rest: &str| rest.get(..2).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        !name.is_empty()
            && name.split('.').all(|part| !part.is_empty())
            && name.chars().all(|next| next.is_ascii_alphanumeric() || "_.%".contains(next))
            && name.split('%').skip(1).all(is_escape)
    }
    fn is_expression(inner: &str) -> bool {
        let inner = inner.strip_prefix(['+', '#', '.', '/', ';', '?', '&']).unwrap_or(inner);
        inner.split(',').all(|variable| match variable.split_once(':') {
            Some((name, length)) => {
                is_name(name)
                    && (1..=4).contains(&length.len())
                    && !length.starts_with('0')
                    && length.bytes().all(|byte| byte.is_ascii_digit())
            }
            None => is_name(variable.strip_suffix('*').unwrap_or(variable)),
        })
    }
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let Some(end) = rest[start..].find('}').filter(|_| rest[start..].starts_with('{')) else { return false };
        if !is_expression(&rest[start + 1..start + end]) {
            return false;
        }
        rest = &rest[start + end + 1..];
    }
    !text.chars().any(|next| next.is_control() || " \"<>\\^`|".contains(next) && !text.contains('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Formats = Formats { of_strings: true, of_numbers: true };

    fn fits(format: &str, text: &str) -> bool {
        Format::named(format, ALL).expect("it is asserted").fits(text)
    }

    #[test]
    fn formats_accept_what_their_documents_say() {
        for (format, right, wrong) in [
            ("date", vec!["2024-02-29", "1999-12-31"], vec!["2023-02-29", "2023-13-01", "2023-1-1", "yesterday", ""]),
            (
                "time",
                vec!["23:59:60Z", "01:02:03.5+05:30", "15:59:60-08:00"],
                vec!["12:00:00", "24:00:00Z", "22:59:60Z"],
            ),
            (
                "date-time",
                vec!["2026-11-22T17:30:00Z", "2026-11-22t17:30:00.1z"],
                vec!["yesterday", "2026-11-22 17:30:00Z"],
            ),
            ("duration", vec!["P3DT12H", "P2W", "PT5M"], vec!["P", "P1Y2D", "PT", "P1W2D", "1D"]),
            (
                "email",
                vec!["a.b@example.org", "\"a b\"@x.org", "a@[127.0.0.1]"],
                vec!["a", "a@", "a..b@x.org", ".a@x.org", "é@x.org"],
            ),
            ("idn-email", vec!["é@x.org", "a@é.org"], vec!["a"]),
            ("hostname", vec!["a.example", "a-b.c"], vec!["-a", "a_b", "a..b", ""]),
            ("ipv4", vec!["127.0.0.1"], vec!["256.0.0.1", "127.1", "01.2.3.4"]),
            ("ipv6", vec!["::1"], vec!["1::2::3", "::1%lo"]),
            ("uri", vec!["https://a/b?c#d", "urn:x:y"], vec!["/a", "a b", "https://a/ b"]),
            ("uri-reference", vec!["/a", "#b"], vec!["\\a"]),
            ("uri-template", vec!["http://x/{a,b}{?c*}", "x"], vec!["{", "}", "{a", "{}"]),
            ("uuid", vec!["2EB8AA08-aa98-11ea-b4aa-73b441d16380"], vec!["2eb8aa08-aa98-11ea-b4aa73b441d16380", "x"]),
            ("json-pointer", vec!["", "/a/~1b"], vec!["a", "/~2"]),
            ("relative-json-pointer", vec!["0", "1/a", "2#"], vec!["", "01", "/a"]),
            ("regex", vec!["^(?=a)b$"], vec!["("]),
        ] {
            assert!(right.iter().all(|text| fits(format, text)), "{format}: {right:?}");
            for text in wrong {
                assert!(!fits(format, text), "{format}: {text:?}");
            }
        }
    }

    #[test]
    fn a_format_of_numbers_is_a_range() {
        let int32 = Format::named("int32", ALL).expect("it is asserted");
        let number = |text: &str| serde_json::from_str::<Number>(text).expect("a number");
        for (text, is) in
            [("2147483647", true), ("2147483648", false), ("-2147483649", false), ("1e300", false), ("1.5", true)]
        {
            assert_eq!(int32.fits_number(&number(text), &NONE), is, "{text}");
        }
    }

    #[test]
    fn an_unknown_format_is_an_annotation_and_so_is_any_that_is_not_asked_for() {
        assert_eq!(Format::named("phone", ALL), None);
        assert_eq!(Format::named("date", Formats { of_strings: false, of_numbers: true }), None);
        assert_eq!(Format::named("int32", Formats { of_strings: true, of_numbers: false }), None);
    }
}
