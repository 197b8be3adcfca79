//! A payload whose end is missing: cut inside a string value, after a complete member, or right after an opening bracket.

use super::draft::{Draft, Piece};
use super::units;
use crate::generate::TokenKind;
use crate::random::Random;

/// The tokens in or after which the text can end so that what was meant is still certain.
///
/// Numbers are none of them (`12` could have been `123`) unless their comma is there, nor are keys and colons.
pub(super) fn places(draft: &Draft) -> Vec<usize> {
    let Some(last) = draft.pieces.len().checked_sub(1) else {
        return Vec::new();
    };
    let is_place = |&index: &usize| {
        draft.piece(index).is_some_and(|piece| match piece.kind {
            TokenKind::String | TokenKind::Literal | TokenKind::Comma => true,
            kind => kind.opens() || kind.closes(),
        })
    };
    (0..last).filter(is_place).collect()
}

/// Cuts the text in or after the token at `index`, one of [`places`].
pub(super) fn apply(draft: &mut Draft, index: usize, random: &mut Random) -> Option<()> {
    let open = draft.open_after(index);
    if open.is_empty() {
        return None;
    }
    draft.pieces.truncate(index + 1);
    let last = draft.pieces.last_mut()?;
    last.is_touched = true;
    match last.kind {
        TokenKind::Comma => last.respell(String::new(), ",".to_owned()),
        TokenKind::String => cut_string(last, random)?,
        _ => {}
    }
    // What is inside a string would not be outer white space.
    let is_inside_string = last.kind == TokenKind::String && last.truth != last.damaged;
    if !is_inside_string && random.chance(1, 4) {
        let blank = random.pick_text(&[" ", "\n", "\n  "]);
        draft.pieces.push(Piece::added(blank, blank));
    }
    for opener in open.into_iter().rev() {
        let (kind, closer) =
            if opener == TokenKind::OpenObject { (TokenKind::CloseObject, "}") } else { (TokenKind::CloseArray, "]") };
        draft.pieces.push(Piece { kind, ..Piece::added(closer, "") });
    }
    draft.is_cut = true;
    Some(())
}

fn cut_string(piece: &mut Piece, random: &mut Random) -> Option<()> {
    // A complete string that is only followed by nothing is a place, too.
    if random.chance(2, 3) {
        let &end = random.pick(&cuts(&piece.truth))?;
        let kept = piece.truth.get(..end)?.to_owned();
        piece.respell(format!("{kept}\""), kept);
    }
    Some(())
}

/// Where the spelling of a string can be cut: the ends of those prefixes of its content that end neither in white space (an outer trim would
/// take it), nor in what looks like the end of something else (a quote, a bracket, a fence), nor in half a surrogate pair.
fn cuts(spelling: &str) -> Vec<usize> {
    let Some(content) = spelling.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Vec::new();
    };
    let mut ends = vec![1];
    let mut end = 1;
    for unit in units(content) {
        end += unit.len();
        if is_plain_end(unit) {
            ends.push(end);
        }
    }
    ends
}

fn is_plain_end(unit: &str) -> bool {
    let is_high_surrogate = unit
        .get(..4)
        .is_some_and(|head| ["\\ud8", "\\ud9", "\\uda", "\\udb"].contains(&head.to_ascii_lowercase().as_str()));
    let looks_like_an_end = |last: char| {
        last.is_whitespace()
            || last.is_control()
            || "\"'`~{}[],:\\/*#\u{201c}\u{201d}\u{201e}\u{2018}\u{2019}".contains(last)
            || ('\u{200b}'..='\u{200f}').contains(&last)
            || ('\u{2028}'..='\u{2069}').contains(&last)
            || last == '\u{feff}'
    };
    !is_high_surrogate && unit.chars().last().is_some_and(|last| !looks_like_an_end(last))
}
