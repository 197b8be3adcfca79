//! Damage between tokens: commas too many or too few, comments, invisible characters.

use super::Defect;
use super::draft::{Draft, Piece};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token: the comma that goes, the closer that gets a comma before it, or the token that something is put before.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let (Some(piece), Some(previous)) = (draft.piece(index), draft.previous_piece(index)) else {
        return false;
    };
    match defect {
        Defect::TrailingComma => piece.kind.closes() && !piece.is_touched && !previous.kind.opens(),
        Defect::MissingCommaAfterScalar => loses_comma(draft, index) && previous.kind.is_scalar(),
        Defect::MissingCommaAfterContainer => loses_comma(draft, index) && previous.kind.closes(),
        // Not after the end of a cut payload, and not beside a word without quotes, which the addition could join.
        Defect::Comment | Defect::InvisibleCharacter => {
            let is_clear = !piece.is_missing() || piece.kind == TokenKind::Comma;
            !piece.is_blank() && is_clear && !piece.is_bare() && !previous.is_bare()
        }
        _ => false,
    }
}

/// Whether this is a comma between two members of an object, neither of which has been damaged beside it.
fn loses_comma(draft: &Draft, index: usize) -> bool {
    let is_comma = draft.piece(index).is_some_and(|piece| piece.kind == TokenKind::Comma && !piece.is_touched);
    let is_before_key = draft.next_piece(index).is_some_and(|next| next.kind == TokenKind::Key && !next.is_touched);
    is_comma && is_before_key && draft.previous_piece(index).is_some_and(|previous| !previous.is_touched)
}

/// Damages the text at `index`, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    match defect {
        Defect::TrailingComma => {
            // Right after the value, or as now and then right before the closer.
            let after_value = draft.previous(index)? + 1;
            draft.pieces.get_mut(index)?.is_touched = true;
            draft.pieces.insert(if random.chance(1, 4) { index } else { after_value }, Piece::added("", ","));
        }
        Defect::MissingCommaAfterScalar | Defect::MissingCommaAfterContainer => {
            lose_comma(draft, index, random)?;
        }
        Defect::Comment => {
            let piece = comment(random);
            draft.pieces.insert(spot_before(draft, index, random), piece);
        }
        Defect::InvisibleCharacter => {
            let mut run = String::new();
            for _ in 0..random.between(1, 3) {
                run.push_str(random.pick_text(&["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}"]));
            }
            draft.pieces.insert(spot_before(draft, index, random), Piece::added("", &run));
        }
        _ => return None,
    }
    Some(())
}

/// Somewhere in the gap before the token: before or after its white space.
fn spot_before(draft: &Draft, index: usize, random: &mut Random) -> usize {
    let gap_start = draft.previous(index).map_or(0, |previous| previous + 1);
    random.between(gap_start, index)
}

/// Removes the comma; the gap it leaves holds a newline, one of its own if need be (SPEC M1).
fn lose_comma(draft: &mut Draft, index: usize, random: &mut Random) -> Option<()> {
    let (previous, next) = (draft.previous(index)?, draft.next(index)?);
    let gap = draft.pieces.get(previous + 1..next)?;
    let has_newline =
        gap.iter().any(|piece| piece.is_blank() && !piece.is_touched && piece.damaged.contains(['\n', '\r']));
    let comma = draft.pieces.get_mut(index)?;
    comma.respell(",".to_owned(), String::new());
    if !has_newline {
        let newline = random.pick_text(&["\n", "\n", "\n  ", "\r\n", "\r"]);
        let blank = Piece { is_touched: false, ..Piece::added(newline, newline) };
        draft.pieces.insert(index + 1, blank);
    }
    Some(())
}

/// A comment with what comments hold: apostrophes, quotes, brackets, links, members that are switched off.
fn comment(random: &mut Random) -> Piece {
    let words = random.pick_text(&[
        "note",
        "it's optional",
        "the \"name\" of the user",
        "see https://example.org/a",
        "was: \"b\": 2,",
        "}",
        "{",
        "]",
        "e.g. [1, 2]",
        "TODO: don't keep",
        "",
        "{\"a\": 1}",
        "a, b, c",
        "\u{201c}quoted\u{201d}",
        // Dots alone would say that something is left out, which is another defect.
        "see below ...",
        "C:\\temp\\",
    ]);
    let newline = if random.chance(1, 6) { "\r\n" } else { "\n" };
    match random.below(4) {
        0 => Piece::added(newline, &format!("# {words}{newline}")),
        1 => Piece::added("", &format!("/*{words}*/")),
        2 => Piece::added("", &format!("/* {words}{newline} * {words}\n */")),
        _ => Piece::added(newline, &format!("// {words}{newline}")),
    }
}
