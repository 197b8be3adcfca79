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

/// The members of the object that `text` is; `None` if it is not one. Reads the text once.
pub(crate) fn members(text: &str) -> Option<Vec<Member>> {
    let member = |member: jsonseam_text::Member| {
        let key = member.name(text).as_str()?.to_owned();
        Some(Member { key, key_span: member.key, value: member.value })
    };
    begins_with(text, '{').then(|| jsonseam_text::members(text).map(member).collect())?
}

/// The elements of the array that `text` is; `None` if it is not one. Reads the text once.
pub(crate) fn elements(text: &str) -> Option<Vec<Range<usize>>> {
    begins_with(text, '[').then(|| jsonseam_text::elements(text).collect())
}

fn begins_with(text: &str, opener: char) -> bool {
    text.trim_ascii_start().starts_with(opener)
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
