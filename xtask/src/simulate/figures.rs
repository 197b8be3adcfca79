//! The figures of SPEC L10, and what they must be.

use std::collections::BTreeMap;

use jsonseam_testkit::damage::Defect;

use super::run::Outcome;
use super::traffic::{Exchange, Scenario};
use crate::score::share;

/// The figures of one row.
#[derive(Debug)]
pub(super) struct Figures {
    preset: String,
    scenario: Scenario,
    requests: u64,
    parsed: u64,
    met_at_once: u64,
    met: u64,
    wrong: u64,
    guessed_wrong: u64,
    /// Requests that were asked again at least once, and how often all of them.
    asked_again: u64,
    reasks: u64,
    fell_back: u64,
    sent: u64,
    /// By kind of damage: first answers, and how many of them met the contract.
    by_kind: BTreeMap<Defect, (u64, u64)>,
    complaints: Vec<String>,
}

/// Complaints about single requests that are shown of one row.
const KEPT: usize = 3;
/// Characters of a text that are shown.
const MOST_SHOWN: usize = 600;

impl Figures {
    pub(super) fn new(preset: &str, scenario: Scenario) -> Self {
        Self {
            preset: preset.to_owned(),
            scenario,
            requests: 0,
            parsed: 0,
            met_at_once: 0,
            met: 0,
            wrong: 0,
            guessed_wrong: 0,
            asked_again: 0,
            reasks: 0,
            fell_back: 0,
            sent: 0,
            by_kind: BTreeMap::new(),
            complaints: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, exchange: &Exchange, outcome: &Outcome) {
        self.requests += 1;
        self.parsed += u64::from(outcome.is_parsed);
        self.met_at_once += u64::from(outcome.is_met_at_once);
        self.met += u64::from(outcome.is_met);
        self.wrong += u64::from(outcome.is_wrong);
        self.guessed_wrong += u64::from(outcome.is_guessed_wrong);
        self.asked_again += u64::from(outcome.reasks > 0);
        self.reasks += outcome.reasks;
        self.fell_back += u64::from(outcome.fell_back);
        self.sent += outcome.sent;
        if let Some(kind) = exchange.damage {
            let (all, met) = self.by_kind.entry(kind).or_default();
            *all += 1;
            *met += u64::from(outcome.is_met_at_once);
        }
        let wrong = outcome.is_wrong.then(|| {
            let kind = exchange.damage.map_or("no damage", Defect::as_str);
            let first: String = format!("{:?}", exchange.lines.first()).chars().take(MOST_SHOWN).collect();
            let truth: String = exchange.truth.chars().take(MOST_SHOWN).collect();
            format!("a wrong value was taken ({kind})\n  first answer {first}\n  truth {truth:?}")
        });
        for complaint in outcome.complaint.iter().cloned().chain(wrong) {
            if self.complaints.len() < KEPT {
                self.complaints.push(format!("{} {}: {complaint}", self.preset, self.scenario.as_str()));
            }
        }
    }

    pub(super) fn is(&self, (preset, scenario): (&str, Scenario)) -> bool {
        self.preset == preset && self.scenario == scenario
    }

    /// Re-asks for each request that was asked again, in thousandths. Answers that were cut off are never asked for again and do not count.
    fn mean_reasks(&self) -> u64 {
        self.reasks * 1_000 / self.asked_again.max(1)
    }

    /// What must hold: everywhere that no wrong value is taken and the requests are those of the ideal loop, and of the target the figures of L10.
    pub(super) fn complaints(&self, target: (&str, Scenario)) -> Vec<String> {
        let mut complaints = self.complaints.clone();
        if self.is(target) {
            let missed = [
                (self.parsed * 100 < self.requests * 95, "fewer than 95 % are read before any re-ask"),
                (self.met * 100 < self.requests * 99, "fewer than 99 % meet the contract in the end"),
                (self.mean_reasks() >= 1_200, "1.2 re-asks or more for a request that is asked again"),
                (self.fell_back * 100 >= self.requests, "1 % or more fall back to another mode"),
            ];
            let missed = missed.iter().filter(|(is_missed, _)| *is_missed);
            complaints.extend(missed.map(|(_, words)| format!("{}: {words}", self.preset)));
        }
        complaints
    }

    /// The figures for the last line.
    pub(super) fn summary(&self) -> String {
        let of = |part| share(part, self.requests);
        format!(
            "{}, {}: {} % read and {} % meet the contract before any re-ask, {} % in the end, {} re-asks, {} % fall back, {} wrong values silently",
            self.preset,
            self.scenario.as_str(),
            of(self.parsed),
            of(self.met_at_once),
            of(self.met),
            thousandths(self.mean_reasks()),
            of(self.fell_back),
            self.wrong
        )
    }

    fn cells(&self) -> [String; 11] {
        let of = |part| format!("{} %", share(part, self.requests));
        [
            self.preset.clone(),
            self.scenario.as_str().to_owned(),
            self.requests.to_string(),
            of(self.parsed),
            of(self.met_at_once),
            of(self.met),
            thousandths(self.mean_reasks()),
            of(self.fell_back),
            self.wrong.to_string(),
            self.guessed_wrong.to_string(),
            self.sent.to_string(),
        ]
    }
}

fn thousandths(number: u64) -> String {
    format!("{}.{:03}", number / 1_000, number % 1_000)
}

/// One line for each row.
pub(super) fn table(rows: &[Figures]) -> String {
    let heading = [
        "preset",
        "no JSON + unfit",
        "requests",
        "read first",
        "met first",
        "met at last",
        "re-asks",
        "fallback",
        "wrong",
        "guessed",
        "sent",
    ];
    let cells: Vec<[String; 11]> =
        std::iter::once(heading.map(str::to_owned)).chain(rows.iter().map(Figures::cells)).collect();
    aligned(&cells.iter().map(<[String; 11]>::as_slice).collect::<Vec<_>>())
}

/// By kind of damage: how many first answers met the contract before any re-ask, where all fail.
pub(super) fn kinds(rows: &[Figures]) -> String {
    let rows: Vec<&Figures> = rows.iter().filter(|row| row.scenario == Scenario::AllFail).collect();
    let Some(first) = rows.first() else { return String::new() };
    let mut lines = vec![vec!["met before any re-ask".to_owned(), "answers".to_owned()]];
    lines[0].extend(rows.iter().map(|row| row.preset.clone()));
    for (kind, (all, _)) in &first.by_kind {
        let mut line = vec![kind.to_string(), all.to_string()];
        line.extend(rows.iter().map(|row| row.by_kind.get(kind).map_or(0, |(_, met)| *met).to_string()));
        lines.push(line);
    }
    aligned(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Columns of one width, the first one to the left.
fn aligned(lines: &[&[String]]) -> String {
    let columns = lines.first().map_or(0, |line| line.len());
    let widths: Vec<usize> = (0..columns)
        .map(|at| lines.iter().filter_map(|line| line.get(at)).map(String::len).max().unwrap_or(0))
        .collect();
    let shown = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).enumerate();
        cells
            .map(|(at, (cell, width))| if at == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") })
            .collect::<String>()
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Figures, aligned};
    use crate::simulate::traffic::Scenario;

    fn row(parsed: u64, met: u64, reasks: u64, fell_back: u64) -> Vec<String> {
        let figures = Figures { requests: 1_000, parsed, met, asked_again: 100, reasks, fell_back, ..blank() };
        figures.complaints(("standard", Scenario::AsMeasured))
    }

    fn blank() -> Figures {
        Figures::new("standard", Scenario::AsMeasured)
    }

    #[test]
    fn l10_each_target_that_is_missed_is_a_complaint() {
        assert_eq!(row(950, 990, 119, 9), Vec::<String>::new());
        for (missed, words) in [
            (row(949, 990, 119, 9), "95 %"),
            (row(950, 989, 119, 9), "99 %"),
            (row(950, 990, 120, 9), "1.2"),
            (row(950, 990, 119, 10), "1 %"),
        ] {
            assert!(missed.len() == 1 && missed[0].contains(words), "{missed:?}");
        }
        let other = Figures { requests: 1_000, ..Figures::new("strict", Scenario::AsMeasured) };
        assert!(other.complaints(("standard", Scenario::AsMeasured)).is_empty());
    }

    #[test]
    fn columns_have_one_width() {
        let lines = [vec!["a".to_owned(), "100".to_owned()], vec!["bcd".to_owned(), "2".to_owned()]];
        assert_eq!(aligned(&[lines[0].as_slice(), lines[1].as_slice()]), "a    100\nbcd    2");
    }
}
