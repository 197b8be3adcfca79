//! What is done with repeated keys.

use std::fmt;
use std::str::FromStr;

/// What is done with a key that the object holds more than once (SPEC K4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The completion is refused with `duplicate_output_keys`.
    #[default]
    Refuse,
    /// The last one counts, as most readers have it.
    Last,
}

impl Duplicates {
    /// Every policy.
    pub const ALL: [Self; 2] = [Self::Refuse, Self::Last];

    /// The name in files and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Last => "last",
        }
    }
}

impl fmt::Display for Duplicates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Duplicates {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name).ok_or(())
    }
}
