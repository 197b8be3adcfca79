//! What patterns match, what they decline, and what they read.

use std::ops::Range;

use super::{MAX_REPLACEMENT_BYTES, PatternRule};
use crate::edits::edit::Edit;

fn read(find: &str, replace: &str) -> Result<PatternRule, String> {
    PatternRule::new(find)?.replacing(replace)
}

fn rule(find: &str, replace: &str) -> PatternRule {
    read(find, replace).unwrap_or_else(|problem| panic!("{find} {replace}: {problem}"))
}

/// The edit at `pos`, and how many bytes of windows it took.
fn mend_and_count(rule: &PatternRule, text: &str, pos: usize) -> (Option<Edit>, usize) {
    let mut read = 0;
    let edit = rule.mend(false, |len| {
        let mut end = (pos + len).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        read += end - pos;
        (text, pos..end)
    });
    (edit, read)
}

fn mend(rule: &PatternRule, text: &str, pos: usize) -> Option<(Range<usize>, String)> {
    mend_and_count(rule, text, pos).0.map(|edit| (edit.span, edit.replacement.into_owned()))
}

#[test]
fn a_match_at_the_fault_is_replaced() {
    #[rustfmt::skip]
    let rows = [
        ("=>", ":", "{\"a\" => 1}", 5, Some((5..7, ":"))),
        // Nothing but the fault's own place counts.
        ("=>", ":", "{\"a\" => 1}", 4, None),
        ("=>", ":", "{\"a\" = 1}", 5, None),
        // The end of the text is an end.
        ("=>", ":", "{\"a\" =>", 5, Some((5..7, ":"))),
        ("=", ":", "=", 0, Some((0..1, ":"))),
        // Captures by number and name; a dollar sign.
        ("(\\d+)_(?<tail>\\d+)", "${1}$tail$$", "12_345,", 0, Some((0..6, "12345$"))),
        ("(a)?b", "[$1]", "b ", 0, Some((0..1, "[]"))),
        // The first alternative wins although another is longer.
        ("a|ab", "x", "ab ", 0, Some((0..1, "x"))),
        ("ab|a", "x", "ab ", 0, Some((0..2, "x"))),
        // Look-around sees the whole text on both sides.
        ("\\bor\\b", "|", "x or y", 2, Some((2..4, "|"))),
        ("\\bor\\b", "|", "xor y", 1, None),
        ("\\bor\\b", "|", "x ory", 2, None),
        ("\\bor\\b", "|", "é or é", 3, Some((3..5, "|"))),
        ("\\bor\\b", "|", "x oré", 2, None),
        ("^x", "y", "ax", 1, None),
        ("x$", "y", "xa", 0, None),
        ("x$", "y", "x", 0, Some((0..1, "y"))),
        // An empty match inserts, and inserting nothing is not an edit; nor is a replacement by the same text.
        ("", ",", "ab", 1, None),
        ("(?:)", ",", "ab", 1, Some((1..1, ","))),
        ("(?:)", "", "ab", 1, None),
        ("(?:)", ",", "ab", 2, Some((2..2, ","))),
        ("ab", "ab", "ab", 0, None),
        // Characters are matched whole.
        (".", "x", "日本", 3, Some((3..6, "x"))),
        ("\u{201c}[^\u{201d}]*\u{201d}", "x", "\u{201c}é\u{201d},", 0, Some((0..8, "x"))),
    ];
    for (find, replace, text, pos, expected) in rows {
        let Ok(rule) = read(find, replace) else {
            assert_eq!(find, "", "{find}");
            continue;
        };
        let expected = expected.map(|(span, replacement)| (span, replacement.to_owned()));
        assert_eq!(mend(&rule, text, pos), expected, "{find} in {text} at {pos}");
        // The plain engine agrees where the automaton decides.
        let plain = PatternRule { automaton: None, ..self::rule(find, replace) };
        assert_eq!(mend(&plain, text, pos), expected, "{find} in {text} at {pos}, without the automaton");
    }
}

#[test]
fn a_match_that_could_go_on_after_the_window_is_declined() {
    let rule = rule("x+", "y");
    for (len, is_mended) in
        [(63, true), (64, true), (65, true), (511, true), (4_095, true), (4_096, false), (5_000, false)]
    {
        let text = "x".repeat(len) + "!";
        assert_eq!(mend(&rule, &text, 0), is_mended.then(|| (0..len, "y".to_owned())), "{len}");
        let plain = PatternRule { automaton: None, ..self::rule("x+", "y") };
        assert_eq!(mend(&plain, &text, 0), is_mended.then(|| (0..len, "y".to_owned())), "{len}");
    }
    // At the end of the text nothing can go on.
    assert_eq!(mend(&rule, &"x".repeat(4_096), 0), Some((0..4_096, "y".to_owned())));
    assert_eq!(mend(&rule, &"x".repeat(4_097), 0), None);
}

#[test]
fn a_decided_pattern_reads_one_small_window_however_long_the_text_is() {
    let text = "=> ".to_owned() + &"x".repeat(100_000);
    for find in ["=>", "=>\\s*", "->", "=(?:>|=)"] {
        let (_, read) = mend_and_count(&rule(find, ":"), &text, 0);
        assert_eq!(read, super::FIRST_WINDOW_BYTES, "{find}");
    }
}

#[test]
fn the_hostile_pattern_reads_a_bounded_window_at_every_fault() {
    // Searched for everywhere this pair is quadratic: the first alternative runs to the end and fails, the second matches one byte.
    let rule = rule(".*[^A-Z]|[A-Z]", "x");
    let most = 64 + 512 + 4_096;
    for len in [10_000, 20_000, 40_000] {
        let text = "A".repeat(len);
        let read: usize = (0..len).step_by(16).map(|pos| mend_and_count(&rule, &text, pos).1).sum();
        assert!(read <= most * len.div_ceil(16), "{read}");
        // Undecided in the window, for the first alternative could still match: declined. Near the end it is decided.
        assert_eq!(mend(&rule, &text, 0), None);
        assert_eq!(mend(&rule, &text, len - 10), Some((len - 10..len - 9, "x".to_owned())));
    }
}

#[test]
fn replacements_are_capped() {
    let rule = rule("(x+)", &"$1 ".repeat(1_000));
    assert!(mend(&rule, &"x".repeat(60), 0).is_some_and(|(_, replacement)| replacement.len() == 61_000));
    assert_eq!(mend(&rule, &"x".repeat(66), 0), None);
    assert_eq!(mend(&rule, &"x".repeat(4_000), 0), None);
    let long = read("x", &"y".repeat(MAX_REPLACEMENT_BYTES + 1));
    assert!(long.is_err_and(|problem| problem.starts_with("`replace`")));
}

#[test]
fn bombs_are_refused_before_they_are_built() {
    for bomb in ["((((\\w{200}){200}){200}){200})", "\\pL{1000}{1000}", "(?:a{0,1000}){0,1000}"] {
        assert!(PatternRule::new(bomb).is_err(), "{bomb}");
    }
    let nested = "(".repeat(400) + &")".repeat(400);
    assert!(PatternRule::new(&nested).is_err_and(|problem| problem.ends_with("nested too deeply")));
}

#[test]
fn letters_digits_and_signs_are_what_a_likely_edit_keeps() {
    use super::keeps_signs;
    for (removed, replacement) in
        [("=>", ":"), ("a b", "\"a b\""), ("", ","), ("-1_0", "-10"), ("«é»", "\"é\""), ("\n", "\\n"), ("\\d", "\\\\d")]
    {
        assert!(keeps_signs(removed, replacement), "{removed} {replacement}");
    }
    for (removed, replacement) in
        [("x1", "1"), ("-1", "1"), ("twelve", "0"), ("07", "7"), ("a", "A"), ("", "1"), ("ab", "ba")]
    {
        assert!(!keeps_signs(removed, replacement), "{removed} {replacement}");
    }
}
