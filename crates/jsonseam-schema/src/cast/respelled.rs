//! From the changes to the text that has them: each in its place, from the characters of the text itself.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use super::{CastText, Change};
use crate::check::{Cast, CastKind};
use crate::graph::Graph;
use crate::spans::{Spot, locate};
use crate::violation::{Segment, bounded_pointer};

/// The longest integer that a float is spelled out as, in digits.
const MAX_DIGITS: usize = 64;

/// For each change, how many others must be made before its place exists in the text.
///
/// A change that was found twice, by two nodes that speak of one value, has no level the second time.
fn levels(changes: &[Change]) -> Vec<Option<usize>> {
    let mut makers: HashMap<&[Segment], usize> = HashMap::new();
    let mut seen = HashSet::new();
    changes
        .iter()
        .map(|change| {
            if !seen.insert((change.path.as_slice(), change.kind)) {
                return None;
            }
            let level = (0..=change.path.len()).filter_map(|length| makers.get(&change.path[..length])).sum();
            *makers.entry(&change.path).or_default() += 1;
            Some(level)
        })
        .collect()
}

/// The text with the changes made, outermost first.
pub(super) fn respelled<'a>(text: &'a str, changes: &[Change], graph: &Graph) -> CastText<'a> {
    let mut cast = CastText { text: Cow::Borrowed(text), casts: Vec::new() };
    let levels = levels(changes);
    for level in 0..=levels.iter().flatten().copied().max().unwrap_or(0) {
        let batch: Vec<&Change> =
            changes.iter().zip(&levels).filter(|(_, at)| **at == Some(level)).map(|(change, _)| change).collect();
        let (text, made) = made(&cast.text, &batch);
        cast.casts.extend(made.into_iter().map(|change| Cast {
            path: bounded_pointer(&change.path, None),
            shown: bounded_pointer(&change.path, Some(&graph.declared)),
            kind: change.kind,
        }));
        cast.text = Cow::Owned(text);
    }
    if cast.casts.is_empty() {
        cast.text = Cow::Borrowed(text);
    }
    cast
}

/// The path under which a change finds its place before it is made.
fn looked_for(change: &Change) -> Cow<'_, [Segment]> {
    let object = || change.path.split_last().map_or(&[][..], |(_, object)| object);
    match change.kind {
        CastKind::Default => Cow::Borrowed(object()),
        CastKind::KeyCase | CastKind::Alias => {
            let mut path = object().to_vec();
            path.push(Segment::Key(change.filled.as_str().into()));
            Cow::Owned(path)
        }
        _ => Cow::Borrowed(&change.path),
    }
}

/// What a change does to the text; `None` if it finds nothing to change, `Some(None)` if another one at the same place does it.
#[expect(clippy::option_option, reason = "a change that is on record may leave the text to another one")]
fn edit(change: &Change, text: &str, spot: Spot, grown: &mut HashSet<usize>) -> Option<Option<(Range<usize>, String)>> {
    let Spot { span, name, addition, .. } = spot;
    let own = text.get(span.clone())?;
    let edit = match change.kind {
        CastKind::Default => {
            let (Some((at, has_members)), Some(Segment::Key(name))) = (addition, change.path.last()) else {
                return None;
            };
            let has_before = !grown.insert(at) || has_members;
            let comma = if has_before { ", " } else { "" };
            (at..at, format!("{comma}{}: {}", Value::from(name.as_ref()), change.filled))
        }
        CastKind::KeyCase | CastKind::Alias => {
            let Some(Segment::Key(field)) = change.path.last() else { return None };
            (name?, Value::from(field.as_ref()).to_string())
        }
        CastKind::IntegralFloat => (span, spelled_out(own)?),
        CastKind::StringToJson => (span, serde_json::from_str(own).ok()?),
        CastKind::ToList => (span, format!("[{own}]")),
        CastKind::FromList => (span, own.strip_prefix('[')?.strip_suffix(']')?.trim_ascii().to_owned()),
        CastKind::ToString => (span, format!("\"{own}\"")),
        _ if change.filled.is_empty() => return Some(None),
        _ => (span, change.filled.clone()),
    };
    Some(Some(edit))
}

/// A text with changes made that do not lie inside each other, and those that were made.
fn made<'c>(text: &str, changes: &[&'c Change]) -> (String, Vec<&'c Change>) {
    // What is filled in is looked for by the object around it, and what is renamed by its name before.
    let paths: Vec<Cow<'_, [Segment]>> = changes.iter().map(|change| looked_for(change)).collect();
    let paths: Vec<&[Segment]> = paths.iter().map(AsRef::as_ref).collect();
    let spots = locate(text, &paths);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // Where members were added already.
    let mut grown = HashSet::new();
    let mut made = Vec::new();
    for (change, spot) in changes.iter().zip(spots) {
        let Some(edit) = spot.and_then(|spot| edit(change, text, spot, &mut grown)) else { continue };
        edits.extend(edit);
        made.push(*change);
    }
    jsonseam_text::sort_by_key(&mut edits, |(span, _)| span.start);
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in edits {
        result.push_str(&text[at..span.start]);
        result.push_str(&replacement);
        at = span.end;
    }
    result.push_str(&text[at..]);
    (result, made)
}

/// The digits of a number that is an integer but spelled with a point or an exponent.
///
/// `None` if it is spelled as an integer already, is a negative zero, or would be too long.
fn spelled_out(number: &str) -> Option<String> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == number.len() {
        return None;
    }
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let exponent: i64 = exponent.parse().ok()?;
    let mut digits = format!("{whole}{fraction}");
    let point = i64::try_from(whole.len()).ok()?.checked_add(exponent)?;
    if digits.bytes().all(|digit| digit == b'0') {
        return sign.is_empty().then(|| "0".to_owned());
    }
    let point = usize::try_from(point).ok()?;
    if point > MAX_DIGITS {
        return None;
    }
    while digits.len() < point {
        digits.push('0');
    }
    let (integer, rest) = digits.split_at(point);
    if rest.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let integer = integer.trim_start_matches('0');
    Some(format!("{sign}{integer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_floats_are_spelled_out_from_their_digits() {
        for (number, integer) in [
            ("3.0", Some("3")),
            ("-3.00", Some("-3")),
            ("1e2", Some("100")),
            ("1.50E+1", Some("15")),
            ("120e-1", Some("12")),
            ("12345678901234567890123.0", Some("12345678901234567890123")),
            ("0.0", Some("0")),
            ("-0.0", None),
            ("3", None),
            ("1e400", None),
            ("1e99999999999999999999", None),
            ("0.5", None),
            ("0.10e1", Some("1")),
        ] {
            assert_eq!(spelled_out(number).as_deref(), integer, "{number}");
        }
    }
}
