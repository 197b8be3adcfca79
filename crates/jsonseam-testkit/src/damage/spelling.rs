//! Damage inside a token: quotes, escapes, keys without quotes, foreign literals.

use super::draft::{Draft, Piece};
use super::plain::is_identifier;
use super::{Defect, units};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(piece) = draft.piece(index) else {
        return false;
    };
    if piece.is_touched || !stands_clear(draft, index) {
        return false;
    }
    match defect {
        Defect::SingleQuotedString => piece.content().is_some_and(|content| is_simple(content, &SINGLE_QUOTES)),
        Defect::SmartQuotedString => piece
            .content()
            .is_some_and(|content| is_simple(content, &DOUBLE_QUOTES) || is_simple(content, &SINGLE_QUOTES)),
        Defect::UnquotedKey => {
            piece.kind == TokenKind::Key
                && piece.content().is_some_and(is_identifier)
                && !draft.is_beside_addition(index)
        }
        Defect::PythonLiteral => piece.kind == TokenKind::Literal && !draft.is_beside_addition(index),
        Defect::RawControlCharacter => piece.content().is_some_and(|content| !raw_controls(content).is_empty()),
        Defect::InvalidEscape => piece.content().is_some_and(|content| !follows_short_escape(content)),
        _ => false,
    }
}

/// Whether the token is followed (and a key preceded) by punctuation that is still there: without it, several defects meet
/// in one gap, and where the token ends is no longer plain to see.
fn stands_clear(draft: &Draft, index: usize) -> bool {
    let is_key = draft.piece(index).is_some_and(|piece| piece.kind == TokenKind::Key);
    let is_followed = draft.next_piece(index).is_some_and(|next| !next.is_missing());
    let is_preceded = draft.previous_piece(index).is_some_and(|previous| !previous.is_missing());
    is_followed && (is_preceded || !is_key)
}

/// Damages the token at `index`, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    let piece = draft.pieces.get_mut(index)?;
    match defect {
        Defect::SingleQuotedString => requote(piece, '\'', '\''),
        Defect::SmartQuotedString => {
            let content = piece.content()?;
            let takes_double =
                is_simple(content, &DOUBLE_QUOTES) && (!is_simple(content, &SINGLE_QUOTES) || random.chance(2, 3));
            if takes_double { requote(piece, '\u{201c}', '\u{201d}') } else { requote(piece, '\u{2018}', '\u{2019}') }
        }
        Defect::UnquotedKey => {
            let bare = piece.content()?.to_owned();
            piece.respell(piece.truth.clone(), bare);
            Some(())
        }
        Defect::PythonLiteral => {
            let python = match piece.truth.as_str() {
                "true" => "True",
                "false" => "False",
                _ => "None",
            };
            piece.respell(piece.truth.clone(), python.to_owned());
            Some(())
        }
        Defect::RawControlCharacter => raw_control(piece, random),
        Defect::InvalidEscape => invalid_escape(piece, random),
        _ => None,
    }
}

fn requote(piece: &mut Piece, open: char, close: char) -> Option<()> {
    let damaged = format!("{open}{}{close}", piece.content()?);
    piece.respell(piece.truth.clone(), damaged);
    Some(())
}

/// Every quote that a reader could take for a single one.
const SINGLE_QUOTES: [char; 8] = ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}', '\u{2032}', '`', '\u{b4}'];

/// Every quote, other than `"`, that a reader could take for a double one.
const DOUBLE_QUOTES: [char; 5] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{2033}'];

/// SPEC P5: no quote of its kind, no `"`, no backslash and no control character.
fn is_simple(content: &str, quotes: &[char]) -> bool {
    !content.contains(|character: char| {
        quotes.contains(&character) || character == '"' || character == '\\' || character.is_control()
    })
}

/// The escapes of control characters, with what they stand for.
const CONTROLS: [(&str, char); 5] = [("\\n", '\n'), ("\\t", '\t'), ("\\r", '\r'), ("\\b", '\u{8}'), ("\\f", '\u{c}')];

/// What can be spelled raw in the content: the number of the unit and the raw character. `content.len()` units or more mean "at the end".
///
/// A raw newline before a fence is left out: the fence would stand at the start of a line, and might close a block around the payload.
fn raw_controls(content: &str) -> Vec<(usize, char)> {
    let all: Vec<&str> = units(content).collect();
    let raw = |(index, unit): (usize, &&str)| {
        let (_, raw) = CONTROLS.iter().find(|(escape, _)| escape == unit)?;
        let rest: String = all.iter().skip(index + 1).copied().collect();
        let is_fenced = rest.trim_start().starts_with("```") || rest.trim_start().starts_with("~~~");
        (!is_fenced || !matches!(raw, '\n' | '\r')).then_some((index, *raw))
    };
    let mut found: Vec<(usize, char)> = all.iter().enumerate().filter_map(raw).collect();
    if found.is_empty() && !content.ends_with(|last: char| last == '\\' || last.is_control()) {
        found.push((usize::MAX, '\t'));
    }
    found
}

/// Spells one escape raw, or puts a raw tab at the end of a string that has no such escape; the truth holds the escape either way.
fn raw_control(piece: &mut Piece, random: &mut Random) -> Option<()> {
    let content = piece.content()?.to_owned();
    let &(chosen, raw) = random.pick(&raw_controls(&content))?;
    if chosen == usize::MAX {
        piece.respell(format!("\"{content}\\t\""), format!("\"{content}\t\""));
        return Some(());
    }
    let spell = |(index, unit): (usize, &str)| {
        if index == chosen { raw.to_string() } else { unit.to_owned() }
    };
    let damaged: String = units(&content).enumerate().map(spell).collect();
    piece.respell(piece.truth.clone(), format!("\"{damaged}\""));
    Some(())
}

/// Whether an escape such as `\n` comes before a letter. Beside `\alpha`, a reader could take `\nabla` for one more command without its
/// second backslash, so the truth would be open to debate.
fn follows_short_escape(content: &str) -> bool {
    let all: Vec<&str> = units(content).collect();
    all.windows(2).any(|pair| matches!(pair, [escape, next] if CONTROLS.iter().any(|(short, _)| short == escape) && next.starts_with(|first: char| first.is_ascii_alphabetic())))
}

/// What may stand after a backslash that begins no escape. `'` is left out: JavaScript reads `\'` as an apostrophe.
fn is_no_escape(unit: &str, next: Option<&&str>) -> bool {
    match unit.chars().next() {
        Some('u') => {
            next.is_some_and(|next| !next.starts_with(|first: char| first.is_ascii_hexdigit() || first == '\\'))
        }
        Some(first) => "acdeghijklmopqsvwxyzACDEGHIKLMPQSUWXYZ_.*+()[]-#$%&!".contains(first),
        None => false,
    }
}

/// Puts one backslash where the truth has two.
fn invalid_escape(piece: &mut Piece, random: &mut Random) -> Option<()> {
    let content = piece.content()?.to_owned();
    let all: Vec<&str> = units(&content).collect();
    let is_spot = |&index: &usize| {
        let follows_escape =
            index.checked_sub(1).and_then(|before| all.get(before)).is_some_and(|unit| unit.starts_with('\\'));
        // Right after a letter it speaks against the escapes of all strings, so that the text has no one truth (SPEC R7).
        let before = index.checked_sub(1).and_then(|before| all.get(before)).and_then(|unit| unit.chars().next());
        let is_in_word = before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | '.'));
        // Before an underscore it may be Markdown's, and then it is not meant.
        !follows_escape
            && !is_in_word
            && all.get(index) != Some(&"_")
            && all.get(index).is_some_and(|unit| is_no_escape(unit, all.get(index + 1)))
    };
    let spots: Vec<usize> = (0..all.len()).filter(is_spot).collect();
    let (at, inserted) = random.pick(&spots).map_or((all.len(), "_"), |&spot| (spot, ""));
    let head: String = all.iter().take(at).copied().collect();
    let tail: String = all.iter().skip(at).copied().collect();
    piece.respell(format!("\"{head}\\\\{inserted}{tail}\""), format!("\"{head}\\{inserted}{tail}\""));
    Some(())
}
