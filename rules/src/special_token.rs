//! `special-token`: control tokens of a model around its answer.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

rule! {
    /// Passes over control tokens that a server has left around the answer.
    ///
    /// # What
    /// The text starts or ends with control tokens: `</s>`, `<|im_end|>`, `<|eot_id|>`, `<|call|>`, `<end_of_turn>`, `[INST]` and others of the same forms,
    /// with the name of a role after a token that starts a turn. The text between them is searched.
    ///
    /// # Why
    /// Servers that decode special tokens write them into the text. The payload then ends before the text does:
    /// a fence after a token does not start its line, and a container that was left open is not closed at the region's end.
    ///
    /// # Example
    /// `<|im_start|>assistant {"a": 1}<|im_end|>` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A token inside a string is text. At the end of the text it may be the last word of a truncated string, so it stays while a string is open.
    pub struct SpecialToken {
        name: "special-token",
        locates: Regions,
        starts: "<[",
        ends: ">]",
        usual: Nothing,
    }
}

/// Tokens that are not spelled between `<|` and `|>`.
const TOKENS: [&str; 17] = [
    "<s>",
    "</s>",
    "<bos>",
    "<eos>",
    "<pad>",
    "<unk>",
    "<EOS>",
    "<EOT>",
    "<eom>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
    "[EOS]",
    "[TOOL_CALLS]",
    "<end_of_utterance>",
    "<end_of_text>",
];

/// Who speaks, after a token that starts a turn.
const ROLES: [&str; 3] = ["assistant", "model", "ipython"];

/// The longest token between `<|` and `|>`, in bytes.
const LONGEST: usize = 40;

impl LocateRule for SpecialToken {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let span = region.span();
        let (mut start, mut end) = (span.start, span.end);
        while let Some(len) = leading(ahead(region, start, end)) {
            start += len;
            start += blanks(ahead(region, start, end), false);
        }
        while let Some(len) = trailing(before(region, start, end)) {
            end -= len;
            end -= blanks(before(region, start, end), true);
        }
        if end < span.end && region.is_string_open_at(end) {
            end = span.end;
        }
        if (start > span.start || end < span.end) && start < end {
            found.push(start..end);
        }
    }
}

/// A window of the text from `start` on, or up to `end`.
fn ahead<'r>(region: &Region<'r>, start: usize, end: usize) -> &'r str {
    (0..4)
        .map(|less| region.slice(start..end.min(start + 64).saturating_sub(less).max(start)))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

fn before<'r>(region: &Region<'r>, start: usize, end: usize) -> &'r str {
    (0..4)
        .map(|less| region.slice((end.saturating_sub(64).max(start) + less).min(end)..end))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

fn blanks(text: &str, is_at_end: bool) -> usize {
    text.len() - if is_at_end { text.trim_end().len() } else { text.trim_start().len() }
}

/// The length of the token that `text` starts with, the role after it included.
fn leading(text: &str) -> Option<usize> {
    if !text.starts_with(['<', '[']) {
        return None;
    }
    let len = TOKENS.iter().find(|token| text.starts_with(**token)).map(|token| token.len()).or_else(|| {
        let (open, close) = BARS.iter().find(|(open, _)| text.starts_with(open))?;
        let inner = text[open.len()..].find(close)?;
        is_name(&text[open.len()..open.len() + inner]).then_some(open.len() + inner + close.len())
    })?;
    let rest = text.get(len..).unwrap_or_default();
    let role = ROLES.iter().find(|role| {
        rest.strip_prefix(**role).is_some_and(|rest| !rest.starts_with(|char: char| char.is_alphanumeric()))
    });
    Some(len + role.map_or(0, |role| role.len()))
}

/// The length of the token that `text` ends with.
fn trailing(text: &str) -> Option<usize> {
    if !text.ends_with(['>', ']']) {
        return None;
    }
    TOKENS.iter().find(|token| text.ends_with(**token)).map(|token| token.len()).or_else(|| {
        let (open, close) = BARS.iter().find(|(_, close)| text.ends_with(close))?;
        let inner = text[..text.len() - close.len()].rfind(open)?;
        is_name(&text[inner + open.len()..text.len() - close.len()]).then_some(text.len() - inner)
    })
}

/// The marks around the name of a token; some models write full-width bars.
const BARS: [(&str, &str); 2] = [("<|", "|>"), ("<\u{FF5C}", "\u{FF5C}>")];

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '/' | '\u{2581}'))
}

#[cfg(test)]
jsonseam_testkit::laws!(SpecialToken);
