//! What is valid in JSON and yet misleads: fragments of string content by class, odd numbers, odd white space.
//!
//! A repairer that looks at the text instead of the grammar finds a fence, a comment, a bracket or a missing comma in each of these.
//! Every fragment is the *spelling* of string content, as it is between two quotes, and is valid there on its own.

/// A kind of awkward string content, with fragments of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// What the fragments have in common, in kebab-case.
    pub name: &'static str,
    /// Spellings of string content, each valid between two quotes.
    pub fragments: &'static [&'static str],
}

const fn class(name: &'static str, fragments: &'static [&'static str]) -> Class {
    Class { name, fragments }
}

/// Every class of awkward string content.
///
/// ```
/// use jsonseam_testkit::awkward::CLASSES;
///
/// assert!(CLASSES.iter().any(|class| class.name == "code-fence" && class.fragments.contains(&"```")));
/// ```
pub const CLASSES: &[Class] = &[
    class("code-fence", &["```", "```json", "~~~", "````", "``` ```", "~~~json"]),
    class(
        "code-fence-after-newline",
        &["\\n```json\\n{\\\"a\\\":1}\\n```\\n", "\\n~~~\\nx\\n~~~", "text\\n   ```\\nmore", "\\r\\n```\\r\\n"],
    ),
    class("opening-bracket", &["{", "[", "{{", "[[", "({[", "[1", "{x"]),
    class("closing-bracket", &["}", "]", "}}", "]}", "}]", "x}", "}]}"]),
    class("escaped-quote", &["\\\"", "say \\\"hi\\\", then leave", "\\\"\\\"", "he said \\\"no\\\"", "\\\",\\\""]),
    class("apostrophe", &["'", "it's", "don't, won't", "rock 'n' roll", "''", "O'Brien", "'quoted'"]),
    class(
        "smart-quote",
        &[
            "\u{201c}",
            "\u{201d}",
            "\u{201c}quoted\u{201d}",
            "\u{2018}single\u{2019}",
            "it\u{2019}s",
            "\u{201e}unten\u{201c}",
        ],
    ),
    class("comment-mark", &["//", "/* x */", "# note", "a // b", "/*", "*/", "<!-- x -->", "#"]),
    class("comma-before-closer", &[",}", ",]", ", }", "[1,2,]", "1,}", ",\\n}"]),
    class("quote-and-colon", &["\\\":", "\\\": ", "\\\"key\\\": 1", ", \\\"b\\\": 2", "\\\",\\n\\\"b\\\": "]),
    class(
        "object-inside",
        &["{\\\"a\\\":1}", "{\\\"a\\\": [1, {\\\"b\\\": null}]}", "{'a': True}", "{a:1}", "[{\\\"x\\\":\\\"y\\\"}]"],
    ),
    class("lone-surrogate", &["\\ud800", "\\udc00", "\\uDFFF x", "\\ud83d", "a\\uDBFFb"]),
    class("surrogate-pair", &["\\ud83d\\ude00", "\\uD834\\uDD1E"]),
    class("zero-width", &["\u{200b}", "a\u{200c}b", "\u{200d}", "\u{2060}", "x\u{200b}\u{200b}y"]),
    class("byte-order-mark", &["\u{feff}", "a\u{feff}", "\u{feff}\u{feff}"]),
    class("line-separator", &["\u{2028}", "\u{2029}", "a\u{2028}b", "\u{85}"]),
    class("unusual-space", &["\u{a0}", "a\u{a0}b", "\u{3000}", "\u{2003}", "\u{202f}"]),
    class("delete-and-c1", &["\u{7f}", "a\u{7f}b", "\u{80}", "\u{9b}31m"]),
    class("bidirectional", &["\u{202e}", "\u{200f}", "\u{2066}x\u{2069}"]),
    class("foreign-literal", &["None", "True", "False", "undefined", "NaN", "Infinity", "nil", "null", "true"]),
    class("foreign-operator", &["=>", "a => b", ":=", "=", "a ? b : c", ";", "a; b"]),
    class("backslash", &["\\\\", "\\\\\\\\", "C:\\\\Users\\\\x", "\\\\\\\"", "ends in \\\\", "\\\\n"]),
    class(
        "link",
        &[
            "https://example.org/a?b=c&d=[1]#e",
            "http://x.y/z",
            "file:///C:/a",
            "//cdn.example.org/x.js",
            "mailto:a@b.c",
        ],
    ),
    class(
        "latex",
        &[
            "\\\\frac{a}{b}",
            "\\\\nabla \\\\times \\\\vec{B}",
            "$\\\\alpha_{1}$",
            "\\\\begin{matrix} 1 & 2 \\\\\\\\ 3 \\\\end{matrix}",
        ],
    ),
    class("regular-expression", &["^\\\\d+(\\\\.\\\\d+)?$", "[^\\\"\\\\]*", "\\\\{\\\\s*\\\\}"]),
    class("emoji", &["😀", "👩‍👩‍👧", "🇩🇪", "é🎉ü", "日本語", "ع"]),
    class("control-escape", &["\\n", "\\r\\n", "\\t", "\\b", "\\f", "\\u0000", "\\u001f", "line\\nbreak", "a\\tb"]),
    class("escaped-spelling", &["\\u0061", "\\/", "<\\/script>", "\\u00E9", "\\u007B", "\\u0022", "\\u005c"]),
    class("special-token", &["<|call|>", "</s>", "<think>", "</think>", "<tool_call>", "<|im_end|>", "[/INST]"]),
    class("ellipsis", &["...", "\u{2026}", "[...]", "{...}", "// ..."]),
    class("markup", &["<a href=\\\"x\\\">'y'</a>", "&quot;", "**bold**", "| a | b |", "- item\\n- item", "`code`"]),
    class("number-like", &["007", "1,000", "1.", "-", "1e400", "+1", "0x1F", "12:30"]),
    class("outer-space", &[" ", "  x  ", " leading", "trailing "]),
    class(
        "code",
        &[
            "def f(x):\\n    return x[1:]",
            "if (a[0] == 'x') { b = {}; }",
            "print(\\\"done\\\", end=\\\"\\\")",
            "SELECT name, id FROM t WHERE a = 'b';",
            "{k: v for k, v in d.items()}",
            "const f = ({a, b}) => [a, b];",
            "f([1, 2, 3], {'a': None})",
        ],
    ),
    class("colon-and-comma", &[":", ",", "a: b", "a, b", ": ,", "key: value, other: value"]),
];

/// Plain words, of which some can stand as keys without quotes.
pub const WORDS: &[&str] = &[
    "name",
    "id",
    "value",
    "result",
    "items",
    "alpha",
    "beta",
    "tool",
    "arguments",
    "content",
    "x",
    "y1",
    "snake_case",
    "$ref",
    "_private",
    "camelCase",
    "status",
    "user",
    "city",
    "Paris",
    "hello world",
    "two words",
    "kebab-key",
    "1st",
    "query",
    "the quick brown fox",
    "ok",
    "data",
    "path",
    "type",
];

/// What most strings of real output hold: sentences, some with commas, apostrophes, colons and brackets.
pub const SENTENCES: &[&str] = &[
    "The function returns the list without its last element.",
    "First we sort the numbers, then we add them up",
    "It doesn't matter which one comes first, the result is the same.",
    "Walks five minutes every hour, eight hours a day",
    "a short note",
    "Bring the water to a boil",
    "Note: the second step is optional, skip it if you like.",
    "The answer is (b), because 3 > 2.",
    "See section 4.2 [draft], page 12",
    "new york, new york",
    "Step 1: read the file. Step 2: count the lines.",
    "The user's question was about trains",
    "high risk",
    "low",
    "An arrest, a trial and no conviction",
    "We have $12 left, which is 40% of it.",
    "medium rare, please",
    "Is it done? Not yet.",
    "The matrix {1, 2} has no inverse",
    "Le chat dort, la souris danse",
];

/// Numbers that do not survive a detour through a float, next to ordinary ones.
pub const NUMBERS: &[&str] = &[
    "-0",
    "-0.0",
    "0.0",
    "1E400",
    "-1e400",
    "1e-400",
    "12345678901234567890123",
    "9007199254740993",
    "18446744073709551616",
    "1.10",
    "1E2",
    "1e+05",
    "-1.5e-10",
    "0.1000000000000000055511151231257827021181583404541015625",
    "100000000000000000000000000000000000001",
    "3.14159",
];

/// White space between tokens that is legal and seldom seen (RFC 8259, section 2).
pub const BLANKS: &[&str] = &["", "", " ", "  ", "\t", "\n", "\r\n", "\r", " \n\t", "\n\n", " \r\n  ", "\t \t"];
