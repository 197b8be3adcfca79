//! Brackets that are part of the prose: formulas, placeholders, sets, intervals, empty pairs, quotations.

use std::ops::Range;

use super::brackets::member_is_at;

/// Where the brace pair that opens at `pos` ends, if it is part of the prose: it holds nothing like a member.
///
/// That is so if it holds no quote of either kind, no colon and no equals sign, or follows a command of a formula and holds no quote.
/// An empty pair is prose if a line of prose holds it ([`empty_pair_end`]).
/// `formula_end` is where the last group of a formula ended: another may follow it at once.
///
/// ```
/// use jsonseam_rules::shared::prose::pair_end;
///
/// assert_eq!(pair_end(r#"\boxed{42}: {"a": 42}"#, 6, &mut 0), Some(10));
/// assert_eq!(pair_end(r#"{"a": 42}"#, 0, &mut 0), None);
/// ```
pub fn pair_end(text: &str, pos: usize, formula_end: &mut usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_formula = *formula_end == pos && pos > 0 || is_formula_before(&bytes[..pos]);
    let mut depth = 0_usize;
    for (offset, &byte) in bytes.get(pos..)?.iter().enumerate() {
        let next = bytes.get(pos + offset + 1);
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 1 => depth -= 1,
            b'}' => {
                let end = pos + offset + 1;
                if is_formula {
                    *formula_end = end;
                }
                let is_blank = text[pos + 1..end - 1].trim().is_empty();
                // Before a member the closer is part of a comment or of a string.
                let next = || text.len() - text[end..].trim_start().len();
                let is_prose = is_formula
                    || if is_blank { is_in_line_of_prose(text, &(pos..end)) } else { !member_is_at(text, next()) };
                return is_prose.then_some(end);
            }
            b'"' => return None,
            // A typographic quotation mark may open a key.
            0xE2 if !is_formula && text.get(pos + offset..).is_some_and(|rest| rest.starts_with(['“', '‘'])) => {
                return None;
            }
            b':' | b'=' | b'\'' | b'[' | b'#' if !is_formula => return None,
            // A comment is not prose: the pair may be the start of a payload.
            b'<' | b'-' if !is_formula && matches!(next, Some(b'!' | b'-')) => return None,
            b'/' if !is_formula && matches!(next, Some(b'/' | b'*')) => return None,
            _ => {}
        }
    }
    None
}

/// Where the pair that opens at `pos` ends, if it is empty and within a line of prose: such a pair is not a payload (SPEC P2).
///
/// ```
/// use jsonseam_rules::shared::prose::empty_pair_end;
///
/// assert_eq!(empty_pair_end("We start with {} here.", 14), Some(16));
/// assert_eq!(empty_pair_end("The result:\n{}", 12), None, "it has a line to itself");
/// ```
pub fn empty_pair_end(text: &str, pos: usize) -> Option<usize> {
    let opener = *text.as_bytes().get(pos)?;
    let rest = text.get(pos + 1..)?;
    let content = rest.trim_start();
    let end = pos + 1 + (rest.len() - content.len()) + 1;
    // In ASCII a closing bracket comes two after its opener.
    let is_empty = content.as_bytes().first() == Some(&(opener + 2));
    (is_empty && is_in_line_of_prose(text, &(pos..end))).then_some(end)
}

/// Whether words are on the line of `span`, up to the next brackets before it and after it.
/// A label that ends in a colon, or a tag, is not words before it; neither is a tag after it.
fn is_in_line_of_prose(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].rsplit(['\n', '{', '[', '}', ']']).next().unwrap_or_default().trim_end();
    let after = text[span.end..].split(['\n', '{', '[', '}', ']']).next().unwrap_or_default().trim_start();
    let has_words = |part: &str| part.contains(char::is_alphanumeric);
    let is_label = before.ends_with([':', '>']);
    has_words(before) && !is_label || has_words(after) && !after.starts_with('<')
}

/// Whether the opener at `pos` is the last byte of `text` and words precede it on its line: such an opener is not a payload (SPEC P2).
pub fn is_last_of_prose(text: &str, pos: usize) -> bool {
    // The line is read only once nothing is known to follow: openers may be many on one line.
    let has_words = || text[..pos].rsplit('\n').next().is_some_and(|line| !line.trim().is_empty());
    text[pos + 1..].trim_start().is_empty() && has_words()
}

/// Where the interval that opens at `pos` ends, as in `[0, 1)`: two bounds without quotes, and a round bracket.
///
/// ```
/// use jsonseam_rules::shared::prose::interval_end;
///
/// assert_eq!(interval_end("[0, 1) holds", 0), Some(6));
/// assert_eq!(interval_end("[0, 1]", 0), None);
/// ```
pub fn interval_end(text: &str, pos: usize) -> Option<usize> {
    let inner = text.get(pos..)?.strip_prefix('[')?;
    // It begins a sequence that colours a terminal.
    if pos > 0 && text.as_bytes()[pos - 1] == 0x1B {
        return Some(pos + 1);
    }
    let end = inner.find(|char: char| !(char.is_alphanumeric() || " ,.+-*/^_\\∞−π".contains(char)))?;
    let bounds = &inner[..end];
    let is_interval = inner[end..].starts_with(')') && bounds.len() <= 64 && bounds.matches(',').count() == 1;
    (is_interval && bounds.split(',').all(|bound| !bound.trim().is_empty())).then_some(pos + 1 + end + 1)
}

/// Where the bracketed text that opens at `pos` ends, if all its quotes are escaped, as inside a string: `{\"a\": 1}`; the error tells how far the
/// text was read in vain.
///
/// In prose such a text is a quotation and loses to a clean payload (SPEC P2).
pub fn escaped_end(text: &str, pos: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut is_inside, mut has_quote) = (0_usize, false, false);
    let mut at = pos;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1) == Some(&b'"') => {
                is_inside = !is_inside;
                has_quote = true;
                at += 1;
            }
            // An escaped backslash escapes what follows it in the text itself.
            b'\\' if is_inside && bytes.get(at + 1) == Some(&b'\\') => {
                at += if bytes.get(at + 2) == Some(&b'\\') { 3 } else { 2 };
            }
            b'\\' => at += 1,
            b'"' => return Err(at),
            b'{' | b'[' if !is_inside => depth += 1,
            b'}' | b']' if !is_inside => {
                depth -= 1;
                if depth == 0 {
                    return if has_quote { Ok(at + 1) } else { Err(at) };
                }
            }
            _ => {}
        }
        at += 1;
    }
    Err(at.max(pos))
}

/// Whether quotes of one pair touch `span` on both sides, as in `` `{"a": 1}` ``.
pub fn is_quoted(text: &str, span: &Range<usize>) -> bool {
    const PAIRS: [(char, char); 6] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('«', '»')];
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    PAIRS.iter().any(|(open, close)| before == Some(*open) && after == Some(*close))
}

/// Whether `before` ends in what a formula puts before a brace: a command (`\text`), another group, an index or a dollar sign.
fn is_formula_before(before: &[u8]) -> bool {
    let letters = before.iter().rev().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
    match before.get(..before.len() - letters).and_then(<[u8]>::last) {
        Some(b'\\') => true,
        Some(b'^' | b'_' | b'$') => letters == 0,
        _ => false,
    }
}
