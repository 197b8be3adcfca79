//! The interfaces of a rule, and what is known of one before it runs.
//!
//! A rule is a type that implements [`RepairRule`] or [`LocateRule`] and is declared with [`rule!`](crate::rule!).
//! The declaration chooses the trait: a rule that declares one and implements the other does not compile.
//! It is plain data ([`Registration`]): name, role, its documentation, its cases, its options.
//! Declaring a rule makes it known; only configuration turns it on.

mod declare;
pub(crate) mod dispatch;
pub(crate) mod fault;
pub(crate) mod option;
pub(crate) mod proposals;
pub(crate) mod review;

use std::fmt;

use self::dispatch::Dispatch;
use self::fault::Fault;
use self::option::{OptionInfo, OptionProblem, OptionValue};
use self::proposals::Proposals;
use self::review::{ReadPayload, Review};
use crate::edits::reach::Reach;
use crate::edits::risk::Risk;
use crate::locate::{Candidates, Landmarks, Region};
use crate::reading::expected::Expected;

/// A repair rule: one defect, one answer.
///
/// A rule holds only its options; it has no memory between calls, so the same fault always gets the same answer.
/// It is asked only where the recogniser has stopped: text that is valid JSON never reaches a rule.
pub trait RepairRule: Send + Sync + 'static {
    /// Puts the answers of this rule to a fault; without one, the fault is left to other rules.
    ///
    /// [`only`](Proposals::only) says that nothing else can be meant: such a rule reads its own token and the next one, and knows.
    /// [`offer`](Proposals::offer) puts an answer that competes with others.
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals);

    /// Why the rule leaves a fault alone that looks like one of its own: a sentence for people, without text of the payload.
    /// Asked only by who asks what would have helped, of a fault that no rule answers (SPEC P6).
    fn why_not(&self, fault: &Fault<'_>) -> Option<&'static str> {
        let _ = fault;
        None
    }

    /// What the rule says of the payload when it was read to its end: some defects show only then (SPEC R7).
    /// Asked if the rule answers faults of strings and a backslash was edited.
    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        let _ = payload;
        None
    }
}

/// A locator: where in a completion the payload could be (fences, prose, wrappers).
///
/// A locator holds only its options, like a repair rule.
/// It is asked only if the completion is not valid JSON of the wanted root as a whole.
pub trait LocateRule: Send + Sync + 'static {
    /// Adds the places in `region` to `found`, the preferred one first; adds nothing to leave the region to the next locator.
    fn locate(&self, region: &Region<'_>, found: &mut Candidates);
}

/// What a locator finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Locates {
    /// Parts of the completion that may hold a payload (a fenced block). Makes no edit.
    Regions,
    /// Payloads in a region (from the first `{` on). Makes no edit.
    Payloads,
    /// Payloads that can be read only after edits of its own (escaped text). It is asked before other payload locators.
    EditedPayloads {
        /// The risk of these edits.
        risk: Risk,
    },
}

impl Locates {
    /// The risk of the locator's edits; `None` if it makes none.
    pub const fn risk(self) -> Option<Risk> {
        match self {
            Self::EditedPayloads { risk } => Some(risk),
            Self::Regions | Self::Payloads => None,
        }
    }
}

/// What a rule does, when it is asked, and the rule itself: how it is built, or as it is built.
#[derive(Clone, Copy)]
pub enum Role<L = Build<dyn LocateRule>, R = Build<dyn RepairRule>> {
    /// Finds payloads.
    Locate {
        /// What the locator finds.
        locates: Locates,
        /// What it looks for: it is not asked about a region without that.
        landmarks: Landmarks,
        /// The locator.
        rule: L,
    },
    /// Repairs faults.
    Repair {
        /// The risk of every edit of the rule (SPEC B1: one rule, one risk).
        risk: Risk,
        /// The faults the rule is asked about.
        answers: &'static [Expected],
        /// Which of these faults the rule can answer, by what comes next and before.
        dispatch: Dispatch,
        /// How far back its edits may start.
        reach: Reach,
        /// The rule.
        rule: R,
    },
}

impl<L, R> Role<L, R> {
    /// The risk of the rule's edits; `None` for locators that make none.
    pub const fn risk(&self) -> Option<Risk> {
        match self {
            Self::Locate { locates, .. } => locates.risk(),
            Self::Repair { risk, .. } => Some(*risk),
        }
    }
}

impl<L, R> fmt::Debug for Role<L, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locate { locates, .. } => {
                formatter.debug_struct("Locate").field("locates", locates).finish_non_exhaustive()
            }
            Self::Repair { risk, answers, .. } => {
                formatter.debug_struct("Repair").field("risk", risk).field("answers", answers).finish_non_exhaustive()
            }
        }
    }
}

/// A function that builds a rule with its defaults, then sets the given options one by one.
pub type Build<R> = fn(&[(&str, &OptionValue)]) -> Result<Box<R>, OptionProblem>;

/// Everything there is to know about a rule before it runs. Made by [`rule!`](crate::rule!).
#[derive(Debug)]
#[non_exhaustive]
pub struct Registration {
    /// The rule's name: kebab-case, and with a prefix and a slash for rules outside jsonseam (`acme/fat-arrow`).
    pub name: &'static str,
    /// What the rule does, and the function that builds it.
    pub role: Role,
    /// The documentation in Markdown: a first line, then *What*, *Why*, *Example*, *Limits*. Empty without the feature `docs`.
    pub doc: &'static str,
    /// The rule's cases, in the TOML format of `jsonseam-testkit`; empty without the feature `cases`.
    pub cases: &'static str,
    /// The options the rule has, in the order of declaration.
    pub options: &'static [OptionInfo],
    /// The name of the Rust type, for the law that compares names.
    pub type_name: &'static str,
    /// The source file, for the same law.
    pub file: &'static str,
    /// The package that declares the rule: outside `jsonseam-rules`, the name must carry a prefix (SPEC B1).
    pub package: &'static str,
}

impl Registration {
    /// A rule without documentation, cases and options, with the type, the source file and the package that declare it.
    pub const fn new(
        name: &'static str,
        role: Role,
        type_name: &'static str,
        file: &'static str,
        package: &'static str,
    ) -> Self {
        Self { name, role, doc: "", cases: "", options: &[], type_name, file, package }
    }

    /// The same with this documentation, in a build that carries it.
    #[must_use]
    pub const fn with_doc(self, doc: &'static str) -> Self {
        Self { doc: if cfg!(feature = "docs") { doc } else { "" }, ..self }
    }

    /// The same with these cases.
    #[must_use]
    pub const fn with_cases(self, cases: &'static str) -> Self {
        Self { cases, ..self }
    }

    /// The same with these options.
    #[must_use]
    pub const fn with_options(self, options: &'static [OptionInfo]) -> Self {
        Self { options, ..self }
    }

    /// The risk of the rule's edits; `None` for locators that make none.
    pub const fn risk(&self) -> Option<Risk> {
        self.role.risk()
    }

    /// The first line of the documentation: what the rule does, in one sentence.
    pub fn summary(&self) -> &'static str {
        self.doc.trim_start().lines().next().unwrap_or_default().trim()
    }

    /// Whether the rule comes from outside jsonseam: its name carries a prefix.
    pub fn is_foreign(&self) -> bool {
        self.name.contains('/')
    }
}

/// A rule that announced itself to the linker. Collected by [`Catalogue::discovered`](crate::Catalogue::discovered).
#[cfg(feature = "discovery")]
#[derive(Debug)]
pub struct Discovered(pub &'static Registration);

#[cfg(feature = "discovery")]
inventory::collect!(Discovered);
