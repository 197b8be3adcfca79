//! Numbers as Python spells them (Python Language Reference, sections 2.4.4 to 2.4.6).

use crate::cursor::{Cursor, Stop};
use crate::weave::Piece;

/// Reads a number: kept where JSON spells it the same way (RFC 8259 section 6), else spelled as JSON spells the same value, digit for digit (SPEC B6).
/// What JSON has no number for is refused. A number at the end of the text may go on.
pub(super) fn number(at: &mut Cursor<'_>, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
    let start = at.pos;
    let sign = if at.eat("-") { "-" } else { "" };
    let has_plus = sign.is_empty() && at.eat("+");
    let is_apart = !at.take_while(|char| char == ' ').is_empty();
    let span = at.take_while(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.' | '_'));
    if at.rest().is_empty() {
        return Err(Stop::Cut);
    }
    let digits = at.text.get(span.clone()).unwrap_or_default();
    let is_signed = digits.starts_with(['+', '-']);
    let is_json = !is_signed && serde_json::from_str::<&serde_json::value::RawValue>(digits).is_ok();
    if is_json && !has_plus && !is_apart {
        pieces.push(Piece::Keep(start..span.end));
        return Ok(());
    }
    let spelled = if is_json { Some(digits.to_owned()) } else { respelled(digits) };
    let spelled = spelled.filter(|_| !is_signed).ok_or(Stop::Malformed(start))?;
    pieces.push(Piece::Insert(format!("{sign}{spelled}")));
    Ok(())
}

/// An unsigned number of Python in the spelling of JSON; `None` for any other text, and where JSON has no number of that value.
fn respelled(text: &str) -> Option<String> {
    let radix = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => return decimal(text),
    };
    let digits = text.get(2..)?;
    // One underscore may be after the prefix too.
    let digits = plain(digits.strip_prefix('_').unwrap_or(digits), radix)?;
    u128::from_str_radix(&digits, radix).ok().map(|value| value.to_string())
}

fn decimal(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if whole.is_empty() && fraction.is_none_or(str::is_empty) {
        return None;
    }
    let whole = if whole.is_empty() { "0".to_owned() } else { plain(whole, 10)? };
    let fraction = match fraction {
        Some("") => Some("0".to_owned()),
        Some(digits) => Some(plain(digits, 10)?),
        None => None,
    };
    let significant = whole.trim_start_matches('0');
    let is_integer = fraction.is_none() && exponent.is_none();
    if is_integer && !significant.is_empty() && significant.len() < whole.len() {
        // Python refuses a leading zero in an integer: it was octal once.
        return None;
    }
    let mut spelled = if significant.is_empty() { "0".to_owned() } else { significant.to_owned() };
    if let Some(fraction) = fraction {
        spelled = format!("{spelled}.{fraction}");
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let sign = exponent.get(..exponent.len() - digits.len())?;
        spelled = format!("{spelled}e{sign}{}", plain(digits, 10)?);
    }
    Some(spelled)
}

/// Digits without the single underscores that Python allows between two of them.
fn plain(digits: &str, radix: u32) -> Option<String> {
    let is_plain = digits.split('_').all(|part| !part.is_empty() && part.chars().all(|char| char.is_digit(radix)));
    is_plain.then(|| digits.replace('_', ""))
}
