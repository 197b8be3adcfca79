//! Values that are not spelled as JSON: Python literals, and members with bare keys. What is JSON already is kept.
//!
//! Nothing is evaluated (Python Language Reference, section 2.4 for the literals that are read here).

mod number;
mod string;

use std::ops::Range;

use jsonseam_core::Risk;

use self::number::number;
use self::string::{closing, python_string_at, unescaped};
use crate::cursor::{Cursor, Finder, Stop};
use crate::pack::Format;
use crate::template::{Template, is_name_char};
use crate::weave::{Edit, Piece, escaped, string_content};

/// The rule of the edits that put the opening mark before a string.
const UNOPENED: &str = "unopened-string";
/// The longest string that may lack its opening mark, in characters.
const MAX_UNOPENED: usize = 512;
/// Deepest nesting that is read.
const MAX_DEPTH: usize = 100;

/// How values are spelled.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'p> {
    /// What searches the text.
    pub(crate) finder: &'p Finder<'p>,
    /// Marks around strings, besides quotes.
    pub(crate) quotes: &'p [[String; 2]],
    /// Whether keys of objects may stand without quotes.
    pub(crate) has_bare_keys: bool,
    /// The format around the values: where it ends calls with a mark, strings may hold newlines, and no string holds a head or an end.
    pub(crate) format: Option<&'p Format>,
    /// Which members of the outermost object are text by their schema.
    pub(crate) is_text: Option<&'p dyn Fn(&str) -> bool>,
}

impl Spelling<'_> {
    /// Reads one value, and pushes the pieces of its JSON.
    pub(crate) fn value(&self, at: &mut Cursor<'_>, depth: usize, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
        at.skip_blanks();
        if depth > MAX_DEPTH {
            return Err(Stop::TooDeep(at.pos));
        }
        if self.quoted(at, depth > 0, pieces)? {
            return Ok(());
        }
        match at.peek() {
            Some('[') => self.items(at, ("[", "]"), depth, pieces),
            Some('(') => self.parentheses(at, depth, pieces),
            Some('{') if self.is_set(at) => self.items(at, ("{", "}"), depth, pieces),
            Some('{') => self.members(at, depth, pieces),
            Some('+' | '-' | '.' | '0'..='9') => number(at, pieces),
            Some(char) if char.is_ascii_alphabetic() => constant(at, pieces),
            _ => Err(at.stop()),
        }
    }

    /// Reads a string in any of the quotes, if one is here. Strings of Python that follow each other are one, and within brackets a newline may be between them.
    fn quoted(&self, at: &mut Cursor<'_>, is_bracketed: bool, pieces: &mut Vec<Piece>) -> Result<bool, Stop> {
        for [open, close] in self.quotes {
            if at.eat(open) {
                let end = self.finder.find(close, at.pos).ok_or(Stop::Cut)?;
                self.holds_no_mark(at.text, at.pos..end, false)?;
                pieces.extend([Piece::insert("\""), string_content(at.text, at.pos..end), Piece::insert("\"")]);
                at.pos = end + close.len();
                return Ok(true);
            }
        }
        let is_cut_mark = self.quotes.iter().any(|[open, _]| !at.rest().is_empty() && open.starts_with(at.rest()));
        if is_cut_mark {
            return Err(Stop::Cut);
        }
        let mut ahead = *at;
        let mut is_first = true;
        while let Some(is_raw) = python_string_at(&mut ahead)? {
            if is_first {
                pieces.push(Piece::insert("\""));
            }
            is_first = false;
            pieces.push(self.python_string(&mut ahead, is_raw)?);
            *at = ahead;
            ahead.take_while(|char| matches!(char, ' ' | '\t') || is_bracketed && char.is_whitespace());
        }
        if !is_first {
            pieces.push(Piece::insert("\""));
        }
        Ok(!is_first)
    }

    /// Whether a value that is text by its schema, or a word that means nothing else, starts here without quotes.
    /// Only formats with marks around strings have such.
    fn is_bare_text(&self, at: &Cursor<'_>, is_text: bool) -> bool {
        let mut ahead = *at;
        ahead.skip_blanks();
        let word = ahead.take_while(|char| char.is_alphanumeric() || char == '_');
        let word = at.text.get(word).unwrap_or_default();
        let is_constant = matches!(word, "true" | "false" | "null" | "True" | "False" | "None");
        let is_word = word.starts_with(char::is_alphabetic) && !is_constant;
        !self.quotes.is_empty() && (is_word || is_text && !word.is_empty())
    }

    /// Refuses a string that runs over the head of a call or, where its own end is less certain, over an end.
    fn holds_no_mark(&self, text: &str, span: Range<usize>, nor_end: bool) -> Result<(), Stop> {
        let Some(format) = self.format else { return Ok(()) };
        let content = text.get(span.clone()).unwrap_or_default();
        let marks = format.heads.iter().chain(format.ends.iter().filter(|_| nor_end)).map(Template::anchor);
        let first = marks.filter_map(|mark| content.find(mark)).min();
        first.map_or(Ok(()), |at| Err(Stop::RunsOver(span.start + at)))
    }

    /// Whether a set of strings starts here: `{'a', 'b'}`.
    fn is_set(&self, at: &Cursor<'_>) -> bool {
        let mut ahead = *at;
        let is_string = ahead.eat("{") && {
            ahead.skip_blanks();
            ahead.peek().is_some_and(|char| matches!(char, '"' | '\''))
        };
        let is_read = is_string && matches!(self.quoted(&mut ahead, true, &mut Vec::new()), Ok(true));
        ahead.skip_blanks();
        is_read && matches!(ahead.peek(), Some(',' | '}'))
    }

    fn items(
        &self,
        at: &mut Cursor<'_>,
        (open, close): (&str, &str),
        depth: usize,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Stop> {
        at.expect(open)?;
        pieces.push(Piece::insert("["));
        self.items_until(at, close, true, depth, pieces)?;
        pieces.push(Piece::insert("]"));
        Ok(())
    }

    /// Reads items up to `close` and over it.
    fn items_until(
        &self,
        at: &mut Cursor<'_>,
        close: &str,
        mut is_first: bool,
        depth: usize,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Stop> {
        loop {
            at.skip_blanks();
            if at.eat(close) {
                return Ok(());
            }
            if !is_first {
                pieces.push(Piece::insert(","));
            }
            is_first = false;
            if !self.unopened(at, close, pieces) {
                self.value(at, depth + 1, pieces)?;
            }
            separator(at, close)?;
        }
    }

    /// Reads a string whose opening mark is missing, up to the mark that ends it; `false` if no such string is certain here.
    /// A comma, a closer or a colon in it may belong to what is around it.
    fn unopened(&self, at: &mut Cursor<'_>, close: &str, pieces: &mut Vec<Piece>) -> bool {
        const STRUCTURE: [char; 9] = ['{', '}', '[', ']', '"', '\n', ':', '<', '>'];
        let found = self.quotes.iter().find_map(|[open, end]| Some((open, end, self.finder.find(end, at.pos)?)));
        let Some((open, mark, end)) = found else { return false };
        let is_list = close != "}" && close != ")";
        // The mark may be far away, and every item asks.
        let mut near = at.rest().char_indices().take(MAX_UNOPENED);
        let stop = near.find(|(_, char)| STRUCTURE.contains(char) || is_list && *char == ',');
        let len = stop.map_or(MAX_UNOPENED, |(len, _)| len);
        self.finder.charge(len);
        if end > at.pos + len {
            return false;
        }
        let text = at.text.get(at.pos..end).unwrap_or_default();
        let mut after = Cursor::new(at.text, end + mark.len());
        after.skip_blanks();
        let is_ended = after.peek() == Some(',') || after.rest().starts_with(close);
        let is_plain = !text.trim().is_empty() && !text.contains(open.as_str());
        // Before a mark that opens a string there is a comma or a colon.
        if !is_ended || !is_plain || text.trim_end().ends_with(',') {
            return false;
        }
        let opened = Edit::new(UNOPENED, Risk::Likely, at.pos..at.pos, "\"".to_owned());
        pieces.extend([Piece::Edit(opened), string_content(at.text, at.pos..end), Piece::insert("\"")]);
        at.pos = end + mark.len();
        true
    }

    /// Only a comma makes a tuple: one value in parentheses is that value.
    fn parentheses(&self, at: &mut Cursor<'_>, depth: usize, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
        at.expect("(")?;
        at.skip_blanks();
        if at.eat(")") {
            pieces.push(Piece::insert("[]"));
            return Ok(());
        }
        let mut first = Vec::new();
        self.value(at, depth + 1, &mut first)?;
        at.skip_blanks();
        if at.eat(")") {
            pieces.extend(first);
            return Ok(());
        }
        at.expect(",")?;
        pieces.push(Piece::insert("["));
        pieces.extend(first);
        self.items_until(at, ")", false, depth, pieces)?;
        pieces.push(Piece::insert("]"));
        Ok(())
    }

    /// The content of a string of Python in single, double or tripled quotes, whose prefix was read; passes over it.
    fn python_string(&self, at: &mut Cursor<'_>, is_raw: bool) -> Result<Piece, Stop> {
        let quote = at.peek().filter(|char| matches!(char, '"' | '\'')).ok_or_else(|| at.stop())?;
        let tripled = quote.to_string().repeat(3);
        let single = quote.to_string();
        let mark = if at.rest().starts_with(&tripled) { tripled } else { single };
        at.expect(&mark)?;
        let start = at.pos;
        let has_end = self.format.is_some_and(|format| !format.ends.is_empty());
        let end = closing(at, &mark, has_end)?;
        let content = at.text.get(start..end).unwrap_or_default();
        if mark.len() == 1 && content.contains('\n') {
            self.holds_no_mark(at.text, start..end, true)?;
        }
        let piece = if content.contains('\\') && !is_raw {
            Piece::insert(escaped(&unescaped(content).ok_or(Stop::Malformed(start))?))
        } else {
            string_content(at.text, start..end)
        };
        at.pos = end + mark.len();
        Ok(piece)
    }

    fn members(&self, at: &mut Cursor<'_>, depth: usize, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
        at.expect("{")?;
        pieces.push(Piece::insert("{"));
        self.members_until(at, "}", ":", depth, pieces)?;
        pieces.push(Piece::insert("}"));
        Ok(())
    }

    /// Reads members, `colon` between key and value, up to `close` and over it.
    pub(crate) fn members_until(
        &self,
        at: &mut Cursor<'_>,
        close: &str,
        colon: &str,
        depth: usize,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Stop> {
        let mut is_first = true;
        loop {
            at.skip_blanks();
            if at.eat(close) {
                return Ok(());
            }
            if !is_first {
                pieces.push(Piece::insert(","));
            }
            is_first = false;
            let mut is_text = false;
            if self.has_bare_keys && at.peek().is_some_and(char::is_alphanumeric) || at.peek() == Some('_') {
                let is_in_key = |char: char| is_name_char(char) && char != ':';
                let key = at.take_while(is_in_key);
                is_text =
                    depth == 0 && self.is_text.is_some_and(|is_text| at.text.get(key.clone()).is_some_and(is_text));
                pieces.extend([Piece::insert("\""), Piece::Keep(key), Piece::insert("\"")]);
            } else if !self.quoted(at, true, pieces)? {
                return Err(at.stop());
            }
            at.skip_blanks();
            at.expect(colon)?;
            pieces.push(Piece::insert(":"));
            at.skip_blanks();
            let is_read =
                self.unopened(at, close, pieces) || self.is_bare_text(at, is_text) && bare_text(at, close, pieces);
            if !is_read {
                self.value(at, depth + 1, pieces)?;
            }
            separator(at, close)?;
        }
    }
}

/// Reads text without quotes up to a comma or the closer; `false` if it holds what only a value with structure does, or the text ends within it.
fn bare_text(at: &mut Cursor<'_>, close: &str, pieces: &mut Vec<Piece>) -> bool {
    at.skip_blanks();
    let mut ahead = *at;
    let span =
        ahead.take_while(|char| !matches!(char, ',' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | '"' | '\n'));
    let is_ended = ahead.peek() == Some(',') || ahead.rest().starts_with(close);
    let text = at.text.get(span.clone()).unwrap_or_default();
    if !is_ended || text.is_empty() {
        return false;
    }
    let span = span.start..span.start + text.trim_end().len();
    pieces.extend([Piece::insert("\""), string_content(at.text, span), Piece::insert("\"")]);
    *at = ahead;
    true
}

/// A comma, or the closer ahead.
fn separator(at: &mut Cursor<'_>, close: &str) -> Result<(), Stop> {
    at.skip_blanks();
    if at.eat(",") || at.rest().starts_with(close) { Ok(()) } else { Err(at.stop()) }
}

fn constant(at: &mut Cursor<'_>, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
    let span = at.take_while(|char| char.is_alphanumeric() || char == '_');
    let piece = match at.text.get(span.clone()).unwrap_or_default() {
        "true" | "false" | "null" => Piece::Keep(span.clone()),
        "True" => Piece::insert("true"),
        "False" => Piece::insert("false"),
        "None" => Piece::insert("null"),
        _ if at.rest().is_empty() => return Err(Stop::Cut),
        _ => return Err(Stop::Malformed(span.start)),
    };
    if at.rest().is_empty() {
        return Err(Stop::Cut);
    }
    pieces.push(piece);
    Ok(())
}

/// Reads the string that begins here with `quote`: what its escapes say.
pub(crate) fn escaped_string(at: &mut Cursor<'_>, quote: char) -> Result<String, Stop> {
    let mark = quote.to_string();
    at.expect(&mark)?;
    let (start, end) = (at.pos, closing(at, &mark, false)?);
    let content = at.text.get(start..end).and_then(unescaped).ok_or(Stop::Malformed(start))?;
    at.pos = end + mark.len();
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weave::Woven;

    fn json(text: &str) -> Result<String, Stop> {
        let mut pieces = Vec::new();
        let finder = Finder::new(text);
        let spelling = Spelling { finder: &finder, quotes: &[], has_bare_keys: false, format: None, is_text: None };
        let mut at = Cursor::new(text, 0);
        spelling.value(&mut at, 0, &mut pieces)?;
        if at.rest().trim().is_empty() { Ok(Woven::new(text, pieces).text) } else { Err(at.stop()) }
    }

    #[test]
    fn python_literals_become_json() {
        for (python, expected) in [
            ("[1, 'a', None] ", r#"[1,"a",null]"#),
            ("{'k': (True, -1.5e3)} ", r#"{"k":[true,-1.5e3]}"#),
            (r#"'say "hi"' "#, r#""say \"hi\"""#),
            (r"'it\'s \d' ", r#""it's \\d""#),
            ("'''two\nlines''' ", r#""two\nlines""#),
            (r"'\ud83d\ude00' ", "\"\u{1F600}\""),
            (r"'\033[1m\0' ", r#""\u001b[1m\u0000""#),
            (r"r'\d' u'a' ", r#""\\da""#),
            ("('a') ", r#""a""#),
            ("(('a',), (), (1)) ", r#"[["a"],[],1]"#),
            ("['a'\n 'b', 'c'] ", r#"["ab","c"]"#),
            ("{'a' 'b': 'c' 'd'} ", r#"{"ab":"cd"}"#),
        ] {
            assert_eq!(json(python).as_deref(), Ok(expected), "{python}");
        }
    }

    /// Literals with what `CPython`'s `ast.literal_eval` makes of them, as `json.dumps` writes it; `-` where it refuses them, or JSON has no such value.
    const CASES: &str = include_str!("literal/cases.txt");

    fn value(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn literals_are_read_as_python_reads_them_or_refused() {
        let mut count = 0;
        for line in CASES.lines() {
            let (expected, python) = line.split_once('\t').expect("a case has two parts");
            let python = value(python);
            let python = python.as_str().expect("a literal is a string");
            let read = json(&format!("{python} "));
            if expected == "-" {
                assert!(read.is_err(), "{python} became {read:?}");
            } else {
                let read = read.unwrap_or_else(|stop| panic!("{python}: {stop:?}"));
                assert_eq!(value(&read), value(expected), "{python}");
            }
            count += 1;
        }
        assert!(count > 400, "only {count} literals");
    }

    #[test]
    fn b6_a_number_keeps_its_digits_and_its_value() {
        for (python, expected) in [
            (".5 ", "0.5"),
            ("1. ", "1.0"),
            ("+1 ", "1"),
            ("- 1 ", "-1"),
            ("-.5e-3 ", "-0.5e-3"),
            ("1.e5 ", "1.0e5"),
            ("01.50 ", "1.50"),
            ("00 ", "0"),
            ("0x1F ", "31"),
            ("-0b_101 ", "-5"),
            ("0o17 ", "15"),
            ("0XFFFFFFFFFFFFFFFFFFFF ", "1208925819614629174706175"),
            ("1_000.000_1 ", "1000.0001"),
            ("123456789012345678901234567890.0 ", "123456789012345678901234567890.0"),
        ] {
            assert_eq!(json(python).as_deref(), Ok(expected), "{python}");
        }
        let long = format!("0x{} ", "F".repeat(40));
        for python in ["01 ", "1__0 ", "_1 ", "1_ ", "0x ", "0x1g ", "1+2 ", "--1 ", "1j ", "inf ", ". ", "1e ", &long]
        {
            assert!(json(python).is_err(), "{python}");
        }
    }

    #[test]
    fn b3_what_the_end_cuts_is_never_completed() {
        for python in
            ["12", "Tru", "True", "'a", "[1,", "{'a': 1", "'a\\", "('a'", "('a',", "(", "+", "0x", "r'a", "[r"]
        {
            assert_eq!(json(python), Err(Stop::Cut), "{python}");
        }
    }

    #[test]
    fn strings_that_are_no_text_or_need_a_table_are_refused() {
        for python in ["b'a' ", "f'a' ", "rb'a' ", "ur'a' ", "'a' b'b' ", r"'\N{BULLET}' ", r"'\ud83d' ", "'a 'b' c' "]
        {
            assert!(json(python).is_err(), "{python}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert!(matches!(json(&"(".repeat(100_000)), Err(Stop::TooDeep(_))));
        assert!(matches!(json(&"[".repeat(100_000)), Err(Stop::TooDeep(_))));
    }
}
