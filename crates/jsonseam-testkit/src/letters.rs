//! The law *letters*: a letter is a letter, of however many bytes.
//!
//! Where any letter of ASCII may take the place of another without changing what becomes of a text, a letter of two, three or four bytes may too.
//! Rules that look at the byte next to a fault, where they mean the character, break it.

use std::ops::Range;

use crate::laws::Violation;
use crate::subject::{Outcome, Subject};

/// Letters of two, three and four bytes, with case and, of three bytes, without.
pub const LETTERS: [char; 4] = ['é', 'ẽ', '漢', '𝒜'];

/// Letters of ASCII that begin no word, number or escape that a rule knows.
const NEUTRAL: [char; 4] = ['q', 'k', 'Q', 'Z'];

/// The longest text that the law reads: it repairs a text some fifteen times for each of its words.
const LONGEST: usize = 1_000;

/// Puts each of the letters in place of each word of `text`, of its first letter and of its last one.
///
/// A place where letters of ASCII differ among themselves says nothing: there is a word that a rule knows. Nor does one where a letter is part of
/// what ASCII alone can spell: a command or an escape after a backslash, a drive (`C:\`), a number (`0xFF`).
/// The script of `漢` sets no space between words, so next to a backtick it is not compared: nothing shows which way that faces.
///
/// # Errors
///
/// The first place where a letter of several bytes makes a difference and none of ASCII does.
pub fn check(subject: &dyn Subject, text: &str) -> Result<(), Violation> {
    violations(subject, text).next().map_or(Ok(()), Err)
}

/// Every violation, found as it is asked for.
pub fn violations<'t>(subject: &'t dyn Subject, text: &'t str) -> impl Iterator<Item = Violation> + 't {
    let words = if text.len() <= LONGEST && text.is_ascii() { words(text) } else { Vec::new() };
    let original = subject.repair(text);
    words.into_iter().flat_map(move |word| {
        let place = Place { subject, text, word };
        let is_compared = |letter: &&char| **letter != '漢' || !place.touches_code();
        let wanted = place.told(NEUTRAL[0]);
        let compared = LETTERS.iter().filter(is_compared);
        compared.filter_map(|&letter| place.difference(&original, &wanted, letter)).collect::<Vec<_>>()
    })
}

/// The stretches of letters that are replaced.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut end = 0;
    while let Some(len) = text[end..].find(|char: char| char.is_ascii_alphabetic()) {
        let start = end + len;
        let rest = &text[start..];
        end = start + rest.find(|char: char| !char.is_ascii_alphabetic()).unwrap_or(rest.len());
        let is_spelled = text[..start].ends_with(|char: char| char == '\\' || char.is_ascii_digit());
        if is_spelled || text[end..].starts_with(":\\") {
            continue;
        }
        found.push(start..end);
        if end - start > 1 {
            found.extend([start..start + 1, end - 1..end]);
        }
    }
    found
}

/// A stretch of letters in a text.
struct Place<'t> {
    subject: &'t dyn Subject,
    text: &'t str,
    word: Range<usize>,
}

impl Place<'_> {
    fn touches_code(&self) -> bool {
        self.text[..self.word.start].ends_with('`') || self.text[self.word.end..].starts_with('`')
    }

    fn with(&self, letter: char) -> String {
        let replaced = String::from(letter).repeat(self.word.len());
        [&self.text[..self.word.start], &replaced, &self.text[self.word.end..]].concat()
    }

    fn told(&self, letter: char) -> Told {
        Told::of(&self.subject.repair(&self.with(letter)), letter)
    }

    /// How `letter` makes a difference that no letter of ASCII makes, if it does.
    fn difference(&self, original: &Outcome, wanted: &Told, letter: char) -> Option<Violation> {
        let seen = self.told(letter);
        let original = Told::of(original, letter);
        let is_neutral = || {
            let holds_letter = original.output.contains('\u{FFFD}');
            !holds_letter && wanted.kind == original.kind && NEUTRAL.iter().all(|&other| self.told(other) == *wanted)
        };
        (seen != *wanted && is_neutral()).then(|| Violation {
            law: "letters",
            seen: format!("{} with `{}`, {} with `{letter}`", wanted.kind, NEUTRAL[0], seen.kind),
            text: self.with(letter),
        })
    }
}

/// What became of a text in which one letter took the place of others.
#[derive(PartialEq, Eq)]
struct Told {
    /// The rules of the edits, or why it was refused.
    kind: String,
    /// The output, with one sign in place of that letter.
    output: String,
}

impl Told {
    fn of(outcome: &Outcome, letter: char) -> Self {
        match outcome {
            Outcome::Accepted(accepted) => {
                let rules: Vec<_> = accepted.edits.iter().map(|(rule, ..)| rule.as_str()).collect();
                let kind = format!("{rules:?}{}", if accepted.is_truncated { " truncated" } else { "" });
                Self { kind, output: accepted.text.replace(letter, "\u{FFFD}") }
            }
            Outcome::Refused { reason, .. } => Self { kind: reason.to_string(), output: String::new() },
        }
    }
}
