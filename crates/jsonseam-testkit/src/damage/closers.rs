//! Closers that are wrong, missing or too many, where nested records leave one reading.
//!
//! Each kind comes in two layouts: over many lines, where the indentation shows what is meant, and on one line, where only the brackets and what
//! follows them do. A place is left alone where another single edit would give another value: on one line, an inner object without its closer could
//! end anywhere, and a closer too many that fits where it is could be the one that was meant.

use super::defect::Defect;
use super::draft::Draft;
use crate::generate::TokenKind;
use crate::random::Random;

/// A closer and what is around it.
#[allow(clippy::struct_excessive_bools, reason = "four facts that do not depend on each other")]
struct Place {
    is_object: bool,
    /// Whether the container is a member of an object.
    is_in_object: bool,
    depth: usize,
    /// The token after the closer, or after the comma that follows it.
    after: Option<TokenKind>,
    /// Whether a comma follows.
    has_comma: bool,
    /// Whether the members are deeper than the closer, which is level with what follows it.
    is_indented: bool,
}

fn place(draft: &Draft, index: usize) -> Option<Place> {
    let opener = draft.opener_of(index)?;
    let depth = draft.depth_of(opener);
    if depth == 0 || draft.next(opener) == Some(index) {
        return None;
    }
    let next = draft.next(index)?;
    let has_comma = draft.piece(next)?.kind == TokenKind::Comma;
    let after = if has_comma { draft.next(next)? } else { next };
    Some(Place {
        is_object: draft.piece(index)?.kind == TokenKind::CloseObject,
        is_in_object: draft.is_in_object(opener),
        depth,
        after: draft.piece(after).map(|piece| piece.kind),
        has_comma,
        is_indented: is_indented(draft, opener, index, after).unwrap_or(false),
    })
}

fn is_indented(draft: &Draft, opener: usize, closer: usize, after: usize) -> Option<bool> {
    let inner = draft.indent(opener + 1)?;
    let own = draft.indent(closer.checked_sub(1)?)?;
    let outer = draft.indent(after.checked_sub(1)?)?;
    Some(inner > own && own == outer)
}

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(is_on_lines) = defect.is_on_lines() else {
        return false;
    };
    let is_closer = draft.piece(index).is_some_and(|piece| piece.kind.closes());
    if !is_closer || draft.pieces.iter().any(|piece| piece.damaged.contains('\n')) != is_on_lines {
        return false;
    }
    let Some(place) = place(draft, index) else {
        return false;
    };
    match defect {
        Defect::MismatchedCloserInRecords | Defect::MismatchedCloserInRecordsOnLine => true,
        Defect::UnclosedInnerContainerInRecords | Defect::UnclosedInnerContainerInRecordsOnLine => {
            let is_shown_by_comma = match (place.is_object, place.is_in_object) {
                (false, true) => place.has_comma && place.after == Some(TokenKind::Key),
                (true, false) => place.has_comma && place.after == Some(TokenKind::OpenObject),
                _ => false,
            };
            // The closer of the other kind that follows closes the container outside.
            let is_shown_by_closer = !place.has_comma && place.is_object != place.is_in_object;
            is_shown_by_comma || is_shown_by_closer || place.is_indented && place.has_comma
        }
        _ => place.has_comma,
    }
}

/// Damages the text at the closer, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    match defect {
        Defect::MismatchedCloserInRecords | Defect::MismatchedCloserInRecordsOnLine => {
            let piece = draft.pieces.get_mut(index)?;
            let other = if piece.truth == "}" { "]" } else { "}" };
            piece.respell_fragile(piece.truth.clone(), other.to_owned());
        }
        Defect::UnclosedInnerContainerInRecords | Defect::UnclosedInnerContainerInRecordsOnLine => {
            let last = draft.previous(index)?;
            for piece in draft.pieces.get_mut(last + 1..=index)? {
                piece.respell_fragile(piece.truth.clone(), String::new());
            }
        }
        _ => {
            let place = place(draft, index)?;
            // One that fits the container outside is plain only if that is the root, which would end, or if the lines show it.
            let is_free = place.is_indented || place.depth == 1;
            let fitting = if place.is_in_object { "}" } else { "]" };
            let other = if place.is_in_object { "]" } else { "}" };
            let surplus = if is_free && random.chance(1, 2) { fitting } else { other };
            let indent = draft.indent(index.checked_sub(1)?).filter(|_| random.chance(1, 3));
            let gap = indent.map_or_else(String::new, |indent| format!("\n{}", " ".repeat(indent)));
            let piece = draft.pieces.get_mut(index)?;
            piece.respell_fragile(piece.truth.clone(), format!("{}{gap}{surplus}", piece.damaged));
        }
    }
    Some(())
}
