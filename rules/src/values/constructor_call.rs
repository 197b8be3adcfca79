//! `constructor-call`: values wrapped in the constructor of a type.

use jsonseam_core::{Edit, Edits, Fault, rule};

use crate::shared::words::words;

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
    let mut next = fault.ahead();
    next.eat("new ");
    let name = next.word();
    next = next.after(name.len());
    if !CONSTRUCTORS.contains(&name) || !next.eat("(") {
        return None;
    }
    next.take_while(|char| char == ' ');
    let quote = next.peek().filter(|char| matches!(char, '"' | '\''));
    next = next.after(quote.map_or(0, char::len_utf8));
    let start = next.pos();
    let content = next.take_while(|char| match quote {
        Some(quote) => char >= ' ' && char != quote && !matches!(char, '"' | '\\' | ')'),
        None => char.is_ascii_alphanumeric() || matches!(char, '.' | '-'),
    });
    let end = next.pos();
    let is_literal = quote.map_or(!content.is_empty(), |quote| next.bump() == Some(quote));
    next.take_while(|char| char == ' ');
    let mark = if quote.is_some() { "\"" } else { "" };
    let is_call = is_literal && next.eat(")") && next.could_end_scalar(fault.container());
    is_call.then(|| Edits::from([Edit::replace(fault.pos()..start, mark), Edit::replace(end..next.pos(), mark)]))
}

/// Constructors whose only argument is the value, by the languages that print them.
const CONSTRUCTORS: [&str; 24] = words(
    "\
    ObjectId ObjectID ISODate NumberLong NumberInt NumberDecimal UUID Date Decimal Fraction Path PosixPath \
    WindowsPath Timestamp np.float64 np.float32 np.int64 np.int32 np.str_ np.bool_ decimal.Decimal uuid.UUID \
    bson.ObjectId BigInt",
);

#[cfg(test)]
jsonseam_testkit::laws!(ConstructorCall);
