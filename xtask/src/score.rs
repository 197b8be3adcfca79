//! How answers are counted: right, silently wrong, refused.

use std::fmt;
use std::ops::AddAssign;

use clap::ValueEnum;
use jsonseam::Evidence;
use jsonseam_testkit::value::Value;
use jsonseam_text::named;

use crate::evidence::{evidence_of, typed_evidence_of};

/// What the caller is taken to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contract {
    /// The keys of every object.
    Keys,
    /// The keys, and what a schema made of the whole text would say besides: kinds of values, required keys, enumerations.
    Types,
}

impl Contract {
    /// In the names of columns.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Types => "types",
        }
    }

    /// What it says of a truth.
    pub(crate) fn of(self, truth: &Value) -> Evidence {
        match self {
            Self::Keys => evidence_of(truth),
            Self::Types => typed_evidence_of(truth),
        }
    }
}

/// Which texts to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shown {
    Wrong,
    Refused,
}

named! {
    /// How one text was answered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Answer as "an answer" {
        /// It says what it should.
        Right = "right",
        /// It says something else.
        Wrong = "wrong",
        /// There is none.
        Refused = "refused",
    }
}

impl Answer {
    /// Whether these texts are to be shown.
    pub(crate) fn is_shown(self, shown: Option<Shown>) -> bool {
        matches!((self, shown), (Self::Wrong, Some(Shown::Wrong)) | (Self::Refused, Some(Shown::Refused)))
    }
}

/// How many texts were answered how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) right: u64,
    pub(crate) wrong: u64,
    pub(crate) refused: u64,
}

impl Tally {
    /// How many there are.
    pub(crate) const fn total(self) -> u64 {
        self.right + self.wrong + self.refused
    }

    /// Counts one more.
    pub(crate) fn count(&mut self, answer: Answer) {
        match answer {
            Answer::Right => self.right += 1,
            Answer::Wrong => self.wrong += 1,
            Answer::Refused => self.refused += 1,
        }
    }

    /// The shares of right and wrong, for people.
    pub(crate) fn shares(self) -> String {
        format!("{} % right, {} % wrong", share(self.right, self.total()), share(self.wrong, self.total()))
    }
}

/// `right/wrong/refused`
impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}/{}/{}", self.right, self.wrong, self.refused))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.refused += other.refused;
    }
}

/// A share in per cent, with two places.
pub(crate) fn share(part: u64, all: u64) -> String {
    let hundredths = part * 10_000 / all.max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::{Answer, Tally};

    #[test]
    fn shares_are_told_with_two_places() {
        let mut tally = Tally::default();
        for answer in [Answer::Right, Answer::Wrong, Answer::Refused] {
            tally.count(answer);
        }
        assert_eq!(tally.shares(), "33.33 % right, 33.33 % wrong");
        assert_eq!(format!("{tally:>8}"), "   1/1/1");
    }
}
