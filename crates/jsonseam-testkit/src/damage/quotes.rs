//! Damage to the quotes of a key or value: missing, of another kind, too many.

use super::Defect;
use super::draft::{Draft, Piece};
use super::plain::{is_identifier, is_phrase, is_sentence, is_unquoted};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some((piece, content)) = draft.piece(index).and_then(|piece| Some((piece, piece.content()?))) else {
        return false;
    };
    let is_key = piece.kind == TokenKind::Key;
    let is_member = !is_key && draft.is_in_object(index);
    match defect {
        Defect::MissingEndQuote => !is_key && is_sentence(content) && draft.ends_its_line(index),
        Defect::MissingEndQuoteOnLine => is_member && is_sentence(content) && is_before_key_on_line(draft, index),
        Defect::MissingEndQuoteOfKey | Defect::MissingOpenQuoteOfKey => is_key && is_identifier(content),
        Defect::MissingOpenQuote | Defect::UnquotedString => is_member && is_phrase(content),
        Defect::BacktickQuotedString => is_simple(content, '`'),
        Defect::TripledQuotes => !is_key && is_sentence(content),
        // A value in two quotes may be a quoted text; a key is not, nor is what holds nothing.
        Defect::DoubledQuotes => is_key && is_sentence(content) || content.is_empty() && is_member,
        Defect::MixedQuotes => is_unquoted(content) && !content.is_empty() && !content.ends_with(' '),
        Defect::EscapedDelimiter => is_unquoted(content),
        Defect::EscapedEndQuote => is_member && is_sentence(content) && draft.ends_its_line(index),
        Defect::UnescapedApostrophe | Defect::QuotesInSingleQuotes | Defect::QuotesInOtherNotation => {
            !is_key && is_phrase(content)
        }
        Defect::StringPrefix => !is_key && is_unquoted(content),
        _ => false,
    }
}

/// No quote of this kind, no backslash, no control character.
fn is_simple(content: &str, quote: char) -> bool {
    !content.contains(|character: char| {
        character == quote || character == '"' || character == '\\' || character.is_control()
    })
}

/// A comma and the next key follow on the same line.
fn is_before_key_on_line(draft: &Draft, index: usize) -> bool {
    let comma = draft.next(index).filter(|&at| draft.piece(at).is_some_and(|piece| piece.kind == TokenKind::Comma));
    let key = comma.and_then(|at| draft.next(at)).filter(|&at| draft.piece(at).is_some_and(is_key));
    key.is_some_and(|at| !draft.has_newline(index, at))
}

fn is_key(piece: &Piece) -> bool {
    piece.kind == TokenKind::Key
}

/// Damages the token, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    let piece = draft.pieces.get_mut(index)?;
    let content = piece.content()?.to_owned();
    let mut truth = piece.truth.clone();
    let damaged = match defect {
        Defect::MissingEndQuote | Defect::MissingEndQuoteOnLine | Defect::MissingEndQuoteOfKey => {
            format!("\"{content}")
        }
        Defect::MissingOpenQuote | Defect::MissingOpenQuoteOfKey => format!("{content}\""),
        Defect::UnquotedString => content,
        Defect::BacktickQuotedString => format!("`{content}`"),
        Defect::TripledQuotes => {
            let quotes = random.pick_text(&["\"\"\"", "\"\"\"", "'''"]);
            format!("{quotes}{content}{quotes}")
        }
        Defect::DoubledQuotes => format!("\"\"{content}\"\""),
        Defect::MixedQuotes => {
            let pairs =
                [('"', '\''), ('\'', '"'), ('\u{201c}', '"'), ('"', '\u{201d}'), ('`', '\''), ('\u{201d}', '\u{201d}')];
            let &(open, close) = random.pick(&pairs)?;
            format!("{open}{content}{close}")
        }
        Defect::EscapedDelimiter => format!("\\\"{content}\\\""),
        Defect::EscapedEndQuote => format!("\"{content}\\\""),
        Defect::UnescapedApostrophe => {
            let written =
                format!("{content} {}", random.pick_text(&["it's fine", "I don't know", "the user's name is"]));
            truth = format!("\"{written}\"");
            format!("'{written}'")
        }
        Defect::QuotesInSingleQuotes => {
            let addition =
                random.pick_text(&["says \"yes\" twice", "[\"a\", \"b\"]", "<b id=\"x\">", "\"A\" and \"B\" too"]);
            let written = format!("{content} {addition}");
            truth = format!("\"{}\"", written.replace('"', "\\\""));
            format!("'{written}'")
        }
        Defect::QuotesInOtherNotation => {
            let addition = random.pick_text(&["says \"yes\" twice", "or \"no way\" then", "and \"A\" and \"B\" too"]);
            let written = format!("{content} {addition}");
            truth = format!("\"{}\"", written.replace('"', "\\\""));
            let pairs = [("\u{201c}", "\u{201d}"), ("`", "`"), ("\"\"\"", "\"\"\""), ("\\\"", "\\\"")];
            let &(open, close) = random.pick(&pairs)?;
            format!("{open}{written}{close}")
        }
        Defect::StringPrefix => {
            let prefix = random.pick_text(&["u", "r"]);
            let quote = random.pick_text(&["'", "\""]);
            format!("{prefix}{quote}{content}{quote}")
        }
        _ => return None,
    };
    piece.respell_fragile(truth, damaged);
    Some(())
}
