//! Patterns: regular expressions of ECMA 262 on an engine that takes linear time, and knows what a match costs.
//!
//! Look-ahead that follows a leading `^` needs no more: `^(?=A)(?!B)C` fits what `^(?:A)` and `^C` fit and `^(?:B)` does not.
//! That is where generators and people use it, for passwords and e-mail addresses. Any other look-around is refused, and so are back-references.

use crate::regex::{Regex, TooLarge};

/// The longest pattern, in bytes.
const MAX_LENGTH: usize = 4096;
/// How large a compiled pattern may get, in bytes.
const MAX_COMPILED: usize = 256 << 10;
/// Roughly what one state of a compiled pattern takes, in bytes.
const STATE: usize = 64;
/// How many look-aheads a pattern may begin with.
const MAX_LOOK_AHEADS: usize = 16;

/// Why a pattern is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsupported {
    LookAhead,
    LookBehind,
    BackReference,
    TooLarge,
    NoPattern,
}

impl Unsupported {
    /// What is wrong, and what may be done about it.
    pub(crate) const fn explained(self) -> &'static str {
        match self {
            Self::LookAhead => {
                "the pattern has a look-ahead elsewhere than directly after a leading `^`; only there it takes linear time"
            }
            Self::LookBehind => "the pattern has a look-behind, which no linear-time engine can run",
            Self::BackReference => "the pattern has a back-reference, which no linear-time engine can run",
            Self::TooLarge => "the pattern is longer than 4096 bytes, or takes more than 256 KiB once compiled",
            Self::NoPattern => "the pattern is not a regular expression of ECMA 262",
        }
    }
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    source: Box<str>,
    regex: Regex,
    /// The look-aheads at the start, each with what it asks for.
    conditions: Vec<(Regex, bool)>,
    memory: usize,
}

impl Pattern {
    /// Compiles a pattern; refuses what needs more than linear time, is too large, or is not a pattern.
    pub(crate) fn new(source: &str) -> Result<Self, Unsupported> {
        if source.len() > MAX_LENGTH {
            return Err(Unsupported::TooLarge);
        }
        let Some((looks, rest)) = leading_look_aheads(source) else {
            let regex = compiled(source)?;
            let memory = regex.memory_usage();
            return Ok(Self { source: source.into(), regex, conditions: Vec::new(), memory });
        };
        let regex = compiled(&format!("^{rest}"))?;
        let mut memory = regex.memory_usage();
        let mut conditions = Vec::with_capacity(looks.len());
        for (inner, is_wanted) in looks {
            let condition = compiled(&format!("^(?:{inner})"))?;
            memory += condition.memory_usage();
            conditions.push((condition, is_wanted));
        }
        Ok(Self { source: source.into(), regex, conditions, memory })
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
            && self.conditions.iter().all(|(condition, is_wanted)| condition.is_match(text) == *is_wanted)
    }

    /// What it may cost, in steps, to try the pattern on a text: its length times a share of the states.
    pub(crate) fn cost(&self, text: &str) -> u64 {
        let states = self.memory / STATE;
        let steps = text.len().saturating_mul(1 + self.conditions.len() + states / 32) / 2;
        u64::try_from(steps).unwrap_or(u64::MAX).saturating_add(1)
    }
}

fn compiled(source: &str) -> Result<Regex, Unsupported> {
    if let Some(construct) = beyond_linear(source) {
        return Err(construct);
    }
    let translated = jsonschema_regex::to_rust_regex(source).map_err(|()| Unsupported::NoPattern)?;
    Regex::new(&translated, MAX_COMPILED)
        .map_err(|why| why.map_or(Unsupported::NoPattern, |TooLarge| Unsupported::TooLarge))
}

/// The bytes of a pattern that are neither escaped nor in a class, each with its place and how many groups are open before it.
fn syntax(source: &str) -> impl Iterator<Item = (usize, u8, usize)> {
    let (mut is_escaped, mut is_class, mut depth) = (false, false, 0_usize);
    source.bytes().enumerate().filter_map(move |(pos, byte)| {
        if is_escaped {
            is_escaped = false;
            return None;
        }
        let before = depth;
        match byte {
            b'\\' => {
                is_escaped = true;
                return None;
            }
            b']' if is_class => {
                is_class = false;
                return None;
            }
            _ if is_class => return None,
            b'[' => {
                is_class = true;
                return None;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        Some((pos, byte, before))
    })
}

/// The first construct of a pattern that a linear-time engine cannot run.
fn beyond_linear(source: &str) -> Option<Unsupported> {
    let look = syntax(source).filter(|(_, byte, _)| *byte == b'(').find_map(|(pos, ..)| match source.get(pos..)? {
        rest if rest.starts_with("(?=") || rest.starts_with("(?!") => Some(Unsupported::LookAhead),
        rest if rest.starts_with("(?<=") || rest.starts_with("(?<!") => Some(Unsupported::LookBehind),
        _ => None,
    });
    look.or_else(|| refers_back(source).then_some(Unsupported::BackReference))
}

/// Whether a pattern asks for what one of its groups has matched.
fn refers_back(source: &str) -> bool {
    let mut is_class = false;
    let mut bytes = source.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                let next = bytes.next();
                if !is_class && matches!(next, Some(b'k' | b'1'..=b'9')) {
                    return true;
                }
            }
            b'[' => is_class = true,
            b']' => is_class = false,
            _ => {}
        }
    }
    false
}

/// The look-aheads that follow a leading `^`, each with whether it must match, and what follows them.
///
/// `None` if there is none, or if more hangs on them: an alternative beside them, or a repetition of one.
fn leading_look_aheads(source: &str) -> Option<(Vec<(&str, bool)>, &str)> {
    let mut rest = source.strip_prefix('^')?;
    let has_alternatives = syntax(source).any(|(_, byte, depth)| byte == b'|' && depth == 0);
    let mut looks = Vec::new();
    while !has_alternatives && looks.len() < MAX_LOOK_AHEADS {
        let is_wanted = rest.starts_with("(?=");
        if !is_wanted && !rest.starts_with("(?!") {
            break;
        }
        let (end, ..) = syntax(rest).find(|(_, byte, depth)| *byte == b')' && *depth == 1)?;
        looks.push((rest.get(3..end)?, is_wanted));
        rest = rest.get(end + 1..)?;
        if rest.starts_with(['*', '+', '?', '{']) {
            return None;
        }
    }
    (!looks.is_empty()).then_some((looks, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v3_patterns_that_need_more_than_linear_time_are_refused_by_name() {
        for (source, why) in [
            ("(?=a)b", Unsupported::LookAhead),
            ("(?!a)b", Unsupported::LookAhead),
            ("^a(?=b)", Unsupported::LookAhead),
            ("^(?=a)b|c", Unsupported::LookAhead),
            ("^(?=a)*b", Unsupported::LookAhead),
            ("^(?=a(?!b))c", Unsupported::LookAhead),
            ("(?<=a)b", Unsupported::LookBehind),
            ("(?<!a)b", Unsupported::LookBehind),
            ("(a)\\1", Unsupported::BackReference),
            ("(?<n>a)\\k<n>", Unsupported::BackReference),
            ("(", Unsupported::NoPattern),
            ("a{100000}", Unsupported::TooLarge),
            ("((a{100}){100}){100}", Unsupported::TooLarge),
        ] {
            assert_eq!(Pattern::new(source).err(), Some(why), "{source}");
        }
        assert_eq!(Pattern::new(&"a".repeat(MAX_LENGTH + 1)).err(), Some(Unsupported::TooLarge));
    }

    #[test]
    fn v3_look_aheads_after_a_leading_caret_are_conditions() {
        for (source, right, wrong) in [
            ("^(?=.*[A-Z])(?=.*\\d).{4,}$", vec!["abC1", "1234X"], vec!["abc1", "ABCD", "A1"]),
            ("^(?!\\.)(?!.*\\.\\.)[a-z.]+@x$", vec!["a.b@x"], vec![".a@x", "a..b@x", "a@y"]),
            ("^(?!foo|bar)\\w+", vec!["fob"], vec!["foo", "barn"]),
            ("^(?=[)]a)..$", vec![")a"], vec!["(a", ")ab"]),
        ] {
            let pattern = Pattern::new(source).expect("a pattern");
            assert!(right.iter().all(|text| pattern.is_match(text)), "{source}");
            assert!(!wrong.iter().any(|text| pattern.is_match(text)), "{source}");
        }
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
            ("^[(?=]$", "?", true),
            ("^\\(\\?=$", "(?=", true),
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
        let guarded = Pattern::new("^(?=a)(?=a)(?=a)a").expect("a pattern");
        assert!(small.cost(&"a".repeat(100)) < guarded.cost(&"a".repeat(100)));
    }
}
