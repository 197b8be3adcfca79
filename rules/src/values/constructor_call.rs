//! `constructor-call`: values wrapped in the constructor of a type.

use jsonseam_core::{Edit, Edits, Fault, rule};

use crate::shared::{layout, words::words};

rule! {
    /// Unwraps a value from a constructor call.
    ///
    /// # What
    /// A value is expected, and there is the constructor of a well-known type with one literal as its argument:
    /// `ObjectId("…")`, `NumberLong(2)`, `Decimal('1.10')`, `new Date("…")`.
    /// The argument stays, as a string, number or literal.
    ///
    /// # Why
    /// Database shells and the consoles of Python and JavaScript print values this way.
    ///
    /// # Example
    /// `{"_id": ObjectId("5f1e"), "n": NumberLong(2)}` becomes `{"_id": "5f1e", "n": 2}`.
    ///
    /// # Limits
    /// The type is lost, so it is lossy. Calls of other names (`str(2)`, `f("x")`) are code and left alone, and so are
    /// calls with several arguments (`datetime(2024, 1, 2)`).
    pub struct ConstructorCall {
        name: "constructor-call",
        risk: Lossy,
        answers: [Value],
        next: [Letter],
        only: constructor_call,
    }
}

fn constructor_call(fault: &Fault<'_>) -> Option<Edits> {
    let word = fault.ahead().word();
    if word != "new" && !CONSTRUCTORS.contains(&word) {
        return None;
    }
    let line = layout::line_to(fault.ahead(), ')')?;
    let call = line.strip_prefix("new ").unwrap_or(line);
    let (name, rest) = call.split_once('(')?;
    if !CONSTRUCTORS.contains(&name) {
        return None;
    }
    let argument = rest.trim_start_matches(' ');
    let start = line.len() - argument.len();
    let (len, quote) = literal(argument)?;
    let mark = if quote > 0 { "\"" } else { "" };
    let (pos, after) = (fault.pos(), fault.ahead().after(line.len()));
    let opens = Edit::replace(pos..pos + start + quote, mark);
    let closes = Edit::replace(pos + start + len - quote..after.pos(), mark);
    let is_last = argument.get(len..)?.trim_start_matches(' ') == ")" && after.could_end_scalar(fault.container());
    is_last.then(|| Edits::from([opens, closes]))
}

/// Constructors whose only argument is the value, by the languages that print them.
const CONSTRUCTORS: [&str; 24] = words(
    "\
    ObjectId ObjectID ISODate NumberLong NumberInt NumberDecimal UUID Date Decimal Fraction Path PosixPath \
    WindowsPath Timestamp np.float64 np.float32 np.int64 np.int32 np.str_ np.bool_ decimal.Decimal uuid.UUID \
    bson.ObjectId BigInt",
);

/// The length of the literal at the start of `text`, and that of each of its quotes, if it has some.
fn literal(text: &str) -> Option<(usize, usize)> {
    if let Some(quote) = text.chars().next().filter(|char| matches!(char, '"' | '\'')) {
        let content = text.get(1..)?;
        let len = content.find(quote)?;
        let is_simple = !content.get(..len)?.contains(|char: char| char < ' ' || matches!(char, '"' | '\\'));
        return is_simple.then_some((len + 2, 1));
    }
    let len =
        text.find(|char: char| !(char.is_ascii_alphanumeric() || matches!(char, '.' | '-'))).unwrap_or(text.len());
    (len > 0).then_some((len, 0))
}

#[cfg(test)]
jsonseam_testkit::laws!(ConstructorCall);
