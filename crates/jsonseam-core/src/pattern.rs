//! Declarative rules: `[[pattern]]` in the configuration, without any Rust.
//!
//! A pattern is a regular expression anchored at the fault and a replacement for what it matches.
//! It is held to the same law as any rule (DESIGN 3): it reads a bounded, metered window, and only as much of it as decides the match.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::meta::Regex;
use regex_automata::nfa::thompson;
use regex_automata::util::interpolate;
use regex_automata::util::pool::Pool;
use regex_automata::util::primitives::PatternID;
use regex_automata::{Anchored, Input, MatchKind};
use toml::de::DeValue;

use crate::config::{ConfigError, Key, Keys, Named, Place, Reader, Spot, Value, is_kebab, listed, shown, sorted, suggestion};
use crate::edit::{Edit, Edits};
use crate::fault::{Expected, Fault};
use crate::risk::Risk;
use crate::rule::{RepairRule, Role};

/// Most patterns in one configuration.
const MAX_PATTERNS: usize = 256;

/// Longest regular expression, in bytes. A longer one could take seconds only to be refused.
const MAX_FIND_BYTES: usize = 1 << 10;

/// Most memory of one compiled expression, in bytes.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// Longest replacement after expansion, in bytes.
const MAX_REPLACEMENT_BYTES: usize = 64 << 10;

/// Farthest that a pattern can read, in bytes from the fault. What is not decided there is declined.
const MAX_WINDOW_BYTES: usize = 4 << 10;

/// The first window, in bytes. Most matches are decided in it, so a pattern that is asked often stays within the bound on work.
const FIRST_WINDOW_BYTES: usize = 64;

/// How much larger each further window is.
const WINDOW_GROWTH: usize = 8;

/// Memory for states of the lazily built automaton, in bytes.
const STATES_BYTES: usize = 256 << 10;

const PATTERN: Keys =
    Keys { table: "[[pattern]]", names: &["name", "at", "find", "replace", "risk", "case"] };
const CASE: Keys = Keys { table: "[[pattern.case]]", names: &["input", "output", "refused"] };

/// The faults that `at` can name, in the order of the bits of [`Faults`].
const AT: [Expected; 6] =
    [Expected::Value, Expected::Key, Expected::Colon, Expected::Comma, Expected::String, Expected::End];

/// Every set of faults as a list, so that patterns have the same `&'static` answers as rules.
static ANSWERS: [[Expected; AT.len()]; 1 << AT.len()] = answers();

const fn answers() -> [[Expected; AT.len()]; 1 << AT.len()] {
    let mut lists = [AT; 1 << AT.len()];
    let mut bits = 0;
    while bits < lists.len() {
        let (mut member, mut len) = (0, 0);
        while member < AT.len() {
            if bits & (1 << member) != 0 {
                lists[bits][len] = AT[member];
                len += 1;
            }
            member += 1;
        }
        bits += 1;
    }
    lists
}

/// A set of faults.
#[derive(Debug, Clone, Copy, Default)]
struct Faults(u8);

impl Faults {
    /// Adds a fault; false if the set has it already.
    fn insert(&mut self, index: usize) -> bool {
        let bit = 1 << index;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }

    fn list(self) -> &'static [Expected] {
        ANSWERS
            .get(usize::from(self.0))
            .and_then(|list| list.get(..self.0.count_ones() as usize))
            .unwrap_or_default()
    }
}

/// A rule declared by `[[pattern]]`.
///
/// ```
/// use jsonseam_core::{Config, Risk};
///
/// let text = r#"
/// [[pattern]]
/// name = "fat-arrow"
/// at = "colon"
/// find = '=>'
/// replace = ":"
/// risk = "likely"
/// [[pattern.case]]
/// input = '{"a" => 1}'
/// output = '{"a" : 1}'
/// "#;
/// let config = Config::from_toml(text, "jsonseam.toml").unwrap();
/// let pattern = &config.patterns()[0];
/// assert_eq!((pattern.name(), pattern.risk()), ("fat-arrow", Risk::Likely));
/// assert_eq!(pattern.cases()[0].output(), Some(r#"{"a" : 1}"#));
/// assert_eq!(pattern.cases()[0].place().line, 8);
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    name: Named,
    spot: Spot,
    risk: Risk,
    at: Faults,
    rule: Arc<PatternRule>,
    cases: Vec<PatternCase>,
}

impl Pattern {
    /// The name: kebab-case, perhaps with a prefix.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    /// The risk of every edit of the pattern.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// The faults at which the pattern is asked.
    pub fn answers(&self) -> &'static [Expected] {
        self.at.list()
    }

    /// The inline cases, in the order of the file. They are run by whoever checks a configuration, not when it is read.
    pub fn cases(&self) -> &[PatternCase] {
        &self.cases
    }

    /// Where the pattern begins in its file.
    pub fn place(&self) -> Place {
        self.spot.place()
    }

    pub(crate) fn named(&self) -> &Named {
        &self.name
    }

    pub(crate) fn role(&self) -> Role {
        Role::Repair { risk: self.risk, answers: self.answers() }
    }

    pub(crate) fn rule(&self) -> Arc<dyn RepairRule> {
        Arc::<PatternRule>::clone(&self.rule)
    }
}

/// A case of a pattern: what a completion becomes, or that it is refused.
#[derive(Clone)]
pub struct PatternCase {
    spot: Spot,
    input: String,
    output: Option<String>,
}

impl PatternCase {
    /// The completion.
    pub fn input(&self) -> &str {
        &self.input
    }

    /// The text it is repaired to; `None` if it must be refused.
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// Where the case begins in its file.
    pub fn place(&self) -> Place {
        self.spot.place()
    }
}

/// Shows the place, not the texts: cases are often cut from real completions.
impl fmt::Debug for PatternCase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PatternCase").field("spot", &self.spot).finish_non_exhaustive()
    }
}

/// Reads all `[[pattern]]` tables.
pub(crate) fn read(reader: &Reader, value: &Value<'_>) -> Result<Vec<Pattern>, ConfigError> {
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(reader.wrong_type(value, "`pattern`", "a list of tables, each begun by [[pattern]]"));
    };
    let mut patterns: Vec<Pattern> = Vec::new();
    for table in tables {
        if patterns.len() == MAX_PATTERNS {
            return Err(reader.error(&table.span(), format!("more than {MAX_PATTERNS} patterns")));
        }
        let pattern = read_pattern(reader, table)?;
        if patterns.iter().any(|other| other.name() == pattern.name()) {
            return Err(pattern.name.error(format!("two patterns are named{}", shown(pattern.name()))));
        }
        patterns.push(pattern);
    }
    Ok(patterns)
}

fn read_pattern(reader: &Reader, value: &Value<'_>) -> Result<Pattern, ConfigError> {
    let (mut name, mut at, mut find, mut replace, mut risk, mut cases) = (None, None, None, None, None, Vec::new());
    for (key, value) in sorted(reader.table(value, "pattern")?) {
        match key.get_ref().as_ref() {
            "name" => name = Some(read_name(reader, value)?),
            "at" => at = Some(read_at(reader, value)?),
            "find" => find = Some((value, reader.string(value, "find")?)),
            "replace" => replace = Some((value, reader.string(value, "replace")?)),
            "risk" => risk = Some(reader.risk(value, "risk")?),
            "case" => cases = read_cases(reader, value)?,
            _ => return Err(reader.unknown_key(key, &PATTERN)),
        }
    }
    let lacks = |key: &str| reader.error(&value.span(), format!("[[pattern]] lacks `{key}`"));
    let name = name.ok_or_else(|| lacks("name"))?;
    let at = at.ok_or_else(|| lacks("at"))?;
    let (find_value, find) = find.ok_or_else(|| lacks("find"))?;
    let (replace_value, replace) = replace.ok_or_else(|| lacks("replace"))?;
    let risk = risk.ok_or_else(|| lacks("risk"))?;
    let rule = PatternRule::new(find, replace).map_err(|problem| match problem {
        Problem::Find(message) => reader.error(&find_value.span(), message),
        Problem::Replace(message) => reader.error(&replace_value.span(), message),
    })?;
    Ok(Pattern { name, spot: reader.spot(&value.span()), risk, at, rule: Arc::new(rule), cases })
}

fn read_name(reader: &Reader, value: &Value<'_>) -> Result<Named, ConfigError> {
    let name = reader.name(value, "name")?;
    let (prefix, rest) = name.text.split_once('/').map_or((None, name.text.as_str()), |(prefix, rest)| (Some(prefix), rest));
    if is_kebab(rest) && prefix.is_none_or(is_kebab) {
        Ok(name)
    } else {
        Err(name.error(format!(
            "a pattern's name{} must be in kebab-case (`fat-arrow`), perhaps with a prefix (`acme/fat-arrow`)",
            shown(&name.text)
        )))
    }
}

/// One fault, or a list of them.
fn read_at(reader: &Reader, value: &Value<'_>) -> Result<Faults, ConfigError> {
    let mut faults = Faults::default();
    let entries = match value.get_ref() {
        DeValue::Array(entries) => &entries[..],
        _ => std::slice::from_ref(value),
    };
    for entry in entries {
        let names = AT.map(Expected::as_str);
        let name = entry.get_ref().as_str().ok_or_else(|| {
            reader.wrong_type(entry, "`at`", &format!("{}, or a list of those", listed(&names)))
        })?;
        let index = names.iter().position(|known| *known == name).ok_or_else(|| {
            let near = suggestion(name, names);
            let hint = if near.is_empty() { format!("; expected {}", listed(&names)) } else { near };
            reader.error(&entry.span(), format!("unknown fault{} of `at`{hint}", shown(name)))
        })?;
        if !faults.insert(index) {
            return Err(reader.error(&entry.span(), format!("fault{} stands twice in `at`", shown(name))));
        }
    }
    if faults.list().is_empty() {
        return Err(reader.error(&value.span(), "`at` names no fault"));
    }
    Ok(faults)
}

fn read_cases(reader: &Reader, value: &Value<'_>) -> Result<Vec<PatternCase>, ConfigError> {
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(reader.wrong_type(value, "`case`", "a list of tables, each begun by [[pattern.case]]"));
    };
    tables.iter().map(|table| read_case(reader, table)).collect()
}

fn read_case(reader: &Reader, value: &Value<'_>) -> Result<PatternCase, ConfigError> {
    let (mut input, mut output) = (None, None);
    let mut refused: Option<&Key<'_>> = None;
    for (key, value) in sorted(reader.table(value, "case")?) {
        match key.get_ref().as_ref() {
            "input" => input = Some(reader.string(value, "input")?.to_owned()),
            "output" => output = Some(reader.string(value, "output")?.to_owned()),
            "refused" if value.get_ref().as_bool() == Some(true) => refused = Some(key),
            "refused" => return Err(reader.error(&value.span(), "`refused` can only be true")),
            _ => return Err(reader.unknown_key(key, &CASE)),
        }
    }
    let input = input.ok_or_else(|| reader.error(&value.span(), "[[pattern.case]] lacks `input`"))?;
    match (&output, refused) {
        (Some(_), Some(key)) => Err(reader.error(&key.span(), "a case has either `output` or `refused`, not both")),
        (None, None) => Err(reader.error(&value.span(), "[[pattern.case]] lacks `output` or `refused = true`")),
        _ => Ok(PatternCase { spot: reader.spot(&value.span()), input, output }),
    }
}

/// What is wrong with a pattern, and in which of its two texts.
#[derive(Debug)]
enum Problem {
    Find(String),
    Replace(String),
}

/// Creates the scratch space of the automaton.
type NewCache = Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>;

/// The compiled form of a pattern, which is a rule like any other.
pub(crate) struct PatternRule {
    /// Finds captures in a match whose end is known.
    regex: Regex,
    /// Finds the end of a match, and tells after how many bytes it is decided. `None` if it cannot be built: then windows are not grown.
    automaton: Option<(DFA, Pool<Cache, NewCache>)>,
    replace: String,
}

/// What a window tells about the match at its start.
#[derive(Debug, PartialEq, Eq)]
enum Extent {
    /// There is a match to here, however the text goes on.
    Match(usize),
    /// There is none, however the text goes on.
    None,
    /// More text could make or change the match.
    Undecided,
    /// The automaton cannot tell (a Unicode word boundary beside text that is not ASCII).
    Unknown,
}

impl PatternRule {
    fn new(find: &str, replace: &str) -> Result<Self, Problem> {
        if find.is_empty() {
            return Err(Problem::Find("`find` is empty".to_owned()));
        }
        if find.len() > MAX_FIND_BYTES {
            return Err(Problem::Find(format!("`find` is longer than {MAX_FIND_BYTES} bytes")));
        }
        if replace.len() > MAX_REPLACEMENT_BYTES {
            return Err(Problem::Replace(format!("`replace` is longer than {MAX_REPLACEMENT_BYTES} bytes")));
        }
        let regex = Regex::builder()
            .configure(Regex::config().nfa_size_limit(Some(MAX_COMPILED_BYTES)).hybrid_cache_capacity(STATES_BYTES))
            .build(find)
            .map_err(|error| {
                Problem::Find(match (error.size_limit(), error.syntax_error()) {
                    (Some(_), _) => "`find` is too large: compiled it takes more than 1 MiB".to_owned(),
                    (None, Some(syntax)) => {
                        format!("`find` is no regular expression{}", category(&syntax.to_string()))
                    }
                    (None, None) => "`find` is no regular expression that can be compiled".to_owned(),
                })
            })?;
        check_groups(&regex, replace)?;
        Ok(Self { regex, automaton: automaton(find), replace: replace.to_owned() })
    }

    /// The edit at the start of the windows that `window` gives: the whole text, and the range of it of at most so many bytes.
    fn mend<'t>(&self, mut window: impl FnMut(usize) -> (&'t str, Range<usize>)) -> Option<Edit> {
        let mut size = FIRST_WINDOW_BYTES;
        while let Some((automaton, caches)) = &self.automaton {
            let (text, range) = window(size);
            let start = range.start;
            match extent(automaton, &mut caches.get(), text, range) {
                Extent::Match(end) => return self.edit(text, start..end),
                Extent::None => return None,
                Extent::Undecided if size >= MAX_WINDOW_BYTES => return None,
                Extent::Undecided => size = (size * WINDOW_GROWTH).min(MAX_WINDOW_BYTES),
                Extent::Unknown => break,
            }
        }
        let (text, range) = window(MAX_WINDOW_BYTES);
        let found = self.regex.search(&anchored(text, range.clone()))?;
        // What touches the window's end might go on behind it.
        let is_complete = found.end() < range.end || range.end == text.len();
        if is_complete { self.edit(text, found.range()) } else { None }
    }

    /// Replaces the match, unless that changes nothing or grows beyond measure.
    fn edit(&self, text: &str, found: Range<usize>) -> Option<Edit> {
        let mut captures = self.regex.create_captures();
        self.regex.search_captures(&anchored(text, found.clone()), &mut captures);
        if captures.get_match()?.range() != found {
            return None;
        }
        let mut replacement = String::new();
        let mut is_too_long = false;
        interpolate::string(
            &self.replace,
            |group, expanded| {
                let part = captures.get_group(group).and_then(|span| text.get(span.range())).unwrap_or_default();
                is_too_long |= expanded.len() + part.len() > MAX_REPLACEMENT_BYTES;
                if !is_too_long {
                    expanded.push_str(part);
                }
            },
            |name| self.regex.group_info().to_index(PatternID::ZERO, name),
            &mut replacement,
        );
        let is_too_long = is_too_long || replacement.len() > MAX_REPLACEMENT_BYTES;
        let is_change = text.get(found.clone()).is_some_and(|matched| matched != replacement);
        (is_change && !is_too_long).then(|| Edit::replace(found, replacement))
    }
}

impl RepairRule for PatternRule {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        self.mend(|len| fault.window(len)).map(Edits::from)
    }
}

impl fmt::Debug for PatternRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PatternRule").finish_non_exhaustive()
    }
}

fn anchored(text: &str, range: Range<usize>) -> Input<'_> {
    Input::new(text).range(range).anchored(Anchored::Yes)
}

/// The automaton of an expression that is known to compile.
fn automaton(find: &str) -> Option<(DFA, Pool<Cache, NewCache>)> {
    let config = DFA::config()
        .match_kind(MatchKind::LeftmostFirst)
        .unicode_word_boundary(true)
        .cache_capacity(STATES_BYTES)
        .skip_cache_capacity_check(true);
    let automaton = DFA::builder()
        .configure(config)
        .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES)))
        .build(find)
        .ok()?;
    let shared = automaton.clone();
    let new_cache: NewCache = Box::new(move || shared.create_cache());
    Some((automaton, Pool::new(new_cache)))
}

/// Walks the automaton over the window, byte by byte, until no further byte can matter.
fn extent(automaton: &DFA, cache: &mut Cache, text: &str, range: Range<usize>) -> Extent {
    let Ok(mut state) = automaton.start_state_forward(cache, &anchored(text, range.clone())) else {
        return Extent::Unknown;
    };
    let mut found = None;
    let decided = |found: Option<usize>| found.map_or(Extent::None, Extent::Match);
    for (pos, &byte) in text.as_bytes().iter().enumerate().take(range.end).skip(range.start) {
        let Ok(next) = automaton.next_state(cache, state, byte) else {
            return Extent::Unknown;
        };
        if next.is_dead() {
            return decided(found);
        }
        if next.is_quit() {
            return Extent::Unknown;
        }
        // The automaton reports a match one byte late, so that it can look at what follows.
        if next.is_match() {
            found = Some(pos);
        }
        state = next;
    }
    if range.end < text.len() {
        return Extent::Undecided;
    }
    match automaton.next_eoi_state(cache, state) {
        Ok(last) if last.is_match() => Extent::Match(text.len()),
        Ok(_) => decided(found),
        Err(_) => Extent::Unknown,
    }
}

/// A reference to a group that does not exist would silently drop text.
fn check_groups(regex: &Regex, replace: &str) -> Result<(), Problem> {
    let groups = regex.group_info();
    let mut missing: Option<String> = None;
    let mut unknown: Option<String> = None;
    interpolate::string(
        replace,
        |group, _| {
            if group >= groups.group_len(PatternID::ZERO) {
                missing.get_or_insert_with(|| group.to_string());
            }
        },
        |name| {
            let index = groups.to_index(PatternID::ZERO, name);
            if index.is_none() {
                unknown.get_or_insert_with(|| name.to_owned());
            }
            index
        },
        &mut String::new(),
    );
    match missing.or(unknown) {
        Some(group) => Err(Problem::Replace(format!(
            "`replace` names the group{}, which `find` does not have (`${{1}}` ends a number, `$$` is a dollar sign)",
            shown(&group)
        ))),
        None => Ok(()),
    }
}

/// What is wrong with a regular expression, in words from this list only: the parser's message quotes the expression.
fn category(message: &str) -> &'static str {
    const CATEGORIES: [(&str, &str); 22] = [
        ("unclosed character class", ": a character class is not closed"),
        ("unclosed group", ": a group is not closed"),
        ("unclosed capture group name", ": a group's name is not closed"),
        ("unopened group", ": a group is closed that was not opened"),
        ("duplicate capture group name", ": two groups have the same name"),
        ("empty capture group name", ": a group's name is empty"),
        ("invalid capture group character", ": a group's name holds a character that it cannot hold"),
        ("repetition operator missing expression", ": a repetition has nothing to repeat"),
        ("repetition quantifier expects a valid decimal", ": a repetition needs a number"),
        ("unclosed counted repetition", ": a counted repetition is not closed"),
        ("backreferences are not supported", ": back-references are not supported"),
        ("is not supported", ": look-around is not supported"),
        ("unrecognized escape sequence", ": an escape is unknown"),
        ("reached end of pattern prematurely", ": an escape is cut short"),
        ("invalid escape sequence found in character class", ": an escape cannot stand in a character class"),
        ("unrecognized flag", ": a flag is unknown"),
        ("duplicate flag", ": a flag is set twice"),
        ("the start must be <= the end", ": a range ends before it starts"),
        ("Unicode property not found", ": a Unicode property is unknown"),
        ("Unicode property value not found", ": a value of a Unicode property is unknown"),
        ("pattern can match invalid UTF-8", ": it can match what is not UTF-8"),
        ("nested parentheses/brackets (250)", ": it is nested too deeply"),
    ];
    CATEGORIES.iter().find(|(end, _)| message.ends_with(end)).map_or("", |&(_, category)| category)
}

#[cfg(test)]
mod tests;
