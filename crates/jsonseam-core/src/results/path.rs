//! JSON Pointers (RFC 6901) of places in a valid text, found in one pass.

use std::ops::Range;

use jsonseam_text::pointer::{self, MAX_POINTER};
use jsonseam_text::{Name, skip_blanks, string_end, value_end};

use crate::reading::recognise::TokenKind;

#[derive(Debug, Clone, Copy)]
struct Level {
    is_object: bool,
    key: Option<(usize, usize)>,
    index: usize,
    /// Where its opener, or the comma before its last member or element, ends.
    last: usize,
}

/// The containers that are open after the tokens that were read.
#[derive(Default)]
struct Walker<'t> {
    text: &'t str,
    /// What the last token is that was read, and where it ends.
    kind: Option<TokenKind>,
    pos: usize,
    levels: Vec<Level>,
    /// The last pointer that was made, and how long it was after each of the outermost levels, as long as these are as they were.
    pointer: String,
    lens: Vec<usize>,
}

impl Walker<'_> {
    /// The next token.
    #[inline]
    fn next(&self) -> Option<(TokenKind, Range<usize>)> {
        let text = self.text.as_bytes();
        let start = skip_blanks(text, self.pos);
        let (kind, end) = match text.get(start)? {
            b'"' if self.wants_key() => (TokenKind::Key, string_end(text, start)),
            b'"' => (TokenKind::String, string_end(text, start)),
            b'{' => (TokenKind::ObjectStart, start + 1),
            b'}' => (TokenKind::ObjectEnd, start + 1),
            b'[' => (TokenKind::ArrayStart, start + 1),
            b']' => (TokenKind::ArrayEnd, start + 1),
            b':' => (TokenKind::Colon, start + 1),
            b',' => (TokenKind::Comma, start + 1),
            b'-' | b'0'..=b'9' => (TokenKind::Number, value_end(text, start)),
            _ => (TokenKind::Literal, value_end(text, start)),
        };
        // In text that is not valid a token may be empty, and the walk goes on nevertheless.
        Some((kind, start..end.max(start + 1)))
    }

    /// Whether a string that comes next is a key.
    fn wants_key(&self) -> bool {
        matches!(self.kind, Some(TokenKind::ObjectStart | TokenKind::Comma))
            && self.levels.last().is_some_and(|level| level.is_object)
    }

    /// Makes `pointer` that of the value or member that was read last, or of its first `depth` levels alone.
    fn point(&mut self, depth: usize) -> &str {
        self.lens.truncate(depth);
        self.pointer.truncate(self.lens.last().copied().unwrap_or_default());
        for level in &self.levels[self.lens.len()..depth] {
            let fits = match (level.is_object, level.key) {
                (false, _) => pointer::push(&mut self.pointer, &level.index.to_string()),
                (true, Some((start, end))) if end - start <= MAX_POINTER => {
                    let raw = self.text.get(start + 1..end - 1).unwrap_or_default();
                    pointer::push(&mut self.pointer, Name::of(raw).as_str().unwrap_or(raw))
                }
                (true, Some(_)) => false,
                (true, None) => true,
            };
            if !fits {
                break;
            }
            self.lens.push(self.pointer.len());
        }
        &self.pointer
    }

    /// Reads up to `cut`: the scalar that may go on there. A string that it is within or, between tokens, a number or literal that was read last,
    /// unless a comma was there. `None` also at the end of the text, where no container is open.
    fn walk_to(&mut self, cut: usize, is_after_comma: bool) -> Option<TokenKind> {
        loop {
            let (kind, span) = self.next()?;
            if span.end > cut {
                let is_within = kind == TokenKind::String && span.start < cut;
                let goes_on =
                    |last: &TokenKind| matches!(last, TokenKind::Number | TokenKind::Literal) && !is_after_comma;
                return if is_within { Some(kind) } else { self.kind.filter(goes_on) };
            }
            self.take(kind, span);
        }
    }

    /// Reads to the end: where the closer of each container that is open now is, the outermost first.
    fn ends_of_all(&mut self) -> Vec<usize> {
        let mut ends = vec![self.text.len(); self.levels.len()];
        while let Some((kind, span)) = self.next() {
            let start = span.start;
            self.take(kind, span);
            if let Some(end) = ends.get_mut(self.levels.len())
                && kind.is_closer()
            {
                *end = (*end).min(start);
            }
        }
        ends
    }

    /// What a token changes.
    #[inline]
    fn take(&mut self, kind: TokenKind, Range { start, end }: Range<usize>) {
        (self.kind, self.pos) = (Some(kind), end);
        let outer = self.levels.len().saturating_sub(1);
        match (kind, self.levels.last_mut()) {
            (TokenKind::ObjectStart | TokenKind::ArrayStart, _) => {
                let is_object = kind == TokenKind::ObjectStart;
                self.levels.push(Level { is_object, key: None, index: 0, last: end });
                return;
            }
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd, _) => drop(self.levels.pop()),
            (TokenKind::Key, Some(level)) => level.key = Some((start, end)),
            (TokenKind::Comma, Some(level)) => (level.index, level.last) = (level.index + 1, end),
            _ => return,
        }
        self.lens.truncate(outer);
    }
}

/// The pointer of each site of a valid `text`: of the value or member it is in or, between tokens, of what came before.
/// Brackets belong to their container, a comma to the element before it. Sites are sorted; one pass, up to the last of them.
/// Together they take at most four bytes for each byte of the text, and 64 KiB: beyond that the rest is the root's, which is empty.
///
/// ```
/// let text = "{\"a\": [1, true]}";
/// assert_eq!(jsonseam_core::pointers(text, &[7..8, 10..14]), ["/a/0", "/a/1"]);
/// ```
pub fn pointers(text: &str, sites: &[Range<usize>]) -> Vec<String> {
    let mut pointers = Vec::with_capacity(sites.len());
    let mut walker = Walker { text, ..Walker::default() };
    let mut budget = 4 * text.len() + (64 << 10);
    let mut next = walker.next();
    for site in sites {
        // What is read is what ends before the site, and a closer or key that the site touches: an opener or comma is not.
        while walker.pos <= site.start
            && let Some((kind, span)) = next.clone()
        {
            let is_read = kind.is_closer() || kind == TokenKind::Key;
            if span.end > site.start && !(is_read && span.start < site.end) {
                break;
            }
            walker.take(kind, span);
            next = walker.next();
        }
        let pointer = walker.point(if budget > 0 { walker.levels.len() } else { 0 });
        budget = budget.saturating_sub(pointer.len());
        pointers.push(pointer.to_owned());
    }
    pointers
}

/// The pointer of what is incomplete when a valid `text` was closed at `cut`:
/// the string or number that ends there, else the innermost container that is open there.
pub(crate) fn incomplete(text: &str, cut: usize, is_after_comma: bool) -> String {
    let mut walker = Walker { text, ..Walker::default() };
    let is_leaf = matches!(walker.walk_to(cut, is_after_comma), Some(TokenKind::String | TokenKind::Number));
    let depth = walker.levels.len() - usize::from(!is_leaf && !walker.levels.is_empty());
    walker.point(depth).to_owned()
}

/// An array that was open where the completion was cut off: [`Repaired::open_arrays`](crate::Repaired::open_arrays).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenArray {
    /// Its JSON Pointer, which may hold names of the completion.
    pub path: String,
    /// The element that is not whole. `None`: each of its elements is.
    pub incomplete: Option<IncompleteElement>,
}

/// The element of an array that a cut left incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IncompleteElement {
    /// Which element it is, from 0.
    pub index: usize,
    /// What to remove from the repaired text, so that only whole elements stay: the element, and the comma before it.
    pub removal: Range<usize>,
    /// Where the element is, in bytes: in the repaired text, until [`Repaired::open_arrays`](crate::Repaired::open_arrays) has it in the completion.
    pub span: Range<usize>,
}

/// The arrays that are open when a valid `text` was closed at `cut`, the outermost first.
pub(crate) fn open_arrays(text: &str, cut: usize, is_after_comma: bool) -> Vec<OpenArray> {
    let mut walker = Walker { text, ..Walker::default() };
    // More digits or letters may have been to come.
    let is_leaf = walker.walk_to(cut, is_after_comma).is_some();
    let levels = walker.levels.clone();
    let paths: Vec<_> = (0..levels.len()).map(|depth| walker.point(depth).to_owned()).collect();
    let ends = walker.ends_of_all();
    let arrays = levels.iter().zip(ends).zip(paths).enumerate().filter(|(_, ((level, _), _))| !level.is_object);
    let open = arrays.map(|(depth, ((level, end), path))| OpenArray {
        path,
        incomplete: (is_leaf || depth + 1 < levels.len()).then(|| IncompleteElement {
            index: level.index,
            removal: level.last - usize::from(level.index > 0)..end,
            span: skip_blanks(text.as_bytes(), level.last)..end,
        }),
    });
    open.collect()
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
    fn sites_that_are_asked_for_together_have_the_pointers_that_each_has_alone() {
        let text = r#" {"a": [1, {"b\"": "x", "c" :[ ]}, -2.5e1, [ [ null ] ]], "d": true , "": {"e": "}]"} } "#;
        let sites: Vec<_> =
            (0..=text.len()).flat_map(|start| [start..start, start..(start + 1).min(text.len())]).collect();
        let alone: Vec<_> = sites.iter().flat_map(|site| pointers(text, std::slice::from_ref(site))).collect();
        assert_eq!(pointers(text, &sites), alone);
        let mut seen = alone.clone();
        seen.dedup();
        let expected =
            " /a /a/0 /a/1 /a/1/b\" /a/1/c /a/1/c/0 /a/1/c /a/1 /a/2 /a/3 /a/3/0 /a/3/0/0 /a/3/0 /a/3 /a /d / //e / ";
        assert_eq!(seen.join(" "), expected);
    }

    #[test]
    fn compact_text_keeps_every_token_as_it_is_spelled() {
        assert_eq!(compact(" [ 1.0 , \"a b\" ,\n{ } , -0e1 ] "), "[1.0,\"a b\",{},-0e1]");
        assert_eq!(compact(" 12 "), "12");
    }
}
