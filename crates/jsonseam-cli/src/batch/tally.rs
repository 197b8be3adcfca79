//! What happened to the lines, in numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

use jsonseam::Reason;

use crate::console;
use crate::engine::Engine;
use crate::presets::MOST_EXPLAINED;

use super::advice::Refused;
use super::bad::BadRecord;
use crate::counts::{counted, descending};

/// The counts of some lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Lines that were not blank.
    pub(super) lines: u64,
    /// Blank lines.
    pub(super) blank: u64,
    /// Texts that were valid.
    pub(super) valid: u64,
    /// Texts that were repaired.
    pub(super) repaired: u64,
    /// Records over which a rule panicked.
    pub(super) internal: u64,
    /// Texts with payloads besides the one that was taken.
    pub(super) further: u64,
    /// Texts that were cut off, whether they are refused for it or not.
    pub(super) truncated: u64,
    /// The first texts that were refused, if someone learns what would have helped them.
    pub(super) first_refused: Vec<Refused>,
    /// The first record without the field.
    without_field: Option<WithoutField>,
    /// The number of the first line that was too long to be held.
    pub(super) too_long: Option<u64>,
    /// What may be wrong with the first line that is not a record.
    suspicion: Option<&'static str>,
    refused: BTreeMap<&'static str, u64>,
    bad: BTreeMap<BadRecord, u64>,
    unmet: BTreeMap<String, u64>,
    edits: BTreeMap<String, u64>,
}

/// A record without the field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WithoutField {
    members: Vec<String>,
    shape: Option<&'static str>,
}

/// Of further members only the first are shown.
const MOST_MEMBERS: usize = 8;

impl Tally {
    /// The counts of so many blank lines.
    pub(super) fn of_blank(blank: u64) -> Self {
        Self { blank, ..Self::default() }
    }

    /// Counts the edits of these rules. One rule often makes several edits, one after the other: these are counted together.
    pub(super) fn count_edits<'r>(&mut self, rules: impl IntoIterator<Item = &'r str>) {
        let mut run = ("", 0);
        for rule in rules {
            if rule != run.0 {
                self.count_run(run);
                run = (rule, 0);
            }
            run.1 += 1;
        }
        self.count_run(run);
    }

    fn count_run(&mut self, (rule, edits): (&str, u64)) {
        if let Some(count) = self.edits.get_mut(rule) {
            *count += edits;
        } else if edits > 0 {
            self.edits.insert(rule.to_owned(), edits);
        }
    }

    /// Counts a refused text.
    pub(super) fn count_refusal(&mut self, reason: &'static str) {
        *self.refused.entry(reason).or_default() += 1;
        self.truncated += u64::from(reason == Reason::Truncated.as_str());
    }

    /// Counts a text that did not meet the contract, whatever its status.
    pub(super) fn count_unmet(&mut self, reason: &str) {
        *self.unmet.entry(reason.to_owned()).or_default() += 1;
    }

    /// Counts a line that cannot be used.
    pub(super) fn count_bad(&mut self, bad: BadRecord) {
        *self.bad.entry(bad).or_default() += 1;
    }

    /// Remembers the members of the first record that does not have the field.
    pub(super) fn note_members<'n>(&mut self, names: impl Iterator<Item = &'n str>, shape: Option<&'static str>) {
        if self.without_field.is_none() {
            let members = names.take(MOST_MEMBERS + 1).map(str::to_owned).collect();
            self.without_field = Some(WithoutField { members, shape });
        }
    }

    /// Remembers what the first line that is not a record looks like.
    pub(super) fn note_first_bad(&mut self, bad: BadRecord, number: u64, line: Option<&[u8]>) {
        let line = line.unwrap_or_default();
        if bad == BadRecord::TooLong {
            self.too_long = self.too_long.or(Some(number));
        }
        let suspicion = match line.trim_ascii_start() {
            line if crate::render::looks_like_utf16(line) => "the file looks like UTF-16; convert it to UTF-8",
            [b'[', ..] => "a JSON array is not JSON Lines; `jq -c '.[]'` writes one element a line",
            [b'{', ..] if bad == BadRecord::NotJson => "to repair the lines themselves: --raw",
            _ => return,
        };
        self.suspicion = self.suspicion.or(Some(suspicion));
    }

    /// Keeps a text that was refused, if it is one of the first.
    pub(super) fn keep(&mut self, refused: Option<Refused>) {
        self.first_refused.extend(refused.filter(|_| self.first_refused.len() < MOST_EXPLAINED));
    }

    /// Adds the counts of lines that come after.
    pub(super) fn add(&mut self, other: &Self) {
        self.further += other.further;
        self.truncated += other.truncated;
        other.first_refused.iter().for_each(|refused| self.keep(Some(refused.clone())));
        if self.without_field.is_none() {
            self.without_field.clone_from(&other.without_field);
        }
        self.suspicion = self.suspicion.or(other.suspicion);
        self.too_long = self.too_long.or(other.too_long);
        self.lines += other.lines;
        self.blank += other.blank;
        self.valid += other.valid;
        self.repaired += other.repaired;
        self.internal += other.internal;
        for (reason, count) in &other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
        for (reason, count) in &other.unmet {
            *self.unmet.entry(reason.clone()).or_default() += count;
        }
        for (bad, count) in &other.bad {
            *self.bad.entry(*bad).or_default() += count;
        }
        for (rule, count) in &other.edits {
            *self.edits.entry(rule.clone()).or_default() += count;
        }
    }

    /// All records whose status is refused.
    pub(super) fn refusals(&self) -> u64 {
        self.refused.values().sum::<u64>() + self.bad.values().sum::<u64>() + self.internal
    }

    /// All records without a result: refused ones, and those that did not meet the contract.
    pub(super) fn failures(&self) -> u64 {
        self.refusals() + self.unmet.values().sum::<u64>()
    }

    /// Whether more than half of the lines cannot be used.
    pub(super) fn is_mostly_bad(&self) -> bool {
        let unusable = self.bad.iter().filter(|(bad, _)| !bad.is_without_answer());
        unusable.map(|(_, count)| count).sum::<u64>() * 2 > self.lines
    }

    /// Tells the counts on standard error; `place` is where the text was looked for.
    pub(super) fn tell(&self, place: &str, is_detailed: bool, engine: &Engine) {
        console::note(self.summary());
        if self.internal > 0 {
            let records = counted(self.internal, "record");
            console::note(format_args!("{records} hit an internal error (a rule panicked); please report it"));
        }
        for (rule, count) in descending(&self.edits) {
            console::note_below(format_args!("{rule}: {}", counted(count, "edit")));
        }
        if is_detailed {
            for (reason, count) in descending(&self.refused) {
                console::note_below(format_args!("refused, {reason}: {count}"));
            }
            for (reason, count) in descending(&self.unmet) {
                console::note_below(format_args!("contract not met, {reason}: {count}"));
            }
        }
        self.tell_bad(place);
        self.tell_advice(engine);
    }

    fn summary(&self) -> String {
        let refused: u64 = self.refused.values().sum();
        let records = counted(self.lines, "record");
        let mut line = format!("{records}: {} valid, {} repaired, {refused} refused", self.valid, self.repaired);
        if !self.unmet.is_empty() {
            let _ = write!(line, "; {} did not meet the contract", self.unmet.values().sum::<u64>());
        }
        for (is_without_answer, what) in [(false, "bad"), (true, "without an answer")] {
            let of_kind = || self.bad.iter().filter(|(bad, _)| bad.is_without_answer() == is_without_answer);
            let reasons: Vec<String> = of_kind().map(|(bad, count)| format!("{} {count}", bad.as_str())).collect();
            if !reasons.is_empty() {
                let count: u64 = of_kind().map(|(_, count)| count).sum();
                let _ = write!(line, ", {count} {what} ({})", reasons.join(", "));
            }
        }
        if self.truncated > 0 {
            let _ = write!(line, "; {} truncated", self.truncated);
        }
        if self.further > 0 {
            let _ = write!(line, "; {} with further payloads left out", self.further);
        }
        if self.blank > 0 {
            let _ = write!(line, "; {} passed over", counted(self.blank, "blank line"));
        }
        line
    }

    /// What the records have in place of the field, and what is wrong with lines that are not records.
    fn tell_bad(&self, place: &str) {
        let missing = self.bad.get(&BadRecord::MissingField).copied().unwrap_or_default();
        if let Some(first) = self.without_field.as_ref().filter(|_| missing * 2 > self.lines) {
            let more = if first.members.len() > MOST_MEMBERS { ", …" } else { "" };
            let members: Vec<&str> = first.members.iter().take(MOST_MEMBERS).map(String::as_str).collect();
            let members = if members.is_empty() { "no members".to_owned() } else { members.join(", ") };
            console::note_below(format_args!(
                "there is no {place} in most records; the first such record has: {members}{more}"
            ));
            console::help_below(match first.shape {
                Some(shape) => format!("this is the shape of a provider: --shape {shape}"),
                None => "--field takes a name, a JSON Pointer (/a/0) or a path (a.0)".to_owned(),
            });
        }
        if let Some(suspicion) = self.suspicion {
            console::help_below(suspicion);
        }
    }

    /// Which presets and rules would have repaired what was refused.
    fn tell_advice(&self, engine: &Engine) {
        let mut presets = BTreeMap::<String, u64>::new();
        let mut rules = BTreeMap::<String, u64>::new();
        for advice in self.first_refused.iter().map(|refused| refused.advice(engine)) {
            advice.preset.into_iter().for_each(|preset| *presets.entry(preset).or_default() += 1);
            advice.rules.into_iter().for_each(|rule| *rules.entry(rule).or_default() += 1);
        }
        let looked_at = self.first_refused.len();
        let refused: u64 = self.refused.values().sum();
        let of = if refused > looked_at as u64 { "first " } else { "" };
        for (preset, count) in descending(&presets) {
            console::help_below(format_args!("--preset {preset} repairs {count} of the {of}{looked_at} refused"));
        }
        if !rules.is_empty() {
            /// Further rules help no one to begin.
            const SHOWN: usize = 5;
            let shown: Vec<String> =
                descending(&rules).iter().take(SHOWN).map(|(rule, count)| format!("{rule} {count}")).collect();
            console::help_below(format_args!("off, and would have answered: {}", shown.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_kind_is_singular() {
        let mut tally = Tally { lines: 1, valid: 1, blank: 1, ..Tally::default() };
        assert_eq!(tally.summary(), "1 record: 1 valid, 0 repaired, 0 refused; 1 blank line passed over");
        tally.lines = 2;
        assert!(tally.summary().starts_with("2 records: "));
    }

    #[test]
    fn what_comes_first_in_the_file_is_told() {
        let mut first = Tally::default();
        first.note_members(["a"].into_iter(), None);
        let mut second = Tally::default();
        second.note_members(["b"].into_iter(), Some("chat"));
        second.note_first_bad(BadRecord::NotJson, 7, Some(b"[1,"));
        first.add(&second);
        assert_eq!(first.without_field, Some(WithoutField { members: vec!["a".to_owned()], shape: None }));
        assert!(first.suspicion.is_some_and(|suspicion| suspicion.contains("jq -c")));
    }
}
