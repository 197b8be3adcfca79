//! The presets: which rules there are, in which order, and the smallest preset of each.
//!
//! A fault is put to the rules that answer it in this order: the first sole answer is made, and offers are weighed, whatever their order (SPEC R4).
//! A larger preset holds all rules of a smaller one, in the same order; tests compare them with the risks (SPEC B1) and with P5.

use self::Smallest::{Lenient, Standard, Strict};

/// The presets over the built-in rules, the smallest first: each a name and its rules in order.
pub const PRESETS: &[(&str, &[&str])] = &[("strict", &STRICT), ("standard", &STANDARD), ("lenient", &LENIENT)];

/// The smallest preset that enables a rule.
#[derive(Clone, Copy)]
enum Smallest {
    /// SPEC P5, the default.
    Strict,
    /// Plus every rule that is `certain` or `likely`.
    Standard,
    /// Plus the rules that guess, and those that lose or invent a value.
    Lenient,
}

/// Every rule, in the order in which rules are asked.
const RULES: &[(&str, Smallest)] = &[
    // Before fences: a fenced draft inside the reasoning is not the answer, and a fence may follow a token or between tags.
    ("reasoning-block", Strict),
    ("special-token", Standard),
    ("answer-tag", Standard),
    ("markdown-fence", Strict),
    ("other-language-fence", Standard),
    ("fence-after-text", Standard),
    // Before all that look for a payload as it stands.
    ("doubled-braces", Standard),
    ("escaped-payload", Lenient),
    ("stringified-payload", Lenient),
    ("missing-outer-braces", Lenient),
    // Before those that take the first brace for the payload's.
    ("brackets-in-prose", Standard),
    // After the fences: a schema and its answer may share one block.
    ("schema-echo", Standard),
    // Before the strict locator, which would end the payload at the last closer of the region.
    ("open-ended-payload", Standard),
    ("surrounding-prose", Strict),
    // Between tokens: before everything that looks at what is next.
    ("invisible-character", Strict),
    ("unquoted-date", Lenient),
    ("unquoted-quantity", Lenient),
    ("unusual-space", Standard),
    ("comment", Standard),
    ("unclosed-comment", Standard),
    ("html-comment", Standard),
    ("dash-comment", Standard),
    ("fullwidth-punctuation", Standard),
    ("repeated-comma", Standard),
    ("leading-comma", Standard),
    ("repeated-colon", Standard),
    ("other-language-colon", Standard),
    ("ellipsis", Lenient),
    ("python-tuple", Standard),
    ("python-set", Lenient),
    // At a value or a key.
    ("smart-quoted-string", Strict),
    ("single-quoted-string", Strict),
    ("quotes-in-single-quotes", Standard),
    ("quotes-in-smart-quotes", Standard),
    ("tripled-quotes", Standard),
    ("backtick-quoted-string", Standard),
    ("escaped-delimiter", Standard),
    ("string-prefix", Standard),
    ("unescaped-apostrophe", Lenient),
    ("unquoted-key", Standard),
    ("unquoted-word-key", Standard),
    ("number-key", Standard),
    ("spaced-key", Lenient),
    ("python-literal", Standard),
    ("literal-case", Lenient),
    ("undefined-value", Lenient),
    ("non-finite-number", Lenient),
    ("plus-sign", Standard),
    ("bare-decimal-point", Standard),
    ("digit-separator", Standard),
    ("radix-prefix", Standard),
    ("bigint-suffix", Standard),
    ("typographic-minus", Lenient),
    ("leading-zero", Lenient),
    ("thousands-separator", Lenient),
    ("constructor-call", Lenient),
    ("unquoted-string", Lenient),
    // At a comma or a closer.
    ("trailing-comma", Strict),
    ("missing-comma-after-scalar", Strict),
    ("missing-comma-after-container", Strict),
    ("concatenated-strings", Standard),
    ("missing-comma-on-line", Standard),
    ("missing-comma-in-array", Standard),
    ("semicolon-separator", Standard),
    ("missing-colon", Standard),
    // After what repairs a missing comma: these look far ahead. Before what escapes line breaks.
    ("mixed-quotes", Lenient),
    ("missing-open-quote", Lenient),
    ("doubled-quotes", Lenient),
    ("escaped-end-quote", Lenient),
    ("missing-end-quote", Lenient),
    ("quotes-in-code", Standard),
    ("unescaped-quote", Lenient),
    // After it: in a text about code, what follows a quote may be an escape.
    ("escaped-white-space", Standard),
    ("comma-for-colon", Lenient),
    ("dangling-key", Lenient),
    ("missing-value", Lenient),
    ("extra-closer", Standard),
    ("mismatched-closer", Lenient),
    ("extra-inner-closer", Lenient),
    ("premature-closer", Lenient),
    ("unclosed-inner-container", Lenient),
    ("missing-opener", Lenient),
    ("stray-text", Lenient),
    // Inside a string; first what repairs the control characters among accidental escapes too.
    ("accidental-escape", Lenient),
    ("missing-end-quote-before-key", Standard),
    ("raw-control-character", Standard),
    ("escaped-apostrophe", Standard),
    ("invalid-escape", Standard),
    ("cut-escape", Lenient),
    // At the end of the region.
    ("unclosed-string", Standard),
    ("cut-member", Lenient),
    ("unclosed-container", Standard),
];

const STRICT: [&str; len_of(Strict)] = names_of(Strict);
const STANDARD: [&str; len_of(Standard)] = names_of(Standard);
const LENIENT: [&str; len_of(Lenient)] = names_of(Lenient);

const fn len_of(preset: Smallest) -> usize {
    let (mut len, mut index) = (0, 0);
    while index < RULES.len() {
        if RULES[index].1 as u8 <= preset as u8 {
            len += 1;
        }
        index += 1;
    }
    len
}

const fn names_of<const LEN: usize>(preset: Smallest) -> [&'static str; LEN] {
    let mut names = [""; LEN];
    let (mut len, mut index) = (0, 0);
    while index < RULES.len() {
        if RULES[index].1 as u8 <= preset as u8 {
            names[len] = RULES[index].0;
            len += 1;
        }
        index += 1;
    }
    names
}

/// Rules that had another name: it still selects them, and records carry the new one.
pub const RENAMED: &[(&str, &str)] = &[
    ("bare-point", "bare-decimal-point"),
    ("dialect-fence", "other-language-fence"),
    ("fence-behind-text", "fence-after-text"),
    ("irregular-key", "unquoted-word-key"),
    ("not-a-number", "non-finite-number"),
    ("set-object", "python-set"),
    ("tricky-single-quotes", "unescaped-apostrophe"),
    ("wrong-colon", "other-language-colon"),
];
