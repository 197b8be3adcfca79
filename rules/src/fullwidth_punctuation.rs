//! `fullwidth-punctuation`: the punctuation of Chinese and Japanese text.

use jsonseam_core::{Edits, Expected, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Writes full-width punctuation between tokens as ASCII.
    ///
    /// # What
    /// Where JSON punctuation is expected, there is its full-width form, as in Chinese and Japanese text:
    /// `，`, `、`, `；` and the Arabic `،` for a comma, `：` for a colon, and the full-width brackets.
    /// A comma at the end of a container is removed.
    ///
    /// # Why
    /// Models that answer in Chinese or Japanese slip into its punctuation.
    ///
    /// # Example
    /// `{"a"：1，"b"：2}` becomes `{"a":1,"b":2}`.
    ///
    /// # Limits
    /// Only between tokens: inside a string such characters are text. Quotes are handled by other rules.
    pub struct FullwidthPunctuation {
        name: "fullwidth-punctuation",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        next: [NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for FullwidthPunctuation {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let char = fault.next_char()?;
        let len = char.len_utf8();
        let ascii = match (char, fault.expected()) {
            ('，' | '、' | '；' | '﹐' | '،', Expected::Comma) if members::closes_after(fault, len) => {
                return Some(fault.blank_ahead(len));
            }
            ('，' | '、' | '；' | '﹐' | '،', Expected::Comma) => ",",
            ('：' | '﹕', Expected::Colon) => ":",
            ('｛', Expected::Value) => "{",
            ('［', Expected::Value) => "[",
            ('｝', Expected::Comma | Expected::Key) => "}",
            ('］', Expected::Comma | Expected::Value) => "]",
            _ => return None,
        };
        Some(fault.replace_ahead(len, ascii))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(FullwidthPunctuation);
