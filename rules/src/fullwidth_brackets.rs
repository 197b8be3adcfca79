//! `fullwidth-brackets`: a payload whose outermost brackets are full-width.

use jsonseam_core::{Candidates, Edit, LocateRule, Region, is_quote, rule};

use crate::shared::layout;

rule! {
    /// Reads a payload that opens with a full-width bracket.
    ///
    /// # What
    /// A line begins with `｛` or `［`, after which a quote, another such bracket or a digit comes, and no bracket of JSON is before it.
    /// That bracket is written as `{` or `[`; those within and the last one are the matter of `fullwidth-punctuation`.
    ///
    /// # Why
    /// Models that answer in Chinese or Japanese slip into its punctuation.
    ///
    /// # Example
    /// `｛"a": 1｝` becomes `{"a": 1}`, the closing one by `fullwidth-punctuation`.
    ///
    /// # Limits
    /// Within a line of prose such brackets are punctuation, and so they are around words.
    pub struct FullwidthBrackets {
        name: "fullwidth-brackets",
        risk: Likely,
        locates: Payloads,
        holds: ["｛", "［"],
        usual: Nothing,
    }
}

impl LocateRule for FullwidthBrackets {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let (span, text) = (region.span(), region.text());
        // A bracket of JSON before it opens the payload.
        let Some(at) = text.find(['{', '[', '｛', '［']) else { return };
        let ascii = match text[at..].chars().next() {
            Some('｛') => "{",
            Some('［') => "[",
            _ => return,
        };
        let len = '｛'.len_utf8();
        let begins = |char: char| is_quote(char) || char.is_ascii_digit() || matches!(char, '｛' | '［' | '{' | '[');
        let is_data = text[at + len..].trim_start().starts_with(begins);
        if is_data && region.root().opens(ascii.as_bytes()[0]) && layout::begins_line(text, at) {
            let start = span.start + at;
            found.push_edited(start..span.end, Edit::replace(start..start + len, ascii).into());
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(FullwidthBrackets);
