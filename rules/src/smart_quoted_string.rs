//! `smart-quoted-string`: simple strings in typographic quotes.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

use crate::shared::strings;

rule! {
    /// Turns typographic quotes around a simple string into double quotes.
    ///
    /// # What
    /// A key or value starts with U+201C, U+201D, U+2018 or U+2019 and ends with one of the same pair. Both become `"`; the content is not touched.
    ///
    /// # Why
    /// Word processors and chat clients replace straight quotes, and models learned from their text.
    ///
    /// # Example
    /// `{“a”: “x”}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// Only simple strings: the content holds no quote of the same pair, no `"`, no backslash and no control character,
    /// and what follows the closing quote fits the grammar. Inside a string such quotes are valid JSON and stay.
    pub struct SmartQuotedString {
        name: "smart-quoted-string",
        risk: Likely,
        answers: [Value, Key],
        next: [NonAscii],
        reaches: [Fault],
    }
}

/// U+201C, U+201D, U+2018 and U+2019 all take three bytes.
const QUOTE_LEN: usize = '\u{201C}'.len_utf8();

impl RepairRule for SmartQuotedString {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let closers = match fault.next_char()? {
            '\u{201C}' | '\u{201D}' => ['\u{201C}', '\u{201D}'],
            '\u{2018}' | '\u{2019}' => ['\u{2018}', '\u{2019}'],
            _ => return None,
        };
        let content = strings::simple(fault, &closers)?;
        let opening = Edit::replace(fault.pos()..content.start, "\"");
        let closing = Edit::replace(content.end..content.end + QUOTE_LEN, "\"");
        Some(Edits::from(opening).and(closing))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(SmartQuotedString);
