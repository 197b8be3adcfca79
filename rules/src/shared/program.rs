//! Program text: what is written like data, and names variables.

use jsonseam_core::{Ahead, Fault};

use super::runs::at_most;

/// How much of what precedes a payload is read for signs of a program, in bytes.
const REACH: usize = 96;

/// Words that join names to an expression.
const OPERATORS: [&str; 8] = ["if", "else", "and", "or", "not", "in", "is", "as"];

/// Whether `text`, which has no quotes, is a variable or an expression: a name, or names and operators, in a payload that is assigned, returned, or an
/// argument of a call; or a comprehension anywhere.
pub fn is_expression(fault: &Fault<'_>, text: &str) -> bool {
    let is_name = |word: &str| word.chars().all(|char| is_of_name(char) || char == '.');
    let is_spaced = text.contains(' ');
    let is_of_names =
        || text.split(' ').all(is_name) && (!is_spaced || text.split(' ').any(|word| OPERATORS.contains(&word)));
    is_spaced && is_comprehension(text) || is_of_names() && place(fault).is_value
}

/// Whether the payload is what a type is made with, `Point({x: 1})`: in Python its bare keys are variables.
pub fn is_of_type(fault: &Fault<'_>) -> bool {
    fault.at(fault.region_start()).char_before() == Some('(') && place(fault).is_made
}

/// Whether the payload is pieced together by a program, whose own texts are in `quote`: `'{"n": ' || n || '}'`.
pub fn pieces_together(fault: &Fault<'_>, quote: char) -> bool {
    let joints = if quote == '\'' { ["' ||", "' +"] } else { ["\" ||", "\" +"] };
    fault.at(fault.region_start()).char_before() == Some(quote)
        && joints.into_iter().any(|joint| fault.ahead().find(joint).is_some())
}

/// Whether a comprehension is in `text`: `x for x in rows`, where what is before `for` names a variable that is bound after it.
fn is_comprehension(text: &str) -> bool {
    let Some((value, rest)) = text.split_once(" for ") else { return false };
    let Some((bound, _)) = rest.split_once(" in ") else { return false };
    names(bound).any(|name| names(value).any(|used| used == name))
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !is_of_name(char)).filter(|name| !name.is_empty())
}

/// Whether what follows a container goes on with it as an expression does: `for x in rows`, or a `*` and its operand.
pub fn continues_expression(ahead: Ahead<'_>) -> bool {
    let mut rest = ahead;
    let mut loops = || rest.take_while(at_most(REACH - 1, |char| char != '\n')).contains(" in ");
    ahead.starts_with("* ") || ahead.starts_with("for ") && loops()
}

fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// What a payload is in the program around it.
#[derive(Debug, Clone, Copy)]
struct Place {
    is_value: bool,
    is_made: bool,
}

/// Remembered, since every word without quotes asks it.
fn place(fault: &Fault<'_>) -> Place {
    #[derive(PartialEq, Eq, Hash)]
    struct PlaceOf(usize);
    let start = fault.region_start();
    fault.memo(PlaceOf(start), || {
        let before = fault.at(start).before(REACH);
        Place { is_value: ends_as_program(before), is_made: ends_in_type(before) }
    })
}

fn ends_as_program(before: &str) -> bool {
    let before = before.trim_end_matches(|char: char| char.is_whitespace() || matches!(char, '[' | '{'));
    let line = before.rsplit('\n').next().unwrap_or_default();
    let call = line.rsplit_once('(').filter(|(_, arguments)| !arguments.contains(')'));
    let is_call = call.is_some_and(|(name, _)| name.ends_with(is_of_name));
    before.ends_with('=') || is_call || matches!(line.split_whitespace().next_back(), Some("return" | "yield"))
}

fn ends_in_type(before: &str) -> bool {
    let name = before.strip_suffix('(').unwrap_or_default();
    let rest = name.trim_end_matches(is_of_name);
    name[rest.len()..].starts_with(char::is_uppercase) && !rest.ends_with("new ")
}
