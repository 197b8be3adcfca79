//! `unclosed-string`: the text ends inside a string value.

use jsonseam_core::{Edits, Fault, closers_of, rule};

use crate::shared::escapes;

rule! {
    /// Closes a string value at which the text was truncated.
    ///
    /// # What
    /// The completion ends inside a string that is a value. A `"` is inserted at the end.
    /// The report says `truncated` and lists the string as incomplete. If another mark opens the value, a `"` takes its place.
    ///
    /// # Why
    /// A model that runs out of tokens stops in the middle of its longest value.
    ///
    /// # Example
    /// `["one", "tw` becomes `["one", "tw"]`, together with `unclosed-container`.
    ///
    /// # Limits
    /// Never a key. Only where the completion ends: at the end of a fenced block the quote was forgotten, and where it belongs is a guess.
    /// Never when the content ends in half an escape, in half a surrogate pair, in `}` or `]`, or in a fence, and never
    /// when a line among its last 4096 bytes holds only closers:
    /// there the quote was forgotten, not truncated. Nor a path or a formula whose backslashes begin escapes only by chance (`C:\new`).
    pub struct UnclosedString {
        name: "unclosed-string",
        risk: Likely,
        answers: [String, Value],
        next: [End, "'`", NonAscii],
        only_ahead: unclosed_string,
    }
}

/// As much of the content as is searched for lines of closers; what a model writes after its payload is shorter.
const TAIL_LEN: usize = 4096;

fn unclosed_string(fault: &Fault<'_>) -> Option<Edits> {
    let Some(string) = fault.string() else { return opened(fault) };
    if string.is_key || !fault.is_cut() {
        return None;
    }
    let tail = written_tail(fault, string.start);
    let end = tail.trim_end_matches(|char: char| char.is_whitespace() || matches!(char, ',' | '.' | ';'));
    let ends_in_closer = end.ends_with(['}', ']']) || end.ends_with("```");
    let has_line_of_closers = tail.split(['\n', '\r']).any(is_closers) || ends_before_prose(tail);
    // The whole string is valid by chance: nothing beside the cut tells that its backslashes were not escaped (SPEC R7).
    let has_accidental = || {
        let content = fault.at(string.start).slice_to(fault.pos());
        // Half an escape at the end tells nothing.
        let content = content.strip_suffix('\\').unwrap_or(content);
        // A path goes on without a blank; after a sentence (`Plan B:\nFirst we …`) and in a text that was escaped the escapes are meant.
        let is_text =
            || content.split_once(":\\").is_some_and(|(_, path)| path.contains(' ') || content.contains("\\\\"));
        content.contains('\\') && !is_text() && escapes::loses_accidental(content, content.len()..content.len())
    };
    let is_doubtful = ends_in_closer || has_line_of_closers || has_accidental() || escapes::half_pair_len(fault) > 0;
    (!is_doubtful).then(|| fault.insert("\""))
}

/// The edit that opens with `"` a value that another mark opens and nothing ends: what closes it comes where the text ends.
fn opened(fault: &Fault<'_>) -> Option<Edits> {
    let mut content = fault.ahead();
    let quote = content.bump().filter(|quote| matches!(quote, '\'' | '`' | '“' | '‘'))?;
    // Closers at the end tell that the text is whole: another mark ends the value.
    let is_cut = quote == '\'' || !fault.at(fault.region_end()).before(8).trim_end().ends_with(['}', ']']);
    // A text full of such marks is read from each to the next.
    let mut is_last = || {
        content.take_while(|char| !closers_of(quote).contains(&char) && !matches!(char, '"' | '\\' | '\n'));
        content.peek().is_none()
    };
    (is_cut && is_last() && fault.may_be_cut()).then(|| fault.replace_ahead(quote.len_utf8(), "\""))
}

/// Whether a line before the last one ends in a closer, and more is closed by then than was opened.
fn ends_before_prose(text: &str) -> bool {
    let mut depth = 0_i32;
    let Some((lines, _)) = text.rsplit_once(['\n', '\r']) else { return false };
    lines.split(['\n', '\r']).any(|line| {
        for byte in line.bytes() {
            depth += i32::from(matches!(byte, b'{' | b'[')) - i32::from(matches!(byte, b'}' | b']'));
        }
        depth < 0 && line.trim_end().ends_with(['}', ']'])
    })
}

/// Whether `line` holds closers, commas and blanks, and nothing else.
fn is_closers(line: &str) -> bool {
    line.chars().all(|char| matches!(char, '}' | ']' | ',') || char.is_whitespace()) && line.contains(['}', ']'])
}

/// The end of the open string before the blanks at the fault, as it was written, edits or not.
fn written_tail<'e>(fault: &Fault<'e>, start: usize) -> &'e str {
    let blanks = fault.ahead().before_while(char::is_whitespace).len().min(fault.pos() - start);
    let end = fault.pos() - blanks;
    fault.at(end).before(TAIL_LEN.min(end - start))
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedString);
