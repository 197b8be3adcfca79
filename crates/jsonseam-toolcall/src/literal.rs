//! Values that are not spelled as JSON: Python literals, and members with bare keys. What is JSON already is kept.
//!
//! Nothing is evaluated (Python Language Reference, section 2.4 for the literals that are read here).

use crate::cursor::{Cursor, Finder, Stop};
use crate::pack::Format;
use crate::template::{Template, is_name_char};
use crate::weave::{Piece, escaped, string_content};

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
        if self.quoted(at, pieces)? {
            return Ok(());
        }
        match at.peek() {
            Some('[') => self.items(at, ("[", "]"), depth, pieces),
            Some('(') => self.items(at, ("(", ")"), depth, pieces),
            Some('{') if self.is_set(at) => self.items(at, ("{", "}"), depth, pieces),
            Some('{') => self.members(at, depth, pieces),
            Some('-' | '0'..='9') => number(at, pieces),
            Some(char) if char.is_ascii_alphabetic() => constant(at, pieces),
            _ => Err(at.stop()),
        }
    }

    /// Reads a string in any of the quotes, if one is here.
    fn quoted(&self, at: &mut Cursor<'_>, pieces: &mut Vec<Piece>) -> Result<bool, Stop> {
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
        match at.peek() {
            Some(quote @ ('"' | '\'')) => self.python_string(at, quote, pieces).map(|()| true),
            _ => Ok(false),
        }
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
    fn holds_no_mark(&self, text: &str, span: std::ops::Range<usize>, nor_end: bool) -> Result<(), Stop> {
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
        let is_read = is_string && matches!(self.quoted(&mut ahead, &mut Vec::new()), Ok(true));
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
        let mut is_first = true;
        loop {
            at.skip_blanks();
            if at.eat(close) {
                break;
            }
            if !is_first {
                pieces.push(Piece::insert(","));
            }
            is_first = false;
            self.value(at, depth + 1, pieces)?;
            separator(at, close)?;
        }
        pieces.push(Piece::insert("]"));
        Ok(())
    }

    /// A string of Python in single, double or tripled quotes.
    fn python_string(&self, at: &mut Cursor<'_>, quote: char, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
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
        let piece = if content.contains('\\') {
            Piece::insert(escaped(&unescaped(content).ok_or(Stop::Malformed(start))?))
        } else {
            string_content(at.text, start..end)
        };
        pieces.extend([Piece::insert("\""), piece, Piece::insert("\"")]);
        at.pos = end + mark.len();
        Ok(())
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
            } else if !self.quoted(at, pieces)? {
                return Err(at.stop());
            }
            at.skip_blanks();
            at.expect(colon)?;
            pieces.push(Piece::insert(":"));
            if !(self.is_bare_text(at, is_text) && bare_text(at, close, pieces)) {
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

/// A number that JSON spells the same way (RFC 8259 section 6). One at the end of the text may go on.
fn number(at: &mut Cursor<'_>, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
    let span = at.take_while(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.' | '_'));
    if at.rest().is_empty() {
        return Err(Stop::Cut);
    }
    let text = at.text.get(span.clone()).unwrap_or_default();
    if serde_json::from_str::<&serde_json::value::RawValue>(text).is_err() {
        return Err(Stop::Malformed(span.start));
    }
    pieces.push(Piece::Keep(span));
    Ok(())
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

/// Where the string that is open ends.
fn closing(at: &Cursor<'_>, mark: &str, may_span: bool) -> Result<usize, Stop> {
    let mut rest = at.rest();
    let mut pos = at.pos;
    while !rest.starts_with(mark) {
        let len = match rest.chars().next() {
            None => return Err(Stop::Cut),
            Some('\n') if mark.len() == 1 && !may_span => return Err(Stop::Malformed(pos)),
            Some('\\') => 1 + rest.get(1..).and_then(|after| after.chars().next()).ok_or(Stop::Cut)?.len_utf8(),
            Some(char) => char.len_utf8(),
        };
        pos += len;
        rest = rest.get(len..).ok_or(Stop::Cut)?;
    }
    Ok(pos)
}

/// What the escapes of Python in `content` say; `None` for one that names no character. An unknown escape is not an escape there.
fn unescaped(content: &str) -> Option<String> {
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let escape = after.chars().next()?;
        rest = after.get(escape.len_utf8()..)?;
        match escape {
            '\n' => {}
            '\\' | '\'' | '"' => text.push(escape),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{C}'),
            'x' | 'u' | 'U' => {
                let digits = rest.get(
                    ..match escape {
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    },
                )?;
                rest = rest.get(digits.len()..)?;
                let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
                text.push(surrogate_pair(code, &mut rest).or(char::from_u32(code))?);
            }
            other => text.extend(['\\', other]),
        }
    }
    text.push_str(rest);
    Some(text)
}

/// The character that a high surrogate and the escape after it stand for: JSON in Python quotes spells it so.
fn surrogate_pair(high: u32, rest: &mut &str) -> Option<char> {
    let digits = rest.strip_prefix("\\u").and_then(|after| after.get(..4))?;
    let low = u32::from_str_radix(digits, 16).ok()?;
    if !(0xD800..0xDC00).contains(&high) || !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    *rest = rest.get(6..)?;
    char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weave::Woven;

    fn json(text: &str) -> Result<String, Stop> {
        let mut pieces = Vec::new();
        let finder = Finder::new(text);
        let spelling = Spelling { finder: &finder, quotes: &[], has_bare_keys: false, format: None, is_text: None };
        spelling.value(&mut Cursor::new(text, 0), 0, &mut pieces)?;
        Ok(Woven::new(text, pieces).text)
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
        ] {
            assert_eq!(json(python).as_deref(), Ok(expected), "{python}");
        }
    }

    #[test]
    fn b6_numbers_that_json_spells_otherwise_are_refused() {
        for python in ["0x1F ", "1_000 ", "01 ", ".5 ", "1+2 "] {
            assert!(json(python).is_err(), "{python}");
        }
    }

    #[test]
    fn b3_what_the_end_cuts_is_never_completed() {
        for python in ["12", "Tru", "True", "'a", "[1,", "{'a': 1", "'a\\"] {
            assert_eq!(json(python), Err(Stop::Cut), "{python}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert!(matches!(json(&"[".repeat(100_000)), Err(Stop::TooDeep(_))));
    }
}
