//! `unclosed-string`: the text ends inside a string value.

use jsonseam_core::{Edits, Fault, RepairRule, StringProblem, rule};

rule! {
    /// Closes a string value that the end of the text cuts.
    ///
    /// # What
    /// The completion ends inside a string that is a value. A `"` is inserted at the end.
    /// The report says `truncated` and lists the string as incomplete.
    ///
    /// # Why
    /// A model that runs out of tokens stops in the middle of its longest value.
    ///
    /// # Example
    /// `["one", "tw` becomes `["one", "tw"]`, together with `unclosed-container`.
    ///
    /// # Limits
    /// Never a key. Only where the completion ends: before the end of a fenced block a quote was forgotten, and where it belongs is a guess.
    /// Never when the content ends in half an escape, in half a surrogate pair, in `}` or `]`, or in a fence, and never when a line among its last 4096 bytes holds nothing but closers:
    /// there the quote was forgotten, not cut off.
    pub struct UnclosedString {
        name: "unclosed-string",
        risk: Likely,
        answers: [String],
        cases: "unclosed_string.toml",
    }
}

/// As much of the content as is searched for lines of closers; what a model writes behind its payload is shorter.
const TAIL_LEN: usize = 4096;

/// The longest content that tells whether half a pair ends it: the escape, and the backslashes before it.
const SURROGATE_LEN: usize = 64;

impl RepairRule for UnclosedString {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let string = fault.string()?;
        if string.problem != StringProblem::Unclosed || string.is_key || !fault.is_cut() {
            return None;
        }
        let tail = fault.written_tail(TAIL_LEN);
        let end = tail.trim_end_matches(|char: char| char.is_whitespace() || matches!(char, ',' | '.' | ';'));
        let ends_in_closer = end.ends_with(['}', ']']) || end.ends_with("```");
        let has_line_of_closers = tail.split(['\n', '\r']).any(is_closers);
        (!ends_in_closer && !has_line_of_closers && !ends_in_high_surrogate(fault.content_before(SURROGATE_LEN)))
            .then(|| fault.insert("\""))
    }
}

/// Whether `line` holds closers, commas and blanks, and nothing else.
fn is_closers(line: &str) -> bool {
    line.contains(['}', ']']) && line.chars().all(|char| matches!(char, '}' | ']' | ',') || char.is_whitespace())
}

/// Whether `content` ends in an escape of U+D800 to U+DBFF, which needs another one behind it.
fn ends_in_high_surrogate(content: &str) -> bool {
    let Some((before, escape)) = content.len().checked_sub(6).and_then(|start| content.split_at_checked(start)) else {
        return false;
    };
    let backslashes = before.bytes().rev().take_while(|&byte| byte == b'\\').count();
    let unit = escape.strip_prefix("\\u").and_then(|digits| u16::from_str_radix(digits, 16).ok());
    backslashes % 2 == 0 && unit.is_some_and(|unit| (0xD800..0xDC00).contains(&unit))
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedString);
