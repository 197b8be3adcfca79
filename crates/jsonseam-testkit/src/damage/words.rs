//! Damage to literals and numbers: other spellings, and values that JSON has none for.
//!
//! A number with leading zeros is left out: `007` may be the number 7 or a name, and readers disagree.

use super::Defect;
use super::draft::Draft;
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(piece) = draft.piece(index) else {
        return false;
    };
    let is_number = piece.kind == TokenKind::Number;
    match defect {
        Defect::LiteralCase => piece.kind == TokenKind::Literal,
        Defect::NonFiniteNumber => piece.truth == "null",
        Defect::ThousandsSeparator | Defect::UnquotedQuantity => is_number && draft.is_in_object(index),
        _ => is_number,
    }
}

/// Damages the token, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    let piece = draft.pieces.get_mut(index)?;
    let (truth, damaged) = match defect {
        Defect::LiteralCase => {
            let titled = if piece.truth == "null" && random.chance(1, 2) { Some("Null") } else { None };
            (piece.truth.clone(), titled.map_or_else(|| piece.truth.to_ascii_uppercase(), str::to_owned))
        }
        Defect::NonFiniteNumber => {
            ("null".to_owned(), random.pick_text(&["NaN", "Infinity", "-Infinity", "undefined"]).to_owned())
        }
        Defect::PlusSign => {
            let number = random.pick_text(&["1", "0.5", "42", "1e5"]);
            (number.to_owned(), format!("+{number}"))
        }
        Defect::BareDecimalPointBeforeDigits => {
            let sign = random.pick_text(&["", "", "-"]);
            let digits = random.pick_text(&["5", "25", "001", "5e3"]);
            (format!("{sign}0.{digits}"), format!("{sign}.{digits}"))
        }
        Defect::BareDecimalPointAfterDigits => {
            let number = random.pick_text(&["5", "-12", "100", "0"]);
            (number.to_owned(), format!("{number}."))
        }
        Defect::RadixPrefix => {
            let number = random.below(70_000);
            (number.to_string(), if random.chance(1, 2) { format!("0x{number:X}") } else { format!("0x{number:x}") })
        }
        Defect::DigitSeparator => {
            let &(truth, damaged) =
                random.pick(&[("1000", "1_000"), ("12345678", "12_345_678"), ("1000.5", "1_000.5")])?;
            (truth.to_owned(), damaged.to_owned())
        }
        Defect::ThousandsSeparator => {
            let &(truth, damaged) =
                random.pick(&[("1000", "1,000"), ("12345678", "12,345,678"), ("1234.5", "1,234.5")])?;
            (truth.to_owned(), damaged.to_owned())
        }
        Defect::UnquotedQuantity => {
            let quantity = random.pick_text(&["10 kg", "5%", "0.31 g", "25 ml", "12.5 mm", "3 days", "100 USD"]);
            (format!("\"{quantity}\""), quantity.to_owned())
        }
        _ => return None,
    };
    piece.respell_fragile(truth, damaged);
    Some(())
}
