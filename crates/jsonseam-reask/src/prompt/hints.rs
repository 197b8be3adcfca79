//! What to tell a model about defects that were seen in its answer (SPEC L4).

/// A kind of defect that has a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Defect {
    Wrapper,
    Fence,
    UnquotedName,
    TrailingComma,
    SingleQuotes,
    RawNewline,
}

impl Defect {
    const fn hint(self) -> &'static str {
        match self {
            Self::Wrapper => "Write the JSON alone, without the tags of a tool call around it.",
            Self::Fence => "Write the JSON alone, without the lines of a Markdown code block around it.",
            Self::UnquotedName => "Put every name in double quotes.",
            Self::TrailingComma => "Leave out the comma before a closing bracket.",
            Self::SingleQuotes => "Put strings in double quotes, not in single quotes.",
            Self::RawNewline => "Write a line break inside a string as \\n.",
        }
    }
}

/// What opens a tool call outside of JSON, in the families of formats that models are trained on.
const WRAPPERS: [&str; 20] = [
    "<function_call",
    "<tool_call",
    "<toolcall",
    "<tools>",
    "<tool>",
    "<invoke",
    "<function=",
    "<function name=",
    "<response>",
    "<json>",
    "<xml>",
    "<|tool",
    "<|python_tag|>",
    "<|action_start|>",
    "<|channel|>",
    "<|start_action|>",
    "<｜tool",
    "<｜dsml｜",
    "[tool_calls]",
    "functools[",
];

/// The rules whose edits show a defect that has a hint.
const BY_RULE: [(&str, Defect); 5] = [
    ("markdown-fence", Defect::Fence),
    ("unquoted-key", Defect::UnquotedName),
    ("trailing-comma", Defect::TrailingComma),
    ("single-quoted-string", Defect::SingleQuotes),
    ("raw-control-character", Defect::RawNewline),
];

/// The hints for an answer, in the order of the defects, each once.
///
/// `edits` are the rules that edited it, or would have, with the byte where they did; the rest is seen in the answer itself, whatever rules are enabled.
pub(crate) fn hints<'r>(answer: &str, edits: impl IntoIterator<Item = (&'r str, usize)>) -> Vec<&'static str> {
    let mut found = Scan::of(answer);
    for (rule, at) in edits {
        if let Some(&(_, defect)) = BY_RULE.iter().find(|(name, _)| *name == rule) {
            found.push((at, defect));
        }
    }
    found.sort_by_key(|&(at, _)| at);
    let mut hints: Vec<&'static str> = Vec::new();
    for (_, defect) in found {
        if !hints.contains(&defect.hint()) {
            hints.push(defect.hint());
        }
    }
    hints
}

/// One pass over an answer that knows strings and brackets and nothing else.
struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// The open brackets; deeper ones are only counted.
    open: Vec<u8>,
    /// The last byte that was not a blank, within brackets.
    last: u8,
    found: Vec<(usize, Defect)>,
}

impl<'a> Scan<'a> {
    fn of(text: &'a str) -> Vec<(usize, Defect)> {
        let mut scan = Scan { text, bytes: text.as_bytes(), pos: 0, open: Vec::new(), last: 0, found: Vec::new() };
        while let Some(&byte) = scan.bytes.get(scan.pos) {
            if scan.open.is_empty() { scan.outside(byte) } else { scan.inside(byte) }
        }
        scan.found
    }

    fn see(&mut self, at: usize, defect: Defect) {
        if !self.found.iter().any(|&(_, known)| known == defect) {
            self.found.push((at, defect));
        }
    }

    fn outside(&mut self, byte: u8) {
        let at_line_start = self.pos == 0 || self.bytes.get(self.pos - 1) == Some(&b'\n');
        let rest = self.text.get(self.pos..).unwrap_or_default();
        if at_line_start && (rest.starts_with("```") || rest.starts_with("~~~")) {
            self.see(self.pos, Defect::Fence);
        }
        if matches!(byte, b'<' | b'[' | b'f') && WRAPPERS.iter().any(|opener| starts_with(rest, opener)) {
            self.see(self.pos, Defect::Wrapper);
            // The bracket of a marker such as `[TOOL_CALLS]` opens no array.
            self.pos += 1;
            return;
        }
        if matches!(byte, b'{' | b'[') {
            self.open.push(byte);
            self.last = byte;
        }
        self.pos += 1;
    }

    fn inside(&mut self, byte: u8) {
        match byte {
            b'"' => self.string(),
            b'\'' if matches!(self.last, b'{' | b'[' | b',' | b':') => {
                self.see(self.pos, Defect::SingleQuotes);
                let end = self.bytes.iter().skip(self.pos + 1).position(|&byte| byte == b'\'');
                self.pos += end.map_or(1, |length| length + 2);
                self.last = b'"';
            }
            b'{' | b'[' => {
                self.open.push(byte);
                self.step(byte);
            }
            b'}' | b']' => {
                if self.last == b',' {
                    self.see(self.pos, Defect::TrailingComma);
                }
                self.open.pop();
                self.step(byte);
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.pos += 1,
            _ if byte == b'_' || byte == b'$' || byte.is_ascii_alphabetic() => self.word(),
            _ => self.step(byte),
        }
    }

    fn step(&mut self, byte: u8) {
        self.last = byte;
        self.pos += 1;
    }

    /// A string in double quotes. One that never ends says nothing about its line breaks.
    fn string(&mut self) {
        let start = self.pos;
        let mut newline = None;
        self.pos += 1;
        while let Some(&byte) = self.bytes.get(self.pos) {
            self.pos += 1;
            match byte {
                b'"' => break,
                b'\\' => self.pos += 1,
                b'\n' | b'\r' => newline = newline.or(Some(start)),
                _ => {}
            }
        }
        let is_closed = self.pos <= self.bytes.len() && self.bytes.get(self.pos - 1) == Some(&b'"');
        if let (Some(at), true) = (newline, is_closed) {
            self.see(at, Defect::RawNewline);
        }
        self.last = b'"';
    }

    /// A word; where a name is expected and a colon follows, it is a name without quotes.
    fn word(&mut self) {
        let start = self.pos;
        let is_word = |byte: &u8| *byte == b'_' || *byte == b'-' || *byte == b'$' || byte.is_ascii_alphanumeric();
        while self.bytes.get(self.pos).is_some_and(is_word) {
            self.pos += 1;
        }
        let follows = self.bytes.iter().skip(self.pos).find(|byte| !byte.is_ascii_whitespace());
        let is_name = self.open.last() == Some(&b'{') && matches!(self.last, b'{' | b',') && follows == Some(&b':');
        if is_name {
            self.see(start, Defect::UnquotedName);
        }
        self.last = b'a';
    }
}

/// Whether `text` starts with `opener`, which is in lower case, in any case.
fn starts_with(text: &str, opener: &str) -> bool {
    text.as_bytes().get(..opener.len()).is_some_and(|start| start.eq_ignore_ascii_case(opener.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Defect, hints};

    fn seen(answer: &str) -> Vec<&'static str> {
        hints(answer, [])
    }

    #[test]
    fn l4_every_defect_has_its_hint() {
        for (answer, defect) in [
            ("<function_calls>{\"a\": 1}</function_calls>", Defect::Wrapper),
            ("<tool_call>\n{\"a\": 1}\n</tool_call>", Defect::Wrapper),
            ("[TOOL_CALLS] [{\"a\": 1}]", Defect::Wrapper),
            ("<｜tool▁calls▁begin｜>{}", Defect::Wrapper),
            ("Here:\n```json\n{\"a\": 1}\n```", Defect::Fence),
            ("{a: 1}", Defect::UnquotedName),
            ("{\"a\": {b_c : 1}}", Defect::UnquotedName),
            ("{\"a\": [1, 2, ]}", Defect::TrailingComma),
            ("{\"a\": 1,\n}", Defect::TrailingComma),
            ("{'a': 1}", Defect::SingleQuotes),
            ("{\"a\": ['x']}", Defect::SingleQuotes),
            ("{\"a\": \"one\ntwo\"}", Defect::RawNewline),
        ] {
            assert_eq!(seen(answer), [defect.hint()], "{answer}");
        }
    }

    #[test]
    fn l4_hints_stand_in_the_order_of_the_defects_and_once() {
        let answer = "```json\n{'a': 1, b: 'x', c: [1,], \"d\": \"e\nf\",}\n```";
        let expected =
            [Defect::Fence, Defect::SingleQuotes, Defect::UnquotedName, Defect::TrailingComma, Defect::RawNewline];
        assert_eq!(seen(answer), expected.map(Defect::hint));
    }

    #[test]
    fn l4_what_stands_in_strings_and_prose_is_no_defect() {
        for answer in [
            "{\"a\": \"<tool_call> ```json {b: 1,} 'x'\"}",
            "{\"a\": true, \"b\": null, \"c\": [false]}",
            "It's fine, isn't it: {\"a\": 1}",
            "{\"a\": \"\\n ```\"}",
            "{\"a\": \"never ends\nat all",
            "I cannot do that.",
            "",
        ] {
            assert_eq!(seen(answer), [""; 0], "{answer}");
        }
    }

    #[test]
    fn l4_edits_of_rules_are_heard_too() {
        let edits = [("trailing-comma", 9), ("unquoted-key", 3), ("comment", 1), ("unquoted-key", 5)];
        assert_eq!(hints("", edits), [Defect::UnquotedName, Defect::TrailingComma].map(Defect::hint));
    }
}
