//! The header `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The pause that the header asks for; `None` if it says nothing that can be read. A date that is over asks for none.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Longer than any number can say is longer than anyone waits.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let fraction = value.split_once('.').filter(|(whole, rest)| {
        [whole, rest].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if fraction.is_some() {
        return value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    }
    let date = imf_date(value)?;
    Some(date.saturating_sub(now.duration_since(UNIX_EPOCH).unwrap_or_default()))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may send today (RFC 9110 section 5.6.7), as time since the Unix epoch.
fn imf_date(value: &str) -> Option<Duration> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, date) = value.split_once(", ")?;
    let mut parts = date.split(' ');
    let (day, month, year, time, zone) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if zone != "GMT" || parts.next().is_some() {
        return None;
    }
    let month = MONTHS.iter().position(|name| *name == month)?;
    let (day, year): (u64, u64) = (number(day, 1, 31)?, number(year, 1970, 9999)?);
    let mut time = time.split(':');
    let (hour, minute, second) =
        (number(time.next()?, 0, 23)?, number(time.next()?, 0, 59)?, number(time.next()?, 0, 60)?);
    Some(Duration::from_secs(((days_to(year, month)? + day - 1) * 24 + hour) * 3_600 + minute * 60 + second))
}

fn number(digits: &str, least: u64, most: u64) -> Option<u64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_number && (least..=most).contains(number))
}

/// The days from the Unix epoch to the first of a month, counted from 0.
fn days_to(year: u64, month: usize) -> Option<u64> {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let past = year - 1;
    let leap_days = past / 4 - past / 100 + past / 400 - 477;
    let this_year = u64::from(is_leap(year) && month > 1);
    Some((year - 1970) * 365 + leap_days + BEFORE.get(month)? + this_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l7_seconds_and_dates_are_read() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let seconds = |value: &str| retry_after(value, now).map(|pause| pause.as_secs());
        assert_eq!(seconds("0"), Some(0));
        assert_eq!(seconds(" 120 "), Some(120));
        assert_eq!(seconds("1.5"), Some(1));
        assert_eq!(seconds("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:47 GMT"), Some(10));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800 - 784_111_777));
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        for value in ["", "soon", "-5", "1e9", ".5", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(retry_after(value, UNIX_EPOCH), None, "{value}");
        }
    }
}
