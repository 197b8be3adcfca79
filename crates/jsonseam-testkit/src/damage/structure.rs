//! Damage to separators, brackets and members, and what is put between two tokens that is neither white space nor a comment of JavaScript.

use super::Defect;
use super::draft::{Draft, Piece};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(kind) = draft.piece(index).map(|piece| piece.kind) else {
        return false;
    };
    match kind {
        TokenKind::Comma => is_comma_place(draft, defect, index),
        TokenKind::Colon => match defect {
            Defect::MissingColon => has_sure_value(draft, index),
            Defect::OtherLanguageColon | Defect::FullwidthPunctuation => true,
            _ => is_gap_place(draft, defect, index),
        },
        TokenKind::OpenObject if defect == Defect::LeadingComma => draft.next_is(index, TokenKind::Key),
        TokenKind::OpenArray => is_array_place(draft, defect, index) || is_gap_place(draft, defect, index),
        TokenKind::Key if defect == Defect::NumberKey => true,
        _ if kind.closes() => is_closer_place(draft, defect, index) || is_gap_place(draft, defect, index),
        _ => is_gap_place(draft, defect, index),
    }
}

fn is_gap_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    matches!(defect, Defect::HtmlComment | Defect::UnusualSpace) && draft.previous(index).is_some()
}

fn is_comma_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let (Some(before), Some(after)) = (draft.previous(index), draft.next(index)) else {
        return false;
    };
    let is_in_object = draft.is_in_object(index);
    match defect {
        Defect::MissingCommaOnLine => is_in_object && !draft.has_newline(before, after),
        Defect::MissingCommaInArray => !is_in_object && are_two(draft, before, after),
        Defect::RepeatedComma => is_in_object,
        Defect::SemicolonSeparator | Defect::FullwidthPunctuation => true,
        Defect::PrematureCloser => is_in_object && draft.depth_of(index) == 1,
        _ => is_gap_place(draft, defect, index),
    }
}

/// Whether two neighbours in an array are two elements also without the comma: not two strings, which Python would join, nor two numbers,
/// which a reader could take for one, on a line.
fn are_two(draft: &Draft, before: usize, after: usize) -> bool {
    let kinds = (draft.piece(before).map(|piece| piece.kind), draft.piece(after).map(|piece| piece.kind));
    let is_of_one_kind = matches!(
        kinds,
        (Some(TokenKind::String), Some(TokenKind::String)) | (Some(TokenKind::Number), Some(TokenKind::Number))
    );
    let continues = draft.piece(after).is_some_and(|piece| piece.truth.starts_with('-'));
    !continues && (!is_of_one_kind || draft.has_newline(before, after))
}

/// Whether a value that is after a key without colon is a value and no second key: it is not a string, or other members show what the object is.
fn has_sure_value(draft: &Draft, colon: usize) -> bool {
    let is_string = draft.next_is(colon, TokenKind::String);
    let key = draft.previous(colon);
    let follows_member =
        key.is_some_and(|key| draft.previous_piece(key).is_some_and(|piece| piece.kind == TokenKind::Comma));
    let leads_member = draft.next(colon).is_some_and(|value| draft.next_is(value, TokenKind::Comma));
    !is_string || follows_member || leads_member
}

/// Whether the array that opens here holds two scalars at least and nothing else, and is not the root; or nothing at all, for a tuple.
fn is_array_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    if !matches!(defect, Defect::PythonSet | Defect::PythonTuple | Defect::OneElementSet) || draft.depth_of(index) == 0
    {
        return false;
    }
    let Some(closer) = draft.closer_of(index) else {
        return false;
    };
    let inner = draft.pieces.get(index + 1..closer).unwrap_or_default();
    let is_plain = inner.iter().all(|piece| {
        !piece.is_touched && (piece.is_blank() || piece.kind == TokenKind::Comma || piece.kind.is_scalar())
    });
    let elements = inner.iter().filter(|piece| piece.kind.is_scalar()).count();
    let is_right = match defect {
        // A word and a colon in the string may be a key that lost its quote.
        Defect::OneElementSet => {
            let begins_as_member = |piece: &Piece| {
                let label = piece.content().and_then(|content| content.split_once(':'));
                label.is_some_and(|(label, _)| !label.trim().contains(' '))
            };
            elements == 1
                && draft.is_in_object(index)
                && draft.next_piece(index).is_some_and(|only| only.kind == TokenKind::String && !begins_as_member(only))
        }
        Defect::PythonTuple => elements != 1,
        _ => elements >= 2,
    };
    is_plain && draft.is_calm(closer) && is_right
}

fn is_closer_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(opener) = draft.opener_of(index) else {
        return false;
    };
    let is_object = draft.piece(index).is_some_and(|piece| piece.kind == TokenKind::CloseObject);
    let is_empty = draft.next(opener) == Some(index);
    let is_root = draft.depth_of(opener) == 0;
    let is_in_object = draft.is_in_object(opener);
    let comma = draft.next(index).filter(|&at| draft.piece(at).is_some_and(|piece| piece.kind == TokenKind::Comma));
    let after = comma.and_then(|at| draft.next_piece(at)).map(|piece| piece.kind);
    match defect {
        Defect::DanglingKey => is_object && !is_empty,
        Defect::Ellipsis => !is_empty,
        _ if is_root => false,
        Defect::UnclosedEmptyArray => !is_object && is_empty && is_in_object && after == Some(TokenKind::Key),
        Defect::UnclosedInnerContainerArray => !is_object && !is_empty && is_in_object && after == Some(TokenKind::Key),
        Defect::UnclosedInnerContainerObject => {
            is_object && !is_empty && !is_in_object && after == Some(TokenKind::OpenObject)
        }
        Defect::UnclosedInnerContainerByIndentation => {
            is_object && !is_empty && is_in_object && after == Some(TokenKind::Key) && is_indented(draft, opener, index)
        }
        Defect::MismatchedCloser => !is_empty && is_surely_mismatched(draft, opener, is_object, after),
        Defect::ExtraInnerCloser => is_in_object && after == Some(TokenKind::Key),
        _ => false,
    }
}

/// Whether the members of the container stand deeper than its closer and the next member, each on its own line.
fn is_indented(draft: &Draft, opener: usize, closer: usize) -> bool {
    let next = draft.next(closer).and_then(|comma| draft.next(comma));
    let (Some(inner), Some(own), Some(outer)) = (
        draft.indent(opener + 1),
        draft.previous(closer).and_then(|last| draft.indent(last + 1)),
        next.and_then(|at| draft.indent(at.saturating_sub(1))),
    ) else {
        return false;
    };
    inner > own && own == outer
}

/// Whether the other closer can only be a mistake: the outer container would otherwise end where it plainly goes on.
fn is_surely_mismatched(draft: &Draft, opener: usize, is_object: bool, after: Option<TokenKind>) -> bool {
    let is_in_object = draft.is_in_object(opener);
    let depth = draft.depth_of(opener);
    if depth == 1 {
        return true;
    }
    // `]` for `}` in an array that is a member: another object or number cannot follow in the object outside.
    is_object && !is_in_object && !matches!(after, None | Some(TokenKind::String))
}

/// Damages the text at the token, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    match defect {
        Defect::HtmlComment => {
            let words = random.pick_text(&["note", "the \"name\"", "it's optional", "{", "a, b"]);
            insert_in_gap(draft, index, &format!("<!-- {words} -->"), random);
        }
        Defect::UnusualSpace => {
            let space = random.pick_text(&["\u{a0}", "\u{a0}", "\u{3000}", "\u{2003}", "\u{202f}", "\u{2009}"]);
            insert_in_gap(draft, index, space, random);
        }
        Defect::UnclosedEmptyArray
        | Defect::UnclosedInnerContainerArray
        | Defect::UnclosedInnerContainerObject
        | Defect::UnclosedInnerContainerByIndentation => {
            lose_closer(draft, index)?;
        }
        Defect::PythonSet | Defect::OneElementSet => rebracket(draft, index, "{", "}")?,
        Defect::PythonTuple => rebracket(draft, index, "(", ")")?,
        Defect::DanglingKey => {
            let key = random.pick_text(&["note", "extra", "user name", "x"]);
            let gap = random.pick_text(&[" ", "", "\n  "]);
            insert_before_closer(draft, index, &format!(",\"{key}\":null"), &format!(",{gap}\"{key}\""))?;
        }
        Defect::Ellipsis => {
            let dots = random.pick_text(&["...", "...", "\u{2026}"]);
            let gap = random.pick_text(&[" ", "", "\n  "]);
            insert_before_closer(draft, index, "", &format!(",{gap}{dots}"))?;
        }
        _ => respell(draft, defect, index, random)?,
    }
    Some(())
}

/// Gives one token another spelling.
fn respell(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    // What is left without its separator must not run together.
    let is_followed_by_blank = draft.piece(index + 1).is_some_and(Piece::is_blank);
    let piece = draft.pieces.get_mut(index)?;
    let mut truth = piece.truth.clone();
    let damaged = match defect {
        Defect::MissingCommaOnLine | Defect::MissingCommaInArray | Defect::MissingColon => {
            if is_followed_by_blank {
                String::new()
            } else {
                " ".to_owned()
            }
        }
        Defect::RepeatedComma => random.pick_text(&[",,", ", ,", ",,,", ",\n  ,"]).to_owned(),
        Defect::LeadingComma => random.pick_text(&["{,", "{ ,", "{\n  ,"]).to_owned(),
        Defect::SemicolonSeparator => ";".to_owned(),
        Defect::OtherLanguageColon => random.pick_text(&["=", " =", "=>", " =>"]).to_owned(),
        Defect::FullwidthPunctuation => if truth == "," { "\u{ff0c}" } else { "\u{ff1a}" }.to_owned(),
        Defect::PrematureCloser => "},".to_owned(),
        Defect::MismatchedCloser => if truth == "}" { "]" } else { "}" }.to_owned(),
        Defect::ExtraInnerCloser => format!("{truth}]"),
        Defect::NumberKey => {
            let number = random.below(1_000).to_string();
            truth = format!("\"{number}\"");
            number
        }
        _ => return None,
    };
    piece.respell_fragile(truth, damaged);
    Some(())
}

/// Somewhere in the gap before the token.
fn insert_in_gap(draft: &mut Draft, index: usize, damaged: &str, random: &mut Random) {
    let start = draft.previous(index).map_or(0, |previous| previous + 1);
    let mut piece = Piece::added("", damaged);
    piece.is_fragile = true;
    draft.pieces.insert(random.between(start, index), piece);
}

/// Right after the last value of the container that closes here.
fn insert_before_closer(draft: &mut Draft, closer: usize, truth: &str, damaged: &str) -> Option<()> {
    let place = draft.previous(closer)? + 1;
    let mut piece = Piece::added(truth, damaged);
    piece.is_fragile = true;
    draft.pieces.insert(place, piece);
    Some(())
}

/// Takes the closer away, and the white space before it.
fn lose_closer(draft: &mut Draft, index: usize) -> Option<()> {
    let last = draft.previous(index)?;
    for piece in draft.pieces.get_mut(last + 1..=index)? {
        piece.respell_fragile(piece.truth.clone(), String::new());
    }
    Some(())
}

/// Gives the array that opens here other brackets.
fn rebracket(draft: &mut Draft, opener: usize, open: &str, close: &str) -> Option<()> {
    let closer = draft.closer_of(opener)?;
    for piece in draft.pieces.get_mut(opener..=closer)? {
        piece.is_touched = true;
        piece.is_fragile = true;
    }
    draft.pieces.get_mut(opener)?.respell_fragile("[".to_owned(), open.to_owned());
    draft.pieces.get_mut(closer)?.respell_fragile("]".to_owned(), close.to_owned());
    Some(())
}
