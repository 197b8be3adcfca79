//! Texts that make a careless parser slow, deep or large, one family per kind of carelessness (SPEC B5).
//!
//! A law makes each family at some size and at twice that size and compares the work; a text alone shows nothing.

/// A family of texts of any size.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// What repeats, in kebab-case.
    pub name: &'static str,
    /// A text of about this many bytes (at least one repetition, so tiny sizes are exceeded).
    pub make: fn(usize) -> String,
}

/// Every family.
///
/// ```
/// use jsonseam_testkit::hostile::families;
///
/// let arrays = families().iter().find(|family| family.name == "open-arrays").expect("the family exists");
/// assert_eq!((arrays.make)(4), "[[[[");
/// ```
pub const fn families() -> &'static [Family] {
    FAMILIES
}

const fn family(name: &'static str, make: fn(usize) -> String) -> Family {
    Family { name, make }
}

/// About `bytes` bytes of `unit`, once at least.
fn fill(bytes: usize, unit: &str) -> String {
    unit.repeat((bytes / unit.len().max(1)).max(1))
}

/// `before`, about `bytes` bytes of `unit`, `after`.
fn framed(before: &str, bytes: usize, unit: &str, after: &str) -> String {
    format!("{before}{}{after}", fill(bytes.saturating_sub(before.len() + after.len()), unit))
}

/// As many of `open` as of `close`, `middle` between.
fn nested(bytes: usize, open: &str, middle: &str, close: &str) -> String {
    let times = (bytes / (open.len() + close.len()).max(1)).max(1);
    format!("{}{middle}{}", open.repeat(times), close.repeat(times))
}

const FAMILIES: &[Family] = &[
    // Nesting.
    family("open-arrays", |bytes| fill(bytes, "[")),
    family("open-objects", |bytes| fill(bytes, "{\"a\":")),
    family("open-objects-with-empty-keys", |bytes| fill(bytes, "{\"\":")),
    family("open-bare-braces", |bytes| fill(bytes, "{")),
    family("open-mixed", |bytes| fill(bytes, "{\"a\":[")),
    family("nested-arrays", |bytes| nested(bytes, "[", "", "]")),
    family("nested-objects", |bytes| nested(bytes, "{\"a\":", "1", "}")),
    family("nested-mixed", |bytes| nested(bytes, "[{\"a\":", "1", "}]")),
    family("nested-with-trailing-commas", |bytes| nested(bytes, "{\"a\":[", "1,", ",],}")),
    family("nested-to-127-and-again", |bytes| {
        let unit = format!("{{\"a\":{}1{}}},", "[".repeat(125), "]".repeat(125));
        framed("{\"items\":[", bytes, &unit, "1]}")
    }),
    family("closers-only", |bytes| fill(bytes, "}]")),
    family("closers-after-an-object", |bytes| framed("{\"a\":1}", bytes, "}", "")),
    family("mismatched-brackets", |bytes| framed("{\"a\":", bytes, "[}", "}")),
    // Quotes and backslashes.
    family("quotes", |bytes| framed("{", bytes, "\"", "}")),
    family("apostrophes", |bytes| framed("{", bytes, "'", "}")),
    family("alternating-quotes", |bytes| framed("{\"a\":", bytes, "\"'", "}")),
    family("backslashes-in-a-string", |bytes| framed("{\"a\":\"", bytes, "\\", "\"}")),
    family("backslashes-outside-strings", |bytes| framed("{", bytes, "\\", "}")),
    family("escaped-quotes-unclosed", |bytes| framed("{\"a\":\"", bytes, "\\\"", "")),
    family("smart-quotes", |bytes| framed("{", bytes, "\u{201c}a\u{201d}:\u{201c}b\u{201d},", "\u{201c}z\u{201d}:1}")),
    family("opening-smart-quotes", |bytes| framed("{\"a\":", bytes, "\u{201c}", "}")),
    family("single-smart-quotes", |bytes| framed("{", bytes, "\u{2018}a\u{2019}:1,", "\u{2018}z\u{2019}:1}")),
    family("single-quoted-members", |bytes| framed("{", bytes, "'a':'b',", "'z':1}")),
    family("unescaped-quotes-in-a-string", |bytes| framed("{\"a\":\"", bytes, "he said \"hi\" and ", "\"}")),
    family("backticks-in-an-object", |bytes| framed("{", bytes, "`a`:1,", "}")),
    // Fences and prose.
    family("fences", |bytes| fill(bytes, "```json\n{\"a\":1}\n```\n")),
    family("fence-openings", |bytes| fill(bytes, "```json\n")),
    family("fence-with-unclosed-object", |bytes| fill(bytes, "```json\n{\"a\":\n```\n")),
    family("tilde-fences", |bytes| fill(bytes, "~~~\n{\n~~~\n")),
    family("growing-fences", |bytes| {
        let mut text = String::new();
        let mut ticks = 3;
        while text.len() < bytes {
            text.push_str(&"`".repeat(ticks));
            text.push('\n');
            ticks += 1;
        }
        text
    }),
    family("backticks-in-one-line", |bytes| framed("Text:\n", bytes, "`", "\n{\"a\":1}")),
    family("braces-in-prose", |bytes| framed("Use ", bytes, "{name} and ", "{\"a\":1}")),
    family("unclosed-braces-in-prose", |bytes| fill(bytes, "see { here, ")),
    family("brackets-in-prose", |bytes| framed("As in ", bytes, "[1], ", "{\"a\":1}")),
    family("small-objects-in-prose", |bytes| fill(bytes, "Then {\"a\":1}. ")),
    family("broken-objects-in-prose", |bytes| fill(bytes, "Then {\"a\":1,,}. ")),
    family("json-lines", |bytes| fill(bytes, "{\"a\":1}\n")),
    family("formulas-before-a-payload", |bytes| framed("", bytes, "\\frac{1}{2}x^{n} ", "{\"a\":1}")),
    family("formulas-that-stay-open", |bytes| fill(bytes, "\\frac{1}{2 ")),
    family("closed-thoughts", |bytes| framed("x", bytes, "<think>{\"a\":1}</think> ", "{\"a\":1}")),
    family("answer-tags", |bytes| framed("x", bytes, "<answer>{\"a\":1}</answer> ", "y")),
    family("open-answer-tags", |bytes| framed("x", bytes, "<answer>", "{\"a\":1}")),
    family("answer-tags-after-a-bracket", |bytes| {
        format!("x<answer>{}{{{}", fill(bytes / 2, "word "), fill(bytes / 2, "<answer>"))
    }),
    family("closing-thoughts-after-blanks", |bytes| {
        format!("x</think>{}{{{}", fill(bytes / 2, " "), fill(bytes / 2, "</think>"))
    }),
    family("fences-after-text", |bytes| fill(bytes, "See: ```json\n{\"a\":1,}\n```\n")),
    family("other-language-fences", |bytes| framed("x\n", bytes, "```python\nf()\n```\n", "{\"a\":1}")),
    family("escaped-keys-that-never-end", |bytes| fill(bytes, "{\\\"a ")),
    family("escaped-openings", |bytes| fill(bytes, "{\\n ")),
    family("stringified-payload", |bytes| framed("\"{", bytes, "\\\"a\\\": [1], ", "\\\"a\\\": 1}\"")),
    family("prose-only", |bytes| fill(bytes, "there is nothing here ")),
    family("special-tokens", |bytes| framed("", bytes, "<|call|><tool_call></s>", "{\"a\":1}")),
    family("reasoning-tags", |bytes| fill(bytes, "<think>{\"a\":")),
    // Between tokens.
    family("blanks", |bytes| framed("{\"a\":", bytes, " ", "1,}")),
    family("newlines", |bytes| framed("{\"a\":1", bytes, "\n", "\"b\":2}")),
    family("carriage-returns", |bytes| framed("{\"a\":1", bytes, "\r", "\"b\":2}")),
    family("invisible-run", |bytes| framed("{\"a\":", bytes, "\u{200b}", "1}")),
    family("invisible-everywhere", |bytes| framed("{\"a\":[", bytes, "\u{200b}1\u{2060},", "1]}")),
    family("byte-order-marks", |bytes| framed("", bytes, "\u{feff}", "{\"a\":1}")),
    family("no-break-spaces", |bytes| framed("{\"a\":", bytes, "\u{a0}", "1}")),
    family("block-comments", |bytes| framed("{", bytes, "/* x */", "\"a\":1}")),
    family("line-comments", |bytes| framed("{", bytes, "// x\n", "\"a\":1}")),
    family("hash-comments", |bytes| framed("{", bytes, "# x\n", "\"a\":1}")),
    family("unterminated-block-comments", |bytes| framed("{", bytes, "/* ", "")),
    family("comment-openings-at-values", |bytes| framed("{\"a\":[", bytes, "1/*,", "1]}")),
    family("slashes", |bytes| framed("{", bytes, "/", "\"a\":1}")),
    // An edit at every token.
    family("trailing-commas", |bytes| framed("{\"a\":[", bytes, "[1,],", "1]}")),
    family("trailing-commas-after-comments", |bytes| framed("{\"a\":[", bytes, "[1, // x\n],", "1]}")),
    family("commas", |bytes| framed("[", bytes, ",", "]")),
    family("missing-commas-after-scalars", |bytes| framed("{", bytes, "\"a\":1\n", "\"z\":1}")),
    family("missing-commas-after-containers", |bytes| framed("{", bytes, "\"a\":{}\n", "\"z\":1}")),
    family("missing-commas-in-an-array", |bytes| framed("{\"a\":[", bytes, "1 ", "1]}")),
    family("unquoted-keys", |bytes| framed("{", bytes, "a:1,", "z:1}")),
    family("python-literals", |bytes| framed("{\"a\":[", bytes, "True,None,", "False]}")),
    family("bare-words", |bytes| framed("{\"a\":", bytes, "word ", "}")),
    family("long-bare-word", |bytes| framed("{\"a\":", bytes, "w", "}")),
    family("colons", |bytes| framed("{\"a\"", bytes, ":", "1}")),
    family("long-key-without-colon", |bytes| framed("{\"", bytes, "k", "\" 1}")),
    family("many-keys-without-colons", |bytes| framed("{", bytes, "\"a\" 1,", "}")),
    // Separators of every kind but the right one.
    family("arrows-for-colons", |bytes| framed("{", bytes, "\"a\"=>1,", "\"z\":1}")),
    family("leading-commas", |bytes| framed("[", bytes, "[,1],", "1]")),
    family("commas-for-colons", |bytes| framed("{\"x\":1,", bytes, "\"a\",1,", "\"z\":1}")),
    family("keys-without-values", |bytes| framed("{", bytes, "\"a\",\"b\":,", "\"z\":1}")),
    // Brackets: each fault is followed to the end of the text.
    family("wrong-closers", |bytes| framed("[", bytes, "[1},", "1]")),
    family("swapped-closers", |bytes| framed("[", bytes, "[{\"a\":1]},", "1]")),
    family("closers-too-many", |bytes| framed("[", bytes, "[1]},", "1]")),
    family("closers-too-early", |bytes| framed("{\"a\":1", bytes, "},\"b\":1", "}")),
    family("arrays-without-closers", |bytes| framed("{", bytes, "\"a\":[1,", "\"z\":1}")),
    family("objects-without-openers", |bytes| framed("[", bytes, "\"a\":1},", "1]")),
    family("members-in-an-array", |bytes| framed("[", bytes, "\"a\":1,", "1]")),
    family("open-tuples", |bytes| fill(bytes, "(1,")),
    family("open-sets", |bytes| fill(bytes, "{1,")),
    family("stray-words", |bytes| framed("[", bytes, "[1] x y, ", "1]")),
    // Inside strings.
    family("raw-controls", |bytes| framed("{\"a\":\"", bytes, "\u{1}", "\"}")),
    family("raw-newlines-between-letters", |bytes| framed("{\"a\":\"", bytes, "x\n", "\"}")),
    family("raw-newlines-unclosed", |bytes| framed("{\"a\":\"", bytes, "x\n", "")),
    family("invalid-escapes", |bytes| framed("{\"a\":\"", bytes, "\\_", "\"}")),
    family("invalid-escape-every-ten-bytes", |bytes| framed("{\"a\":\"", bytes, "abcdefgh\\_", "\"}")),
    family("cut-unicode-escapes", |bytes| framed("{\"a\":\"", bytes, "\\u12", "\"}")),
    family("lone-surrogates", |bytes| framed("{\"a\":\"", bytes, "\\ud800", "\",}")),
    family("unclosed-string", |bytes| framed("{\"a\":\"", bytes, "x", "")),
    family("unclosed-string-of-members", |bytes| framed("{\"a\":\"x", bytes, ", b: 1", "")),
    family("escaped-payload", |bytes| framed("{", bytes, "\\\"a\\\":1,", "\\\"z\\\":1}")),
    // Quotes of other kinds, and too few or too many of them.
    family("backticks-unclosed", |bytes| framed("{\"a\":`", bytes, "x y ", "}")),
    family("tripled-quotes", |bytes| framed("{\"a\":[", bytes, "\"\"\"x\"\"\",", "1]}")),
    family("tripled-quote-unclosed", |bytes| framed("{\"a\":\"\"\"", bytes, "x\"", "}")),
    family("doubled-quotes", |bytes| framed("{", bytes, "\"\"a\"\":\"\"b\"\",", "\"z\":1}")),
    family("escaped-delimiters", |bytes| framed("{", bytes, "\"a\": \\\"b\\\",", "\"z\":1}")),
    family("apostrophes-in-apostrophes", |bytes| framed("{'a':'", bytes, "it's ", "'}")),
    family("quotes-in-apostrophes", |bytes| framed("{'a':'", bytes, "\"x\" ", "'}")),
    family("mixed-quotes", |bytes| framed("{", bytes, "\"a':1,'b\":2,", "\"z\":1}")),
    family("missing-end-quotes", |bytes| framed("{", bytes, "\"a\":\"b,\n", "\"z\":1}")),
    family("missing-open-quotes", |bytes| framed("{", bytes, "a\":b\",", "\"z\":1}")),
    family("quotes-before-commas", |bytes| framed("{\"a\":\"", bytes, "the \"x\", ", "\"}")),
    family("quotes-that-look-like-keys", |bytes| framed("{\"a\":\"", bytes, "\"x\": ", "\"}")),
    family("quotes-that-look-like-members", |bytes| framed("{\"a\":\"x", bytes, "\", \"b\": \"y\" z", "\"}")),
    family("string-prefixes", |bytes| framed("{\"a\":[", bytes, "u'x',", "1]}")),
    family("concatenated-strings", |bytes| framed("{\"a\":\"x\"", bytes, " + \"y\"", "}")),
    family("latex", |bytes| framed("{\"a\":\"", bytes, "\\frac{a} \\cdot ", "\"}")),
    // Separators and brackets of other kinds.
    family("semicolons", |bytes| framed("{", bytes, "\"a\":1;", "\"z\":1}")),
    family("repeated-commas", |bytes| framed("{\"a\":1", bytes, ",,", "\"z\":1}")),
    family("other-language-colons", |bytes| framed("{", bytes, "\"a\"=>1,", "\"z\":1}")),
    family("full-width-punctuation", |bytes| framed("{", bytes, "\"a\"\u{ff1a}1\u{ff0c}", "\"z\":1}")),
    family("tuples", |bytes| framed("{\"a\":[", bytes, "(1,2),", "1]}")),
    family("open-parentheses", |bytes| framed("{\"a\":", bytes, "(", "}")),
    family("sets", |bytes| framed("{\"a\":[", bytes, "{\"b\",\"c\"},", "1]}")),
    family("ellipses", |bytes| framed("{\"a\":[1,", bytes, "...,", "2]}")),
    family("dangling-keys", |bytes| framed("{", bytes, "\"a\",", "\"z\":1}")),
    family("missing-array-closers", |bytes| framed("{", bytes, "\"a\":[1,", "\"z\":1}")),
    family("missing-object-closers", |bytes| framed("{\"a\":[", bytes, "{\"b\":1,", "{}]}")),
    family("premature-closers", |bytes| framed("{\"a\":1", bytes, "},\"b\":2", "}")),
    family("mismatched-closers", |bytes| framed("{\"z\":0", bytes, ",\"a\":[1}", "}")),
    family("members-without-braces", |bytes| framed("", bytes, "\"a\": 1,\n", "\"z\": 1")),
    family("html-comments", |bytes| framed("{", bytes, "<!-- x -->", "\"a\":1}")),
    family("html-comments-unclosed", |bytes| framed("{", bytes, "<!-- ", "\"a\":1}")),
    family("quantities", |bytes| framed("{\"a\":[", bytes, "10 kg,", "1]}")),
    family("schemas-before-a-payload", |bytes| fill(bytes, "{\"type\":\"object\",\"properties\":{}}\n")),
    family("calls-around-a-payload", |bytes| framed("", bytes, "cb(", "{\"a\":1}")),
    // Ends of strings that are in doubt.
    family("quoted-words-in-one-string", |bytes| framed("{\"a\":\"", bytes, "say \"x\", \"y\" and ", "\",\"b\":1}")),
    family("quotes-inside-every-value", |bytes| framed("{", bytes, "\"a\":\"say \"x\" now\",", "\"z\":1}")),
    family("values-without-end-quotes", |bytes| framed("{", bytes, "\"a\":\"x, y,", "\"z\":1}")),
    family("lines-without-end-quotes", |bytes| framed("{", bytes, "\n\"a\":\"x", "\n\"z\":1}")),
    family("values-without-open-quotes", |bytes| framed("{", bytes, "\"a\":x\",", "\"z\":1}")),
    family("keys-without-end-quotes", |bytes| framed("{", bytes, "\"a:1,", "\"z\":1}")),
    family("keys-without-open-quotes", |bytes| framed("{", bytes, "a\":1,", "\"z\":1}")),
    family("escaped-end-quotes", |bytes| framed("{", bytes, "\"a\":\"x\\\",", "\"z\":1}")),
    family("tripled-quotes-without-end", |bytes| framed("{\"a\":\"\"\"", bytes, "x \"y\" ", "")),
    family("typographic-end-quotes", |bytes| framed("{", bytes, "\"a\":\"x\u{201d},", "\"z\":1}")),
    family("apostrophes-inside-apostrophes", |bytes| framed("[", bytes, "'it's so',", "1]")),
    family("apostrophes-in-one-string", |bytes| framed("['", bytes, "it's 'so', ", "']")),
    family("joined-literals", |bytes| framed("[\"a\"", bytes, " + \"b\"", "]")),
    family("prefixed-strings", |bytes| framed("[", bytes, "u\"a\",", "1]")),
    family("accidental-escapes", |bytes| framed("{\"a\":\"", bytes, "\\(\\frac\n", "\"}")),
    // What is looked for from each bracket or line break, and is nowhere.
    family("escaped-brackets-without-end", |bytes| framed("{", bytes, "}.{; \\", "")),
    family("backslashes-before-openers", |bytes| framed("{\"a\":'x", bytes, "}{\\", "}")),
    family("roots-in-comments", |bytes| framed("", bytes, "//{\"a\"}\n", "")),
    family("closers-in-one-string", |bytes| framed("{\"a\":\"", bytes, "}", "}")),
    family("line-breaks-in-one-string", |bytes| framed("{\"a\":\"", bytes, "\n", "}")),
    family("closers-and-tabs-in-one-string", |bytes| framed("{\"a\":\"", bytes, "}\t", "]")),
    family("closers-in-an-open-string", |bytes| framed("{\"a\":\"x", bytes, "}]},\n", "")),
    family("blank-lines-in-an-open-string", |bytes| framed("{\"a\":\"x", bytes, "\n \n", "")),
    // What readings multiply on: each fault has several answers, and none is cheaper for what follows.
    family("ambiguous-quotes-in-a-row", |bytes| framed("{\"a\":\"x", bytes, "\" \"", "\"}")),
    family("ambiguous-quotes-in-elements", |bytes| framed("[", bytes, "\"x\" y\", \"", "\"]")),
    family("ambiguous-quotes-in-members", |bytes| {
        framed("{", bytes, "\"a\": \"x\" y\", \"b\": \"z\" w\",", "\"z\":1}")
    }),
    family("wrong-closers-in-turn", |bytes| framed("[", bytes, "{\"a\":[1},{\"b\":2]},", "1]")),
    family("wrong-closers-on-lines", |bytes| framed("[\n", bytes, "  {\n    \"a\": [1\n    },\n", "  1\n]")),
    family("openers-then-wrong-closers", |bytes| nested(bytes, "[", "", "}")),
    family("records-without-braces", |bytes| framed("[", bytes, "\"a\":1},\"b\":2,{", "1]")),
    family("ends-that-never-come", |bytes| framed("{\"a\":\"x", bytes, "\",\"b\":\"y\\", "")),
    family("strings-that-never-end", |bytes| framed("[\"x", bytes, ", \"y", "")),
    family("keys-that-never-end", |bytes| framed("{\"a", bytes, ": 1, \"b", "")),
    family("objects-that-never-end", |bytes| framed("[", bytes, "{\"a\":\"b\",", "")),
    // Scalars.
    family("long-number", |bytes| framed("{\"a\":", bytes, "9", ",}")),
    family("long-bad-number", |bytes| framed("{\"a\":1.", bytes, "0", "e}")),
    family("leading-zeros", |bytes| framed("{\"a\":[", bytes, "007,", "1]}")),
    family("wide-characters", |bytes| framed("{\"a\":\"", bytes, "😀", "\",}")),
    family("zero-bytes", |bytes| fill(bytes, "\0")),
    // Numbers, literals and words of other notations.
    family("plus-signs", |bytes| framed("{\"a\":[", bytes, "+1,", "1]}")),
    family("bare-decimal-points", |bytes| framed("{\"a\":[", bytes, ".5,5.,", "1]}")),
    family("digit-separators", |bytes| framed("{\"a\":[", bytes, "1_0,", "1]}")),
    family("long-number-of-digit-separators", |bytes| framed("{\"a\":1", bytes, "_0", "}")),
    family("numbers-of-other-radixes", |bytes| framed("{\"a\":[", bytes, "0x1F,0b1,", "1]}")),
    family("long-hexadecimal-number", |bytes| framed("{\"a\":0x", bytes, "f", "}")),
    family("bigint-suffixes", |bytes| framed("{\"a\":[", bytes, "1n,", "1]}")),
    family("literals-of-other-languages", |bytes| framed("{\"a\":[", bytes, "NULL,NaN,nil,", "1]}")),
    family("typographic-minuses", |bytes| framed("{\"a\":[", bytes, "\u{2212}1,", "1]}")),
    family("quantities-in-an-object", |bytes| framed("{", bytes, "\"a\":1 g,", "\"z\":1}")),
    family("quantities-in-an-array", |bytes| framed("{\"a\":[", bytes, "1 g,", "1]}")),
    family("quantity-of-many-words", |bytes| framed("{\"a\":1", bytes, " g", "}")),
    family("dates", |bytes| framed("{\"a\":[", bytes, "2024-01-31,", "1]}")),
    family("thousands-separators", |bytes| framed("{", bytes, "\"a\":1,000,", "\"z\":1}")),
    family("long-number-of-thousands-separators", |bytes| framed("{\"a\":1", bytes, ",000", "}")),
    family("words-as-values", |bytes| framed("{", bytes, "\"a\":one two,", "\"z\":1}")),
    family("words-as-elements", |bytes| framed("{\"a\":[", bytes, "one,", "1]}")),
    family("words-and-commas-on-one-line", |bytes| framed("{\"a\":", bytes, "one, two ", "}")),
    family("words-before-half-strings", |bytes| framed("{\"a\":[", bytes, "one, \"", "]}")),
    family("addresses", |bytes| framed("{\"a\":[", bytes, "http://a.test/b,", "1]}")),
    family("constructor-calls", |bytes| framed("{\"a\":[", bytes, "UUID(\"b\"),", "1]}")),
    family("open-constructor-calls", |bytes| framed("{\"a\":", bytes, "UUID(", "}")),
    // Keys of other notations.
    family("number-keys", |bytes| framed("{", bytes, "1:2,", "1:2}")),
    family("unquoted-word-keys", |bytes| framed("{", bytes, "a-b:1,", "a-b:1}")),
    family("spaced-keys", |bytes| framed("{", bytes, "a b:1,", "a b:1}")),
    family("long-spaced-key", |bytes| framed("{", bytes, "a ", ":1}")),
    // Comments and spaces of other notations.
    family("unterminated-html-comments", |bytes| framed("{", bytes, "<!-- ", "")),
    family("dash-comments", |bytes| framed("{", bytes, "-- x\n", "\"a\":1}")),
    family("divisions", |bytes| framed("{", bytes, "\"a\":7 // 2,\n", "\"a\":1}")),
    family("unusual-spaces-everywhere", |bytes| framed("{\"a\":[", bytes, "\u{a0}1\u{3000},", "1]}")),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::families;

    #[test]
    fn names_are_distinct_and_kebab_case() {
        let names: HashSet<_> = families().iter().map(|family| family.name).collect();
        assert_eq!(names.len(), families().len());
        assert!(names.len() >= 40);
        assert!(names.iter().all(|name| {
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        }));
    }

    #[test]
    fn sizes_are_about_what_was_asked_for() {
        for family in families() {
            for bytes in [4_096, 65_536] {
                let made = (family.make)(bytes).len();
                assert!(
                    made >= bytes * 85 / 100 && made <= bytes * 115 / 100,
                    "{} made {made} of {bytes}",
                    family.name
                );
            }
            assert!((family.make)(0).len() < 1_000, "{}", family.name);
        }
    }
}
