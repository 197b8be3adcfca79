//! A payload whose end is missing: cut inside a string value, after a complete member, or right after an opening bracket; or where what was
//! begun cannot be known, and the truth is without it (SPEC B3).

use super::draft::{Draft, Piece};
use super::{Defect, units};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether the text can end in or after the token so that what was meant is still certain.
///
/// It cannot in a whole number (`12` could have been `123`) unless its comma is there.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(piece) = draft.piece(index).filter(|_| index + 1 < draft.pieces.len()) else {
        return false;
    };
    match (defect, piece.kind) {
        (Defect::UnclosedContainer, TokenKind::String | TokenKind::Literal | TokenKind::Comma)
        | (Defect::CutMemberAtKey, TokenKind::Key)
        | (Defect::CutMemberAtLiteral, TokenKind::Literal)
        | (Defect::CutMemberAtNumber, TokenKind::Number)
        | (Defect::CutEscape, TokenKind::String) => true,
        (Defect::UnclosedContainer, kind) => kind.opens() || kind.closes(),
        _ => false,
    }
}

/// Cuts the text in or after the token at `index`, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    if draft.depth_of(index) == 0 && !draft.piece(index)?.kind.opens() {
        return None;
    }
    let open = match defect {
        Defect::UnclosedContainer => {
            let open = draft.open_after(index);
            draft.pieces.truncate(index + 1);
            open
        }
        Defect::CutEscape => {
            let open = draft.open_after(index);
            draft.pieces.truncate(index + 1);
            cut_escape(draft.pieces.last_mut()?, random)?;
            open
        }
        _ => cut_member(draft, defect, index, random)?,
    };
    if open.is_empty() {
        return None;
    }
    if defect == Defect::UnclosedContainer {
        end_after(draft, random)?;
    }
    for opener in open.into_iter().rev() {
        let (kind, closer) =
            if opener == TokenKind::OpenObject { (TokenKind::CloseObject, "}") } else { (TokenKind::CloseArray, "]") };
        draft.pieces.push(Piece { kind, ..Piece::added(closer, "") });
    }
    draft.is_cut = true;
    Some(())
}

/// The last token is cut itself if it is a string, and white space may follow it.
fn end_after(draft: &mut Draft, random: &mut Random) -> Option<()> {
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
    Some(())
}

/// Cuts the member or element of which the token is a part, which the truth is without; gives what is open then.
fn cut_member(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<Vec<TokenKind>> {
    let is_value = defect != Defect::CutMemberAtKey;
    let start = if is_value && draft.is_in_object(index) { draft.previous(draft.previous(index)?)? } else { index };
    let before = draft.previous(start)?;
    let open = draft.open_after(before);
    let head: String = draft.pieces.get(start..index)?.iter().map(|piece| piece.damaged.as_str()).collect();
    let token = draft.piece(index)?.damaged.clone();
    let rest = match defect {
        Defect::CutMemberAtKey => match random.below(3) {
            0 => token,
            1 => format!("{token}:{}", random.pick_text(&["", " "])),
            _ => {
                let &end = random.pick(&cuts(&token))?;
                token.get(..end)?.to_owned()
            }
        },
        Defect::CutMemberAtLiteral => token.get(..random.between(1, token.len() - 1))?.to_owned(),
        _ => random.pick_text(&["-", "12.", "3e", "1.5e-", "-0.", "7E+"]).to_owned(),
    };
    draft.pieces.truncate(start);
    if let Some(comma) = draft.pieces.get_mut(before).filter(|piece| piece.kind == TokenKind::Comma) {
        comma.respell(String::new(), ",".to_owned());
    }
    let mut cut = Piece::added("", &format!("{head}{rest}"));
    cut.is_fragile = true;
    draft.pieces.push(cut);
    Some(open)
}

/// Ends a string within an escape: what the escape would have been cannot be known.
fn cut_escape(piece: &mut Piece, random: &mut Random) -> Option<()> {
    let &end = random.pick(&cuts(&piece.truth))?;
    let kept = piece.truth.get(..end)?.to_owned();
    let escape = random.pick_text(&["\\", "\\u", "\\u0", "\\u00e"]);
    piece.respell_fragile(format!("{kept}\""), format!("{kept}{escape}"));
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
