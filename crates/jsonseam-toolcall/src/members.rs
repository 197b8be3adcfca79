//! The members of an object and the elements of an array, as spans of a text that is valid JSON.

use std::ops::Range;

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The key, unescaped.
    pub(crate) key: String,
    /// The key with its quotes.
    pub(crate) key_span: Range<usize>,
    /// The value, without white space around it.
    pub(crate) value: Range<usize>,
}

/// The members of the object that `text` is; `None` if it is none. Reads the text once.
pub(crate) fn members(text: &str) -> Option<Vec<Member>> {
    let items = items(text, b'{')?;
    let member = |item: Range<usize>| {
        let key_end = item.start + string_len(text.as_bytes().get(item.clone())?)?;
        let key_span = item.start..key_end;
        let key = serde_json::from_str(text.get(key_span.clone())?).ok()?;
        let rest = text.get(key_end..item.end)?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        Some(Member { key, key_span, value: item.end - value.len()..item.end })
    };
    items.into_iter().map(member).collect()
}

/// The elements of the array that `text` is; `None` if it is none. Reads the text once.
pub(crate) fn elements(text: &str) -> Option<Vec<Range<usize>>> {
    items(text, b'[')
}

/// What the commas of the outermost container separate, without white space around it.
fn items(text: &str, opener: u8) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let start = text.len() - text.trim_ascii_start().len();
    if *bytes.get(start)? != opener {
        return None;
    }
    let (mut items, mut depth, mut from, mut pos) = (Vec::new(), 0_usize, start + 1, start);
    while let Some(&byte) = bytes.get(pos) {
        match byte {
            b'"' => pos += string_len(bytes.get(pos..)?)?.saturating_sub(1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 || depth == 1 && byte == b',' {
            items.push(trimmed(text, from..pos));
            from = pos + 1;
        }
        if depth == 0 {
            break;
        }
        pos += 1;
    }
    if items.len() == 1 {
        items.retain(|item| !item.is_empty());
    }
    Some(items)
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let item = text.get(span.clone()).unwrap_or_default();
    let start = span.start + item.len() - item.trim_ascii_start().len();
    start..start + item.trim_ascii().len()
}

/// The length of the string that `bytes` start with, quotes included.
pub(crate) fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut pos = 1;
    loop {
        match bytes.get(pos)? {
            b'"' => return Some(pos + 1),
            b'\\' => pos += 2,
            _ => pos += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_whatever_their_strings_hold() {
        let text = r#" { "a" : "x,\"}" , "\u0062":[1,{"c":2}] } "#;
        let members = members(text).expect("it is an object");
        let shown: Vec<_> = members.iter().map(|member| (member.key.as_str(), &text[member.value.clone()])).collect();
        assert_eq!(shown, [("a", r#""x,\"}""#), ("b", r#"[1,{"c":2}]"#)]);
    }

    #[test]
    fn empty_containers_have_no_items() {
        assert_eq!(members("{ }"), Some(Vec::new()));
        assert_eq!(elements("[]"), Some(Vec::new()));
        assert_eq!(elements("{}"), None);
    }
}
