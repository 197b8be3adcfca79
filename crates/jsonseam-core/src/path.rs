//! JSON Pointers (RFC 6901) of places in a valid text, found in one pass.

use std::ops::Range;

use jsonseam_text::Name;
use jsonseam_text::pointer::{self, MAX_POINTER};

use crate::limits::MAX_DEPTH;
use crate::recognise::{Listener, State, TokenKind, Trace, run};

/// Appends the reference token of a key, unless the pointer gets too long. Whether it did. `raw` is the content of the key as JSON spells it.
pub(crate) fn push_key(pointer: &mut String, raw: &str) -> bool {
    pointer::push(pointer, Name::of(raw).as_str().unwrap_or(raw))
}

#[derive(Debug, Clone, Copy)]
struct Level {
    is_object: bool,
    key: Option<(usize, usize)>,
    index: usize,
}

struct Walker<'t> {
    text: &'t str,
    levels: Vec<Level>,
    sites: std::slice::Iter<'t, Range<usize>>,
    pending: Option<&'t Range<usize>>,
    pointers: Vec<String>,
    /// How many bytes of pointers may still be written.
    budget: usize,
}

impl Walker<'_> {
    /// The pointer of the value or member that was read last.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for level in &self.levels {
            let fits = match (level.is_object, level.key) {
                (false, _) => pointer::push(&mut pointer, &level.index.to_string()),
                (true, Some((start, end))) if end - start <= MAX_POINTER => {
                    push_key(&mut pointer, self.text.get(start + 1..end - 1).unwrap_or_default())
                }
                (true, Some(_)) => false,
                (true, None) => true,
            };
            if !fits {
                return pointer;
            }
        }
        pointer
    }

    /// Answers the sites for which `is_due` holds with the pointer as it is now.
    fn answer(&mut self, is_due: impl Fn(&Range<usize>) -> bool) {
        while let Some(site) = self.pending
            && is_due(site)
        {
            let pointer = if self.budget > 0 { self.pointer() } else { String::new() };
            self.budget = self.budget.saturating_sub(pointer.len());
            self.pointers.push(pointer);
            self.pending = self.sites.next();
        }
    }
}

impl Trace for Walker<'_> {
    fn token(&mut self, _: &State, kind: TokenKind, span: Range<usize>, _: usize) {
        let Range { start, end } = span;
        self.answer(|site| site.end <= start);
        let within = |site: &Range<usize>| site.start < end;
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.answer(within);
                self.levels.push(Level { is_object: kind == TokenKind::ObjectStart, key: None, index: 0 });
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                self.levels.pop();
                self.answer(within);
            }
            TokenKind::Key => {
                if let Some(level) = self.levels.last_mut() {
                    level.key = Some((start, end));
                }
                self.answer(within);
            }
            TokenKind::Comma => {
                self.answer(within);
                if let Some(level) = self.levels.last_mut() {
                    level.index += 1;
                }
            }
            _ => self.answer(within),
        }
    }
}

/// The pointer of each site of a valid `text`: of the value or member it is in or, between tokens, of what came before.
/// Brackets belong to their container, a comma to the element before it. Sites are sorted; one pass.
/// Together they take at most four bytes for each byte of the text, and 64 KiB: beyond that the rest is the root's, which is empty.
pub(crate) fn pointers(text: &str, sites: &[Range<usize>]) -> Vec<String> {
    if sites.is_empty() {
        return Vec::new();
    }
    let mut iter = sites.iter();
    let pending = iter.next();
    let mut walker = Walker {
        text,
        levels: Vec::new(),
        sites: iter,
        pending,
        pointers: Vec::with_capacity(sites.len()),
        budget: 4 * text.len() + (64 << 10),
    };
    let mut state = State::START;
    run(&mut state, text.as_bytes(), 0, MAX_DEPTH, &mut Listener(&mut walker));
    walker.answer(|_| true);
    walker.pointers
}

/// The pointer of what is incomplete when a valid `text` was closed at `cut`:
/// the string or number that ends there, else the innermost container that is open there.
pub(crate) fn incomplete(text: &str, cut: usize, is_after_comma: bool) -> String {
    struct Cut<'t> {
        walker: Walker<'t>,
        place: usize,
        is_after_comma: bool,
        found: Option<String>,
        last: Option<TokenKind>,
    }
    impl Trace for Cut<'_> {
        fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) {
            let Range { start, end } = span;
            if self.found.is_none() && end > self.place {
                let is_leaf = match kind {
                    TokenKind::String if start < self.place => true,
                    _ => self.last == Some(TokenKind::Number) && !self.is_after_comma,
                };
                if !is_leaf {
                    self.walker.levels.pop();
                }
                self.found = Some(self.walker.pointer());
            }
            self.walker.token(before, kind, start..end, content_start);
            self.last = Some(kind);
        }
    }
    let walker = Walker { text, levels: Vec::new(), sites: [].iter(), pending: None, pointers: Vec::new(), budget: 0 };
    let mut trace = Cut { walker, place: cut, is_after_comma, found: None, last: None };
    let mut state = State::START;
    run(&mut state, text.as_bytes(), 0, MAX_DEPTH, &mut Listener(&mut trace));
    trace.found.unwrap_or_default()
}

/// `text`, which is valid JSON, without its insignificant white space: digits, escapes and repeated keys stay as they are.
///
/// ```
/// assert_eq!(jsonseam_core::compact("{ \"a\" : [ 1.10, 2 ] }\n"), "{\"a\":[1.10,2]}");
/// ```
pub fn compact(text: &str) -> String {
    let mut compact = Vec::new();
    jsonseam_text::push_compact(text, &mut compact);
    String::from_utf8(compact).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_belongs_to_the_value_or_member_it_touches() {
        let text = r#"{"a": [1, {"b/~": "x"}], "c": true}"#;
        let site = |needle: &str| {
            let start = text.find(needle).expect("the needle is there");
            start..start + needle.len()
        };
        let cases = [
            ("{\"a", ""),
            ("\"a\"", "/a"),
            ("1", "/a/0"),
            ("\"b/~", "/a/1/b~1~0"),
            ("x", "/a/1/b~1~0"),
            ("}]", "/a/1"),
            ("true", "/c"),
        ];
        for (needle, pointer) in cases {
            assert_eq!(pointers(text, &[site(needle)]), [pointer], "{needle}");
        }
    }

    #[test]
    fn compact_text_keeps_every_token_as_it_is_spelled() {
        assert_eq!(compact(" [ 1.0 , \"a b\" ,\n{ } , -0e1 ] "), "[1.0,\"a b\",{},-0e1]");
        assert_eq!(compact(" 12 "), "12");
    }
}
