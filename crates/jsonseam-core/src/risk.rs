//! How sure a repair is: the four levels of SPEC B1.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// How sure the edits of a rule are (SPEC B1), from the surest to the least sure.
///
/// The order is meaningful: a cap such as `max-risk = "likely"` admits every level up to it.
///
/// ```
/// use jsonseam_core::Risk;
///
/// assert!(Risk::Certain < Risk::Lossy);
/// assert_eq!("likely".parse(), Ok(Risk::Likely));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// A published superset grammar (JSON5, JSONC, JavaScript, Python literals) reads the text, and all that do agree.
    Certain,
    /// Only punctuation is inserted, removed or re-spelled: every character of keys and values survives.
    Likely,
    /// The end of a string or the nesting is chosen among several.
    Guess,
    /// A character of a key or value is dropped or changed, or a value invented.
    Lossy,
}

impl Risk {
    /// Every level, from the surest to the least sure.
    pub const ALL: [Self; 4] = [Self::Certain, Self::Likely, Self::Guess, Self::Lossy];

    /// The name used in configuration, on the command line and in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Guess => "guess",
            Self::Lossy => "lossy",
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Risk {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == name).ok_or(())
    }
}
