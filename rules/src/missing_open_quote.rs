//! `missing-open-quote`: a key or value without its opening quote.

use jsonseam_core::{Edit, Expected, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::{clues, ends, numbers};

rule! {
    /// Opens a string that has only its closing quote.
    ///
    /// # What
    /// A key or value is expected, and there are words on one line, then `"`, after which the text continues as data. A `"` is inserted before the words,
    /// or before the number or literal that they begin with.
    ///
    /// # Why
    /// Models drop a quote where they change from structure to text.
    ///
    /// # Example
    /// `{"a": x y", "b": 1}` becomes `{"a": "x y", "b": 1}`.
    ///
    /// # Limits
    /// The words hold no quote, no backslash and no line break, and the text after the quote must be readable to the end.
    pub struct MissingOpenQuote {
        name: "missing-open-quote",
        risk: Guess,
        answers: [Value, Key, Comma],
    }
}

impl RepairRule for MissingOpenQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(start) = start(fault) else { return };
        let Some(string) = ends::unopened(fault, start) else { return };
        let mut ahead = fault.at(start);
        let mut tight = Tight::default();
        let text = ahead.take_while(|char| {
            char >= ' ' && !matches!(char, '"' | '\\' | '\u{201C}' | '\u{201D}') && tight.allows(char)
        });
        let is_short = text.len() <= if string.is_key { MAX_KEY } else { MAX_TEXT };
        let is_closed = !text.is_empty()
            && ahead.eat("\"")
            && !ahead.peek().is_some_and(char::is_alphanumeric)
            && ends::fits_after(fault, string, ahead.pos());
        // A quote after a comma, at which the text breaks off, opens the next key.
        let opens_next = || text.trim_end().ends_with(',') && ahead.skip_json_space().peek().is_none();
        if is_short && is_closed && ahead.pos() > fault.pos() && !opens_next() {
            let structure =
                text.matches(", ").count() + text.matches(": ").count() + text.matches(['[', ']', '{', '}']).count();
            let offer = to.offer(Edit::insert(start, "\"")).clues(clues::STRUCTURE_IN_TEXT, structure);
            if start == fault.pos() && fault.gap_len() > 1 && !fault.gap_has_newline() {
                offer.doubt("some of the blanks may belong to the text");
            }
        }
    }
}

/// How long a text and a key may be, in bytes.
const MAX_TEXT: usize = 4096;
const MAX_KEY: usize = 64;

/// Counts brackets, and separators with no blank after them: those of a list, which no text of one string has many of.
#[derive(Default)]
struct Tight {
    count: usize,
    is_after_separator: bool,
}

impl Tight {
    /// How many of them a text may hold. What is beyond is not read, so that a long list of defects stays linear.
    const MOST: usize = 2;

    fn allows(&mut self, char: char) -> bool {
        let is_bracket = matches!(char, '[' | ']' | '{' | '}');
        self.count += usize::from(is_bracket || self.is_after_separator && !char.is_whitespace());
        self.is_after_separator = matches!(char, ',' | ':');
        self.count <= Self::MOST
    }
}

/// Where the text begins: at the fault, or with the number or word right before it.
fn start(fault: &Fault<'_>) -> Option<usize> {
    let next = fault.next_char()?;
    match fault.expected() {
        // `[105,000.00"]`: the text begins with the group of digits before the comma.
        Expected::Value if numbers::may_be_digit_group(fault) && numbers::digits(fault.ahead(), 4) == 3 => {
            fault.token(1).map(|number| number.span.start)
        }
        Expected::Value | Expected::Key => {
            let is_text =
                next.is_alphanumeric() || matches!(next, '(' | '-' | '+' | '$' | '<' | '#' | '@' | '*' | '/' | '_');
            is_text.then(|| fault.pos())
        }
        _ => {
            let word = fault.token(0).filter(|_| next.is_alphabetic())?;
            matches!(word.kind, TokenKind::Number | TokenKind::Literal).then_some(word.span.start)
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingOpenQuote);
