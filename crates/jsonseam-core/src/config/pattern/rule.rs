//! The compiled form of a pattern: what it matches, what it declines, and how much it reads.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::interpolate;
use regex_automata::util::pool::Pool;
use regex_automata::util::primitives::PatternID;
use regex_automata::{Anchored, Input, MatchKind};

use super::finder::{Finder, NewCache, Refused};
use crate::config::nearest::shown;
use crate::debug::debug_facts;
use crate::edits::edit::{Edit, Edits};
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

/// What is wrong with a pattern, and in which of its two texts.
#[derive(Debug)]
pub(super) enum Problem {
    Find(String),
    Replace(String),
}

/// The compiled form of a pattern, which is a rule like any other.
pub(super) struct PatternRule {
    /// Finds captures in a match whose end is known.
    finder: Finder,
    /// Finds the end of a match, and tells after how many bytes it is decided. `None` if it cannot be built: then windows are not grown.
    automaton: Option<(DFA, Pool<Cache, NewCache<Cache>>)>,
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
    pub(super) fn new(find: &str, replace: &str) -> Result<Self, Problem> {
        if find.is_empty() {
            return Err(Problem::Find("`find` is empty".to_owned()));
        }
        if find.len() > MAX_FIND_BYTES {
            return Err(Problem::Find(format!("`find` is longer than {MAX_FIND_BYTES} bytes")));
        }
        if replace.len() > MAX_REPLACEMENT_BYTES {
            return Err(Problem::Replace(format!("`replace` is longer than {MAX_REPLACEMENT_BYTES} bytes")));
        }
        let finder = Finder::new(find, MAX_COMPILED_BYTES, STATES_BYTES).map_err(|refused| {
            Problem::Find(match refused {
                Refused::TooLarge => "`find` is too large: compiled it takes more than 1 MiB".to_owned(),
                Refused::Syntax(message) => format!("`find` is not a regular expression{}", category(&message)),
                Refused::Other => "`find` is a regular expression that cannot be compiled".to_owned(),
            })
        })?;
        check_groups(&finder, replace)?;
        Ok(Self { finder, automaton: automaton(find), replace: replace.to_owned() })
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
        let found = self.finder.find(&anchored(text, range.clone()))?;
        // What touches the window's end might go on after it.
        let is_complete = found.end < range.end || range.end == text.len();
        if is_complete { self.edit(text, found) } else { None }
    }

    /// Replaces the match, unless that changes nothing or grows beyond measure.
    fn edit(&self, text: &str, found: Range<usize>) -> Option<Edit> {
        let captures = self.finder.captures(&anchored(text, found.clone()));
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
            |name| self.finder.group(name),
            &mut replacement,
        );
        let is_too_long = is_too_long || replacement.len() > MAX_REPLACEMENT_BYTES;
        let is_change = text.get(found.clone()).is_some_and(|matched| matched != replacement);
        (is_change && !is_too_long).then(|| Edit::replace(found, replacement))
    }
}

impl RepairRule for PatternRule {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(self.mend(|len| fault.window(len)).map(Edits::from));
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

/// A pattern of risk `likely`: it declines an edit that would drop or change more than punctuation.
pub(super) struct Guarded(pub(super) Arc<PatternRule>);

impl RepairRule for Guarded {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let mut text = "";
        let edit = self.0.mend(|len| {
            let (window, range) = fault.window(len);
            text = window;
            (window, range)
        });
        let removed = |edit: &Edit| text.get(edit.span.clone()).unwrap_or_default();
        to.only(edit.filter(|edit| keeps_signs(removed(edit), &edit.replacement)).map(Edits::from));
    }
}

debug_facts!(PatternRule, |rule| replace_len: rule.replace.len());

fn anchored(text: &str, range: Range<usize>) -> Input<'_> {
    Input::new(text).range(range).anchored(Anchored::Yes)
}

/// The automaton of an expression that is known to compile.
fn automaton(find: &str) -> Option<(DFA, Pool<Cache, NewCache<Cache>>)> {
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
    let new_cache: NewCache<Cache> = Box::new(move || shared.create_cache());
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
fn check_groups(finder: &Finder, replace: &str) -> Result<(), Problem> {
    let mut missing: Option<String> = None;
    let mut unknown: Option<String> = None;
    interpolate::string(
        replace,
        |group, _| {
            if group >= finder.groups().group_len(PatternID::ZERO) {
                missing.get_or_insert_with(|| group.to_string());
            }
        },
        |name| {
            let index = finder.group(name);
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
