//! The presets: which rules each enables, and in which order.
//!
//! A fault is put to the rules that answer it in this order: the first sole answer is made, and offers are weighed, whatever their order (SPEC R4).
//! Each preset holds the rules of the one before it; tests compare these lists with the risks (SPEC B1) and with P5.

/// The presets over the built-in rules, the smallest first: each a name and its rules in order.
pub const PRESETS: &[(&str, &[&str])] = &[("strict", STRICT), ("standard", STANDARD), ("lenient", LENIENT)];

/// SPEC P5, the default.
const STRICT: &[&str] = &[
    // Where the payload is: regions first, then payloads.
    "reasoning-block",
    "markdown-fence",
    "surrounding-prose",
    // Between tokens.
    "invisible-character",
    // At a value, a key or a comma.
    "smart-quoted-string",
    "single-quoted-string",
    "trailing-comma",
    "missing-comma-after-scalar",
    "missing-comma-after-container",
];

/// Plus every rule that is `certain` or `likely`.
const STANDARD: &[&str] = &[
    // Before fences: a fenced draft inside the reasoning is not the answer, and a fence may follow a token or between tags.
    "reasoning-block",
    "special-token",
    "answer-tag",
    "markdown-fence",
    "dialect-fence",
    "fence-after-text",
    // Before those that take the first brace for the payload's.
    "brackets-in-prose",
    // After the fences: a schema and its answer may share one block.
    "schema-echo",
    // Before the strict locator, which would end the payload at the last closer of the region.
    "open-ended-payload",
    "surrounding-prose",
    // Between tokens: before everything that looks at what is next.
    "invisible-character",
    "unusual-space",
    "escaped-white-space",
    "comment",
    "unclosed-comment",
    "html-comment",
    "dash-comment",
    "fullwidth-punctuation",
    "repeated-comma",
    "leading-comma",
    "repeated-colon",
    "wrong-colon",
    "python-tuple",
    // At a value or a key.
    "smart-quoted-string",
    "single-quoted-string",
    "quotes-in-single-quotes",
    "quotes-in-smart-quotes",
    "tripled-quotes",
    "backtick-quoted-string",
    "escaped-delimiter",
    "string-prefix",
    "unquoted-key",
    "irregular-key",
    "number-key",
    "python-literal",
    "plus-sign",
    "bare-point",
    "digit-separator",
    "radix-prefix",
    "bigint-suffix",
    // At a comma or a closer.
    "trailing-comma",
    "missing-comma-after-scalar",
    "missing-comma-after-container",
    "concatenated-strings",
    "missing-comma-on-line",
    "missing-comma-in-array",
    "semicolon-separator",
    "missing-colon",
    "extra-closer",
    // Inside a string.
    "missing-end-quote-before-key",
    "raw-control-character",
    "escaped-apostrophe",
    "raw-latex",
    "invalid-escape",
    // At the end of the region.
    "unclosed-string",
    "unclosed-container",
];

/// Plus the rules that guess, and those that lose or invent a value.
const LENIENT: &[&str] = &[
    "reasoning-block",
    "special-token",
    "answer-tag",
    "markdown-fence",
    "dialect-fence",
    "fence-after-text",
    // Before all that look for a payload as it stands.
    "escaped-payload",
    "stringified-payload",
    "missing-outer-braces",
    "brackets-in-prose",
    // After the fences: a schema and its answer may share one block.
    "schema-echo",
    "open-ended-payload",
    "surrounding-prose",
    "invisible-character",
    "unquoted-date",
    "unquoted-quantity",
    "unusual-space",
    "comment",
    "unclosed-comment",
    "html-comment",
    "dash-comment",
    "fullwidth-punctuation",
    "repeated-comma",
    "leading-comma",
    "repeated-colon",
    "wrong-colon",
    "ellipsis",
    "python-tuple",
    "set-object",
    "smart-quoted-string",
    "single-quoted-string",
    "quotes-in-single-quotes",
    "quotes-in-smart-quotes",
    "tripled-quotes",
    "backtick-quoted-string",
    "escaped-delimiter",
    "string-prefix",
    "tricky-single-quotes",
    "mixed-quotes",
    "missing-open-quote",
    "unquoted-key",
    "irregular-key",
    "number-key",
    "spaced-key",
    "python-literal",
    "literal-case",
    "undefined-value",
    "not-a-number",
    "plus-sign",
    "bare-point",
    "digit-separator",
    "radix-prefix",
    "bigint-suffix",
    "typographic-minus",
    "leading-zero",
    "thousands-separator",
    "constructor-call",
    "unquoted-string",
    "trailing-comma",
    "missing-comma-after-scalar",
    "missing-comma-after-container",
    "concatenated-strings",
    "missing-comma-on-line",
    "missing-comma-in-array",
    "semicolon-separator",
    "missing-colon",
    // After what mends a missing comma; before what escapes line breaks.
    "doubled-quotes",
    "escaped-end-quote",
    "missing-end-quote",
    "unescaped-quote",
    // After it: in a text about code, what follows a quote may be an escape.
    "escaped-white-space",
    "comma-for-colon",
    "dangling-key",
    "missing-value",
    "extra-closer",
    "mismatched-closer",
    "extra-inner-closer",
    "premature-closer",
    "unclosed-inner-container",
    "missing-opener",
    "stray-text",
    // Inside a string; first what mends the control characters among accidental escapes too.
    "raw-latex",
    "accidental-escape",
    "missing-end-quote-before-key",
    "raw-control-character",
    "escaped-apostrophe",
    "invalid-escape",
    "cut-escape",
    "unclosed-string",
    "cut-member",
    "unclosed-container",
];

/// Rules that had another name: it still selects them, and records carry the new one.
pub const RENAMED: &[(&str, &str)] = &[("fence-behind-text", "fence-after-text")];
