//! Underscores as Markdown escapes them: models that write Markdown spell `get_weather` as `get\_weather`.

/// A text with plain underscores, and where they were escaped.
pub(super) struct Underscores {
    pub(super) text: String,
    /// Where the escaped ones are in `text`, in order.
    escaped: Vec<usize>,
}

impl Underscores {
    /// The text with plain underscores; `None` if none of them is escaped.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut parts = text.split("\\_");
        let mut plain = parts.next().unwrap_or_default().to_owned();
        let mut escaped = Vec::new();
        for part in parts {
            escaped.push(plain.len());
            plain.push('_');
            plain.push_str(part);
        }
        (!escaped.is_empty()).then_some(Self { text: plain, escaped })
    }

    /// Where a place of `text` was in the text before.
    pub(super) fn original(&self, pos: usize) -> usize {
        pos + self.escaped.partition_point(|&at| at < pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_text_before() {
        let text = r"a\_b(c\_d=1) e";
        let plain = Underscores::of(text).expect("two are escaped");
        assert_eq!(plain.text, "a_b(c_d=1) e");
        let at = |found: &str, text: &str| text.find(found).expect("it is there");
        assert_eq!(plain.original(at("(", &plain.text)), at("(", text));
        assert_eq!(plain.original(at("d=", &plain.text)), at("d=", text));
        assert_eq!(plain.original(plain.text.len()), text.len());
        assert!(Underscores::of("a_b").is_none());
    }
}
