//! The header `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.

use std::time::{Duration, SystemTime};

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
    // `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the older forms (RFC 9110 section 5.6.7).
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// The pause that `retry-after-ms` asks for, in milliseconds; several servers send it beside the other header, and it is the closer one.
pub(super) fn retry_after_ms(value: &str) -> Option<Duration> {
    let value = value.trim();
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let milliseconds: f64 = value.parse().ok().filter(|_| is_number)?;
    Duration::try_from_secs_f64(milliseconds / 1_000.0).ok()
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

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
    fn l7_milliseconds_are_read() {
        assert_eq!(retry_after_ms(" 250 "), Some(Duration::from_millis(250)));
        assert_eq!(retry_after_ms("1500.0"), Some(Duration::from_millis(1500)));
        for value in ["", "-1", "1e3", "soon", "."] {
            assert_eq!(retry_after_ms(value), None, "{value}");
        }
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        for value in ["", "soon", "-5", "1e9", ".5", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(retry_after(value, UNIX_EPOCH), None, "{value}");
        }
    }
}
