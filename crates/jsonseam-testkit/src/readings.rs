//! Laws that compare several subjects, or several truths of one text (SPEC R4): *order-free*, *monotone*, *doubtful* and *honest*.
//!
//! Each is a function over [`Subject`]s, so that a subject that breaks it on purpose can show that it is caught.

use std::collections::BTreeSet;

use jsonseam_core::{Reason, Registration, Risk, Role, Status};

use crate::laws::Violation;
use crate::random::Random;
use crate::subject::{Accepted, Outcome, Subject};
use crate::superset::{self, Notation};
use crate::value::Value;

/// The reason of a refusal that weighed two readings.
const AMBIGUOUS: &str = "ambiguous_repair";

/// Reasons, beside `ambiguous_repair`, for which a richer preset may refuse what a poorer one repairs. Each needs its why.
const EXCEPTIONS: [(&str, &str); 0] = [];

fn violation(law: &'static str, seen: String, text: &str) -> Violation {
    Violation { law, seen, text: text.to_owned() }
}

fn says_same(one: &str, other: &str) -> bool {
    Value::read(one).zip(Value::read(other)).is_some_and(|(one, other)| one.says(&other))
}

/// The names of a preset's rules with those that answer faults in another order, which the seed chooses. Locators keep theirs: it decides which
/// payload is taken. A rule more or less leaves the order of the others as it is, so that what a seed shows it shows tomorrow too.
pub fn shuffled<'r>(rules: &[&'r Registration], seed: u64) -> Vec<&'r str> {
    let (locators, mut repairs): (Vec<_>, Vec<_>) =
        rules.iter().map(|rule| (rule, rule.name)).partition(|(rule, _)| matches!(rule.role, Role::Locate { .. }));
    repairs.sort_by_key(|(_, name)| Random::new(seed ^ seed_of(name)).next_u64());
    locators.into_iter().chain(repairs).map(|(_, name)| name).collect()
}

/// A seed that belongs to a text (FNV-1a): what is drawn for the text does not depend on which others there are.
pub fn seed_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// *Order-free*: the same rules asked in another order give the same value, or refuse for the same reason.
pub fn order_free(subject: &dyn Subject, reordered: &dyn Subject, text: &str) -> Result<(), Violation> {
    let seen = match (subject.repair(text), reordered.repair(text)) {
        (Outcome::Accepted(one), Outcome::Accepted(other)) if says_same(&one.text, &other.text) => return Ok(()),
        (Outcome::Refused { reason: one, .. }, Outcome::Refused { reason: other, .. }) if one == other => return Ok(()),
        (one, other) => format!("another order gives {}, not {}", shown(&other), shown(&one)),
    };
    Err(violation("order-free", seen, text))
}

/// *Monotone*: what `poorer` repairs, `richer` repairs to the same value at no higher risk, or refuses because the text is ambiguous.
pub fn monotone(poorer: &dyn Subject, richer: &dyn Subject, text: &str) -> Result<(), Violation> {
    let Outcome::Accepted(less) = poorer.repair(text) else {
        return Ok(());
    };
    let seen = match richer.repair(text) {
        Outcome::Accepted(more) if !says_same(&less.text, &more.text) => {
            format!("the richer preset gives {:?}, not {:?}", more.text, less.text)
        }
        Outcome::Accepted(more) if risk(&more) > risk(&less) => {
            format!("the richer preset takes the risk {:?}, not {:?}", risk(&more), risk(&less))
        }
        Outcome::Accepted(_) => return Ok(()),
        Outcome::Refused { reason, .. } if is_excused(reason) => return Ok(()),
        Outcome::Refused { reason, .. } => format!("the richer preset refuses it: {reason}"),
    };
    Err(violation("monotone", seen, text))
}

fn is_excused(reason: Reason) -> bool {
    reason.as_str() == AMBIGUOUS || EXCEPTIONS.iter().any(|(known, _)| reason.as_str() == *known)
}

fn risk(accepted: &Accepted) -> Option<Risk> {
    accepted.edits.iter().map(|(_, risk, ..)| *risk).max()
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Accepted(accepted) => format!("{:?}", accepted.text),
        Outcome::Refused { reason, .. } => format!("the refusal {reason}"),
    }
}

/// *Doubtful*: a text that was made from two different truths is refused.
pub fn doubtful(subject: &dyn Subject, text: &str) -> Result<(), Violation> {
    match subject.repair(text) {
        Outcome::Refused { .. } => Ok(()),
        Outcome::Accepted(accepted) => {
            Err(violation("doubtful", format!("two truths are possible, and {:?} was chosen", accepted.text), text))
        }
    }
}

/// Rules of risk `likely` that drop letters, digits or signs which are notation and no part of a key or value, with the reason.
pub const NOTATION: &[(&str, &str)] = &[
    ("string-prefix", "`u'a'`: the prefix says how the string is written"),
    ("html-comment", "a comment is no value"),
    ("color-sequence", "`\\u001b[1;32m`: a colour of a terminal is no value"),
    ("dash-comment", "a comment is no value"),
    ("unclosed-comment", "a comment is no value"),
    ("concatenated-strings", "`\"a\" + \"b\"`: the sign joins two parts of one string"),
    ("other-language-colon", "`->`: the arrow is no sign of a number"),
];

/// *Honest*: an edit that calls itself likely keeps every letter, digit and sign, and a result that is certain says what an independent reader of
/// the supersets of JSON reads: all notations that read the payload agree, and at least the mixture of all of them does.
pub fn honest(subject: &dyn Subject, text: &str) -> Result<(), Violation> {
    honest_outcome(&subject.repair(text), text)
}

/// The same for what a subject has made of the text.
pub fn honest_outcome(outcome: &Outcome, text: &str) -> Result<(), Violation> {
    let Outcome::Accepted(accepted) = outcome else {
        return Ok(());
    };
    for (rule, risk, span, replacement) in &accepted.edits {
        let removed = text.get(span.clone()).unwrap_or_default();
        let is_notation = NOTATION.iter().any(|(known, _)| known == rule);
        if *risk == Risk::Likely && !is_notation && !signs(removed).eq(signs(replacement)) {
            let seen = format!("`{rule}` calls it likely to write {replacement:?} for {removed:?}");
            return Err(violation("honest", seen, text));
        }
    }
    if accepted.status == Status::Repaired && risk(accepted) == Some(Risk::Certain) {
        certain(accepted, text).map_err(|seen| violation("honest", seen, text))?;
    }
    Ok(())
}

/// The letters, digits and signs of a text; those of an escape are the spelling of another character.
fn signs(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (char, tail) = first_char(rest)?;
            rest = tail;
            if char.is_alphanumeric() || matches!(char, '+' | '-') {
                return Some(char);
            }
        }
    })
}

/// The first character of a text that may hold escapes, and what follows it.
fn first_char(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '\\' {
        return Some((first, chars.as_str()));
    }
    let rest = chars.as_str();
    if let Some(digits) = rest.strip_prefix('u').and_then(|digits| digits.get(..4))
        && let Ok(unit) = u32::from_str_radix(digits, 16)
    {
        return Some((char::from_u32(unit).unwrap_or('\u{fffd}'), rest.get(5..).unwrap_or_default()));
    }
    // An invalid escape is a backslash and a letter.
    let is_escape = rest.starts_with(['n', 't', 'r', 'b', 'f', '\\', '"', '/']);
    Some(('\\', if is_escape { rest.get(1..).unwrap_or_default() } else { rest }))
}

fn certain(accepted: &Accepted, text: &str) -> Result<(), String> {
    let payload = text.get(accepted.payload.clone()).unwrap_or_default();
    let rules: BTreeSet<_> = accepted.edits.iter().map(|(rule, ..)| rule.as_str()).collect();
    let Some(said) = Value::read(&accepted.text) else {
        return Err("a certain result that is not JSON".to_owned());
    };
    let readings = [Notation::Json5, Notation::JavaScript, Notation::Python, Notation::Any]
        .map(|notation| superset::read(payload, notation).map(|value| (notation, value)));
    let mut readings = readings.into_iter().flatten().peekable();
    if readings.peek().is_none() {
        return Err(format!("{rules:?} call it certain, and no superset of JSON reads it"));
    }
    match readings.find(|(_, value)| !value.says(&said)) {
        Some((notation, _)) => Err(format!("{rules:?} call it certain, and {notation:?} reads another value")),
        None => Ok(()),
    }
}
