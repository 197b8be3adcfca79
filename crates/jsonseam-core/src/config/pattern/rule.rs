//! The compiled form of a pattern: what it matches, what it declines, and how much it reads.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{Compiler, Config, NFA};
use regex_automata::util::captures::{Captures, GroupInfo};
use regex_automata::util::pool::Pool;
use regex_automata::util::primitives::PatternID;
use regex_automata::util::{interpolate, syntax};
use regex_automata::{Anchored, Input, MatchKind};

use crate::config::nearest::shown;
use crate::edits::edit::{Edit, Edits};
use crate::reading::expected::Expected;
use crate::rule::RepairRule;
use crate::rule::fault::Fault;
use crate::rule::proposals::Proposals;

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

/// The scratch space of an engine, one for each thread that asks.
type Caches<C> = Pool<C, Box<dyn Fn() -> C + Send + Sync>>;

/// The compiled form of a pattern.
pub(super) struct PatternRule {
    /// Finds captures in a match whose end is known.
    machine: (PikeVM, Caches<pikevm::Cache>),
    /// Finds the end of a match, and tells after how many bytes it is decided. `None` if it cannot be built: then windows are not grown.
    automaton: Option<(DFA, Caches<dfa::Cache>)>,
    replace: String,
}

/// What a window tells about the match at its start.
enum Extent {
    /// Where it ends, if there is one, however the text goes on.
    Decided(Option<usize>),
    /// More text could make or change the match.
    Undecided,
}

impl PatternRule {
    /// One that removes what `find` matches, or what is wrong with that.
    pub(super) fn new(find: &str) -> Result<Self, String> {
        if find.is_empty() {
            return Err("`find` is empty".to_owned());
        }
        if find.len() > MAX_FIND_BYTES {
            return Err(format!("`find` is longer than {MAX_FIND_BYTES} bytes"));
        }
        let parsed = syntax::parse(find)
            .map_err(|error| format!("`find` is not a regular expression{}", category(&error.to_string())))?;
        let config = Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES));
        let states = Compiler::new().configure(config).build_from_hir(&parsed);
        let machine = states.and_then(PikeVM::new_from_nfa).map_err(|error| match error.size_limit() {
            Some(_) => "`find` is too large: compiled it takes more than 1 MiB",
            None => "`find` is a regular expression that cannot be compiled",
        })?;
        let automaton = automaton(machine.get_nfa().clone());
        let shared = machine.clone();
        let caches: Caches<_> = Pool::new(Box::new(move || shared.create_cache()));
        Ok(Self { machine: (machine, caches), automaton, replace: String::new() })
    }

    /// The same with this replacement, or what is wrong with it.
    pub(super) fn replacing(self, replace: &str) -> Result<Self, String> {
        if replace.len() > MAX_REPLACEMENT_BYTES {
            return Err(format!("`replace` is longer than {MAX_REPLACEMENT_BYTES} bytes"));
        }
        // A reference to a group that does not exist would silently drop text.
        match unknown_group(self.machine.0.get_nfa().group_info(), replace) {
            Some(group) => Err(format!(
                "`replace` names the group{}, which `find` does not have (`${{1}}` ends a number, `$$` is a dollar sign)",
                shown(&group)
            )),
            None => Ok(Self { replace: replace.to_owned(), ..self }),
        }
    }

    /// The edit at the start of the windows that `window` gives: the whole text, and the range of it of at most so many bytes.
    /// A guarded one keeps letters, digits and signs.
    fn mend<'t>(&self, is_guarded: bool, mut window: impl FnMut(usize) -> (&'t str, Range<usize>)) -> Option<Edit> {
        let mut size = FIRST_WINDOW_BYTES;
        while let Some((automaton, caches)) = &self.automaton {
            let (text, range) = window(size);
            let start = range.start;
            match extent(automaton, &mut caches.get(), text, range) {
                Some(Extent::Decided(end)) => return self.edit(text, start..end?, is_guarded),
                Some(Extent::Undecided) if size >= MAX_WINDOW_BYTES => return None,
                Some(Extent::Undecided) => size = (size * WINDOW_GROWTH).min(MAX_WINDOW_BYTES),
                None => break,
            }
        }
        let (text, range) = window(MAX_WINDOW_BYTES);
        let found = self.captures(text, range.clone()).get_match()?.range();
        // What touches the window's end might go on after it.
        let is_complete = found.end < range.end || range.end == text.len();
        if is_complete { self.edit(text, found, is_guarded) } else { None }
    }

    /// The match at the start of a range, with its groups.
    fn captures(&self, text: &str, range: Range<usize>) -> Captures {
        let (machine, caches) = &self.machine;
        let mut captures = machine.create_captures();
        machine.search(&mut caches.get(), &anchored(text, range), &mut captures);
        captures
    }

    /// Replaces the match, unless that changes nothing, grows beyond measure or changes what is guarded.
    fn edit(&self, text: &str, found: Range<usize>, is_guarded: bool) -> Option<Edit> {
        let captures = self.captures(text, found.clone());
        let matched = text.get(captures.get_match().filter(|matched| matched.range() == found)?.range())?;
        let mut replacement = String::new();
        interpolate::string(
            &self.replace,
            |group, expanded| {
                // What is too long already is long enough to be declined.
                if expanded.len() <= MAX_REPLACEMENT_BYTES {
                    let part = captures.get_group(group).and_then(|span| text.get(span.range()));
                    expanded.push_str(part.unwrap_or_default());
                }
            },
            |name| captures.group_info().to_index(PatternID::ZERO, name),
            &mut replacement,
        );
        let is_wanted = matched != replacement && (!is_guarded || keeps_signs(matched, &replacement));
        (is_wanted && replacement.len() <= MAX_REPLACEMENT_BYTES).then(|| Edit::replace(found, replacement))
    }
}

/// A pattern as a rule: it declines the faults that `at` does not name and, if it is guarded, an edit that drops or changes more than punctuation.
pub(super) struct At {
    pub(super) faults: Vec<Expected>,
    pub(super) is_guarded: bool,
    pub(super) rule: Arc<PatternRule>,
}

impl RepairRule for At {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if self.faults.contains(&fault.expected()) {
            to.only(self.rule.mend(self.is_guarded, |len| fault.window(len)).map(Edits::from));
        }
    }
}

/// Whether the two hold the same letters, digits and signs, in the same order: what an edit of risk `likely` must keep (SPEC R4, *honest*).
/// The letter of an escape does not count: a raw newline may become `\n`.
pub(crate) fn keeps_signs(removed: &str, replacement: &str) -> bool {
    signs(removed).eq(signs(replacement))
}

fn signs(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                '\\' => drop(chars.next_if(|next| matches!(next, 'n' | 't' | 'r' | 'b' | 'f' | '\\'))),
                char if char.is_alphanumeric() || matches!(char, '+' | '-') => return Some(char),
                _ => {}
            }
        }
    })
}

fn anchored(text: &str, range: Range<usize>) -> Input<'_> {
    Input::new(text).range(range).anchored(Anchored::Yes)
}

/// The automaton of states that are known to compile.
fn automaton(states: NFA) -> Option<(DFA, Caches<dfa::Cache>)> {
    let config = DFA::config()
        .match_kind(MatchKind::LeftmostFirst)
        .unicode_word_boundary(true)
        .cache_capacity(STATES_BYTES)
        .skip_cache_capacity_check(true);
    let automaton = DFA::builder().configure(config).build_from_nfa(states).ok()?;
    let shared = automaton.clone();
    Some((automaton, Pool::new(Box::new(move || shared.create_cache()))))
}

/// Walks the automaton over the window, byte by byte, until no further byte can matter.
/// `None` if the automaton cannot tell (a Unicode word boundary beside text that is not ASCII).
fn extent(automaton: &DFA, cache: &mut dfa::Cache, text: &str, range: Range<usize>) -> Option<Extent> {
    let mut state = automaton.start_state_forward(cache, &anchored(text, range.clone())).ok()?;
    let mut found = None;
    for (pos, &byte) in text.as_bytes().iter().enumerate().take(range.end).skip(range.start) {
        let next = automaton.next_state(cache, state, byte).ok()?;
        if next.is_dead() {
            return Some(Extent::Decided(found));
        }
        if next.is_quit() {
            return None;
        }
        // The automaton reports a match one byte late, so that it can look at what follows.
        if next.is_match() {
            found = Some(pos);
        }
        state = next;
    }
    if range.end < text.len() {
        return Some(Extent::Undecided);
    }
    let last = automaton.next_eoi_state(cache, state).ok()?;
    Some(Extent::Decided(if last.is_match() { Some(text.len()) } else { found }))
}

/// The first group that `replace` names and that is not there.
fn unknown_group(groups: &GroupInfo, replace: &str) -> Option<String> {
    let unknown = OnceCell::new();
    interpolate::string(
        replace,
        |group, _| {
            if group >= groups.group_len(PatternID::ZERO) {
                unknown.get_or_init(|| group.to_string());
            }
        },
        |name| {
            let index = groups.to_index(PatternID::ZERO, name);
            if index.is_none() {
                unknown.get_or_init(|| name.to_owned());
            }
            index
        },
        &mut String::new(),
    );
    unknown.into_inner()
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
        ("invalid escape sequence found in character class", ": an escape cannot be in a character class"),
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
