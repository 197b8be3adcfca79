//! Damage to the content of a string: quotes that are not escaped, LaTeX, a value in pieces.

use super::Defect;
use super::draft::Draft;
use super::plain::{is_phrase, is_sentence};
use crate::generate::TokenKind;
use crate::random::Random;

/// Whether this defect can be put into the token.
pub(super) fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let Some(piece) = draft.piece(index) else {
        return false;
    };
    let is_value = piece.kind == TokenKind::String;
    let is_member = is_value && draft.is_in_object(index);
    let Some(content) = piece.content() else {
        return false;
    };
    match defect {
        Defect::UnescapedQuote | Defect::UnescapedQuoteForInches => is_value && is_sentence(content),
        Defect::UnescapedQuoteAtEdge | Defect::UnescapedQuoteInCode | Defect::QuotesInCode => {
            is_member && is_sentence(content)
        }
        Defect::UnescapedQuoteBeforeComma => is_member && is_phrase(content),
        Defect::EscapedApostrophe | Defect::AccidentalEscape => is_sentence(content),
        // An escape elsewhere that a path could hold has two readings from then on (SPEC R7).
        Defect::BackslashPath => is_sentence(content) && !draft.holds_escape(b"bfnrt"),
        Defect::ConcatenatedStrings => is_member && is_sentence(content) && content.len() > 1,
        _ => false,
    }
}

/// Damages the token, which is one that [`is_place`] accepts.
pub(super) fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    let piece = draft.pieces.get_mut(index)?;
    let content = piece.content()?.to_owned();
    if defect == Defect::ConcatenatedStrings {
        let ends: Vec<usize> = content.char_indices().map(|(at, _)| at).skip(1).collect();
        let (head, tail) = content.split_at_checked(*random.pick(&ends)?)?;
        let plus = random.pick_text(&["+", " + ", " + ", " +\n    ", "\n  + "]);
        let damaged = format!("\"{head}\"{plus}\"{tail}\"");
        piece.respell_fragile(piece.truth.clone(), damaged);
        return Some(());
    }
    let written = match defect {
        Defect::UnescapedQuote => between(&content, &quoted(random), random),
        Defect::UnescapedQuoteAtEdge => match random.below(3) {
            0 => format!("{} {content}", quoted(random)),
            1 => format!("{content} {}", quoted(random)),
            _ => format!("{content} {}.", quoted(random)),
        },
        Defect::UnescapedQuoteBeforeComma => {
            let tail = random.pick_text(&["then left", "and so on", "which is fine", "as you know"]);
            format!("{content} {}, {tail}", quoted(random))
        }
        Defect::UnescapedQuoteInCode => {
            let code = random.pick_text(&[
                "print(\"done\")",
                "<a href=\"https://example.org/x\">here</a>",
                "x = \"abc\";",
                "run(\"a.txt\", 1)",
                "<p class=\"note\">text</p>",
                "echo \"$HOME\" | wc",
                "d[\"name\"] = 1",
            ]);
            if random.chance(1, 2) { between(&content, code, random) } else { format!("{content} {code}") }
        }
        Defect::QuotesInCode => {
            let code = random.pick_text(&[
                "`print(\"done\")`",
                "`f([\"a\", \"b\"], \" \")`",
                "`[{\"k\": 2}, {\"m\": \"n\"}]`",
                "`\", \".join(names)`",
                "`x = \"(\"`",
                "`\"\"`",
                "``d[\"name\"]``",
            ]);
            if random.chance(1, 2) { between(&content, code, random) } else { format!("{content} {code}") }
        }
        Defect::UnescapedQuoteForInches => {
            between(&content, random.pick_text(&["a 12\" pipe", "5\" wide", "the 3.5\" disk"]), random)
        }
        Defect::EscapedApostrophe => {
            between(&content, random.pick_text(&["it\\'s", "don\\'t", "the user\\'s"]), random)
        }
        Defect::AccidentalEscape => between(&content, random.pick_text(FORMULAS), random),
        Defect::BackslashPath => between(&content, random.pick_text(PATHS), random),
        _ => return None,
    };
    let truth = match defect {
        Defect::EscapedApostrophe => written.replace("\\'", "'"),
        Defect::AccidentalEscape | Defect::BackslashPath => written.replace('\\', "\\\\"),
        _ => written.replace('"', "\\\""),
    };
    piece.respell_fragile(format!("\"{truth}\""), format!("\"{written}\""));
    Some(())
}

/// Each holds a command that begins with a valid escape and one that does not.
const FORMULAS: &[&str] = &[
    "$\\frac{a}{b} \\cdot c$",
    "\\(\\beta \\leq \\gamma\\)",
    "$\\nabla \\cdot E = \\rho$",
    "\\[ \\theta \\in \\mathbb{R} \\]",
    "$x \\neq \\pi$",
    "$2 \\times \\sqrt{3}$",
    "$\\left( \\frac{1}{2} \\right)$",
    "$\\text{if } \\lambda > 0$",
    "$\\binom{n}{k} \\approx \\alpha$",
];

/// Each holds a backslash that begins no escape; some hold one that does.
const PATHS: &[&str] = &[
    r"src\models\user.py",
    r"C:\new\test\data.txt",
    r"App\Http\Requests",
    r"HKLM\Software\Run",
    r"CORP\jdoe",
    r"lib\modules\bar\run.dll",
    r"..\data\raw\names.csv",
    r"D:\Projects\final\build",
];

fn quoted(random: &mut Random) -> String {
    let words = random.pick_text(&["yes", "big deal", "so-called", "the end", "A", "Hello World", "x1", "no way"]);
    format!("\"{words}\"")
}

/// The addition between two words of the content, or after it with one more word.
fn between(content: &str, addition: &str, random: &mut Random) -> String {
    // Not after a comma or full stop, where a text may have ended.
    let is_gap = |&at: &usize| content.get(..at).is_some_and(|head| head.ends_with(char::is_alphanumeric));
    let gaps: Vec<usize> = content.match_indices(' ').map(|(at, _)| at).filter(is_gap).collect();
    match random.pick(&gaps).and_then(|&at| content.split_at_checked(at)) {
        Some((head, tail)) => format!("{head} {addition}{tail}"),
        None => format!("{} is {addition} again", content.trim_end_matches('.')),
    }
}
