//! Patterns: regular expressions of ECMA 262 on an engine that takes linear time, and knows what a match costs.

use regex_automata::meta;

/// The longest pattern, in bytes.
const MAX_LENGTH: usize = 4096;
/// How large a compiled pattern may get, in bytes.
const MAX_COMPILED: usize = 256 << 10;
/// Roughly what one state of a compiled pattern takes, in bytes.
const STATE: usize = 64;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    source: Box<str>,
    regex: meta::Regex,
    memory: usize,
}

impl Pattern {
    /// Compiles a pattern; `None` if it needs look-around or back-references, is no pattern or too large.
    pub(crate) fn new(source: &str) -> Option<Self> {
        if source.len() > MAX_LENGTH {
            return None;
        }
        let translated = jsonschema_regex::to_rust_regex(source).ok()?;
        let config = meta::Config::new()
            .nfa_size_limit(Some(MAX_COMPILED))
            .onepass_size_limit(Some(MAX_COMPILED))
            .dfa_size_limit(Some(MAX_COMPILED))
            .hybrid_cache_capacity(MAX_COMPILED);
        let regex = meta::Builder::new().configure(config).build(&translated).ok()?;
        let memory = regex.memory_usage();
        Some(Self { source: source.into(), regex, memory })
    }

    /// The pattern as the schema has it.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// What the compiled pattern takes, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// What it may cost, in steps, to try the pattern on a text: its length times a share of the states.
    pub(crate) fn cost(&self, text: &str) -> u64 {
        let states = self.memory / STATE;
        let steps = text.len().saturating_mul(1 + states / 32) / 2;
        u64::try_from(steps).unwrap_or(u64::MAX).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v3_patterns_that_need_more_than_linear_time_are_refused() {
        for source in [
            "(?=a)b",
            "(?!a)b",
            "(?<=a)b",
            "(?<!a)b",
            "(a)\\1",
            "(?<n>a)\\k<n>",
            "(",
            "a{100000}",
            "((a{100}){100}){100}",
        ] {
            assert!(Pattern::new(source).is_none(), "{source}");
        }
        assert!(Pattern::new(&"a".repeat(MAX_LENGTH + 1)).is_none());
    }

    #[test]
    fn patterns_are_those_of_ecma() {
        for (source, text, is) in [
            ("^\\d$", "\u{663}", false),
            ("^\\w$", "é", false),
            ("^\\s$", "\u{feff}", true),
            ("a", "bab", true),
            ("^\\cA$", "\u{1}", true),
            ("^\\p{Letter}+$", "éa", true),
            ("^a$", "a\n", false),
        ] {
            let pattern = Pattern::new(source).expect("a pattern");
            assert_eq!(pattern.is_match(text), is, "{source}");
        }
    }

    #[test]
    fn v3_a_match_costs_more_with_a_longer_text_and_a_larger_pattern() {
        let small = Pattern::new("^a$").expect("a pattern");
        let large = Pattern::new("(a?){300}").expect("a pattern");
        assert!(small.cost("a") < small.cost(&"a".repeat(100)));
        assert!(small.cost("aaaaaaaa") < large.cost("aaaaaaaa"));
    }
}
